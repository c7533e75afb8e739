//! The short way into the runtime, for an access whose same-epoch check has failed: most of them are the first in their epoch to a
//! word that the thread, or one that it knows to be done, has used before from the same place.
//!
//! The check stubs try this before they save the vector registers and take the long way (`pipeline`): their lane (`lane`) goes on in
//! [`goldilocks_quick_rest`] and [`goldilocks_quick_epoch`], and what it cannot begin with goes to [`goldilocks_quick_access`]. So nothing in here may use vector
//! registers: the build looks at the machine code of each of these, and leaves out the one in which it finds one (`xtask`, `runtime_link`).

use crate::caller::{Caller, compiled_context};
use crate::pipeline::FEW;
use crate::sites::Shape;
use crate::stack_probe;
use crate::state::{FREEZE, Obstacle, multi_threaded, runtime};
use crate::thread::ThreadState;
use crate::tls::{self, SIGNAL_PENDING, TlsBlock};
use core::ffi::c_void;
use core::sync::atomic::{Ordering, compiler_fence};
use goldilocks_core::detector::Found;
use goldilocks_core::line::Site;
use goldilocks_core::tag::Tag;

/// In `info`: the lane of the stubs has left it to the long way.
const LONG_WAY: u32 = 512;

/// As `goldilocks_slow_access`. 0 if that has to be called, 1 if the access is made.
///
/// # Safety
/// Called by the stubs, with what they have for `goldilocks_slow_access`.
#[unsafe(no_mangle)]
unsafe extern "C" fn goldilocks_quick_access(addr: u64, info: u32, pc: usize, fp: usize) -> u32 {
    if info & LONG_WAY != 0 {
        return 0;
    }
    // SAFETY: the stubs are called by compiled code, and hand its frame pointer on.
    let context = unsafe { compiled_context(tls::block(), fp) };
    let shape = Shape::of(addr, (info & 255) as u64);
    // SAFETY: as before.
    unsafe { goldilocks_quick_words(addr, info, shape, pc, fp, context) }
}

/// What the lane of the stubs leaves to it: an access of one word, by a thread that is inside the runtime, with this tag and from this site; `state` is the
/// thread's. 1 if the access is made, 0 if it is to be made by the long way.
///
/// # Safety
/// Called by the stubs.
#[unsafe(no_mangle)]
unsafe extern "C" fn goldilocks_quick_rest(
    addr: u64,
    info: u32,
    tag: u32,
    site: u32,
    state: *mut ThreadState,
) -> u32 {
    let mut found = Found::default();
    let access = (Tag(tag), info & 256 != 0);
    {
        // SAFETY: as below.
        let state = unsafe { &mut *state };
        let memos = (&state.buffers, &mut found);
        let detector = runtime().detector();
        if let Some(done) = detector.known_quick(&mut state.engine, memos, addr, access, site) {
            if found.aside {
                tls::block().note_made(addr, access.0, access.1);
            }
            if found.read_set != Tag::NONE {
                tls::block().meet_set(found.read_set);
            }
            return done as u32;
        }
    }
    // SAFETY: the caller's contract.
    let done = unsafe { goldilocks_quick_other(addr, info, tag, site, state) };
    // SAFETY: as in `other`; nobody else has a reference by now.
    meet_set(tls::block(), unsafe { &mut *state });
    done
}

/// As [`goldilocks_quick_rest`], of all other accesses than the most common ones to words with records. For itself, so that these need few registers.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn goldilocks_quick_other(
    addr: u64,
    info: u32,
    tag: u32,
    site: u32,
    state: *mut ThreadState,
) -> u32 {
    // SAFETY: the thread's own state, which only it uses, and not elsewhere while it is inside.
    let state = unsafe { &mut *state };
    let (thread, buffers) = (&mut state.engine, &state.buffers);
    let mut found = Found::default();
    let (tag, write) = (Tag(tag), info & 256 != 0);
    let detector = runtime().detector();
    let done = detector.word_quick(thread, (buffers, &mut found), addr, (tag, write), site);
    if found.aside {
        tls::block().note_made(addr, tag, write);
    }
    // Whether it is good for what compiled code compares with is for who leaves to say (`pipeline`).
    state.buffers.put_read_set(found.read_set);
    done as u32
}

/// The first access of an epoch: the thread's tag from now on; 0, and nothing was done, if that takes more than counting. `state` is the thread's,
/// which is inside the runtime.
///
/// # Safety
/// Called by the stubs.
#[unsafe(no_mangle)]
unsafe extern "C" fn goldilocks_quick_epoch(state: *mut ThreadState) -> u32 {
    // SAFETY: the thread's own state, which only it uses, and not elsewhere while it is inside.
    let state = unsafe { &mut *state };
    begin_epoch(tls::block(), state).map_or(0, |tag| tag.0)
}

/// Takes note of the read set that the thread was found in, if it was found in any.
#[inline(always)]
fn meet_set(block: &TlsBlock, state: &mut ThreadState) {
    if let Some(set) = state.buffers.take_read_set() {
        block.meet_set(set);
    }
}

#[inline(always)]
fn begin_epoch(block: &TlsBlock, state: &mut ThreadState) -> Option<Tag> {
    if !multi_threaded() {
        return None;
    }
    let Some(epoch) = runtime().engine.epoch_quick(&mut state.engine) else {
        state.engine.counts.quick_first += 1;
        return None;
    };
    // What follows is as in `pipeline::Scope`'s end.
    let tag = Tag::new(epoch, false, 0xff);
    block.forget_sets();
    block.tag.store(tag.0, Ordering::Relaxed);
    Some(tag)
}

/// Makes an access to at most [`FEW`] bytes of the program's, word by word, by a thread that is inside the runtime and whose present tag this is: whether all is made.
#[inline(always)]
pub fn each_word(
    state: &mut ThreadState,
    (addr, bytes): (u64, u64),
    (tag, write): (Tag, bool),
    site: Site,
) -> bool {
    let (info, tag) = (info_of(bytes, write), tag.0);
    let state = (&raw mut *state).cast();
    // Not by a call of what a register says: the build cannot tell where that leads.
    // SAFETY: the state of the thread itself, which is inside.
    let done = unsafe {
        if write {
            goldilocks_inside_write(addr, info, tag, site, state)
        } else {
            goldilocks_inside_read(addr, info, tag, site, state)
        }
    };
    done == MADE
}

/// As the stubs say it.
fn info_of(bytes: u64, write: bool) -> u32 {
    bytes as u32 | (write as u32) << 8
}

/// As the check stubs do it, the access of a hook that compiled code calls, and which may say how ([`Caller::compiled`]): whether it is made. If not, the long way
/// finds what is left. Only few bytes go this way, word by word.
#[inline]
pub fn by_hook(caller: Caller, range: (u64, u64), write: bool, shape: Shape) -> bool {
    let Caller { pc, context, .. } = caller;
    let (addr, bytes) = range;
    if context == 0 || bytes > FEW {
        return false;
    }
    let info = info_of(bytes, write);
    let few = if write {
        goldilocks_few_write
    } else {
        goldilocks_few_read
    };
    // SAFETY: as below.
    let few = unsafe { few(addr, info, shape, pc, context) };
    few == MADE || few != TAKES_LONG_WAY && by_words(caller, range, write, shape)
}

/// As [`by_hook`], of what its lane has not made.
#[inline]
pub fn by_words(caller: Caller, range: (u64, u64), write: bool, shape: Shape) -> bool {
    let Caller { pc, fp, context } = caller;
    let (addr, bytes) = range;
    stack_probe::probe(tls::block());
    let info = info_of(bytes, write);
    // SAFETY: a hook is called by compiled code, and hands on what that has.
    unsafe { goldilocks_quick_words(addr, info, shape, pc, fp, context) != 0 }
}

unsafe extern "C" {
    /// The lane of hooks, for reads of at most [`FEW`] bytes and at least one: as [`goldilocks_quick_words`], and [`TAKES_LONG_WAY`].
    fn goldilocks_few_read(addr: u64, info: u32, shape: Shape, pc: usize, context: u64) -> u32;
    /// The same for writes.
    fn goldilocks_few_write(addr: u64, info: u32, shape: Shape, pc: usize, context: u64) -> u32;
    /// The same for a thread that is inside the runtime, and has this tag: as [`goldilocks_quick_rest`].
    fn goldilocks_inside_read(
        addr: u64,
        info: u32,
        tag: u32,
        site: Site,
        state: *mut c_void,
    ) -> u32;
    /// The same for writes.
    fn goldilocks_inside_write(
        addr: u64,
        info: u32,
        tag: u32,
        site: Site,
        state: *mut c_void,
    ) -> u32;
}

/// What a lane of the stubs gives: the access is made.
pub const MADE: u32 = 1;
/// Somebody else was at the line, or a signal has come.
pub const TAKES_LONG_WAY: u32 = 2;
/// What the stubs of ranges say instead where there was no lane to try (`stubs/range.s`).
pub const NOT_TRIED: u32 = 3;

/// Whether an access of this shape is made, by compiled code with this position, frame pointer and calling context. 1 if it is, 0 if it is to be made by the long way.
///
/// One for the stubs and for all hooks: what is accessed in turns shares the processor's cache of instructions.
///
/// # Safety
/// The position and the frame pointer are those of compiled code that is below on this stack.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn goldilocks_quick_words(
    addr: u64,
    info: u32,
    shape: Shape,
    pc: usize,
    fp: usize,
    context: u64,
) -> u32 {
    let block = tls::block();
    // Relaxed throughout: the block is this thread's own, see `pipeline::enter`.
    let mut tag = Tag(block.tag.load(Ordering::Relaxed));
    let state = block.thread.load(Ordering::Relaxed);
    // Before threads, or inside the runtime there is something else to do.
    if tag == Tag::NONE || state.is_null() || block.depth.load(Ordering::Relaxed) != 0 {
        return 0;
    }
    // SAFETY: the thread's own state, which only it uses, and not elsewhere while it is inside.
    let state = unsafe { &mut *state };
    let runtime = runtime();
    runtime.shadow.prefetch(addr);
    block.depth.store(1, Ordering::Relaxed);
    compiler_fence(Ordering::SeqCst);
    let open = FREEZE.load(Ordering::Relaxed) == 0
        && !Obstacle::any()
        && !state.ignored.anything()
        && !state.openmp.is_news(addr as usize, state.bounds.low)
        && runtime.shadow.is_application_word(addr)
        && runtime.shadow.is_written(addr);
    if open
        && tag == Tag::NEVER
        && let Some(begun) = begin_epoch(block, state)
    {
        tag = begun;
    }
    let mut done = 0;
    if open && tag != Tag::NEVER {
        match state.known_site(shape, (pc, fp), context) {
            Some(site) => {
                let (range, access) = ((addr, (info & 255) as u64), (tag, info & 256 != 0));
                done = each_word(state, range, access, site) as u32;
            }
            None => state.engine.counts.quick_site += 1,
        }
    }
    meet_set(block, state);
    block.depth.store(0, Ordering::Release);
    // A signal that came meanwhile is delivered by whoever leaves the runtime next: the long way, which finds nothing to do.
    (done != 0 && block.flags.load(Ordering::Relaxed) & SIGNAL_PENDING == 0) as u32
}
