//! Reads that a thread keeps to itself.
//!
//! What all threads read in each of their epochs (settings, tables under a reader lock) has a record with an entry of each
//! ([`crate::records::READERS`]). If each renews its entry there, the record goes from one processor to the other with every read. So the entry of one who came back
//! is marked ([`KEPT`]): from then on its thread says in a table of its own that it has read once more, by one exchange of what no other thread looks at, and
//! looks at nothing that is shared.
//!
//! # Why nothing is lost
//!
//! A read becomes kept, under its line's lock, when everything that it conflicts with is ordered before it, and so before all later reads of its thread.
//! Whoever comes to the word with an access that conflicts with it, or changes what is remembered of it in another way, holds the line's lock, finds the mark, and
//! takes the place of the table ([`Kept::take`]) before it decides: what the thread has read last is in the record again, and not kept any more. A thread that renews a
//! kept read and this exchange the same number, so one of them is first: either the read is taken along, or the thread finds it gone, and makes the access in
//! the way of all others, which finds what has happened meanwhile.
//!
//! A place gets another read only when the one that it had was taken. So who finds a mark under the lock finds the read.
//!
//! Tables belong to slots, as the entries do (SC1): they stay when a thread ends, and the next one in its slot goes on with what it finds.

use crate::epoch::EpochTable;
use crate::event::Slot;
use crate::line::Entry;
use crate::primitive::shadow::AtomicU64;
use crate::primitive::{Ordering, zeroes_of_shadow};
use crate::records::{Record, pack};
use crate::tag::Tag;
// What is set once has nothing for loom to find.
use std::sync::atomic::{self, AtomicPtr, AtomicUsize};

/// In a record's entry: its thread may have read the same once more since ([`Kept`]).
pub(crate) const KEPT: u64 = 1 << 60;

/// Where the cell of a word is, by which what is kept of it is found.
#[inline(always)]
pub(crate) fn at(cell: &AtomicU64) -> u64 {
    core::ptr::from_ref(cell) as u64
}

/// The tables, by slot.
pub struct Kept {
    /// Leaked slices; null is none. Only set, by the thread in the slot. A table has pairs of a key and an entry as records have them, 0 if there is none.
    tables: Box<[AtomicPtr<AtomicU64>]>,
    /// Above those of the slots that have one.
    end: AtomicUsize,
    /// Places of a table, a power of two or 0.
    places: usize,
    /// Of which parts of the shadow something was kept: a bit for each, by [`part`].
    parts: atomic::AtomicU64,
}

/// Which of 64 an address of a cell belongs to: neighbours of some megabytes belong to one.
#[inline(always)]
fn part(cell: u64) -> u32 {
    (cell >> 22) as u32 % u64::BITS
}

/// Where a table is and how many places it has, less one, for code that is not compiled with this; null and 0 is none.
pub type Where = (*const AtomicU64, u32);

impl Kept {
    /// For threads in so many slots, with tables of so many places, a power of two, or 0: then nothing is kept.
    pub(crate) fn new(slots: usize, places: usize) -> Kept {
        assert!(places == 0 || places.is_power_of_two());
        Kept {
            // SAFETY: null pointers, which take no memory.
            tables: unsafe { Box::new_zeroed_slice(slots).assume_init() },
            end: AtomicUsize::new(0),
            places,
            parts: atomic::AtomicU64::new(0),
        }
    }

    #[inline(always)]
    fn table(&self, slot: Slot) -> Option<&[AtomicU64]> {
        // Acquire: it was made before.
        let table = self.tables.get(slot as usize)?.load(Ordering::Acquire);
        if table.is_null() {
            return None;
        }
        // SAFETY: made by `prepare`, and dropped with this.
        Some(unsafe { core::slice::from_raw_parts(table, 2 * self.places) })
    }

    /// See [`Where`].
    pub fn place_of_table(&self, slot: Slot) -> Where {
        match self.table(slot) {
            Some(table) => (table.as_ptr(), self.places as u32 - 1),
            None => (core::ptr::null(), 0),
        }
    }

    /// Whether the thread in this slot needs a table before it can keep anything.
    #[inline(always)]
    pub(crate) fn wants_table(&self, slot: Slot) -> bool {
        self.places != 0 && self.table(slot).is_none()
    }

    /// A table for this slot, if it has none. By the thread in it.
    #[cold]
    pub(crate) fn prepare(&self, slot: Slot) {
        if let Some(place) = self.tables.get(slot as usize)
            && self.wants_table(slot)
        {
            let table = Box::into_raw(zeroes_of_shadow(2 * self.places));
            // Release: whoever finds it finds zeroes.
            place.store(table.cast(), Ordering::Release);
            self.end.fetch_max(slot as usize + 1, Ordering::Release);
        }
    }

    /// Where in the table of this slot a read of the bytes `mask` of the word with this cell is kept, if it is: the place's key and entry; and the
    /// key that the place has then.
    #[inline(always)]
    fn place(&self, slot: Slot, cell: u64, mask: u8) -> Option<(&AtomicU64, &AtomicU64, u64)> {
        let table = self.table(slot)?;
        let half = (mask & 0x0f == 0) as u64;
        // As the check stubs do it: by the first byte's address in the shadow, or the second half's.
        let at = cell >> 2 | half;
        let index = (at ^ at >> 12) as usize & (self.places - 1);
        // SAFETY: of a table's places, each has two words.
        let (key, entry) = unsafe {
            (
                table.get_unchecked(2 * index),
                table.get_unchecked(2 * index + 1),
            )
        };
        Some((key, entry, cell << 8 | mask as u64))
    }

    /// Whether a read of these bytes could be kept, which is not.
    #[inline(always)]
    pub(crate) fn has_room(&self, slot: Slot, cell: u64, mask: u8) -> bool {
        // Relaxed: the thread's own, and if it was taken meanwhile, there is room in a moment.
        self.place(slot, cell, mask)
            .is_some_and(|(_, entry, _)| entry.load(Ordering::Relaxed) == 0)
    }

    /// The thread in this slot keeps a read that a record says. Under the lock of the line; false if there is no room.
    #[inline(always)]
    pub(crate) fn put(&self, slot: Slot, cell: u64, read: Entry) -> bool {
        let Some((place, entry, key)) = self.place(slot, cell, read.tag.mask()) else {
            return false;
        };
        // Relaxed: what is not there is the thread's own.
        if entry.load(Ordering::Relaxed) != 0 {
            return false;
        }
        let bit = 1 << part(cell);
        if self.parts.load(Ordering::Relaxed) & bit == 0 {
            self.parts.fetch_or(bit, Ordering::Relaxed);
        }
        place.store(key, Ordering::Relaxed);
        // Release: who finds the entry finds the key.
        entry.store(pack(read), Ordering::Release);
        true
    }

    /// Makes a plain read that the thread in this slot keeps once more. False, and nothing was done, if it keeps no such read.
    #[inline(always)]
    pub(crate) fn renew(&self, slot: Slot, cell: u64, read: Entry) -> bool {
        let Some((place, entry, key)) = self.place(slot, cell, read.tag.mask()) else {
            return false;
        };
        // Relaxed: only the thread itself changes it.
        if place.load(Ordering::Relaxed) != key {
            return false;
        }
        let old = entry.load(Ordering::Relaxed);
        if old as u32 == read.tag.0 {
            // It was made in this epoch; whoever has taken it since knows that.
            return true;
        }
        // AcqRel: who has taken it has decided, which the thread finds from now on; who takes it later finds what the thread has done.
        old != 0
            && entry
                .compare_exchange(old, pack(read), Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
    }

    /// Takes what the thread in this slot keeps of these bytes, as a record has it, under the lock of the line. `None` if nothing.
    #[inline(always)]
    pub(crate) fn take(&self, slot: Slot, cell: u64, mask: u8) -> Option<u64> {
        let (place, entry, key) = self.place(slot, cell, mask)?;
        loop {
            // Acquire: the key is looked at later, so that it is this entry's if the entry is still there then.
            let old = entry.load(Ordering::Acquire);
            if old == 0 || place.load(Ordering::Acquire) != key {
                return None;
            }
            // AcqRel: as in `renew`.
            if entry
                .compare_exchange(old, 0, Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
            {
                return Some(old);
            }
        }
    }

    /// Nothing is remembered any more of the words whose cells are at these addresses, by whatever way: nothing of them is kept.
    pub fn forget(&self, cells: std::ops::Range<u64>) {
        // Stacks of new threads come by here, and nobody keeps anything of most of these.
        let (first, last) = (cells.start >> 22, cells.end >> 22);
        let parts = self.parts.load(Ordering::Relaxed);
        if last - first < 64 && (first..=last).all(|at| parts >> (at % 64) & 1 == 0) {
            return;
        }
        let slots = 0..self.end.load(Ordering::Acquire);
        for table in slots.filter_map(|slot| self.table(slot as Slot)) {
            for place in table.chunks_exact(2) {
                let old = place[1].load(Ordering::Acquire);
                if old != 0 && cells.contains(&(place[0].load(Ordering::Acquire) >> 8)) {
                    // Relaxed: if it was exchanged meanwhile, that memory is being used.
                    let _ = place[1].compare_exchange(old, 0, Ordering::AcqRel, Ordering::Relaxed);
                }
            }
        }
    }
}

impl Record<'_> {
    /// Takes back what threads keep to themselves of the word with this cell, so that the record says all; or what the one in this slot
    /// does of these bytes.
    #[inline(always)]
    pub(crate) fn take_back(self, epochs: &EpochTable, cell: &AtomicU64, only: Option<(Slot, u8)>) {
        let mut index = 0;
        while index < self.room {
            let packed = self.get(index);
            if packed & KEPT != 0 {
                let tag = Tag(packed as u32);
                let (slot, _) = epochs.lookup(tag.epoch());
                if only.is_none_or(|(only, bytes)| only == slot && bytes & tag.mask() != 0) {
                    let last = epochs.kept.take(slot, at(cell), tag.mask());
                    self.set(index, last.unwrap_or(packed & !KEPT));
                }
            }
            index += 1;
        }
    }

    /// From now on its thread, which is in this slot, keeps a read to itself that is there, if it has room.
    #[inline(always)]
    pub(crate) fn keep(self, kept: &Kept, slot: Slot, cell: &AtomicU64, read: Entry) {
        let packed = pack(read);
        let mut index = 0;
        while index < self.room {
            if self.get(index) == packed {
                if kept.put(slot, at(cell), read) {
                    self.set(index, packed | KEPT);
                }
                return;
            }
            index += 1;
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        for place in &mut self.tables {
            let table = std::mem::replace(place.get_mut(), core::ptr::null_mut());
            if !table.is_null() {
                let table = core::ptr::slice_from_raw_parts_mut(table, 2 * self.places);
                // SAFETY: made by `prepare`, and nobody looks any more.
                drop(unsafe { Box::from_raw(table) });
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::epoch::EpochId;

    fn read(epoch: u32, mask: u8) -> Entry {
        Entry {
            tag: Tag::new(EpochId(epoch), false, mask),
            write: false,
            site: 7,
        }
    }

    #[test]
    fn what_is_kept_is_renewed_until_it_is_taken() {
        let kept = Kept::new(3, 4);
        let cell = 0x7000_0000_1000;
        assert!(kept.wants_table(1) && !kept.put(1, cell, read(5, 0x0f)));
        kept.prepare(1);
        assert!(!kept.wants_table(1) && kept.has_room(1, cell, 0x0f));
        assert!(!kept.renew(1, cell, read(6, 0x0f)));
        assert!(kept.put(1, cell, read(5, 0x0f)));
        assert!(!kept.has_room(1, cell, 0x0f) && kept.renew(1, cell, read(6, 0x0f)));
        // Other bytes, another word in that place, another thread.
        assert!(!kept.renew(1, cell, read(6, 0x07)));
        assert!(!kept.renew(1, cell + (64 << 12), read(6, 0x0f)));
        assert!(!kept.renew(2, cell, read(6, 0x0f)));
        assert!(!kept.put(1, cell, read(6, 0x07)), "the place is taken");
        assert_eq!(kept.take(1, cell, 0x07), None);
        assert_eq!(kept.take(1, cell, 0x0f), Some(pack(read(6, 0x0f))));
        assert_eq!(kept.take(1, cell, 0x0f), None);
        assert!(!kept.renew(1, cell, read(7, 0x0f)) && kept.has_room(1, cell, 0x0f));
        assert!(Kept::new(3, 0).place_of_table(1).0.is_null());
    }

    #[test]
    fn what_is_kept_of_memory_that_is_gone_is_forgotten() {
        let (kept, base) = (Kept::new(2, 4096), 0x7000_0000_0000u64);
        for (from, to) in [(0, 1 << 30), (64, 72), (0, 4096), (1 << 22, 1 << 23)] {
            kept.prepare(0);
            kept.prepare(1);
            let cells = [0, 64, 4088, (1 << 22) + 8].map(|at| base + at);
            for (slot, cell) in cells.into_iter().flat_map(|cell| [(0, cell), (1, cell)]) {
                assert!(kept.put(slot, cell, read(5, 0xff)));
            }
            kept.forget(base + (1 << 40)..base + (1 << 41));
            kept.forget(base + (9 << 22)..base + (11 << 22));
            kept.forget(base + from..base + to);
            for (slot, cell) in cells.into_iter().flat_map(|cell| [(0, cell), (1, cell)]) {
                let is_gone = (base + from..base + to).contains(&cell);
                assert_eq!(kept.take(slot, cell, 0xff).is_none(), is_gone, "{cell:x}");
            }
        }
    }
}
