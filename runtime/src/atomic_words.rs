//! Atomic operations of the program: how one takes effect and becomes an event without another on the same bytes coming between.
//!
//! Compiled code brackets its own instructions by two hooks (`hooks`); whoever calls a function for an atomic operation
//! (libatomic's, or those that ThreadSanitizer's instrumentation calls) gets it made in here, by [`perform`].

use crate::pipeline::{Caller, Scope, enter};
use crate::sites::Shape;
use crate::state::multi_threaded;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};
use goldilocks_core::abi::{AtomicKind, AtomicOp};
use goldilocks_core::atomics;
use goldilocks_core::event::{Access, Entity, Role};

const STRIPES: usize = 1024;

/// One lock for all atomics whose address falls on it: an atomic takes effect and enters the update list while it is
/// held, so that the list has the order in which atomics took effect.
#[repr(align(64))]
struct Stripe(AtomicU32);

static ATOMIC_STRIPES: [Stripe; STRIPES] = [const { Stripe(AtomicU32::new(0)) }; STRIPES];

/// Waits for the stripe of an address, and takes it. The caller is inside the runtime, or the process has one thread.
pub fn lock_stripe(addr: u64) -> usize {
    let addr = crate::aliases::home(addr);
    // Atomics of different sizes at one address overlap in their 16-byte unit.
    let index = ((addr >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize % STRIPES;
    let stripe = &ATOMIC_STRIPES[index].0;
    let mut spins = 0;
    // Acquire: the previous holder's atomic and its cell come first.
    while stripe.swap(1, Ordering::Acquire) != 0 {
        while stripe.load(Ordering::Relaxed) != 0 {
            spins += 1;
            if spins < 100 {
                core::hint::spin_loop()
            } else {
                crate::sys::sched_yield()
            }
        }
    }
    index
}

pub fn unlock_stripe(stripe: usize) {
    // Release: the next holder's atomic and cell come after.
    ATOMIC_STRIPES[stripe].0.store(0, Ordering::Release);
}

/// The event of an atomic operation that has just taken effect, with its stripe held.
pub fn took_effect(scope: &mut Scope, range: (u64, u64), operation: AtomicOp, success: bool) {
    let access = match operation.kind {
        AtomicKind::Load => Access::AtomicRead,
        AtomicKind::CompareExchange if !success => Access::AtomicRead,
        _ => Access::AtomicWrite,
    };
    let effect = atomics::effect(operation, success);
    let object = Entity::object(range.0, Role::Object);
    // As the value is read, then used, then written: what it brings orders this access, and whoever takes it from here is
    // ordered after this access. (Were it recorded after the release, the thread that drops the last reference to a
    // counted object would race with those that dropped theirs before.)
    scope.sync(effect.sink_part(), object);
    scope.access(range, access, Shape::of(range.0, range.1));
    scope.sync(effect.source_part(), object);
}

/// Makes an atomic operation on `bytes` bytes at `addr` by `deed`, which says whether it succeeded (a compare-exchange that
/// failed was a load). While it runs no other atomic operation on these bytes does that is called or compiled as one, as
/// long as there are several threads.
pub fn perform<R>(
    caller: Caller,
    addr: *const c_void,
    bytes: u64,
    operation: AtomicOp,
    deed: impl FnOnce() -> (R, bool),
) -> R {
    if !multi_threaded() {
        return deed().0;
    }
    if bytes != 0 {
        // If the address faults, let it fault here, outside of the runtime.
        // SAFETY: the program asked for an access to it.
        unsafe { addr.cast::<u8>().read_volatile() };
    }
    let scope = enter(caller);
    let stripe = lock_stripe(addr as u64);
    let (result, success) = deed();
    if let Some(mut scope) = scope {
        took_effect(&mut scope, (addr as u64, bytes), operation, success);
        unlock_stripe(stripe);
    } else {
        // Before the runtime knows the thread or after it has forgotten it: only atomicity is left to care for.
        unlock_stripe(stripe);
    }
    result
}

/// A word that the processor can change atomically.
pub trait Word: Copy + PartialEq {
    /// # Safety
    /// `at` is aligned to the size, and valid.
    unsafe fn load(at: *mut Self) -> Self;
    /// # Safety
    /// As for [`Word::load`], for writing too.
    unsafe fn store(at: *mut Self, value: Self);
    /// The value that was there; the exchange succeeded if it is `expected`.
    ///
    /// # Safety
    /// As for [`Word::store`].
    unsafe fn compare_exchange(at: *mut Self, expected: Self, desired: Self) -> Self;
    /// Replaces the value by a function of it, and returns the old one.
    ///
    /// # Safety
    /// As for [`Word::store`].
    unsafe fn update(at: *mut Self, change: impl Fn(Self) -> Self) -> Self {
        // SAFETY: passed on to the caller.
        let mut seen = unsafe { Self::load(at) };
        loop {
            // SAFETY: passed on to the caller.
            let found = unsafe { Self::compare_exchange(at, seen, change(seen)) };
            if found == seen {
                return seen;
            }
            seen = found;
        }
    }
}

macro_rules! words {
    ($($word:ty = $atomic:ident),*) => {
        $(impl Word for $word {
            // Sequentially consistent throughout: at least as strong as any order that was asked for.
            unsafe fn load(at: *mut Self) -> Self {
                // SAFETY: passed on to the caller.
                unsafe { core::sync::atomic::$atomic::from_ptr(at) }.load(Ordering::SeqCst)
            }
            unsafe fn store(at: *mut Self, value: Self) {
                // SAFETY: passed on to the caller.
                unsafe { core::sync::atomic::$atomic::from_ptr(at) }.store(value, Ordering::SeqCst)
            }
            unsafe fn compare_exchange(at: *mut Self, expected: Self, desired: Self) -> Self {
                // SAFETY: passed on to the caller.
                let word = unsafe { core::sync::atomic::$atomic::from_ptr(at) };
                word.compare_exchange(expected, desired, Ordering::SeqCst, Ordering::SeqCst)
                    .unwrap_or_else(|found| found)
            }
        })*
    };
}
words!(
    u8 = AtomicU8,
    u16 = AtomicU16,
    u32 = AtomicU32,
    u64 = AtomicU64
);

/// Whether 16 bytes can be loaded atomically without writing to them, which the processors with AVX promise.
pub fn has_wide_loads() -> bool {
    static ANSWER: AtomicU32 = AtomicU32::new(0);
    // Relaxed: everybody finds the same.
    match ANSWER.load(Ordering::Relaxed) {
        0 => {
            let has = std::is_x86_feature_detected!("avx");
            ANSWER.store(1 + u32::from(has), Ordering::Relaxed);
            has
        }
        answer => answer == 2,
    }
}

impl Word for u128 {
    unsafe fn load(at: *mut Self) -> Self {
        if has_wide_loads() {
            let (low, high): (u64, u64);
            // SAFETY: 16 aligned bytes that may be read, by the caller's promise.
            unsafe {
                core::arch::asm!("movdqa {x}, [{at}]", "movq {low}, {x}", "psrldq {x}, 8", "movq {high}, {x}",
                    at = in(reg) at, x = out(xmm_reg) _, low = out(reg) low, high = out(reg) high,
                    options(nostack, preserves_flags));
            }
            return u128::from(low) | u128::from(high) << 64;
        }
        // SAFETY: passed on to the caller; the value does not change.
        unsafe { Self::compare_exchange(at, 0, 0) }
    }
    unsafe fn store(at: *mut Self, value: Self) {
        // SAFETY: passed on to the caller.
        unsafe { Self::update(at, |_| value) };
    }
    unsafe fn compare_exchange(at: *mut Self, expected: Self, desired: Self) -> Self {
        let (low, high): (u64, u64);
        // SAFETY: 16 aligned bytes that may be written, by the caller's promise. Every processor but the first x86-64 ones has
        // the instruction. rbx is the compiler's own, so it is put
        // back, and the other operands have fixed places so that none of them is in it.
        unsafe {
            core::arch::asm!("xchg rsi, rbx", "lock cmpxchg16b [rdi]", "mov rbx, rsi",
                in("rdi") at, inout("rsi") desired as u64 => _, in("rcx") (desired >> 64) as u64,
                inlateout("rax") expected as u64 => low, inlateout("rdx") (expected >> 64) as u64 => high,
                options(nostack));
        }
        u128::from(low) | u128::from(high) << 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_words_are_changed_as_a_whole() {
        #[repr(align(16))]
        struct Wide(u128);
        let mut wide = Wide(1 << 100 | 7);
        let at = &raw mut wide.0;
        // SAFETY: `at` is a local that is aligned to 16.
        unsafe {
            assert_eq!(u128::load(at), 1 << 100 | 7);
            assert_eq!(u128::compare_exchange(at, 7, 1), 1 << 100 | 7);
            assert_eq!(u128::load(at), 1 << 100 | 7);
            assert_eq!(
                u128::update(at, |seen| seen.wrapping_add(u128::MAX - 6)),
                1 << 100 | 7
            );
            assert_eq!(u128::load(at), 1 << 100);
            u128::store(at, u128::MAX);
            assert_eq!(u128::compare_exchange(at, u128::MAX, 5 << 64), u128::MAX);
            assert_eq!(u128::load(at), 5 << 64);
        }
    }
}
