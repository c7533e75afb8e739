// The end of a scope joins its threads, also those that nobody joins by name; threads of threads.
// RUNS: 10
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::thread;

fn main() {
    let data: Vec<Shared<u32>> = (0..8).map(|_| Shared::new(0)).collect();
    for round in 1..20 {
        thread::scope(|scope| {
            for pair in data.chunks(2) {
                scope.spawn(move || {
                    pair[0].set(pair[0].get() + 1);
                    scope.spawn(move || pair[1].set(pair[0].get()));
                });
            }
        });
        assert!(data.iter().all(|data| data.get() == round));
    }
}
