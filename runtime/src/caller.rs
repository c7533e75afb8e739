//! Where in the program an event happens: who calls the runtime.

use crate::tls::{self, TlsBlock};
use core::sync::atomic::Ordering;

/// Where in the program an event happens.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// Return address of the hook or interceptor: the position in the program.
    pub pc: usize,
    /// The program's frame pointer at the call.
    pub fp: usize,
    /// What is outside of that function, as compiled code tells it (`abi::CONTEXT_OFFSET`); 0 if the stack has to be looked at.
    pub context: u64,
}

impl Caller {
    pub const fn new(pc: usize, fp: usize) -> Caller {
        Caller { pc, fp, context: 0 }
    }

    /// The same, in code that keeps its context: an instrumented function has called, not one of a library.
    #[inline(always)]
    pub fn compiled(self) -> Caller {
        // SAFETY: compiled code has set up its frame before it calls a hook, so that `fp` is followed by a return address.
        let context = unsafe { compiled_context(tls::block(), self.fp) };
        Caller { context, ..self }
    }
}

/// What tells the frame `fp` of compiled code from others of the same function.
///
/// # Safety
/// `fp` is the frame pointer of instrumented code of the running thread, whose block this is.
#[inline(always)]
pub unsafe fn compiled_context(block: &TlsBlock, fp: usize) -> u64 {
    // A function that calls none leaves the context to its caller. SAFETY: contract; by frame pointers, it is there.
    let returns_to = unsafe { (fp as *const usize).add(1).read_volatile() };
    block
        .context
        .load(Ordering::Relaxed)
        .wrapping_add(returns_to as u64)
}

/// The [`Caller`] of the `extern "C"` function in whose body this is written (the runtime is compiled with frame pointers).
#[macro_export]
macro_rules! caller {
    () => {{
        // The address of a local, so that the frame is set up before the register is read (the compiler would otherwise be free to
        // delay that past this point).
        let anchor = core::mem::MaybeUninit::<u8>::uninit();
        let frame: *const usize;
        // SAFETY: reads a register.
        unsafe {
            core::arch::asm!("mov {0}, rbp", inlateout(reg) anchor.as_ptr() as usize => frame,
                options(nomem, nostack, preserves_flags));
        }
        // Each by itself: one load of both would have to wait until the two stores of the call have reached the cache.
        // SAFETY: with frame pointers, rbp points to the saved frame pointer, followed by the return address.
        unsafe { $crate::caller::Caller::new(frame.add(1).read_volatile(), frame.read_volatile()) }
    }};
}
