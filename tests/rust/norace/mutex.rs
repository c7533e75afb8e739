// A mutex that threads wait for: its futex is the standard library's, which is instrumented.
// RUNS: 5
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::Mutex;
use std::thread;

static DATA: Shared<u64> = Shared::new(0);
static LOCK: Mutex<()> = Mutex::new(());

fn main() {
    let threads: Vec<_> = (0..4)
        .map(|_| {
            thread::spawn(|| {
                for _ in 0..2000 {
                    let _guard = LOCK.lock().unwrap();
                    DATA.set(DATA.get() + 1);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(DATA.get(), 8000);
}
