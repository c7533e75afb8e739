// Functions of libm of which nothing but interceptors are the linker's: it is linked all the same.
// RUNS: 1
use std::hint::black_box;
use std::thread;

fn main() {
    let thread = thread::spawn(|| {
        let (sine, cosine) = black_box(0.5f64).sin_cos();
        sine * sine + cosine * cosine
    });
    assert!((thread.join().unwrap() - 1.0).abs() < 1e-9);
}
