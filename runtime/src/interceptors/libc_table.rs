//! What libc's functions read and write of the program's memory: one line per function, and the interceptor made from it.
//!
//! A line is a function's signature and its ranges, in two groups:
//!
//! ```text
//! fn strcpy(to: *mut c_char, from: *const c_char) -> *mut c_char {
//!     before { let bytes = string(from); reads(from, bytes), writes(to, bytes) }
//! }
//! fn strchr(text: *const c_char, wanted: c_int) -> *mut c_char {
//!     after(found) { reads(text, string_to(text, found)) }
//! }
//! fn time(to: *mut i64) -> i64 {
//!     after(now) if (now != -1) { writes_one(to) }
//! }
//! ```
//!
//! A line that `goes_to(stream)`, or `comes_from(stream)`, orders threads that are at the two ends of a pipe by streams (`descriptors`), before what is said
//! of memory. One that `opens(new_stream)`, or `opens(new_folder)`, returns something that has a new descriptor inside.
//!
//! Ranges that are known beforehand are checked before the call, so that a report comes before the damage; those that
//! depend on the result are checked after it, when it says what really happened. `reads` and `writes` take an address and a
//! number of bytes; a null address or zero bytes are nothing. Sizes are computed outside of the runtime: if the program's
//! pointer is bad, then the fault is the program's, at a place where its handlers work.

use core::ffi::{c_char, c_void};

use super::own_range::{known, known_in_word, known_inside};
use crate::annotations::ignore::{self, What};
use crate::caller::Caller;
use crate::pipeline::{FEW, enter};
use crate::quick;
use crate::sites::Shape;
use crate::state::multi_threaded;

/// Bytes of the program that a call reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub start: *const c_void,
    pub bytes: usize,
    pub written: bool,
}

/// A range that is read.
pub fn reads<T: ?Sized>(start: *const T, bytes: usize) -> Range {
    Range {
        start: start.cast(),
        bytes,
        written: false,
    }
}

/// A range that is written.
pub fn writes<T: ?Sized>(start: *const T, bytes: usize) -> Range {
    Range {
        start: start.cast(),
        bytes,
        written: true,
    }
}

/// A whole object that is read; null is nothing.
pub fn reads_one<T>(object: *const T) -> Range {
    reads(object, size_of::<T>())
}

/// A whole object that is written; null is nothing.
pub fn writes_one<T>(object: *const T) -> Range {
    writes(object, size_of::<T>())
}

/// No range, for branches that have none.
pub fn nothing() -> Range {
    reads(core::ptr::null::<u8>(), 0)
}

/// Tells the engine of ranges, but for what it knows of them already.
#[inline(always)]
pub fn check(caller: Caller, ranges: &[Range]) {
    // As the engine says by itself, but with less to do for it.
    if !multi_threaded() {
        return;
    }
    for (at, &range) in ranges.iter().enumerate() {
        if !is_told_shortly(caller, range) {
            return check_each(caller, &ranges[at..]);
        }
    }
}

/// Whether there is nothing to tell of a range, or it is told by the short way of hooks.
#[inline(always)]
fn is_told_shortly(caller: Caller, range: Range) -> bool {
    let Range {
        start,
        bytes,
        written,
    } = range;
    let whole = (start as u64, bytes as u64);
    is_nothing(range)
        || whole.1 <= FEW
            && caller.context != 0
            && (known_in_word(start, bytes, written)
                || quick::by_hook(caller, whole, written, Shape::UNKNOWN))
}

#[inline(always)]
fn is_nothing(range: Range) -> bool {
    range.bytes == 0 || range.start.is_null()
}

#[inline(never)]
fn check_each(caller: Caller, ranges: &[Range]) {
    let mut scope = None;
    for &range in ranges.iter().filter(|&&range| !is_nothing(range)) {
        let (start, bytes, written) = (range.start, range.bytes, range.written);
        let known = match &mut scope {
            None => known(start, bytes, written),
            Some(scope) => known_inside(scope, start, bytes, written),
        };
        if known == bytes {
            continue;
        }
        if scope.is_none() {
            scope = enter(caller);
        }
        let Some(scope) = &mut scope else { return };
        let (start, bytes) = (start.wrapping_byte_add(known), bytes - known);
        if written {
            scope.write(start, bytes);
        } else {
            scope.read(start, bytes);
        }
    }
}

/// A call of a function that works through libraries of its own (name services, encodings): what those do to memory by functions
/// that are intercepted here is libc's business, kept apart by locks of libc's own. What it does to the program's memory is
/// said by the row.
pub fn quietly<T>(caller: Caller, call: impl FnOnce() -> T) -> T {
    let both =
        |begins| [What::Reads, What::Writes].map(|what| ignore::change(caller, what, begins));
    if !multi_threaded() {
        return call();
    }
    both(true);
    let result = call();
    both(false);
    result
}

/// Bytes of a string with its zero; 0 for null.
///
/// # Safety
/// `text` is null or a string.
pub unsafe fn string(text: *const c_char) -> usize {
    if text.is_null() {
        return 0;
    }
    // SAFETY: passed on to the caller.
    unsafe { core::ffi::CStr::from_ptr(text) }.count_bytes() + 1
}

/// Bytes of a string with its zero, or `limit` if that comes first.
///
/// # Safety
/// `text` is null, or readable up to a zero or for `limit` bytes.
pub unsafe fn string_within(text: *const c_char, limit: usize) -> usize {
    if text.is_null() {
        return 0;
    }
    // SAFETY: passed on to the caller.
    let zero = (0..limit).find(|&at| unsafe { *text.add(at) } == 0);
    zero.map_or(limit, |at| at + 1)
}

/// Bytes of a string up to and including the character at `found`, or all of it if that is null.
///
/// # Safety
/// `text` is a string; `found` is null or points into it.
pub unsafe fn string_to(text: *const c_char, found: *const c_char) -> usize {
    if found.is_null() {
        // SAFETY: passed on to the caller.
        unsafe { string(text) }
    } else {
        found as usize - text as usize + 1
    }
}

/// Bytes that a comparison of two strings has to look at: up to and including the first difference, or the zero.
///
/// # Safety
/// Both are strings, or readable for `limit` bytes. `same` says what counts as no difference.
pub unsafe fn compared(
    a: *const c_char,
    b: *const c_char,
    limit: usize,
    same: impl Fn(c_char, c_char) -> bool,
) -> usize {
    let ends = |at: usize| {
        // SAFETY: passed on to the caller: nothing behind the first end is looked at.
        let (a, b) = unsafe { (*a.add(at), *b.add(at)) };
        a == 0 || b == 0 || !same(a, b)
    };
    (0..limit).find(|&at| ends(at)).map_or(limit, |at| at + 1)
}

/// Whether two characters are equal but for the case of ASCII letters.
pub fn same_letter(a: c_char, b: c_char) -> bool {
    (a as u8).eq_ignore_ascii_case(&(b as u8))
}

/// Interceptors from lines of the table, see the module's documentation.
#[macro_export]
macro_rules! libc_table {
    ($(
        $(#[$meta:meta])*
        fn $name:ident ($($arg:ident : $type:ty),* $(,)?) $(-> $ret:ty)? {
            $(goes_to($to:ident))?
            $(comes_from($from:ident))?
            $(opens($opened:ident))?
            $(before { $(let $known:ident = $value:expr;)* $($before:expr),* $(,)? })?
            $(after($result:ident) $(if ($condition:expr))? { $($after:expr),* $(,)? })?
        }
    )*) => {
        $crate::interceptors! {
            $($(#[$meta])* fn $name($($arg: $type),*) $(-> $ret)? {
                let caller = $crate::caller!();
                if const { $crate::async_safety::is_unsafe(stringify!($name)) } {
                    $crate::async_safety::calls(caller, stringify!($name));
                }
                // SAFETY: the program's call with the program's arguments; the sizes look at what the call looks at.
                #[allow(unused_unsafe, clippy::let_unit_value, clippy::macro_metavars_in_unsafe)]
                unsafe {
                    $(if $crate::state::multi_threaded() {
                        $(let $known = $value;)*
                        let ranges = [$($before),*];
                        $crate::interceptors::libc_table::check(caller, &ranges);
                    })?
                    $($crate::interceptors::descriptors::goes_to_stream(caller, $to);)?
                    let result = $crate::real!($name)($($arg),*);
                    $($crate::interceptors::descriptors::$opened(caller, result);)?
                    $($crate::interceptors::descriptors::comes_from_stream(caller, $from);)?
                    $(if $crate::state::multi_threaded() {
                        let $result = result;
                        $(if $condition)? {
                            let ranges = [$($after),*];
                            $crate::interceptors::libc_table::check(caller, &ranges);
                        }
                    })?
                    let _ = caller;
                    result
                }
            })*
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_strings() {
        let text = c"hello".as_ptr();
        // SAFETY: literals.
        unsafe {
            assert_eq!(string(text), 6);
            assert_eq!(string(core::ptr::null()), 0);
            assert_eq!(string_within(text, 3), 3);
            assert_eq!(string_within(text, 5), 5);
            assert_eq!(string_within(text, 6), 6);
            assert_eq!(string_within(text, 100), 6);
            assert_eq!(string_to(text, text.add(2)), 3);
            assert_eq!(string_to(text, core::ptr::null()), 6);
        }
    }

    #[test]
    fn a_comparison_ends_at_the_first_difference_or_zero() {
        let exact = |a: c_char, b: c_char| a == b;
        // SAFETY: literals.
        unsafe {
            assert_eq!(
                compared(c"abc".as_ptr(), c"abd".as_ptr(), usize::MAX, exact),
                3
            );
            assert_eq!(
                compared(c"abc".as_ptr(), c"abc".as_ptr(), usize::MAX, exact),
                4
            );
            assert_eq!(
                compared(c"ab".as_ptr(), c"abc".as_ptr(), usize::MAX, exact),
                3
            );
            assert_eq!(
                compared(c"xbc".as_ptr(), c"abc".as_ptr(), usize::MAX, exact),
                1
            );
            assert_eq!(compared(c"abc".as_ptr(), c"abc".as_ptr(), 2, exact), 2);
            assert_eq!(
                compared(c"aBc".as_ptr(), c"Abd".as_ptr(), usize::MAX, same_letter),
                3
            );
            assert_eq!(compared(c"abc".as_ptr(), c"abc".as_ptr(), 0, exact), 0);
        }
    }
}
