//! Locks that libraries make of atomics, as the pass has found them (`pass/src/library_locks.rs`): who holds which, for reports.
//!
//! They order nothing here: that their atomics do. So nothing but a report is wrong where a lock goes ways that are not seen.

use crate::caller;
use crate::pipeline::{Scope, enter};
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};
use goldilocks_core::event::{Entity, Role};
use goldilocks_core::lock_word::{Change, WordKind, change};

/// Whether a thread has given back a lock that it was not seen to take. Then others may be said to hold locks that they do not.
static WANDER: AtomicBool = AtomicBool::new(false);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_lock_word(
    lock: *const c_void,
    kind: u32,
    before: u32,
    after: u32,
) {
    let caller = caller!();
    let kind = if kind == WordKind::Mutex as u32 {
        WordKind::Mutex
    } else {
        WordKind::Rwlock
    };
    let Some(change) = change(kind, before, after) else {
        return;
    };
    let Some(mut scope) = enter(caller) else {
        return;
    };
    let held = |shared| {
        let role = match (kind, shared) {
            (WordKind::Mutex, _) => Role::LibraryMutex,
            (WordKind::Rwlock, false) => Role::LibraryWriter,
            (WordKind::Rwlock, true) => Role::LibraryReader,
        };
        Entity::object(lock as u64, role)
    };
    match change {
        Change::Take { shared } => take(&mut scope, held(shared), shared),
        Change::Give { shared } => give(&mut scope, held(shared)),
        Change::Downgrade => {
            give(&mut scope, held(false));
            scope.held(held(true));
        }
        Change::Upgrade => {
            give(&mut scope, held(true));
            scope.held(held(false));
        }
    }
}

/// A method that takes the lock by calling another one is seen twice; what nobody shares is held once.
fn take(scope: &mut Scope, lock: Entity, shared: bool) {
    if shared || !scope.thread().engine.held().contains(&lock) {
        scope.held(lock);
    }
}

fn give(scope: &mut Scope, lock: Entity) {
    if scope.thread().engine.held().contains(&lock) {
        scope.released(lock);
    } else {
        // Relaxed: read by reports, which may be a moment behind.
        WANDER.store(true, Ordering::Relaxed);
    }
}

/// What a lock of these is, in words.
pub fn noun(role: u8) -> Option<&'static str> {
    match role {
        r if r == Role::LibraryMutex as u8 => Some("mutex"),
        r if r == Role::LibraryWriter as u8 || r == Role::LibraryReader as u8 => Some("rwlock"),
        _ => None,
    }
}

/// Whether it is known which of them each thread holds.
pub fn are_known() -> bool {
    !WANDER.load(Ordering::Relaxed)
}
