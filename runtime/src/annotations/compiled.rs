//! What code calls that was compiled with `-fsanitize=thread` (by clang or GCC), or that calls the same functions by hand: its
//! accesses and atomics are checked as those of our own pass.
//!
//! These objects hold no reference to our ABI. An atomic operation is made in the function that is called for it.

use crate::atomic_words::perform;
use crate::caller;
use crate::caller::Caller;
use crate::interceptors::libatomic::{fence, operation, updated};
use crate::pipeline::enter;
use crate::sites::Shape;
use crate::words::Word;
use core::ffi::{c_char, c_int, c_void};
use goldilocks_core::abi::AtomicKind;
use goldilocks_core::event::Access;

#[inline]
fn access(caller: Caller, addr: *const c_void, bytes: u64, access: Access) {
    if let Some(mut scope) = enter(caller) {
        let addr = addr as u64;
        scope.access((addr, bytes), access, Shape::of(addr, bytes));
    }
}

macro_rules! accesses {
    ($($bytes:literal: $read:ident $write:ident $both:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $read(addr: *const c_void) {
                let caller = caller!();
                access(caller, addr, $bytes, Access::Read);
            }
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $write(addr: *const c_void) {
                let caller = caller!();
                access(caller, addr, $bytes, Access::Write);
            }
            /// A read and a write: the write is checked against all that the read would be.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $both(addr: *const c_void) {
                let caller = caller!();
                access(caller, addr, $bytes, Access::Write);
            }
        )*
    };
}

// Volatile is plain: it orders nothing between threads.
accesses! {
    1: __tsan_read1 __tsan_write1 __tsan_read_write1;
    2: __tsan_read2 __tsan_write2 __tsan_read_write2;
    4: __tsan_read4 __tsan_write4 __tsan_read_write4;
    8: __tsan_read8 __tsan_write8 __tsan_read_write8;
    16: __tsan_read16 __tsan_write16 __tsan_read_write16;
    2: __tsan_unaligned_read2 __tsan_unaligned_write2 __tsan_unaligned_read_write2;
    4: __tsan_unaligned_read4 __tsan_unaligned_write4 __tsan_unaligned_read_write4;
    8: __tsan_unaligned_read8 __tsan_unaligned_write8 __tsan_unaligned_read_write8;
    16: __tsan_unaligned_read16 __tsan_unaligned_write16 __tsan_unaligned_read_write16;
    1: __tsan_volatile_read1 __tsan_volatile_write1 __tsan_volatile_read_write1;
    2: __tsan_volatile_read2 __tsan_volatile_write2 __tsan_volatile_read_write2;
    4: __tsan_volatile_read4 __tsan_volatile_write4 __tsan_volatile_read_write4;
    8: __tsan_volatile_read8 __tsan_volatile_write8 __tsan_volatile_read_write8;
    16: __tsan_volatile_read16 __tsan_volatile_write16 __tsan_volatile_read_write16;
    2: __tsan_unaligned_volatile_read2 __tsan_unaligned_volatile_write2 __tsan_unaligned_volatile_read_write2;
    4: __tsan_unaligned_volatile_read4 __tsan_unaligned_volatile_write4 __tsan_unaligned_volatile_read_write4;
    8: __tsan_unaligned_volatile_read8 __tsan_unaligned_volatile_write8 __tsan_unaligned_volatile_read_write8;
    16: __tsan_unaligned_volatile_read16 __tsan_unaligned_volatile_write16 __tsan_unaligned_volatile_read_write16;
}

/// Of somebody who knows better where the access was made than by who calls: the position becomes the innermost frame.
fn at(caller: Caller, pc: *const c_void) -> Caller {
    Caller {
        pc: if pc.is_null() { caller.pc } else { pc.addr() },
        ..caller
    }
}

macro_rules! positioned {
    ($($bytes:literal: $read:ident $write:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $read(addr: *const c_void, pc: *const c_void) {
                let caller = caller!();
                access(at(caller, pc), addr, $bytes, Access::Read);
            }
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $write(addr: *const c_void, pc: *const c_void) {
                let caller = caller!();
                access(at(caller, pc), addr, $bytes, Access::Write);
            }
        )*
    };
}

positioned! {
    1: __tsan_read1_pc __tsan_write1_pc;
    2: __tsan_read2_pc __tsan_write2_pc;
    4: __tsan_read4_pc __tsan_write4_pc;
    8: __tsan_read8_pc __tsan_write8_pc;
    16: __tsan_read16_pc __tsan_write16_pc;
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_read_range(addr: *const c_void, bytes: usize) {
    let caller = caller!();
    access(caller, addr, bytes as u64, Access::Read);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_write_range(addr: *const c_void, bytes: usize) {
    let caller = caller!();
    access(caller, addr, bytes as u64, Access::Write);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_read_range_pc(
    addr: *const c_void,
    bytes: usize,
    pc: *const c_void,
) {
    let caller = caller!();
    access(at(caller, pc), addr, bytes as u64, Access::Read);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_write_range_pc(
    addr: *const c_void,
    bytes: usize,
    pc: *const c_void,
) {
    let caller = caller!();
    access(at(caller, pc), addr, bytes as u64, Access::Write);
}

/// The pointer to an object's virtual table is about to be set; to what it is already, then that is a read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_vptr_update(place: *mut *mut c_void, table: *mut c_void) {
    let caller = caller!();
    // SAFETY: the program is about to write it.
    let same = unsafe { place.read_volatile() } == table;
    let kind = if same { Access::Read } else { Access::Write };
    virtual_table(caller, place, kind);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_vptr_read(place: *mut *mut c_void) {
    let caller = caller!();
    virtual_table(caller, place, Access::Read);
}

fn virtual_table(caller: Caller, place: *mut *mut c_void, access: Access) {
    if let Some(mut scope) = enter(caller) {
        let addr = place as u64;
        scope.access((addr, 8), access, Shape::of_virtual_table(addr));
    }
}

/// Stacks come from frame pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_func_entry(_pc: *mut c_void) {}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_func_exit() {}
/// The runtime starts before all constructors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_init() {}
/// Memory for what is remembered is not a cache that could be flushed: nothing is ever dropped that could still race.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_flush_memory() {}

macro_rules! unaligned {
    ($($type:ty: $load:ident $store:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $load(at: *const $type) -> $type {
                let caller = caller!();
                access(caller, at.cast(), size_of::<$type>() as u64, Access::Read);
                // SAFETY: the program's access.
                unsafe { at.read_unaligned() }
            }
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $store(at: *mut $type, value: $type) {
                let caller = caller!();
                access(caller, at.cast(), size_of::<$type>() as u64, Access::Write);
                // SAFETY: the program's access.
                unsafe { at.write_unaligned(value) }
            }
        )*
    };
}

unaligned! {
    u16: __sanitizer_unaligned_load16 __sanitizer_unaligned_store16;
    u32: __sanitizer_unaligned_load32 __sanitizer_unaligned_store32;
    u64: __sanitizer_unaligned_load64 __sanitizer_unaligned_store64;
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_memcpy(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
) -> *mut c_void {
    let caller = caller!();
    access(caller, from, bytes as u64, Access::Read);
    access(caller, to, bytes as u64, Access::Write);
    // SAFETY: the program's call. Instrumented structures are copied onto themselves, too.
    unsafe { core::ptr::copy(from.cast::<u8>(), to.cast::<u8>(), bytes) };
    to
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_memmove(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
) -> *mut c_void {
    let caller = caller!();
    access(caller, from, bytes as u64, Access::Read);
    access(caller, to, bytes as u64, Access::Write);
    // SAFETY: the program's call.
    unsafe { core::ptr::copy(from.cast::<u8>(), to.cast::<u8>(), bytes) };
    to
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_memset(to: *mut c_void, byte: c_int, bytes: usize) -> *mut c_void {
    let caller = caller!();
    access(caller, to, bytes as u64, Access::Write);
    // SAFETY: the program's call.
    unsafe { core::ptr::write_bytes(to.cast::<u8>(), byte as u8, bytes) };
    to
}

macro_rules! atomics {
    ($($word:ty: $load:ident $store:ident $exchange:ident $strong:ident $weak:ident $value:ident
        $(($fetch:ident |$old:ident, $operand:ident| $new:expr))*;)*) => {
        $(
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $load(at: *const $word, order: c_int) -> $word {
                let caller = caller!();
                let operation = operation(AtomicKind::Load, order, 0);
                perform(caller, at.cast(), size_of::<$word>() as u64, operation, || {
                    // SAFETY: the program's operation, on an aligned word.
                    (unsafe { <$word>::load(at.cast_mut()) }, true)
                })
            }
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $store(at: *mut $word, value: $word, order: c_int) {
                let caller = caller!();
                let operation = operation(AtomicKind::Store, order, 0);
                perform(caller, at.cast(), size_of::<$word>() as u64, operation, || {
                    // SAFETY: as above.
                    unsafe { <$word>::store(at, value) };
                    ((), true)
                })
            }
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $exchange(at: *mut $word, value: $word, order: c_int) -> $word {
                let caller = caller!();
                updated(caller, at, order, |_| value)
            }
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $strong(
                at: *mut $word, expected: *mut $word, desired: $word, order: c_int, failure: c_int,
            ) -> c_int {
                let caller = caller!();
                // SAFETY: the program's operation, `expected` is its own.
                c_int::from(unsafe { compared(caller, at, expected, desired, order, failure) })
            }
            /// Never fails without a reason, which it might.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $weak(
                at: *mut $word, expected: *mut $word, desired: $word, order: c_int, failure: c_int,
            ) -> c_int {
                let caller = caller!();
                // SAFETY: as above.
                c_int::from(unsafe { compared(caller, at, expected, desired, order, failure) })
            }
            /// The value that was there.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $value(
                at: *mut $word, mut expected: $word, desired: $word, order: c_int, failure: c_int,
            ) -> $word {
                let caller = caller!();
                // SAFETY: as above; a local.
                unsafe { compared(caller, at, &raw mut expected, desired, order, failure) };
                expected
            }
            $(
                #[unsafe(no_mangle)]
                pub unsafe extern "C" fn $fetch(at: *mut $word, $operand: $word, order: c_int) -> $word {
                    let caller = caller!();
                    updated(caller, at, order, |$old| $new)
                }
            )*
        )*
    };
}

/// # Safety
/// `at` is an aligned word of the program's, `expected` one that nobody else uses.
unsafe fn compared<W: Word>(
    caller: Caller,
    at: *mut W,
    expected: *mut W,
    desired: W,
    order: c_int,
    failure: c_int,
) -> bool {
    let operation = operation(AtomicKind::CompareExchange, order, failure);
    // SAFETY: passed on to the caller.
    let wanted = unsafe { expected.read() };
    let found = perform(caller, at.cast(), size_of::<W>() as u64, operation, || {
        // SAFETY: passed on to the caller.
        let found = unsafe { W::compare_exchange(at, wanted, desired) };
        (found, found == wanted)
    });
    // SAFETY: passed on to the caller.
    unsafe { expected.write(found) };
    found == wanted
}

atomics! {
    u8: __tsan_atomic8_load __tsan_atomic8_store __tsan_atomic8_exchange __tsan_atomic8_compare_exchange_strong
        __tsan_atomic8_compare_exchange_weak __tsan_atomic8_compare_exchange_val
        (__tsan_atomic8_fetch_add |old, value| old.wrapping_add(value))
        (__tsan_atomic8_fetch_sub |old, value| old.wrapping_sub(value))
        (__tsan_atomic8_fetch_and |old, value| old & value)
        (__tsan_atomic8_fetch_or |old, value| old | value)
        (__tsan_atomic8_fetch_xor |old, value| old ^ value)
        (__tsan_atomic8_fetch_nand |old, value| !(old & value));
    u16: __tsan_atomic16_load __tsan_atomic16_store __tsan_atomic16_exchange __tsan_atomic16_compare_exchange_strong
        __tsan_atomic16_compare_exchange_weak __tsan_atomic16_compare_exchange_val
        (__tsan_atomic16_fetch_add |old, value| old.wrapping_add(value))
        (__tsan_atomic16_fetch_sub |old, value| old.wrapping_sub(value))
        (__tsan_atomic16_fetch_and |old, value| old & value)
        (__tsan_atomic16_fetch_or |old, value| old | value)
        (__tsan_atomic16_fetch_xor |old, value| old ^ value)
        (__tsan_atomic16_fetch_nand |old, value| !(old & value));
    u32: __tsan_atomic32_load __tsan_atomic32_store __tsan_atomic32_exchange __tsan_atomic32_compare_exchange_strong
        __tsan_atomic32_compare_exchange_weak __tsan_atomic32_compare_exchange_val
        (__tsan_atomic32_fetch_add |old, value| old.wrapping_add(value))
        (__tsan_atomic32_fetch_sub |old, value| old.wrapping_sub(value))
        (__tsan_atomic32_fetch_and |old, value| old & value)
        (__tsan_atomic32_fetch_or |old, value| old | value)
        (__tsan_atomic32_fetch_xor |old, value| old ^ value)
        (__tsan_atomic32_fetch_nand |old, value| !(old & value));
    u64: __tsan_atomic64_load __tsan_atomic64_store __tsan_atomic64_exchange __tsan_atomic64_compare_exchange_strong
        __tsan_atomic64_compare_exchange_weak __tsan_atomic64_compare_exchange_val
        (__tsan_atomic64_fetch_add |old, value| old.wrapping_add(value))
        (__tsan_atomic64_fetch_sub |old, value| old.wrapping_sub(value))
        (__tsan_atomic64_fetch_and |old, value| old & value)
        (__tsan_atomic64_fetch_or |old, value| old | value)
        (__tsan_atomic64_fetch_xor |old, value| old ^ value)
        (__tsan_atomic64_fetch_nand |old, value| !(old & value));
    u128: __tsan_atomic128_load __tsan_atomic128_store __tsan_atomic128_exchange __tsan_atomic128_compare_exchange_strong
        __tsan_atomic128_compare_exchange_weak __tsan_atomic128_compare_exchange_val
        (__tsan_atomic128_fetch_add |old, value| old.wrapping_add(value))
        (__tsan_atomic128_fetch_sub |old, value| old.wrapping_sub(value))
        (__tsan_atomic128_fetch_and |old, value| old & value)
        (__tsan_atomic128_fetch_or |old, value| old | value)
        (__tsan_atomic128_fetch_xor |old, value| old ^ value)
        (__tsan_atomic128_fetch_nand |old, value| !(old & value));
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_atomic_thread_fence(order: c_int) {
    let caller = caller!();
    fence(caller, order)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_atomic_signal_fence(_order: c_int) {}

// Objects of libraries that are not instrumented, whose calls are told as reads or writes of an object as a whole. The tag
// says what kind of object it is; one is as good as another here, but for being none.

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_external_register_tag(object_type: *const c_char) -> *mut c_void {
    object_type.cast_mut().cast()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_external_register_header(
    _tag: *mut c_void,
    _header: *const c_char,
) {
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_external_assign_tag(_object: *mut c_void, _tag: *mut c_void) {}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_external_read(
    object: *mut c_void,
    pc: *mut c_void,
    _tag: *mut c_void,
) {
    let caller = caller!();
    access(at(caller, pc), object, 1, Access::Read);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_external_write(
    object: *mut c_void,
    pc: *mut c_void,
    _tag: *mut c_void,
) {
    let caller = caller!();
    access(at(caller, pc), object, 1, Access::Write);
}
