// RUSTSEC-2019-0013: `RwLock` gives a write lock back, and takes one, by relaxed operations, which order nothing.
// CRATE: spin
// VULNERABLE: =0.5.1
// FIXED: =0.5.2
// EXPECT: data race
use std::sync::Barrier;
use std::thread;

static COUNTER: spin::RwLock<u64> = spin::RwLock::new(0);

fn main() {
    // Else a thread might end before the other one starts, and be ordered by that.
    let both = Barrier::new(2);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                both.wait();
                for _ in 0..1000 {
                    *COUNTER.write() += 1;
                }
            });
        }
    });
    assert!(*COUNTER.read() <= 2000);
}
