//! Signals that end a run: what cargo's programs have found is told all the same.
//!
//! A terminal sends Ctrl-C to everybody in the foreground: cargo and its programs end by it, and this process, which waits for
//! them, must not. What somebody sends to this process alone is for them, too.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicI32, Ordering};

/// By these a user ends a run.
const ENDING: [libc::c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];

/// The process that is waited for; 0 while there is none.
static CHILD: AtomicI32 = AtomicI32::new(0);

/// Runs a command to its end, whatever signals come meanwhile.
pub fn outlive(command: &mut Command) -> std::io::Result<ExitStatus> {
    for signal in ENDING {
        install(signal);
    }
    let mut child = command.spawn()?;
    // Relaxed: a signal before this meets none, and there is nothing else to be seen with it.
    CHILD.store(child.id() as i32, Ordering::Relaxed);
    let status = child.wait();
    // Its number may soon be another process's.
    CHILD.store(0, Ordering::Relaxed);
    status
}

/// Ends this process by the signal that has ended another one, as shells and scripts expect. Returns if there was none.
pub fn end_like(status: ExitStatus) {
    let Some(signal) = status.signal() else {
        return;
    };
    // SAFETY: system calls without pointers, but for a limit that lives as long as the call. No second core is written.
    unsafe {
        let none = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// A handler and not `SIG_IGN`, which cargo and its programs would inherit. What is ignored already stays so, as for `nohup`.
fn install(signal: libc::c_int) {
    // SAFETY: both structures live as long as the calls; the handler does nothing but what handlers may do.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, std::ptr::null(), &mut old) == 0
            && old.sa_sigaction == libc::SIG_IGN
        {
            return;
        }
        let mut new: libc::sigaction = std::mem::zeroed();
        new.sa_sigaction = pass_on as *const () as usize;
        new.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        libc::sigaction(signal, &new, std::ptr::null_mut());
    }
}

extern "C" fn pass_on(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    _context: *mut libc::c_void,
) {
    let child = CHILD.load(Ordering::Relaxed);
    // SAFETY: the kernel gives a handler of this kind a valid description; `kill` may be called in handlers.
    unsafe {
        // Not from the terminal, which has sent it to everybody.
        if (*info).si_code <= 0 && child > 0 {
            libc::kill(child, signal);
        }
    }
}
