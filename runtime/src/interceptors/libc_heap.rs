//! libc's allocator by its internal names, which need no interceptor's slot: the dynamic linker allocates before anything else of the runtime works.
//!
//! Allocators that are loaded to take libc's place (jemalloc, tcmalloc, mimalloc) have these names as well, so that the dynamic linker would bind some of
//! them to one heap and the rest to another, before either is ready. So they are looked up in libc itself.

use core::ffi::c_void;
use core::sync::atomic::{AtomicPtr, Ordering};

use super::libc_symbols::Symbols;

unsafe extern "C" {
    /// Whatever the dynamic linker finds first: where libc is not an object of its own.
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_memalign(alignment: usize, size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident: $symbol:literal or $default:expr, fn($($argument:ident: $type:ty),*) $(-> $ret:ty)?;)*) => {
        /// Where they are; null until they have been looked for. Relaxed: each thread that does not see the address finds the same.
        struct Found {
            $($name: AtomicPtr<c_void>,)*
        }
        static FOUND: Found = Found {
            $($name: AtomicPtr::new(core::ptr::null_mut()),)*
        };

        #[cold]
        fn look() {
            let libc = Symbols::of_libc();
            $(
                let default: *const c_void = $default;
                let found = libc.as_ref().and_then(|libc| libc.find($symbol));
                FOUND.$name.store(found.unwrap_or(default).cast_mut(), Ordering::Relaxed);
            )*
        }

        $($(#[$doc])*
        ///
        /// # Safety
        /// As for the function of that name without `libc`.
        #[inline(always)]
        pub unsafe fn $name($($argument: $type),*) $(-> $ret)? {
            if FOUND.$name.load(Ordering::Relaxed).is_null() {
                look();
            }
            let found = FOUND.$name.load(Ordering::Relaxed);
            // SAFETY: the function of that name; the rest is the caller's contract.
            unsafe {
                let function: unsafe extern "C" fn($($type),*) $(-> $ret)? = core::mem::transmute(found);
                function($($argument),*)
            }
        })*
    };
}

functions! {
    malloc: c"__libc_malloc" or __libc_malloc as *const c_void, fn(size: usize) -> *mut c_void;
    calloc: c"__libc_calloc" or __libc_calloc as *const c_void, fn(count: usize, size: usize) -> *mut c_void;
    realloc: c"__libc_realloc" or __libc_realloc as *const c_void, fn(block: *mut c_void, size: usize) -> *mut c_void;
    memalign: c"__libc_memalign" or __libc_memalign as *const c_void, fn(alignment: usize, size: usize) -> *mut c_void;
    free: c"__libc_free" or __libc_free as *const c_void, fn(block: *mut c_void);
    /// Bytes that libc's block can hold; 0 where libc is not an object of its own.
    usable_size: c"malloc_usable_size" or no_size as *const c_void, fn(block: *mut c_void) -> usize;
}

extern "C" fn no_size(_block: *mut c_void) -> usize {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_libcs() {
        // SAFETY: a block of libc's, used as such.
        unsafe {
            let block = malloc(100);
            assert!(usable_size(block) >= 100);
            assert_eq!(
                FOUND.malloc.load(Ordering::Relaxed).cast_const(),
                __libc_malloc as *const c_void
            );
            let block = realloc(block, 1000);
            free(block);
            let aligned = memalign(256, 10);
            assert_eq!(aligned as usize % 256, 0);
            free(aligned);
            let zeroed = calloc(3, 5).cast::<u8>();
            assert!((0..15).all(|at| *zeroed.add(at) == 0));
            free(zeroed.cast());
        }
    }
}
