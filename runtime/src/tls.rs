//! The thread-local block that compiled code and the runtime share, and the out-of-line checks (`abi::check_stub`).
//!
//! The block is defined in assembly because its name and its TLS model are part of the ABI. It lives in the static TLS area
//! (`initial-exec`), so reaching it is two instructions and allocates nothing.

use crate::shadow::ShadowMemory;
use crate::thread::ThreadState;
use crate::thread::made::MadeCell;
use core::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use goldilocks_core::kept;
use goldilocks_core::tag::Tag;

/// Per-thread block. Written by its own thread; other threads look at `depth` (to wait until nobody is inside the
/// runtime) and may set `tag` to [`Tag::NEVER`].
#[repr(C)]
#[derive(Default)]
pub struct TlsBlock {
    /// The tag that compiled code compares with, see `abi::TAG_SYMBOL`.
    pub tag: AtomicU32,
    /// How many times this thread has entered the runtime and not left.
    pub depth: AtomicU32,
    /// Null before the thread is known and after it has ended.
    pub thread: AtomicPtr<ThreadState>,
    /// [`SIGNAL_PENDING`], [`ENDED`], [`IN_HANDLER`], [`CANCELED_INSIDE`], [`CANCELED_AT_ONCE`].
    pub flags: AtomicU32,
    /// The read set (as a tag with the bytes that the thread has read, or a full mask) that was last found to hold this thread in its present epoch; compiled code's
    /// checks of reads compare with it, too. [`Tag::NEVER`] if there is none.
    read_set: AtomicU32,
    /// The calling context, which compiled code keeps (`abi::CONTEXT_OFFSET`).
    pub context: AtomicU64,
    /// `thread`, while nothing about the thread speaks against the shortest way of its accesses (`quick`); otherwise null. Set when it leaves the
    /// runtime.
    pub lane: AtomicPtr<ThreadState>,
    /// From one look at the stack to the next, before the thread enters the runtime; 0 if there is nothing to look for (`stack_probe`).
    pub probe: AtomicI32,
    pub probe_outside_of_handlers: AtomicI32,
    /// More such read sets, each where the number of its id has it, for the out-of-line checks: where threads read the same data in a phase, a word
    /// has had any of them, and so any set of these.
    read_sets: [AtomicU32; READ_SETS],
    /// What it has accessed in its present epoch where cells say what others have (`thread::made`). Null before the thread is known and after it has ended.
    pub made: AtomicPtr<MadeCell>,
    /// For the keys of these.
    pub era: AtomicU64,
    /// Their number, less one; and how many have lost their place to others of the same epoch.
    pub made_mask: AtomicU32,
    pub made_lost: AtomicU32,
    /// What it keeps to itself, and the number of places for that, less one ([`goldilocks_core::kept`]). Null if nothing. Set when it leaves the runtime.
    pub kept: AtomicPtr<AtomicU64>,
    pub kept_mask: AtomicU32,
    /// The tag of the epoch of the last plain access in `made`, with a full mask; 0 if there is none.
    pub made_tag: AtomicU32,
    /// How many locks the thread has taken, and atomics changed, so far ([`crate::interceptors::contended`]). Others look at it.
    deeds: AtomicU64,
    /// 0 while the process has never had a second thread (`abi::OTHERS_OFFSET`). Others set it, too.
    others: AtomicU32,
}

const READ_SETS: usize = 16;

impl TlsBlock {
    /// Relaxed, here and below: a number that its thread alone changes, and by which others only judge how fast all of them go on.
    #[inline(always)]
    pub fn deeds(&self) -> u64 {
        self.deeds.load(Ordering::Relaxed)
    }
    /// The thread has done something that others may wait for.
    #[inline(always)]
    pub fn did(&self) {
        self.deeds
            .store(self.deeds().wrapping_add(1), Ordering::Relaxed);
    }
    /// What it did last was nothing.
    #[inline(always)]
    pub fn did_nothing(&self) {
        self.deeds
            .store(self.deeds().wrapping_sub(1), Ordering::Relaxed);
    }
    /// The thread is in another slot from now on, whose table is found when it leaves the runtime.
    pub fn forget_kept(&self) {
        self.kept.store(core::ptr::null_mut(), Ordering::Relaxed);
    }
    /// Whether the thread keeps to itself that it has read bytes of one word, from `addr` on, in the epoch of `tag`, its present one.
    #[inline(always)]
    pub fn has_kept(&self, addr: u64, mask: u8, tag: Tag) -> bool {
        let table = self.kept.load(Ordering::Relaxed);
        let most = self.kept_mask.load(Ordering::Relaxed);
        let word = (addr, ShadowMemory::cell_address(addr), mask);
        // SAFETY: set together, when the thread leaves the runtime.
        !table.is_null() && unsafe { kept::has_read((table, most), word, tag) }
    }
    /// Whether there is, or was, a second thread.
    pub fn know_of_others(&self, others: bool) {
        self.others.store(others.into(), Ordering::Relaxed);
    }
    /// The thread is in this read set, a tag with the bytes that it has read, or a full mask, in its present epoch.
    #[inline(always)]
    pub fn meet_set(&self, set: Tag) {
        let place = set.epoch().0 as usize % READ_SETS;
        // Relaxed, here and below: the block is the thread's own, or its thread stands still.
        self.read_set.store(set.0, Ordering::Relaxed);
        // SAFETY: a remainder.
        unsafe { self.read_sets.get_unchecked(place) }.store(set.0, Ordering::Relaxed);
    }
    /// Whether the thread has read these bytes as one of the read set of this tag, as far as it has met that.
    #[inline(always)]
    pub fn has_met(&self, set: Tag, mask: u8) -> bool {
        let place = set.epoch().0 as usize % READ_SETS;
        // SAFETY: a remainder.
        let met = unsafe { self.read_sets.get_unchecked(place) };
        set.covers(Tag(met.load(Ordering::Relaxed)), mask)
    }
    /// The epoch of the thread in the sets that it has met is over, or what their ids mean.
    #[inline(always)]
    pub fn forget_sets(&self) {
        if self.read_set.load(Ordering::Relaxed) == Tag::NEVER.0 {
            return;
        }
        self.read_set.store(Tag::NEVER.0, Ordering::Relaxed);
        let mut place = 0;
        while place < READ_SETS {
            // SAFETY: below the length.
            let set = unsafe { self.read_sets.get_unchecked(place) };
            set.store(Tag::NEVER.0, Ordering::Relaxed);
            place += 1;
        }
    }
}

/// Offset of `read_set`, as `stubs` has it.
pub const READ_SET_OFFSET: usize = core::mem::offset_of!(TlsBlock, read_set);
/// Offset of `read_sets`, and how many bits of an id say which, as `stubs` has both.
pub const READ_SETS_OFFSET: usize = core::mem::offset_of!(TlsBlock, read_sets);
pub const READ_SETS_BITS: u32 = READ_SETS.ilog2();

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
const _: () =
    assert!(core::mem::offset_of!(TlsBlock, others) as i64 == goldilocks_core::abi::OTHERS_OFFSET);
const _: () = assert!(size_of::<TlsBlock>() == 168);
// A thread that we do not know yet must take the slow path: the initial tag in the assembly below.
const _: () = assert!(Tag::NEVER.0 == u32::MAX);

core::arch::global_asm!(
    ".pushsection .tdata.goldilocks,\"awT\",@progbits",
    ".balign 8",
    ".globl __goldilocks_tls",
    ".type __goldilocks_tls, @object",
    ".size __goldilocks_tls, 168",
    "__goldilocks_tls:",
    ".long 0xffffffff, 0",
    ".quad 0",
    ".long 0, 0xffffffff",
    ".quad 0, 0, 0",
    ".fill 64, 1, 0xff",
    ".quad 0, 0, 0, 0, 0, 0",
    ".long 1, 0",
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
