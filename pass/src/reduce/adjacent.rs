//! Accesses next to each other, checked as one.
//!
//! Fields of one object that are read, or written, on one line and in one block, with nothing between that may synchronize or
//! leave. They are checked where the first one is. Only where the result has a check stub of its own, or is as long as the
//! vectors of an unrolled loop, for which one call of the range check replaces several. It never compares more words
//! of shadow than the two do.

use std::collections::HashMap;

use super::covered::same_line;
use super::{Body, Step};
use crate::llvm::Value;
use crate::select::{Check, INLINE_BYTES, Work};
use crate::stats::Stats;
use goldilocks_core::abi::ACCESS_SIZES;

pub fn merge(body: &mut Body, stats: &mut Stats) {
    let Body { blocks, works } = body;
    for passage in blocks.iter() {
        let mut open: HashMap<(Value, bool), Vec<usize>> = HashMap::new();
        for step in &passage.steps {
            match *step {
                Step::Effect(_) => open.clear(),
                Step::Definition(_) => {}
                Step::Work(number) => {
                    let Some(Work::Check(check)) = works[number] else {
                        continue;
                    };
                    // Those that have gone to the front of a loop are elsewhere.
                    if check.before != check.source {
                        continue;
                    }
                    let (base, _) = check.address.constant_offset();
                    let earlier = open.entry((base, check.write)).or_default();
                    stats.merged += close_up(earlier, number, works);
                }
            }
        }
    }
}

/// Joins the check with this number to one of the `earlier` ones, and what comes of it to another one, as long as that can be
/// done, and adds the outcome to them. Returns how many checks there are less.
fn close_up(earlier: &mut Vec<usize>, number: usize, works: &mut [Option<Work>]) -> usize {
    let mut last = number;
    let mut joins = 0;
    while let Some(Work::Check(check)) = works[last] {
        let found = earlier
            .iter()
            .enumerate()
            // The one that is made first is where both are made.
            .filter(|(_, first)| **first < last)
            .find_map(|(place, &first)| match &works[first] {
                Some(Work::Check(before)) => Some((place, joined(before, &check)?)),
                _ => None,
            });
        let Some((place, whole)) = found else {
            break;
        };
        works[last] = None;
        last = earlier.remove(place);
        works[last] = Some(Work::Check(whole));
        joins += 1;
    }
    earlier.push(last);
    joins
}

fn is_checked_well(bytes: u64) -> bool {
    ACCESS_SIZES.contains(&bytes) || bytes.is_multiple_of(16) && bytes <= INLINE_BYTES
}

/// One check for both, if `second` begins where `first` ends.
fn joined<'m>(first: &Check<'m>, second: &Check<'m>) -> Option<Check<'m>> {
    let (base, from) = first.address.constant_offset();
    let (other, next) = second.address.constant_offset();
    let bytes = first.bytes + second.bytes;
    if base != other
        || from + first.bytes as i64 != next
        || !is_checked_well(bytes)
        || !same_line(first.source, second.source)
    {
        return None;
    }
    Some(Check { bytes, ..*first })
}
