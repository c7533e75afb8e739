// RUSTSEC-2022-0006: `ThreadLocal::iter` follows pointers to later blocks of values without acquiring what was written to the blocks.
// CRATE: thread_local
// VULNERABLE: =1.1.3
// FIXED: =1.1.4
// EXPECT: data race
// EXPECT: thread_local
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use thread_local::ThreadLocal;

fn main() {
    let values: ThreadLocal<u64> = ThreadLocal::new();
    let others: ThreadLocal<u64> = ThreadLocal::new();
    let (start, end) = (Barrier::new(7), Barrier::new(7));
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        // Threads are numbered as they come, and the values of the first four are in the first blocks, which are there at once.
        for _ in 0..5 {
            scope.spawn(|| {
                others.get_or(|| 0);
                start.wait();
                end.wait();
            });
        }
        scope.spawn(|| {
            start.wait();
            values.get_or(|| 1);
            // Orders nothing.
            done.store(true, Ordering::Relaxed);
            end.wait();
        });
        start.wait();
        while !done.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        assert!(values.iter().count() <= 1);
        end.wait();
    });
}
