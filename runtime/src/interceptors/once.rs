//! One-time initialization: `pthread_once` and C11's `call_once` (C++'s `std::call_once` uses the former).
//!
//! The end of the initializer is a source, and every call that returns is a sink, whoever ran it. An initializer that is left
//! by an exception has initialized nothing, but happens before the next attempt (C++20 [thread.once.callonce]/4), so the
//! start of an initializer is a sink, too. One that is left by cancellation or by `pthread_exit` is no source: POSIX has nothing
//! to that effect.
//!
//! So the initializer must be wrapped, but it has no parameter by which a wrapper could know what to wrap: it is handed
//! over in a thread-local variable, which the wrapper, written in assembly, empties into its own frame before anything
//! else. There it also repairs the chain of frame pointers, which leads through libc code that has none: with (frame pointer,
//! return address) of the call to `pthread_once` in front, the copy is a frame record that leads straight to the program.

use core::arch::global_asm;
use core::cell::Cell;
use core::ffi::{c_int, c_void};

use goldilocks_core::event::{Effect, Entity, Role};

use crate::caller::Caller;
use crate::pipeline::enter;
use crate::sync_objects::{self, Kind};
use crate::{caller, interceptors, real};

type Initializer = unsafe extern "C" fn();

/// An initializer that is about to be run. The first two fields are a frame record.
#[derive(Clone, Copy)]
#[repr(C)]
struct Pending {
    fp: usize,
    pc: usize,
    initializer: Option<Initializer>,
    control: u64,
}

impl Pending {
    fn caller(&self) -> Caller {
        Caller::new(self.pc, self.fp)
    }
}

/// A sync event on the object of this control.
pub fn sync(caller: Caller, effect: Effect, control: u64) {
    if let Some(mut scope) = enter(caller) {
        scope.orders(effect, Entity::object(control, Role::Object));
    }
}

thread_local! {
    static PENDING: Cell<Pending> = const { Cell::new(Pending { fp: 0, pc: 0, initializer: None, control: 0 }) };
}

unsafe extern "C" {
    /// What the real function gets for an initializer.
    fn __goldilocks_once_body();
}

global_asm!(
    ".text",
    ".globl __goldilocks_once_body",
    ".hidden __goldilocks_once_body",
    ".type __goldilocks_once_body, @function",
    "__goldilocks_once_body:",
    ".cfi_startproc",
    ".cfi_personality 0x1b, {left}",
    "push rbp",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbp, -16",
    "sub rsp, {size}",
    ".cfi_def_cfa_offset 16 + {size}",
    "mov rdi, rsp",
    "call {take}",
    "mov rbp, rsp",
    "call [rsp + {initializer}]",
    "mov rdi, rsp",
    "call {finished}",
    "add rsp, {size}",
    ".cfi_def_cfa_offset 16",
    "pop rbp",
    ".cfi_def_cfa_offset 8",
    "ret",
    ".cfi_endproc",
    ".size __goldilocks_once_body, . - __goldilocks_once_body",
    size = const size_of::<Pending>(),
    initializer = const core::mem::offset_of!(Pending, initializer),
    take = sym take,
    finished = sym finished,
    left = sym left,
);

// The stack is aligned in the body: return address, rbp, and a multiple of 16.
const _: () = assert!(size_of::<Pending>().is_multiple_of(16));

/// Called first by the body: nothing of the program has run on this thread since the interceptor.
unsafe extern "C" fn take(pending: *mut Pending) {
    let taken = PENDING.get();
    // SAFETY: room in the frame of the body.
    unsafe { *pending = taken };
    sync(taken.caller(), Effect::ACQUIRE, taken.control);
}

/// Called by the body when the initializer has returned.
unsafe extern "C" fn finished(pending: *const Pending) {
    // SAFETY: what `take` has filled.
    let pending = unsafe { &*pending };
    sync(pending.caller(), Effect::RELEASE, pending.control);
}

/// Asked by the unwinder about the frame of the body (Itanium C++ ABI, level I, 1.6.2). The frame has nothing to clean up, but
/// this tells us that the initializer is being left.
unsafe extern "C" fn left(
    _version: c_int,
    actions: c_int,
    _class: u64,
    _exception: *mut c_void,
    context: *mut c_void,
) -> c_int {
    if actions & unwinding::CLEANUP != 0 && actions & unwinding::FORCED == 0 {
        // SAFETY: the body keeps the address of its record in rbp.
        if let Some(pending) = unsafe { unwinding::frame_pointer(context) } {
            // SAFETY: as above.
            unsafe { finished(pending as *const Pending) };
        }
    }
    unwinding::CONTINUE
}

/// What is needed of the unwinder.
pub mod unwinding {
    use core::arch::global_asm;
    use core::ffi::c_void;

    /// Second phase: frames are being left.
    pub const CLEANUP: i32 = 2;
    /// By cancellation or the end of the thread.
    pub const FORCED: i32 = 8;
    /// The frame does not stop the exception.
    pub const CONTINUE: i32 = 8;

    unsafe extern "C" {
        fn __goldilocks_unwind_rbp(context: *mut c_void) -> usize;
    }

    // Weak: a program without C++ may have no unwinder, and then nobody asks.
    global_asm!(
        ".text",
        ".globl __goldilocks_unwind_rbp",
        ".hidden __goldilocks_unwind_rbp",
        ".type __goldilocks_unwind_rbp, @function",
        ".weak _Unwind_GetGR",
        "__goldilocks_unwind_rbp:",
        "mov rax, [rip + _Unwind_GetGR@GOTPCREL]",
        "mov esi, 6", // DWARF's number of rbp
        "test rax, rax",
        "jz 1f",
        "jmp rax",
        "1:",
        "ret",
        ".size __goldilocks_unwind_rbp, . - __goldilocks_unwind_rbp",
    );

    /// The frame pointer of the frame that the unwinder asks about.
    ///
    /// # Safety
    /// `context` is what the unwinder passed.
    pub unsafe fn frame_pointer(context: *mut c_void) -> Option<usize> {
        // SAFETY: passed on to the caller.
        let rbp = unsafe { __goldilocks_unwind_rbp(context) };
        (rbp != 0).then_some(rbp)
    }
}

/// Makes the events around `call`, the real function, which it gives the body to run instead of the initializer.
fn around(
    caller: Caller,
    control: u64,
    initializer: Option<Initializer>,
    call: impl Fn(Option<Initializer>) -> c_int,
) -> c_int {
    if enter(caller).is_none() {
        return call(initializer);
    }
    PENDING.set(Pending {
        fp: caller.fp,
        pc: caller.pc,
        initializer,
        control,
    });
    let result = call(Some(__goldilocks_once_body));
    if result == 0
        && let Some(mut scope) = enter(caller)
    {
        sync_objects::used(control, Kind::Once);
        scope.orders(Effect::ACQUIRE, Entity::object(control, Role::Object));
    }
    result
}

interceptors! {
    fn pthread_once(control: *mut c_int, initializer: Option<Initializer>) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, but for the wrapper.
        around(caller, control as u64, initializer, |body| unsafe { real!(pthread_once)(control, body) })
    }

    fn call_once(flag: *mut c_void, initializer: Option<Initializer>) {
        let caller = caller!();
        around(caller, flag as u64, initializer, |body| {
            // SAFETY: the program's call, but for the wrapper.
            unsafe { real!(call_once)(flag, body) };
            0
        });
    }
}
