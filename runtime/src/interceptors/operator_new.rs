//! C++'s operator new and delete, in all their variants.
//!
//! libstdc++'s own call malloc, but from code without frame pointers: the allocation's stack would miss the program's
//! frame. So these allocate themselves, in a few instructions of assembly. Where that fails they jump to the
//! operator they replace, with the arguments they got; it knows the new-handler and throws, and the exception meets no
//! frame of ours.
//!
//! A program that replaces an operator replaces these definitions, too (the build makes them weak). The variants that it
//! does not replace then have to use its own, as C++ says; that is done by the library's variants, which these pass such
//! calls on to. The same goes for a program with an allocator of its own.

#![allow(non_snake_case)] // names of the C++ ABI

use core::ffi::{c_char, c_void};
use core::sync::atomic::{AtomicPtr, Ordering};

use super::malloc;
use crate::caller::Caller;
use crate::{caller, heap, intercepted, interceptors, real};

/// The frame that an assembly stub makes: the caller's frame pointer, then the return address.
#[repr(C)]
struct Frame {
    fp: usize,
    pc: usize,
}

/// Whether the program's definition of an operator is the one in use, and not ours.
macro_rules! replaced {
    ($name:ident) => {{
        let (used, ours): (usize, usize);
        // SAFETY: reads two addresses: the one that the linker has chosen, and our own.
        unsafe {
            core::arch::asm!(
                concat!("mov {}, [rip + __goldilocks_interceptor_", stringify!($name), "@GOTPCREL]"),
                concat!("lea {}, [rip + __goldilocks_own_", stringify!($name), "]"),
                out(reg) used,
                out(reg) ours,
                options(nostack, pure, readonly, preserves_flags)
            );
        }
        used != ours
    }};
}

/// Allocates for the operators. Null means: ask the operator that we replace.
///
/// # Safety
/// `frame` is the stub's.
#[inline(always)]
unsafe fn allocate(size: usize, alignment: usize, frame: *const Frame) -> *mut c_void {
    if !malloc::in_charge() || !alignment.is_power_of_two() {
        return core::ptr::null_mut();
    }
    // SAFETY: the stub passes the address of the frame that it has just made.
    let caller = unsafe { Caller::new((*frame).pc, (*frame).fp) };
    // No object has a null address, so one byte at least; libstdc++ does the same.
    malloc::allocate_aligned(caller, "operator new", alignment, size.max(1))
}

unsafe extern "C" fn allocate_plain(size: usize, frame: *const Frame) -> *mut c_void {
    if replaced!(_Znwm) {
        return core::ptr::null_mut();
    }
    // SAFETY: passed on from the stub.
    unsafe { allocate(size, 16, frame) }
}

unsafe extern "C" fn allocate_aligned(
    size: usize,
    frame: *const Frame,
    alignment: usize,
) -> *mut c_void {
    if replaced!(_ZnwmSt11align_val_t) {
        return core::ptr::null_mut();
    }
    // SAFETY: as above.
    unsafe { allocate(size, alignment, frame) }
}

/// The end of a throwing operator where no C++ library is there to throw.
unsafe extern "C" fn nothing_to_throw() -> ! {
    let _ = crate::sys::write(
        2,
        b"Goldilocks: operator new failed, and there is no C++ library to throw bad_alloc\n",
    );
    std::process::abort()
}

// A C++ library that was linked statically left its operators out in favour of ours, but the rest of it is there: the
// new-handler, and how to throw. Arguments as for operator new; r11 is the operator, to try again.
core::arch::global_asm!(
    ".text",
    ".weak _ZSt15get_new_handlerv",
    ".weak _ZSt17__throw_bad_allocv",
    "goldilocks_new_without_library:",
    ".cfi_startproc",
    "push rbp",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbp, -16",
    "mov rbp, rsp",
    ".cfi_def_cfa_register rbp",
    "push rdi",
    "push rsi",
    "push r11",
    "sub rsp, 8",
    "mov rax, [rip + _ZSt15get_new_handlerv@GOTPCREL]",
    "test rax, rax",
    "jz 2f",
    "call rax",
    "test rax, rax",
    "jz 2f",
    "call rax", // it may throw
    "mov r11, [rbp - 24]",
    "mov rsi, [rbp - 16]",
    "mov rdi, [rbp - 8]",
    ".cfi_remember_state",
    "leave",
    ".cfi_def_cfa rsp, 8",
    ".cfi_restore rbp",
    "jmp r11",
    ".cfi_restore_state",
    "2:",
    "mov rax, [rip + _ZSt17__throw_bad_allocv@GOTPCREL]",
    "test rax, rax",
    "jz 3f",
    "call rax",
    "3:",
    "call {nothing_to_throw}",
    "ud2",
    ".cfi_endproc",
    nothing_to_throw = sym nothing_to_throw,
);

/// A stub for one operator. The arguments are kept for the operator behind it; `$failed` is what to do when there is none
/// behind it.
macro_rules! operator_new {
    ($name:ident, ($($type:ty),*), $allocate:ident, $failed:literal) => {
        core::arch::global_asm!(
            ".text",
            ".p2align 4",
            concat!(".globl __goldilocks_interceptor_", stringify!($name)),
            concat!(".type __goldilocks_interceptor_", stringify!($name), ", @function"),
            concat!(".globl __goldilocks_own_", stringify!($name)),
            concat!(".hidden __goldilocks_own_", stringify!($name)),
            concat!("__goldilocks_own_", stringify!($name), ":"),
            concat!("__goldilocks_interceptor_", stringify!($name), ":"),
            ".cfi_startproc",
            "push rbp",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset rbp, -16",
            "mov rbp, rsp",
            ".cfi_def_cfa_register rbp",
            "push rdi",
            "push rsi",
            "push rdx",
            "push rax",
            // (size, frame, alignment)
            "mov rdx, rsi",
            "mov rsi, rbp",
            "call {allocate}",
            "mov rdx, [rbp - 24]",
            "mov rsi, [rbp - 16]",
            "mov rdi, [rbp - 8]",
            "leave",
            ".cfi_def_cfa rsp, 8",
            ".cfi_restore rbp",
            "test rax, rax",
            "jz 2f",
            "ret",
            "2:",
            "mov rax, [rip + {slot}]",
            "test rax, rax",
            "jz 3f",
            "jmp rax",
            "3:",
            $failed,
            concat!("lea r11, [rip + __goldilocks_interceptor_", stringify!($name), "]"),
            "jmp goldilocks_new_without_library",
            ".cfi_endproc",
            concat!(".size __goldilocks_interceptor_", stringify!($name), ", . - __goldilocks_interceptor_", stringify!($name)),
            allocate = sym $allocate,
            slot = sym $name::SLOT,
        );
        intercepted!($name($($type),*) -> *mut c_void);
    };
}

/// `std::nothrow_t const&`.
type NoThrow = *const c_char;

operator_new!(_Znwm, (usize), allocate_plain, "");
operator_new!(_Znam, (usize), allocate_plain, "");
operator_new!(_ZnwmRKSt9nothrow_t, (usize, NoThrow), allocate_plain, "ret");
operator_new!(_ZnamRKSt9nothrow_t, (usize, NoThrow), allocate_plain, "ret");
operator_new!(_ZnwmSt11align_val_t, (usize, usize), allocate_aligned, "");
operator_new!(_ZnamSt11align_val_t, (usize, usize), allocate_aligned, "");
operator_new!(
    _ZnwmSt11align_val_tRKSt9nothrow_t,
    (usize, usize, NoThrow),
    allocate_aligned,
    "ret"
);
operator_new!(
    _ZnamSt11align_val_tRKSt9nothrow_t,
    (usize, usize, NoThrow),
    allocate_aligned,
    "ret"
);

/// What every operator delete does; `behind` is the slot of the simplest one.
///
/// # Safety
/// As for operator delete.
#[inline(always)]
unsafe fn delete(caller: Caller, block: *mut c_void, behind: &AtomicPtr<c_void>) {
    // Relaxed: as for all slots, see `real`.
    let behind = behind.load(Ordering::Relaxed);
    // SAFETY: a block of ours goes back to us; any other goes to the operator that we replace, which takes (block).
    unsafe {
        if block.is_null() || heap::is_ours(block) || behind.is_null() || malloc::in_charge() {
            malloc::release(caller, "operator delete", block);
        } else {
            core::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void)>(behind)(block);
        }
    }
}

/// The simplest two, which the others come down to. A stub jumps to the function, so that it is known where our own
/// definition is.
macro_rules! simplest_delete {
    ($name:ident ($($arg:ident: $type:ty),*) = $body:ident) => {
        core::arch::global_asm!(
            ".text",
            concat!(".globl __goldilocks_interceptor_", stringify!($name)),
            concat!(".type __goldilocks_interceptor_", stringify!($name), ", @function"),
            concat!(".globl __goldilocks_own_", stringify!($name)),
            concat!(".hidden __goldilocks_own_", stringify!($name)),
            concat!("__goldilocks_own_", stringify!($name), ":"),
            concat!("__goldilocks_interceptor_", stringify!($name), ":"),
            "jmp {body}",
            concat!(".size __goldilocks_interceptor_", stringify!($name), ", . - __goldilocks_interceptor_", stringify!($name)),
            body = sym $body,
        );
        unsafe extern "C" fn $body(block: *mut c_void $(, $arg: $type)*) {
            let caller = caller!();
            // SAFETY: the program's call.
            unsafe { delete(caller, block, &$name::SLOT) }
        }
        intercepted!($name(*mut c_void $(, $type)*));
    };
}

simplest_delete!(_ZdlPv() = delete_plain);
simplest_delete!(_ZdlPvSt11align_val_t(_alignment: usize) = delete_aligned);

/// The other variants differ in what they tell about the block, which its header knows. If the program has replaced the
/// simplest one, the library's variant calls that.
macro_rules! operators_delete {
    ($($name:ident ($($arg:ident: $type:ty),*) by $simplest:ident;)*) => {
        interceptors! {
            $(fn $name(block: *mut c_void $(, $arg: $type)*) {
                let caller = caller!();
                let pass_on = replaced!($simplest) && !$name::SLOT.load(Ordering::Relaxed).is_null();
                // SAFETY: the program's call.
                unsafe {
                    if pass_on { real!($name)(block $(, $arg)*) } else { delete(caller, block, &_ZdlPv::SLOT) }
                }
            })*
        }
    };
}

operators_delete! {
    _ZdaPv() by _ZdlPv;
    _ZdlPvm(size: usize) by _ZdlPv;
    _ZdaPvm(size: usize) by _ZdlPv;
    _ZdlPvRKSt9nothrow_t(tag: NoThrow) by _ZdlPv;
    _ZdaPvRKSt9nothrow_t(tag: NoThrow) by _ZdlPv;
    _ZdaPvSt11align_val_t(alignment: usize) by _ZdlPvSt11align_val_t;
    _ZdlPvmSt11align_val_t(size: usize, alignment: usize) by _ZdlPvSt11align_val_t;
    _ZdaPvmSt11align_val_t(size: usize, alignment: usize) by _ZdlPvSt11align_val_t;
    _ZdlPvSt11align_val_tRKSt9nothrow_t(alignment: usize, tag: NoThrow) by _ZdlPvSt11align_val_t;
    _ZdaPvSt11align_val_tRKSt9nothrow_t(alignment: usize, tag: NoThrow) by _ZdlPvSt11align_val_t;
}
