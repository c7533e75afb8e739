//! The thread-local block that compiled code and the runtime share, and the out-of-line checks (`abi::check_stub`).
//!
//! The block is defined in assembly because its name and its TLS model are part of the ABI. It lives in the static TLS area
//! (`initial-exec`), so reaching it is two instructions and allocates nothing.

use crate::thread::ThreadState;
use core::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, AtomicU64};
use goldilocks_core::tag::Tag;

/// Per-thread block. Written by its own thread; other threads look at `depth` (to wait until nobody is inside the
/// runtime) and may set `tag` to [`Tag::NEVER`].
#[repr(C)]
pub struct TlsBlock {
    /// The tag that compiled code compares with, see `abi::TAG_SYMBOL`.
    pub tag: AtomicU32,
    /// How many times this thread has entered the runtime and not left.
    pub depth: AtomicU32,
    /// Null before the thread is known and after it has ended.
    pub thread: AtomicPtr<ThreadState>,
    /// [`SIGNAL_PENDING`], [`ENDED`], [`IN_HANDLER`], [`CANCELED_INSIDE`], [`CANCELED_AT_ONCE`].
    pub flags: AtomicU32,
    /// A read set (as a tag with a full mask) that holds this thread in its present epoch; the out-of-line checks of reads
    /// compare with it, too. [`Tag::NEVER`] if there is none.
    pub read_set: AtomicU32,
    /// The calling context, which compiled code keeps (`abi::CONTEXT_OFFSET`).
    pub context: AtomicU64,
    /// `thread`, while nothing about the thread speaks against the shortest way of its accesses (`quick`); otherwise null. Set when it leaves the
    /// runtime.
    pub lane: AtomicPtr<ThreadState>,
    /// From one look at the stack to the next, before the thread enters the runtime; 0 if there is nothing to look for (`stack_probe`).
    pub probe: AtomicI32,
    pub probe_outside_of_handlers: AtomicI32,
}

/// Offset of `read_set`, as `stubs` has it.
pub const READ_SET_OFFSET: usize = core::mem::offset_of!(TlsBlock, read_set);

/// Signals wait in the thread's queue, or it was canceled meanwhile: there is something to do when it leaves the runtime.
pub const SIGNAL_PENDING: u32 = 1;
/// The thread has ended (its last thread-specific destructor ran); what it still does is not observed.
pub const ENDED: u32 = 2;
/// The thread runs a signal handler that may have interrupted anything, see `async_safety`.
pub const IN_HANDLER: u32 = 4;
/// The thread was canceled while it was inside the runtime.
pub const CANCELED_INSIDE: u32 = 8;
/// The program wants the thread to be canceled wherever it is, see `interceptors::cancellation`.
pub const CANCELED_AT_ONCE: u32 = 16;

const _: () = assert!(core::mem::offset_of!(TlsBlock, tag) == 0);
const _: () = assert!(
    core::mem::offset_of!(TlsBlock, context) as i64 == goldilocks_core::abi::CONTEXT_OFFSET
);
const _: () = assert!(size_of::<TlsBlock>() == 48);
// A thread that we do not know yet must take the slow path: the initial tag in the assembly below.
const _: () = assert!(Tag::NEVER.0 == u32::MAX);

core::arch::global_asm!(
    ".pushsection .tdata.goldilocks,\"awT\",@progbits",
    ".balign 8",
    ".globl __goldilocks_tls",
    ".type __goldilocks_tls, @object",
    ".size __goldilocks_tls, 48",
    "__goldilocks_tls:",
    ".long 0xffffffff, 0",
    ".quad 0",
    ".long 0, 0xffffffff",
    ".quad 0, 0, 0",
    ".popsection",
);

/// The running thread's block.
#[inline(always)]
pub fn block() -> &'static TlsBlock {
    let address: *const TlsBlock;
    // SAFETY: computes an address in the thread's static TLS, which lives as long as the thread.
    unsafe {
        core::arch::asm!(
            "mov {0}, qword ptr fs:[0]",
            "add {0}, qword ptr [rip + __goldilocks_tls@GOTTPOFF]",
            out(reg) address,
            options(pure, readonly, nostack),
        );
        &*address
    }
}
