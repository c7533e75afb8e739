//! Memory that changes hands: a program's own allocators, and ranges that one thread gives to another.

use crate::caller;
use crate::caller::Caller;
use crate::pipeline::enter;
use core::ffi::{c_char, c_int, c_long, c_void};

fn fresh(caller: Caller, memory: *mut c_void, bytes: usize) {
    if let Some(mut scope) = enter(caller) {
        scope.fresh(memory, bytes);
        super::benign::gone(memory as usize, bytes);
    }
}

/// The running thread gives the range away: it must own every byte of it (as for a write, and that is how a violation is
/// reported); whoever touches a byte first afterwards owns that byte, however the hand-over was made known.
fn hand_over(caller: Caller, memory: *mut c_void, bytes: usize) {
    if let Some(mut scope) = enter(caller) {
        scope.hand_over(memory, bytes);
    }
}

/// The allocator hands out memory that was used before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateNewMemory(
    _file: *const c_char,
    _line: c_int,
    memory: *mut c_void,
    bytes: c_long,
) {
    let caller = caller!();
    fresh(caller, memory, bytes as usize);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotatePublishMemoryRange(
    _file: *const c_char,
    _line: c_int,
    memory: *mut c_void,
    bytes: c_long,
) {
    let caller = caller!();
    hand_over(caller, memory, bytes as usize);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_user_hand_over(memory: *mut c_void, bytes: usize) {
    let caller = caller!();
    hand_over(caller, memory, bytes);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_user_allocated(memory: *mut c_void, bytes: usize) {
    let caller = caller!();
    fresh(caller, memory, bytes);
}

/// A pool takes memory back: the same as `free`, for the detector.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_user_freed(memory: *mut c_void, bytes: usize) {
    let caller = caller!();
    if let Some(mut scope) = enter(caller) {
        scope.freed(memory, bytes);
    }
}
