//! malloc and its family.
//!
//! Memory comes from libc's allocator (`libc_heap`), so that allocation works before the runtime is up (the dynamic linker allocates first). Blocks made then
//! get their header all the same.
//!
//! A program that defines an allocator of its own replaces these definitions (the build makes them weak). Then nothing
//! here is called, and its blocks are tracked as the mappings that they are cut from.

use core::ffi::{c_int, c_void};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::async_safety;
use crate::caller::Caller;
use crate::heap;
use crate::interceptors::{libc_heap, own_range, real};
use crate::pipeline::{Scope, enter, enter_unsafe};
use crate::sys;
use crate::{caller, interceptors};

/// What malloc guarantees on x86-64.
const MALLOC_ALIGNMENT: usize = 16;
const PAGE: usize = 4096;

fn set_errno(error: c_int) {
    // SAFETY: the location of this thread's errno.
    unsafe { *libc::__errno_location() = error };
}

#[cold]
fn out_of_memory() -> *mut c_void {
    set_errno(libc::ENOMEM);
    null_mut()
}

/// A block of `size` bytes with malloc's alignment; null, with errno, on failure.
#[inline(always)]
pub(super) fn allocate(
    caller: Caller,
    name: &'static str,
    size: usize,
    zeroed: bool,
) -> *mut c_void {
    if size > heap::MAX_SIZE {
        return out_of_memory();
    }
    let header = if heap::tracked() { heap::HEADER } else { 0 };
    // SAFETY: the sum does not overflow.
    let real = unsafe {
        if zeroed {
            libc_heap::calloc(1, size + header)
        } else {
            libc_heap::malloc(size + header)
        }
    };
    // SAFETY: the block was made for header and size.
    unsafe { announce(caller, name, real, header, size, zeroed) }
}

/// A block of `size` bytes aligned to `alignment`, a power of two.
pub(super) fn allocate_aligned(
    caller: Caller,
    name: &'static str,
    alignment: usize,
    size: usize,
) -> *mut c_void {
    if alignment <= MALLOC_ALIGNMENT {
        return allocate(caller, name, size, false);
    }
    if size > heap::MAX_SIZE || alignment > heap::MAX_SIZE - size {
        return out_of_memory();
    }
    // The header goes to the end of one alignment's worth of bytes in front.
    let front = if heap::tracked() { alignment } else { 0 };
    // SAFETY: the sum does not overflow; the block has room for both.
    unsafe {
        announce(
            caller,
            name,
            libc_heap::memalign(alignment, front + size),
            front,
            size,
            false,
        )
    }
}

/// Makes a new block of libc's one of ours and tells the engine. Null stays null. That it was `zeroed` is a write.
///
/// # Safety
/// `real` is null or a new block with room for `front + size` bytes; `front` is 0 if blocks have no headers.
#[inline(always)]
unsafe fn announce(
    caller: Caller,
    name: &'static str,
    real: *mut c_void,
    front: usize,
    size: usize,
    zeroed: bool,
) -> *mut c_void {
    if real.is_null() {
        return real;
    }
    let mut user = real;
    if front != 0 {
        // SAFETY: the caller's contract.
        user = unsafe { heap::adopt(real, front, size) };
    }
    if let Some(mut scope) = enter_unsafe(caller, name) {
        // SAFETY: the program does not have the block yet.
        unsafe { announce_in(&mut scope, caller, user, front != 0, size) };
        // SAFETY: a block of libc's.
        if zeroed && !unsafe { comes_from_the_kernel(real) } && !is_systems_own(&scope) {
            scope.write(user, size);
        }
    }
    user
}

/// Whether the block is a mapping of its own. Nobody has written its zeros, and who has the address of a mapping that is still
/// being made has it from the kernel; much of what is allocated so is never touched.
///
/// # Safety
/// `real` is a block of libc's.
#[inline(always)]
unsafe fn comes_from_the_kernel(real: *mut c_void) -> bool {
    const IS_MMAPPED: usize = 2;
    // SAFETY: the caller's contract: its size, with three flags, is in front of it.
    unsafe { real.cast::<usize>().sub(1).read() & IS_MMAPPED != 0 }
}

/// Whether libc or the dynamic linker has called: what they put into their blocks is theirs to order.
fn is_systems_own(scope: &Scope) -> bool {
    is_libcs_own(scope) || linker::is_at(scope.caller().pc)
}

/// # Safety
/// The program does not have the block yet; it has a header if `headed`.
#[inline(always)]
unsafe fn announce_in(
    scope: &mut Scope,
    caller: Caller,
    user: *mut c_void,
    headed: bool,
    size: usize,
) {
    if headed && !linker::is_at(caller.pc) {
        let (thread, stack) = (scope.thread_number(), scope.stack());
        // SAFETY: the caller's contract.
        unsafe { heap::attribute(user, thread, stack) };
    }
    scope.fresh(user, size + padding(size));
}

/// Bytes between the end of a block of `size` bytes and the end of its last word, which are no other block's.
#[inline(always)]
fn padding(size: usize) -> usize {
    size.wrapping_neg() & 7
}

/// The engine learns that a block goes.
#[inline(always)]
fn announce_end(scope: &mut Scope, user: *mut c_void, block: &heap::Disowned) {
    if block.attributed {
        scope.freed_with(user, block.size, padding(block.size));
    } else {
        // The dynamic linker's blocks hold thread-local variables. libc frees them when it reuses the stack of an ended
        // thread, in whatever thread, ordered by means of its own.
        scope.fresh(user, block.size + padding(block.size));
    }
}

/// Gives a block back.
///
/// # Safety
/// As for `free`.
#[inline(always)]
pub(super) unsafe fn release(caller: Caller, name: &'static str, user: *mut c_void) {
    if user.is_null() {
        return;
    }
    // SAFETY: the program freed the block. To the engine first: after the real free it may be another thread's.
    unsafe {
        match heap::disown(user) {
            Some(block) => {
                if let Some(mut scope) = enter_unsafe(caller, name) {
                    announce_end(&mut scope, user, &block);
                }
                heap::bury(user, &block);
                libc_heap::free(block.real);
            }
            None => release_foreign(caller, user),
        }
    }
}

/// Ends the program as libc does when it notices.
#[cold]
fn freed_twice(user: *mut c_void) -> ! {
    let message =
        format!("Goldilocks: free(): the block at {user:p} is freed for the second time\n");
    let _ = sys::write(2, message.as_bytes());
    // SAFETY: ends the process by SIGABRT, which the program may handle.
    unsafe { libc::abort() }
}

/// A block without header: made before us or by other means, or freed already. A second free conflicts with the first
/// one like a write; what libc then does with it is libc's.
///
/// # Safety
/// As for `free`.
#[cold]
unsafe fn release_foreign(caller: Caller, user: *mut c_void) {
    if let Some(mut scope) = enter(caller) {
        if heap::tracked() {
            // A use since the first free has taken the mark from the words that it touched. No other block begins sooner than
            // four words from here, with its header before.
            let mut words = (0..4).map(|word| user.wrapping_byte_add(8 * word));
            let Some(marked) = words.find(|&word| scope.was_freed(word)) else {
                scope.write(user, 1);
                drop(scope);
                // SAFETY: what the program would have done without us.
                return unsafe { libc_heap::free(user) };
            };
            scope.freed_again(user, marked);
            // libc's free expects a header of its own in front of the address, where by now anything may be.
            drop(scope);
            freed_twice(user);
        } else {
            // SAFETY: the program says that it is a block of libc's.
            scope.freed(user, unsafe { libc_heap::usable_size(user) });
        }
    }
    // SAFETY: what the program would have done without us.
    unsafe { libc_heap::free(user) };
}

/// What `realloc` does with a block of ours.
///
/// # Safety
/// As for `realloc`, with neither `old` null nor `size` 0.
unsafe fn reallocate(
    caller: Caller,
    name: &'static str,
    old: *mut c_void,
    size: usize,
) -> *mut c_void {
    async_safety::calls(caller, name);
    if size > heap::MAX_SIZE {
        return out_of_memory();
    }
    // SAFETY: the program owns the block, and foreign ones are libc's.
    unsafe {
        if !heap::is_ours(old) {
            let new = libc_heap::realloc(old, size);
            if !new.is_null()
                && let Some(mut scope) = enter(caller)
            {
                scope.fresh(new, size);
            }
            return new;
        }
        let (real, front) = heap::real_block(old);
        let old_size = heap::size_of_block(old);
        if size <= old_size {
            if let Some(mut scope) = enter(caller) {
                kept(&mut scope, old, size);
                if size < old_size {
                    let rest = old.byte_add(size);
                    scope.freed_with(rest, old_size - size, padding(old_size));
                    // The rest of the last word belongs to the block from now on, and has no past.
                    scope.fresh(rest, padding(size));
                }
            }
            heap::resize(old, size);
            // libc always shrinks in place, and a block of ours cannot follow if it should not.
            let shrunk = libc_heap::realloc(real, front + size);
            if shrunk != real && !shrunk.is_null() {
                crate::sys::write(2, b"Goldilocks: libc moved a block that shrinks\n").ok();
                std::process::abort();
            }
            return old;
        }
        if front + size <= libc_heap::usable_size(real) {
            heap::resize(old, size);
            if let Some(mut scope) = enter(caller) {
                kept(&mut scope, old, old_size);
                scope.fresh(old.byte_add(old_size), size - old_size + padding(size));
            }
            return old;
        }
        grow_elsewhere(caller, old, old_size, size)
    }
}

/// Whether libc itself has called. What it writes for its caller (a line, a string that was scanned) is told when it returns, as
/// the caller's.
fn is_libcs_own(scope: &Scope) -> bool {
    real::in_libc(scope.caller().pc)
}

/// What stays where it is counts as copied to a new block: the old one is no more, whoever else uses it must be ordered. Most
/// of it is often the thread's own, from the call before.
///
/// # Safety
/// `block` has `bytes` bytes.
unsafe fn kept(scope: &mut Scope, block: *mut c_void, bytes: usize) {
    if is_libcs_own(scope) {
        return;
    }
    scope.replaced(block, bytes);
    let known = own_range::known(block, bytes, true);
    // SAFETY: `known` is at most `bytes`.
    scope.write(unsafe { block.byte_add(known) }, bytes - known);
}

/// Grows a block by a new one: libc's realloc would free the old block before the engine could know of it. Room for more
/// is left, since libc often grows in place what a program extends step by step.
///
/// # Safety
/// `old` is a live block of ours with `old_size` bytes, fewer than `size`.
unsafe fn grow_elsewhere(
    caller: Caller,
    old: *mut c_void,
    old_size: usize,
    size: usize,
) -> *mut c_void {
    let room = if size >= 1024 { size / 8 } else { 0 };
    // SAFETY: the sums do not overflow, as `size` is at most `MAX_SIZE`, far below the end of the address space.
    unsafe {
        let mut real = libc_heap::malloc(heap::HEADER + size + room);
        if real.is_null() {
            real = libc_heap::malloc(heap::HEADER + size);
        }
        if real.is_null() {
            return real;
        }
        let Some(block) = heap::disown(old) else {
            // Another thread has freed the block since we looked. libc will say what it thinks of it.
            libc_heap::free(real);
            return libc_heap::realloc(old, size);
        };
        let new = heap::adopt(real, heap::HEADER, size);
        if let Some(mut scope) = enter(caller) {
            announce_in(&mut scope, caller, new, true, size);
            scope.read(old, old_size);
            if !is_libcs_own(&scope) {
                scope.write(new, old_size);
            }
            announce_end(&mut scope, old, &block);
        }
        new.cast::<u8>()
            .copy_from_nonoverlapping(old.cast(), old_size);
        heap::bury(old, &block);
        libc_heap::free(block.real);
        new
    }
}

interceptors! {
    fn malloc(size: usize) -> *mut c_void {
        allocate(caller!(), "malloc", size, false)
    }

    fn calloc(count: usize, size: usize) -> *mut c_void {
        let caller = caller!();
        match count.checked_mul(size) {
            Some(bytes) => allocate(caller, "calloc", bytes, true),
            None => out_of_memory(),
        }
    }

    fn realloc(old: *mut c_void, size: usize) -> *mut c_void {
        let caller = caller!();
        if old.is_null() {
            return allocate(caller, "realloc", size, false);
        }
        // SAFETY: the program's call.
        unsafe {
            if size == 0 {
                release(caller, "realloc", old);
                return null_mut();
            }
            reallocate(caller, "realloc", old, size)
        }
    }

    fn reallocarray(old: *mut c_void, count: usize, size: usize) -> *mut c_void {
        let caller = caller!();
        let Some(bytes) = count.checked_mul(size) else { return out_of_memory() };
        if old.is_null() {
            return allocate(caller, "reallocarray", bytes, false);
        }
        // SAFETY: the program's call.
        unsafe {
            if bytes == 0 {
                release(caller, "reallocarray", old);
                return null_mut();
            }
            reallocate(caller, "reallocarray", old, bytes)
        }
    }

    fn free(block: *mut c_void) {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { release(caller, "free", block) }
    }

    fn free_sized(block: *mut c_void, _size: usize) {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { release(caller, "free_sized", block) }
    }

    fn free_aligned_sized(block: *mut c_void, _alignment: usize, _size: usize) {
        let caller = caller!();
        // SAFETY: the program's call.
        unsafe { release(caller, "free_aligned_sized", block) }
    }

    fn memalign(alignment: usize, size: usize) -> *mut c_void {
        let caller = caller!();
        // libc takes the next power of two, and refuses what has none.
        match alignment.checked_next_power_of_two() {
            Some(alignment) => allocate_aligned(caller, "memalign", alignment, size),
            None => {
                set_errno(libc::EINVAL);
                null_mut()
            }
        }
    }

    fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
        let caller = caller!();
        if !alignment.is_power_of_two() {
            set_errno(libc::EINVAL);
            return null_mut();
        }
        allocate_aligned(caller, "aligned_alloc", alignment, size)
    }

    fn posix_memalign(result: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
        let caller = caller!();
        if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<*mut c_void>()) {
            return libc::EINVAL;
        }
        let block = allocate_aligned(caller, "posix_memalign", alignment, size);
        if block.is_null() {
            return libc::ENOMEM;
        }
        if let Some(mut scope) = enter(caller) {
            scope.write(result.cast(), size_of::<*mut c_void>());
        }
        // SAFETY: the program gives a place for the result.
        unsafe { *result = block };
        0
    }

    fn valloc(size: usize) -> *mut c_void {
        allocate_aligned(caller!(), "valloc", PAGE, size)
    }

    fn pvalloc(size: usize) -> *mut c_void {
        let caller = caller!();
        match size.checked_next_multiple_of(PAGE) {
            Some(size) => allocate_aligned(caller, "pvalloc", PAGE, size),
            None => out_of_memory(),
        }
    }

    // The requested size: what lies beyond is neither fresh nor the program's.
    fn malloc_usable_size(block: *mut c_void) -> usize {
        // SAFETY: the program says that it is a live block.
        unsafe {
            if heap::is_ours(block) {
                heap::size_of_block(block)
            } else if block.is_null() {
                0
            } else {
                libc_heap::usable_size(block)
            }
        }
    }
}

const UNKNOWN: u8 = 0;
const OURS: u8 = 1;
const THEIRS: u8 = 2;
/// Whose malloc the process uses.
static WHOSE: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether the process' malloc is this one, and not one that the program brings.
#[inline(always)]
pub(super) fn in_charge() -> bool {
    // Relaxed: every thread that finds out comes to the same result.
    match WHOSE.load(Ordering::Relaxed) {
        OURS => true,
        UNKNOWN => find_out(),
        _ => false,
    }
}

#[cold]
fn find_out() -> bool {
    type Malloc = unsafe extern "C" fn(usize) -> *mut c_void;
    type Free = unsafe extern "C" fn(*mut c_void);
    let (malloc, free): (Malloc, Free);
    // Our names by way of the linker, which puts a program's definition in our place if there is one. In assembly, as the
    // compiler knows only one definition and would use it, or another function that is equal.
    // SAFETY: reads two addresses.
    unsafe {
        core::arch::asm!(
            "mov {}, [rip + __goldilocks_interceptor_malloc@GOTPCREL]",
            "mov {}, [rip + __goldilocks_interceptor_free@GOTPCREL]",
            out(reg) malloc,
            out(reg) free,
            options(nostack, pure, readonly, preserves_flags)
        );
    }
    // SAFETY: a block of the process' allocator, which goes back where it came from.
    let ours = unsafe {
        let block = malloc(1);
        let ours = heap::is_ours(block);
        free(block);
        ours
    };
    let ours = ours || !heap::tracked();
    WHOSE.store(if ours { OURS } else { THEIRS }, Ordering::Relaxed);
    ours
}

/// The dynamic linker, by its addresses.
mod linker {
    use core::ffi::{c_int, c_void};
    use core::sync::atomic::{AtomicUsize, Ordering};

    unsafe extern "C" {
        /// A function of the dynamic linker's.
        fn __tls_get_addr(index: *mut c_void) -> *mut c_void;
    }

    /// First address, 0 as long as it is not known, and the one behind the last.
    static START: AtomicUsize = AtomicUsize::new(0);
    static END: AtomicUsize = AtomicUsize::new(0);

    /// Whether the code at `pc` is the dynamic linker's.
    #[inline(always)]
    pub fn is_at(pc: usize) -> bool {
        // Acquire: pairs with `look`.
        let start = START.load(Ordering::Acquire);
        if start == 0 {
            look();
            return is_at_known(pc);
        }
        pc >= start && is_at_known(pc)
    }

    fn is_at_known(pc: usize) -> bool {
        // Relaxed: ordered by the load of START, or this thread's own.
        (START.load(Ordering::Relaxed)..END.load(Ordering::Relaxed)).contains(&pc)
    }

    #[cold]
    fn look() {
        unsafe extern "C" fn compare(
            about: *mut libc::dl_phdr_info,
            _size: usize,
            found: *mut c_void,
        ) -> c_int {
            let inside = __tls_get_addr as *const () as usize;
            // SAFETY: the linker's description is valid during the call; `found` is the pair below.
            unsafe {
                let about = &*about;
                let headers =
                    core::slice::from_raw_parts(about.dlpi_phdr, about.dlpi_phnum as usize);
                let ends = headers
                    .iter()
                    .filter(|header| header.p_type == libc::PT_LOAD);
                let end = ends
                    .map(|header| about.dlpi_addr + header.p_vaddr + header.p_memsz)
                    .max();
                let range = about.dlpi_addr as usize..end.unwrap_or(0) as usize;
                if range.contains(&inside) {
                    *found.cast() = (range.start, range.end);
                    return 1;
                }
            }
            0
        }
        // Found nowhere, then nothing is its.
        let mut found = (1, 1);
        // SAFETY: the callback writes the pair and nothing else.
        unsafe { libc::dl_iterate_phdr(Some(compare), (&raw mut found).cast()) };
        END.store(found.1, Ordering::Relaxed);
        // Release: pairs with `is_at`.
        START.store(found.0, Ordering::Release);
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn the_linker_is_told_from_the_program_and_libc() {
            assert!(super::is_at(super::__tls_get_addr as *const () as usize));
            assert!(!super::is_at(super::look as *const () as usize));
            assert!(!super::is_at(libc::getpid as *const () as usize));
        }
    }
}
