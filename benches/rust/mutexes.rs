// Threads count in tables behind sixteen of std's mutexes, and hand on boxes by one with a condition variable
// ARGS: 1000000
// QUICK: 250000
// SMOKE: 200
// THREADS: 2

use std::collections::VecDeque;
use std::sync::{Barrier, Condvar, Mutex};
use std::thread;

mod frame;

const TABLES: usize = 16;
/// Of so many rounds one hands on a box.
const HANDED: u64 = 16;

#[derive(Default)]
struct Shared {
    tables: [Mutex<[u64; 8]>; TABLES],
    boxes: Mutex<VecDeque<Box<u64>>>,
    more: Condvar,
}

fn work(me: u64, rounds: u64, shared: &Shared) -> u64 {
    let (mut state, mut taken) = (me + 1, 0);
    for round in 0..rounds {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let mut table = shared.tables[(state >> 33) as usize % TABLES].lock().unwrap();
        table[(state >> 40) as usize % 8] += 1;
        drop(table);
        if round % HANDED == 0 {
            shared.boxes.lock().unwrap().push_back(Box::new(1));
            shared.more.notify_one();
            let mut boxes = shared.boxes.lock().unwrap();
            while boxes.is_empty() {
                boxes = shared.more.wait(boxes).unwrap();
            }
            taken += boxes.pop_front().map_or(0, |one| *one);
        }
    }
    taken
}

fn main() {
    let (rounds, threads) = frame::arguments();
    let shared = Shared::default();
    let together = Barrier::new(threads as usize);
    let taken: u64 = thread::scope(|scope| {
        let (shared, together) = (&shared, &together);
        let all: Vec<_> = (0..threads)
            .map(|me| {
                scope.spawn(move || {
                    frame::meet(together, me);
                    work(me, rounds / threads, shared)
                })
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).sum()
    });
    let counted: u64 = shared
        .tables
        .iter()
        .map(|table| table.lock().unwrap().iter().sum::<u64>())
        .sum();
    println!("{counted} {taken}");
}
