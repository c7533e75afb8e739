// Functions that are compiled to the same instructions keep their names: the one that never ran is not in a report.
// REPORTS: 1
// EXPECT: same_code::withdraw::\{closure#0\}
// REJECT: deposit
use std::cell::UnsafeCell;
use std::thread;

struct Shared(UnsafeCell<usize>);
// SAFETY: none, which is what is tested.
unsafe impl Sync for Shared {}
static BALANCE: Shared = Shared(UnsafeCell::new(0));

fn deposit() {
    let other = thread::spawn(|| unsafe { *BALANCE.0.get() += 1 });
    unsafe { *BALANCE.0.get() += 7 };
    other.join().unwrap();
}

fn withdraw() {
    let other = thread::spawn(|| unsafe { *BALANCE.0.get() += 1 });
    unsafe { *BALANCE.0.get() -= 9 };
    other.join().unwrap();
}

fn main() {
    let which: fn() = if std::env::args().count() > 5 { deposit } else { withdraw };
    which();
}
