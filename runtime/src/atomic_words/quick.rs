//! The short way of an atomic operation by compiled code that changes something: as [`super::took_effect`], and entering and leaving the runtime with
//! it, where nothing about the thread, the address or the operation is special. Most operations of programs that use atomics much are
//! such ones, and what the long way asks for each of them is most of what they cost.

use super::shared::stripe_of;
use super::{ATOMICS, Heard, HeardLately, SUCCESS, has_nothing, repeats, silent};
use crate::atomic_parts;
use crate::caller::Caller;
use crate::library_locks;
use crate::openmp;
use crate::phases;
use crate::pipeline::{Scope, left};
use crate::sites::Shape;
use crate::stack_probe;
use crate::state::{FREEZE, Obstacle, runtime};
use crate::sweep;
use crate::sync_bits;
use crate::thread::ThreadState;
use crate::tls::{IN_HANDLER, SIGNAL_PENDING, TlsBlock};
use crate::waiting::ANEW;
use core::sync::atomic::{Ordering, compiler_fence};
use goldilocks_core::abi::{AtomicOp, Order};
use goldilocks_core::atomics;
use goldilocks_core::epoch::EpochId;
use goldilocks_core::event::{Access, Effect, Entity, Role};
use goldilocks_core::tag::Tag;

/// The effect of a successful operation, by its kind and order ([`AtomicOp::pack`]).
static EFFECTS: [Effect; 64] = {
    let mut effects = [Effect(0); 64];
    let mut at = 0;
    while at < 64 {
        let bits = (at as u32 & 3) << 8 | (at as u32 >> 2) << 12;
        effects[at] = atomics::effect(AtomicOp::unpack(bits), true);
        at += 1;
    }
    effects
};

/// Bits of an operation that [`AtomicOp::pack`] gives; the others say how the value changes.
const PACKED: u32 = (1 << 20) - 1;

/// Enters the runtime for one operation of the thread's; `None`, and it has not entered, if that takes more than a few looks.
#[inline(always)]
pub fn enter(block: &'static TlsBlock, pc: usize) -> Option<*mut ThreadState> {
    // Relaxed throughout: the block is this thread's own, see `pipeline::enter`.
    let state = block.lane.load(Ordering::Relaxed);
    if phases::is_alone() || state.is_null() || block.depth.load(Ordering::Relaxed) != 0 {
        return None;
    }
    stack_probe::probe(block);
    block.depth.store(1, Ordering::Relaxed);
    // A signal handler of this thread's sees that it is inside.
    compiler_fence(Ordering::SeqCst);
    if FREEZE.load(Ordering::Relaxed) == 0 && !Obstacle::any() && !openmp::is_runtime(pc) {
        return Some(state);
    }
    block.depth.store(0, Ordering::Release);
    None
}

/// As [`enter`], for an operation at `addr` that may change something; neither if what it may tell has to wait for others ([`silent::speaks`]).
#[inline(always)]
pub fn enter_to_change(
    block: &'static TlsBlock,
    pc: usize,
    addr: u64,
    operation: u32,
) -> Option<*mut ThreadState> {
    let state = enter(block, pc)?;
    let stripe = stripe_of(addr);
    // SAFETY: just entered.
    let waits = !silent::is_heard(stripe)
        && (unsafe { may_speak(&*state, operation) } || silent::is_in_doubt(stripe));
    if waits {
        block.depth.store(0, Ordering::Release);
        return None;
    }
    Some(state)
}

/// Leaves the runtime after an operation for which nothing but these ways was needed.
#[inline(always)]
pub fn leave(block: &'static TlsBlock, thread: &ThreadState, caller: Caller) {
    // As in `Scope`'s end.
    let tag = thread.tag().0;
    if tag != block.tag.load(Ordering::Relaxed) {
        block.forget_sets();
        block.tag.store(tag, Ordering::Relaxed);
    }
    leave_unchanged(block, caller);
}

/// The tag of an atomic access to some bytes of a word.
#[inline(always)]
pub fn made_tag((addr, bytes): (u64, u64), epoch: EpochId) -> Tag {
    Tag::new(epoch, true, (((1u32 << bytes) - 1) << (addr & 7)) as u8)
}

/// Whether what a thread's operation stores, if it does, may tell something.
#[inline(always)]
pub fn may_speak(thread: &ThreadState, operation: u32) -> bool {
    let effect = effect_of(operation);
    effect.has(Effect::RELEASE) || thread.engine.has_release_fence()
}

/// The effect of a load, or of an operation that succeeds.
#[inline(always)]
pub(super) fn effect_of(operation: u32) -> Effect {
    EFFECTS[kind_and_order(operation)]
}

#[inline(always)]
fn kind_and_order(operation: u32) -> usize {
    (operation >> 8 & 3 | (operation >> 12 & 15) << 2) as usize % EFFECTS.len()
}

/// The orders of an operation, as [`AtomicOp::pack`] gives them.
const ORDERS: u32 = 255 << 12;

/// Whether an operation by itself orders something.
#[inline(always)]
pub fn is_ordered(operation: u32) -> bool {
    const { assert!(Order::Relaxed as u32 == 0) };
    operation & ORDERS != 0
}

/// Whether an operation tells nothing and takes nothing, and is checked as an access to one word is, which is all there is to do ([`silent`]).
///
/// # Safety
/// `state` is what [`enter`] has given, and nobody has left since.
#[inline(always)]
pub unsafe fn needs_no_stripe(
    state: *mut ThreadState,
    stripe: usize,
    range: (u64, u64),
    operation: u32,
) -> bool {
    // SAFETY: passed on to the caller.
    let has_fence = unsafe { &*state }.engine.has_release_fence();
    // SAFETY: as above.
    !is_ordered(operation)
        && !has_fence
        && silent::is_silent(stripe)
        && unsafe { is_plain(state, range) }
}

/// Whether the access of an operation is checked as one to one word is, and all operations on it are alike.
///
/// # Safety
/// As for [`needs_no_stripe`].
#[inline(always)]
pub unsafe fn is_plain(state: *mut ThreadState, range: (u64, u64)) -> bool {
    let (addr, bytes) = range;
    // SAFETY: passed on to the caller.
    let thread = unsafe { &*state };
    (addr & 7) + bytes <= 8
        && !thread.openmp.is_news(addr as usize, thread.bounds.low)
        && runtime().shadow.is_application_word(addr)
        && atomic_parts::are_alike(range)
}

/// SC0 of an atomic access to bytes of one word of the program's memory: whether the cell, or what the thread remembers by itself, says that the thread, which
/// is inside, has made it in its present epoch. No does not mean that it has not.
#[inline(always)]
pub fn is_made(block: &TlsBlock, (addr, bytes): (u64, u64), write: bool) -> bool {
    // Relaxed: the thread's own. A thread without an epoch has a tag that no cell holds, be it an atomic access's or not.
    let epoch = Tag(block.tag.load(Ordering::Relaxed)).epoch();
    let detector = runtime().detector();
    detector.has_made((addr, bytes), (epoch, true), write)
        || block.has_made(addr, made_tag((addr, bytes), epoch), write)
}

/// The thread, which is inside, has made an atomic access: it remembers that by itself if the cell does not say so.
#[inline(always)]
pub fn note_made(block: &TlsBlock, range: (u64, u64), epoch: EpochId, write: bool) {
    if !runtime().detector().has_made(range, (epoch, true), write) {
        block.note_made(range.0, made_tag(range, epoch), write);
    }
}

/// Leaves the runtime after an operation that [needs no stripe](needs_no_stripe), and whose access [is made](is_made).
#[inline(always)]
pub fn leave_unchanged(block: &'static TlsBlock, caller: Caller) {
    block.depth.store(0, Ordering::Release);
    if block.flags.load(Ordering::Relaxed) & (SIGNAL_PENDING | IN_HANDLER) != 0 {
        left(block, caller, "");
    }
}

/// Checks the access of an operation that [needs no stripe](needs_no_stripe), or of a load that [needs none](super::quick_load::load_alone), and leaves the runtime. It has just been made,
/// and was a load if it has not succeeded.
///
/// # Safety
/// As for [`needs_no_stripe`].
#[inline(never)]
pub unsafe fn took_effect_alone(
    block: &'static TlsBlock,
    state: *mut ThreadState,
    range: (u64, u64),
    success: bool,
    caller: Caller,
) {
    // SAFETY: passed on to the caller.
    let thread = unsafe { &mut *state };
    let runtime = runtime();
    let errno = thread.errno;
    // SAFETY: the thread's own, as below.
    let errno_before = unsafe { *errno };
    let mut made = || {
        let detector = runtime.detector();
        let shape = Shape::of(range.0, range.1);
        let Some(site) = thread.known_site(shape, (caller.pc, caller.fp), caller.context) else {
            return false;
        };
        let (engine, buffers) = (&mut thread.engine, &thread.buffers);
        let epoch = runtime.engine.epoch_quick(engine);
        epoch.is_some_and(|epoch| {
            let made = detector.atomic_quick(engine, buffers, range, (epoch, success), site);
            if made {
                note_made(block, range, epoch, success);
            }
            made
        })
    };
    if made() {
        leave(block, thread, caller);
    } else if let Some(mut scope) = Scope::resume(caller) {
        let access = if success {
            Access::AtomicWrite
        } else {
            Access::AtomicRead
        };
        scope.access(range, access, Shape::of(range.0, range.1));
        sweep::if_spent(&mut scope.thread().engine);
    }
    // SAFETY: as above.
    unsafe { *errno = errno_before };
    // SAFETY: in memory that stays as long as the thread.
    let waiting = unsafe { &(*state).waiting };
    if success {
        block.did();
        waiting.went_on(range.0);
    } else if waiting.looked(range.0, ANEW) {
        waiting.give_way(range.0);
    }
}

/// The event of an operation that has just taken effect and may have changed its atomic, with its stripe held; then gives back the stripe, and leaves the
/// runtime. False, and nothing was done, if it has to go the long way.
///
/// # Safety
/// `state` is what [`enter`] has given, and nobody has left since.
#[inline(always)]
pub unsafe fn took_effect(
    block: &'static TlsBlock,
    state: *mut ThreadState,
    index: usize,
    range: (u64, u64),
    operation: u32,
    caller: Caller,
) -> bool {
    let effect = effect_of(operation);
    let how = (operation & PACKED | SUCCESS, effect);
    // SAFETY: passed on to the caller.
    unsafe {
        if effect.has(Effect::RELEASE) {
            took_effect_as::<true>(block, state, index, range, how, caller)
        } else {
            took_effect_as::<false>(block, state, index, range, how, caller)
        }
    }
}

/// As [`took_effect`], of an operation of this kind, which releases something by itself or not: in each of the two ways are fewer questions than in both.
///
/// # Safety
/// As for that.
#[inline(never)]
unsafe fn took_effect_as<const RELEASES: bool>(
    block: &'static TlsBlock,
    state: *mut ThreadState,
    index: usize,
    range: (u64, u64),
    (packed, effect): (u32, Effect),
    caller: Caller,
) -> bool {
    let (addr, bytes) = range;
    // SAFETY: the thread's own state, which only it uses, and not elsewhere while it is inside.
    let thread = unsafe { &mut *state };
    let runtime = runtime();
    let is_simple = (addr & 7) + bytes <= 8
        && !thread.openmp.is_news(addr as usize, thread.bounds.low)
        && runtime.shadow.is_application_word(addr)
        && atomic_parts::are_alike_from_now(range)
        && library_locks::gives_more(addr).is_none();
    if !is_simple {
        return false;
    }
    let pc = caller.pc;
    let releases = RELEASES;
    // Without a release fence, a relaxed store tells nothing.
    let tells_fence =
        !releases && effect.has(Effect::RELEASE_RELAXED) && thread.engine.has_release_fence();
    let shared = &ATOMICS[index];
    let object = Entity::object(addr, Role::Object);
    let (mut sink, mut source) = (effect.sink_part(), effect.source_part());
    if !tells_fence {
        source = Effect(source.0 & !Effect::RELEASE_RELAXED.0);
    }
    // Relaxed, all of it: as in the long way.
    let just_released = releases && thread.engine.has_just_released(object);
    let last = shared.last.load(Ordering::Relaxed);
    let news = shared.news.load(Ordering::Relaxed);
    let heard = Heard {
        addr,
        news: news.wrapping_add(shared.disturbed.load(Ordering::Relaxed)),
        incarnation: thread.engine.incarnation(),
        done: Heard::parts(effect),
    };
    let place = HeardLately::place(index, addr);
    // Of the parts of one that releases nothing, those that were made since there was news.
    let before = if releases {
        0
    } else if has_nothing(effect, tells_fence, addr) {
        heard.done
    } else {
        thread.heard.0[place].since(&heard)
    };
    let says_nothing = if releases {
        just_released && repeats(&thread.latest, last, (addr, packed))
    } else {
        !tells_fence
            && last == 0
            && before & heard.done == heard.done
            && thread.engine.epoch().is_some_and(|epoch| {
                let detector = runtime.detector();
                detector.has_made_atomic(&thread.engine, range, epoch, true)
            })
    };
    // SAFETY: the thread's own errno.
    let errno = unsafe { *thread.errno };
    let mut has_gone_long = false;
    if !says_nothing {
        let Some(site) = thread.known_site(Shape::of(addr, bytes), (pc, caller.fp), caller.context)
        else {
            return false;
        };
        if releases {
            shared.news.store(news + 1, Ordering::Relaxed);
            if just_released {
                // Nobody takes what was released before this releases it again.
                sink = sink.with(Effect::ALONE);
            }
            let number = thread.latest.next(thread.serial, (addr, packed));
            shared.turn_to(addr);
            shared.last.store(number, Ordering::Relaxed);
            thread.heard.0[place] = Heard {
                news: heard.news.wrapping_add(1),
                done: heard.done & !Effect::CLEAR.0,
                ..heard
            };
        } else {
            if last != 0 {
                shared.last.store(0, Ordering::Relaxed);
            }
            let brings_nothing = before & heard.done == heard.done;
            if tells_fence {
                shared.news.store(news + 1, Ordering::Relaxed);
                if brings_nothing {
                    sink = Effect(0);
                }
                thread.heard.0[place] = Heard {
                    news: heard.news.wrapping_add(1),
                    done: heard.done & !Effect::CLEAR.0,
                    ..heard
                };
            } else if brings_nothing {
                (sink, source) = (Effect(0), Effect(0));
            } else {
                let done = heard.done | before;
                thread.heard.0[place] = Heard { done, ..heard };
            }
        }
        let access = |thread: &mut ThreadState| {
            // Nothing was made yet in an epoch that begins here.
            let begins = thread.engine.epoch().is_none();
            let Some(epoch) = runtime.engine.epoch_quick(&mut thread.engine) else {
                return false;
            };
            let (thread, buffers) = (&mut thread.engine, &thread.buffers);
            let detector = runtime.detector();
            !begins && detector.has_made(range, (epoch, true), true)
                || detector.atomic_quick(thread, buffers, range, (epoch, true), site)
        };
        let mut access_long = || {
            has_gone_long = true;
            if let Some(mut scope) = Scope::resume(caller) {
                scope.access(range, Access::AtomicWrite, Shape::of(addr, bytes));
                core::mem::forget(scope);
            }
        };
        if sink.0 | source.0 == 0 {
            if !access(thread) {
                access_long();
            }
        } else {
            sync_bits::mark(object);
            let engine = &runtime.engine;
            let mut section = engine.section(object, true);
            if source.0 == 0 {
                section.event(&mut thread.engine, sink, pc as u64);
            } else if sink.0 != 0 {
                section.first_event(&mut thread.engine, sink, pc as u64);
            }
            if !access(thread) {
                section.append_taken(&mut thread.engine, pc as u64);
                drop(section);
                access_long();
                section = engine.section(object, true);
            }
            // SAFETY: as above; the long way may have used it in between.
            let thread = unsafe { &mut *state };
            if source.0 != 0 {
                section.event(&mut thread.engine, source, pc as u64);
            }
            if source.0 != 0 {
                shared.keep(addr, section.holds());
            }
        }
    }
    // SAFETY: as above.
    let thread = unsafe { &mut *state };
    shared.stripe.unlock(true);
    runtime.engine.bound(&mut thread.engine);
    block.did();
    thread.waiting.went_on(addr);
    // SAFETY: the thread's own errno.
    unsafe { *thread.errno = errno };
    if has_gone_long {
        sweep::if_spent(&mut thread.engine);
        drop(Scope::resume(caller));
        return true;
    }
    leave(block, thread, caller);
    true
}
