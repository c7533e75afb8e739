//! The short way of an atomic access through the engine, as [`crate::quick`] is that of plain ones.
//!
//! Atomics are accessed by many threads, again and again, mostly in new epochs and in any order. Two atomic accesses are no race, so a
//! thread need not look at what others have made of that kind: where an entry of its own is remembered, that one becomes this epoch's,
//! wherever it is, by one exchange. Others stay that the access might forget: who races with one of these, races with it as well.
//!
//! It does what [`crate::line::Line::access`] does in these cases, but for what that forgets besides, and nothing in all others.
//!
//! # Why nothing is lost
//!
//! As in [`crate::refresh`]: the access looks again after the exchange, and is made once more under the lock if somebody was at the
//! line. What is decided without the lock must not depend on entries that others change without it: those are the spilled plain accesses
//! to the same bytes. So an access that could race with one of these takes the lock, and says so in the cell or the unit's head, which who
//! refreshes them looks at after its exchange.

use crate::line::{LOCK, Parts, Site, Sites};
use crate::line_sites::{PAIR, SPLIT};
use crate::primitive::shadow::AtomicU32;
use crate::primitive::{Ordering, after_exchange};
use crate::quick::{Known, WordAccess};
use crate::site_records::MIXED;
use crate::slab::Unit;
use crate::spilled::{self, SPILLED, Spilled, Walked, first_unit};
use crate::tag::{ShadowCell, Tag};
use crate::transition::Order;

/// What came of it.
pub(crate) enum Made {
    Yes,
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
enum Way<'s> {
    /// Nothing: it was made already in this epoch.
    Made,
    /// The cell.
    Cell(ShadowCell, Placed),
    /// An entry of the thread's own, the one with this index in this unit.
    Entry {
        unit: &'s Unit,
        index: usize,
        old: Spilled,
        next: Spilled,
    },
}

/// Checks and records the access, if it is one of the simple cases.
#[inline]
pub(crate) fn record(
    parts: Parts<'_>,
    mut known: Known<'_, impl Sites>,
    access: WordAccess,
) -> Made {
    let (shadow, number) = (&parts.cells[access.cell], &parts.sites[access.cell]);
    // Acquire: as in `quick::record`, the word and the number are no older than the cell.
    let old = ShadowCell(shadow.load(Ordering::Acquire));
    let value = parts.word.load(Ordering::Acquire);
    if value & LOCK != 0 {
        return Made::No;
    }
    let present = number_of(value, number);
    if present & MIXED != 0 {
        return Made::No;
    }
    let mut walked = Walked::new();
    let way = decide(
        (value, present, old),
        &mut walked,
        &mut known,
        access,
        false,
    );
    let unchanged = |walked: &Walked| {
        parts.word.load(Ordering::SeqCst) == value
            && number_of(value, number) == present
            && walked.is_unchanged(known.slab, first_unit(value))
    };
    // SeqCst, both exchanges: the module's header.
    let (exchange, relaxed) = (Ordering::SeqCst, Ordering::Relaxed);
    let same = match way {
        // Only the thread itself makes entries of its present epoch: it is enough that the line had it.
        Some(Way::Made) if unchanged(&walked) => true,
        Some(Way::Entry {
            unit,
            index,
            old: entry,
            next,
        }) if unit
            .place(index)
            .compare_exchange(entry.0, next.0, exchange, relaxed)
            .is_ok() =>
        {
            after_exchange();
            unchanged(&walked)
                && unit.get(index) == next.0
                && shadow.load(Ordering::Acquire) == old.0
        }
        Some(Way::Cell(next, placed))
            if same_site(present, placed, access.site, &known)
                && shadow
                    .compare_exchange(old.0, next.0, exchange, relaxed)
                    .is_ok() =>
        {
            after_exchange();
            unchanged(&walked) && shadow.load(Ordering::Acquire) == next.0
        }
        _ => return record_locked(parts, known, access),
    };
    if same { Made::Yes } else { Made::Unsure }
}

/// As [`record`], under the line's lock: for what changes sites, and for writes where others read.
fn record_locked(parts: Parts<'_>, mut known: Known<'_, impl Sites>, access: WordAccess) -> Made {
    // Relaxed: a guess; the exchange decides.
    let value = parts.word.load(Ordering::Relaxed);
    if value & LOCK != 0 || !parts.lock_unchanged(value) {
        return Made::No;
    }
    let (shadow, number) = (&parts.cells[access.cell], &parts.sites[access.cell]);
    let mut next_value = value;
    let done = 'decide: {
        let present = number_of(value, number);
        let old = ShadowCell(shadow.load(Ordering::Relaxed));
        let mut walked = Walked::new();
        let way = decide((value, present, old), &mut walked, &mut known, access, true);
        match way {
            None => break 'decide false,
            Some(Way::Made) => {}
            Some(Way::Entry {
                unit, index, next, ..
            }) => spilled::change(unit, index, next),
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
            }
        }
        true
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
    let present = present & !SPILLED;
    if present & PAIR == 0 {
        (present, present)
    } else {
        known.sites.split(present & !PAIR)
    }
}

#[inline(always)]
fn same_site(present: u32, placed: Placed, site: Site, known: &Known<'_, impl Sites>) -> bool {
    match placed {
        Placed::Cell => present & !SPILLED == site,
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
    let wanted = match placed {
        Placed::Cell => Some(site),
        Placed::Write if of_write == site => return Some(present),
        Placed::Read if of_read == site => return Some(present),
        Placed::Write => known.memos.pairs.find(site, of_read, known.sites),
        Placed::Read => known.memos.pairs.find(of_write, site, known.sites),
    };
    wanted.map(|wanted| wanted | present & SPILLED)
}

/// What the access changes; `None` if it is not simple. `value`, `present` and `old` are the line's word, the number of the word's sites
/// and its cell. What meets spilled plain accesses is left alone unless the line is
/// `locked`.
#[inline(always)]
fn decide<'s>(
    (value, present, old): (u32, u32, ShadowCell),
    walked: &mut Walked,
    known: &mut Known<'s, impl Sites>,
    access: WordAccess,
    locked: bool,
) -> Option<Way<'s>> {
    let WordAccess {
        cell,
        tag: new,
        write,
        site,
    } = access;
    if present & MIXED != 0 {
        return None;
    }
    let mask = new.mask();
    let spilled = present & SPILLED != 0;
    if old == ShadowCell::EMPTY && !spilled {
        let written = if write { new } else { Tag::NONE };
        return Some(Way::Cell(ShadowCell::tags(written, new), Placed::Cell));
    }
    let (w, r) = old.halves();
    if r.mask() == 0 {
        // A side record, or freed.
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
    let mut own: Option<(&'s Unit, usize, Spilled)> = None;
    if spilled {
        let slab = known.slab;
        let mut at = first_unit(value);
        while at != 0 {
            let (unit, head) = walked.enter(slab, at)?;
            let len = if head.has(cell) { head.len() } else { 0 };
            for index in 0..len {
                let entry = Spilled(unit.get(index));
                let found = entry.tag();
                if entry.cell() != cell || found.mask() & mask == 0 {
                    continue;
                }
                if is_plain_one_of_now(found) {
                    return None;
                }
                if !found.is_atomic() {
                    let meets = write || entry.is_write();
                    if meets && (!locked || !known.before(found)) {
                        return None;
                    }
                } else if found.epoch() == new.epoch() {
                    if found.covers(new, mask) && (entry.is_write() || !write) {
                        return Some(Way::Made);
                    }
                    // A write stands for the read.
                    if !(write && found.mask() == mask) {
                        return None;
                    }
                    own = Some((unit, index, entry));
                } else if found.mask() == mask
                    && (write || !entry.is_write())
                    && own.is_none_or(|(_, _, other)| write && !other.is_write())
                    && known.is_own(found)
                {
                    own = Some((unit, index, entry));
                }
            }
            at = head.next();
        }
    }
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
        if let Some((unit, index, old)) = own
            && (old.is_write() || !own_read)
        {
            let next = old.refreshed(new, site).written();
            return Some(Way::Entry {
                unit,
                index,
                old,
                next,
            });
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
    if own_read {
        return Some(Way::Cell(ShadowCell::tags(w, read), placed));
    }
    if let Some((unit, index, old)) = own {
        let next = old.refreshed(new, site);
        return Some(Way::Entry {
            unit,
            index,
            old,
            next,
        });
    }
    let free = read_mask == 0 || read_mask & !mask == 0 && r.is_atomic() && known.before(r);
    free.then(|| Way::Cell(ShadowCell::tags(w, read), placed))
}
