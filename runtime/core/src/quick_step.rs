//! The short way of a plain access that is a step which the thread knows by heart ([`crate::steps`]), or a read that it keeps to itself ([`crate::kept`]): nothing is
//! looked up but that.
//!
//! As in [`crate::quick`], nothing here may use vector registers.

use crate::kept::at;
use crate::line::{LOCK, Parts};
use crate::line_sites::SPLIT;
use crate::primitive::Ordering;
use crate::quick::{Known, Short, WordAccess};
use crate::quick_locked::renumber;
use crate::records::{READERS, RECORD};
use crate::refresh::{Refreshed, refresh};
use crate::steps::{Next, Step};
use crate::tag::{ShadowCell, Tag};

impl WordAccess {
    /// Of a word whose cell is `old`, and the number of its sites `number`.
    #[inline(always)]
    pub(crate) fn step(self, old: ShadowCell, number: u32) -> Step {
        let WordAccess {
            tag, write, site, ..
        } = self;
        Step {
            old,
            number,
            tag,
            write,
            site,
        }
    }
}

/// What came of an access that is a step ([`crate::steps`]).
pub enum Stepped {
    Made,
    /// The thread is in this read set now, with the bytes that it has read, or a full mask.
    Joined(Tag),
    /// It is to be checked even if it is found to be made.
    Unsure,
    /// It is a read that the thread keeps to itself, once more.
    Kept,
    /// Nothing was done: the word has a record,
    Record,
    /// or the thread does not know by heart what becomes of the word, or somebody else is at the line.
    Open,
}

/// Makes the access, if it is a step that the thread knows by heart.
#[inline(always)]
pub(crate) fn step<T>(parts: Parts<'_>, known: &Known<'_, T>, access: WordAccess) -> Stepped {
    // SAFETY: the caller's cell is below 8.
    let word = unsafe { parts.of_word(access.cell) };
    // Acquire, all: as in `quick::record`.
    let old = ShadowCell(word.cell.load(Ordering::Acquire));
    let value = word.line.load(Ordering::Acquire);
    if value & LOCK != 0 {
        return Stepped::Open;
    }
    let present = if value & SPLIT == 0 {
        value
    } else {
        word.number.load(Ordering::Acquire)
    };
    if present & RECORD != 0 {
        let is_kept = !access.write && present & READERS != 0 && {
            let (kept, slot) = (&known.epochs.kept, known.thread.slot);
            kept.renew(slot, at(word.cell), access.entry())
        };
        return if is_kept {
            Stepped::Kept
        } else {
            Stepped::Record
        };
    }
    let step = access.step(old, present);
    let Some(next) = known.thread.steps.find(step) else {
        return Stepped::Open;
    };
    match take_step(parts, (value, access.cell), step, next) {
        (Short::Recorded, _) => Stepped::Made,
        (Short::Joined(set), _) => Stepped::Joined(set),
        (_, true) => Stepped::Unsure,
        (_, false) => Stepped::Open,
    }
}

/// Makes the access of a step to the word of this cell, whose line's word was `value`, if it is still what the step says, and nobody else is at the line.
#[inline(always)]
pub(crate) fn take_step(
    parts: Parts<'_>,
    (value, cell): (u32, usize),
    step: Step,
    next: Next,
) -> (Short, bool) {
    let Step {
        old,
        number: present,
        ..
    } = step;
    let taken = if next.number != present {
        let cells = (old, next.cell);
        (
            renumber(parts, (value, present), cell, cells, next.number),
            false,
        )
    } else {
        // SAFETY: the caller's cell is below 8.
        let word = unsafe { parts.of_word(cell) };
        match refresh(word, (value, present), (old, next.cell)) {
            Refreshed::Made => (Short::Recorded, false),
            Refreshed::Unsure => (Short::Locked, true),
            Refreshed::No => (Short::Locked, false),
        }
    };
    if next.joins != 0 && taken.0 == Short::Recorded {
        return (
            Short::Joined(next.cell.halves().1.with_mask(next.joins)),
            false,
        );
    }
    taken
}
