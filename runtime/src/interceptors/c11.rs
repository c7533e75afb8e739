//! C11 mutexes and condition variables. glibc makes them of its POSIX ones, but without calls that could be intercepted;
//! the objects are the same, so what an unlock will do is read off them in the same way. Threads are in `threads`, `call_once`
//! is in `once`.

use core::ffi::c_int;

use libc::{pthread_cond_t, pthread_mutex_t, timespec};

use super::{cond, mutex};
use crate::caller::Caller;
use crate::misuse;
use crate::pipeline::enter;
use crate::{caller, interceptors, real};

const SUCCESS: c_int = 0;
const ERROR: c_int = 2;

/// After a real lock with this result.
///
/// # Safety
/// The result is that of a lock of this mutex by the running thread.
unsafe fn locked(caller: Caller, mutex: *mut pthread_mutex_t, result: c_int) -> c_int {
    if result == SUCCESS {
        // SAFETY: success means that the mutex is held.
        unsafe { mutex::taken(caller, mutex) };
    } else if result == ERROR {
        // SAFETY: the real call has looked at it.
        unsafe { misuse::mutex::refused(caller, mutex, "Lock") };
    }
    result
}

interceptors! {
    fn mtx_init(mutex: *mut pthread_mutex_t, kind: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged; success means that the mutex is initialized.
        unsafe {
            misuse::mutex::initializing(caller, mutex);
            let result = real!(mtx_init)(mutex, kind);
            if result == SUCCESS {
                mutex::initialized(caller, mutex);
            }
            result
        }
    }

    fn mtx_destroy(mutex: *mut pthread_mutex_t) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::mutex::destroying(caller, mutex);
            real!(mtx_destroy)(mutex);
        }
        mutex::destroyed(caller, mutex);
    }

    fn mtx_lock(mutex: *mut pthread_mutex_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            mutex::waiting(caller, mutex);
            locked(caller, mutex, real!(mtx_lock)(mutex))
        }
    }

    fn mtx_trylock(mutex: *mut pthread_mutex_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            mutex::using(caller, mutex);
            locked(caller, mutex, real!(mtx_trylock)(mutex))
        }
    }

    fn mtx_timedlock(mutex: *mut pthread_mutex_t, deadline: *const timespec) -> c_int {
        let caller = caller!();
        mutex::reads_deadline(caller, deadline);
        // SAFETY: the program's call, unchanged.
        unsafe {
            mutex::using(caller, mutex);
            locked(caller, mutex, real!(mtx_timedlock)(mutex, deadline))
        }
    }

    fn mtx_unlock(mutex: *mut pthread_mutex_t) -> c_int {
        let caller = caller!();
        if let Some(mut scope) = enter(caller) {
            // SAFETY: what the program unlocks is initialized.
            unsafe { mutex::letting_go(&mut scope, mutex, false) };
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(mtx_unlock)(mutex) }
    }

    fn cnd_init(condition: *mut pthread_cond_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(cnd_init)(condition) };
        if result == SUCCESS {
            cond::initialized(caller, condition as u64);
        }
        result
    }

    fn cnd_destroy(condition: *mut pthread_cond_t) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::cond::destroying(caller, condition);
            real!(cnd_destroy)(condition);
            cond::destroyed(caller, condition);
        }
    }

    fn cnd_signal(condition: *mut pthread_cond_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            cond::signaling(caller, condition, false);
            real!(cnd_signal)(condition)
        }
    }

    fn cnd_broadcast(condition: *mut pthread_cond_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            cond::signaling(caller, condition, true);
            real!(cnd_broadcast)(condition)
        }
    }

    fn cnd_wait(condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { cond::around(caller, condition, mutex, ERROR, || real!(cnd_wait)(condition, mutex)) }
    }

    fn cnd_timedwait(condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t, deadline: *const timespec) -> c_int {
        let caller = caller!();
        mutex::reads_deadline(caller, deadline);
        let wait = || {
            // SAFETY: the program's call, unchanged.
            unsafe { real!(cnd_timedwait)(condition, mutex, deadline) }
        };
        // SAFETY: the program waits with an initialized mutex.
        unsafe { cond::around(caller, condition, mutex, ERROR, wait) }
    }
}
