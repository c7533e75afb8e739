//! The printf and scanf families.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_void};

use super::descriptors;
use super::format::{Unit, check_printed, check_scanned};
use super::libc_table::{check, reads, string, writes, writes_one};
use super::variadic::{Call, VaList};
use crate::async_safety;
use crate::caller::Caller;
use crate::state::multi_threaded;
use crate::{caller, interceptors, real, variadic_interceptors};

/// A printf whose output goes to a stream or descriptor.
///
/// # Safety
/// `format` and `list` are the program's; `call` makes the call, and may use up the list.
pub unsafe fn print<C: Unit>(
    caller: Caller,
    format: *const C,
    list: *mut c_void,
    call: impl FnOnce() -> c_int,
) -> c_int {
    if multi_threaded() {
        // SAFETY: the caller's contract; the list is copied.
        unsafe { check_printed(caller, format, *list.cast::<VaList>()) };
    }
    call()
}

/// A printf whose output goes to memory, at most `room` bytes of it.
///
/// # Safety
/// As [`print`].
pub unsafe fn print_to(
    caller: Caller,
    to: *mut c_char,
    room: usize,
    format: *const c_char,
    list: *mut c_void,
    call: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: passed on to the caller.
    let length = unsafe { print(caller, format, list, call) };
    if length >= 0 && multi_threaded() {
        check(caller, &[writes(to, room.min(length as usize + 1))]);
    }
    length
}

/// A printf whose output goes to a new block.
///
/// # Safety
/// As [`print`]; `result` is where the block's address goes.
pub unsafe fn print_new(
    caller: Caller,
    result: *mut *mut c_char,
    format: *const c_char,
    list: *mut c_void,
    call: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: passed on to the caller; on success there is a block.
    unsafe {
        let length = print(caller, format, list, call);
        if length >= 0 && multi_threaded() {
            check(
                caller,
                &[writes_one(result), writes(*result, length as usize + 1)],
            );
        }
        length
    }
}

/// A printf to a stream: closing it meanwhile would be a race.
///
/// # Safety
/// As [`print`].
pub unsafe fn print_stream<C: Unit>(
    caller: Caller,
    stream: *mut c_void,
    format: *const C,
    list: *mut c_void,
    call: impl FnOnce() -> c_int,
) -> c_int {
    async_safety::calls(caller, "fprintf");
    if multi_threaded() {
        check(caller, &[reads(stream, 1)]);
    }
    // SAFETY: passed on to the caller.
    let call = || unsafe {
        descriptors::goes_to_stream(caller, stream);
        call()
    };
    // SAFETY: as above.
    unsafe { print(caller, format, list, call) }
}

/// A scanf.
///
/// # Safety
/// As [`print`].
pub unsafe fn scan<C: Unit>(
    caller: Caller,
    format: *const C,
    list: *mut c_void,
    call: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: the caller's contract; the list is copied before the call uses it up.
    unsafe {
        let copy = *list.cast::<VaList>();
        let assigned = call();
        if multi_threaded() {
            check_scanned(caller, format, copy, assigned);
        }
        assigned
    }
}

/// # Safety
/// As [`print`]; `text` is a string.
unsafe fn scan_text(
    caller: Caller,
    text: *const c_char,
    format: *const c_char,
    list: *mut c_void,
    call: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: passed on to the caller.
    unsafe {
        if multi_threaded() {
            check(caller, &[reads(text, string(text))]);
        }
        scan(caller, format, list, call)
    }
}

/// A scanf from a stream.
///
/// # Safety
/// As [`print`].
pub unsafe fn scan_stream<C: Unit>(
    caller: Caller,
    stream: *mut c_void,
    format: *const C,
    list: *mut c_void,
    call: impl FnOnce() -> c_int,
) -> c_int {
    if multi_threaded() {
        check(caller, &[reads(stream, 1)]);
    }
    // SAFETY: passed on to the caller.
    let call = || unsafe {
        let assigned = call();
        descriptors::comes_from_stream(caller, stream);
        assigned
    };
    // SAFETY: as above.
    unsafe { scan(caller, format, list, call) }
}

type Text = *const c_char;
type List = *mut c_void;
type Stream = *mut c_void;

interceptors! {
    fn vprintf(format: Text, list: List) -> c_int {
        let caller = caller!();
        async_safety::calls(caller, "vprintf");
        // SAFETY: the program's call, here and below.
        unsafe { print(caller, format, list, || real!(vprintf)(format, list)) }
    }
    fn vfprintf(stream: Stream, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { print_stream(caller, stream, format, list, || real!(vfprintf)(stream, format, list)) }
    }
    fn vdprintf(fd: c_int, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { print(caller, format, list, || descriptors::output(caller, fd, || real!(vdprintf)(fd, format, list))) }
    }
    fn vsprintf(to: *mut c_char, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { print_to(caller, to, usize::MAX, format, list, || real!(vsprintf)(to, format, list)) }
    }
    fn vsnprintf(to: *mut c_char, room: usize, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { print_to(caller, to, room, format, list, || real!(vsnprintf)(to, room, format, list)) }
    }
    fn vasprintf(result: *mut *mut c_char, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { print_new(caller, result, format, list, || real!(vasprintf)(result, format, list)) }
    }

    fn __vprintf_chk(flag: c_int, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { print(caller, format, list, || real!(__vprintf_chk)(flag, format, list)) }
    }
    fn __vfprintf_chk(stream: Stream, flag: c_int, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { print_stream(caller, stream, format, list, || real!(__vfprintf_chk)(stream, flag, format, list)) }
    }
    fn __vsprintf_chk(to: *mut c_char, flag: c_int, size: usize, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { print_to(caller, to, size, format, list, || real!(__vsprintf_chk)(to, flag, size, format, list)) }
    }
    fn __vsnprintf_chk(to: *mut c_char, room: usize, flag: c_int, size: usize, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            print_to(caller, to, room, format, list, || real!(__vsnprintf_chk)(to, room, flag, size, format, list))
        }
    }
    fn __vasprintf_chk(result: *mut *mut c_char, flag: c_int, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { print_new(caller, result, format, list, || real!(__vasprintf_chk)(result, flag, format, list)) }
    }

    fn __vdprintf_chk(fd: c_int, flag: c_int, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            let call = || real!(__vdprintf_chk)(fd, flag, format, list);
            print(caller, format, list, || descriptors::output(caller, fd, call))
        }
    }

    fn vscanf(format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scan(caller, format, list, || real!(vscanf)(format, list)) }
    }
    fn vfscanf(stream: Stream, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scan_stream(caller, stream, format, list, || real!(vfscanf)(stream, format, list)) }
    }
    fn vsscanf(text: Text, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scan_text(caller, text, format, list, || real!(vsscanf)(text, format, list)) }
    }
    fn __isoc99_vscanf(format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scan(caller, format, list, || real!(__isoc99_vscanf)(format, list)) }
    }
    fn __isoc23_vscanf(format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scan(caller, format, list, || real!(__isoc23_vscanf)(format, list)) }
    }
    fn __isoc99_vfscanf(stream: Stream, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scan_stream(caller, stream, format, list, || real!(__isoc99_vfscanf)(stream, format, list)) }
    }
    fn __isoc23_vfscanf(stream: Stream, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scan_stream(caller, stream, format, list, || real!(__isoc23_vfscanf)(stream, format, list)) }
    }
    fn __isoc99_vsscanf(text: Text, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scan_text(caller, text, format, list, || real!(__isoc99_vsscanf)(text, format, list)) }
    }
    fn __isoc23_vsscanf(text: Text, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scan_text(caller, text, format, list, || real!(__isoc23_vsscanf)(text, format, list)) }
    }
}

/// The bodies of the variadic ones: each does as its sibling with a list, whose real function it calls.
#[macro_export]
macro_rules! bodies {
    ($(fn $name:ident($call:ident, $caller:ident, $list:ident) $body:block)*) => {
        $(#[allow(clippy::macro_metavars_in_unsafe)] // the bodies are all in these files
        unsafe extern "C" fn $name($call: &mut Call) -> c_int {
            let ($caller, $list) = ($call.caller(), $call.list());
            // SAFETY: the program's call, with the arguments that the stub has saved.
            unsafe { $body }
        })*
    };
}

bodies! {
    fn to_stdout(call, caller, list) {
        let format: Text = call.pointer(0);
        async_safety::calls(caller, "printf");
        print(caller, format, list, || real!(vprintf)(format, list))
    }
    fn to_stream(call, caller, list) {
        let (stream, format): (Stream, Text) = (call.pointer(0), call.pointer(1));
        print_stream(caller, stream, format, list, || real!(vfprintf)(stream, format, list))
    }
    fn to_descriptor(call, caller, list) {
        let (fd, format): (c_int, Text) = (call.integer(0) as c_int, call.pointer(1));
        print(caller, format, list, || descriptors::output(caller, fd, || real!(vdprintf)(fd, format, list)))
    }
    fn to_memory(call, caller, list) {
        let (to, format) = (call.pointer(0), call.pointer(1));
        print_to(caller, to, usize::MAX, format, list, || real!(vsprintf)(to, format, list))
    }
    fn to_room(call, caller, list) {
        let (to, room, format) = (call.pointer(0), call.integer(1) as usize, call.pointer(2));
        print_to(caller, to, room, format, list, || real!(vsnprintf)(to, room, format, list))
    }
    fn to_new(call, caller, list) {
        let (result, format) = (call.pointer(0), call.pointer(1));
        print_new(caller, result, format, list, || real!(vasprintf)(result, format, list))
    }
    fn to_stdout_checked(call, caller, list) {
        let (flag, format): (c_int, Text) = (call.integer(0) as c_int, call.pointer(1));
        print(caller, format, list, || real!(__vprintf_chk)(flag, format, list))
    }
    fn to_stream_checked(call, caller, list) {
        let (stream, flag, format): (Stream, c_int, Text) = (call.pointer(0), call.integer(1) as c_int, call.pointer(2));
        print_stream(caller, stream, format, list, || real!(__vfprintf_chk)(stream, flag, format, list))
    }
    fn to_memory_checked(call, caller, list) {
        let (to, flag, size, format) = (call.pointer(0), call.integer(1) as c_int, call.integer(2) as usize, call.pointer(3));
        print_to(caller, to, size, format, list, || real!(__vsprintf_chk)(to, flag, size, format, list))
    }
    fn to_room_checked(call, caller, list) {
        let (to, room, flag) = (call.pointer(0), call.integer(1) as usize, call.integer(2) as c_int);
        let (size, format) = (call.integer(3) as usize, call.pointer(4));
        print_to(caller, to, room, format, list, || real!(__vsnprintf_chk)(to, room, flag, size, format, list))
    }
    fn to_new_checked(call, caller, list) {
        let (result, flag, format) = (call.pointer(0), call.integer(1) as c_int, call.pointer(2));
        print_new(caller, result, format, list, || real!(__vasprintf_chk)(result, flag, format, list))
    }
    fn to_descriptor_checked(call, caller, list) {
        let (fd, flag, format) = (call.integer(0) as c_int, call.integer(1) as c_int, call.pointer(2));
        let call = || real!(__vdprintf_chk)(fd, flag, format, list);
        print::<c_char>(caller, format, list, || descriptors::output(caller, fd, call))
    }
    fn from_stdin(call, caller, list) {
        let format: Text = call.pointer(0);
        scan(caller, format, list, || real!(vscanf)(format, list))
    }
    fn from_stream(call, caller, list) {
        let (stream, format): (Stream, Text) = (call.pointer(0), call.pointer(1));
        scan_stream(caller, stream, format, list, || real!(vfscanf)(stream, format, list))
    }
    fn from_text(call, caller, list) {
        let (text, format) = (call.pointer(0), call.pointer(1));
        scan_text(caller, text, format, list, || real!(vsscanf)(text, format, list))
    }
    fn from_stdin_c99(call, caller, list) {
        let format: Text = call.pointer(0);
        scan(caller, format, list, || real!(__isoc99_vscanf)(format, list))
    }
    fn from_stdin_c23(call, caller, list) {
        let format: Text = call.pointer(0);
        scan(caller, format, list, || real!(__isoc23_vscanf)(format, list))
    }
    fn from_stream_c99(call, caller, list) {
        let (stream, format): (Stream, Text) = (call.pointer(0), call.pointer(1));
        scan_stream(caller, stream, format, list, || real!(__isoc99_vfscanf)(stream, format, list))
    }
    fn from_stream_c23(call, caller, list) {
        let (stream, format): (Stream, Text) = (call.pointer(0), call.pointer(1));
        scan_stream(caller, stream, format, list, || real!(__isoc23_vfscanf)(stream, format, list))
    }
    fn from_text_c99(call, caller, list) {
        let (text, format) = (call.pointer(0), call.pointer(1));
        scan_text(caller, text, format, list, || real!(__isoc99_vsscanf)(text, format, list))
    }
    fn from_text_c23(call, caller, list) {
        let (text, format) = (call.pointer(0), call.pointer(1));
        scan_text(caller, text, format, list, || real!(__isoc23_vsscanf)(text, format, list))
    }
}

variadic_interceptors! {
    fn printf(Text) -> c_int = to_stdout;
    fn fprintf(Stream, Text) -> c_int = to_stream;
    fn dprintf(c_int, Text) -> c_int = to_descriptor;
    fn sprintf(*mut c_char, Text) -> c_int = to_memory;
    fn snprintf(*mut c_char, usize, Text) -> c_int = to_room;
    fn asprintf(*mut *mut c_char, Text) -> c_int = to_new;
    fn __printf_chk(c_int, Text) -> c_int = to_stdout_checked;
    fn __fprintf_chk(Stream, c_int, Text) -> c_int = to_stream_checked;
    fn __sprintf_chk(*mut c_char, c_int, usize, Text) -> c_int = to_memory_checked;
    fn __snprintf_chk(*mut c_char, usize, c_int, usize, Text) -> c_int = to_room_checked;
    fn __asprintf_chk(*mut *mut c_char, c_int, Text) -> c_int = to_new_checked;
    fn __dprintf_chk(c_int, c_int, Text) -> c_int = to_descriptor_checked;
    fn scanf(Text) -> c_int = from_stdin;
    fn fscanf(Stream, Text) -> c_int = from_stream;
    fn sscanf(Text, Text) -> c_int = from_text;
    fn __isoc99_scanf(Text) -> c_int = from_stdin_c99;
    fn __isoc23_scanf(Text) -> c_int = from_stdin_c23;
    fn __isoc99_fscanf(Stream, Text) -> c_int = from_stream_c99;
    fn __isoc23_fscanf(Stream, Text) -> c_int = from_stream_c23;
    fn __isoc99_sscanf(Text, Text) -> c_int = from_text_c99;
    fn __isoc23_sscanf(Text, Text) -> c_int = from_text_c23;
}
