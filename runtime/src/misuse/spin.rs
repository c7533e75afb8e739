//! Misuse of spin locks. A spin lock is one word, which says whether it is held, but not by whom.

use core::ffi::c_int;
use core::sync::atomic::{AtomicI32, Ordering};

use goldilocks_core::event::{Entity, Role};
use libc::pthread_spinlock_t;

use super::mutex::{destroyed_in_use, double_lock};
use super::{graves, is_forked};
use crate::caller::Caller;
use crate::findings;
use crate::pipeline::{Scope, enter};
use crate::report::model::ReportKind;

const BYTES: usize = size_of::<pthread_spinlock_t>();
const NOUN: &str = "spin lock";
/// What we leave in a destroyed one. A lock in use counts down from [`FREE`], by one for each that tries.
const MARK: c_int = 0x6f1d_2e97;
/// Value of a free one; a test checks it.
pub const FREE: c_int = 1;

fn word(lock: *const pthread_spinlock_t) -> &'static AtomicI32 {
    // SAFETY: a spin lock is an `int`.
    unsafe { &*lock.cast::<AtomicI32>() }
}

/// Before any real use.
#[inline]
pub fn using(caller: Caller, lock: *const pthread_spinlock_t, verb: &str) {
    // Relaxed, here and below: a thread asks about what it has done itself, or races.
    if word(lock).load(Ordering::Relaxed) == MARK {
        word(lock).store(FREE, Ordering::Relaxed);
        if let Some(mut scope) = enter(caller) {
            graves::used(&mut scope, NOUN, verb, lock as u64, BYTES);
        }
    }
}

/// Before a real lock that waits.
#[inline]
pub fn waiting(caller: Caller, lock: *const pthread_spinlock_t) {
    if word(lock).load(Ordering::Relaxed) != FREE
        && let Some(mut scope) = enter(caller)
    {
        let address = lock as u64;
        if let Some(pc) = scope
            .thread()
            .held_at(Entity::object(address, Role::Object))
        {
            double_lock(&mut scope, NOUN, "Lock", address, BYTES, Some(pc));
        }
    }
}

/// Before a real unlock.
#[inline]
pub fn unlocking(scope: &mut Scope, lock: *const pthread_spinlock_t) {
    if !scope
        .thread()
        .holds(Entity::object(lock as u64, Role::Object))
    {
        unlocking_not_own(scope, lock);
    }
}

#[cold]
fn unlocking_not_own(scope: &mut Scope, lock: *const pthread_spinlock_t) {
    let free = word(lock).load(Ordering::Relaxed) == FREE;
    if !free && is_forked() {
        return;
    }
    let (kind, headline) = if free {
        (
            ReportKind::UnlockOfUnlocked,
            "unlock of an unlocked spin lock",
        )
    } else {
        (
            ReportKind::UnlockByOther,
            "unlock of a spin lock by a thread that does not hold it",
        )
    };
    findings::report(scope, kind, &[], |draft| {
        draft.headline(headline);
        draft.about(lock as u64, BYTES);
        draft.here("Unlock of {}", &[lock as u64]);
        draft.help("unlock only what the thread has locked, and once", &[]);
    });
}

/// Before a real destruction.
pub fn destroying(caller: Caller, lock: *const pthread_spinlock_t) {
    using(caller, lock, "Destruction");
    if word(lock).load(Ordering::Relaxed) != FREE
        && !is_forked()
        && let Some(mut scope) = enter(caller)
    {
        let entity = Entity::object(lock as u64, Role::Object);
        let owner = scope.thread().holds(entity).then(|| scope.thread_number());
        destroyed_in_use(&mut scope, "locked spin lock", lock as u64, BYTES, owner);
    }
}

/// After a real destruction.
pub fn destroyed(scope: &mut Scope, lock: *const pthread_spinlock_t) {
    graves::dig(scope, lock as u64);
    word(lock).store(MARK, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_spin_lock_has_the_value_that_we_take_for_free() {
        let mut lock: pthread_spinlock_t = 7;
        // SAFETY: a lock of this thread's own.
        unsafe {
            assert_eq!(libc::pthread_spin_init(&mut lock, 0), 0);
            assert_eq!(word(&lock).load(Ordering::Relaxed), FREE);
            assert_eq!(libc::pthread_spin_lock(&mut lock), 0);
            assert_ne!(word(&lock).load(Ordering::Relaxed), FREE);
            assert_eq!(libc::pthread_spin_unlock(&mut lock), 0);
            assert_eq!(word(&lock).load(Ordering::Relaxed), FREE);
        }
    }
}
