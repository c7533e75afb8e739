//! The short way of an atomic access through the engine, as [`crate::quick`] is that of plain ones.
//!
//! Atomics are accessed by many threads, again and again, mostly in new epochs and in any order. Two atomic accesses are no race, so a
//! thread need not look at what others have made of that kind: where the cell remembers one of its own, that becomes this epoch's by
//! one exchange, as in [`crate::refresh`]. Others stay that the access might forget: who races with one of these, races with it as well.
//! And where others come as well, again and again, each keeps its accesses to itself ([`crate::kept`]).
//!
//! It does what [`crate::line::Line::access`] does in these cases, but for what that forgets besides, and nothing in all others. What is in a
//! record is looked at under the line's lock.

use crate::kept::at;
use crate::line::{LOCK, Parts, Site, Sites};
use crate::line_sites::{PAIR, SPLIT};
use crate::primitive::Ordering;
use crate::primitive::shadow::AtomicU32;
use crate::quick::{Known, WordAccess};
use crate::quick_locked::record_under_lock;
use crate::records::{READERS, RECORD};
use crate::refresh::{Refreshed, refresh};
use crate::tag::{ShadowCell, Tag};
use crate::transition::Order;

/// What came of it.
pub(crate) enum Made {
    Yes,
    /// It is, and the thread keeps that to itself.
    Kept,
    /// Somebody else was at the line: if the access is remembered now, it may have been missed by whom it races with.
    Unsure,
    /// Nothing was done.
    No,
}

/// Whose site changes.
#[derive(Clone, Copy)]
enum Placed {
    /// The new site is that of everything the cell holds.
    Cell,
    Write,
    Read,
}

/// What the access changes.
enum Way {
    /// Nothing: it was made already in this epoch.
    Made,
    /// The cell.
    Cell(ShadowCell, Placed),
}

/// The cell after an atomic access with the tag `new` to a word whose accesses are all the thread's own, and atomic: it takes the place of those of its bytes, or joins
/// what the thread has accessed in this epoch.
#[inline(always)]
fn renewed(
    old: ShadowCell,
    new: Tag,
    write: bool,
    owns: impl Fn(Tag) -> bool,
) -> Option<ShadowCell> {
    let (w, r) = old.halves();
    let mask = new.mask();
    // No side record, nothing that is freed, and nothing parted, which are all plain. A word without accesses is the same as one with none of its own.
    if !r.is_atomic() || r.mask() == 0 || !owns(r) {
        return None;
    }
    let copied = w.epoch_bits() == r.epoch_bits();
    if !copied && w != Tag::NONE && !(w.is_atomic() && owns(w)) {
        return None;
    }
    let [own_write, own_read] = [w, r].map(|tag| tag.epoch_bits() == new.epoch_bits());
    let joined = new.with_mask(r.mask() | mask);
    if write {
        if (w.mask() | r.mask()) & !mask == 0 {
            return Some(ShadowCell::tags(new, new));
        }
        // What the thread has written before, if not in this epoch, the access takes the place of.
        let replaced = own_write || w.mask() & !mask == 0;
        let written = if own_write { w.mask() } else { 0 };
        let next = || ShadowCell::tags(new.with_mask(written | mask), joined);
        return (own_read && replaced).then(next);
    }
    let beside = if own_write { w.mask() } else { 0 };
    let takes_place = if copied {
        r.mask() & !(w.mask() | mask) == 0
    } else {
        r.mask() & !mask == 0
    };
    if own_read {
        Some(ShadowCell::tags(w, joined))
    } else {
        takes_place.then(|| ShadowCell::tags(w, new.with_mask(beside | mask)))
    }
}

/// Makes an access that is one of [these](renewed): most accesses to atomics that a thread uses for itself. `None` is for
/// [`record`].
#[inline(always)]
pub(crate) fn renew(
    parts: Parts<'_>,
    known: &Known<'_, impl Sites>,
    access: WordAccess,
) -> Option<Made> {
    // SAFETY: the index is below 8.
    let word = unsafe { parts.of_word(access.cell) };
    // Acquire, all three: as in `record`.
    let old = ShadowCell(word.cell.load(Ordering::Acquire));
    let value = word.line.load(Ordering::Acquire);
    let present = match value & (SPLIT | LOCK) {
        0 => value,
        SPLIT => word.number.load(Ordering::Acquire),
        _ => return None,
    };
    let next = renewed(old, access.tag, access.write, |tag| known.owns(tag))?;
    // The number of a word with a record is neither.
    if present != access.site {
        let is_of_pair = present >> 29 == PAIR >> 29;
        let sites = is_of_pair.then(|| known.sites.split(present & !PAIR));
        let placed = sites.map(|(of_write, of_read)| if access.write { of_write } else { of_read });
        if placed != Some(access.site) {
            return renew_elsewhere(parts, access, (value, present), (old, next));
        }
    }
    match refresh(word, (value, present), (old, next)) {
        Refreshed::Made => Some(Made::Yes),
        Refreshed::Unsure => Some(Made::Unsure),
        Refreshed::No => None,
    }
}

/// As [`renew`], from another place in the program than what is there, if nothing of that stays.
#[inline(always)]
fn renew_elsewhere(
    parts: Parts<'_>,
    access: WordAccess,
    (value, present): (u32, u32),
    (old, next): (ShadowCell, ShadowCell),
) -> Option<Made> {
    let written = if access.write { access.tag } else { Tag::NONE };
    let is_alone = next == ShadowCell::tags(written, access.tag);
    if !is_alone || value & SPLIT == 0 || present & RECORD != 0 || !parts.lock_unchanged(value) {
        return None;
    }
    // SAFETY: the index is below 8.
    let word = unsafe { parts.of_word(access.cell) };
    // Relaxed: under the line's lock. Who renews the cell without it finds that held, or the number changed, and comes back.
    let is_it = word.cell.load(Ordering::Relaxed) == old.0
        && word.number.load(Ordering::Relaxed) == present;
    if is_it {
        word.number.store(access.site, Ordering::Relaxed);
        word.cell.store(next.0, Ordering::Relaxed);
    }
    // Release: as `Line`'s end.
    parts.word.store(value, Ordering::Release);
    is_it.then_some(Made::Yes)
}

/// Checks and records the access, if it is one of the simple cases.
#[inline(always)]
pub(crate) fn record(
    parts: Parts<'_>,
    mut known: Known<'_, impl Sites>,
    access: WordAccess,
) -> Made {
    let (shadow, number) = (&parts.cells[access.cell], &parts.sites[access.cell]);
    let (kept, slot, new) = (&known.epochs.kept, known.thread.slot, access.entry());
    let place = || kept.place(slot, at(shadow), new);
    let may_be_kept = kept.may_keep_atomic(slot, at(shadow));
    let place_if_kept = if may_be_kept { place() } else { None };
    if place_if_kept.is_some_and(|place| place.renew(new)) {
        return Made::Kept;
    }
    // Acquire: as in `quick::record`, the word and the number are no older than the cell.
    let old = ShadowCell(shadow.load(Ordering::Acquire));
    let value = parts.word.load(Ordering::Acquire);
    if value & LOCK != 0 {
        return record_locked(parts, known, access, false);
    }
    let present = number_of(value, number);
    let is_of_many = present & (RECORD | READERS) == RECORD | READERS;
    let has_room = || {
        let place = place_if_kept.or_else(place);
        place.is_some_and(|place| place.has_room())
    };
    let returns = (present & RECORD != 0 || is_of_others(old, &known))
        && (kept.wants_table(slot) || has_room())
        && known.memos.returns.is_one_of_many(at(shadow), new);
    if (returns || is_of_many) && kept.wants_table(slot) {
        known.thread.would_keep.set(true);
        return Made::No;
    }
    if present & RECORD != 0 {
        let (word, access_of) = ((access.cell, old), (access.tag, access.write));
        if known.holds_already::<true>(parts, (value, present), word, access_of) {
            return Made::Yes;
        }
        // If there is room, it is kept from now on, which takes the lock.
        if present & READERS != 0 && !has_room() {
            match known.renew_entry::<true>(parts, (value, present), access.cell, new) {
                Refreshed::Made => return Made::Yes,
                Refreshed::Unsure => return Made::Unsure,
                Refreshed::No => {}
            }
        }
        return record_locked(parts, known, access, returns);
    }
    if returns {
        return record_locked(parts, known, access, true);
    }
    match decide(old, &mut known, access) {
        // Only the thread itself makes entries of its present epoch: it is enough that the line had it.
        Some(Way::Made)
            if parts.word.load(Ordering::SeqCst) == value
                && number_of(value, number) == present =>
        {
            Made::Yes
        }
        Some(Way::Cell(next, placed)) if same_site(present, placed, access.site, &known) => {
            // SAFETY: the index was below 8.
            let word = unsafe { parts.of_word(access.cell) };
            match refresh(word, (value, present), (old, next)) {
                Refreshed::Made => Made::Yes,
                Refreshed::Unsure => Made::Unsure,
                Refreshed::No => record_locked(parts, known, access, false),
            }
        }
        _ => record_locked(parts, known, access, false),
    }
}

/// Whether a cell says an access of another thread.
#[inline(always)]
fn is_of_others(cell: ShadowCell, known: &Known<'_, impl Sites>) -> bool {
    let (w, r) = cell.halves();
    // What is freed, or has a side record, says no reads.
    r.mask() != 0 && (w.mask() != 0 && !known.owns(w) || !known.owns(r))
}

/// As [`record`], under the line's lock: for what changes sites, and for records. From now on the thread keeps the access to itself if it `returns`.
fn record_locked(
    parts: Parts<'_>,
    mut known: Known<'_, impl Sites>,
    access: WordAccess,
    returns: bool,
) -> Made {
    let Some(value) = parts.lock_soon() else {
        return Made::No;
    };
    let (shadow, number) = (&parts.cells[access.cell], &parts.sites[access.cell]);
    let mut next_value = value;
    let done = 'decide: {
        let present = number_of(value, number);
        let old = ShadowCell(shadow.load(Ordering::Relaxed));
        if present & RECORD == 0 && !returns {
            match decide(old, &mut known, access) {
                Some(Way::Made) => break 'decide true,
                Some(Way::Cell(next, placed)) => {
                    let Some(wanted) = number_with(present, placed, access.site, &known) else {
                        break 'decide false;
                    };
                    if wanted != present {
                        if value & SPLIT != 0 {
                            number.store(wanted, Ordering::Relaxed);
                        } else if value == 0 {
                            next_value = wanted;
                        } else {
                            next_value = parts.split(value);
                            number.store(wanted, Ordering::Relaxed);
                        }
                    }
                    shadow.store(next.0, Ordering::Relaxed);
                    break 'decide true;
                }
                None => {}
            }
        }
        let word = (access.cell, old, value, present);
        match record_under_lock::<true>(parts, &mut known, word, (access.entry(), returns)) {
            Some((next, _)) => {
                next_value = next;
                true
            }
            None => false,
        }
    };
    // Release: as `Line`'s end.
    parts.word.store(next_value, Ordering::Release);
    if done { Made::Yes } else { Made::No }
}

/// The number of a word's sites.
#[inline(always)]
fn number_of(value: u32, number: &AtomicU32) -> u32 {
    if value & SPLIT == 0 {
        value
    } else {
        // Acquire: as in `refresh`.
        number.load(Ordering::Acquire)
    }
}

#[inline(always)]
fn split(present: u32, known: &Known<'_, impl Sites>) -> (Site, Site) {
    if present & PAIR == 0 {
        (present, present)
    } else {
        known.sites.split(present & !PAIR)
    }
}

#[inline(always)]
fn same_site(present: u32, placed: Placed, site: Site, known: &Known<'_, impl Sites>) -> bool {
    match placed {
        Placed::Cell => present == site,
        Placed::Write => split(present, known).0 == site,
        Placed::Read => split(present, known).1 == site,
    }
}

/// The number when `site` is placed. `None` if the thread does not know it by heart.
#[inline(always)]
fn number_with(
    present: u32,
    placed: Placed,
    site: Site,
    known: &Known<'_, impl Sites>,
) -> Option<u32> {
    let (of_write, of_read) = split(present, known);
    match placed {
        Placed::Cell => Some(site),
        Placed::Write if of_write == site => Some(present),
        Placed::Read if of_read == site => Some(present),
        Placed::Write => known.memos.pairs.find(site, of_read, known.sites),
        Placed::Read => known.memos.pairs.find(of_write, site, known.sites),
    }
}

/// What the access changes of a word without a record, whose cell is `old`; `None` if it is not simple.
#[inline(always)]
fn decide(old: ShadowCell, known: &mut Known<'_, impl Sites>, access: WordAccess) -> Option<Way> {
    let WordAccess {
        tag: new, write, ..
    } = access;
    let mask = new.mask();
    if old == ShadowCell::EMPTY {
        let written = if write { new } else { Tag::NONE };
        return Some(Way::Cell(ShadowCell::tags(written, new), Placed::Cell));
    }
    let (w, r) = old.halves();
    if r.mask() == 0 || old.is_parted() {
        // A side record, or freed, or what a record is to say.
        return None;
    }
    if w.covers(new, mask) || !write && r.covers(new, mask) {
        return Some(Way::Made);
    }
    let is_plain_one_of_now = |tag: Tag| tag.epoch() == new.epoch() && !tag.is_atomic();
    if is_plain_one_of_now(w) || is_plain_one_of_now(r) {
        return None;
    }
    let copied = w.epoch_bits() == r.epoch_bits();
    // What the read tag says beyond the write's own bytes.
    let read_mask = if copied {
        r.mask() & !w.mask()
    } else {
        r.mask()
    };
    let (meets_write, meets_read) = (w.mask() & mask != 0, read_mask & mask != 0);
    if meets_write && !w.is_atomic() && !known.before(w) {
        return None;
    }
    if write && meets_read && !r.is_atomic() && !known.before(r) {
        return None;
    }
    let own_write = w.is_atomic() && w.mask() == mask && known.is_own(w);
    let own_read = meets_read && r.is_atomic() && read_mask == mask && known.is_own(r);
    if write {
        if own_write {
            // An own read is forgotten, another's stays.
            let next = if read_mask == 0 || own_read {
                return Some(Way::Cell(ShadowCell::tags(new, new), Placed::Cell));
            } else if r.epoch_bits() == new.epoch_bits() {
                r.with_mask(read_mask | mask)
            } else {
                r.with_mask(read_mask)
            };
            return Some(Way::Cell(ShadowCell::tags(new, next), Placed::Write));
        }
        if w != Tag::NONE && (w.mask() & !mask != 0 || !w.is_atomic() || !known.before(w)) {
            return None;
        }
        // The write of the cell, if there is one, is forgotten.
        if read_mask == 0 || read_mask & !mask == 0 && r.is_atomic() && known.before(r) {
            return Some(Way::Cell(ShadowCell::tags(new, new), Placed::Cell));
        }
        if r.epoch_bits() == new.epoch_bits() {
            return None;
        }
        return r
            .is_atomic()
            .then(|| Way::Cell(ShadowCell::tags(new, r.with_mask(read_mask)), Placed::Write));
    }
    let read = if w.epoch_bits() == new.epoch_bits() {
        new.with_mask(w.mask() | mask)
    } else {
        new
    };
    let placed = if w == Tag::NONE {
        Placed::Cell
    } else {
        Placed::Read
    };
    let free =
        own_read || read_mask == 0 || read_mask & !mask == 0 && r.is_atomic() && known.before(r);
    free.then(|| Way::Cell(ShadowCell::tags(w, read), placed))
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::epoch::EpochId;
    use crate::event::Incarnation;
    use crate::line::{Entry, Judge, Relation};
    use crate::transition::{Applied, apply, live};
    use std::collections::BTreeSet;

    /// All is ordered, and from one place.
    struct Ordered;
    impl Judge for Ordered {
        fn relation(&mut self, _: Tag) -> Relation {
            Relation::Before
        }
        fn before(&mut self, _: Tag) -> bool {
            true
        }
        fn is_own(&mut self, _: Tag) -> bool {
            true
        }
        fn is_settled(&mut self, _: Tag) -> bool {
            false
        }
        fn incarnation(&self) -> Incarnation {
            0
        }
        fn combine(&mut self, site: Site, _: u8, _: Site, _: u8) -> Site {
            site
        }
    }

    /// What entries say: of each byte, which epochs have written it, and which have read it and not written.
    fn said(entries: &[Entry]) -> BTreeSet<(u32, bool, u32)> {
        let bytes = |entry: &Entry| {
            let (tag, write) = (entry.tag, entry.write);
            let bits = (0..8).filter(move |bit| tag.mask() >> bit & 1 != 0);
            bits.map(move |bit| (bit, write, tag.epoch_bits()))
        };
        let mut all: BTreeSet<_> = entries.iter().flat_map(bytes).collect();
        let written: Vec<_> = all.iter().filter(|(_, write, _)| *write).copied().collect();
        for (bit, _, epoch) in written {
            all.remove(&(bit, false, epoch));
        }
        all
    }

    fn entries(cell: ShadowCell) -> Vec<Entry> {
        let ((w, r), (written, read)) = (cell.halves(), live(cell));
        let entry = |tag: Tag, mask, write| Entry {
            tag: tag.with_mask(mask),
            write,
            site: 1,
        };
        let both = [entry(w, written, true), entry(r, read, false)];
        both.into_iter()
            .filter(|entry| entry.tag.mask() != 0)
            .collect()
    }

    /// In all cells with some parts of a word, each of this epoch or an earlier one, plain or atomic, the thread's own or not: what is renewed is what the
    /// rule makes of it, and only where all of it is the thread's own and atomic.
    #[test]
    fn what_is_renewed_is_what_the_rule_says() {
        let epochs = [2, 4, 6, 7].map(EpochId);
        // The last one is another's.
        let owns = |tag: Tag| tag.epoch() != epochs[3];
        let masks = [0x01, 0x02, 0x03, 0x0f, 0xf0, 0xfe, 0xff];
        let tags = || {
            let kinds = epochs
                .iter()
                .flat_map(|&epoch| [(epoch, false), (epoch, true)]);
            kinds.flat_map(|(epoch, atomic)| masks.map(|mask| Tag::new(epoch, atomic, mask)))
        };
        let (mut renewals, mut left) = (0, 0);
        for w in tags().chain([Tag::NONE]) {
            for r in tags() {
                // A write sets both tags.
                if w.epoch_bits() == r.epoch_bits() && w.mask() & !r.mask() != 0 {
                    continue;
                }
                let old = ShadowCell::tags(w, r);
                for (mask, write) in masks.iter().flat_map(|&m| [(m, false), (m, true)]) {
                    let new = Tag::new(epochs[2], true, mask);
                    let Some(next) = renewed(old, new, write, owns) else {
                        left += 1;
                        continue;
                    };
                    renewals += 1;
                    let before = entries(old);
                    assert!(
                        before
                            .iter()
                            .all(|old| owns(old.tag) && old.tag.is_atomic())
                    );
                    let mut after = before.clone();
                    let access = Entry {
                        tag: new,
                        write,
                        site: 1,
                    };
                    let how = (0, false, false);
                    let done = apply(&mut after, access, how, &mut Ordered, &mut Vec::new());
                    if done == Applied::Nothing {
                        // The rule leaves earlier reads beside a write that covers the access. They may go: a read of these bytes has been made.
                        let is_earlier =
                            |entry: &Entry| !entry.write && entry.tag.epoch() != new.epoch();
                        for entry in after.iter_mut().filter(|entry| is_earlier(entry)) {
                            entry.tag = entry.tag.with_mask(entry.tag.mask() & !mask);
                        }
                    }
                    let case = format!("{old:?} {new:?} {write}");
                    assert_eq!(said(&entries(next)), said(&after), "{case}");
                    let (w, r) = next.halves();
                    let both = w.epoch_bits() == r.epoch_bits();
                    assert!(!both || w.mask() & !r.mask() == 0, "{case}");
                }
            }
        }
        assert!(renewals > 500 && left > renewals, "{renewals} {left}");
    }
}
