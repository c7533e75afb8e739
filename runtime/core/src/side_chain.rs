//! A side record as a list of entries, and back: a chain of units with entries as a record has them, or with readers by bits.

use crate::crowds::bit_of;
use crate::epoch::EpochId;
use crate::event::Access;
use crate::line::{Entry, Line};
use crate::read_sets::Reader;
use crate::reader_bits::{Group, ReaderBits};
use crate::records::{Class, pack, unpack};
use crate::side_bytes::are_few;
use crate::slab::{Slab, Unit};
use crate::tag::{Form, ShadowCell, Tag};

impl Line<'_> {
    /// Appends what the side record says that begins with this unit.
    pub(crate) fn decode_side(&self, index: u32, entries: &mut Vec<Entry>) {
        let mut next = index;
        while next != 0 {
            let unit = self.slab.unit(next);
            let all = unit.places().map(|index| unpack(unit.get(index)));
            entries.extend(all.filter(|entry| entry.tag != Tag::NONE));
            if let Some(bits) = ReaderBits::of(unit) {
                for read in bits.entries(self.epochs) {
                    // Other bytes that its thread has read in the same epoch from the same place are in other units.
                    let same = |entry: &&mut Entry| {
                        entry.tag.epoch_bits() == read.tag.epoch_bits()
                            && !entry.write
                            && entry.site == read.site
                    };
                    match entries.iter_mut().find(same) {
                        Some(entry) => {
                            entry.tag = entry.tag.with_mask(entry.tag.mask() | read.tag.mask());
                        }
                        None => entries.push(read),
                    }
                }
            }
            next = unit.next();
        }
    }

    pub(crate) fn release_side(&self, cell: ShadowCell) {
        if let Form::Side(index) = cell.form() {
            let mut next = index;
            while next != 0 {
                let this = next;
                next = self.slab.unit(this).next();
                self.slab.release(this, self.near());
            }
        }
    }

    /// Where the side record of a word begins, which it has or gets.
    pub(crate) fn first_unit(&self, old: ShadowCell) -> u32 {
        match old.form() {
            Form::Side(index) => index,
            _ => self.new_unit(),
        }
    }

    /// More entries than a record has room for, as readers by bits and what else there is, if that takes less than twice the room. One more word for which a crowd would be good, if the access `new` is
    /// a read; of crowds that there are, those are looked at that the word has.
    pub(crate) fn groups_of(
        &self,
        old: ShadowCell,
        entries: &[Entry],
        new: Option<Entry>,
    ) -> Option<(Vec<Group>, Vec<Entry>)> {
        if entries.len() <= Class::Huge.room() {
            return None;
        }
        let mut crowds = self.crowds_of(old);
        // Of few bytes, threads keep what they read again ([`crate::side_bytes`]).
        let is_read = |entry: &Entry| entry.access() == Access::Read && !are_few(entry.tag.mask());
        let read = new.filter(is_read);
        let (memo, words) = (self.memos.crowds, self.memos.first_joins.words());
        if let Some(read) = read
            && memo.is_wanted(self.epochs, read.tag.epoch(), words)
        {
            let (bank, _) = bit_of(self.epochs.lookup(read.tag.epoch()).0);
            let reads = entries
                .iter()
                .filter(|entry| is_read(entry))
                .map(|read| read.tag.epoch());
            let crowd = self.epochs.crowds.with(self.epochs, bank, reads)?;
            if self
                .epochs
                .read_by(Tag::new(crowd, false, 0xff), read.tag.epoch())
                != 0
            {
                memo.join(self.epochs, read.tag.epoch(), crowd);
            }
            crowds.insert(0, crowd);
        }
        let mut groups: Vec<Group> = Vec::new();
        let mut rest = Vec::new();
        for &entry in entries {
            let epoch = entry.tag.epoch();
            let (bank, bit) = bit_of(self.epochs.lookup(epoch).0);
            let is_of = |crowd: &&EpochId| {
                let readers = self.epochs.readers(**crowd).unwrap_or_default();
                readers.contains(&Reader::of_all(epoch))
            };
            let crowd = if is_read(&entry) {
                crowds.iter().find(is_of)
            } else {
                None
            };
            let joined = crowd.is_some_and(|&crowd| {
                let is_it = |group: &&mut Group| {
                    (group.crowd, group.bank, group.bytes) == (crowd, bank, entry.tag.mask())
                };
                if let Some(group) = groups.iter_mut().find(is_it) {
                    return group.readers & bit == 0 && group.add(bit, entry.site);
                }
                let mut group = Group::new(crowd, bank, entry.tag.mask());
                group.add(bit, entry.site);
                groups.push(group);
                true
            });
            if !joined {
                rest.push(entry);
            }
        }
        // Each takes as much room as seven entries.
        let beside = groups.len() * Unit::BESIDE_BITS;
        let units = groups.len() + rest.len().saturating_sub(beside).div_ceil(Unit::ROOM);
        let most = (2 * entries.len()).div_ceil(Unit::ROOM);
        (!groups.is_empty() && units <= most).then_some((groups, rest))
    }

    /// The crowds, or read set, of a word.
    fn crowds_of(&self, old: ShadowCell) -> Vec<EpochId> {
        let mut crowds = Vec::new();
        match old.form() {
            Form::Side(first) => {
                let mut next = first;
                while next != 0 {
                    let unit = self.slab.unit(next);
                    crowds.extend(ReaderBits::of(unit).map(|bits| bits.crowd().epoch()));
                    next = unit.next();
                }
            }
            // Of a set in parts, a thread may be two of the readers.
            Form::Tags { read, .. }
                if self.epochs.is_set(read.epoch()) && !self.epochs.is_in_parts(read) =>
            {
                crowds.push(read.epoch());
            }
            _ => {}
        }
        crowds
    }

    /// Makes the side record that begins with this unit one of these readers and entries: two entries beside each group of readers first, and the others after these.
    pub(crate) fn fill_side(&self, first: u32, groups: &[Group], entries: &[Entry]) {
        let beside = groups.len() * Unit::BESIDE_BITS;
        let (beside, others) = entries.split_at(beside.min(entries.len()));
        let mut beside = beside.chunks(Unit::BESIDE_BITS);
        let mut last = None;
        let mut next_unit = || {
            let next = match last.map(|last| self.slab.unit(last).next()) {
                None => first,
                Some(0) => self.new_unit(),
                Some(next) => next,
            };
            if let Some(last) = last {
                self.slab.unit(last).set_next(next);
            }
            last = Some(next);
            self.slab.unit(next)
        };
        let push = |unit: &Unit, part: &[Entry]| {
            part.iter().for_each(|&entry| {
                unit.push(pack(entry));
            });
        };
        for group in groups {
            let unit = next_unit();
            unit.clear(true);
            ReaderBits::write(unit, group);
            push(unit, beside.next().unwrap_or_default());
        }
        for part in others.chunks(Unit::ROOM) {
            let unit = next_unit();
            unit.clear(false);
            push(unit, part);
        }
        let last = self.slab.unit(last.unwrap_or(first));
        let stamp = self.slab.new_stamp(false);
        self.slab.unit(first).set_stamp(stamp);
        let rest = last.next();
        last.set_next(0);
        if rest != 0 {
            self.release_side(ShadowCell::side(rest));
        }
    }
}

/// Visits the units of the side record that begins with `index`, and the tags in it. The line is locked or stands still.
pub(crate) fn visit_side_record(
    slab: &Slab,
    index: u32,
    mut unit: impl FnMut(u32),
    mut tag: impl FnMut(Tag),
) {
    let mut next = index;
    while next != 0 {
        unit(next);
        let words = slab.unit(next);
        let places = words.places();
        places.for_each(|index| tag(unpack(words.get(index)).tag));
        if let Some(bits) = ReaderBits::of(words) {
            tag(bits.crowd());
        }
        next = words.next();
    }
}
