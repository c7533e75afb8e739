//! Accesses of words with side records, in the common cases: hundreds of threads load a flag, or read what a lock guards, and each of them is
//! there.
//!
//! A side record is a chain of units. Whoever comes back has its own access there, and to make it again is to put it in the place of that
//! one, if nothing that it conflicts with has come meanwhile. To find both out by looking at hundreds of entries would make an access as
//! dear as there are threads; so a thread remembers where its own one was, and a stamp of the chain. A chain is one of readers or one of
//! atomics, and its stamp is another after all changes but those by the way here of plain reads, or of atomic accesses: of what it conflicts
//! with, none of these adds anything, and each leaves all entries in their places but one, which it may take.

use crate::event::{Access, Incarnation};
use crate::line::{Entry, Judge, Line};
use crate::records::{pack, unpack};
use crate::slab::Unit;
use crate::transition::subsumes;

/// Places that a thread remembers, about: of those who meet in side records, which are few.
const MEMO: usize = 512;

/// Where an access of a thread's own is, in the side record that begins with a unit.
#[derive(Clone, Copy, Default)]
struct Place {
    first: u32,
    /// The chain's stamp when all that the access conflicts with was known to be ordered before the thread.
    stamp: u32,
    incarnation: Incarnation,
    unit: u32,
    index: u8,
    write: bool,
}

/// The places that a thread remembers; none until there is one.
#[derive(Default)]
pub struct PlaceMemo {
    places: Vec<Place>,
    /// How often one was right.
    pub(crate) hits: u64,
}

impl PlaceMemo {
    fn index(first: u32, write: bool) -> usize {
        const { assert!(MEMO == 1 << (32 - 23)) };
        ((first << 1 | u32::from(write)).wrapping_mul(0x9e37_79b9) >> 23) as usize
    }
    fn find(&self, first: u32, write: bool) -> Option<Place> {
        let place = *self.places.get(Self::index(first, write))?;
        (place.first == first && place.write == write).then_some(place)
    }
    fn note(&mut self, place: Place) {
        self.places.resize(MEMO, Place::default());
        self.places[Self::index(place.first, place.write)] = place;
    }
}

/// For the lowest bit of a stamp: which accesses do not change it.
fn of_atomics(kind: Access) -> bool {
    kind != Access::Read
}

impl Line<'_> {
    /// Checks and records an access, no plain write, to bytes of a word whose side record begins with unit `first`; false (and nothing was done)
    /// if it is not such a case. The access takes the place of one that it stands for, if there is one, or comes to the others. What can
    /// be forgotten besides is looked for now and then only: when there are twice as many.
    pub(crate) fn quick_side(&mut self, first: u32, new: Entry, judge: &mut impl Judge) -> bool {
        let (mask, kind) = (new.tag.mask(), new.access());
        debug_assert!(kind != Access::Write);
        if self.comes_back(first, new, judge) == Some(()) {
            return true;
        }
        // The entry whose place it takes: an own one rather than another's. Whether that says the access already.
        let mut replaced: Option<(u32, usize)> = None;
        let (mut own, mut covered) = (false, false);
        let mut at = first;
        let mut units = 0u32;
        let (last_at, last) = loop {
            let unit = self.slab.unit(at);
            units += 1;
            for index in 0..unit.len() {
                let old = unpack(unit.get(index));
                let shared = old.tag.mask() & mask;
                let alike = old.tag.mask() == mask && old.access() == kind;
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
                } else if replaced.is_none() && judge.before(old.tag) {
                    replaced = Some((at, index));
                }
            }
            match unit.next() {
                0 => break (at, unit),
                next => at = next,
            }
        };
        let len = last.len();
        let (at, index) = match replaced {
            Some(place) => place,
            None if len < Unit::ROOM => {
                last.set_len(len + 1);
                (last_at, len)
            }
            None if units.is_power_of_two() => return false,
            None => {
                let index = self.new_unit();
                last.set_next(index);
                self.slab.unit(index).set_len(1);
                (index, 0)
            }
        };
        if !covered {
            self.slab.unit(at).set(index, pack(new));
        }
        let chain = self.slab.unit(first);
        if chain.stamp() & 1 != u32::from(of_atomics(kind)) {
            chain.set_stamp(self.slab.new_stamp(of_atomics(kind)));
        }
        self.memos.places.note(Place {
            first,
            stamp: chain.stamp(),
            incarnation: judge.incarnation(),
            unit: at,
            index: index as u8,
            write: new.write,
        });
        true
    }

    /// The same, where the thread remembers its place. `None` is to be found out.
    fn comes_back(&mut self, first: u32, new: Entry, judge: &mut impl Judge) -> Option<()> {
        let (mask, kind) = (new.tag.mask(), new.access());
        let stamp = self.slab.unit(first).stamp();
        let place = self.memos.places.find(first, new.write)?;
        if place.stamp != stamp || place.incarnation != judge.incarnation() {
            return None;
        }
        let unit = self.slab.unit(place.unit);
        let old = unpack(unit.get(place.index as usize));
        if old.tag.mask() != mask || old.access() != kind || !judge.is_own(old.tag) {
            return None;
        }
        self.memos.places.hits += 1;
        if old.tag.epoch() != new.tag.epoch() {
            unit.set(place.index as usize, pack(new));
        }
        Some(())
    }
}
