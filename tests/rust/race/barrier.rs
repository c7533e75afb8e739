// A thread reads before the barrier what another writes before it.
// REPORTS: 1
// EXPECT: Location: global `.*DATA
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::Barrier;
use std::thread;

static DATA: Shared<u32> = Shared::new(0);

fn main() {
    let barrier = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            DATA.set(1);
            barrier.wait();
        });
        std::hint::black_box(DATA.get());
        barrier.wait();
    });
}
