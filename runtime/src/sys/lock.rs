//! A mutex of our own: three states on a futex, and an owner.
//!
//! std's would do until the process forks, or until a signal handler of the host runs on a thread that holds it. Here
//! the owner is known, so that re-entry is refused instead of a deadlock, and the child of a fork can reset it.

use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use core::time::Duration;

use super::{futex_wait, futex_wake, now, thread_pointer};

const FREE: u32 = 0;
const HELD: u32 = 1;
/// Held, and somebody may be asleep.
const CONTENDED: u32 = 2;

pub struct Lock<T> {
    state: AtomicU32,
    /// [`thread_pointer`] of the holder, 0 if there is none. Relaxed everywhere: it is compared with the reader's own only,
    /// and a thread sees its own stores.
    owner: AtomicUsize,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached through a guard only, and one thread at a time has one.
unsafe impl<T: Send> Sync for Lock<T> {}

pub struct Guard<'a, T> {
    lock: &'a Lock<T>,
}

impl<T> Lock<T> {
    pub const fn new(value: T) -> Lock<T> {
        Lock {
            state: AtomicU32::new(FREE),
            owner: AtomicUsize::new(0),
            value: UnsafeCell::new(value),
        }
    }

    /// Waits for the lock; `None` if the calling thread holds it already.
    pub fn lock(&self) -> Option<Guard<'_, T>> {
        self.acquire(None)
    }

    /// Waits at most `patience`; `None` if that was too short, or if the calling thread holds the lock already.
    pub fn lock_within(&self, patience: Duration) -> Option<Guard<'_, T>> {
        self.acquire(Some(patience))
    }

    fn acquire(&self, patience: Option<Duration>) -> Option<Guard<'_, T>> {
        let me = thread_pointer();
        if self.owner.load(Ordering::Relaxed) == me {
            return None;
        }
        // Acquire, here and below: what the previous holder did to the value is seen.
        let mut taken = self
            .state
            .compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed)
            .is_ok();
        let end = patience.map(|patience| now() + patience);
        while !taken {
            taken = self.state.swap(CONTENDED, Ordering::Acquire) == FREE;
            if !taken {
                let left = end.map(|end| end.saturating_sub(now()));
                if left == Some(Duration::ZERO) {
                    return None;
                }
                // Failures (woken, changed, timed out) all mean: look again.
                let _ = futex_wait(&self.state, CONTENDED, left);
            }
        }
        self.owner.store(me, Ordering::Relaxed);
        Some(Guard { lock: self })
    }

    fn release(&self) {
        self.owner.store(0, Ordering::Relaxed);
        // Release: the next holder sees the value as this one leaves it.
        if self.state.swap(FREE, Ordering::Release) == CONTENDED {
            futex_wake(&self.state, 1);
        }
    }

    /// Ends what [`core::mem::forget`] of a guard has kept: around `fork`, where taking and releasing are two calls.
    ///
    /// # Safety
    /// The calling thread (or in the child of a fork, its image in the parent) must have forgotten a guard.
    pub unsafe fn release_forgotten(&self) {
        self.release();
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the guard exists, so this thread holds the lock.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the guard exists, so this thread holds the lock, and the guard is borrowed exclusively.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        self.lock.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_four_threads_add_up() {
        static LOCK: Lock<u64> = Lock::new(0);
        let threads: Vec<_> = (0..4)
            .map(|_| {
                std::thread::spawn(|| {
                    for _ in 0..20_000 {
                        *LOCK.lock().unwrap() += 1;
                    }
                })
            })
            .collect();
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
        assert_eq!(*LOCK.lock().unwrap(), 80_000);
    }

    #[test]
    fn re_entry_is_refused_and_patience_ends() {
        let lock = Lock::new(());
        let guard = lock.lock().unwrap();
        assert!(lock.lock().is_none());
        std::thread::scope(|scope| {
            scope.spawn(|| assert!(lock.lock_within(Duration::from_millis(5)).is_none()));
        });
        core::mem::forget(guard);
        // SAFETY: the guard was forgotten in the line above.
        unsafe { lock.release_forgotten() };
        assert!(lock.lock_within(Duration::from_millis(5)).is_some());
    }
}
