//! Functions over strings of bytes. (`strlen` is in `memory`, since the compiler calls it on its own.)

#![allow(non_snake_case)] // names of libc

use core::ffi::{
    c_char, c_double, c_float, c_int, c_long, c_longlong, c_ulong, c_ulonglong, c_void,
};
use core::sync::atomic::AtomicU64;

use super::libc_table::{
    check, compared, nothing, reads, reads_one, same_letter, string, string_to, string_within,
    writes, writes_one,
};
use crate::caller::Caller;
use crate::state::multi_threaded;
use crate::{caller, interceptors, libc_table, real};

/// `locale_t`; what is behind it is libc's.
type Locale = *const c_void;

/// Stands for the one position that `strtok` keeps for the whole process: two threads that use it unordered race.
static STRTOK_POSITION: AtomicU64 = AtomicU64::new(0);

fn exactly(a: c_char, b: c_char) -> bool {
    a == b
}

/// Checks what a comparison of two strings reads, of at most `limit` bytes.
///
/// # Safety
/// As for [`compared`].
#[inline(always)]
unsafe fn check_compared(caller: Caller, a: *const c_char, b: *const c_char, limit: usize) {
    if multi_threaded() {
        // SAFETY: passed on to the caller.
        let bytes = unsafe { compared(a, b, limit, exactly) };
        check(caller, &[reads(a, bytes), reads(b, bytes)]);
    }
}

/// `abi::STRCMP`.
///
/// # Safety
/// As for `strcmp`, by compiled code.
#[unsafe(export_name = "__goldilocks_strcmp")]
pub unsafe extern "C" fn hook_strcmp(a: *const c_char, b: *const c_char) -> c_int {
    let caller = caller!().compiled();
    // SAFETY: the program's comparison.
    unsafe {
        check_compared(caller, a, b, usize::MAX);
        real!(strcmp)(a, b)
    }
}

/// `abi::STRNCMP`.
///
/// # Safety
/// As for `strncmp`, by compiled code.
#[unsafe(export_name = "__goldilocks_strncmp")]
pub unsafe extern "C" fn hook_strncmp(a: *const c_char, b: *const c_char, limit: usize) -> c_int {
    let caller = caller!().compiled();
    // SAFETY: the program's comparison.
    unsafe {
        check_compared(caller, a, b, limit);
        real!(strncmp)(a, b, limit)
    }
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
            let zero = (bytes == 0 || *from.add(bytes - 1) != 0) as usize;
            reads(from, bytes), reads(to, old), writes(to.add(old - 1), (bytes + zero).min(room))
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
        before { reads(text, integer(characters(text), 10)) }
    }
    fn atol(text: *const c_char) -> c_long {
        before { reads(text, integer(characters(text), 10)) }
    }
    fn atoll(text: *const c_char) -> c_longlong {
        before { reads(text, integer(characters(text), 10)) }
    }

    fn strerror_r(error: c_int, to: *mut c_char, room: usize) -> *mut c_char {
        after(text) if (core::ptr::eq(text, to)) { writes(to, string(to)) }
    }
    fn __xpg_strerror_r(error: c_int, to: *mut c_char, room: usize) -> c_int {
        after(failure) if (failure == 0) { writes(to, string(to)) }
    }
}

/// Names of one function of the table above that differ in an argument which is no memory of the program (a locale), or not at
/// all.
macro_rules! like_strtol {
    ($($name:ident ($($more:ident : $type:ty),*) -> $ret:ty;)*) => {
        libc_table! {
            $(fn $name(text: *const c_char, end: *mut *mut c_char, base: c_int $(, $more: $type)*) -> $ret {
                before { reads(text, integer(characters(text), base)) } after(_number) { writes_one(end) }
            })*
        }
    };
}

like_strtol! {
    strtol() -> c_long;
    strtoul() -> c_ulong;
    strtoll() -> c_longlong;
    strtoull() -> c_ulonglong;
    strtoq() -> c_longlong;
    strtouq() -> c_ulonglong;
    strtoimax() -> i64;
    strtoumax() -> u64;
    strtol_l(locale: Locale) -> c_long;
    strtoul_l(locale: Locale) -> c_ulong;
    // What headers of glibc 2.38 and later make of the names above.
    __isoc23_strtol() -> c_long;
    __isoc23_strtoul() -> c_ulong;
    __isoc23_strtoll() -> c_longlong;
    __isoc23_strtoull() -> c_ulonglong;
    __isoc23_strtoimax() -> i64;
    __isoc23_strtoumax() -> u64;
    __isoc23_strtol_l(locale: Locale) -> c_long;
    __isoc23_strtoul_l(locale: Locale) -> c_ulong;
    __isoc23_strtoll_l(locale: Locale) -> c_longlong;
    __isoc23_strtoull_l(locale: Locale) -> c_ulonglong;
    strtoll_l(locale: Locale) -> c_longlong;
    strtoull_l(locale: Locale) -> c_ulonglong;
    __strtol_internal(group: c_int) -> c_long;
    __strtoul_internal(group: c_int) -> c_ulong;
    __strtoll_internal(group: c_int) -> c_longlong;
    __strtoull_internal(group: c_int) -> c_ulonglong;
}

/// The real function, which finds the end that is asked for here even if the program does not ask.
macro_rules! like_strtod {
    ($($name:ident ($($more:ident : $type:ty),*) -> $ret:ty;)*) => {
        interceptors! {
            $(fn $name(text: *const c_char, end: *mut *mut c_char $(, $more: $type)*) -> $ret {
                let caller = caller!();
                let mut last: *mut c_char = core::ptr::null_mut();
                // SAFETY: the program's call but for the place of the end, which is ours.
                unsafe {
                    let number = real!($name)(text, &mut last $(, $more)*);
                    if multi_threaded() {
                        check(caller, &[reads(text, floating(characters(text), last.offset_from(text) as usize)), writes_one(end)]);
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

like_strtod! {
    strtof() -> c_float;
    strtod() -> c_double;
    strtof_l(locale: Locale) -> c_float;
    strtod_l(locale: Locale) -> c_double;
    strtof32() -> c_float;
    strtof64() -> c_double;
    strtof32x() -> c_double;
    strtof32_l(locale: Locale) -> c_float;
    strtof64_l(locale: Locale) -> c_double;
    strtof32x_l(locale: Locale) -> c_double;
    __strtof_internal(group: c_int) -> c_float;
    __strtod_internal(group: c_int) -> c_double;
}

interceptors! {
    fn atof(text: *const c_char) -> c_double {
        let caller = caller!();
        let mut last: *mut c_char = core::ptr::null_mut();
        // SAFETY: as in `like_strtod`; atof is strtod without an end.
        unsafe {
            if !multi_threaded() {
                return real!(atof)(text);
            }
            let number = real!(strtod)(text, &mut last);
            check(caller, &[reads(text, floating(characters(text), last.offset_from(text) as usize))]);
            number
        }
    }
}

libc_table! {
    // Other names of the functions above.
    fn __strndup(text: *const c_char, limit: usize) -> *mut c_char {
        before { reads(text, string_within(text, limit)) }
        after(copy) { writes(copy, string(copy)) }
    }
    fn __stpcpy(to: *mut c_char, from: *const c_char) -> *mut c_char {
        before { let bytes = string(from); reads(from, bytes), writes(to, bytes) }
    }
    fn __stpncpy(to: *mut c_char, from: *const c_char, limit: usize) -> *mut c_char {
        before { reads(from, string_within(from, limit)), writes(to, limit) }
    }
    fn __strcasecmp(a: *const c_char, b: *const c_char) -> c_int {
        before { let bytes = compared(a, b, usize::MAX, same_letter); reads(a, bytes), reads(b, bytes) }
    }
    fn __strverscmp(a: *const c_char, b: *const c_char) -> c_int {
        before { reads(a, string(a)), reads(b, string(b)) }
    }
    fn __strcasestr(text: *const c_char, part: *const c_char) -> *mut c_char {
        before { reads(part, string(part)) }
        after(found) { reads(text, string_to(text, end_of(found, part))) }
    }
    fn __strerror_r(error: c_int, to: *mut c_char, room: usize) -> *mut c_char {
        after(text) if (core::ptr::eq(text, to)) { writes(to, string(to)) }
    }
    fn strcasecmp_l(a: *const c_char, b: *const c_char, locale: Locale) -> c_int {
        before { let bytes = compared(a, b, usize::MAX, same_letter); reads(a, bytes), reads(b, bytes) }
    }
    fn strncasecmp_l(a: *const c_char, b: *const c_char, limit: usize, locale: Locale) -> c_int {
        before { let bytes = compared(a, b, limit, same_letter); reads(a, bytes), reads(b, bytes) }
    }
    fn strcoll_l(a: *const c_char, b: *const c_char, locale: Locale) -> c_int {
        before { reads(a, string(a)), reads(b, string(b)) }
    }
    fn strxfrm_l(to: *mut c_char, from: *const c_char, room: usize, locale: Locale) -> usize {
        before { reads(from, string(from)) }
        after(length) if (length < room) { writes(to, length + 1) }
    }

    // GNU's and BSD's own.
    fn memfrob(block: *mut c_void, bytes: usize) -> *mut c_void {
        before { writes(block, bytes) }
    }
    // All characters change their places, the zero keeps its.
    fn strfry(text: *mut c_char) -> *mut c_char {
        before { let bytes = string(text); reads(text, bytes), writes(text, bytes.saturating_sub(1)) }
    }
    fn rpmatch(answer: *const c_char) -> c_int {
        before { reads(answer, string(answer)) }
    }
    fn a64l(text: *const c_char) -> c_long {
        before { reads(text, string_within(text, 6)) }
    }
    fn basename(path: *const c_char) -> *mut c_char {
        before { reads(path, string(path)) }
    }
    // These two cut: a slash at the end, or before the last part, becomes a zero.
    fn __xpg_basename(path: *mut c_char) -> *mut c_char {
        before { writes(path, string(path)) }
    }
    fn dirname(path: *mut c_char) -> *mut c_char {
        before { writes(path, string(path)) }
    }
    fn getsubopt(options: *mut *mut c_char, names: *const *mut c_char, value: *mut *mut c_char) -> c_int {
        before { reads_one(options), reads(*options, string_within_set(*options, b",\0")) }
        after(_index) { writes_one(options), writes_one(value) }
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

/// The characters of a string.
pub fn characters(text: *const c_char) -> impl Fn(usize) -> u8 {
    // SAFETY: who asks stops at the zero.
    move |at| unsafe { *text.add(at) as u8 }
}

/// Characters that reading an integer has to look at: the first unfit one ends it, the zero at the latest.
pub fn integer(at: impl Fn(usize) -> u8, base: c_int) -> usize {
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

/// Characters that reading a floating-point number of `length` characters has to look at: the one behind it, too. Without a
/// number, that is the first one behind blanks and sign.
pub fn floating(at: impl Fn(usize) -> u8, length: usize) -> usize {
    match length {
        0 => blanks_and_sign(&at) + 1,
        length => length + 1,
    }
}

/// Bytes up to and including the first that is in `set`, which has the zero.
///
/// # Safety
/// `text` is a string.
unsafe fn string_within_set(text: *const c_char, set: &[u8]) -> usize {
    // SAFETY: the zero ends the search.
    (0..)
        .find(|&at| set.contains(&unsafe { *text.add(at) as u8 }))
        .unwrap_or(0)
        + 1
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
            let integer = |text: &core::ffi::CStr, base| integer(characters(text.as_ptr()), base);
            assert_eq!(integer(c"42", 10), 3);
            assert_eq!(integer(c"42 tail", 10), 3);
            assert_eq!(integer(c"  -7x", 10), 5);
            assert_eq!(integer(c"0x1fg", 0), 5);
            assert_eq!(integer(c"0xg", 16), 2);
            assert_eq!(integer(c"078", 0), 3);
            assert_eq!(integer(c"zz", 36), 3);
            assert_eq!(integer(c"", 10), 1);
            let text = characters(c" -1.5e-3;".as_ptr());
            assert_eq!((floating(&text, 8), floating(&text, 0)), (9, 3));
            assert_eq!(string_within_set(c"ab,c".as_ptr(), b",\0"), 3);
            assert_eq!(string_within_set(c"ab".as_ptr(), b",\0"), 3);
        }
    }
}
