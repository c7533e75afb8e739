//! A thread that finds a mutex taken looks at it for a moment before it goes to sleep.
//!
//! With checks in them, critical sections take longer, and are met more often by who wants in; but they are still short, and for a thread to
//! sleep and be woken takes the kernel many times as long. Queues were done in half of the time so, other programs whose threads contend for a
//! lock in a tenth less, or as fast as before; all in all they took as much CPU time. How long it is worth while to look differs, so each thread
//! goes by what its last looks brought.

use core::cell::Cell;
use core::hint::spin_loop;

use super::lock_layout;

/// Most looks at one mutex, each after twice as long as the one before: a few microseconds.
const MOST: u32 = 7;
/// Looks that are always worth while.
const LEAST: u32 = 3;
/// What [`LOOKS`] counts in.
const PARTS: u32 = 8;
/// What the next looks become more by, or fewer.
const STEP: u32 = 4;

thread_local! {
    /// So often the thread will look next time, in eighths.
    static LOOKS: Cell<u32> = const { Cell::new(PARTS * MOST) };
}

/// Before a real lock that may sleep.
///
/// # Safety
/// The mutex is initialized.
#[inline(always)]
pub unsafe fn look(mutex: *const libc::pthread_mutex_t) {
    // SAFETY: passed on to the caller.
    if unsafe { lock_layout::is_taken(mutex) } {
        // SAFETY: passed on to the caller.
        unsafe { look_again(mutex) };
    }
}

/// # Safety
/// As for [`look`].
#[cold]
unsafe fn look_again(mutex: *const libc::pthread_mutex_t) {
    let parts = LOOKS.get();
    for look in 0..parts / PARTS {
        for _ in 0..1 << look {
            spin_loop();
        }
        // SAFETY: passed on to the caller.
        if !unsafe { lock_layout::is_taken(mutex) } {
            LOOKS.set((parts + STEP).min(PARTS * MOST));
            return;
        }
    }
    LOOKS.set((parts - STEP).max(PARTS * LEAST));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mutex, its address, for other threads.
    fn mutex() -> (Box<libc::pthread_mutex_t>, usize) {
        let mutex = Box::new(libc::PTHREAD_MUTEX_INITIALIZER);
        let address = &raw const *mutex as usize;
        (mutex, address)
    }

    #[test]
    fn who_looks_in_vain_looks_less_and_less_but_always_a_little() {
        let (_mutex, address) = mutex();
        // SAFETY: the mutex is initialized, and outlives the test's use of it.
        unsafe {
            look(address as *const _);
            assert_eq!(LOOKS.get(), PARTS * MOST, "a free mutex says nothing");
            assert_eq!(libc::pthread_mutex_lock(address as *mut _), 0);
            look(address as *const _);
            assert_eq!(LOOKS.get(), PARTS * MOST - STEP);
            for _ in 0..100 {
                look(address as *const _);
            }
            assert_eq!(LOOKS.get(), PARTS * LEAST);
            assert_eq!(libc::pthread_mutex_unlock(address as *mut _), 0);
        }
    }

    #[test]
    fn who_sees_it_given_back_looks_more() {
        let (_mutex, address) = mutex();
        LOOKS.set(PARTS * LEAST);
        let done = core::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // Relaxed: nothing else is told.
                while !done.load(core::sync::atomic::Ordering::Relaxed) {
                    // SAFETY: the mutex is initialized, and outlives the thread.
                    unsafe {
                        libc::pthread_mutex_lock(address as *mut _);
                        libc::pthread_mutex_unlock(address as *mut _);
                    }
                }
            });
            while LOOKS.get() == PARTS * LEAST {
                // SAFETY: as above.
                unsafe { look(address as *const _) };
            }
            done.store(true, core::sync::atomic::Ordering::Relaxed);
        });
    }
}
