//! What the workloads have in common: their arguments, and the race of the builds that are to be seen racing.

use std::sync::Barrier;

static mut LAST: u64 = 0;

/// How much there is to do, and the number of threads.
pub fn arguments() -> (u64, u64) {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|word| word.parse().expect("a number"));
    let mut next = || numbers.next().expect("two arguments");
    (next(), next())
}

/// Where all threads meet. They race behind it, if that is what the program was built for.
pub fn meet(together: &Barrier, me: u64) {
    together.wait();
    if cfg!(feature = "seed_race") {
        // SAFETY: none: this is the race.
        unsafe { *std::hint::black_box(&raw mut LAST) = me }
    }
}
