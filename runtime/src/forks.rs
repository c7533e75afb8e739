//! The runtime around a fork.

use crate::annotations::benign;
use crate::lock_order;
use crate::misuse;
use crate::pipeline::{Frozen, freeze};
use crate::report;
use crate::state::{is_up, runtime};
use crate::tls;
use core::sync::atomic::{AtomicUsize, Ordering};

/// The thread, by its block, that has announced a fork which it makes by itself.
static ANNOUNCED: AtomicUsize = AtomicUsize::new(0);

/// Relaxed, here and below: a thread's own, which the child has as well.
fn is_announced() -> bool {
    ANNOUNCED.load(Ordering::Relaxed) == core::ptr::from_ref(tls::block()).addr()
}

/// As [`before_fork`], by a program that will make the system call, and then say what came of it ([`is_done`]).
pub fn announced() {
    before_fork();
    ANNOUNCED.store(core::ptr::from_ref(tls::block()).addr(), Ordering::Relaxed);
}

/// The fork that was announced has been made: its result is 0 in the child.
pub fn is_done(result: i64) {
    if is_announced() {
        ANNOUNCED.store(0, Ordering::Relaxed);
        forked(result);
    }
}

/// Makes a system call that forks, and gives its result.
pub fn fork_by(call: impl FnOnce() -> i64) -> i64 {
    before_fork();
    let result = call();
    forked(result);
    result
}

fn forked(result: i64) {
    if result == 0 {
        after_fork_child();
    } else {
        after_fork_parent();
    }
}

/// In the parent, before a fork: everyone is outside of the runtime, so that the child finds nothing half done.
pub fn before_fork() {
    if !is_up() || is_announced() {
        return;
    }
    let block = tls::block();
    block.depth.fetch_add(1, Ordering::Relaxed);
    let frozen = freeze();
    report::before_fork();
    benign::before_fork();
    crate::alloc::lock_all();
    core::mem::forget(frozen);
}

/// In the parent, after a fork (or after one that failed).
pub fn after_fork_parent() {
    if !is_up() || is_announced() {
        return;
    }
    // SAFETY: locked by `before_fork` on this thread.
    unsafe {
        crate::alloc::unlock_all();
        benign::after_fork();
        report::after_fork(false);
    }
    drop(Frozen(()));
    tls::block().depth.fetch_sub(1, Ordering::Release);
}

/// In the child: the calling thread is the only one, and goes on detecting.
pub fn after_fork_child() {
    if !is_up() || is_announced() {
        return;
    }
    // SAFETY: as above; the child's copy.
    unsafe {
        crate::alloc::unlock_all();
        benign::after_fork();
        report::after_fork(true);
    }
    drop(Frozen(()));
    runtime().threads.keep_only_caller();
    let state = tls::block().thread.load(Ordering::Relaxed);
    // SAFETY: null or the thread's own state; it is inside of the runtime, so its signal handlers leave the state alone.
    if let Some(state) = unsafe { state.as_mut() } {
        runtime().engine.alone(&mut state.engine);
    }
    misuse::after_fork_child();
    lock_order::after_fork_child();
    tls::block().depth.fetch_sub(1, Ordering::Release);
}
