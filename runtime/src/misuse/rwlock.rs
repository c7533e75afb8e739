//! Misuse of readers-writer locks.
//!
//! glibc returns `EDEADLK` for some of the waits of a writer for itself. POSIX does not promise it, so it is a finding.

use core::ffi::c_int;

use goldilocks_core::event::{Entity, Role};
use libc::pthread_rwlock_t;

use super::mutex::{destroyed_in_use, double_lock};
use super::{graves, is_forked, mark};
use crate::caller::Caller;
use crate::findings;
use crate::interceptors::lock_layout;
use crate::pipeline::{Scope, enter};
use crate::report::model::ReportKind;
use crate::state::runtime;

const BYTES: usize = size_of::<pthread_rwlock_t>();
const NOUN: &str = "rwlock";
/// A field that glibc keeps for the future.
const MARK: u64 = 40;

fn reading(rwlock: *const pthread_rwlock_t) -> Entity {
    Entity::object(rwlock as u64, Role::Readers)
}
fn writing(rwlock: *const pthread_rwlock_t) -> Entity {
    Entity::object(rwlock as u64, Role::Object)
}

/// Before any real use.
///
/// # Safety
/// The lock is initialized, or was and is destroyed.
#[inline]
pub unsafe fn using(caller: Caller, rwlock: *const pthread_rwlock_t, verb: &str) {
    // SAFETY: passed on to the caller.
    unsafe {
        if mark::is_set(rwlock as u64, MARK) {
            mark::clear(rwlock as u64, MARK);
            if let Some(mut scope) = enter(caller) {
                graves::used(&mut scope, NOUN, verb, rwlock as u64, BYTES);
            }
        }
    }
}

/// Before a real lock that waits as long as it takes, for reading or for writing.
///
/// # Safety
/// The lock is initialized.
#[inline]
pub unsafe fn waiting(caller: Caller, rwlock: *const pthread_rwlock_t, writes: bool) {
    // SAFETY: passed on to the caller.
    let (readers, writer) = unsafe { lock_layout::rwlock_holders(rwlock) };
    if writer == lock_layout::tid() || (writes && readers > 0) {
        waits_for_itself(caller, rwlock, writes, writer);
    }
}

#[cold]
fn waits_for_itself(caller: Caller, rwlock: *const pthread_rwlock_t, writes: bool, writer: c_int) {
    let Some(mut scope) = enter(caller) else {
        return;
    };
    let address = rwlock as u64;
    let verb = if writes {
        "Lock for writing"
    } else {
        "Lock for reading"
    };
    if let Some(pc) = scope.thread().held_at(writing(rwlock)) {
        if writer == lock_layout::tid() {
            double_lock(&mut scope, NOUN, verb, address, BYTES, Some(pc));
        }
    } else if let Some(pc) = scope.thread().held_at(reading(rwlock))
        && writes
        && writer == 0
    {
        let locked = scope.thread().site_of(&[pc]);
        let thread = scope.thread_number();
        findings::report(
            &mut scope,
            ReportKind::ReadLockUpgrade,
            &[locked],
            |draft| {
                draft.headline("write lock of a rwlock that the thread holds for reading");
                draft.about(address, BYTES);
                draft.here("Lock for writing of {}, which never returns,", &[address]);
                draft.there("Locked for reading before", &[], Some(thread), locked);
                draft.help(
                "a lock for reading cannot be turned into one for writing: unlock it first, and look again at what was read",
                &[],
            );
            },
        );
    }
}

/// Before a real unlock; `writes`: the thread holds it for writing.
///
/// # Safety
/// The lock is initialized.
#[inline]
pub unsafe fn unlocking(scope: &mut Scope, rwlock: *const pthread_rwlock_t, writes: bool) {
    if !writes && !scope.thread().holds(reading(rwlock)) {
        // SAFETY: passed on to the caller.
        unsafe { unlocking_not_own(scope, rwlock) };
    }
}

/// # Safety
/// The lock is initialized.
#[cold]
unsafe fn unlocking_not_own(scope: &mut Scope, rwlock: *const pthread_rwlock_t) {
    let address = rwlock as u64;
    // SAFETY: passed on to the caller.
    let (readers, writer) = unsafe { lock_layout::rwlock_holders(rwlock) };
    let owner = runtime().threads.with_os_tid(writer);
    let (kind, headline) = match (readers, writer) {
        (0, 0) => (ReportKind::UnlockOfUnlocked, "unlock of an unlocked rwlock"),
        // The writer is of another process, or was in the parent of this one.
        (0, _) if owner.is_none() => return,
        // Who the readers are the lock does not say.
        _ if is_forked() => return,
        _ => (
            ReportKind::UnlockByOther,
            "unlock of a rwlock by a thread that does not hold it",
        ),
    };
    findings::report(scope, kind, &[], |draft| {
        draft.headline(headline);
        draft.about(address, BYTES);
        match owner {
            Some(owner) => {
                draft.here(
                    &format!("Unlock of {{}}, which T{owner} holds,"),
                    &[address],
                );
                draft.mention(owner);
            }
            None => draft.here("Unlock of {}", &[address]),
        }
        draft.help("unlock only what the thread has locked, and once", &[]);
    });
}

/// Before a real destruction.
///
/// # Safety
/// The lock is initialized.
pub unsafe fn destroying(caller: Caller, rwlock: *const pthread_rwlock_t) {
    // SAFETY: passed on to the caller.
    let (readers, writer) = unsafe {
        using(caller, rwlock, "Destruction");
        lock_layout::rwlock_holders(rwlock)
    };
    if (readers == 0 && writer == 0) || is_forked() {
        return;
    }
    if let Some(mut scope) = enter(caller) {
        let owner = runtime().threads.with_os_tid(writer);
        if writer != 0 && owner.is_none() {
            return;
        }
        destroyed_in_use(&mut scope, "locked rwlock", rwlock as u64, BYTES, owner);
    }
}

/// After a real destruction.
///
/// # Safety
/// The memory is still the lock's.
pub unsafe fn destroyed(scope: &mut Scope, rwlock: *const pthread_rwlock_t) {
    graves::dig(scope, rwlock as u64);
    // SAFETY: passed on to the caller.
    unsafe { mark::set(rwlock as u64, MARK) };
}
