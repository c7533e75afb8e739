static mut IN_PROGRAM: u64 = 0;

fn main() {
    let racy = std::env::args().any(|argument| argument == "racy");
    if racy {
        // SAFETY: none.
        whole::both(|| unsafe { *std::hint::black_box(&raw mut IN_PROGRAM) = 1 });
    }
    println!("{} {}", whole::counted(), cfg!(feature = "loud"));
}
