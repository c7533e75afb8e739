//! What `workers.cpp` offers.

use std::ffi::c_void;
use std::sync::atomic::AtomicBool;

unsafe extern "C" {
    pub safe fn count_guarded();
    pub safe fn count_unguarded();
    pub safe fn counted() -> u64;
    pub safe fn received() -> u64;
    pub safe fn send(flag: &AtomicBool, properly: bool);
    pub safe fn make_number() -> *mut u64;
    pub fn delete_number(number: *mut u64);
    fn call_in_threads(
        threads: u32,
        times: u32,
        callback: extern "C" fn(*mut c_void),
        data: *mut c_void,
    );
    fn call_in_threads_guarded(
        threads: u32,
        times: u32,
        callback: extern "C" fn(*mut c_void),
        data: *mut c_void,
    );
}

/// Calls an action from threads of C++'s.
pub fn from_threads(threads: u32, times: u32, action: &(dyn Fn() + Sync)) {
    // SAFETY: the callback gets what it expects, and C++ joins its threads before it returns.
    unsafe { call_in_threads(threads, times, call, (&raw const action) as *mut c_void) }
}

/// The same under C++'s mutex.
pub fn from_threads_guarded(threads: u32, times: u32, action: &(dyn Fn() + Sync)) {
    // SAFETY: as above.
    unsafe { call_in_threads_guarded(threads, times, call, (&raw const action) as *mut c_void) }
}

extern "C" fn call(data: *mut c_void) {
    // SAFETY: `from_threads` has given it.
    let action = unsafe { *(data as *const &(dyn Fn() + Sync)) };
    action();
}
