//! A barrier that orders nothing: for tests that force a schedule and must not be ordered by it.

use crate::sys;
use core::ffi::c_uint;
use core::sync::atomic::{AtomicU32, Ordering};

/// As it lies in the program's memory, of which it takes 4 bytes: how many threads meet there, how many have arrived, and how often all have.
#[repr(transparent)]
pub struct Barrier(AtomicU32);

/// Bits of a number of threads.
const BITS: u32 = 10;
const MOST: u32 = (1 << BITS) - 1;
const ARRIVED: u32 = 1 << BITS;
const ROUND: u32 = 1 << (2 * BITS);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_testonly_barrier_init(barrier: *mut Barrier, threads: c_uint) {
    // SAFETY: the program gives 4 aligned bytes.
    let barrier = unsafe { &*barrier };
    barrier.0.store(threads.clamp(1, MOST), Ordering::Release);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_testonly_barrier_wait(barrier: *mut Barrier) {
    // SAFETY: as above.
    let barrier = unsafe { &*barrier };
    let arrive = |now: u32| {
        let (threads, arrived) = ((now & MOST).max(1), (now / ARRIVED) & MOST);
        if arrived + 1 < threads {
            now + ARRIVED
        } else {
            (now / ROUND * ROUND).wrapping_add(ROUND) | now & MOST
        }
    };
    // AcqRel: orders the program in fact, so that the schedule is forced; the detector does not hear of it.
    let update = |now| Some(arrive(now));
    let Ok(before) = barrier
        .0
        .fetch_update(Ordering::AcqRel, Ordering::Acquire, update)
    else {
        return;
    };
    let round = before / ROUND;
    if arrive(before) / ROUND != round {
        sys::futex_wake(&barrier.0, u32::MAX >> 1);
        return;
    }
    loop {
        let now = barrier.0.load(Ordering::Acquire);
        if now / ROUND != round {
            return;
        }
        let _ = sys::futex_wait(&barrier.0, now, None);
    }
}
