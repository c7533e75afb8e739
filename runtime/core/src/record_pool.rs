//! Free records ([`crate::records`]): those that threads have at hand, and where these come from.

use crate::records::{Class, READERS, class_of};
use crate::slab::Slab;
use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard};

/// Free records, by class: the numbers that words had that had them.
#[derive(Default)]
pub struct RecordPool([Mutex<Vec<u32>>; Class::COUNT]);

impl RecordPool {
    fn lock(&self, class: Class) -> MutexGuard<'_, Vec<u32>> {
        self.0[class as usize]
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
    /// From now on these small ones are free, and no others are.
    pub(crate) fn set(&self, small: Vec<u32>) {
        *self.lock(Class::Small) = small;
        self.lock(Class::Large).clear();
        self.lock(Class::Huge).clear();
    }
}

/// Free records that a thread has at hand, for the short way, which cannot wait for others.
#[derive(Default)]
pub(crate) struct RecordStock {
    /// Where they come from; none before the first ones.
    pool: Option<Arc<RecordPool>>,
    shelves: [Shelf; Class::COUNT],
    /// There is something to do for [`RecordStock::balance`].
    wanted: Cell<bool>,
    /// Records made [`READERS`] since the last sweep, beyond a number with which it begins.
    of_readers: Cell<u32>,
    first_of_readers: u32,
    /// Accesses to words with records until it is time to look for what can be forgotten, and how many there were to be from the last time on.
    until: Cell<u32>,
    patience: u32,
}

/// The records of one class.
#[derive(Default)]
struct Shelf {
    numbers: Box<[Cell<u32>]>,
    count: Cell<usize>,
    wanted: Cell<bool>,
    /// How many it had after the last visit of the pool: most threads need few.
    filled: usize,
}

/// Records at hand, at most. After a visit of the pool it is half of that, or less in the beginning.
const FIRST: usize = 4;
/// What a thread may take out of use until the next sweep: 256 KiB, mostly.
pub const MOST_OF_READERS: u32 = 4096;
/// Of so many accesses to words with records, one looks what of that is settled.
const FORGETS: u32 = 32;
// As the lane has it.
const _: () = assert!(FORGETS == 32);
/// Accesses to words with records until a thread looks again what is settled, at most.
const MOST_PATIENCE: u32 = 1 << 20;
const ROOM: [usize; Class::COUNT] = if cfg!(loom) { [4, 2, 2] } else { [256, 64, 32] };

impl RecordStock {
    /// Of a thread that may make so many records [`READERS`], at most [`MOST_OF_READERS`].
    pub(crate) fn with_readers(most: usize) -> RecordStock {
        let first = MOST_OF_READERS - most.min(MOST_OF_READERS as usize) as u32;
        let mut stock = RecordStock::default();
        stock.first_of_readers = first;
        stock.of_readers.set(first);
        stock
    }
    #[inline(always)]
    fn shelf(&self, class: Class) -> &Shelf {
        // SAFETY: a class's number is below their count.
        unsafe { self.shelves.get_unchecked(class as usize) }
    }
    /// The number of a word that gets one of these.
    #[inline(always)]
    pub(crate) fn take(&self, class: Class) -> Option<u32> {
        let shelf = self.shelf(class);
        let count = shelf.count.get().wrapping_sub(1);
        let Some(place) = shelf.numbers.get(count) else {
            shelf.wanted.set(true);
            self.wanted.set(true);
            return None;
        };
        shelf.count.set(count);
        Some(place.get())
    }
    /// The same, of the next larger one than that which it has, if that can be given back.
    #[inline(always)]
    pub(crate) fn take_larger(&self, number: u32) -> Option<u32> {
        let class = class_of(number);
        let shelf = self.shelf(class);
        if shelf.count.get() < shelf.numbers.len() {
            return self.take(class.next()?);
        }
        shelf.wanted.set(true);
        self.wanted.set(true);
        None
    }
    /// The number of a word whose record, that with this one, is to be [`READERS`]; `None` if that is not to be had.
    #[inline(always)]
    pub(crate) fn of_readers(&self, number: u32, slab: &Slab) -> Option<u32> {
        if number & READERS != 0 || !self.may_have_readers() {
            return None;
        }
        let large = match class_of(number) {
            Class::Small => {
                let larger = self.take_larger(number)?;
                slab.record(larger).take_all(slab.record(number));
                self.give(number);
                larger
            }
            Class::Large | Class::Huge => number,
        };
        self.of_readers.set(self.of_readers.get() + 1);
        Some(large | READERS)
    }
    /// Gives back the record of a word that had this number. Whether there was room for it.
    #[inline(always)]
    pub(crate) fn give(&self, number: u32) -> bool {
        if number & READERS != 0 {
            return true;
        }
        let shelf = self.shelf(class_of(number));
        let count = shelf.count.get();
        let Some(place) = shelf.numbers.get(count) else {
            shelf.wanted.set(true);
            self.wanted.set(true);
            return false;
        };
        place.set(number);
        shelf.count.set(count + 1);
        true
    }
    /// An access to a word with a record. Whether it is to be seen what of that can be forgotten: it is most of what it takes to see that.
    #[inline(always)]
    pub(crate) fn is_used(&self) -> bool {
        let until = self.until.get().saturating_sub(1);
        self.until.set(until);
        until.is_multiple_of(FORGETS)
    }
    /// The same of a read beside a write, which is not remembered if nothing can race with it any more: whether it is time to look for that.
    #[inline(always)]
    pub(crate) fn is_used_beside_write(&self) -> bool {
        self.is_used();
        self.is_due()
    }
    /// Offset of `until`, for code that is not compiled with this.
    pub(crate) const UNTIL: usize = std::mem::offset_of!(RecordStock, until);
    /// Offset of how many records the thread has made [`READERS`], of [`MOST_OF_READERS`].
    pub(crate) const OF_READERS: usize = std::mem::offset_of!(RecordStock, of_readers);
    /// Whether the thread may make records [`READERS`].
    #[inline(always)]
    pub(crate) fn may_have_readers(&self) -> bool {
        self.of_readers.get() != MOST_OF_READERS
    }
    /// Whether an access to a word with a record need not look for anything that can be forgotten; if it does not, that is [counted](Self::was_left_alone).
    #[inline(always)]
    pub(crate) fn leaves_alone(&self) -> bool {
        let until = self.until.get();
        until != 0 && !(until - 1).is_multiple_of(FORGETS)
    }
    #[inline(always)]
    pub(crate) fn was_left_alone(&self) {
        self.until.set(self.until.get() - 1);
    }
    /// Whether it is time to look for what can be forgotten.
    #[inline(always)]
    pub(crate) fn is_due(&self) -> bool {
        self.until.get() == 0
    }
    /// It was looked for, and is to be again after so many accesses, or more if there was no news.
    pub(crate) fn look_again_after(&mut self, accesses: u32, news: bool) {
        self.patience = if news {
            accesses
        } else {
            self.patience
                .saturating_mul(2)
                .clamp(accesses, MOST_PATIENCE.max(accesses))
        };
        self.until.set(self.patience);
    }
    /// Sees to it that there is one to take, and room, where that was asked for in vain.
    #[inline]
    pub(crate) fn balance(&mut self, slab: &Slab) {
        if self.wanted.get() {
            self.visit_pool(slab);
        }
    }
    #[cold]
    fn visit_pool(&mut self, slab: &Slab) {
        self.wanted.set(false);
        let pool = self.pool.get_or_insert_with(|| slab.records.clone());
        for class in Class::ALL {
            let shelf = &mut self.shelves[class as usize];
            if !shelf.wanted.replace(false) {
                continue;
            }
            let room = ROOM[class as usize];
            if shelf.numbers.is_empty() {
                shelf.numbers = (0..room).map(|_| Cell::new(0)).collect();
            }
            let count = shelf.count.get();
            let mut free = pool.lock(class);
            let half = room / 2;
            shelf.filled = (2 * shelf.filled).clamp(FIRST.min(half), half);
            if count > half {
                free.extend(shelf.numbers[half..count].iter().map(Cell::get));
                shelf.count.set(half);
                continue;
            }
            for place in shelf.numbers.iter().take(shelf.filled).skip(count) {
                let Some(number) = slab.take_record(class, &mut free) else {
                    break;
                };
                place.set(number);
                shelf.count.set(shelf.count.get() + 1);
            }
        }
    }
    /// Nobody has what it had.
    pub(crate) fn forget(&mut self) {
        self.of_readers.set(self.first_of_readers);
        self.shelves.iter().for_each(|shelf| shelf.count.set(0));
    }
}

impl Drop for RecordStock {
    fn drop(&mut self) {
        if let Some(pool) = &self.pool {
            for class in Class::ALL {
                let shelf = &self.shelves[class as usize];
                let numbers = &shelf.numbers[..shelf.count.get()];
                pool.lock(class).extend(numbers.iter().map(Cell::get));
            }
        }
    }
}

impl Slab {
    /// A record that is free, or a new one; `None` if there can be no more.
    fn take_record(&self, class: Class, free: &mut Vec<u32>) -> Option<u32> {
        if let Some(number) = free.pop() {
            return Some(number);
        }
        match class {
            Class::Small => {
                let unit = self.allocate(free.capacity());
                free.push(class.number(unit << 1 | 1));
                Some(class.number(unit << 1))
            }
            Class::Large => Some(class.number(self.allocate(free.capacity()) << 1)),
            Class::Huge => self.allocate_two().map(|unit| class.number(unit << 1)),
        }
    }
    /// The number of a word that gets a record; `None` if there can be no more of these.
    pub(crate) fn allocate_record(&self, class: Class) -> Option<u32> {
        self.take_record(class, &mut self.records.lock(class))
    }
    /// Gives back the record of a word that had this number.
    pub(crate) fn release_record(&self, number: u32) {
        if number & READERS != 0 {
            return;
        }
        self.records.lock(class_of(number)).push(number);
    }
}
