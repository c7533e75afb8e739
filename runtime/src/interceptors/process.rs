//! The process as a whole: fork, and ways to end that pass exit's handlers by.
//!
//! For the runtime itself `fork` needs no interceptor but a place in libc's order of events. Handlers that are registered with `pthread_atfork` before
//! all others run innermost: after everything that the program does before a fork, and before anything that it does
//! after it. So the runtime is at rest for the moment of the fork only, and the program's own handlers run as any code.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_int, c_void};

use super::signal_targets::making;
use crate::forks;
use crate::pipeline;
use crate::{caller, interceptors, real};

type Handler = Option<unsafe extern "C" fn()>;

unsafe extern "C" {
    fn __register_atfork(
        prepare: Handler,
        parent: Handler,
        child: Handler,
        module: *mut c_void,
    ) -> c_int;
}

unsafe extern "C" fn before() {
    forks::before_fork();
}
unsafe extern "C" fn in_parent() {
    forks::after_fork_parent();
}
unsafe extern "C" fn in_child() {
    forks::after_fork_child();
}

/// Takes our place in the order of fork handlers. Called once, at start, before any constructor of the program.
pub fn watch_forks() {
    // SAFETY: the handlers live as long as the process (no module: they are never unregistered).
    let failed = unsafe {
        __register_atfork(
            Some(before),
            Some(in_parent),
            Some(in_child),
            core::ptr::null_mut(),
        )
    };
    debug_assert_eq!(failed, 0);
}

/// What the child of a `clone` begins with.
struct Start {
    start: unsafe extern "C" fn(*mut c_void) -> c_int,
    argument: *mut c_void,
}

unsafe extern "C" fn starts(place: *mut c_void) -> c_int {
    forks::after_fork_child();
    // SAFETY: as `clone` has passed it.
    let Start { start, argument } = unsafe { place.cast::<Start>().read() };
    // SAFETY: the program's function, with its argument.
    unsafe { start(argument) }
}

interceptors! {
    // Variadic, but the last argument is where a seventh one is. Threads that a program makes by it are not looked at.
    fn clone(start: unsafe extern "C" fn(*mut c_void) -> c_int, stack: *mut c_void, flags: c_int, argument: *mut c_void, parent: *mut c_void, tls: *mut c_void, child: *mut c_void) -> c_int {
        if flags & libc::CLONE_VM != 0 {
            // SAFETY: the program's call, unchanged.
            return unsafe { real!(clone)(start, stack, flags, argument, parent, tls, child) };
        }
        // On this stack, of which the child has a copy.
        let start = Start { start, argument };
        let place = (&raw const start).cast_mut().cast();
        making(caller!(), || {
            forks::before_fork();
            // SAFETY: the same, with a function that calls the program's.
            let made = unsafe { real!(clone)(starts, stack, flags, place, parent, tls, child) };
            forks::after_fork_parent();
            made
        })
    }
    fn _exit(status: c_int) {
        // SAFETY: as above.
        unsafe { real!(_exit)(pipeline::at_exit(status)) }
    }
    fn _Exit(status: c_int) {
        // SAFETY: as above.
        unsafe { real!(_Exit)(pipeline::at_exit(status)) }
    }
}
