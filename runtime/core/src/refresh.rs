//! The shortest way of an access: what is remembered of it, is there already, but for the epoch. So one exchange makes it this epoch's,
//! and the line need not be locked.
//!
//! Threads that come back to the same words in every sync epoch (the fields that a lock guards, a table that all read) write nothing
//! but the cell or the spilled entry itself; the line's word and the numbers of sites stay in the caches of all.
//!
//! # Why nothing is lost
//!
//! Who holds the line's lock does not know of this, and may write back what it has read before the exchange. So the access looks
//! again afterwards. The exchange is a full barrier: if the lock is free after it, whoever held the lock before and has read the old value
//! has also written already, which is seen; and who takes the lock later reads the new value. If the lock is held, or anything else
//! than the new value is found, then the access is made once more under the lock, and checked even if it is found to be made already
//! ([`crate::line::Line::recheck`]): whoever was at the line meanwhile may have decided about the entry as it was before.

use crate::line::{LOCK, Parts, Sites};
use crate::line_sites;
use crate::primitive::shadow::AtomicU64;
use crate::primitive::{Ordering, after_exchange};
use crate::quick::{Known, Short, WordAccess};
use crate::renew::Word;
use crate::spilled::{Spilled, Walked, first_unit};
use crate::tag::{ShadowCell, Tag};
use crate::transition::Order;

/// What came of it.
pub(crate) enum Refreshed {
    Made(Short),
    /// Somebody else was at the line: if the access is remembered now, it may have been missed by whom it races with.
    Unsure,
    /// Nothing was done.
    No,
}

impl Refreshed {
    #[inline(always)]
    fn of(unchanged: bool) -> Refreshed {
        if unchanged {
            Refreshed::Made(Short::Recorded)
        } else {
            Refreshed::Unsure
        }
    }
}

/// Makes an access that turns the cell from `old` to `next` and leaves the number of its sites what it is: `present`, found with the line's
/// word being `value`.
#[inline(always)]
pub(crate) fn refresh(
    word: Word<'_>,
    (value, present): (u32, u32),
    (old, next): (ShadowCell, ShadowCell),
) -> Refreshed {
    if word
        .cell
        .compare_exchange(old.0, next.0, Ordering::SeqCst, Ordering::Relaxed)
        .is_err()
    {
        return Refreshed::No;
    }
    after_exchange();
    let all_same = value & line_sites::SPLIT == 0;
    let unchanged = word.line.load(Ordering::SeqCst) == value
        && (all_same || word.number.load(Ordering::Acquire) == present)
        && word.cell.load(Ordering::Acquire) == next.0;
    Refreshed::of(unchanged)
}

/// As [`refresh`], of a word with spilled entries, whose number is `present`: the thread's own entry, spilled or in the cell, becomes that of
/// the present epoch. Others stay that it might forget: who races with one of these, races with it as well.
///
/// What others change without the lock must not be what this is decided by, for of two threads at different entries, none would see the
/// other's. So a write is refreshed only where no other thread's entry has bytes of it. With a read, all that can matter is a write of the
/// same bytes: under the lock, which forgets the old read and by that the new one, or an atomic one ([`crate::quick_atomic`]). That looks for spilled
/// plain accesses under the lock, but for the cell's without it, and may turn an atomic read into a write.
#[inline(always)]
pub(crate) fn spilled(
    parts: Parts<'_>,
    (value, present): (u32, u32),
    known: &mut Known<'_, impl Sites>,
    access: WordAccess,
) -> Option<Refreshed> {
    let WordAccess {
        cell,
        tag,
        write,
        site,
    } = access;
    // SAFETY: the caller's cell is below 8.
    let word = unsafe { parts.of_word(cell) };
    let mask = tag.mask();
    let (slab, first) = (known.slab, first_unit(value));
    let mut walked = Walked::new();
    let mut own: Option<(&AtomicU64, Spilled)> = None;
    let (mut simple, mut atomic) = (true, false);
    let mut at = first;
    while at != 0 {
        let (unit, head) = walked.enter(slab, at)?;
        let len = if head.has(cell) { head.len() } else { 0 };
        for index in 0..len {
            let place = unit.place(index);
            let entry = Spilled(place.load(Ordering::Relaxed));
            let found = entry.tag();
            if entry.cell() != cell {
                continue;
            }
            if found.mask() & mask == 0 {
                // One entry at most is of the thread's present epoch: what joins it expects that.
                simple &= found.epoch() != tag.epoch();
                continue;
            }
            if found.epoch() == tag.epoch() {
                if found.covers(tag, mask) && (entry.is_write() || !write) {
                    // Only the thread itself makes entries of its present epoch: it is enough that the line had it.
                    let made = parts.word.load(Ordering::Acquire) & !LOCK == value
                        && walked.is_unchanged(slab, first);
                    // What is written is not moved to be found by a read.
                    let moves = entry.is_write() == write && known.moves();
                    return (made && !moves).then_some(Refreshed::Made(Short::Covered));
                }
                // Bytes that join, or another kind of access.
                simple = false;
            } else if entry.is_write() == write
                && own.is_none()
                && found.mask() == mask
                && !found.is_atomic()
                && known.is_own(found)
            {
                own = Some((place, entry));
            } else if write {
                simple &= known.is_own(found);
            } else {
                simple &= !entry.is_write() || known.before(found);
                atomic |= found.is_atomic();
            }
        }
        at = head.next();
    }
    if !simple {
        return None;
    }
    let old = ShadowCell(word.cell.load(Ordering::Acquire));
    let (w, r) = old.halves();
    let epoch = tag.epoch();
    if r.mask() == 0 || w.epoch() == epoch || r.epoch() == epoch {
        return None;
    }
    let copied = w.epoch_bits() == r.epoch_bits();
    let same = |known: &Known<'_, _>, found: Tag| {
        found.mask() == mask && !found.is_atomic() && known.is_own(found)
    };
    let next = if write {
        let is_others = |tag: Tag| tag.mask() & mask != 0 && !known.is_own(tag);
        if is_others(w) || is_others(r) {
            return None;
        }
        // A read of other bytes stays; one of some of them is another case.
        let forgets_read = copied && r.mask() == mask || r.mask() & !mask == 0;
        let fits = same(known, w) && (forgets_read || !copied && r.mask() & mask == 0);
        (fits && known.word_sites(present).one(true, mask) == Some(site)).then(|| {
            let read = if forgets_read { tag } else { r };
            ShadowCell::tags(tag, read)
        })
    } else {
        if w.mask() & mask != 0 && !known.before(w) {
            return None;
        }
        let fits = !copied && !atomic && same(known, r);
        (fits && known.word_sites(present).one(false, mask) == Some(site))
            .then(|| ShadowCell::tags(w, tag))
    };
    if let Some(next) = next {
        let made = refresh(word, (value, present), (old, next));
        return match made {
            Refreshed::Made(_) if !walked.is_unchanged(slab, first) => Some(Refreshed::Unsure),
            Refreshed::No => None,
            made => Some(made),
        };
    }
    let (place, entry) = own?;
    let next = entry.refreshed(tag, site);
    place
        .compare_exchange(entry.0, next.0, Ordering::SeqCst, Ordering::Relaxed)
        .ok()?;
    after_exchange();
    let unchanged = parts.word.load(Ordering::SeqCst) == value
        && walked.is_unchanged(slab, first)
        && place.load(Ordering::Acquire) == next.0
        && word.cell.load(Ordering::Acquire) == old.0;
    Some(Refreshed::of(unchanged))
}
