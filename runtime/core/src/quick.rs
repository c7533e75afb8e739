//! The short way of an access through the engine: one word, a cell with tags or a record, everything that conflicts
//! ordered by what the thread knows.
//!
//! It does what [`crate::line::Line::access`] does in these cases, and nothing in all others. Compiled code gets here without
//! having saved its vector registers, so nothing here may use them: no calls, no panics, no copies of more than a word
//! (the build looks at the machine code).

use crate::crowds::CrowdMemo;
use crate::epoch::EpochTable;
use crate::goldilocks::Thread;
use crate::joins::{FirstJoins, JoinMemo, SetMemo};
use crate::kept::{Returns, at};
use crate::line::{Entry, LOCK, LOOKS, LineMemos, Parts, Site, Sites};
use crate::line_sites::{self, CombineMemo, PairMemo};
use crate::number_memo::NumberMemo;
use crate::primitive::{Ordering, fence, prefetch_to_write};
use crate::quick_locked::plain_under_lock;
use crate::quick_record;
use crate::quick_step::take_step;
use crate::records::{READERS, RECORD};
use crate::refresh::Refreshed;
use crate::side_bytes::{self, are_few};
use crate::side_record::{self, PlaceMemo, SideRead};
use crate::slab::Slab;
use crate::steps::Next;
use crate::tag::{ShadowCell, Tag};
use crate::transition::{self, Order, Placed, live};
use std::hint::spin_loop;

/// An access to bytes of one word.
#[derive(Clone, Copy)]
pub struct WordAccess {
    /// Index of the cell in its line, 0..8.
    pub cell: usize,
    /// Present epoch of the thread, and the bytes.
    pub tag: Tag,
    pub write: bool,
    pub site: u32,
}

impl WordAccess {
    /// Of the word that holds `addr`.
    #[inline(always)]
    pub(crate) fn at(addr: u64, (tag, write): (Tag, bool), site: u32) -> WordAccess {
        WordAccess {
            cell: (addr >> 3 & 7) as usize,
            tag,
            write,
            site,
        }
    }
    /// As a record says it.
    #[inline(always)]
    pub(crate) fn entry(self) -> Entry {
        let WordAccess {
            tag, write, site, ..
        } = self;
        Entry { tag, write, site }
    }
}

/// Of so many accesses that a record says were made, one takes the lock, so that the word's cell says so as well.
pub(crate) const MIRRORED: u64 = 8;

/// What a thread knows by heart.
#[derive(Default)]
pub struct Memos {
    pub pairs: PairMemo,
    pub combined: CombineMemo,
    pub joins: JoinMemo,
    pub first_joins: FirstJoins,
    pub sets: SetMemo,
    pub places: PlaceMemo,
    pub numbers: NumberMemo,
    pub(crate) crowds: CrowdMemo,
    pub(crate) returns: Returns,
}

impl Memos {
    /// Those that are used under a line's lock.
    pub(crate) fn at_line(&mut self) -> LineMemos<'_> {
        self.split().0
    }
    /// These, and the one that combines sites.
    pub(crate) fn split(&mut self) -> (LineMemos<'_>, &mut CombineMemo) {
        self.pairs.grow_if_needed();
        self.numbers.grow_if_needed();
        self.joins.grow_if_needed();
        let Memos {
            pairs,
            joins,
            first_joins,
            sets,
            places,
            crowds,
            combined,
            ..
        } = self;
        let at_line = LineMemos {
            pairs,
            joins,
            first_joins,
            sets,
            places,
            crowds,
        };
        (at_line, combined)
    }
}

/// What the short way needs beside the line: the engine's tables, and what the thread knows by heart.
pub struct Known<'a, T> {
    pub epochs: &'a EpochTable,
    pub slab: &'a Slab,
    pub thread: &'a Thread,
    /// One reference for all of these, so that an access has registers left.
    pub memos: &'a Memos,
    pub sites: &'a T,
    /// The access is one to so many words that a set of their readers is worth it ([`crate::quick_line::RangeAccess::many`]).
    pub of_many: bool,
}

impl<T> Known<'_, T> {
    /// SC1: whether the access with this tag was the thread's own.
    #[inline(always)]
    pub(crate) fn owns(&self, tag: Tag) -> bool {
        self.epochs.lookup(tag.epoch()).0 == self.thread.slot
    }
}

impl<T: Sites> Known<'_, T> {
    /// The sites of the write and the read whose number this is, which says no record.
    #[inline(always)]
    pub(crate) fn sites_of(&self, number: u32) -> (Site, Site) {
        if number & line_sites::PAIR == 0 {
            (number, number)
        } else {
            self.sites.split(number & !line_sites::PAIR)
        }
    }
    /// As [`transition::quick`], of what something can still race with, if that of all does not say: this as well. What is left then where that says nothing
    /// either.
    #[inline(always)]
    pub(crate) fn transition(
        &mut self,
        old: ShadowCell,
        tag: Tag,
        write: bool,
    ) -> Result<(ShadowCell, ShadowCell, Placed), ShadowCell> {
        let mut remembered = old;
        loop {
            let next = transition::quick(remembered, tag, write, self);
            let all = remembered;
            if let Some((next, placed)) = next {
                return Ok((all, next, placed));
            }
            remembered = self.epochs.unsettled(all);
            if remembered == all {
                return Err(all);
            }
        }
    }
    /// The number of the sites of a cell that was `old` with the number `present`, after the access; `None` if the thread does not know it
    /// by heart.
    #[inline(always)]
    pub(crate) fn wanted(
        &mut self,
        (old, next, present): (ShadowCell, ShadowCell, u32),
        WordAccess {
            tag, write, site, ..
        }: WordAccess,
        placed: Placed,
    ) -> Option<u32> {
        if present == site || placed == Placed::Made {
            return Some(present);
        }
        if let Placed::BesideFirst | Placed::BesideSecond = placed {
            let second = placed == Placed::BesideSecond;
            let key = NumberMemo::parted_key(present, site, second);
            if let Some(wanted) = self.memos.numbers.find(key) {
                return Some(wanted);
            }
            let (first, other) = self.sites_of(present);
            let wanted = self.pair(if second { other } else { first }, site)?;
            self.memos.numbers.keep(key, wanted);
            return Some(wanted);
        }
        if let Placed::Cell | Placed::Read | Placed::Write = placed {
            let key = NumberMemo::key(present, site, write, placed != Placed::Cell);
            if let Some(wanted) = self.memos.numbers.find(key) {
                return Some(wanted);
            }
            let sites = self.sites_of(present);
            let wanted = match placed {
                // What is not in the cell has no site that counts.
                Placed::Cell if write && sites.0 == site => present,
                Placed::Cell => site,
                Placed::Write if sites.0 == site => present,
                Placed::Write => self.pair(site, sites.1)?,
                _ if sites.1 == site => present,
                _ => self.pair(sites.0, site)?,
            };
            self.memos.numbers.keep(key, wanted);
            return Some(wanted);
        }
        let (w, r) = old.halves();
        // The newer access of a parted cell has its site where that of a read would be.
        let of_newer = placed == Placed::JoinsNewer;
        let write = write && !of_newer;
        // The bytes that it joins, which are another site's.
        let joined = if placed == Placed::JoinsWrite {
            w.mask()
        } else if of_newer {
            r.mask()
        } else if w.epoch_bits() == r.epoch_bits() {
            r.mask() & !w.mask()
        } else {
            r.mask()
        };
        let (mask, rest) = (tag.mask(), joined & !tag.mask());
        let alone = if of_newer {
            !next.is_parted()
        } else if write {
            live(next).1 == 0
        } else {
            w == Tag::NONE
        };
        let key = NumberMemo::joined_key(present, site, write, alone);
        let bytes = (rest as u32) << 16 | mask as u32;
        if let Some(wanted) = self.memos.numbers.find_joined(key, bytes) {
            return Some(wanted);
        }
        let sites = self.sites_of(present);
        let before = if write { sites.0 } else { sites.1 };
        let wanted = if before == site && (write || !alone) {
            present
        } else {
            let both = if rest == 0 || before == site {
                site
            } else {
                let (rest, new) = ((before, rest), (site, mask));
                self.memos.combined.find(rest, new, self.sites)?
            };
            match (alone, write) {
                // Not a pair whose second site this is: of a cell that is parted no more, it may be a write's.
                (true, _) => both,
                (false, true) => self.pair(both, sites.1)?,
                (false, false) => self.pair(sites.0, both)?,
            }
        };
        self.memos.numbers.keep_joined(key, bytes, wanted);
        Some(wanted)
    }
    /// Makes a plain read or an `ATOMIC` access once more that the thread has made in an earlier epoch, as one of several, in a record that is
    /// [`READERS`]; found `present` as the word's number, with the line's word being `value`. Without the lock: as in [`crate::refresh`], whoever had it
    /// before and has read the old entry has changed the line's word when it is looked at again; and who has it later reads the new one.
    #[inline(always)]
    pub(crate) fn renew_entry<const ATOMIC: bool>(
        &mut self,
        parts: Parts<'_>,
        (value, present): (u32, u32),
        cell: usize,
        new: Entry,
    ) -> Refreshed {
        let record = self.slab.record(present);
        let Some(place) = record.renewable::<ATOMIC>(new, self) else {
            return Refreshed::No;
        };
        if !record.exchange(place, new) {
            return Refreshed::No;
        }
        // SAFETY: the caller's cell is below 8.
        let number = unsafe { parts.sites.get_unchecked(cell) };
        // SeqCst: not before the exchange, which is a full barrier.
        if parts.word.load(Ordering::SeqCst) == value && number.load(Ordering::Acquire) == present {
            Refreshed::Made
        } else {
            Refreshed::Unsure
        }
    }

    /// Whether a word's record says that the thread has made the access already in this epoch, after which another one was at the word: found
    /// `present` as the word's number, with the line's word being `value`. Without the lock, so that threads which come to the bytes of one
    /// word in turns leave the line in the caches of all.
    #[inline(always)]
    pub(crate) fn holds_already<const ATOMIC: bool>(
        &self,
        parts: Parts<'_>,
        (value, present): (u32, u32),
        (cell, old): (usize, ShadowCell),
        (tag, write): (Tag, bool),
    ) -> bool {
        let (_, r) = old.halves();
        // The cell says what the thread that was there last has accessed, unless it was one of many that read. Now and then it is to say
        // it of this one, which may stay.
        let mirrors = !ATOMIC && self.thread.counts.quick_covered.is_multiple_of(MIRRORED);
        if mirrors || r.mask() == 0 || present & READERS == 0 && self.owns(r) {
            return false;
        }
        if !self.slab.record(present).seems_to_hold(tag, write) {
            return false;
        }
        // Acquire: the record was looked at before. Whoever uses a record for another word has changed this line's word, and locked another,
        // which is a full barrier, before it writes there.
        fence(Ordering::Acquire);
        // SAFETY: the caller's cell is below 8.
        let number = unsafe { parts.sites.get_unchecked(cell) };
        parts.word.load(Ordering::Relaxed) == value && number.load(Ordering::Relaxed) == present
    }
    #[inline(always)]
    pub(crate) fn pair(&self, write: Site, read: Site) -> Option<u32> {
        self.memos.pairs.find(write, read, self.sites)
    }
}

impl<T> Order for Known<'_, T> {
    #[inline(always)]
    fn before(&mut self, tag: Tag) -> bool {
        self.epochs.known_before(self.thread, tag)
    }
    #[inline(always)]
    fn set_before(&mut self, tag: Tag) -> bool {
        self.epochs.is_set(tag.epoch()) && self.epochs.readers_known_before(self.thread, tag)
    }
    #[inline(always)]
    fn is_own(&mut self, tag: Tag) -> bool {
        self.owns(tag)
    }
    #[inline(always)]
    fn is_settled(&mut self, tag: Tag) -> bool {
        self.epochs.is_settled(tag)
    }
}

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Short {
    Recorded,
    /// The word's cell is another thread's time and again, so that it will not say this for long.
    Beside,
    /// The thread has read it again, and keeps that to itself.
    Kept,
    /// The thread is in this read set now, with the bytes that it has read, or a full mask.
    Joined(Tag),
    /// A record, or a parted cell, says that it was made already in this epoch.
    Covered,
    /// It was, and now its word's readers can be a set, which takes the long way.
    Merges,
    /// Nothing was done, because somebody else is at the line,
    Locked,
    /// because the word's state is not one of the simple ones,
    State,
    /// or because the thread does not know by heart how to write the sites down.
    Numbers,
}

/// Checks and records the access, if it is one of the simple cases. Whether it has to be checked even if it is found to be made, in case
/// that nothing was done.
#[inline(always)]
pub fn record(
    parts: Parts<'_>,
    mut known: Known<'_, impl Sites>,
    access: WordAccess,
) -> (Short, bool) {
    // The first look is no part of a loop: what that could do once for all looks, it would do before the first one, whatever that finds.
    match record_once(parts, &mut known, access) {
        (Short::Locked, false) => record_again(parts, &mut known, access),
        done => done,
    }
}

/// As [`record`], of a line that somebody else was at.
#[cold]
#[inline(never)]
fn record_again(
    parts: Parts<'_>,
    known: &mut Known<'_, impl Sites>,
    access: WordAccess,
) -> (Short, bool) {
    let mut looks = 1;
    loop {
        spin_loop();
        let (short, unsure) = record_once(parts, known, access);
        looks += 1;
        if short != Short::Locked || unsure || looks >= LOOKS {
            return (short, unsure);
        }
    }
}

/// As [`record`], if nobody else is at the line.
#[inline(always)]
fn record_once(
    parts: Parts<'_>,
    known: &mut Known<'_, impl Sites>,
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
    // Acquire: as the word.
    let present = if all_same {
        value
    } else {
        number.load(Ordering::Acquire)
    };
    if present & RECORD != 0 {
        return in_record(parts, known, access, (old, value, present));
    }
    if old.is_side() && !write {
        return in_side(parts, known, access, value);
    }
    let step = access.step(old, present);
    let transition = known.transition(old, tag, write);
    if let Ok((remembered, next, placed)) = transition {
        if placed == Placed::Made {
            // SC0: the cell alone says so.
            return (Short::Covered, false);
        }
        if placed == Placed::Read && known.thread.records.is_used_beside_write() {
            return (Short::State, false);
        }
        if let Some(wanted) = known.wanted((remembered, next, present), access, placed) {
            let next = Next {
                cell: next,
                number: wanted,
                joins: 0,
            };
            let taken = take_step(parts, (value, cell), step, next);
            // What is settled may be so no more some time.
            if remembered == old && taken.0 == Short::Recorded {
                known.thread.steps.note(step, next);
            }
            return taken;
        }
        if !known.sites.are_many() {
            return (Short::Numbers, false);
        }
    }
    // SC0, of a set that is not the one which the thread has met last: as in compiled code, the cell alone says so.
    let (_, r) = old.halves();
    if !write && tag.mask() & !r.mask() == 0 {
        let own = known.epochs.read_by(r, tag.epoch());
        if tag.mask() & !own == 0 {
            return (Short::Joined(r.with_mask(own)), false);
        }
    }
    if transition.map_or_else(|left| left, |(remembered, ..)| remembered) == old {
        let word = (old, value, present);
        let begun = if write {
            quick_record::begin::<true>(parts, known, access, word)
        } else {
            quick_record::begin::<false>(parts, known, access, word)
        };
        match begun {
            Some(true) => return (Short::Recorded, false),
            Some(false) => return (Short::Locked, false),
            None => {}
        }
    }
    if !parts.lock_unchanged(value) {
        return (Short::Locked, false);
    }
    let mut next_value = value;
    let short = 'decide: {
        let old = ShadowCell(shadow.load(Ordering::Relaxed));
        let present = if all_same {
            value
        } else {
            number.load(Ordering::Relaxed)
        };
        if !write && present & RECORD == 0 {
            let sites = known.sites_of(present);
            let joins = &known.memos.joins;
            let recycled = known.epochs.recycled();
            let joined = joins.join((old, sites.1), (tag, site), recycled, known);
            if let Some(joined) = joined {
                let (next, site_of_set) = (joined.cell, joined.site_of_set);
                let (w, _) = next.halves();
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
                if let Some(number) = wanted {
                    let step = access.step(old, present);
                    let next = Next {
                        cell: next,
                        number,
                        joins: joined.own,
                    };
                    known.thread.steps.note(step, next);
                }
                break 'decide joined.set().map_or(Short::Recorded, Short::Joined);
            }
        }
        let new = Entry { tag, write, site };
        let word = (cell, old, value, present);
        let (next, short) = plain_under_lock(parts, known, word, new);
        next_value = next;
        short
    };
    // Release: as `Line`'s end.
    parts.word.store(next_value, Ordering::Release);
    (short, false)
}

/// As [`record`], of a read of a word that has a side record, if nobody else is at the line: found the line's word to be `value`.
#[inline(always)]
fn in_side(
    parts: Parts<'_>,
    known: &mut Known<'_, impl Sites>,
    access: WordAccess,
    value: u32,
) -> (Short, bool) {
    // SAFETY: the caller's cell is below 8.
    let shadow = unsafe { parts.cells.get_unchecked(access.cell) };
    let new = access.entry();
    if are_few(access.tag.mask()) && side_bytes::renew(known, shadow, new) {
        return (Short::Kept, false);
    }
    if !parts.lock_unchanged(value) {
        return (Short::Locked, false);
    }
    // Relaxed: under the lock.
    let old = ShadowCell(shadow.load(Ordering::Relaxed));
    let side = if old.is_side() {
        side_record::read_quick(known, (shadow, old.first_unit()), new)
    } else {
        SideRead::Open
    };
    let (next_value, short) = match side {
        SideRead::Made => (line_sites::changed(value), Short::Beside),
        SideRead::Completes => (line_sites::changed(value), Short::Merges),
        SideRead::Covered => (value, Short::Covered),
        SideRead::Kept => (line_sites::changed(value), Short::Kept),
        SideRead::Open | SideRead::Alone | SideRead::WouldKeep | SideRead::WantsBytes => {
            (value, Short::State)
        }
    };
    // Release: as `Line`'s end.
    parts.word.store(next_value, Ordering::Release);
    (short, false)
}

/// As [`record`], of a word that has a record, if nobody else is at the line: found the line's word to be `value`, the word's number `present`
/// and its cell `old`.
#[inline(always)]
fn in_record(
    parts: Parts<'_>,
    known: &mut Known<'_, impl Sites>,
    access: WordAccess,
    (old, value, present): (ShadowCell, u32, u32),
) -> (Short, bool) {
    let WordAccess {
        cell,
        tag,
        write,
        site,
    } = access;
    if known.holds_already::<false>(parts, (value, present), (cell, old), (tag, write)) {
        return (Short::Covered, false);
    }
    // SAFETY: the caller's cell is below 8.
    let (shadow, number) = unsafe {
        (
            parts.cells.get_unchecked(cell),
            parts.sites.get_unchecked(cell),
        )
    };
    let new = Entry { tag, write, site };
    if !write && present & READERS != 0 {
        let (kept, slot) = (&known.epochs.kept, known.thread.slot);
        if kept.wants_table(slot) {
            known.thread.would_keep.set(true);
            return (Short::State, false);
        }
        let place = kept.place(slot, at(shadow), new);
        if place.is_some_and(|place| place.renew(new)) {
            return (Short::Kept, false);
        }
        // If there is room, it is kept from now on, which takes the lock.
        if !place.is_some_and(|place| place.has_room()) {
            match known.renew_entry::<false>(parts, (value, present), cell, new) {
                Refreshed::Made => return (Short::Beside, false),
                Refreshed::Unsure => return (Short::Locked, true),
                Refreshed::No => {}
            }
        }
    }
    // It may be far away: there is the lock to be taken meanwhile.
    known.slab.prefetch_record(present);
    prefetch_to_write(shadow);
    if !parts.lock_unchanged(value) {
        return (Short::Locked, false);
    }
    let mut next_value = value;
    // Relaxed: under the lock. Another record than that before could be looked at as well, but nothing else.
    let present = number.load(Ordering::Relaxed);
    let short = if present & RECORD == 0 {
        Short::Locked
    } else {
        let old = ShadowCell(shadow.load(Ordering::Relaxed));
        let (next, short) = plain_under_lock(parts, known, (cell, old, value, present), new);
        next_value = next;
        if short == Short::Recorded && !known.owns(old.halves().1) {
            Short::Beside
        } else {
            short
        }
    };
    // Release: as `Line`'s end.
    parts.word.store(next_value, Ordering::Release);
    (short, false)
}
