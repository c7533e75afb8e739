//! Spin locks.

use core::ffi::c_int;

use goldilocks_core::event::{Effect, Entity, Role};
use libc::pthread_spinlock_t;

use super::contended;
use crate::caller::Caller;
use crate::lock_order;
use crate::misuse;
use crate::pipeline::enter;
use crate::sync_objects::{self, Kind};
use crate::{caller, interceptors, real};

fn entity(lock: *mut pthread_spinlock_t) -> Entity {
    Entity::object(lock as u64, Role::Object)
}

/// After a real lock.
fn locked(caller: Caller, lock: *mut pthread_spinlock_t, result: c_int) -> c_int {
    if result == 0
        && let Some(mut scope) = enter(caller)
    {
        scope.sync_private(Effect::ACQUIRE.with(Effect::ALONE), entity(lock));
        scope.held(entity(lock));
    } else if result == libc::EBUSY {
        contended::has_tried(lock as u64, false);
    }
    result
}

interceptors! {
    fn pthread_spin_init(lock: *mut pthread_spinlock_t, shared: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(pthread_spin_init)(lock, shared) };
        if result == 0 && let Some(mut scope) = enter(caller) {
            sync_objects::created(&mut scope, lock as u64, Kind::SpinLock);
            sync_objects::changes(&mut scope, lock as u64, size_of::<pthread_spinlock_t>());
        }
        result
    }

    fn pthread_spin_destroy(lock: *mut pthread_spinlock_t) -> c_int {
        let caller = caller!();
        misuse::spin::destroying(caller, lock);
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(pthread_spin_destroy)(lock) };
        if result == 0 && let Some(mut scope) = enter(caller) {
            sync_objects::changes(&mut scope, lock as u64, size_of::<pthread_spinlock_t>());
            sync_objects::forgotten(&mut scope, lock as u64, Kind::SpinLock);
            misuse::spin::destroyed(&mut scope, lock);
        }
        result
    }

    fn pthread_spin_lock(lock: *mut pthread_spinlock_t) -> c_int {
        let caller = caller!();
        misuse::spin::using(caller, lock, "Lock");
        sync_objects::using(caller, lock as u64, Kind::SpinLock);
        misuse::spin::waiting(caller, lock);
        lock_order::waiting(caller, entity(lock));
        // SAFETY: the program's call, by attempts.
        while !contended::attempt(|| unsafe { real!(pthread_spin_trylock)(lock) }) {}
        locked(caller, lock, 0)
    }

    fn pthread_spin_trylock(lock: *mut pthread_spinlock_t) -> c_int {
        let caller = caller!();
        misuse::spin::using(caller, lock, "Lock");
        sync_objects::using(caller, lock as u64, Kind::SpinLock);
        // SAFETY: the program's call, unchanged.
        locked(caller, lock, unsafe { real!(pthread_spin_trylock)(lock) })
    }

    fn pthread_spin_unlock(lock: *mut pthread_spinlock_t) -> c_int {
        let caller = caller!();
        misuse::spin::using(caller, lock, "Unlock");
        if let Some(mut scope) = enter(caller) {
            misuse::spin::unlocking(&mut scope, lock);
            scope.sync_private(Effect::RELEASE, entity(lock));
            scope.released(entity(lock));
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(pthread_spin_unlock)(lock) }
    }
}
