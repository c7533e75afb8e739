//! Questions to the system about itself, the process and its relatives, and what the process says about itself: small structures
//! that go through pointers.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_uint, c_void};

use super::libc_table::{reads, reads_one, string, writes, writes_one};
use crate::libc_table;

type Text = *const c_char;
type Limit = libc::rlimit;

libc_table! {
    fn times(to: *mut libc::tms) -> i64 {
        after(_now) { writes_one(to) }
    }
    fn getrusage(who: c_int, to: *mut libc::rusage) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn getrlimit(resource: c_uint, to: *mut Limit) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn getrlimit64(resource: c_uint, to: *mut Limit) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn setrlimit(resource: c_uint, from: *const Limit) -> c_int {
        before { reads_one(from) }
    }
    fn setrlimit64(resource: c_uint, from: *const Limit) -> c_int {
        before { reads_one(from) }
    }
    fn prlimit(process: c_int, resource: c_uint, new: *const Limit, old: *mut Limit) -> c_int {
        before { reads_one(new) }
        after(result) if (result == 0) { writes_one(old) }
    }
    fn prlimit64(process: c_int, resource: c_uint, new: *const Limit, old: *mut Limit) -> c_int {
        before { reads_one(new) }
        after(result) if (result == 0) { writes_one(old) }
    }
    fn uname(to: *mut libc::utsname) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn sysinfo(to: *mut libc::sysinfo) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn getloadavg(to: *mut f64, count: c_int) -> c_int {
        after(got) if (got > 0) { writes(to, got as usize * size_of::<f64>()) }
    }
    fn getcpu(cpu: *mut c_uint, node: *mut c_uint) -> c_int {
        after(result) if (result == 0) { writes_one(cpu), writes_one(node) }
    }
    fn confstr(name: c_int, to: *mut c_char, room: usize) -> usize {
        after(size) { writes(to, size.min(room)) }
    }
    fn __confstr_chk(name: c_int, to: *mut c_char, room: usize, size: usize) -> usize {
        after(size) { writes(to, size.min(room)) }
    }
    fn gethostname(to: *mut c_char, room: usize) -> c_int {
        after(result) if (result == 0) { writes(to, string(to).min(room)) }
    }
    fn __gethostname_chk(to: *mut c_char, room: usize, size: usize) -> c_int {
        after(result) if (result == 0) { writes(to, string(to).min(room)) }
    }
    fn getdomainname(to: *mut c_char, room: usize) -> c_int {
        after(result) if (result == 0) { writes(to, string(to).min(room)) }
    }
    fn __getdomainname_chk(to: *mut c_char, room: usize, size: usize) -> c_int {
        after(result) if (result == 0) { writes(to, string(to).min(room)) }
    }
    fn sethostname(from: Text, bytes: usize) -> c_int {
        before { reads(from, bytes) }
    }
    fn setdomainname(from: Text, bytes: usize) -> c_int {
        before { reads(from, bytes) }
    }

    // Users and groups of the process.
    fn getgroups(room: c_int, to: *mut c_uint) -> c_int {
        after(count) if (room > 0 && count > 0) { writes(to, count as usize * size_of::<c_uint>()) }
    }
    fn __getgroups_chk(room: c_int, to: *mut c_uint, size: usize) -> c_int {
        after(count) if (room > 0 && count > 0) { writes(to, count as usize * size_of::<c_uint>()) }
    }
    fn setgroups(count: usize, from: *const c_uint) -> c_int {
        before { reads(from, count.saturating_mul(size_of::<c_uint>())) }
    }
    fn getresuid(real: *mut c_uint, effective: *mut c_uint, saved: *mut c_uint) -> c_int {
        after(result) if (result == 0) { writes_one(real), writes_one(effective), writes_one(saved) }
    }
    fn getresgid(real: *mut c_uint, effective: *mut c_uint, saved: *mut c_uint) -> c_int {
        after(result) if (result == 0) { writes_one(real), writes_one(effective), writes_one(saved) }
    }
    fn getlogin_r(to: *mut c_char, room: usize) -> c_int {
        after(failure) if (failure == 0) { writes(to, string(to)) }
    }
    fn __getlogin_r_chk(to: *mut c_char, room: usize, size: usize) -> c_int {
        after(failure) if (failure == 0) { writes(to, string(to)) }
    }

    fn system(command: Text) -> c_int {
        before { reads(command, string(command)) }
    }

    // Scheduling.
    fn sched_getaffinity(process: c_int, bytes: usize, to: *mut c_void) -> c_int {
        after(result) if (result == 0) { writes(to, bytes) }
    }
    fn sched_setaffinity(process: c_int, bytes: usize, from: *const c_void) -> c_int {
        before { reads(from, bytes) }
    }
    fn __sched_cpucount(bytes: usize, from: *const c_void) -> c_int {
        before { reads(from, bytes) }
    }
    fn sched_getparam(process: c_int, to: *mut c_int) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn sched_setparam(process: c_int, from: *const c_int) -> c_int {
        before { reads_one(from) }
    }
    fn sched_setscheduler(process: c_int, policy: c_int, from: *const c_int) -> c_int {
        before { reads_one(from) }
    }
    fn sched_rr_get_interval(process: c_int, to: *mut libc::timespec) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }

    // The environment itself is not checked: libc keeps it under a lock, and gives no way to read it under one.
    fn getenv(name: Text) -> *mut c_char {
        before { reads(name, string(name)) }
    }
    fn secure_getenv(name: Text) -> *mut c_char {
        before { reads(name, string(name)) }
    }
    fn setenv(name: Text, value: Text, replace: c_int) -> c_int {
        before { reads(name, string(name)), reads(value, string(value)) }
    }
    fn unsetenv(name: Text) -> c_int {
        before { reads(name, string(name)) }
    }
    // The text becomes a part of the environment; what the program does with it later is between it and itself.
    fn putenv(text: *mut c_char) -> c_int {
        before { reads(text, string(text)) }
    }

    fn setlocale(category: c_int, name: Text) -> *mut c_char {
        before { reads(name, string(name)) }
    }
    fn newlocale(categories: c_int, name: Text, base: *mut c_void) -> *mut c_void {
        before { reads(name, string(name)) }
    }
    fn mincore(address: *mut c_void, bytes: usize, to: *mut u8) -> c_int {
        after(result) if (result == 0) { writes(to, bytes.div_ceil(4096)) }
    }
}
