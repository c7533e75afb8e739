//! Spilled entries: what is remembered of a line's words beyond the write and the read that each cell says itself.
//!
//! Fields of one word that are written in different epochs need this, and readers of different bytes. A cell keeps the entries
//! of the latest access, so that compiled code's same-epoch check finds these; what they displace is spilled to a chain of
//! units that the whole line shares. The line's word then says [`SPLIT`] and the first unit, and the number of
//! the sites of each word that has spilled entries says [`SPILLED`]. A word with more than [`MOST`] of them gets a side record.
//!
//! A unit: word 0 is the number of its entries (bits 0-7) and their cells (3 bits each, from bit 8), word 1 the next unit or
//! 0, then up to seven entries of a tag and a site, whose bit 31 says write.

use crate::line::{Entry, LOCK, Line, SITE_MASK};
use crate::line_sites::SPLIT;
use crate::slab::{Slab, Unit};
use crate::tag::Tag;
use std::sync::atomic::Ordering;

/// In the number of a word's sites: it has spilled entries.
pub(crate) const SPILLED: u32 = 1 << 30;
/// Entries of one word that are spilled, at most.
pub(crate) const MOST: usize = 5;
/// Entries in a unit, at most.
pub(crate) const ROOM: usize = 7;

/// A unit of a chain, under the lock of its line. Every access to its words is relaxed for that reason.
#[derive(Clone, Copy)]
pub(crate) struct Spill<'a>(pub(crate) &'a Unit);

impl Spill<'_> {
    #[inline(always)]
    fn word(self, index: usize) -> u32 {
        // SAFETY: a unit has sixteen words; callers' indices are below `2 + 2 * ROOM`.
        unsafe { self.0.0.get_unchecked(index) }.load(Ordering::Relaxed)
    }
    #[inline(always)]
    fn set_word(self, index: usize, value: u32) {
        // SAFETY: as above.
        unsafe { self.0.0.get_unchecked(index) }.store(value, Ordering::Relaxed);
    }
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        (self.word(0) & 0xff) as usize
    }
    #[inline(always)]
    pub(crate) fn next(self) -> u32 {
        self.word(1)
    }
    pub(crate) fn set_next(self, next: u32) {
        self.set_word(1, next);
    }
    #[inline(always)]
    pub(crate) fn cell(self, index: usize) -> usize {
        (self.word(0) >> (8 + 3 * index) & 7) as usize
    }
    #[inline(always)]
    pub(crate) fn tag(self, index: usize) -> Tag {
        Tag(self.word(2 + 2 * index))
    }
    #[inline(always)]
    pub(crate) fn set_tag(self, index: usize, tag: Tag) {
        self.set_word(2 + 2 * index, tag.0);
    }
    #[inline(always)]
    pub(crate) fn is_write(self, index: usize) -> bool {
        self.word(3 + 2 * index) & LOCK != 0
    }
    #[inline(always)]
    pub(crate) fn site(self, index: usize) -> u32 {
        self.word(3 + 2 * index) & SITE_MASK
    }
    pub(crate) fn entry(self, index: usize) -> Entry {
        Entry {
            tag: self.tag(index),
            write: self.is_write(index),
            site: self.site(index),
        }
    }
    /// Adds an entry. There is room for it.
    #[inline(always)]
    pub(crate) fn push(self, cell: usize, entry: Entry) {
        let (head, index) = (self.word(0), self.len());
        debug_assert!(index < ROOM);
        let shift = 8 + 3 * index;
        self.set_word(0, ((head & !(7 << shift)) | (cell as u32) << shift) + 1);
        self.set_tag(index, entry.tag);
        let write = if entry.write { LOCK } else { 0 };
        self.set_word(3 + 2 * index, entry.site | write);
    }
    /// Removes an entry; the last one takes its place.
    #[inline(always)]
    pub(crate) fn remove(self, index: usize) {
        let last = self.len() - 1;
        let head = self.word(0);
        let cell = head >> (8 + 3 * last) & 7;
        let shift = 8 + 3 * index;
        self.set_word(0, ((head & !(7 << shift)) | cell << shift) - 1);
        self.set_word(2 + 2 * index, self.word(2 + 2 * last));
        self.set_word(3 + 2 * index, self.word(3 + 2 * last));
    }
    fn clear(self) {
        self.set_word(0, 0);
        self.set_word(1, 0);
    }
}

/// The first unit of a line with this word; 0 if it has none.
#[inline(always)]
pub(crate) fn first_unit(word: u32) -> u32 {
    if word & SPLIT == 0 {
        0
    } else {
        word & (SPLIT - 1)
    }
}

impl Line<'_> {
    #[inline]
    pub(crate) fn has_spilled(&self, cell: usize) -> bool {
        first_unit(self.value) != 0 && self.parts.sites[cell].load(Ordering::Relaxed) & SPILLED != 0
    }

    /// Appends the spilled entries of `cell`.
    pub(crate) fn decode_spilled(&self, cell: usize, entries: &mut Vec<Entry>) {
        if !self.has_spilled(cell) {
            return;
        }
        let mut next = first_unit(self.value);
        while next != 0 {
            let unit = Spill(self.slab.unit(next));
            let own = (0..unit.len()).filter(|&index| unit.cell(index) == cell);
            entries.extend(own.map(|index| unit.entry(index)));
            next = unit.next();
        }
    }

    /// How many of the spilled entries of `cell` are reads.
    pub(crate) fn spilled_reads(&self, cell: usize) -> usize {
        let mut count = 0;
        let mut next = if self.has_spilled(cell) {
            first_unit(self.value)
        } else {
            0
        };
        while next != 0 {
            let unit = Spill(self.slab.unit(next));
            let reads = |&index: &usize| unit.cell(index) == cell && !unit.is_write(index);
            count += (0..unit.len()).filter(reads).count();
            next = unit.next();
        }
        count
    }

    /// Replaces the spilled entries of `cell`.
    pub(crate) fn spill(&mut self, cell: usize, entries: impl Iterator<Item = Entry>) {
        if self.has_spilled(cell) {
            self.remove_spilled(cell);
        }
        for entry in entries {
            self.push_spilled(cell, entry);
        }
    }

    fn push_spilled(&mut self, cell: usize, entry: Entry) {
        self.split_sites();
        let mut unit = first_unit(self.value);
        while unit != 0 && Spill(self.slab.unit(unit)).len() == ROOM {
            unit = Spill(self.slab.unit(unit)).next();
        }
        if unit == 0 {
            unit = self.slab.allocate(self.near());
            Spill(self.slab.unit(unit)).clear();
            Spill(self.slab.unit(unit)).set_next(first_unit(self.value));
            self.value = SPLIT | unit;
        }
        Spill(self.slab.unit(unit)).push(cell, entry);
        let number = &self.parts.sites[cell];
        number.store(number.load(Ordering::Relaxed) | SPILLED, Ordering::Relaxed);
    }

    /// Gives back the units; no word has entries in them any more.
    pub(crate) fn release_spill(&mut self) {
        let mut next = first_unit(self.value);
        if next == 0 {
            return;
        }
        self.value = SPLIT;
        while next != 0 {
            let this = next;
            next = Spill(self.slab.unit(this)).next();
            self.slab.release(this, self.near());
        }
    }

    /// Removes the spilled entries of `cell`. Units stay where they are: what is spilled once is mostly spilled again.
    fn remove_spilled(&mut self, cell: usize) {
        let number = &self.parts.sites[cell];
        number.store(number.load(Ordering::Relaxed) & !SPILLED, Ordering::Relaxed);
        let mut next = first_unit(self.value);
        while next != 0 {
            let unit = Spill(self.slab.unit(next));
            for index in (0..unit.len()).rev() {
                if unit.cell(index) == cell {
                    unit.remove(index);
                }
            }
            next = unit.next();
        }
    }

    /// Removes the spilled entries of `cell`, and units that are empty then.
    pub(crate) fn forget_spilled(&mut self, cell: usize) {
        self.remove_spilled(cell);
        let (mut first, mut before) = (first_unit(self.value), 0);
        let mut this = first;
        while this != 0 {
            let unit = Spill(self.slab.unit(this));
            let next = unit.next();
            if unit.len() > 0 {
                before = this;
            } else {
                if before == 0 {
                    first = next;
                } else {
                    Spill(self.slab.unit(before)).set_next(next);
                }
                self.slab.release(this, self.near());
            }
            this = next;
        }
        self.value = SPLIT | first;
    }
}

/// Visits the units of the line with this word, and the tags in them. The line is locked or stands still.
pub(crate) fn visit(
    slab: &Slab,
    word: u32,
    mut visit_unit: impl FnMut(u32),
    mut visit_tag: impl FnMut(Tag),
) {
    let mut next = first_unit(word);
    while next != 0 {
        visit_unit(next);
        let unit = Spill(slab.unit(next));
        (0..unit.len()).for_each(|index| visit_tag(unit.tag(index)));
        next = unit.next();
    }
}
