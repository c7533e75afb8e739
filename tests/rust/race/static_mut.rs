// `static mut` from two threads.
// REPORTS: 1
// EXPECT: Location: global `static_mut::COUNTER` of size 8
// EXPECT: Write of size 8
use std::thread;

static mut COUNTER: u64 = 0;

#[inline(never)]
fn bump() {
    // SAFETY: none; that is what this is about.
    unsafe {
        let counter = std::hint::black_box(&raw mut COUNTER);
        *counter = 1;
    }
}

fn main() {
    let thread = thread::spawn(bump);
    bump();
    thread.join().unwrap();
}
