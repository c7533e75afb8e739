//! Misuse of synchronization objects: what POSIX leaves undefined, and what blocks for ever.
//!
//! A finding must be certain. So the checks go by what the object itself says (its fields, see `lock_layout`) and by the locks
//! that the thread was seen to take; where the two could disagree in a correct program (a lock that was taken before the
//! runtime was there, by code that goes past the interceptors, before a fork, by another process) nothing is reported. All of
//! it is off the path of a correct lock operation.

pub mod annotated;
pub mod barrier;
pub mod cond;
pub mod endings;
pub mod graves;
mod mark;
pub mod mutex;
pub mod rwlock;
pub mod semaphore;
pub mod spin;

use core::sync::atomic::{AtomicBool, Ordering};

/// Set in a forked child: what other threads of the parent held or waited for stays so for ever there, and is nobody's fault.
static FORKED: AtomicBool = AtomicBool::new(false);

/// In a forked child.
pub fn after_fork_child() {
    // Relaxed: one thread.
    FORKED.store(true, Ordering::Relaxed);
    cond::after_fork_child();
}

/// Whether the state of objects may stem from threads that are not in this process.
pub fn is_forked() -> bool {
    // Relaxed: set before this process had a second thread.
    FORKED.load(Ordering::Relaxed)
}
