//! Functions over strings of wide characters.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_double, c_float, c_int, c_long, c_longlong, c_ulong, c_ulonglong, c_void};

use super::libc_table::{check, nothing, reads, reads_one, writes, writes_one};
use super::strings::{floating, integer};
use crate::state::multi_threaded;
use crate::{caller, interceptors, libc_table, real};

/// `locale_t`; what is behind it is libc's.
type Locale = *const c_void;

/// `wchar_t` on Linux.
pub type Wide = i32;
pub const WIDE: usize = size_of::<Wide>();

/// Bytes of a wide string with its zero, or of `limit` characters if that is less; 0 for null.
///
/// # Safety
/// `text` is null, or readable up to a zero or for `limit` characters.
pub unsafe fn wide(text: *const Wide, limit: usize) -> usize {
    if text.is_null() {
        return 0;
    }
    // SAFETY: passed on to the caller.
    let zero = (0..limit).find(|&at| unsafe { *text.add(at) } == 0);
    zero.map_or(limit, |at| at + 1) * WIDE
}

/// Bytes up to and including the character at `found`, or all of the string if that is null.
///
/// # Safety
/// `text` is a wide string; `found` is null or points into it.
unsafe fn wide_to(text: *const Wide, found: *const Wide) -> usize {
    if found.is_null() {
        // SAFETY: passed on to the caller.
        unsafe { wide(text, usize::MAX) }
    } else {
        found as usize - text as usize + WIDE
    }
}

/// Bytes that a comparison has to look at.
///
/// # Safety
/// Both are wide strings, or readable for `limit` characters.
unsafe fn wide_compared(a: *const Wide, b: *const Wide, limit: usize) -> usize {
    // SAFETY: passed on to the caller.
    unsafe { wide_compared_as(a, b, limit, |a, b| a == b) }
}

/// As [`wide_compared`]; `same` says what counts as no difference.
///
/// # Safety
/// As there.
unsafe fn wide_compared_as(
    a: *const Wide,
    b: *const Wide,
    limit: usize,
    same: impl Fn(Wide, Wide) -> bool,
) -> usize {
    let ends = |at: usize| {
        // SAFETY: passed on to the caller: nothing behind the first end is looked at.
        let (a, b) = unsafe { (*a.add(at), *b.add(at)) };
        a == 0 || b == 0 || !same(a, b)
    };
    (0..limit).find(|&at| ends(at)).map_or(limit, |at| at + 1) * WIDE
}

fn same_letter(a: Wide, b: Wide) -> bool {
    unsafe extern "C" {
        fn towlower(character: u32) -> u32;
    }
    // SAFETY: a function of numbers.
    a == b || unsafe { towlower(a as u32) == towlower(b as u32) }
}

pub const ALL: usize = usize::MAX;

libc_table! {
    fn wcslen(text: *const Wide) -> usize {
        after(length) { reads(text, (length + 1) * WIDE) }
    }
    fn wcsnlen(text: *const Wide, limit: usize) -> usize {
        after(length) { reads(text, limit.min(length + 1) * WIDE) }
    }
    fn wcscpy(to: *mut Wide, from: *const Wide) -> *mut Wide {
        before { let bytes = wide(from, ALL); reads(from, bytes), writes(to, bytes) }
    }
    fn wcpcpy(to: *mut Wide, from: *const Wide) -> *mut Wide {
        before { let bytes = wide(from, ALL); reads(from, bytes), writes(to, bytes) }
    }
    fn wcsncpy(to: *mut Wide, from: *const Wide, limit: usize) -> *mut Wide {
        before { reads(from, wide(from, limit)), writes(to, limit * WIDE) }
    }
    fn wcscat(to: *mut Wide, from: *const Wide) -> *mut Wide {
        before {
            let bytes = wide(from, ALL);
            let old = wide(to, ALL);
            reads(from, bytes), reads(to, old), writes(to.byte_add(old - WIDE), bytes)
        }
    }
    fn wcsdup(text: *const Wide) -> *mut Wide {
        before { reads(text, wide(text, ALL)) }
        after(copy) { writes(copy, wide(copy, ALL)) }
    }
    fn wcscmp(a: *const Wide, b: *const Wide) -> c_int {
        before { let bytes = wide_compared(a, b, ALL); reads(a, bytes), reads(b, bytes) }
    }
    fn wcsncmp(a: *const Wide, b: *const Wide, limit: usize) -> c_int {
        before { let bytes = wide_compared(a, b, limit); reads(a, bytes), reads(b, bytes) }
    }
    fn wcschr(text: *const Wide, wanted: Wide) -> *mut Wide {
        after(found) { reads(text, wide_to(text, found)) }
    }
    fn wcsrchr(text: *const Wide, wanted: Wide) -> *mut Wide {
        before { reads(text, wide(text, ALL)) }
    }
    fn wcsstr(text: *const Wide, part: *const Wide) -> *mut Wide {
        before { reads(part, wide(part, ALL)) }
        after(found) { reads(text, wide_to(text, end_of(found, part))) }
    }
    fn wcswcs(text: *const Wide, part: *const Wide) -> *mut Wide {
        before { reads(part, wide(part, ALL)) }
        after(found) { reads(text, wide_to(text, end_of(found, part))) }
    }
    fn wcpncpy(to: *mut Wide, from: *const Wide, limit: usize) -> *mut Wide {
        before { reads(from, wide(from, limit)), writes(to, limit * WIDE) }
    }
    fn wcsncat(to: *mut Wide, from: *const Wide, limit: usize) -> *mut Wide {
        before {
            let bytes = wide(from, limit);
            let old = wide(to, ALL);
            // A zero is written behind what is copied, be it copied or not.
            let zero = (bytes == 0 || *from.byte_add(bytes - WIDE) != 0) as usize * WIDE;
            reads(from, bytes), reads(to, old), writes(to.byte_add(old - WIDE), bytes + zero)
        }
    }
    fn wcschrnul(text: *const Wide, wanted: Wide) -> *mut Wide {
        after(found) { reads(text, wide_to(text, found)) }
    }
    fn wcspbrk(text: *const Wide, set: *const Wide) -> *mut Wide {
        before { reads(set, wide(set, ALL)) }
        after(found) { reads(text, wide_to(text, found)) }
    }
    fn wcsspn(text: *const Wide, set: *const Wide) -> usize {
        before { reads(set, wide(set, ALL)) }
        after(length) { reads(text, (length + 1) * WIDE) }
    }
    fn wcscspn(text: *const Wide, set: *const Wide) -> usize {
        before { reads(set, wide(set, ALL)) }
        after(length) { reads(text, (length + 1) * WIDE) }
    }
    fn wcstok(text: *mut Wide, set: *const Wide, rest: *mut *mut Wide) -> *mut Wide {
        before { reads(set, wide(set, ALL)), if text.is_null() { reads_one(rest) } else { nothing() } }
        after(piece) { writes(piece, wide(piece, ALL)), writes_one(rest) }
    }
    fn wcscasecmp(a: *const Wide, b: *const Wide) -> c_int {
        before { let bytes = wide_compared_as(a, b, ALL, same_letter); reads(a, bytes), reads(b, bytes) }
    }
    fn wcsncasecmp(a: *const Wide, b: *const Wide, limit: usize) -> c_int {
        before { let bytes = wide_compared_as(a, b, limit, same_letter); reads(a, bytes), reads(b, bytes) }
    }
    fn wcscasecmp_l(a: *const Wide, b: *const Wide, locale: Locale) -> c_int {
        before { let bytes = wide_compared_as(a, b, ALL, same_letter); reads(a, bytes), reads(b, bytes) }
    }
    fn wcsncasecmp_l(a: *const Wide, b: *const Wide, limit: usize, locale: Locale) -> c_int {
        before { let bytes = wide_compared_as(a, b, limit, same_letter); reads(a, bytes), reads(b, bytes) }
    }
    fn wcscoll(a: *const Wide, b: *const Wide) -> c_int {
        before { reads(a, wide(a, ALL)), reads(b, wide(b, ALL)) }
    }
    fn wcscoll_l(a: *const Wide, b: *const Wide, locale: Locale) -> c_int {
        before { reads(a, wide(a, ALL)), reads(b, wide(b, ALL)) }
    }
    fn wcsxfrm(to: *mut Wide, from: *const Wide, room: usize) -> usize {
        before { reads(from, wide(from, ALL)) }
        after(length) if (length < room) { writes(to, (length + 1) * WIDE) }
    }
    fn wcsxfrm_l(to: *mut Wide, from: *const Wide, room: usize, locale: Locale) -> usize {
        before { reads(from, wide(from, ALL)) }
        after(length) if (length < room) { writes(to, (length + 1) * WIDE) }
    }
    fn wcswidth(text: *const Wide, limit: usize) -> c_int {
        before { reads(text, wide(text, limit)) }
    }
    fn wcsftime(to: *mut Wide, room: usize, format: *const Wide, time: *const libc::tm) -> usize {
        before { reads(format, wide(format, ALL)), reads_one(time) }
        after(length) if (length != 0) { writes(to, (length + 1) * WIDE) }
    }
    fn wcsftime_l(to: *mut Wide, room: usize, format: *const Wide, time: *const libc::tm, locale: Locale) -> usize {
        before { reads(format, wide(format, ALL)), reads_one(time) }
        after(length) if (length != 0) { writes(to, (length + 1) * WIDE) }
    }

    // The fortified variants.
    fn __wcscpy_chk(to: *mut Wide, from: *const Wide, room: usize) -> *mut Wide {
        before { let bytes = wide(from, ALL); reads(from, bytes), writes(to, bytes.min(room.saturating_mul(WIDE))) }
    }
    fn __wcpcpy_chk(to: *mut Wide, from: *const Wide, room: usize) -> *mut Wide {
        before { let bytes = wide(from, ALL); reads(from, bytes), writes(to, bytes.min(room.saturating_mul(WIDE))) }
    }
    fn __wcsncpy_chk(to: *mut Wide, from: *const Wide, limit: usize, room: usize) -> *mut Wide {
        before { reads(from, wide(from, limit)), writes(to, limit.min(room) * WIDE) }
    }
    fn __wcpncpy_chk(to: *mut Wide, from: *const Wide, limit: usize, room: usize) -> *mut Wide {
        before { reads(from, wide(from, limit)), writes(to, limit.min(room) * WIDE) }
    }
    fn __wcscat_chk(to: *mut Wide, from: *const Wide, room: usize) -> *mut Wide {
        before {
            let bytes = wide(from, ALL);
            let old = wide(to, ALL);
            reads(from, bytes), reads(to, old), writes(to.byte_add(old - WIDE), bytes)
        }
    }
    fn __wcsncat_chk(to: *mut Wide, from: *const Wide, limit: usize, room: usize) -> *mut Wide {
        before {
            let bytes = wide(from, limit);
            let old = wide(to, ALL);
            let zero = (bytes == 0 || *from.byte_add(bytes - WIDE) != 0) as usize * WIDE;
            reads(from, bytes), reads(to, old), writes(to.byte_add(old - WIDE), bytes + zero)
        }
    }
    fn __wmemcpy_chk(to: *mut Wide, from: *const Wide, count: usize, room: usize) -> *mut Wide {
        before { let n = count.min(room); reads(from, n * WIDE), writes(to, n * WIDE) }
    }
    fn __wmempcpy_chk(to: *mut Wide, from: *const Wide, count: usize, room: usize) -> *mut Wide {
        before { let n = count.min(room); reads(from, n * WIDE), writes(to, n * WIDE) }
    }
    fn __wmemmove_chk(to: *mut Wide, from: *const Wide, count: usize, room: usize) -> *mut Wide {
        before { let n = count.min(room); reads(from, n * WIDE), writes(to, n * WIDE) }
    }
    fn __wmemset_chk(to: *mut Wide, value: Wide, count: usize, room: usize) -> *mut Wide {
        before { writes(to, count.min(room) * WIDE) }
    }

    fn wmemcpy(to: *mut Wide, from: *const Wide, count: usize) -> *mut Wide {
        before { reads(from, count * WIDE), writes(to, count * WIDE) }
    }
    fn wmempcpy(to: *mut Wide, from: *const Wide, count: usize) -> *mut Wide {
        before { reads(from, count * WIDE), writes(to, count * WIDE) }
    }
    fn wmemmove(to: *mut Wide, from: *const Wide, count: usize) -> *mut Wide {
        before { reads(from, count * WIDE), writes(to, count * WIDE) }
    }
    fn wmemset(to: *mut Wide, value: Wide, count: usize) -> *mut Wide {
        before { writes(to, count * WIDE) }
    }
    fn wmemcmp(a: *const Wide, b: *const Wide, count: usize) -> c_int {
        before { reads(a, count * WIDE), reads(b, count * WIDE) }
    }
    fn wmemchr(block: *const Wide, wanted: Wide, count: usize) -> *mut Wide {
        after(found) { reads(block, if found.is_null() { count * WIDE } else { found as usize - block as usize + WIDE }) }
    }
}

/// Numbers: up to and including the character that ends them.
macro_rules! like_wcstol {
    ($($name:ident ($($more:ident : $type:ty),*) -> $ret:ty;)*) => {
        libc_table! {
            $(fn $name(text: *const Wide, end: *mut *mut Wide, base: c_int $(, $more: $type)*) -> $ret {
                before { reads(text, integer(narrowed(text), base) * WIDE) } after(_number) { writes_one(end) }
            })*
        }
    };
}

like_wcstol! {
    wcstol() -> c_long;
    wcstoul() -> c_ulong;
    wcstoll() -> c_longlong;
    wcstoull() -> c_ulonglong;
    wcstoq() -> c_longlong;
    wcstouq() -> c_ulonglong;
    wcstoimax() -> i64;
    wcstoumax() -> u64;
    wcstol_l(locale: Locale) -> c_long;
    wcstoul_l(locale: Locale) -> c_ulong;
    __isoc23_wcstol() -> c_long;
    __isoc23_wcstoul() -> c_ulong;
    __isoc23_wcstoll() -> c_longlong;
    __isoc23_wcstoull() -> c_ulonglong;
    __isoc23_wcstoimax() -> i64;
    __isoc23_wcstoumax() -> u64;
    wcstoll_l(locale: Locale) -> c_longlong;
    wcstoull_l(locale: Locale) -> c_ulonglong;
}

/// As `like_strtod` of the strings of bytes.
macro_rules! like_wcstod {
    ($($name:ident ($($more:ident : $type:ty),*) -> $ret:ty;)*) => {
        interceptors! {
            $(fn $name(text: *const Wide, end: *mut *mut Wide $(, $more: $type)*) -> $ret {
                let caller = caller!();
                let mut last: *mut Wide = core::ptr::null_mut();
                // SAFETY: the program's call but for the place of the end, which is ours.
                unsafe {
                    let number = real!($name)(text, &mut last $(, $more)*);
                    if multi_threaded() {
                        check(caller, &[reads(text, floating(narrowed(text), last.offset_from(text) as usize) * WIDE), writes_one(end)]);
                    }
                    if !end.is_null() {
                        *end = last;
                    }
                    number
                }
            })*
        }
    };
}

like_wcstod! {
    wcstof() -> c_float;
    wcstod() -> c_double;
    wcstof_l(locale: Locale) -> c_float;
    wcstod_l(locale: Locale) -> c_double;
    wcstof32() -> c_float;
    wcstof64() -> c_double;
    wcstof32x() -> c_double;
    wcstof32_l(locale: Locale) -> c_float;
    wcstof64_l(locale: Locale) -> c_double;
    wcstof32x_l(locale: Locale) -> c_double;
}

/// The characters of a wide string as bytes; what is not ASCII is no part of a number.
pub fn narrowed(text: *const Wide) -> impl Fn(usize) -> u8 {
    // SAFETY: who asks stops at the zero.
    move |at| unsafe { u8::try_from(*text.add(at)).unwrap_or(0xff) }
}

/// Where the last character of the part stands that was found.
///
/// # Safety
/// `found` is null or a place where the wide string `part` stands.
unsafe fn end_of(found: *const Wide, part: *const Wide) -> *const Wide {
    if found.is_null() {
        return found;
    }
    // SAFETY: passed on to the caller.
    unsafe { found.byte_add(wide(part, ALL).saturating_sub(2 * WIDE)) }
}
