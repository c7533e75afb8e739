// A thread-local's destructor reads what another thread writes at the same time.
// REPORTS: 1
// EXPECT: Location: global `.*DATA
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::thread;

static DATA: Shared<u32> = Shared::new(0);

struct Reads;

impl Drop for Reads {
    fn drop(&mut self) {
        std::hint::black_box(DATA.get());
    }
}

thread_local!(static OWN: Reads = const { Reads });

fn main() {
    let thread = thread::spawn(|| OWN.with(|_| ()));
    DATA.set(1);
    thread.join().unwrap();
}
