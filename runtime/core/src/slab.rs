//! Units of 64 bytes for what does not fit a cell: records ([`crate::records`]) and side records.
//!
//! The memory is given by the owner and never unmapped, so a stale index is at worst a wrong value, never a fault.

use crate::primitive::Ordering;
use crate::primitive::shadow::AtomicU64;
use crate::record_pool::RecordPool;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, MutexGuard};

/// 64 bytes: two small records, a large one, half a huge one, or a part of a side record. That is a head, and seven entries, or readers by bits ([`crate::reader_bits`]) or who
/// keeps which bytes ([`crate::kept_bytes`]) with room for two entries; the head is the number of entries (bits 0-2), whether it has only room for two (bit 3), and that for what is kept (bit 4), the
/// stamp of the side record where it begins (bits 5-35, [`crate::side_record`]), and the next unit of the same one, or 0 (bits 36-63).
///
/// All changes are made under the lock of the line that owns the unit.
#[repr(align(64))]
pub struct Unit(pub [AtomicU64; 8]);

const LEN: u64 = 7;
const BITS: u64 = 8;
const KEPT_BYTES: u64 = 16;
const STAMP_AT: u32 = 5;
const STAMP: u64 = 0x7fff_ffff << STAMP_AT;
const NEXT_AT: u32 = 36;

impl Unit {
    /// Entries, at most.
    pub const ROOM: usize = 7;
    /// Those that one with readers by bits has room for: the last ones.
    pub(crate) const BESIDE_BITS: usize = 2;

    fn head(&self) -> u64 {
        self.0[0].load(Ordering::Relaxed)
    }
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        (self.head() & LEN) as usize
    }
    /// Whether it has readers by bits.
    #[inline(always)]
    pub(crate) fn has_bits(&self) -> bool {
        self.head() & (BITS | KEPT_BYTES) == BITS
    }
    /// Whether it says who keeps which bytes.
    #[inline(always)]
    pub(crate) fn has_kept_bytes(&self) -> bool {
        self.head() & KEPT_BYTES != 0
    }
    /// It has readers by bits from now on, or not, and no entries.
    pub(crate) fn clear(&self, bits: bool) {
        self.clear_for(if bits { BITS } else { 0 });
    }
    /// It says who keeps which bytes from now on, and has no entries.
    pub(crate) fn clear_for_kept_bytes(&self) {
        self.clear_for(BITS | KEPT_BYTES);
    }
    fn clear_for(&self, kind: u64) {
        let head = self.head() & !(LEN | BITS | KEPT_BYTES) | kind;
        self.0[0].store(head, Ordering::Relaxed);
    }
    /// Whether it has room for two entries only.
    #[inline(always)]
    fn is_parted(&self) -> bool {
        self.head() & BITS != 0
    }
    /// Where its entries are.
    #[inline(always)]
    pub(crate) fn places(&self) -> std::ops::Range<usize> {
        if self.is_parted() {
            Self::ROOM - self.len()..Self::ROOM
        } else {
            0..self.len()
        }
    }
    /// Whether one more entry fits.
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        let room = if self.is_parted() {
            Self::BESIDE_BITS
        } else {
            Self::ROOM
        };
        self.len() < room
    }
    /// Adds an entry: where it is.
    #[inline(always)]
    pub(crate) fn push(&self, entry: u64) -> usize {
        debug_assert!(self.has_room());
        let index = if self.is_parted() {
            Self::ROOM - 1 - self.len()
        } else {
            self.len()
        };
        self.set_unchecked(index, entry);
        let head = self.head() + 1;
        self.0[0].store(head, Ordering::Relaxed);
        index
    }
    #[inline(always)]
    pub(crate) fn next(&self) -> u32 {
        (self.head() >> NEXT_AT) as u32
    }
    pub(crate) fn set_next(&self, next: u32) {
        let head = self.head() & (LEN | BITS | KEPT_BYTES | STAMP) | (next as u64) << NEXT_AT;
        self.0[0].store(head, Ordering::Relaxed);
    }
    #[inline(always)]
    pub(crate) fn stamp(&self) -> u32 {
        ((self.head() & STAMP) >> STAMP_AT) as u32
    }
    #[inline(always)]
    pub(crate) fn set_stamp(&self, stamp: u32) {
        let head = self.head() & !STAMP | (stamp as u64) << STAMP_AT;
        self.0[0].store(head, Ordering::Relaxed);
    }
    pub(crate) fn get(&self, index: usize) -> u64 {
        self.0[1 + index].load(Ordering::Relaxed)
    }
    pub(crate) fn set(&self, index: usize, entry: u64) {
        self.0[1 + index].store(entry, Ordering::Relaxed);
    }
    /// As [`Unit::get`] and [`Unit::set`], without a check that could fail.
    #[inline(always)]
    pub(crate) fn get_unchecked(&self, index: usize) -> u64 {
        debug_assert!(index < Self::ROOM);
        // SAFETY: entries are at [`Unit::places`], all of which are in the unit.
        unsafe { self.0.get_unchecked(1 + index) }.load(Ordering::Relaxed)
    }
    #[inline(always)]
    pub(crate) fn set_unchecked(&self, index: usize, entry: u64) {
        debug_assert!(index < Self::ROOM);
        // SAFETY: as above.
        unsafe { self.0.get_unchecked(1 + index) }.store(entry, Ordering::Relaxed);
    }
    /// Empty.
    fn renew(&self) {
        // A write to the processor even where it is 0 already: so untouched memory has one page fault, instead of one by a read and then
        // another one by a write, which every processor has to hear of.
        self.0[0].store(0, Ordering::Relaxed);
    }
}

/// Units by index, 1..len.
pub struct Slab {
    units: &'static [Unit],
    next: AtomicU32,
    free: [FreeList; SHARDS],
    /// For [`Slab::new_stamp`].
    stamps: AtomicU32,
    pub(crate) records: Arc<RecordPool>,
}

/// Free units are kept in several lists, so that threads at work on different lines do not wait for each other.
const SHARDS: usize = 64;

/// Units that an empty list takes at once, where there are many.
const BATCH: u32 = 16;

#[derive(Default)]
#[repr(align(64))]
struct FreeList(Mutex<Vec<u32>>);

impl FreeList {
    fn lock(&self) -> MutexGuard<'_, Vec<u32>> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Slab {
    /// Units, at most.
    pub const LIMIT: usize = 1 << (64 - NEXT_AT);

    /// A slab over zeroed memory, of at most [`Slab::LIMIT`] units.
    pub fn new(units: &'static [Unit]) -> Slab {
        assert!(units.len() <= Self::LIMIT);
        Slab {
            units,
            next: AtomicU32::new(1),
            free: std::array::from_fn(|_| FreeList::default()),
            stamps: AtomicU32::new(0),
            records: Arc::default(),
        }
    }
    /// Where the records are: that of a number with [`crate::records::RECORD`] begins, or goes on, at 32 times its index. For code that is not
    /// compiled with this.
    pub fn records(&self) -> *const Unit {
        self.units.as_ptr()
    }
    pub fn unit(&self, index: u32) -> &Unit {
        &self.units[index as usize]
    }
    /// A unit that a line refers to; without a check, because that would be a call of what reports its failure.
    #[inline(always)]
    pub(crate) fn unit_unchecked(&self, index: u32) -> &Unit {
        debug_assert!((index as usize) < self.units.len());
        // SAFETY: lines refer to units that `allocate` gave.
        unsafe { self.units.get_unchecked(index as usize) }
    }
    /// So many words of a record, from this one on, counted from the slab's beginning.
    #[inline(always)]
    pub(crate) fn entries_unchecked(&self, first: usize, room: usize) -> &[AtomicU64] {
        debug_assert!(first + room <= 8 * self.units.len());
        let words = self.units.as_ptr().cast::<AtomicU64>();
        // SAFETY: units are nothing but such words, and lines refer to units that `allocate` gave, or `allocate_two`.
        unsafe { core::slice::from_raw_parts(words.add(first), room) }
    }
    /// A stamp that no side record has had, or not for billions of changes; its lowest bit is given.
    #[inline(always)]
    pub(crate) fn new_stamp(&self, lowest: bool) -> u32 {
        // Relaxed: they need only differ.
        let last = self.stamps.fetch_add(2, Ordering::Relaxed);
        (last.wrapping_add(2) | u32::from(lowest)) & (STAMP >> STAMP_AT) as u32
    }
    /// An empty unit. `near` is any number that differs between lines; what is released with the same
    /// number is handed out again first.
    ///
    /// # Panics
    /// When the memory is used up (64 bytes times the length given to `new`).
    pub fn allocate(&self, near: usize) -> u32 {
        let index = self.take(near);
        self.unit(index).renew();
        index
    }
    /// Two units side by side, the first of which is given; `None` if none are left. Released one by one.
    pub(crate) fn allocate_two(&self) -> Option<u32> {
        let index = self.next.fetch_add(2, Ordering::Relaxed);
        ((index + 2) as usize <= self.units.len()).then_some(index)
    }
    fn take(&self, near: usize) -> u32 {
        let mut free = self.free[near % SHARDS].lock();
        if let Some(index) = free.pop() {
            return index;
        }
        let batch = if self.units.len() > 1 << 16 { BATCH } else { 1 };
        let index = self.next.fetch_add(batch, Ordering::Relaxed);
        if (index + batch) as usize <= self.units.len() {
            free.extend((index + 1..index + batch).rev());
            return index;
        }
        drop(free);
        self.allocate_anywhere()
    }
    /// The last resort of a list that is empty when there are no new units.
    #[cold]
    fn allocate_anywhere(&self) -> u32 {
        let found = self.free.iter().find_map(|free| free.lock().pop());
        found.expect("side records are used up")
    }
    pub fn release(&self, index: u32, near: usize) {
        self.free[near % SHARDS].lock().push(index);
    }
    /// The lowest index never handed out.
    pub fn high_water(&self) -> u32 {
        self.next
            .load(Ordering::Relaxed)
            .min(self.units.len() as u32)
    }
    /// Takes back every unit that `in_use` does not hold, among them those that nobody released. The caller has made sure
    /// that nobody is about to use a unit, and that `in_use` holds every unit that something refers to.
    pub fn recycle(&self, in_use: impl Fn(u32) -> bool) -> usize {
        let mut lists: Vec<_> = self.free.iter().map(FreeList::lock).collect();
        lists.iter_mut().for_each(|free| free.clear());
        let mut count = 0;
        for index in (1..self.high_water()).rev().filter(|&index| !in_use(index)) {
            lists[count % SHARDS].push(index);
            count += 1;
        }
        count
    }
    /// Units in use, for the statistics. Those of small records are until the next sweep.
    pub fn in_use(&self) -> u32 {
        let free: usize = self.free.iter().map(|free| free.lock().len()).sum();
        self.high_water().saturating_sub(1 + free as u32)
    }
}
