//! Children of the process: waiting for them.
//!
//! A child is found after it was made, perhaps by another thread here, and if a signal has ended, stopped or continued it, after that was sent: it is
//! taken in the child's place.

use core::ffi::{c_char, c_int, c_uint, c_void};

use super::libc_table::{check, writes, writes_one};
use super::signal_targets::{found, makes, making};
use crate::caller::Caller;
use crate::{caller, interceptors, real};

/// The signal of which a status from `wait` and its like tells; 0 if it tells of none.
fn signal_in(status: c_int) -> c_int {
    if libc::WIFSIGNALED(status) {
        libc::WTERMSIG(status)
    } else if libc::WIFSTOPPED(status) {
        libc::WSTOPSIG(status)
    } else if libc::WIFCONTINUED(status) {
        libc::SIGCONT
    } else {
        0
    }
}

/// Waits by `call`, which is given a place for the status, whether the program wants it or not.
///
/// # Safety
/// As for `wait`, with the program's pointers.
unsafe fn waited(
    caller: Caller,
    status: *mut c_int,
    usage: *mut libc::rusage,
    call: impl FnOnce(*mut c_int) -> c_int,
) -> c_int {
    let mut own = 0;
    let place = if status.is_null() {
        &raw mut own
    } else {
        status
    };
    let child = call(place);
    if child > 0 {
        // SAFETY: the kernel has filled it.
        found(caller, child, signal_in(unsafe { *place }));
        check(caller, &[writes_one(status), writes_one(usage)]);
    }
    child
}

/// Makes a child by `call`, which is given a place for its number, whether the program wants it or not.
///
/// # Safety
/// As for `posix_spawn`.
unsafe fn spawned(
    caller: Caller,
    child: *mut c_int,
    call: impl FnOnce(*mut c_int) -> c_int,
) -> c_int {
    let mut own = 0;
    let place = if child.is_null() { &raw mut own } else { child };
    makes(caller, || {
        let result = call(place);
        // SAFETY: libc has filled it, if it has not failed.
        let child = if result == 0 { unsafe { *place } } else { 0 };
        (result, child)
    })
}

interceptors! {
    fn fork() -> c_int {
        // SAFETY: the program's call, here and below.
        making(caller!(), || unsafe { real!(fork)() })
    }
    fn __fork() -> c_int {
        // SAFETY: as above.
        making(caller!(), || unsafe { real!(__fork)() })
    }
    // The child of a vfork runs in the parent's memory, and what it does there would count as the parent's. A real fork
    // gives what POSIX promises of vfork.
    fn vfork() -> c_int {
        // SAFETY: as above.
        making(caller!(), || unsafe { real!(fork)() })
    }
    fn posix_spawn(child: *mut c_int, path: *const c_char, actions: *const c_void, attributes: *const c_void, arguments: *const *mut c_char, environment: *const *mut c_char) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { spawned(caller, child, |child| real!(posix_spawn)(child, path, actions, attributes, arguments, environment)) }
    }
    fn posix_spawnp(child: *mut c_int, file: *const c_char, actions: *const c_void, attributes: *const c_void, arguments: *const *mut c_char, environment: *const *mut c_char) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { spawned(caller, child, |child| real!(posix_spawnp)(child, file, actions, attributes, arguments, environment)) }
    }
    fn wait(status: *mut c_int) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, here and below.
        unsafe { waited(caller, status, core::ptr::null_mut(), |status| real!(wait)(status)) }
    }
    fn __wait(status: *mut c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { waited(caller, status, core::ptr::null_mut(), |status| real!(__wait)(status)) }
    }
    fn waitpid(child: c_int, status: *mut c_int, options: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { waited(caller, status, core::ptr::null_mut(), |status| real!(waitpid)(child, status, options)) }
    }
    fn __waitpid(child: c_int, status: *mut c_int, options: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { waited(caller, status, core::ptr::null_mut(), |status| real!(__waitpid)(child, status, options)) }
    }
    fn wait3(status: *mut c_int, options: c_int, usage: *mut libc::rusage) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { waited(caller, status, usage, |status| real!(wait3)(status, options, usage)) }
    }
    fn wait4(child: c_int, status: *mut c_int, options: c_int, usage: *mut libc::rusage) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { waited(caller, status, usage, |status| real!(wait4)(child, status, options, usage)) }
    }
    fn waitid(kind: c_uint, id: c_uint, about: *mut libc::siginfo_t, options: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above; the kernel has filled what is looked at.
        unsafe {
            let mut own: libc::siginfo_t = core::mem::zeroed();
            let place = if about.is_null() { &raw mut own } else { about };
            let result = real!(waitid)(kind, id, place, options);
            if result == 0 {
                // Without a child that has changed (WNOHANG), the signal is 0.
                if (*place).si_signo == libc::SIGCHLD {
                    let has_exited = (*place).si_code == libc::CLD_EXITED;
                    let signal = if has_exited { 0 } else { (*place).si_status() };
                    found(caller, (*place).si_pid(), signal);
                }
                // Of the structure, the six fields that a child needs.
                if !about.is_null() {
                    check(caller, &[writes(about, 12), writes(about.wrapping_byte_add(16), 12)]);
                }
            }
            result
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_tells_of_the_signal_that_was_its_cause() {
        assert_eq!(signal_in(0), 0);
        assert_eq!(signal_in(3 << 8), 0);
        assert_eq!(signal_in(libc::SIGKILL), libc::SIGKILL);
        assert_eq!(signal_in(0x80 | libc::SIGSEGV), libc::SIGSEGV);
        assert_eq!(signal_in(libc::SIGSTOP << 8 | 0x7f), libc::SIGSTOP);
        assert_eq!(signal_in(0xffff), libc::SIGCONT);
    }
}
