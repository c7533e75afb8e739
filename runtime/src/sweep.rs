//! When epoch ids run out: finds those that no shadow cell mentions, with all threads outside of the runtime.

use crate::atomic_words;
use crate::detection;
use crate::pipeline::{self, freeze};
use crate::shadow::program_ranges;
use crate::state::runtime;
use crate::sys;
use crate::tls::{self, TlsBlock};
use core::sync::atomic::{AtomicU64, Ordering};
use goldilocks_core::detector::Shadow;
use goldilocks_core::epoch::EpochTable;
use goldilocks_core::goldilocks::Thread;
use goldilocks_core::sweep::Sweep;

/// When the last sweep ended, nanoseconds.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Of the time between sweeps, they may take one part of so many; where they take more, there are to be fewer.
const WORTH: u64 = 64;

/// What sweeps [in vain](in_vain) have taken, nanoseconds.
static IN_VAIN: AtomicU64 = AtomicU64::new(0);

/// After so long, what they find is not worth it: detection ends.
const PATIENCE: u64 = 10_000_000_000;

/// What the sweeps in a row have taken that were in vain, the last one among them: each more time than all else since the one before, where none can be put off
/// any more. `before` of those before it, of `since` that one.
fn in_vain(before: u64, took: u64, since: u64, has_last_limit: bool) -> u64 {
    if has_last_limit && took > since / 2 {
        before + took
    } else {
        0
    }
}

/// Sweeps if it is time for that. The caller is inside the runtime and holds no stripe: others that are inside may wait for one.
#[inline]
pub fn if_spent(own: &mut Thread) {
    // It stays spent then.
    if runtime().engine.epochs.is_spent() && !detection::has_ended() {
        run(own);
    }
}

/// Takes back epoch ids, slots of ended threads, and lost side records. The caller is inside the runtime and tries again, unless
/// there is no room, or next to none: then detection has ended, for good, and the program goes on.
pub fn run(own: &mut Thread) -> bool {
    let epochs = &runtime().engine.epochs;
    let (was_spent, began) = (epochs.is_spent(), sys::now());
    let spent = epochs.what_is_spent();
    let frozen = freeze();
    if was_spent && !epochs.is_spent() {
        // Another thread has swept while this one waited.
        return true;
    }
    runtime().engine.settle_now(own);
    let mut sweep = Sweep::new(epochs, &runtime().slab);
    for (start, end) in program_ranges() {
        if !runtime().shadow.is_application(start, end - start) {
            continue;
        }
        runtime()
            .shadow
            .each_touched_page(start, end - start, |from, to| {
                let mut line = from & !63;
                while line < to {
                    sweep.line(runtime().shadow.line(line));
                    line += 64;
                }
            });
    }
    sweep.thread(own);
    runtime()
        .threads
        .each_other_engine(|thread| sweep.thread(thread));
    // A read set that no cell mentions goes, and its id will mean something else.
    let forget = |block: &TlsBlock| {
        block.forget_sets();
        block.forget_made();
    };
    runtime().threads.each_other_block(forget);
    forget(tls::block());
    let slots = sweep.slots_in_use();
    if runtime().engine.forget_slots(|slot| slots[slot as usize]) != 0 {
        atomic_words::forget_held();
    }
    let freed = sweep.finish();
    // Relaxed: one at a time.
    let last = LAST.load(Ordering::Relaxed);
    let (took, now) = (sys::now() - began, sys::now().as_nanos() as u64);
    LAST.store(now, Ordering::Relaxed);
    let (took, since) = (took.as_nanos() as u64, now - last);
    let is_last = was_spent && epochs.has_last_limit();
    let vain = in_vain(IN_VAIN.load(Ordering::Relaxed), took, since, is_last);
    IN_VAIN.store(vain, Ordering::Relaxed);
    if took * WORTH > since {
        epochs.raise_limits(spent);
    }
    drop(frozen);
    if pipeline::verbose() {
        let _ = sys::write(
            2,
            format!(
                "Goldilocks: sweep: {} epoch ids taken back\n",
                freed * EpochTable::GRANULE as usize
            )
            .as_bytes(),
        );
    }
    let room = epochs.make_room() && vain < PATIENCE;
    if !room {
        detection::end();
    }
    room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sweeps_take_adds_up_as_long_as_it_is_most_of_the_time() {
        const SECOND: u64 = 1_000_000_000;
        let mut vain = 0;
        for _ in 0..9 {
            vain = in_vain(vain, SECOND, SECOND + SECOND / 4, true);
        }
        assert!(vain == 9 * SECOND && vain < PATIENCE);
        assert!(in_vain(vain, SECOND, SECOND, true) >= PATIENCE);
        assert_eq!(in_vain(vain, SECOND, 2 * SECOND, true), 0);
        assert_eq!(in_vain(vain, SECOND, SECOND, false), 0);
    }
}
