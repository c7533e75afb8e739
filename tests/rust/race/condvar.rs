// The producer writes after it has given the signal and let go of the lock.
// REPORTS: 1
// EXPECT: Location: global `.*DATA
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::{Condvar, Mutex};
use std::thread;

static DATA: Shared<u32> = Shared::new(0);
static READY: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

fn main() {
    let thread = thread::spawn(|| {
        *READY.lock().unwrap() = true;
        CHANGED.notify_one();
        DATA.set(1);
    });
    drop(CHANGED.wait_while(READY.lock().unwrap(), |ready| !*ready));
    std::hint::black_box(DATA.get());
    thread.join().unwrap();
}
