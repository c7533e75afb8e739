//! Units of 64 bytes for what does not fit a cell: spilled entries and side records.
//!
//! The memory is given by the owner and never unmapped, so a stale index is at worst a wrong value, never a fault.

use crate::primitive::Ordering;
use crate::primitive::shadow::AtomicU64;
use crate::site_records::RecordPool;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, MutexGuard};

/// 64 bytes: a head, and seven entries as their owner sees fit. The head is the number of entries (bits 0-3), a bit for each cell of the
/// line that has some of them (bits 4-11; of spilled entries), its version (bits 12-35, modulo 2^24) and the next unit of the same
/// owner, or 0 (bits 36-63).
///
/// All changes are made under the lock of the line that owns the unit, but for those of [`crate::refresh`]; whoever looks without the
/// lock finds whole entries, and tells by the version whether there was a change.
#[repr(align(64))]
pub struct Unit(pub [AtomicU64; 8]);

/// Number of entries, their cells, version and next unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Head(u64);

impl Head {
    const LEN: u64 = 0xf;
    const CELLS: u64 = 0xff << 4;
    const VERSION: u64 = 0xff_ffff << 12;
    const NEXT_AT: u32 = 36;

    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        (self.0 & Self::LEN) as usize
    }
    /// Whether there are entries of `cell`, 0..8.
    #[inline(always)]
    pub(crate) fn has(self, cell: usize) -> bool {
        self.0 >> 4 >> cell & 1 != 0
    }
    #[inline(always)]
    pub(crate) fn next(self) -> u32 {
        (self.0 >> Self::NEXT_AT) as u32
    }
    #[inline(always)]
    fn with_len(self, len: usize) -> Head {
        Head(self.0 & !Self::LEN | len as u64)
    }
    #[inline(always)]
    fn with_cell(self, cell: usize, there: bool) -> Head {
        let bit = 1 << 4 << cell;
        Head(if there { self.0 | bit } else { self.0 & !bit })
    }
    #[inline(always)]
    fn with_next(self, next: u32) -> Head {
        Head(self.0 & ((1 << Self::NEXT_AT) - 1) | (next as u64) << Self::NEXT_AT)
    }
    #[inline(always)]
    fn changed(self) -> Head {
        let version = ((self.0 & Self::VERSION) + (1 << 12)) & Self::VERSION;
        Head(self.0 & !Self::VERSION | version)
    }
}

impl Unit {
    /// Entries, at most.
    pub const ROOM: usize = 7;

    /// Acquire: entries that are read later are no older.
    #[inline(always)]
    pub(crate) fn head(&self) -> Head {
        Head(self.0[0].load(Ordering::Acquire))
    }
    /// Release: whoever sees this head sees the entries that were changed before.
    #[inline(always)]
    fn set_head(&self, head: Head) {
        self.0[0].store(head.0, Ordering::Release);
    }
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.head().len()
    }
    /// After a change of entries: how many there are now.
    #[inline(always)]
    pub(crate) fn set_len(&self, len: usize) {
        self.set_head(self.head().with_len(len).changed());
    }
    /// The same, if only entries of `cell` have changed: how many there are now of all, and whether there are any of these.
    #[inline(always)]
    pub(crate) fn set_len_of(&self, len: usize, cell: usize, any: bool) {
        self.set_head(self.head().with_len(len).with_cell(cell, any).changed());
    }
    #[inline(always)]
    pub(crate) fn next(&self) -> u32 {
        self.head().next()
    }
    pub(crate) fn set_next(&self, next: u32) {
        self.set_head(self.head().with_next(next).changed());
    }
    /// Where entry `index`, below [`Unit::ROOM`], is.
    #[inline(always)]
    pub(crate) fn place(&self, index: usize) -> &AtomicU64 {
        debug_assert!(index < Self::ROOM);
        // SAFETY: callers' indices are below `ROOM`.
        unsafe { self.0.get_unchecked(1 + index) }
    }
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> u64 {
        self.place(index).load(Ordering::Relaxed)
    }
    /// Changes an entry; [`Unit::set_len`] has to follow.
    #[inline(always)]
    pub(crate) fn set(&self, index: usize, entry: u64) {
        self.place(index).store(entry, Ordering::Relaxed);
    }
    /// Empty, and not the unit any more that it was.
    fn renew(&self) {
        // An exchange, even for the same, is a write to the processor: so untouched memory has one page fault, instead of one by the read and
        // then another one by the write, which every processor has to hear of.
        let _ = self.0[0].compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        let head = Head(self.head().0 & !Head::CELLS);
        self.set_head(head.with_len(0).with_next(0).changed());
    }
}

/// Units by index, 1..len.
pub struct Slab {
    units: &'static [Unit],
    next: AtomicU32,
    free: [FreeList; SHARDS],
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
    pub const LIMIT: usize = 1 << (64 - Head::NEXT_AT);

    /// A slab over zeroed memory, of at most [`Slab::LIMIT`] units.
    pub fn new(units: &'static [Unit]) -> Slab {
        assert!(units.len() <= Self::LIMIT);
        Slab {
            units,
            next: AtomicU32::new(1),
            free: std::array::from_fn(|_| FreeList::default()),
            records: Arc::default(),
        }
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
    /// A bound for the indices.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.units.len()
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
    /// Units in use, for the statistics. Those of records are until the next sweep.
    pub fn in_use(&self) -> u32 {
        let free: usize = self.free.iter().map(|free| free.lock().len()).sum();
        self.high_water().saturating_sub(1 + free as u32)
    }
}
