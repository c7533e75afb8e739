//! Jumps out of frames. One out of a signal handler ends it, without returning to what called it.

use core::ffi::{c_int, c_void};

use crate::{async_safety, interceptors, real};

interceptors! {
    fn longjmp(to: *mut c_void, value: c_int) {
        async_safety::jumped();
        // SAFETY: the program's call, here and below; nothing in this frame is to be dropped.
        unsafe { real!(longjmp)(to, value) }
    }
    fn _longjmp(to: *mut c_void, value: c_int) {
        async_safety::jumped();
        // SAFETY: as above.
        unsafe { real!(_longjmp)(to, value) }
    }
    fn siglongjmp(to: *mut c_void, value: c_int) {
        async_safety::jumped();
        // SAFETY: as above.
        unsafe { real!(siglongjmp)(to, value) }
    }
    fn __longjmp_chk(to: *mut c_void, value: c_int) {
        async_safety::jumped();
        // SAFETY: as above.
        unsafe { real!(__longjmp_chk)(to, value) }
    }
}
