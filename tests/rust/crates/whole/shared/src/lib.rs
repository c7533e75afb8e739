//! What build script, procedural macro and program all depend on.

use std::sync::Mutex;
use std::thread;

/// Counts to `threads`, a step by each thread.
pub fn count(threads: u32) -> u32 {
    let count = Mutex::new(0);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| *count.lock().unwrap() += 1);
        }
    });
    count.into_inner().unwrap()
}
