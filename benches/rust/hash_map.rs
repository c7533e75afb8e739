// Threads count words in std's hash maps: one for each of 16 shards behind a read-write lock, read four times as often as written
// ARGS: 4000000
// QUICK: 1000000
// SMOKE: 200
// THREADS: 2

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::sync::{Barrier, RwLock};
use std::thread;

mod frame;

/// One that gives the same every time.
type Map = HashMap<u64, u64, BuildHasherDefault<DefaultHasher>>;

const SHARDS: u64 = 16;
const KEYS: u64 = 50_000;

fn work(me: u64, rounds: u64, shards: &[RwLock<Map>]) -> u64 {
    let mut state = me + 1;
    let mut found = 0;
    for round in 0..rounds {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let key = (state >> 33) % KEYS;
        let shard = &shards[(key % SHARDS) as usize];
        if round % 5 == 0 {
            *shard.write().unwrap().entry(key).or_default() += 1;
        } else {
            found += u64::from(shard.read().unwrap().contains_key(&key));
        }
    }
    found
}

fn main() {
    let (rounds, threads) = frame::arguments();
    let shards: Vec<RwLock<Map>> = (0..SHARDS).map(|_| RwLock::default()).collect();
    let together = Barrier::new(threads as usize);
    let found = thread::scope(|scope| {
        let (shards, together) = (&shards, &together);
        let all: Vec<_> = (0..threads)
            .map(|me| {
                scope.spawn(move || {
                    frame::meet(together, me);
                    work(me, rounds / threads, shards)
                })
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).sum::<u64>()
    });
    // What is found depends on who was first; what was counted does not.
    assert!(found <= rounds);
    let counted: u64 = shards
        .iter()
        .map(|shard| shard.read().unwrap().values().sum::<u64>())
        .sum();
    println!("{counted}");
}
