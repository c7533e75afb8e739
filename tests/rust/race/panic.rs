// While a thread unwinds, what it drops writes; nobody has joined it yet.
// REPORTS: 1
// EXPECT: Location: global `.*DATA
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::thread;

static DATA: Shared<u32> = Shared::new(0);

struct Writes;

impl Drop for Writes {
    fn drop(&mut self) {
        DATA.set(1);
    }
}

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let thread = thread::spawn(|| {
        let _writes = Writes;
        panic!("on purpose");
    });
    std::hint::black_box(DATA.get());
    assert!(thread.join().is_err());
}
