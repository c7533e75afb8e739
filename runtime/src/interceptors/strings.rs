//! Functions over strings of bytes. (`strlen` is in `memory`, since the compiler calls it on its own.)

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_double, c_float, c_int, c_long, c_longlong, c_ulong, c_ulonglong};
use core::sync::atomic::AtomicU64;

use super::libc_table::{
    compared, nothing, reads, reads_one, same_letter, string, string_to, string_within, writes,
    writes_one,
};
use crate::libc_table;

/// Stands for the one position that `strtok` keeps for the whole process: two threads that use it unordered race.
static STRTOK_POSITION: AtomicU64 = AtomicU64::new(0);

fn exactly(a: c_char, b: c_char) -> bool {
    a == b
}

libc_table! {
    fn strnlen(text: *const c_char, limit: usize) -> usize {
        after(length) { reads(text, limit.min(length + 1)) }
    }

    fn strcpy(to: *mut c_char, from: *const c_char) -> *mut c_char {
        before { let bytes = string(from); reads(from, bytes), writes(to, bytes) }
    }
    fn stpcpy(to: *mut c_char, from: *const c_char) -> *mut c_char {
        before { let bytes = string(from); reads(from, bytes), writes(to, bytes) }
    }
    // All of the target is written, whatever the length.
    fn strncpy(to: *mut c_char, from: *const c_char, limit: usize) -> *mut c_char {
        before { reads(from, string_within(from, limit)), writes(to, limit) }
    }
    fn stpncpy(to: *mut c_char, from: *const c_char, limit: usize) -> *mut c_char {
        before { reads(from, string_within(from, limit)), writes(to, limit) }
    }
    fn strcat(to: *mut c_char, from: *const c_char) -> *mut c_char {
        before {
            let bytes = string(from);
            let old = string(to);
            reads(from, bytes), reads(to, old), writes(to.add(old - 1), bytes)
        }
    }
    fn strncat(to: *mut c_char, from: *const c_char, limit: usize) -> *mut c_char {
        before {
            let bytes = string_within(from, limit);
            let old = string(to);
            // A zero is written behind what is copied, be it copied or not.
            let zero = (bytes == 0 || *from.add(bytes - 1) != 0) as usize;
            reads(from, bytes), reads(to, old), writes(to.add(old - 1), bytes + zero)
        }
    }
    fn strdup(text: *const c_char) -> *mut c_char {
        before { reads(text, string(text)) }
        after(copy) { writes(copy, string(copy)) }
    }
    fn strndup(text: *const c_char, limit: usize) -> *mut c_char {
        before { reads(text, string_within(text, limit)) }
        after(copy) { writes(copy, string(copy)) }
    }
    fn __strdup(text: *const c_char) -> *mut c_char {
        before { reads(text, string(text)) }
        after(copy) { writes(copy, string(copy)) }
    }

    // The fortified variants.
    fn __strcpy_chk(to: *mut c_char, from: *const c_char, room: usize) -> *mut c_char {
        before { let bytes = string(from); reads(from, bytes), writes(to, bytes.min(room)) }
    }
    fn __stpcpy_chk(to: *mut c_char, from: *const c_char, room: usize) -> *mut c_char {
        before { let bytes = string(from); reads(from, bytes), writes(to, bytes.min(room)) }
    }
    fn __strncpy_chk(to: *mut c_char, from: *const c_char, limit: usize, room: usize) -> *mut c_char {
        before { reads(from, string_within(from, limit)), writes(to, limit.min(room)) }
    }
    fn __stpncpy_chk(to: *mut c_char, from: *const c_char, limit: usize, room: usize) -> *mut c_char {
        before { reads(from, string_within(from, limit)), writes(to, limit.min(room)) }
    }
    fn __strcat_chk(to: *mut c_char, from: *const c_char, room: usize) -> *mut c_char {
        before {
            let bytes = string(from);
            let old = string(to);
            reads(from, bytes), reads(to, old), writes(to.add(old - 1), bytes.min(room))
        }
    }
    fn __strncat_chk(to: *mut c_char, from: *const c_char, limit: usize, room: usize) -> *mut c_char {
        before {
            let bytes = string_within(from, limit);
            let old = string(to);
            reads(from, bytes), reads(to, old), writes(to.add(old - 1), bytes.min(room))
        }
    }

    // Comparisons read up to the first difference.
    fn strcmp(a: *const c_char, b: *const c_char) -> c_int {
        before { let bytes = compared(a, b, usize::MAX, exactly); reads(a, bytes), reads(b, bytes) }
    }
    fn strncmp(a: *const c_char, b: *const c_char, limit: usize) -> c_int {
        before { let bytes = compared(a, b, limit, exactly); reads(a, bytes), reads(b, bytes) }
    }
    fn strcasecmp(a: *const c_char, b: *const c_char) -> c_int {
        before { let bytes = compared(a, b, usize::MAX, same_letter); reads(a, bytes), reads(b, bytes) }
    }
    fn strncasecmp(a: *const c_char, b: *const c_char, limit: usize) -> c_int {
        before { let bytes = compared(a, b, limit, same_letter); reads(a, bytes), reads(b, bytes) }
    }
    fn strcoll(a: *const c_char, b: *const c_char) -> c_int {
        before { reads(a, string(a)), reads(b, string(b)) }
    }
    fn strverscmp(a: *const c_char, b: *const c_char) -> c_int {
        before { reads(a, string(a)), reads(b, string(b)) }
    }
    fn strxfrm(to: *mut c_char, from: *const c_char, room: usize) -> usize {
        before { reads(from, string(from)) }
        after(length) if (length < room) { writes(to, length + 1) }
    }

    // Searches read up to what they find.
    fn strchr(text: *const c_char, wanted: c_int) -> *mut c_char {
        after(found) { reads(text, string_to(text, found)) }
    }
    fn index(text: *const c_char, wanted: c_int) -> *mut c_char {
        after(found) { reads(text, string_to(text, found)) }
    }
    fn strchrnul(text: *const c_char, wanted: c_int) -> *mut c_char {
        after(found) { reads(text, string_to(text, found)) }
    }
    fn strrchr(text: *const c_char, wanted: c_int) -> *mut c_char {
        before { reads(text, string(text)) }
    }
    fn rindex(text: *const c_char, wanted: c_int) -> *mut c_char {
        before { reads(text, string(text)) }
    }
    fn strstr(text: *const c_char, part: *const c_char) -> *mut c_char {
        before { let bytes = string(part); reads(part, bytes) }
        after(found) { reads(text, string_to(text, end_of(found, part))) }
    }
    fn strcasestr(text: *const c_char, part: *const c_char) -> *mut c_char {
        before { let bytes = string(part); reads(part, bytes) }
        after(found) { reads(text, string_to(text, end_of(found, part))) }
    }
    fn strspn(text: *const c_char, set: *const c_char) -> usize {
        before { reads(set, string(set)) }
        after(length) { reads(text, length + 1) }
    }
    fn strcspn(text: *const c_char, set: *const c_char) -> usize {
        before { reads(set, string(set)) }
        after(length) { reads(text, length + 1) }
    }
    fn strpbrk(text: *const c_char, set: *const c_char) -> *mut c_char {
        before { reads(set, string(set)) }
        after(found) { reads(text, string_to(text, found)) }
    }

    // Cutting into pieces: a zero is written behind the piece; the rest is not looked at.
    fn strsep(text: *mut *mut c_char, set: *const c_char) -> *mut c_char {
        before { reads(set, string(set)), reads_one(text) }
        after(piece) if (!piece.is_null()) { writes(piece, string(piece)), writes_one(text) }
    }
    fn strtok(text: *mut c_char, set: *const c_char) -> *mut c_char {
        before { reads(set, string(set)), writes_one(&STRTOK_POSITION) }
        after(piece) { writes(piece, string(piece)) }
    }
    fn strtok_r(text: *mut c_char, set: *const c_char, rest: *mut *mut c_char) -> *mut c_char {
        before { reads(set, string(set)), if text.is_null() { reads_one(rest) } else { nothing() } }
        after(piece) { writes(piece, string(piece)), writes_one(rest) }
    }
    fn __strtok_r(text: *mut c_char, set: *const c_char, rest: *mut *mut c_char) -> *mut c_char {
        before { reads(set, string(set)), if text.is_null() { reads_one(rest) } else { nothing() } }
        after(piece) { writes(piece, string(piece)), writes_one(rest) }
    }

    // Numbers: up to and including the character that ends them.
    fn atoi(text: *const c_char) -> c_int {
        before { reads(text, integer(text, 10)) }
    }
    fn atol(text: *const c_char) -> c_long {
        before { reads(text, integer(text, 10)) }
    }
    fn atoll(text: *const c_char) -> c_longlong {
        before { reads(text, integer(text, 10)) }
    }
    fn atof(text: *const c_char) -> c_double {
        before { reads(text, floating(text)) }
    }
    fn strtol(text: *const c_char, end: *mut *mut c_char, base: c_int) -> c_long {
        before { reads(text, integer(text, base)) } after(_number) { writes_one(end) }
    }
    fn strtoul(text: *const c_char, end: *mut *mut c_char, base: c_int) -> c_ulong {
        before { reads(text, integer(text, base)) } after(_number) { writes_one(end) }
    }
    fn strtoll(text: *const c_char, end: *mut *mut c_char, base: c_int) -> c_longlong {
        before { reads(text, integer(text, base)) } after(_number) { writes_one(end) }
    }
    fn strtoull(text: *const c_char, end: *mut *mut c_char, base: c_int) -> c_ulonglong {
        before { reads(text, integer(text, base)) } after(_number) { writes_one(end) }
    }
    fn strtoimax(text: *const c_char, end: *mut *mut c_char, base: c_int) -> i64 {
        before { reads(text, integer(text, base)) } after(_number) { writes_one(end) }
    }
    fn strtoumax(text: *const c_char, end: *mut *mut c_char, base: c_int) -> u64 {
        before { reads(text, integer(text, base)) } after(_number) { writes_one(end) }
    }
    fn strtof(text: *const c_char, end: *mut *mut c_char) -> c_float {
        before { reads(text, floating(text)) } after(_number) { writes_one(end) }
    }
    fn strtod(text: *const c_char, end: *mut *mut c_char) -> c_double {
        before { reads(text, floating(text)) } after(_number) { writes_one(end) }
    }

    fn strerror_r(error: c_int, to: *mut c_char, room: usize) -> *mut c_char {
        after(text) if (core::ptr::eq(text, to)) { writes(to, string(to)) }
    }
    fn __xpg_strerror_r(error: c_int, to: *mut c_char, room: usize) -> c_int {
        after(failure) if (failure == 0) { writes(to, string(to)) }
    }
}

/// The last character of the part that was found.
///
/// # Safety
/// `found` is null or a place where the string `part` stands.
unsafe fn end_of(found: *const c_char, part: *const c_char) -> *const c_char {
    if found.is_null() {
        return found;
    }
    // SAFETY: passed on to the caller.
    unsafe { found.add(string(part).saturating_sub(2)) }
}

/// Bytes that reading an integer has to look at.
///
/// # Safety
/// `text` is a string.
unsafe fn integer(text: *const c_char, base: c_int) -> usize {
    // SAFETY: passed on to the caller: the first unfit character ends the search, a zero at the latest.
    let at = |i: usize| unsafe { *text.add(i) as u8 };
    let mut i = blanks_and_sign(&at);
    let mut base = base as u32;
    if matches!(base, 0 | 16)
        && at(i) == b'0'
        && at(i + 1) | 32 == b'x'
        && (at(i + 2) as char).is_ascii_hexdigit()
    {
        (i, base) = (i + 2, 16);
    } else if base == 0 {
        base = if at(i) == b'0' { 8 } else { 10 };
    }
    while (2..=36).contains(&base) && (at(i) as char).is_digit(base) {
        i += 1;
    }
    i + 1
}

/// Bytes that reading a floating-point number has to look at, or a few more: letters and digits that follow belong to
/// its hexadecimal, infinite and not-a-number forms.
///
/// # Safety
/// `text` is a string.
unsafe fn floating(text: *const c_char) -> usize {
    // SAFETY: as in `integer`.
    let at = |i: usize| unsafe { *text.add(i) as u8 };
    let mut i = blanks_and_sign(&at);
    while matches!(at(i), b'0'..=b'9' | b'.')
        || (at(i).is_ascii_alphabetic() && b"infatyxbcdep".contains(&(at(i) | 32)))
        || (i > 0 && matches!(at(i), b'+' | b'-') && matches!(at(i - 1) | 32, b'e' | b'p'))
    {
        i += 1;
    }
    i + 1
}

fn blanks_and_sign(at: &impl Fn(usize) -> u8) -> usize {
    let mut i = 0;
    while matches!(at(i), b' ' | b'\t'..=b'\r') {
        i += 1;
    }
    i + matches!(at(i), b'+' | b'-') as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_up_to_the_character_that_ends_them() {
        // SAFETY: literals.
        unsafe {
            assert_eq!(integer(c"42".as_ptr(), 10), 3);
            assert_eq!(integer(c"42 tail".as_ptr(), 10), 3);
            assert_eq!(integer(c"  -7x".as_ptr(), 10), 5);
            assert_eq!(integer(c"0x1fg".as_ptr(), 0), 5);
            assert_eq!(integer(c"0xg".as_ptr(), 16), 2);
            assert_eq!(integer(c"078".as_ptr(), 0), 3);
            assert_eq!(integer(c"zz".as_ptr(), 36), 3);
            assert_eq!(integer(c"".as_ptr(), 10), 1);
            assert_eq!(floating(c"1.5e-3;".as_ptr()), 7);
            assert_eq!(floating(c"1-2".as_ptr()), 2);
            assert_eq!(floating(c"inf".as_ptr()), 4);
            assert_eq!(floating(c" +0x1.8p+1".as_ptr()), 11);
        }
    }
}
