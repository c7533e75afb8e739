//! Locks that libraries make of atomics, as the pass has found them (`pass/src/library_locks.rs`): who holds which, and what they order.
//!
//! Of some the pass has found each operation on their word. Those are mutexes and rwlocks to the engine as the ones of pthreads are, which costs less than what the
//! atomics would say: who takes a lock takes what was released by those who had it before, but for readers, whom no lock orders among themselves; and an attempt that
//! fails takes nothing. An operation on such a word that was not found, as in a function of the library's that takes a closure and was not inlined, is the atomic that it is. Both use the
//! same sync object; what readers give apart from it, an atomic takes as well ([`gives_more`]); and as the event of an atomic comes after its effect, who takes a
//! lock waits for it.
//!
//! Of others the pass has found the methods alone. These order nothing here: that their atomics do. So nothing but a report is wrong where a lock goes ways that are
//! not seen.

use crate::aliases;
use crate::atomic_words;
use crate::caller;
use crate::caller::Caller;
use crate::interceptors::contended;
use crate::phases;
use crate::pipeline::enter;
use crate::state::multi_threaded;
use crate::sync_bits;
use crate::thread::ThreadState;
use crate::words::Word;
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};
use goldilocks_core::abi::{self, AtomicOp};
use goldilocks_core::event::{Access, Effect, Entity, Role};
use goldilocks_core::lock_word::{Change, WRITER, WordKind, change, given};

mod quick;

/// Whether a thread has given back a lock that it was not seen to take. Then others may be said to hold locks that they do not.
static WANDER: AtomicBool = AtomicBool::new(false);

/// Whether there are objects of readers beside those of atomics.
static HAS_READERS: AtomicBool = AtomicBool::new(false);

/// What writers release, or all holders of a mutex.
fn object(lock: u64) -> Entity {
    Entity::object(lock, Role::Object)
}

/// What readers release.
fn readers(lock: u64) -> Entity {
    Entity::object(lock, Role::Readers)
}

/// No event.
const NOTHING: (Effect, Entity) = (Effect(0), Entity::NONE);

/// What else is released to the atomic at this address, for who has acquired it by an operation that is not known to be a lock's: what readers have released,
/// if it was taken for writing, as its value says until it is given back.
#[inline(always)]
pub fn gives_more(addr: u64) -> Option<Entity> {
    // Relaxed: who has released something there comes before, or is not taken from.
    if !HAS_READERS.load(Ordering::Relaxed) {
        return None;
    }
    more_of_readers(addr)
}

#[cold]
fn more_of_readers(addr: u64) -> Option<Entity> {
    if !addr.is_multiple_of(4) || !sync_bits::is_unusual(aliases::home(addr)) {
        return None;
    }
    // SAFETY: the program has just used it.
    let value = unsafe { u32::load(core::ptr::with_exposed_provenance_mut(addr as usize)) };
    (value & WRITER == WRITER).then(|| readers(addr))
}

/// A read-modify-write of the word of a lock; the value before. `None`, and nothing is done, if it is to be an atomic like others.
///
/// # Safety
/// `at` is an aligned word of the program's.
unsafe fn update(
    at: *mut u32,
    operand: u32,
    (operation, kind): (u32, WordKind),
    caller: Caller,
) -> Option<u32> {
    let arithmetic = abi::Change::of(operation);
    let gives = if AtomicOp::unpack(operation).order.releases() {
        Some(given(kind, arithmetic, operand)?)
    } else {
        None
    };
    // If the address faults, let it fault here, outside of the runtime.
    // SAFETY: the program asked for an access to it.
    unsafe { at.cast::<u8>().read_volatile() };
    if let Some(gives) = gives {
        let shared = matches!(gives, Change::Give { shared: true });
        if shared {
            HAS_READERS.store(true, Ordering::Relaxed);
        }
        let released = if shared { readers } else { object };
        let events = [(Effect::RELEASE, released(at as u64)), NOTHING];
        happens(
            at as u64,
            events,
            Access::AtomicWrite,
            (kind, gives),
            caller,
        );
    }
    // SAFETY: passed on to the caller.
    let before = unsafe { u32::change(at, arithmetic, operand) };
    if gives.is_none() {
        let after = before.changed(arithmetic, operand);
        has_become(at, kind, (before, after), Access::AtomicWrite, caller);
    }
    Some(before)
}

/// A compare-exchange of the word of a lock; the value before. `None`, and nothing is done, if it is to be an atomic like others.
///
/// # Safety
/// As for [`update`].
unsafe fn compare_exchange(
    at: *mut u32,
    (expected, desired): (u32, u32),
    (operation, kind): (u32, WordKind),
    caller: Caller,
) -> Option<u32> {
    if AtomicOp::unpack(operation).order.releases() {
        return None;
    }
    // SAFETY: passed on to the caller.
    let before = unsafe { u32::compare_exchange(at, expected, desired) };
    let (after, access) = if before == expected {
        (desired, Access::AtomicWrite)
    } else {
        (before, Access::AtomicRead)
    };
    has_become(at, kind, (before, after), access, caller);
    Some(before)
}

/// A load of the word of a lock, by who may try to take it next.
///
/// # Safety
/// As for [`update`].
unsafe fn load(at: *mut u32, caller: Caller) -> u32 {
    // SAFETY: passed on to the caller.
    let value = unsafe { u32::load(at) };
    // Of a lock that is free, what follows is an attempt to take it, which is looked at.
    if value != 0
        && multi_threaded()
        && !phases::may_ignore(at as u64)
        && let Some(mut scope) = enter(caller)
    {
        scope.atomic_access((at as u64, 4), Access::AtomicRead);
    }
    value
}

/// The running thread takes a lock or gives it: what that tells or brings it, the access to its word, and that it is held or not. What it brings comes before the
/// access, what it tells afterwards.
fn happens(
    lock: u64,
    events: [(Effect, Entity); 2],
    access: Access,
    change: (WordKind, Change),
    caller: Caller,
) {
    if quick::happens(lock, events, access, change, caller) {
        return;
    }
    let Some(mut scope) = enter(caller) else {
        return;
    };
    let tells = events[0].0.has(Effect::RELEASE);
    if tells {
        scope.atomic_access((lock, 4), access);
    } else {
        atomic_words::wait_for_event(aliases::home(lock));
    }
    for (effect, object) in events {
        scope.sync_private(effect, object);
    }
    atomic_words::disturb_at(aliases::home(lock));
    if !tells {
        scope.atomic_access((lock, 4), access);
    }
    let home = aliases::home(lock);
    note(scope.thread(), change, home, caller.pc);
}

/// The word of a lock was changed by something that releases nothing, or was only looked at.
#[inline(always)]
fn has_become(
    at: *mut u32,
    kind: WordKind,
    (before, after): (u32, u32),
    access: Access,
    caller: Caller,
) {
    let lock = at as u64;
    let change = change(kind, before, after);
    match (kind, change) {
        (_, None) => {
            if let Some(mut scope) = enter(caller) {
                scope.atomic_access((lock, 4), access);
            }
        }
        (_, Some(change)) => {
            let alone = Effect::ACQUIRE.with(Effect::ALONE);
            let events = match (kind, change) {
                (_, Change::Give { .. } | Change::Downgrade) => [NOTHING, NOTHING],
                (WordKind::Mutex, _) => [(alone, object(lock)), NOTHING],
                // What readers release only writers acquire, and none of them comes in now.
                (WordKind::Rwlock, Change::Take { shared: true }) => [
                    (Effect::ACQUIRE, object(lock)),
                    (Effect::ALONE, readers(lock)),
                ],
                (WordKind::Rwlock, _) => [(alone, object(lock)), (Effect::ACQUIRE, readers(lock))],
            };
            happens(lock, events, access, (kind, change), caller);
        }
    }
    if multi_threaded() {
        match change {
            Some(_) => contended::has_got(lock),
            None => contended::has_tried(lock, false),
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_lock_load(at: *mut u32, _operation: u32) -> u64 {
    let caller = caller!().compiled();
    // SAFETY: the program's load, of an aligned word.
    unsafe { load(at, caller) }.into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_lock_update(
    at: *mut u32,
    operand: u64,
    operation: u32,
) -> u64 {
    let caller = caller!().compiled();
    let operand = operand as u32;
    let kind = WordKind::of(operation);
    // SAFETY: the program's operation, on an aligned word.
    let before = kind.and_then(|kind| unsafe { update(at, operand, (operation, kind), caller) });
    before
        // SAFETY: as above.
        .unwrap_or_else(|| unsafe { atomic_words::update(at, operand, operation, caller) })
        .into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_lock_compare_exchange(
    at: *mut u32,
    expected: u64,
    desired: u64,
    operation: u32,
) -> u64 {
    let caller = caller!().compiled();
    let values = (expected as u32, desired as u32);
    let kind = WordKind::of(operation);
    let before =
        // SAFETY: the program's operation, on an aligned word.
        kind.and_then(|kind| unsafe { compare_exchange(at, values, (operation, kind), caller) });
    before
        // SAFETY: as above.
        .unwrap_or_else(|| unsafe { atomic_words::compare_exchange(at, values, operation, caller) })
        .into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_lock_word(
    lock: *const c_void,
    kind: u32,
    before: u32,
    after: u32,
) {
    let caller = caller!();
    let kind = if kind == WordKind::Mutex as u32 {
        WordKind::Mutex
    } else {
        WordKind::Rwlock
    };
    if let Some(change) = change(kind, before, after)
        && let Some(mut scope) = enter(caller)
    {
        let home = aliases::home(lock as u64);
        note(scope.thread(), (kind, change), home, caller.pc);
    }
}

/// What the thread has done to a lock at `pc`, for reports.
fn note(thread: &mut ThreadState, (kind, change): (WordKind, Change), lock: u64, pc: usize) {
    let held = |shared| {
        let role = match (kind, shared) {
            (WordKind::Mutex, _) => Role::LibraryMutex,
            (WordKind::Rwlock, false) => Role::LibraryWriter,
            (WordKind::Rwlock, true) => Role::LibraryReader,
        };
        Entity::object(lock, role)
    };
    match change {
        // A method that takes the lock by calling another one is seen twice; what nobody shares is held once.
        Change::Take { shared } => {
            if shared || !thread.engine.held().contains(&held(shared)) {
                thread.lock_held(held(shared), pc);
            }
        }
        Change::Give { shared } => give(thread, held(shared)),
        Change::Downgrade => {
            give(thread, held(false));
            thread.lock_held(held(true), pc);
        }
        Change::Upgrade => {
            give(thread, held(true));
            thread.lock_held(held(false), pc);
        }
    }
}

fn give(thread: &mut ThreadState, lock: Entity) {
    if thread.engine.held().contains(&lock) {
        thread.lock_released(lock);
    } else {
        // Relaxed: read by reports, which may be a moment behind.
        WANDER.store(true, Ordering::Relaxed);
    }
}

/// What a lock of these is, in words.
pub fn noun(role: u8) -> Option<&'static str> {
    match role {
        r if r == Role::LibraryMutex as u8 => Some("mutex"),
        r if r == Role::LibraryWriter as u8 || r == Role::LibraryReader as u8 => Some("rwlock"),
        _ => None,
    }
}

/// Whether it is known which of them each thread holds.
pub fn are_known() -> bool {
    !WANDER.load(Ordering::Relaxed)
}
