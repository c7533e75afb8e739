// RUSTSEC-2020-0072: the guard of a mutex is `Sync`, whatever the mutex guards.
// CRATE: futures-intrusive
// VULNERABLE: =0.3.1
// FIXED: =0.4.0
// FIXED-IS: refused
// EXPECT: data race
use std::cell::Cell;
use std::sync::Barrier;
use std::thread;

use futures_intrusive::sync::Mutex;

fn main() {
    let lock = Mutex::new(Cell::new(0u64), true);
    let guard = lock.try_lock().unwrap();
    let both = Barrier::new(2);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                both.wait();
                guard.set(guard.get() + 1);
            });
        }
    });
}
