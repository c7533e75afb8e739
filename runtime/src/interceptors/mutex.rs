//! Mutexes: every kind and every way to lock one.
//!
//! An unlock is a source before the real call, and only if that call will give the mutex away; a lock is a sink after
//! the real call has succeeded, at the outermost level. `EOWNERDEAD` is success: the mutex is held.

use core::ffi::{c_int, c_void};

use goldilocks_core::event::{Effect, Entity, Role};
use libc::{clockid_t, pthread_mutex_t, pthread_mutexattr_t, timespec};

use super::{contended, lock_layout};
use crate::caller::Caller;
use crate::lock_order;
use crate::misuse;
use crate::pipeline::{Scope, enter, enter_unsafe};
use crate::sync_objects::{self, Kind};
use crate::{caller, interceptors, real};

/// The mutex as the engine knows it.
pub fn entity(mutex: *const pthread_mutex_t) -> Entity {
    Entity::object(mutex as u64, Role::Object)
}

/// # Safety
/// The mutex is initialized.
unsafe fn kind(mutex: *const pthread_mutex_t) -> Kind {
    // SAFETY: passed on to the caller.
    if unsafe { lock_layout::is_recursive(mutex) } {
        Kind::RecursiveMutex
    } else {
        Kind::Mutex
    }
}

/// Before the real unlock, which may be that of a wait for a condition variable. Says whether the mutex will be given away.
///
/// # Safety
/// The mutex is initialized.
pub unsafe fn letting_go(scope: &mut Scope, mutex: *const pthread_mutex_t, waiting: bool) -> bool {
    // SAFETY: passed on to the caller.
    let releases = unsafe { lock_layout::unlock_releases(mutex) };
    // SAFETY: passed on to the caller.
    if !unsafe { lock_layout::is_own(mutex) } {
        // SAFETY: passed on to the caller.
        unsafe { misuse::mutex::unlocking_not_own(scope, mutex, waiting) };
    }
    if releases {
        scope.sync_private(Effect::RELEASE, entity(mutex));
        scope.released(entity(mutex));
    }
    releases
}

/// Before a real lock or attempt.
///
/// # Safety
/// The mutex is initialized.
#[inline(always)]
pub unsafe fn using(caller: Caller, mutex: *const pthread_mutex_t) {
    // SAFETY: passed on to the caller.
    sync_objects::using(caller, mutex as u64, unsafe { kind(mutex) });
}

/// After a real lock.
///
/// # Safety
/// The running thread holds the mutex.
pub unsafe fn taken(caller: Caller, mutex: *const pthread_mutex_t) {
    // SAFETY: passed on to the caller.
    if !unsafe { lock_layout::is_outermost(mutex) } {
        return;
    }
    if let Some(mut scope) = enter_unsafe(caller, "pthread_mutex_lock") {
        scope.sync_private(Effect::ACQUIRE.with(Effect::ALONE), entity(mutex));
        scope.held(entity(mutex));
    }
}

/// After a real lock with this result.
///
/// # Safety
/// The result is that of a lock of this mutex by the running thread.
unsafe fn locked(caller: Caller, mutex: *const pthread_mutex_t, result: c_int) -> c_int {
    if result == 0 || result == libc::EOWNERDEAD {
        // SAFETY: these results mean that the mutex is held.
        unsafe { taken(caller, mutex) };
    } else if result == libc::EBUSY {
        contended::has_tried(mutex as u64, false);
    } else if misuse::mutex::is_refusal(result) {
        // SAFETY: the real call has looked at it.
        unsafe { misuse::mutex::refused(caller, mutex, "Lock") };
    }
    result
}

/// Before a real lock that waits as long as it takes.
///
/// # Safety
/// The mutex is initialized.
#[inline]
pub unsafe fn waiting(caller: Caller, mutex: *const pthread_mutex_t) {
    // SAFETY: passed on to the caller.
    unsafe {
        using(caller, mutex);
        if lock_layout::is_own(mutex) {
            misuse::mutex::locking_own(caller, mutex);
        }
    }
    lock_order::waiting(caller, entity(mutex));
    // SAFETY: passed on to the caller.
    unsafe { contended::look(mutex) };
}

/// After a real initialization.
///
/// # Safety
/// The mutex has just been initialized.
pub unsafe fn initialized(caller: Caller, mutex: *const pthread_mutex_t) {
    if let Some(mut scope) = enter(caller) {
        // SAFETY: passed on to the caller.
        sync_objects::created(&mut scope, mutex as u64, unsafe { kind(mutex) });
        sync_objects::changes(&mut scope, mutex as u64, size_of::<pthread_mutex_t>());
    }
}

/// After a real destruction.
pub fn destroyed(caller: Caller, mutex: *const pthread_mutex_t) {
    if let Some(mut scope) = enter(caller) {
        misuse::graves::dig(&mut scope, mutex as u64);
        sync_objects::changes(&mut scope, mutex as u64, size_of::<pthread_mutex_t>());
        sync_objects::forgotten(&mut scope, mutex as u64, Kind::Mutex);
    }
}

/// The deadline of a timed wait is read by the real call.
pub fn reads_deadline(caller: Caller, deadline: *const timespec) {
    if let Some(mut scope) = enter(caller) {
        scope.read(deadline.cast::<c_void>(), size_of::<timespec>());
    }
}

interceptors! {
    fn pthread_mutex_init(mutex: *mut pthread_mutex_t, attributes: *const pthread_mutexattr_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged; success means that the mutex is initialized.
        unsafe {
            misuse::mutex::initializing(caller, mutex);
            let result = real!(pthread_mutex_init)(mutex, attributes);
            if result == 0 {
                initialized(caller, mutex);
            }
            result
        }
    }

    fn pthread_mutex_destroy(mutex: *mut pthread_mutex_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        let result = unsafe {
            misuse::mutex::destroying(caller, mutex);
            real!(pthread_mutex_destroy)(mutex)
        };
        if result == 0 {
            destroyed(caller, mutex);
        }
        result
    }

    fn pthread_mutex_lock(mutex: *mut pthread_mutex_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            waiting(caller, mutex);
            locked(caller, mutex, real!(pthread_mutex_lock)(mutex))
        }
    }

    fn pthread_mutex_trylock(mutex: *mut pthread_mutex_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            using(caller, mutex);
            locked(caller, mutex, real!(pthread_mutex_trylock)(mutex))
        }
    }

    fn pthread_mutex_timedlock(mutex: *mut pthread_mutex_t, deadline: *const timespec) -> c_int {
        let caller = caller!();
        reads_deadline(caller, deadline);
        // SAFETY: the program's call, unchanged.
        unsafe {
            using(caller, mutex);
            locked(caller, mutex, real!(pthread_mutex_timedlock)(mutex, deadline))
        }
    }

    fn pthread_mutex_clocklock(mutex: *mut pthread_mutex_t, clock: clockid_t, deadline: *const timespec) -> c_int {
        let caller = caller!();
        reads_deadline(caller, deadline);
        // SAFETY: the program's call, unchanged.
        unsafe {
            using(caller, mutex);
            locked(caller, mutex, real!(pthread_mutex_clocklock)(mutex, clock, deadline))
        }
    }

    fn pthread_mutex_unlock(mutex: *mut pthread_mutex_t) -> c_int {
        let caller = caller!();
        if let Some(mut scope) = enter(caller) {
            // SAFETY: what the program unlocks is initialized.
            unsafe { letting_go(&mut scope, mutex, false) };
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(pthread_mutex_unlock)(mutex) }
    }
}
