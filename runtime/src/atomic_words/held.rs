//! What atomics hold, word by word, where many are close to each other: a graph's vertices, a table of marks.
//!
//! A stripe keeps that of the unit that was released to last. Of a hundred thousand atomics most are not that, and to look for the record of one of them among
//! those of all costs some cache misses, mostly to find that it brings nothing. Here it is where the address says.

use crate::shadow::{ReserveError, table};
use crate::sync_bits;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// Words of a region, which has a block here if several of them have been sync objects.
const WORDS: usize = sync_bits::GROUP;
const REGIONS: usize = sync_bits::GROUPS;
/// Blocks: for 32 MiB of atomics. Those of more are looked for.
const BLOCKS: usize = 1 << 16;
/// Words that have been sync objects from which on a region has one at once: then it takes less than a fifth of what their records do.
const ENOUGH: u32 = 8;
/// Where a stripe's place was taken so often, fewer are enough, as long as there are not more blocks than this.
const OFTEN: u64 = 64;
const SOME: u32 = 1 << 11;

/// What the atomics at multiples of 8 hold, or those between: in programs that have only the first ones the others' are never touched.
type Block = [AtomicU64; WORDS];

/// By region, the number of its block; 0 if it has none.
static NUMBERS: AtomicPtr<AtomicU32> = AtomicPtr::new(core::ptr::null_mut());
static HALVES: [AtomicPtr<Block>; 2] = [const { AtomicPtr::new(core::ptr::null_mut()) }; 2];
/// Numbers that were given. It may count beyond what there is.
static GIVEN: AtomicU32 = AtomicU32::new(1);

/// Reserves the tables; costs nothing until used.
pub fn reserve() -> Result<(), ReserveError> {
    let numbers: &'static [AtomicU32] = table(REGIONS)?;
    NUMBERS.store(numbers.as_ptr().cast_mut(), Ordering::Release);
    for half in &HALVES {
        let blocks: &'static [Block] = table(BLOCKS)?;
        half.store(blocks.as_ptr().cast_mut(), Ordering::Release);
    }
    Ok(())
}

#[inline(always)]
fn number_of(addr: u64) -> &'static AtomicU32 {
    let region = sync_bits::group_of(addr);
    // SAFETY: set by `reserve`, before the runtime is up; there are as many as regions.
    unsafe { &*NUMBERS.load(Ordering::Acquire).add(region) }
}

/// Where it is kept what the atomic at this address holds, if it is; those of the same half of a word share that.
#[inline(always)]
pub(super) fn place_of(addr: u64) -> Option<&'static AtomicU64> {
    // Relaxed: a block is zeroes until its place here is known, which says nothing.
    let number = number_of(addr).load(Ordering::Relaxed);
    if number == 0 {
        return None;
    }
    let half = &HALVES[(addr >> 2 & 1) as usize];
    // SAFETY: as above; numbers that were put there are of blocks that there are.
    let block = unsafe { &*half.load(Ordering::Acquire).add(number as usize) };
    Some(&block[(addr >> 3) as usize % WORDS])
}

/// Nothing is kept any more. As [`super::forget_held`].
pub(super) fn forget() {
    let given = (GIVEN.load(Ordering::Relaxed) as usize).min(BLOCKS);
    for half in &HALVES {
        // SAFETY: set by `reserve`; there are as many.
        let blocks = unsafe { core::slice::from_raw_parts(half.load(Ordering::Acquire), given) };
        for word in blocks.iter().flatten() {
            if word.load(Ordering::Relaxed) != 0 {
                word.store(0, Ordering::Relaxed);
            }
        }
    }
}

/// The atomic at this address takes its stripe's place from another one, after so many releases there: if there are several like it close by, or it is not
/// the first time, they get a block.
#[cold]
pub(super) fn is_crowded(addr: u64, releases: u64) {
    let place = number_of(addr);
    if place.load(Ordering::Relaxed) != 0 {
        return;
    }
    let given = GIVEN.load(Ordering::Relaxed);
    let is_worth_it = sync_bits::in_group_of(addr) >= ENOUGH || releases >= OFTEN && given < SOME;
    if is_worth_it && given < BLOCKS as u32 {
        let number = GIVEN.fetch_add(1, Ordering::Relaxed);
        if (number as usize) < BLOCKS {
            // Who comes second has wasted a number.
            let _ = place.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The region of this address has a block.
    pub fn give_block(addr: u64) {
        let number = GIVEN.fetch_add(1, Ordering::Relaxed);
        number_of(addr).store(number, Ordering::Relaxed);
    }
}
