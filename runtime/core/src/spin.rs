//! A lock for some dozens of instructions: taking it is one atomic instruction, giving it back is a store.
//!
//! A holder that loses its processor meanwhile keeps the others waiting; they sleep after a short while.

#[cfg(loom)]
mod model {
    use loom::sync::Mutex;
    pub use loom::sync::MutexGuard as SpinGuard;

    /// The same, as far as loom is concerned.
    pub struct Spin<T>(Mutex<T>);

    impl<T> Spin<T> {
        pub fn new(value: T) -> Spin<T> {
            Spin(Mutex::new(value))
        }
        pub fn lock(&self) -> SpinGuard<'_, T> {
            self.0.lock().unwrap()
        }
    }
}

#[cfg(not(loom))]
mod real {
    use crate::primitive::wait_a_little;
    use std::cell::UnsafeCell;
    use std::ops::{Deref, DerefMut};
    use std::sync::atomic::{AtomicBool, Ordering};

    /// The lock comes first, and so is in one line with the beginning of the value.
    #[repr(C)]
    pub struct Spin<T> {
        held: AtomicBool,
        value: UnsafeCell<T>,
    }

    // SAFETY: the value is reached through a guard only, and one thread at a time has one.
    unsafe impl<T: Send> Sync for Spin<T> {}

    pub struct SpinGuard<'a, T>(&'a Spin<T>);

    impl<T> Spin<T> {
        #[cfg(test)]
        pub fn new(value: T) -> Spin<T> {
            Spin {
                held: AtomicBool::new(false),
                value: UnsafeCell::new(value),
            }
        }
        #[inline]
        pub fn lock(&self) -> SpinGuard<'_, T> {
            // Acquire: sees what the previous holder did to the value.
            if self.held.swap(true, Ordering::Acquire) {
                self.wait();
            }
            SpinGuard(self)
        }
        #[cold]
        fn wait(&self) {
            let mut looks = 0;
            loop {
                // Relaxed: the exchange decides.
                while self.held.load(Ordering::Relaxed) {
                    looks += 1;
                    wait_a_little(looks);
                }
                // Acquire: as in `lock`.
                if !self.held.swap(true, Ordering::Acquire) {
                    return;
                }
            }
        }
    }

    impl<T> Deref for SpinGuard<'_, T> {
        type Target = T;
        #[inline]
        fn deref(&self) -> &T {
            // SAFETY: the guard exists, so this thread holds the lock.
            unsafe { &*self.0.value.get() }
        }
    }

    impl<T> DerefMut for SpinGuard<'_, T> {
        #[inline]
        fn deref_mut(&mut self) -> &mut T {
            // SAFETY: the guard exists, so this thread holds the lock, and the guard is borrowed exclusively.
            unsafe { &mut *self.0.value.get() }
        }
    }

    impl<T> Drop for SpinGuard<'_, T> {
        #[inline]
        fn drop(&mut self) {
            // Release: the next holder sees what this one did.
            self.0.held.store(false, Ordering::Release);
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn counts_of_four_threads_add_up() {
            let count = Spin::new(0u64);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| (0..20_000).for_each(|_| *count.lock() += 1));
                }
            });
            assert_eq!(*count.lock(), 80_000);
        }
    }
}

#[cfg(loom)]
pub use model::{Spin, SpinGuard};
#[cfg(not(loom))]
pub use real::{Spin, SpinGuard};
