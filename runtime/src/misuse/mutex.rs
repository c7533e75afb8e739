//! Misuse of mutexes.
//!
//! Error-checking and robust mutexes return an error for an unlock by a thread that does not hold them and for a second lock, by
//! POSIX; a program may rely on that, so it is left to it. Attempts that give up (try, timed) come back, so they are no finding
//! either.

use core::ffi::c_int;

use goldilocks_core::event::{Entity, Role};
use libc::pthread_mutex_t;

use super::{graves, is_forked};
use crate::caller::Caller;
use crate::findings;
use crate::interceptors::lock_layout::{self, MutexState};
use crate::pipeline::{Scope, enter};
use crate::report::model::ReportKind;
use crate::state::runtime;
use crate::sync_objects::{self, Kind};

const BYTES: usize = size_of::<pthread_mutex_t>();
const NOUN: &str = "mutex";

fn entity(mutex: *const pthread_mutex_t) -> Entity {
    Entity::object(mutex as u64, Role::Object)
}

/// The running thread is about to unlock a mutex that does not name it as its owner, or to wait with it.
///
/// # Safety
/// The mutex is initialized.
#[cold]
pub unsafe fn unlocking_not_own(scope: &mut Scope, mutex: *const pthread_mutex_t, waiting: bool) {
    let address = mutex as u64;
    // SAFETY: passed on to the caller.
    if unsafe { lock_layout::is_destroyed(mutex) } {
        graves::used(scope, NOUN, "Unlock", address, BYTES);
        return;
    }
    // SAFETY: passed on to the caller.
    let Some(state) = (unsafe { lock_layout::mutex_state(mutex) }) else {
        return;
    };
    if state.checks || state.owner == lock_layout::tid() {
        return;
    }
    let owner = if state.locked {
        // After a fork the child holds what its thread has locked before, under the thread's former id.
        if scope.thread().holds(entity(mutex)) {
            return;
        }
        // Unless it is a thread that we know, the owner may be of the process that has forked this one, or of another
        // program.
        match runtime().threads.with_os_tid(state.owner) {
            None => return,
            owner => owner,
        }
    } else {
        None
    };
    let (kind, headline) = match (waiting, owner) {
        (true, _) => (
            ReportKind::Misuse,
            "wait on a condition variable with a mutex that the thread does not hold",
        ),
        (false, None) => (ReportKind::UnlockOfUnlocked, "unlock of an unlocked mutex"),
        (false, Some(_)) => (
            ReportKind::UnlockByOther,
            "unlock of a mutex by a thread that does not hold it",
        ),
    };
    findings::report(scope, kind, &[], |draft| {
        draft.headline(headline);
        draft.about(address, BYTES);
        let deed = if waiting { "Wait with" } else { "Unlock of" };
        match owner {
            None if waiting => draft.here("Wait with {}, which is unlocked,", &[address]),
            None => draft.here("Unlock of {}", &[address]),
            Some(owner) => {
                draft.here(&format!("{deed} {{}}, which T{owner} holds,"), &[address]);
                draft.mention(owner);
            }
        }
        draft.help(
            match (waiting, owner) {
                (true, _) => "lock the mutex before the wait, and test the condition while it is held",
                (_, None) => "unlock only what the thread has locked, and once",
                _ => "let the thread that has locked a mutex unlock it; to pass a turn to another thread, use a semaphore",
            },
            &[],
        );
    });
}

/// The running thread is about to lock a mutex that names it as its owner. Such a lock of a recursive one is common.
///
/// # Safety
/// The mutex is initialized.
#[inline]
pub unsafe fn locking_own(caller: Caller, mutex: *const pthread_mutex_t) {
    // SAFETY: passed on to the caller.
    if !unsafe { lock_layout::is_recursive(mutex) } {
        // SAFETY: passed on to the caller.
        unsafe { locking_twice(caller, mutex) }
    }
}

/// # Safety
/// The mutex is initialized.
#[cold]
unsafe fn locking_twice(caller: Caller, mutex: *const pthread_mutex_t) {
    // SAFETY: passed on to the caller.
    let Some(state) = (unsafe { lock_layout::mutex_state(mutex) }) else {
        return;
    };
    if !state.locked || state.checks || state.recursive {
        return;
    }
    let Some(mut scope) = enter(caller) else {
        return;
    };
    // A thread of another process, with a table of threads of its own, may have the same id.
    let held = scope.thread().held_at(entity(mutex));
    if state.shared && held.is_none() {
        return;
    }
    double_lock(&mut scope, NOUN, "Lock", mutex as u64, BYTES, held);
}

/// The running thread is about to wait for ever for the lock at `address`, which it has locked at `held`.
pub fn double_lock(
    scope: &mut Scope,
    noun: &str,
    verb: &str,
    address: u64,
    bytes: usize,
    held: Option<usize>,
) {
    let locked = held.map_or(0, |pc| scope.thread().site_of(&[pc]));
    let thread = scope.thread_number();
    findings::report(scope, ReportKind::DoubleLock, &[locked], |draft| {
        draft.headline(format!("double lock of a {noun}"));
        draft.about(address, bytes);
        draft.here(&format!("{verb} of {{}}, which never returns,"), &[address]);
        if locked != 0 {
            draft.there("Locked before", &[], Some(thread), locked);
        }
        draft.help(
            &format!(
                "the thread waits for itself: unlock the {noun} first{}",
                if noun == NOUN {
                    ", or make it recursive"
                } else {
                    ""
                }
            ),
            &[],
        );
    });
}

/// A real call has refused the mutex as invalid.
///
/// # Safety
/// The mutex points to readable memory.
#[cold]
pub unsafe fn refused(caller: Caller, mutex: *const pthread_mutex_t, verb: &str) {
    // SAFETY: passed on to the caller.
    if unsafe { lock_layout::is_destroyed(mutex) }
        && let Some(mut scope) = enter(caller)
    {
        graves::used(&mut scope, NOUN, verb, mutex as u64, BYTES);
    }
}

/// Whether the state is that of a mutex that the running thread or another one of this process surely holds.
fn is_held_here(scope: &mut Scope, mutex: *const pthread_mutex_t, state: MutexState) -> bool {
    if !state.locked {
        return false;
    }
    if is_forked() || state.shared {
        return runtime().threads.with_os_tid(state.owner).is_some()
            && (!state.shared || scope.thread().holds(entity(mutex)));
    }
    true
}

/// Before a real destruction.
///
/// # Safety
/// The mutex is initialized.
pub unsafe fn destroying(caller: Caller, mutex: *const pthread_mutex_t) {
    // SAFETY: passed on to the caller.
    if unsafe { lock_layout::is_destroyed(mutex) } {
        // SAFETY: passed on to the caller.
        unsafe { refused(caller, mutex, "Destruction") };
        return;
    }
    // SAFETY: passed on to the caller.
    let Some(state) = (unsafe { lock_layout::mutex_state(mutex) }).filter(|state| state.locked)
    else {
        return;
    };
    if let Some(mut scope) = enter(caller)
        && is_held_here(&mut scope, mutex, state)
    {
        let owner = runtime().threads.with_os_tid(state.owner);
        destroyed_in_use(&mut scope, "locked mutex", mutex as u64, BYTES, owner);
    }
}

/// The running thread is about to destroy a lock that somebody holds, `owner` if that is known.
pub fn destroyed_in_use(
    scope: &mut Scope,
    what: &str,
    address: u64,
    bytes: usize,
    owner: Option<u32>,
) {
    let held = match owner {
        Some(owner) if owner == scope.thread_number() => scope
            .thread()
            .held_at(Entity::object(address, Role::Object)),
        _ => None,
    };
    let locked = held.map_or(0, |pc| scope.thread().site_of(&[pc]));
    findings::report(scope, ReportKind::DestroyInUse, &[locked], |draft| {
        draft.headline(format!("destruction of a {what}"));
        draft.about(address, bytes);
        match owner {
            Some(owner) if locked == 0 => {
                draft.here(
                    &format!("Destruction of {{}}, which T{owner} holds,"),
                    &[address],
                );
                draft.mention(owner);
            }
            _ => draft.here("Destruction of {}", &[address]),
        }
        if locked != 0 {
            draft.there("Locked", &[], owner, locked);
        }
        draft.help("unlock it first, and let nobody use it any more", &[]);
    });
}

/// Before a real initialization. A mutex that is held is in use; memory that was given another purpose without a
/// destruction is told from that by what its holder was seen to lock.
///
/// # Safety
/// The memory is that of a mutex, initialized or not.
pub unsafe fn initializing(caller: Caller, mutex: *const pthread_mutex_t) {
    let is_mutex = |kind| matches!(kind, Kind::Mutex | Kind::RecursiveMutex);
    // SAFETY: passed on to the caller; whatever the bytes are, they are only looked at.
    let Some(state) = (unsafe { lock_layout::mutex_state(mutex) }).filter(|state| state.locked)
    else {
        return;
    };
    let address = mutex as u64;
    let Some(mut scope) = enter(caller) else {
        return;
    };
    // What a stack holds is not known to be the same object still, nor is what the fork has copied.
    if !sync_objects::describe(address).is_some_and(|object| is_mutex(object.kind))
        || runtime().threads.stack_owner(address as usize).is_some()
        || state.owner != lock_layout::tid()
        || !scope.thread().holds(entity(mutex))
    {
        return;
    }
    findings::report(&mut scope, ReportKind::Misuse, &[], |draft| {
        draft.headline("initialization of a locked mutex");
        draft.about(address, BYTES);
        draft.here("Initialization of {}, which the thread holds,", &[address]);
        draft.help("initialize a mutex once, before its first use", &[]);
    });
}

/// Whether this result says that the mutex is not a valid one.
#[inline(always)]
pub fn is_refusal(result: c_int) -> bool {
    result == libc::EINVAL
}
