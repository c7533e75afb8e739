//! Spilled entries: what is remembered of a line's words beyond the write and the read that each cell says itself.
//!
//! Fields of one word that are written in different epochs need this, and readers of different bytes. A cell keeps the entries
//! of the latest access, so that compiled code's same-epoch check finds these; what they displace is spilled to a chain of
//! units that the whole line shares. The line's word then says [`SPLIT`] and the first unit, and the number of
//! the sites of each word that has spilled entries says [`SPILLED`]. A word with more than [`MOST`] of them gets a side record.
//!
//! An entry of a unit: the tag, then the site in bits 32-59, the cell in bits 60-62, and bit 63 says write.

use crate::line::{Entry, LOCK, Line, SITE_MASK, Site};
use crate::line_sites::SPLIT;
use crate::primitive::shadow::AtomicU32;
use crate::primitive::{Ordering, fence};
use crate::slab::{Head, Slab, Unit};
use crate::tag::Tag;
use std::mem::MaybeUninit;

/// In the number of a word's sites: it has spilled entries.
pub const SPILLED: u32 = 1 << 30;
/// Entries of one word that are spilled, at most.
pub(crate) const MOST: usize = 10;
/// Entries that must fit a unit before a word without entries there gets some.
const ROOM_FOR_ANOTHER: usize = 3;
/// Units of a line that are looked through without its lock, at most.
const LOOKED_THROUGH: usize = 12;

/// A spilled entry.
#[derive(Clone, Copy)]
pub(crate) struct Spilled(pub(crate) u64);

impl Spilled {
    const WRITE: u64 = 1 << 63;

    #[inline(always)]
    pub(crate) fn new(cell: usize, entry: Entry) -> Spilled {
        debug_assert!(entry.site <= SITE_MASK);
        let write = if entry.write { Self::WRITE } else { 0 };
        Spilled(entry.tag.0 as u64 | (entry.site as u64) << 32 | (cell as u64) << 60 | write)
    }
    #[inline(always)]
    pub(crate) fn tag(self) -> Tag {
        Tag(self.0 as u32)
    }
    #[inline(always)]
    pub(crate) fn with_tag(self, tag: Tag) -> Spilled {
        Spilled(self.0 & !0xffff_ffff | tag.0 as u64)
    }
    #[inline(always)]
    pub(crate) fn cell(self) -> usize {
        (self.0 >> 60 & 7) as usize
    }
    #[inline(always)]
    pub(crate) fn is_write(self) -> bool {
        self.0 & Self::WRITE != 0
    }
    #[inline(always)]
    pub(crate) fn site(self) -> Site {
        (self.0 >> 32) as u32 & SITE_MASK
    }
    /// The same access, in the epoch of `tag` and from `site`.
    #[inline(always)]
    pub(crate) fn refreshed(self, tag: Tag, site: Site) -> Spilled {
        debug_assert!(site <= SITE_MASK);
        Spilled(
            self.0 & !((SITE_MASK as u64) << 32 | 0xffff_ffff) | tag.0 as u64 | (site as u64) << 32,
        )
    }
    /// A write of the same bytes.
    #[inline(always)]
    pub(crate) fn written(self) -> Spilled {
        Spilled(self.0 | Self::WRITE)
    }
    fn entry(self) -> Entry {
        Entry {
            tag: self.tag(),
            write: self.is_write(),
            site: self.site(),
        }
    }
}

/// Adds an entry to a unit that has room for it.
#[inline(always)]
pub(crate) fn push(unit: &Unit, entry: Spilled) {
    let len = unit.len();
    unit.set(len, entry.0);
    unit.set_len_of(len + 1, entry.cell(), true);
}

/// Removes an entry of `cell`; the last one takes its place.
#[inline(always)]
pub(crate) fn remove(unit: &Unit, index: usize, cell: usize) {
    let last = unit.len() - 1;
    unit.set(index, unit.get(last));
    let any = (0..last).any(|index| Spilled(unit.get(index)).cell() == cell);
    unit.set_len_of(last, cell, any);
}

/// The unit of the line with this word to which an entry of `cell` is best added: one that has such entries, so that few units have to be
/// looked at for a cell, or else the one with the most room. With its room, which may be 0.
#[inline(always)]
pub(crate) fn roomiest(slab: &Slab, first: u32, cell: usize) -> (u32, usize) {
    let (mut best, mut most) = (first, 0);
    let mut at = first;
    while at != 0 {
        let head = slab.unit_unchecked(at).head();
        let room = Unit::ROOM - head.len();
        if room > 0 && head.has(cell) {
            return (at, room);
        }
        if room > most {
            (best, most) = (at, room);
        }
        at = head.next();
    }
    (best, most)
}

/// Changes an entry.
#[inline(always)]
pub(crate) fn change(unit: &Unit, index: usize, entry: Spilled) {
    unit.set(index, entry.0);
    unit.set_len(unit.len());
}

/// The units of a line that were looked through without its lock, with their heads at that time.
///
/// They were the line's then, and unchanged since, if the line's word and the heads on the way are found the same afterwards: a
/// unit that was given away meanwhile has another version.
pub(crate) struct Walked {
    // Not initialized: that would take a vector register, see `quick`.
    heads: [MaybeUninit<Head>; LOOKED_THROUGH],
    depth: usize,
}

impl Walked {
    #[inline(always)]
    pub(crate) fn new() -> Walked {
        Walked {
            heads: [const { MaybeUninit::uninit() }; LOOKED_THROUGH],
            depth: 0,
        }
    }
    /// The next unit; `None` if it cannot be one, or if there were too many.
    #[inline(always)]
    pub(crate) fn enter<'s>(&mut self, slab: &'s Slab, at: u32) -> Option<(&'s Unit, Head)> {
        if self.depth == LOOKED_THROUGH || at as usize >= slab.len() {
            return None;
        }
        let unit = slab.unit_unchecked(at);
        let head = unit.head();
        // SAFETY: below the length.
        unsafe { self.heads.get_unchecked_mut(self.depth) }.write(head);
        self.depth += 1;
        // A stale unit may be a side record's or anything: no more entries than there is room for.
        (head.len() <= Unit::ROOM).then_some((unit, head))
    }
    /// Whether nothing has changed in the units since, which began with `first`.
    #[inline(always)]
    pub(crate) fn is_unchanged(&self, slab: &Slab, first: u32) -> bool {
        fence(Ordering::Acquire);
        let mut at = first;
        for level in 0..self.depth {
            // SAFETY: written by `enter`.
            let head = unsafe { self.heads.get_unchecked(level).assume_init() };
            if slab.unit_unchecked(at).head() != head {
                return false;
            }
            at = head.next();
        }
        true
    }
}

/// SC0 without the line's lock: whether a spilled entry of `cell` says that an access of bytes `tag.mask()` under the present epoch of
/// the running thread, `tag`, was made already. Only the thread itself makes entries of its present epoch, so one that was the line's
/// at any moment from now on is as good as a cell's tag. `word` is the line's.
#[inline(always)]
pub(crate) fn covers(word: &AtomicU32, slab: &Slab, cell: usize, tag: Tag, write: bool) -> bool {
    // Acquire: what is read later is no older.
    let first = first_unit(word.load(Ordering::Acquire));
    let mut walked = Walked::new();
    let mut at = first;
    while at != 0 {
        let Some((unit, head)) = walked.enter(slab, at) else {
            return false;
        };
        let len = if head.has(cell) { head.len() } else { 0 };
        for index in 0..len {
            let entry = Spilled(unit.get(index));
            if entry.cell() == cell
                && entry.tag().covers(tag, tag.mask())
                && (entry.is_write() || !write)
            {
                return walked.is_unchanged(slab, first)
                    && first_unit(word.load(Ordering::Relaxed) & !LOCK) == first;
            }
        }
        at = head.next();
    }
    false
}

/// The first unit of a line with this word, locked or not; 0 if it has none.
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
        if self.has_spilled(cell) {
            each_of(self.slab, self.value, cell, |spilled| {
                entries.push(spilled.entry());
            });
        }
    }

    /// How many of the spilled entries of `cell` are reads.
    pub(crate) fn spilled_reads(&self, cell: usize) -> usize {
        let mut count = 0;
        if self.has_spilled(cell) {
            each_of(self.slab, self.value, cell, |spilled| {
                count += !spilled.is_write() as usize
            });
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
        let (mut unit, room) = roomiest(self.slab, first_unit(self.value), cell);
        // A word that is new to the unit needs room for more.
        if room == 0 || room < ROOM_FOR_ANOTHER && !self.slab.unit(unit).head().has(cell) {
            unit = self.slab.allocate(self.near());
            self.slab.unit(unit).set_next(first_unit(self.value));
            self.value = SPLIT | unit;
        }
        push(self.slab.unit(unit), Spilled::new(cell, entry));
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
            next = self.slab.unit(this).next();
            self.slab.release(this, self.near());
        }
    }

    /// Removes the spilled entries of `cell`. Units stay where they are: what is spilled once is mostly spilled again.
    fn remove_spilled(&mut self, cell: usize) {
        let number = &self.parts.sites[cell];
        number.store(number.load(Ordering::Relaxed) & !SPILLED, Ordering::Relaxed);
        let mut next = first_unit(self.value);
        while next != 0 {
            let unit = self.slab.unit(next);
            let head = unit.head();
            for index in (0..head.len()).rev().filter(|_| head.has(cell)) {
                if Spilled(unit.get(index)).cell() == cell {
                    remove(unit, index, cell);
                }
            }
            next = head.next();
        }
    }

    /// Removes the spilled entries of `cell`, and units that are empty then.
    pub(crate) fn forget_spilled(&mut self, cell: usize) {
        self.remove_spilled(cell);
        let (mut first, mut before) = (first_unit(self.value), 0);
        let mut this = first;
        while this != 0 {
            let unit = self.slab.unit(this);
            let next = unit.next();
            if unit.len() > 0 {
                before = this;
            } else {
                if before == 0 {
                    first = next;
                } else {
                    self.slab.unit(before).set_next(next);
                }
                self.slab.release(this, self.near());
            }
            this = next;
        }
        self.value = SPLIT | first;
    }
}

/// Visits the spilled entries of the line with this word. The line is locked or stands still.
fn each(slab: &Slab, word: u32, visit: impl FnMut(Spilled)) {
    let mut visit = visit;
    let mut next = first_unit(word);
    while next != 0 {
        let unit = slab.unit(next);
        (0..unit.len()).for_each(|index| visit(Spilled(unit.get(index))));
        next = unit.next();
    }
}

/// As [`each`], those of `cell`.
fn each_of(slab: &Slab, word: u32, cell: usize, visit: impl FnMut(Spilled)) {
    let mut visit = visit;
    let mut next = first_unit(word);
    while next != 0 {
        let unit = slab.unit(next);
        let head = unit.head();
        let entries = (0..head.len()).map(|index| Spilled(unit.get(index)));
        if head.has(cell) {
            entries
                .filter(|entry| entry.cell() == cell)
                .for_each(&mut visit);
        }
        next = head.next();
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
        next = slab.unit(next).next();
    }
    each(slab, word, |spilled| visit_tag(spilled.tag()));
}
