//! The runtime around a fork.

use crate::annotations::benign;
use crate::lock_order;
use crate::misuse;
use crate::pipeline::{Frozen, freeze};
use crate::report;
use crate::state::{is_up, runtime};
use crate::tls;
use core::sync::atomic::Ordering;

/// In the parent, before a fork: everyone is outside of the runtime, so that the child finds nothing half done.
pub fn before_fork() {
    if !is_up() {
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
    if !is_up() {
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
    if !is_up() {
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
