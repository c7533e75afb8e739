//! Which sync objects a thread has used lately: the next use of one of these costs two loads.
//!
//! A thread has few places for that in its static storage, which is small where it belongs to a library. One that goes round among more objects (a lock
//! for each account, or bucket) gets a table, as to look for an object in that of all threads takes a lock and a search.

use super::Kind;
use core::cell::Cell;
use std::sync::Mutex;

/// Address and kind of an object, and for how long that holds ([`super::is_new`]), at a hash of the address. Zeroes are none.
type Place = Cell<(u64, u64)>;

/// Places of every thread, and of a table.
const FEW: usize = 64;
const MANY: usize = 2048;
/// Objects that have not been found, after which a thread gets a table.
const PATIENCE: u32 = 512;

type Table = Box<[Place; MANY]>;

struct Recent {
    few: [Place; FEW],
    /// A leaked [`Table`]; null if it has none.
    many: Cell<*const Place>,
    missed: Cell<u32>,
}

thread_local! {
    static RECENT: Recent = const {
        Recent {
            few: [const { Cell::new((0, 0)) }; FEW],
            many: Cell::new(core::ptr::null()),
            missed: Cell::new(0),
        }
    };
}

/// Those of threads that have ended. Locked inside the runtime only.
static UNUSED: Mutex<Vec<Table>> = Mutex::new(Vec::new());

impl Recent {
    #[inline(always)]
    fn place(&self, address: u64) -> &Place {
        // Objects are next to each other, in structures of any size.
        let hash = (address >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let many = self.many.get();
        if many.is_null() {
            return &self.few[hash as usize % FEW];
        }
        // SAFETY: a table of so many, which is the thread's until its end.
        unsafe { &*many.add(hash as usize % MANY) }
    }
}

/// Notes the use of an object; whether the thread does not remember one with that validity. A signal handler that comes in between makes it a new one at worst.
#[inline(always)]
pub(super) fn is_new(address: u64, kind: Kind, validity: u64) -> bool {
    let used = (address << 8 | kind as u64, validity);
    RECENT.with(|recent| recent.place(address).replace(used) != used)
}

/// An object has not been found. By a thread that is inside the runtime.
pub(super) fn missed() {
    RECENT.with(|recent| {
        let missed = recent.missed.get();
        recent.missed.set(missed.saturating_add(1));
        if missed == PATIENCE {
            let table = lock().pop().unwrap_or_else(empty);
            recent.many.set(Box::into_raw(table).cast());
        }
    });
}

/// The thread ends. By a thread that is inside the runtime.
pub fn end() {
    RECENT.with(|recent| {
        recent.missed.set(0);
        let many = recent.many.replace(core::ptr::null());
        if !many.is_null() {
            // SAFETY: leaked by `missed`, and nobody else's.
            let table: Table = unsafe { Box::from_raw(many.cast_mut().cast()) };
            table.iter().for_each(|place| place.set((0, 0)));
            lock().push(table);
        }
    });
}

fn empty() -> Table {
    // SAFETY: zeroes are none.
    unsafe { Box::new_zeroed().assume_init() }
}

fn lock() -> std::sync::MutexGuard<'static, Vec<Table>> {
    UNUSED
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More objects than there are places: a thread that uses them in turns finds most of them once it has a table, and none after its end.
    #[test]
    fn who_uses_many_objects_remembers_them() {
        let round = || {
            let objects = (0..1000u64).map(|number| 0x7f00_0000_1000 + 40 * number);
            let new = objects.filter(|&object| is_new(object, Kind::Mutex, 3));
            new.inspect(|_| missed()).count()
        };
        assert_eq!(round(), 1000);
        assert!(RECENT.with(|recent| !recent.many.get().is_null()));
        round();
        let later = round();
        assert!(later < 400, "{later} are new");
        let object = 0x7f00_0000_1000;
        is_new(object, Kind::Mutex, 3);
        assert!(!is_new(object, Kind::Mutex, 3));
        assert!(is_new(object, Kind::Rwlock, 3));
        assert!(is_new(object, Kind::Rwlock, 5));
        end();
        assert_eq!(round(), 1000);
        end();
    }
}
