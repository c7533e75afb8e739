//! Where a line keeps the sites of its accesses: one for all in its word, or one for each of its eight words.
//!
//! A word whose accesses have more sites than two, or do not fit its cell, has a record ([`crate::records`]), and its number says which.
//! Other cells have up to two sites, of its write and of its read. Both fit 30 bits: where they differ, the number is that of the pair
//! (bit 29), of which there are few. Where only one of the two accesses is remembered, the other's site is the same, so that it
//! does not make a pair. Of a parted cell ([`crate::tag::Form::Parted`]), they are the sites of its earlier access and of its newer one. Most
//! arrays have one number per line, most objects one per word.

use crate::line::{Line, Parts, Site, Sites};
use crate::primitive::Ordering;
use crate::primitive::shadow::AtomicU32;
use crate::records::RECORD;
use crate::tag::ShadowCell;
use crate::transition::live;
use std::cell::Cell;
use std::ops::Range;

/// In a line's word: each word has its own.
pub const SPLIT: u32 = 1 << 30;
/// The number is that of a pair.
pub const PAIR: u32 = 1 << 29;

/// In the word of a line that is split: counts how often somebody may have changed records of its words, for who looks at one without the lock.
///
/// It begins anew when the line is split again. Between two looks at the word, a line is made one only by a write of all of it or because its
/// memory is freed, either of which races with the access that is just being made. To be taken for the same it then has to be split, come to
/// the same count, and give the word the same record, all between the two looks: then that one race could go unsaid, and nothing else.
/// What is exchanged meanwhile ([`crate::records::READERS`]) is no other word's.
const CHANGES: u32 = PAIR - 1;

/// The word of a line after somebody may have changed a record.
#[inline(always)]
pub(crate) fn changed(value: u32) -> u32 {
    if value & SPLIT == 0 {
        value
    } else {
        SPLIT | (value + 1) & CHANGES
    }
}

const MEMO: usize = 512;

/// A hash all of whose bits depend on all of `bits`.
#[inline(always)]
fn spread(bits: u64) -> u64 {
    let product = (bits ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ product >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The pairs that a thread has met lately. Most threads meet few; one in a program that calls itself in many ways meets thousands, which it would
/// find elsewhere only by way of cache misses.
pub struct PairMemo {
    /// By the upper bits of their keys; a power of two.
    pairs: Box<[Cell<Pair>]>,
    /// The number of the key's other bits.
    shift: u8,
    /// Pairs found elsewhere since there is room for so many.
    missed: Cell<u32>,
}

/// The sites of a write and a read, and their number.
type Pair = (Site, Site, u32);

/// Bits of the number of pairs, at first and at most.
const FIRST_BITS: u32 = 9;
const LAST_BITS: u32 = 13;
/// Of so many misses by place, the next ones are worth more room.
const PATIENCE: usize = 4;

impl Default for PairMemo {
    fn default() -> PairMemo {
        PairMemo {
            pairs: PairMemo::none(FIRST_BITS),
            shift: (u64::BITS - FIRST_BITS) as u8,
            missed: Cell::new(0),
        }
    }
}

impl PairMemo {
    /// Room for pairs.
    fn none(bits: u32) -> Box<[Cell<Pair>]> {
        // Not by way of the stack, of which a thread may have little.
        // SAFETY: all zeroes is no pair: its sites are the same.
        unsafe { Box::new_zeroed_slice(1 << bits).assume_init() }
    }
    #[inline(always)]
    fn key(write: Site, read: Site) -> u64 {
        spread(((write as u64) << 32 | read as u64) ^ 1 << 63)
    }
    #[inline(always)]
    fn place(&self, key: u64) -> &Cell<Pair> {
        // SAFETY: a key has no more bits than that.
        unsafe { self.pairs.get_unchecked((key >> self.shift) as usize) }
    }

    /// The number for these sites, if the thread or somebody else remembers it.
    #[inline(always)]
    pub(crate) fn find(&self, write: Site, read: Site, sites: &impl Sites) -> Option<u32> {
        if write == read {
            return Some(write);
        }
        let key = Self::key(write, read);
        let place = self.place(key);
        let (of_write, of_read, number) = place.get();
        if (of_write, of_read) == (write, read) {
            return Some(number);
        }
        let found = sites.recall(key)?;
        place.set((write, read, found));
        self.missed.set(self.missed.get().wrapping_add(1));
        Some(found)
    }

    #[inline]
    pub(crate) fn number(&self, write: Site, read: Site, sites: &dyn Sites) -> u32 {
        if write == read {
            return write;
        }
        let key = Self::key(write, read);
        let place = self.place(key);
        let mut pair = place.get();
        if (pair.0, pair.1) != (write, read) {
            pair = (write, read, PAIR | sites.pair(write, read));
            place.set(pair);
            sites.note(key, pair.2);
        }
        pair.2
    }

    /// Makes room for more if many were found elsewhere.
    #[inline(always)]
    pub(crate) fn grow_if_needed(&mut self) {
        if self.missed.get() as usize >= PATIENCE * self.pairs.len() {
            self.grow();
        }
    }
    #[cold]
    fn grow(&mut self) {
        self.missed.set(0);
        let bits = u64::BITS - self.shift as u32;
        if bits == LAST_BITS {
            return;
        }
        let before = std::mem::replace(&mut self.pairs, PairMemo::none(bits + 1));
        self.shift -= 1;
        for pair in before.iter().map(Cell::get).filter(|pair| pair.0 != pair.1) {
            self.place(Self::key(pair.0, pair.1)).set(pair);
        }
    }
}

/// The sites of several bytes' accesses that a thread has made one lately: what was combined, and the result.
pub struct CombineMemo(Box<[(SiteOf, SiteOf, Site); MEMO]>);

/// A site and the bytes of a word that it is for.
type SiteOf = (Site, u8);

impl Default for CombineMemo {
    fn default() -> CombineMemo {
        // SAFETY: all zeroes combines no bytes, which is never asked for. Not by way of the stack, as above.
        CombineMemo(unsafe { Box::new_zeroed().assume_init() })
    }
}

impl CombineMemo {
    #[inline(always)]
    fn key(old: SiteOf, new: SiteOf) -> u64 {
        let masks = (old.1 as u64) << 8 | new.1 as u64;
        spread(spread((old.0 as u64) << 32 | new.0 as u64) ^ masks)
    }
    #[inline(always)]
    fn slot(key: u64) -> usize {
        (key >> 55) as usize % MEMO
    }

    /// The combined site, if the thread or somebody else remembers it.
    #[inline(always)]
    pub(crate) fn find(&self, old: SiteOf, new: SiteOf, sites: &impl Sites) -> Option<Site> {
        let key = Self::key(old, new);
        // SAFETY: the slot is below the length.
        let entry = unsafe { self.0.get_unchecked(Self::slot(key)) };
        if entry.0 == old && entry.1 == new {
            return Some(entry.2);
        }
        sites.recall(key)
    }

    /// See [`Sites::combine`].
    pub fn get(&mut self, old: SiteOf, new: SiteOf, sites: &impl Sites) -> Site {
        let key = Self::key(old, new);
        let entry = &mut self.0[Self::slot(key)];
        if (entry.0, entry.1) != (old, new) {
            *entry = (old, new, sites.combine(old.0, old.1, new.0, new.1));
            sites.note(key, entry.2);
        }
        entry.2
    }
}

impl Parts<'_> {
    /// From now on each word has its own number, which was `value` for all. Returns what the line's word becomes.
    #[inline(always)]
    pub(crate) fn split(self, value: u32) -> u32 {
        for number in self.sites {
            // Relaxed: under the line's lock.
            number.store(value, Ordering::Relaxed);
        }
        SPLIT
    }
}

impl Line<'_> {
    fn number(&self, cell: usize) -> u32 {
        if self.value & SPLIT == 0 {
            self.value
        } else {
            // Relaxed: under the line's lock.
            self.parts.sites[cell].load(Ordering::Relaxed)
        }
    }

    /// The number of a word that has a record.
    pub(crate) fn record_number(&self, cell: usize) -> Option<u32> {
        let number = self.number(cell);
        (number & RECORD != 0).then_some(number)
    }

    /// Whether some of these words have records.
    pub(crate) fn has_records(&self, cells: Range<usize>) -> bool {
        has_records(self.value, &self.parts.sites[cells])
    }

    /// The site of the write, or the read, of a cell without a record that has not changed since its sites were placed.
    pub(crate) fn site(&self, cell: usize, write: bool) -> Site {
        let (of_write, of_read) = self.sites_of(cell);
        if write { of_write } else { of_read }
    }

    /// The sites of the write and the read of such a cell.
    pub(crate) fn sites_of(&self, cell: usize) -> (Site, Site) {
        let number = self.number(cell);
        debug_assert!(number & RECORD == 0);
        if number & PAIR == 0 {
            (number, number)
        } else {
            self.sites.split(number & !PAIR)
        }
    }

    /// Stores the sites of a cell's write and read; where there is only one of these, the same one twice. A record that it had is given back.
    #[inline]
    pub(crate) fn place(&mut self, cell: usize, write: Site, read: Site) {
        let number = self.memos.pairs.number(write, read, self.sites);
        if self.value == number {
            return;
        }
        if self.value == 0 && number != 0 {
            // No cell has a site yet (an unknown one is written down as such, below).
            self.value = number;
            return;
        }
        self.place_number(cell, number);
    }

    /// Stores the number of a word's sites, or of its record; another record that it had is given back.
    pub(crate) fn place_number(&mut self, cell: usize, number: u32) {
        self.split_sites();
        let place = &self.parts.sites[cell];
        let before = place.load(Ordering::Relaxed);
        if before != number {
            place.store(number, Ordering::Relaxed);
            if before & RECORD != 0 {
                self.give_back(cell, before);
            }
        }
    }

    /// Gives back the record of a word that had this number.
    #[cold]
    fn give_back(&self, cell: usize, number: u32) {
        self.take_back(cell, number);
        self.slab.release_record(number);
    }

    /// What threads keep to themselves of a word whose record has this number, and is to say all, is there again ([`crate::kept`]).
    pub(crate) fn take_back(&self, cell: usize, number: u32) {
        let record = self.slab.record(number);
        record.take_back(self.epochs, &self.parts.cells[cell], None);
    }

    /// Stores the site of the read of a cell without a record, which is to become `next`; the write keeps its own.
    pub(crate) fn place_read(&mut self, cell: usize, site: Site, next: ShadowCell) {
        let write = match live(next) {
            (0, _) => site,
            _ => self.site(cell, true),
        };
        self.place(cell, write, site);
    }

    /// From now on each word has its own sites.
    pub(crate) fn split_sites(&mut self) {
        if self.value & SPLIT == 0 {
            self.value = self.parts.split(self.value);
        }
    }

    /// Stores one site for everything that the line remembers, which is nothing in records.
    pub(crate) fn place_all(&mut self, site: Site) {
        self.release_records();
        self.value = site;
    }

    /// Gives back the records of all words. The line will not be split any more: so who looks at one of them finds another word of the
    /// line ([`CHANGES`]).
    #[inline]
    fn release_records(&self) {
        if self.has_records(0..8) {
            for (cell, place) in self.parts.sites.iter().enumerate() {
                // Relaxed: under the lock.
                let number = place.load(Ordering::Relaxed);
                place.store(0, Ordering::Relaxed);
                if number & RECORD != 0 {
                    self.give_back(cell, number);
                }
            }
        }
    }

    /// The cells `from..to` have been freed at `site`.
    pub(crate) fn freed_at(&mut self, from: usize, to: usize, site: Site) {
        if (from, to) == (0, 8) {
            self.place_all(site);
        } else if self.value & SPLIT == 0 || self.has_records(from..to) {
            (from..to).for_each(|cell| self.place(cell, site, site));
        } else {
            // Relaxed: under the lock.
            let numbers = &self.parts.sites[from..to];
            numbers
                .iter()
                .for_each(|number| number.store(site, Ordering::Relaxed));
        }
    }

    /// Forgets the sites when no cell needs them any more.
    pub(crate) fn drop_unused_sites(&mut self) {
        if self.value != 0 && (0..8).all(|cell| self.load(cell) == ShadowCell::EMPTY) {
            self.place_all(0);
        }
    }
}

/// Whether words of a line with this word and these numbers have records.
#[inline(always)]
pub(crate) fn has_records(word: u32, numbers: &[AtomicU32]) -> bool {
    // Relaxed: under the line's lock, or as good as any.
    let all = |all, number: &AtomicU32| all | number.load(Ordering::Relaxed);
    word & SPLIT != 0 && numbers.iter().fold(0, all) & RECORD != 0
}
