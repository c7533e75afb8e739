//! Exit handlers: the registration of a handler happens before it runs, on whichever thread calls `exit`.
//!
//! This is also how destructors of static variables are registered, those of local ones by whichever thread comes first.
//! A handler that is registered while there is one thread comes after everything anyway and is left as it is; any other is
//! wrapped. Handlers of `quick_exit` get no argument, so for them one object stands for all.

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicI32, Ordering};

use goldilocks_core::event::{Effect, Entity, Role};

use crate::caller::Caller;
use crate::pipeline::{self, enter};
use crate::state::multi_threaded;
use crate::{caller, interceptors, real};

type AtExit = unsafe extern "C" fn(*mut c_void);
type OnExit = unsafe extern "C" fn(c_int, *mut c_void);
type AtQuickExit = unsafe extern "C" fn();

/// A handler of the program; its address names the sync object.
struct Handler<F> {
    function: F,
    argument: *mut c_void,
}

impl<F: Copy> Handler<F> {
    /// The argument for our function in place of the program's; `None` if there is nothing to order.
    fn register(caller: Caller, function: Option<F>, argument: *mut c_void) -> Option<*mut c_void> {
        let function = function?;
        if !multi_threaded() {
            return None;
        }
        let mut scope = enter(caller)?;
        let handler = Box::into_raw(Box::new(Handler { function, argument }));
        scope.sync(
            Effect::RELEASE,
            Entity::object(handler as u64, Role::Request),
        );
        Some(handler.cast())
    }

    /// The handler is about to run, for the only time.
    ///
    /// # Safety
    /// `handler` came from `register`.
    unsafe fn begin(caller: Caller, handler: *mut c_void) -> Handler<F> {
        let entity = Entity::object(handler as u64, Role::Request);
        let handler = handler.cast::<Handler<F>>();
        // SAFETY: the caller's contract.
        let copy = unsafe {
            Handler {
                function: (*handler).function,
                argument: (*handler).argument,
            }
        };
        if let Some(mut scope) = enter(caller) {
            scope.sync(Effect::ACQUIRE, entity);
            scope.forget(entity);
            // SAFETY: made by `register`, used once. Inside: memory is given back.
            drop(unsafe { Box::from_raw(handler) });
        }
        copy
    }
}

unsafe extern "C" fn at_exit(handler: *mut c_void) {
    let caller = caller!();
    // SAFETY: what was registered together with this function.
    unsafe {
        let handler = Handler::<AtExit>::begin(caller, handler);
        (handler.function)(handler.argument);
    }
}

unsafe extern "C" fn on_exit_handler(status: c_int, handler: *mut c_void) {
    let caller = caller!();
    // SAFETY: as above.
    unsafe {
        let handler = Handler::<OnExit>::begin(caller, handler);
        (handler.function)(status, handler.argument);
    }
}

fn quick_exits() -> Entity {
    Entity::object(1, Role::Request)
}

static QUICK_STATUS: AtomicI32 = AtomicI32::new(0);

/// Registered before every other, so that it runs last: the status of a quick exit is decided when all handlers have run.
unsafe extern "C" fn last_quick_exit_handler() {
    // Relaxed: stored by this thread.
    let status = pipeline::at_exit(QUICK_STATUS.load(Ordering::Relaxed));
    // SAFETY: what quick_exit would do next.
    unsafe { super::process::_exit::real()(status) }
}

/// Takes our place among the handlers of `quick_exit`. Called once, at start.
pub fn watch_quick_exit() {
    // SAFETY: the handler lives as long as the process.
    unsafe { real!(__cxa_at_quick_exit)(Some(last_quick_exit_handler), core::ptr::null_mut()) };
}

interceptors! {
    fn __cxa_atexit(function: Option<AtExit>, argument: *mut c_void, module: *mut c_void) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, or one that leads to it; here and below.
        unsafe {
            match Handler::register(caller, function, argument) {
                Some(handler) => real!(__cxa_atexit)(Some(at_exit), handler, module),
                None => real!(__cxa_atexit)(function, argument, module),
            }
        }
    }
    fn on_exit(function: Option<OnExit>, argument: *mut c_void) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            match Handler::register(caller, function, argument) {
                Some(handler) => real!(on_exit)(Some(on_exit_handler), handler),
                None => real!(on_exit)(function, argument),
            }
        }
    }
    fn __cxa_at_quick_exit(function: Option<AtQuickExit>, module: *mut c_void) -> c_int {
        if let Some(mut scope) = enter(caller!()) {
            scope.sync(Effect::RELEASE, quick_exits());
        }
        // SAFETY: as above.
        unsafe { real!(__cxa_at_quick_exit)(function, module) }
    }
    fn quick_exit(status: c_int) {
        if let Some(mut scope) = enter(caller!()) {
            scope.sync(Effect::ACQUIRE, quick_exits());
        }
        // Relaxed: for this thread.
        QUICK_STATUS.store(status, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { real!(quick_exit)(status) }
    }
}
