//! Rust and C++ order each other's accesses, by what either of them has for it.

use std::cell::UnsafeCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Shared(UnsafeCell<u64>);
// SAFETY: C++'s mutex guards it, or the end of C++'s threads does.
unsafe impl Sync for Shared {}

impl Shared {
    fn bump(&self) {
        // SAFETY: as above.
        unsafe { *self.0.get() += 1 }
    }
}

fn main() {
    // C++'s mutex, taken in threads of both.
    thread::scope(|scope| {
        scope.spawn(|| (0..100).for_each(|_| mixed::count_guarded()));
        mixed::from_threads(2, 100, &|| mixed::count_guarded());
    });
    assert_eq!(mixed::counted(), 300);

    // Rust's mutex, taken in threads of C++'s.
    let total = Mutex::new(0);
    mixed::from_threads(3, 100, &|| *total.lock().unwrap() += 1);
    assert_eq!(total.into_inner().unwrap(), 300);

    // C++'s mutex guards what is Rust's, and C++'s join orders what comes after.
    let shared = Shared(UnsafeCell::new(0));
    mixed::from_threads_guarded(3, 100, &|| shared.bump());
    shared.bump();
    assert_eq!(shared.0.into_inner(), 301);

    // A flag of Rust's that C++ raises.
    let flag = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| mixed::send(&flag, true));
        while !flag.load(Ordering::Acquire) {
            thread::yield_now();
        }
        assert_eq!(mixed::received(), 42);
    });

    // Made in C++, given from one of Rust's threads to another, deleted in C++.
    let number = mixed::make_number() as usize;
    let thread = thread::spawn(move || {
        // SAFETY: C++ has made it, and nobody else has it.
        unsafe {
            *(number as *mut u64) += 1;
            mixed::delete_number(number as *mut u64);
        }
    });
    thread.join().unwrap();
    println!("silent");
}
