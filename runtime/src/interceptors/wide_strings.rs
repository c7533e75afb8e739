//! Functions over strings of wide characters.

use core::ffi::{c_char, c_int, c_void};

use super::libc_table::{reads, reads_one, string, writes, writes_one};
use crate::libc_table;

/// `wchar_t` on Linux.
type Wide = i32;
const WIDE: usize = size_of::<Wide>();

/// Bytes of a wide string with its zero, or of `limit` characters if that is less; 0 for null.
///
/// # Safety
/// `text` is null, or readable up to a zero or for `limit` characters.
unsafe fn wide(text: *const Wide, limit: usize) -> usize {
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
    let ends = |at: usize| {
        // SAFETY: passed on to the caller: nothing behind the first end is looked at.
        let (a, b) = unsafe { (*a.add(at), *b.add(at)) };
        a == 0 || a != b
    };
    (0..limit).find(|&at| ends(at)).map_or(limit, |at| at + 1) * WIDE
}

const ALL: usize = usize::MAX;

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
        before { reads(part, wide(part, ALL)), reads(text, wide(text, ALL)) }
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

    // Conversions: a result of -1 says that they stopped at something that is no character.
    fn mbstowcs(to: *mut Wide, from: *const c_char, limit: usize) -> usize {
        before { reads(from, string(from)) }
        after(count) if (count != usize::MAX) { writes(to, limit.min(count + 1) * WIDE) }
    }
    fn wcstombs(to: *mut c_char, from: *const Wide, limit: usize) -> usize {
        before { reads(from, wide(from, ALL)) }
        after(count) if (count != usize::MAX) { writes(to, limit.min(count + 1)) }
    }
    fn mbrtowc(to: *mut Wide, from: *const c_char, limit: usize, state: *mut c_void) -> usize {
        after(count) if (count <= limit) { reads(from, count.max(1)), writes_one(to), writes(state, MBSTATE) }
    }
    fn wcrtomb(to: *mut c_char, wanted: Wide, state: *mut c_void) -> usize {
        after(count) if (count != usize::MAX) { writes(to, count), writes(state, MBSTATE) }
    }
    fn mbsrtowcs(to: *mut Wide, from: *mut *const c_char, limit: usize, state: *mut c_void) -> usize {
        before { reads_one(from), reads(*from, string(*from)) }
        after(count) if (count != usize::MAX) { writes(to, limit.min(count + 1) * WIDE), writes(state, MBSTATE) }
    }
    fn wcsrtombs(to: *mut c_char, from: *mut *const Wide, limit: usize, state: *mut c_void) -> usize {
        before { reads_one(from), reads(*from, wide(*from, ALL)) }
        after(count) if (count != usize::MAX) { writes(to, limit.min(count + 1)), writes(state, MBSTATE) }
    }
}

/// `sizeof(mbstate_t)`.
const MBSTATE: usize = 8;
