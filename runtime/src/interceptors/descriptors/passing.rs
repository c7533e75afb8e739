//! Calls that take something out of one descriptor and put it into another: `splice`, `tee`, `sendfile`, `copy_file_range`.

use core::ffi::c_int;
use core::sync::atomic::{AtomicUsize, Ordering};

use goldilocks_core::event::{Effect, Entity};

use super::{OPENED, goes_out, input, known, output, way, way_out};
use crate::caller::Caller;
use crate::pipeline::{Scope, enter};
use crate::state::multi_threaded;
use crate::sys::lock::Lock;

/// The calls that pass data on just now: where it comes from, and where it goes.
static PASSING: Lock<Vec<(Entity, Entity)>> = Lock::new(Vec::new());
/// Their number, so that nobody else asks.
static PASSING_COUNT: AtomicUsize = AtomicUsize::new(0);

/// Acquires what may have come through calls of [`pass`] that have not returned yet.
pub fn acquire(scope: &mut Scope, way: Entity) {
    // Acquire: who has got something has it from the kernel, which got it after the call was counted.
    if PASSING_COUNT.load(Ordering::Acquire) == 0 {
        return;
    }
    let mut ways = vec![way];
    if let Some(passing) = PASSING.lock() {
        let mut at = 0;
        while at < ways.len() {
            for &(from, to) in passing.iter() {
                if to == ways[at] && !ways.contains(&from) {
                    ways.push(from);
                }
            }
            at += 1;
        }
    }
    for &from in &ways[1..] {
        scope.sync(Effect::ACQUIRE, from);
    }
}

/// A call that takes something out of one descriptor and puts it into another. It may be out there before the call returns, so until
/// then who gets it looks at what it came from.
pub fn pass(caller: Caller, from: c_int, to: c_int, call: impl FnOnce() -> isize) -> isize {
    let mut link = None;
    let mut target = 0;
    if from >= 0
        && to >= 0
        && multi_threaded()
        && let Some(mut scope) = enter(caller)
    {
        let source = known(&mut scope, from);
        target = known(&mut scope, to);
        if source > OPENED
            && let Some(out) = way_out(to, target)
            && let Some(mut passing) = PASSING.lock()
        {
            link = Some((way(source, false), out));
            passing.extend(link);
            PASSING_COUNT.fetch_add(1, Ordering::Release);
        }
    }
    let got = input(caller, from, || output(caller, to, call));
    if let Some(link) = link
        && let Some(mut scope) = enter(caller)
    {
        if got > 0 {
            // Whatever the number may mean by now.
            goes_out(&mut scope, to, target);
        }
        if let Some(mut passing) = PASSING.lock()
            && let Some(at) = passing.iter().position(|&other| other == link)
        {
            passing.swap_remove(at);
            PASSING_COUNT.fetch_sub(1, Ordering::Release);
        }
    }
    got
}
