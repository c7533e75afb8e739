//! A barrier that orders nothing: for tests that force a schedule and must not be ordered by it.

use crate::sys;
use core::ffi::c_uint;
use core::sync::atomic::{AtomicU32, Ordering};

/// As it lies in the program's 8 bytes.
#[repr(C)]
pub struct Barrier {
    threads: AtomicU32,
    /// Arrivals so far, of all rounds.
    arrivals: AtomicU32,
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_testonly_barrier_init(barrier: *mut Barrier, threads: c_uint) {
    // SAFETY: the program gives 8 aligned bytes.
    let barrier = unsafe { &*barrier };
    barrier.threads.store(threads.max(1), Ordering::Relaxed);
    // Release: with the count of threads.
    barrier.arrivals.store(0, Ordering::Release);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_testonly_barrier_wait(barrier: *mut Barrier) {
    // SAFETY: as above.
    let barrier = unsafe { &*barrier };
    // Orders the program in fact, so that the schedule is forced; the detector does not hear of it.
    let arrival = barrier.arrivals.fetch_add(1, Ordering::AcqRel);
    let threads = barrier.threads.load(Ordering::Relaxed).max(1);
    let complete = (arrival / threads + 1) * threads;
    if arrival + 1 == complete {
        sys::futex_wake(&barrier.arrivals, u32::MAX >> 1);
        return;
    }
    loop {
        let seen = barrier.arrivals.load(Ordering::Acquire);
        // Wraps with the count.
        if seen.wrapping_sub(complete) as i32 >= 0 {
            return;
        }
        let _ = sys::futex_wait(&barrier.arrivals, seen, None);
    }
}
