// Panics in threads: their payload, what they drop, locks that they leave poisoned, hooks, at the same time.
// RUNS: 5
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, Once, atomic::AtomicU32, atomic::Ordering::Relaxed};
use std::thread;

static DATA: Shared<u32> = Shared::new(0);
static LOCK: Mutex<u32> = Mutex::new(0);
static ONCE: Once = Once::new();
static HOOKED: AtomicU32 = AtomicU32::new(0);

struct Writes;

impl Drop for Writes {
    fn drop(&mut self) {
        let _guard = LOCK.lock().unwrap_or_else(|poison| poison.into_inner());
        DATA.set(DATA.get() + 1);
    }
}

fn main() {
    panic::set_hook(Box::new(|_| {
        HOOKED.fetch_add(1, Relaxed);
    }));
    let threads: Vec<_> = (0..4usize)
        .map(|number| {
            thread::spawn(move || {
                let _ = panic::catch_unwind(AssertUnwindSafe(|| {
                    let mut guard = LOCK.lock().unwrap_or_else(|poison| poison.into_inner());
                    *guard += 1;
                    panic!("with the lock");
                }));
                let _ = panic::catch_unwind(|| ONCE.call_once(|| panic!("once")));
                let _writes = Writes;
                panic::panic_any(vec![number; 3]);
            })
        })
        .collect();
    for (number, thread) in threads.into_iter().enumerate() {
        let payload = thread.join().unwrap_err();
        assert_eq!(*payload.downcast::<Vec<usize>>().unwrap(), [number; 3]);
    }
    assert_eq!(DATA.get(), 4);
    assert_eq!(*LOCK.lock().unwrap_err().into_inner(), 4);
    assert!(HOOKED.load(Relaxed) >= 12);
}
