// The count of an `Arc` is read without an order: that it is 1 says nothing of what the other owner did.
// REPORTS: 1
// EXPECT: Location: .* of a 24-byte block allocated by T0
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::Arc;
use std::thread;

fn main() {
    let one = Arc::new(Shared::new(0));
    let other = one.clone();
    let thread = thread::spawn(move || {
        other.set(1);
        drop(other);
    });
    while Arc::strong_count(&one) > 1 {
        thread::yield_now();
    }
    std::hint::black_box(one.get());
    thread.join().unwrap();
}
