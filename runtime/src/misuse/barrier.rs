//! Misuse of barriers: destroyed or initialized again while somebody waits, used after the destruction.
//!
//! A barrier for no threads is refused by the real function with an error that POSIX promises, which is the program's to read.

use libc::pthread_barrier_t;

use super::{graves, is_forked, mark};
use crate::caller::Caller;
use crate::findings;
use crate::pipeline::{Scope, enter};
use crate::report::model::ReportKind;

const BYTES: usize = size_of::<pthread_barrier_t>();
const NOUN: &str = "barrier";
/// Bytes that glibc does not use. There is no static initializer, and our `pthread_barrier_init` clears them.
const MARK: u64 = 24;

/// Before any real use.
///
/// # Safety
/// The barrier is initialized, or was and is destroyed.
#[inline]
pub unsafe fn using(caller: Caller, barrier: *const pthread_barrier_t, verb: &str) {
    // SAFETY: passed on to the caller.
    unsafe {
        if mark::is_set(barrier as u64, MARK) {
            mark::clear(barrier as u64, MARK);
            if let Some(mut scope) = enter(caller) {
                graves::used(&mut scope, NOUN, verb, barrier as u64, BYTES);
            }
        }
    }
}

/// Before a real destruction or initialization (`verb`) while `waiting` threads, at least one, wait for more to come.
pub fn ending(scope: &mut Scope, barrier: *const pthread_barrier_t, verb: &str, waiting: u64) {
    if is_forked() {
        return;
    }
    let address = barrier as u64;
    findings::report(scope, ReportKind::DestroyInUse, &[], |draft| {
        draft.headline(format!(
            "{} of a barrier at which threads wait",
            verb.to_lowercase()
        ));
        draft.about(address, BYTES);
        let threads = if waiting == 1 {
            "thread waits"
        } else {
            "threads wait"
        };
        draft.here(
            &format!("{verb} of {{}}, at which {waiting} {threads},"),
            &[address],
        );
        draft.help(
            "let as many threads arrive as the barrier is for, and join them first",
            &[],
        );
    });
}

/// After a real destruction.
///
/// # Safety
/// The memory is still the barrier's.
pub unsafe fn destroyed(scope: &mut Scope, barrier: *const pthread_barrier_t) {
    graves::dig(scope, barrier as u64);
    // SAFETY: passed on to the caller.
    unsafe { mark::set(barrier as u64, MARK) };
}

/// After a real initialization.
///
/// # Safety
/// The barrier is initialized.
pub unsafe fn initialized(barrier: *const pthread_barrier_t) {
    // SAFETY: passed on to the caller.
    unsafe {
        if mark::is_set(barrier as u64, MARK) {
            mark::clear(barrier as u64, MARK);
        }
    }
}
