//! Signals: handlers run outside of the runtime, and come after what sent the signal.
//!
//! The kernel is given one handler for all signals, [`deliver`], which remembers the program's. A signal that arrives
//! while its thread is inside the runtime waits until the thread leaves (`pipeline` sends it again), except one that the
//! thread's own instruction caused: its handler has to run at once.
//!
//! Sending a signal, and installing its handler, happen before the handler (`signal_targets`). With
//! `SA_RESETHAND` it is we who put the default back, because a signal that waits is delivered twice.

use core::ffi::{c_int, c_long, c_uint, c_void};
use core::sync::atomic::{AtomicU64, Ordering};

use libc::{sigaction as Action, siginfo_t, sigset_t};

use super::descriptors;
use super::libc_table::{check, reads_one, writes_one};
use super::opening::opened;
use super::signal_targets::{Origin, Target, installing, sending, taken};
use crate::async_safety;
use crate::caller::Caller;
use crate::deferred_signals;
use crate::pipeline::enter;
use crate::{caller, interceptors, libc_table, real, stack_probe, sys, tls};

const SIGNALS: usize = 65;

/// The program's handler of each signal: its address, and [`ONCE`] for `SA_RESETHAND`. 0 if the kernel has none of ours.
static HANDLERS: [AtomicU64; SIGNALS] = [const { AtomicU64::new(0) }; SIGNALS];

const ONCE: u64 = 1 << 63;
/// Said `SA_SIGINFO` (which the kernel is always told).
const WITH_INFO: u64 = 1 << 62;
const ADDRESS: u64 = (1 << 48) - 1;

fn handler_of(signal: c_int) -> Option<&'static AtomicU64> {
    usize::try_from(signal)
        .ok()
        .and_then(|signal| HANDLERS.get(signal))
}

/// Whether it is a signal that instructions cause.
fn is_of_instructions(signal: c_int) -> bool {
    matches!(
        signal,
        libc::SIGSEGV | libc::SIGBUS | libc::SIGFPE | libc::SIGILL | libc::SIGTRAP | libc::SIGSYS
    )
}

/// Whether an instruction of the running thread caused the signal, so that returning would only repeat it.
///
/// # Safety
/// `info` is what the kernel passed to the handler.
unsafe fn is_synchronous(signal: c_int, info: *const siginfo_t) -> bool {
    is_of_instructions(signal)
        // SAFETY: passed on to the caller. Codes of the kernel are positive, those of kill and its like are not.
        && unsafe { (*info).si_code } > 0
}

/// What the kernel calls.
unsafe extern "C" fn deliver(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let caller = caller!();
    let outer = stack_probe::handler_begins();
    // SAFETY: the kernel's arguments.
    unsafe { handle(caller, signal, info, context) };
    stack_probe::handler_ends(outer);
}

/// # Safety
/// As for a handler.
unsafe fn handle(caller: Caller, signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel's arguments; the handler is the program's.
    unsafe {
        let errno = libc::__errno_location();
        let errno_before = *errno;
        let synchronous = is_synchronous(signal, info);
        let at = instruction_pointer(context);
        if !synchronous
            && deferred_signals::in_runtime()
            && deferred_signals::defer_signal(signal, info, context)
        {
            return;
        }
        let Some(slot) = handler_of(signal) else {
            return;
        };
        // Acquire: pairs with the store of `install`; what the program did before it is seen by the handler.
        let handler = slot.load(Ordering::Acquire);
        if handler == 0 {
            // It waited, and meanwhile the program gave up its handler: the kernel knows what to do instead.
            if kernel::handler(signal)
                .is_some_and(|handler| handler != deliver as *const () as usize)
            {
                let _ = sys::tgkill(sys::getpid(), sys::gettid(), signal);
            }
            return;
        }
        if handler & ONCE != 0
            && slot
                .compare_exchange(handler, 0, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        {
            kernel::set_default(signal);
        }
        if !synchronous {
            taken(caller, signal, Origin::of(&*info));
        }
        let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) =
            core::mem::transmute((handler & ADDRESS) as *const c_void);
        // `abort` sends its signal without coming by here.
        let asynchronous = !synchronous && signal != libc::SIGABRT && !is_sending(signal);
        let outer = async_safety::begin(signal, asynchronous);
        handler(signal, info, context);
        async_safety::end(outer);
        // A handler that sends its thread elsewhere (out of a coroutine whose stack has overflown) takes it out of the runtime, too.
        if synchronous && instruction_pointer(context) != at {
            deferred_signals::left_by_force();
        }
        // A handler that has given itself up and sent the signal again ends the process at its return.
        if asynchronous
            && *errno != errno_before
            && kernel::handler(signal) == Some(deliver as *const () as usize)
        {
            let address = handler as usize;
            async_safety::errno_changed(caller, signal, address, errno_before, *errno);
        }
    }
}

/// Where the thread goes on after a handler that was given this context.
///
/// # Safety
/// `context` is what the kernel passed to the handler.
unsafe fn instruction_pointer(context: *const c_void) -> i64 {
    let context = context.cast::<libc::ucontext_t>();
    // SAFETY: passed on to the caller.
    unsafe { (*context).uc_mcontext.gregs[libc::REG_RIP as usize] }
}

/// Whether the running thread is just sending itself this signal.
fn is_sending(signal: c_int) -> bool {
    let state = tls::block().thread.load(Ordering::Relaxed);
    // SAFETY: the thread's own state, of which nobody else uses this part.
    !state.is_null() && unsafe { (*state).sending } == signal
}

/// A system call that may send a signal: before it, and then it itself.
pub fn sent_by_number(
    caller: Caller,
    number: c_long,
    arguments: [u64; 6],
    call: impl FnOnce() -> c_long,
) -> c_long {
    let [a, b, c] = [0, 1, 2].map(|at| arguments[at] as c_int);
    let (signal, target) = match number {
        libc::SYS_kill | libc::SYS_rt_sigqueueinfo => (b, Target::process(a)),
        libc::SYS_tkill => (b, Target::task(a)),
        libc::SYS_tgkill | libc::SYS_rt_tgsigqueueinfo => (c, Target::task(b)),
        libc::SYS_pidfd_send_signal => (b, Target::Process),
        libc::SYS_alarm => (libc::SIGALRM, Target::Process),
        libc::SYS_setitimer => (of_timer(a as c_uint), Target::Process),
        _ => return call(),
    };
    let itself = match number {
        libc::SYS_kill | libc::SYS_rt_sigqueueinfo => own_process(a),
        _ => target == Target::Itself,
    };
    sending(caller, target, signal);
    to_itself(signal, itself, call)
}

/// What `setitimer` will send.
pub fn of_timer(which: c_uint) -> c_int {
    let signals = [libc::SIGALRM, libc::SIGVTALRM, libc::SIGPROF];
    signals.get(which as usize).copied().unwrap_or(0)
}

/// Sends a signal, perhaps to the running thread itself: its handler then runs before the call returns, and interrupts nothing.
fn to_itself<R>(signal: c_int, itself: bool, send: impl FnOnce() -> R) -> R {
    let state = tls::block().thread.load(Ordering::Relaxed);
    if !itself || state.is_null() {
        return send();
    }
    // SAFETY: the thread's own state, as in `is_sending`; no reference lives across the call. A handler that leaves by a jump
    // leaves the number behind, which exempts the next handler of the same signal at worst.
    unsafe {
        let outer = core::mem::replace(&mut (*state).sending, signal);
        let result = send();
        (*state).sending = outer;
        result
    }
}

fn own_process(process: c_int) -> bool {
    process == sys::getpid() || process == 0
}

fn is_handler(address: usize) -> bool {
    address != libc::SIG_DFL && address != libc::SIG_IGN && address != libc::SIG_ERR
}

/// sigaction, with `call` as the real one, given what the kernel is to be told.
///
/// # Safety
/// As for `sigaction`.
unsafe fn install(
    caller: Caller,
    signal: c_int,
    new: *const Action,
    old: *mut Action,
    call: impl FnOnce(*const Action, *mut Action) -> c_int,
) -> c_int {
    let Some(slot) = handler_of(signal) else {
        return call(new, old);
    };
    // SAFETY: the program's structures, each null or readable and writable.
    unsafe {
        let mut told = None;
        if let Some(new) = new.as_ref() {
            check(caller, &[reads_one(new)]);
            let mut action = *new;
            if is_handler(new.sa_sigaction) {
                action.sa_sigaction = deliver as *const () as usize;
                action.sa_flags = (new.sa_flags | libc::SA_SIGINFO) & !libc::SA_RESETHAND;
                installing(caller, signal);
                if !is_of_instructions(signal)
                    && let Some(_scope) = enter(caller)
                {
                    crate::state::runtime().engine.expect_interruptions();
                }
            }
            told = Some(action);
        }
        // No handler of this thread may run between our table and the kernel's. Another thread's may, and then meets
        // the new handler a moment early.
        let mask = sys::block_signals();
        // Relaxed: our own view; what is stored below carries the program's past.
        let before = slot.load(Ordering::Relaxed);
        let mut after = before;
        if let Some(new) = new.as_ref() {
            after = 0;
            if is_handler(new.sa_sigaction) {
                after = new.sa_sigaction as u64 & ADDRESS;
                after |= if new.sa_flags & libc::SA_RESETHAND != 0 {
                    ONCE
                } else {
                    0
                };
                after |= if new.sa_flags & libc::SA_SIGINFO != 0 {
                    WITH_INFO
                } else {
                    0
                };
                // Release: pairs with `deliver`.
                slot.store(after, Ordering::Release);
            }
        }
        let mut was: Action = core::mem::zeroed();
        let result = call(
            told.as_ref().map_or(core::ptr::null(), |told| told),
            &mut was,
        );
        if result != 0 {
            slot.store(before, Ordering::Release);
        } else if after != before {
            slot.store(after, Ordering::Release);
        }
        sys::restore_signals(mask);
        if result == 0 && !old.is_null() {
            if was.sa_sigaction == deliver as *const () as usize {
                as_the_program_said(&mut was, before);
            }
            check(caller, &[writes_one(old)]);
            *old = was;
        }
        result
    }
}

/// Turns what the kernel was told back into what the program said.
fn as_the_program_said(action: &mut Action, handler: u64) {
    action.sa_sigaction = (handler & ADDRESS) as usize;
    if handler & WITH_INFO == 0 {
        action.sa_flags &= !libc::SA_SIGINFO;
    }
    if handler & ONCE != 0 {
        action.sa_flags |= libc::SA_RESETHAND;
    }
}

/// signal and its siblings, which are sigaction with fixed flags.
///
/// # Safety
/// As for `signal`.
unsafe fn install_simply(caller: Caller, signal: c_int, handler: usize, flags: c_int) -> usize {
    // SAFETY: passed on to the caller; the structures are ours.
    unsafe {
        let mut new: Action = core::mem::zeroed();
        new.sa_sigaction = handler;
        new.sa_flags = flags;
        if flags & libc::SA_NODEFER == 0 {
            libc::sigaddset(&mut new.sa_mask, signal);
        }
        let mut old: Action = core::mem::zeroed();
        let call = |new: *const Action, old: *mut Action| real!(sigaction)(signal, new, old);
        if install(caller, signal, &new, &mut old, call) == 0 {
            old.sa_sigaction
        } else {
            libc::SIG_ERR
        }
    }
}

/// `sigset`: installs a handler and lets the signal through, or holds it back and leaves the handler as it is. What it was, or that
/// the signal was held back.
///
/// # Safety
/// As for `sigset`.
unsafe fn install_or_hold(caller: Caller, signal: c_int, handler: usize) -> usize {
    const HOLD: usize = 2; // SIG_HOLD
    // SAFETY: the structures are ours; the rest is passed on to the caller.
    unsafe {
        let mut new: Action = core::mem::zeroed();
        new.sa_sigaction = handler;
        let holds = handler == HOLD;
        let new = if holds {
            core::ptr::null()
        } else {
            &raw const new
        };
        let mut old: Action = core::mem::zeroed();
        let call = |new: *const Action, old: *mut Action| real!(sigaction)(signal, new, old);
        if install(caller, signal, new, &mut old, call) != 0 {
            return libc::SIG_ERR;
        }
        let (mut this, mut mask): (sigset_t, sigset_t) = (core::mem::zeroed(), core::mem::zeroed());
        libc::sigaddset(&mut this, signal);
        let how = if holds {
            libc::SIG_BLOCK
        } else {
            libc::SIG_UNBLOCK
        };
        if real!(sigprocmask)(how, &this, &mut mask) != 0 {
            libc::SIG_ERR
        } else if libc::sigismember(&mask, signal) == 1 {
            HOLD
        } else {
            old.sa_sigaction
        }
    }
}

interceptors! {
    fn sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, here and below.
        unsafe { install(caller, signal, new, old, |new, old| real!(sigaction)(signal, new, old)) }
    }
    fn __sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { install(caller, signal, new, old, |new, old| real!(sigaction)(signal, new, old)) }
    }
    fn signal(signal: c_int, handler: usize) -> usize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { install_simply(caller, signal, handler, libc::SA_RESTART) }
    }
    fn bsd_signal(signal: c_int, handler: usize) -> usize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { install_simply(caller, signal, handler, libc::SA_RESTART) }
    }
    fn ssignal(signal: c_int, handler: usize) -> usize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { install_simply(caller, signal, handler, libc::SA_RESTART) }
    }
    fn sysv_signal(signal: c_int, handler: usize) -> usize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { install_simply(caller, signal, handler, libc::SA_RESETHAND | libc::SA_NODEFER) }
    }
    fn sigset(signal: c_int, handler: usize) -> usize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { install_or_hold(caller, signal, handler) }
    }
    fn __sysv_signal(signal: c_int, handler: usize) -> usize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { install_simply(caller, signal, handler, libc::SA_RESETHAND | libc::SA_NODEFER) }
    }

    fn kill(process: c_int, signal: c_int) -> c_int {
        sending(caller!(), Target::process(process), signal);
        // SAFETY: as above.
        to_itself(signal, own_process(process), || unsafe { real!(kill)(process, signal) })
    }
    fn killpg(group: c_int, signal: c_int) -> c_int {
        sending(caller!(), Target::Process, signal);
        // SAFETY: as above.
        unsafe { real!(killpg)(group, signal) }
    }
    fn raise(signal: c_int) -> c_int {
        // SAFETY: as above.
        to_itself(signal, true, || unsafe { real!(raise)(signal) })
    }
    fn gsignal(signal: c_int) -> c_int {
        // SAFETY: as above.
        to_itself(signal, true, || unsafe { real!(gsignal)(signal) })
    }
    fn tgkill(process: c_int, thread: c_int, signal: c_int) -> c_int {
        sending(caller!(), Target::task(thread), signal);
        // SAFETY: as above.
        to_itself(signal, thread == sys::gettid(), || unsafe { real!(tgkill)(process, thread, signal) })
    }
    fn pthread_kill(thread: libc::pthread_t, signal: c_int) -> c_int {
        sending(caller!(), Target::thread(thread), signal);
        // SAFETY: as above.
        to_itself(signal, Target::thread(thread) == Target::Itself, || unsafe { real!(pthread_kill)(thread, signal) })
    }
    fn sigqueue(process: c_int, signal: c_int, value: libc::sigval) -> c_int {
        sending(caller!(), Target::process(process), signal);
        // SAFETY: as above.
        to_itself(signal, own_process(process), || unsafe { real!(sigqueue)(process, signal, value) })
    }
    fn pthread_sigqueue(thread: libc::pthread_t, signal: c_int, value: libc::sigval) -> c_int {
        sending(caller!(), Target::thread(thread), signal);
        // SAFETY: as above.
        to_itself(signal, Target::thread(thread) == Target::Itself, || unsafe { real!(pthread_sigqueue)(thread, signal, value) })
    }

    fn pidfd_open(process: c_int, flags: c_uint) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        opened(caller, unsafe { real!(pidfd_open)(process, flags) })
    }
    fn pidfd_getfd(process: c_int, fd: c_int, flags: c_uint) -> c_int {
        let caller = caller!();
        descriptors::touch(caller, process);
        // SAFETY: as above.
        let new = unsafe { real!(pidfd_getfd)(process, fd, flags) };
        if new >= 0 {
            descriptors::received(caller, new);
        }
        new
    }
    fn pidfd_send_signal(process: c_int, signal: c_int, info: *mut siginfo_t, flags: c_uint) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(info)]);
        descriptors::touch(caller, process);
        sending(caller, Target::Process, signal);
        // SAFETY: as above.
        unsafe { real!(pidfd_send_signal)(process, signal, info, flags) }
    }

    // Waiting for signals instead of handling them.
    fn sigwait(set: *const sigset_t, signal: *mut c_int) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(set)]);
        // SAFETY: as above.
        unsafe {
            let result = real!(sigwait)(set, signal);
            if result == 0 {
                taken(caller, *signal, Origin::UNKNOWN);
                check(caller, &[writes_one(signal)]);
            }
            result
        }
    }
    fn sigwaitinfo(set: *const sigset_t, info: *mut siginfo_t) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(set)]);
        // SAFETY: as above.
        let signal = unsafe { real!(sigwaitinfo)(set, info) };
        waited(caller, signal, info)
    }
    fn sigtimedwait(set: *const sigset_t, info: *mut siginfo_t, patience: *const libc::timespec) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(set), reads_one(patience)]);
        // SAFETY: as above.
        let signal = unsafe { real!(sigtimedwait)(set, info, patience) };
        waited(caller, signal, info)
    }
}

fn waited(caller: Caller, signal: c_int, info: *mut siginfo_t) -> c_int {
    if signal > 0 {
        // Without a place for it, it is not known who has sent it.
        // SAFETY: the program's, which has just been filled.
        let origin = unsafe { info.as_ref() }.map_or(Origin::UNKNOWN, Origin::of);
        taken(caller, signal, origin);
        check(caller, &[writes_one(info)]);
    }
    signal
}

libc_table! {
    fn sigprocmask(how: c_int, set: *const sigset_t, old: *mut sigset_t) -> c_int {
        before { reads_one(set) }
        after(result) if (result == 0) { writes_one(old) }
    }
    fn pthread_sigmask(how: c_int, set: *const sigset_t, old: *mut sigset_t) -> c_int {
        before { reads_one(set) }
        after(result) if (result == 0) { writes_one(old) }
    }
    fn sigpending(set: *mut sigset_t) -> c_int {
        after(result) if (result == 0) { writes_one(set) }
    }
    fn sigsuspend(set: *const sigset_t) -> c_int {
        before { reads_one(set) }
    }
    fn sigemptyset(set: *mut sigset_t) -> c_int {
        before { writes_one(set) }
    }
    fn sigfillset(set: *mut sigset_t) -> c_int {
        before { writes_one(set) }
    }
    fn sigaddset(set: *mut sigset_t, signal: c_int) -> c_int {
        before { writes_one(set) }
    }
    fn sigdelset(set: *mut sigset_t, signal: c_int) -> c_int {
        before { writes_one(set) }
    }
}

interceptors! {
    fn sigaltstack(new: *const libc::stack_t, old: *mut libc::stack_t) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(new)]);
        // SAFETY: the program's call, here and below.
        let result = unsafe { real!(sigaltstack)(new, old) };
        if result == 0 {
            check(caller, &[writes_one(old)]);
            // SAFETY: null, or the kernel has read it.
            if let Some(new) = unsafe { new.as_ref() } {
                stack_probe::alternative_stack_is(new.ss_flags & libc::SS_DISABLE == 0);
            }
        }
        result
    }
}

/// sigaction without libc, for use in a handler.
pub mod kernel {
    use crate::sys;
    use core::ffi::c_int;

    /// The kernel's `struct sigaction`.
    #[repr(C)]
    struct Action {
        handler: usize,
        flags: u64,
        restorer: usize,
        mask: u64,
    }

    fn call(signal: c_int, new: *const Action, old: *mut Action) -> sys::Result<usize> {
        // SAFETY: both are null or the kernel's structure, whose mask has 8 bytes.
        unsafe {
            sys::call(
                libc::SYS_rt_sigaction,
                [signal as usize, new as usize, old as usize, 8, 0, 0],
            )
        }
    }

    pub fn set_default(signal: c_int) {
        let default = Action {
            handler: libc::SIG_DFL,
            flags: 0,
            restorer: 0,
            mask: 0,
        };
        let _ = call(signal, &default, core::ptr::null_mut());
    }

    /// The kernel calls `new` for the signal, in the same way as its present handler.
    pub fn replace_handler(signal: c_int, new: usize) {
        let mut action = Action {
            handler: 0,
            flags: 0,
            restorer: 0,
            mask: 0,
        };
        if call(signal, core::ptr::null(), &mut action).is_ok() {
            action.handler = new;
            let _ = call(signal, &action, core::ptr::null_mut());
        }
    }

    /// What the kernel calls for the signal.
    pub fn handler(signal: c_int) -> Option<usize> {
        let mut old = Action {
            handler: 0,
            flags: 0,
            restorer: 0,
            mask: 0,
        };
        call(signal, core::ptr::null(), &mut old)
            .is_ok()
            .then_some(old.handler)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_gets_back_what_it_said() {
        // SAFETY: a plain structure.
        let mut action: Action = unsafe { core::mem::zeroed() };
        action.sa_sigaction = deliver as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        as_the_program_said(&mut action, 0x1234 | ONCE);
        assert_eq!(action.sa_sigaction, 0x1234);
        assert_eq!(action.sa_flags, libc::SA_ONSTACK | libc::SA_RESETHAND);
        action.sa_flags = libc::SA_SIGINFO;
        as_the_program_said(&mut action, 0x1234 | WITH_INFO);
        assert_eq!(action.sa_flags, libc::SA_SIGINFO);
    }
}
