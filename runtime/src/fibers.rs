//! Fibers: contexts of the program's own that share OS threads. For the engine a fiber is a thread, with its own order, stack
//! and locks held; an OS thread acts as one context at a time, as its own or as a fiber that it has switched to.
//!
//! A switch is ordered unless it is asked not to be: what the old context did comes before what the new one does from here. A
//! fiber may go on in another OS thread than before. The state of a context that waits is used by nobody but those who stop all
//! threads (`Registry::each_other_engine`).

use crate::caller;
use crate::contexts::StackBounds;
use crate::deferred_signals;
use crate::heap;
use crate::own_stack::on_own_stack;
use crate::pipeline::{Scope, enter};
use crate::shadow::used_ranges;
use crate::state::runtime;
use crate::thread::{self, ThreadState};
use crate::tls;
use core::ffi::{CStr, c_char, c_uint, c_void};
use core::sync::atomic::Ordering;
use goldilocks_core::event::{Effect, Entity, Role};

/// What a context is among those that share an OS thread.
#[derive(Debug)]
pub struct Fibers {
    pub is_one: bool,
    /// No OS thread acts as it.
    pub waits: bool,
    /// Of a fiber that runs: the context of the OS thread itself. Null in that context.
    own: *mut ThreadState,
    /// The stack on which the switch was made: the program is on it until the real switch.
    came_from: StackBounds,
    /// The calling context of what it did before the switch (`TlsBlock::context`).
    calling: u64,
}

impl Default for Fibers {
    fn default() -> Fibers {
        Fibers {
            is_one: false,
            waits: false,
            own: core::ptr::null_mut(),
            came_from: StackBounds::default(),
            calling: 0,
        }
    }
}

/// Flag of a switch, and of nothing else: it orders nothing.
const NO_SYNC: c_uint = 1;

/// The object that orders what is done before a switch to a fiber and what the fiber does then.
pub fn switches_to(serial: u32) -> Entity {
    Entity::object(serial as u64, Role::Fiber)
}

/// The context of the OS thread that acts as `running`, for its end; a fiber that runs waits from now on. `None` if the
/// thread's own context runs elsewhere, and so does not end here.
pub fn of_the_thread_itself(running: *mut ThreadState) -> Option<*mut ThreadState> {
    // SAFETY: the running thread's own state.
    let fiber = unsafe { &mut (*running).fiber };
    let own = if fiber.own.is_null() {
        running
    } else {
        fiber.waits = true;
        let own = core::mem::replace(&mut fiber.own, core::ptr::null_mut());
        // SAFETY: it cannot have ended before its thread.
        if !unsafe { (*own).fiber.waits } {
            return None;
        }
        // SAFETY: two different states; one is the running thread's, the other waits.
        unsafe { (*running).give_recent_to(&mut *own) };
        own
    };
    runtime().threads.contexts().remove(&own.addr());
    Some(own)
}

impl ThreadState {
    /// Where the frames of the fiber may lie that runs: its stack is where the stack pointer is.
    #[inline(never)]
    pub fn stack_of_fiber(&mut self) -> StackBounds {
        let here = 0u8;
        let here = (&raw const here).addr();
        if self.bounds.contains(here) {
            return self.bounds;
        }
        if self.fiber.came_from.contains(here) {
            return self.fiber.came_from;
        }
        self.bounds = stack_around(here);
        self.bounds
    }
}

/// A block of the heap, or a mapping: whatever holds the address can be read.
#[cold]
pub fn stack_around(address: usize) -> StackBounds {
    if let Some(block) = heap::block_at(address) {
        return StackBounds {
            low: block.start,
            high: block.start + block.size,
        };
    }
    let (mut low, mut high) = (0, 0);
    // A coroutine's stack may be small, or at its end.
    on_own_stack(|| {
        (low, high) = used_ranges()
            .into_iter()
            .find(|&(low, high)| (low..high).contains(&(address as u64)))
            .unwrap_or_default();
    });
    StackBounds {
        low: low as usize,
        high: high as usize,
    }
}

/// From here on the thread acts as `next`, which waits.
///
/// # Safety
/// `next` is a context that has not ended, and no other thread's to use.
unsafe fn switch(scope: &mut Scope, next: *mut ThreadState, ordered: bool) {
    let present = scope.context();
    // SAFETY: by the caller's promise.
    let object = switches_to(unsafe { (*next).serial });
    if ordered {
        scope.sync(Effect::RELEASE, object);
    }
    {
        // SAFETY: two different states, of the running thread and of a context that waits.
        let (from, to) = unsafe { (&mut *present, &mut *next) };
        if from.fiber.own.is_null() {
            runtime().threads.contexts().insert(present.addr());
        }
        let own = if from.fiber.own.is_null() {
            present
        } else {
            from.fiber.own
        };
        from.give_recent_to(to);
        from.fiber.own = core::ptr::null_mut();
        to.fiber.own = if own == next {
            core::ptr::null_mut()
        } else {
            own
        };
        to.fiber.came_from = from.bounds;
        to.errno = from.errno;
        to.fiber.waits = false;
        let calling = &tls::block().context;
        // Relaxed: the thread's own.
        from.fiber.calling = calling.load(Ordering::Relaxed);
        calling.store(to.fiber.calling, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { scope.switch_to(next) };
        deferred_signals::hand_signals_on(from, to);
        from.fiber.waits = true;
    }
    if ordered {
        scope.sync(Effect::ACQUIRE, object);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_create_fiber(_flags: c_uint) -> *mut c_void {
    let caller = caller!();
    match enter(caller) {
        Some(mut scope) => thread::create_fiber(&mut scope).cast(),
        None => core::ptr::null_mut(),
    }
}

/// A fiber that runs cannot be destroyed; that is the program's mistake, and it lives on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_destroy_fiber(fiber: *mut c_void) {
    let caller = caller!();
    let fiber = fiber.cast::<ThreadState>();
    if let Some(_scope) = enter(caller)
        && is_waiting(fiber)
    {
        // SAFETY: it waits; a thread's own context is not destroyed as a fiber.
        unsafe {
            if (*fiber).fiber.is_one {
                thread::end_fiber(fiber)
            }
        }
    }
}

/// Whether this is a context, and no thread acts as it.
fn is_waiting(context: *mut ThreadState) -> bool {
    let known = runtime().threads.contexts().contains(&context.addr());
    // SAFETY: what is in the set has not ended.
    known && unsafe { (*context).fiber.waits }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_get_current_fiber() -> *mut c_void {
    let caller = caller!();
    enter(caller).map_or(core::ptr::null_mut(), |scope| scope.context().cast())
}

/// Immediately before the real switch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_switch_to_fiber(fiber: *mut c_void, flags: c_uint) {
    let caller = caller!();
    let fiber = fiber.cast::<ThreadState>();
    if let Some(mut scope) = enter(caller)
        && is_waiting(fiber)
    {
        // SAFETY: it waits, and the program switches to it here and nowhere else at the same time.
        unsafe { switch(&mut scope, fiber, flags & NO_SYNC == 0) }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_set_fiber_name(fiber: *mut c_void, name: *const c_char) {
    let caller = caller!();
    let fiber = fiber.cast::<ThreadState>();
    let Some(scope) = enter(caller) else { return };
    if !name.is_null() && (fiber == scope.context() || is_waiting(fiber)) {
        // SAFETY: a context that has not ended, and a string of the program's.
        let (serial, name) = unsafe { ((*fiber).serial, CStr::from_ptr(name)) };
        thread::named_number(serial, name.to_bytes());
    }
}
