// Several threads want `Once`, `OnceLock` and `LazyLock` at the same time; one makes, all read.
// RUNS: 10
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::{LazyLock, Once, OnceLock};
use std::thread;

static DATA: Shared<u32> = Shared::new(0);
static ONCE: Once = Once::new();
static CELL: OnceLock<Box<Shared<u32>>> = OnceLock::new();
static LAZY: LazyLock<Vec<Shared<u32>>> = LazyLock::new(|| {
    thread::yield_now();
    vec![Shared::new(3)]
});

fn main() {
    let threads: Vec<_> = (0..4)
        .map(|_| {
            thread::spawn(|| {
                ONCE.call_once(|| DATA.set(1));
                let cell = CELL.get_or_init(|| {
                    let made = Box::new(Shared::new(0));
                    made.set(2);
                    made
                });
                DATA.get() + cell.get() + LAZY[0].get()
            })
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), 6);
    }
}
