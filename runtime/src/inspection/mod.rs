//! What a program can ask about itself and about reports: ThreadSanitizer's interface for debuggers, and the functions that all
//! sanitizers of LLVM have.
//!
//! Types, names and numbers are those of `sanitizer/common_interface_defs.h`, `sanitizer/allocator_interface.h` and of what
//! debuggers call in ThreadSanitizer's runtime.

mod addresses;
mod heap_numbers;
mod output;
mod report;
mod symbols;
mod view;

pub use output::before_death;
pub use report::{is_asked_for, tell};
pub use view::View;

use crate::options::weak_function;
use core::ffi::{CStr, c_char, c_int};
use core::sync::atomic::{AtomicU32, Ordering};

weak_function!(on_initialize, "__tsan_on_initialize", extern "C" fn());
weak_function!(
    on_finalize,
    "__tsan_on_finalize",
    extern "C" fn(c_int) -> c_int
);

/// The runtime is up.
pub fn initialized() {
    if let Some(function) = on_initialize() {
        function();
    }
}

/// What the program says of whether the run has failed: 0 unknown, 1 no, 2 yes. Relaxed: of the thread that ends the process.
static VERDICT: AtomicU32 = AtomicU32::new(0);

/// Asks the program, once the summary is out; `failed`: there were reports.
pub fn finalized(failed: bool) {
    if let Some(function) = on_finalize() {
        let verdict = 1 + u32::from(function(failed.into()) != 0);
        VERDICT.store(verdict, Ordering::Relaxed);
    }
}

/// Whether the run has failed, if the program has said so.
pub fn verdict() -> Option<bool> {
    match VERDICT.load(Ordering::Relaxed) {
        0 => None,
        verdict => Some(verdict == 2),
    }
}

/// Copies text with its end into a buffer of `room` bytes, as much as fits.
///
/// # Safety
/// `buffer` is null or has `room` bytes.
unsafe fn put_text(text: &[u8], buffer: *mut c_char, room: usize) {
    if buffer.is_null() || room == 0 {
        return;
    }
    let length = text.len().min(room - 1);
    // SAFETY: the caller's promise.
    unsafe {
        core::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast(), length);
        buffer.add(length).write(0);
    }
}

/// Stores a value where the caller wants one.
///
/// # Safety
/// `place` is null or may be written.
unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: the caller's promise.
        unsafe { place.write(value) };
    }
}

/// Copies return addresses into an array of `room`; the rest of it is 0.
///
/// # Safety
/// `trace` is null or has `room` elements.
unsafe fn put_trace(pcs: &[usize], trace: *mut usize, room: usize) {
    if trace.is_null() {
        return;
    }
    for index in 0..room {
        let pc = pcs.get(index).copied().unwrap_or(0);
        // SAFETY: the caller's promise.
        unsafe { trace.add(index).write(pc) };
    }
}

/// Text of the program's.
///
/// # Safety
/// `text` is null or a C string.
unsafe fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
