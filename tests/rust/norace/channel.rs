// Channels without bound, with a bound, without room; several senders; ends that are dropped; time limits.
// RUNS: 5
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

fn boxed(value: u32) -> Box<Shared<u32>> {
    let made = Box::new(Shared::new(0));
    made.set(value);
    made
}

fn sum(receiver: Receiver<Box<Shared<u32>>>) -> u32 {
    let mut sum = 0;
    while let Ok(value) = receiver.recv_timeout(Duration::from_secs(20)) {
        sum += value.get();
        value.set(0);
    }
    sum
}

fn main() {
    let (sender, receiver) = mpsc::channel();
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let sender = sender.clone();
            thread::spawn(move || (0..100).for_each(|value| sender.send(boxed(value)).unwrap()))
        })
        .collect();
    drop(sender);
    assert_eq!(sum(receiver), 3 * 4950);
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());

    for room in [0, 1, 5] {
        let (sender, receiver) = mpsc::sync_channel(room);
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let sender = sender.clone();
                thread::spawn(move || (0..100).for_each(|value| sender.send(boxed(value)).unwrap()))
            })
            .collect();
        drop(sender);
        assert_eq!(sum(receiver), 2 * 4950);
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
    }

    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || {
        let mut sent = 0;
        while sender.send(boxed(sent)).is_ok() {
            sent += 1;
            thread::yield_now();
        }
    });
    for _ in 0..50 {
        receiver.recv().unwrap();
    }
    drop(receiver);
    thread.join().unwrap();
}
