//! A thread that finds a mutex taken looks at it for a moment before it goes to sleep.
//!
//! With checks in them, critical sections take longer, and are met more often by who wants in; but they are still short, and for a thread to
//! sleep and be woken takes the kernel many times as long. Queues were done in half of the time so, other programs whose threads contend for a
//! lock in a tenth less, or as fast as before; all in all they took as much CPU time. How long it is worth while to look differs, so each thread
//! goes by what its last looks brought; whether it is at all, or naps are better, is a matter of the program ([`super::patience`]).

use core::cell::Cell;
use core::hint::spin_loop;
use core::sync::atomic::Ordering;
use core::time::Duration;

use super::lock_layout;
use super::patience::Patience;
use crate::{sys, tls};

/// Most looks at one mutex, each after twice as many pauses as the one before: 127, which were 3.4 microseconds where the benchmarks ran.
const MOST: u32 = 7;
/// Looks that are always worth while.
const LEAST: u32 = 3;
/// Most naps before the thread lets itself be woken when the mutex is free, and how long they are; the system makes them twice as long mostly.
const NAPS: u32 = 16;
const NAP: Duration = Duration::from_micros(50);
/// What [`LOOKS`] counts in.
const PARTS: u32 = 8;
/// What the next looks become more by, or fewer.
const STEP: u32 = 4;

thread_local! {
    /// So often the thread will look next time, in eighths.
    static LOOKS: Cell<u32> = const { Cell::new(PARTS * MOST) };
    /// Its sync events when it found a mutex taken last.
    static EVENTS: Cell<u64> = const { Cell::new(0) };
}

static PATIENCE: Patience = Patience::new();

/// Before a real lock that may sleep.
///
/// # Safety
/// The mutex is initialized.
#[inline(always)]
pub unsafe fn look(mutex: *const libc::pthread_mutex_t) {
    // SAFETY: passed on to the caller.
    if unsafe { lock_layout::is_taken(mutex) } {
        // SAFETY: passed on to the caller.
        found_taken(|| unsafe { lock_layout::is_taken(mutex) });
    }
}

#[cold]
fn found_taken(is_taken: impl Fn() -> bool) {
    let state = tls::block().thread.load(Ordering::Relaxed);
    // SAFETY: null or the thread's own state, which only it changes, and not meanwhile.
    let events = unsafe { state.as_ref() }.map_or(0, |state| state.engine.counts.sync_events);
    // Fewer than before after a switch to another fiber.
    let since = events.saturating_sub(EVENTS.replace(events));
    if PATIENCE.met(since) {
        nap(is_taken);
    } else {
        look_again(is_taken);
    }
}

/// Sleeps, not to be woken, until it is free or it was not often enough.
fn nap(is_taken: impl Fn() -> bool) {
    for _ in 0..NAPS {
        if !is_taken() {
            return;
        }
        sys::sleep(NAP);
    }
}

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
            let look = || look_again(|| lock_layout::is_taken(mutex));
            look();
            assert_eq!(LOOKS.get(), PARTS * MOST - STEP);
            for _ in 0..100 {
                look();
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
