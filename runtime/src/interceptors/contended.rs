//! A thread that finds a lock taken looks at it for a moment before it goes to sleep.
//!
//! With checks in them, critical sections take longer, and are met more often by who wants in; but they are still short, and for a thread to
//! sleep and be woken takes the kernel many times as long. Queues were done in half of the time so, other programs whose threads contend for a
//! lock in a tenth less, or as fast as before; all in all they took as much CPU time. How long it is worth while to look differs, so each thread
//! goes by what its last looks brought; whether it is at all, or naps are better, is a matter of the program ([`super::patience`]). What is true of locks is true of
//! whatever else threads wait for by attempts, or by giving their processors away.

use core::cell::Cell;
use core::ffi::c_int;
use core::hint::spin_loop;
use core::sync::atomic::Ordering;
use core::time::Duration;

use super::lock_layout;
use super::patience::Patience;
use crate::caller::Caller;
use crate::pipeline::enter;
use crate::state::multi_threaded;
use crate::{interceptors, options, real, sys, thread, tls};

/// Most looks at one mutex, each after twice as many pauses as the one before: 127, which were 3.4 microseconds where the benchmarks ran.
const MOST: u32 = 7;
/// Looks that are always worth while.
const LEAST: u32 = 3;
/// Most naps before the thread lets itself be woken when the mutex is free, and how long they are; the system makes them twice as long mostly.
const NAPS: u32 = 16;
const NAP: Duration = Duration::from_micros(50);
/// And instead of giving the processor away. What others hand on in the meantime is seldom more than what a queue holds.
const NAP_OF_YIELD: Duration = Duration::from_micros(10);
/// Of so many attempts in vain, one asks whether naps are better.
const ASKED: u32 = 16;
/// What [`LOOKS`] counts in.
const PARTS: u32 = 8;
/// What the next looks become more by, or fewer.
const STEP: u32 = 4;

thread_local! {
    /// So often the thread will look next time, in eighths.
    static LOOKS: Cell<u32> = const { Cell::new(PARTS * MOST) };
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

/// The thread has found something taken. Whether it should take naps until it is not.
fn naps_are_better() -> bool {
    if !options::get().lock_naps {
        return false;
    }
    PATIENCE.met(|| {
        // Not while others wait for a lock of the runtime's.
        let scope = enter(Caller::new(0, 0));
        scope.map_or(0, |_inside| thread::deeds())
    })
}

/// A lock has been found taken. Waits a little until it is not, or it seems to take longer.
#[cold]
pub fn found_taken(is_taken: impl Fn() -> bool) {
    if naps_are_better() {
        nap(is_taken);
    } else {
        look_again(is_taken);
    }
}

/// Takes a lock by `try_lock`, a function of pthreads, if it is not taken for long. Whether it is taken now.
pub fn attempt(try_lock: impl Fn() -> c_int) -> bool {
    let is_got = Cell::new(try_lock() == 0);
    if !is_got.get() {
        found_taken(|| {
            is_got.set(try_lock() == 0);
            !is_got.get()
        });
    }
    is_got.get()
}

/// The thread has tried to take a lock at `place`, without waiting for it, and has not got it. Or an atomic operation there has changed nothing, as those on
/// locks of the program's own do; perhaps it was counted as one that has. To be called outside of the runtime.
#[cold]
pub fn has_tried(place: u64, was_counted: bool) {
    let block = tls::block();
    // Relaxed: the block is this thread's own.
    let state = block.thread.load(Ordering::Relaxed);
    // SAFETY: null or the thread's own state, of which only it changes this part.
    let Some(state) = (unsafe { state.as_ref() }) else {
        return;
    };
    let waiting = &state.waiting;
    if was_counted {
        block.did_nothing();
    }
    if let Some(waits) = waiting.has_tried(place, cycles())
        && (waits.is_multiple_of(ASKED) || PATIENCE.naps())
        && naps_are_better()
        && waiting.may_nap()
    {
        sys::sleep(NAP);
        waiting.has_slept(cycles());
    }
}

/// The thread has got what it has tried to get there.
#[inline(always)]
pub fn has_got(place: u64) {
    // Relaxed: the block is this thread's own.
    let state = tls::block().thread.load(Ordering::Relaxed);
    // SAFETY: null or the thread's own state, of which only it changes this part.
    if let Some(state) = unsafe { state.as_ref() } {
        state.waiting.has_got(place);
    }
}

interceptors! {
    // Who gives its processor away between two attempts has waited meanwhile as well; and who does so again and again waits for somebody, whether by attempts or
    // by looks, and may take a nap instead.
    fn sched_yield() -> c_int {
        // Relaxed: the block is this thread's own.
        let state = tls::block().thread.load(Ordering::Relaxed);
        // SAFETY: null or the thread's own state, of which only it changes this part.
        let Some(state) = (unsafe { state.as_ref() }) else {
            // SAFETY: the program's call, unchanged.
            return unsafe { real!(sched_yield)() };
        };
        let naps = multi_threaded()
            && state.waiting.yields(cycles()).is_some_and(|waits| {
                (waits.is_multiple_of(ASKED) || PATIENCE.naps()) && naps_are_better()
            })
            && state.waiting.may_nap_instead(tls::block().deeds());
        let result = if naps {
            sys::sleep(NAP_OF_YIELD);
            0
        } else {
            // SAFETY: the program's call, unchanged.
            unsafe { real!(sched_yield)() }
        };
        state.waiting.has_slept(cycles());
        result
    }
}

/// What processors of this kind count all the time.
fn cycles() -> u64 {
    // SAFETY: all have it.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// The thread waits for what it has looked at for long. Whether it has taken a nap instead of looking on.
pub fn naps() -> bool {
    let naps = naps_are_better();
    if naps {
        sys::sleep(NAP);
    }
    naps
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
