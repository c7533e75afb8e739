//! The end of a block, where nothing of what is remembered of its words needs more than a look: all of it is ordered before, as it mostly is.
//!
//! A free is a write to every byte, so of a word whose cell says all there is, it comes after both tags or it is for [`crate::transition::apply`]
//! to decide. Which bytes these tags say, of what kind, and whether the cell is parted, makes no difference.

use crate::line::{Parts, Site};
use crate::line_sites::{SPLIT, changed, has_records};
use crate::primitive::Ordering;
use crate::primitive::shadow::{AtomicU32, AtomicU64};
use crate::quick::Known;
use crate::records::RECORD;
use crate::tag::{ShadowCell, Tag};
use crate::transition::Order;

/// The end of a block by a thread, as far as it is the same for all words.
pub(crate) struct Freeing {
    /// Present epoch of the thread.
    tag: Tag,
    site: Site,
    /// A cell that is known to say nothing but what is ordered before.
    before: ShadowCell,
}

impl Freeing {
    pub(crate) fn new(tag: Tag, site: Site) -> Freeing {
        Freeing {
            tag,
            site,
            before: ShadowCell::EMPTY,
        }
    }

    /// Marks the words `first..last` of a locked line with this word as freed. What its word becomes; `None`, and nothing was done, if one of
    /// them is not simple.
    #[inline(always)]
    pub(crate) fn words<T>(
        &mut self,
        parts: Parts<'_>,
        value: u32,
        known: &mut Known<'_, T>,
        (first, last): (usize, usize),
    ) -> Option<u32> {
        if (first, last) == (0, 8) {
            let is_done = self.cells(parts.cells, parts.sites, value, known);
            return is_done.then_some(self.site);
        }
        let (cells, numbers) = (&parts.cells[first..last], &parts.sites[first..last]);
        if !self.cells(cells, numbers, value, known) {
            return None;
        }
        if value == 0 || value == self.site {
            return Some(self.site);
        }
        let is_split = value & SPLIT != 0;
        let value = if is_split { value } else { parts.split(value) };
        for number in numbers {
            number.store(self.site, Ordering::Relaxed);
        }
        Some(value)
    }

    /// Marks these cells, which have these numbers, if they are simple.
    #[inline(always)]
    fn cells<T>(
        &mut self,
        cells: &[AtomicU64],
        numbers: &[AtomicU32],
        value: u32,
        known: &mut Known<'_, T>,
    ) -> bool {
        if value & SPLIT == 0 && value & RECORD != 0 || has_records(value, numbers) {
            return false;
        }
        if !self.are_like_before(cells) {
            for cell in cells {
                // Relaxed, here and below: under the line's lock.
                let old = ShadowCell(cell.load(Ordering::Relaxed));
                if old != self.before {
                    if old != ShadowCell::EMPTY && !is_before(old, known) {
                        return false;
                    }
                    self.before = old;
                }
            }
        }
        let freed = ShadowCell::freed(self.tag.epoch());
        for cell in cells {
            cell.store(freed.0, Ordering::Relaxed);
        }
        true
    }

    /// Whether the cells of a whole line say what the one before them said. Mostly they say nothing, or all the same.
    #[inline(always)]
    fn are_like_before(&self, cells: &[AtomicU64]) -> bool {
        let others = |others, cell: &AtomicU64| {
            // Relaxed: under the line's lock.
            others | cell.load(Ordering::Relaxed) ^ self.before.0
        };
        <&[AtomicU64; 8]>::try_from(cells).is_ok_and(|line| line.iter().fold(0, others) == 0)
    }

    /// As [`Freeing::words`], of the words of `from..to`, which is part of a line and begins and ends with a word. Whether it is done.
    #[inline(always)]
    pub(crate) fn in_line<T>(
        &mut self,
        parts: Parts<'_>,
        known: &mut Known<'_, T>,
        (from, to): (u64, u64),
    ) -> bool {
        let first = (from >> 3 & 7) as usize;
        let Some(value) = parts.lock_soon() else {
            return false;
        };
        let last = first + ((to - from) >> 3) as usize;
        let next = self.words(parts, value, known, (first, last));
        // Release: as `Line`'s end.
        parts
            .word
            .store(next.map_or(value, changed), Ordering::Release);
        next.is_some()
    }
}

/// Whether everything that a cell says is known to be ordered before. No for what is freed, or elsewhere.
#[inline(always)]
fn is_before<T>(cell: ShadowCell, known: &mut Known<'_, T>) -> bool {
    let (w, r) = cell.halves();
    if r.mask() == 0 {
        return false;
    }
    let mut before = |tag: Tag| known.before(tag) || known.set_before(tag);
    // Of a parted cell, the write half is the earlier access, whose bytes it does not say.
    (w == Tag::NONE || before(w)) && (r.epoch_bits() == w.epoch_bits() || before(r))
}
