//! Messages: syslog, and the families of err, warn and error.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_uint, c_void};

use super::format::check_printed;
use super::libc_table::{check, reads, string};
use super::printf::print;
use super::real::{Slot, is_of_libc};
use super::variadic::{Call, VaList};
use crate::state::multi_threaded;
use crate::{caller, interceptors, libc_table, real, watching_interceptors};

type Text = *const c_char;
type List = *mut c_void;

/// A function whose named argument at `FORMAT`, the last of them, is a format (or null).
unsafe extern "C" fn with_format<const FORMAT: usize>(call: &mut Call, slot: &Slot) {
    if multi_threaded() && is_of_libc(slot) {
        // SAFETY: the program's arguments.
        unsafe { check_printed::<c_char>(call.caller(), call.pointer(FORMAT), call.rest) };
    }
}

/// `error_at_line(status, error, file, line, format, ...)`
unsafe extern "C" fn at_line(call: &mut Call, slot: &Slot) {
    if multi_threaded() && is_of_libc(slot) {
        let file: Text = call.pointer(2);
        // SAFETY: as above; a string or null.
        unsafe {
            check(call.caller(), &[reads(file, string(file))]);
            check_printed::<c_char>(call.caller(), call.pointer(4), call.rest);
        }
    }
}

watching_interceptors! {
    fn syslog(c_int, Text) = with_format::<1>;
    fn __syslog_chk(c_int, c_int, Text) = with_format::<2>;
    fn warn(Text) = with_format::<0>;
    fn warnx(Text) = with_format::<0>;
    fn err(c_int, Text) = with_format::<1>;
    fn errx(c_int, Text) = with_format::<1>;
    fn error(c_int, c_int, Text) = with_format::<2>;
    fn error_at_line(c_int, c_int, Text, c_uint, Text) = at_line;
    fn obstack_printf(*mut c_void, Text) = with_format::<1>;
    fn __obstack_printf_chk(*mut c_void, c_int, Text) = with_format::<2>;
}

/// Checks what a format reads; the list is copied.
///
/// # Safety
/// The arguments of a printf with a list.
unsafe fn check_format(caller: crate::caller::Caller, slot: &Slot, format: Text, list: List) {
    if multi_threaded() && is_of_libc(slot) {
        // SAFETY: passed on to the caller.
        unsafe { check_printed(caller, format, *list.cast::<VaList>()) };
    }
}

interceptors! {
    fn vsyslog(priority: c_int, format: Text, list: List) {
        let caller = caller!();
        // SAFETY: the program's call, here and below.
        unsafe {
            check_format(caller, &vsyslog::SLOT, format, list);
            real!(vsyslog)(priority, format, list)
        }
    }
    fn __vsyslog_chk(priority: c_int, flag: c_int, format: Text, list: List) {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            check_format(caller, &__vsyslog_chk::SLOT, format, list);
            real!(__vsyslog_chk)(priority, flag, format, list)
        }
    }
    fn vwarn(format: Text, list: List) {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            check_format(caller, &vwarn::SLOT, format, list);
            real!(vwarn)(format, list)
        }
    }
    fn vwarnx(format: Text, list: List) {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            check_format(caller, &vwarnx::SLOT, format, list);
            real!(vwarnx)(format, list)
        }
    }
    fn verr(status: c_int, format: Text, list: List) {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            check_format(caller, &verr::SLOT, format, list);
            real!(verr)(status, format, list)
        }
    }
    fn verrx(status: c_int, format: Text, list: List) {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            check_format(caller, &verrx::SLOT, format, list);
            real!(verrx)(status, format, list)
        }
    }
    fn obstack_vprintf(stack: *mut c_void, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { print(caller, format, list, || real!(obstack_vprintf)(stack, format, list)) }
    }
    fn __obstack_vprintf_chk(stack: *mut c_void, flag: c_int, format: Text, list: List) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { print(caller, format, list, || real!(__obstack_vprintf_chk)(stack, flag, format, list)) }
    }
}

libc_table! {
    // The name is kept, and read by every message. That later ones read it is not told.
    fn openlog(name: Text, options: c_int, facility: c_int) {
        before { reads(name, string(name)) }
    }
    fn psignal(signal: c_int, text: Text) {
        before { reads(text, string(text)) }
    }
    fn psiginfo(about: *const libc::siginfo_t, text: Text) {
        before { reads(about, size_of::<libc::siginfo_t>()), reads(text, string(text)) }
    }
    fn herror(text: Text) {
        before { reads(text, string(text)) }
    }
}
