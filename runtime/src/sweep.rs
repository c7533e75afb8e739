//! When epoch ids run out: finds those that no shadow cell mentions, with all threads outside of the runtime.

use crate::detection;
use crate::pipeline::{self, freeze};
use crate::shadow::program_ranges;
use crate::state::runtime;
use crate::sys;
use crate::tls::{self, TlsBlock};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use goldilocks_core::detector::Shadow;
use goldilocks_core::epoch::EpochTable;
use goldilocks_core::goldilocks::Thread;
use goldilocks_core::sweep::Sweep;

/// When the last sweep ended, nanoseconds.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Of the time between sweeps, they may take one part of so many; where they take more, there are to be fewer.
const WORTH: u64 = 64;

/// How many sweeps in a row, the last one among them, have taken more time than all else between them, where none could be put off any more.
static IN_VAIN: AtomicU32 = AtomicU32::new(0);

/// After so many of these, what they find is not worth it: a program that takes a hundred times as long does not get there either.
const PATIENCE: u32 = 8;

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
    runtime().engine.forget_slots(|slot| slots[slot as usize]);
    let freed = sweep.finish();
    // Relaxed: one at a time.
    let last = LAST.load(Ordering::Relaxed);
    let (took, now) = (sys::now() - began, sys::now().as_nanos() as u64);
    LAST.store(now, Ordering::Relaxed);
    let in_vain = was_spent && epochs.has_last_limit() && took.as_nanos() as u64 * 2 > now - last;
    let in_vain = if in_vain {
        IN_VAIN.load(Ordering::Relaxed) + 1
    } else {
        0
    };
    IN_VAIN.store(in_vain, Ordering::Relaxed);
    if took.as_nanos() as u64 * WORTH > now - last {
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
    let room = epochs.make_room() && in_vain < PATIENCE;
    if !room {
        detection::end();
    }
    room
}
