//! Records of what the bytes of a word were accessed from, for words with more than a write's and a read's site.
//!
//! A few such combinations get names, which is what [`Sites::combine`](crate::line::Sites::combine) is for: all objects of a kind have the same. But a byte
//! codec or a hash table of small entries makes more of them than it has words. When there are [many](crate::line::Sites::are_many), a word gets a
//! record of its own, changed in place under its line's lock; the number of the word's sites says where it is. Two records share a unit of the slab,
//! and its first word says that it is no unit with a head ([`MARK`]): stale walks look at that.

use crate::primitive::Ordering;
use crate::primitive::shadow::AtomicU64;
use crate::slab::{Slab, Unit};
use crate::word_sites::{MARK, WordSites};
use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard};

/// In the number of a word's sites: but for [`SPILLED`](crate::spilled::SPILLED), the rest is the index of its record.
pub const MIXED: u32 = 1 << 31;
const INDEX: u32 = (1 << 29) - 1;
const _: () = assert!(MARK as usize > Unit::ROOM);
const _: () = assert!(2 * Slab::LIMIT as u64 <= INDEX as u64 + 1);

/// Free records.
#[derive(Default)]
pub struct RecordPool(Mutex<Vec<u32>>);

impl RecordPool {
    fn lock(&self) -> MutexGuard<'_, Vec<u32>> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
    /// From now on these ones are free, and no others are.
    pub(crate) fn set(&self, free: Vec<u32>) {
        *self.lock() = free;
    }
}

/// Free records that a thread has at hand, for the short way, which cannot wait for others.
#[derive(Default)]
pub(crate) struct RecordStock {
    /// Where they come from; none before the first ones.
    pool: Option<Arc<RecordPool>>,
    indices: Box<[Cell<u32>]>,
    count: Cell<usize>,
}

/// Records at hand, at most; and after a visit of the pool.
const ROOM: usize = if cfg!(loom) { 4 } else { 256 };
const HALF: usize = ROOM / 2;

impl RecordStock {
    /// Whether there is room for one.
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        self.count.get() < self.indices.len()
    }
    #[inline(always)]
    pub(crate) fn take(&self) -> Option<u32> {
        let count = self.count.get().checked_sub(1)?;
        self.count.set(count);
        self.indices.get(count).map(Cell::get)
    }
    /// Gives one back; there is room.
    #[inline(always)]
    pub(crate) fn give(&self, index: u32) {
        let count = self.count.get();
        if let Some(place) = self.indices.get(count) {
            place.set(index);
            self.count.set(count + 1);
        }
    }
    /// Sees to it that there is one to take, and room.
    pub(crate) fn balance(&mut self, slab: &Slab) {
        let count = self.count.get();
        if count > 0 && count < self.indices.len() {
            return;
        }
        let pool = self.pool.get_or_insert_with(|| slab.records.clone());
        if self.indices.is_empty() {
            self.indices = (0..ROOM).map(|_| Cell::new(0)).collect();
        }
        if count == 0 {
            for place in &self.indices[..HALF] {
                place.set(slab.allocate_record());
            }
        } else {
            pool.lock()
                .extend(self.indices[HALF..count].iter().map(Cell::get));
        }
        self.count.set(HALF);
    }
    /// Nobody has what it had.
    pub(crate) fn forget(&mut self) {
        self.count.set(0);
    }
}

impl Drop for RecordStock {
    fn drop(&mut self) {
        if let Some(pool) = &self.pool {
            pool.lock()
                .extend(self.indices[..self.count.get()].iter().map(Cell::get));
        }
    }
}

/// The record that a number with [`MIXED`] says, with or without [`SPILLED`].
#[inline(always)]
pub(crate) fn index_of(number: u32) -> u32 {
    number & INDEX
}

impl Slab {
    /// The unit of a record, and where in it that begins.
    #[inline(always)]
    fn record(&self, index: u32) -> (&[AtomicU64; 8], usize) {
        (&self.unit_unchecked(index >> 1).0, 4 * (index as usize & 1))
    }
    /// Makes a record come near while something else is done.
    #[inline(always)]
    pub(crate) fn prefetch_record(&self, index: u32) {
        let (words, _) = self.record(index);
        #[cfg(all(target_arch = "x86_64", not(miri), not(loom)))]
        // SAFETY: prefetching touches nothing.
        unsafe {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(words.as_ptr().cast());
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri), not(loom))))]
        let _ = words;
    }
    /// What a record says. Without its line's lock that is a guess.
    #[inline(always)]
    pub(crate) fn word_sites(&self, index: u32) -> WordSites {
        let (words, from) = self.record(index);
        // Relaxed: under the line's lock, or a guess.
        WordSites {
            a: words[from].load(Ordering::Relaxed),
            b: words[from + 1].load(Ordering::Relaxed),
            c: words[from + 2].load(Ordering::Relaxed),
            d: words[from + 3].load(Ordering::Relaxed),
        }
    }
    /// Changes a record, under its line's lock.
    #[inline(always)]
    pub(crate) fn set_word_sites(&self, index: u32, sites: WordSites) {
        let (words, from) = self.record(index);
        words[from].store(sites.a, Ordering::Relaxed);
        words[from + 1].store(sites.b, Ordering::Relaxed);
        words[from + 2].store(sites.c, Ordering::Relaxed);
        words[from + 3].store(sites.d, Ordering::Relaxed);
    }
    /// The number of a word with these sites, in place of `number`: its record is used again if it has one.
    pub(crate) fn record_sites(&self, number: u32, sites: WordSites) -> u32 {
        let index = if number & MIXED != 0 {
            index_of(number)
        } else {
            self.allocate_record()
        };
        self.set_word_sites(index, sites);
        MIXED | index
    }
    pub(crate) fn allocate_record(&self) -> u32 {
        let mut free = self.records.lock();
        free.pop().unwrap_or_else(|| {
            let unit = self.allocate(free.capacity());
            // Relaxed: the line that gets it will say so later.
            self.unit(unit).0[0].store(MARK, Ordering::Relaxed);
            free.push(unit << 1 | 1);
            unit << 1
        })
    }
    /// Gives back the record of a number, if it says one.
    #[inline(always)]
    pub(crate) fn release_record(&self, number: u32) {
        if number & MIXED != 0 {
            self.give_back(index_of(number));
        }
    }
    #[cold]
    fn give_back(&self, index: u32) {
        self.records.lock().push(index);
    }
}
