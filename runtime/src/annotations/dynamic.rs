//! The rest of the dynamic annotations: names, questions, and what has no meaning here.

use crate::caller;
use crate::pipeline::enter;
use crate::thread;
use core::ffi::{CStr, c_char, c_int, c_long, c_void};

/// Names a thread in reports.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateThreadName(
    _file: *const c_char,
    _line: c_int,
    name: *const c_char,
) {
    let caller = caller!();
    if let Some(mut scope) = enter(caller)
        && !name.is_null()
    {
        // SAFETY: a string of the program's.
        let name = unsafe { CStr::from_ptr(name) };
        thread::named_self(&mut scope, name.to_bytes());
    }
}

/// Detection goes on or off, for all threads: accesses while it is off have not happened. Synchronization is always heard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateEnableRaceDetection(
    _file: *const c_char,
    _line: c_int,
    enable: c_int,
) {
    crate::detection::enable(enable != 0);
}

/// Programs ask this to take it easy under an emulator; this is none.
#[unsafe(no_mangle)]
pub extern "C" fn RunningOnValgrind() -> c_int {
    0
}

/// By which factor the program should expect to be slower, for its time-outs.
#[unsafe(no_mangle)]
pub extern "C" fn ValgrindSlowdown() -> f64 {
    10.0
}

/// The one question that it knows: whether order comes from synchronization alone, not from locks that were held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ThreadSanitizerQuery(question: *const c_char) -> *const c_char {
    // SAFETY: a string of the program's, or null.
    let known = !question.is_null()
        && unsafe { CStr::from_ptr(question) }.to_bytes() == b"pure_happens_before";
    if known { c"1".as_ptr() } else { c"0".as_ptr() }
}

macro_rules! nothing {
    ($($(#[$why:meta])* $name:ident($($type:ty),*);)*) => {
        $($(#[$why])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(_file: *const c_char, _line: c_int $(, _: $type)*) {})*
    };
}

nothing! {
    /// Order is exact without a hint.
    AnnotateMutexIsUsedAsCondVar(*mut c_void);
    /// No mutex orders more than its own critical sections.
    AnnotateMutexIsNotPHB(*mut c_void);
    /// To be called by the consumer, who is ordered by what it reads.
    AnnotateUnpublishMemoryRange(*mut c_void, c_long);
    AnnotateTraceMemory(*mut c_void);
    AnnotateNoOp(*mut c_void);
    AnnotateFlushState();
    /// About values, which are not looked at.
    AnnotateMemoryIsInitialized(*mut c_void, c_long);
    AnnotateMemoryIsUninitialized(*mut c_void, c_long);
}
