//! Readers-writer locks.
//!
//! What a writer releases, everybody who locks afterwards acquires; what readers release (the object `Readers`, which
//! accumulates), only a writer acquires: two readers are not ordered by the lock.

use core::ffi::c_int;

use goldilocks_core::event::{Effect, Entity, Role};
use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

use super::contended;
use super::lock_layout;
use super::mutex::reads_deadline;
use crate::caller::Caller;
use crate::lock_order;
use crate::misuse;
use crate::pipeline::enter;
use crate::sync_objects::{self, Kind};
use crate::{caller, interceptors, real};

/// After a real lock for reading.
fn read_locked(caller: Caller, rwlock: *const pthread_rwlock_t, result: c_int) -> c_int {
    if result == 0
        && let Some(mut scope) = enter(caller)
    {
        scope.sync_private(Effect::ACQUIRE, Entity::object(rwlock as u64, Role::Object));
        // What readers release only writers acquire, and none of them comes in now.
        scope.sync_private(Effect::ALONE, Entity::object(rwlock as u64, Role::Readers));
        scope.held(Entity::object(rwlock as u64, Role::Readers));
    } else if result == libc::EBUSY {
        contended::has_tried(rwlock as u64, false);
    }
    result
}

/// After a real lock for writing.
fn write_locked(caller: Caller, rwlock: *const pthread_rwlock_t, result: c_int) -> c_int {
    if result == 0
        && let Some(mut scope) = enter(caller)
    {
        let object = Entity::object(rwlock as u64, Role::Object);
        scope.sync_private(Effect::ACQUIRE.with(Effect::ALONE), object);
        scope.sync_private(
            Effect::ACQUIRE,
            Entity::object(rwlock as u64, Role::Readers),
        );
        scope.held(object);
    } else if result == libc::EBUSY {
        contended::has_tried(rwlock as u64, false);
    }
    result
}

interceptors! {
    fn pthread_rwlock_init(rwlock: *mut pthread_rwlock_t, attributes: *const pthread_rwlockattr_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(pthread_rwlock_init)(rwlock, attributes) };
        if result == 0 && let Some(mut scope) = enter(caller) {
            sync_objects::created(&mut scope, rwlock as u64, Kind::Rwlock);
            sync_objects::changes(&mut scope, rwlock as u64, size_of::<pthread_rwlock_t>());
        }
        result
    }

    fn pthread_rwlock_destroy(rwlock: *mut pthread_rwlock_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::rwlock::destroying(caller, rwlock);
            let result = real!(pthread_rwlock_destroy)(rwlock);
            if result == 0 && let Some(mut scope) = enter(caller) {
                sync_objects::changes(&mut scope, rwlock as u64, size_of::<pthread_rwlock_t>());
                sync_objects::forgotten(&mut scope, rwlock as u64, Kind::Rwlock);
                misuse::rwlock::destroyed(&mut scope, rwlock);
            }
            result
        }
    }

    fn pthread_rwlock_rdlock(rwlock: *mut pthread_rwlock_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::rwlock::using(caller, rwlock, "Lock");
            sync_objects::using(caller, rwlock as u64, Kind::Rwlock);
            misuse::rwlock::waiting(caller, rwlock, false);
            lock_order::waiting(caller, Entity::object(rwlock as u64, Role::Readers));
            let result = if contended::attempt(|| real!(pthread_rwlock_tryrdlock)(rwlock)) {
                0
            } else {
                real!(pthread_rwlock_rdlock)(rwlock)
            };
            read_locked(caller, rwlock, result)
        }
    }

    fn pthread_rwlock_tryrdlock(rwlock: *mut pthread_rwlock_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::rwlock::using(caller, rwlock, "Lock");
            sync_objects::using(caller, rwlock as u64, Kind::Rwlock);
            read_locked(caller, rwlock, real!(pthread_rwlock_tryrdlock)(rwlock))
        }
    }

    fn pthread_rwlock_timedrdlock(rwlock: *mut pthread_rwlock_t, deadline: *const timespec) -> c_int {
        let caller = caller!();
        reads_deadline(caller, deadline);
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::rwlock::using(caller, rwlock, "Lock");
            sync_objects::using(caller, rwlock as u64, Kind::Rwlock);
            read_locked(caller, rwlock, real!(pthread_rwlock_timedrdlock)(rwlock, deadline))
        }
    }

    fn pthread_rwlock_clockrdlock(rwlock: *mut pthread_rwlock_t, clock: clockid_t, deadline: *const timespec) -> c_int {
        let caller = caller!();
        reads_deadline(caller, deadline);
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::rwlock::using(caller, rwlock, "Lock");
            sync_objects::using(caller, rwlock as u64, Kind::Rwlock);
            read_locked(caller, rwlock, real!(pthread_rwlock_clockrdlock)(rwlock, clock, deadline))
        }
    }

    fn pthread_rwlock_wrlock(rwlock: *mut pthread_rwlock_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::rwlock::using(caller, rwlock, "Lock");
            sync_objects::using(caller, rwlock as u64, Kind::Rwlock);
            misuse::rwlock::waiting(caller, rwlock, true);
            lock_order::waiting(caller, Entity::object(rwlock as u64, Role::Object));
            let result = if contended::attempt(|| real!(pthread_rwlock_trywrlock)(rwlock)) {
                0
            } else {
                real!(pthread_rwlock_wrlock)(rwlock)
            };
            write_locked(caller, rwlock, result)
        }
    }

    fn pthread_rwlock_trywrlock(rwlock: *mut pthread_rwlock_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::rwlock::using(caller, rwlock, "Lock");
            sync_objects::using(caller, rwlock as u64, Kind::Rwlock);
            write_locked(caller, rwlock, real!(pthread_rwlock_trywrlock)(rwlock))
        }
    }

    fn pthread_rwlock_timedwrlock(rwlock: *mut pthread_rwlock_t, deadline: *const timespec) -> c_int {
        let caller = caller!();
        reads_deadline(caller, deadline);
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::rwlock::using(caller, rwlock, "Lock");
            sync_objects::using(caller, rwlock as u64, Kind::Rwlock);
            write_locked(caller, rwlock, real!(pthread_rwlock_timedwrlock)(rwlock, deadline))
        }
    }

    fn pthread_rwlock_clockwrlock(rwlock: *mut pthread_rwlock_t, clock: clockid_t, deadline: *const timespec) -> c_int {
        let caller = caller!();
        reads_deadline(caller, deadline);
        // SAFETY: the program's call, unchanged.
        unsafe {
            misuse::rwlock::using(caller, rwlock, "Lock");
            sync_objects::using(caller, rwlock as u64, Kind::Rwlock);
            write_locked(caller, rwlock, real!(pthread_rwlock_clockwrlock)(rwlock, clock, deadline))
        }
    }

    fn pthread_rwlock_unlock(rwlock: *mut pthread_rwlock_t) -> c_int {
        let caller = caller!();
        // SAFETY: what the program unlocks is initialized, or was.
        unsafe { misuse::rwlock::using(caller, rwlock, "Unlock") };
        if let Some(mut scope) = enter(caller) {
            let object = Entity::object(rwlock as u64, Role::Object);
            // In a forked child the lock names the parent's thread.
            // SAFETY: what the program unlocks is initialized.
            let writes = unsafe { lock_layout::is_writer(rwlock) } || scope.thread().holds(object);
            // SAFETY: as above.
            unsafe { misuse::rwlock::unlocking(&mut scope, rwlock, writes) };
            let role = if writes { Role::Object } else { Role::Readers };
            scope.sync_private(Effect::RELEASE, Entity::object(rwlock as u64, role));
            scope.released(Entity::object(rwlock as u64, role));
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(pthread_rwlock_unlock)(rwlock) }
    }
}
