//! The atomics and locks of the engine, as far as threads meet at them: core's, or loom's under `--cfg loom`.

#[cfg(not(loom))]
pub use std::sync::{
    Mutex, RwLock,
    atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence},
};

#[cfg(loom)]
pub use loom::sync::{
    Mutex, RwLock,
    atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence},
};

/// Waits for another thread that is between two instructions.
pub fn relax() {
    #[cfg(not(loom))]
    std::thread::yield_now();
    #[cfg(loom)]
    loom::thread::yield_now();
}
