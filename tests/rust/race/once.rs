// What `Once` has made is read without asking it.
// REPORTS: 1
// EXPECT: Location: global `.*DATA
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::Once;
use std::thread;

static DATA: Shared<u32> = Shared::new(0);
static ONCE: Once = Once::new();

fn main() {
    let thread = thread::spawn(|| ONCE.call_once(|| DATA.set(1)));
    std::hint::black_box(DATA.get());
    thread.join().unwrap();
}
