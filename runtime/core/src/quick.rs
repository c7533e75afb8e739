//! The short way of an access through the engine: one word, a cell with tags and maybe spilled entries, everything that conflicts
//! ordered by what the thread knows.
//!
//! It does what [`crate::line::Line::access`] does in these cases, and nothing in all others. Compiled code gets here without
//! having saved its vector registers, so nothing here may use them: no calls, no panics, no copies of more than a word
//! (the build looks at the machine code).

use crate::displace::{World, displace};
use crate::epoch::EpochTable;
use crate::goldilocks::Thread;
use crate::joins::JoinMemo;
use crate::line::{Entry, LOCK, Parts, Site, Sites};
use crate::line_sites::{self, CombineMemo, NumberMemo, PairMemo};
use crate::primitive::Ordering;
use crate::refresh::{self, Refreshed, refresh};
use crate::site_records::{self, MIXED};
use crate::slab::Slab;
use crate::spilled::{SPILLED, first_unit};
use crate::tag::{ShadowCell, Tag};
use crate::transition::{self, Order, Placed, live};
use crate::word_sites::{Live, TwoSites, WordSites};

/// A plain access to bytes of one word.
#[derive(Clone, Copy)]
pub struct WordAccess {
    /// Index of the cell in its line, 0..8.
    pub cell: usize,
    /// Present epoch of the thread, and the bytes.
    pub tag: Tag,
    pub write: bool,
    pub site: u32,
}

/// What a thread knows by heart.
#[derive(Default)]
pub struct Memos {
    pub pairs: PairMemo,
    pub combined: CombineMemo,
    pub joins: JoinMemo,
    pub numbers: NumberMemo,
}

/// What the short way needs beside the line: the engine's tables, and what the thread knows by heart.
pub struct Known<'a, T> {
    pub epochs: &'a EpochTable,
    pub slab: &'a Slab,
    pub thread: &'a Thread,
    /// One reference for all of these, so that an access has registers left.
    pub memos: &'a Memos,
    pub sites: &'a T,
}

impl<T> Known<'_, T> {
    /// SC1: whether the access with this tag was the thread's own.
    #[inline(always)]
    pub(crate) fn is_own(&self, tag: Tag) -> bool {
        self.epochs.lookup(tag.epoch()).0 == self.thread.slot
    }
    /// Whether it is time to move an entry into the cell, where compiled code finds it, although it is remembered elsewhere.
    #[inline(always)]
    pub(crate) fn moves(&self) -> bool {
        let counts = &self.thread.counts;
        (counts.quick + counts.quick_covered + counts.quick_state) & 7 == 7
    }
}

impl<T: Sites> Known<'_, T> {
    /// The sites of the word whose number this is, with or without [`SPILLED`]. Without the line's lock that is a guess if they are in a record.
    #[inline(always)]
    pub(crate) fn word_sites(&self, number: u32) -> WordSites {
        if number & MIXED != 0 {
            self.slab.word_sites(site_records::index_of(number))
        } else {
            let (write, read) = self.sites_of(number & !SPILLED);
            WordSites::of(write, read)
        }
    }
    /// The number of these sites, of which those of `live` count, in place of `present`; a record of that is used again or given back. `None`,
    /// and nothing was done, if the thread does not know it by heart or has no record.
    #[inline(always)]
    fn number_of(&mut self, sites: WordSites, live: Live, present: u32) -> Option<u32> {
        let records = &self.thread.records;
        let is_mixed = present & MIXED != 0;
        if let Some((write, read)) = sites.pair(live) {
            if is_mixed && !records.has_room() {
                return None;
            }
            let number = self.pair(write, read)?;
            if is_mixed {
                records.give(site_records::index_of(present));
            }
            return Some(number);
        }
        let index = if is_mixed {
            site_records::index_of(present)
        } else {
            records.take()?
        };
        self.slab.set_word_sites(index, sites);
        Some(MIXED | index)
    }
    /// The sites of the write and the read whose number this is, which says no record.
    #[inline(always)]
    fn sites_of(&self, number: u32) -> (Site, Site) {
        if number & line_sites::PAIR == 0 {
            (number, number)
        } else {
            self.sites.split(number & !line_sites::PAIR)
        }
    }
    /// The number of the sites of a cell that was `old` with the number `present`, after the access; `None` if the thread does not know it
    /// by heart.
    #[inline(always)]
    fn wanted(
        &mut self,
        (old, next, present): (ShadowCell, ShadowCell, u32),
        WordAccess {
            tag, write, site, ..
        }: WordAccess,
        placed: Placed,
    ) -> Option<u32> {
        if present == site {
            return Some(present);
        }
        if let Placed::Cell | Placed::Read | Placed::Write = placed {
            let key = NumberMemo::key(present, site, write, placed != Placed::Cell);
            if let Some(wanted) = self.memos.numbers.find(key) {
                return Some(wanted);
            }
            let sites = self.sites_of(present);
            let wanted = match placed {
                // What is not in the cell has no site that counts.
                Placed::Cell if write && sites.0 == site || !write && sites.1 == site => present,
                Placed::Cell => site,
                Placed::Write if sites.0 == site => present,
                Placed::Write => self.pair(site, sites.1)?,
                _ if sites.1 == site => present,
                _ => self.pair(sites.0, site)?,
            };
            self.memos.numbers.keep(key, wanted);
            return Some(wanted);
        }
        let (mask, sites) = (tag.mask(), self.sites_of(present));
        let (w, r) = old.halves();
        if placed == Placed::JoinsWrite {
            if sites.0 == site {
                return Some(present);
            }
            let rest = w.mask() & !mask;
            let both = if rest == 0 {
                site
            } else {
                self.combine((sites.0, rest), (site, mask))?
            };
            return if live(next).1 == 0 {
                Some(both)
            } else {
                self.pair(both, sites.1)
            };
        }
        if sites.1 == site {
            return Some(present);
        }
        let read_mask = if w.epoch_bits() == r.epoch_bits() {
            r.mask() & !w.mask()
        } else {
            r.mask()
        };
        let both = self.combine((sites.1, read_mask & !mask), (site, mask))?;
        if w == Tag::NONE {
            Some(both)
        } else {
            self.pair(sites.0, both)
        }
    }
    #[inline(always)]
    fn pair(&self, write: Site, read: Site) -> Option<u32> {
        self.memos.pairs.find(write, read, self.sites)
    }
}

impl<T> Order for Known<'_, T> {
    #[inline(always)]
    fn before(&mut self, tag: Tag) -> bool {
        self.epochs.known_before(self.thread, tag)
    }
}

impl<T: Sites> World for Known<'_, T> {
    type Sites = TwoSites;
    #[inline(always)]
    fn is_set(&self, tag: Tag) -> bool {
        self.epochs.is_set(tag.epoch())
    }
    #[inline(always)]
    fn combine(&mut self, old: (Site, u8), new: (Site, u8)) -> Option<Site> {
        self.memos.combined.find(old, new, self.sites)
    }
    #[inline(always)]
    fn number(&mut self, sites: TwoSites, live: Live) -> Option<u32> {
        let (write, read) = sites.pair(live);
        self.pair(write, read)
    }
}

/// What is known, and the number of a word's sites, which may be in a record.
struct WithRecords<'k, 'a, T> {
    known: &'k mut Known<'a, T>,
    present: u32,
}

impl<T> Order for WithRecords<'_, '_, T> {
    #[inline(always)]
    fn before(&mut self, tag: Tag) -> bool {
        self.known.before(tag)
    }
}

impl<T: Sites> World for WithRecords<'_, '_, T> {
    type Sites = WordSites;
    #[inline(always)]
    fn is_set(&self, tag: Tag) -> bool {
        self.known.epochs.is_set(tag.epoch())
    }
    #[inline(always)]
    fn combine(&mut self, _: (Site, u8), _: (Site, u8)) -> Option<Site> {
        None
    }
    #[inline(always)]
    fn number(&mut self, sites: WordSites, live: Live) -> Option<u32> {
        self.known.number_of(sites, live, self.present)
    }
}

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Short {
    Recorded,
    /// The thread is in this read set now, with a full mask.
    Joined(Tag),
    /// A spilled entry says that it was made already in this epoch.
    Covered,
    /// Nothing was done, because somebody else is at the line,
    Locked,
    /// because the word's state is not one of the simple ones,
    State,
    /// because the thread does not know by heart how to write the sites down,
    Numbers,
    /// or because a record of the word's sites may be needed ([`crate::site_records`]): see [`record`].
    Records,
}

/// Checks and records the access, if it is one of the simple cases. Whether it has to be checked even if it is found to be made, in case
/// that nothing was done. What needs records is left to a second call with `RECORDS`: most programs never get there, and are faster without
/// their code in the way.
#[inline(always)]
pub fn record<const RECORDS: bool>(
    parts: Parts<'_>,
    mut known: Known<'_, impl Sites>,
    access: WordAccess,
) -> (Short, bool) {
    let WordAccess {
        cell,
        tag,
        write,
        site,
    } = access;
    // SAFETY: the caller's cell is below 8.
    let (shadow, number) = unsafe {
        (
            parts.cells.get_unchecked(cell),
            parts.sites.get_unchecked(cell),
        )
    };
    // Acquire: the word is read later, and must not be locked then. So the sites found are those of this cell, or newer ones of a cell
    // that has changed, and the exchange fails. The other way round, an access could stand at an older one's site for a moment.
    let old = ShadowCell(shadow.load(Ordering::Acquire));
    // Acquire: the number is no older. For the exchange below it is a guess.
    let value = parts.word.load(Ordering::Acquire);
    if value & LOCK != 0 {
        return (Short::Locked, false);
    }
    let all_same = value & line_sites::SPLIT == 0;
    // Acquire: as the word. What spilled entries are read later is no older.
    let present = if all_same {
        value
    } else {
        number.load(Ordering::Acquire)
    };
    if RECORDS && present & MIXED != 0 {
        // It is needed behind the spilled entries, which are as far away.
        known.slab.prefetch_record(site_records::index_of(present));
    }
    let mut unsure = false;
    if present & SPILLED == 0 {
        if let Some((next, placed)) = transition::quick(old, tag, write, &mut known) {
            let wanted = if present & MIXED == 0 {
                known.wanted((old, next, present), access, placed)
            } else {
                None
            };
            let Some(wanted) = wanted else {
                if !RECORDS {
                    let left = if known.sites.are_many() {
                        Short::Records
                    } else {
                        Short::Numbers
                    };
                    return (left, false);
                }
                let states = ((value, present), (old, next));
                return mix(parts, known, states, access, placed);
            };
            if wanted == present {
                // SAFETY: the caller's cell is below 8.
                let word = unsafe { parts.of_word(cell) };
                return match refresh(word, (value, present), (old, next)) {
                    Refreshed::Made(short) => (short, false),
                    Refreshed::Unsure => (Short::Locked, true),
                    Refreshed::No => (Short::Locked, false),
                };
            }
            return (
                renumber(parts, (value, present), cell, (old, next), wanted),
                false,
            );
        }
    } else {
        match refresh::spilled(parts, (value, present), &mut known, access) {
            Some(Refreshed::Made(short)) => return (short, false),
            Some(Refreshed::Unsure) => unsure = true,
            Some(Refreshed::No) | None => {}
        }
    }
    if !RECORDS && known.sites.are_many() {
        return (Short::Records, unsure);
    }
    if !parts.lock_unchanged(value) {
        return (Short::Locked, unsure);
    }
    let done = 'decide: {
        let old = ShadowCell(shadow.load(Ordering::Relaxed));
        let present = if all_same {
            value
        } else {
            number.load(Ordering::Relaxed)
        };
        // Another thread may have found that names are many after this one had looked.
        if !RECORDS && present & MIXED != 0 {
            break 'decide Short::Records;
        }
        if !write && present & (SPILLED | MIXED) == 0 {
            let sites = known.sites_of(present);
            let joins = &known.memos.joins;
            let recycled = known.epochs.recycled();
            let joined = joins.join((old, sites.1), (tag, site), recycled, &mut known);
            if let Some((next, site_of_set)) = joined {
                let (w, set) = next.halves();
                let wanted = if w == Tag::NONE {
                    Some(site_of_set)
                } else {
                    known.pair(sites.0, site_of_set)
                };
                match wanted {
                    Some(wanted) if wanted == present => {}
                    Some(wanted) if !all_same => number.store(wanted, Ordering::Relaxed),
                    _ => break 'decide Short::Numbers,
                }
                shadow.store(next.0, Ordering::Relaxed);
                break 'decide Short::Joined(set.with_mask(0xff));
            }
        }
        let unit = first_unit(value);
        if unit == 0 {
            break 'decide Short::State;
        }
        let (slab, new) = (known.slab, Entry { tag, write, site });
        let word = (cell, old);
        let displaced = if RECORDS {
            let sites = known.word_sites(present);
            let mut world = WithRecords {
                known: &mut known,
                present,
            };
            displace(word, sites, (slab, unit), new, &mut world)
        } else {
            let (write, read) = known.sites_of(present & !SPILLED);
            displace(
                word,
                TwoSites { write, read },
                (slab, unit),
                new,
                &mut known,
            )
        };
        let Some((next, wanted)) = displaced else {
            break 'decide Short::State;
        };
        number.store(wanted, Ordering::Relaxed);
        shadow.store(next.0, Ordering::Relaxed);
        Short::Recorded
    };
    // Release: as `Line`'s end.
    parts.word.store(value, Ordering::Release);
    (done, unsure)
}

/// Makes an access that turns the cell from `old` to `next`, of a word whose sites are in a record, or whose sites the thread does not know a
/// number for.
#[inline(always)]
fn mix(
    parts: Parts<'_>,
    mut known: Known<'_, impl Sites>,
    ((value, present), (old, next)): ((u32, u32), (ShadowCell, ShadowCell)),
    access: WordAccess,
    placed: Placed,
) -> (Short, bool) {
    let WordAccess {
        cell, tag, site, ..
    } = access;
    if !known.sites.are_many() {
        return (Short::Numbers, false);
    }
    let of_next = live(next);
    let before = known.word_sites(present);
    let Some(sites) = before.placed(placed, tag.mask(), site, of_next) else {
        return (Short::Numbers, false);
    };
    if present & MIXED != 0 && sites == before {
        // SAFETY: the caller's cell is below 8.
        let word = unsafe { parts.of_word(cell) };
        return match refresh(word, (value, present), (old, next)) {
            Refreshed::Made(short) => (short, false),
            Refreshed::Unsure => (Short::Locked, true),
            Refreshed::No => (Short::Locked, false),
        };
    }
    // SAFETY: the caller's cell is below 8.
    let (shadow, number) = unsafe {
        (
            parts.cells.get_unchecked(cell),
            parts.sites.get_unchecked(cell),
        )
    };
    if !parts.lock_unchanged(value) {
        return (Short::Locked, false);
    }
    let all_same = value & line_sites::SPLIT == 0;
    let mut next_value = value;
    let unchanged = (all_same || number.load(Ordering::Relaxed) == present)
        && shadow.load(Ordering::Relaxed) == old.0
        && known.word_sites(present) == before;
    let short = if !unchanged {
        Short::Locked
    } else if let Some(wanted) = known.number_of(sites, of_next, present) {
        if all_same {
            next_value = parts.split(value);
        }
        number.store(wanted, Ordering::Relaxed);
        shadow.store(next.0, Ordering::Relaxed);
        Short::Recorded
    } else {
        Short::Numbers
    };
    // Release: as `Line`'s end.
    parts.word.store(next_value, Ordering::Release);
    (short, false)
}

/// Turns the cell from `old` to `next` under the line's lock, and the number of its sites from `present` to `wanted`; the line's word was
/// `value`.
#[inline(always)]
fn renumber(
    parts: Parts<'_>,
    (value, present): (u32, u32),
    cell: usize,
    (old, next): (ShadowCell, ShadowCell),
    wanted: u32,
) -> Short {
    // SAFETY: the caller's cell is below 8.
    let (shadow, number) = unsafe {
        (
            parts.cells.get_unchecked(cell),
            parts.sites.get_unchecked(cell),
        )
    };
    if !parts.lock_unchanged(value) {
        return Short::Locked;
    }
    let all_same = value & line_sites::SPLIT == 0;
    let unchanged = (all_same || number.load(Ordering::Relaxed) == present)
        && shadow.load(Ordering::Relaxed) == old.0;
    let mut next_value = value;
    if unchanged {
        if value == 0 {
            next_value = wanted;
        } else {
            if all_same {
                next_value = parts.split(value);
            }
            number.store(wanted, Ordering::Relaxed);
        }
        shadow.store(next.0, Ordering::Relaxed);
    }
    // Release: as `Line`'s end.
    parts.word.store(next_value, Ordering::Release);
    if unchanged {
        Short::Recorded
    } else {
        Short::Locked
    }
}
