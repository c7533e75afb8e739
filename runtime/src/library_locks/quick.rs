//! The short way of taking a lock or giving it, and entering and leaving the runtime with it, where nothing about the thread or the lock is special: as that of atomics
//! (`atomic_words::quick`), whose looks at the thread these are.

use super::note;
use crate::atomic_words::{self, quick};
use crate::caller::Caller;
use crate::pipeline::Scope;
use crate::sites::Shape;
use crate::state::{multi_threaded, runtime};
use crate::sweep;
use crate::sync_bits;
use crate::thread::ThreadState;
use crate::tls::{self, TlsBlock};
use goldilocks_core::event::{Access, Effect, Entity};
use goldilocks_core::lock_word::{Change, WordKind};

/// As [`super::happens`]; false, and nothing was done, if it has to go the long way.
#[inline(always)]
pub fn happens(
    lock: u64,
    events: [(Effect, Entity); 2],
    access: Access,
    change: (WordKind, Change),
    caller: Caller,
) -> bool {
    let block = tls::block();
    if !multi_threaded() {
        return false;
    }
    let Some(state) = quick::enter(block, caller.pc) else {
        return false;
    };
    // SAFETY: the thread's own state, which only it uses, and not elsewhere while it is inside.
    let thread = unsafe { &mut *state };
    let is_simple = !thread.openmp.is_news(lock as usize, thread.bounds.low)
        && runtime().shadow.is_application_word(lock);
    if !is_simple {
        quick::leave(block, thread, caller);
        return false;
    }
    // SAFETY: the thread's own errno.
    let errno = unsafe { *thread.errno };
    let tells = events[0].0.has(Effect::RELEASE);
    let mut has_gone_long = tells && !accesses(block, thread, (lock, access), caller);
    if !tells {
        atomic_words::wait_for_event(lock);
    }
    for (effect, object) in events {
        if effect.0 != 0 {
            event(thread, effect, object, caller.pc);
        }
    }
    atomic_words::disturb_at(lock);
    if !tells {
        has_gone_long = !accesses(block, thread, (lock, access), caller);
    }
    note(thread, change, lock, caller.pc);
    // SAFETY: the thread's own errno.
    unsafe { *thread.errno = errno };
    if has_gone_long {
        sweep::if_spent(&mut thread.engine);
        drop(Scope::resume(caller));
    } else {
        quick::leave(block, thread, caller);
    }
    true
}

/// As [`Scope::sync_private`].
#[inline(always)]
fn event(thread: &mut ThreadState, effect: Effect, object: Entity, pc: usize) {
    sync_bits::mark(object);
    if effect.has(Effect::RELEASE) {
        atomic_words::is_released_to(object);
    }
    let engine = &runtime().engine;
    let mut section = engine.section(object, false);
    section.event(&mut thread.engine, effect, pc as u64);
    section.end(&mut thread.engine);
    let _ = thread.buffers.take_read_set();
}

/// Checks an access to the word of a lock. Whether that was done by the short way.
#[inline(always)]
fn accesses(
    block: &'static TlsBlock,
    thread: &mut ThreadState,
    (lock, access): (u64, Access),
    caller: Caller,
) -> bool {
    let (range, write) = ((lock, 4), access.is_write());
    let runtime = runtime();
    let detector = runtime.detector();
    if let Some(epoch) = thread.engine.epoch()
        && (block.has_made(lock, quick::made_tag(range, epoch), write)
            || detector.has_made_atomic(&thread.engine, range, epoch, write))
    {
        return true;
    }
    let mut shortly = || {
        let shape = Shape::of(lock, 4);
        let site = thread.known_site(shape, (caller.pc, caller.fp), caller.context)?;
        let epoch = runtime.engine.epoch_quick(&mut thread.engine)?;
        let (engine, buffers) = (&mut thread.engine, &thread.buffers);
        let made = detector.atomic_quick(engine, buffers, range, (epoch, write), site);
        made.then(|| quick::note_made(block, range, epoch, write))
    };
    if shortly().is_some() {
        return true;
    }
    if let Some(mut scope) = Scope::resume(caller) {
        scope.access(range, access, Shape::of(lock, 4));
        core::mem::forget(scope);
    }
    false
}
