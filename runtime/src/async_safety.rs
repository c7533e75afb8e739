//! What a signal handler must not do, because the signal may have come in the midst of anything: call a function that is not
//! async-signal-safe (POSIX.1-2017, XSH 2.4.3), and return with another `errno`.
//!
//! This holds of handlers that run asynchronously. Not of those for a signal that an instruction of the thread caused, or that the
//! thread sent to itself (`raise`, `abort`, `kill` of its own process): those interrupt nothing that the thread did not ask for.
//! A thread in such a handler has [`IN_HANDLER`] among its flags. A handler that is left by a jump ends it, too.
//!
//! Of the functions that POSIX does not list, those are looked for that allocate, lock or have state of their own. In-memory
//! formatting (`snprintf`) is not, since libc does none of that for it.

use crate::annotations::ignore::Ignored;
use crate::caller::Caller;
use crate::deferred_signals;
use crate::findings;
use crate::pipeline::enter;
use crate::report::model::ReportKind;
use crate::stack_probe;
use crate::tls::{self, IN_HANDLER};
use core::ffi::c_int;
use core::sync::atomic::Ordering;

/// Whether libc's function of this name is looked for; for the tables of interceptors, at compile time.
pub const fn is_unsafe(name: &str) -> bool {
    const UNSAFE: [&str; 33] = [
        "fopen",
        "fopen64",
        "fdopen",
        "freopen",
        "freopen64",
        "fclose",
        "popen",
        "pclose",
        "fflush",
        "fread",
        "__fread_chk",
        "fwrite",
        "fgets",
        "__fgets_chk",
        "fputs",
        "puts",
        "fputc",
        "putc",
        "putchar",
        "fgetc",
        "getc",
        "getchar",
        "ungetc",
        "getline",
        "getdelim",
        "perror",
        "setenv",
        "unsetenv",
        "putenv",
        "localtime",
        "mktime",
        "strdup",
        "strndup",
    ];
    let mut at = 0;
    while at < UNSAFE.len() {
        if same(UNSAFE[at], name) {
            return true;
        }
        at += 1;
    }
    false
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// What a thread knows of the asynchronous handler that it runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Handling {
    /// 0 outside of handlers.
    signal: c_int,
    /// What the handler has interrupted was about to make an access that is to be checked again
    /// ([`goldilocks_core::goldilocks::Thread::recheck`]): the handler's own are not it.
    recheck: bool,
    /// What it was ignoring. The handler may be any code, and has nothing to do with that.
    ignored: Ignored,
}

/// A handler of `signal` begins, which is asynchronous or not. What is returned is for [`end`].
pub fn begin(signal: c_int, asynchronous: bool) -> Option<Handling> {
    let block = tls::block();
    let state = block.thread.load(Ordering::Relaxed);
    if state.is_null() || !asynchronous {
        // Within an asynchronous handler everything is.
        return None;
    }
    // SAFETY: the thread's own state, of which nobody else uses these parts, and the interrupted code only inside the runtime, where
    // no handler runs.
    let (handling, recheck) = unsafe { (&mut (*state).handling, &mut (*state).engine.recheck) };
    let own = Handling {
        signal,
        recheck: false,
        // SAFETY: as above.
        ignored: core::mem::take(unsafe { &mut (*state).ignored }),
    };
    let mut outer = core::mem::replace(handling, own);
    outer.recheck = core::mem::take(recheck);
    block.flags.fetch_or(IN_HANDLER, Ordering::Relaxed);
    Some(outer)
}

/// It has returned.
pub fn end(outer: Option<Handling>) {
    let Some(outer) = outer else { return };
    let block = tls::block();
    let state = block.thread.load(Ordering::Relaxed);
    if state.is_null() {
        return;
    }
    // SAFETY: as above.
    unsafe {
        (*state).ignored = (*state).handling.ignored;
        (*state).handling = outer;
        (*state).engine.recheck = outer.recheck;
    }
    if outer.signal == 0 {
        block.flags.fetch_and(!IN_HANDLER, Ordering::Relaxed);
    }
}

/// The thread jumps, perhaps out of its handlers: as far as is known, it is in none.
pub fn jumped() {
    // Out of one for a fault, whatever the thread was in the midst of.
    deferred_signals::left_by_force();
    stack_probe::jumped();
    if is_in_handler() {
        end(Some(Handling::default()));
    }
}

/// Whether the running thread is in an asynchronous handler.
#[inline(always)]
pub fn is_in_handler() -> bool {
    // Relaxed: the thread's own.
    tls::block().flags.load(Ordering::Relaxed) & IN_HANDLER != 0
}

/// `name` is called and is not async-signal-safe.
#[inline(always)]
pub fn calls(caller: Caller, name: &'static str) {
    if is_in_handler() {
        called(caller, name);
    }
}

/// As [`calls`], in a handler.
#[cold]
pub fn called(caller: Caller, name: &'static str) {
    let Some(mut scope) = enter(caller) else {
        return;
    };
    let signal = scope.thread().handling.signal;
    findings::report(&mut scope, ReportKind::SignalUnsafeCall, &[], |draft| {
        let text = format!(
            "signal-unsafe call of `{name}` in a handler of {}",
            name_of(signal)
        );
        draft.headline(text);
        draft.here(&format!("Call of `{name}`"), &[]);
        draft.help(
            "the signal may have interrupted the same function: let the handler set a flag or write to a pipe, and do the rest outside of it",
            &[],
        );
    });
}

/// The handler at `address` has returned with another errno.
#[cold]
pub fn errno_changed(caller: Caller, signal: c_int, address: usize, before: c_int, after: c_int) {
    let Some(mut scope) = enter(caller) else {
        return;
    };
    // Its first instruction, as a return address.
    let site = scope.thread().site_of(&[address + 1]);
    let thread = scope.thread_number();
    findings::report_at(ReportKind::ErrnoInHandler, thread, site, &[], |draft| {
        draft.headline(format!("handler of {} changes errno", name_of(signal)));
        draft.here(
            &format!("Errno was {before} before this handler and is {after} after it, in a run"),
            &[],
        );
        draft.help(
            "the interrupted code may be about to look at errno: let the handler save it first and restore it last",
            &[],
        );
    });
}

/// `SIGALRM`, or `signal 40`.
fn name_of(signal: c_int) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
        "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
        "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    match usize::try_from(signal - 1)
        .ok()
        .and_then(|index| NAMES.get(index))
    {
        Some(name) => format!("SIG{name}"),
        None => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_their_names() {
        assert_eq!(name_of(libc::SIGALRM), "SIGALRM");
        assert_eq!(name_of(libc::SIGHUP), "SIGHUP");
        assert_eq!(name_of(libc::SIGSYS), "SIGSYS");
        assert_eq!(name_of(40), "signal 40");
        assert_eq!(name_of(0), "signal 0");
    }

    #[test]
    fn what_posix_lists_is_not_looked_for() {
        for safe in [
            "write",
            "memcpy",
            "strlen",
            "sigaction",
            "fork",
            "time",
            "sem_post",
            "snprintf",
        ] {
            assert!(!is_unsafe(safe));
        }
        assert!(is_unsafe("fopen") && is_unsafe("puts"));
    }
}
