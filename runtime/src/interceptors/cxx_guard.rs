//! Guards of C++'s local static variables: `__cxa_guard_acquire`, `__cxa_guard_release`, `__cxa_guard_abort`.
//!
//! They belong to the C++ runtime library, which the program may not have when it starts (a C program that loads a plugin), or
//! may have linked statically, where there is no "next" definition that the dynamic linker could find. So behind these
//! interceptors there is a protocol of our own where there is no real one. It uses the same bits of the guard as libstdc++,
//! and the compiler's inline check wants byte 0 to be set when the variable is initialized.

use core::ffi::c_int;
use core::sync::atomic::{AtomicU32, Ordering};

use goldilocks_core::event::{Effect, Entity, Role};

use crate::pipeline::enter;
use crate::sync_objects::{self, Kind};
use crate::{caller, interceptors, real, sys};

const READY: u32 = 1;
const RUNNING: u32 = 1 << 8;
/// Somebody may be asleep until the running initialization ends.
const AWAITED: u32 = 1 << 16;

/// The guard's first four bytes; the bytes that the library's own inline code looks at are among them.
///
/// # Safety
/// `guard` is the guard of a static variable: 8 bytes, aligned to 8.
unsafe fn word<'a>(guard: *mut u64) -> &'a AtomicU32 {
    // SAFETY: passed on to the caller; the program itself uses a guard atomically.
    unsafe { &*guard.cast::<AtomicU32>() }
}

/// Takes the right to initialize (1), or waits until somebody has done it (0).
fn acquire(word: &AtomicU32) -> c_int {
    loop {
        // Acquire: whoever finds the variable initialized, or the previous attempt given up, sees what was done to it.
        match word.compare_exchange(0, RUNNING, Ordering::Acquire, Ordering::Acquire) {
            Ok(_) => return 1,
            Err(state) if state & READY != 0 => return 0,
            Err(state) => {
                let awaited = RUNNING | AWAITED;
                // Relaxed: only puts a number there that sends the other side to the kernel.
                let marked = state == awaited
                    || word
                        .compare_exchange(RUNNING, awaited, Ordering::Relaxed, Ordering::Relaxed)
                        .is_ok();
                if marked {
                    let _ = sys::futex_wait(word, awaited, None);
                }
            }
        }
    }
}

/// Ends the initialization with the given state.
fn end(word: &AtomicU32, state: u32) {
    // Release: pairs with the acquire of others.
    if word.swap(state, Ordering::Release) & AWAITED != 0 {
        sys::futex_wake(word, i32::MAX as u32);
    }
}

macro_rules! has_real {
    ($name:ident) => {
        // Relaxed: written once, before there are threads.
        !$name::SLOT.load(Ordering::Relaxed).is_null()
    };
}

fn entity(guard: *mut u64) -> Entity {
    Entity::object(guard as u64, Role::Object)
}

interceptors! {
    fn __cxa_guard_acquire(guard: *mut u64) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        let result = unsafe {
            if has_real!(__cxa_guard_acquire) { real!(__cxa_guard_acquire)(guard) } else { acquire(word(guard)) }
        };
        // Also with the right to initialize: an earlier attempt that was given up is over before this one begins.
        if let Some(mut scope) = enter(caller) {
            sync_objects::used(guard as u64, Kind::StaticGuard);
            scope.orders(Effect::ACQUIRE, entity(guard));
        }
        result
    }

    fn __cxa_guard_release(guard: *mut u64) {
        let caller = caller!();
        if let Some(mut scope) = enter(caller) {
            scope.orders(Effect::RELEASE, entity(guard));
        }
        // SAFETY: the program's call, unchanged.
        unsafe {
            if has_real!(__cxa_guard_release) { real!(__cxa_guard_release)(guard) } else { end(word(guard), READY) }
        }
    }

    fn __cxa_guard_abort(guard: *mut u64) {
        let caller = caller!();
        if let Some(mut scope) = enter(caller) {
            scope.orders(Effect::RELEASE, entity(guard));
        }
        // SAFETY: the program's call, unchanged.
        unsafe {
            if has_real!(__cxa_guard_abort) { real!(__cxa_guard_abort)(guard) } else { end(word(guard), 0) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn one_thread_initializes_and_a_given_up_attempt_is_repeated() {
        let word = AtomicU32::new(0);
        let (attempts, value) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while acquire(&word) == 1 {
                        if attempts.fetch_add(1, Ordering::Relaxed) < 2 {
                            end(&word, 0);
                        } else {
                            value.fetch_add(1, Ordering::Relaxed);
                            end(&word, READY);
                            break;
                        }
                    }
                    assert_eq!(value.load(Ordering::Relaxed), 1);
                });
            }
        });
        assert_eq!(attempts.load(Ordering::Relaxed), 3);
        assert_eq!(word.load(Ordering::Relaxed).to_le_bytes()[0], 1);
    }
}
