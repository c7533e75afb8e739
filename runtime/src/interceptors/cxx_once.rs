//! `std::call_once` of libc++: its out-of-line part, done here.
//!
//! The library guards the flags of all programs with one mutex, which would order what has nothing to do with each other, and
//! its stores to the flag are not instrumented. The protocol is simple enough to be spoken by ourselves: programs test a
//! flag inline for [`COMPLETE`], and only this function changes it. The order is as in [`once`](super::once).

#![allow(non_snake_case)] // names of the C++ library

use core::arch::global_asm;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use goldilocks_core::event::Effect;

use super::once::{sync, unwinding};
use crate::caller::Caller;
use crate::sync_objects::{self, Kind};
use crate::{caller, interceptors, sys};

type Body = unsafe extern "C" fn(*mut c_void);

const UNSET: usize = 0;
const RUNNING: usize = 1;
const COMPLETE: usize = usize::MAX;

/// An execution of the program's function. The first two fields are a frame record.
#[repr(C)]
struct Execution {
    fp: usize,
    pc: usize,
    function: Body,
    argument: *mut c_void,
    flag: *const AtomicUsize,
}

unsafe extern "C" {
    /// Calls the function, with the execution as its frame record, so that stacks lead straight to the program, and with
    /// `left` asked when an exception passes.
    fn __goldilocks_call_once_body(execution: *const Execution);
}

global_asm!(
    ".text",
    ".globl __goldilocks_call_once_body",
    ".hidden __goldilocks_call_once_body",
    ".type __goldilocks_call_once_body, @function",
    "__goldilocks_call_once_body:",
    ".cfi_startproc",
    ".cfi_personality 0x1b, {left}",
    "push rbp",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbp, -16",
    "mov rbp, rdi",
    "mov rdi, [rbp + {argument}]",
    "call [rbp + {function}]",
    "pop rbp",
    ".cfi_def_cfa_offset 8",
    "ret",
    ".cfi_endproc",
    ".size __goldilocks_call_once_body, . - __goldilocks_call_once_body",
    argument = const core::mem::offset_of!(Execution, argument),
    function = const core::mem::offset_of!(Execution, function),
    left = sym left,
);

impl Execution {
    /// The function has ended; `state` is what the flag is now.
    fn ends(&self, state: usize) {
        let Execution { fp, pc, flag, .. } = *self;
        sync(Caller::new(pc, fp), Effect::RELEASE, flag as u64);
        // SAFETY: the program's flag, which a running execution keeps in use.
        let flag = unsafe { &*flag };
        // Release: pairs with the acquire of whoever finds the state.
        flag.store(state, Ordering::Release);
        sys::futex_wake(half(flag), i32::MAX as u32);
    }
}

/// The part of the flag that differs between the states, to wait on.
fn half(flag: &AtomicUsize) -> &AtomicU32 {
    // SAFETY: the lower half of the flag (little endian); the kernel only compares it.
    unsafe { &*core::ptr::from_ref(flag).cast::<AtomicU32>() }
}

/// Asked by the unwinder about the frame of the body: the function is left without having initialized anything, also by
/// cancellation.
unsafe extern "C" fn left(
    _version: c_int,
    actions: c_int,
    _class: u64,
    _exception: *mut c_void,
    context: *mut c_void,
) -> c_int {
    if actions & unwinding::CLEANUP != 0 {
        // SAFETY: the body keeps the address of its execution in rbp.
        if let Some(execution) = unsafe { unwinding::frame_pointer(context) } {
            // SAFETY: as above; its frame is the next one out.
            unsafe { (*(execution as *const Execution)).ends(UNSET) };
        }
    }
    unwinding::CONTINUE
}

interceptors! {
    // std::__call_once(volatile once_flag::_State_type&, void*, void (*)(void*))
    fn _ZNSt3__111__call_onceERVmPvPFvS2_E(flag: *const AtomicUsize, argument: *mut c_void, function: Body) {
        let caller = caller!();
        // SAFETY: the program's flag.
        let word = unsafe { &*flag };
        loop {
            // Acquire: whoever finds an execution to be over sees what it has done.
            match word.compare_exchange(UNSET, RUNNING, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => {
                    sync(caller, Effect::ACQUIRE, flag as u64);
                    let execution = Execution { fp: caller.fp, pc: caller.pc, function, argument, flag };
                    // SAFETY: the program's function and argument.
                    unsafe { __goldilocks_call_once_body(&execution) };
                    return execution.ends(COMPLETE);
                }
                Err(COMPLETE) => {
                    sync_objects::used(flag as u64, Kind::Once);
                    return sync(caller, Effect::ACQUIRE, flag as u64);
                }
                Err(_) => {
                    let _ = sys::futex_wait(half(word), RUNNING as u32, None);
                }
            }
        }
    }
}
