//! The life of memory: what it has been through ends when it is fresh, freed, handed over, or a stack that is over.

use crate::annotations::benign;
use crate::describe;
use crate::detection;
use crate::pipeline::{Scope, freeze};
use crate::sites::Shape;
use crate::state::{multi_threaded, runtime};
use crate::sweep;
use crate::sync_bits;
use crate::sync_objects;
use crate::thread::ThreadState;
use crate::tls;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU64, Ordering};
use goldilocks_core::detector::{OutOfEpochs, Race};
use goldilocks_core::event::Access;

impl Scope {
    /// Memory is fresh: the next access to it is race free (alloc, mmap, new stack).
    pub fn fresh(&mut self, ptr: *const c_void, bytes: usize) {
        if multi_threaded() {
            forget_history(self.thread(), ptr as u64, bytes as u64);
        }
    }

    /// As [`Scope::fresh`], of pages that are mapped now.
    pub fn mapped(&mut self, ptr: *const c_void, bytes: usize) {
        let (addr, bytes) = (ptr as u64, bytes as u64);
        if !multi_threaded() || bytes == 0 || !runtime().shadow.is_application(addr, bytes) {
            return;
        }
        // Those that are counted in.
        if (SOME..=HUGE).contains(&bytes) {
            LEFT.take(|| marked(addr, bytes));
        }
        forget_history(self.thread(), addr, bytes);
    }

    /// As [`Scope::fresh`], of pages that the program has dropped: it wants them to take no memory, and neither shall their shadow.
    pub fn dropped(&mut self, ptr: *const c_void, bytes: usize) {
        let (addr, bytes) = (ptr as u64, bytes as u64);
        if !multi_threaded() || bytes == 0 || !runtime().shadow.is_application(addr, bytes) {
            return;
        }
        forget_history(self.thread(), addr, bytes);
        if (DROPPED..LARGEST).contains(&bytes) {
            // Others may be there, to read zeroes: what they remember until now is forgotten line by line, and they hold no line's lock.
            let frozen = freeze();
            forget_history(self.thread(), addr, bytes);
            give_back(self.thread(), addr, bytes);
            drop(frozen);
        }
    }

    /// As [`Scope::freed`], of pages that are about to be unmapped. Mostly the next ones are mapped in their place; where the program goes on to other addresses
    /// each time, their shadow is given back.
    pub fn unmapped(&mut self, ptr: *const c_void, bytes: usize) {
        let (addr, length) = (ptr as u64, bytes as u64);
        // Larger ones keep no marks.
        let is_counted = multi_threaded()
            && (SOME..=HUGE).contains(&length)
            && runtime().shadow.is_application(addr, length);
        let before = if is_counted { marked(addr, length) } else { 0 };
        self.freed(ptr, bytes);
        if is_counted && !LEFT.put(marked(addr, length).saturating_sub(before)) {
            give_back(self.thread(), addr, length);
        }
    }

    /// As [`Scope::fresh`], and the sync objects inside are forgotten: memory that nobody has freed is somebody else's.
    pub fn collected(&mut self, ptr: *const c_void, bytes: usize) {
        benign::gone(ptr.addr(), bytes);
        let (addr, bytes) = (ptr as u64, bytes as u64);
        if !multi_threaded() || bytes == 0 || !runtime().shadow.is_application(addr, bytes) {
            return;
        }
        self.forget_objects(addr, bytes);
        forget_history(self.thread(), addr, bytes);
    }

    /// What these bytes hold is a copy from now on, even if it has not moved: sync objects inside are others.
    pub fn replaced(&mut self, ptr: *const c_void, bytes: usize) {
        let (addr, bytes) = (ptr as u64, bytes as u64);
        if multi_threaded() && bytes != 0 && runtime().shadow.is_application(addr, bytes) {
            self.forget_objects(addr, bytes);
        }
    }

    fn forget_objects(&mut self, addr: u64, bytes: u64) {
        let state = self.thread();
        if sync_bits::take(addr, bytes, |object| {
            runtime().engine.forget(&mut state.engine, object)
        }) {
            sync_objects::forget_range(addr, bytes, |_| {});
        }
    }

    /// Memory is freed: a write to every byte, after which any access is one too many. Sync objects inside are forgotten.
    pub fn freed(&mut self, ptr: *const c_void, bytes: usize) {
        self.freed_with(ptr, bytes, 0);
    }

    /// As [`Scope::freed`], with `padding` more bytes behind, which are nobody's: only whole words can be marked.
    pub fn freed_with(&mut self, ptr: *const c_void, bytes: usize, padding: usize) {
        benign::gone(ptr.addr(), bytes);
        let range = (ptr as u64, bytes as u64);
        let (addr, bytes) = (range.0, range.1 + padding as u64);
        if !multi_threaded() || bytes == 0 || !runtime().shadow.is_application(addr, bytes) {
            return;
        }
        let caller = self.caller();
        self.forget_objects(addr, bytes);
        let state = self.thread();
        state.loads.forget();
        tls::block().forget_made();
        if state.ignored.skips(Access::Write) || detection::is_off() {
            // The free itself is ignored, but what the memory has been through ends here all the same.
            forget_history(state, addr, bytes);
            return;
        }
        let site = state.site(Shape::UNKNOWN, caller);
        let found = &mut |thread: &mut goldilocks_core::goldilocks::Thread, race: Race| {
            describe::found_by_free(thread, race, range, site);
        };
        if bytes < LARGE {
            runtime().shadow.is_written_soon(addr, bytes);
            while let Err(OutOfEpochs) = runtime().detector().free(
                &mut state.engine,
                &mut state.buffers,
                (addr, bytes),
                site,
                &mut *found,
            ) {
                if !sweep::run(&mut state.engine) {
                    return;
                }
            }
            return;
        }
        let free = |from: u64, to: u64| {
            while let Err(OutOfEpochs) = runtime().detector().free(
                &mut state.engine,
                &mut state.buffers,
                (from, to - from),
                site,
                &mut *found,
            ) {
                if !sweep::run(&mut state.engine) {
                    return;
                }
            }
        };
        if bytes > HUGE {
            runtime().shadow.each_touched_page(addr, bytes, free);
            forget_history(state, addr, bytes);
        } else {
            // What was never used is not worth its shadow: nobody has a reason to look there.
            runtime().shadow.each_used_page(addr, bytes, free);
        }
    }

    /// The program frees the block at `ptr` for the second time, of which `word` still is marked.
    pub fn freed_again(&mut self, ptr: *const c_void, word: *const c_void) {
        let caller = self.caller();
        let state = self.thread();
        let site = state.site(Shape::UNKNOWN, caller);
        let range = (ptr as u64, 1);
        let word = (word as u64, 1);
        let found = &mut |thread: &mut goldilocks_core::goldilocks::Thread, race: Race| {
            describe::found_by_free(thread, race, range, site);
        };
        while let Err(OutOfEpochs) = runtime().detector().access(
            &mut state.engine,
            &mut state.buffers,
            word,
            Access::Write,
            site,
            &mut *found,
        ) {
            if !sweep::run(&mut state.engine) {
                return;
            }
        }
    }

    /// The running thread gives the range to whoever touches it next: a write to every byte, after which they are fresh.
    pub fn hand_over(&mut self, ptr: *const c_void, bytes: usize) {
        let (addr, bytes) = (ptr as u64, bytes as u64);
        if !multi_threaded() || bytes == 0 || !runtime().shadow.is_application(addr, bytes) {
            return;
        }
        if bytes < LARGE {
            self.access((addr, bytes), Access::Write, Shape::UNKNOWN);
        } else {
            let mut touched = Vec::new();
            runtime()
                .shadow
                .each_touched_page(addr, bytes, |from, to| touched.push((from, to - from)));
            for range in touched {
                self.access(range, Access::Write, Shape::UNKNOWN);
            }
        }
        forget_history(self.thread(), addr, bytes);
    }

    /// The running thread is about to end: whoever accesses its stack, with its thread-local variables, from now on is too
    /// late. What none of its code has accessed is not worth its shadow. Not of the first thread, whose stack is there as
    /// long as the process.
    pub fn stack_ends(&mut self) {
        let state = self.thread();
        let (low, high) = (state.bounds.low as u64, state.bounds.high as u64);
        // Where a fiber's stack ends is the program's to say.
        let is_ours = !state.borrowed_stack && !state.fiber.is_one;
        if state.serial == 0 || !is_ours || low >= high {
            return;
        }
        if !runtime().shadow.is_application(low, high - low) {
            return;
        }
        let shape = Shape::of_thread_end();
        let site = runtime().sites.intern(shape.bits(), shape, &[], Some(&[]));
        runtime()
            .shadow
            .each_touched_page(low, high - low, |from, to| {
                let found = &mut |thread: &mut goldilocks_core::goldilocks::Thread, race: Race| {
                    describe::found_by_end(thread, race, site);
                };
                while let Err(OutOfEpochs) = runtime().detector().free(
                    &mut state.engine,
                    &mut state.buffers,
                    (from, to - from),
                    site,
                    &mut *found,
                ) {
                    if !sweep::run(&mut state.engine) {
                        return;
                    }
                }
            });
    }

    /// Whether the word at `ptr` is known to be part of a block that was freed and not handed out again.
    pub fn was_freed(&self, ptr: *const c_void) -> bool {
        runtime().shadow.is_application(ptr as u64, 1) && runtime().detector().is_freed(ptr as u64)
    }
}

/// Of ranges of at least this many bytes, only the pages that were used are marked when they are freed, or forget when they begin.
const LARGE: u64 = 256 << 10;
/// From so many bytes on, whoever unmaps pages is asked whether their shadow is to stay.
const SOME: u64 = 64 << 10;
/// From so many bytes on, the shadow of pages that the program has dropped is given back, which takes a moment in which nobody else is in the runtime.
const DROPPED: u64 = 1 << 20;
/// Those of at least this many bytes have their shadow given back instead of being zeroed word by word. Smaller ones are mostly used again soon, as long
/// as the program does not say otherwise: to map their shadow anew would take longer, and interrupt all processors.
const LARGEST: u64 = 16 << 20;
/// When a range of more bytes is freed, it keeps no marks: their memory would not be used for anything else until the program
/// takes the same addresses again. libc's malloc never keeps larger blocks, so an access to one faults.
const HUGE: u64 = 32 << 20;

fn forget_history(state: &mut ThreadState, addr: u64, bytes: u64) {
    if bytes == 0 || !runtime().shadow.is_application(addr, bytes) {
        return;
    }
    state.loads.forget();
    tls::block().forget_made();
    let detector = runtime().detector();
    if bytes < LARGE {
        detector.fresh(&mut state.buffers, (addr, bytes));
        return;
    }
    if bytes < LARGEST {
        let buffers = &mut state.buffers;
        let fresh = |from, to| detector.fresh(buffers, (from, to - from));
        return runtime().shadow.each_touched_page(addr, bytes, fresh);
    }
    give_back(state, addr, bytes);
}

/// As [`forget_history`], by way of giving back their shadow.
fn give_back(state: &mut ThreadState, addr: u64, bytes: u64) {
    state.loads.forget();
    tls::block().forget_made();
    let detector = runtime().detector();
    let (first, last) = ((addr + 63) & !63, (addr + bytes) & !63);
    detector.fresh(&mut state.buffers, (addr, first - addr));
    runtime().give_back(first, last - first);
    detector.fresh(&mut state.buffers, (last, addr + bytes - last));
}

/// How much of a range, counted in pages by their first words, is marked as freed: bytes. Where somebody goes through memory, what is ahead has shadow, too, but
/// no marks.
fn marked(addr: u64, bytes: u64) -> u64 {
    let mut marked = 0;
    let count = |from, to| {
        if runtime().detector().is_freed(from) {
            marked += to - from;
        }
    };
    runtime().shadow.each_touched_page(addr, bytes, count);
    marked
}

/// Of how much memory the shadow is there although it is unmapped: bytes.
struct Left(AtomicU64);
static LEFT: Left = Left(AtomicU64::new(0));

impl Left {
    /// So much may be.
    const MOST: u64 = 32 << 20;

    /// Counts in what is unmapped now, if there may be so much.
    fn put(&self, bytes: u64) -> bool {
        // Relaxed, both: a count.
        let sum = |left: u64| Some(left + bytes).filter(|&sum| sum <= Left::MOST);
        let counted = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum);
        counted.is_ok()
    }
    /// Counts out what is mapped again, if there is anything.
    fn take(&self, bytes: impl FnOnce() -> u64) {
        // Relaxed, both: a count.
        if self.0.load(Ordering::Relaxed) == 0 {
            return;
        }
        let bytes = bytes();
        let rest = |left: u64| Some(left.saturating_sub(bytes));
        // It never says no.
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
    }
}

/// The stack of a new thread has no past, whoever's it was.
pub fn fresh_stack(state: &mut ThreadState, low: usize, high: usize) {
    forget_history(state, low as u64, (high - low) as u64);
}

/// Lowest address of the running thread's stack, and the address behind it.
pub fn stack_of_this_thread() -> (usize, usize) {
    // SAFETY: plain queries of the running thread into local memory.
    unsafe {
        let mut attributes: libc::pthread_attr_t = core::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return (0, 0);
        }
        let (mut low, mut bytes) = (core::ptr::null_mut(), 0);
        libc::pthread_attr_getstack(&attributes, &mut low, &mut bytes);
        libc::pthread_attr_destroy(&mut attributes);
        (low as usize, low as usize + bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shadow_of_what_is_unmapped_stays_up_to_some_size() {
        let left = Left(AtomicU64::new(0));
        assert!(left.put(Left::MOST / 2) && left.put(Left::MOST / 2));
        assert!(!left.put(1));
        left.take(|| 4096);
        assert!(left.put(4096) && !left.put(1));
        left.take(|| 2 * Left::MOST);
        // Nothing is looked for where nothing is left.
        left.take(|| unreachable!());
        assert!(left.put(Left::MOST));
    }
}
