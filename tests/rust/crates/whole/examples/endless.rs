//! Races unless it is to be silent, and goes on until somebody ends it.

static mut IN_ENDLESS: u64 = 0;

fn main() {
    if std::env::args().len() == 1 {
        // SAFETY: none.
        whole::both(|| unsafe { *std::hint::black_box(&raw mut IN_ENDLESS) = 1 });
    }
    println!("going on");
    loop {
        std::thread::park();
    }
}
