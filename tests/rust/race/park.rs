// The parked thread is let go before the data is there.
// REPORTS: 1
// EXPECT: Location: global `.*DATA
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::thread;

static DATA: Shared<u32> = Shared::new(0);

fn main() {
    let thread = thread::spawn(|| {
        thread::park();
        DATA.get()
    });
    thread.thread().unpark();
    DATA.set(1);
    std::hint::black_box(thread.join().unwrap());
}
