//! Where reports go, a stack on request, and what the program wants to do before a run ends that has failed.

use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::ffi::CString;

use super::{symbols, text_of};
use crate::pipeline::enter;
use crate::report::output;
use crate::state::runtime;
use crate::{caller, options};

/// Reports go to `path` with the number of the process appended; `stdout`, `stderr`; null or nothing is standard error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_set_report_path(path: *const c_char) {
    // SAFETY: what the interface asks of its callers: null, or a C string.
    let path = unsafe { text_of(path) };
    options::change(|options| {
        options.log_path = if path.is_empty() {
            "stderr"
        } else {
            String::leak(path)
        };
    });
    output::redirect(None);
}

/// Reports go to this descriptor, which is given as a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_set_report_fd(descriptor: *mut c_void) {
    output::redirect(Some(descriptor as usize as i32));
}

/// The file that reports of this process go to, or a word for where else. It stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_get_report_path() -> *const c_char {
    static LAST: AtomicPtr<c_char> = AtomicPtr::new(core::ptr::null_mut());
    let text = CString::new(output::destination()).unwrap_or_default();
    let last = LAST.load(Ordering::Acquire);
    // SAFETY: null or leaked by this function.
    if !last.is_null() && unsafe { core::ffi::CStr::from_ptr(last) } == text.as_c_str() {
        return last;
    }
    let text = text.into_raw();
    // Release: pairs with the acquire above, so that the text is seen.
    LAST.store(text, Ordering::Release);
    text
}

/// Writes a line that says what went wrong, as part of the reports.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_report_error_summary(summary: *const c_char) {
    // SAFETY: what the interface asks of its callers: a C string.
    let summary = unsafe { text_of(summary) };
    output::note(&format!("SUMMARY: {summary}\n"));
}

/// Writes the stack of the caller to where reports go.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_print_stack_trace() {
    let caller = caller!();
    let Some(mut scope) = enter(caller) else {
        return;
    };
    let site = scope.unwound_stack();
    let pcs = runtime().sites.lookup(site, 0).map(|site| site.pcs);
    let mut text = String::new();
    for (index, pc) in pcs.unwrap_or_default().into_iter().enumerate() {
        text += &symbols::trace_line(index, pc);
    }
    output::note(&(text + "\n"));
}

/// What to call before a run ends that has failed; an `extern "C" fn()` or 0. Relaxed: whoever sets it while another thread ends the
/// process has no say in which it is.
static BEFORE_DEATH: AtomicUsize = AtomicUsize::new(0);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_set_death_callback(function: Option<extern "C" fn()>) {
    BEFORE_DEATH.store(
        function.map_or(0, |function| function as usize),
        Ordering::Relaxed,
    );
}

/// The process is about to end with a status of ours. At most one call.
pub fn before_death() {
    let function = BEFORE_DEATH.swap(0, Ordering::Relaxed);
    if function != 0 {
        // SAFETY: the value was made of such a function above.
        unsafe { core::mem::transmute::<usize, extern "C" fn()>(function)() };
    }
}

/// Crashes are not reported here, so everybody may.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_acquire_crash_state() -> c_int {
    1
}

/// Nothing is prepared for a process that will not be able to open files: they are opened when they are needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_sandbox_on_notify(_arguments: *mut c_void) {}
