//! Attributes of threads and of sync objects, and what is asked about a running thread.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_void};

use super::libc_table::{reads, reads_one, string, writes, writes_one};
use crate::libc_table;

libc_table! {
    // pthread_attr_t
    fn pthread_attr_init(attributes: *mut libc::pthread_attr_t) -> c_int {
        after(_failure) { writes_one(attributes) }
    }
    fn pthread_attr_destroy(attributes: *mut libc::pthread_attr_t) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_attr_getdetachstate(attributes: *const libc::pthread_attr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_attr_setdetachstate(attributes: *mut libc::pthread_attr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_attr_getguardsize(attributes: *const libc::pthread_attr_t, to: *mut usize) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_attr_setguardsize(attributes: *mut libc::pthread_attr_t, value: usize) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_attr_getinheritsched(attributes: *const libc::pthread_attr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_attr_setinheritsched(attributes: *mut libc::pthread_attr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_attr_getschedparam(attributes: *const libc::pthread_attr_t, to: *mut libc::sched_param) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_attr_setschedparam(attributes: *mut libc::pthread_attr_t, from: *const libc::sched_param) -> c_int {
        before { writes_one(attributes), reads_one(from) }
    }
    fn pthread_attr_getschedpolicy(attributes: *const libc::pthread_attr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_attr_setschedpolicy(attributes: *mut libc::pthread_attr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_attr_getscope(attributes: *const libc::pthread_attr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_attr_setscope(attributes: *mut libc::pthread_attr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_attr_getstackaddr(attributes: *const libc::pthread_attr_t, to: *mut *mut c_void) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_attr_setstackaddr(attributes: *mut libc::pthread_attr_t, value: *mut c_void) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_attr_getstacksize(attributes: *const libc::pthread_attr_t, to: *mut usize) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_attr_setstacksize(attributes: *mut libc::pthread_attr_t, value: usize) -> c_int {
        before { writes_one(attributes) }
    }
    // pthread_mutexattr_t
    fn pthread_mutexattr_init(attributes: *mut libc::pthread_mutexattr_t) -> c_int {
        after(_failure) { writes_one(attributes) }
    }
    fn pthread_mutexattr_destroy(attributes: *mut libc::pthread_mutexattr_t) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_mutexattr_getprioceiling(attributes: *const libc::pthread_mutexattr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_mutexattr_setprioceiling(attributes: *mut libc::pthread_mutexattr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_mutexattr_getprotocol(attributes: *const libc::pthread_mutexattr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_mutexattr_setprotocol(attributes: *mut libc::pthread_mutexattr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_mutexattr_getpshared(attributes: *const libc::pthread_mutexattr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_mutexattr_setpshared(attributes: *mut libc::pthread_mutexattr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_mutexattr_getrobust(attributes: *const libc::pthread_mutexattr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_mutexattr_setrobust(attributes: *mut libc::pthread_mutexattr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_mutexattr_gettype(attributes: *const libc::pthread_mutexattr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_mutexattr_settype(attributes: *mut libc::pthread_mutexattr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    // pthread_condattr_t
    fn pthread_condattr_init(attributes: *mut libc::pthread_condattr_t) -> c_int {
        after(_failure) { writes_one(attributes) }
    }
    fn pthread_condattr_destroy(attributes: *mut libc::pthread_condattr_t) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_condattr_getclock(attributes: *const libc::pthread_condattr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_condattr_setclock(attributes: *mut libc::pthread_condattr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_condattr_getpshared(attributes: *const libc::pthread_condattr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_condattr_setpshared(attributes: *mut libc::pthread_condattr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    // pthread_rwlockattr_t
    fn pthread_rwlockattr_init(attributes: *mut libc::pthread_rwlockattr_t) -> c_int {
        after(_failure) { writes_one(attributes) }
    }
    fn pthread_rwlockattr_destroy(attributes: *mut libc::pthread_rwlockattr_t) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_rwlockattr_getkind_np(attributes: *const libc::pthread_rwlockattr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_rwlockattr_setkind_np(attributes: *mut libc::pthread_rwlockattr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_rwlockattr_getpshared(attributes: *const libc::pthread_rwlockattr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_rwlockattr_setpshared(attributes: *mut libc::pthread_rwlockattr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    // pthread_barrierattr_t
    fn pthread_barrierattr_init(attributes: *mut libc::pthread_barrierattr_t) -> c_int {
        after(_failure) { writes_one(attributes) }
    }
    fn pthread_barrierattr_destroy(attributes: *mut libc::pthread_barrierattr_t) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_barrierattr_getpshared(attributes: *const libc::pthread_barrierattr_t, to: *mut c_int) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_barrierattr_setpshared(attributes: *mut libc::pthread_barrierattr_t, value: c_int) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_attr_getstack(attributes: *const libc::pthread_attr_t, address: *mut *mut c_void, bytes: *mut usize) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(address), writes_one(bytes) }
    }
    fn pthread_attr_setstack(attributes: *mut libc::pthread_attr_t, address: *mut c_void, bytes: usize) -> c_int {
        before { writes_one(attributes) }
    }
    fn pthread_attr_getaffinity_np(attributes: *const libc::pthread_attr_t, bytes: usize, to: *mut c_void) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes(to, bytes) }
    }
    fn pthread_attr_setaffinity_np(attributes: *mut libc::pthread_attr_t, bytes: usize, from: *const c_void) -> c_int {
        before { writes_one(attributes), reads(from, bytes) }
    }
    fn pthread_attr_getsigmask_np(attributes: *const libc::pthread_attr_t, to: *mut libc::sigset_t) -> c_int {
        before { reads_one(attributes) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_attr_setsigmask_np(attributes: *mut libc::pthread_attr_t, from: *const libc::sigset_t) -> c_int {
        before { writes_one(attributes), reads_one(from) }
    }
    fn pthread_getattr_np(thread: libc::pthread_t, attributes: *mut libc::pthread_attr_t) -> c_int {
        after(failure) if (failure == 0) { writes_one(attributes) }
    }
    fn pthread_getattr_default_np(attributes: *mut libc::pthread_attr_t) -> c_int {
        after(failure) if (failure == 0) { writes_one(attributes) }
    }
    fn pthread_setattr_default_np(attributes: *const libc::pthread_attr_t) -> c_int {
        before { reads_one(attributes) }
    }

    // Running threads.
    fn pthread_getname_np(thread: libc::pthread_t, to: *mut c_char, room: usize) -> c_int {
        after(failure) if (failure == 0) { writes(to, string(to)) }
    }
    fn pthread_getaffinity_np(thread: libc::pthread_t, bytes: usize, to: *mut c_void) -> c_int {
        after(failure) if (failure == 0) { writes(to, bytes) }
    }
    fn pthread_setaffinity_np(thread: libc::pthread_t, bytes: usize, from: *const c_void) -> c_int {
        before { reads(from, bytes) }
    }
    fn pthread_getschedparam(thread: libc::pthread_t, policy: *mut c_int, to: *mut libc::sched_param) -> c_int {
        after(failure) if (failure == 0) { writes_one(policy), writes_one(to) }
    }
    fn pthread_setschedparam(thread: libc::pthread_t, policy: c_int, from: *const libc::sched_param) -> c_int {
        before { reads_one(from) }
    }
    fn pthread_getcpuclockid(thread: libc::pthread_t, to: *mut c_int) -> c_int {
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_mutex_getprioceiling(mutex: *const libc::pthread_mutex_t, to: *mut c_int) -> c_int {
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn pthread_key_create(key: *mut libc::pthread_key_t, destructor: *const c_void) -> c_int {
        after(failure) if (failure == 0) { writes_one(key) }
    }
    fn tss_create(key: *mut libc::pthread_key_t, destructor: *const c_void) -> c_int {
        after(failure) if (failure == 0) { writes_one(key) }
    }
}
