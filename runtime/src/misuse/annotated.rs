//! Misuse of locks of the program's own, of which nothing is known but what the annotations say: who holds one is what the
//! threads were seen to take, and whether it may be taken again is a flag.
//!
//! So less is certain than of libc's locks. A lock for writing by a reader may be a way that this lock has, and so may be a use
//! after the destruction, as creations need not be told.

use goldilocks_core::event::{Entity, Role};

use super::is_forked;
use super::mutex::{destroyed_in_use, double_lock};
use crate::findings;
use crate::pipeline::Scope;
use crate::report::model::ReportKind;
use crate::sync_objects::{self, Kind};

const NOUN: &str = "lock";
/// How large the lock is, we are not told.
const BYTES: usize = 1;

fn writing(lock: u64) -> Entity {
    Entity::object(lock, Role::Object)
}
fn reading(lock: u64) -> Entity {
    Entity::object(lock, Role::Readers)
}

/// The running thread is about to wait for a lock of which it has not been said that it may be taken again.
#[inline]
pub fn waiting(scope: &mut Scope, lock: u64, for_reading: bool) {
    if let Some(pc) = scope.thread().held_at(writing(lock)) {
        waits_for_itself(scope, lock, for_reading, pc);
    }
}

#[cold]
fn waits_for_itself(scope: &mut Scope, lock: u64, for_reading: bool, pc: usize) {
    let known = sync_objects::describe(lock);
    if known.is_none_or(|known| known.kind == Kind::Annotated) {
        let verb = if for_reading {
            "Lock for reading"
        } else {
            "Lock"
        };
        double_lock(scope, NOUN, verb, lock, BYTES, Some(pc));
    }
}

/// The running thread is about to give up the lock.
#[inline]
pub fn unlocking(scope: &mut Scope, lock: u64) {
    let thread = scope.thread();
    if !thread.holds(writing(lock)) && !thread.holds(reading(lock)) {
        unlocking_not_own(scope, lock);
    }
}

#[cold]
fn unlocking_not_own(scope: &mut Scope, lock: u64) {
    // What threads of the parent have locked may be the child's to unlock.
    if is_forked() {
        return;
    }
    findings::report(scope, ReportKind::UnlockByOther, &[], |draft| {
        draft.headline("unlock of a lock that the thread does not hold");
        draft.about(lock, BYTES);
        draft.here("Unlock of {}", &[lock]);
        draft.help("unlock only what the thread has locked, and once", &[]);
    });
}

/// The running thread is about to destroy the lock.
pub fn destroying(scope: &mut Scope, lock: u64) {
    let thread = scope.thread();
    if thread.holds(writing(lock)) || thread.holds(reading(lock)) {
        let owner = Some(scope.thread_number());
        destroyed_in_use(scope, "lock that is held", lock, BYTES, owner);
    }
}
