// Who gives a rwlock back to a writer that sleeps wakes it by a counter beside the lock's word. That is no lock that he takes.
// EXPECT: Write of size 4 at .*, holding no lock:
// EXPECT: Earlier write of size 4 at .*, holding no lock:
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

static DATA: Shared<u32> = Shared::new(0);
static LOCK: RwLock<()> = RwLock::new(());
static WAITS: AtomicBool = AtomicBool::new(false);

fn main() {
    let reader = LOCK.read().unwrap();
    thread::scope(|scope| {
        scope.spawn(|| {
            WAITS.store(true, Relaxed);
            drop(LOCK.write().unwrap());
            DATA.set(1);
        });
        while !WAITS.load(Relaxed) {
            thread::yield_now();
        }
        // Until it sleeps, which nothing tells.
        thread::sleep(Duration::from_millis(100));
        drop(reader);
        DATA.set(2);
    });
}
