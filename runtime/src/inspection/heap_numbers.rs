//! How much memory the heap has: libc's numbers, since its allocator stays.

use core::ffi::c_void;

fn numbers() -> libc::mallinfo2 {
    // SAFETY: no arguments.
    unsafe { libc::mallinfo2() }
}

/// Bytes in blocks, with what libc and the runtime add to each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_get_current_allocated_bytes() -> usize {
    let numbers = numbers();
    numbers.uordblks + numbers.hblkhd
}

/// Bytes that the heap has from the system.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_get_heap_size() -> usize {
    let numbers = numbers();
    numbers.arena + numbers.hblkhd
}

/// Bytes of it that are in no block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_get_free_bytes() -> usize {
    numbers().fordblks
}

/// Free memory is given back by libc as it likes, which is not counted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_get_unmapped_bytes() -> usize {
    0
}

/// Bytes that a block for `size` would have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_get_estimated_allocated_size(size: usize) -> usize {
    size
}

/// Gives free memory back to the system.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_purge_allocator() {
    // SAFETY: what is free is nobody's.
    unsafe { libc::malloc_trim(0) };
}

type MallocHook = Option<extern "C" fn(*const c_void, usize)>;
type FreeHook = Option<extern "C" fn(*const c_void)>;

/// Blocks are allocated by libc without asking: no hooks can be had, which the result 0 says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_install_malloc_and_free_hooks(
    _malloc: MallocHook,
    _free: FreeHook,
) -> i32 {
    0
}
