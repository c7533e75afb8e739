//! What compiled code does before it calls the runtime, for ranges: whether a word's cell says already that the running thread
//! made this access in its present epoch. Most ranges that libc touches are such; they cost a load and a comparison
//! for every 8 bytes, and neither an entry into the runtime nor a walk of the stack.

use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

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
    known_to(tag, start, bytes, written)
}

/// The same for a thread that is inside the runtime, where its block says nothing: what is there now was true outside.
#[inline]
pub fn known_inside(scope: &mut Scope, start: *const c_void, bytes: usize, written: bool) -> usize {
    if !multi_threaded() || Obstacle::any() {
        return 0;
    }
    known_to(scope.thread().tag(), start, bytes, written)
}

#[inline]
fn known_to(tag: Tag, start: *const c_void, bytes: usize, written: bool) -> usize {
    let (from, shadow) = (start as u64, &runtime().shadow);
    if !shadow.is_application(from, bytes as u64) {
        return bytes;
    }
    let end = from + bytes as u64;
    let mut at = from;
    if bytes >= 64 {
        at = same_epoch(at, end, tag, written);
    }
    while at < end {
        let next = (at & !7) + 8;
        let mask = (0xff << (at & 7)) as u8 & (0xff >> (next - next.min(end)));
        // SAFETY: the range is application memory, so that its cells are mapped. An atomic load, as compiled code's is
        // (Relaxed: a cell that holds this thread's tag was written by this thread).
        let cell = unsafe {
            (*(ShadowMemory::cell_address(at) as *const AtomicU64)).load(Ordering::Relaxed)
        };
        let of_kind = Tag((if written { cell } else { cell >> 32 }) as u32);
        if !of_kind.covers(tag, mask) {
            break;
        }
        at = next;
    }
    at.min(end).saturating_sub(from) as usize
}

/// The first word of `at..end` that is not a whole word of the thread's present epoch; only about lines of 64 bytes each.
#[inline]
fn same_epoch(at: u64, end: u64, tag: Tag, written: bool) -> u64 {
    if at & 7 != 0 {
        return at;
    }
    let mut at = at;
    // As halves, write tag first.
    let mut cells = ShadowMemory::cell_address(at) as *const [AtomicU32; 16];
    let half = !written as usize;
    while at + 64 <= end {
        // SAFETY: as in `known`.
        let line = unsafe { &*cells };
        let differences = (0..8).fold(0, |differences, word| {
            differences | (line[2 * word + half].load(Ordering::Relaxed) ^ tag.0)
        });
        if differences != 0 {
            break;
        }
        at += 64;
        cells = cells.wrapping_add(1);
    }
    at
}
