//! Who keeps to itself that it has read which bytes of a word ([`crate::kept`]), where more of it is read than a record has room for: a bit for each byte and thread.
//!
//! A text that all threads parse is read from many places in each epoch of each thread, and of a table of small numbers each word has several that all read. An entry for each of these would take too
//! much room, and too much time to look at; the threads' own tables say all of it, and what is shared is not looked at any more.
//!
//! A part of a side record, of 64 bytes: for the threads in so many slots. Beside it there is room for two entries.

use crate::event::Slot;
use crate::kept::{Kept, at};
use crate::line::Entry;
use crate::primitive::Ordering;
use crate::primitive::shadow::AtomicU64;
use crate::slab::Unit;
use crate::tag::Tag;

/// Which slots these are (bits 0-15), and how many reads were made again (16-31).
const HEAD: usize = 0;
/// Eight slots in each.
const KEEPERS: usize = 1;
const WORDS: usize = 4;
const _: () = assert!(KEEPERS + WORDS + Unit::BESIDE_BITS == Unit::ROOM);

const SLOTS: u32 = 8 * WORDS as u32;
const CAME_BACK_AT: u32 = 16;

/// How many reads are to be made again before the next ones are kept.
const RETURNS: u64 = 4;

/// One of the bytes in a mask that is not 0.
#[inline(always)]
fn lowest(mask: u8) -> u8 {
    mask & mask.wrapping_neg()
}

/// Whether reads of these bytes are looked up at once: those that are aligned to their size. Others are byte by byte.
#[inline(always)]
fn is_aligned(mask: u8) -> bool {
    let first = lowest(mask);
    mask == first
        || first & 0x55 != 0 && mask == first * 3
        || mask == 0x0f
        || mask == 0xf0
        || mask == 0xff
}

/// What is looked up next, of a read of which these bytes are left.
#[inline(always)]
fn part(read: Entry, left: u8) -> (u8, Entry) {
    let part = if is_aligned(read.tag.mask()) {
        left
    } else {
        lowest(left)
    };
    let tag = read.tag.with_mask(part);
    (part, Entry { tag, ..read })
}

/// The bytes at which what is looked up begins.
#[inline(always)]
fn begins(mask: u8) -> u8 {
    if is_aligned(mask) { lowest(mask) } else { mask }
}

/// Makes a read once more, if the thread in this slot keeps all of it: without a lock. If it does not, some of it may have been made.
#[inline(always)]
pub(crate) fn renew(kept: &Kept, slot: Slot, cell: u64, read: Entry) -> bool {
    let mut left = read.tag.mask();
    while left != 0 {
        let (bytes, part) = part(read, left);
        if !kept.renew(slot, cell, part) {
            return false;
        }
        left &= !bytes;
    }
    true
}

/// The unit that says it, of a word whose line is locked.
#[derive(Clone, Copy)]
pub(crate) struct KeptBytes<'s>(&'s Unit);

impl<'s> KeptBytes<'s> {
    /// That in this unit, if it is such a one.
    #[inline(always)]
    pub(crate) fn of(unit: &'s Unit) -> Option<KeptBytes<'s>> {
        unit.has_kept_bytes().then_some(KeptBytes(unit))
    }
    /// The unit says from now on that nothing is kept, of the slots of which this is one; entries there are gone.
    pub(crate) fn write(unit: &'s Unit, slot: Slot) {
        unit.clear_for_kept_bytes();
        let bytes = KeptBytes(unit);
        bytes.set(HEAD, (slot as u32 / SLOTS) as u64);
        (0..WORDS).for_each(|word| bytes.set(KEEPERS + word, 0));
    }

    #[inline(always)]
    fn get(self, index: usize) -> u64 {
        debug_assert!(index < KEEPERS + WORDS);
        // SAFETY: one of the above, and the unit's head is before them. Relaxed: under the line's lock.
        unsafe { self.0.0.get_unchecked(1 + index) }.load(Ordering::Relaxed)
    }
    #[inline(always)]
    fn set(self, index: usize, value: u64) {
        debug_assert!(index < KEEPERS + WORDS);
        // SAFETY: as above.
        unsafe { self.0.0.get_unchecked(1 + index) }.store(value, Ordering::Relaxed);
    }
    #[inline(always)]
    fn first_slot(self) -> u32 {
        self.get(HEAD) as u16 as u32 * SLOTS
    }
    /// Whether it is about this slot.
    #[inline(always)]
    pub(crate) fn is_of(self, slot: Slot) -> bool {
        slot as u32 / SLOTS == self.get(HEAD) as u16 as u32
    }
    #[inline(always)]
    fn place(slot: Slot) -> (usize, u32) {
        let slot = slot as u32 % SLOTS;
        (KEEPERS + slot as usize / 8, slot % 8 * 8)
    }
    /// The bytes at which what the thread in this slot, which it is about, keeps begins; reads of several sizes may.
    #[inline(always)]
    fn bytes(self, slot: Slot) -> u8 {
        let (word, shift) = Self::place(slot);
        (self.get(word) >> shift) as u8
    }
    /// Of a read, the bytes that the thread in this slot may keep.
    #[inline(always)]
    pub(crate) fn may_be_kept(self, slot: Slot, mask: u8) -> u8 {
        let kept = self.bytes(slot) & begins(mask);
        if !is_aligned(mask) {
            kept
        } else if kept != 0 {
            mask
        } else {
            0
        }
    }
    #[inline(always)]
    fn set_bytes(self, slot: Slot, bytes: u8) {
        let (word, shift) = Self::place(slot);
        let others = self.get(word) & !(0xff << shift);
        self.set(word, others | (bytes as u64) << shift);
    }
    /// A read was made again.
    #[inline(always)]
    pub(crate) fn note_return(self) {
        let head = self.get(HEAD);
        if head >> CAME_BACK_AT < RETURNS {
            self.set(HEAD, head + (1 << CAME_BACK_AT));
        }
    }
    /// Whether enough were.
    #[inline(always)]
    pub(crate) fn may_keep(self) -> bool {
        self.get(HEAD) >> CAME_BACK_AT >= RETURNS
    }

    /// The thread in this slot keeps a read to itself, if it has room for all of it: whether it does.
    #[inline(always)]
    pub(crate) fn keep(self, kept: &Kept, slot: Slot, cell: u64, read: Entry) -> bool {
        let mut left = read.tag.mask();
        while left != 0 {
            let (bytes, part) = part(read, left);
            if !kept.renew(slot, cell, part) {
                if !kept.put(slot, cell, part) {
                    // What was kept before this is as well said.
                    return false;
                }
                self.set_bytes(slot, self.bytes(slot) | lowest(bytes));
            }
            left &= !bytes;
        }
        true
    }
    /// What threads keep of the word with this cell, as records have it: taken back. What one has read in one epoch from one place is one.
    pub(crate) fn take_back(self, kept: &Kept, cell: &AtomicU64, taken: &mut Vec<u64>) {
        let first = self.first_slot();
        for word in 0..WORDS {
            let mut keepers = self.get(KEEPERS + word);
            self.set(KEEPERS + word, 0);
            let mut begin = (u32::MAX, 0);
            while keepers != 0 {
                let (slot, byte) = (keepers.trailing_zeros() / 8, keepers.trailing_zeros() % 8);
                keepers &= keepers - 1;
                if slot != begin.0 {
                    begin = (slot, taken.len());
                }
                let slot = (first + word as u32 * 8 + slot) as Slot;
                let masks = [0x01, 0x03, 0x0f, 0xff].map(|bytes: u8| bytes << byte);
                let parts = |&mask: &u8| is_aligned(mask) && mask.trailing_zeros() == byte;
                for mask in masks.into_iter().filter(parts) {
                    let read = Entry {
                        tag: Tag::NONE.with_mask(mask),
                        write: false,
                        site: 0,
                    };
                    let Some(entry) = kept.take(slot, at(cell), read) else {
                        continue;
                    };
                    let rest = |entry: u64| entry & !0xff;
                    let mut own = taken[begin.1..].iter_mut();
                    match own.find(|other| rest(**other) == rest(entry)) {
                        Some(other) => *other |= entry,
                        None => taken.push(entry),
                    }
                }
            }
        }
    }
}
