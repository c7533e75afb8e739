//! What compiled code does before it calls the runtime, for ranges: whether a word's cell says already that the running thread
//! made this access in its present epoch. Most ranges that libc touches are such; they cost a load and a comparison
//! for every 8 bytes, and neither an entry into the runtime nor a walk of the stack.

use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use goldilocks_core::strided::Rows;
use goldilocks_core::tag::Tag;

use crate::pipeline::Scope;
use crate::shadow::ShadowMemory;
use crate::state::{Obstacle, is_up, multi_threaded, runtime};
use crate::tls;

/// Shortens a range to what the engine has to be told of: from the first word that is not known to be the thread's own.
/// The result is the number of bytes to leave out at the front; all of them if there is nothing to tell.
#[inline]
pub fn known(start: *const c_void, bytes: usize, written: bool) -> usize {
    if bytes == 0 || !multi_threaded() || !is_up() {
        return bytes;
    }
    // Relaxed: the block is this thread's own. Another thread may set the tag to one that no cell has, when it takes ids back;
    // compiled code that has just loaded it is in the same position.
    let tag = Tag(tls::block().tag.load(Ordering::Relaxed));
    known_to(
        Present {
            tag,
            has_sets: true,
        },
        (start as u64, bytes),
        written,
    )
}

/// How many rows need not be told to the engine, from the first one on, as with [`known`]. All, if they are not in memory of the program's: as with ranges.
#[inline]
pub fn known_rows(rows: &Rows, written: bool) -> u64 {
    if rows.bytes == 0 || !multi_threaded() || !is_up() {
        return rows.count;
    }
    // Relaxed: as in `known`.
    let tag = Tag(tls::block().tag.load(Ordering::Relaxed));
    let present = Present {
        tag,
        has_sets: true,
    };
    let (offset, bytes) = (rows.start & 7, rows.bytes);
    let is_application =
        |&(lowest, end): &(u64, u64)| runtime().shadow.is_application(lowest, end - lowest);
    if rows.hull().filter(is_application).is_none() {
        return rows.count;
    }
    let mut row = 0;
    if offset + bytes <= 8 && rows.stride & 7 == 0 {
        let mask = ((0xff >> (8 - bytes)) << offset) as u8;
        let mut at = rows.start;
        while row < rows.count && present.covers(cell_of(at), mask, written) {
            at = at.wrapping_add_signed(rows.stride);
            row += 1;
        }
    } else {
        let is_known =
            |row| known_to(present, (rows.row(row), bytes as usize), written) as u64 == bytes;
        while row < rows.count && is_known(row) {
            row += 1;
        }
    }
    row
}

/// Whether a range of at least one byte is within one word, and there is nothing to tell of it.
#[inline(always)]
pub fn known_in_word(start: *const c_void, bytes: usize, written: bool) -> bool {
    let addr = start as u64;
    let offset = (addr & 7) as usize;
    if offset + bytes > 8 || !is_up() || !runtime().shadow.is_application_word(addr) {
        return false;
    }
    let mask = (0xff >> (8 - bytes)) << offset;
    // Relaxed: as in `known`.
    let tag = Tag(tls::block().tag.load(Ordering::Relaxed));
    let present = Present {
        tag,
        has_sets: true,
    };
    present.covers(cell_of(addr), mask as u8, written)
        || !written && tls::block().has_kept(addr, mask as u8, tag)
}

/// As [`known`], for a thread that is inside the runtime, where its block says nothing: what is there now was true outside.
#[inline]
pub fn known_inside(scope: &mut Scope, start: *const c_void, bytes: usize, written: bool) -> usize {
    if !multi_threaded() || Obstacle::any() {
        return 0;
    }
    // The sets that it has met are those of the epoch outside.
    let present = Present {
        tag: scope.thread().tag(),
        has_sets: false,
    };
    known_to(present, (start as u64, bytes), written)
}

/// What a thread's accesses of its present epoch look like in cells.
#[derive(Clone, Copy)]
struct Present {
    tag: Tag,
    /// The thread's block has read sets that it is in.
    has_sets: bool,
}

impl Present {
    /// Whether a cell says that the thread has accessed these bytes.
    #[inline(always)]
    fn covers(self, cell: u64, mask: u8, written: bool) -> bool {
        if written {
            return Tag(cell as u32).covers(self.tag, mask);
        }
        let read = Tag((cell >> 32) as u32);
        read.covers(self.tag, mask)
            || self.has_sets && mask & !read.mask() == 0 && tls::block().has_met(read, mask)
    }
}

#[inline]
fn known_to(present: Present, (from, bytes): (u64, usize), written: bool) -> usize {
    let shadow = &runtime().shadow;
    if !shadow.is_application(from, bytes as u64) {
        return bytes;
    }
    let end = from + bytes as u64;
    let mut at = from;
    if bytes >= 64 {
        at = alike(present, at, end, written);
    }
    while at < end {
        let next = (at & !7) + 8;
        let mask = (0xff << (at & 7)) as u8 & (0xff >> (next - next.min(end)));
        if !present.covers(cell_of(at), mask, written) {
            break;
        }
        at = next;
    }
    at.min(end).saturating_sub(from) as usize
}

/// The cell of an application's word.
#[inline(always)]
fn cell_of(addr: u64) -> u64 {
    // SAFETY: application memory's cells are mapped. An atomic load, as compiled code's is (Relaxed: a cell that holds this thread's tag was
    // written by this thread).
    unsafe { (*(ShadowMemory::cell_address(addr) as *const AtomicU64)).load(Ordering::Relaxed) }
}

/// The first word of `at..end` that is not a whole word of the thread's present epoch; only about lines of 64 bytes each, all of which are as the first one.
#[inline]
fn alike(present: Present, at: u64, end: u64, written: bool) -> u64 {
    if at & 7 != 0 {
        return at;
    }
    let mut at = at;
    // As halves, write tag first.
    let mut cells = ShadowMemory::cell_address(at) as *const [AtomicU32; 16];
    let half = !written as usize;
    // SAFETY: as in `known_to`.
    let first = unsafe { &*cells }[half].load(Ordering::Relaxed);
    let one = if written {
        first as u64
    } else {
        (first as u64) << 32
    };
    if !present.covers(one, 0xff, written) {
        return at;
    }
    while at + 64 <= end {
        // SAFETY: as above.
        let line = unsafe { &*cells };
        let differences = (0..8).fold(0, |differences, word| {
            differences | (line[2 * word + half].load(Ordering::Relaxed) ^ first)
        });
        if differences != 0 {
            break;
        }
        at += 64;
        cells = cells.wrapping_add(1);
    }
    at
}
