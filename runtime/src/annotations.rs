//! What programs say about their own synchronization, under the names that they know: ThreadSanitizer's `__tsan_*` calls and the
//! older `Annotate*` family. `include/goldilocks.h` wraps them.

use crate::caller;
use crate::pipeline::enter;
use core::ffi::{c_char, c_int, c_long, c_uint, c_void};
use goldilocks_core::event::{Effect, Entity, Role};

fn object(address: *const c_void) -> Entity {
    Entity::object(address as u64, Role::Object)
}
fn readers(address: *const c_void) -> Entity {
    Entity::object(address as u64, Role::Readers)
}

/// Flags of `__tsan_mutex_*` (sanitizer/tsan_interface.h), as far as they change anything here.
const READ_LOCK: c_uint = 1 << 3;
const TRY_LOCK_FAILED: c_uint = 1 << 5;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_release(address: *mut c_void) {
    let caller = caller!();
    if let Some(mut scope) = enter(caller) {
        scope.sync(Effect::RELEASE, object(address));
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_acquire(address: *mut c_void) {
    let caller = caller!();
    if let Some(mut scope) = enter(caller) {
        scope.sync(Effect::ACQUIRE, object(address));
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_create(mutex: *mut c_void, _flags: c_uint) {
    let caller = caller!();
    if let Some(mut scope) = enter(caller) {
        scope.forget(object(mutex));
        scope.forget(readers(mutex));
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_destroy(mutex: *mut c_void, flags: c_uint) {
    // SAFETY: as the caller's.
    unsafe { __tsan_mutex_create(mutex, flags) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_pre_lock(_mutex: *mut c_void, _flags: c_uint) {}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_post_lock(
    mutex: *mut c_void,
    flags: c_uint,
    _recursion: c_int,
) {
    let caller = caller!();
    if flags & TRY_LOCK_FAILED != 0 {
        return;
    }
    if let Some(mut scope) = enter(caller) {
        scope.sync(Effect::ACQUIRE, object(mutex));
        if flags & READ_LOCK != 0 {
            scope.held(readers(mutex));
        } else {
            scope.held(object(mutex));
            scope.sync(Effect::ACQUIRE, readers(mutex));
        }
    }
}

/// The result is the depth of recursion that was given up: always 1, as only the outermost level is annotated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_pre_unlock(mutex: *mut c_void, flags: c_uint) -> c_int {
    let caller = caller!();
    if let Some(mut scope) = enter(caller) {
        let released = if flags & READ_LOCK != 0 {
            readers(mutex)
        } else {
            object(mutex)
        };
        scope.sync(Effect::RELEASE, released);
        scope.released(released);
    }
    1
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_post_unlock(_mutex: *mut c_void, _flags: c_uint) {}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_pre_signal(_mutex: *mut c_void, _flags: c_uint) {}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_post_signal(_mutex: *mut c_void, _flags: c_uint) {}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_pre_divert(_mutex: *mut c_void, _flags: c_uint) {}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_post_divert(_mutex: *mut c_void, _flags: c_uint) {}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateHappensBefore(
    _file: *const c_char,
    _line: c_int,
    address: *mut c_void,
) {
    let caller = caller!();
    if let Some(mut scope) = enter(caller) {
        scope.sync(Effect::RELEASE, object(address));
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateHappensAfter(
    _file: *const c_char,
    _line: c_int,
    address: *mut c_void,
) {
    let caller = caller!();
    if let Some(mut scope) = enter(caller) {
        scope.sync(Effect::ACQUIRE, object(address));
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateRWLockCreate(
    _file: *const c_char,
    _line: c_int,
    lock: *mut c_void,
) {
    // SAFETY: as the caller's.
    unsafe { __tsan_mutex_create(lock, 0) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateRWLockDestroy(
    _file: *const c_char,
    _line: c_int,
    lock: *mut c_void,
) {
    // SAFETY: as the caller's.
    unsafe { __tsan_mutex_create(lock, 0) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateRWLockAcquired(
    _file: *const c_char,
    _line: c_int,
    lock: *mut c_void,
    writes: c_long,
) {
    let caller = caller!();
    if let Some(mut scope) = enter(caller) {
        scope.sync(Effect::ACQUIRE, object(lock));
        if writes != 0 {
            scope.held(object(lock));
            scope.sync(Effect::ACQUIRE, readers(lock));
        } else {
            scope.held(readers(lock));
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateRWLockReleased(
    _file: *const c_char,
    _line: c_int,
    lock: *mut c_void,
    writes: c_long,
) {
    let caller = caller!();
    if let Some(mut scope) = enter(caller) {
        let released = if writes != 0 {
            object(lock)
        } else {
            readers(lock)
        };
        scope.sync(Effect::RELEASE, released);
        scope.released(released);
    }
}

/// The allocator hands out memory that was used before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateNewMemory(
    _file: *const c_char,
    _line: c_int,
    memory: *mut c_void,
    bytes: c_long,
) {
    let caller = caller!();
    if let Some(mut scope) = enter(caller) {
        scope.fresh(memory, bytes as usize);
    }
}

/// Names a thread in reports.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateThreadName(
    _file: *const c_char,
    _line: c_int,
    name: *const c_char,
) {
    let caller = caller!();
    if let Some(mut scope) = enter(caller)
        && !name.is_null()
    {
        // SAFETY: a string of the program's.
        let name = unsafe { core::ffi::CStr::from_ptr(name) };
        // SAFETY: identifies the running thread.
        crate::thread::named(&mut scope, unsafe { libc::pthread_self() }, name.to_bytes());
    }
}
