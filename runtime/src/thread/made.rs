//! What a thread has accessed in its present sync epoch where the cells of the words say what others have: a cell of its own for each of these.
//!
//! A word whose bytes several threads use, or that all read in each of their epochs, has a record, and its cell says what one of them has accessed. All others
//! find in the record that their access is made already, each time. So the check stubs look here first. What was accessed in an epoch stays so while it
//! lasts ([`goldilocks_core::records`] says why who has removed it since has reported the race), unless the thread's memory becomes other memory: then all is
//! forgotten ([`TlsBlock::forget_made`]). Where another thread makes memory fresh that this one has accessed, it comes after this one's epoch, or there was a race.

use crate::tls::TlsBlock;
use core::sync::atomic::{AtomicU64, Ordering};
use goldilocks_core::tag::{ShadowCell, Tag};

/// How many there are at first, and at most: 4 and 32 KiB.
const FIRST: u32 = 256;
const MOST: u32 = 2048;

/// One of those of a thread, by the lower bits of the number of its word. The thread's own, so all of it is relaxed; or its thread stands still.
#[repr(C)]
pub struct MadeCell {
    /// The number of the word, and the block's era.
    key: AtomicU64,
    cell: AtomicU64,
}
// As the stubs have it.
const _: () = assert!(size_of::<MadeCell>() == 16);

/// Where in a key the era is: above the numbers of words.
const ERA: u32 = 44;

impl TlsBlock {
    #[inline(always)]
    fn made_cell(&self, addr: u64) -> Option<(&MadeCell, u64)> {
        let word = addr >> 3;
        let cells = self.made.load(Ordering::Relaxed);
        if cells.is_null() {
            return None;
        }
        let index = word as u32 & self.made_mask.load(Ordering::Relaxed);
        // SAFETY: the thread's own, which go when it ends; as many as the mask says.
        let cell = unsafe { &*cells.wrapping_add(index as usize) };
        Some((cell, word | self.era.load(Ordering::Relaxed)))
    }

    /// Whether the thread has made an access with this tag, whose epoch is its present one, to the word of `addr`, as far as it knows that.
    #[inline(always)]
    pub fn has_made(&self, addr: u64, tag: Tag, write: bool) -> bool {
        let Some((cell, key)) = self.made_cell(addr) else {
            return false;
        };
        let (written, read) = ShadowCell(cell.cell.load(Ordering::Relaxed)).halves();
        let said = if write { written } else { read };
        cell.key.load(Ordering::Relaxed) == key && said.covers(tag, tag.mask())
    }

    /// It has.
    #[inline(always)]
    pub fn note_made(&self, addr: u64, tag: Tag, write: bool) {
        let Some((cell, key)) = self.made_cell(addr) else {
            return;
        };
        let (mut written, mut read) = ShadowCell(cell.cell.load(Ordering::Relaxed)).halves();
        if cell.key.load(Ordering::Relaxed) != key {
            if read.epoch() == tag.epoch() {
                let lost = self.made_lost.load(Ordering::Relaxed).wrapping_add(1);
                self.made_lost.store(lost, Ordering::Relaxed);
            }
            (written, read) = (Tag::NONE, Tag::NONE);
        }
        let joined = |old: Tag| {
            if old.epoch_bits() == tag.epoch_bits() {
                tag.with_mask(old.mask() | tag.mask())
            } else {
                tag
            }
        };
        read = joined(read);
        if write {
            written = joined(written);
        }
        if !tag.is_atomic() {
            self.made_tag
                .store(tag.with_mask(0xff).0, Ordering::Relaxed);
        }
        cell.key.store(key, Ordering::Relaxed);
        let both = ShadowCell::tags(written, read);
        cell.cell.store(both.0, Ordering::Relaxed);
    }

    /// Some of the thread's memory is other memory from now on, or epoch ids mean something else.
    #[inline(always)]
    pub fn forget_made(&self) {
        let era = self.era.load(Ordering::Relaxed).wrapping_add(1 << ERA);
        self.era.store(era, Ordering::Relaxed);
        if era == 0 {
            self.clear_made();
        }
    }
    #[cold]
    fn clear_made(&self) {
        let cells = self.made_cells().iter();
        cells.for_each(|cell| cell.cell.store(0, Ordering::Relaxed));
    }

    fn made_cells(&self) -> &[MadeCell] {
        let cells = self.made.load(Ordering::Relaxed);
        if cells.is_null() {
            return &[];
        }
        let count = 1 + self.made_mask.load(Ordering::Relaxed) as usize;
        // SAFETY: as above.
        unsafe { core::slice::from_raw_parts(cells, count) }
    }

    /// Cells for the thread that has just begun.
    pub fn begin_made(&self) {
        self.set_made(FIRST);
    }

    /// So many cells, which say nothing, in place of those that there are.
    fn set_made(&self, count: u32) {
        self.end_made();
        // SAFETY: numbers; a cell of zeroes says nothing of any word.
        let cells: Box<[MadeCell]> = unsafe { Box::new_zeroed_slice(count as usize).assume_init() };
        self.made_mask.store(count - 1, Ordering::Relaxed);
        self.made
            .store(Box::into_raw(cells).cast(), Ordering::Relaxed);
    }

    /// Makes room for more of them if many have taken the place of others of the same epoch. By the thread itself, inside of the runtime.
    #[inline(always)]
    pub fn balance_made(&self) {
        let (lost, mask) = (&self.made_lost, &self.made_mask);
        if lost.load(Ordering::Relaxed) > 4 * mask.load(Ordering::Relaxed) {
            self.grow_made();
        }
    }
    #[cold]
    fn grow_made(&self) {
        self.made_lost.store(0, Ordering::Relaxed);
        let count = self.made_cells().len() as u32;
        if (1..MOST).contains(&count) {
            self.set_made(2 * count);
        }
    }

    /// The thread has ended.
    pub fn end_made(&self) {
        let cells = self.made_cells();
        let cells = core::ptr::slice_from_raw_parts_mut(cells.as_ptr().cast_mut(), cells.len());
        self.made_tag.store(0, Ordering::Relaxed);
        let there = self.made.swap(core::ptr::null_mut(), Ordering::Relaxed);
        if !there.is_null() {
            // SAFETY: made by `set_made`, and nobody looks any more.
            drop(unsafe { Box::from_raw(cells) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goldilocks_core::epoch::EpochId;

    fn tag(epoch: u32, mask: u8) -> Tag {
        Tag::new(EpochId(epoch), false, mask)
    }

    #[test]
    fn what_is_noted_is_known_until_it_is_forgotten() {
        let block = TlsBlock::default();
        block.note_made(0x1008, tag(5, 1), false);
        assert!(!block.has_made(0x1008, tag(5, 1), false), "it has no cells");
        block.begin_made();
        block.note_made(0x1008, tag(5, 0x0f), false);
        assert!(block.has_made(0x100c, tag(5, 0x03), false));
        for (addr, other, write) in [
            (0x1008, tag(5, 0x1f), false),
            (0x1008, tag(5, 0x01), true),
            (0x1008, tag(6, 0x01), false),
            (0x1008, Tag::new(EpochId(5), true, 1), false),
            (0x1008 + 8 * FIRST as u64, tag(5, 0x01), false),
        ] {
            assert!(!block.has_made(addr, other, write));
        }
        block.note_made(0x1008, tag(5, 0xf0), true);
        assert!(block.has_made(0x1008, tag(5, 0xff), false));
        assert!(block.has_made(0x1008, tag(5, 0xf0), true));
        assert!(!block.has_made(0x1008, tag(5, 0x01), true));
        // Another epoch's says nothing of the one before.
        block.note_made(0x1008, tag(6, 0x01), false);
        assert!(!block.has_made(0x1008, tag(6, 0x10), true));
        assert!(!block.has_made(0x1008, tag(6, 0x02), false));
        block.note_made(0x1008, tag(6, 0x02), true);
        assert!(!block.has_made(0x1008, tag(6, 0x10), true));
        for _ in 0..1 << (u64::BITS - ERA) {
            block.forget_made();
            assert!(!block.has_made(0x1008, tag(6, 0x02), true));
        }
        block.end_made();
        assert!(!block.has_made(0x1008, tag(6, 0x02), true));
    }

    #[test]
    fn there_are_more_where_many_are_needed() {
        const WORDS: u64 = 1000;
        let block = TlsBlock::default();
        block.begin_made();
        let known = || {
            let words = 0..WORDS;
            words
                .filter(|word| block.has_made(8 * word, tag(3, 1), true))
                .count() as u64
        };
        for _ in 0..40 {
            for word in 0..WORDS {
                block.note_made(8 * word, tag(3, 1), true);
                block.balance_made();
            }
        }
        assert_eq!(known(), WORDS);
        // Those of other epochs make no others lose their place.
        let before = block.made_cells().len();
        for epoch in 4..12_000 {
            block.note_made(8 * (epoch as u64 % 2 * 4096), tag(epoch, 1), true);
            block.balance_made();
        }
        assert_eq!(block.made_cells().len(), before);
        block.end_made();
    }
}
