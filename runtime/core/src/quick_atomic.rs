//! The short way of an atomic access through the engine, as [`crate::quick`] is that of plain ones: one word that holds no more than
//! its cell says, everything that the access meets ordered by what the thread knows or atomic itself.
//!
//! It does what [`crate::line::Line::access`] does in these cases, and nothing in all others.

use crate::line::{LOCK, Parts, Sites};
use crate::line_sites::{PAIR, SPLIT};
use crate::primitive::{Ordering, after_exchange};
use crate::quick::{Known, WordAccess};
use crate::spilled::SPILLED;
use crate::tag::ShadowCell;
use crate::transition::{self, Placed};

/// Checks and records the access, if it is one of the simple cases; says whether it was.
#[inline]
pub(crate) fn record(
    parts: Parts<'_>,
    mut known: Known<'_, impl Sites>,
    access: WordAccess,
) -> bool {
    let WordAccess {
        cell,
        tag,
        write,
        site,
    } = access;
    // Relaxed: a guess; the exchange decides. Acquire: as `Line::lock`.
    let value = parts.word.load(Ordering::Relaxed);
    if value & LOCK != 0
        || parts
            .word
            .compare_exchange(value, value | LOCK, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
    {
        return false;
    }
    after_exchange();
    let (shadow, number) = (&parts.cells[cell], &parts.sites[cell]);
    let mut next_value = value;
    let done = 'decide: {
        let all_same = value & SPLIT == 0;
        let present = if all_same {
            value
        } else {
            number.load(Ordering::Relaxed)
        };
        if present & SPILLED != 0 {
            break 'decide false;
        }
        let old = ShadowCell(shadow.load(Ordering::Relaxed));
        let Some((next, placed)) = transition::quick_atomic(old, tag, write, &mut known) else {
            break 'decide false;
        };
        let wanted = match placed {
            Placed::Cell => Some(site),
            _ => {
                let (of_write, of_read) = if present & PAIR == 0 {
                    (present, present)
                } else {
                    known.sites.split(present & !PAIR)
                };
                if of_read == site {
                    Some(present)
                } else {
                    known.memos.pairs.find(of_write, site, known.sites)
                }
            }
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
