//! Semaphores, unnamed and named.
//!
//! A post is a source that adds to what earlier posts have released; a wait that takes a unit is a sink. Reading the value
//! orders nothing.

use core::ffi::{CStr, c_char, c_int, c_uint};

use goldilocks_core::event::{Effect, Entity, Role};
use libc::{clockid_t, sem_t, timespec};

use super::mutex::reads_deadline;
use crate::caller::Caller;
use crate::lock_order;
use crate::misuse;
use crate::pipeline::enter;
use crate::sync_objects::{self, Kind};
use crate::{caller, interceptors, real};

fn entity(semaphore: *const sem_t) -> Entity {
    Entity::object(semaphore as u64, Role::Object)
}

/// After a real wait.
fn waited(caller: Caller, semaphore: *const sem_t, result: c_int) -> c_int {
    if result == 0
        && let Some(mut scope) = enter(caller)
    {
        scope.sync_private(Effect::ACQUIRE, entity(semaphore));
        // SAFETY: the program has just waited for it.
        let value = unsafe { value(semaphore) };
        lock_order::got(scope.thread(), semaphore as u64, value);
    }
    result
}

/// The units that there are.
///
/// # Safety
/// The semaphore is initialized.
unsafe fn value(semaphore: *const sem_t) -> u32 {
    let mut value = 0;
    // SAFETY: passed on to the caller.
    unsafe { real!(sem_getvalue)(semaphore.cast_mut(), &mut value) };
    value.max(0) as u32
}

interceptors! {
    fn sem_init(semaphore: *mut sem_t, shared: c_int, value: c_uint) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(sem_init)(semaphore, shared, value) };
        if result == 0 && let Some(mut scope) = enter(caller) {
            sync_objects::created(&mut scope, semaphore as u64, Kind::Semaphore);
            sync_objects::changes(&mut scope, semaphore as u64, size_of::<sem_t>());
            lock_order::initialized(semaphore as u64, value);
            // SAFETY: it has just been initialized.
            unsafe { misuse::semaphore::initialized(semaphore) };
        }
        result
    }

    fn sem_destroy(semaphore: *mut sem_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::semaphore::destroying(caller, semaphore);
            let result = real!(sem_destroy)(semaphore);
            if result == 0 && let Some(mut scope) = enter(caller) {
                sync_objects::changes(&mut scope, semaphore as u64, size_of::<sem_t>());
                sync_objects::forgotten(&mut scope, semaphore as u64, Kind::Semaphore);
                misuse::semaphore::destroyed(&mut scope, semaphore);
            }
            result
        }
    }

    /// Variadic for the program: mode and value are there if the flags have `O_CREAT`. By the C convention of x86-64 they
    /// are passed as parameters of the same types would be, and what is not passed is not looked at.
    fn sem_open(name: *const c_char, flags: c_int, mode: c_uint, value: c_uint) -> *mut sem_t {
        let caller = caller!();
        if let Some(mut scope) = enter(caller) {
            // SAFETY: the program passes a C string.
            scope.read(name.cast(), unsafe { CStr::from_ptr(name) }.count_bytes() + 1);
        }
        // SAFETY: the program's call, unchanged.
        let semaphore = unsafe { real!(sem_open)(name, flags, mode, value) };
        if semaphore != libc::SEM_FAILED && let Some(mut scope) = enter(caller) {
            sync_objects::opened(&mut scope, semaphore as u64);
        }
        semaphore
    }

    fn sem_close(semaphore: *mut sem_t) -> c_int {
        let caller = caller!();
        // Before the real call, which may unmap it: another thread can then get the address for something new.
        if let Some(mut scope) = enter(caller) {
            sync_objects::closing(&mut scope, semaphore as u64);
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(sem_close)(semaphore) }
    }

    fn sem_post(semaphore: *mut sem_t) -> c_int {
        let caller = caller!();
        // SAFETY: what the program posts is initialized, or was.
        unsafe { misuse::semaphore::using(caller, semaphore, "Post") };
        sync_objects::using(caller, semaphore as u64, Kind::Semaphore);
        if let Some(mut scope) = enter(caller) {
            // SAFETY: what the program posts is initialized.
            let value = unsafe { value(semaphore) };
            // With the largest value, the post fails.
            if value != c_int::MAX as u32 {
                scope.sync_private(Effect::RELEASE, entity(semaphore));
                lock_order::posting(scope.thread(), semaphore as u64, value);
            }
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(sem_post)(semaphore) }
    }

    fn sem_wait(semaphore: *mut sem_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::semaphore::using(caller, semaphore, "Wait");
            sync_objects::using(caller, semaphore as u64, Kind::Semaphore);
            waited(caller, semaphore, real!(sem_wait)(semaphore))
        }
    }

    fn sem_trywait(semaphore: *mut sem_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::semaphore::using(caller, semaphore, "Wait");
            sync_objects::using(caller, semaphore as u64, Kind::Semaphore);
            waited(caller, semaphore, real!(sem_trywait)(semaphore))
        }
    }

    fn sem_timedwait(semaphore: *mut sem_t, deadline: *const timespec) -> c_int {
        let caller = caller!();
        reads_deadline(caller, deadline);
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::semaphore::using(caller, semaphore, "Wait");
            sync_objects::using(caller, semaphore as u64, Kind::Semaphore);
            waited(caller, semaphore, real!(sem_timedwait)(semaphore, deadline))
        }
    }

    fn sem_clockwait(semaphore: *mut sem_t, clock: clockid_t, deadline: *const timespec) -> c_int {
        let caller = caller!();
        reads_deadline(caller, deadline);
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::semaphore::using(caller, semaphore, "Wait");
            sync_objects::using(caller, semaphore as u64, Kind::Semaphore);
            waited(caller, semaphore, real!(sem_clockwait)(semaphore, clock, deadline))
        }
    }

    fn sem_getvalue(semaphore: *mut sem_t, value: *mut c_int) -> c_int {
        let caller = caller!();
        if let Some(mut scope) = enter(caller) {
            scope.write(value.cast(), size_of::<c_int>());
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(sem_getvalue)(semaphore, value) }
    }
}
