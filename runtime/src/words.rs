//! Words that the processor can change atomically.

use core::sync::atomic::{AtomicU32, Ordering};
use goldilocks_core::abi::Change;

/// A word that the processor can change atomically.
pub trait Word: Copy + PartialEq {
    /// # Safety
    /// `at` is aligned to the size, and valid.
    unsafe fn load(at: *mut Self) -> Self;
    /// # Safety
    /// As for [`Word::load`], for writing too.
    unsafe fn store(at: *mut Self, value: Self);
    /// A store that need not be sequentially consistent.
    ///
    /// # Safety
    /// As for [`Word::store`].
    unsafe fn release(at: *mut Self, value: Self) {
        // SAFETY: passed on to the caller.
        unsafe { Self::store(at, value) }
    }
    /// What the change makes of a value and its operand.
    fn changed(self, change: Change, operand: Self) -> Self;
    /// The value that was there; the word is then what the change makes of it and `operand`.
    ///
    /// # Safety
    /// As for [`Word::store`].
    unsafe fn change(at: *mut Self, change: Change, operand: Self) -> Self;
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

macro_rules! changed {
    () => {
        fn changed(self, change: Change, operand: Self) -> Self {
            match change {
                Change::Exchange => operand,
                Change::Add => self.wrapping_add(operand),
                Change::Subtract => self.wrapping_sub(operand),
                Change::And => self & operand,
                Change::Or => self | operand,
                Change::Xor => self ^ operand,
                Change::Nand => !(self & operand),
                Change::Max if self.cast_signed() < operand.cast_signed() => operand,
                Change::Min if self.cast_signed() > operand.cast_signed() => operand,
                Change::Max | Change::Min => self,
                Change::MaxUnsigned => self.max(operand),
                Change::MinUnsigned => self.min(operand),
            }
        }
    };
}

macro_rules! words {
    ($($word:ty = $atomic:ident),*) => {
        $(impl Word for $word {
            changed!();
            // Sequentially consistent throughout: at least as strong as any order that was asked for.
            unsafe fn load(at: *mut Self) -> Self {
                // SAFETY: passed on to the caller.
                unsafe { core::sync::atomic::$atomic::from_ptr(at) }.load(Ordering::SeqCst)
            }
            unsafe fn store(at: *mut Self, value: Self) {
                // SAFETY: passed on to the caller.
                unsafe { core::sync::atomic::$atomic::from_ptr(at) }.store(value, Ordering::SeqCst)
            }
            unsafe fn release(at: *mut Self, value: Self) {
                // SAFETY: passed on to the caller.
                unsafe { core::sync::atomic::$atomic::from_ptr(at) }.store(value, Ordering::Release)
            }
            unsafe fn change(at: *mut Self, change: Change, operand: Self) -> Self {
                // SAFETY: passed on to the caller.
                let word = unsafe { core::sync::atomic::$atomic::from_ptr(at) };
                match change {
                    Change::Exchange => word.swap(operand, Ordering::SeqCst),
                    Change::Add => word.fetch_add(operand, Ordering::SeqCst),
                    Change::Subtract => word.fetch_sub(operand, Ordering::SeqCst),
                    Change::And => word.fetch_and(operand, Ordering::SeqCst),
                    Change::Or => word.fetch_or(operand, Ordering::SeqCst),
                    Change::Xor => word.fetch_xor(operand, Ordering::SeqCst),
                    // The processor has none of the others. SAFETY: passed on to the caller.
                    _ => unsafe { Self::update(at, |seen| seen.changed(change, operand)) },
                }
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
    changed!();
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
    unsafe fn change(at: *mut Self, change: Change, operand: Self) -> Self {
        // SAFETY: passed on to the caller.
        unsafe { Self::update(at, |seen| seen.changed(change, operand)) }
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

    /// Every change, by what the standard library has for it.
    #[test]
    fn words_are_changed_as_asked_for() {
        use core::sync::atomic::{AtomicI8, AtomicU8};
        let all = [0, 1, 0x7f, 0x80, 0x81, 0xff];
        let order = Ordering::Relaxed;
        for (before, operand) in all.iter().flat_map(|&x: &u8| all.map(|y| (x, y))) {
            for number in 0..11 {
                let change = Change::of(number << Change::SHIFT);
                let (word, signed) = (AtomicU8::new(before), AtomicI8::new(before.cast_signed()));
                match change {
                    Change::Exchange => word.swap(operand, order),
                    Change::Add => word.fetch_add(operand, order),
                    Change::Subtract => word.fetch_sub(operand, order),
                    Change::And => word.fetch_and(operand, order),
                    Change::Or => word.fetch_or(operand, order),
                    Change::Xor => word.fetch_xor(operand, order),
                    Change::Nand => word.fetch_nand(operand, order),
                    Change::MaxUnsigned => word.fetch_max(operand, order),
                    Change::MinUnsigned => word.fetch_min(operand, order),
                    Change::Max | Change::Min => {
                        let operand = operand.cast_signed();
                        match change {
                            Change::Max => signed.fetch_max(operand, order),
                            _ => signed.fetch_min(operand, order),
                        };
                        word.swap(signed.into_inner().cast_unsigned(), order)
                    }
                };
                let mut narrow = before;
                let mut wide = u128::from(before);
                // SAFETY: locals.
                unsafe {
                    assert_eq!(u8::change(&mut narrow, change, operand), before);
                    u128::change(&mut wide, change, u128::from(operand));
                }
                assert_eq!(narrow, word.into_inner(), "{change:?} {before} {operand}");
                assert_eq!(number, change as u32, "each has a number of its own");
                if !matches!(change, Change::Max | Change::Min) {
                    assert_eq!(wide as u8, narrow, "{change:?} {before} {operand}");
                }
            }
        }
    }

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
