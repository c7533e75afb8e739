// rayon: numbers are made, sorted and summed up by words in a pool of threads
// ARGS: 4000000
// QUICK: 1000000
// SMOKE: 500
// THREADS: 2

use rayon::prelude::*;
use std::ffi::{CStr, c_char};
use std::sync::Barrier;

mod frame;

/// The deque of rayon's threads reads slots that may be written meanwhile, and throws away what it has read.
#[unsafe(no_mangle)]
pub extern "C" fn __tsan_default_suppressions() -> *const c_char {
    const TEXT: &CStr = c"race:crossbeam_deque\n";
    TEXT.as_ptr()
}

fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d049bb133111eb);
    number ^ number >> 31
}

fn main() {
    let (length, threads) = frame::arguments();
    let threads = threads as usize;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    let sum = pool.install(|| {
        let mut numbers: Vec<u64> = (0..length).into_par_iter().map(mixed).collect();
        numbers.par_sort_unstable();
        let buckets = numbers
            .par_chunks(1000)
            .fold(
                || [0u64; 64],
                |mut buckets, chunk| {
                    chunk
                        .iter()
                        .for_each(|number| buckets[(number >> 58) as usize] += number & 0xff);
                    buckets
                },
            )
            .reduce(
                || [0u64; 64],
                |mut one, other| {
                    one.iter_mut()
                        .zip(other)
                        .for_each(|(one, other)| *one += other);
                    one
                },
            );
        numbers
            .par_iter()
            .zip(numbers.par_iter().skip(1))
            .for_each(|(one, next)| assert!(one <= next));
        buckets.iter().sum::<u64>()
    });
    if cfg!(feature = "seed_race") {
        let together = Barrier::new(threads);
        pool.broadcast(|context| frame::meet(&together, context.index() as u64));
    }
    println!("{sum}");
}
