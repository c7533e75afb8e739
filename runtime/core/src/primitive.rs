//! The atomics of the update list: core's, or loom's under `--cfg loom`.

#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

#[cfg(loom)]
pub use loom::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Waits for another thread that is between two instructions.
pub fn relax() {
    #[cfg(not(loom))]
    std::thread::yield_now();
    #[cfg(loom)]
    loom::thread::yield_now();
}
