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

/// So many that are 0: pages of them that nobody writes take no memory.
pub fn zeroes(count: usize) -> Box<[AtomicU64]> {
    #[cfg(not(loom))]
    // SAFETY: of zeroes.
    return unsafe { Box::new_zeroed_slice(count).assume_init() };
    #[cfg(loom)]
    return (0..count).map(|_| AtomicU64::new(0)).collect();
}

/// The same of [`shadow`]'s.
pub fn zeroes_of_shadow(count: usize) -> Box<[shadow::AtomicU64]> {
    #[cfg(not(loom))]
    return zeroes(count);
    #[cfg(loom)]
    return (0..count).map(|_| shadow::AtomicU64::new(0)).collect();
}

/// What an exchange is beside itself: a full barrier, on x86-64. Loom's exchanges are not, whatever their order.
#[inline(always)]
pub fn after_exchange() {
    #[cfg(loom)]
    fence(Ordering::SeqCst);
}

/// Makes something come near that will be written soon.
#[inline(always)]
pub fn prefetch_to_write<T>(at: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri), not(loom)))]
    // SAFETY: prefetching touches nothing, and faults nowhere.
    unsafe {
        core::arch::asm!("prefetchw [{}]", in(reg) at, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri), not(loom))))]
    let _ = at;
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

/// Times that a short wait looks before the processor is given away, and before it sleeps.
#[cfg(not(loom))]
const SPINS: u32 = 100;
#[cfg(not(loom))]
const YIELDS: u32 = 104;

/// Nanoseconds of a first sleep; and what there is at least from one waiter's look to another's, whoever they are.
#[cfg(not(loom))]
const NAP: u32 = 20_000;
/// Nanoseconds of a sleep, at most.
#[cfg(not(loom))]
const LONGEST: u32 = 100_000_000;

/// Threads that sleep in [`wait_a_little`] now.
#[cfg(not(loom))]
static SLEEPERS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

/// Waits a little for another thread that holds something for some dozens of instructions, after having looked `looks` times, counted
/// from 1. One that keeps others waiting for longer has lost its processor: to look again and again would take the time that it needs,
/// so they sleep. Five hundred of them, each awake every now and then, would still leave it next to nothing: so the more they are, the
/// longer each one sleeps, and the rarer it is that one of them looks.
#[cold]
pub fn wait_a_little(looks: u32) {
    #[cfg(loom)]
    {
        let _ = looks;
        loom::thread::yield_now();
    }
    #[cfg(not(loom))]
    if looks < SPINS {
        std::hint::spin_loop();
    } else if looks < YIELDS && SLEEPERS.load(Ordering::Relaxed) == 0 {
        std::thread::yield_now();
    } else {
        // Relaxed, here and above: a hint.
        let sleepers = 1 + SLEEPERS.fetch_add(1, Ordering::Relaxed);
        let share = NAP
            .saturating_mul(sleepers)
            .saturating_mul(1 + sleepers / 32);
        sleep(
            share
                .max(NAP << looks.saturating_sub(YIELDS).min(4))
                .min(LONGEST) as u64,
        );
        SLEEPERS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How often who has looked `looks` times has slept, if it need not look again at once.
#[cfg(not(loom))]
pub fn times_slept(looks: u32) -> Option<u32> {
    looks.checked_sub(SPINS)
}

/// Sleeps for so many nanoseconds, less than a second, or until a signal comes. Not by a function of libc, which the runtime may have
/// put its own in place of.
#[cfg(all(not(loom), not(miri), target_os = "linux", target_arch = "x86_64"))]
fn sleep(nanoseconds: u64) {
    const NANOSLEEP: u64 = 35;
    let time = [0, nanoseconds];
    // SAFETY: nanosleep reads `time`, and writes nothing but what `syscall` clobbers; it fails only for signals.
    unsafe {
        core::arch::asm!("syscall", inlateout("rax") NANOSLEEP => _, in("rdi") time.as_ptr(), in("rsi") 0,
            out("rcx") _, out("r11") _, options(nostack, readonly));
    }
}

#[cfg(all(
    not(loom),
    not(all(not(miri), target_os = "linux", target_arch = "x86_64"))
))]
fn sleep(_: u64) {
    std::thread::yield_now();
}

#[cfg(all(not(loom), not(miri), target_os = "linux", target_arch = "x86_64"))]
mod futex {
    use super::AtomicU64;

    const FUTEX: i64 = 202;
    const TIMED_OUT: i64 = -110;
    const WAIT_PRIVATE: u64 = 128;
    const WAKE_PRIVATE: u64 = 129;

    /// Sleeps while the lower half of `word` is that of `value`, until [`unpark_one`] is called of it, a signal comes, or so many nanoseconds, less
    /// than a second, are over. Whether it has slept until it was woken, or all that time.
    pub fn park(word: &AtomicU64, value: u64, nanoseconds: u64) -> bool {
        let time = [0, nanoseconds];
        let result: i64;
        // SAFETY: a wait at a word that is there, which reads that and `time`, and writes nothing but what `syscall` clobbers.
        unsafe {
            core::arch::asm!("syscall", inlateout("rax") FUTEX => result, in("rdi") word.as_ptr(), in("rsi") WAIT_PRIVATE,
                in("rdx") value & 0xffff_ffff, in("r10") time.as_ptr(), out("rcx") _, out("r11") _, options(nostack));
        }
        result == 0 || result == TIMED_OUT
    }

    /// Wakes one of those that sleep at `word`; false if there was none.
    pub fn unpark_one(word: &AtomicU64) -> bool {
        let woken: i64;
        // SAFETY: the address of a word is all that this wants, and it writes nothing but what `syscall` clobbers.
        unsafe {
            core::arch::asm!("syscall", inlateout("rax") FUTEX => woken, in("rdi") word.as_ptr(), in("rsi") WAKE_PRIVATE,
                in("rdx") 1, out("rcx") _, out("r11") _, options(nostack));
        }
        woken > 0
    }
}

#[cfg(all(
    not(loom),
    not(all(not(miri), target_os = "linux", target_arch = "x86_64"))
))]
mod futex {
    use super::AtomicU64;

    pub fn park(_: &AtomicU64, _: u64, _: u64) -> bool {
        std::thread::yield_now();
        true
    }
    pub fn unpark_one(_: &AtomicU64) -> bool {
        false
    }
}

#[cfg(not(loom))]
pub use futex::{park, unpark_one};
