//! Reads of few bytes of words with side records: of texts and tables that more threads read, byte by byte and from more places, than a record has room for.
//!
//! Whoever reads the same bytes again, in a later epoch, keeps that to itself ([`crate::kept_bytes`]); from then on it looks at nothing that is shared. What it has kept of other bytes that share some with these stays: it was read.

use crate::crowds::CrowdMemo;
use crate::epoch::EpochTable;
use crate::event::{Access, Slot};
use crate::kept::at;
use crate::kept_bytes::{self, KeptBytes};
use crate::line::{Entry, Judge, Judged, Line};
use crate::primitive::shadow::AtomicU64;
use crate::quick::Known;
use crate::reader_bits::{Joins, ReaderBits};
use crate::records::{pack, unpack};
use crate::side_record::{NEAR, SideRead, begins_with, common, read_of};
use crate::slab::{Slab, Unit};
use crate::tag::{Tag, has_half};
use crate::transition::{Order, subsumes};

/// Whether these are less than a half of a word: halves and whole words have sets of readers, and crowds ([`crate::side_record::read`]).
#[inline(always)]
pub(crate) fn are_few(mask: u8) -> bool {
    !has_half(mask)
}

/// Whether the thread in whose epoch this read is keeps all of its bytes to itself: then it is made. Without a lock.
#[inline(always)]
pub(crate) fn renew<T>(known: &Known<'_, T>, cell: &AtomicU64, new: Entry) -> bool {
    let slot = known.thread.slot;
    kept_bytes::renew(&known.epochs.kept, slot, at(cell), new)
}

/// What a side record says that is of interest for a read.
struct Seen<'s> {
    /// Of its bytes, those that the thread has read before, and in its present epoch.
    before: u8,
    now: u8,
    /// An entry of the thread that can be the read's, and what it says then.
    own: Option<(&'s Unit, usize, Entry)>,
    /// Whether there are others of its own that say some of its bytes.
    others: bool,
    /// A place without an entry, and a unit with room for one more.
    free: Option<(&'s Unit, usize)>,
    room: Option<&'s Unit>,
    keepers: Option<KeptBytes<'s>>,
}

/// Makes a read of few bytes of the word with this cell, whose side record begins with unit `first`, if there is room for it. For the short way, if it is `QUICK`: it calls nothing. So many units are
/// looked at, and what is beyond that is open.
#[inline(always)]
fn read<const QUICK: bool>(
    (slab, epochs, mut looks): (&Slab, &EpochTable, u32),
    crowds: &CrowdMemo,
    (cell, first): (&AtomicU64, u32),
    new: Entry,
    order: &mut impl Order,
) -> SideRead {
    let (epoch, mask) = (new.tag.epoch(), new.tag.mask());
    let (slot, _) = epochs.lookup(epoch);
    let joins = read_of(epochs, crowds, new);
    let mut seen = Seen {
        before: 0,
        now: 0,
        own: None,
        others: false,
        free: None,
        room: None,
        keepers: None,
    };
    let mut next = first;
    while next != 0 {
        if looks == 0 {
            // Those who keep what they read do not come here.
            return if QUICK && epochs.kept.wants_table(slot) {
                SideRead::WouldKeep
            } else {
                SideRead::Open
            };
        }
        looks -= 1;
        let unit = slab.unit_unchecked(next);
        if unit.has_room() {
            seen.room = Some(unit);
        }
        let mut places = unit.places();
        while places.start < places.end {
            let index = places.start;
            places.start += 1;
            let old = unpack(unit.get_unchecked(index));
            if old.tag == Tag::NONE {
                seen.free = Some((unit, index));
                continue;
            }
            let shared = old.tag.mask() & mask;
            let is_now = old.tag.epoch() == epoch;
            if old.access() != Access::Read {
                if is_now && shared != 0 {
                    let covers = shared == mask && subsumes(old.access(), Access::Read);
                    return if covers {
                        SideRead::Covered
                    } else {
                        SideRead::Open
                    };
                }
                if shared != 0 && Access::Read.conflicts(old.access()) && !order.before(old.tag) {
                    return SideRead::Open;
                }
                continue;
            }
            if is_now && old.site == new.site {
                seen.now |= shared;
                seen.others |= seen.own.is_some();
                let tag = new.tag.with_mask(old.tag.mask() | mask);
                seen.own = Some((unit, index, Entry { tag, ..new }));
                continue;
            }
            if shared == 0 || !is_now && epochs.lookup(old.tag.epoch()).0 != slot {
                continue;
            }
            if is_now {
                seen.now |= shared;
            } else {
                seen.before |= shared;
            }
            if old.tag.mask() & !mask == 0 && seen.own.is_none() {
                seen.own = Some((unit, index, new));
            } else {
                seen.others = true;
            }
        }
        if let Some(bits) = ReaderBits::of(unit) {
            match bits.joins(&joins, common(epochs, crowds, &joins, bits, new)) {
                Joins::Covered => return SideRead::Covered,
                Joins::Partly => return SideRead::Open,
                Joins::Kept | Joins::As(..) | Joins::No => {}
            }
        } else if let Some(bytes) = KeptBytes::of(unit)
            && bytes.is_of(slot)
        {
            seen.keepers = Some(bytes);
        }
        next = unit.next();
    }
    make::<QUICK>((slab, epochs), (cell, first), (slot, new), &seen)
}

/// As [`read`], with what there is of interest.
#[inline(always)]
fn make<const QUICK: bool>(
    (slab, epochs): (&Slab, &EpochTable),
    (cell, first): (&AtomicU64, u32),
    (slot, new): (Slot, Entry),
    seen: &Seen<'_>,
) -> SideRead {
    let (mask, kept) = (new.tag.mask(), &epochs.kept);
    if seen.now == mask {
        return SideRead::Covered;
    }
    let keeps = match seen.keepers {
        Some(bytes) => bytes.may_be_kept(slot, mask),
        None => 0,
    };
    if keeps == mask && kept_bytes::renew(kept, slot, at(cell), new) {
        return SideRead::Kept;
    }
    begins_with(slab, first, Access::Read);
    let comes_back = (keeps | seen.before | seen.now) == mask && seen.before != 0;
    if comes_back && kept.keeps_any() {
        let Some(bytes) = seen.keepers else {
            return SideRead::WantsBytes;
        };
        bytes.note_return();
        if bytes.may_keep() {
            // Tables are made between accesses.
            if QUICK && kept.wants_table(slot) {
                return SideRead::WouldKeep;
            }
            if bytes.keep(kept, slot, at(cell), new) {
                forget(slab, epochs, first, new);
                return SideRead::Kept;
            }
        }
    }
    let is_room = seen.own.is_some() || seen.free.is_some() || seen.room.is_some();
    if seen.others && is_room {
        forget(slab, epochs, first, new);
    }
    match (seen.own, seen.free, seen.room) {
        (Some((unit, index, entry)), ..) => unit.set_unchecked(index, pack(entry)),
        (None, Some((unit, index)), _) => unit.set_unchecked(index, pack(new)),
        (None, None, Some(unit)) => {
            unit.push(pack(new));
        }
        (None, None, None) => return SideRead::Alone,
    }
    SideRead::Made
}

/// What the thread has read of these bytes before, or in this epoch, is noted anew.
#[inline(always)]
fn forget(slab: &Slab, epochs: &EpochTable, first: u32, new: Entry) {
    let (slot, _) = epochs.lookup(new.tag.epoch());
    let mut next = first;
    while next != 0 {
        let unit = slab.unit_unchecked(next);
        let mut places = unit.places();
        while places.start < places.end {
            let index = places.start;
            places.start += 1;
            let old = unpack(unit.get_unchecked(index));
            if old.tag.mask() & new.tag.mask() == 0
                || old.access() != Access::Read
                || epochs.lookup(old.tag.epoch()).0 != slot
            {
                continue;
            }
            let rest = old.tag.mask() & !new.tag.mask();
            let left = Entry {
                tag: old.tag.with_mask(rest),
                ..old
            };
            unit.set_unchecked(index, if rest == 0 { 0 } else { pack(left) });
        }
        next = unit.next();
    }
}

/// As [`read`], by the short way.
#[inline(always)]
pub(crate) fn read_quick<T>(
    known: &mut Known<'_, T>,
    place: (&AtomicU64, u32),
    new: Entry,
) -> SideRead {
    let (tables, crowds) = ((known.slab, known.epochs, NEAR), &known.memos.crowds);
    let made = read::<true>(tables, crowds, place, new, known);
    if made == SideRead::WouldKeep {
        known.thread.would_keep.set(true);
    }
    made
}

impl Line<'_> {
    /// As for the short way, where there may be new units; false (and nothing was done) if it is not such a case.
    pub(crate) fn read_bytes(
        &mut self,
        (cell, first): (usize, u32),
        new: Entry,
        judge: &mut impl Judge,
    ) -> bool {
        let place = (&self.parts.cells[cell], first);
        let all = (self.slab, self.epochs, u32::MAX);
        let mut made = read::<false>(all, self.memos.crowds, place, new, &mut Judged(judge));
        if made == SideRead::WantsBytes {
            self.add_kept_bytes(first, new);
            made = read::<false>(all, self.memos.crowds, place, new, &mut Judged(judge));
        }
        match made {
            SideRead::Made | SideRead::Covered | SideRead::Kept => return true,
            SideRead::Open => return false,
            _ => {}
        }
        let (units, last) = self.last_of_side(first);
        if units.is_power_of_two() {
            return false;
        }
        let index = self.new_unit();
        last.set_next(index);
        self.slab.unit(index).push(pack(new));
        true
    }

    /// The side record that begins with this unit says from now on which bytes the thread in whose epoch this read is, and its neighbours, keep.
    pub(crate) fn add_kept_bytes(&self, first: u32, read: Entry) {
        let (slot, _) = self.epochs.lookup(read.tag.epoch());
        let (_, last) = self.last_of_side(first);
        let index = self.new_unit();
        KeptBytes::write(self.slab.unit(index), slot);
        last.set_next(index);
    }

    /// How many units the side record has that begins with this one, and the last of these.
    fn last_of_side(&self, first: u32) -> (u32, &Unit) {
        let (mut units, mut unit) = (1, self.slab.unit(first));
        while unit.next() != 0 {
            unit = self.slab.unit(unit.next());
            units += 1;
        }
        (units, unit)
    }
}
