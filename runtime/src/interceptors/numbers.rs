//! Results that go through pointers: the mathematical functions that have a second one, and generators of random numbers
//! with their state in the program's memory.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_uint, c_void};

use super::format::LONG_DOUBLE;
use super::libc_table::{check, reads, string, writes, writes_one};
use super::strings;
use super::variadic::Call;
use super::wide_strings::{self, WIDE, Wide};
use crate::state::multi_threaded;
use crate::{libc_table, watching_interceptors};

/// A call whose pointer at `AT` is where `BYTES` bytes go.
unsafe extern "C" fn writes_at<const AT: usize, const BYTES: usize>(call: &mut Call) {
    if multi_threaded() {
        check(call.caller(), &[writes(call.pointer::<u8>(AT), BYTES)]);
    }
}

/// `fenv_t` and `femode_t` of x86-64.
const ENVIRONMENT: usize = 32;
const MODE: usize = 8;

/// A state of the processor's that is set to what is at a pointer; or to one of those that `FE_DFL_ENV` and its like name by addresses where nothing is.
unsafe extern "C" fn reads_state<const BYTES: usize>(call: &mut Call) {
    let state: *const u8 = call.pointer(0);
    let has_a_name = (state as usize).wrapping_add(2) < 2;
    if multi_threaded() && !has_a_name {
        check(call.caller(), &[reads(state, BYTES)]);
    }
}

/// `sincos`.
unsafe extern "C" fn writes_two<const BYTES: usize>(call: &mut Call) {
    if multi_threaded() {
        let [sine, cosine] = [0, 1].map(|at| call.pointer::<u8>(at));
        check(call.caller(), &[writes(sine, BYTES), writes(cosine, BYTES)]);
    }
}

/// `nan("n-char-sequence")`
unsafe extern "C" fn reads_text(call: &mut Call) {
    if multi_threaded() {
        let text: *const c_char = call.pointer(0);
        // SAFETY: the program's string.
        check(call.caller(), &[reads(text, unsafe { string(text) })]);
    }
}

/// `strtold`: what it looks at is what `strtod` does, which has to find it out here.
unsafe extern "C" fn long_double_of_text(call: &mut Call) {
    if multi_threaded() {
        let (text, end): (*const c_char, *const *mut c_char) = (call.pointer(0), call.pointer(1));
        let mut last: *mut c_char = core::ptr::null_mut();
        // SAFETY: the program's string. errno is what the call says of it right after.
        let read = unsafe {
            let errno = libc::__errno_location();
            let before = *errno;
            strings::strtod::real()(text, &mut last);
            *errno = before;
            strings::floating(strings::characters(text), last.offset_from(text) as usize)
        };
        check(call.caller(), &[reads(text, read), writes_one(end)]);
    }
}

/// `wcstold`, likewise.
unsafe extern "C" fn long_double_of_wide_text(call: &mut Call) {
    if multi_threaded() {
        let (text, end): (*const Wide, *const *mut Wide) = (call.pointer(0), call.pointer(1));
        let mut last: *mut Wide = core::ptr::null_mut();
        // SAFETY: as above.
        let read = unsafe {
            let errno = libc::__errno_location();
            let before = *errno;
            wide_strings::wcstod::real()(text, &mut last);
            *errno = before;
            strings::floating(
                wide_strings::narrowed(text),
                last.offset_from(text) as usize,
            )
        };
        check(call.caller(), &[reads(text, read * WIDE), writes_one(end)]);
    }
}

// Only pointers are looked at, so numbers of every type stay where they are.
watching_interceptors! {
    fn frexp() = writes_at::<0, 4>;
    fn frexpf() = writes_at::<0, 4>;
    fn frexpl() = writes_at::<0, 4>;
    fn modf() = writes_at::<0, 8>;
    fn modff() = writes_at::<0, 4>;
    fn modfl() = writes_at::<0, LONG_DOUBLE>;
    fn remquo() = writes_at::<0, 4>;
    fn remquof() = writes_at::<0, 4>;
    fn remquol() = writes_at::<0, 4>;
    fn lgamma_r() = writes_at::<0, 4>;
    fn lgammaf_r() = writes_at::<0, 4>;
    fn lgammal_r() = writes_at::<0, 4>;
    fn sincos() = writes_two::<8>;
    fn sincosf() = writes_two::<4>;
    fn sincosl() = writes_two::<LONG_DOUBLE>;
    fn fegetenv() = writes_at::<0, ENVIRONMENT>;
    fn feholdexcept() = writes_at::<0, ENVIRONMENT>;
    fn fesetenv() = reads_state::<ENVIRONMENT>;
    fn feupdateenv() = reads_state::<ENVIRONMENT>;
    fn fegetexceptflag() = writes_at::<0, 2>;
    fn fesetexceptflag() = reads_state::<2>;
    fn fegetmode() = writes_at::<0, MODE>;
    fn fesetmode() = reads_state::<MODE>;
    fn nan() = reads_text;
    fn nanf() = reads_text;
    fn nanl() = reads_text;
    fn strtold() = long_double_of_text;
    fn strtold_l() = long_double_of_text;
    fn strtof64x() = long_double_of_text;
    fn wcstold() = long_double_of_wide_text;
    fn wcstold_l() = long_double_of_wide_text;
    fn wcstof64x() = long_double_of_wide_text;
}

/// `struct drand48_data`.
type Drand = [u64; 3];
/// The state that `erand48` and its like are given.
type Seed = [u16; 3];

libc_table! {
    fn rand_r(seed: *mut c_uint) -> c_int {
        before { writes_one(seed) }
    }

    // What a generator's structure points to is libc's way to store it; the structure stands for all.
    fn random_r(state: *mut c_void, to: *mut i32) -> c_int {
        before { writes(state, RANDOM_DATA) }
        after(result) if (result == 0) { writes_one(to) }
    }
    fn srandom_r(seed: c_uint, state: *mut c_void) -> c_int {
        before { writes(state, RANDOM_DATA) }
    }
    fn initstate_r(seed: c_uint, to: *mut c_char, bytes: usize, state: *mut c_void) -> c_int {
        before { writes(state, RANDOM_DATA) }
        after(result) if (result == 0) { writes(to, generator(bytes)) }
    }
    fn setstate_r(from: *mut c_char, state: *mut c_void) -> c_int {
        before { reads(from, 4), writes(state, RANDOM_DATA) }
    }
    fn initstate(seed: c_uint, to: *mut c_char, bytes: usize) -> *mut c_char {
        after(old) if (!old.is_null()) { writes(to, generator(bytes)) }
    }
    fn setstate(from: *mut c_char) -> *mut c_char {
        before { reads(from, 4) }
    }

    fn erand48(state: *mut Seed) -> f64 {
        before { writes_one(state) }
    }
    fn nrand48(state: *mut Seed) -> i64 {
        before { writes_one(state) }
    }
    fn jrand48(state: *mut Seed) -> i64 {
        before { writes_one(state) }
    }
    fn seed48(seed: *mut Seed) -> *mut Seed {
        before { reads(seed, size_of::<Seed>()) }
        after(old) { writes_one(old) }
    }
    fn lcong48(parameters: *mut [u16; 7]) {
        before { reads(parameters, 14) }
    }
    fn drand48_r(state: *mut Drand, to: *mut f64) -> c_int {
        before { writes_one(state), writes_one(to) }
    }
    fn lrand48_r(state: *mut Drand, to: *mut i64) -> c_int {
        before { writes_one(state), writes_one(to) }
    }
    fn mrand48_r(state: *mut Drand, to: *mut i64) -> c_int {
        before { writes_one(state), writes_one(to) }
    }
    fn erand48_r(seed: *mut Seed, state: *mut Drand, to: *mut f64) -> c_int {
        before { writes_one(seed), writes_one(state), writes_one(to) }
    }
    fn nrand48_r(seed: *mut Seed, state: *mut Drand, to: *mut i64) -> c_int {
        before { writes_one(seed), writes_one(state), writes_one(to) }
    }
    fn jrand48_r(seed: *mut Seed, state: *mut Drand, to: *mut i64) -> c_int {
        before { writes_one(seed), writes_one(state), writes_one(to) }
    }
    fn srand48_r(seed: i64, state: *mut Drand) -> c_int {
        before { writes_one(state) }
    }
    fn seed48_r(seed: *mut Seed, state: *mut Drand) -> c_int {
        before { reads(seed, size_of::<Seed>()), writes_one(state) }
    }
    fn lcong48_r(parameters: *mut [u16; 7], state: *mut Drand) -> c_int {
        before { reads(parameters, 14), writes_one(state) }
    }

    fn getrandom(to: *mut c_void, bytes: usize, flags: c_uint) -> isize {
        after(got) if (got > 0) { writes(to, got as usize) }
    }
    fn getentropy(to: *mut c_void, bytes: usize) -> c_int {
        after(result) if (result == 0) { writes(to, bytes) }
    }
    fn arc4random_buf(to: *mut c_void, bytes: usize) {
        before { writes(to, bytes) }
    }

    // Digits of a number, in memory that libc keeps, or that is given.
    fn l64a(number: i64) -> *mut c_char {
        after(text) { writes(text, string(text)) }
    }
    fn gcvt(number: f64, digits: c_int, to: *mut c_char) -> *mut c_char {
        after(text) { writes(text, string(text)) }
    }
    fn ecvt(number: f64, digits: c_int, point: *mut c_int, sign: *mut c_int) -> *mut c_char {
        after(text) { writes_one(point), writes_one(sign), writes(text, string(text)) }
    }
    fn fcvt(number: f64, digits: c_int, point: *mut c_int, sign: *mut c_int) -> *mut c_char {
        after(text) { writes_one(point), writes_one(sign), writes(text, string(text)) }
    }
    fn ecvt_r(number: f64, digits: c_int, point: *mut c_int, sign: *mut c_int, to: *mut c_char, room: usize) -> c_int {
        after(result) if (result == 0) { writes_one(point), writes_one(sign), writes(to, string(to)) }
    }
    fn fcvt_r(number: f64, digits: c_int, point: *mut c_int, sign: *mut c_int, to: *mut c_char, room: usize) -> c_int {
        after(result) if (result == 0) { writes_one(point), writes_one(sign), writes(to, string(to)) }
    }
    fn strfromd(to: *mut c_char, room: usize, format: *const c_char, number: f64) -> c_int {
        before { reads(format, string(format)) }
        after(length) if (length >= 0) { writes(to, room.min(length as usize + 1)) }
    }
    fn strfromf(to: *mut c_char, room: usize, format: *const c_char, number: f32) -> c_int {
        before { reads(format, string(format)) }
        after(length) if (length >= 0) { writes(to, room.min(length as usize + 1)) }
    }
}

/// `sizeof(struct random_data)`.
const RANDOM_DATA: usize = 48;

/// Bytes of a generator's state that are used where there is room for `bytes`: a head, and one of a few sizes.
fn generator(bytes: usize) -> usize {
    let sizes = [256, 128, 64, 32, 8];
    sizes.into_iter().find(|&size| size <= bytes).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_uses_the_largest_of_its_sizes_that_fits() {
        assert_eq!(
            [7, 8, 31, 32, 200, 1000].map(generator),
            [0, 8, 8, 32, 128, 256]
        );
    }

    /// Nothing has filled the slots here, and who loads a library for itself does not show it to the search for the next definition.
    #[test]
    fn a_function_of_a_library_that_came_later_is_found() {
        unsafe extern "C" {
            #[link_name = "__goldilocks_interceptor_remquo"]
            fn remquo_here(number: f64, by: f64, quotient: *mut c_int) -> f64;
        }
        let mut quotient = 0;
        // SAFETY: libm's constructors do nothing to others, and the call is one of remquo.
        let rest = unsafe {
            assert!(!libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_NOW).is_null());
            remquo_here(5.0, 2.0, &mut quotient)
        };
        assert_eq!((rest, quotient & 7), (1.0, 2));
    }
}
