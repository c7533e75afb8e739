//! The mark that we leave in a destroyed object of a kind in which glibc leaves none.
//!
//! It lies in bytes that a new object at the same place has other values in, whether it is made by an initializer function or
//! by a static initializer, and that glibc does not look at in a destroyed object.

use core::sync::atomic::{AtomicU64, Ordering};

const MARK: u64 = 0xdead_10cc_6f1d_2e97;

/// The eight bytes of an object that are for the mark.
///
/// # Safety
/// `address` is that of an object with a word at `offset`, which is a multiple of 8, as the object is aligned to.
unsafe fn word(address: u64, offset: u64) -> &'static AtomicU64 {
    // SAFETY: passed on to the caller.
    unsafe { &*((address + offset) as *const AtomicU64) }
}

/// After the destruction.
///
/// # Safety
/// As of [`word`]; the memory is still the object's.
pub unsafe fn set(address: u64, offset: u64) {
    if address.is_multiple_of(8) {
        // SAFETY: passed on. Relaxed: whoever uses the object now without order to this races anyway.
        unsafe { word(address, offset).store(MARK, Ordering::Relaxed) };
    }
}

/// Whether the object was destroyed.
///
/// # Safety
/// As of [`word`].
#[inline(always)]
pub unsafe fn is_set(address: u64, offset: u64) -> bool {
    // SAFETY: passed on. Relaxed: as above.
    address.is_multiple_of(8) && unsafe { word(address, offset).load(Ordering::Relaxed) } == MARK
}

/// Before the next real use, which then meets what a destruction without us would have left there, or zero.
///
/// # Safety
/// As of [`word`]; the object has the mark.
pub unsafe fn clear(address: u64, offset: u64) {
    // SAFETY: passed on.
    unsafe { word(address, offset).store(0, Ordering::Relaxed) };
}
