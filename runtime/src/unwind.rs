//! Stacks by unwind tables, through the unwinder that the program has anyway (libgcc's or libunwind's).

use core::ffi::{c_int, c_void};

unsafe extern "C" {
    fn _Unwind_Backtrace(
        step: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
    fn _Unwind_FindEnclosingFunction(pc: *mut c_void) -> *mut c_void;
}

const GO_ON: c_int = 0;
const STOP: c_int = 5;
const DEPTH: usize = 128;

struct Trace {
    /// Frames inside the runtime come first; the program's begin with this return address.
    from: usize,
    pcs: Vec<usize>,
}

extern "C" fn step(context: *mut c_void, trace: *mut c_void) -> c_int {
    // SAFETY: the argument that `from_here` passes; the context is the unwinder's.
    let (trace, pc) = unsafe { (&mut *trace.cast::<Trace>(), _Unwind_GetIP(context)) };
    if trace.pcs.is_empty() && pc != trace.from {
        return GO_ON;
    }
    if pc == 0 || trace.pcs.len() == DEPTH {
        return STOP;
    }
    trace.pcs.push(pc);
    GO_ON
}

/// Return addresses of the running thread from `pc` outwards; empty if the unwinder does not get there.
pub fn from_here(pc: usize) -> Vec<usize> {
    let mut trace = Trace {
        from: pc,
        pcs: Vec::new(),
    };
    // SAFETY: `step` matches the unwinder's callback, and the trace outlives the call.
    unsafe { _Unwind_Backtrace(step, (&raw mut trace).cast()) };
    trace.pcs
}

/// Where the function begins that a call returns into, if its unwind table says so.
pub fn function_of(returns_to: usize) -> Option<usize> {
    // SAFETY: any address may be asked for.
    let function = unsafe { _Unwind_FindEnclosingFunction(returns_to as *mut c_void) };
    (!function.is_null()).then_some(function as usize)
}
