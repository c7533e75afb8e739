//! Misuse of mutexes.
//!
//! Error-checking and robust mutexes return an error for each misuse, by POSIX; a program may rely on that, so it is
//! left to it.

use goldilocks_core::event::{Entity, Role};
use libc::pthread_mutex_t;

use crate::findings;
use crate::interceptors::lock_layout;
use crate::pipeline::Scope;
use crate::report::model::ReportKind;
use crate::state::runtime;

const BYTES: usize = size_of::<pthread_mutex_t>();

/// The running thread is about to unlock a mutex that does not name it as its owner.
///
/// # Safety
/// The mutex is initialized.
#[cold]
pub unsafe fn unlocking_not_own(scope: &mut Scope, mutex: *const pthread_mutex_t) {
    // SAFETY: passed on to the caller.
    let Some(state) = (unsafe { lock_layout::mutex_state(mutex) }) else {
        return;
    };
    let address = mutex as u64;
    if state.checks || state.owner == lock_layout::tid() {
        return;
    }
    if !state.locked {
        findings::report(scope, ReportKind::UnlockOfUnlocked, &[], |draft| {
            draft.headline("unlock of an unlocked mutex");
            draft.about(address, BYTES);
            draft.here("Unlock of {}", &[address]);
            draft.help("unlock only what the thread has locked, and once", &[]);
        });
        return;
    }
    // After a fork the child holds what its thread has locked before, under the thread's former id.
    if scope.thread().holds(Entity::object(address, Role::Object)) {
        return;
    }
    // Unless it is a thread that we know, the owner may be of the process that has forked this one, or of another program.
    let Some(owner) = runtime().threads.with_os_tid(state.owner) else {
        return;
    };
    findings::report(scope, ReportKind::UnlockByOther, &[], |draft| {
        draft.headline("unlock of a mutex by a thread that does not hold it");
        draft.about(address, BYTES);
        draft.here(
            &format!("Unlock of {{}}, which T{owner} holds,"),
            &[address],
        );
        draft.mention(owner);
        draft.help(
            "let the thread that has locked a mutex unlock it; to pass a turn to another thread, use a semaphore",
            &[],
        );
    });
}
