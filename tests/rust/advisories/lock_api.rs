// RUSTSEC-2020-0070: the guard of a part of what a lock guards may go to another thread, whatever that part is.
// CRATE: lock_api
// VULNERABLE: =0.4.1
// FIXED: =0.4.2
// FIXED-IS: refused
// EXPECT: data race
use std::rc::Rc;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Spin(AtomicBool);

// SAFETY: a lock.
unsafe impl lock_api::RawMutex for Spin {
    #[allow(clippy::declare_interior_mutable_const)]
    const INIT: Spin = Spin(AtomicBool::new(false));
    type GuardMarker = lock_api::GuardSend;
    fn lock(&self) {
        while !self.try_lock() {
            thread::yield_now();
        }
    }
    fn try_lock(&self) -> bool {
        !self.0.swap(true, Ordering::Acquire)
    }
    unsafe fn unlock(&self) {
        self.0.store(false, Ordering::Release);
    }
}

fn main() {
    let shared = Rc::new(1);
    let lock: lock_api::Mutex<Spin, Rc<u64>> = lock_api::Mutex::new(shared.clone());
    let guard = lock_api::MutexGuard::map(lock.lock(), |all| all);
    let both = Barrier::new(2);
    thread::scope(|scope| {
        let both = &both;
        scope.spawn(move || {
            both.wait();
            drop(Rc::clone(&guard));
        });
        both.wait();
        drop(shared.clone());
    });
}
