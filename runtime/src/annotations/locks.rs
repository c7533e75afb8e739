//! Locks of the program's own.
//!
//! The calls before and after an operation enclose what the lock does inside, in its own memory and with its own atomics: that
//! is ignored, and the annotation stands for it. (A call after without the one before is fine: then nothing was ignored.) Another annotated
//! lock that is taken in there (that of an allocator which a waiting thread needs) orders as it does elsewhere.

use super::ignore::{What, change};
use crate::caller;
use crate::caller::Caller;
use crate::lock_order;
use crate::misuse::annotated;
use crate::pipeline::{self, Scope, enter};
use crate::sync_objects::{self, Kind, Lifetime};
use core::ffi::{c_char, c_int, c_long, c_uint, c_void};
use goldilocks_core::event::{Effect, Entity, Role};

/// Flags of `__tsan_mutex_*` (sanitizer/tsan_interface.h), as far as they change anything here.
const LINKER_INIT: c_uint = 1 << 0;
const WRITE_REENTRANT: c_uint = 1 << 1;
const READ_LOCK: c_uint = 1 << 3;
const TRY_LOCK: c_uint = 1 << 4;
const TRY_LOCK_FAILED: c_uint = 1 << 5;
const RECURSIVE_LOCK: c_uint = 1 << 6;
const RECURSIVE_UNLOCK: c_uint = 1 << 7;
const NOT_STATIC: c_uint = 1 << 8;

fn object(lock: *const c_void) -> Entity {
    Entity::object(lock as u64, Role::Object)
}
fn readers(lock: *const c_void) -> Entity {
    Entity::object(lock as u64, Role::Readers)
}
/// What a thread holds that has the lock.
fn entity(lock: *const c_void, for_reading: bool) -> Entity {
    if for_reading {
        readers(lock)
    } else {
        object(lock)
    }
}

/// What is known of a lock by the flags of a call. (One that only readers may take again is not taken again by writers, and
/// readers of any lock do.)
fn kind(flags: c_uint) -> Kind {
    if flags & (WRITE_REENTRANT | RECURSIVE_LOCK) != 0 {
        Kind::RecursiveAnnotated
    } else {
        Kind::Annotated
    }
}

fn created(caller: Caller, lock: *const c_void, kind: Kind) {
    if let Some(mut scope) = enter(caller) {
        sync_objects::created(&mut scope, lock as u64, kind);
    }
}

/// What the program says of a lock that may be in use.
fn has_lifetime(caller: Caller, lock: *const c_void, kind: Kind, lifetime: Lifetime) {
    if let Some(_scope) = enter(caller) {
        sync_objects::has_lifetime(lock as u64, kind, lifetime);
    }
}

/// `flags` are those of the call, 0 if it has none.
fn destroyed(caller: Caller, lock: *const c_void, flags: c_uint) {
    let Some(mut scope) = enter(caller) else {
        return;
    };
    // A lock without constructor has no destructor either: it may be used until the process ends. So may one of a type with constructors that say of which
    // locks they are, if none has said it of this lock.
    let may_be_static = match sync_objects::lifetime(lock as u64) {
        Lifetime::Static => true,
        Lifetime::Unknown => flags & (LINKER_INIT | NOT_STATIC) != 0,
        Lifetime::Constructed => flags & LINKER_INIT != 0,
    };
    if !may_be_static {
        annotated::destroying(&mut scope, lock as u64);
        sync_objects::forgotten(&mut scope, lock as u64, Kind::Annotated);
    }
}

/// The thread takes a lock that it may have already, and waits for it if another has it.
pub fn waiting_to_acquire(scope: &mut Scope, lock: *const c_void, for_reading: bool) {
    lock_order::waiting_inside(scope, entity(lock, for_reading));
}

/// The thread has taken the lock `times` times at once; only the first time can bring anything.
pub fn acquired(
    scope: &mut Scope,
    lock: *const c_void,
    kind: Kind,
    for_reading: bool,
    times: usize,
) {
    sync_objects::used(lock as u64, kind);
    scope.sync(Effect::ACQUIRE, object(lock));
    let held = entity(lock, for_reading);
    scope.held(held);
    if !for_reading {
        scope.sync(Effect::ACQUIRE, readers(lock));
    }
    for _ in 1..times {
        scope.held(held);
    }
}

/// The thread is about to give up the lock: once, or as often as it has it. The result is how often.
pub fn releasing(scope: &mut Scope, lock: *const c_void, for_reading: bool, wholly: bool) -> usize {
    let held = entity(lock, for_reading);
    annotated::unlocking(scope, lock as u64);
    let locked = scope.thread().engine.held();
    let times = locked.iter().filter(|&&entity| entity == held).count();
    // Also at inner levels: whoever acquires comes after the outermost unlock, which says all of it again.
    scope.sync(Effect::RELEASE, held);
    let times = if wholly { times } else { 1 };
    for _ in 0..times {
        scope.released(held);
    }
    times
}

/// What a lock's annotation says is not of another lock's inside.
fn outside_of_locks<R>(scope: &mut Scope, deed: impl FnOnce(&mut Scope) -> R) -> R {
    let locks = scope.thread().ignored.leave_locks();
    let result = deed(scope);
    scope.thread().ignored.come_back_inside(locks);
    result
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_create(lock: *mut c_void, flags: c_uint) {
    let caller = caller!();
    if flags & LINKER_INIT != 0 {
        has_lifetime(caller, lock, kind(flags), Lifetime::Static);
        return;
    }
    created(caller, lock, kind(flags));
    if flags & NOT_STATIC != 0 {
        has_lifetime(caller, lock, kind(flags), Lifetime::Constructed);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_destroy(lock: *mut c_void, flags: c_uint) {
    let caller = caller!();
    destroyed(caller, lock, flags);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_pre_lock(lock: *mut c_void, flags: c_uint) {
    let caller = caller!();
    let for_reading = flags & READ_LOCK != 0;
    // An attempt waits for nobody.
    if flags & TRY_LOCK == 0
        && pipeline::holds_locks()
        && let Some(mut scope) = enter(caller)
    {
        if kind(flags) == Kind::Annotated {
            annotated::waiting(&mut scope, lock as u64, for_reading);
        }
        lock_order::waiting_inside(&mut scope, entity(lock, for_reading));
    }
    change(caller, What::InsideLock, true);
}

/// `recursion` counts with the flag for recursive locks only: how often the lock is taken at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_post_lock(
    lock: *mut c_void,
    flags: c_uint,
    recursion: c_int,
) {
    let caller = caller!();
    let Some(mut scope) = enter(caller) else {
        return;
    };
    scope.thread().ignored.end(What::InsideLock);
    if flags & TRY_LOCK_FAILED != 0 {
        return;
    }
    let times = if flags & RECURSIVE_LOCK != 0 {
        recursion.max(1) as usize
    } else {
        1
    };
    outside_of_locks(&mut scope, |scope| {
        acquired(scope, lock, kind(flags), flags & READ_LOCK != 0, times)
    });
}

/// How often the lock is given up, for a later `__tsan_mutex_post_lock`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_pre_unlock(lock: *mut c_void, flags: c_uint) -> c_int {
    let caller = caller!();
    let wholly = flags & RECURSIVE_UNLOCK != 0;
    let Some(mut scope) = enter(caller) else {
        return 1;
    };
    let times = outside_of_locks(&mut scope, |scope| {
        releasing(scope, lock, flags & READ_LOCK != 0, wholly)
    });
    scope.thread().ignored.begin(What::InsideLock);
    times as c_int
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_post_unlock(_lock: *mut c_void, _flags: c_uint) {
    let caller = caller!();
    change(caller, What::InsideLock, false);
}

/// To signal wakes somebody, and orders nothing: the lock does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_pre_signal(_lock: *mut c_void, _flags: c_uint) {
    let caller = caller!();
    change(caller, What::InsideLock, true);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_post_signal(_lock: *mut c_void, _flags: c_uint) {
    let caller = caller!();
    change(caller, What::InsideLock, false);
}

/// From inside the lock the program goes back to code that is to be looked at, such as a call-back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_pre_divert(_lock: *mut c_void, _flags: c_uint) {
    let caller = caller!();
    change(caller, What::InsideLock, false);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_mutex_post_divert(_lock: *mut c_void, _flags: c_uint) {
    let caller = caller!();
    change(caller, What::InsideLock, true);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateRWLockCreate(
    _file: *const c_char,
    _line: c_int,
    lock: *mut c_void,
) {
    let caller = caller!();
    created(caller, lock, Kind::Annotated);
}

/// Of a lock without constructor, which may have been used before and may be until the process ends: it is not created now, and its destruction is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateRWLockCreateStatic(
    _file: *const c_char,
    _line: c_int,
    lock: *mut c_void,
) {
    let caller = caller!();
    has_lifetime(caller, lock, Kind::Annotated, Lifetime::Static);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateRWLockDestroy(
    _file: *const c_char,
    _line: c_int,
    lock: *mut c_void,
) {
    let caller = caller!();
    destroyed(caller, lock, 0);
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
        // It has the lock already; that it would not have waited is not said.
        waiting_to_acquire(&mut scope, lock, writes == 0);
        acquired(&mut scope, lock, Kind::Annotated, writes == 0, 1);
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
        releasing(&mut scope, lock, writes == 0, false);
    }
}
