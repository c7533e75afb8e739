// `unpark` happens before the `park` that it ends; relaxed flags say which.
// RUNS: 5
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

static DATA: Shared<u32> = Shared::new(0);
static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    for timed in [false, true] {
        READY.store(false, Relaxed);
        let thread = thread::spawn(move || {
            while !READY.load(Relaxed) {
                if timed {
                    thread::park_timeout(Duration::from_secs(20));
                } else {
                    thread::park();
                }
            }
            // The flag may be seen before the token is taken, which orders nothing; the token is there then.
            thread::park();
            DATA.get()
        });
        DATA.set(5);
        READY.store(true, Relaxed);
        thread.thread().unpark();
        // For the one that has used its token up.
        while !thread.is_finished() {
            thread.thread().unpark();
            thread::yield_now();
        }
        assert_eq!(thread.join().unwrap(), 5);
    }
}
