//! Atomic operations of the program: how one takes effect and becomes an event without another on the same bytes coming between.
//!
//! Those of compiled code are made in here ([`load`], [`store`], [`update`], [`compare_exchange`]), but for the rare ones, which it
//! brackets by two hooks (`hooks`). So are the operations of whoever calls a function for one (libatomic's, or those that
//! ThreadSanitizer's instrumentation calls), by [`perform`].

use crate::atomic_parts;
use crate::caller::Caller;
use crate::detection;
use crate::interceptors::contended;
use crate::library_locks;
use crate::phases;
use crate::pipeline::{Scope, enter};
use crate::state::{FREEZE, Obstacle, multi_threaded, runtime};
use crate::sync_bits;
use crate::thread::ThreadState;
use crate::tls::{self, SIGNAL_PENDING};
use crate::waiting::{AGAIN, ANEW};
use crate::words::Word;
use core::ffi::c_void;
use core::sync::atomic::{Ordering, compiler_fence};
use goldilocks_core::abi::{AtomicKind, AtomicOp, Change, Order};
use goldilocks_core::atomics;
use goldilocks_core::event::{Access, Effect, Entity, Role};
use goldilocks_core::objects::Holds;

mod held;
mod lately;
mod loads;
mod news;
pub mod quick;
mod quick_load;
mod shared;
mod silent;

pub use held::reserve;
use lately::{Heard, repeats};
pub use lately::{HeardLately, Latest};
use loads::Load;
pub use loads::Loads;
use shared::{ATOMICS, stripe_of};
pub use shared::{
    disturb, disturb_at, forget_held, is_released_to, lock_stripe, unlock_stripe, wait_for_event,
};

/// A load by compiled code that says nothing new: in the same sync epoch the thread has made it before, and no atomic of the stripe has
/// been written since. Takes no lock and writes nothing that others see. `None` if it may say something.
///
/// # Safety
/// `at` is an aligned word of the program's.
#[inline(always)]
unsafe fn load_again<W: Word>(at: *mut W, operation: u32) -> Option<W> {
    let block = tls::block();
    // Relaxed throughout: the block is this thread's own, see `pipeline::enter`.
    let state = block.thread.load(Ordering::Relaxed);
    if state.is_null() || block.depth.load(Ordering::Relaxed) != 0 {
        return None;
    }
    // If the address faults, let it fault here, outside of the runtime.
    // SAFETY: the program asked for an access to it.
    unsafe { at.cast::<u8>().read_volatile() };
    block.depth.store(1, Ordering::Relaxed);
    // A signal handler of this thread's sees that it is inside.
    compiler_fence(Ordering::SeqCst);
    // SAFETY: the thread's own state, which only it uses, and not elsewhere while it is inside.
    let state = unsafe { &*state };
    let index = stripe_of(at as u64);
    let made = state
        .loads
        .find(Load::now(&state.engine, at as u64, operation | SUCCESS));
    let shared = &ATOMICS[index];
    let value = if FREEZE.load(Ordering::Relaxed) == 0
        && !Obstacle::any()
        && let Some(changes) = made
    {
        // What is done without the stripe is said here before it is done: who has loaded what it stores sees that next.
        let disturbed = shared.disturbed.load(Ordering::Relaxed);
        let count = changes.wrapping_sub(disturbed);
        // SAFETY: passed on to the caller.
        let value = shared.stripe.load(count, || unsafe { W::load(at) });
        value.filter(|_| shared.disturbed.load(Ordering::Relaxed) == disturbed)
    } else {
        None
    };
    let is_long = value.is_some() && state.waiting.looked(at as u64, AGAIN);
    compiler_fence(Ordering::SeqCst);
    block.depth.store(0, Ordering::Release);
    if is_long {
        state.waiting.give_way(at as u64);
    }
    // A signal that came meanwhile is delivered by whoever leaves the runtime next: the other way, which loads once more.
    value.filter(|_| block.flags.load(Ordering::Relaxed) & SIGNAL_PENDING == 0)
}

/// A load by compiled code, of `size_of::<W>()` bytes.
///
/// # Safety
/// As for [`load_again`].
#[inline(always)]
pub unsafe fn load<W: Word>(at: *mut W, operation: u32, caller: Caller) -> W {
    let addr = at as u64;
    let known = if silent::is_silent(stripe_of(addr)) || !sync_bits::is_marked(addr) {
        // SAFETY: passed on to the caller.
        unsafe { quick_load::load_alone(at, caller) }
    } else {
        // SAFETY: passed on to the caller.
        unsafe { load_again(at, operation) }
    };
    match known {
        Some(value) => value,
        // SAFETY: passed on to the caller.
        None => match unsafe { quick_load::load(at, operation, caller) } {
            Some(value) => value,
            // SAFETY: passed on to the caller.
            None => unsafe { load_with_event(at, operation, caller) },
        },
    }
}

/// Whether nothing that the running thread does is looked at, so that the operation is all there is to do: inside locks of the program's own that it
/// annotates, which may look at their words for long.
fn is_unheard() -> bool {
    // Relaxed: the block is this thread's own.
    let state = tls::block().thread.load(Ordering::Relaxed);
    // SAFETY: null or the thread's own state, of which only it changes this part.
    unsafe { state.as_ref() }.is_some_and(|state| state.ignored.everything())
}

/// # Safety
/// As for [`load_again`].
#[inline(never)]
unsafe fn load_with_event<W: Word>(at: *mut W, operation: u32, caller: Caller) -> W {
    if !multi_threaded() || phases::may_ignore(at as u64) || is_unheard() {
        // SAFETY: passed on to the caller.
        return unsafe { W::load(at) };
    }
    // If the address faults, let it fault here, outside of the runtime.
    // SAFETY: the program asked for an access to it.
    unsafe { at.cast::<u8>().read_volatile() };
    let Some(mut scope) = enter(caller) else {
        // SAFETY: passed on to the caller.
        return unsafe { W::load(at) };
    };
    // SAFETY: passed on to the caller.
    let value = match unsafe { load_without_news(&mut scope, at, operation) } {
        Some(value) => value,
        None => {
            expect(at as u64);
            let stripe = lock_stripe(at as u64, false);
            // SAFETY: passed on to the caller.
            let value = unsafe { W::load(at) };
            let range = (at as u64, size_of::<W>() as u64);
            let operation = AtomicOp::unpack(operation);
            let changed = took_effect(&mut scope, stripe, range, operation, true);
            unlock_stripe(stripe, changed);
            scope.after_stripe();
            value
        }
    };
    leave(scope, at as u64, false);
    value
}

/// Leaves after an operation, which may have changed something or was only a look.
#[inline(always)]
fn leave(mut scope: Scope, place: u64, changed: bool) {
    let waiting: *const _ = &scope.thread().waiting;
    // SAFETY: the thread's own, in memory that stays as long as the thread.
    let waiting = unsafe { &*waiting };
    if changed {
        tls::block().did();
        waiting.went_on(place);
    } else if waiting.looked(place, ANEW) {
        drop(scope);
        waiting.give_way(place);
    }
}

/// A load of what the thread has taken everything from that it brings, since it was released to for the last time, or what it knows from elsewhere: all
/// there is to do is to check the access. Takes no stripe. `None` if there may be news.
///
/// # Safety
/// As for [`load_again`].
#[inline(always)]
unsafe fn load_without_news<W: Word>(scope: &mut Scope, at: *mut W, operation: u32) -> Option<W> {
    let range = (at as u64, size_of::<W>() as u64);
    // Aliased memory has another stripe.
    if Obstacle::any() || !atomic_parts::are_alike(range) {
        return None;
    }
    // SAFETY: passed on to the caller.
    let (value, changes) = unsafe { value_without_news(scope.thread(), at, operation) }?;
    scope.atomic_access(range, Access::AtomicRead);
    let state = scope.thread();
    let engine = &state.engine;
    let changes = changes.filter(|_| engine.epoch().is_some());
    let load = changes.map(|changes| (Load::now(engine, range.0, operation | SUCCESS), changes));
    remember(scope, load);
    Some(value)
}

/// What is there, if it brings nothing to the thread: what was released there is known to it, or nothing was ([`sync_bits`]), or nothing is as long as the thread is
/// inside ([`silent`]). And what was done to the stripe before ([`loads::Loads::find`]), in the first case. All operations on it are alike, and its memory is not aliased.
///
/// # Safety
/// As for [`load_again`].
#[inline(always)]
unsafe fn value_without_news<W: Word>(
    state: &ThreadState,
    at: *mut W,
    operation: u32,
) -> Option<(W, Option<u64>)> {
    let addr = at as u64;
    let index = stripe_of(addr);
    let shared = &ATOMICS[index];
    // SAFETY: passed on to the caller.
    let value = unsafe { W::load(at) };
    // Looked at afterwards: whatever releases something says so here before.
    if silent::is_silent(index) {
        return Some((value, None));
    }
    // Relaxed: as in `load_again`.
    let disturbed = shared.disturbed.load(Ordering::Relaxed);
    let count = shared.stripe.count();
    let (mut news, mut holds) = (0, Holds::UNKNOWN);
    let mut is_marked = false;
    // Relaxed: changed with the stripe held, by whom the count is changed.
    let value = shared.stripe.load(count, || {
        news = shared.news.load(Ordering::Relaxed);
        holds = shared.held_at(addr);
        // SAFETY: passed on to the caller.
        let value = unsafe { W::load(at) };
        is_marked = sync_bits::is_marked(addr);
        value
    })?;
    if shared.disturbed.load(Ordering::Relaxed) != disturbed {
        return None;
    }
    if !is_marked {
        return Some((value, None));
    }
    let now = Heard {
        addr,
        news: news.wrapping_add(disturbed),
        incarnation: state.engine.incarnation(),
        done: Heard::parts(quick::effect_of(operation)),
    };
    let brings_nothing = state.engine.has_heard(holds)
        || state.heard.0[HeardLately::place(index, addr)].since(&now) & now.done == now.done;
    brings_nothing.then(|| (value, Some(count.wrapping_add(disturbed))))
}

/// A store by compiled code.
///
/// # Safety
/// `at` is an aligned word of the program's.
#[inline(always)]
pub unsafe fn store<W: Word>(at: *mut W, value: W, operation: u32, caller: Caller) {
    let in_order = AtomicOp::unpack(operation).order == Order::SeqCst;
    operate(caller, at, operation, || {
        // SAFETY: passed on to the caller.
        unsafe {
            if in_order {
                W::store(at, value)
            } else {
                W::release(at, value)
            }
        };
        ((), true)
    })
}

/// A read-modify-write by compiled code; the result is the value before.
///
/// # Safety
/// As for [`store`].
#[inline(always)]
pub unsafe fn update<W: Word>(at: *mut W, operand: W, operation: u32, caller: Caller) -> W {
    let change = Change::of(operation);
    let before = operate(caller, at, operation, || {
        // SAFETY: passed on to the caller.
        (unsafe { W::change(at, change, operand) }, true)
    });
    if change == Change::Exchange && multi_threaded() {
        if before == operand {
            contended::has_tried(at as u64, true);
        } else {
            contended::has_got(at as u64);
        }
    }
    before
}

/// A compare-exchange by compiled code, from and to these values; the result is the value before.
///
/// # Safety
/// As for [`store`].
#[inline(always)]
pub unsafe fn compare_exchange<W: Word>(
    at: *mut W,
    (expected, desired): (W, W),
    operation: u32,
    caller: Caller,
) -> W {
    let before = operate(caller, at, operation, || {
        // SAFETY: passed on to the caller.
        let before = unsafe { W::compare_exchange(at, expected, desired) };
        (before, before == expected)
    });
    if multi_threaded() {
        if before != expected {
            contended::has_tried(at as u64, false);
        } else {
            contended::has_got(at as u64);
        }
    }
    before
}

/// As [`perform`], of a word that the processor changes as a whole.
#[inline(always)]
fn operate<W: Word, R>(
    caller: Caller,
    at: *mut W,
    operation: u32,
    deed: impl FnOnce() -> (R, bool),
) -> R {
    if !multi_threaded() || phases::may_ignore(at as u64) {
        return deed().0;
    }
    // If the address faults, let it fault here, outside of the runtime.
    // SAFETY: the program asked for an access to it.
    unsafe { at.cast::<u8>().read_volatile() };
    let range = (at as u64, size_of::<W>() as u64);
    let block = tls::block();
    let (mut scope, stripe, result, success);
    if let Some(state) = quick::enter_to_change(block, caller.pc, range.0, operation) {
        stripe = stripe_of(range.0);
        // SAFETY: just entered.
        if unsafe { quick::needs_no_stripe(state, stripe, range, operation) } {
            (result, success) = deed();
            if success && quick::is_made(block, range, true) {
                block.did();
                // SAFETY: as above.
                unsafe { &(*state).waiting }.went_on(range.0);
                quick::leave_unchanged(block, caller);
            } else {
                // SAFETY: as above.
                unsafe { quick::took_effect_alone(block, state, range, success, caller) };
            }
            return result;
        }
        if quick::is_ordered(operation) {
            expect(range.0);
        }
        ATOMICS[stripe].stripe.lock();
        (result, success) = deed();
        // SAFETY: just entered.
        if success && unsafe { quick::took_effect(block, state, stripe, range, operation, caller) }
        {
            return result;
        }
        scope = match Scope::resume(caller) {
            Some(scope) => scope,
            None => unreachable!("the thread is inside"),
        };
    } else {
        if is_unheard() {
            return deed().0;
        }
        scope = match enter(caller) {
            Some(scope) => scope,
            None => return deed().0,
        };
        let speaks = quick::may_speak(scope.thread(), operation);
        stripe = lock_stripe(range.0, speaks);
        (result, success) = deed();
    }
    let operation = AtomicOp::unpack(operation);
    let changed = took_effect(&mut scope, stripe, range, operation, success);
    unlock_stripe(stripe, changed);
    scope.after_stripe();
    leave(scope, range.0, changed);
    result
}

/// The object of the atomic at `addr` is needed when its stripe is held: it comes from another processor as often as that does, and so at the same time.
#[inline(always)]
fn expect(addr: u64) {
    runtime().engine.expect(Entity::object(addr, Role::Object));
}

/// In a packed operation: it succeeded.
const SUCCESS: u32 = 1 << 31;

/// The event of an atomic operation that has just taken effect, with its stripe held. Says whether it may have changed the atomic.
pub fn took_effect(
    scope: &mut Scope,
    index: usize,
    range: (u64, u64),
    operation: AtomicOp,
    success: bool,
) -> bool {
    let access = match operation.kind {
        AtomicKind::Load => Access::AtomicRead,
        AtomicKind::CompareExchange if !success => Access::AtomicRead,
        _ => Access::AtomicWrite,
    };
    let effect = atomics::effect(operation, success);
    let object = Entity::object(range.0, Role::Object);
    let home = crate::aliases::home_of(object);
    let at_home = home.as_object().map_or(0, |(addr, _)| addr);
    let releases = effect.has(Effect::RELEASE);
    let packed = operation.pack() | if success { SUCCESS } else { 0 };
    let changes = access == Access::AtomicWrite;
    let shared = &ATOMICS[index];
    let state = scope.thread();
    let load = (access == Access::AtomicRead && state.engine.epoch().is_some()).then(|| {
        let load = Load::now(&state.engine, range.0, packed);
        // Relaxed, here and below: under the stripe's lock, but for `disturb`.
        let changes = shared.stripe.count() + shared.disturbed.load(Ordering::Relaxed);
        (load, changes)
    });
    if load.is_some_and(|(load, changes)| state.loads.find(load) == Some(changes)) {
        return changes;
    }
    let just_released = releases && state.engine.has_just_released(home);
    // Relaxed, here and below: under the stripe's lock, but for `disturb`.
    let last = shared.last.load(Ordering::Relaxed);
    if just_released && repeats(&state.latest, last, (range.0, packed)) {
        return changes;
    }
    if last != 0 {
        shared.last.store(0, Ordering::Relaxed);
    }
    let speaks =
        releases || effect.has(Effect::RELEASE_RELAXED) && state.engine.has_release_fence();
    let news = shared.news.load(Ordering::Relaxed);
    if speaks {
        shared.news.store(news + 1, Ordering::Relaxed);
    }
    if speaks || effect.has(Effect::CLEAR) {
        shared.lose(at_home);
    }
    let keep = |holds| shared.keep(at_home, holds);
    if effect.has(Effect::ACQUIRE)
        && let Some(more) = library_locks::gives_more(range.0)
    {
        scope.sync_private(Effect::ACQUIRE, more);
    }
    if atomic_parts::are_mixed(range) {
        shared.lose_unit(at_home);
        let acquired = effect.has(Effect::ACQUIRE);
        atomic_parts::acquire(scope, range, effect.sink_part());
        scope.atomic_access(range, access);
        atomic_parts::release(scope, range, effect.source_part(), acquired);
        return changes;
    }
    let state = scope.thread();
    let news = news + shared.disturbed.load(Ordering::Relaxed);
    let heard = Heard {
        addr: range.0,
        news,
        incarnation: state.engine.incarnation(),
        done: Heard::parts(effect),
    };
    let ear = HeardLately::place(index, range.0);
    let before = if has_nothing(effect, speaks, at_home) {
        heard.done
    } else {
        state.heard.0[ear].since(&heard)
    };
    let nothing_new = before & heard.done == heard.done;
    if !speaks {
        if nothing_new {
            scope.atomic_access(range, access);
        } else {
            // As the value is read, then used, then written: what it brings orders this access.
            let parts = (effect.sink_part(), effect.source_part());
            scope.atomic_event(range, access, parts, object, keep);
            let done = heard.done | before;
            hear(scope, ear, Heard { done, ..heard });
        }
        remember(scope, load);
        return changes;
    }
    let sink = if just_released {
        // Nobody takes what was released before this releases it again.
        effect.sink_part().with(Effect::ALONE)
    } else if nothing_new {
        Effect(0)
    } else {
        effect.sink_part()
    };
    if releases {
        let state = scope.thread();
        let number = state.latest.next(state.serial, (range.0, packed));
        shared.turn_to(at_home);
        shared.last.store(number, Ordering::Relaxed);
    }
    let parts = (sink, effect.source_part());
    scope.atomic_event(range, access, parts, object, keep);
    // What it has released itself is no news to the thread.
    let (news, done) = (news + 1, heard.done & !Effect::CLEAR.0);
    hear(
        scope,
        ear,
        Heard {
            news,
            done,
            ..heard
        },
    );
    remember(scope, load);
    changes
}

/// Whether an operation with this effect on the atomic at this address, whose stripe is held, neither finds anything that it may take or end, as nothing was ever released
/// there, nor `speaks` itself. (One that acquires is an event nevertheless: it may be a lock's.)
#[inline(always)]
fn has_nothing(effect: Effect, speaks: bool, addr: u64) -> bool {
    !speaks && !effect.has(Effect::ACQUIRE) && !sync_bits::is_marked(addr)
}

/// The operation has been made, sync events and all.
fn hear(scope: &mut Scope, place: usize, heard: Heard) {
    let of_openmp = scope.is_of_openmp();
    let state = scope.thread();
    // What is ignored has not been done.
    state.heard.0[place] = if state.ignored.skips_sync() || of_openmp {
        Heard::default()
    } else {
        heard
    };
}

/// The load has been made, and is in the shadow.
fn remember(scope: &mut Scope, load: Option<(Load, u64)>) {
    let state = scope.thread();
    // What is ignored is not remembered there.
    if let Some((load, changes)) = load
        && !state.ignored.skips(Access::AtomicRead)
        && !state.ignored.skips_sync()
        && !detection::is_off()
        && load.epoch.1 == state.engine.clock()
    {
        state.loads.note(load, changes);
    }
}

/// Makes an atomic operation on `bytes` bytes at `addr` by `deed`, which says whether it succeeded (a compare-exchange that
/// failed was a load). While it runs no other atomic operation on these bytes does that is called or compiled as one, as
/// long as there are several threads.
pub fn perform<R>(
    caller: Caller,
    addr: *const c_void,
    bytes: u64,
    operation: AtomicOp,
    deed: impl FnOnce() -> (R, bool),
) -> R {
    if !multi_threaded() {
        return deed().0;
    }
    if bytes != 0 {
        // If the address faults, let it fault here, outside of the runtime.
        // SAFETY: the program asked for an access to it.
        unsafe { addr.cast::<u8>().read_volatile() };
    }
    let scope = enter(caller);
    // Who is not inside says nothing.
    let stripe = lock_stripe(addr as u64, scope.is_some());
    let (result, success) = deed();
    if let Some(mut scope) = scope {
        let range = (addr as u64, bytes);
        let changed = took_effect(&mut scope, stripe, range, operation, success);
        unlock_stripe(stripe, changed);
        scope.after_stripe();
    } else {
        // Before the runtime knows the thread or after it has forgotten it: only atomicity is left to care for.
        unlock_stripe(stripe, true);
    }
    result
}
