//! Asynchronous cancellation: it must not take a thread out of the runtime, which it would leave locked.
//!
//! To libc every thread is one that is canceled at cancellation points; that the program has said otherwise is kept in the thread's block.
//! Who cancels such a thread sends it libc's own signal for that, of which the kernel has been given our handler, [`arrived`]:
//! a thread inside the runtime ends when it leaves.

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicUsize, Ordering};

use libc::{pthread_t, siginfo_t};

use super::libc_table::{check, writes_one};
use super::signals::kernel;
use crate::pipeline::enter;
use crate::state::{is_up, runtime};
use crate::tls::{self, CANCELED_AT_ONCE, CANCELED_INSIDE, SIGNAL_PENDING};
use crate::{caller, interceptors, real, sys};

/// The signal by which libc cancels, which programs cannot use.
const SIGNAL: c_int = 32;
/// `PTHREAD_CANCEL_ENABLE`, `PTHREAD_CANCEL_DEFERRED` and `PTHREAD_CANCEL_ASYNCHRONOUS`.
const ENABLE: c_int = 0;
const DEFERRED: c_int = 0;
const ASYNCHRONOUS: c_int = 1;

// As all cancellation points, it leaves by unwinding the stack, past the runtime's frames, in which nothing is left to do. To say so ("C-unwind")
// would make the compiler put a trap in its way.
unsafe extern "C" {
    fn pthread_testcancel();
}

/// libc's handler of [`SIGNAL`], once it has installed it.
static LIBC: AtomicUsize = AtomicUsize::new(0);

/// Ends the running thread if it has been canceled, and may be at any time.
pub fn end_if_canceled() {
    // Relaxed: the block is this thread's own.
    if tls::block().flags.load(Ordering::Relaxed) & CANCELED_AT_ONCE != 0 {
        // SAFETY: the caller holds nothing: it is about to return to the program.
        unsafe { pthread_testcancel() };
    }
}

/// The thread leaves the runtime, in which it was canceled.
#[cold]
pub fn left() {
    let flags = &tls::block().flags;
    flags.fetch_and(!CANCELED_INSIDE, Ordering::Relaxed);
    end_if_canceled();
}

/// What the kernel calls.
unsafe extern "C" fn arrived(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let block = tls::block();
    if block.depth.load(Ordering::Relaxed) != 0 {
        let flags = CANCELED_INSIDE | SIGNAL_PENDING;
        block.flags.fetch_or(flags, Ordering::Relaxed);
        return;
    }
    // Acquire: pairs with `wrap`.
    let libc = LIBC.load(Ordering::Acquire);
    if libc != 0 {
        // SAFETY: libc has given it to the kernel, for these arguments.
        unsafe {
            let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) =
                core::mem::transmute(libc as *const c_void);
            handler(signal, info, context);
        }
    }
    end_if_canceled();
}

/// Puts our handler in the place of libc's, which libc installs when a thread is first canceled.
fn wrap() {
    let ours = arrived as *const () as usize;
    match kernel::handler(SIGNAL) {
        Some(theirs) if theirs > 1 && theirs != ours => {
            LIBC.store(theirs, Ordering::Release);
            kernel::replace_handler(SIGNAL, ours);
        }
        _ => {}
    }
}

interceptors! {
    fn pthread_setcanceltype(kind: c_int, old: *mut c_int) -> c_int {
        let caller = caller!();
        if !is_up() || !matches!(kind, DEFERRED | ASYNCHRONOUS) {
            // SAFETY: the program's call, here and below.
            return unsafe { real!(pthread_setcanceltype)(kind, old) };
        }
        check(caller, &[writes_one(old)]);
        let flags = &tls::block().flags;
        // Sequentially consistent, as in `pthread_cancel`: either we see that we are canceled, or who cancels sees this.
        let before = match kind {
            ASYNCHRONOUS => flags.fetch_or(CANCELED_AT_ONCE, Ordering::SeqCst),
            _ => flags.fetch_and(!CANCELED_AT_ONCE, Ordering::SeqCst),
        };
        // SAFETY: null or the program's variable.
        if let Some(old) = unsafe { old.as_mut() } {
            *old = match before & CANCELED_AT_ONCE {
                0 => DEFERRED,
                _ => ASYNCHRONOUS,
            };
        }
        end_if_canceled();
        0
    }
    fn pthread_setcancelstate(state: c_int, old: *mut c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        let failure = unsafe { real!(pthread_setcancelstate)(state, old) };
        if failure == 0 {
            check(caller, &[writes_one(old)]);
            if state == ENABLE {
                end_if_canceled();
            }
        }
        failure
    }
    fn pthread_cancel(thread: pthread_t) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        let failure = unsafe { real!(pthread_cancel)(thread) };
        if failure != 0 || !is_up() {
            return failure;
        }
        if let Some(_scope) = enter(caller) {
            wrap();
            runtime().threads.with_block_of(thread, |os_tid, block| {
                if block.flags.load(Ordering::SeqCst) & CANCELED_AT_ONCE != 0 {
                    let _ = sys::tgkill(sys::getpid(), os_tid, SIGNAL);
                }
            });
        }
        failure
    }
}
