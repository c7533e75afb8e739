// Two threads write while both hold the lock for reading.
// REPORTS: 1
// EXPECT: Location: global `.*DATA
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::{Barrier, RwLock};
use std::thread;

static DATA: Shared<u32> = Shared::new(0);
static LOCK: RwLock<()> = RwLock::new(());

fn main() {
    let both = Barrier::new(2);
    thread::scope(|scope| {
        for value in 0..2 {
            let both = &both;
            scope.spawn(move || {
                let _guard = LOCK.read().unwrap();
                both.wait();
                DATA.set(value);
            });
        }
    });
}
