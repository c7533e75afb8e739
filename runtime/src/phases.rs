//! Phases of the run: with one thread, with several, and with one again.
//!
//! Until there is a second thread nothing can race, and nothing is recorded. It is the same when all others have ended and were joined, by the one
//! that is left or by each other: whatever they did comes before all that this one will do, and before all threads that it will make. So
//! it records nothing until it makes one. What is remembered from before cannot race with anything any more.
//!
//! Compiled code does not know that. Its checks look at cells that say something, fail, and are sent back by the stubs, which costs some
//! instructions each time. When that was paid so often that to give all of the shadow back costs less, that is done, and
//! checks succeed where they are. What has been freed is wrong to use in any order, so that is remembered in all phases but the first.

use crate::openmp;
use crate::pipeline::Scope;
use crate::shadow::program_ranges;
use crate::state::{MULTI_THREADED, runtime};
use crate::sweep;
use crate::thread::CREATION;
use crate::tls;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use goldilocks_core::detector::Shadow;
use goldilocks_core::line::Parts;

/// Set while the running thread is alone again. Relaxed, as `MULTI_THREADED`.
static IS_ALONE: AtomicBool = AtomicBool::new(false);

/// Threads besides the first that were made and have not been joined. Relaxed: who joins the last one comes after whoever has changed it.
static UNJOINED: AtomicU32 = AtomicU32::new(0);

/// How many checks may fail before the shadow is given back. Counted down by the stubs, too; not above 0 unless a thread is alone again.
pub static PATIENCE: AtomicI32 = AtomicI32::new(0);

/// Beside those that take as long as to give back the shadow of next to nothing (`alone_checks`), failed checks that take as long as to give back a page of
/// cells, and to take another one later.
const FOR_A_PAGE: u64 = 64;
/// The longest patience. What is above is that of who has nothing to give back any more.
const LONG: i32 = i32::MAX / 2;

/// Whether the running thread is alone again.
#[inline(always)]
pub fn is_alone() -> bool {
    IS_ALONE.load(Ordering::Relaxed)
}

/// From here on the process counts as one with several threads.
pub fn several() {
    IS_ALONE.store(false, Ordering::Relaxed);
    MULTI_THREADED.store(true, Ordering::Relaxed);
    tls::block().know_of_others(true);
}

/// A thread has been made, or become known, that is not the first one. It counts until it is [`joined`], so that one that nobody joins
/// keeps the process from ever being one with a single thread.
pub fn made() {
    UNJOINED.fetch_add(1, Ordering::Relaxed);
}

/// One of them is over, with all it did before what the caller will do.
pub fn joined(scope: &mut Scope) {
    if UNJOINED.fetch_sub(1, Ordering::Relaxed) > 1 {
        return;
    }
    // Nobody becomes known meanwhile who was not made by us.
    let _order = CREATION
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let is_last = UNJOINED.load(Ordering::Relaxed) == 0 && runtime().threads.alive() == 1;
    // Tasks of OpenMP are threads of the engine; who runs them has no say in it.
    if !is_last || openmp::is_there() {
        return;
    }
    runtime().engine.rest(&mut scope.thread().engine);
    let patience = match u64::from(runtime().options.alone_checks) {
        0 => 0,
        checks => checks + FOR_A_PAGE * runtime().shadow.written().noted(),
    };
    PATIENCE.store(patience.min(LONG as u64) as i32, Ordering::Relaxed);
    IS_ALONE.store(true, Ordering::Relaxed);
}

/// Whether a thread that is alone may use the word at `addr` without anybody looking at it.
#[inline(always)]
pub fn may_ignore(addr: u64) -> bool {
    #[cold]
    fn may_ignore(addr: u64) -> bool {
        !runtime().shadow.is_application(addr, 1) || !runtime().detector().is_freed(addr)
    }
    is_alone() && may_ignore(addr)
}

/// A thread that is alone accesses memory, of which something may be remembered. Says whether the access is to be looked at all the same: where memory was
/// freed, by itself or by somebody who was joined since, to use it is still wrong.
#[cold]
pub fn looked_in_vain(scope: &mut Scope, (addr, bytes): (u64, u64)) -> bool {
    let (patience, end) = (PATIENCE.load(Ordering::Relaxed), addr + bytes);
    if patience <= 0 {
        give_back(scope);
    } else if patience <= LONG {
        let words = ((end - (addr & !7)) / 8).min(patience as u64 - 1);
        PATIENCE.store(patience - words as i32, Ordering::Relaxed);
    }
    let detector = runtime().detector();
    (addr & !7..end).step_by(8).any(|at| detector.is_freed(at))
}

/// Forgets all that is remembered, but for what was freed.
fn give_back(scope: &mut Scope) {
    let shadow = &runtime().shadow;
    // Where nothing was freed, what is next to each other goes at once.
    let mut whole = (0, 0);
    for (start, end) in program_ranges() {
        if !shadow.is_application(start, end - start) {
            continue;
        }
        shadow.each_touched_page(start, end - start, |from, to| {
            let lines = || (from & !63..to).step_by(64).map(|at| shadow.line(at));
            if lines().any(Parts::has_freed) {
                lines().for_each(Parts::keep_freed);
            } else if whole.1 == from {
                whole.1 = to;
            } else {
                shadow.give_back(whole.0, whole.1 - whole.0);
                whole = (from, to);
            }
        });
    }
    shadow.give_back(whole.0, whole.1 - whole.0);
    runtime().engine.epochs.kept.forget(0..u64::MAX);
    // What cells and lines referred to is nobody's now.
    sweep::run(&mut scope.thread().engine);
    shadow.written().count_anew();
    PATIENCE.store(i32::MAX, Ordering::Relaxed);
}
