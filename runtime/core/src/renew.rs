//! The shortest way of all: an access that its word remembers but for the epoch, in the two tags of its cell and with its own site; or other bytes of
//! what its thread has accessed from that site in this epoch.
//!
//! Most accesses that get to the runtime are of this kind, so there it is done by a lane in assembly (`runtime/src/lane.rs`). This is the model of that, which
//! tests and loom go through: what [`crate::quick::record`] would do, without the tables that others need.

use crate::line::{LOCK, Sites};
use crate::line_sites::{PAIR, SPLIT};
use crate::primitive::Ordering;
use crate::primitive::shadow::{AtomicU32, AtomicU64};
use crate::quick::Known;
use crate::refresh::{Refreshed, refresh};
use crate::tag::{ShadowCell, Tag};
use crate::transition::Order;

/// What there is of one word in its line.
#[derive(Clone, Copy)]
pub struct Word<'a> {
    pub cell: &'a AtomicU64,
    /// The line's word.
    pub line: &'a AtomicU32,
    /// The number of the word's sites, where the line's word does not say it for all.
    pub number: &'a AtomicU32,
}

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Renewed {
    Made,
    /// It has to be checked even if it is found to be made.
    Unsure,
    /// Nothing was done.
    No,
}

/// The cell after a plain access with the tag `new`, if the access takes the place of one of the tags, or of both, or joins what its thread has accessed in
/// this epoch, and everything that it meets is ordered before. See [`crate::transition::quick`] for why.
#[inline(always)]
fn next(old: ShadowCell, new: Tag, write: bool, order: &mut impl Order) -> Option<ShadowCell> {
    let (w, r) = old.halves();
    let mask = new.mask();
    // Neither a side record nor freed nor empty, nor parted.
    if r.mask() == 0 || old.is_parted() {
        return None;
    }
    let copied = (w.0 ^ r.0) >> 8 == 0;
    let [own_write, own_read] = [w, r].map(|tag| tag.epoch_bits() == new.epoch_bits());
    if write {
        if (w.mask() | r.mask()) & !mask == 0 {
            let read_after = copied || w.mask() & !r.mask() == 0 && !w.is_atomic();
            let ordered = order.before(r) && (read_after || order.before(w));
            return ordered.then_some(ShadowCell::tags(new, new));
        }
        if !own_read {
            return None;
        }
        let written = if own_write {
            w.mask() | mask
        } else if w == Tag::NONE || w.mask() & !mask == 0 && !w.is_atomic() && order.before(w) {
            mask
        } else {
            return None;
        };
        let read = written | r.mask();
        return Some(ShadowCell::tags(
            new.with_mask(written),
            new.with_mask(read),
        ));
    }
    let joined = ShadowCell::tags(w, new.with_mask(mask | r.mask()));
    if own_write {
        return own_read.then_some(joined);
    }
    if copied {
        // There is no read and the tag says the write's bytes again, or one of bytes that are read now.
        let ordered = r.mask() & !(w.mask() | mask) == 0 && order.before(r);
        return ordered.then_some(ShadowCell::tags(w, new));
    }
    let met = w.mask() & mask;
    if r.mask() & !mask != 0 {
        let ordered = met == 0 || !w.is_atomic() && order.before(w);
        return (own_read && ordered).then_some(joined);
    }
    if !order.before(r) {
        return None;
    }
    let read_after = met & !r.mask() == 0 && !w.is_atomic();
    (met == 0 || read_after || order.before(w)).then_some(ShadowCell::tags(w, new))
}

/// Makes the access with the tag `new` at `site`, if it is one of these.
#[inline(always)]
pub fn renew(
    word: Word<'_>,
    known: &mut Known<'_, impl Sites>,
    (new, write): (Tag, bool),
    site: u32,
) -> Renewed {
    // Acquire, all three: as in `quick::record`.
    let old = ShadowCell(word.cell.load(Ordering::Acquire));
    let value = word.line.load(Ordering::Acquire);
    let present = match value & (SPLIT | LOCK) {
        0 => value,
        SPLIT => word.number.load(Ordering::Acquire),
        _ => return Renewed::No,
    };
    // The number of a word with a record is neither.
    if present != site {
        if present >> 29 != PAIR >> 29 {
            return Renewed::No;
        }
        let (of_write, of_read) = known.sites.split(present & !PAIR);
        if site != if write { of_write } else { of_read } {
            return Renewed::No;
        }
    }
    let Some(next) = next(old, new, write, known) else {
        return Renewed::No;
    };
    match refresh(word, (value, present), (old, next)) {
        Refreshed::Made => Renewed::Made,
        Refreshed::Unsure => Renewed::Unsure,
        Refreshed::No => Renewed::No,
    }
}
