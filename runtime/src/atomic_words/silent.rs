//! Stripes none of whose atomics has ever told anybody anything: there, relaxed operations need no stripe.
//!
//! A counter of statistics, or a source of numbers, is changed by relaxed operations only. Such an operation releases nothing, and takes nothing where
//! nothing was released; so there is no event that would have to be one step with it, and only the access is to be checked. Threads that count
//! at the same time then contend for the counter, as they do without detection, and for nothing else.
//!
//! # Why nothing is lost
//!
//! A stripe is silent until an operation on one of its atomics may release something: such an operation lets it be heard first, for good
//! ([`speaks`]), with all threads outside of the runtime. Who makes an operation without the stripe is inside from before it looks at the state
//! until the operation is made. So whatever was made without the stripe was made before anything was released there, and read nothing that was released.
//! Who loads without the stripe relies on the stripe's count for what was released alone, which these operations do not change.
//!
//! Something else than an atomic operation may release to an address whose stripe is silent ([`is_disturbed`]): a lock, in memory that is an atomic's later,
//! or an annotation. Whoever operates on that address meanwhile is not ordered after it, so it comes first; and the next operation that takes
//! the stripe waits, as above, before it is made.

use super::shared::STRIPES;
use crate::pipeline;
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// Nobody has used it.
const UNUSED: u8 = 0;
const SILENT: u8 = 1;
/// Not silent any more, but somebody who has found it so may still be at an operation.
const DISTURBED: u8 = 2;
const HEARD: u8 = 3;

/// Of each stripe. Beside each other, as they change two or three times, and others than the stripes, which change all the time.
static STATES: [AtomicU8; STRIPES] = [const { AtomicU8::new(UNUSED) }; STRIPES];

/// How often all threads had to be outside for a stripe.
static WAITS: AtomicU32 = AtomicU32::new(0);
/// After so many, no stripe is silent any more: in a program whose atomics all begin with relaxed operations and speak later (counts of references), it
/// would be so for each stripe.
const MOST_WAITS: u32 = 32;

/// Whether nothing was released to the atomics of this stripe, and nothing will be while the caller is inside the runtime.
#[inline(always)]
pub(super) fn is_silent(stripe: usize) -> bool {
    // Relaxed, here and below: who changes this to `HEARD` has waited for the caller, or the caller for it.
    match STATES[stripe].load(Ordering::Relaxed) {
        SILENT => true,
        UNUSED => begins(stripe),
        _ => false,
    }
}

/// The first use of a stripe.
#[cold]
fn begins(stripe: usize) -> bool {
    let wanted = if WAITS.load(Ordering::Relaxed) < MOST_WAITS {
        SILENT
    } else {
        HEARD
    };
    let before =
        STATES[stripe].compare_exchange(UNUSED, wanted, Ordering::Relaxed, Ordering::Relaxed);
    before.map_or_else(|now| now == SILENT, |_| wanted == SILENT)
}

/// Whether an operation on an atomic of this stripe may be made that [speaks], or takes the stripe, without any more.
#[inline(always)]
pub(super) fn is_heard(stripe: usize) -> bool {
    STATES[stripe].load(Ordering::Relaxed) == HEARD
}

/// Whether there may be somebody at an operation who has found the stripe silent, which it is not.
#[inline(always)]
pub(super) fn is_in_doubt(stripe: usize) -> bool {
    STATES[stripe].load(Ordering::Relaxed) == DISTURBED
}

/// An operation on an atomic of this stripe may release something. To be called before it is made, inside the runtime, with nothing held that others
/// may wait for inside. Whether the thread may have been outside meanwhile.
#[inline(always)]
pub(super) fn speaks(stripe: usize) -> bool {
    !is_heard(stripe) && speaks_first(stripe)
}

#[cold]
fn speaks_first(stripe: usize) -> bool {
    let state = &STATES[stripe];
    let relaxed = Ordering::Relaxed;
    if let Ok(_) | Err(HEARD) = state.compare_exchange(UNUSED, HEARD, relaxed, relaxed) {
        return false;
    }
    // SAFETY: the thread's own errno.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *errno };
    let all_outside = pipeline::freeze();
    if WAITS.fetch_add(1, Ordering::Relaxed) >= MOST_WAITS {
        for state in &STATES {
            state.store(HEARD, Ordering::Relaxed);
        }
    }
    state.store(HEARD, Ordering::Relaxed);
    drop(all_outside);
    // SAFETY: as above.
    unsafe { *errno = before };
    true
}

/// Something that is no atomic operation releases to an address of this stripe, or has.
#[inline(always)]
pub(super) fn is_disturbed(stripe: usize) {
    let state = &STATES[stripe];
    let relaxed = Ordering::Relaxed;
    let now = state.load(relaxed);
    if now < DISTURBED {
        let next = if now == UNUSED { HEARD } else { DISTURBED };
        // Whoever has changed it meanwhile has made it silent, or no less than this.
        if state.compare_exchange(now, next, relaxed, relaxed) == Err(SILENT) {
            let _ = state.compare_exchange(SILENT, DISTURBED, relaxed, relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_heard_is_never_silent_again() {
        // Some that no other test uses.
        let [silent, unused, disturbed] = [STRIPES - 1, STRIPES - 2, STRIPES - 3];
        assert!(is_silent(silent) && is_silent(silent));
        is_disturbed(silent);
        assert!(is_in_doubt(silent) && !is_silent(silent) && !is_heard(silent));
        is_disturbed(silent);
        assert!(is_in_doubt(silent));
        assert!(!speaks(unused));
        is_disturbed(disturbed);
        for stripe in [unused, disturbed] {
            assert!(is_heard(stripe) && !is_silent(stripe));
            is_disturbed(stripe);
            assert!(!speaks(stripe) && is_heard(stripe));
        }
    }
}
