//! What makes an atomic operation of the program and its event one step: a lock for all atomics whose address falls on it, and a count
//! by which whoever only loads needs no lock.
//!
//! An operation takes effect and enters the update list while its stripe is held, so that the list has the order in which
//! atomics took effect. A load that would say nothing new, unless something has changed since the thread said it last, looks at the count
//! before and after: if both are what it was then, the value is that of an operation whose event was in the list by then
//! already (`tests/loom_stripe.rs`).

use crate::primitive::{AtomicU64, Ordering, fence, wait_a_little};

/// A lock and a count. The count is even, and odd while somebody holds the lock.
pub struct Stripe(AtomicU64);

impl Stripe {
    /// Not `new` under loom, whose atomics are no constants.
    #[cfg(not(loom))]
    #[expect(
        clippy::declare_interior_mutable_const,
        reason = "what each place of a table starts as"
    )]
    pub const FREE: Stripe = Stripe(AtomicU64::new(0));

    #[cfg(loom)]
    pub fn free() -> Stripe {
        Stripe(AtomicU64::new(0))
    }

    /// Waits for the stripe, and takes it. The result is its count.
    #[inline(always)]
    pub fn lock(&self) -> u64 {
        if !self.take() {
            self.wait();
        }
        // Release: whoever sees what the holder stores sees that the stripe is held, or was.
        fence(Ordering::Release);
        self.count()
    }

    /// Takes the stripe if it is free.
    #[cfg(not(loom))]
    #[inline(always)]
    fn take(&self) -> bool {
        // Acquire: the previous holder's operation and its event come first.
        self.0.fetch_or(1, Ordering::Acquire) & 1 == 0
    }

    /// The same without a store where the stripe is held, which loom takes for progress.
    #[cfg(loom)]
    fn take(&self) -> bool {
        let count = self.0.load(Ordering::Relaxed);
        let (acquire, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
        count & 1 == 0
            && self
                .0
                .compare_exchange(count, count | 1, acquire, relaxed)
                .is_ok()
    }

    #[cold]
    fn wait(&self) {
        let mut looks = 0;
        loop {
            looks += 1;
            wait_a_little(looks);
            // Relaxed: `take` decides.
            if self.0.load(Ordering::Relaxed) & 1 == 0 && self.take() {
                return;
            }
        }
    }

    /// The count, for the holder. For others it is a guess, such as [`Stripe::load`] can do with.
    #[inline(always)]
    pub fn count(&self) -> u64 {
        // Relaxed: only the holder changes it, and `load` looks again.
        self.0.load(Ordering::Relaxed) & !1
    }

    /// Gives the stripe back. `changed` says whether an atomic may have been changed; then the count is another from now on.
    #[inline(always)]
    pub fn unlock(&self, changed: bool) {
        let count = self.count() + if changed { 2 } else { 0 };
        // Release: the next holder's operation and event come after, and so does whoever sees the new count.
        self.0.store(count, Ordering::Release);
    }

    /// Loads without the lock, if the count is `count` before and after. Then the value is older than any operation that
    /// will change the count.
    #[inline(always)]
    pub fn load<R>(&self, count: u64, load: impl FnOnce() -> R) -> Option<R> {
        // Acquire: the load comes later.
        if self.0.load(Ordering::Acquire) != count {
            return None;
        }
        let value = load();
        // Acquire: whoever sees a value that was stored by a holder sees, next, that the stripe was taken.
        fence(Ordering::Acquire);
        (self.0.load(Ordering::Relaxed) == count).then_some(value)
    }
}
