//! The calling thread's signal mask, and writing without the signals that it may bring.

use core::time::Duration;

use super::{Errno, Result, call, syscall, write_all};

/// Signal mask of the calling thread, as the kernel has it.
#[derive(Clone, Copy)]
pub struct SignalMask(u64);

/// Blocks every signal; returns the mask to be restored.
pub fn block_signals() -> SignalMask {
    change_signal_mask(libc::SIG_SETMASK, u64::MAX)
}

fn change_signal_mask(how: i32, signals: u64) -> SignalMask {
    let mut old = 0u64;
    // SAFETY: both are 8 bytes, the size of the kernel's signal set.
    let _ = unsafe { syscall!(SYS_rt_sigprocmask, how, &raw const signals, &raw mut old, 8) };
    SignalMask(old)
}

pub fn restore_signals(mask: SignalMask) {
    // SAFETY: 8 bytes, the size of the kernel's signal set; the old mask is not asked for.
    let _ = unsafe {
        syscall!(
            SYS_rt_sigprocmask,
            libc::SIG_SETMASK,
            &raw const mask.0,
            0,
            8
        )
    };
}

/// Signals that wait until the thread does not block them any more.
fn pending_signals() -> u64 {
    let mut pending = 0u64;
    // SAFETY: 8 bytes, the size of the kernel's signal set.
    let _ = unsafe { syscall!(SYS_rt_sigpending, &raw mut pending, 8) };
    pending
}

/// Writes all of `bytes` as [`write_all`] does, but a reader that has gone away, or a file that may not grow, is only an error:
/// the signal that the kernel sends because of it does not reach the program.
pub fn write_all_quietly(fd: i32, bytes: &[u8], patience: Duration) -> Result<()> {
    const SENT: u64 = 1 << (libc::SIGPIPE - 1) | 1 << (libc::SIGXFSZ - 1);
    let mask = change_signal_mask(libc::SIG_BLOCK, SENT);
    let before = pending_signals();
    let written = write_all(fd, bytes, patience);
    if let Err(Errno(libc::EPIPE | libc::EFBIG)) = written {
        // One that was waiting already is the program's.
        let ours = SENT & pending_signals() & !before;
        let at_once = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: the set has 8 bytes; nothing is to be written.
        let _ = unsafe {
            syscall!(
                SYS_rt_sigtimedwait,
                &raw const ours,
                0,
                &raw const at_once,
                8
            )
        };
    }
    restore_signals(mask);
    written
}
