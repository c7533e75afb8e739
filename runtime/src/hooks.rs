//! The hooks that compiled code calls by the C convention (`abi::HOOKS`), but for the copying ones (`interceptors::memory`).
//!
//! An ABI function does: enter, event, leave.

use crate::atomic_words::{self, lock_stripe, took_effect, unlock_stripe};
use crate::caller;
use crate::caller::Caller;
use crate::interceptors::own_range;
use crate::pipeline::{Scope, enter};
use crate::quick;
use crate::sites::Shape;
use crate::state::{multi_threaded, runtime};
use crate::strided;
use core::ffi::c_void;
use goldilocks_core::abi::{AtomicOp, Order};
use goldilocks_core::atomics;
use goldilocks_core::event::{Access, Entity};
use goldilocks_core::strided::Rows;

/// `abi::ABI_SYMBOL`.
#[unsafe(no_mangle)]
pub static __goldilocks_abi_4: u8 = 1;

/// What the stub of the same name with underscores has not made (`stubs/range.s`), of any size; `few` is what the lane of few bytes has given, or that there
/// was none to try.
///
/// # Safety
/// Called by compiled code, by way of the stub.
#[unsafe(no_mangle)]
unsafe extern "C" fn goldilocks_read_range(addr: *const c_void, bytes: u64, few: u32) {
    let caller = caller!().compiled();
    range(caller, (addr as u64, bytes), Access::Read, few);
}

/// As [`goldilocks_read_range`], of writes.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
unsafe extern "C" fn goldilocks_write_range(addr: *const c_void, bytes: u64, few: u32) {
    let caller = caller!().compiled();
    range(caller, (addr as u64, bytes), Access::Write, few);
}

#[inline(always)]
fn range(caller: Caller, (addr, bytes): (u64, u64), access: Access, few: u32) {
    let (whole, shape) = ((addr, bytes), Shape::of(addr, bytes));
    let write = access.is_write();
    // Where the lane has met somebody else, what seems to be made is to be made again.
    let known = match few {
        quick::NOT_TRIED => own_range::known(addr as *const c_void, bytes as usize, write) as u64,
        _ => 0,
    };
    let done = known >= bytes
        || match few {
            quick::NOT_TRIED => quick::by_hook(caller, whole, write, shape),
            quick::TAKES_LONG_WAY => false,
            _ => quick::by_words(caller, whole, write, shape),
        };
    if !done && let Some(mut scope) = enter(caller) {
        scope.access((addr + known, bytes - known), access, shape);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_read_rows(
    addr: *const c_void,
    count: u64,
    stride: i64,
    bytes: u64,
) {
    let caller = caller!().compiled();
    rows(caller, (addr as u64, count), (stride, bytes), false);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_write_rows(
    addr: *const c_void,
    count: u64,
    stride: i64,
    bytes: u64,
) {
    let caller = caller!().compiled();
    rows(caller, (addr as u64, count), (stride, bytes), true);
}

/// As many rows, at most, are made one by one.
const FEW_ROWS: u64 = 8;

#[inline(always)]
fn rows(caller: Caller, (start, count): (u64, u64), (stride, bytes): (i64, u64), write: bool) {
    let rows = Rows {
        start,
        count,
        stride,
        bytes,
    };
    let mut known = own_range::known_rows(&rows, write);
    if bytes == 0 {
        return;
    }
    // What begins with each line and is done with it costs more than a few rows.
    if count <= FEW_ROWS {
        let shape = strided::shape_of(&rows);
        let is_made = |row| quick::by_hook(caller, (row, bytes), write, shape);
        while known < count && is_made(rows.row(known)) {
            known += 1;
        }
    }
    if known < count
        && let Some(mut scope) = enter(caller)
    {
        scope.access_rows(&rows.from(known), write);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_prefetch(addr: *const c_void) {
    if multi_threaded() {
        runtime().shadow.prefetch(addr as u64);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_vptr_write(object: *const c_void, vtable: *const c_void) {
    let caller = caller!().compiled();
    // Before entering, so that a bad address faults where the program's handlers work.
    // SAFETY: the program is about to store there. Another thread may store meanwhile, which is then what is reported.
    let present = unsafe { object.cast::<*const c_void>().read_unaligned() };
    let access = if !vtable.is_null() && core::hint::black_box(present) == vtable {
        Access::Read
    } else {
        Access::Write
    };
    let (addr, write) = (object as u64, access.is_write());
    let shape = Shape::of_virtual_table(addr);
    if own_range::known(object, 8, write) < 8
        && !quick::by_hook(caller, (addr, 8), write, shape)
        && let Some(mut scope) = enter(caller)
    {
        scope.access((addr, 8), access, shape);
    }
}

/// Entered immediately before an atomic instruction that is none of those below.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_atomic_begin(addr: *const c_void, _operation: u32) {
    let caller = caller!().compiled();
    if !multi_threaded() {
        return;
    }
    // If the address faults, let it fault here, outside of the runtime.
    // SAFETY: the program is about to access it.
    unsafe { addr.cast::<u8>().read_volatile() };
    let Some(mut scope) = enter(caller) else {
        return;
    };
    scope.thread().stripe = lock_stripe(addr as u64, true);
    // Until `__goldilocks_atomic_end` the thread stays inside.
    core::mem::forget(scope);
}

/// Entered immediately after it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_atomic_end(
    addr: *const c_void,
    operation: u32,
    success: u32,
) {
    let caller = caller!().compiled();
    let Some(mut scope) = Scope::resume(caller) else {
        return;
    };
    let stripe = core::mem::replace(&mut scope.thread().stripe, usize::MAX);
    if stripe == usize::MAX {
        // The matching begin did not enter; neither did this.
        core::mem::forget(scope);
        return;
    }
    let operation = AtomicOp::unpack(operation);
    let range = (addr as u64, operation.size as u64);
    let changed = took_effect(&mut scope, stripe, range, operation, success != 0);
    unlock_stripe(stripe, changed);
    scope.after_stripe();
}

macro_rules! loads {
    ($($name:ident: $word:ty),*) => {
        $(
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(addr: *mut c_void, operation: u32) -> u64 {
                let caller = caller!().compiled();
                // SAFETY: the program's load, of an aligned word.
                unsafe { atomic_words::load(addr.cast::<$word>(), operation, caller) }.into()
            }
        )*
    };
}
loads! {
    __goldilocks_atomic_load1: u8,
    __goldilocks_atomic_load2: u16,
    __goldilocks_atomic_load4: u32,
    __goldilocks_atomic_load8: u64
}

macro_rules! stores {
    ($($name:ident: $word:ty),*) => {
        $(
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(addr: *mut c_void, value: u64, operation: u32) {
                let caller = caller!().compiled();
                // SAFETY: the program's store, to an aligned word.
                unsafe { atomic_words::store(addr.cast::<$word>(), value as $word, operation, caller) }
            }
        )*
    };
}
stores! {
    __goldilocks_atomic_store1: u8,
    __goldilocks_atomic_store2: u16,
    __goldilocks_atomic_store4: u32,
    __goldilocks_atomic_store8: u64
}

macro_rules! updates {
    ($($name:ident: $word:ty),*) => {
        $(
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(addr: *mut c_void, operand: u64, operation: u32) -> u64 {
                let caller = caller!().compiled();
                // SAFETY: the program's operation, on an aligned word.
                unsafe { atomic_words::update(addr.cast::<$word>(), operand as $word, operation, caller) }.into()
            }
        )*
    };
}
updates! {
    __goldilocks_atomic_update1: u8,
    __goldilocks_atomic_update2: u16,
    __goldilocks_atomic_update4: u32,
    __goldilocks_atomic_update8: u64
}

macro_rules! compare_exchanges {
    ($($name:ident: $word:ty),*) => {
        $(
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(addr: *mut c_void, expected: u64, desired: u64, operation: u32) -> u64 {
                let caller = caller!().compiled();
                let values = (expected as $word, desired as $word);
                // SAFETY: the program's operation, on an aligned word.
                unsafe { atomic_words::compare_exchange(addr.cast::<$word>(), values, operation, caller) }.into()
            }
        )*
    };
}
compare_exchanges! {
    __goldilocks_atomic_compare_exchange1: u8,
    __goldilocks_atomic_compare_exchange2: u16,
    __goldilocks_atomic_compare_exchange4: u32,
    __goldilocks_atomic_compare_exchange8: u64
}

/// Entered before a fence instruction; `order` by C11's numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_fence(order: u32) {
    let caller = caller!().compiled();
    let Some(effect) = atomics::fence_effect(Order::from_c11(order)) else {
        return;
    };
    if let Some(mut scope) = enter(caller) {
        scope.sync(effect, Entity::NONE);
    }
}
