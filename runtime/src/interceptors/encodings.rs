//! From one encoding of characters into another: multibyte strings, wide strings, iconv.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_void};

use super::libc_table::{
    check, nothing, quietly, reads, reads_one, string, string_within, writes, writes_one,
};
use super::wide_strings::{ALL, WIDE, Wide, wide};
use crate::caller::Caller;
use crate::state::multi_threaded;
use crate::{caller, interceptors, libc_table, real};

/// `sizeof(mbstate_t)`.
const MBSTATE: usize = 8;
/// What the functions for one character say of bytes that are none, and of those that are the start of one only.
const INVALID: usize = usize::MAX;
const UNFINISHED: usize = usize::MAX - 1;

/// Bytes of a multibyte string that were looked at for a character: `count` is what the function returned.
fn of_one(count: usize, limit: usize) -> usize {
    match count {
        UNFINISHED => limit,
        INVALID => 1.min(limit),
        count => count.max(1).min(limit),
    }
}

unsafe extern "C" {
    fn __ctype_get_mb_cur_max() -> usize;
}

/// Bytes of the next `characters` of a multibyte string: in one of the encodings with one byte each, or in UTF-8.
///
/// # Safety
/// They are there, and valid.
unsafe fn multibyte(text: *const c_char, characters: usize) -> usize {
    // SAFETY: the caller's contract.
    unsafe {
        if __ctype_get_mb_cur_max() == 1 {
            return characters;
        }
        (0..characters).fold(0, |at, _| {
            at + match *text.add(at) as u8 {
                0..0x80 => 1,
                0x80..0xe0 => 2,
                0xe0..0xf0 => 3,
                _ => 4,
            }
        })
    }
}

/// Wide characters that make `bytes` bytes of a multibyte string.
///
/// # Safety
/// They are there.
unsafe fn characters_of(text: *const Wide, bytes: usize) -> usize {
    let (mut at, mut made) = (0, 0);
    // SAFETY: the caller's contract.
    unsafe {
        let single = __ctype_get_mb_cur_max() == 1;
        while made < bytes {
            made += match *text.add(at) {
                _ if single => 1,
                ..0x80 => 1,
                0x80..0x800 => 2,
                0x800..0x10000 => 3,
                _ => 4,
            };
            at += 1;
        }
    }
    at
}

/// Bytes of a wide string that were looked at to make `bytes`: with the one behind, if there was room for more.
///
/// # Safety
/// As [`characters_of`].
unsafe fn converted(text: *const Wide, bytes: usize, more: bool) -> usize {
    // SAFETY: passed on to the caller.
    unsafe { (characters_of(text, bytes) + more as usize) * WIDE }
}

/// Whether the string ends behind the characters that make `bytes`.
///
/// # Safety
/// As [`characters_of`].
unsafe fn ends_after(text: *const Wide, bytes: usize) -> bool {
    // SAFETY: passed on to the caller.
    unsafe { *text.add(characters_of(text, bytes)) == 0 }
}

// A conversion that fails says so by -1; it has written what came before. That is not checked.
libc_table! {
    fn mbstowcs(to: *mut Wide, from: *const c_char, limit: usize) -> usize {
        after(count) if (count != INVALID) {
            reads(from, multibyte(from, count) + (to.is_null() || count < limit) as usize),
            writes(to, limit.min(count + 1) * WIDE)
        }
    }
    fn __mbstowcs_chk(to: *mut Wide, from: *const c_char, limit: usize, room: usize) -> usize {
        after(count) if (count != INVALID) {
            reads(from, multibyte(from, count) + (to.is_null() || count < limit) as usize),
            writes(to, limit.min(count + 1) * WIDE)
        }
    }
    fn wcstombs(to: *mut c_char, from: *const Wide, limit: usize) -> usize {
        after(count) if (count != INVALID) {
            reads(from, converted(from, count, to.is_null() || count < limit)),
            // Room for a part of the next character only is left as it is.
            writes(to, count + (count < limit && ends_after(from, count)) as usize)
        }
    }
    fn __wcstombs_chk(to: *mut c_char, from: *const Wide, limit: usize, room: usize) -> usize {
        after(count) if (count != INVALID) {
            reads(from, converted(from, count, to.is_null() || count < limit)),
            // Room for a part of the next character only is left as it is.
            writes(to, count + (count < limit && ends_after(from, count)) as usize)
        }
    }
    fn mblen(from: *const c_char, limit: usize) -> c_int {
        after(count) if (limit != 0) { reads(from, of_one(count as isize as usize, limit)) }
    }
    fn mbtowc(to: *mut Wide, from: *const c_char, limit: usize) -> c_int {
        after(count) if (limit != 0) {
            reads(from, of_one(count as isize as usize, limit)),
            if count >= 0 && !from.is_null() { writes_one(to) } else { nothing() }
        }
    }
    fn wctomb(to: *mut c_char, wanted: Wide) -> c_int {
        after(count) if (count > 0) { writes(to, count as usize) }
    }
    fn __wctomb_chk(to: *mut c_char, wanted: Wide, room: usize) -> c_int {
        after(count) if (count > 0) { writes(to, count as usize) }
    }
    fn mbrlen(from: *const c_char, limit: usize, state: *mut c_void) -> usize {
        after(count) { reads(from, of_one(count, limit)), writes(state, MBSTATE) }
    }
    fn __mbrlen(from: *const c_char, limit: usize, state: *mut c_void) -> usize {
        after(count) { reads(from, of_one(count, limit)), writes(state, MBSTATE) }
    }
    fn mbrtowc(to: *mut Wide, from: *const c_char, limit: usize, state: *mut c_void) -> usize {
        after(count) {
            reads(from, of_one(count, limit)),
            if count < UNFINISHED && !from.is_null() { writes_one(to) } else { nothing() },
            writes(state, MBSTATE)
        }
    }
    fn __mbrtowc(to: *mut Wide, from: *const c_char, limit: usize, state: *mut c_void) -> usize {
        after(count) {
            reads(from, of_one(count, limit)),
            if count < UNFINISHED && !from.is_null() { writes_one(to) } else { nothing() },
            writes(state, MBSTATE)
        }
    }
    fn mbrtoc16(to: *mut u16, from: *const c_char, limit: usize, state: *mut c_void) -> usize {
        after(count) {
            // -3: the second half of a pair, for which nothing is read.
            reads(from, if count == usize::MAX - 2 { 0 } else { of_one(count, limit) }),
            if count < UNFINISHED && !from.is_null() { writes_one(to) } else { nothing() },
            writes(state, MBSTATE)
        }
    }
    fn mbrtoc32(to: *mut u32, from: *const c_char, limit: usize, state: *mut c_void) -> usize {
        after(count) {
            reads(from, of_one(count, limit)),
            if count < UNFINISHED && !from.is_null() { writes_one(to) } else { nothing() },
            writes(state, MBSTATE)
        }
    }
    fn wcrtomb(to: *mut c_char, wanted: Wide, state: *mut c_void) -> usize {
        after(count) if (count != INVALID) { writes(to, count), writes(state, MBSTATE) }
    }
    fn __wcrtomb_chk(to: *mut c_char, wanted: Wide, state: *mut c_void, room: usize) -> usize {
        after(count) if (count != INVALID) { writes(to, count), writes(state, MBSTATE) }
    }
    fn c16rtomb(to: *mut c_char, wanted: u16, state: *mut c_void) -> usize {
        after(count) if (count != INVALID) { writes(to, count), writes(state, MBSTATE) }
    }
    fn c32rtomb(to: *mut c_char, wanted: u32, state: *mut c_void) -> usize {
        after(count) if (count != INVALID) { writes(to, count), writes(state, MBSTATE) }
    }
    fn mbsinit(state: *const c_void) -> c_int {
        before { reads(state, MBSTATE) }
    }
}

/// A conversion of strings that moves the start of the source on, if it has a target: to null behind the zero.
///
/// # Safety
/// The arguments are the program's; `whole` says how many bytes a source has.
unsafe fn restartable<T, S>(
    caller: Caller,
    (to, from, state): (*mut T, *mut *const S, *mut c_void),
    whole: impl FnOnce(*const S) -> usize,
    call: impl FnOnce() -> usize,
) -> usize {
    if !multi_threaded() {
        return call();
    }
    // SAFETY: the caller's contract.
    unsafe {
        let start = *from;
        let all = whole(start);
        let count = call();
        if count == INVALID {
            return count;
        }
        let rest = *from;
        let at_end = to.is_null() || rest.is_null();
        let read = if at_end {
            all
        } else {
            rest as usize - start as usize
        };
        let ended = rest.is_null() as usize;
        check(
            caller,
            &[
                if to.is_null() {
                    reads_one(from)
                } else {
                    writes_one(from)
                },
                reads(start, read),
                writes(to, (count + ended) * size_of::<T>()),
                writes(state, MBSTATE),
            ],
        );
        count
    }
}

interceptors! {
    fn mbsrtowcs(to: *mut Wide, from: *mut *const c_char, limit: usize, state: *mut c_void) -> usize {
        let caller = caller!();
        // SAFETY: the program's call, with its arguments.
        unsafe { restartable(caller, (to, from, state), |start| string(start), || real!(mbsrtowcs)(to, from, limit, state)) }
    }
    fn __mbsrtowcs_chk(to: *mut Wide, from: *mut *const c_char, limit: usize, state: *mut c_void, room: usize) -> usize {
        let caller = caller!();
        // SAFETY: the program's call, with its arguments.
        unsafe { restartable(caller, (to, from, state), |start| string(start), || real!(__mbsrtowcs_chk)(to, from, limit, state, room)) }
    }
    fn mbsnrtowcs(to: *mut Wide, from: *mut *const c_char, most: usize, limit: usize, state: *mut c_void) -> usize {
        let caller = caller!();
        // SAFETY: the program's call, with its arguments.
        unsafe { restartable(caller, (to, from, state), |start| string_within(start, most), || real!(mbsnrtowcs)(to, from, most, limit, state)) }
    }
    fn __mbsnrtowcs_chk(to: *mut Wide, from: *mut *const c_char, most: usize, limit: usize, state: *mut c_void, room: usize) -> usize {
        let caller = caller!();
        // SAFETY: the program's call, with its arguments.
        unsafe { restartable(caller, (to, from, state), |start| string_within(start, most), || real!(__mbsnrtowcs_chk)(to, from, most, limit, state, room)) }
    }
    fn wcsrtombs(to: *mut c_char, from: *mut *const Wide, limit: usize, state: *mut c_void) -> usize {
        let caller = caller!();
        // SAFETY: the program's call, with its arguments.
        unsafe { restartable(caller, (to, from, state), |start| wide(start, ALL), || real!(wcsrtombs)(to, from, limit, state)) }
    }
    fn __wcsrtombs_chk(to: *mut c_char, from: *mut *const Wide, limit: usize, state: *mut c_void, room: usize) -> usize {
        let caller = caller!();
        // SAFETY: the program's call, with its arguments.
        unsafe { restartable(caller, (to, from, state), |start| wide(start, ALL), || real!(__wcsrtombs_chk)(to, from, limit, state, room)) }
    }
    fn wcsnrtombs(to: *mut c_char, from: *mut *const Wide, most: usize, limit: usize, state: *mut c_void) -> usize {
        let caller = caller!();
        // SAFETY: the program's call, with its arguments.
        unsafe { restartable(caller, (to, from, state), |start| wide(start, most), || real!(wcsnrtombs)(to, from, most, limit, state)) }
    }
    fn __wcsnrtombs_chk(to: *mut c_char, from: *mut *const Wide, most: usize, limit: usize, state: *mut c_void, room: usize) -> usize {
        let caller = caller!();
        // SAFETY: the program's call, with its arguments.
        unsafe { restartable(caller, (to, from, state), |start| wide(start, most), || real!(__wcsnrtombs_chk)(to, from, most, limit, state, room)) }
    }

    // The four places are moved on, also when the conversion stops at what it cannot convert.
    fn iconv(conversion: *mut c_void, from: *mut *mut c_char, left: *mut usize, to: *mut *mut c_char, room: *mut usize) -> usize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            if !multi_threaded() {
                return real!(iconv)(conversion, from, left, to, room);
            }
            let place = |at: *mut *mut c_char| if at.is_null() { core::ptr::null_mut() } else { *at };
            let (source, target) = (place(from), place(to));
            let result = quietly(caller, || real!(iconv)(conversion, from, left, to, room));
            let mut ranges = [nothing(); 6];
            if !source.is_null() {
                ranges[..3].copy_from_slice(&[
                    reads(source, place(from) as usize - source as usize), writes_one(from), writes_one(left),
                ]);
            }
            if !target.is_null() {
                ranges[3..].copy_from_slice(&[
                    writes(target, place(to) as usize - target as usize), writes_one(to), writes_one(room),
                ]);
            }
            check(caller, &ranges);
            result
        }
    }
}

libc_table! {
    fn iconv_open(to: *const c_char, from: *const c_char) -> *mut c_void {
        before { reads(to, string(to)), reads(from, string(from)) }
    }
}
