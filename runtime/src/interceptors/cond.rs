//! Condition variables.
//!
//! A wait is an unlock and a lock of the mutex, and no more: a signal orders nothing that the mutex does not order.
//! The mutex is locked again however the wait ends, also when the thread is cancelled in it; then the real function does not
//! return, and the sink is made by a cleanup handler, which runs after glibc's (which locks) and before the program's.
//!
//! The functions have two versions each: a condition variable of before 2003 is a pointer to the real one. The
//! program's calls mean the newer one, and so must ours.

use core::ffi::{c_int, c_void};

use goldilocks_core::event::{Effect, Entity, Role};
use libc::{clockid_t, pthread_cond_t, pthread_condattr_t, pthread_mutex_t, timespec};

use super::{lock_layout, mutex};
use crate::caller::Caller;
use crate::lock_order;
use crate::misuse;
use crate::pipeline::enter;
use crate::sync_objects::{self, Kind};
use crate::{caller, interceptors, real};

/// What its signals order in every schedule, which is no order of accesses.
fn entity(condition: *const pthread_cond_t) -> Entity {
    Entity::object(condition as u64, Role::Object)
}

/// glibc's record of a cleanup handler, which lives in the frame that it is for.
#[repr(C)]
struct CleanupBuffer {
    routine: Option<unsafe extern "C" fn(*mut c_void)>,
    argument: *mut c_void,
    cancel_type: c_int,
    previous: *mut CleanupBuffer,
}

unsafe extern "C" {
    fn _pthread_cleanup_push(
        buffer: *mut CleanupBuffer,
        routine: unsafe extern "C" fn(*mut c_void),
        argument: *mut c_void,
    );
    fn _pthread_cleanup_pop(buffer: *mut CleanupBuffer, execute: c_int);
}

/// What the cleanup handler of a wait needs.
struct Waiting {
    caller: Caller,
    condition: *const pthread_cond_t,
    mutex: *mut pthread_mutex_t,
}

/// Runs when the thread is cancelled in a wait.
///
/// # Safety
/// `waiting` is the `Waiting` of a frame that is being unwound.
unsafe extern "C" fn cancelled(waiting: *mut c_void) {
    // SAFETY: the frame is still there while its cleanup handlers run, and glibc's handler has locked the mutex.
    unsafe {
        let waiting = &*waiting.cast::<Waiting>();
        left(waiting.caller, waiting.condition, true);
        mutex::taken(waiting.caller, waiting.mutex);
    }
}

/// After a real wait, however it has ended. `signaled`: it may have taken a signal.
fn left(caller: Caller, condition: *const pthread_cond_t, signaled: bool) {
    if let Some(mut scope) = enter(caller) {
        let last = misuse::cond::ends(condition, signaled);
        if signaled {
            lock_order::orders(scope.thread(), Effect::ACQUIRE, entity(condition));
        }
        if last {
            // A later wait does not end by these signals.
            lock_order::ends(entity(condition));
        }
    }
}

/// Makes the events of a wait around `wait`, the real one. After the result `may_be_unlocked` the mutex may
/// not be held.
///
/// # Safety
/// `condition` and `mutex` are initialized, and `wait` unlocks and locks the latter.
pub unsafe fn around(
    caller: Caller,
    condition: *const pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    may_be_unlocked: c_int,
    wait: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: passed on to the caller.
    unsafe { misuse::cond::using(caller, condition, "Wait") };
    sync_objects::using(caller, condition as u64, Kind::Condition);
    let Some(mut scope) = enter(caller) else {
        return wait();
    };
    // SAFETY: passed on to the caller.
    let gives_away = unsafe { mutex::letting_go(&mut scope, mutex, true) };
    if !gives_away {
        // Not the owner, or a recursive mutex that stays locked: nobody else can get it through this call.
        drop(scope);
        return wait();
    }
    misuse::cond::begins(&mut scope, condition, mutex);
    lock_order::waiting_inside(&mut scope, mutex::entity(mutex));
    drop(scope);
    let mut waiting = Waiting {
        caller,
        condition,
        mutex,
    };
    let mut buffer = CleanupBuffer {
        routine: None,
        argument: core::ptr::null_mut(),
        cancel_type: 0,
        previous: core::ptr::null_mut(),
    };
    // SAFETY: buffer and argument live in this frame, and the handler is removed before the frame is left.
    unsafe { _pthread_cleanup_push(&mut buffer, cancelled, (&raw mut waiting).cast()) };
    let result = wait();
    // SAFETY: removes what was pushed above; a cancelled wait does not come here.
    unsafe { _pthread_cleanup_pop(&mut buffer, 0) };
    left(caller, condition, result == 0);
    // SAFETY: the mutex is initialized, and with any other result it is held again.
    unsafe {
        if result != may_be_unlocked || lock_layout::is_own(mutex) {
            mutex::taken(caller, mutex);
        }
    }
    result
}

/// After a real initialization.
pub fn initialized(caller: Caller, condition: u64) {
    if let Some(mut scope) = enter(caller) {
        sync_objects::created(&mut scope, condition, Kind::Condition);
        sync_objects::changes(&mut scope, condition, size_of::<pthread_cond_t>());
    }
}

/// After a real destruction.
///
/// # Safety
/// The memory is still the condition variable's.
pub unsafe fn destroyed(caller: Caller, condition: *const pthread_cond_t) {
    if let Some(mut scope) = enter(caller) {
        sync_objects::changes(&mut scope, condition as u64, size_of::<pthread_cond_t>());
        sync_objects::forgotten(&mut scope, condition as u64, Kind::Condition);
        // SAFETY: passed on to the caller.
        unsafe { misuse::cond::destroyed(&mut scope, condition) };
    }
}

/// Before a real signal, to one thread or to all.
///
/// # Safety
/// The condition variable is initialized, or was and is destroyed.
#[inline]
pub unsafe fn signaling(caller: Caller, condition: *const pthread_cond_t, all: bool) {
    // SAFETY: passed on to the caller.
    unsafe { misuse::cond::using(caller, condition, if all { "Broadcast" } else { "Signal" }) };
    sync_objects::using(caller, condition as u64, Kind::Condition);
    if let Some(mut scope) = misuse::cond::signals(caller, condition, all) {
        lock_order::orders(scope.thread(), Effect::RELEASE, entity(condition));
    }
}

interceptors! {
    fn pthread_cond_init @ "GLIBC_2.3.2" (condition: *mut pthread_cond_t, attributes: *const pthread_condattr_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(pthread_cond_init)(condition, attributes) };
        if result == 0 {
            initialized(caller, condition as u64);
        }
        result
    }

    fn pthread_cond_destroy @ "GLIBC_2.3.2" (condition: *mut pthread_cond_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::cond::destroying(caller, condition);
            let result = real!(pthread_cond_destroy)(condition);
            if result == 0 {
                destroyed(caller, condition);
            }
            result
        }
    }

    fn pthread_cond_signal @ "GLIBC_2.3.2" (condition: *mut pthread_cond_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            signaling(caller, condition, false);
            real!(pthread_cond_signal)(condition)
        }
    }

    fn pthread_cond_broadcast @ "GLIBC_2.3.2" (condition: *mut pthread_cond_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            signaling(caller, condition, true);
            real!(pthread_cond_broadcast)(condition)
        }
    }

    fn pthread_cond_wait @ "GLIBC_2.3.2" (condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { around(caller, condition, mutex, libc::ENOTRECOVERABLE, || real!(pthread_cond_wait)(condition, mutex)) }
    }

    fn pthread_cond_timedwait @ "GLIBC_2.3.2" (
        condition: *mut pthread_cond_t,
        mutex: *mut pthread_mutex_t,
        deadline: *const timespec,
    ) -> c_int {
        let caller = caller!();
        mutex::reads_deadline(caller, deadline);
        let wait = || {
            // SAFETY: the program's call, unchanged.
            unsafe { real!(pthread_cond_timedwait)(condition, mutex, deadline) }
        };
        // SAFETY: the program waits with an initialized mutex.
        unsafe { around(caller, condition, mutex, libc::ENOTRECOVERABLE, wait) }
    }

    fn pthread_cond_clockwait(
        condition: *mut pthread_cond_t,
        mutex: *mut pthread_mutex_t,
        clock: clockid_t,
        deadline: *const timespec,
    ) -> c_int {
        let caller = caller!();
        mutex::reads_deadline(caller, deadline);
        let wait = || {
            // SAFETY: the program's call, unchanged.
            unsafe { real!(pthread_cond_clockwait)(condition, mutex, clock, deadline) }
        };
        // SAFETY: the program waits with an initialized mutex.
        unsafe { around(caller, condition, mutex, libc::ENOTRECOVERABLE, wait) }
    }
}
