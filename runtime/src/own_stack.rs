//! A stack for what needs more room than the program may have left: reports. Threads with the smallest stack, alternative
//! signal stacks and coroutines must be able to race, too.

use crate::sys;
use core::ffi::c_void;

/// Bytes of the stack; only what is touched costs memory.
const SIZE: usize = 1 << 20;

/// Calls `deed` on a stack of its own; on the present one if there is no memory for that.
pub fn on_own_stack<F: FnOnce()>(deed: F) {
    extern "C" fn trampoline<F: FnOnce()>(deed: *mut c_void) {
        // SAFETY: `deed` is the address of the option below, which nobody else uses meanwhile.
        if let Some(deed) = unsafe { (*deed.cast::<Option<F>>()).take() } {
            deed();
        }
    }
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
    // SAFETY: a new mapping.
    let mapped = unsafe { sys::mmap(0, SIZE, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    let Ok(bottom) = mapped else {
        return deed();
    };
    let mut deed = Some(deed);
    // SAFETY: the new stack's top is aligned to 16 before the call; r12 survives the call by the C convention and brings the
    // old stack back. A panic does not unwind through this: it aborts.
    unsafe {
        core::arch::asm!(
            "mov r12, rsp",
            "mov rsp, {top}",
            "call {call}",
            "mov rsp, r12",
            top = in(reg) bottom + SIZE,
            call = in(reg) trampoline::<F> as extern "C" fn(*mut c_void),
            in("rdi") (&raw mut deed),
            out("r12") _,
            clobber_abi("C"),
        );
        // The mapping is not in use any more.
        let _ = sys::munmap(bottom, SIZE);
    }
}
