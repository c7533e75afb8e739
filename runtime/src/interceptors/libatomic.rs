//! The functions of libatomic, which compilers call for atomics that the processor has no instruction for (by their size or
//! alignment) or of which they do not know the order, and which programs may call.
//!
//! They are made here, whether or not the program links libatomic: with the order that was asked for, where libatomic's
//! lock would order everything. Sizes that the processor has are changed by its instructions, so that they agree with those
//! that were compiled into the program; all others under the stripe of their address, which serves as libatomic's lock. A
//! library that brings libatomic along statically keeps using its own for atomics of such sizes: nobody can share them with it.

use crate::atomic_words::perform;
use crate::caller;
use crate::caller::Caller;
use crate::pipeline::enter;
use crate::words::{Word, has_wide_loads};
use core::ffi::{c_int, c_void};
use core::ptr::copy_nonoverlapping;
use goldilocks_core::abi::{AtomicKind, AtomicOp, Order};

/// The operation for the hook's eyes. Bits above the order are hints for hardware transactions.
pub fn operation(kind: AtomicKind, order: c_int, failure: c_int) -> AtomicOp {
    AtomicOp {
        kind,
        size: 0,
        order: Order::from_c11(order as u32 & 0xffff),
        failure: Order::from_c11(failure as u32 & 0xffff),
    }
}

/// The program's own memory that an operation takes its operands from, or leaves its result in: a plain access.
fn touches(caller: Caller, at: *const c_void, bytes: usize, write: bool) {
    if let Some(mut scope) = enter(caller) {
        if write {
            scope.write(at, bytes)
        } else {
            scope.read(at, bytes)
        }
    }
}

/// Runs a piece of code with `$word` standing for the word of `$bytes` bytes, or another piece if there is none that the
/// processor changes atomically at this address.
macro_rules! by_size {
    ($bytes:expr, $at:expr, $word:ident => $wordly:expr, $otherwise:expr) => {
        match $bytes {
            bytes if bytes.is_power_of_two() && $at.addr() & (bytes - 1) != 0 => $otherwise,
            1 => {
                type $word = u8;
                $wordly
            }
            2 => {
                type $word = u16;
                $wordly
            }
            4 => {
                type $word = u32;
                $wordly
            }
            8 => {
                type $word = u64;
                $wordly
            }
            16 => {
                type $word = u128;
                $wordly
            }
            _ => $otherwise,
        }
    };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __atomic_load(
    bytes: usize,
    at: *mut c_void,
    to: *mut c_void,
    order: c_int,
) {
    let caller = caller!();
    let operation = operation(AtomicKind::Load, order, 0);
    perform(caller, at, bytes as u64, operation, || {
        // SAFETY: the program gives two places of this size.
        by_size!(bytes, at, W => unsafe { to.cast::<W>().write_unaligned(W::load(at.cast())) },
            // SAFETY: as above.
            unsafe { copy_nonoverlapping(at.cast::<u8>(), to.cast::<u8>(), bytes) });
        ((), true)
    });
    touches(caller, to, bytes, true);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __atomic_store(
    bytes: usize,
    at: *mut c_void,
    from: *mut c_void,
    order: c_int,
) {
    let caller = caller!();
    touches(caller, from, bytes, false);
    let operation = operation(AtomicKind::Store, order, 0);
    perform(caller, at, bytes as u64, operation, || {
        // SAFETY: the program gives two places of this size.
        by_size!(bytes, at, W => unsafe { W::store(at.cast(), from.cast::<W>().read_unaligned()) },
            // SAFETY: as above.
            unsafe { copy_nonoverlapping(from.cast::<u8>(), at.cast::<u8>(), bytes) });
        ((), true)
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __atomic_exchange(
    bytes: usize,
    at: *mut c_void,
    from: *mut c_void,
    to: *mut c_void,
    order: c_int,
) {
    let caller = caller!();
    touches(caller, from, bytes, false);
    let operation = operation(AtomicKind::ReadModifyWrite, order, 0);
    perform(caller, at, bytes as u64, operation, || {
        by_size!(bytes, at, W => {
            // SAFETY: the program gives three places of this size.
            unsafe {
                let value = from.cast::<W>().read_unaligned();
                to.cast::<W>().write_unaligned(W::update(at.cast(), |_| value));
            }
        }, {
            // `from` and `to` may be one place.
            for index in 0..bytes {
                // SAFETY: as above.
                unsafe {
                    let (at, value) = (at.cast::<u8>().add(index), *from.cast::<u8>().add(index));
                    *to.cast::<u8>().add(index) = at.replace(value);
                }
            }
        });
        ((), true)
    });
    touches(caller, to, bytes, true);
}

/// Whether it succeeded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __atomic_compare_exchange(
    bytes: usize,
    at: *mut c_void,
    expected: *mut c_void,
    desired: *mut c_void,
    order: c_int,
    failure: c_int,
) -> bool {
    let caller = caller!();
    touches(caller, expected, bytes, false);
    touches(caller, desired, bytes, false);
    let operation = operation(AtomicKind::CompareExchange, order, failure);
    let success = perform(caller, at, bytes as u64, operation, || {
        let success = by_size!(bytes, at, W => {
            // SAFETY: the program gives three places of this size.
            unsafe {
                let wanted = expected.cast::<W>().read_unaligned();
                let found = W::compare_exchange(at.cast(), wanted, desired.cast::<W>().read_unaligned());
                if found != wanted {
                    expected.cast::<W>().write_unaligned(found);
                }
                found == wanted
            }
        }, {
            // SAFETY: as above.
            unsafe {
                let (at, expected) = (at.cast::<u8>(), expected.cast::<u8>());
                let equal = (0..bytes).all(|index| *at.add(index) == *expected.add(index));
                if equal {
                    copy_nonoverlapping(desired.cast::<u8>(), at, bytes);
                } else {
                    copy_nonoverlapping(at, expected, bytes);
                }
                equal
            }
        });
        (success, success)
    });
    if !success {
        touches(caller, expected, bytes, true);
    }
    success
}

/// Whether an atomic of this size and alignment is changed by instructions: what libatomic answers on this processor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __atomic_is_lock_free(bytes: usize, at: *const c_void) -> bool {
    match bytes {
        1 | 2 | 4 | 8 => at.addr() & (bytes - 1) == 0,
        16 => at.addr() & 15 == 0 && has_wide_loads(),
        _ => false,
    }
}

macro_rules! sized {
    ($($word:ty: $load:ident $store:ident $exchange:ident $compare_exchange:ident $test_and_set:ident)*) => {
        $(
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $load(at: *mut $word, order: c_int) -> $word {
                let caller = caller!();
                let operation = operation(AtomicKind::Load, order, 0);
                // SAFETY: the program's operation, on an aligned word.
                perform(caller, at.cast(), size_of::<$word>() as u64, operation, || (unsafe { <$word>::load(at) }, true))
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
            pub unsafe extern "C" fn $compare_exchange(
                at: *mut $word,
                expected: *mut $word,
                desired: $word,
                order: c_int,
                failure: c_int,
            ) -> bool {
                let caller = caller!();
                touches(caller, expected.cast(), size_of::<$word>(), false);
                let operation = operation(AtomicKind::CompareExchange, order, failure);
                // SAFETY: as above; `expected` is the program's, too.
                let wanted = unsafe { expected.read_unaligned() };
                let found = perform(caller, at.cast(), size_of::<$word>() as u64, operation, || {
                    // SAFETY: as above.
                    let found = unsafe { <$word>::compare_exchange(at, wanted, desired) };
                    (found, found == wanted)
                });
                if found != wanted {
                    touches(caller, expected.cast(), size_of::<$word>(), true);
                    // SAFETY: as above.
                    unsafe { expected.write_unaligned(found) };
                }
                found == wanted
            }
            /// Sets the first byte; whether it was set.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $test_and_set(at: *mut $word, order: c_int) -> bool {
                let caller = caller!();
                updated(caller, at.cast::<u8>(), order, |_| 1) != 0
            }
        )*
    };
}

sized! {
    u8: __atomic_load_1 __atomic_store_1 __atomic_exchange_1 __atomic_compare_exchange_1 __atomic_test_and_set_1
    u16: __atomic_load_2 __atomic_store_2 __atomic_exchange_2 __atomic_compare_exchange_2 __atomic_test_and_set_2
    u32: __atomic_load_4 __atomic_store_4 __atomic_exchange_4 __atomic_compare_exchange_4 __atomic_test_and_set_4
    u64: __atomic_load_8 __atomic_store_8 __atomic_exchange_8 __atomic_compare_exchange_8 __atomic_test_and_set_8
    u128: __atomic_load_16 __atomic_store_16 __atomic_exchange_16 __atomic_compare_exchange_16 __atomic_test_and_set_16
}

/// A read-modify-write of an aligned word of the program's: the old value.
pub fn updated<W: Word>(caller: Caller, at: *mut W, order: c_int, change: impl Fn(W) -> W) -> W {
    let operation = operation(AtomicKind::ReadModifyWrite, order, 0);
    perform(caller, at.cast(), size_of::<W>() as u64, operation, || {
        // SAFETY: the program's operation, on an aligned word.
        (unsafe { W::update(at, change) }, true)
    })
}

macro_rules! fetches {
    ($($word:ty: $(($fetch_first:ident $fetch_last:ident |$old:ident, $value:ident| $new:expr))*;)*) => {
        $($(
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $fetch_first(at: *mut $word, $value: $word, order: c_int) -> $word {
                let caller = caller!();
                updated(caller, at, order, |$old| $new)
            }
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $fetch_last(at: *mut $word, $value: $word, order: c_int) -> $word {
                let caller = caller!();
                let $old = updated(caller, at, order, |$old| $new);
                $new
            }
        )*)*
    };
}

fetches! {
    u8: (__atomic_fetch_add_1 __atomic_add_fetch_1 |old, value| old.wrapping_add(value))
        (__atomic_fetch_sub_1 __atomic_sub_fetch_1 |old, value| old.wrapping_sub(value))
        (__atomic_fetch_and_1 __atomic_and_fetch_1 |old, value| old & value)
        (__atomic_fetch_or_1 __atomic_or_fetch_1 |old, value| old | value)
        (__atomic_fetch_xor_1 __atomic_xor_fetch_1 |old, value| old ^ value)
        (__atomic_fetch_nand_1 __atomic_nand_fetch_1 |old, value| !(old & value));
    u16: (__atomic_fetch_add_2 __atomic_add_fetch_2 |old, value| old.wrapping_add(value))
        (__atomic_fetch_sub_2 __atomic_sub_fetch_2 |old, value| old.wrapping_sub(value))
        (__atomic_fetch_and_2 __atomic_and_fetch_2 |old, value| old & value)
        (__atomic_fetch_or_2 __atomic_or_fetch_2 |old, value| old | value)
        (__atomic_fetch_xor_2 __atomic_xor_fetch_2 |old, value| old ^ value)
        (__atomic_fetch_nand_2 __atomic_nand_fetch_2 |old, value| !(old & value));
    u32: (__atomic_fetch_add_4 __atomic_add_fetch_4 |old, value| old.wrapping_add(value))
        (__atomic_fetch_sub_4 __atomic_sub_fetch_4 |old, value| old.wrapping_sub(value))
        (__atomic_fetch_and_4 __atomic_and_fetch_4 |old, value| old & value)
        (__atomic_fetch_or_4 __atomic_or_fetch_4 |old, value| old | value)
        (__atomic_fetch_xor_4 __atomic_xor_fetch_4 |old, value| old ^ value)
        (__atomic_fetch_nand_4 __atomic_nand_fetch_4 |old, value| !(old & value));
    u64: (__atomic_fetch_add_8 __atomic_add_fetch_8 |old, value| old.wrapping_add(value))
        (__atomic_fetch_sub_8 __atomic_sub_fetch_8 |old, value| old.wrapping_sub(value))
        (__atomic_fetch_and_8 __atomic_and_fetch_8 |old, value| old & value)
        (__atomic_fetch_or_8 __atomic_or_fetch_8 |old, value| old | value)
        (__atomic_fetch_xor_8 __atomic_xor_fetch_8 |old, value| old ^ value)
        (__atomic_fetch_nand_8 __atomic_nand_fetch_8 |old, value| !(old & value));
    u128: (__atomic_fetch_add_16 __atomic_add_fetch_16 |old, value| old.wrapping_add(value))
        (__atomic_fetch_sub_16 __atomic_sub_fetch_16 |old, value| old.wrapping_sub(value))
        (__atomic_fetch_and_16 __atomic_and_fetch_16 |old, value| old & value)
        (__atomic_fetch_or_16 __atomic_or_fetch_16 |old, value| old | value)
        (__atomic_fetch_xor_16 __atomic_xor_fetch_16 |old, value| old ^ value)
        (__atomic_fetch_nand_16 __atomic_nand_fetch_16 |old, value| !(old & value));
}

const SEQ_CST: c_int = Order::SeqCst as c_int;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn atomic_flag_test_and_set(flag: *mut u8) -> bool {
    let caller = caller!();
    updated(caller, flag, SEQ_CST, |_| 1) != 0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn atomic_flag_test_and_set_explicit(flag: *mut u8, order: c_int) -> bool {
    let caller = caller!();
    updated(caller, flag, order, |_| 1) != 0
}

fn cleared(caller: Caller, flag: *mut u8, order: c_int) {
    perform(
        caller,
        flag.cast(),
        1,
        operation(AtomicKind::Store, order, 0),
        || {
            // SAFETY: the program's flag.
            unsafe { u8::store(flag, 0) };
            ((), true)
        },
    )
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn atomic_flag_clear(flag: *mut u8) {
    let caller = caller!();
    cleared(caller, flag, SEQ_CST)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn atomic_flag_clear_explicit(flag: *mut u8, order: c_int) {
    let caller = caller!();
    cleared(caller, flag, order)
}

/// The fence as an event; the instruction as well, unless it is only for the compiler.
pub fn fence(caller: Caller, order: c_int) {
    let order = Order::from_c11(order as u32);
    if let Some(effect) = goldilocks_core::atomics::fence_effect(order) {
        if let Some(mut scope) = enter(caller) {
            scope.sync(effect, goldilocks_core::event::Entity::NONE);
        }
        // Sequentially consistent: at least as strong as what was asked for.
        core::sync::atomic::fence(core::sync::atomic::Ordering::SeqCst);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn atomic_thread_fence(order: c_int) {
    let caller = caller!();
    fence(caller, order)
}

/// Orders a thread and its own signal handlers: that is so as it is called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn atomic_signal_fence(_order: c_int) {}
