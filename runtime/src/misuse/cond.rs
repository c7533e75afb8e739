//! Misuse of condition variables: destroyed while somebody waits, waited for with two mutexes at a time, used after
//! the destruction.
//!
//! Which threads are blocked is not what is inside of a wait: a thread that was signaled is free to go, and the variable may be
//! destroyed although it has not left yet. So a signal gives a *credit*, a broadcast one for each thread inside, and only
//! more threads inside than credits are surely blocked. A signal that comes too early for a thread that is about to block
//! gives one too many; so nothing is ever reported too much.

use core::sync::atomic::{AtomicU32, Ordering};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use goldilocks_core::line::Site;
use libc::{pthread_cond_t, pthread_mutex_t};

use super::{graves, mark};
use crate::caller::Caller;
use crate::findings;
use crate::pipeline::{Scope, enter};
use crate::report::model::ReportKind;

const BYTES: usize = size_of::<pthread_cond_t>();
const NOUN: &str = "condition variable";
/// Signals that nobody has taken; of no meaning in a destroyed one.
const MARK: u64 = 40;

/// The waits for one condition variable.
struct Waits {
    inside: u32,
    credits: u32,
    mutex: u64,
    /// Who began to wait last, and where.
    thread: u32,
    site: Site,
}

/// Condition variables for which threads wait.
static WAITS: Mutex<BTreeMap<u64, Waits>> = Mutex::new(BTreeMap::new());

const CLASSES: usize = 256;

/// Threads that wait, by a hash of the address: a signal that nobody waits for costs one look.
static INSIDE: [AtomicU32; CLASSES] = [const { AtomicU32::new(0) }; CLASSES];

fn class(condition: u64) -> &'static AtomicU32 {
    &INSIDE[(condition >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize >> 56]
}

/// Taken inside the runtime only, so that a fork finds it free.
fn waits() -> MutexGuard<'static, BTreeMap<u64, Waits>> {
    WAITS
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// In a forked child: those that waited are not in this process.
pub fn after_fork_child() {
    waits().clear();
    // Relaxed: one thread.
    INSIDE
        .iter()
        .for_each(|class| class.store(0, Ordering::Relaxed));
}

/// Before any real use.
///
/// # Safety
/// The condition variable is initialized, or was and is destroyed.
#[inline]
pub unsafe fn using(caller: Caller, condition: *const pthread_cond_t, verb: &str) {
    // SAFETY: passed on to the caller.
    unsafe {
        if mark::is_set(condition as u64, MARK) {
            mark::clear(condition as u64, MARK);
            if let Some(mut scope) = enter(caller) {
                graves::used(&mut scope, NOUN, verb, condition as u64, BYTES);
            }
        }
    }
}

/// Before a real wait.
pub fn begins(scope: &mut Scope, condition: *const pthread_cond_t, mutex: *const pthread_mutex_t) {
    let (address, mutex) = (condition as u64, mutex as u64);
    let (thread, site) = (scope.thread_number(), scope.stack());
    // Relaxed: a signal that must see this comes after a lock of the mutex that the wait unlocks.
    class(address).fetch_add(1, Ordering::Relaxed);
    let other = {
        let mut waits = waits();
        let entry = waits.entry(address).or_insert(Waits {
            inside: 0,
            credits: 0,
            mutex,
            thread,
            site,
        });
        let blocked = entry.inside > entry.credits;
        let other =
            (blocked && entry.mutex != mutex).then_some((entry.mutex, entry.thread, entry.site));
        entry.inside += 1;
        (entry.mutex, entry.thread, entry.site) = (mutex, thread, site);
        other
    };
    if let Some((other_mutex, other, other_site)) = other {
        findings::report(scope, ReportKind::Misuse, &[other_site], |draft| {
            draft.headline("wait on one condition variable with two mutexes at a time");
            draft.about(address, BYTES);
            draft.here("Wait for {} with {}", &[address, mutex]);
            draft.there(
                "Wait that goes on, with {}",
                &[other_mutex],
                Some(other),
                other_site,
            );
            draft.help("use one mutex for all waits on a condition variable", &[]);
        });
    }
}

/// After a real wait, or when the thread is cancelled in it. `signaled`: it may have taken a signal. Whether nobody waits any more.
pub fn ends(condition: *const pthread_cond_t, signaled: bool) -> bool {
    let address = condition as u64;
    let mut waits = waits();
    if let Some(entry) = waits.get_mut(&address) {
        entry.inside = entry.inside.saturating_sub(1);
        if signaled {
            entry.credits = entry.credits.saturating_sub(1);
        }
        entry.credits = entry.credits.min(entry.inside);
        let last = entry.inside == 0;
        if last {
            waits.remove(&address);
        }
        // Relaxed: see `begins`.
        class(address).fetch_sub(1, Ordering::Relaxed);
        return last;
    }
    false
}

/// Before a real signal, to one thread or to all. Inside the runtime if somebody waits.
#[inline]
pub fn signals(caller: Caller, condition: *const pthread_cond_t, all: bool) -> Option<Scope> {
    // Relaxed: see `begins`.
    if class(condition as u64).load(Ordering::Relaxed) != 0 {
        credit(caller, condition as u64, all)
    } else {
        None
    }
}

fn credit(caller: Caller, condition: u64, all: bool) -> Option<Scope> {
    let scope = enter(caller)?;
    let mut waits = waits();
    let entry = waits.get_mut(&condition)?;
    entry.credits = if all {
        entry.inside
    } else {
        (entry.credits + 1).min(entry.inside)
    };
    Some(scope)
}

/// Before a real destruction.
///
/// # Safety
/// The condition variable is initialized.
pub unsafe fn destroying(caller: Caller, condition: *const pthread_cond_t) {
    // SAFETY: passed on to the caller.
    unsafe { using(caller, condition, "Destruction") };
    let address = condition as u64;
    if class(address).load(Ordering::Relaxed) == 0 {
        return;
    }
    let Some(mut scope) = enter(caller) else {
        return;
    };
    let waiter = waits()
        .get(&address)
        .filter(|entry| entry.inside > entry.credits)
        .map(|entry| (entry.inside - entry.credits, entry.thread, entry.site));
    let Some((blocked, thread, site)) = waiter else {
        return;
    };
    findings::report(&mut scope, ReportKind::DestroyInUse, &[site], |draft| {
        draft.headline("destruction of a condition variable for which threads wait");
        draft.about(address, BYTES);
        let threads = if blocked == 1 {
            "thread waits"
        } else {
            "threads wait"
        };
        draft.here(
            &format!("Destruction of {{}}, for which {blocked} {threads},"),
            &[address],
        );
        draft.there("Latest wait", &[], Some(thread), site);
        draft.help(
            "wake those that wait by a broadcast, or join them, first",
            &[],
        );
    });
}

/// After a real destruction.
///
/// # Safety
/// The memory is still the condition variable's.
pub unsafe fn destroyed(scope: &mut Scope, condition: *const pthread_cond_t) {
    graves::dig(scope, condition as u64);
    // SAFETY: passed on to the caller.
    unsafe { mark::set(condition as u64, MARK) };
}
