//! A thread that finds a mutex taken looks at it for a moment before it goes to sleep.
//!
//! With checks in them, critical sections take longer, and are met more often by who wants in; but they are still short, and for a thread to
//! sleep and be woken takes the kernel many times as long. Queues were done in half of the time so, other programs whose threads contend for a
//! lock in a tenth less, or as fast as before; all in all they took as much CPU time. How long it is worth while to look differs, so each thread
//! goes by what its last looks brought.

use core::cell::Cell;
use core::hint::spin_loop;

use super::lock_layout;

/// Most looks at one mutex, each after twice as many pauses as the one before: 127, which were 3.4 microseconds where the benchmarks ran.
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
        look_again(|| unsafe { lock_layout::is_taken(mutex) });
    }
}

#[cold]
fn look_again(is_taken: impl Fn() -> bool) {
    let parts = LOOKS.get();
    for look in 0..parts / PARTS {
        for _ in 0..1 << look {
            spin_loop();
        }
        if !is_taken() {
            LOOKS.set((parts + STEP).min(PARTS * MOST));
            return;
        }
    }
    LOOKS.set((parts - STEP).max(PARTS * LEAST));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_looks_in_vain_looks_less_and_less_but_always_a_little() {
        let mut mutex = Box::new(libc::PTHREAD_MUTEX_INITIALIZER);
        let mutex: *mut libc::pthread_mutex_t = &mut *mutex;
        // SAFETY: the mutex is initialized, and outlives the test's use of it.
        unsafe {
            look(mutex);
            assert_eq!(LOOKS.get(), PARTS * MOST, "a free mutex says nothing");
            assert_eq!(libc::pthread_mutex_lock(mutex), 0);
            look(mutex);
            assert_eq!(LOOKS.get(), PARTS * MOST - STEP);
            for _ in 0..100 {
                look(mutex);
            }
            assert_eq!(LOOKS.get(), PARTS * LEAST);
            assert_eq!(libc::pthread_mutex_unlock(mutex), 0);
        }
    }

    #[test]
    fn who_sees_it_given_back_stops_and_looks_more_next_time() {
        LOOKS.set(PARTS * LEAST);
        let looks = Cell::new(0);
        for round in 1..=100 {
            looks.set(0);
            look_again(|| {
                looks.set(looks.get() + 1);
                looks.get() < LEAST
            });
            assert_eq!(looks.get(), LEAST);
            let next = PARTS * LEAST + round * STEP;
            assert_eq!(LOOKS.get(), next.min(PARTS * MOST));
        }
    }
}
