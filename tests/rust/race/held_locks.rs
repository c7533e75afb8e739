// Reports name the locks of the standard library that are held: a mutex, a rwlock for reading and for writing, one taken by
// `try_lock`, one that a condition variable has given back and taken again.
// REPORTS: 3
// EXPECT: Write of size 4 at .*main thread T0, holding held_locks::ONE:
// EXPECT: Earlier write of size 4 at .*thread T., holding held_locks::OTHER:
// EXPECT: help: the two accesses share no lock
// EXPECT: Write of size 4 at .*main thread T0, holding held_locks::LOCK \(for reading\):
// EXPECT: Earlier write of size 4 at .*thread T., holding held_locks::LOCK \(for reading\):
// EXPECT: help: both hold held_locks::LOCK for reading only
// EXPECT: Write of size 4 at .*main thread T0, holding no lock:
// EXPECT: Earlier write of size 4 at .*thread T., holding held_locks::LOCK and held_locks::WAITED:
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::{Condvar, Mutex, RwLock};
use std::thread;

static DATA: [Shared<u32>; 3] = [const { Shared::new(0) }; 3];
static ONE: Mutex<()> = Mutex::new(());
static OTHER: Mutex<()> = Mutex::new(());
static LOCK: RwLock<()> = RwLock::new(());
static WAITED: Mutex<bool> = Mutex::new(false);
static CONDITION: Condvar = Condvar::new();

/// An access with a position of its own.
macro_rules! write {
    ($cell:expr) => {
        // SAFETY: for the detector to judge.
        unsafe { *std::hint::black_box($cell.pointer()) = 1 }
    };
}

fn with_mutexes() {
    let thread = thread::spawn(|| {
        let _guard = OTHER.try_lock().unwrap();
        write!(DATA[0]);
    });
    let _guard = ONE.lock().unwrap();
    while !thread.is_finished() {
        thread::yield_now();
    }
    write!(DATA[0]);
}

fn with_readers() {
    let _guard = LOCK.read().unwrap();
    let thread = thread::spawn(|| {
        let _guard = LOCK.read().unwrap();
        write!(DATA[1]);
    });
    while !thread.is_finished() {
        thread::yield_now();
    }
    write!(DATA[1]);
}

fn with_a_condition() {
    let thread = thread::spawn(|| {
        let _write = LOCK.write().unwrap();
        let waited = WAITED.lock().unwrap();
        let _guard = CONDITION.wait_while(waited, |done| !*done).unwrap();
        write!(DATA[2]);
    });
    *WAITED.lock().unwrap() = true;
    while !thread.is_finished() {
        CONDITION.notify_one();
        thread::yield_now();
    }
    write!(DATA[2]);
}

fn main() {
    with_mutexes();
    with_readers();
    with_a_condition();
}
