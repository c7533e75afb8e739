//! A benchmark with a harness of its own, as on stable toolchains: it gets `--bench` and measures nothing.

static mut IN_BENCHMARK: u64 = 0;

fn main() {
    assert!(std::env::args().any(|argument| argument == "--bench"));
    if std::env::args().any(|argument| argument == "racy") {
        // SAFETY: none.
        whole::both(|| unsafe { *std::hint::black_box(&raw mut IN_BENCHMARK) = 1 });
    }
    println!("{} measured", shared::count(2));
}
