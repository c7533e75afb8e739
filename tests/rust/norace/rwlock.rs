// Readers and writers that wait for each other.
// RUNS: 5
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::RwLock;
use std::thread;

static DATA: Shared<u32> = Shared::new(0);
static LOCK: RwLock<()> = RwLock::new(());

fn main() {
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..500 {
                    let _guard = LOCK.write().unwrap();
                    DATA.set(DATA.get() + 1);
                }
            });
            scope.spawn(|| {
                let mut last = 0;
                for _ in 0..500 {
                    let _guard = LOCK.read().unwrap();
                    assert!(DATA.get() >= last);
                    last = DATA.get();
                }
            });
        }
    });
    assert_eq!(DATA.get(), 1000);
}
