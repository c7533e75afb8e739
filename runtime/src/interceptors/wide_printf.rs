//! The printf and scanf families of wide characters.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_int, c_void};

use super::libc_table::{check, reads, writes};
use super::printf::{print, print_stream, scan, scan_stream};
use super::variadic::Call;
use super::wide_strings::{ALL, WIDE, Wide, wide};
use crate::caller::Caller;
use crate::state::multi_threaded;
use crate::{bodies, caller, interceptors, real, variadic_interceptors};

type Format = *const Wide;
type List = *mut c_void;
type Stream = *mut c_void;

/// A printf whose output goes to memory. It fails if there is no room for all of it.
///
/// # Safety
/// As [`print`].
unsafe fn print_to(
    caller: Caller,
    to: *mut Wide,
    format: Format,
    list: List,
    call: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: passed on to the caller.
    let length = unsafe { print(caller, format, list, call) };
    if length >= 0 && multi_threaded() {
        check(caller, &[writes(to, (length as usize + 1) * WIDE)]);
    }
    length
}

/// # Safety
/// As [`scan`]; `text` is a wide string.
unsafe fn scan_text(
    caller: Caller,
    text: Format,
    format: Format,
    list: List,
    call: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: passed on to the caller.
    unsafe {
        if multi_threaded() {
            check(caller, &[reads(text, wide(text, ALL))]);
        }
        scan(caller, format, list, call)
    }
}

interceptors! {
    fn vwprintf(format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { print(caller, format, list, || real!(vwprintf)(format, list)) }
    }
    fn vfwprintf(stream: Stream, format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { print_stream(caller, stream, format, list, || real!(vfwprintf)(stream, format, list)) }
    }
    fn vswprintf(to: *mut Wide, room: usize, format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { print_to(caller, to, format, list, || real!(vswprintf)(to, room, format, list)) }
    }
    fn __vwprintf_chk(flag: c_int, format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { print(caller, format, list, || real!(__vwprintf_chk)(flag, format, list)) }
    }
    fn __vfwprintf_chk(stream: Stream, flag: c_int, format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { print_stream(caller, stream, format, list, || real!(__vfwprintf_chk)(stream, flag, format, list)) }
    }
    fn __vswprintf_chk(to: *mut Wide, room: usize, flag: c_int, size: usize, format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { print_to(caller, to, format, list, || real!(__vswprintf_chk)(to, room, flag, size, format, list)) }
    }
    fn vwscanf(format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { scan(caller, format, list, || real!(vwscanf)(format, list)) }
    }
    fn vfwscanf(stream: Stream, format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { scan_stream(caller, stream, format, list, || real!(vfwscanf)(stream, format, list)) }
    }
    fn vswscanf(text: Format, format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { scan_text(caller, text, format, list, || real!(vswscanf)(text, format, list)) }
    }
    fn __isoc99_vwscanf(format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { scan(caller, format, list, || real!(__isoc99_vwscanf)(format, list)) }
    }
    fn __isoc23_vwscanf(format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { scan(caller, format, list, || real!(__isoc23_vwscanf)(format, list)) }
    }
    fn __isoc99_vfwscanf(stream: Stream, format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { scan_stream(caller, stream, format, list, || real!(__isoc99_vfwscanf)(stream, format, list)) }
    }
    fn __isoc23_vfwscanf(stream: Stream, format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { scan_stream(caller, stream, format, list, || real!(__isoc23_vfwscanf)(stream, format, list)) }
    }
    fn __isoc99_vswscanf(text: Format, format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { scan_text(caller, text, format, list, || real!(__isoc99_vswscanf)(text, format, list)) }
    }
    fn __isoc23_vswscanf(text: Format, format: Format, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { scan_text(caller, text, format, list, || real!(__isoc23_vswscanf)(text, format, list)) }
    }
}

bodies! {
    fn to_stdout(call, caller, list) {
        let format: Format = call.pointer(0);
        print(caller, format, list, || real!(vwprintf)(format, list))
    }
    fn to_stream(call, caller, list) {
        let (stream, format): (Stream, Format) = (call.pointer(0), call.pointer(1));
        print_stream(caller, stream, format, list, || real!(vfwprintf)(stream, format, list))
    }
    fn to_room(call, caller, list) {
        let (to, room, format) = (call.pointer(0), call.integer(1) as usize, call.pointer(2));
        print_to(caller, to, format, list, || real!(vswprintf)(to, room, format, list))
    }
    fn to_stdout_checked(call, caller, list) {
        let (flag, format): (c_int, Format) = (call.integer(0) as c_int, call.pointer(1));
        print(caller, format, list, || real!(__vwprintf_chk)(flag, format, list))
    }
    fn to_stream_checked(call, caller, list) {
        let (stream, flag, format): (Stream, c_int, Format) = (call.pointer(0), call.integer(1) as c_int, call.pointer(2));
        print_stream(caller, stream, format, list, || real!(__vfwprintf_chk)(stream, flag, format, list))
    }
    fn to_room_checked(call, caller, list) {
        let (to, room, flag) = (call.pointer(0), call.integer(1) as usize, call.integer(2) as c_int);
        let (size, format) = (call.integer(3) as usize, call.pointer(4));
        print_to(caller, to, format, list, || real!(__vswprintf_chk)(to, room, flag, size, format, list))
    }
    fn from_stdin(call, caller, list) {
        let format: Format = call.pointer(0);
        scan(caller, format, list, || real!(vwscanf)(format, list))
    }
    fn from_stream(call, caller, list) {
        let (stream, format): (Stream, Format) = (call.pointer(0), call.pointer(1));
        scan_stream(caller, stream, format, list, || real!(vfwscanf)(stream, format, list))
    }
    fn from_text(call, caller, list) {
        let (text, format): (Format, Format) = (call.pointer(0), call.pointer(1));
        scan_text(caller, text, format, list, || real!(vswscanf)(text, format, list))
    }
    fn from_stdin_c99(call, caller, list) {
        let format: Format = call.pointer(0);
        scan(caller, format, list, || real!(__isoc99_vwscanf)(format, list))
    }
    fn from_stdin_c23(call, caller, list) {
        let format: Format = call.pointer(0);
        scan(caller, format, list, || real!(__isoc23_vwscanf)(format, list))
    }
    fn from_stream_c99(call, caller, list) {
        let (stream, format): (Stream, Format) = (call.pointer(0), call.pointer(1));
        scan_stream(caller, stream, format, list, || real!(__isoc99_vfwscanf)(stream, format, list))
    }
    fn from_stream_c23(call, caller, list) {
        let (stream, format): (Stream, Format) = (call.pointer(0), call.pointer(1));
        scan_stream(caller, stream, format, list, || real!(__isoc23_vfwscanf)(stream, format, list))
    }
    fn from_text_c99(call, caller, list) {
        let (text, format): (Format, Format) = (call.pointer(0), call.pointer(1));
        scan_text(caller, text, format, list, || real!(__isoc99_vswscanf)(text, format, list))
    }
    fn from_text_c23(call, caller, list) {
        let (text, format): (Format, Format) = (call.pointer(0), call.pointer(1));
        scan_text(caller, text, format, list, || real!(__isoc23_vswscanf)(text, format, list))
    }
}

variadic_interceptors! {
    fn wprintf(Format) -> c_int = to_stdout;
    fn fwprintf(Stream, Format) -> c_int = to_stream;
    fn swprintf(*mut Wide, usize, Format) -> c_int = to_room;
    fn __wprintf_chk(c_int, Format) -> c_int = to_stdout_checked;
    fn __fwprintf_chk(Stream, c_int, Format) -> c_int = to_stream_checked;
    fn __swprintf_chk(*mut Wide, usize, c_int, usize, Format) -> c_int = to_room_checked;
    fn wscanf(Format) -> c_int = from_stdin;
    fn fwscanf(Stream, Format) -> c_int = from_stream;
    fn swscanf(Format, Format) -> c_int = from_text;
    fn __isoc99_wscanf(Format) -> c_int = from_stdin_c99;
    fn __isoc23_wscanf(Format) -> c_int = from_stdin_c23;
    fn __isoc99_fwscanf(Stream, Format) -> c_int = from_stream_c99;
    fn __isoc23_fwscanf(Stream, Format) -> c_int = from_stream_c23;
    fn __isoc99_swscanf(Format, Format) -> c_int = from_text_c99;
    fn __isoc23_swscanf(Format, Format) -> c_int = from_text_c23;
}
