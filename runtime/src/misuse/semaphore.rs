//! Misuse of semaphores: destroyed while somebody waits, used afterwards.

use core::sync::atomic::{AtomicU64, Ordering};

use libc::sem_t;

use super::{graves, is_forked, mark};
use crate::caller::Caller;
use crate::findings;
use crate::pipeline::{Scope, enter};
use crate::report::model::ReportKind;

const BYTES: usize = size_of::<sem_t>();
const NOUN: &str = "semaphore";
/// Bytes that glibc does not use. There is no static initializer, and our `sem_init` clears them.
const MARK: u64 = 16;

/// Before any real use.
///
/// # Safety
/// The semaphore is initialized, or was and is destroyed.
#[inline]
pub unsafe fn using(caller: Caller, semaphore: *const sem_t, verb: &str) {
    // SAFETY: passed on to the caller.
    unsafe {
        if mark::is_set(semaphore as u64, MARK) {
            mark::clear(semaphore as u64, MARK);
            if let Some(mut scope) = enter(caller) {
                graves::used(&mut scope, NOUN, verb, semaphore as u64, BYTES);
            }
        }
    }
}

/// Threads that wait for a unit, and units.
///
/// # Safety
/// The semaphore is initialized.
unsafe fn waiters_and_value(semaphore: *const sem_t) -> (u32, u32) {
    // SAFETY: glibc's semaphore begins with this word, and changes it atomically. Relaxed: a glance.
    let word = unsafe { &*semaphore.cast::<AtomicU64>() }.load(Ordering::Relaxed);
    ((word >> 32) as u32, word as u32)
}

/// Before a real destruction.
///
/// # Safety
/// The semaphore is initialized.
pub unsafe fn destroying(caller: Caller, semaphore: *const sem_t) {
    // SAFETY: passed on to the caller.
    let (waiters, value) = unsafe {
        using(caller, semaphore, "Destruction");
        waiters_and_value(semaphore)
    };
    // With a unit left a waiter may be on its way out. In a forked child the waiters may be those of the parent.
    if waiters == 0 || value != 0 || is_forked() {
        return;
    }
    if let Some(mut scope) = enter(caller) {
        let address = semaphore as u64;
        findings::report(&mut scope, ReportKind::DestroyInUse, &[], |draft| {
            draft.headline("destruction of a semaphore for which threads wait");
            draft.about(address, BYTES);
            let threads = if waiters == 1 {
                "thread waits"
            } else {
                "threads wait"
            };
            draft.here(
                &format!("Destruction of {{}}, for which {waiters} {threads},"),
                &[address],
            );
            draft.help(
                "post as often as there are waiters, and join them first",
                &[],
            );
        });
    }
}

/// After a real destruction.
///
/// # Safety
/// The memory is still the semaphore's.
pub unsafe fn destroyed(scope: &mut Scope, semaphore: *const sem_t) {
    graves::dig(scope, semaphore as u64);
    // SAFETY: passed on to the caller.
    unsafe { mark::set(semaphore as u64, MARK) };
}

/// After a real initialization.
///
/// # Safety
/// The semaphore is initialized.
pub unsafe fn initialized(semaphore: *const sem_t) {
    // SAFETY: passed on to the caller.
    unsafe {
        if mark::is_set(semaphore as u64, MARK) {
            mark::clear(semaphore as u64, MARK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_semaphore_says_how_many_wait_for_it() {
        // SAFETY: a semaphore that outlives the threads that use it, and `leaked` its address.
        unsafe {
            let semaphore = Box::leak(Box::new(core::mem::zeroed::<sem_t>())) as *mut sem_t;
            assert_eq!(libc::sem_init(semaphore, 0, 3), 0);
            assert_eq!(waiters_and_value(semaphore), (0, 3));
            for _ in 0..3 {
                assert_eq!(libc::sem_wait(semaphore), 0);
            }
            let leaked = semaphore as usize;
            let waiter = std::thread::spawn(move || libc::sem_wait(leaked as *mut sem_t));
            while waiters_and_value(semaphore) != (1, 0) {
                std::thread::yield_now();
            }
            assert_eq!(libc::sem_post(semaphore), 0);
            assert_eq!(waiter.join().unwrap(), 0);
            assert_eq!(waiters_and_value(semaphore), (0, 0));
        }
    }
}
