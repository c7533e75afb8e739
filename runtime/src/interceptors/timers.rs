//! Timers: whatever a timer does, be it a signal or a call, comes after the setting of the timer.
//!
//! libc calls the function of a `SIGEV_THREAD` timer on a thread that it makes itself, from code that is not instrumented. So it
//! is given a function of ours, which acquires what the setting released. A timer may be deleted while such a thread is
//! on its way: what our function needs is kept for the rest of the run (a few words per such timer).

use core::ffi::{c_int, c_uint, c_void};
use core::sync::atomic::{AtomicI32, Ordering};
use std::collections::BTreeMap;

use goldilocks_core::event::{Effect, Entity, Role};
use libc::{itimerspec, sigevent, sigval};

use super::descriptors;
use super::libc_table::{check, reads_one, writes_one};
use super::signal_targets::{Target, sending};
use super::signals::of_timer;
use crate::caller::Caller;
use crate::pipeline::enter;
use crate::sys::lock::Lock;
use crate::{caller, interceptors, real, thread};

pub type Callback = unsafe extern "C" fn(sigval);

/// The program's function and its argument; the address names the sync object.
pub struct Call {
    function: Callback,
    value: sigval,
    /// A descriptor whose input leads to the call, or -1.
    queue: AtomicI32,
}

// SAFETY: immutable but for an atomic; the argument is the program's and is only passed on.
unsafe impl Sync for Call {}

impl Call {
    fn entity(&self) -> Entity {
        Entity::object(core::ptr::from_ref(self) as u64, Role::Request)
    }

    /// The call will be made when something arrives in a message queue.
    pub fn follows(&self, queue: c_int) {
        // Relaxed: before the call is asked for.
        self.queue.store(queue, Ordering::Relaxed);
    }

    /// Before something is asked for that will lead to the call.
    pub fn asked(&self, caller: Caller) {
        if let Some(mut scope) = enter(caller) {
            scope.sync(Effect::RELEASE, self.entity());
        }
    }
}

/// `sigev_notify_function` lies behind the three common fields.
const FUNCTION: usize = 16;

/// If the event asks for a call: the same event, asking for a call of ours that leads to it.
///
/// # Safety
/// The program's event.
pub unsafe fn wrapped(caller: Caller, event: &sigevent) -> Option<(sigevent, &'static Call)> {
    if event.sigev_notify != libc::SIGEV_THREAD {
        return None;
    }
    thread::now_several(caller);
    // Inside: memory is taken.
    let _scope = enter(caller)?;
    let mut copy = *event;
    // SAFETY: an event of this kind has a function there, which may be missing.
    unsafe {
        let place = (&raw mut copy)
            .cast::<u8>()
            .add(FUNCTION)
            .cast::<Option<Callback>>();
        let function = (*place)?;
        let call: &'static Call = Box::leak(Box::new(Call {
            function,
            value: copy.sigev_value,
            queue: AtomicI32::new(-1),
        }));
        *place = Some(called);
        copy.sigev_value.sival_ptr = core::ptr::from_ref(call).cast_mut().cast();
        Some((copy, call))
    }
}

/// What libc calls instead of the program's function.
unsafe extern "C" fn called(value: sigval) {
    let caller = caller!();
    // SAFETY: what `wrapped` put there, and kept.
    let call = unsafe { &*value.sival_ptr.cast::<Call>() };
    if let Some(mut scope) = enter(caller) {
        scope.sync(Effect::ACQUIRE, call.entity());
    }
    descriptors::acquire(caller, call.queue.load(Ordering::Relaxed));
    // SAFETY: the program's function and argument.
    unsafe { (call.function)(call.value) }
}

/// What a timer does when it expires.
#[derive(Clone, Copy)]
enum Expiry {
    Signal(Target, c_int),
    Call(&'static Call),
}

/// The timers of the program, by their ids.
static TIMERS: Lock<BTreeMap<usize, Expiry>> = Lock::new(BTreeMap::new());

interceptors! {
    fn alarm(seconds: c_uint) -> c_uint {
        sending(caller!(), Target::Process, libc::SIGALRM);
        // SAFETY: the program's call, here and below.
        unsafe { real!(alarm)(seconds) }
    }
    fn ualarm(first: c_uint, interval: c_uint) -> c_uint {
        sending(caller!(), Target::Process, libc::SIGALRM);
        // SAFETY: as above.
        unsafe { real!(ualarm)(first, interval) }
    }
    fn setitimer(which: c_uint, new: *const libc::itimerval, old: *mut libc::itimerval) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(new)]);
        sending(caller, Target::Process, of_timer(which));
        // SAFETY: as above.
        let result = unsafe { real!(setitimer)(which, new, old) };
        if result == 0 {
            check(caller, &[writes_one(old)]);
        }
        result
    }
    fn timer_create(clock: c_int, event: *mut sigevent, timer: *mut *mut c_void) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(event)]);
        // SAFETY: as above; a missing event means SIGALRM.
        unsafe {
            let wrapped = event.as_ref().and_then(|event| wrapped(caller, event));
            let expiry = match (event.as_ref(), &wrapped) {
                (None, _) => Some(Expiry::Signal(Target::Process, libc::SIGALRM)),
                (Some(_), Some((_, call))) => Some(Expiry::Call(call)),
                (Some(event), None) if event.sigev_notify == libc::SIGEV_NONE => None,
                (Some(event), None) => {
                    let target = match event.sigev_notify {
                        libc::SIGEV_THREAD_ID => Target::Task(event.sigev_notify_thread_id),
                        _ => Target::Process,
                    };
                    Some(Expiry::Signal(target, event.sigev_signo))
                }
            };
            let result = match wrapped {
                Some((mut wrapped, _)) => real!(timer_create)(clock, &mut wrapped, timer),
                None => real!(timer_create)(clock, event, timer),
            };
            if result == 0 {
                check(caller, &[writes_one(timer)]);
                if let Some(expiry) = expiry
                    && let Some(_scope) = enter(caller)
                    && let Some(mut timers) = TIMERS.lock()
                {
                    timers.insert(*timer as usize, expiry);
                }
            }
            result
        }
    }
    fn timer_settime(timer: *mut c_void, flags: c_int, new: *const itimerspec, old: *mut itimerspec) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(new)]);
        let expiry = enter(caller).and_then(|_scope| TIMERS.lock()?.get(&(timer as usize)).copied());
        match expiry {
            Some(Expiry::Signal(target, signal)) => sending(caller, target, signal),
            Some(Expiry::Call(call)) => call.asked(caller),
            None => {}
        }
        // SAFETY: as above.
        let result = unsafe { real!(timer_settime)(timer, flags, new, old) };
        if result == 0 {
            check(caller, &[writes_one(old)]);
        }
        result
    }
    fn timer_delete(timer: *mut c_void) -> c_int {
        let caller = caller!();
        if let Some(_scope) = enter(caller) && let Some(mut timers) = TIMERS.lock() {
            timers.remove(&(timer as usize));
        }
        // SAFETY: as above.
        unsafe { real!(timer_delete)(timer) }
    }
}
