// A queue with a condition variable, waited for with and without a time limit.
// RUNS: 5
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

static DATA: [Shared<u32>; 64] = [const { Shared::new(0) }; 64];
static FILLED: Mutex<usize> = Mutex::new(0);
static CHANGED: Condvar = Condvar::new();

fn consume(timed: bool) -> u32 {
    let mut sum = 0;
    for (index, data) in DATA.iter().enumerate() {
        let mut filled = FILLED.lock().unwrap();
        while *filled <= index {
            filled = if timed {
                CHANGED
                    .wait_timeout(filled, Duration::from_millis(1))
                    .unwrap()
                    .0
            } else {
                CHANGED.wait(filled).unwrap()
            };
        }
        drop(filled);
        sum += data.get();
    }
    sum
}

fn main() {
    let consumers = [false, true, false].map(|timed| thread::spawn(move || consume(timed)));
    for (index, data) in DATA.iter().enumerate() {
        data.set(index as u32);
        *FILLED.lock().unwrap() = index + 1;
        CHANGED.notify_all();
    }
    for consumer in consumers {
        assert_eq!(consumer.join().unwrap(), 64 * 63 / 2);
    }
}
