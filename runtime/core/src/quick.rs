//! The short way of an access through the engine: one word, a cell with tags, everything ordered by what the thread knows.
//!
//! It does what [`crate::line::Line::access`] does in these cases, and nothing in all others. Compiled code gets here without
//! having saved its vector registers, so nothing here may use them: no calls, no panics, no copies of more than a word
//! (the build looks at the machine code).

use crate::epoch::EpochTable;
use crate::goldilocks::Thread;
use crate::line::{LOCK, Parts};
use crate::line_sites::{self, PairMemo};
use crate::tag::{ShadowCell, Tag};
use crate::transition::{self, Placed};
use std::sync::atomic::Ordering;

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

/// Checks and records the access. False if it is not one of the simple cases; then nothing was done.
///
/// `split` is [`crate::line::Sites::split`].
#[inline(always)]
pub fn record(
    parts: Parts<'_>,
    epochs: &EpochTable,
    thread: &Thread,
    pairs: &PairMemo,
    access: WordAccess,
    split: impl Fn(u32) -> (u32, u32),
) -> bool {
    let WordAccess {
        cell,
        tag,
        write,
        site,
    } = access;
    // Relaxed: a guess; the exchange decides.
    let value = parts.word.load(Ordering::Relaxed);
    // Acquire: as `Line::lock`.
    if value & LOCK != 0
        || parts
            .word
            .compare_exchange(value, value | LOCK, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
    {
        return false;
    }
    // SAFETY: the caller's cell is below 8.
    let (shadow, number) = unsafe {
        (
            parts.cells.get_unchecked(cell),
            parts.sites.get_unchecked(cell),
        )
    };
    let mut next_value = value;
    let done = 'decide: {
        let old = ShadowCell(shadow.load(Ordering::Relaxed));
        let before = |tag: Tag| epochs.known_before(thread, tag);
        let Some((next, placed)) = transition::quick(old, tag, write, before) else {
            break 'decide false;
        };
        let all_same = value & line_sites::SPLIT == 0;
        let present = if all_same {
            value
        } else {
            number.load(Ordering::Relaxed)
        };
        let sites = if present & line_sites::PAIR == 0 {
            (present, present)
        } else {
            split(present & !line_sites::PAIR)
        };
        let wanted = match placed {
            Placed::Cell => Some(site),
            Placed::Read if sites.1 == site => Some(present),
            Placed::Read => pairs.find(sites.0, site),
            Placed::JoinsWrite => (sites.0 == site).then_some(present),
            Placed::JoinsRead => (sites.1 == site).then_some(present),
        };
        let Some(wanted) = wanted else {
            break 'decide false;
        };
        if wanted != present {
            if !all_same {
                number.store(wanted, Ordering::Relaxed);
            } else if value == 0 {
                next_value = wanted;
            } else {
                break 'decide false;
            }
        }
        shadow.store(next.0, Ordering::Relaxed);
        true
    };
    // Release: as `Line`'s end.
    parts.word.store(next_value, Ordering::Release);
    done
}
