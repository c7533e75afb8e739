// The lock that printing takes is not advised for the program's variables.
// REPORTS: 1
// EXPECT: holding std::io::stdio::STDOUT
// EXPECT: help: guard both accesses with one lock
// REJECT: help: .*STDOUT
use std::thread;

static mut COUNTER: u64 = 0;

fn main() {
    let thread = thread::spawn(|| {
        // SAFETY: none; that is what this is about.
        unsafe { *std::hint::black_box(&raw mut COUNTER) = 1 }
    });
    while !thread.is_finished() {
        thread::yield_now();
    }
    // SAFETY: as above. It is read while it is printed.
    println!("{}", unsafe { &*std::hint::black_box(&raw const COUNTER) });
    thread.join().unwrap();
}
