//! Free records ([`crate::records`]): those that threads have at hand, and where these come from.

use crate::records::{index_of, is_large, small};
use crate::slab::Slab;
use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard};

/// Free small records.
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
    /// One was asked for in vain.
    wanted: Cell<bool>,
}

/// Records at hand, at most; and after a visit of the pool.
const ROOM: usize = if cfg!(loom) { 4 } else { 256 };
const HALF: usize = ROOM / 2;

impl RecordStock {
    /// The number of a word that gets one of these.
    #[inline(always)]
    pub(crate) fn take(&self) -> Option<u32> {
        let count = self.count.get().wrapping_sub(1);
        let Some(place) = self.indices.get(count) else {
            self.wanted.set(true);
            return None;
        };
        self.count.set(count);
        Some(small(place.get()))
    }
    /// Gives back the record of a word that had this number. Whether there was room for it.
    #[inline(always)]
    pub(crate) fn give(&self, number: u32) -> bool {
        let count = self.count.get();
        if is_large(number) {
            return false;
        }
        let Some(place) = self.indices.get(count) else {
            return false;
        };
        place.set(index_of(number));
        self.count.set(count + 1);
        true
    }
    /// Sees to it that there is one to take, and room, if somebody has asked for it.
    #[inline]
    pub(crate) fn balance(&mut self, slab: &Slab) {
        let count = self.count.get();
        if self.wanted.get() || count == ROOM {
            self.wanted.set(false);
            self.visit_pool(slab, count);
        }
    }
    #[cold]
    fn visit_pool(&mut self, slab: &Slab, count: usize) {
        let pool = self.pool.get_or_insert_with(|| slab.records.clone());
        if self.indices.is_empty() {
            self.indices = (0..ROOM).map(|_| Cell::new(0)).collect();
        }
        if count == ROOM {
            let rest = self.indices[HALF..].iter().map(Cell::get);
            pool.lock().extend(rest);
            self.count.set(HALF);
        } else if count == 0 {
            let mut free = pool.lock();
            for place in &self.indices[..HALF] {
                place.set(slab.take_record(&mut free));
            }
            self.count.set(HALF);
        }
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

impl Slab {
    fn take_record(&self, free: &mut Vec<u32>) -> u32 {
        free.pop().unwrap_or_else(|| {
            let unit = self.allocate(free.capacity());
            free.push(unit << 1 | 1);
            unit << 1
        })
    }
    /// The number of a word that gets a record.
    pub(crate) fn allocate_record(&self) -> u32 {
        small(self.take_record(&mut self.records.lock()))
    }
    /// Gives back the small record of a word that had this number.
    pub(crate) fn release_record(&self, number: u32) {
        self.records.lock().push(index_of(number));
    }
}
