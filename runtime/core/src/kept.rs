//! Accesses that a thread keeps to itself.
//!
//! What all threads read in each of their epochs (settings, tables under a reader lock) has a record with an entry of each
//! ([`crate::records::READERS`]), and so have atomics to which threads come back after others ([`Returns`]), in a record of any kind. If each renews its entry there, the record goes from one processor to the other with every access. So the entry of one who came back
//! is marked ([`KEPT`]): from then on its thread says in a table of its own that it has made the access once more, by one exchange of what no other thread looks at,
//! and looks at nothing that is shared. These are plain reads and atomic accesses, which do not conflict with their like.
//!
//! # Why nothing is lost
//!
//! An access becomes kept, under its line's lock, when everything that it conflicts with is ordered before it, and so before all later ones of its thread.
//! Whoever comes to the word with an access that conflicts with it, or changes what is remembered of it in another way, holds the line's lock, finds the mark, and
//! takes the place of the table ([`Kept::take`]) before it decides: the thread's last access is in the record again, and not kept any more. A thread that renews a
//! kept access and this exchange the same number, so one of them is first: either the access is taken along, or the thread finds it gone, and makes it in
//! the way of all others, which finds what has happened meanwhile.
//!
//! A place gets another access only when the one that it had was taken. So who finds a mark under the lock finds the access.
//!
//! Tables belong to slots, as the entries do (SC1): they stay when a thread ends, and the next one in its slot goes on with what it finds.

#[cfg(not(loom))]
use crate::abi::SHADOW_OFFSET;
use crate::epoch::EpochTable;
use crate::event::Slot;
use crate::line::Entry;
use crate::primitive::shadow::AtomicU64;
use crate::primitive::{Ordering, zeroes_of_shadow};
use crate::records::{Record, TURNS, pack, unpack};
#[cfg(not(loom))]
use crate::tag::Tag;
use std::cell::{Cell, OnceCell};
// What is set once has nothing for loom to find.
use std::sync::atomic::{self, AtomicPtr, AtomicUsize};

/// In a record's entry: its thread may have made the same access once more since ([`Kept`]).
pub(crate) const KEPT: u64 = 1 << 60;

/// How often a thread has come back to an atomic after others have, before it keeps its accesses: what is used a few times is not worth a record.
pub(crate) const RETURNS: u8 = 3;

/// Which atomics a thread has come back to lately, by a hash: what it has made of which bytes there, and how often others had been there since.
pub(crate) struct Returns {
    /// Most threads have no such atomics.
    met: OnceCell<Box<Met>>,
    many: u8,
}
type Met = [Cell<u64>; 1 << RETURN_BITS];
/// 8 KiB of a thread.
const RETURN_BITS: u32 = 10;

impl Returns {
    /// So many are enough.
    pub(crate) fn of(many: u8) -> Returns {
        Returns {
            met: OnceCell::new(),
            many,
        }
    }
    #[cold]
    fn begin() -> Box<Met> {
        // SAFETY: numbers; all zeroes is a cell at 0, which there is not. Not by way of the stack.
        unsafe { Box::new_zeroed().assume_init() }
    }
    /// The thread makes an access that it could keep, after another thread has been there. Whether it has come back often.
    #[inline(always)]
    pub(crate) fn is_one_of_many(&self, cell: u64, access: Entry) -> bool {
        // Which of these share a place is to be the same in all of loom's executions: none of them does.
        if cfg!(loom) {
            return true;
        }
        let key = key_of_place(cell, access);
        let slot = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - RETURN_BITS);
        let met = self.met.get_or_init(Returns::begin);
        // SAFETY: no more than these bits.
        let place = unsafe { met.get_unchecked(slot as usize) };
        // The address's upper bits are the same for all cells.
        let (key, last) = (key << 8, place.get());
        let count = if (last ^ key) >> 8 == 0 {
            last as u8 + 1
        } else {
            1
        };
        if count > self.many {
            return true;
        }
        place.set(key | count as u64);
        false
    }
}

impl Default for Returns {
    fn default() -> Returns {
        Returns::of(RETURNS)
    }
}

/// What a place says about whose access it has: the cell, in the three bits below its address what kind of access, and the bytes. Check stubs
/// know that of plain reads.
#[inline(always)]
fn key_of_place(cell: u64, access: Entry) -> u64 {
    (cell | kind_of(access)) << 8 | access.tag.mask() as u64
}

/// What is added to the place of bytes, as the check stubs do it: reads of one, two and four that begin at the same one are in places of their own. For all other masks it is 0.
#[cfg(not(loom))]
#[inline(always)]
fn hash_of_size(mask: u8) -> usize {
    match mask >> mask.trailing_zeros() {
        0x01 => 1 << 5,
        0x03 => 2 << 5,
        0x0f => 3 << 5,
        _ => 0,
    }
}

/// By the lower half of a byte's address, as the check stubs do it. The words of four lines are next to each other.
#[cfg(not(loom))]
#[inline(always)]
fn hash_of_byte(byte: u32) -> usize {
    // With which byte of its word it is: in the product, that makes a difference for the bits from 24 on, and tables of 4096 places use those up to 26.
    let lines = byte.rotate_right(8) & 0x07ff_ffff;
    // Of 20,000 odd numbers at random, the one by which most of a row of words, halves, pairs or bytes that fills a table by 15 % to 90 % has places of its own: 99 %, where it was 71 % to 88 % by
    // the golden ratio's.
    let place = lines.wrapping_mul(0xc15c_3a83) >> 20 << 5;
    (place | byte >> 3 & 31) as usize
}

/// Whether the thread whose table this is keeps to itself that it has read bytes of one word, from `addr` on, in the epoch of `tag`: as the check stubs look.
///
/// # Safety
/// [`Kept::place_of_table`] has given the table and, with it, `most`; `cell` is where the word's is.
#[cfg(not(loom))]
#[inline(always)]
pub unsafe fn has_read(
    (table, most): (*const AtomicU64, u32),
    (addr, cell, mask): (u64, u64, u8),
    tag: Tag,
) -> bool {
    let index = (hash_of_byte(addr as u32) ^ hash_of_size(mask)) & most as usize;
    // SAFETY: contract; the index is that of a place.
    let (key, entry) = unsafe { (&*table.add(2 * index), &*table.add(2 * index + 1)) };
    // Relaxed: what others do to an entry is to take it away, and then it says no epoch. The epoch before the key: what a signal handler puts there in between was
    // made in this epoch, whichever it is.
    let read = Tag(entry.load(Ordering::Relaxed) as u32);
    let made = read != Tag::NONE && read.epoch_bits() == tag.epoch_bits();
    made && key.load(Ordering::Relaxed) == cell << 8 | mask as u64
}

/// What kind of access it is: 0 is a plain read.
#[inline(always)]
fn kind_of(access: Entry) -> u64 {
    access.tag.is_atomic() as u64 | (access.write as u64) << 1
}

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
    /// By slot, which of 64 parts of the table have been used.
    used: Box<[atomic::AtomicU64]>,
    /// Places of a table, a power of two or 0; of the first slots, and of a slot at least.
    places: usize,
    least: usize,
    /// Of which parts of the shadow something was kept: a bit for each, by [`part`].
    parts: atomic::AtomicU64,
    /// By slot, of which words atomic accesses were kept: a bit for each, by [`word`].
    atomics: Box<[atomic::AtomicU64]>,
    /// Cells in the order in which they were asked for ([`Kept::hash`]).
    #[cfg(loom)]
    met: std::sync::Mutex<Vec<u64>>,
}

/// Of a table, those that are looked at together.
const PARTS: usize = u64::BITS as usize;
/// Places of a table, if there are to be so many.
const LEAST: usize = 4096;

/// Which of 64 an address of a cell belongs to: neighbours of some megabytes belong to one.
#[inline(always)]
fn part(cell: u64) -> u32 {
    (cell >> 22) as u32 % u64::BITS
}

/// Which of 64 the word with this cell belongs to: neighbours belong to others.
#[inline(always)]
fn word(cell: u64) -> u32 {
    (cell >> 3) as u32 % u64::BITS
}

/// Where a table is and how many places it has, less one, for code that is not compiled with this; null and 0 is none.
pub type Where = (*const AtomicU64, u32);

impl Kept {
    /// For threads in so many slots, with tables of so many places, a power of two, or 0: then nothing is kept. Where there are many threads, the later
    /// ones have fewer.
    pub(crate) fn new(slots: usize, places: usize) -> Kept {
        assert!(places == 0 || places.is_power_of_two());
        Kept {
            // SAFETY: null pointers, which take no memory.
            tables: unsafe { Box::new_zeroed_slice(slots).assume_init() },
            end: AtomicUsize::new(0),
            // SAFETY: zeroes, which take no memory.
            used: unsafe { Box::new_zeroed_slice(slots).assume_init() },
            places,
            least: places.min(LEAST),
            parts: atomic::AtomicU64::new(0),
            // SAFETY: zeroes, which take no memory.
            atomics: unsafe { Box::new_zeroed_slice(slots).assume_init() },
            #[cfg(loom)]
            met: Default::default(),
        }
    }

    /// Places of the table of this slot.
    #[inline(always)]
    pub(crate) fn places(&self, slot: Slot) -> usize {
        let fewer = 2 * ((slot >= 16) as u32 + (slot >= 64) as u32);
        (self.places >> fewer).max(self.least)
    }

    #[inline(always)]
    fn table(&self, slot: Slot) -> Option<&[AtomicU64]> {
        // Acquire: it was made before.
        let table = self.tables.get(slot as usize)?.load(Ordering::Acquire);
        if table.is_null() {
            return None;
        }
        // SAFETY: made by `prepare`, and dropped with this.
        Some(unsafe { core::slice::from_raw_parts(table, 2 * self.places(slot)) })
    }

    /// See [`Where`].
    pub fn place_of_table(&self, slot: Slot) -> Where {
        match self.table(slot) {
            Some(table) => (table.as_ptr(), self.places(slot) as u32 - 1),
            None => (core::ptr::null(), 0),
        }
    }

    /// Whether anything is kept at all.
    #[inline(always)]
    pub(crate) fn keeps_any(&self) -> bool {
        self.places != 0
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
            let table = Box::into_raw(zeroes_of_shadow(2 * self.places(slot)));
            // Release: whoever finds it finds zeroes.
            place.store(table.cast(), Ordering::Release);
            self.end.fetch_max(slot as usize + 1, Ordering::Release);
        }
    }

    #[cfg(not(loom))]
    #[inline(always)]
    fn hash(&self, cell: u64, mask: u8) -> usize {
        let byte = (cell as u32).wrapping_sub(SHADOW_OFFSET as u32) | mask.trailing_zeros();
        hash_of_byte(byte) ^ hash_of_size(mask)
    }
    /// By the order in which cells are asked for: loom's executions are to be alike, and addresses are not.
    #[cfg(loom)]
    fn hash(&self, cell: u64, mask: u8) -> usize {
        let mut met = self.met.lock().unwrap();
        let place = met.iter().position(|&other| other == cell);
        let place = place.unwrap_or_else(|| {
            met.push(cell);
            met.len() - 1
        });
        2 * place + (mask & 0x0f == 0) as usize
    }

    /// Where in the table of this slot accesses to these bytes of the word with this cell are kept, if they are.
    #[inline(always)]
    pub(crate) fn bytes(&self, slot: Slot, cell: u64, mask: u8) -> Option<Bytes<'_>> {
        let table = self.table(slot)?;
        Some(Bytes {
            table,
            index: self.hash(cell, mask),
            cell,
        })
    }
    /// The same, of an access of this kind.
    #[inline(always)]
    pub(crate) fn place(&self, slot: Slot, cell: u64, access: Entry) -> Option<Place<'_>> {
        let bytes = self.bytes(slot, cell, access.tag.mask())?;
        Some(bytes.place(access))
    }

    /// Whether the thread in this slot may keep atomic accesses to the word with this cell. Most atomics are used by one thread for long, or by few in turns,
    /// and to look for what is kept of these is a seventh of what a release of one's own costs.
    #[inline(always)]
    pub(crate) fn may_keep_atomic(&self, slot: Slot, cell: u64) -> bool {
        // Addresses are not the same in all of loom's executions. Relaxed: the thread's own, or that of who was in its slot before it.
        let words = self.atomics.get(slot as usize);
        cfg!(loom)
            || words.is_some_and(|words| words.load(Ordering::Relaxed) >> word(cell) & 1 != 0)
    }

    /// The thread in this slot keeps an access that a record says. Under the lock of the line; false if there is no room.
    #[inline(always)]
    pub(crate) fn put(&self, slot: Slot, cell: u64, access: Entry) -> bool {
        let Some(place) = self.place(slot, cell, access) else {
            return false;
        };
        self.note_used(slot, place.key);
        if !place.has_room() {
            return false;
        }
        let bit = 1 << part(cell);
        if self.parts.load(Ordering::Relaxed) & bit == 0 {
            self.parts.fetch_or(bit, Ordering::Relaxed);
        }
        if access.tag.is_atomic()
            && let Some(words) = self.atomics.get(slot as usize)
        {
            // Relaxed: the thread's own.
            words.fetch_or(1 << word(cell), Ordering::Relaxed);
        }
        place.key.store(place.wanted, Ordering::Relaxed);
        // Release: who finds the entry finds the key.
        place.entry.store(pack(access), Ordering::Release);
        true
    }

    /// The thread in this slot uses a place of its table.
    #[inline(always)]
    fn note_used(&self, slot: Slot, place: &AtomicU64) {
        let Some((table, used)) = self.table(slot).zip(self.used.get(slot as usize)) else {
            return;
        };
        let index =
            (core::ptr::from_ref(place).addr() - table.as_ptr().addr()) / size_of::<[u64; 2]>();
        // Places are a power of two.
        let bit = 1 << ((index * PARTS) >> self.places(slot).trailing_zeros());
        // Relaxed, both: the thread's own, and whoever looks there later comes after it.
        if used.load(Ordering::Relaxed) & bit == 0 {
            used.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Whether the thread in this slot keeps something else where it would keep this access.
    #[inline(always)]
    pub(crate) fn is_full_for(&self, slot: Slot, cell: u64, access: Entry) -> bool {
        self.place(slot, cell, access)
            .is_some_and(|place| !place.has_room())
    }

    /// Makes an access that the thread in this slot keeps once more. False, and nothing was done, if it keeps no such access.
    #[inline(always)]
    pub(crate) fn renew(&self, slot: Slot, cell: u64, access: Entry) -> bool {
        self.place(slot, cell, access)
            .is_some_and(|place| place.renew(access))
    }

    /// Takes what the thread in this slot keeps of the kind and the bytes of this access, as a record has it, under the lock of the line. `None` if nothing.
    #[inline(always)]
    pub(crate) fn take(&self, slot: Slot, cell: u64, access: Entry) -> Option<u64> {
        let Place { key, entry, wanted } = self.place(slot, cell, access)?;
        loop {
            // Acquire: the key is looked at later, so that it is this entry's if the entry is still there then.
            let old = entry.load(Ordering::Acquire);
            if old == 0 || key.load(Ordering::Acquire) != wanted {
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
        for slot in slots {
            let (Some(table), Some(used)) = (self.table(slot as Slot), self.used.get(slot)) else {
                continue;
            };
            let (used, places) = (used.load(Ordering::Relaxed), table.len() / 2);
            let part = places.div_ceil(PARTS);
            let firsts = (0..places).step_by(part);
            let firsts = firsts.filter(|first| used >> (first * PARTS / places) & 1 != 0);
            let of_part = |first: usize| table[2 * first..2 * (first + part)].chunks_exact(2);
            for place in firsts.flat_map(of_part) {
                let old = place[1].load(Ordering::Acquire);
                if old != 0 && cells.contains(&(place[0].load(Ordering::Acquire) >> 8)) {
                    // Relaxed: if it was exchanged meanwhile, that memory is being used.
                    let _ = place[1].compare_exchange(old, 0, Ordering::AcqRel, Ordering::Relaxed);
                }
            }
        }
    }
}

/// Some bytes of a word, in a table.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'k> {
    table: &'k [AtomicU64],
    index: usize,
    cell: u64,
}

impl<'k> Bytes<'k> {
    /// Where an access to these bytes of this kind is kept, if it is.
    #[inline(always)]
    pub(crate) fn place(self, access: Entry) -> Place<'k> {
        // What a thread keeps of one atomic by loads and by what changes it has places of its own, side by side.
        let index = (self.index ^ kind_of(access) as usize) & (self.table.len() / 2 - 1);
        // SAFETY: of a table's places, each has two words.
        let (key, entry) = unsafe {
            (
                self.table.get_unchecked(2 * index),
                self.table.get_unchecked(2 * index + 1),
            )
        };
        Place {
            key,
            entry,
            wanted: key_of_place(self.cell, access),
        }
    }
}

/// A place of a table, of the thread itself: its key and entry, and the key that it has if it is that of the access which was asked for.
#[derive(Clone, Copy)]
pub(crate) struct Place<'k> {
    key: &'k AtomicU64,
    entry: &'k AtomicU64,
    wanted: u64,
}

impl Place<'_> {
    /// Whether such an access could be kept, which is not.
    #[inline(always)]
    pub(crate) fn has_room(self) -> bool {
        // Relaxed: the thread's own, and if it was taken meanwhile, there is room in a moment.
        self.entry.load(Ordering::Relaxed) == 0
    }

    /// Whether the thread has made the access in this epoch and keeps it, as far as is to be seen there.
    #[inline(always)]
    pub(crate) fn holds(self, access: Entry) -> bool {
        // Relaxed: as in `renew`.
        self.key.load(Ordering::Relaxed) == self.wanted
            && self.entry.load(Ordering::Relaxed) as u32 == access.tag.0
    }

    /// See [`Kept::renew`].
    #[inline(always)]
    pub(crate) fn renew(self, access: Entry) -> bool {
        // Relaxed: only the thread itself changes it.
        if self.key.load(Ordering::Relaxed) != self.wanted {
            return false;
        }
        let old = self.entry.load(Ordering::Relaxed);
        if old as u32 == access.tag.0 {
            // It was made in this epoch; whoever has taken it since knows that.
            return true;
        }
        // AcqRel: who has taken it has decided, which the thread finds from now on; who takes it later finds what the thread has done.
        let renewed = |old| {
            self.entry
                .compare_exchange(old, pack(access), Ordering::AcqRel, Ordering::Relaxed)
        };
        old != 0 && renewed(old).is_ok()
    }
}

/// Whether an access, by the thread itself or another one, has to know what is kept, an `old` one, as it was made last.
#[inline(always)]
pub(crate) fn is_to_know(new: Entry, old: Entry, is_own: bool) -> bool {
    let alike = new.write == old.write && new.tag.is_atomic() == old.tag.is_atomic();
    old.tag.mask() & new.tag.mask() != 0
        && (is_own && alike || new.access().conflicts(old.access()))
}

impl Record<'_> {
    /// Takes back what threads keep to themselves of the word with this cell, so that the record says all; or what an access of the thread in this
    /// slot [has to know](is_to_know).
    #[inline(always)]
    pub(crate) fn take_back(
        self,
        epochs: &EpochTable,
        cell: &AtomicU64,
        by: Option<(Slot, Entry)>,
    ) {
        let mut index = 0;
        while index < self.room {
            let packed = self.get(index);
            if packed & KEPT != 0 {
                let old = unpack(packed);
                let (slot, _) = epochs.lookup(old.tag.epoch());
                if by.is_none_or(|(own, new)| is_to_know(new, old, own == slot)) {
                    let last = epochs.kept.take(slot, at(cell), old);
                    self.set(index, last.unwrap_or(packed & !KEPT));
                }
            }
            index += 1;
        }
    }

    /// From now on its thread, which is in this slot, keeps an access to itself that is there, if it has room: whether it does.
    #[inline(always)]
    pub(crate) fn keep(self, kept: &Kept, slot: Slot, cell: &AtomicU64, access: Entry) -> bool {
        let packed = pack(access);
        let mut index = 0;
        while index < self.room {
            if self.get(index) & !TURNS == packed {
                let has_room = kept.put(slot, at(cell), access);
                if has_room {
                    self.set(index, packed | KEPT);
                }
                return has_room;
            }
            index += 1;
        }
        false
    }

    /// Whether threads keep accesses to the word to themselves. For who has no lock, it is a guess.
    #[inline(always)]
    pub(crate) fn has_kept(self) -> bool {
        let mut index = 0;
        while index < self.room {
            if self.get(index) & KEPT != 0 {
                return true;
            }
            index += 1;
        }
        false
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        for slot in 0..self.tables.len() {
            let places = self.places(slot as Slot);
            let table = std::mem::replace(self.tables[slot].get_mut(), core::ptr::null_mut());
            if !table.is_null() {
                let table = core::ptr::slice_from_raw_parts_mut(table, 2 * places);
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
    use crate::tag::Tag;

    fn read(epoch: u32, mask: u8) -> Entry {
        Entry {
            tag: Tag::new(EpochId(epoch), false, mask),
            write: false,
            site: 7,
        }
    }

    fn has_room(kept: &Kept, cell: u64) -> bool {
        kept.place(1, cell, read(5, 0x0f)).unwrap().has_room()
    }
    fn holds(kept: &Kept, cell: u64, access: Entry) -> bool {
        kept.place(0, cell, access).unwrap().holds(access)
    }

    #[test]
    fn what_is_kept_is_renewed_until_it_is_taken() {
        let kept = Kept::new(3, 4);
        let cell = 0x7000_0000_1000;
        assert!(kept.wants_table(1) && !kept.put(1, cell, read(5, 0x0f)));
        kept.prepare(1);
        assert!(!kept.wants_table(1) && has_room(&kept, cell));
        assert!(!kept.renew(1, cell, read(6, 0x0f)));
        assert!(kept.put(1, cell, read(5, 0x0f)));
        assert!(!has_room(&kept, cell) && kept.renew(1, cell, read(6, 0x0f)));
        // Other bytes, another word in that place, another thread.
        assert!(!kept.renew(1, cell, read(6, 0x07)));
        assert!(!kept.renew(1, cell + (64 << 12), read(6, 0x0f)));
        assert!(!kept.renew(2, cell, read(6, 0x0f)));
        assert!(!kept.put(1, cell, read(6, 0x07)), "the place is taken");
        assert_eq!(kept.take(1, cell, read(1, 0x07)), None);
        assert_eq!(kept.take(1, cell, read(1, 0x0f)), Some(pack(read(6, 0x0f))));
        assert_eq!(kept.take(1, cell, read(1, 0x0f)), None);
        assert!(!kept.renew(1, cell, read(7, 0x0f)) && has_room(&kept, cell));
        assert!(Kept::new(3, 0).place_of_table(1).0.is_null());
    }

    /// What is looked at from outside: in the same place as from here, and of this epoch, these bytes, and not taken away.
    #[test]
    fn who_looks_from_outside_finds_reads_of_the_epoch() {
        let kept = Kept::new(1, 64);
        kept.prepare(0);
        let table = kept.place_of_table(0);
        for number in 0..200u64 {
            let addr = 0x5000_0000_1000 + number * 12 % 4096;
            let (cell, mask) = ((addr & !7) + SHADOW_OFFSET, (3 << (addr & 7)) as u8);
            // SAFETY: the table's own.
            let has_read =
                |epoch, mask| unsafe { has_read(table, (addr, cell, mask), read(epoch, 0xff).tag) };
            assert!(!has_read(5, mask));
            assert!(kept.put(0, cell, read(5, mask)));
            assert!(has_read(5, mask) && !has_read(6, mask) && !has_read(5, mask | 0x40));
            assert!(kept.renew(0, cell, read(6, mask)));
            assert!(has_read(6, mask) && !has_read(5, mask));
            assert!(kept.take(0, cell, read(1, mask)).is_some());
            assert!(!has_read(6, mask) && !has_read(0, mask));
            // A write of these bytes is no read of them.
            let write = Entry {
                write: true,
                ..read(6, mask)
            };
            assert!(kept.put(0, cell, write) && !has_read(6, mask));
            assert!(kept.take(0, cell, write).is_some());
        }
    }

    #[test]
    fn kinds_of_accesses_are_kept_apart() {
        let kept = Kept::new(1, 4);
        kept.prepare(0);
        let of = |atomic, write, epoch| Entry {
            tag: Tag::new(EpochId(epoch), atomic, 0x0f),
            write,
            site: 3,
        };
        let cell = 0x7000_0000_1000;
        let kinds = [(false, false), (true, false), (true, true)];
        for (atomic, write) in kinds {
            assert!(kept.put(0, cell, of(atomic, write, 5)));
            for other in kinds {
                let is_it = other == (atomic, write);
                let (old, new) = (of(other.0, other.1, 5), of(other.0, other.1, 6));
                assert_eq!(holds(&kept, cell, old), is_it);
                assert_eq!(kept.renew(0, cell, new), is_it);
                assert_eq!(holds(&kept, cell, new), is_it);
                assert!(is_it || kept.take(0, cell, new).is_none());
                assert!(!is_it || kept.renew(0, cell, old));
            }
            assert!(kept.take(0, cell, of(atomic, write, 1)).is_some());
        }
    }

    /// A thread that loads an atomic and changes it, in turns, keeps both.
    #[test]
    fn loads_and_changes_of_one_atomic_are_kept_side_by_side() {
        let kept = Kept::new(1, 64);
        kept.prepare(0);
        let of = |write, epoch| Entry {
            tag: Tag::new(EpochId(epoch), true, 0xf0),
            write,
            site: 3,
        };
        let cell = 0x7000_0000_1000;
        assert!(kept.put(0, cell, of(false, 5)) && kept.put(0, cell, of(true, 6)));
        assert!(kept.renew(0, cell, of(false, 7)) && kept.renew(0, cell, of(true, 8)));
        for (write, last) in [(false, 7), (true, 8)] {
            let taken = kept.take(0, cell, of(write, 1));
            assert_eq!(taken, Some(pack(of(write, last))));
        }
    }

    #[test]
    fn a_thread_that_comes_back_often_is_noticed() {
        let returns = Returns::of(2);
        let (one, other) = (read(5, 0x0f), read(5, 0xf0));
        let cell = 0x7000_0000_1000;
        assert!(!returns.is_one_of_many(cell, one) && !returns.is_one_of_many(cell, other));
        assert!(!returns.is_one_of_many(cell, one));
        assert!(returns.is_one_of_many(cell, one) && returns.is_one_of_many(cell, one));
        assert!(!returns.is_one_of_many(cell, other) && !returns.is_one_of_many(cell + 8, one));
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
                assert_eq!(
                    kept.take(slot, cell, read(1, 0xff)).is_none(),
                    is_gone,
                    "{cell:x}"
                );
            }
        }
    }

    #[test]
    fn later_slots_have_fewer_places_and_forget_all_of_them() {
        let (kept, base) = (Kept::new(80, 1 << 16), 0x7000_0000_0000u64);
        let lengths = [(0, 16), (15, 16), (16, 14), (63, 14), (64, 12), (79, 12)];
        for (slot, bits) in lengths {
            kept.prepare(slot);
            assert_eq!(kept.place_of_table(slot).1, (1 << bits) - 1);
            // One word of each four lines, all over 16 MiB.
            let cells = (0..1 << 16).map(|at| base + (at << 8) + (at & 31) * 8);
            let mut held: Vec<u64> = cells
                .filter(|&cell| kept.put(slot, cell, read(5, 0xff)))
                .collect();
            assert!(held.len() > 1000, "slot {slot}: {}", held.len());
            // In the smallest tables, the first cells have all places.
            let gone = base + (100 << 8)..base + (9 << 20) + 24;
            kept.forget(gone.clone());
            held.retain(|&cell| {
                let last = kept.take(slot, cell, read(1, 0xff));
                assert_eq!(last.is_none(), gone.contains(&cell), "{slot}: {cell:x}");
                gone.contains(&cell)
            });
            assert!(!held.is_empty(), "slot {slot}");
        }
    }
}
