//! The end of a block, where nothing of what is remembered of its words needs more than a look: all of it is ordered before, as it mostly is.
//!
//! A free is a write to every byte, so of a word whose cell says all there is, it comes after both tags or it is for [`crate::transition::apply`]
//! to decide. Which bytes these tags say, of what kind, and whether the cell is parted, makes no difference.

use crate::line::{Parts, Site};
use crate::line_sites::{SPLIT, changed};
use crate::primitive::Ordering;
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
        let (cells, numbers) = (&parts.cells[first..last], &parts.sites[first..last]);
        let is_split = value & SPLIT != 0;
        if !is_split && value & RECORD != 0 {
            return None;
        }
        let mut records = 0;
        for (cell, number) in cells.iter().zip(numbers) {
            // Relaxed, here and below: under the line's lock.
            let old = ShadowCell(cell.load(Ordering::Relaxed));
            if is_split {
                records |= number.load(Ordering::Relaxed);
            }
            if old != self.before && old != ShadowCell::EMPTY {
                if !is_before(old, known) {
                    return None;
                }
                self.before = old;
            }
        }
        if records & RECORD != 0 {
            return None;
        }
        let freed = ShadowCell::freed(self.tag.epoch());
        for cell in cells {
            cell.store(freed.0, Ordering::Relaxed);
        }
        if cells.len() == 8 || value == 0 || value == self.site {
            return Some(self.site);
        }
        let value = if is_split { value } else { parts.split(value) };
        for number in numbers {
            number.store(self.site, Ordering::Relaxed);
        }
        Some(value)
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
