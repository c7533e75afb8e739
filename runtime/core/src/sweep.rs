//! Which epoch ids and which units of the slab are in use: what makes both recyclable.
//!
//! An id is in use while a shadow cell, a record or a thread's present sync epoch mentions it. A unit is in use while a
//! cell or a line's word refers to it; one that no line refers to was lost when its shadow was given back to the
//! operating system. Whoever sweeps has stopped all threads outside of the runtime, so that no line is locked, no
//! id is on its way into a cell and no unit on its way into a record; and visits every line that may hold anything.

use crate::epoch::{EpochId, EpochTable};
use crate::event::Slot;
use crate::goldilocks::Thread;
use crate::line::Parts;
use crate::line_sites::SPLIT;
use crate::records::{self, Class, RECORD};
use crate::side_chain;
use crate::side_record;
use crate::slab::Slab;
use crate::tag::{Form, ShadowCell, Tag};
use std::sync::atomic::Ordering;

/// One bit per index below a bound. What is not below it was handed out after the sweep has begun, and is in use.
struct BitSet(Vec<u64>);

impl BitSet {
    fn new(bound: u32) -> BitSet {
        BitSet(vec![0; bound as usize / 64 + 1])
    }
    fn insert(&mut self, index: u32) {
        if let Some(bits) = self.0.get_mut(index as usize / 64) {
            *bits |= 1 << (index % 64);
        }
    }
    fn contains(&self, index: u32) -> bool {
        let bits = self.0.get(index as usize / 64);
        bits.is_none_or(|bits| bits >> (index % 64) & 1 != 0)
    }
}

/// A sweep in progress. One bit per id and per unit that was ever handed out: at most 1 MiB and 128 MiB.
pub struct Sweep<'a> {
    epochs: &'a EpochTable,
    slab: &'a Slab,
    ids: BitSet,
    units: BitSet,
    records: BitSet,
}

impl<'a> Sweep<'a> {
    /// Nothing is known to be in use yet.
    pub fn new(epochs: &'a EpochTable, slab: &'a Slab) -> Sweep<'a> {
        Sweep {
            epochs,
            slab,
            ids: BitSet::new(epochs.high_water()),
            units: BitSet::new(slab.high_water()),
            records: BitSet::new(slab.high_water() * 2),
        }
    }

    /// Forgets what of a line nothing can race with any more, and marks what is left.
    pub fn line(&mut self, parts: Parts<'_>) {
        self.forget_settled(parts);
        // Relaxed: the threads that wrote have been stopped, which ordered their stores before this.
        let word = parts.word.load(Ordering::Relaxed);
        if word & SPLIT != 0 {
            for number in parts.sites {
                // Relaxed: as above.
                let number = number.load(Ordering::Relaxed);
                if number & RECORD != 0 {
                    for half in records::halves_of(number) {
                        self.units.insert(half >> 1);
                        self.records.insert(half);
                    }
                    for entry in self.slab.record(number).entries() {
                        self.ids.insert(entry.tag.epoch().0);
                    }
                }
            }
        }
        for cell in parts.cells {
            // Relaxed: as above.
            let cell = ShadowCell(cell.load(Ordering::Relaxed));
            if cell == ShadowCell::EMPTY {
                continue;
            }
            match cell.form() {
                Form::Tags { write, read } => {
                    self.tag(write);
                    self.tag(read);
                }
                Form::Parted { earlier, newer, .. } => {
                    self.tag(earlier);
                    self.tag(newer);
                }
                Form::Freed(epoch) => self.epoch(epoch),
                Form::Side(index) => {
                    let mut tags = Vec::new();
                    let unit = |unit| self.units.insert(unit);
                    side_chain::visit_side_record(self.slab, index, unit, |tag| tags.push(tag));
                    tags.into_iter().for_each(|tag| self.tag(tag));
                }
            }
        }
    }

    /// Relaxed, all of it: as above.
    fn forget_settled(&self, parts: Parts<'_>) {
        let is_split = parts.word.load(Ordering::Relaxed) & SPLIT != 0;
        for (shadow, number) in parts.cells.iter().zip(parts.sites) {
            let cell = ShadowCell(shadow.load(Ordering::Relaxed));
            if cell == ShadowCell::EMPTY {
                continue;
            }
            let present = number.load(Ordering::Relaxed);
            if is_split && present & RECORD != 0 {
                let record = self.slab.record(present);
                record.take_back(self.epochs, shadow, None);
                if !record.forget(|tag| self.epochs.is_settled(tag)) {
                    number.store(0, Ordering::Relaxed);
                    shadow.store(ShadowCell::EMPTY.0, Ordering::Relaxed);
                }
                continue;
            }
            let left = match cell.form() {
                Form::Tags { .. } | Form::Parted { .. } => self.epochs.unsettled(cell),
                Form::Freed(_) => cell,
                Form::Side(index) => {
                    side_record::take_back(self.slab, 0, &self.epochs.kept, (shadow, index));
                    let mut all = true;
                    side_chain::visit_side_record(
                        self.slab,
                        index,
                        |_| {},
                        |tag| {
                            all &=
                                self.epochs.is_settled(tag) || self.epochs.readers_are_settled(tag)
                        },
                    );
                    if all { ShadowCell::EMPTY } else { cell }
                }
            };
            if left != cell {
                shadow.store(left.0, Ordering::Relaxed);
            }
        }
    }

    /// Marks a thread's present sync epoch, and the granule of those that come. What it keeps by other ids, which may now get
    /// another meaning, is forgotten.
    pub fn thread(&mut self, thread: &mut Thread) {
        for epoch in thread.epoch().into_iter().chain(thread.next_epoch()) {
            self.ids.insert(epoch.0);
        }
        thread.forget_ids();
    }

    fn tag(&mut self, tag: Tag) {
        if tag != Tag::NONE {
            self.epoch(tag.epoch());
        }
    }

    fn epoch(&mut self, epoch: EpochId) {
        self.ids.insert(epoch.0);
        if let Some(readers) = self.epochs.readers(epoch) {
            let ids = readers.iter().map(|reader| reader.epoch().0);
            ids.for_each(|id| self.ids.insert(id));
        }
    }

    /// By slot, whether an access of a thread that has had it is remembered.
    pub fn slots_in_use(&self) -> Vec<bool> {
        let mut slots = vec![false; Slot::MAX as usize + 1];
        for id in (1..self.epochs.high_water()).filter(|&id| self.ids.contains(id)) {
            // The readers of a set are marked by themselves.
            if self.epochs.readers(EpochId(id)).is_none() {
                slots[self.epochs.lookup(EpochId(id)).0 as usize] = true;
            }
        }
        slots
    }

    /// Takes back whatever was not marked. The result is the number of granules of epoch ids that can be handed out
    /// again.
    pub fn finish(self) -> usize {
        self.slab.recycle(|unit| self.units.contains(unit));
        // Of the units that stay for a record, the other one.
        let records = |unit: u32| [unit << 1, unit << 1 | 1];
        let halves = (1..self.slab.high_water()).flat_map(|unit| {
            let used = records(unit).map(|record| self.records.contains(record));
            let free = used[0] != used[1];
            free.then(|| Class::Small.number(records(unit)[used[0] as usize]))
        });
        self.slab.records.set(halves.collect());
        self.epochs.recycle(|id| self.ids.contains(id))
    }
}
