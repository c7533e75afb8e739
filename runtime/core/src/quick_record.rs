//! The short way of a plain access to a word that has a record ([`crate::records`]), in the cases that are most of these: it is made already, or takes the
//! place of what it forgets, and everything that it conflicts with is ordered by what the thread knows.
//!
//! It does what [`crate::quick`] would do by way of [`crate::records::Record::make`], but looks first and locks the line only to write: who finds the line's word
//! unchanged with the lock has seen the record as it is. So is a record begun that a word needs from then on, and given back by the access that is all that is
//! left. Of readers of single bytes beside each other, each adds its own. All others are left to `make`: what those have in common, or keep to themselves, atomic accesses, records that need more room, what threads keep to themselves, and now and
//! then one of these, which looks for what can be forgotten.
//!
//! As there, nothing here may use vector registers.

use crate::kept::KEPT;
use crate::line::{LOCK, Parts, Sites};
use crate::line_sites::{SPLIT, changed};
use crate::primitive::shadow::AtomicU64;
use crate::primitive::{Ordering, fence, prefetch_to_write};
use crate::quick::{Known, MIRRORED, WordAccess};
use crate::records::{Class, READERS, RECORD, key_of};
use crate::tag::{ShadowCell, Tag, has_half};
use crate::transition::Order;

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InRecord {
    Made {
        /// As [`crate::quick::Short::Beside`].
        beside: bool,
    },
    /// It was made already in this epoch.
    Covered,
    /// Nothing was done: it is another case, or somebody else is at the line.
    Open,
}

/// What of a record an access changes.
#[derive(Clone, Copy)]
struct Change {
    /// Entries that lose its bytes: a bit for each.
    losing: u32,
    /// Where it is written, and the bytes that the entry there has already.
    place: usize,
    joined: u8,
    /// The bytes that the thread has written in this epoch, and read.
    written: u8,
    read: u8,
    /// There is nothing else then: the word needs no record any more.
    alone: bool,
    /// Reads of these bytes stay that are not ordered before it.
    beside_reads: bool,
    /// A read of an earlier epoch loses bytes.
    lost_read: bool,
    /// The thread's own does, and another thread's.
    lost_own: bool,
    lost_other: bool,
}

/// The access of a kind, a `WRITE` or a read, to a word with a record, if it is one of these.
#[inline(always)]
pub(crate) fn access<const WRITE: bool>(
    parts: Parts<'_>,
    known: &mut Known<'_, impl Sites>,
    access: WordAccess,
) -> InRecord {
    debug_assert!(access.write == WRITE && !access.tag.is_atomic());
    // SAFETY: the caller's cell is below 8.
    let word = unsafe { parts.of_word(access.cell) };
    // Acquire, both: as in `quick::record`.
    let value = word.line.load(Ordering::Acquire);
    if value & (SPLIT | LOCK) != SPLIT {
        return InRecord::Open;
    }
    let present = word.number.load(Ordering::Acquire);
    if present & (RECORD | READERS) != RECORD || !known.thread.records.leaves_alone() {
        return InRecord::Open;
    }
    let entries = known.slab.entries_of(present);
    // Mostly they will be written, and are another processor's.
    prefetch_to_write(entries.as_ptr());
    prefetch_to_write(word.cell);
    let Some(change) = change::<WRITE>(entries, known, access) else {
        return InRecord::Open;
    };
    // Relaxed: a guess about another thread's, and of the thread's own only that itself writes.
    let (_, last) = ShadowCell(word.cell.load(Ordering::Relaxed)).halves();
    let beside = !known.owns(last);
    let mask = access.tag.mask();
    let Change { written, read, .. } = change;
    let there = if WRITE { written } else { written | read };
    let is_covered = there & mask == mask;
    // What the readers have in common may be a set, and what one of them comes back to its own.
    let may_be_kept = || change.lost_read && known.thread.records.may_have_readers();
    let in_turns = change.lost_own && change.lost_other;
    if change.beside_reads && (is_covered || may_be_kept()) || in_turns && may_be_kept() {
        return InRecord::Open;
    }
    if is_covered && beside && !known.thread.counts.quick_covered.is_multiple_of(MIRRORED) {
        // As `Known::holds_already`.
        fence(Ordering::Acquire);
        let same = word.line.load(Ordering::Relaxed) == value
            && word.number.load(Ordering::Relaxed) == present;
        return if same {
            InRecord::Covered
        } else {
            InRecord::Open
        };
    }
    // Acquire: what was seen of the record was there before the word is found unchanged.
    fence(Ordering::Acquire);
    if !parts.lock_unchanged(value) {
        return InRecord::Open;
    }
    // Relaxed, from here on: under the lock.
    if word.number.load(Ordering::Relaxed) != present {
        word.line.store(value, Ordering::Release);
        return InRecord::Open;
    }
    let mut next_value = value;
    let cell = if is_covered {
        said((written, read), access)
    } else {
        next_value = changed(value);
        if change.alone && known.thread.records.give(present) {
            word.number.store(access.site, Ordering::Relaxed);
        } else {
            change.write::<WRITE>(entries, access);
        }
        change.said_with::<WRITE>(access)
    };
    word.cell.store(cell.0, Ordering::Relaxed);
    // Release: as `Line`'s end.
    word.line.store(next_value, Ordering::Release);
    if is_covered {
        return InRecord::Covered;
    }
    known.thread.records.was_left_alone();
    InRecord::Made { beside }
}

/// The access of a kind to a word that has no record, and gets one for it: its cell is `old`, of which something can still race with all, the
/// line's word `value` and the number of its sites `present`. `None`, and nothing was done, if it is not one of the cases here; whether it
/// was made, or else somebody else is at the line.
#[inline(always)]
pub(crate) fn begin<const WRITE: bool>(
    parts: Parts<'_>,
    known: &mut Known<'_, impl Sites>,
    access: WordAccess,
    (old, value, present): (ShadowCell, u32, u32),
) -> Option<bool> {
    let (_, r) = old.halves();
    let records = &known.thread.records;
    // Nothing, a side record, freed, or a read set, whose owner is no slot.
    if r.mask() == 0 || known.epochs.is_set(r.epoch()) || !records.leaves_alone() {
        return None;
    }
    let taken = records.take(Class::Small)?;
    let sites = known.sites_of(present);
    // Release: who finds what is written there now, and looks for another word whose record it was, finds that word's line changed.
    fence(Ordering::Release);
    known.slab.record(taken).take_cell(old, sites);
    let entries = known.slab.entries_of(taken);
    let change = match change::<WRITE>(entries, known, access) {
        // A set instead, perhaps.
        Some(change) if !change.alone && !change.beside_reads => change,
        _ => {
            known.thread.records.give(taken);
            return None;
        }
    };
    change.write::<WRITE>(entries, access);
    // SAFETY: the caller's cell is below 8.
    let word = unsafe { parts.of_word(access.cell) };
    let locked = parts.lock_unchanged(value);
    // Relaxed, from here on: under the lock.
    let unchanged = locked
        && word.cell.load(Ordering::Relaxed) == old.0
        && (value & SPLIT == 0 || word.number.load(Ordering::Relaxed) == present);
    if !unchanged {
        known.thread.records.give(taken);
        if locked {
            word.line.store(value, Ordering::Release);
        }
        return Some(false);
    }
    let next_value = if value & SPLIT == 0 {
        parts.split(value)
    } else {
        value
    };
    word.number.store(taken, Ordering::Relaxed);
    let cell = change.said_with::<WRITE>(access);
    word.cell.store(cell.0, Ordering::Relaxed);
    // Release: as `Line`'s end.
    word.line.store(changed(next_value), Ordering::Release);
    known.thread.records.was_left_alone();
    Some(true)
}

/// What the cell says of bytes that the thread has written in the epoch of the access, and of those that it has read.
#[inline(always)]
fn said((written, read): (u8, u8), access: WordAccess) -> ShadowCell {
    let tag = |mask| access.tag.with_mask(mask);
    let write = if written == 0 {
        Tag::NONE
    } else {
        tag(written)
    };
    ShadowCell::tags(write, tag(written | read))
}

/// What the access changes of these entries; `None` if it is not one of the cases here.
#[inline(always)]
fn change<const WRITE: bool>(
    entries: &[AtomicU64],
    known: &mut Known<'_, impl Sites>,
    access: WordAccess,
) -> Option<Change> {
    let (tag, mask) = (access.tag, access.tag.mask());
    let key = key_of(access.entry());
    let mut change = Change {
        losing: 0,
        place: usize::MAX,
        joined: 0,
        written: 0,
        read: 0,
        alone: false,
        beside_reads: false,
        lost_read: false,
        lost_own: false,
        lost_other: false,
    };
    let mut same = usize::MAX;
    let mut left = 0;
    // The last one first, so that the first place that is free is taken.
    let mut index = entries.len();
    while index > 0 {
        index -= 1;
        let this = index;
        // Relaxed: a guess until the line's word is found unchanged.
        // SAFETY: below the length.
        let packed = unsafe { entries.get_unchecked(this) }.load(Ordering::Relaxed);
        if packed == 0 {
            change.place = this;
            continue;
        }
        let old = Tag(packed as u32);
        let of_write = (packed as i64) < 0;
        let shared = old.mask() & mask;
        // Its thread may have made it once more since.
        if packed & KEPT != 0 && shared != 0 {
            return None;
        }
        if old.epoch_bits() == tag.epoch_bits() {
            if of_write {
                change.written |= old.mask();
            } else {
                change.read |= old.mask();
            }
            if packed >> 32 == key {
                same = this;
                change.joined = old.mask();
                continue;
            }
            if shared == 0 || !WRITE && of_write {
                left += 1;
                continue;
            }
        } else if shared == 0 {
            left += 1;
            continue;
        } else {
            if old.is_atomic() {
                return None;
            }
            let ordered = known.before(old);
            // Readers of more may be a set, or keep it to themselves.
            if !ordered && (WRITE || of_write || has_half(mask)) {
                return None;
            }
            change.beside_reads |= !ordered;
            if !WRITE && (of_write || !ordered) {
                left += 1;
                continue;
            }
            if !of_write {
                change.lost_read = true;
                if !WRITE {
                    let is_own = known.owns(old);
                    change.lost_own |= is_own;
                    change.lost_other |= !is_own;
                }
            }
        }
        // What the new one says is not said twice, and what comes after it comes after this.
        change.losing |= 1 << this;
        if old.mask() & !mask == 0 {
            change.place = this;
        } else {
            left += 1;
        }
    }
    if same != usize::MAX {
        change.place = same;
    }
    change.alone = left == 0;
    (change.place != usize::MAX).then_some(change)
}

impl Change {
    /// What the word's cell says after the access.
    #[inline(always)]
    fn said_with<const WRITE: bool>(&self, access: WordAccess) -> ShadowCell {
        let mask = access.tag.mask();
        let made = if WRITE {
            (self.written | mask, self.read)
        } else {
            (self.written, self.read | mask)
        };
        said(made, access)
    }
    #[inline(always)]
    fn write<const WRITE: bool>(mut self, entries: &[AtomicU64], access: WordAccess) {
        let mask = access.tag.mask();
        // SAFETY: here and below, an index of `change`.
        let place = |index: usize| unsafe { entries.get_unchecked(index) };
        while self.losing != 0 {
            let loser = place(self.losing.trailing_zeros() as usize);
            self.losing &= self.losing - 1;
            let old = loser.load(Ordering::Relaxed);
            let rest = old & !(mask as u64);
            loser.store(if rest as u8 == 0 { 0 } else { rest }, Ordering::Relaxed);
        }
        let all = access.tag.with_mask(mask | self.joined);
        let entry = key_of(access.entry()) << 32 | all.0 as u64;
        place(self.place).store(entry, Ordering::Relaxed);
    }
}
