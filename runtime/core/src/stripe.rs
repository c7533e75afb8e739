//! What makes an atomic operation of the program and its event one step: a lock for all atomics whose address falls on it, and a count
//! by which whoever only loads needs no lock.
//!
//! An operation takes effect and enters the update list while its stripe is held, so that the list has the order in which
//! atomics took effect. A load that would say nothing new, unless something has changed since the thread said it last, looks at the count
//! before and after: if both are what it was then, the value is that of an operation whose event was in the list by then
//! already (`tests/loom_stripe.rs`).

use crate::primitive::{AtomicU64, Ordering, fence, wait_a_little};
#[cfg(not(loom))]
use crate::primitive::{park, times_slept, unpark_one};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicBool, AtomicU32};

/// A lock and a count. The count is even, and odd while somebody holds the lock.
pub struct Stripe {
    count: AtomicU64,
    /// Threads that sleep until it is given back, or are about to.
    #[cfg(not(loom))]
    sleepers: AtomicU32,
    /// One of them was woken, and has not come yet: until then nobody else is.
    #[cfg(not(loom))]
    is_waking: AtomicBool,
}

/// Nanoseconds of a first sleep, at most: for who begins to sleep while the stripe is given back, and is not seen. That is next to
/// impossible, as the kernel looks at the count once more; and hundreds who wake up by themselves all the time cost more than the rest.
#[cfg(not(loom))]
const SLEEP: u64 = 16_000_000;

/// How often [`Stripe::wait_shortly`] looks.
#[cfg(not(loom))]
const LOOKS: u32 = 64;

impl Stripe {
    /// Not `new` under loom, whose atomics are no constants.
    #[cfg(not(loom))]
    #[expect(
        clippy::declare_interior_mutable_const,
        reason = "what each place of a table starts as"
    )]
    pub const FREE: Stripe = Stripe {
        count: AtomicU64::new(0),
        sleepers: AtomicU32::new(0),
        is_waking: AtomicBool::new(false),
    };

    #[cfg(loom)]
    pub fn free() -> Stripe {
        Stripe {
            count: AtomicU64::new(0),
        }
    }

    /// Waits for the stripe, and takes it. What its count is, is not read here: to load what a locked instruction has just stored takes as long as the instruction.
    #[inline(always)]
    pub fn lock(&self) {
        if !self.take() {
            self.wait();
        }
        // Release: whoever sees what the holder stores sees that the stripe is held, or was.
        fence(Ordering::Release);
    }

    /// Takes the stripe if it is free.
    #[cfg(not(loom))]
    #[inline(always)]
    fn take(&self) -> bool {
        // Acquire: the previous holder's operation and its event come first.
        self.count.fetch_or(1, Ordering::Acquire) & 1 == 0
    }

    /// The same without a store where the stripe is held, which loom takes for progress.
    #[cfg(loom)]
    fn take(&self) -> bool {
        let count = self.count.load(Ordering::Relaxed);
        let (acquire, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
        count & 1 == 0
            && self
                .count
                .compare_exchange(count, count | 1, acquire, relaxed)
                .is_ok()
    }

    #[cold]
    fn wait(&self) {
        let mut looks = 0;
        loop {
            looks += 1;
            self.wait_once(looks);
            // Relaxed: `take` decides.
            if self.count.load(Ordering::Relaxed) & 1 == 0 && self.take() {
                return;
            }
        }
    }

    #[cfg(loom)]
    fn wait_once(&self, looks: u32) {
        wait_a_little(looks);
    }

    /// Hundreds of threads may wait for one stripe. If they looked again and again they would leave its holder nothing; if they slept for a
    /// time that their number allows, most of the time nobody would be there. So each one that gives it back wakes the next one.
    #[cfg(not(loom))]
    fn wait_once(&self, looks: u32) {
        let Some(times) = times_slept(looks) else {
            return wait_a_little(looks);
        };
        // Relaxed, here and in `unlock`: who is missed wakes up by itself.
        self.sleepers.fetch_add(1, Ordering::Relaxed);
        let count = self.count.load(Ordering::Relaxed);
        if count & 1 != 0 && park(&self.count, count, SLEEP << times.min(4)) {
            self.is_waking.store(false, Ordering::Relaxed);
        }
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
    }

    /// The count, for the holder. For others it is a guess, such as [`Stripe::load`] can do with.
    #[inline(always)]
    pub fn count(&self) -> u64 {
        // Relaxed: only the holder changes it, and `load` looks again.
        self.count.load(Ordering::Relaxed) & !1
    }

    /// The count, if the stripe is free.
    #[inline(always)]
    pub fn if_free(&self) -> Option<u64> {
        // Acquire: what is looked at next is no older.
        let count = self.count.load(Ordering::Acquire);
        (count & 1 == 0).then_some(count)
    }

    /// Waits for a little while if somebody holds the stripe: an operation and its event take some hundred instructions, and to wait for the stripe in turn takes more.
    #[cfg(not(loom))]
    #[inline(always)]
    pub fn wait_shortly(&self) {
        for _ in 0..LOOKS {
            if self.if_free().is_some() {
                return;
            }
            core::hint::spin_loop();
        }
    }

    /// Waits until whoever holds the stripe, if somebody does, has given it back: the event of an operation whose effect the caller has seen is in the list then.
    #[inline(always)]
    pub fn wait_for_holder(&self) {
        if self.if_free().is_none() {
            self.lock();
            self.unlock(false);
        }
    }

    /// Gives the stripe back. `changed` says whether an atomic may have been changed; then the count is another from now on.
    #[inline(always)]
    pub fn unlock(&self, changed: bool) {
        let count = self.count() + if changed { 2 } else { 0 };
        // Release: the next holder's operation and event come after, and so does whoever sees the new count.
        self.count.store(count, Ordering::Release);
        #[cfg(not(loom))]
        if self.sleepers.load(Ordering::Relaxed) != 0 && !self.is_waking.load(Ordering::Relaxed) {
            self.wake();
        }
    }

    #[cfg(not(loom))]
    #[cold]
    fn wake(&self) {
        self.is_waking.store(true, Ordering::Relaxed);
        if !unpark_one(&self.count) {
            self.is_waking.store(false, Ordering::Relaxed);
        }
    }

    /// Loads without the lock, if the count is `count` before and after. Then the value is older than any operation that
    /// will change the count.
    #[inline(always)]
    pub fn load<R>(&self, count: u64, load: impl FnOnce() -> R) -> Option<R> {
        // Acquire: the load comes later.
        if self.count.load(Ordering::Acquire) != count {
            return None;
        }
        let value = load();
        // Acquire: whoever sees a value that was stored by a holder sees, next, that the stripe was taken.
        fence(Ordering::Acquire);
        (self.count.load(Ordering::Relaxed) == count).then_some(value)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::cell::UnsafeCell;

    struct Counted {
        stripe: Stripe,
        value: UnsafeCell<u64>,
    }

    // SAFETY: the value is used by who has the stripe.
    unsafe impl Sync for Counted {}

    /// Holders that lose their processor while dozens wait, so that some sleep and are woken.
    #[test]
    fn counts_of_a_hundred_threads_add_up() {
        let shared = Counted {
            stripe: Stripe::FREE,
            value: UnsafeCell::new(0),
        };
        let (threads, rounds) = if cfg!(miri) { (12, 20) } else { (100, 1000) };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let shared = &shared;
                scope.spawn(move || {
                    for round in 0..rounds {
                        shared.stripe.lock();
                        // SAFETY: this thread has the stripe.
                        unsafe { *shared.value.get() += 1 };
                        if round % 10 == 0 {
                            std::thread::yield_now();
                        }
                        shared.stripe.unlock(true);
                    }
                });
            }
        });
        assert_eq!(shared.value.into_inner(), threads * rounds);
        assert_eq!(shared.stripe.count(), 2 * threads * rounds);
        assert_eq!(shared.stripe.sleepers.into_inner(), 0);
    }
}
