//! A race between Rust and C++, of the kind that the argument names.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static mut IN_RUST: u64 = 0;

#[inline(never)]
fn bump_in_rust() {
    // SAFETY: none; that is what this is about.
    unsafe { *std::hint::black_box(&raw mut IN_RUST) += 1 }
}

fn main() {
    let kind = std::env::args().nth(1).expect("an argument");
    match kind.as_str() {
        // C++'s memory, C++'s mutex in one thread only.
        "in-cpp" => {
            let both = Barrier::new(2);
            thread::scope(|scope| {
                let _thread = scope.spawn(|| {
                    both.wait();
                    mixed::count_guarded();
                });
                both.wait();
                mixed::count_unguarded();
            });
        }
        // Rust's memory, from threads of C++'s.
        "callback" => mixed::from_threads(2, 1, &bump_in_rust),
        // A flag that does not release.
        "flag" => {
            let flag = AtomicBool::new(false);
            thread::scope(|scope| {
                // Kept: to drop it after the thread's end orders what the thread did.
                let _thread = scope.spawn(|| mixed::send(&flag, false));
                while !flag.load(Ordering::Acquire) {
                    thread::yield_now();
                }
                mixed::received();
            });
        }
        // Rust writes, C++ deletes.
        "deleted" => {
            let number = mixed::make_number() as usize;
            let done = AtomicBool::new(false);
            thread::scope(|scope| {
                let _thread = scope.spawn(|| {
                    // SAFETY: none; that is what this is about.
                    unsafe { *(number as *mut u64) = 8 }
                    done.store(true, Ordering::Relaxed);
                });
                while !done.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
                // SAFETY: C++ has made it.
                unsafe { mixed::delete_number(number as *mut u64) }
            });
        }
        other => panic!("no race is called {other}"),
    }
}
