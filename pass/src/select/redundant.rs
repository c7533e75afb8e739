//! Checks that an earlier one in the same block covers.
//!
//! Between two accesses of one thread with no call, atomic or fence in between there is no synchronization: whoever
//! races with the second access races with the first one too, if that is at least as strong. A read that is followed
//! by a write of the same bytes is therefore checked as that write, at once: both happen, since nothing in between
//! leaves the block. The report then shows the position of the write, so this is done within one line only.

use std::collections::HashMap;

use super::work::{Check, Work};
use crate::llvm::Value;

/// Whether a check is needed, given those before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Needed,
    Covered,
    /// If the earlier check at this index becomes one of a write.
    Strengthens(usize),
}

/// Checks in the present block since the last instruction that might synchronize.
pub struct Redundancy<'m> {
    enabled: bool,
    /// Address and length to the index of the work that checks them.
    checked: HashMap<(Value<'m>, u64), usize>,
}

impl<'m> Redundancy<'m> {
    pub fn new(enabled: bool) -> Redundancy<'m> {
        Redundancy {
            enabled,
            checked: HashMap::new(),
        }
    }

    /// Something that might synchronize, or not come back, or another block.
    pub fn forget(&mut self) {
        self.checked.clear();
    }

    pub fn find(&self, check: &Check<'m>, works: &[Work<'m>]) -> Answer {
        let Some(&index) = self.checked.get(&(check.address, check.bytes)) else {
            return Answer::Needed;
        };
        let Work::Check(earlier) = &works[index] else {
            return Answer::Needed;
        };
        if earlier.write || !check.write {
            return Answer::Covered;
        }
        let same_line = match (earlier.source.location(), check.source.location()) {
            (Some(earlier), Some(later)) => earlier.same_line(later),
            (None, None) => true,
            _ => false,
        };
        if same_line {
            Answer::Strengthens(index)
        } else {
            Answer::Needed
        }
    }

    pub fn add(&mut self, check: &Check<'m>, index: usize) {
        if self.enabled {
            self.checked.insert((check.address, check.bytes), index);
        }
    }
}
