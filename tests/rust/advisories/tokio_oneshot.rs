// RUSTSEC-2021-0124: a oneshot receiver that was closed may still look for a value, while the sender puts one there and, as the
// channel is closed, takes it out again.
// CRATE: tokio
// VULNERABLE: =1.13.0
// FIXED: =1.13.1
// FEATURES: sync
// EXPECT: data race
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tokio::sync::oneshot;

fn main() {
    let (sender, mut receiver) = oneshot::channel::<Box<u64>>();
    receiver.close();
    let sent = AtomicBool::new(false);
    thread::scope(|scope| {
        // Dropped here, the handle of a thread that has ended would order all that the thread did.
        let _handle = scope.spawn(|| {
            assert!(sender.send(Box::new(1)).is_err());
            // Orders nothing.
            sent.store(true, Ordering::Relaxed);
        });
        while !sent.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        assert!(receiver.try_recv().is_err());
    });
}
