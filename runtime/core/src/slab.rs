//! Units of 64 bytes for what does not fit a cell or a line word: side records and per-tag sites.
//!
//! The memory is given by the owner and never unmapped, so a stale index is at worst a wrong value, never a fault; all
//! uses are under the lock of the line that owns the unit.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// 64 bytes, as sixteen words. The words are atomic because two lines' owners share the table, not because one unit is
/// ever used by two threads at once: the line lock orders its users, so `Relaxed` is enough everywhere.
#[repr(align(64))]
pub struct Unit(pub [AtomicU32; 16]);

/// Units by index, 1..len.
pub struct Slab {
    units: &'static [Unit],
    next: AtomicU32,
    free: Mutex<Vec<u32>>,
    free_len: AtomicU32,
}

impl Slab {
    /// A slab over zeroed memory.
    pub fn new(units: &'static [Unit]) -> Slab {
        Slab {
            units,
            next: AtomicU32::new(1),
            free: Mutex::new(Vec::new()),
            free_len: AtomicU32::new(0),
        }
    }
    pub fn unit(&self, index: u32) -> &Unit {
        &self.units[index as usize]
    }
    /// A unit with unspecified contents.
    ///
    /// # Panics
    /// When the memory is used up (64 bytes times the length given to `new`).
    pub fn allocate(&self) -> u32 {
        if self.free_len.load(Ordering::Relaxed) > 0 {
            let mut free = self.free.lock().unwrap();
            if let Some(index) = free.pop() {
                self.free_len.store(free.len() as u32, Ordering::Relaxed);
                return index;
            }
        }
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        assert!(
            (index as usize) < self.units.len(),
            "side records are used up"
        );
        index
    }
    pub fn release(&self, index: u32) {
        let mut free = self.free.lock().unwrap();
        free.push(index);
        self.free_len.store(free.len() as u32, Ordering::Relaxed);
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
        let mut free = self.free.lock().unwrap();
        free.clear();
        free.extend((1..self.high_water()).rev().filter(|&index| !in_use(index)));
        self.free_len.store(free.len() as u32, Ordering::Relaxed);
        free.len()
    }
    /// Units in use, for the statistics.
    pub fn in_use(&self) -> u32 {
        self.next.load(Ordering::Relaxed) - 1 - self.free_len.load(Ordering::Relaxed)
    }
}
