//! What an atomic access does to a word in the common cases: [`crate::transition::apply`] and `encode` in one go, where nobody races, what
//! is kept of others fits the cell and its spilled entries, and the thread has nothing there in its present epoch but what the
//! access stands for.
//!
//! Atomics are written in turn by threads that mostly, but not always, know of each other: so there is the last access of each.

use crate::line::{Entry, Judge, Line};
use crate::remembered::{pack, unpack};
use crate::slab::Unit;
use crate::spilled::MOST;
use crate::tag::{Form, ShadowCell, Tag};
use crate::transition::subsumes;

impl Line<'_> {
    /// Checks and records an atomic access to bytes of `cell`; false (and nothing was done) if it is not such a case. `scratch` is for
    /// the line's own use.
    pub(crate) fn quick_atomic(
        &mut self,
        cell: usize,
        new: Entry,
        judge: &mut impl Judge,
        scratch: &mut Vec<Entry>,
    ) -> bool {
        let old = self.load(cell);
        let (write, read) = match old.form() {
            Form::Tags { write, read } => (write, read),
            Form::Side(first) => return self.quick_atomic_side(first, new, judge),
            Form::Freed(_) => return false,
        };
        if old == ShadowCell::EMPTY {
            let write = if new.write { new.tag } else { Tag::NONE };
            self.place(cell, new.site, new.site);
            self.store(cell, ShadowCell::tags(write, new.tag));
            return true;
        }
        // A tag with several sites is several entries.
        if self.is_mixed(cell) {
            return false;
        }
        if read.epoch_bits() != write.epoch_bits() && self.epochs.is_set(read.epoch()) {
            return false;
        }
        scratch.clear();
        self.decode(cell, old, scratch);
        let (mask, kind) = (new.tag.mask(), new.access());
        let mut of_cell = scratch.len();
        let covered = |old: &Entry| {
            old.tag.epoch() == new.tag.epoch()
                && old.tag.mask() & mask == mask
                && subsumes(old.access(), kind)
        };
        if scratch.iter().any(covered) {
            return true;
        }
        // What is spilled comes last.
        let spilled = self.has_spilled(cell);
        if spilled {
            of_cell = (write != Tag::NONE) as usize
                + (read.epoch_bits() != write.epoch_bits() || read.mask() & !write.mask() != 0)
                    as usize;
        }
        let mut spill_changes = false;
        for (index, old) in scratch.iter_mut().enumerate() {
            let shared = old.tag.mask() & mask;
            let old_kind = old.access();
            let (checks, forgets) = (kind.conflicts(old_kind), subsumes(kind, old_kind));
            if shared != 0 && (checks || forgets) {
                if judge.before(old.tag) {
                    if forgets {
                        old.tag = old.tag.with_mask(old.tag.mask() & !mask);
                        spill_changes |= index >= of_cell;
                    }
                } else if checks {
                    return false;
                }
            }
            if old.tag.mask() != 0 && old.tag.epoch() == new.tag.epoch() {
                return false;
            }
        }
        let kept = |entry: &&Entry| entry.tag.mask() != 0;
        // The cell gets the access itself, and a read gets a write beside it.
        let beside = if new.write {
            None
        } else {
            scratch
                .iter()
                .position(|entry| entry.write && entry.tag.mask() != 0)
        };
        spill_changes |= beside.is_some_and(|beside| beside >= of_cell)
            || (0..of_cell).any(|index| Some(index) != beside && scratch[index].tag.mask() != 0);
        let rest = || {
            let others = scratch.iter().enumerate();
            let others = others.filter(|&(index, _)| Some(index) != beside);
            others.map(|(_, entry)| entry).filter(kept)
        };
        if spill_changes && rest().count() > MOST {
            return false;
        }
        let (tags, of_write) = match beside.map(|beside| scratch[beside]) {
            _ if new.write => (ShadowCell::tags(new.tag, new.tag), new.site),
            Some(write) => (ShadowCell::tags(write.tag, new.tag), write.site),
            None => (ShadowCell::tags(Tag::NONE, new.tag), new.site),
        };
        self.place(cell, of_write, new.site);
        self.store(cell, tags);
        if spill_changes {
            self.spill(cell, rest().copied());
        }
        true
    }

    /// The same, of a word whose side record begins with unit `first`: hundreds of threads load a flag, and each of them is there. The access
    /// takes the place of one that it stands for, if there is one, or comes to the others as long as there is room, so that what can be
    /// forgotten besides is looked for now and then only.
    fn quick_atomic_side(&mut self, first: u32, new: Entry, judge: &mut impl Judge) -> bool {
        let (mask, kind) = (new.tag.mask(), new.access());
        let mut replaced = None;
        let mut at = first;
        let last = loop {
            let unit = self.slab.unit(at);
            for index in 0..unit.len() {
                let old = unpack(unit.get(index));
                let shared = old.tag.mask() & mask;
                if old.tag.epoch() == new.tag.epoch() {
                    // If not, bytes may join.
                    return shared == mask && subsumes(old.access(), kind);
                }
                if shared == 0 {
                    continue;
                }
                if kind.conflicts(old.access()) && !judge.before(old.tag) {
                    return false;
                }
                if replaced.is_none()
                    && old.tag.mask() == mask
                    && subsumes(kind, old.access())
                    && judge.before(old.tag)
                {
                    replaced = Some((unit, index));
                }
            }
            match unit.next() {
                0 => break unit,
                next => at = next,
            }
        };
        let len = last.len();
        match replaced {
            Some((unit, index)) => unit.set(index, pack(new)),
            None if len < Unit::ROOM => {
                last.set(len, pack(new));
                last.set_len(len + 1);
            }
            None => return false,
        }
        true
    }
}
