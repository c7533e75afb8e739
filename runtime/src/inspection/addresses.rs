//! Whose memory an address is, and who has allocated it.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::null_mut;

use super::{put, put_text, put_trace};
use crate::state::{is_up, runtime};
use crate::{heap, report};

/// The kind of memory: `global`, `heap`, `stack`, `tls`, or nothing; the start and size of the variable, block or stack, where they are
/// known, and the name of the variable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_locate_address(
    addr: usize,
    name: *mut c_char,
    room: usize,
    start: *mut usize,
    size: *mut usize,
) -> *const c_char {
    let answer = |kind: &'static CStr, text: &str, at: usize, bytes: usize| {
        // SAFETY: what the interface asks of its callers: places that may be written.
        unsafe {
            put_text(text.as_bytes(), name, room);
            put(start, at);
            put(size, bytes);
        }
        kind.as_ptr()
    };
    if !is_up() {
        return answer(c"", "", 0, 0);
    }
    let variable = report::with_symbolizer(|symbolizer| symbolizer.data(addr));
    if let Some(data) = variable
        && data.module.is_some()
    {
        let variable = data.variable.unwrap_or_default();
        return answer(
            c"global",
            &variable.name,
            variable.start as usize,
            variable.size as usize,
        );
    }
    if let Some(block) = heap::block_at(addr) {
        return answer(c"heap", "", block.start, block.size);
    }
    let threads = &runtime().threads;
    if threads.thread_local_owner(addr).is_some() {
        return answer(c"tls", "", 0, 0);
    }
    if let Some(owner) = threads.stack_owner(addr)
        && let Some(thread) = threads.describe(owner)
    {
        let bounds = thread.bounds;
        return answer(c"stack", "", bounds.low, bounds.high - bounds.low);
    }
    answer(c"", "", 0, 0)
}

/// The stack that allocated the block around `addr`, and the thread; the result is the number of frames, 0 if there is no such block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_get_alloc_stack(
    addr: usize,
    trace: *mut usize,
    room: usize,
    thread: *mut c_int,
    os_thread: *mut u32,
) -> c_int {
    if !is_up() {
        return 0;
    }
    let Some(block) = heap::block_at(addr) else {
        return 0;
    };
    let site = runtime().sites.lookup(block.stack, 0);
    let pcs = site.map(|site| site.pcs).unwrap_or_default();
    let known = runtime().threads.describe(block.thread);
    // SAFETY: what the interface asks of its callers: places that may be written.
    unsafe {
        put_trace(&pcs, trace, room);
        put(thread, block.thread as c_int);
        put(
            os_thread,
            known.map_or(0, |description| description.os_tid as u32),
        );
    }
    pcs.len().min(room) as c_int
}

/// The start of the block around `addr`; null if it is in none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_get_allocated_begin(addr: *const c_void) -> *const c_void {
    heap::block_at(addr as usize).map_or(null_mut(), |block| block.start as *mut c_void)
}

/// The size that was asked for, of the block that starts at `block`; 0 if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_get_allocated_size(block: *const c_void) -> usize {
    if !heap::is_ours(block) {
        return 0;
    }
    // SAFETY: ours, and the program has it.
    unsafe { heap::size_of_block(block) }
}

/// As [`__sanitizer_get_allocated_size`], of what is certain to be a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_get_allocated_size_fast(block: *const c_void) -> usize {
    // SAFETY: as above.
    unsafe { __sanitizer_get_allocated_size(block) }
}

/// Whether a block starts there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_get_ownership(block: *const c_void) -> c_int {
    heap::is_ours(block).into()
}
