//! Time, and small queries that fill a structure.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_uint, c_void};

use super::libc_table::{reads, reads_one, string, writes, writes_one};
use crate::libc_table;

libc_table! {
    fn time(to: *mut i64) -> i64 {
        after(_now) { writes_one(to) }
    }
    fn gettimeofday(to: *mut libc::timeval, zone: *mut c_void) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn clock_gettime(clock: c_int, to: *mut libc::timespec) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn clock_getres(clock: c_int, to: *mut libc::timespec) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn clock_settime(clock: c_int, from: *const libc::timespec) -> c_int {
        before { reads_one(from) }
    }
    fn timespec_get(to: *mut libc::timespec, base: c_int) -> c_int {
        after(result) if (result != 0) { writes_one(to) }
    }
    fn nanosleep(time: *const libc::timespec, left: *mut libc::timespec) -> c_int {
        before { reads_one(time) }
        after(result) if (result != 0) { writes_one(left) }
    }
    fn clock_nanosleep(clock: c_int, flags: c_int, time: *const libc::timespec, left: *mut libc::timespec) -> c_int {
        before { reads_one(time) }
        after(result) if (result == libc::EINTR) { writes_one(left) }
    }
    fn times(to: *mut libc::tms) -> i64 {
        after(_now) { writes_one(to) }
    }
    fn getrusage(who: c_int, to: *mut libc::rusage) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn getrlimit(resource: c_uint, to: *mut libc::rlimit) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn setrlimit(resource: c_uint, from: *const libc::rlimit) -> c_int {
        before { reads_one(from) }
    }
    fn uname(to: *mut libc::utsname) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }

    // These two fill one structure for the whole process: two threads that use them unordered race.
    fn localtime(time: *const i64) -> *mut libc::tm {
        before { reads_one(time) }
        after(result) { writes_one(result) }
    }
    fn gmtime(time: *const i64) -> *mut libc::tm {
        before { reads_one(time) }
        after(result) { writes_one(result) }
    }
    fn localtime_r(time: *const i64, to: *mut libc::tm) -> *mut libc::tm {
        before { reads_one(time) }
        after(result) { writes_one(result) }
    }
    fn gmtime_r(time: *const i64, to: *mut libc::tm) -> *mut libc::tm {
        before { reads_one(time) }
        after(result) { writes_one(result) }
    }
    // They set the fields right, too.
    fn mktime(time: *mut libc::tm) -> i64 {
        before { writes_one(time) }
    }
    fn timegm(time: *mut libc::tm) -> i64 {
        before { writes_one(time) }
    }
    fn asctime(time: *const libc::tm) -> *mut c_char {
        before { reads_one(time) }
        after(text) { writes(text, string(text)) }
    }
    fn asctime_r(time: *const libc::tm, to: *mut c_char) -> *mut c_char {
        before { reads_one(time) }
        after(text) { writes(text, string(text)) }
    }
    fn ctime(time: *const i64) -> *mut c_char {
        before { reads_one(time) }
        after(text) { writes(text, string(text)) }
    }
    fn ctime_r(time: *const i64, to: *mut c_char) -> *mut c_char {
        before { reads_one(time) }
        after(text) { writes(text, string(text)) }
    }
    fn strftime(to: *mut c_char, room: usize, format: *const c_char, time: *const libc::tm) -> usize {
        before { reads(format, string(format)), reads_one(time) }
        after(length) if (length != 0) { writes(to, length + 1) }
    }
    fn strptime(text: *const c_char, format: *const c_char, to: *mut libc::tm) -> *mut c_char {
        before { reads(text, string(text)), reads(format, string(format)) }
        after(end) if (!end.is_null()) { writes_one(to) }
    }

    // The comparison is the program's own code and checked as such; that elements move is told here.
    fn qsort(base: *mut c_void, count: usize, size: usize, compare: *const c_void) {
        before { writes(base, if count > 1 { count.saturating_mul(size) } else { 0 }) }
    }
    fn qsort_r(base: *mut c_void, count: usize, size: usize, compare: *const c_void, context: *mut c_void) {
        before { writes(base, if count > 1 { count.saturating_mul(size) } else { 0 }) }
    }
    fn getenv(name: *const c_char) -> *mut c_char {
        before { reads(name, string(name)) }
    }
    fn setenv(name: *const c_char, value: *const c_char, replace: c_int) -> c_int {
        before { reads(name, string(name)), reads(value, string(value)) }
    }
    fn unsetenv(name: *const c_char) -> c_int {
        before { reads(name, string(name)) }
    }
    fn getrandom(to: *mut c_void, bytes: usize, flags: c_uint) -> isize {
        after(got) if (got > 0) { writes(to, got as usize) }
    }
    fn getentropy(to: *mut c_void, bytes: usize) -> c_int {
        after(result) if (result == 0) { writes(to, bytes) }
    }
    fn rand_r(seed: *mut c_uint) -> c_int {
        before { writes_one(seed) }
    }
}
