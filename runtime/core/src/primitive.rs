//! The atomics and locks of the engine, as far as threads meet at them: core's, or loom's under `--cfg loom`.
//!
//! Not those of the slab's lists of free units and of statistics, which have a lock of their own that is held for no other step.

#[cfg(not(loom))]
pub use std::sync::{
    Mutex, RwLock,
    atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence},
};

#[cfg(loom)]
pub use loom::sync::{
    Mutex, RwLock,
    atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence},
};

/// Waits for another thread that is between two instructions.
pub fn relax() {
    #[cfg(not(loom))]
    std::thread::yield_now();
    #[cfg(loom)]
    loom::thread::yield_now();
}

/// What an exchange is beside itself: a full barrier, on x86-64. Loom's exchanges are not, whatever their order.
#[inline(always)]
pub fn after_exchange() {
    #[cfg(loom)]
    fence(Ordering::SeqCst);
}

/// Those of shadow memory, which are exchanged without a lock by some and stored under a lock by others.
pub mod shadow {
    #[cfg(not(loom))]
    pub use std::sync::atomic::{AtomicU32, AtomicU64};

    #[cfg(loom)]
    pub use model::{AtomicU32, AtomicU64};

    /// Loom does not order a store with an exchange that another thread makes meanwhile: it lets the thread that has stored find the
    /// outcome of an exchange that did not find the store. No processor does. So here a store is an exchange as well.
    #[cfg(loom)]
    mod model {
        use loom::sync::atomic::Ordering;

        macro_rules! exchanged {
            ($name:ident, $value:ty) => {
                pub struct $name(loom::sync::atomic::$name);

                impl $name {
                    pub fn new(value: $value) -> $name {
                        $name(loom::sync::atomic::$name::new(value))
                    }
                    pub fn load(&self, order: Ordering) -> $value {
                        self.0.load(order)
                    }
                    pub fn store(&self, value: $value, order: Ordering) {
                        self.0.swap(value, order);
                    }
                    pub fn compare_exchange(
                        &self,
                        old: $value,
                        new: $value,
                        success: Ordering,
                        failure: Ordering,
                    ) -> Result<$value, $value> {
                        self.0.compare_exchange(old, new, success, failure)
                    }
                    /// Not weaker: loom has no failures without a reason.
                    pub fn compare_exchange_weak(
                        &self,
                        old: $value,
                        new: $value,
                        success: Ordering,
                        failure: Ordering,
                    ) -> Result<$value, $value> {
                        self.compare_exchange(old, new, success, failure)
                    }
                }
            };
        }
        exchanged!(AtomicU32, u32);
        exchanged!(AtomicU64, u64);
    }
}
