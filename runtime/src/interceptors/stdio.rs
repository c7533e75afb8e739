//! Streams. (printf and scanf are in `printf`.)
//!
//! libc's own lock keeps the calls on one stream apart, but it is not what a program synchronizes by; `flockfile` is. Every
//! use of a stream reads its first byte and closing writes it, so that a stream closed while another thread uses it is found.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_void};

use goldilocks_core::event::{Effect, Entity, Role};

use super::descriptors;
use super::libc_table::{check, reads, reads_one, string, string_within, writes, writes_one};
use crate::pipeline::{Caller, enter};
use crate::{caller, interceptors, libc_table, real};

type Stream = *mut c_void;
type Text = *const c_char;

unsafe extern "C" {
    fn fileno(stream: Stream) -> c_int;
}

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
    fn fopen(path: Text, mode: Text) -> Stream {
        before { reads(path, string(path)), reads(mode, string(mode)) }
    }
    fn fopen64(path: Text, mode: Text) -> Stream {
        before { reads(path, string(path)), reads(mode, string(mode)) }
    }
    fn fdopen(fd: c_int, mode: Text) -> Stream {
        before { reads(mode, string(mode)) }
    }
    fn popen(command: Text, mode: Text) -> Stream {
        before { reads(command, string(command)), reads(mode, string(mode)) }
    }
    fn fflush(stream: Stream) -> c_int {
        before { reads(stream, 1) }
    }
    fn fread(to: *mut c_void, size: usize, count: usize, stream: Stream) -> usize {
        before { reads(stream, 1) }
        after(got) { writes(to, got * size) }
    }
    fn __fread_chk(to: *mut c_void, room: usize, size: usize, count: usize, stream: Stream) -> usize {
        before { reads(stream, 1) }
        after(got) { writes(to, got * size) }
    }
    fn fwrite(from: *const c_void, size: usize, count: usize, stream: Stream) -> usize {
        before { reads(stream, 1), reads(from, size.saturating_mul(count)) }
    }
    fn fgets(to: *mut c_char, room: c_int, stream: Stream) -> *mut c_char {
        before { reads(stream, 1) }
        after(line) { writes(line, string_within(line, room.max(0) as usize)) }
    }
    fn __fgets_chk(to: *mut c_char, size: usize, room: c_int, stream: Stream) -> *mut c_char {
        before { reads(stream, 1) }
        after(line) { writes(line, string_within(line, room.max(0) as usize)) }
    }
    fn fputs(text: Text, stream: Stream) -> c_int {
        before { reads(stream, 1), reads(text, string(text)) }
    }
    fn puts(text: Text) -> c_int {
        before { reads(text, string(text)) }
    }
    fn perror(text: Text) {
        before { reads(text, string(text)) }
    }
    fn getline(line: *mut *mut c_char, room: *mut usize, stream: Stream) -> isize {
        before { reads(stream, 1), reads_one(line), reads_one(room) }
        after(length) if (length >= 0) { writes_one(line), writes_one(room), writes(*line, length as usize + 1) }
    }
    fn getdelim(line: *mut *mut c_char, room: *mut usize, end: c_int, stream: Stream) -> isize {
        before { reads(stream, 1), reads_one(line), reads_one(room) }
        after(length) if (length >= 0) { writes_one(line), writes_one(room), writes(*line, length as usize + 1) }
    }
    fn __getdelim(line: *mut *mut c_char, room: *mut usize, end: c_int, stream: Stream) -> isize {
        before { reads(stream, 1), reads_one(line), reads_one(room) }
        after(length) if (length >= 0) { writes_one(line), writes_one(room), writes(*line, length as usize + 1) }
    }
    fn remove(path: Text) -> c_int {
        before { reads(path, string(path)) }
    }
    fn opendir(path: Text) -> *mut c_void {
        before { reads(path, string(path)) }
    }
    fn readdir(folder: *mut c_void) -> *mut libc::dirent {
        after(entry) if (!entry.is_null()) { writes(entry, (*entry).d_reclen as usize) }
    }
    fn readdir64(folder: *mut c_void) -> *mut libc::dirent {
        after(entry) if (!entry.is_null()) { writes(entry, (*entry).d_reclen as usize) }
    }
    fn closedir(folder: *mut c_void) -> c_int {
        before { writes(folder, 1) }
    }
}

interceptors! {
    fn fclose(stream: Stream) -> c_int {
        let caller = caller!();
        check(caller, &[writes(stream, 1)]);
        // SAFETY: the program's stream is open until the real call, here and below.
        unsafe {
            descriptors::closing(caller, fileno(stream));
            real!(fclose)(stream)
        }
    }
    fn pclose(stream: Stream) -> c_int {
        let caller = caller!();
        check(caller, &[writes(stream, 1)]);
        // SAFETY: as above.
        unsafe {
            descriptors::closing(caller, fileno(stream));
            real!(pclose)(stream)
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
