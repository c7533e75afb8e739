//! Signals that arrive while their thread is inside the runtime wait until it leaves.

use crate::state::is_up;
use crate::sys;
use crate::thread::ThreadState;
use crate::tls::{self, SIGNAL_PENDING, TlsBlock};
use core::ffi::c_void;
use core::sync::atomic::Ordering;

/// Signals that arrived inside the runtime: number and siginfo.
#[derive(Default)]
pub struct SignalQueue {
    waiting: Vec<(i32, [u64; 16])>,
}

/// Whether the running thread is inside the runtime.
pub fn in_runtime() -> bool {
    is_up() && tls::block().depth.load(Ordering::Relaxed) != 0
}

/// The running thread will not go on in the runtime where it was, if it was there: what it did is given up.
pub fn left_by_force() {
    if in_runtime() {
        tls::block().depth.store(0, Ordering::Release);
    }
}

/// Queues a signal for the running thread until it leaves the runtime. False if it cannot be queued: deliver it now.
///
/// # Safety
/// Called from a signal handler of the running thread, which is inside the runtime; `info` is the handler's or null.
pub unsafe fn defer_signal(
    signal: i32,
    info: *const libc::siginfo_t,
    _context: *const c_void,
) -> bool {
    let block = tls::block();
    let state = block.thread.load(Ordering::Relaxed);
    if state.is_null() {
        return false;
    }
    // SAFETY: the thread's own state. The queue is only used with signals of this thread excluded: here by being the handler
    // (the vector has reserve, so no allocator lock is needed), in `deliver_signals` by being outside of the runtime.
    let queue = unsafe { &mut (*state).signals.waiting };
    if queue.len() == queue.capacity() {
        return false;
    }
    let mut copy = [0u64; 16];
    if !info.is_null() {
        // SAFETY: siginfo_t is 128 bytes.
        unsafe { core::ptr::copy_nonoverlapping(info.cast::<u64>(), copy.as_mut_ptr(), 16) };
    }
    queue.push((signal, copy));
    block.flags.fetch_or(SIGNAL_PENDING, Ordering::Relaxed);
    true
}

/// Signals that wait for one context of the running OS thread wait for its next one, which runs already.
pub fn hand_signals_on(from: &mut ThreadState, to: &mut ThreadState) {
    if from.signals.waiting.is_empty() {
        return;
    }
    let mask = sys::block_signals();
    let waiting = from.signals.waiting.drain(..);
    to.signals.waiting.extend(waiting);
    sys::restore_signals(mask);
}

/// Room for deferred signals, made when a thread starts.
pub fn reserve_signals(state: &mut ThreadState) {
    state.signals.waiting.reserve_exact(64);
}

pub fn deliver_signals(block: &'static TlsBlock) {
    block.flags.fetch_and(!SIGNAL_PENDING, Ordering::Relaxed);
    let state = block.thread.load(Ordering::Relaxed);
    loop {
        // SAFETY: the thread's own state, see `defer_signal`; one signal at a time is taken out before it is raised.
        let next = unsafe {
            let queue = &mut (*state).signals.waiting;
            if queue.is_empty() {
                None
            } else {
                Some(queue.remove(0))
            }
        };
        let Some((signal, info)) = next else { break };
        let arguments = [
            sys::getpid() as usize,
            sys::gettid() as usize,
            signal as usize,
            info.as_ptr() as usize,
            0,
            0,
        ];
        // SAFETY: sends the running thread the signal that it was sent, with the same information.
        if unsafe { sys::call(libc::SYS_rt_tgsigqueueinfo, arguments) }.is_err() {
            let _ = sys::tgkill(sys::getpid(), sys::gettid(), signal);
        }
    }
}
