//! Streams. (printf and scanf are in `printf`.)
//!
//! libc's own lock keeps the calls on one stream apart, but it is not what a program synchronizes by; `flockfile` is. Every
//! use of a stream reads its first byte and closing writes it, so that a stream closed while another thread uses it is found.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_long, c_uint, c_void};
use core::sync::atomic::{AtomicUsize, Ordering};
use std::collections::BTreeMap;

use goldilocks_core::event::{Effect, Entity, Role};

use super::descriptors;
use super::given::file_name;
use super::libc_table::{
    check, nothing, reads, reads_one, string, string_within, writes, writes_one,
};
use super::wide_strings::{ALL, Wide, wide};
use crate::caller::Caller;
use crate::pipeline::enter;
use crate::state::multi_threaded;
use crate::sys::lock::Lock;
use crate::{caller, interceptors, libc_table, real};

type Stream = *mut c_void;
type Text = *const c_char;
/// `fpos_t`.
type Position = [u64; 2];

/// `cookie_io_functions_t`, passed by value.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Functions([usize; 4]);

/// The program's lock of a stream.
fn lock_of(stream: Stream) -> Entity {
    Entity::object(stream as u64, Role::Object)
}

fn stream_locked(caller: Caller, stream: Stream) {
    if let Some(mut scope) = enter(caller) {
        scope.sync(Effect::ACQUIRE, lock_of(stream));
    }
}

libc_table! {
    fn freopen(path: Text, mode: Text, stream: Stream) -> Stream {
        opens(new_stream)
        before { reads(path, file_name(path)), reads(mode, string(mode)), reads(stream, 1) }
    }
    fn freopen64(path: Text, mode: Text, stream: Stream) -> Stream {
        opens(new_stream)
        before { reads(path, file_name(path)), reads(mode, string(mode)), reads(stream, 1) }
    }
    fn fopencookie(cookie: *mut c_void, mode: Text, functions: Functions) -> Stream {
        before { reads(mode, string(mode)) }
    }
    // What the stream does with the memory later is not checked.
    fn fmemopen(memory: *mut c_void, bytes: usize, mode: Text) -> Stream {
        before { reads(mode, string(mode)) }
    }
    fn fflush_unlocked(stream: Stream) -> c_int {
        goes_to(stream)
        before { reads(stream, 1) }
    }
    fn fread_unlocked(to: *mut c_void, size: usize, count: usize, stream: Stream) -> usize {
        comes_from(stream)
        before { reads(stream, 1) }
        after(got) { writes(to, got * size) }
    }
    fn __fread_unlocked_chk(to: *mut c_void, room: usize, size: usize, count: usize, stream: Stream) -> usize {
        comes_from(stream)
        before { reads(stream, 1) }
        after(got) { writes(to, got * size) }
    }
    fn fwrite_unlocked(from: *const c_void, size: usize, count: usize, stream: Stream) -> usize {
        goes_to(stream)
        before { reads(stream, 1), reads(from, size.saturating_mul(count)) }
    }
    fn fgets_unlocked(to: *mut c_char, room: c_int, stream: Stream) -> *mut c_char {
        comes_from(stream)
        before { reads(stream, 1) }
        after(line) { writes(line, string_within(line, room.max(0) as usize)) }
    }
    fn __fgets_unlocked_chk(to: *mut c_char, size: usize, room: c_int, stream: Stream) -> *mut c_char {
        comes_from(stream)
        before { reads(stream, 1) }
        after(line) { writes(line, string_within(line, room.max(0) as usize)) }
    }
    fn gets(to: *mut c_char) -> *mut c_char {
        after(line) { writes(line, string(line)) }
    }
    fn __gets_chk(to: *mut c_char, size: usize) -> *mut c_char {
        after(line) { writes(line, string(line)) }
    }
    fn fputs_unlocked(text: Text, stream: Stream) -> c_int {
        goes_to(stream)
        before { reads(stream, 1), reads(text, string(text)) }
    }
    fn fgetws(to: *mut Wide, room: c_int, stream: Stream) -> *mut Wide {
        comes_from(stream)
        before { reads(stream, 1) }
        after(line) { writes(line, wide(line, room.max(0) as usize)) }
    }
    fn __fgetws_chk(to: *mut Wide, size: usize, room: c_int, stream: Stream) -> *mut Wide {
        comes_from(stream)
        before { reads(stream, 1) }
        after(line) { writes(line, wide(line, room.max(0) as usize)) }
    }
    fn fgetws_unlocked(to: *mut Wide, room: c_int, stream: Stream) -> *mut Wide {
        comes_from(stream)
        before { reads(stream, 1) }
        after(line) { writes(line, wide(line, room.max(0) as usize)) }
    }
    fn __fgetws_unlocked_chk(to: *mut Wide, size: usize, room: c_int, stream: Stream) -> *mut Wide {
        comes_from(stream)
        before { reads(stream, 1) }
        after(line) { writes(line, wide(line, room.max(0) as usize)) }
    }
    fn fputws(text: *const Wide, stream: Stream) -> c_int {
        goes_to(stream)
        before { reads(stream, 1), reads(text, wide(text, ALL)) }
    }
    fn fputws_unlocked(text: *const Wide, stream: Stream) -> c_int {
        goes_to(stream)
        before { reads(stream, 1), reads(text, wide(text, ALL)) }
    }
    fn fgetpos(stream: Stream, position: *mut Position) -> c_int {
        before { reads(stream, 1) }
        after(result) if (result == 0) { writes_one(position) }
    }
    fn fgetpos64(stream: Stream, position: *mut Position) -> c_int {
        before { reads(stream, 1) }
        after(result) if (result == 0) { writes_one(position) }
    }
    fn fsetpos(stream: Stream, position: *const Position) -> c_int {
        before { reads(stream, 1), reads_one(position) }
    }
    fn fsetpos64(stream: Stream, position: *const Position) -> c_int {
        before { reads(stream, 1), reads_one(position) }
    }
    fn tmpnam(to: *mut c_char) -> *mut c_char {
        after(name) { writes(name, string(name)) }
    }
    fn tmpnam_r(to: *mut c_char) -> *mut c_char {
        after(name) { writes(name, string(name)) }
    }
    fn tempnam(folder: Text, prefix: Text) -> *mut c_char {
        before { reads(folder, string(folder)), reads(prefix, string(prefix)) }
        after(name) { writes(name, string(name)) }
    }
    fn ctermid(to: *mut c_char) -> *mut c_char {
        after(name) if (core::ptr::eq(name, to)) { writes(to, string(to)) }
    }
    fn readdir_r(folder: *mut c_void, entry: *mut libc::dirent, result: *mut *mut libc::dirent) -> c_int {
        after(failure) if (failure == 0) {
            writes_one(result), if (*result).is_null() { nothing() } else { writes(entry, (*entry).d_reclen as usize) }
        }
    }
    fn readdir64_r(folder: *mut c_void, entry: *mut libc::dirent, result: *mut *mut libc::dirent) -> c_int {
        after(failure) if (failure == 0) {
            writes_one(result), if (*result).is_null() { nothing() } else { writes(entry, (*entry).d_reclen as usize) }
        }
    }
    fn fopen(path: Text, mode: Text) -> Stream {
        opens(new_stream)
        before { reads(path, file_name(path)), reads(mode, string(mode)) }
    }
    fn fopen64(path: Text, mode: Text) -> Stream {
        opens(new_stream)
        before { reads(path, file_name(path)), reads(mode, string(mode)) }
    }
    fn fdopen(fd: c_int, mode: Text) -> Stream {
        before { reads(mode, string(mode)) }
    }
    fn tmpfile() -> Stream {
        opens(new_stream)
    }
    fn tmpfile64() -> Stream {
        opens(new_stream)
    }
    fn popen(command: Text, mode: Text) -> Stream {
        opens(new_stream)
        before { reads(command, string(command)), reads(mode, string(mode)) }
    }
    fn fread(to: *mut c_void, size: usize, count: usize, stream: Stream) -> usize {
        comes_from(stream)
        before { reads(stream, 1) }
        after(got) { writes(to, got * size) }
    }
    fn __fread_chk(to: *mut c_void, room: usize, size: usize, count: usize, stream: Stream) -> usize {
        comes_from(stream)
        before { reads(stream, 1) }
        after(got) { writes(to, got * size) }
    }
    fn fwrite(from: *const c_void, size: usize, count: usize, stream: Stream) -> usize {
        goes_to(stream)
        before { reads(stream, 1), reads(from, size.saturating_mul(count)) }
    }
    fn fgets(to: *mut c_char, room: c_int, stream: Stream) -> *mut c_char {
        comes_from(stream)
        before { reads(stream, 1) }
        after(line) { writes(line, string_within(line, room.max(0) as usize)) }
    }
    fn __fgets_chk(to: *mut c_char, size: usize, room: c_int, stream: Stream) -> *mut c_char {
        comes_from(stream)
        before { reads(stream, 1) }
        after(line) { writes(line, string_within(line, room.max(0) as usize)) }
    }
    fn fputs(text: Text, stream: Stream) -> c_int {
        goes_to(stream)
        before { reads(stream, 1), reads(text, string(text)) }
    }
    fn puts(text: Text) -> c_int {
        before { reads(text, string(text)) }
    }
    fn perror(text: Text) {
        before { reads(text, string(text)) }
    }
    fn getline(line: *mut *mut c_char, room: *mut usize, stream: Stream) -> isize {
        comes_from(stream)
        before { reads(stream, 1), reads_one(line), reads_one(room) }
        after(length) if (length >= 0) { writes_one(line), writes_one(room), writes(*line, length as usize + 1) }
    }
    fn getdelim(line: *mut *mut c_char, room: *mut usize, end: c_int, stream: Stream) -> isize {
        comes_from(stream)
        before { reads(stream, 1), reads_one(line), reads_one(room) }
        after(length) if (length >= 0) { writes_one(line), writes_one(room), writes(*line, length as usize + 1) }
    }
    fn __getdelim(line: *mut *mut c_char, room: *mut usize, end: c_int, stream: Stream) -> isize {
        comes_from(stream)
        before { reads(stream, 1), reads_one(line), reads_one(room) }
        after(length) if (length >= 0) { writes_one(line), writes_one(room), writes(*line, length as usize + 1) }
    }
    fn remove(path: Text) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn opendir(path: Text) -> *mut c_void {
        opens(new_folder)
        before { reads(path, file_name(path)) }
    }
    fn readdir(folder: *mut c_void) -> *mut libc::dirent {
        after(entry) if (!entry.is_null()) { writes(entry, (*entry).d_reclen as usize) }
    }
    fn readdir64(folder: *mut c_void) -> *mut libc::dirent {
        after(entry) if (!entry.is_null()) { writes(entry, (*entry).d_reclen as usize) }
    }
}

/// Functions of a stream that look at nothing else: a concurrent close is a race.
macro_rules! of_stream {
    (@ [$($way:ident)?] $name:ident ($($before:ident : $early:ty,)*) ($($after:ident : $late:ty),*) $ret:ty) => {
        libc_table! {
            fn $name($($before: $early,)* stream: Stream $(, $after: $late)*) -> $ret {
                $($way(stream))?
                before { reads(stream, 1) }
            }
        }
    };
    (goes_to $($name:ident ($($before:ident : $early:ty,)* @) -> $ret:ty;)*) => {
        $(of_stream! { @ [goes_to] $name ($($before: $early,)*) () $ret })*
    };
    (comes_from $($name:ident (@) -> $ret:ty;)*) => {
        $(of_stream! { @ [comes_from] $name () () $ret })*
    };
    (uses $($name:ident ($($before:ident : $early:ty,)* @ $(, $after:ident : $late:ty)*) -> $ret:ty;)*) => {
        $(of_stream! { @ [] $name ($($before: $early,)*) ($($after: $late),*) $ret })*
    };
}

of_stream! {
    goes_to
    fputc(character: c_int, @) -> c_int;
    putc(character: c_int, @) -> c_int;
    fputc_unlocked(character: c_int, @) -> c_int;
    putc_unlocked(character: c_int, @) -> c_int;
    putw(number: c_int, @) -> c_int;
    fputwc(character: Wide, @) -> c_uint;
    putwc(character: Wide, @) -> c_uint;
    fputwc_unlocked(character: Wide, @) -> c_uint;
    putwc_unlocked(character: Wide, @) -> c_uint;
}

of_stream! {
    comes_from
    fgetc(@) -> c_int;
    getc(@) -> c_int;
    fgetc_unlocked(@) -> c_int;
    getc_unlocked(@) -> c_int;
    getw(@) -> c_int;
    fgetwc(@) -> c_uint;
    getwc(@) -> c_uint;
    fgetwc_unlocked(@) -> c_uint;
    getwc_unlocked(@) -> c_uint;
}

of_stream! {
    uses
    ungetc(character: c_int, @) -> c_int;
    ungetwc(character: c_uint, @) -> c_uint;
    fwide(@, mode: c_int) -> c_int;
    fseek(@, offset: c_long, from: c_int) -> c_int;
    fseeko(@, offset: i64, from: c_int) -> c_int;
    fseeko64(@, offset: i64, from: c_int) -> c_int;
    ftell(@) -> c_long;
    ftello(@) -> i64;
    ftello64(@) -> i64;
    rewind(@) -> ();
    feof(@) -> c_int;
    ferror(@) -> c_int;
    clearerr(@) -> ();
    feof_unlocked(@) -> c_int;
    ferror_unlocked(@) -> c_int;
    clearerr_unlocked(@) -> ();
    fileno_unlocked(@) -> c_int;
    // The stream's buffer, which is given here, is the stream's from now on, and what it does with it is not checked.
    setbuf(@, buffer: *mut c_char) -> ();
    setbuffer(@, buffer: *mut c_char, bytes: usize) -> ();
    setlinebuf(@) -> ();
    setvbuf(@, buffer: *mut c_char, mode: c_int, bytes: usize) -> c_int;
    __fpurge(@) -> ();
    __fpending(@) -> usize;
    __fbufsize(@) -> usize;
    __freading(@) -> c_int;
    __fwriting(@) -> c_int;
    __freadable(@) -> c_int;
    __fwritable(@) -> c_int;
    __flbf(@) -> c_int;
    __fsetlocking(@, kind: c_int) -> c_int;
}

/// Streams into memory that grows: where address and size of it go whenever the stream is flushed or closed.
static GROWING: Lock<BTreeMap<usize, (usize, usize)>> = Lock::new(BTreeMap::new());
/// Their number, so that programs without any do not ask. Relaxed: who uses a stream has it from the thread that opened it.
static GROWING_COUNT: AtomicUsize = AtomicUsize::new(0);

/// The two places of a stream into memory, if `stream` is one.
fn places(caller: Caller, stream: Stream, forget: bool) -> Option<(*const c_void, *const c_void)> {
    if GROWING_COUNT.load(Ordering::Relaxed) == 0 {
        return None;
    }
    let _scope = enter(caller)?;
    let mut growing = GROWING.lock()?;
    let (to, size) = *growing.get(&(stream as usize))?;
    if forget {
        growing.remove(&(stream as usize));
        GROWING_COUNT.fetch_sub(1, Ordering::Relaxed);
    }
    Some((to as *const c_void, size as *const c_void))
}

/// A flush or close of a stream that may be into memory.
fn publishes(caller: Caller, stream: Stream, closes: bool) {
    if let Some((to, size)) = places(caller, stream, closes) {
        check(
            caller,
            &[
                writes(to, size_of::<usize>()),
                writes(size, size_of::<usize>()),
            ],
        );
    }
}

/// After a stream into memory was opened. The memory it has at first is published at once.
fn growing(caller: Caller, stream: Stream, to: *const c_void, size: *const c_void) -> Stream {
    if stream.is_null() {
        return stream;
    }
    if multi_threaded() {
        check(
            caller,
            &[
                writes(to, size_of::<usize>()),
                writes(size, size_of::<usize>()),
            ],
        );
    }
    if let Some(_scope) = enter(caller)
        && let Some(mut growing) = GROWING.lock()
        && growing
            .insert(stream as usize, (to as usize, size as usize))
            .is_none()
    {
        GROWING_COUNT.fetch_add(1, Ordering::Relaxed);
    }
    stream
}

interceptors! {
    fn open_memstream(to: *mut *mut c_char, size: *mut usize) -> Stream {
        let caller = caller!();
        // SAFETY: the program's call, here and below.
        let stream = unsafe { real!(open_memstream)(to, size) };
        growing(caller, stream, to.cast(), size.cast())
    }
    fn open_wmemstream(to: *mut *mut Wide, size: *mut usize) -> Stream {
        let caller = caller!();
        // SAFETY: as above.
        let stream = unsafe { real!(open_wmemstream)(to, size) };
        growing(caller, stream, to.cast(), size.cast())
    }
    fn fflush(stream: Stream) -> c_int {
        let caller = caller!();
        check(caller, &[reads(stream, 1)]);
        publishes(caller, stream, false);
        // SAFETY: as above.
        unsafe {
            descriptors::goes_to_stream(caller, stream);
            real!(fflush)(stream)
        }
    }
    fn fclose(stream: Stream) -> c_int {
        let caller = caller!();
        check(caller, &[writes(stream, 1)]);
        publishes(caller, stream, true);
        // SAFETY: the program's stream is open until the real call, here and below.
        unsafe {
            descriptors::closing_stream(caller, stream);
            real!(fclose)(stream)
        }
    }
    fn pclose(stream: Stream) -> c_int {
        let caller = caller!();
        check(caller, &[writes(stream, 1)]);
        // SAFETY: as above.
        unsafe {
            descriptors::closing_stream(caller, stream);
            real!(pclose)(stream)
        }
    }
    fn closedir(folder: *mut c_void) -> c_int {
        let caller = caller!();
        check(caller, &[writes(folder, 1)]);
        // SAFETY: the program's folder is open until the real call.
        unsafe {
            descriptors::closing_folder(caller, folder);
            real!(closedir)(folder)
        }
    }
    fn flockfile(stream: Stream) {
        let caller = caller!();
        // SAFETY: the program's call, here and below.
        unsafe { real!(flockfile)(stream) };
        stream_locked(caller, stream);
    }
    fn ftrylockfile(stream: Stream) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        let busy = unsafe { real!(ftrylockfile)(stream) };
        if busy == 0 {
            stream_locked(caller, stream);
        }
        busy
    }
    fn funlockfile(stream: Stream) {
        let caller = caller!();
        if let Some(mut scope) = enter(caller) {
            scope.sync(Effect::RELEASE, lock_of(stream));
        }
        // SAFETY: as above.
        unsafe { real!(funlockfile)(stream) };
    }
}
