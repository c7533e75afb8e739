//! Interceptors of functions with a variable number of arguments.
//!
//! Rust cannot define such functions. An assembly stub saves the argument registers beside a `va_list` that
//! describes them and the caller's stack, and calls one Rust function with the address of all that.

use core::ffi::c_void;

use crate::caller::Caller;

/// A `va_list` of the x86-64 ABI. Copying it is `va_copy`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct VaList {
    /// Offset of the next general register in `saved`; 48 if they are used up.
    general: u32,
    /// Offset of the next vector register in `saved`; 176 if they are used up.
    vector: u32,
    overflow: *const u8,
    saved: *const u8,
}

impl VaList {
    /// The next argument that is an integer or a pointer.
    ///
    /// # Safety
    /// There is one, and it is no larger than 8 bytes.
    pub unsafe fn integer(&mut self) -> u64 {
        // SAFETY: the ABI's layout: registers first, then the stack in steps of 8 bytes.
        unsafe {
            let at = if self.general < 48 {
                self.general += 8;
                self.saved.add(self.general as usize - 8)
            } else {
                self.take_stack(8)
            };
            at.cast::<u64>().read()
        }
    }

    /// Skips the next argument, a `double`.
    ///
    /// # Safety
    /// There is one.
    pub unsafe fn skip_double(&mut self) {
        if self.vector < 176 {
            self.vector += 16;
        } else {
            // SAFETY: as in `integer`.
            unsafe { self.take_stack(8) };
        }
    }

    /// Skips the next argument, a `long double`: always on the stack, aligned to 16.
    ///
    /// # Safety
    /// There is one.
    pub unsafe fn skip_long_double(&mut self) {
        let misaligned = self.overflow as usize % 16;
        // SAFETY: as in `integer`.
        unsafe { self.take_stack(16 + (16 - misaligned) % 16) };
    }

    unsafe fn take_stack(&mut self, bytes: usize) -> *const u8 {
        let at = self.overflow;
        // SAFETY: passed on to the callers.
        self.overflow = unsafe { at.add(bytes) };
        at
    }
}

/// A call, as the stub leaves it on the stack.
#[repr(C)]
pub struct Call {
    /// rdi, rsi, rdx, rcx, r8, r9: the named arguments and perhaps some of the others.
    general: [u64; 6],
    vector: [u128; 8],
    /// The arguments behind the named ones.
    pub rest: VaList,
    /// rax, for the stubs that only watch.
    _vectors: u64,
    fp: usize,
    pc: usize,
}

const _: () =
    assert!(core::mem::offset_of!(Call, rest) == 176 && core::mem::offset_of!(Call, fp) == 208);

impl Call {
    /// The named argument at `index`, an integer.
    pub fn integer(&self, index: usize) -> u64 {
        self.general[index]
    }
    /// The named argument at `index`, a pointer.
    pub fn pointer<T>(&self, index: usize) -> *mut T {
        self.general[index] as *mut T
    }
    pub fn caller(&self) -> Caller {
        Caller::new(self.pc, self.fp)
    }
    /// The arguments behind the named ones, for a function that takes a `va_list`.
    pub fn list(&mut self) -> *mut c_void {
        (&raw mut self.rest).cast()
    }
}

/// `fn name(named arguments, ...) -> result = body`, where `body` is a `unsafe extern "C" fn(&mut Call) -> result`.
#[macro_export]
macro_rules! variadic_interceptors {
    ($(fn $name:ident ($($type:ty),*) -> $ret:ty = $body:path;)*) => {
        $(
            core::arch::global_asm!(
                ".text",
                ".p2align 4",
                concat!(".globl __goldilocks_interceptor_", stringify!($name)),
                concat!(".type __goldilocks_interceptor_", stringify!($name), ", @function"),
                concat!("__goldilocks_interceptor_", stringify!($name), ":"),
                ".cfi_startproc",
                "push rbp",
                ".cfi_def_cfa_offset 16",
                ".cfi_offset rbp, -16",
                "mov rbp, rsp",
                ".cfi_def_cfa_register rbp",
                "sub rsp, 208",
                "mov [rsp], rdi",
                "mov [rsp + 8], rsi",
                "mov [rsp + 16], rdx",
                "mov [rsp + 24], rcx",
                "mov [rsp + 32], r8",
                "mov [rsp + 40], r9",
                "test al, al",
                "je 2f",
                "movaps [rsp + 48], xmm0",
                "movaps [rsp + 64], xmm1",
                "movaps [rsp + 80], xmm2",
                "movaps [rsp + 96], xmm3",
                "movaps [rsp + 112], xmm4",
                "movaps [rsp + 128], xmm5",
                "movaps [rsp + 144], xmm6",
                "movaps [rsp + 160], xmm7",
                "2:",
                "mov dword ptr [rsp + 176], {named}",
                "mov dword ptr [rsp + 180], 48",
                "lea rax, [rbp + 16]",
                "mov [rsp + 184], rax",
                "mov [rsp + 192], rsp",
                "mov rdi, rsp",
                "call {body}",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_endproc",
                concat!(".size __goldilocks_interceptor_", stringify!($name), ", . - __goldilocks_interceptor_", stringify!($name)),
                named = const 8 * <[&str]>::len(&[$(stringify!($type)),*]),
                body = sym $body,
            );
            $crate::intercepted!($name($($type),*) -> $ret);
        )*
    };
}

/// Interceptors that look at a call's arguments and then let it go on as if they had not been there: for functions whose
/// arguments cannot be passed on by Rust (variadic ones without a sibling that takes a list, `long double`).
///
/// `fn name(named arguments, ...) = body`, where `body` is a `unsafe extern "C" fn(&mut Call, &Slot)`; or of the call alone, where the
/// name is one that nobody gives to another function.
#[macro_export]
macro_rules! watching_interceptors {
    ($(fn $name:ident ($($type:ty),*) = $body:path;)*) => {
        $(
            core::arch::global_asm!(
                ".text",
                ".p2align 4",
                concat!(".globl __goldilocks_interceptor_", stringify!($name)),
                concat!(".type __goldilocks_interceptor_", stringify!($name), ", @function"),
                concat!("__goldilocks_interceptor_", stringify!($name), ":"),
                ".cfi_startproc",
                "push rbp",
                ".cfi_def_cfa_offset 16",
                ".cfi_offset rbp, -16",
                "mov rbp, rsp",
                ".cfi_def_cfa_register rbp",
                "sub rsp, 208",
                "mov [rsp], rdi",
                "mov [rsp + 8], rsi",
                "mov [rsp + 16], rdx",
                "mov [rsp + 24], rcx",
                "mov [rsp + 32], r8",
                "mov [rsp + 40], r9",
                // All of them: what is not variadic does not say in al how many there are.
                "movaps [rsp + 48], xmm0",
                "movaps [rsp + 64], xmm1",
                "movaps [rsp + 80], xmm2",
                "movaps [rsp + 96], xmm3",
                "movaps [rsp + 112], xmm4",
                "movaps [rsp + 128], xmm5",
                "movaps [rsp + 144], xmm6",
                "movaps [rsp + 160], xmm7",
                "mov [rsp + 200], rax",
                "mov dword ptr [rsp + 176], {named}",
                "mov dword ptr [rsp + 180], 48",
                "lea rax, [rbp + 16]",
                "mov [rsp + 184], rax",
                "mov [rsp + 192], rsp",
                "mov rdi, rsp",
                concat!("lea rsi, [rip + __goldilocks_slot_", stringify!($name), "]"),
                "call {body}",
                concat!("cmp qword ptr [rip + __goldilocks_slot_", stringify!($name), "], 0"),
                "jne 2f",
                concat!("lea rdi, [rip + __goldilocks_slot_", stringify!($name), "]"),
                "call {resolve}",
                "2:",
                "mov rdi, [rsp]",
                "mov rsi, [rsp + 8]",
                "mov rdx, [rsp + 16]",
                "mov rcx, [rsp + 24]",
                "mov r8, [rsp + 32]",
                "mov r9, [rsp + 40]",
                "movaps xmm0, [rsp + 48]",
                "movaps xmm1, [rsp + 64]",
                "movaps xmm2, [rsp + 80]",
                "movaps xmm3, [rsp + 96]",
                "movaps xmm4, [rsp + 112]",
                "movaps xmm5, [rsp + 128]",
                "movaps xmm6, [rsp + 144]",
                "movaps xmm7, [rsp + 160]",
                "mov rax, [rsp + 200]",
                "leave",
                ".cfi_def_cfa rsp, 8",
                concat!("jmp qword ptr [rip + __goldilocks_slot_", stringify!($name), "]"),
                ".cfi_endproc",
                concat!(".size __goldilocks_interceptor_", stringify!($name), ", . - __goldilocks_interceptor_", stringify!($name)),
                named = const 8 * <[&str]>::len(&[$(stringify!($type)),*]),
                body = sym $body,
                resolve = sym $crate::interceptors::real::resolve_slot,
            );
            $crate::intercepted!($name($($type),*));
        )*
    };
}
