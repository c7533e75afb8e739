// Flags: by release and acquire, and by fences around relaxed ones.
// RUNS: 5
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::atomic::{AtomicU32, Ordering::*, fence};
use std::thread;

static DATA: Shared<u32> = Shared::new(0);
static TURN: AtomicU32 = AtomicU32::new(0);

fn wait_for(turn: u32, fenced: bool) {
    while TURN.load(if fenced { Relaxed } else { Acquire }) != turn {
        thread::yield_now();
    }
    if fenced {
        fence(Acquire);
    }
}

fn pass_to(turn: u32, fenced: bool) {
    if fenced {
        fence(Release);
    }
    TURN.store(turn, if fenced { Relaxed } else { Release });
}

fn main() {
    let thread = thread::spawn(|| {
        for turn in (1..200).step_by(2) {
            wait_for(turn, turn % 4 == 1);
            DATA.set(DATA.get() + 1);
            pass_to(turn + 1, turn % 4 == 1);
        }
    });
    for turn in (0..200).step_by(2) {
        wait_for(turn, turn % 4 == 2);
        DATA.set(DATA.get() + 1);
        pass_to(turn + 1, turn % 4 == 0);
    }
    thread.join().unwrap();
    assert_eq!(DATA.get(), 200);
}
