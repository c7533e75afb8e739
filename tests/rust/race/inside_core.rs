// The reading access is one of the standard library's own compiled code.
// REPORTS: 1
// EXPECT: Location: global `.*DATA
// EXPECT: Read of size 8|Earlier read of size 8
// EXPECT: <u64 as Display>::fmt .*core.src.fmt.num.rs
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::thread;

static DATA: Shared<u64> = Shared::new(7);

fn main() {
    let thread = thread::spawn(|| DATA.set(1));
    // SAFETY: none; a reference that somebody writes through.
    let data: &u64 = unsafe { &*DATA.pointer() };
    let shown: &dyn std::fmt::Display = std::hint::black_box(data);
    std::hint::black_box(shown.to_string());
    thread.join().unwrap();
}
