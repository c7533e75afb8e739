//! Accesses of words with side records, in the common cases: hundreds of threads load a flag, or read what a lock guards, and each of them is
//! there.
//!
//! A side record is a chain of units. Whoever comes back has its own access there, and to make it again is to put it in the place of that
//! one, if nothing that it conflicts with has come meanwhile. To find both out by looking at hundreds of entries would make an access as
//! dear as there are threads; so a thread remembers where its own one was, and a stamp of the chain. A chain is one of readers or one of
//! atomics, and its stamp is another after all changes but those by the way here of plain reads, or of atomic accesses: of what it conflicts
//! with, none of these adds anything, and each leaves all entries in their places but one, which it may take.

use crate::crowds::{CrowdMemo, bit_of};
use crate::epoch::EpochTable;
use crate::event::{Access, Incarnation};
use crate::kept::{Kept, at};
use crate::kept_bytes::{self, KeptBytes};
use crate::line::{Entry, Judge, Judged, Line};
use crate::primitive::shadow::AtomicU64;
use crate::quick::Known;
use crate::reader_bits::{CrowdRead, Group, Joins, ReaderBits};
use crate::records::{pack, unpack};
use crate::side_bytes::{self, are_few};
use crate::slab::Slab;
use crate::tag::Tag;
use crate::transition::{Order, subsumes};
use std::cell::Cell;

/// The side record that begins with this unit is one of readers or of atomics from now on, as this kind of access is.
#[inline(always)]
pub(crate) fn begins_with(slab: &Slab, first: u32, kind: Access) {
    let chain = slab.unit_unchecked(first);
    if chain.stamp() & 1 != u32::from(of_atomics(kind)) {
        chain.set_stamp(slab.new_stamp(of_atomics(kind)));
    }
}

/// Units of readers of the same bytes by bits, at most. Where all threads read in each phase, there are those of the last phase and of this one; and while they begin one after the other, crowds
/// that do not agree yet.
const GROUPS: usize = 4;

/// Of how many others it is asked, for one access, whether what they have accessed is ordered before it, so that it can take the place of that. Hundreds who read the same are not ordered.
const ASKED: u32 = 8;

/// Units that the short way looks through for what its thread has read before.
pub(crate) const NEAR: u32 = 16;

/// What came of a plain read ([`read`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SideRead {
    Made,
    /// It is, and all of its crowd have read these bytes now, each for the first time: so they can be a set.
    Completes,
    /// It was there.
    Covered,
    /// The thread keeps it to itself.
    Kept,
    /// It would, if it had a table for that.
    WouldKeep,
    /// It would, if the side record said who keeps which bytes.
    WantsBytes,
    /// Something else is to be decided.
    Open,
    /// It is ordered after all that it conflicts with, and joins no readers that there are.
    Alone,
}

/// Makes a plain read of bytes of the word with this cell, whose side record begins with unit `first`, if it takes the place of an earlier one of its thread, or joins readers by bits. For the
/// short way as well: it calls nothing. So many units are looked at, and what is beyond that is open.
#[inline(always)]
pub(crate) fn read(
    (slab, epochs, mut looks): (&Slab, &EpochTable, u32),
    (crowds, memo, incarnation): (&CrowdMemo, &PlaceMemo, Incarnation),
    (cell, first): (&AtomicU64, u32),
    new: Entry,
    order: &mut impl Order,
) -> SideRead {
    let (epoch, mask) = (new.tag.epoch(), new.tag.mask());
    let (slot, _) = epochs.lookup(epoch);
    let read = read_of(epochs, crowds, new);
    let (mut own, mut joined, mut returns, mut keepers) = (None, None, None, None);
    let mut own_unit = 0;
    let mut next = first;
    while next != 0 {
        if looks == 0 {
            return SideRead::Open;
        }
        looks -= 1;
        let unit = slab.unit_unchecked(next);
        let mut places = unit.places();
        while places.start < places.end {
            let index = places.start;
            places.start += 1;
            let old = unpack(unit.get_unchecked(index));
            let shared = old.tag.mask() & mask;
            if shared == 0 {
                continue;
            }
            if old.tag.epoch() == epoch {
                if shared == mask && subsumes(old.access(), Access::Read) {
                    return SideRead::Covered;
                }
                // What the new one says is not said twice.
                return SideRead::Open;
            }
            if Access::Read.conflicts(old.access()) && !order.before(old.tag) {
                return SideRead::Open;
            }
            let alike = old.tag.mask() == mask && old.access() == Access::Read;
            if alike && epochs.lookup(old.tag.epoch()).0 == slot {
                own = Some((unit, index));
                own_unit = next;
            }
        }
        if let Some(bits) = ReaderBits::of(unit) {
            match bits.joins(&read, common(epochs, crowds, &read, bits, new)) {
                Joins::Covered => return SideRead::Covered,
                Joins::Partly => return SideRead::Open,
                Joins::Kept if epochs.kept.renew(slot, at(cell), new) => return SideRead::Kept,
                Joins::Kept => bits.set_keeps(read.bit, false),
                Joins::As(second, moves) if joined.is_none() => {
                    joined = Some((bits, second, moves));
                }
                Joins::As(..) | Joins::No => {}
            }
            if bits.are_of(&read) && bits.readers() & read.bit != 0 {
                returns = Some(bits);
            }
        } else if let Some(bytes) = KeptBytes::of(unit)
            && bytes.is_of(slot)
        {
            if bytes.may_be_kept(slot, mask) == mask
                && kept_bytes::renew(&epochs.kept, slot, at(cell), new)
            {
                return SideRead::Kept;
            }
            keepers = Some(bytes);
        }
        next = unit.next();
    }
    begins_with(slab, first, Access::Read);
    if let Some(bits) = returns
        && bits.may_keep()
    {
        if epochs.kept.wants_table(slot) {
            return SideRead::WouldKeep;
        }
        if epochs.kept.put(slot, at(cell), new) {
            if let Some((unit, index)) = own {
                unit.set_unchecked(index, 0);
            }
            forget(slab, first, &read);
            bits.set_keeps(read.bit, true);
            return SideRead::Kept;
        }
    }
    let Some((bits, second, moves)) = joined else {
        let Some((unit, index)) = own else {
            return SideRead::Alone;
        };
        if returns.is_none() && epochs.kept.keeps_any() {
            let Some(bytes) = keepers else {
                return SideRead::WantsBytes;
            };
            bytes.note_return();
            if bytes.may_keep() {
                if epochs.kept.wants_table(slot) {
                    return SideRead::WouldKeep;
                }
                if bytes.keep(&epochs.kept, slot, at(cell), new) {
                    unit.set_unchecked(index, 0);
                    return SideRead::Kept;
                }
            }
        }
        unit.set_unchecked(index, pack(new));
        memo.note(slab, (first, false), (own_unit, index), incarnation);
        return SideRead::Made;
    };
    let before = match returns {
        Some(bits) => Some(bits.came_back()),
        None => own.map(|_| bits.came_back()),
    };
    if let Some((unit, index)) = own {
        unit.set_unchecked(index, 0);
    }
    forget(slab, first, &read);
    bits.add(&read, second, moves);
    if let Some(before) = before
        && before >= bits.came_back()
    {
        bits.set_came_back(before.saturating_add(1));
    }
    if bits.is_complete(epochs) && may_be_set((slab, epochs), first) {
        SideRead::Completes
    } else {
        SideRead::Made
    }
}

/// As [`read`], by the short way.
#[inline(always)]
pub(crate) fn read_quick<T>(
    known: &mut Known<'_, T>,
    place: (&AtomicU64, u32),
    new: Entry,
) -> SideRead {
    if are_few(new.tag.mask()) {
        return side_bytes::read_quick(known, place, new);
    }
    let (tables, memos) = ((known.slab, known.epochs), known.memos);
    let incarnation = known.thread.incarnation();
    if memos.places.comes_back(tables, place.1, new, incarnation) {
        return SideRead::Made;
    }
    let memos = (&memos.crowds, &memos.places, incarnation);
    let made = read((known.slab, known.epochs, NEAR), memos, place, new, known);
    if made == SideRead::WouldKeep {
        known.thread.would_keep.set(true);
    }
    made
}

#[inline(always)]
pub(crate) fn read_of(epochs: &EpochTable, crowds: &CrowdMemo, new: Entry) -> CrowdRead {
    let (bank, bit) = bit_of(epochs.lookup(new.tag.epoch()).0);
    CrowdRead {
        bank,
        bit,
        bytes: new.tag.mask(),
        site: new.site,
        crowd: crowds.crowd(epochs, new.tag.epoch()),
    }
}

/// The slots of which the crowd of these readers says the same as that of the thread, or whether it says the thread's present epoch.
#[inline(always)]
pub(crate) fn common(
    epochs: &EpochTable,
    crowds: &CrowdMemo,
    read: &CrowdRead,
    bits: ReaderBits<'_>,
    new: Entry,
) -> u64 {
    match read.crowd {
        Some(crowd) => crowds.common(epochs, crowd, bits.crowd().epoch()),
        None if epochs.read_by(bits.crowd(), new.tag.epoch()) != 0 => read.bit,
        None => 0,
    }
}

/// Whether the readers of a word can be a set, whose side record begins with this unit: if there are any by bits, all of each crowd have read it.
#[inline(always)]
pub(crate) fn may_be_set((slab, epochs): (&Slab, &EpochTable), first: u32) -> bool {
    let mut next = first;
    while next != 0 {
        let unit = slab.unit_unchecked(next);
        if let Some(bits) = ReaderBits::of(unit)
            && bits.readers() != 0
            && !bits.is_complete(epochs)
        {
            return false;
        }
        next = unit.next();
    }
    true
}

/// What the thread has read before is noted anew.
#[inline(always)]
fn forget(slab: &Slab, first: u32, read: &CrowdRead) {
    let mut next = first;
    while next != 0 {
        let unit = slab.unit_unchecked(next);
        if let Some(bits) = ReaderBits::of(unit) {
            bits.forget(read);
        }
        next = unit.next();
    }
}

/// Places that a thread remembers, about: of those who meet in side records, which are few.
const MEMO: usize = 512;

/// Where an access of a thread's own is, in the side record that begins with a unit. In parts: what is copied at once is copied by vector registers, which the short way may not use.
#[derive(Default)]
struct Place {
    first: Cell<u32>,
    /// The chain's stamp when all that the access conflicts with was known to be ordered before the thread.
    stamp: Cell<u32>,
    incarnation: Cell<Incarnation>,
    unit: Cell<u32>,
    index: Cell<u8>,
    write: Cell<bool>,
    /// How often the access was made again since it was noted.
    again: Cell<u8>,
}

/// Who has read again so often looks whether it can keep that to itself.
const AGAIN: u8 = 4;

/// The places that a thread remembers; none until there is one.
#[derive(Default)]
pub struct PlaceMemo {
    places: Box<[Place]>,
    /// How often one was right.
    pub(crate) hits: Cell<u64>,
}

impl PlaceMemo {
    #[inline(always)]
    fn place(&self, first: u32, write: bool) -> Option<&Place> {
        const { assert!(MEMO == 1 << (32 - 23)) };
        let hash = (first << 1 | u32::from(write)).wrapping_mul(0x9e37_79b9) >> 23;
        self.places.get(hash as usize)
    }
    #[inline(always)]
    fn find(&self, first: u32, write: bool) -> Option<&Place> {
        self.place(first, write)
            .filter(|place| place.first.get() == first && place.write.get() == write)
    }
    /// There are places from now on.
    fn begin(&mut self) {
        if self.places.is_empty() {
            self.places = (0..MEMO).map(|_| Place::default()).collect();
        }
    }
    /// Notes where an access of a thread is, if there are any places: in the side record that begins with a unit, as it is now.
    #[inline(always)]
    fn note(
        &self,
        slab: &Slab,
        (first, write): (u32, bool),
        (unit, index): (u32, usize),
        incarnation: Incarnation,
    ) {
        if let Some(place) = self.place(first, write) {
            place.first.set(first);
            place.write.set(write);
            place.stamp.set(slab.unit_unchecked(first).stamp());
            place.incarnation.set(incarnation);
            place.unit.set(unit);
            place.index.set(index as u8);
            place.again.set(0);
        }
    }
    /// Makes an access of a thread again, in the place where it is, if that is remembered: whether it is made.
    #[inline(always)]
    fn comes_back(
        &self,
        (slab, epochs): (&Slab, &EpochTable),
        first: u32,
        new: Entry,
        incarnation: Incarnation,
    ) -> bool {
        let Some(place) = self.find(first, new.write) else {
            return false;
        };
        let unit = slab.unit_unchecked(place.unit.get());
        let index = place.index.get() as usize;
        if place.stamp.get() != slab.unit_unchecked(first).stamp()
            || place.incarnation.get() != incarnation
        {
            return false;
        }
        let old = unpack(unit.get_unchecked(index));
        let alike = old.tag.mask() == new.tag.mask() && old.access() == new.access();
        let slot_of = |tag: Tag| epochs.lookup(tag.epoch()).0;
        if !alike || slot_of(old.tag) != slot_of(new.tag) {
            return false;
        }
        let again = place.again.get();
        if new.access() == Access::Read && again >= AGAIN && epochs.kept.keeps_any() {
            return false;
        }
        place.again.set(again.saturating_add(1));
        self.hits.set(self.hits.get() + 1);
        if old.tag.epoch() != new.tag.epoch() {
            unit.set_unchecked(index, pack(new));
        }
        true
    }
}

/// For the lowest bit of a stamp: which accesses do not change it.
fn of_atomics(kind: Access) -> bool {
    kind != Access::Read
}

/// Takes from the threads' tables what they keep to themselves of the word with this cell, whose side record begins with unit `first`: as entries, and the last unit.
pub(crate) fn taken(slab: &Slab, kept: &Kept, (cell, first): (&AtomicU64, u32)) -> (Vec<u64>, u32) {
    let mut taken = Vec::new();
    let (mut next, mut last) = (first, first);
    while next != 0 {
        let unit = slab.unit(next);
        if let Some(bits) = ReaderBits::of(unit).filter(|bits| bits.keepers() != 0) {
            bits.take_back(kept, cell, &mut taken);
        }
        if let Some(bytes) = KeptBytes::of(unit) {
            bytes.take_back(kept, cell, &mut taken);
        }
        (last, next) = (next, unit.next());
    }
    (taken, last)
}

/// Takes back what threads keep to themselves of the word with this cell, whose side record begins with unit `first`, so that the record says all. `near` is as in [`Slab::allocate`].
pub(crate) fn take_back(slab: &Slab, near: usize, kept: &Kept, (cell, first): (&AtomicU64, u32)) {
    let (mut taken, mut last) = taken(slab, kept, (cell, first));
    // Where it was before it was kept, there is nothing now.
    let mut next = first;
    while next != 0 && !taken.is_empty() {
        let unit = slab.unit(next);
        let is_free = |&index: &usize| unpack(unit.get(index)).tag == Tag::NONE;
        for index in unit.places().filter(is_free) {
            let Some(entry) = taken.pop() else { break };
            unit.set(index, entry);
        }
        next = unit.next();
    }
    for entry in taken {
        if !slab.unit(last).has_room() {
            let unit = slab.allocate(near);
            slab.unit(last).set_next(unit);
            last = unit;
        }
        slab.unit(last).push(entry);
    }
}

impl Line<'_> {
    pub(crate) fn take_back_side(&self, cell: usize, first: u32) {
        let place = (&self.parts.cells[cell], first);
        take_back(self.slab, self.near(), &self.epochs.kept, place);
    }

    /// Checks and records an access, no plain write, to bytes of a word whose side record begins with unit `first`; false (and nothing was done)
    /// if it is not such a case. The access takes the place of one that it stands for, if there is one, or comes to the others. What can
    /// be forgotten besides is looked for now and then only: when there are twice as many.
    pub(crate) fn quick_side(
        &mut self,
        (cell, first): (usize, u32),
        new: Entry,
        judge: &mut impl Judge,
    ) -> bool {
        let (mask, kind) = (new.tag.mask(), new.access());
        debug_assert!(kind != Access::Write);
        if kind.conflicts(Access::Read) {
            self.take_back_side(cell, first);
        }
        if kind == Access::Read && are_few(mask) && judge.is_own(new.tag) {
            return self.read_bytes((cell, first), new, judge);
        }
        let tables = (self.slab, self.epochs);
        let places = &self.memos.places;
        if judge.is_own(new.tag) && places.comes_back(tables, first, new, judge.incarnation()) {
            return true;
        }
        if kind == Access::Read && judge.is_own(new.tag) {
            match self.read_side((cell, first), new, judge) {
                SideRead::Made | SideRead::Completes | SideRead::Covered | SideRead::Kept => {
                    return true;
                }
                SideRead::Open => return false,
                SideRead::Alone | SideRead::WouldKeep | SideRead::WantsBytes => {
                    let read = read_of(self.epochs, self.memos.crowds, new);
                    forget(self.slab, first, &read);
                }
            }
        }
        // The entry whose place it takes: an own one rather than another's. Whether that says the access already.
        let mut replaced: Option<(u32, usize)> = None;
        let (mut own, mut covered) = (false, false);
        let (mut at, mut asked) = (first, 0);
        let mut units = 0u32;
        let (last_at, last) = loop {
            let unit = self.slab.unit(at);
            units += 1;
            if kind.conflicts(Access::Read)
                && let Some(bits) = ReaderBits::of(unit)
                && bits.crowd().mask() & mask != 0
                && bits
                    .entries(self.epochs)
                    .any(|read| !judge.before(read.tag))
            {
                return covered;
            }
            for index in unit.places() {
                let old = unpack(unit.get(index));
                if old.tag == Tag::NONE {
                    // Its thread is among the readers by bits now.
                    replaced = replaced.or(Some((at, index)));
                    continue;
                }
                let shared = old.tag.mask() & mask;
                let alike = old.tag.mask() == mask && old.access() == kind;
                if shared == 0 && kind == Access::Read && old.access() == Access::Read {
                    // Of its thread, in this epoch as well: the halves of a word are two entries.
                    continue;
                }
                if old.tag.epoch() == new.tag.epoch() {
                    // If not, bytes may join.
                    covered |= shared == mask && subsumes(old.access(), kind);
                    if !covered || !alike {
                        return covered;
                    }
                    (replaced, own) = (Some((at, index)), true);
                    continue;
                }
                if shared == 0 {
                    continue;
                }
                if kind.conflicts(old.access()) && !judge.before(old.tag) {
                    return covered;
                }
                if own || old.tag.mask() != mask || !subsumes(kind, old.access()) {
                    continue;
                }
                if alike && judge.is_own(old.tag) {
                    (replaced, own) = (Some((at, index)), true);
                } else if replaced.is_none() && asked < ASKED {
                    asked += 1;
                    replaced = judge.before(old.tag).then_some((at, index));
                }
            }
            match unit.next() {
                0 => break (at, unit),
                next => at = next,
            }
        };
        let (at, index) = match replaced {
            Some((at, index)) => {
                if !covered {
                    self.slab.unit(at).set(index, pack(new));
                }
                (at, index)
            }
            None if last.has_room() => (last_at, last.push(pack(new))),
            None if units.is_power_of_two() => return false,
            None => {
                let index = self.new_unit();
                last.set_next(index);
                (index, self.slab.unit(index).push(pack(new)))
            }
        };
        begins_with(self.slab, first, kind);
        self.memos.places.begin();
        let chain = (first, new.write);
        let incarnation = judge.incarnation();
        self.memos
            .places
            .note(self.slab, chain, (at, index), incarnation);
        true
    }

    /// As [`read`], where the thread may also join a new crowd, or be the first one of new readers by bits.
    fn read_side(
        &mut self,
        (cell, first): (usize, u32),
        new: Entry,
        judge: &mut impl Judge,
    ) -> SideRead {
        let crowds = self.memos.crowds;
        let memos = (crowds, &*self.memos.places, judge.incarnation());
        let place = (&self.parts.cells[cell], first);
        let all = (self.slab, self.epochs, u32::MAX);
        let mut made = read(all, memos, place, new, &mut Judged(judge));
        if made == SideRead::WantsBytes {
            self.add_kept_bytes(first, new);
            let memos = (crowds, &*self.memos.places, judge.incarnation());
            made = read(all, memos, place, new, &mut Judged(judge));
        }
        let (epoch, words) = (new.tag.epoch(), self.memos.first_joins.words());
        if made != SideRead::Alone || !crowds.is_wanted(self.epochs, epoch, words) {
            return made;
        }
        let (bank, bit) = bit_of(self.epochs.lookup(epoch).0);
        let readers = [epoch].into_iter();
        let Some(crowd) = self.epochs.crowds.with(self.epochs, bank, readers) else {
            return made;
        };
        if crowds.join(self.epochs, epoch, crowd) {
            let made = read(all, memos, place, new, &mut Judged(judge));
            if made != SideRead::Alone {
                return made;
            }
        }
        let read = read_of(self.epochs, crowds, new);
        let (mut last, mut groups, mut came_back) = (first, 0, 0);
        loop {
            let unit = self.slab.unit(last);
            if let Some(bits) = ReaderBits::of(unit).filter(|bits| bits.are_of(&read)) {
                groups += 1;
                if bits.readers() & bit != 0 {
                    came_back = bits.came_back().saturating_add(1);
                }
            }
            match unit.next() {
                0 => break,
                next => last = next,
            }
        }
        if groups >= GROUPS {
            return made;
        }
        let mut group = Group::new(crowd, bank, new.tag.mask());
        group.add(bit, new.site);
        group.came_back = came_back;
        forget(self.slab, first, &read);
        let index = self.new_unit();
        let unit = self.slab.unit(index);
        unit.clear(true);
        ReaderBits::write(unit, &group);
        self.slab.unit(last).set_next(index);
        SideRead::Made
    }
}
