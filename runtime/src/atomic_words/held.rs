//! What atomics hold, word by word, where many are close to each other and looked at more often than they are changed: a graph's vertices, a table of marks.
//!
//! A stripe keeps that of the unit that was released to last. Of a hundred thousand atomics most are not that, and to look for the record of one of them among
//! those of all costs some cache misses, mostly to find that it brings nothing. Here it is where the address says.
//!
//! A place here is changed as that of the stripe is: with the stripe and the lock of the object's record held, or as [`Shared::keep_if_still`](super::shared::Shared::keep_if_still)
//! says. To find nothing in it is always right. So all that is known of blocks is relaxed: whoever does not see yet that a region has one finds nothing, and
//! a block is no other region's before or afterwards. Blocks stay: programs put the next atomics where the last ones were.

use crate::shadow::{ReserveError, table};
use crate::sync_bits;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// Words of a region, which has a block here if it is worth it.
const WORDS: usize = sync_bits::GROUP;
const REGIONS: usize = sync_bits::GROUPS;
/// Blocks: for 32 MiB of atomics, in as much memory for those of 8 bytes, twice as much for those of 4. Those of more are looked for.
const BLOCKS: u32 = 1 << 16;
/// Words of a region that have been sync objects from which on a block takes at most a quarter of what their records do. As long as there are few blocks, fewer are enough.
const MANY: u32 = 32;
const FEW_BLOCKS: u32 = 1 << 11;
/// By how much those who have looked for a record in vain must be more than those who have released something, for a region to get a block: whoever releases
/// needs the record anyway, and to keep it here as well costs a cache miss.
const WANTED: u32 = 32;

/// What the atomics at multiples of 8 hold, or those between: in programs that have only the first ones the others' are never touched.
type Block = [AtomicU64; WORDS];

/// By region, how much it wants a block, below [`WANTED`]; or, beyond, the number of its block.
static NUMBERS: AtomicPtr<AtomicU32> = AtomicPtr::new(core::ptr::null_mut());
static HALVES: [AtomicPtr<Block>; 2] = [const { AtomicPtr::new(core::ptr::null_mut()) }; 2];
/// Numbers that were given. It may count beyond what there is.
static GIVEN: AtomicU32 = AtomicU32::new(0);

/// Reserves the tables; costs nothing until used.
pub fn reserve() -> Result<(), ReserveError> {
    let numbers: &'static [AtomicU32] = table(REGIONS)?;
    NUMBERS.store(numbers.as_ptr().cast_mut(), Ordering::Release);
    for half in &HALVES {
        let blocks: &'static [Block] = table(BLOCKS as usize)?;
        half.store(blocks.as_ptr().cast_mut(), Ordering::Release);
    }
    Ok(())
}

#[inline(always)]
fn number_of(addr: u64) -> &'static AtomicU32 {
    let region = sync_bits::group_of(addr);
    // Acquire, as for the halves: with the store in `reserve`, for who is not ordered after it otherwise.
    // SAFETY: set by `reserve`, before the runtime is up; there are as many as regions.
    unsafe { &*NUMBERS.load(Ordering::Acquire).add(region) }
}

/// The block of a number of a region, if it is that of one.
#[inline(always)]
fn block_of(number: u32, addr: u64) -> Option<&'static Block> {
    let block = number.checked_sub(WANTED)?;
    let half = &HALVES[(addr >> 2 & 1) as usize];
    // SAFETY: set by `reserve`; numbers that were put there are of blocks that there are.
    Some(unsafe { &*half.load(Ordering::Acquire).add(block as usize) })
}

/// Where it is kept what the atomic at this address holds, if it is; those of the same half of a word share that.
#[inline(always)]
pub(super) fn place_of(addr: u64) -> Option<&'static AtomicU64> {
    let number = number_of(addr).load(Ordering::Relaxed);
    block_of(number, addr).map(|block| &block[(addr >> 3) as usize % WORDS])
}

/// What the atomic at this address holds, which has been released to, is `kept` if there is a place for it.
#[inline(always)]
pub(super) fn keep(addr: u64, kept: u64) {
    if let Some(place) = place_of(addr) {
        place.store(kept, Ordering::Relaxed);
    } else {
        is_wanted_less(addr);
    }
}

#[inline(always)]
fn is_wanted_less(addr: u64) {
    let place = number_of(addr);
    let wanted = place.load(Ordering::Relaxed);
    if (1..WANTED).contains(&wanted) {
        let _ = place.compare_exchange(wanted, wanted - 1, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// A load had to look for the record of the atomic at this address, where it was not known what that holds. Where what it has found is to be kept, if anywhere.
#[inline(never)]
pub(super) fn is_wanted(addr: u64) -> Option<&'static AtomicU64> {
    let place = number_of(addr);
    let wanted = place.load(Ordering::Relaxed);
    if wanted < WANTED {
        let next = if wanted + 1 < WANTED {
            wanted + 1
        } else {
            WANTED + new_block(addr)?
        };
        // Who comes second may have wasted a block.
        let _ = place.compare_exchange(wanted, next, Ordering::Relaxed, Ordering::Relaxed);
    }
    place_of(addr)
}

/// A block for the region of this address, if there is one for it.
fn new_block(addr: u64) -> Option<u32> {
    let given = GIVEN.load(Ordering::Relaxed);
    if given >= BLOCKS || given >= FEW_BLOCKS && sync_bits::in_group_of(addr) < MANY {
        return None;
    }
    let number = GIVEN.fetch_add(1, Ordering::Relaxed);
    (number < BLOCKS).then_some(number)
}

/// Nothing is kept any more. As [`super::forget_held`].
pub(super) fn forget() {
    let given = GIVEN.load(Ordering::Relaxed).min(BLOCKS) as usize;
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// So many blocks were given that others are for many words only.
    pub fn there_are_many() {
        GIVEN.fetch_max(FEW_BLOCKS, Ordering::Relaxed);
    }
}
