//! The shortest way of an access: what is remembered of it, is there already, but for the epoch. So one exchange makes it this epoch's,
//! and the line need not be locked.
//!
//! Threads that come back to the same words in every sync epoch (the fields that a lock guards, a table that all read) write nothing
//! but the cell; the line's word and the numbers of sites stay in the caches of all.
//!
//! # Why nothing is lost
//!
//! Who holds the line's lock does not know of this, and may write back what it has read before the exchange. So the access looks
//! again afterwards. The exchange is a full barrier: if the lock is free after it, whoever held the lock before and has read the old value
//! has also written already, which is seen; and who takes the lock later reads the new value. If the lock is held, or anything else
//! than the new value is found, then the access is made once more under the lock, and checked even if it is found to be made already
//! ([`crate::line::Line::recheck`]): whoever was at the line meanwhile may have decided about the entry as it was before.
//!
//! Where nothing else is done in between, to look at the cell again costs as much as the exchange (4.4 of 9 ns), as a processor loads what a locked instruction has just
//! stored only when that is in its cache. What the line's word says cannot stand for it: a line of one site has no room in there for a count of its holders.

use crate::line_sites;
use crate::primitive::{Ordering, after_exchange};
use crate::renew::Word;
use crate::tag::ShadowCell;

/// What came of it.
pub(crate) enum Refreshed {
    Made,
    /// Somebody else was at the line: if the access is remembered now, it may have been missed by whom it races with.
    Unsure,
    /// Nothing was done.
    No,
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
    if unchanged {
        Refreshed::Made
    } else {
        Refreshed::Unsure
    }
}
