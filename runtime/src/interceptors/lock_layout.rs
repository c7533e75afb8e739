//! What a lock says about itself: the fields of glibc's mutex and readers-writer lock.
//!
//! Whether an unlock will succeed, and whether it is the outermost one of a recursive mutex, must be known *before* the
//! real unlock, because the source event precedes it. glibc keeps owner and depth in the lock; reading them costs nothing and
//! cannot disagree with what the real function is about to do. The places are part of glibc's x86-64 ABI in practice: the
//! kind is fixed by the static initializers, owner and depth have not moved since 2002. A test checks all of them.

use core::cell::Cell;
use core::ffi::c_int;
use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::sync::Once;

use crate::sys;

thread_local! {
    /// Kernel's id of the running thread as glibc knows it; 0 before the first use.
    static TID: Cell<c_int> = const { Cell::new(0) };
}

/// The running thread as glibc writes it into a lock.
#[inline]
pub fn tid() -> c_int {
    let known = TID.get();
    if known != 0 { known } else { first_tid() }
}

#[cold]
fn first_tid() -> c_int {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        // The only thread of a forked child has another id. (After a bare `vfork` or `clone` glibc goes on with the parent's,
        // and so do we.) Failure means that there is no memory left, and then a fork will hardly succeed either.
        // SAFETY: the handler touches nothing but a thread-local variable.
        unsafe { libc::pthread_atfork(None, None, Some(forget_tid)) };
    });
    let tid = sys::gettid();
    TID.set(tid);
    tid
}

unsafe extern "C" fn forget_tid() {
    TID.set(0);
}

/// Bits of the kind of a mutex.
mod kind {
    pub const TYPE: i32 = 3;
    pub const RECURSIVE: i32 = 1;
    pub const ERRORCHECK: i32 = 2;
    pub const ROBUST: i32 = 16;
    pub const PRIO_INHERIT: i32 = 32;
    pub const PRIO_PROTECT: i32 = 64;
    pub const SHARED: i32 = 128;
    pub const ELISION: i32 = 256;
}

/// Owner field of a robust mutex whose owner has died, until it is made consistent.
const INCONSISTENT: i32 = i32::MAX;
/// The part of a robust or priority-inheriting lock word that names the owner.
const OWNER_MASK: i32 = 0x3fff_ffff;

/// The part of a priority-protected lock word that is not the ceiling.
const CEILING_FREE: i32 = 0x7_ffff;

/// The first fields of `pthread_mutex_t`. Other threads change them while we look, so they are atomics; relaxed, because a
/// thread asks only whether the lock is its own, and that only its own stores can change.
#[repr(C)]
struct Mutex {
    lock: AtomicI32,
    count: AtomicU32,
    owner: AtomicI32,
    users: AtomicU32,
    kind: AtomicI32,
}

/// Offset of the mutex from the node by which a robust one hangs in its owner's list, bytes.
pub const ROBUST_NODE: isize = 32;

/// Whether `pthread_mutex_unlock` by the running thread would give the mutex away: it succeeds, and it is the outermost level.
///
/// # Safety
/// `mutex` points to an initialized mutex.
pub unsafe fn unlock_releases(mutex: *const libc::pthread_mutex_t) -> bool {
    // SAFETY: an initialized mutex begins with these fields.
    let mutex = unsafe { &*mutex.cast::<Mutex>() };
    let kind = mutex.kind.load(Ordering::Relaxed);
    let lock = mutex.lock.load(Ordering::Relaxed);
    let owner = mutex.owner.load(Ordering::Relaxed);
    let kept_by_word = kind & (kind::ROBUST | kind::PRIO_INHERIT) != 0;
    let named_in_word = kept_by_word && lock & OWNER_MASK == tid();
    let own = owner == tid() || (owner == INCONSISTENT && named_in_word);
    match kind & kind::TYPE {
        kind::RECURSIVE => own && mutex.count.load(Ordering::Relaxed) == 1,
        kind::ERRORCHECK => own && lock != 0,
        _ if kind & kind::ROBUST != 0 => own && lock != 0,
        _ if kind & kind::PRIO_INHERIT != 0 => named_in_word,
        // Normal and adaptive ones ask nobody. Under lock elision the word stays 0.
        _ => lock != 0 || kind & kind::ELISION != 0,
    }
}

/// Whether the running thread, which has just locked the mutex, holds it once.
///
/// # Safety
/// `mutex` points to a mutex that the running thread holds.
pub unsafe fn is_outermost(mutex: *const libc::pthread_mutex_t) -> bool {
    // SAFETY: an initialized mutex begins with these fields.
    let mutex = unsafe { &*mutex.cast::<Mutex>() };
    mutex.kind.load(Ordering::Relaxed) & kind::TYPE != kind::RECURSIVE
        || mutex.count.load(Ordering::Relaxed) == 1
}

/// Whether the running thread holds the mutex; not known of one whose lock was elided, which then counts as not held.
///
/// # Safety
/// `mutex` points to an initialized mutex.
pub unsafe fn is_own(mutex: *const libc::pthread_mutex_t) -> bool {
    // SAFETY: an initialized mutex begins with these fields.
    let mutex = unsafe { &*mutex.cast::<Mutex>() };
    mutex.owner.load(Ordering::Relaxed) == tid()
}

/// Whether somebody holds the mutex; no if it is of a kind whose word says more than that.
///
/// # Safety
/// `mutex` points to an initialized mutex.
#[inline]
pub unsafe fn is_taken(mutex: *const libc::pthread_mutex_t) -> bool {
    // SAFETY: an initialized mutex begins with these fields.
    let mutex = unsafe { &*mutex.cast::<Mutex>() };
    let others = kind::ROBUST | kind::PRIO_INHERIT | kind::PRIO_PROTECT | kind::ELISION;
    // Relaxed: a guess, as it may be another's a moment later; the real lock decides.
    mutex.lock.load(Ordering::Relaxed) != 0 && mutex.kind.load(Ordering::Relaxed) & others == 0
}

/// What a mutex says about itself at a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutexState {
    /// Somebody holds it.
    pub locked: bool,
    /// Thread id of the holder, 0 if nobody or not known.
    pub owner: c_int,
    /// Its functions find misuse themselves and return an error for it, as POSIX says.
    pub checks: bool,
    pub recursive: bool,
    /// The end of its holder is told to the next one.
    pub robust: bool,
    /// Other processes may use it: an owner may be of another one.
    pub shared: bool,
}

/// What the mutex says. `None` of one that does not tell, because its lock may be elided.
///
/// # Safety
/// `mutex` points to an initialized mutex.
pub unsafe fn mutex_state(mutex: *const libc::pthread_mutex_t) -> Option<MutexState> {
    // SAFETY: an initialized mutex begins with these fields.
    let mutex = unsafe { &*mutex.cast::<Mutex>() };
    let kind = mutex.kind.load(Ordering::Relaxed);
    if kind & kind::ELISION != 0 {
        return None;
    }
    let word = mutex.lock.load(Ordering::Relaxed);
    let owner = mutex.owner.load(Ordering::Relaxed);
    let robust = kind & kind::ROBUST != 0;
    let (locked, owner) = if robust || kind & kind::PRIO_INHERIT != 0 {
        (word & OWNER_MASK != 0, word & OWNER_MASK)
    } else if kind & kind::PRIO_PROTECT != 0 {
        // The word holds the ceiling, too.
        (word & CEILING_FREE != 0, owner)
    } else {
        (word != 0, owner)
    };
    let recursive = kind & kind::TYPE == kind::RECURSIVE;
    Some(MutexState {
        locked,
        owner: if locked { owner } else { 0 },
        checks: robust || kind & kind::TYPE == kind::ERRORCHECK,
        recursive,
        robust,
        shared: kind & kind::SHARED != 0,
    })
}

/// Whether the mutex was destroyed and is not another one by now: `pthread_mutex_destroy` leaves a kind that there is not.
///
/// # Safety
/// `mutex` points to readable memory.
pub unsafe fn is_destroyed(mutex: *const libc::pthread_mutex_t) -> bool {
    // SAFETY: a mutex begins with these fields.
    let mutex = unsafe { &*mutex.cast::<Mutex>() };
    mutex.kind.load(Ordering::Relaxed) == -1
}

/// Whether the mutex is of the recursive type.
///
/// # Safety
/// `mutex` points to an initialized mutex.
pub unsafe fn is_recursive(mutex: *const libc::pthread_mutex_t) -> bool {
    // SAFETY: an initialized mutex begins with these fields.
    let mutex = unsafe { &*mutex.cast::<Mutex>() };
    mutex.kind.load(Ordering::Relaxed) & kind::TYPE == kind::RECURSIVE
}

/// The fields of `pthread_rwlock_t` up to the writer.
#[repr(C)]
struct Rwlock {
    state: [AtomicU32; 6],
    writer: AtomicI32,
}

/// Flags below the number of readers in the first word of a readers-writer lock.
const READER_SHIFT: u32 = 3;

/// Whether the running thread holds the lock for writing: what `pthread_rwlock_unlock` itself goes by.
///
/// # Safety
/// `rwlock` points to an initialized lock.
pub unsafe fn is_writer(rwlock: *const libc::pthread_rwlock_t) -> bool {
    // SAFETY: an initialized lock begins with these fields.
    let rwlock = unsafe { &*rwlock.cast::<Rwlock>() };
    rwlock.writer.load(Ordering::Relaxed) == tid()
}

/// How many hold the lock for reading, and the id of the thread that holds it for writing, or 0.
///
/// # Safety
/// `rwlock` points to an initialized lock.
#[inline]
pub unsafe fn rwlock_holders(rwlock: *const libc::pthread_rwlock_t) -> (u32, c_int) {
    // SAFETY: an initialized lock begins with these fields.
    let rwlock = unsafe { &*rwlock.cast::<Rwlock>() };
    let readers = rwlock.state[0].load(Ordering::Relaxed) >> READER_SHIFT;
    (readers, rwlock.writer.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutex(kind: c_int, robust: bool, inherit: bool) -> Box<libc::pthread_mutex_t> {
        let mut mutex = Box::new(libc::PTHREAD_MUTEX_INITIALIZER);
        // SAFETY: plain initialization of objects on this stack and heap.
        unsafe {
            let mut attributes = core::mem::zeroed();
            assert_eq!(libc::pthread_mutexattr_init(&mut attributes), 0);
            assert_eq!(libc::pthread_mutexattr_settype(&mut attributes, kind), 0);
            if robust {
                libc::pthread_mutexattr_setrobust(&mut attributes, libc::PTHREAD_MUTEX_ROBUST);
            }
            if inherit {
                libc::pthread_mutexattr_setprotocol(&mut attributes, libc::PTHREAD_PRIO_INHERIT);
            }
            assert_eq!(libc::pthread_mutex_init(&mut *mutex, &attributes), 0);
        }
        mutex
    }

    #[test]
    fn every_kind_of_mutex_says_whether_an_unlock_gives_it_away() {
        const ADAPTIVE: c_int = 3;
        for kind in [
            libc::PTHREAD_MUTEX_NORMAL,
            libc::PTHREAD_MUTEX_RECURSIVE,
            libc::PTHREAD_MUTEX_ERRORCHECK,
            ADAPTIVE,
        ] {
            for (robust, inherit) in [(false, false), (true, false), (false, true), (true, true)] {
                let mut mutex = mutex(kind, robust, inherit);
                let mutex: *mut libc::pthread_mutex_t = &mut *mutex;
                // SAFETY: the mutex is initialized and used by this thread alone.
                unsafe {
                    assert!(
                        !unlock_releases(mutex) && !is_own(mutex),
                        "free, kind {kind} robust {robust} inherit {inherit}"
                    );
                    assert_eq!(libc::pthread_mutex_lock(mutex), 0);
                    assert!(
                        is_outermost(mutex) && is_own(mutex) && unlock_releases(mutex),
                        "held, kind {kind}"
                    );
                    assert_eq!(is_recursive(mutex), kind == libc::PTHREAD_MUTEX_RECURSIVE);
                    if kind == libc::PTHREAD_MUTEX_RECURSIVE {
                        assert_eq!(libc::pthread_mutex_lock(mutex), 0);
                        assert!(!is_outermost(mutex) && !unlock_releases(mutex));
                        assert_eq!(libc::pthread_mutex_unlock(mutex), 0);
                        assert!(unlock_releases(mutex));
                    }
                    assert_eq!(libc::pthread_mutex_unlock(mutex), 0);
                    assert!(!unlock_releases(mutex));
                }
            }
        }
    }

    #[test]
    fn a_foreign_mutex_is_given_away_only_if_its_kind_allows() {
        for (kind, expected) in [
            (libc::PTHREAD_MUTEX_NORMAL, true),
            (libc::PTHREAD_MUTEX_RECURSIVE, false),
            (libc::PTHREAD_MUTEX_ERRORCHECK, false),
        ] {
            let mut mutex = mutex(kind, false, false);
            let address = &raw mut *mutex as usize;
            // SAFETY: the mutex outlives the thread.
            unsafe {
                assert_eq!(libc::pthread_mutex_lock(address as *mut _), 0);
                let other = std::thread::spawn(move || unlock_releases(address as *const _));
                assert_eq!(other.join().unwrap(), expected);
                assert_eq!(libc::pthread_mutex_unlock(address as *mut _), 0);
            }
        }
    }

    #[test]
    fn a_robust_mutex_of_a_dead_owner_is_given_away_by_its_next_holder() {
        let mut mutex = mutex(libc::PTHREAD_MUTEX_NORMAL, true, false);
        let address = &raw mut *mutex as usize;
        // SAFETY: the mutex outlives the thread.
        unsafe {
            std::thread::spawn(move || assert_eq!(libc::pthread_mutex_lock(address as *mut _), 0))
                .join()
                .unwrap();
            assert!(!unlock_releases(&*mutex));
            assert_eq!(libc::pthread_mutex_lock(&mut *mutex), libc::EOWNERDEAD);
            assert!(unlock_releases(&*mutex));
            assert_eq!(libc::pthread_mutex_consistent(&mut *mutex), 0);
            assert!(unlock_releases(&*mutex));
            assert_eq!(libc::pthread_mutex_unlock(&mut *mutex), 0);
        }
    }

    #[test]
    fn the_child_of_a_fork_has_its_own_id() {
        let parent = tid();
        // SAFETY: the child calls nothing that could wait for another thread of the test, and leaves at once.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::_exit((tid() == parent || tid() != sys::gettid()).into());
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0);
        }
        assert_eq!(tid(), parent);
    }

    #[test]
    fn a_rwlock_knows_its_writer() {
        let mut rwlock = Box::new(libc::PTHREAD_RWLOCK_INITIALIZER);
        let address = &raw mut *rwlock as usize;
        // SAFETY: the lock outlives the thread and is initialized.
        unsafe {
            assert!(!is_writer(&*rwlock));
            assert_eq!(libc::pthread_rwlock_rdlock(&mut *rwlock), 0);
            assert!(!is_writer(&*rwlock));
            assert_eq!(libc::pthread_rwlock_unlock(&mut *rwlock), 0);
            assert_eq!(libc::pthread_rwlock_wrlock(&mut *rwlock), 0);
            assert!(is_writer(&*rwlock));
            assert!(
                !std::thread::spawn(move || is_writer(address as *const _))
                    .join()
                    .unwrap()
            );
            assert_eq!(libc::pthread_rwlock_unlock(&mut *rwlock), 0);
            assert!(!is_writer(&*rwlock));
        }
    }
}
