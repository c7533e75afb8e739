//! An acquire load that brings something to the thread, or a relaxed one that brings it to a fence, without the stripe: what it takes is in the object's record,
//! whose lock is enough for that.
//!
//! # Why the value and what is taken fit
//!
//! An operation that changes an atomic holds the stripe from before it is made until its event is in the object's record, and the stripe's count is another
//! one afterwards. (Those that hold no stripe come before the first one that tells something, and where that is in doubt this is not the way: [`super::silent`].
//! Those of another size tell another object, so who finds that there was none looks after the count was read: the next one changes it.) So where the stripe is free, and its count is the same before and after the load, the record tells of all operations up to the one
//! whose value was loaded; and of none that came later, as the record is locked all the while.
//!
//! One that finds itself to be the last one once more ([`super::repeats`]) leaves out its event and its access. From now on it may not: somebody knows of the
//! sync epoch before. That it is not the last one any more is stored after the count was read, and before it is read again: so whoever has not seen it
//! yet holds the stripe by then, or has changed the count.

use super::quick::effect_of;
use super::shared::{ATOMICS, stripe_of};
use super::{Heard, HeardLately, silent};
use crate::atomic_parts;
use crate::state::runtime;
use crate::thread::ThreadState;
use crate::words::Word;
use core::sync::atomic::{Ordering, compiler_fence};
use goldilocks_core::event::{Effect, Entity, Role};

/// Why nothing was taken.
enum NotTaken {
    /// Somebody is at the stripe, or the event is not one of these.
    Open,
    /// The thread has told something that has to be in the list before.
    Untold,
}

/// Loads, and takes what the load brings. What was there, and what was done to the stripe before ([`super::loads::Loads::find`]). `None`, and nothing was taken,
/// if somebody is at the stripe, or if the event is not a simple one.
///
/// # Safety
/// As for [`super::load_again`]. The word's memory is not aliased, and the thread is inside.
#[inline(always)]
pub(super) unsafe fn take<W: Word>(
    thread: &mut ThreadState,
    at: *mut W,
    operation: u32,
    pc: usize,
) -> Option<(W, u64)> {
    // SAFETY: passed on to the caller.
    match unsafe { take_now(thread, at, operation, pc) } {
        Ok(taken) => Some(taken),
        Err(NotTaken::Open) => None,
        // SAFETY: passed on to the caller.
        Err(NotTaken::Untold) => unsafe { tell_and_take(thread, at, operation, pc) },
    }
}

/// # Safety
/// As for [`take`].
#[inline(never)]
unsafe fn tell_and_take<W: Word>(
    thread: &mut ThreadState,
    at: *mut W,
    operation: u32,
    pc: usize,
) -> Option<(W, u64)> {
    // Not while the record is locked, as that locks others.
    runtime().engine.flush(&mut thread.engine);
    // SAFETY: passed on to the caller.
    unsafe { take_now(thread, at, operation, pc) }.ok()
}

/// # Safety
/// As for [`take`].
#[inline(always)]
unsafe fn take_now<W: Word>(
    thread: &mut ThreadState,
    at: *mut W,
    operation: u32,
    pc: usize,
) -> Result<(W, u64), NotTaken> {
    let addr = at as u64;
    let effect = effect_of(operation);
    if effect.0 & !(Effect::ACQUIRE.0 | Effect::ACQUIRE_RELAXED.0) != 0 {
        return Err(NotTaken::Open);
    }
    let index = stripe_of(addr);
    let shared = &ATOMICS[index];
    let object = Entity::object(addr, Role::Object);
    let engine = &runtime().engine;
    let count = shared.stripe.if_free().ok_or(NotTaken::Open)?;
    // The first operation of another size gives what it releases to another object, and is not there yet, or changes the count.
    if !atomic_parts::are_alike((addr, size_of::<W>() as u64)) || silent::is_in_doubt(index) {
        return Err(NotTaken::Open);
    }
    // Relaxed: `last` by the lock below, which is a full barrier on this processor; the others may be older than they are, which is to know less.
    if shared.last.load(Ordering::Relaxed) != 0 {
        shared.last.store(0, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
    }
    let mut section = engine.section(object, true);
    let disturbed = shared.disturbed.load(Ordering::Relaxed);
    let mut news = 0;
    let value = shared.stripe.load(count, || {
        news = shared.news.load(Ordering::Relaxed);
        // SAFETY: passed on to the caller.
        unsafe { W::load(at) }
    });
    let value = value.ok_or(NotTaken::Open)?;
    if !section.acquire_shortly(&mut thread.engine, effect, pc as u64) {
        return Err(NotTaken::Untold);
    }
    shared.keep_if_still(addr, count, || section.holds());
    drop(section);
    let heard = Heard {
        addr,
        news: news.wrapping_add(disturbed),
        incarnation: thread.engine.incarnation(),
        done: Heard::parts(effect),
    };
    let place = &mut thread.heard.0[HeardLately::place(index, addr)];
    let done = heard.done | place.since(&heard);
    *place = Heard { done, ..heard };
    Ok((value, count.wrapping_add(disturbed)))
}
