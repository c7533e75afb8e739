//! Time.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_void};

use super::libc_table::{reads, reads_one, string, writes, writes_one};
use crate::libc_table;

libc_table! {
    fn time(to: *mut i64) -> i64 {
        after(_now) { writes_one(to) }
    }
    fn gettimeofday(to: *mut libc::timeval, zone: *mut [c_int; 2]) -> c_int {
        after(result) if (result == 0) { writes_one(to), writes_one(zone) }
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
    fn strftime_l(to: *mut c_char, room: usize, format: *const c_char, time: *const libc::tm, locale: *const c_void) -> usize {
        before { reads(format, string(format)), reads_one(time) }
        after(length) if (length != 0) { writes(to, length + 1) }
    }
    fn strptime_l(text: *const c_char, format: *const c_char, to: *mut libc::tm, locale: *const c_void) -> *mut c_char {
        before { reads(text, string(text)), reads(format, string(format)) }
        after(end) if (!end.is_null()) { writes_one(to) }
    }
    fn timelocal(time: *mut libc::tm) -> i64 {
        before { writes_one(time) }
    }
    fn getdate(text: *const c_char) -> *mut libc::tm {
        before { reads(text, string(text)) }
        after(time) { writes_one(time) }
    }
    fn getdate_r(text: *const c_char, to: *mut libc::tm) -> c_int {
        before { reads(text, string(text)) }
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn timespec_getres(to: *mut libc::timespec, base: c_int) -> c_int {
        after(result) if (result != 0) { writes_one(to) }
    }
    fn __clock_gettime(clock: c_int, to: *mut libc::timespec) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn __nanosleep(time: *const libc::timespec, left: *mut libc::timespec) -> c_int {
        before { reads_one(time) }
        after(result) if (result != 0) { writes_one(left) }
    }
    fn thrd_sleep(time: *const libc::timespec, left: *mut libc::timespec) -> c_int {
        before { reads_one(time) }
        after(result) if (result == -1) { writes_one(left) }
    }
    fn settimeofday(from: *const libc::timeval, zone: *const [c_int; 2]) -> c_int {
        before { reads_one(from), reads_one(zone) }
    }
    fn adjtime(delta: *const libc::timeval, old: *mut libc::timeval) -> c_int {
        before { reads_one(delta) }
        after(result) if (result == 0) { writes_one(old) }
    }
    // The kernel answers in the structure of the question.
    fn adjtimex(about: *mut libc::timex) -> c_int {
        before { writes_one(about) }
    }
    fn ntp_adjtime(about: *mut libc::timex) -> c_int {
        before { writes_one(about) }
    }
    fn clock_adjtime(clock: c_int, about: *mut libc::timex) -> c_int {
        before { writes_one(about) }
    }
    fn clock_getcpuclockid(process: c_int, to: *mut c_int) -> c_int {
        after(failure) if (failure == 0) { writes_one(to) }
    }
    fn getitimer(which: c_int, to: *mut libc::itimerval) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn timer_gettime(timer: *mut c_void, to: *mut libc::itimerspec) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn timerfd_gettime(fd: c_int, to: *mut libc::itimerspec) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
}
