//! The parts of a `taskloop`: libomp makes them itself, as duplicates of a pattern that the program has made.
//!
//! What a part keeps of the program's variables libomp copies, unless they have constructors: for these it calls a function of the compiler's. The memory of the new
//! task has been another one's before, so the runtime stands between libomp and that function, and says so before it writes there.

use super::region::caller;
use crate::pipeline::enter;
use crate::tls;
use core::ffi::{c_int, c_void};
use core::sync::atomic::Ordering;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

/// What makes in the new task what the pattern has.
type Duplicate = unsafe extern "C" fn(to: *mut c_void, from: *mut c_void, last: c_int);

/// What is duplicated: patterns, and duplicates that libomp duplicates in turn. By address; a task whose memory is used again takes the place of the one before.
static PATTERNS: Mutex<BTreeMap<usize, (Duplicate, usize)>> = Mutex::new(BTreeMap::new());

/// Taken inside the runtime, so that a fork finds it free.
fn patterns() -> MutexGuard<'static, BTreeMap<usize, (Duplicate, usize)>> {
    PATTERNS
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The function to pass to libomp for that of the program's, which duplicates `task`, which the thread has just made.
pub fn instead(task: *mut c_void, function: *mut c_void) -> *mut c_void {
    let Some(mut scope) = enter(caller(core::ptr::null())) else {
        return function;
    };
    let (made, bytes) = scope.thread().openmp.made;
    if function.is_null() || made != task.addr() {
        return function;
    }
    // SAFETY: the compiler passes such a function.
    let function = unsafe { core::mem::transmute::<*mut c_void, Duplicate>(function) };
    patterns().insert(made, (function, bytes));
    duplicate as *mut c_void
}

unsafe extern "C" fn duplicate(to: *mut c_void, from: *mut c_void, last: c_int) {
    let function = {
        let scope = enter(caller(core::ptr::null()));
        // Where the runtime cannot be entered, as where nothing is looked at, it counts as entered while the table is locked.
        let block = tls::block();
        block.depth.fetch_add(1, Ordering::Relaxed);
        let mut patterns = patterns();
        let found = patterns.get(&from.addr()).copied();
        let (function, bytes) = found.expect("what libomp duplicates is a pattern");
        patterns.insert(to.addr(), (function, bytes));
        drop(patterns);
        block.depth.fetch_sub(1, Ordering::Relaxed);
        if let Some(mut scope) = scope {
            scope.fresh(to, bytes);
        }
        function
    };
    // SAFETY: as libomp would call it.
    unsafe { function(to, from, last) }
}
