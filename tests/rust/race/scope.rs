// Two scoped threads write the same. One may end before the other starts: the standard library's table of threads, which both
// enter and leave under its lock, orders nothing of the program's.
// RUNS: 10
// REPORTS: 1
// EXPECT: Location: global `.*DATA
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::thread;
use std::time::Duration;

static DATA: Shared<u32> = Shared::new(0);

fn main() {
    thread::scope(|scope| {
        // Kept: to drop the handle of a thread that has ended is to be the last owner of what it leaves, which is an order.
        let _one = scope.spawn(|| DATA.set(1));
        thread::sleep(Duration::from_millis(20));
        scope.spawn(|| DATA.set(2));
    });
}
