//! Which words of memory have been sync objects: one bit per 8 bytes, so that the end of a block ends those inside it; and another bit if these were
//! not such as most are, as there can be 32 of them in a word, and to look for each takes a lock.
//!
//! Without this, a mutex that is freed without being destroyed would lend its releases to the next one at its address.

use crate::shadow::{ReserveError, table};
use crate::sys;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use goldilocks_core::event::{Entity, Role};

/// Bits for half of the address space (the other half is shadow).
const WORDS: usize = 1 << (46 - 3 - 6);

/// A bit for each word.
struct Bits(AtomicPtr<AtomicU64>);

impl Bits {
    const fn new() -> Bits {
        Bits(AtomicPtr::new(core::ptr::null_mut()))
    }
    fn reserve(&self) -> Result<(), ReserveError> {
        let words: &'static [AtomicU64] = table(WORDS)?;
        self.0.store(words.as_ptr().cast_mut(), Ordering::Release);
        Ok(())
    }
    fn words(&self) -> &'static [AtomicU64] {
        // Acquire: with the store in `reserve`, for who is not ordered after it otherwise.
        // SAFETY: set by `reserve`, before the runtime is up.
        unsafe { core::slice::from_raw_parts(self.0.load(Ordering::Acquire), WORDS) }
    }
    #[inline]
    fn set(&self, word: usize, bit: u64) {
        let word = &self.words()[word];
        // Relaxed: a hint that is only taken by whoever frees the memory, which the program orders after its use.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }
    /// Whether it was set.
    fn clear(&self, word: usize, bit: u64) -> bool {
        let word = &self.words()[word];
        // Relaxed: as in `set`.
        word.load(Ordering::Relaxed) & bit != 0 && {
            word.fetch_and(!bit, Ordering::Relaxed);
            true
        }
    }
}

static MARKED: Bits = Bits::new();
/// Those that are not, or not only, as most are ([`is_usual`]).
static UNUSUAL: Bits = Bits::new();

/// Reserves the tables; costs nothing until used.
pub fn reserve() -> Result<(), ReserveError> {
    MARKED.reserve()?;
    UNUSUAL.reserve()
}

/// Mutexes, and atomics of four bytes or more.
fn is_usual(addr: u64, role: u8) -> bool {
    role == Role::Object as u8 && addr & 3 == 0
}

/// Words that are close to each other: those whose bits are in one word of the table.
pub const GROUP: usize = 64;
pub const GROUPS: usize = WORDS;

/// The group of a word, below [`GROUPS`].
#[inline(always)]
pub fn group_of(addr: u64) -> usize {
    (addr >> 9) as usize & (WORDS - 1)
}

/// How many of the group of the word at `addr` have been sync objects.
pub fn in_group_of(addr: u64) -> u32 {
    let group = &MARKED.words()[group_of(addr)];
    group.load(Ordering::Relaxed).count_ones()
}

#[inline(always)]
fn position(addr: u64) -> (usize, u64) {
    (group_of(addr), 1 << (addr >> 3 & 63))
}

const ROLES: [Role; 5] = [
    Role::Object,
    Role::Readers,
    Role::BarrierEven,
    Role::BarrierOdd,
    Role::Stated,
];

/// `object` is about to be used.
#[inline]
pub fn mark(object: Entity) {
    let Some((addr, role)) = object.as_object() else {
        return;
    };
    if role > Role::BarrierOdd as u8 && role != Role::Stated as u8 {
        return;
    }
    let (word, bit) = position(addr);
    if !is_usual(addr, role) {
        UNUSUAL.set(word, bit);
    }
    MARKED.set(word, bit);
}

/// Whether there may be one in the word at `addr`. Where there is none, nothing has been released to any of its bytes since the memory is what it is, but by who has not
/// told yet: an atomic operation, whose stripe is held until it has.
#[inline(always)]
pub fn is_marked(addr: u64) -> bool {
    let (word, bit) = position(addr);
    MARKED.words()[word].load(Ordering::Relaxed) & bit != 0
}

/// Whether there may be others in the word at `addr` than most are.
#[inline]
pub fn is_unusual(addr: u64) -> bool {
    let (word, bit) = position(addr);
    UNUSUAL.words()[word].load(Ordering::Relaxed) & bit != 0
}

/// Calls `gone` with every object within `addr..addr+bytes`, and takes their marks. Whether there was any.
pub fn take(addr: u64, bytes: u64, mut gone: impl FnMut(Entity)) -> bool {
    let end = addr + bytes;
    if bytes < LARGE {
        return take_all(addr, (addr, end), end, &mut gone);
    }
    // Page by page of the table: most of a large range has never had any, and to read the table would make its pages.
    let mut any = false;
    let mut at = addr;
    while at < end {
        let stop = end.min((at & !(PART - 1)) + PART);
        let (first, last) = (position(at).0, position(stop - 1).0);
        let words = &MARKED.words()[first..=last];
        if sys::is_resident(words.as_ptr() as usize, size_of_val(words)) {
            any |= take_all(at, (addr, end), stop, &mut gone);
        }
        at = stop;
    }
    any
}

/// Ranges of more bytes are looked at by pages of the table.
const LARGE: u64 = 4 << 20;
/// Whose marks are on so many pages of the table as are asked about at once.
const PART: u64 = (sys::ASKED_PAGES as u64 * 4096 / 8) << 9;

/// All that objects in this word can be.
#[cold]
fn each_entity(word: u64, gone: &mut impl FnMut(Entity)) {
    for offset in 0..8 {
        for role in ROLES {
            gone(Entity::object(word + offset, role));
        }
    }
}

/// The bits of the words from `at`, a multiple of 512, on that have bytes of a range: some have.
fn within(at: u64, (addr, end): (u64, u64)) -> u64 {
    let first = (addr.max(at) - at) >> 3;
    let last = (end.min(at + 512) - 1 - at) >> 3;
    u64::MAX << first & u64::MAX >> (63 - last)
}

/// As [`take`], of the objects from `from` to `stop`, which are part of the range.
fn take_all(from: u64, (addr, end): (u64, u64), stop: u64, gone: &mut impl FnMut(Entity)) -> bool {
    let mut any = false;
    let mut at = from & !511;
    while at < stop {
        let (index, _) = position(at);
        let marked = MARKED.words()[index].load(Ordering::Relaxed);
        let mut bits = marked & within(at, (addr, end));
        while bits != 0 {
            let object = at + 8 * bits.trailing_zeros() as u64;
            let bit = bits & bits.wrapping_neg();
            bits ^= bit;
            any = true;
            MARKED.clear(index, bit);
            crate::atomic_parts::forget(object, &mut *gone);
            if UNUSUAL.clear(index, bit) {
                each_entity(object, &mut *gone);
            } else {
                gone(Entity::object(object, Role::Object));
                gone(Entity::object(object + 4, Role::Object));
            }
        }
        at += 512;
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_the_words_of_its_bytes() {
        let at = 1 << 20;
        for from in at - 20..at + 512 {
            for end in from.max(at) + 1..at + 530 {
                let mut expected = 0;
                for bit in 0..64 {
                    let word = at + 8 * bit;
                    let touched = from < word + 8 && word < end;
                    expected |= (touched as u64) << bit;
                }
                assert_eq!(within(at, (from, end)), expected, "{from:#x}..{end:#x}");
            }
        }
    }
}
