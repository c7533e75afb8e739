//! The program's heap blocks: where each begins, how large it is, who allocated it.
//!
//! The program's allocator stays libc's; a block of ours is one of libc's with 16 bytes more in front:
//!
//! ```text
//! real              user - 16                user
//! | (for alignment) | Header: 16 bytes       | requested bytes ...
//! ```
//!
//! A bitmap over the whole lower half of the address space (one bit per 16 bytes, touched only where blocks are) marks the
//! user addresses. It tells our blocks from foreign ones (made before us, or by an allocator that the program
//! brings), decides which of two threads that free the same block was first, and finds the block around an interior address.
//! Where the bitmap cannot be had (a limit on address space), blocks get no header and are libc's own.

use core::arch::asm;
use core::ffi::c_void;
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicUsize, Ordering};

use crate::state::multi_threaded;
use crate::sys;

/// Bytes in front of the user address; keeps libc's alignment of 16.
pub const HEADER: usize = 16;
/// Thread number of a block that is not the program's own: allocated outside the runtime's view, or by the dynamic linker.
pub const NO_THREAD: u32 = u32::MAX;
/// Largest request that fits a header and libc's own limits.
pub const MAX_SIZE: usize = isize::MAX as usize - 4096;

/// A block of the program's heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// First byte of the block, as the program sees it.
    pub start: usize,
    /// Requested size, bytes.
    pub size: usize,
    /// Number of the thread that allocated it; [`NO_THREAD`] if unknown.
    pub thread: u32,
    /// Interned stack of the allocation; 0 if unknown.
    pub stack: u32,
}

/// What stands in front of a block. Written by the allocating thread before the program gets the block, and by `realloc`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Header {
    /// Bits 0-47 requested size, 48-55 log2 of the distance from libc's block to the user address, 56-63 [`MAGIC`].
    word: u64,
    thread: u32,
    stack: u32,
}

const _: () = assert!(size_of::<Header>() == HEADER);

/// Says that nothing has run over the header.
const MAGIC: u64 = 0xa7;
const SIZE_MASK: u64 = (1 << 48) - 1;

impl Header {
    fn new(size: usize, distance: usize) -> Header {
        let word = size as u64 | (distance.trailing_zeros() as u64) << 48 | MAGIC << 56;
        Header {
            word,
            thread: NO_THREAD,
            stack: 0,
        }
    }
    fn size(self) -> usize {
        (self.word & SIZE_MASK) as usize
    }
    fn distance(self) -> usize {
        1 << (self.word >> 48 & 63)
    }
    fn intact(self) -> bool {
        self.word >> 56 == MAGIC
    }
}

/// Length of the bitmap: one bit per 16 bytes of the half of the address space where blocks can be.
const BITMAP: usize = 1 << (ADDRESS_BITS - 4 - 3);
const ADDRESS_BITS: u32 = 46;
const ADDRESS_MASK: usize = (1 << ADDRESS_BITS) - 1;
/// How far back [`block_at`] looks for the beginning of a block, bytes, at most. No farther than the largest block there has been: what is in no
/// block, as a stack is, would be looked for through all of the address space that is empty below.
const REACH: usize = 64 << 30;
/// Blocks above that are counted in [`LARGEST`].
const LARGE: usize = 1 << 20;
static LARGEST: AtomicUsize = AtomicUsize::new(LARGE);

#[inline(always)]
fn note_size(size: usize) {
    if size > LARGE {
        note_large(size);
    }
}

#[cold]
fn note_large(size: usize) {
    // Relaxed: a report needs nothing that comes with it.
    LARGEST.fetch_max(size, Ordering::Relaxed);
}

/// Base of the bitmap; null before the first allocation, [`UNAVAILABLE`] if there is none.
static BASE: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());
const UNAVAILABLE: *mut u8 = core::ptr::dangling_mut();

/// The bitmap, or null if there is none. Everything behind it is zero until written.
#[inline(always)]
fn bitmap() -> *const AtomicU8 {
    // Acquire is not needed: the kernel made the mapping for all threads before the address was stored.
    let base = BASE.load(Ordering::Relaxed);
    if base as usize > UNAVAILABLE as usize {
        base.cast()
    } else {
        bitmap_slow(base)
    }
}

#[cold]
fn bitmap_slow(base: *mut u8) -> *const AtomicU8 {
    if base == UNAVAILABLE {
        return core::ptr::null();
    }
    // By system call, since allocation begins before any interceptor knows its real function.
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping wherever the kernel likes.
    let mapped = unsafe { sys::mmap(0, BITMAP, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    let fresh = mapped.map_or(UNAVAILABLE, |start| start as *mut u8);
    if fresh != UNAVAILABLE {
        // Core dumps do not want it, and one huge page of it would outweigh most heaps. Both are only advice.
        for advice in [libc::MADV_DONTDUMP, libc::MADV_NOHUGEPAGE] {
            // SAFETY: the range was just mapped; the advice keeps its contents.
            let _ = unsafe { sys::madvise(fresh as usize, BITMAP, advice) };
        }
    }
    // Two threads may be here at once; the first one's mapping stays. Relaxed: as in `bitmap`.
    match BASE.compare_exchange(
        core::ptr::null_mut(),
        fresh,
        Ordering::Relaxed,
        Ordering::Relaxed,
    ) {
        Ok(_) if fresh != UNAVAILABLE => crate::shadow::note_own(fresh as usize, BITMAP),
        Ok(_) => {}
        Err(_) if fresh != UNAVAILABLE => {
            // SAFETY: our own mapping, which nobody has seen.
            let _ = unsafe { sys::munmap(fresh as usize, BITMAP) };
        }
        Err(_) => {}
    }
    bitmap()
}

/// Whether blocks get headers.
#[inline(always)]
pub fn tracked() -> bool {
    !bitmap().is_null()
}

/// The byte of the bitmap and the bit in it for a user address.
#[inline(always)]
fn bit(bitmap: *const AtomicU8, user: usize) -> (&'static AtomicU8, u8) {
    let index = (user & ADDRESS_MASK) >> 4;
    // SAFETY: the index is below 8 * BITMAP; the mapping is never given back.
    (unsafe { &*bitmap.add(index >> 3) }, 1 << (index & 7))
}

/// Makes libc's block at `real` one of ours: header and mark for a block of `size` bytes that starts `distance` (a power
/// of two, at least [`HEADER`]) after it. Returns its user address.
///
/// # Safety
/// [`tracked`]; `real` is a live block of libc's with room for `distance + size` bytes, and nobody else's.
#[inline(always)]
pub unsafe fn adopt(real: *mut c_void, distance: usize, size: usize) -> *mut c_void {
    let user = real as usize + distance;
    note_size(size);
    // SAFETY: the 16 bytes before `user` are in the block; it is aligned to 16.
    unsafe { *header_of(user) = Header::new(size, distance) };
    let (byte, mask) = bit(bitmap(), user);
    if multi_threaded() {
        // Release: whoever finds the bit reads a finished header (`block_at`).
        byte.fetch_or(mask, Ordering::Release);
    } else {
        // SAFETY: the byte is there, and only this thread is. One instruction, since a signal handler may allocate, too.
        unsafe {
            asm!("or byte ptr [{}], {}", in(reg) byte.as_ptr(), in(reg_byte) mask, options(nostack))
        };
    }
    user as *mut c_void
}

fn header_of(user: usize) -> *mut Header {
    (user - HEADER) as *mut Header
}

/// Completes the header of a block by who allocated it.
///
/// # Safety
/// `user` came from [`adopt`] and is not yet the program's.
#[inline(always)]
pub unsafe fn attribute(user: *mut c_void, thread: u32, stack: u32) {
    // SAFETY: the caller owns the block.
    unsafe {
        let header = header_of(user as usize);
        (*header).thread = thread;
        (*header).stack = stack;
    }
}

/// Whether `user` is the start of a live block of ours.
#[inline(always)]
pub fn is_ours(user: *const c_void) -> bool {
    let bitmap = bitmap();
    if bitmap.is_null() || user as usize & 15 != 0 {
        return false;
    }
    let (byte, mask) = bit(bitmap, user as usize);
    // Relaxed: the program hands a pointer over by means of its own, and those order this.
    byte.load(Ordering::Relaxed) & mask != 0
}

/// Requested size of a live block of ours.
///
/// # Safety
/// [`is_ours`], and nobody frees it meanwhile.
#[inline(always)]
pub unsafe fn size_of_block(user: *const c_void) -> usize {
    // SAFETY: the block has a header, which only its owner changes.
    unsafe { (*header_of(user as usize)).size() }
}

/// Changes the requested size of a block that stays where it is.
///
/// # Safety
/// As [`size_of_block`], and the block has room for `size` bytes.
pub unsafe fn resize(user: *mut c_void, size: usize) {
    note_size(size);
    // SAFETY: as above.
    unsafe {
        let header = header_of(user as usize);
        (*header).word = (*header).word & !SIZE_MASK | size as u64;
    }
}

/// libc's block behind a block of ours, and the distance between them.
///
/// # Safety
/// As [`size_of_block`].
pub unsafe fn real_block(user: *mut c_void) -> (*mut c_void, usize) {
    // SAFETY: as above.
    let distance = unsafe { (*header_of(user as usize)).distance() };
    ((user as usize - distance) as *mut c_void, distance)
}

/// A block that the program has given back.
pub struct Disowned {
    pub real: *mut c_void,
    pub size: usize,
    /// Whether it was [`attribute`]d: the program's own.
    pub attributed: bool,
    /// By whom and where, as in its header.
    origin: u64,
}

/// Takes the mark from the block that starts at `user`. `None` if it has none: a foreign block, or one that was freed
/// already (of two threads that free one block, exactly one gets it).
///
/// # Safety
/// `user` is what the program passed to `free`.
#[inline(always)]
pub unsafe fn disown(user: *mut c_void) -> Option<Disowned> {
    if !is_ours(user) {
        return None;
    }
    let (byte, mask) = bit(bitmap(), user as usize);
    if !multi_threaded() {
        // SAFETY: as in `adopt`.
        unsafe {
            asm!("and byte ptr [{}], {}", in(reg) byte.as_ptr(), in(reg_byte) !mask, options(nostack))
        };
    } else if byte.fetch_and(!mask, Ordering::Acquire) & mask == 0 {
        // Acquire, above: this thread now owns the header. It must be before libc can give the block to another thread.
        return None;
    }
    // SAFETY: the block was marked, so it has a header, and by taking the mark it became ours alone.
    let header = unsafe { *header_of(user as usize) };
    if !header.intact() {
        overwritten(user);
    }
    Some(Disowned {
        real: (user as usize - header.distance()) as *mut c_void,
        size: header.size(),
        attributed: header.thread != NO_THREAD,
        origin: u64::from(header.thread) | u64::from(header.stack) << 32,
    })
}

/// What a block that was given back has in its first bytes, for reports: libc's free writes over its header, but not over these
/// as long as it keeps the block for the next one of its size. Both words are zero or something else as soon as anybody writes there.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Epitaph {
    /// Bits 0-47 requested size, 48-63 a hash of everything and of the block's address.
    word: u64,
    origin: u64,
}

impl Epitaph {
    fn new(user: usize, size: usize, origin: u64) -> Epitaph {
        let parts = [user as u64, size as u64, origin];
        let hash = parts.iter().fold(0x6f1d_u64, |hash, part| {
            (hash.rotate_left(23) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        Epitaph {
            word: size as u64 | hash & !SIZE_MASK,
            origin,
        }
    }
}

/// Leaves word of the block at `user`, which is about to be libc's.
///
/// # Safety
/// `block` is what [`disown`] has said of it, and nobody uses it any more.
#[inline(always)]
pub unsafe fn bury(user: *mut c_void, block: &Disowned) {
    if block.attributed && block.size >= size_of::<Epitaph>() {
        // SAFETY: the block has room for it and is aligned to 16.
        unsafe {
            user.cast::<Epitaph>()
                .write(Epitaph::new(user as usize, block.size, block.origin))
        };
    }
}

/// How far behind the beginning of a block that was given back [`buried_around`] finds it, bytes.
const BURIED_REACH: usize = 4096;

/// The block around `addr` that was given back, as far as there still is word of it. For reports.
pub fn buried_around(addr: usize) -> Option<Block> {
    let mut start = addr & !15;
    let lowest = start.saturating_sub(BURIED_REACH);
    while start > lowest && !is_ours(start as *const c_void) {
        let mut epitaph = Epitaph::default();
        let to = (&raw mut epitaph).cast();
        if read_memory(start, to, size_of::<Epitaph>()) != Some(true) {
            return None;
        }
        let size = (epitaph.word & SIZE_MASK) as usize;
        if epitaph.word == Epitaph::new(start, size, epitaph.origin).word && addr < start + size {
            return Some(Block {
                start,
                size,
                thread: epitaph.origin as u32,
                stack: (epitaph.origin >> 32) as u32,
            });
        }
        start -= 16;
    }
    None
}

#[cold]
fn overwritten(user: *mut c_void) -> ! {
    let message = format!("Goldilocks: the program wrote in front of its heap block at {user:p}\n");
    let _ = sys::write(2, message.as_bytes());
    std::process::abort()
}

/// The block that contains `addr`, if it is in a live block of ours. For reports: takes time in proportion to the size of
/// the block.
pub fn block_at(addr: usize) -> Option<Block> {
    let bitmap = bitmap();
    if bitmap.is_null() || addr >> ADDRESS_BITS > 1 {
        return None;
    }
    let start = marked_at_or_before(bitmap, addr)?;
    let header = read_header(start)?;
    let size = header.size();
    // A block of no bytes contains none, but its address is its own.
    let inside = header.intact() && addr < start + size.max(1);
    inside.then_some(Block {
        start,
        size,
        thread: header.thread,
        stack: header.stack,
    })
}

/// The nearest marked address that is at most `addr`.
fn marked_at_or_before(bitmap: *const AtomicU8, addr: usize) -> Option<usize> {
    let index = (addr & ADDRESS_MASK) >> 4;
    // Relaxed: who knows that the block is there knows its size as well.
    let reach = LARGEST.load(Ordering::Relaxed).min(REACH);
    let lowest = (addr & ADDRESS_MASK).saturating_sub(reach) >> 7;
    // SAFETY: as in `bit`.
    let byte_at = |i: usize| unsafe { &*bitmap.add(i) };
    let mut at = index >> 3;
    // Acquire: pairs with `adopt`, the header is finished.
    let mut bits = byte_at(at).load(Ordering::Acquire) & (0xff >> (7 - (index & 7)));
    while bits == 0 {
        // Whole words where the bitmap is empty, which is most of a large block.
        while at.is_multiple_of(8) && at >= lowest + 8 {
            // SAFETY: aligned to 8 and within the bitmap. Relaxed: a non-zero word is looked at again below.
            let word =
                unsafe { (*bitmap.add(at - 8).cast::<AtomicUsize>()).load(Ordering::Relaxed) };
            if word != 0 {
                break;
            }
            at -= 8;
        }
        if at <= lowest {
            return None;
        }
        at -= 1;
        bits = byte_at(at).load(Ordering::Acquire);
    }
    let found = (at << 3) + 7 - bits.leading_zeros() as usize;
    Some(addr & !ADDRESS_MASK | found << 4)
}

/// A header, read by way of the kernel: another thread may be giving the block and its page back just now.
fn read_header(user: usize) -> Option<Header> {
    let mut header = Header {
        word: 0,
        thread: 0,
        stack: 0,
    };
    match read_memory(header_of(user) as usize, (&raw mut header).cast(), HEADER) {
        Some(true) => Some(header),
        Some(false) => None,
        // Then the mark has to do.
        // SAFETY: the block was marked a moment ago.
        None => Some(unsafe { *header_of(user) }),
    }
}

/// Copies `bytes` bytes at `from` by way of the kernel, to `to`, which has room for as many that may have any value. Whether they are
/// there; `None` if a sandbox forbids the call.
fn read_memory(from: usize, to: *mut c_void, bytes: usize) -> Option<bool> {
    let to = libc::iovec {
        iov_base: to,
        iov_len: bytes,
    };
    let from = libc::iovec {
        iov_base: from as *mut c_void,
        iov_len: bytes,
    };
    let args = [
        sys::getpid() as usize,
        &raw const to as usize,
        1,
        &raw const from as usize,
        1,
        0,
    ];
    // SAFETY: writes the bytes of `to`, which the caller has made for that.
    match unsafe { sys::call(libc::SYS_process_vm_readv, args) } {
        Ok(copied) => Some(copied == bytes),
        Err(sys::Errno(libc::EFAULT)) => Some(false),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of libc's size bytes larger than asked for, as the interceptors make it.
    fn block(size: usize, distance: usize) -> *mut c_void {
        // SAFETY: libc's own allocation, with room for header and size.
        unsafe {
            assert!(tracked());
            let mut real = core::ptr::null_mut();
            assert_eq!(
                libc::posix_memalign(&mut real, distance, distance + size),
                0
            );
            adopt(real, distance, size)
        }
    }

    fn free(user: *mut c_void) {
        // SAFETY: every block is freed once.
        unsafe { libc::free(disown(user).unwrap().real) }
    }

    #[test]
    fn interior_addresses_find_their_block_and_neighbours_do_not() {
        for (size, distance) in [
            (0, 16),
            (1, 16),
            (100, 16),
            (64, 64),
            (5000, 4096),
            (3 << 20, 16),
            (1 << 30, 1 << 16),
        ] {
            let user = block(size, distance);
            // SAFETY: the block is ours.
            unsafe { attribute(user, 7, 9) };
            let start = user as usize;
            let expected = Block {
                start,
                size,
                thread: 7,
                stack: 9,
            };
            for inside in [0, 1, size / 2, size.saturating_sub(1)] {
                if inside < size.max(1) {
                    assert_eq!(block_at(start + inside), Some(expected), "{size} {inside}");
                }
            }
            assert_ne!(block_at(start + size.max(1)).map(|b| b.start), Some(start));
            assert_ne!(block_at(start - 1).map(|b| b.start), Some(start));
            assert!(is_ours(user));
            free(user);
            assert!(!is_ours(user));
            assert_ne!(block_at(start), Some(expected));
        }
    }

    #[test]
    fn block_that_became_larger_than_any_is_found_to_its_end() {
        // SAFETY: a new block of libc's with the room that is said.
        let user = unsafe { adopt(libc::malloc(HEADER + (8 << 30)), HEADER, 5) };
        assert_eq!(block_at(user as usize + (7 << 30)), None);
        // SAFETY: the block is ours, and has that room.
        unsafe { resize(user, 8 << 30) };
        let found = block_at(user as usize + (7 << 30)).map(|found| found.start);
        assert_eq!(found, Some(user as usize));
        free(user);
    }

    #[test]
    fn of_two_frees_one_wins() {
        for _ in 0..200 {
            let user = block(64, 16) as usize;
            // SAFETY: at most one of the threads gets the block.
            let attempt =
                move || unsafe { disown(user as *mut c_void) }.map(|block| block.real as usize);
            let wins: Vec<usize> = [std::thread::spawn(attempt), std::thread::spawn(attempt)]
                .into_iter()
                .filter_map(|t| t.join().unwrap())
                .collect();
            assert_eq!(wins, [user - 16]);
            // SAFETY: disowned above.
            unsafe { libc::free(wins[0] as *mut c_void) };
        }
    }

    #[test]
    fn word_is_left_of_a_block_until_somebody_writes_there() {
        let user = block(100, 16);
        // SAFETY: the block is ours, and stays as long as it is not libc's again.
        unsafe {
            attribute(user, 7, 9);
            let gone = disown(user).unwrap();
            assert_eq!(buried_around(user as usize), None);
            bury(user, &gone);
            let expected = Block {
                start: user as usize,
                size: 100,
                thread: 7,
                stack: 9,
            };
            for offset in [0, 15, 16, 99] {
                assert_eq!(buried_around(user as usize + offset), Some(expected));
            }
            assert_eq!(buried_around(user as usize + 100), None);
            *user.cast::<u8>().add(9) ^= 1;
            assert_eq!(buried_around(user as usize), None);
            libc::free(gone.real);
        }
    }

    #[test]
    fn neighbours_keep_their_marks() {
        let blocks: Vec<_> = (0..1000).map(|i| block(i % 70, 16)).collect();
        for pair in blocks.chunks(2) {
            free(pair[0]);
        }
        for pair in blocks.chunks(2) {
            assert!(!is_ours(pair[0]) && is_ours(pair[1]));
            free(pair[1]);
        }
    }

    #[test]
    fn foreign_pointers_are_not_ours() {
        let local = [0u64; 4];
        assert!(!is_ours(local.as_ptr().cast()));
        assert!(!is_ours(core::ptr::null()));
        assert_eq!(block_at(8), None);
    }
}
