// RUSTSEC-2025-0023: receivers of a broadcast clone the value at the same time, though it need not be `Sync`.
// CRATE: tokio
// VULNERABLE: =1.44.1
// FIXED: =1.44.2
// FEATURES: sync
// EXPECT: data race
use std::cell::Cell;
use std::sync::Barrier;
use std::thread;

use tokio::sync::broadcast;

/// `Send`, not `Sync`: it counts its clones.
struct Counted(Cell<u64>);

impl Clone for Counted {
    fn clone(&self) -> Counted {
        let clones = self.0.get();
        // Readers of a lock that come one after the other are ordered by its atomics; those that have it together are not.
        thread::yield_now();
        self.0.set(clones + 1);
        Counted(Cell::new(0))
    }
}

fn main() {
    let (sender, _) = broadcast::channel(16);
    let both = Barrier::new(2);
    thread::scope(|scope| {
        for _ in 0..2 {
            let mut receiver = sender.subscribe();
            let both = &both;
            scope.spawn(move || {
                both.wait();
                for _ in 0..500 {
                    let _ = receiver.try_recv();
                    thread::yield_now();
                }
            });
        }
        for _ in 0..500 {
            let _ = sender.send(Counted(Cell::new(0)));
            thread::yield_now();
        }
    });
}
