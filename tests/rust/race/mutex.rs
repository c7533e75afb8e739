// The data is guarded by a mutex in one thread, and by another mutex in the other.
// REPORTS: 1
// EXPECT: Location: global `.*DATA`
// EXPECT: #0 .*Shared<u32>::set
// EXPECT: #1 mutex::second
// EXPECT: #1 mutex::main
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::Mutex;
use std::thread;

static DATA: Shared<u32> = Shared::new(0);
static ONE: Mutex<()> = Mutex::new(());
static OTHER: Mutex<()> = Mutex::new(());

#[inline(never)]
fn second() {
    let _guard = OTHER.lock().unwrap();
    DATA.set(2);
}

fn main() {
    let thread = thread::spawn(second);
    {
        let _guard = ONE.lock().unwrap();
        DATA.set(1);
    }
    thread.join().unwrap();
}
