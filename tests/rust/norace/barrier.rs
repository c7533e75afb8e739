// What is written before a barrier is read behind it, round by round.
// RUNS: 5
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::Barrier;
use std::thread;

static DATA: [Shared<u32>; 3] = [const { Shared::new(0) }; 3];

fn main() {
    let barrier = Barrier::new(3);
    thread::scope(|scope| {
        for own in &DATA {
            let barrier = &barrier;
            scope.spawn(move || {
                for round in 1..100 {
                    own.set(own.get() + 1);
                    barrier.wait();
                    assert!(DATA.iter().all(|data| data.get() == round));
                    barrier.wait();
                }
            });
        }
    });
}
