//! Stacks that overflow: where the program may live on after that, it happens outside of the runtime.
//!
//! A thread with an alternative signal stack can handle the fault, and leave the stack that has overflowed for good (coroutine libraries
//! do, and whoever jumps out of the handler). What the runtime is in the midst of then stays undone, and its locks stay taken. So such
//! a thread looks, before it enters the runtime, whether the stack has room for what is done in there, as compilers probe the
//! stack before they use more than a page of it.

use crate::tls::{self, TlsBlock};
use core::sync::atomic::Ordering;

/// From one look to the next. No guard is smaller than a page. It is looked twice, by the check stubs as well: that is more than what the
/// runtime needs at most (5.8 KiB, to create a thread; 3.3 KiB for atomic operations). Reports have a stack of their own.
const STEP: i32 = -3072;

// Relaxed, all of it: the block is the running thread's own, and nobody else looks at these.

/// The running thread has, or has no more, a stack for its signal handlers.
pub fn alternative_stack_is(there: bool) {
    let block = tls::block();
    let step = if there { STEP } else { 0 };
    block
        .probe_outside_of_handlers
        .store(step, Ordering::Relaxed);
    block.probe.store(step, Ordering::Relaxed);
}

/// A handler begins, perhaps on the alternative stack, which is small, and below which there is nothing that could take over. What is returned
/// is for [`handler_ends`].
pub fn handler_begins() -> i32 {
    tls::block().probe.swap(0, Ordering::Relaxed)
}

pub fn handler_ends(outer: i32) {
    tls::block().probe.store(outer, Ordering::Relaxed);
}

/// The thread jumps, perhaps out of its handlers.
pub fn jumped() {
    let block = tls::block();
    let step = block.probe_outside_of_handlers.load(Ordering::Relaxed);
    block.probe.store(step, Ordering::Relaxed);
}

/// Faults here if the stack has no room for a stay in the runtime.
#[inline(always)]
pub fn probe(block: &TlsBlock) {
    let step = block.probe.load(Ordering::Relaxed) as isize;
    // SAFETY: reads what is there, if the stack has room; if not, a fault is what is asked for.
    unsafe {
        core::arch::asm!(
            "test byte ptr [rsp + {0}], 0",
            "test byte ptr [rsp + 2*{0}], 0",
            in(reg) step,
            options(nostack, readonly),
        );
    }
}
