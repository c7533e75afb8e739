//! The short way of an atomic load by compiled code: as [`super::load_with_event`], and entering and leaving the runtime with it, where nothing about the
//! thread or the address is special.

use super::quick::{
    enter, is_made, is_plain, leave, leave_unchanged, made_tag, note_made, took_effect_alone,
};
use super::shared::{ATOMICS, stripe_of};
use super::{Load, SUCCESS, news, silent, value_without_news};
use crate::atomic_parts;
use crate::caller::Caller;
use crate::library_locks;
use crate::pipeline::Scope;
use crate::sites::Shape;
use crate::state::{multi_threaded, runtime};
use crate::sweep;
use crate::sync_bits;
use crate::thread::ThreadState;
use crate::tls;
use crate::waiting::{AGAIN, ANEW, OF_NEWS};
use crate::words::Word;
use core::sync::atomic::Ordering;
use goldilocks_core::event::Access;

/// A load of what has never told anybody anything ([`silent`], [`sync_bits`]): there is nothing to take, and the access is to be checked. `None`, and nothing was done,
/// if it may be another one.
///
/// # Safety
/// As for [`super::load_again`].
#[inline(always)]
pub unsafe fn load_alone<W: Word>(at: *mut W, caller: Caller) -> Option<W> {
    let range = (at as u64, size_of::<W>() as u64);
    let block = tls::block();
    // If the address faults, let it fault here, outside of the runtime.
    // SAFETY: the program asked for an access to it.
    unsafe { at.cast::<u8>().read_volatile() };
    let state = enter(block, caller.pc)?;
    let is_made = is_made(block, range, false);
    // What is made and silent needs no more questions: it is checked, and whatever operations there are, none of them tells anything.
    let is_known = is_made && silent::is_silent(stripe_of(range.0));
    // SAFETY: just entered.
    let found = if is_known || unsafe { is_plain(state, range) } {
        // SAFETY: passed on to the caller.
        unsafe { value_alone(at) }
    } else {
        None
    };
    let Some(value) = found else {
        block.depth.store(0, Ordering::Release);
        return None;
    };
    if is_made {
        // SAFETY: just entered; its memory stays as long as the thread.
        let waiting = unsafe { &(*state).waiting };
        let is_long = waiting.looked(range.0, AGAIN);
        leave_unchanged(block, caller);
        if is_long {
            waiting.give_way(range.0);
        }
    } else {
        // SAFETY: just entered.
        unsafe { took_effect_alone(block, state, range, false, caller) };
    }
    Some(value)
}

/// What is there, if nothing was ever released there. The caller is inside, all operations on it are alike or its stripe is silent, and its memory is not aliased.
///
/// # Safety
/// As for [`super::load_again`].
#[inline(always)]
unsafe fn value_alone<W: Word>(at: *mut W) -> Option<W> {
    let index = stripe_of(at as u64);
    // SAFETY: passed on to the caller.
    let value = unsafe { W::load(at) };
    // Looked at afterwards, as the mark: whatever releases something that is no atomic operation sets both before.
    if silent::is_silent(index) {
        return Some(value);
    }
    let stripe = &ATOMICS[index].stripe;
    let mut is_marked = false;
    // An atomic operation that releases something holds the stripe from before that until the mark is there.
    let value = stripe.load(stripe.count(), || {
        // SAFETY: passed on to the caller.
        let value = unsafe { W::load(at) };
        is_marked = sync_bits::is_marked(at as u64);
        value
    });
    value.filter(|_| !is_marked)
}

/// As [`super::load_with_event`], of what brings nothing to the thread, or something that is simple to take ([`news`]). `None`, and nothing was done, if it has
/// to go the long way.
///
/// # Safety
/// As for [`super::load_again`].
#[inline(never)]
pub unsafe fn load<W: Word>(at: *mut W, operation: u32, caller: Caller) -> Option<W> {
    let range = (at as u64, size_of::<W>() as u64);
    let (addr, bytes) = range;
    let block = tls::block();
    if !multi_threaded() {
        return None;
    }
    // If the address faults, let it fault here, outside of the runtime.
    // SAFETY: the program asked for an access to it.
    unsafe { at.cast::<u8>().read_volatile() };
    let state = enter(block, caller.pc)?;
    // SAFETY: the thread's own state, which only it uses, and not elsewhere while it is inside.
    let thread = unsafe { &mut *state };
    let runtime = runtime();
    let is_simple = (addr & 7) + bytes <= 8
        && !thread.openmp.is_news(addr as usize, thread.bounds.low)
        && runtime.shadow.is_application_word(addr)
        && atomic_parts::are_alike(range)
        && library_locks::gives_more(addr).is_none();
    // SAFETY: the thread's own errno.
    let errno = unsafe { *thread.errno };
    let (mut has_gone_long, mut has_taken) = (false, false);
    let mut made = || {
        if !is_simple {
            return None;
        }
        ATOMICS[stripe_of(addr)].stripe.wait_shortly();
        let site = |thread: &mut ThreadState| {
            let shape = Shape::of(addr, bytes);
            thread.known_site(shape, (caller.pc, caller.fp), caller.context)
        };
        // SAFETY: passed on to the caller.
        let found = unsafe { value_without_news(thread, at, operation) };
        let mut known = None;
        let (value, changes) = match found {
            Some(found) => found,
            None => {
                // Once it is taken, there is no way back.
                known = Some(site(thread)?);
                runtime.engine.epoch_quick(&mut thread.engine)?;
                // SAFETY: passed on to the caller.
                let (value, changes) = unsafe { news::take(thread, at, operation, caller.pc) }?;
                has_taken = true;
                (value, Some(changes))
            }
        };
        let epoch = runtime.engine.epoch_quick(&mut thread.engine)?;
        let detector = runtime.detector();
        let made = made_tag(range, epoch);
        if !detector.has_made_atomic(&thread.engine, range, epoch, false)
            && !block.has_made(addr, made, false)
        {
            let site = match known {
                Some(site) => site,
                None => site(thread)?,
            };
            let (engine, buffers) = (&mut thread.engine, &thread.buffers);
            if detector.atomic_quick(engine, buffers, range, (epoch, false), site) {
                note_made(block, range, epoch, false);
            } else if found.is_some() {
                return None;
            } else {
                has_gone_long = true;
                if let Some(mut scope) = Scope::resume(caller) {
                    scope.access(range, Access::AtomicRead, Shape::of(addr, bytes));
                    core::mem::forget(scope);
                }
                // SAFETY: as above; the long way has used it in between.
                let thread = unsafe { &mut *state };
                runtime.engine.bound(&mut thread.engine);
                return Some(value);
            }
        }
        if found.is_none() {
            runtime.engine.bound(&mut thread.engine);
        }
        let Some(changes) = changes else {
            // The next one is found without it.
            return Some(value);
        };
        let load = Load::now(&thread.engine, addr, operation | SUCCESS);
        thread.loads.note(load, changes);
        Some(value)
    };
    let value = made();
    // SAFETY: as above.
    let thread = unsafe { &mut *state };
    let cost = if has_taken { OF_NEWS } else { ANEW };
    let is_long = value.is_some() && thread.waiting.looked(addr, cost);
    // SAFETY: the thread's own errno.
    unsafe { *thread.errno = errno };
    if has_gone_long {
        sweep::if_spent(&mut thread.engine);
        drop(Scope::resume(caller));
    } else {
        leave(block, thread, caller);
    }
    if is_long {
        // SAFETY: in memory that stays as long as the thread.
        unsafe { &(*state).waiting }.give_way(addr);
    }
    value
}
