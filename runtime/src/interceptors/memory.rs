//! Functions over blocks of bytes: memcpy and its family, and the hooks for what the compiler makes of assignments.
//!
//! Six of them (memcpy, memmove, memset, memcmp, bcmp, strlen) the compiler calls on its own, in the runtime, too. Code of
//! the runtime that checks of compiled code lead to must leave vector registers beyond xmm15's 128 bits alone, and libc's
//! variants do not; so for code inside the runtime there are plain versions here, under `__goldilocks_real_NAME`.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_void};

use super::libc_table::{check, reads, writes};
use crate::caller::Caller;
use crate::{caller, interceptors, real};

/// As `intercepted!`, for a name whose `__goldilocks_real_NAME` is written by hand below.
macro_rules! intercepted_with_own_real {
    ($($name:ident ($($type:ty),*) -> $ret:ty;)*) => {
        $(pub mod $name {
            #[allow(unused_imports)]
            use super::*;
            use core::sync::atomic::{AtomicPtr, Ordering};

            pub type Function = unsafe extern "C" fn($($type),*) -> $ret;

            #[unsafe(export_name = concat!("__goldilocks_slot_", stringify!($name)))]
            pub static SLOT: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());

            #[used]
            #[unsafe(link_section = "goldilocks_intercepted")]
            static ENTRY: crate::interceptors::real::Intercepted = crate::interceptors::real::Intercepted {
                // SAFETY: ends in one NUL.
                name: unsafe { core::ffi::CStr::from_bytes_with_nul_unchecked(concat!(stringify!($name), "\0").as_bytes()) },
                version: None,
                slot: &SLOT,
            };

            unsafe extern "C" {
                #[link_name = concat!("__goldilocks_real_", stringify!($name))]
                fn own($(_: $type),*) -> $ret;
            }

            /// libc's function, or before it is known ours. Only for interceptors, which compiled code calls as the
            /// functions that they are.
            #[inline(always)]
            pub fn real() -> Function {
                // Relaxed: as for all slots, see `real`.
                let slot = SLOT.load(Ordering::Relaxed);
                if slot.is_null() {
                    return own;
                }
                // SAFETY: the slot holds the address of a function of this type (`resolve_all`).
                unsafe { core::mem::transmute::<*mut c_void, Function>(slot) }
            }
        })*
    };
}

intercepted_with_own_real! {
    memcpy(*mut c_void, *const c_void, usize) -> *mut c_void;
    memmove(*mut c_void, *const c_void, usize) -> *mut c_void;
    memset(*mut c_void, c_int, usize) -> *mut c_void;
    memcmp(*const c_void, *const c_void, usize) -> c_int;
    bcmp(*const c_void, *const c_void, usize) -> c_int;
    strlen(*const c_char) -> usize;
}

// The plain versions. Up to 64 bytes everything is loaded before anything is stored, so that memcpy may overlap there; it is
// memmove that asks for more.
core::arch::global_asm!(
    ".text",
    ".macro goldilocks_own name",
    ".p2align 4",
    ".globl __goldilocks_real_\\name",
    ".hidden __goldilocks_real_\\name",
    ".type __goldilocks_real_\\name, @function",
    "__goldilocks_real_\\name:",
    ".endm",
    // None of them uses the stack.
    ".cfi_startproc",
    // rdi destination, rsi source, rdx bytes
    "goldilocks_own memmove",
    "mov rax, rdi",
    "sub rax, rsi",
    "cmp rax, rdx",
    "jae 2f", // the destination does not begin inside the source
    "cmp rdx, 64",
    "ja 9f",
    "goldilocks_own memcpy",
    "2:",
    "mov rax, rdi",
    "cmp rdx, 16",
    "jb 4f",
    "cmp rdx, 32",
    "ja 3f",
    "movups xmm0, [rsi]",
    "movups xmm1, [rsi + rdx - 16]",
    "movups [rdi], xmm0",
    "movups [rdi + rdx - 16], xmm1",
    "ret",
    "3:",
    "cmp rdx, 64",
    "ja 7f",
    "movups xmm0, [rsi]",
    "movups xmm1, [rsi + 16]",
    "movups xmm2, [rsi + rdx - 32]",
    "movups xmm3, [rsi + rdx - 16]",
    "movups [rdi], xmm0",
    "movups [rdi + 16], xmm1",
    "movups [rdi + rdx - 32], xmm2",
    "movups [rdi + rdx - 16], xmm3",
    "ret",
    "4:",
    "cmp edx, 8",
    "jb 5f",
    "mov rcx, [rsi]",
    "mov r8, [rsi + rdx - 8]",
    "mov [rdi], rcx",
    "mov [rdi + rdx - 8], r8",
    "ret",
    "5:",
    "cmp edx, 4",
    "jb 6f",
    "mov ecx, [rsi]",
    "mov r8d, [rsi + rdx - 4]",
    "mov [rdi], ecx",
    "mov [rdi + rdx - 4], r8d",
    "ret",
    "6:",
    "test edx, edx",
    "je 8f",
    "movzx ecx, byte ptr [rsi]",
    "cmp edx, 1",
    "je 61f",
    "movzx r8d, word ptr [rsi + rdx - 2]",
    "mov [rdi + rdx - 2], r8w",
    "61:",
    "mov [rdi], cl",
    "ret",
    "7:",
    "mov rcx, rdx",
    "rep movsb",
    "8:",
    "ret",
    ".size __goldilocks_real_memcpy, . - __goldilocks_real_memcpy",
    // More than 64 bytes, the destination begins inside the source: from the end, the first 32 bytes kept in registers.
    "9:",
    "mov rax, rdi",
    "movups xmm2, [rsi]",
    "movups xmm3, [rsi + 16]",
    "10:",
    "movups xmm0, [rsi + rdx - 16]",
    "movups xmm1, [rsi + rdx - 32]",
    "movups [rdi + rdx - 16], xmm0",
    "movups [rdi + rdx - 32], xmm1",
    "sub rdx, 32",
    "cmp rdx, 32",
    "ja 10b",
    "movups [rdi], xmm2",
    "movups [rdi + 16], xmm3",
    "ret",
    ".size __goldilocks_real_memmove, . - __goldilocks_real_memmove",
    // rdi destination, esi byte, rdx bytes
    "goldilocks_own memset",
    "mov r8, rdi",
    "movzx eax, sil",
    "cmp rdx, 32",
    "jbe 11f",
    "mov rcx, rdx",
    "rep stosb",
    "mov rax, r8",
    "ret",
    "11:",
    "mov rcx, 0x0101010101010101",
    "imul rax, rcx",
    "cmp edx, 8",
    "jb 12f",
    "mov [rdi], rax",
    "mov [rdi + rdx - 8], rax",
    "cmp edx, 16",
    "jbe 14f",
    "mov [rdi + 8], rax",
    "mov [rdi + rdx - 16], rax",
    "mov rax, r8",
    "ret",
    "12:",
    "test edx, edx",
    "je 14f",
    "13:",
    "mov [rdi + rdx - 1], al",
    "dec edx",
    "jnz 13b",
    "14:",
    "mov rax, r8",
    "ret",
    ".size __goldilocks_real_memset, . - __goldilocks_real_memset",
    // rdi, rsi blocks, rdx bytes
    "goldilocks_own bcmp",
    "goldilocks_own memcmp",
    "xor ecx, ecx",
    "sub rdx, 8",
    "jb 22f",
    "21:",
    "mov rax, [rdi + rcx]",
    "mov r8, [rsi + rcx]",
    "cmp rax, r8",
    "jne 25f",
    "add rcx, 8",
    "cmp rcx, rdx",
    "jbe 21b",
    "22:",
    "add rdx, 8",
    "23:",
    "cmp rcx, rdx",
    "jae 24f",
    "movzx eax, byte ptr [rdi + rcx]",
    "movzx r8d, byte ptr [rsi + rcx]",
    "inc rcx",
    "sub eax, r8d",
    "je 23b",
    "ret",
    "24:",
    "xor eax, eax",
    "ret",
    "25:",
    "bswap rax",
    "bswap r8",
    "cmp rax, r8",
    "sbb eax, eax",
    "or eax, 1",
    "ret",
    ".size __goldilocks_real_bcmp, . - __goldilocks_real_bcmp",
    ".size __goldilocks_real_memcmp, . - __goldilocks_real_memcmp",
    // rdi string. Aligned loads stay within the page of a byte of the string.
    "goldilocks_own strlen",
    "pxor xmm0, xmm0",
    "mov rax, rdi",
    "and rax, -16",
    "mov ecx, edi",
    "and ecx, 15",
    "movdqa xmm1, [rax]",
    "pcmpeqb xmm1, xmm0",
    "pmovmskb edx, xmm1",
    "shr edx, cl",
    "shl edx, cl", // not what is before the string
    "test edx, edx",
    "jnz 32f",
    "31:",
    "add rax, 16",
    "movdqa xmm1, [rax]",
    "pcmpeqb xmm1, xmm0",
    "pmovmskb edx, xmm1",
    "test edx, edx",
    "jz 31b",
    "32:",
    "bsf edx, edx",
    "add rax, rdx",
    "sub rax, rdi",
    "ret",
    ".size __goldilocks_real_strlen, . - __goldilocks_real_strlen",
    ".cfi_endproc",
    ".purgem goldilocks_own",
);

/// Checks a copy of `bytes` bytes before it is made.
#[inline(always)]
fn check_copy(caller: Caller, to: *mut c_void, from: *const c_void, bytes: usize) {
    check(caller, &[reads(from, bytes), writes(to, bytes)]);
}

#[inline(always)]
fn check_write(caller: Caller, at: *mut c_void, bytes: usize) {
    check(caller, &[writes(at, bytes)]);
}

#[inline(always)]
fn check_reads(caller: Caller, ranges: [(*const c_void, usize); 2]) {
    check(caller, &ranges.map(|(at, bytes)| reads(at, bytes)));
}

#[inline(always)]
fn check_read(caller: Caller, at: *const c_void, bytes: usize) {
    check(caller, &[reads(at, bytes)]);
}

/// Bytes from `start` to the end of the item of `size` bytes that was found, or `limit` if none was.
fn through(start: *const c_void, found: *const c_void, size: usize, limit: usize) -> usize {
    if found.is_null() {
        limit
    } else {
        found as usize - start as usize + size
    }
}

/// # Safety
/// As for `strlen`.
#[inline(always)]
unsafe fn strlen_by(caller: Caller, string: *const c_char) -> usize {
    // SAFETY: the caller's contract.
    let length = unsafe { real!(strlen)(string) };
    check_read(caller, string.cast(), length + 1);
    length
}

/// # Safety
/// As for `memchr`.
#[inline(always)]
unsafe fn memchr_by(
    caller: Caller,
    block: *const c_void,
    byte: c_int,
    bytes: usize,
) -> *mut c_void {
    // SAFETY: the caller's contract.
    let found = unsafe { real!(memchr)(block, byte, bytes) };
    check_read(caller, block, through(block, found, 1, bytes));
    found
}

/// An interceptor of one of the names above, and other functions whose slot exists already.
macro_rules! interceptors_without_slot {
    ($(fn $symbol:literal $name:ident ($($arg:ident : $type:ty),*) -> $ret:ty $body:block)*) => {
        $(
            #[allow(clippy::missing_safety_doc)] // the program's own contract with libc
            #[unsafe(export_name = $symbol)]
            pub unsafe extern "C" fn $name($($arg: $type),*) -> $ret $body
        )*
    };
}

interceptors_without_slot! {
    fn "__goldilocks_interceptor_memcpy" memcpy(to: *mut c_void, from: *const c_void, bytes: usize) -> *mut c_void {
        check_copy(caller!(), to, from, bytes);
        // SAFETY: the program's call.
        unsafe { real!(memcpy)(to, from, bytes) }
    }
    fn "__goldilocks_interceptor_memmove" memmove(to: *mut c_void, from: *const c_void, bytes: usize) -> *mut c_void {
        check_copy(caller!(), to, from, bytes);
        // SAFETY: the program's call.
        unsafe { real!(memmove)(to, from, bytes) }
    }
    fn "__goldilocks_interceptor_memset" memset(to: *mut c_void, byte: c_int, bytes: usize) -> *mut c_void {
        check_write(caller!(), to, bytes);
        // SAFETY: the program's call.
        unsafe { real!(memset)(to, byte, bytes) }
    }
    // All of both: the standard lets an implementation read them, whatever the result depends on.
    fn "__goldilocks_interceptor_memcmp" memcmp(a: *const c_void, b: *const c_void, bytes: usize) -> c_int {
        check_reads(caller!(), [(a, bytes), (b, bytes)]);
        // SAFETY: the program's call.
        unsafe { real!(memcmp)(a, b, bytes) }
    }
    fn "__goldilocks_interceptor_bcmp" bcmp(a: *const c_void, b: *const c_void, bytes: usize) -> c_int {
        check_reads(caller!(), [(a, bytes), (b, bytes)]);
        // SAFETY: the program's call.
        unsafe { real!(bcmp)(a, b, bytes) }
    }
    fn "__goldilocks_interceptor_strlen" strlen(string: *const c_char) -> usize {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { strlen_by(caller, string) }
    }

    // The hooks of `abi::MEMCPY` and the others. The caller is compiled code, which did not necessarily write a call.
    fn "__goldilocks_memcpy" hook_memcpy(to: *mut c_void, from: *const c_void, bytes: usize) -> *mut c_void {
        check_copy(caller!().compiled(), to, from, bytes);
        // SAFETY: the program's copy.
        unsafe { real!(memcpy)(to, from, bytes) }
    }
    fn "__goldilocks_memmove" hook_memmove(to: *mut c_void, from: *const c_void, bytes: usize) -> *mut c_void {
        check_copy(caller!().compiled(), to, from, bytes);
        // SAFETY: the program's move.
        unsafe { real!(memmove)(to, from, bytes) }
    }
    fn "__goldilocks_memcmp" hook_memcmp(a: *const c_void, b: *const c_void, bytes: usize) -> c_int {
        check_reads(caller!().compiled(), [(a, bytes), (b, bytes)]);
        // SAFETY: the program's comparison.
        unsafe { real!(memcmp)(a, b, bytes) }
    }
    fn "__goldilocks_bcmp" hook_bcmp(a: *const c_void, b: *const c_void, bytes: usize) -> c_int {
        check_reads(caller!().compiled(), [(a, bytes), (b, bytes)]);
        // SAFETY: the program's comparison.
        unsafe { real!(bcmp)(a, b, bytes) }
    }
    fn "__goldilocks_memchr" hook_memchr(block: *const c_void, byte: c_int, bytes: usize) -> *mut c_void {
        let caller = caller!().compiled();
        // SAFETY: the program's call.
        unsafe { memchr_by(caller, block, byte, bytes) }
    }
    fn "__goldilocks_strlen" hook_strlen(string: *const c_char) -> usize {
        let caller = caller!().compiled();
        // SAFETY: the program's call.
        unsafe { strlen_by(caller, string) }
    }
    fn "__goldilocks_memset" hook_memset(to: *mut c_void, byte: c_int, bytes: usize) -> *mut c_void {
        check_write(caller!().compiled(), to, bytes);
        // SAFETY: the program's assignment.
        unsafe { real!(memset)(to, byte, bytes) }
    }
}

interceptors! {
    fn mempcpy(to: *mut c_void, from: *const c_void, bytes: usize) -> *mut c_void {
        check_copy(caller!(), to, from, bytes);
        // SAFETY: the program's call.
        unsafe { real!(memcpy)(to, from, bytes).byte_add(bytes) }
    }
    fn bcopy(from: *const c_void, to: *mut c_void, bytes: usize) {
        check_copy(caller!(), to, from, bytes);
        // SAFETY: the program's call.
        unsafe { real!(memmove)(to, from, bytes) };
    }
    fn bzero(to: *mut c_void, bytes: usize) {
        check_write(caller!(), to, bytes);
        // SAFETY: the program's call.
        unsafe { real!(memset)(to, 0, bytes) };
    }
    fn explicit_bzero(to: *mut c_void, bytes: usize) {
        check_write(caller!(), to, bytes);
        // SAFETY: the program's call. A call through a slot cannot be left out by the optimizer.
        unsafe { real!(memset)(to, 0, bytes) };
    }

    // The fortified variants end the program when the object is too small, which the real one says better than we.
    fn __memcpy_chk(to: *mut c_void, from: *const c_void, bytes: usize, room: usize) -> *mut c_void {
        if bytes <= room { check_copy(caller!(), to, from, bytes) }
        // SAFETY: the program's call.
        unsafe { real!(__memcpy_chk)(to, from, bytes, room) }
    }
    fn __memmove_chk(to: *mut c_void, from: *const c_void, bytes: usize, room: usize) -> *mut c_void {
        if bytes <= room { check_copy(caller!(), to, from, bytes) }
        // SAFETY: the program's call.
        unsafe { real!(__memmove_chk)(to, from, bytes, room) }
    }
    fn __mempcpy_chk(to: *mut c_void, from: *const c_void, bytes: usize, room: usize) -> *mut c_void {
        if bytes <= room { check_copy(caller!(), to, from, bytes) }
        // SAFETY: the program's call.
        unsafe { real!(__mempcpy_chk)(to, from, bytes, room) }
    }
    fn __memset_chk(to: *mut c_void, byte: c_int, bytes: usize, room: usize) -> *mut c_void {
        if bytes <= room { check_write(caller!(), to, bytes) }
        // SAFETY: the program's call.
        unsafe { real!(__memset_chk)(to, byte, bytes, room) }
    }
    fn __explicit_bzero_chk(to: *mut c_void, bytes: usize, room: usize) {
        if bytes <= room { check_write(caller!(), to, bytes) }
        // SAFETY: the program's call.
        unsafe { real!(__explicit_bzero_chk)(to, bytes, room) }
    }

    // C++'s and GNU's searches read up to what they find.
    fn memchr(block: *const c_void, byte: c_int, bytes: usize) -> *mut c_void {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { memchr_by(caller, block, byte, bytes) }
    }
    fn rawmemchr(block: *const c_void, byte: c_int) -> *mut c_void {
        let caller = caller!();
        // SAFETY: the program's call.
        let found = unsafe { real!(rawmemchr)(block, byte) };
        check_read(caller, block, through(block, found, 1, 0));
        found
    }
    fn memrchr(block: *const c_void, byte: c_int, bytes: usize) -> *mut c_void {
        let caller = caller!();
        // SAFETY: the program's call.
        let found = unsafe { real!(memrchr)(block, byte, bytes) };
        let first = if found.is_null() { block } else { found };
        check_read(caller, first, block as usize + bytes - first as usize);
        found
    }
    fn memmem(block: *const c_void, bytes: usize, part: *const c_void, part_bytes: usize) -> *mut c_void {
        let caller = caller!();
        // SAFETY: the program's call.
        let found = unsafe { real!(memmem)(block, bytes, part, part_bytes) };
        check_reads(caller, [(part, part_bytes), (block, through(block, found, part_bytes, bytes))]);
        found
    }
    fn memccpy(to: *mut c_void, from: *const c_void, stop: c_int, bytes: usize) -> *mut c_void {
        let caller = caller!();
        // Where it stops has to be known before anything is written.
        // SAFETY: reads what the program's call reads.
        let found = unsafe { real!(memchr)(from, stop, bytes) };
        check_copy(caller, to, from, through(from, found, 1, bytes));
        // SAFETY: the program's call.
        unsafe { real!(memccpy)(to, from, stop, bytes) }
    }
    fn swab(from: *const c_void, to: *mut c_void, bytes: isize) {
        // Pairs only; a negative number is nothing.
        check_copy(caller!(), to, from, bytes.max(0) as usize & !1);
        // SAFETY: the program's call.
        unsafe { real!(swab)(from, to, bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        fn __goldilocks_real_memcpy(
            to: *mut c_void,
            from: *const c_void,
            bytes: usize,
        ) -> *mut c_void;
        fn __goldilocks_real_memmove(
            to: *mut c_void,
            from: *const c_void,
            bytes: usize,
        ) -> *mut c_void;
        fn __goldilocks_real_memset(to: *mut c_void, byte: c_int, bytes: usize) -> *mut c_void;
        fn __goldilocks_real_memcmp(a: *const c_void, b: *const c_void, bytes: usize) -> c_int;
        fn __goldilocks_real_bcmp(a: *const c_void, b: *const c_void, bytes: usize) -> c_int;
        fn __goldilocks_real_strlen(string: *const c_char) -> usize;
    }

    fn pattern() -> Vec<u8> {
        (0..700u32).map(|i| (i * 7 + i / 256) as u8).collect()
    }

    #[test]
    fn moves_are_right_for_every_size_and_overlap() {
        for bytes in (0..140).chain([255, 256, 257, 300]) {
            for (from, to) in [
                (0, 350),
                (350, 0),
                (10, 11),
                (11, 10),
                (10, 43),
                (43, 10),
                (5, 5),
                (10, 100),
                (100, 10),
            ] {
                let mut expected = pattern();
                expected.copy_within(from..from + bytes, to);
                let mut got = pattern();
                // SAFETY: both ranges are inside the vector.
                let result = unsafe {
                    let base = got.as_mut_ptr();
                    __goldilocks_real_memmove(base.add(to).cast(), base.add(from).cast(), bytes)
                };
                assert_eq!(result as usize, got.as_ptr() as usize + to);
                assert_eq!(got, expected, "{bytes} bytes from {from} to {to}");
            }
        }
    }

    #[test]
    fn copies_and_fills_touch_nothing_else() {
        for bytes in (0..140).chain([255, 300]) {
            for shift in [0, 1, 9] {
                let (source, mut got) = (pattern(), vec![0xee; 400]);
                let mut expected = got.clone();
                expected[shift..shift + bytes].copy_from_slice(&source[3..3 + bytes]);
                // SAFETY: both ranges are inside their vectors.
                unsafe {
                    __goldilocks_real_memcpy(
                        got.as_mut_ptr().add(shift).cast(),
                        source.as_ptr().add(3).cast(),
                        bytes,
                    )
                };
                assert_eq!(got, expected);
                expected[shift..shift + bytes].fill(0x5a);
                // SAFETY: as above.
                let result = unsafe {
                    __goldilocks_real_memset(got.as_mut_ptr().add(shift).cast(), 0x15a, bytes)
                };
                assert_eq!(result as usize, got.as_ptr() as usize + shift);
                assert_eq!(got, expected);
            }
        }
    }

    #[test]
    fn comparisons_and_lengths() {
        let (a, mut b) = (pattern(), pattern());
        for bytes in 0..70 {
            // SAFETY: within the vectors.
            let compare = |a: &[u8], b: &[u8]| unsafe {
                let [a, b] = [a.as_ptr().cast(), b.as_ptr().cast()];
                (
                    __goldilocks_real_memcmp(a, b, bytes).signum(),
                    __goldilocks_real_bcmp(a, b, bytes) != 0,
                )
            };
            assert_eq!(compare(&a, &b), (0, false));
            for at in 0..bytes {
                b[at] = a[at].wrapping_add(0x80);
                let expected = if a[at] < b[at] { -1 } else { 1 };
                assert_eq!(compare(&a, &b), (expected, true), "{at} of {bytes}");
                b[at] = a[at];
            }
            b[bytes] ^= 1;
            assert_eq!(compare(&a, &b), (0, false));
            b[bytes] ^= 1;
        }
        for start in 0..40 {
            for length in 0..70 {
                let mut text = [b'x'; 200];
                text[..start].fill(0);
                text[start + length] = 0;
                // SAFETY: there is a zero in the array.
                let found = unsafe { __goldilocks_real_strlen(text.as_ptr().add(start).cast()) };
                assert_eq!(found, length);
            }
        }
    }
}
