//! Exceptions that several threads hold (`std::exception_ptr`, and what futures and coroutines carry).
//!
//! An exception object is counted by code of the C++ library that is not instrumented. Whoever lets go of it last destroys it,
//! in order after everybody else. So letting go is a source, and letting go as the last one a sink, on the exception's
//! address. To know who is last, the count is taken down here: by one if others hold the exception, too, which is all that the
//! library would do; if nobody else does, then nobody can come to, and the library does the rest.
//!
//! This knows libstdc++'s layout (fixed by its ABI: the count lies 128 bytes before the object). Of libc++ the functions that
//! count have names of their own, but for the end of a handler, during which we hold the exception, too. (A libc++ that is linked
//! into the program calls its own functions, unseen.)

#![allow(non_snake_case)] // names of the C++ library

use core::ffi::c_void;
use core::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

use goldilocks_core::event::{Effect, Entity, Role};

use crate::caller::Caller;
use crate::pipeline::enter;
use crate::state::multi_threaded;
use crate::{caller, interceptors, real};

/// From an object back to its count, in libstdc++.
const COUNT: usize = 128;
/// From an object back to its count, in libc++abi.
const COUNT_OF_LIBCXX: usize = 120;
/// The unwinder's part of the header lies right before the object.
const UNWINDER: usize = 32;
/// The whole header of an exception that was thrown again (`__cxa_dependent_exception`); the first word is the object.
const DEPENDENT: usize = 112;

const CLASS: u64 = u64::from_be_bytes(*b"GNUCC++\0");
const DEPENDENT_CLASS: u64 = CLASS + 1;

fn entity(exception: *mut c_void) -> Entity {
    Entity::object(exception as u64, Role::Object)
}

fn sync(caller: Caller, effect: Effect, exception: *mut c_void) {
    if let Some(mut scope) = enter(caller) {
        scope.sync(effect, entity(exception));
    }
}

/// One holder fewer, if there are others. Otherwise false, and what they did is ordered before.
pub fn lets_go(
    caller: Caller,
    exception: *mut c_void,
    count: impl Fn() -> usize,
    decrement: impl Fn(usize) -> bool,
) -> bool {
    sync(caller, Effect::RELEASE, exception);
    loop {
        match count() {
            0 | 1 => {
                sync(caller, Effect::ACQUIRE, exception);
                return false;
            }
            several if decrement(several) => return true,
            _ => {}
        }
    }
}

/// The count of an exception of libstdc++.
///
/// # Safety
/// The exception is one, and is held.
unsafe fn count<'a>(exception: *mut c_void) -> &'a AtomicI32 {
    // SAFETY: the caller's contract, and the ABI.
    unsafe { &*exception.byte_sub(COUNT).cast::<AtomicI32>() }
}

/// See [`lets_go`], for libstdc++.
///
/// # Safety
/// As [`count`].
unsafe fn lets_go_of_gnu(caller: Caller, exception: *mut c_void) -> bool {
    // SAFETY: passed on to the caller.
    let count = unsafe { count(exception) };
    // Acquire and release, as the library has it: the last holder comes after the others.
    lets_go(
        caller,
        exception,
        || count.load(Ordering::Acquire) as usize,
        |n| {
            let n = n as i32;
            count
                .compare_exchange_weak(n, n - 1, Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
        },
    )
}

type Pointer = *mut *mut c_void;

interceptors! {
    // std::__exception_ptr::exception_ptr::_M_release()
    fn _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(pointer: Pointer) {
        let caller = caller!();
        // SAFETY: the program's pointer, which may be empty.
        unsafe {
            if multi_threaded() && !(*pointer).is_null() && lets_go_of_gnu(caller, *pointer) {
                *pointer = core::ptr::null_mut();
            } else {
                real!(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv)(pointer)
            }
        }
    }

    // The end of the last handler of an exception.
    fn _Unwind_DeleteException(unwinder: *mut c_void) {
        let caller = caller!();
        let releases = || !_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv::SLOT.load(Ordering::Relaxed).is_null();
        // SAFETY: an exception starts with its class; the rest is as the ABI has it for these classes.
        unsafe {
            let class = *unwinder.cast::<u64>();
            let mut exception = match class {
                CLASS => unwinder.byte_add(UNWINDER),
                DEPENDENT_CLASS => *unwinder.byte_add(UNWINDER).byte_sub(DEPENDENT).cast::<*mut c_void>(),
                _ => core::ptr::null_mut(),
            };
            if !multi_threaded() || exception.is_null() || !releases() {
                return real!(_Unwind_DeleteException)(unwinder);
            }
            if class == CLASS && count(exception).load(Ordering::Relaxed) == 1 {
                // The usual exception: nobody else has it. If somebody had, that one let go before.
                sync(caller, Effect::ACQUIRE, exception);
                return real!(_Unwind_DeleteException)(unwinder);
            }
            // One holder more, so that the library's own count does not reach zero in between.
            count(exception).fetch_add(1, Ordering::Relaxed);
            real!(_Unwind_DeleteException)(unwinder);
            if !lets_go_of_gnu(caller, exception) {
                real!(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv)(&mut exception);
            }
        }
    }

    // libc++: the same for its pointers to exceptions.
    fn __cxa_decrement_exception_refcount(exception: *mut c_void) {
        let caller = caller!();
        // SAFETY: the library's call.
        unsafe { lets_go_of_libcxx(caller, exception) }
    }

    // libc++: the exception that is being handled, which the caller then holds, too.
    fn __cxa_current_primary_exception() -> *mut c_void {
        // SAFETY: the program's call.
        unsafe { real!(__cxa_current_primary_exception)() }
    }

    // The end of a handler. libstdc++ calls the unwinder for the last one, libc++ goes on by itself.
    fn __cxa_end_catch() {
        let caller = caller!();
        // Relaxed: written once, before there are threads.
        let is_libcxx = !__cxa_current_primary_exception::SLOT.load(Ordering::Relaxed).is_null();
        // SAFETY: the program's call, after which we let go of what we hold.
        unsafe {
            if !is_libcxx || !multi_threaded() {
                return real!(__cxa_end_catch)();
            }
            let exception = real!(__cxa_current_primary_exception)();
            real!(__cxa_end_catch)();
            lets_go_of_libcxx(caller, exception);
        }
    }
}

/// See [`lets_go`], for libc++.
///
/// # Safety
/// Null, or an exception of libc++ that is held.
unsafe fn lets_go_of_libcxx(caller: Caller, exception: *mut c_void) {
    // SAFETY: the caller's contract, and the ABI.
    unsafe {
        if multi_threaded() && !exception.is_null() {
            let count = &*exception.byte_sub(COUNT_OF_LIBCXX).cast::<AtomicUsize>();
            // Acquire and release, as the library has it.
            let down = |n| {
                count
                    .compare_exchange_weak(n, n - 1, Ordering::AcqRel, Ordering::Relaxed)
                    .is_ok()
            };
            if lets_go(caller, exception, || count.load(Ordering::Acquire), down) {
                return;
            }
        }
        real!(__cxa_decrement_exception_refcount)(exception)
    }
}
