// Two scoped threads write the same.
// REPORTS: 1
// EXPECT: Location: global `.*DATA
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::Barrier;
use std::thread;

static DATA: Shared<u32> = Shared::new(0);

fn main() {
    // The end of a thread and the start of another are ordered by a lock of the standard library's: both must be there.
    let both = Barrier::new(2);
    thread::scope(|scope| {
        for value in 0..2 {
            let both = &both;
            scope.spawn(move || {
                both.wait();
                DATA.set(value);
            });
        }
    });
}
