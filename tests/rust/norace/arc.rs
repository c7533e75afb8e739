// The last owner of an `Arc` frees what others wrote: ordered by a release and a fence in the standard library.
// RUNS: 10
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::{Arc, Weak};
use std::thread;

struct Reads(Shared<u64>);

impl Drop for Reads {
    fn drop(&mut self) {
        assert_eq!(self.0.get(), 7);
    }
}

fn last_owner_drops() {
    let shared = Arc::new(Reads(Shared::new(0)));
    let other = shared.clone();
    let writer = thread::spawn(move || other.0.set(7));
    drop(shared);
    writer.join().unwrap();
}

fn alone_again() {
    let mut one = Arc::new(Shared::new(0));
    let other = one.clone();
    let thread = thread::spawn(move || other.set(1));
    let value = loop {
        if let Some(value) = Arc::get_mut(&mut one) {
            break value;
        }
        thread::yield_now();
    };
    assert_eq!(value.get(), 1);
    value.set(2);
    assert_eq!(Arc::try_unwrap(one).ok().unwrap().get(), 2);
    thread.join().unwrap();
}

fn weak() {
    let one = Arc::new(Reads(Shared::new(7)));
    let seen: Vec<Weak<Reads>> = (0..3).map(|_| Arc::downgrade(&one)).collect();
    let threads: Vec<_> = seen
        .into_iter()
        .map(|weak| thread::spawn(move || weak.upgrade().map_or(7, |strong| strong.0.get())))
        .collect();
    drop(one);
    for thread in threads {
        assert_eq!(thread.join().unwrap(), 7);
    }
}

fn main() {
    for _ in 0..30 {
        last_owner_drops();
        alone_again();
        weak();
    }
}
