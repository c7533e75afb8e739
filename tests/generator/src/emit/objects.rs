//! Sync objects: their variables, and the calls on them.

use super::Emitter;
use crate::program::{How, ObjectKind};

impl Emitter<'_> {
    pub(super) fn declare(&self, number: usize) -> Vec<String> {
        let s = self.number;
        let o = format!("s{s}_o{number}");
        let kind = match self.program.objects[number] {
            ObjectKind::Mutex | ObjectKind::RecursiveMutex | ObjectKind::ErrorCheckMutex => {
                "pthread_mutex_t"
            }
            ObjectKind::C11Mutex => "mtx_t",
            ObjectKind::StdMutex => "std::mutex",
            ObjectKind::Spin => "pthread_spinlock_t",
            ObjectKind::RwLock => "pthread_rwlock_t",
            ObjectKind::SharedMutex => "std::shared_mutex",
            ObjectKind::Semaphore => "sem_t",
            ObjectKind::Barrier(_) => "pthread_barrier_t",
            ObjectKind::StdBarrier(parties) => {
                return vec![format!("static std::barrier<> {o}{{{parties}}};")];
            }
            ObjectKind::Latch(_) => {
                return vec![format!("static std::optional<std::latch> {o};")];
            }
            ObjectKind::Once { offset } => {
                return vec![
                    format!("static pthread_once_t {o};"),
                    format!(
                        "static void {o}_init(void) {{ *(U8 *)(at(0) + {offset}) = (U8)opaque({number}); }}"
                    ),
                ];
            }
            ObjectKind::Pipe => return vec![format!("static int {o}[2];")],
            ObjectKind::EventFd => "int",
            ObjectKind::Annotated => "long",
            ObjectKind::Signal => return Vec::new(),
            ObjectKind::Promise => {
                return vec![
                    format!("static std::optional<std::promise<long>> {o};"),
                    format!("static std::shared_future<long> {o}_future;"),
                ];
            }
            ObjectKind::StdSemaphore => {
                return vec![format!("static std::counting_semaphore<> {o}{{0}};")];
            }
            ObjectKind::Condition => {
                return vec![
                    format!("static pthread_cond_t {o};"),
                    format!("static int {o}_flag;"),
                ];
            }
        };
        vec![format!("static {kind} {o};")]
    }

    pub(super) fn set_up(&self, number: usize) -> String {
        let o = format!("s{}_o{number}", self.number);
        match self.program.objects[number] {
            ObjectKind::Mutex => format!("pthread_mutex_init(&{o}, 0);"),
            kind @ (ObjectKind::RecursiveMutex | ObjectKind::ErrorCheckMutex) => {
                let kind = if kind == ObjectKind::RecursiveMutex {
                    "RECURSIVE"
                } else {
                    "ERRORCHECK"
                };
                format!(
                    "{{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_{kind}); pthread_mutex_init(&{o}, &a); }}"
                )
            }
            ObjectKind::C11Mutex => format!("mtx_init(&{o}, mtx_timed);"),
            ObjectKind::StdMutex | ObjectKind::SharedMutex => String::new(),
            ObjectKind::Spin => format!("pthread_spin_init(&{o}, 0);"),
            ObjectKind::RwLock => format!("pthread_rwlock_init(&{o}, 0);"),
            ObjectKind::Semaphore => format!("sem_init(&{o}, 0, 0);"),
            ObjectKind::StdBarrier(_) => String::new(),
            ObjectKind::Latch(parties) => format!("{o}.emplace({parties});"),
            ObjectKind::Barrier(parties) => format!("pthread_barrier_init(&{o}, 0, {parties});"),
            ObjectKind::Once { .. } => format!("{o} = PTHREAD_ONCE_INIT;"),
            ObjectKind::Pipe => format!("must(!pipe({o}));"),
            ObjectKind::EventFd => {
                format!("{o} = eventfd(0, EFD_SEMAPHORE); must({o} >= 0);")
            }
            ObjectKind::Annotated => String::new(),
            ObjectKind::Signal => format!("handle({number});"),
            ObjectKind::Promise => {
                format!("{o}.emplace(); {o}_future = {o}->get_future().share();")
            }
            ObjectKind::StdSemaphore => format!("while ({o}.try_acquire()) {{}}"),
            ObjectKind::Condition => {
                format!("pthread_cond_init(&{o}, 0); raise_flag(&{o}_flag, 0);")
            }
        }
    }

    pub(super) fn take_down(&self, number: usize) -> String {
        let o = format!("s{}_o{number}", self.number);
        match self.program.objects[number] {
            ObjectKind::Mutex | ObjectKind::RecursiveMutex | ObjectKind::ErrorCheckMutex => {
                format!("pthread_mutex_destroy(&{o});")
            }
            ObjectKind::C11Mutex => format!("mtx_destroy(&{o});"),
            ObjectKind::Spin => format!("pthread_spin_destroy(&{o});"),
            ObjectKind::RwLock => format!("pthread_rwlock_destroy(&{o});"),
            ObjectKind::Semaphore => format!("sem_destroy(&{o});"),
            ObjectKind::Barrier(_) => format!("pthread_barrier_destroy(&{o});"),
            ObjectKind::Pipe => format!("close({o}[0]); close({o}[1]);"),
            ObjectKind::EventFd => format!("close({o});"),
            ObjectKind::Promise => format!("{o}_future = {{}}; {o}.reset();"),
            ObjectKind::Condition => format!("pthread_cond_destroy(&{o});"),
            ObjectKind::StdMutex
            | ObjectKind::SharedMutex
            | ObjectKind::Once { .. }
            | ObjectKind::Signal
            | ObjectKind::StdSemaphore
            | ObjectKind::StdBarrier(_)
            | ObjectKind::Latch(_)
            | ObjectKind::Annotated => String::new(),
        }
    }

    pub(super) fn lock(&self, number: usize, how: How) -> String {
        let o = self.object(number);
        // What a condition's waiter still holds for a moment cannot be tried.
        let how = if number == 0 { How::Plain } else { how };
        match (self.program.objects[number], how) {
            (ObjectKind::Mutex | ObjectKind::RecursiveMutex | ObjectKind::ErrorCheckMutex, how) => {
                match how {
                    How::Plain => format!("pthread_mutex_lock(&{o});"),
                    How::Try => format!("must(pthread_mutex_trylock(&{o}) == 0);"),
                    How::Timed => format!("must(pthread_mutex_timedlock(&{o}, &far_away) == 0);"),
                }
            }
            (ObjectKind::C11Mutex, How::Plain) => format!("mtx_lock(&{o});"),
            (ObjectKind::C11Mutex, How::Try) => format!("must(mtx_trylock(&{o}) == thrd_success);"),
            (ObjectKind::C11Mutex, How::Timed) => {
                format!("must(mtx_timedlock(&{o}, &far_away) == thrd_success);")
            }
            (ObjectKind::Spin, How::Try) => format!("must(pthread_spin_trylock(&{o}) == 0);"),
            (ObjectKind::Spin, _) => format!("pthread_spin_lock(&{o});"),
            (ObjectKind::RwLock, How::Plain) => format!("pthread_rwlock_wrlock(&{o});"),
            (ObjectKind::RwLock, How::Try) => {
                format!("must(pthread_rwlock_trywrlock(&{o}) == 0);")
            }
            (ObjectKind::RwLock, How::Timed) => {
                format!("must(pthread_rwlock_timedwrlock(&{o}, &far_away) == 0);")
            }
            (_, How::Try) => format!("must({o}.try_lock());"),
            (_, _) => format!("{o}.lock();"),
        }
    }

    pub(super) fn unlock(&self, number: usize) -> String {
        let o = self.object(number);
        match self.program.objects[number] {
            ObjectKind::Mutex | ObjectKind::RecursiveMutex | ObjectKind::ErrorCheckMutex => {
                format!("pthread_mutex_unlock(&{o});")
            }
            ObjectKind::C11Mutex => format!("mtx_unlock(&{o});"),
            ObjectKind::Spin => format!("pthread_spin_unlock(&{o});"),
            ObjectKind::RwLock => format!("pthread_rwlock_unlock(&{o});"),
            _ => format!("{o}.unlock();"),
        }
    }

    pub(super) fn read_lock(&self, number: usize, how: How) -> String {
        let o = self.object(number);
        match (self.program.objects[number], how) {
            (ObjectKind::RwLock, How::Plain) => format!("pthread_rwlock_rdlock(&{o});"),
            (ObjectKind::RwLock, How::Try) => {
                format!("must(pthread_rwlock_tryrdlock(&{o}) == 0);")
            }
            (ObjectKind::RwLock, How::Timed) => {
                format!("must(pthread_rwlock_timedrdlock(&{o}, &far_away) == 0);")
            }
            (_, How::Try) => format!("must({o}.try_lock_shared());"),
            (_, _) => format!("{o}.lock_shared();"),
        }
    }

    pub(super) fn lock_in_vain(&self, number: usize) -> String {
        let o = self.object(number);
        match self.program.objects[number] {
            ObjectKind::Mutex | ObjectKind::RecursiveMutex | ObjectKind::ErrorCheckMutex => {
                format!("must(pthread_mutex_trylock(&{o}) == EBUSY);")
            }
            ObjectKind::C11Mutex => format!("must(mtx_trylock(&{o}) == thrd_busy);"),
            ObjectKind::Spin => format!("must(pthread_spin_trylock(&{o}) == EBUSY);"),
            ObjectKind::RwLock => format!("must(pthread_rwlock_tryrdlock(&{o}) == EBUSY);"),
            _ => format!("must(!{o}.try_lock());"),
        }
    }

    pub(super) fn post(&self, number: usize) -> String {
        let o = self.object(number);
        match self.program.objects[number] {
            ObjectKind::Semaphore => format!("sem_post(&{o});"),
            ObjectKind::StdSemaphore => format!("{o}.release();"),
            ObjectKind::Promise => format!("{o}->set_value(v);"),
            ObjectKind::Pipe => format!("{{ char b = (char)v; must(write({o}[1], &b, 1) == 1); }}"),
            ObjectKind::EventFd => format!("{{ uint64_t b = 1; must(write({o}, &b, 8) == 8); }}"),
            ObjectKind::Signal => {
                format!("must(pthread_kill(who_expects({number}), SIGRTMIN + {number}) == 0);")
            }
            _ => format!("__tsan_release(&{o});"),
        }
    }

    pub(super) fn wait(&self, number: usize, how: How) -> String {
        let o = self.object(number);
        match (self.program.objects[number], how) {
            (ObjectKind::Semaphore, How::Plain) => format!("must(sem_wait(&{o}) == 0);"),
            (ObjectKind::Semaphore, How::Try) => format!("must(sem_trywait(&{o}) == 0);"),
            (ObjectKind::Semaphore, How::Timed) => {
                format!("must(sem_timedwait(&{o}, &far_away) == 0);")
            }
            (ObjectKind::StdSemaphore, How::Plain) => format!("{o}.acquire();"),
            (ObjectKind::StdSemaphore, How::Try) => format!("must({o}.try_acquire());"),
            (ObjectKind::StdSemaphore, How::Timed) => {
                format!("must({o}.try_acquire_for(std::chrono::hours(1)));")
            }
            (ObjectKind::Promise, How::Plain) => format!("sum += {o}_future.get();"),
            (ObjectKind::Promise, how) => {
                let time = if how == How::Try {
                    "seconds(0)"
                } else {
                    "hours(1)"
                };
                format!(
                    "must({o}_future.wait_for(std::chrono::{time}) == std::future_status::ready);"
                )
            }
            (ObjectKind::Pipe, _) => {
                format!("{{ char b; must(read({o}[0], &b, 1) == 1); sum += b; }}")
            }
            (ObjectKind::EventFd, _) => {
                format!("{{ uint64_t b; must(read({o}, &b, 8) == 8); sum += (long)b; }}")
            }
            _ => format!("__tsan_acquire(&{o});"),
        }
    }
}
