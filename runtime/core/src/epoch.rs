//! Epoch ids: short global names for (thread, sync epoch), which is what identifies an access.
//!
//! All accesses that a thread makes in one sync epoch have the same Goldilockset, so a shadow cell only needs to name the
//! epoch. The name is 23 bits, because it must fit a 32-bit tag together with eight mask bits and the atomic bit. Ids are
//! handed out in order; when they run out, [`EpochTable::recycle`] takes back those that no shadow cell mentions.

use crate::event::{Clock, Slot};
use crate::goldilocks::Thread;
use crate::read_sets::{ReadSets, Reader};
use crate::tag::Tag;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// An epoch id, 1..[`EpochTable::LIMIT`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct EpochId(pub u32);

/// What the ids stand for.
pub struct EpochTable {
    /// Slot (bits 48-63) and clock (bits 0-47) of each id. Written once by the thread that receives the id, before any
    /// shadow cell mentions it; read by whoever found the id in a cell.
    entries: &'static [AtomicU64],
    /// The lowest id never handed out.
    next: AtomicU32,
    /// Ids taken back by the last sweep.
    free: Mutex<Vec<u32>>,
    /// Number of entries in `free`, to leave the lock alone while there are none.
    free_len: AtomicU32,
    /// The ids that stand for several readers.
    pub read_sets: ReadSets,
}

/// Ids that one thread has taken and not used yet: what all threads take from is touched once for many.
#[derive(Default)]
pub(crate) struct IdStock {
    ids: Vec<u32>,
    /// How many it took last.
    batch: usize,
}

impl IdStock {
    /// A sweep hands out again whatever is not in use.
    pub(crate) fn forget(&mut self) {
        self.ids.clear();
    }
}

/// Ids that a thread takes at once, at most.
const MOST_IDS: usize = 64;

const CLOCK_BITS: u32 = 48;

/// In place of a slot: the entry is the address of a read set.
const SET: u64 = Slot::MAX as u64;

impl EpochTable {
    /// Ids are below this number: 23 bits, without the all-ones pattern of [`crate::tag::Tag::NEVER`].
    pub const LIMIT: u32 = (1 << 23) - 1;

    /// A table over zeroed memory; its length (at most [`Self::LIMIT`]) bounds the ids.
    pub fn new(entries: &'static [AtomicU64]) -> EpochTable {
        assert!(entries.len() > 1 && entries.len() <= Self::LIMIT as usize);
        EpochTable {
            entries,
            next: AtomicU32::new(1),
            free: Mutex::new(Vec::new()),
            free_len: AtomicU32::new(0),
            read_sets: ReadSets::default(),
        }
    }

    /// A new id for the sync epoch `clock` of the thread in `slot`; `None` when all are in use.
    pub(crate) fn allocate(
        &self,
        stock: &mut IdStock,
        slot: Slot,
        clock: Clock,
    ) -> Option<EpochId> {
        if stock.ids.is_empty() {
            self.refill(stock);
        }
        let id = stock.ids.pop()?;
        // Relaxed: another thread finds the id in a shadow cell, which is published by the release of the line lock.
        self.entries[id as usize].store((slot as u64) << CLOCK_BITS | clock, Ordering::Relaxed);
        Some(EpochId(id))
    }

    /// Takes ids for one thread's use: more each time, so that a thread that lives shortly does not keep many from others.
    fn refill(&self, stock: &mut IdStock) {
        // Where few are left, one at a time.
        let few = 1 + self.available() as usize / 256;
        stock.batch = (2 * stock.batch).clamp(1, MOST_IDS.min(few));
        let wanted = stock.batch as u32;
        // Relaxed throughout: as in `take`.
        if self.free_len.load(Ordering::Relaxed) > 0 {
            let mut free = self.free.lock().unwrap();
            let rest = free.len().saturating_sub(stock.batch);
            stock.ids.extend(free.drain(rest..));
            self.free_len.store(free.len() as u32, Ordering::Relaxed);
        }
        let mut next = self.next.load(Ordering::Relaxed);
        while stock.ids.is_empty() && (next as usize) < self.entries.len() {
            let end = (next + wanted).min(self.entries.len() as u32);
            match self
                .next
                .compare_exchange_weak(next, end, Ordering::Relaxed, Ordering::Relaxed)
            {
                // The lowest is used first.
                Ok(_) => stock.ids.extend((next..end).rev()),
                Err(now) => next = now,
            }
        }
    }

    /// Whoever uses the stock does not need it any more.
    pub(crate) fn give_back(&self, stock: &mut IdStock) {
        if !stock.ids.is_empty() {
            let mut free = self.free.lock().unwrap();
            free.append(&mut stock.ids);
            // Relaxed: as in `take`.
            self.free_len.store(free.len() as u32, Ordering::Relaxed);
        }
    }

    fn take(&self) -> Option<u32> {
        // Relaxed throughout: the counters guard nothing but themselves, the list has its lock.
        if self.free_len.load(Ordering::Relaxed) > 0 {
            let mut free = self.free.lock().unwrap();
            if let Some(id) = free.pop() {
                self.free_len.store(free.len() as u32, Ordering::Relaxed);
                return Some(id);
            }
        }
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            if next as usize >= self.entries.len() {
                return None;
            }
            match self.next.compare_exchange_weak(
                next,
                next + 1,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return Some(next),
                Err(now) => next = now,
            }
        }
    }

    /// A new id for a set of readers; `None` when all are in use.
    pub(crate) fn allocate_set(&self, readers: Vec<Reader>) -> Option<EpochId> {
        let id = self.take()?;
        // Boxed once more, so that one word finds it.
        let address = Box::into_raw(Box::new(readers)) as u64;
        // Relaxed: as in `allocate`.
        self.entries[id as usize].store(SET << CLOCK_BITS | address, Ordering::Relaxed);
        Some(EpochId(id))
    }

    /// The readers that `id` names, if it names a set.
    #[inline]
    pub fn readers(&self, id: EpochId) -> Option<&[Reader]> {
        let entry = self.entries[id.0 as usize].load(Ordering::Relaxed);
        if entry >> CLOCK_BITS != SET {
            return None;
        }
        // SAFETY: made by `allocate_set`; freed by `recycle` only when no cell mentions the id and nobody is looking.
        Some(unsafe { &*((entry & ((1 << CLOCK_BITS) - 1)) as *const Vec<Reader>) })
    }

    /// Whether `id` names a set of readers.
    #[inline(always)]
    pub(crate) fn is_set(&self, id: EpochId) -> bool {
        // SAFETY: ids in cells are below the table's length. Relaxed: see `allocate`.
        let entry = unsafe { self.entries.get_unchecked(id.0 as usize) };
        entry.load(Ordering::Relaxed) >> CLOCK_BITS == SET
    }

    /// SC1 and SC2: whether the accesses with this tag are `thread`'s own or known to it. No for a set.
    #[inline(always)]
    pub(crate) fn known_before(&self, thread: &Thread, tag: Tag) -> bool {
        // SAFETY: ids in cells are below the table's length. Relaxed: see `allocate`.
        let entry = unsafe { self.entries.get_unchecked(tag.epoch().0 as usize) };
        let entry = entry.load(Ordering::Relaxed);
        let owner = (entry >> CLOCK_BITS) as Slot;
        // A set's owner is no slot, and its clock is an address: larger than what anybody knows.
        owner == thread.slot || thread.knows(owner) >= entry & ((1 << CLOCK_BITS) - 1)
    }

    /// Whether what [`EpochTable::lookup`] gave as a slot says that the id is that of a set.
    #[inline]
    pub fn names_set(slot: Slot) -> bool {
        slot == Slot::MAX
    }

    /// Thread and sync epoch that `id` names. Of a set, only the slot means something.
    #[inline]
    pub fn lookup(&self, id: EpochId) -> (Slot, Clock) {
        // Relaxed: see `allocate`.
        let entry = self.entries[id.0 as usize].load(Ordering::Relaxed);
        (
            (entry >> CLOCK_BITS) as Slot,
            entry & ((1 << CLOCK_BITS) - 1),
        )
    }

    /// Number of ids handed out so far, an upper bound for every id in use.
    pub fn high_water(&self) -> u32 {
        self.next.load(Ordering::Relaxed)
    }

    /// How many ids can still be handed out.
    pub fn available(&self) -> u32 {
        self.entries.len() as u32 - self.high_water() + self.free_len.load(Ordering::Relaxed)
    }

    /// Takes back every id below the high water that `in_use` does not hold. The caller has made sure that no thread is
    /// about to write an id into a cell (all are outside of the runtime) and that `in_use` holds every id in a cell, in a
    /// side record, and every thread's present one.
    pub fn recycle(&self, in_use: impl Fn(u32) -> bool) -> usize {
        self.read_sets.recycle(&in_use);
        for id in (1..self.high_water()).filter(|&id| !in_use(id)) {
            let entry = self.entries[id as usize].swap(0, Ordering::Relaxed);
            if entry >> CLOCK_BITS == SET {
                // SAFETY: made by `allocate_set`, and no longer mentioned anywhere.
                drop(unsafe {
                    Box::from_raw((entry & ((1 << CLOCK_BITS) - 1)) as *mut Vec<Reader>)
                });
            }
        }
        let mut free = self.free.lock().unwrap();
        free.clear();
        free.extend((1..self.high_water()).rev().filter(|&id| !in_use(id)));
        self.free_len.store(free.len() as u32, Ordering::Relaxed);
        free.len()
    }
}
