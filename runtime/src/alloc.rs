//! Memory for the runtime itself: the `#[global_allocator]` behind every collection in here.
//!
//! The runtime must not take memory from the program's allocator (it is called from inside it, and would watch itself),
//! so this one asks the kernel directly. Small sizes come from size classes, each a free list and a bump span under a
//! lock of its own; large ones are mappings. Nothing here calls libc, needs initialization or uses thread-locals, so it
//! works in the first instruction of the process and in the last of a thread.
//!
//! Inside the runtime signals are deferred, so a thread cannot meet its own class lock in a handler.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicU32, Ordering};

#[global_allocator]
static ALLOCATOR: RuntimeAllocator = RuntimeAllocator;

/// The allocator. All instances share one state.
pub struct RuntimeAllocator;

const PAGE: usize = 4096;
/// Sizes up to here have classes of 16 bytes each.
const FINE_LIMIT: usize = 1024;
/// Sizes up to here have four classes per doubling; larger ones are mappings of their own.
const CLASS_LIMIT: usize = 64 << 10;
const FINE_CLASSES: usize = FINE_LIMIT / 16;
const CLASSES: usize = FINE_CLASSES + 4 * (CLASS_LIMIT / FINE_LIMIT).ilog2() as usize;
/// What is asked from the kernel at a time for all classes together. Untouched pages cost nothing.
const CHUNK: usize = 4 << 20;
/// What a class takes from the chunk at a time, at least.
const SPAN: usize = 16 << 10;

/// The class whose blocks hold `size` bytes, 1..=[`CLASS_LIMIT`].
fn class_of(size: usize) -> usize {
    if size <= FINE_LIMIT {
        return size.div_ceil(16).saturating_sub(1);
    }
    // 1025..=1280 is step 0 of doubling 0, 1281..=1536 is step 1, and so on.
    let doubling = ((size - 1) / FINE_LIMIT).ilog2() as usize;
    let base = FINE_LIMIT << doubling;
    FINE_CLASSES + 4 * doubling + (size - base - 1) / (base / 4)
}

/// Size of the blocks of a class, bytes.
fn class_size(class: usize) -> usize {
    if class < FINE_CLASSES {
        return 16 * (class + 1);
    }
    let (doubling, step) = ((class - FINE_CLASSES) / 4, (class - FINE_CLASSES) % 4);
    let base = FINE_LIMIT << doubling;
    base + (step + 1) * (base / 4)
}

/// The class for a layout, or `None` for a mapping of its own. Spans begin at pages, so a block is aligned to whatever
/// divides its class size, up to a page.
fn class_for(layout: Layout) -> Option<usize> {
    let (size, align) = (layout.size().max(1), layout.align());
    if align > PAGE || size > CLASS_LIMIT {
        return None;
    }
    let size = if align <= 16 {
        size
    } else if size.next_multiple_of(align) <= FINE_LIMIT {
        size.next_multiple_of(align)
    } else {
        size.next_power_of_two().max(align)
    };
    (size <= CLASS_LIMIT).then(|| class_of(size))
}

/// A lock that sleeps in the kernel: 0 free, 1 held, 2 held with sleepers.
struct Lock(AtomicU32);

impl Lock {
    fn lock(&self) {
        // Acquire: sees what the last holder did to the class.
        if self
            .0
            .compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            self.lock_slow();
        }
    }

    #[cold]
    fn lock_slow(&self) {
        for _ in 0..64 {
            core::hint::spin_loop();
            // Relaxed: a glance; the exchange below decides.
            if self.0.load(Ordering::Relaxed) == 0
                && self
                    .0
                    .compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed)
                    .is_ok()
            {
                return;
            }
        }
        // Acquire: as in `lock`. From here on we may hold it as "with sleepers", which only costs a wake-up.
        while self.0.swap(2, Ordering::Acquire) != 0 {
            kernel::futex_wait(&self.0, 2);
        }
    }

    fn unlock(&self) {
        // Release: the next holder sees what we did to the class.
        if self.0.swap(0, Ordering::Release) == 2 {
            kernel::futex_wake(&self.0);
        }
    }
}

/// A free block: its first word is the next one.
struct FreeBlock {
    next: *mut FreeBlock,
}

struct Blocks {
    free: *mut FreeBlock,
    /// Blocks that were never handed out: `bump..end`.
    bump: usize,
    end: usize,
}

/// One size class on a cache line of its own.
#[repr(align(64))]
struct Class {
    lock: Lock,
    /// Touched only while `lock` is held.
    blocks: UnsafeCell<Blocks>,
}

// SAFETY: `blocks` is only touched under `lock`.
unsafe impl Sync for Class {}

static CLASS: [Class; CLASSES] = [const {
    Class {
        lock: Lock(AtomicU32::new(0)),
        blocks: UnsafeCell::new(Blocks {
            free: null_mut(),
            bump: 0,
            end: 0,
        }),
    }
}; CLASSES];

/// Where the classes take their spans from. Its class size is meaningless; it is a lock and a bump span.
static CHUNKS: Class = Class {
    lock: Lock(AtomicU32::new(0)),
    blocks: UnsafeCell::new(Blocks {
        free: null_mut(),
        bump: 0,
        end: 0,
    }),
};

/// A span of whole pages from the common chunk.
fn span(bytes: usize) -> usize {
    let bytes = bytes.next_multiple_of(PAGE);
    CHUNKS.lock.lock();
    // SAFETY: under the lock.
    let chunk = unsafe { &mut *CHUNKS.blocks.get() };
    if chunk.end - chunk.bump < bytes {
        let fresh = kernel::map(CHUNK.max(bytes));
        (chunk.bump, chunk.end) = (fresh, fresh + CHUNK.max(bytes));
    }
    let start = chunk.bump;
    chunk.bump += bytes;
    CHUNKS.lock.unlock();
    start
}

fn unmap(start: usize, bytes: usize) {
    if bytes != 0 {
        kernel::unmap(start, bytes);
    }
}

fn take(class: usize) -> *mut u8 {
    let size = class_size(class);
    let class = &CLASS[class];
    class.lock.lock();
    // SAFETY: under the lock.
    let blocks = unsafe { &mut *class.blocks.get() };
    let mut block = blocks.free as usize;
    if block != 0 {
        // SAFETY: a block on the free list is ours and holds its successor.
        blocks.free = unsafe { (*blocks.free).next };
    } else {
        if blocks.end - blocks.bump < size {
            let bytes = SPAN.max(size * 4);
            let start = span(bytes);
            (blocks.bump, blocks.end) = (start, start + bytes);
        }
        block = blocks.bump;
        blocks.bump += size;
    }
    class.lock.unlock();
    block as *mut u8
}

/// # Safety
/// `block` came from [`take`] of the same class and is not used any more.
unsafe fn give(class: usize, block: *mut u8) {
    let class = &CLASS[class];
    class.lock.lock();
    // SAFETY: under the lock; the block is free, at least 16 bytes and aligned to 16.
    unsafe {
        let blocks = &mut *class.blocks.get();
        let block = block.cast::<FreeBlock>();
        (*block).next = blocks.free;
        blocks.free = block;
    }
    class.lock.unlock();
}

fn take_mapping(layout: Layout) -> *mut u8 {
    let Some(bytes) = layout.size().max(1).checked_next_multiple_of(PAGE) else {
        return null_mut();
    };
    if layout.align() <= PAGE {
        return kernel::map(bytes) as *mut u8;
    }
    // Over-allocate by the alignment and give back both ends.
    let Some(total) = bytes.checked_add(layout.align()) else {
        return null_mut();
    };
    let start = kernel::map(total);
    let aligned = start.next_multiple_of(layout.align());
    unmap(start, aligned - start);
    unmap(aligned + bytes, start + total - aligned - bytes);
    aligned as *mut u8
}

// SAFETY: blocks are disjoint (each is on one free list or handed out), at least as large and aligned as asked.
unsafe impl GlobalAlloc for RuntimeAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match class_for(layout) {
            Some(class) => take(class),
            None => take_mapping(layout),
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match class_for(layout) {
            // SAFETY: the caller's contract; the layout names the class that the block came from.
            Some(class) => unsafe { give(class, block) },
            None => unmap(block as usize, layout.size().max(1).next_multiple_of(PAGE)),
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match class_for(layout) {
            Some(class) => {
                let block = take(class);
                // SAFETY: the block holds at least `layout.size()` bytes.
                unsafe { block.write_bytes(0, layout.size()) };
                block
            }
            // The kernel's pages are zero.
            None => take_mapping(layout),
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's contract: `new_size`, rounded up to the alignment, does not overflow.
        let new = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        let classes = (class_for(layout), class_for(new));
        if classes.0.is_some() && classes.0 == classes.1 {
            return block;
        }
        if classes == (None, None) && layout.align() <= PAGE {
            let (old, new) = (
                layout.size().next_multiple_of(PAGE),
                new_size.next_multiple_of(PAGE),
            );
            return kernel::remap(block as usize, old, new) as *mut u8;
        }
        // SAFETY: two different blocks, each as large as the bytes copied; the old one is given back once.
        unsafe {
            let moved = self.alloc(new);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(new_size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

/// Takes every lock of the allocator, so that a fork finds it in order. The thread must not allocate until
/// [`unlock_all`], which parent and child both call.
pub fn lock_all() {
    for class in &CLASS {
        class.lock.lock();
    }
    CHUNKS.lock.lock();
}

/// Undoes [`lock_all`].
///
/// # Safety
/// The calling thread (or in the child of a fork, its image in the parent) has called [`lock_all`].
pub unsafe fn unlock_all() {
    CHUNKS.lock.unlock();
    for class in &CLASS {
        class.lock.unlock();
    }
}

/// What the allocator asks from the kernel.
mod kernel {
    use crate::sys;
    use core::sync::atomic::AtomicU32;

    /// Ends the process: nothing can be detected without memory, and nobody up there could do without.
    #[cold]
    fn refused(bytes: usize) -> ! {
        let mut digits = [0u8; 20];
        let mut rest = bytes.div_ceil(1024);
        let mut from = digits.len();
        while from == digits.len() || rest > 0 {
            from -= 1;
            digits[from] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        let text: [&[u8]; 3] = [
            b"Goldilocks: fatal: the system refuses the detector ",
            &digits[from..],
            b" KiB of memory. What may be too low: the limit on address space (ulimit -v), memory itself, or for \
              tens of thousands of threads or mappings vm.max_map_count\n",
        ];
        // There is nothing to put them together in.
        for part in text {
            let _ = sys::write(2, part);
        }
        sys::exit_group(70)
    }

    /// Fresh zero pages.
    pub fn map(bytes: usize) -> usize {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: an anonymous mapping wherever the kernel likes touches nothing that exists.
        unsafe { sys::mmap(0, bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) }
            .unwrap_or_else(|_| refused(bytes))
    }
    pub fn unmap(start: usize, bytes: usize) {
        // SAFETY: the allocator only unmaps what it mapped and nobody uses.
        let unmapped = unsafe { sys::munmap(start, bytes) };
        debug_assert!(unmapped.is_ok());
    }
    /// The mapping with a new size, perhaps elsewhere.
    pub fn remap(start: usize, bytes: usize, new: usize) -> usize {
        // SAFETY: the allocator only remaps blocks whose owner asked for it.
        unsafe {
            sys::call(
                libc::SYS_mremap,
                [start, bytes, new, libc::MREMAP_MAYMOVE as usize, 0, 0],
            )
        }
        .unwrap_or_else(|_| refused(new))
    }
    /// Sleeps while the word is `value`. Failures mean the same as waking up: look again.
    pub fn futex_wait(word: &AtomicU32, value: u32) {
        let _ = sys::futex_wait(word, value, None);
    }
    pub fn futex_wake(word: &AtomicU32) {
        sys::futex_wake(word, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn classes_are_dense_increasing_and_hold_their_sizes() {
        assert_eq!(class_of(CLASS_LIMIT), CLASSES - 1);
        assert_eq!(class_size(CLASSES - 1), CLASS_LIMIT);
        for size in 1..=CLASS_LIMIT {
            let class = class_of(size);
            assert!(class_size(class) >= size, "{size}");
            assert!(
                class == 0 || class_size(class - 1) < size,
                "{size} fits the class before {class}"
            );
            assert_eq!(class_size(class) % 16, 0);
        }
    }

    #[test]
    fn blocks_are_aligned_disjoint_and_keep_their_contents() {
        let allocator = RuntimeAllocator;
        let mut live: BTreeMap<usize, (Layout, u8)> = BTreeMap::new();
        let mut seed = 1u64;
        for round in 0..4_000u32 {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let random = (seed >> 33) as usize;
            let size = 1 + random % [40, 1000, 9000, 200_000][random % 4];
            let align = 1 << ((random >> 20) % 15);
            let layout = Layout::from_size_align(size, align).unwrap();
            // SAFETY: a nonzero size; every block is freed once with its own layout.
            unsafe {
                let block = if random & 1 == 0 {
                    allocator.alloc(layout)
                } else {
                    allocator.alloc_zeroed(layout)
                };
                assert_eq!(block as usize % align, 0);
                if random & 1 == 1 {
                    assert!((0..size).all(|i| *block.add(i) == 0));
                }
                block.write_bytes(round as u8, size);
                let start = block as usize;
                if let Some((&before, (layout, _))) = live.range(..=start).next_back() {
                    assert!(before + layout.size() <= start);
                }
                if let Some((&after, _)) = live.range(start..).next() {
                    assert!(start + size <= after);
                }
                live.insert(start, (layout, round as u8));
                if live.len() > 200 {
                    let start = *live.keys().nth(random % live.len()).unwrap();
                    let (layout, byte) = live.remove(&start).unwrap();
                    let grown = layout.size() / 2 + random % (2 * layout.size());
                    let moved = allocator.realloc(start as *mut u8, layout, grown.max(1));
                    assert!((0..grown.min(layout.size())).all(|i| *moved.add(i) == byte));
                    assert_eq!(moved as usize % layout.align(), 0);
                    allocator.dealloc(
                        moved,
                        Layout::from_size_align(grown.max(1), layout.align()).unwrap(),
                    );
                }
            }
        }
        for (start, (layout, byte)) in live {
            // SAFETY: as above.
            unsafe {
                assert!((0..layout.size()).all(|i| *(start as *mut u8).add(i) == byte));
                allocator.dealloc(start as *mut u8, layout);
            }
        }
    }

    #[test]
    fn threads_share_a_class() {
        let threads: Vec<_> = (0..4u8)
            .map(|id| {
                std::thread::spawn(move || {
                    let layout = Layout::from_size_align(48, 16).unwrap();
                    for _ in 0..20_000 {
                        // SAFETY: freed once with the same layout.
                        unsafe {
                            let block = RuntimeAllocator.alloc(layout);
                            block.write_bytes(id, 48);
                            assert!((0..48).all(|i| *block.add(i) == id));
                            RuntimeAllocator.dealloc(block, layout);
                        }
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    }
}
