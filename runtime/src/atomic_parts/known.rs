//! Which atomic operations there have been on each 16 bytes of memory: a byte of a table for them, which is the number of a set of operations. Programs know few
//! such sets (a word, two words, a word and a flag behind it), which get their numbers as they come.

use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::OnceLock;

use crate::shadow::{ReserveError, table};

/// Bytes for half of the address space.
const UNITS: usize = 1 << (46 - 4);

/// By unit: the number of its set.
static KNOWN: OnceLock<&'static [AtomicU8]> = OnceLock::new();

/// Sets by number; 0, of which the first one is the number, where none is yet.
static SETS: [AtomicU32; 256] = [const { AtomicU32::new(0) }; 256];
/// Where there was no number left for a set: nothing is known here of such a unit, but that there may be operations that overlap.
const NO_NUMBER: u8 = u8::MAX;
/// So many places are tried for a new set.
const TRIED: u32 = 16;

/// Reserves the table; costs nothing until used.
pub fn reserve() -> Result<(), ReserveError> {
    let known = table(UNITS)?;
    let _ = KNOWN.set(known);
    Ok(())
}

/// The bytes of an operation as bits of their unit.
pub type Bytes = u16;

/// The numbers of the bytes, from 0 to 15.
pub fn each(bytes: Bytes) -> impl Iterator<Item = usize> {
    (0..16).filter(move |byte| bytes >> byte & 1 != 0)
}

/// An operation of 1, 2, 4, 8 or 16 bytes at a multiple of that, by its number among these: from 0 to 30.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation(u8);

impl Operation {
    /// That of a range; `None` if it is not at a multiple of its size.
    pub fn new(range: (u64, u64)) -> Option<Operation> {
        let (addr, bytes) = range;
        let is_one = bytes.is_power_of_two() && bytes <= 16 && addr % bytes == 0;
        is_one.then(|| Operation(index(range) as u8))
    }

    pub fn bytes(self) -> Bytes {
        let size = 1 << (0..5).rfind(|log| self.0 >= first(1 << log)).unwrap_or(0);
        let at = (self.0 - first(size)) * size;
        (((1_u32 << size) - 1) << at) as Bytes
    }

    /// That of these bytes.
    pub fn of(bytes: Bytes) -> Option<Operation> {
        let (at, size) = (bytes.trailing_zeros(), bytes.count_ones());
        Operation::new((at.into(), size.into())).filter(|one| one.bytes() == bytes)
    }
}

/// The number of the first operation of a size.
const fn first(size: u8) -> u8 {
    32 - 32 / size
}

/// The number of an operation, if it is at a multiple of its size, which is a power of two.
#[inline(always)]
fn index((addr, bytes): (u64, u64)) -> u32 {
    32 - 32 / bytes as u32 + (addr & 15) as u32 / bytes as u32
}

/// Operations on one unit, and whether there are others that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operations(u32);

impl Operations {
    pub const NONE: Operations = Operations(0);
    /// None of them, but some that overlap.
    pub const OVERLAPPING: Operations = Operations(1 << 31);

    pub fn each(self) -> impl Iterator<Item = Operation> {
        let mut left = self.0 & !Operations::OVERLAPPING.0;
        std::iter::from_fn(move || {
            let number = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (number < 31).then_some(Operation(number as u8))
        })
    }

    pub fn overlap(self) -> bool {
        self.0 & Operations::OVERLAPPING.0 != 0
    }

    /// These and one more.
    pub fn with(self, one: Operation) -> Operations {
        let overlaps = |other: Operation| other != one && other.bytes() & one.bytes() != 0;
        let flag = if self.each().any(overlaps) {
            Operations::OVERLAPPING.0
        } else {
            0
        };
        Operations(self.0 | flag | 1 << one.0)
    }

    /// Those of them that are on none of these bytes.
    pub fn outside(self, bytes: Bytes) -> Operations {
        let others = self.each().filter(|one| one.bytes() & bytes == 0);
        others.fold(
            Operations(self.0 & Operations::OVERLAPPING.0),
            Operations::with,
        )
    }

    /// Their number, which they may get now. `None` if there is none left.
    fn number(self) -> Option<u8> {
        if self == Operations::NONE {
            return Some(0);
        }
        let hash = self.0.wrapping_mul(0x9e37_79b9) >> 24;
        (0..TRIED).find_map(|tried| {
            let number = (hash + tried) as u8;
            if [0, NO_NUMBER].contains(&number) {
                return None;
            }
            // Relaxed: whoever comes to the number by a unit's byte has got that from who has seen this.
            let set = &SETS[usize::from(number)];
            let before = match set.load(Ordering::Relaxed) {
                0 => set.compare_exchange(0, self.0, Ordering::Relaxed, Ordering::Relaxed),
                present => Err(present),
            };
            (before.is_ok() || before == Err(self.0)).then_some(number)
        })
    }

    #[inline(always)]
    fn of_number(number: u8) -> Operations {
        match number {
            NO_NUMBER => Operations::OVERLAPPING,
            number => Operations(SETS[usize::from(number)].load(Ordering::Relaxed)),
        }
    }
}

#[inline(always)]
fn known(addr: u64) -> Option<&'static AtomicU8> {
    KNOWN
        .get()
        .map(|known| &known[(addr >> 4) as usize & (UNITS - 1)])
}

/// Whether all operations on these bytes so far were on all of them and no others, and there was one. May be asked without the stripe:
/// who knows of one by the thread itself knows that this stays so until an operation of another size, which changes the stripe's
/// count or is only a load.
#[inline(always)]
pub fn are_alike(range: (u64, u64)) -> bool {
    known(range.0).is_some_and(|known| {
        // Relaxed where it is under the stripe of the unit, or see above; and to see the set, which is older than its number here.
        let number = known.load(Ordering::Acquire);
        SETS[usize::from(number)].load(Ordering::Relaxed) >> index(range) & 1 != 0
    })
}

/// What is known of a unit becomes what `now` makes of it, if that is something and has a number. Whether it is.
pub fn change(unit: u64, mut now: impl FnMut(Operations) -> Option<Operations>) -> bool {
    replace(unit, |present| now(present)?.number()).is_some()
}

/// What is known of a unit becomes what `now` makes of it. If that has no number, all that is known from then on is that there may be operations that overlap; whether
/// it has.
pub fn set(unit: u64, mut now: impl FnMut(Operations) -> Operations) -> bool {
    let number = replace(unit, |present| {
        Some(now(present).number().unwrap_or(NO_NUMBER))
    });
    number.is_some_and(|number| number != NO_NUMBER)
}

/// The number that is there now, if `now` has one.
fn replace(unit: u64, mut now: impl FnMut(Operations) -> Option<u8>) -> Option<u8> {
    let known = known(unit)?;
    let mut before = known.load(Ordering::Acquire);
    loop {
        let number = now(Operations::of_number(before))?;
        if number == before {
            return Some(number);
        }
        // Whose memory the other half is may forget that at the same time.
        match known.compare_exchange(before, number, Ordering::Release, Ordering::Acquire) {
            Ok(_) => return Some(number),
            Err(other) => before = other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Operation> {
        (0..31).map(Operation)
    }

    #[test]
    fn operations_are_the_aligned_ones() {
        for one in all() {
            let bytes = one.bytes();
            let (at, size) = (bytes.trailing_zeros(), bytes.count_ones());
            assert_eq!(at % size, 0);
            assert_eq!(
                Operation::new((0x1230 + u64::from(at), size.into())),
                Some(one)
            );
            assert_eq!(Operation::of(bytes), Some(one));
        }
        let different: std::collections::BTreeSet<_> = all().map(|one| one.bytes()).collect();
        assert_eq!(different.len(), 31);
        assert_eq!(Operation::new((0x1002, 4)), None);
        assert_eq!(Operation::new((0x1000, 3)), None);
        assert_eq!(Operation::of(0x0ff0), None);
    }

    #[test]
    fn what_overlaps_is_told_from_what_is_beside() {
        for one in all() {
            for other in all() {
                let both = Operations::NONE.with(one).with(other);
                let expected = one != other && one.bytes() & other.bytes() != 0;
                assert_eq!(both.overlap(), expected);
                assert_eq!(both.each().count(), if one == other { 1 } else { 2 });
                let left: Vec<_> = both.outside(other.bytes()).each().collect();
                let stays = one.bytes() & other.bytes() == 0;
                assert_eq!(left, if stays { vec![one] } else { vec![] });
            }
        }
    }

    /// Sets keep their numbers; those that get none are told so, and the others go on.
    #[test]
    fn numbers_are_few_and_stay() {
        let sets: Vec<_> = (1..2000).map(Operations).collect();
        let numbers: Vec<_> = sets.iter().map(|set| set.number()).collect();
        assert!(numbers.contains(&None));
        for (set, number) in sets.iter().zip(numbers) {
            assert_eq!(set.number(), number);
            if let Some(number) = number {
                assert_eq!(Operations::of_number(number), *set);
            }
        }
        assert_eq!(Operations::NONE.number(), Some(0));
        assert_eq!(Operations::of_number(NO_NUMBER), Operations::OVERLAPPING);
    }
}
