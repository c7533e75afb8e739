// A flag that is raised with release and looked at relaxed: what is missing is said, in the program's own words.
// REPORTS: 1
// EXPECT: Ownership since T1.s write
// EXPECT: T1 released tx.ready +.*missing_acquire.rs:\d+
// EXPECT: T0 read (tx|rx|ch).ready relaxed +.*missing_acquire.rs:\d+
// EXPECT: help: T0 has read (tx|ch).ready relaxed, which orders nothing: read it with acquire
// REJECT: sync/atomic.rs
use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Channel {
    ready: AtomicBool,
    message: UnsafeCell<u64>,
}

// SAFETY: none; that is what this is about.
unsafe impl Sync for Channel {}

fn main() {
    let ch = Arc::new(Channel {
        ready: AtomicBool::new(false),
        message: UnsafeCell::new(0),
    });
    let tx = ch.clone();
    let thread = thread::spawn(move || {
        // SAFETY: the reader waits for the flag.
        unsafe { *tx.message.get() = 42 };
        tx.ready.store(true, Ordering::Release);
        // Its count of owners would be one more thing that orders.
        std::mem::forget(tx);
    });
    while !ch.ready.load(Ordering::Relaxed) {
        thread::yield_now();
    }
    // SAFETY: none.
    println!("{}", unsafe { *ch.message.get() });
    thread.join().unwrap();
}
