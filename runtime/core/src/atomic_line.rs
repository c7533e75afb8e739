//! What an atomic access does to a word in the common cases: [`crate::transition::apply`] and `encode` in one go, where nobody races, what
//! is kept of others fits the cell or a record, and the thread has nothing there in its present epoch but what the
//! access stands for.
//!
//! Atomics are written in turn by threads that mostly, but not always, know of each other: so there is the last access of each.

use crate::line::{Entry, Judge, Line};
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
        let form = old.form();
        // A parted cell as well: an exchange of it may have come after the word has got its record.
        if let (Form::Parted { .. }, Some(number)) = (form, self.record_number(cell)) {
            return self.make_in_record(cell, number, new, judge);
        }
        let (write, read) = match form {
            Form::Tags { write, read } => (write, read),
            Form::Side(first) => return self.quick_side((cell, first), new, judge),
            Form::Parted { .. } | Form::Freed(_) => return false,
        };
        if old == ShadowCell::EMPTY {
            let write = if new.write { new.tag } else { Tag::NONE };
            self.place(cell, new.site, new.site);
            self.store(cell, ShadowCell::tags(write, new.tag));
            return true;
        }
        if let Some(number) = self.record_number(cell) {
            return self.make_in_record(cell, number, new, judge);
        }
        if read.epoch_bits() != write.epoch_bits() && self.epochs.is_set(read.epoch()) {
            return false;
        }
        scratch.clear();
        self.decode(cell, old, scratch);
        let (mask, kind) = (new.tag.mask(), new.access());
        let covered = |old: &Entry| {
            old.tag.epoch() == new.tag.epoch()
                && old.tag.mask() & mask == mask
                && subsumes(old.access(), kind)
        };
        if scratch.iter().any(covered) {
            return true;
        }
        for old in scratch.iter_mut() {
            let shared = old.tag.mask() & mask;
            let old_kind = old.access();
            let (checks, forgets) = (kind.conflicts(old_kind), subsumes(kind, old_kind));
            if shared != 0 && (checks || forgets) {
                if judge.before(old.tag) {
                    if forgets {
                        old.tag = old.tag.with_mask(old.tag.mask() & !mask);
                    }
                } else if checks {
                    return false;
                }
            }
            if old.tag.mask() != 0 && old.tag.epoch() == new.tag.epoch() {
                return false;
            }
        }
        scratch.retain(|entry| entry.tag.mask() != 0);
        scratch.push(new);
        self.encode(cell, old, scratch, Some(new), false);
        true
    }
}
