//! From an event of the program to the engine: entering and leaving the runtime.

use goldilocks_core::event::{Effect, Entity};

/// Where in the program an event happens.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// Return address of the hook or interceptor: the position in the program.
    pub pc: usize,
    /// The program's frame pointer at the call.
    pub fp: usize,
}

/// The [`Caller`] of the `extern "C"` function in whose body this is written (the runtime is compiled with frame pointers).
#[macro_export]
macro_rules! caller {
    () => {{
        let frame: *const usize;
        // SAFETY: reads a register.
        unsafe { core::arch::asm!("mov {}, rbp", out(reg) frame, options(nomem, nostack, preserves_flags)) };
        // SAFETY: with frame pointers, rbp points to the saved frame pointer, followed by the return address.
        unsafe { $crate::pipeline::Caller { pc: *frame.add(1), fp: *frame } }
    }};
}

/// A stay inside the runtime on behalf of the running thread. Signals are deferred until it is dropped.
pub struct Scope {
    _private: (),
}

/// Enters the runtime. `None` when the runtime is not up, when this thread is inside it already (a call from the
/// runtime itself, or from a library that we called), or when the thread asked to be ignored: the interceptor then
/// only makes the real call.
pub fn enter(_caller: Caller) -> Option<Scope> {
    unimplemented_yet()
}

impl Scope {
    /// Checks a read of `bytes` bytes at `ptr`. Zero bytes is nothing.
    pub fn read(&mut self, _ptr: *const core::ffi::c_void, _bytes: usize) {
        unimplemented_yet()
    }
    /// Checks a write of `bytes` bytes at `ptr`.
    pub fn write(&mut self, _ptr: *const core::ffi::c_void, _bytes: usize) {
        unimplemented_yet()
    }
    /// Makes a sync event: `effect` on `object`.
    pub fn sync(&mut self, _effect: Effect, _object: Entity) {
        unimplemented_yet()
    }
    /// The program now holds `object` as a lock (for SC3 and for reports); `released` undoes it.
    pub fn held(&mut self, _object: Entity) {
        unimplemented_yet()
    }
    pub fn released(&mut self, _object: Entity) {
        unimplemented_yet()
    }
    /// The object does not exist any more: its Goldilockset membership ends, its records are freed.
    pub fn forget(&mut self, _object: Entity) {
        unimplemented_yet()
    }
    /// Memory is fresh: the next access to it is race free (alloc, mmap, new stack).
    pub fn fresh(&mut self, _ptr: *const core::ffi::c_void, _bytes: usize) {
        unimplemented_yet()
    }
    /// Memory is freed: a write to every byte, after which any access is one too many. Sync objects inside are forgotten.
    pub fn freed(&mut self, _ptr: *const core::ffi::c_void, _bytes: usize) {
        unimplemented_yet()
    }
    /// Number of the running thread in reports (T0 is main).
    pub fn thread_number(&self) -> u32 {
        unimplemented_yet()
    }
    /// Interned stack of the caller, for creation stacks of blocks and sync objects. 0 is unknown.
    pub fn stack(&mut self) -> u32 {
        unimplemented_yet()
    }
}
fn unimplemented_yet<T>() -> T {
    loop {}
}
