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
//! An event that is no atomic operation, on the address of one (an annotation), makes it heard afterwards ([`is_heard`]): whoever
//! operates on it meanwhile is not ordered after the event, so it comes first.

use super::shared::STRIPES;
use crate::pipeline;
use core::sync::atomic::{AtomicU8, Ordering};

/// Nobody has used it.
const UNUSED: u8 = 0;
const SILENT: u8 = 1;
const HEARD: u8 = 2;

/// Of each stripe. Beside each other, as they change once or twice, and others than the stripes, which change all the time.
static STATES: [AtomicU8; STRIPES] = [const { AtomicU8::new(UNUSED) }; STRIPES];

/// Whether nothing was released to the atomics of this stripe, and nothing will be while the caller is inside the runtime.
#[inline(always)]
pub(super) fn is_silent(stripe: usize) -> bool {
    let state = &STATES[stripe];
    // Relaxed, here and below: who changes this to `HEARD` has waited for the caller, or the caller for it.
    match state.load(Ordering::Relaxed) {
        SILENT => true,
        UNUSED => {
            let (relaxed, now) = (Ordering::Relaxed, SILENT);
            let before = state.compare_exchange(UNUSED, now, relaxed, relaxed);
            !matches!(before, Err(HEARD))
        }
        _ => false,
    }
}

/// An operation on an atomic of this stripe may release something. To be called before it is made, inside the runtime, with nothing held that others
/// may wait for inside.
#[inline(always)]
pub(super) fn speaks(stripe: usize) {
    if STATES[stripe].load(Ordering::Relaxed) != HEARD {
        speaks_first(stripe);
    }
}

#[cold]
fn speaks_first(stripe: usize) {
    let state = &STATES[stripe];
    let relaxed = Ordering::Relaxed;
    if state.compare_exchange(UNUSED, HEARD, relaxed, relaxed) == Err(SILENT) {
        let all_outside = pipeline::freeze();
        state.store(HEARD, Ordering::Relaxed);
        drop(all_outside);
    }
}

/// Something was released to an atomic of this stripe by an event that is no atomic operation.
#[inline(always)]
pub(super) fn is_heard(stripe: usize) {
    if STATES[stripe].load(Ordering::Relaxed) != HEARD {
        STATES[stripe].store(HEARD, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_heard_is_never_silent_again() {
        // Two that no other test uses.
        let [used, unused] = [STRIPES - 1, STRIPES - 2];
        assert!(is_silent(used) && is_silent(used));
        is_heard(used);
        speaks(unused);
        for stripe in [used, unused] {
            assert!(!is_silent(stripe));
            is_heard(stripe);
            speaks(stripe);
            assert!(!is_silent(stripe));
        }
    }
}
