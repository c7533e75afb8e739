// A flag that is relaxed on both sides publishes nothing.
// REPORTS: 1
// EXPECT: Location: global `.*DATA
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

static DATA: Shared<u32> = Shared::new(0);
static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    let thread = thread::spawn(|| {
        DATA.set(1);
        READY.store(true, Relaxed);
    });
    while !READY.load(Relaxed) {
        thread::yield_now();
    }
    std::hint::black_box(DATA.get());
    thread.join().unwrap();
}
