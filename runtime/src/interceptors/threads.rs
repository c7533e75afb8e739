//! Threads: their creation, end, join, detachment and names.
//!
//! A thread starts in `__goldilocks_thread_start`, which makes it known to the engine before anything of the program runs on
//! it (signals are blocked until then), and from which chains of frame pointers begin. The creator waits until that is done:
//! from then on the new thread can be named, detached and joined by its id.
//!
//! A thread ends, for the engine, after its cleanup handlers, the destructors of its thread-local variables, and those of its
//! thread-specific data. libc runs the latter last and in rounds, up to four, while there is something left to destroy;
//! so we keep a key of our own alive through the rounds and end the thread in the last one. This covers return,
//! `pthread_exit` and cancellation alike.

use core::arch::global_asm;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::OnceLock;

use goldilocks_core::event::{Effect, Entity, Role};
use libc::{clockid_t, pthread_attr_t, pthread_key_t, pthread_t, timespec};

use super::lock_layout::ROBUST_NODE;
use super::mutex::reads_deadline;
use crate::async_safety;
use crate::caller::Caller;
use crate::pipeline::{Scope, enter};
use crate::state::{is_up, runtime};
use crate::thread::{self, Newborn};
use crate::{caller, interceptors, real, sys};

/// What a thread runs; a `thrd_start_t` of C11 differs only in returning an `int`.
pub type Start = unsafe extern "C" fn(*mut c_void) -> *mut c_void;

/// What a new thread gets from its creator. Lives in the creator's frame until `taken` is set.
struct Birth {
    start: Option<Start>,
    argument: *mut c_void,
    newborn: Option<Newborn>,
    detached: bool,
    mask: sys::SignalMask,
    caller: Caller,
    taken: AtomicU32,
}

/// What the start of a thread needs to go on, in the registers rax and rdx.
#[repr(C)]
struct Beginning {
    start: Option<Start>,
    argument: *mut c_void,
}

unsafe extern "C" {
    fn pthread_attr_getdetachstate(attributes: *const pthread_attr_t, state: *mut c_int) -> c_int;
    /// Start routine of every thread that the program creates; the argument is a `Birth`.
    fn __goldilocks_thread_start(birth: *mut c_void) -> *mut c_void;
}

global_asm!(
    ".text",
    ".globl __goldilocks_thread_start",
    ".hidden __goldilocks_thread_start",
    ".type __goldilocks_thread_start, @function",
    "__goldilocks_thread_start:",
    ".cfi_startproc",
    "push rbp",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbp, -16",
    // No frame below: here the chain ends.
    "xor ebp, ebp",
    "call {begin}",
    "mov rdi, rdx",
    "call rax",
    "pop rbp",
    ".cfi_def_cfa_offset 8",
    "ret",
    ".cfi_endproc",
    ".size __goldilocks_thread_start, . - __goldilocks_thread_start",
    begin = sym begin,
);

/// First thing that a new thread does.
unsafe extern "C" fn begin(birth: *mut Birth) -> Beginning {
    // SAFETY: the creator keeps it until `taken` is set, and does not touch it meanwhile.
    let birth = unsafe { &mut *birth };
    let beginning = Beginning {
        start: birth.start,
        argument: birth.argument,
    };
    // SAFETY: no preconditions.
    let me = unsafe { libc::pthread_self() };
    if let Some(newborn) = birth.newborn.take() {
        thread::adopt(newborn, me);
    }
    arm();
    if birth.detached
        && let Some(mut scope) = enter(birth.caller)
    {
        thread::detached(&mut scope, me);
    }
    let mask = birth.mask;
    let taken = &raw const birth.taken;
    // SAFETY: still there. Release: the creator, which frees it, comes after everything above.
    unsafe { (*taken).store(1, Ordering::Release) };
    // SAFETY: the address may be gone by now; a wake looks at nothing, and a waiter that it wakes by mistake looks again.
    unsafe { wake(taken) };
    sys::restore_signals(mask);
    beginning
}

/// # Safety
/// None in fact: the address is a key. Unsafe, because a reference to the word may not be made any more.
unsafe fn wake(word: *const AtomicU32) {
    let operation = (libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG) as usize;
    // SAFETY: FUTEX_WAKE does not access the word.
    let _ = unsafe { sys::call(libc::SYS_futex, [word as usize, operation, 1, 0, 0, 0]) };
}

/// The key whose destructor ends threads.
static LAST_RITES: OnceLock<pthread_key_t> = OnceLock::new();

/// Rounds in which libc runs the destructors of thread-specific data.
const ROUNDS: usize = 4;

/// Makes sure that the running thread will be ended. Also for threads that did not start here: the main thread may end, too.
pub fn arm() {
    let key = *LAST_RITES.get_or_init(|| {
        let mut key = 0;
        // SAFETY: `key` is writable, and the destructor is a function of the type that libc calls.
        let result = unsafe { libc::pthread_key_create(&mut key, Some(last_rites)) };
        assert!(
            result == 0,
            "no thread-specific key is left for the end of threads (error {result})"
        );
        key
    });
    // SAFETY: the key was created above and is never deleted.
    unsafe {
        if libc::pthread_getspecific(key).is_null() {
            libc::pthread_setspecific(key, core::ptr::without_provenance::<c_void>(1));
        }
    }
}

/// Destructor of the key: comes back in every round, and ends the thread in the last one.
unsafe extern "C" fn last_rites(round: *mut c_void) {
    let round = round.addr();
    if round < ROUNDS
        && let Some(key) = LAST_RITES.get()
    {
        // SAFETY: the key is never deleted.
        unsafe {
            libc::pthread_setspecific(*key, core::ptr::without_provenance::<c_void>(round + 1))
        };
        return;
    }
    let caller = caller!();
    // A handler that ran once the stack is over would be seen to use it. libc blocks all signals a moment later anyway, but not if the
    // thread is the last one, which calls the exit handlers.
    let mask = sys::block_signals();
    if let Some(mut scope) = enter(caller) {
        leave_robust_mutexes(&mut scope);
        scope.stack_ends();
    }
    thread::end();
    if is_up() && runtime().threads.alive() == 0 {
        sys::restore_signals(mask);
    }
}

/// A robust mutex that a thread still holds when it ends goes to the next thread that locks it (`EOWNERDEAD`), which comes after
/// all that this one did: the end of the thread is the unlock. The kernel does it by a list that libc keeps; so we look there.
fn leave_robust_mutexes(scope: &mut Scope) {
    #[repr(C)]
    struct Head {
        next: usize,
        /// From a node to the lock word, which is the first field of a mutex.
        offset: isize,
        pending: usize,
    }
    let (mut head, mut size) = (core::ptr::null::<Head>(), 0usize);
    // SAFETY: both results are writable; 0 is the running thread.
    let got = unsafe {
        sys::call(
            libc::SYS_get_robust_list,
            [0, (&raw mut head).addr(), (&raw mut size).addr(), 0, 0, 0],
        )
    };
    // SAFETY: libc has registered it and keeps it as long as the thread lives.
    let Some(head) =
        (unsafe { head.as_ref() }).filter(|head| got.is_ok() && head.offset == -ROBUST_NODE)
    else {
        return;
    };
    let mut node = head.next;
    // Bit 0 of a link marks a mutex with priority inheritance. The kernel follows no more than this many either.
    for _ in 0..2048 {
        let at = node & !1;
        if at == core::ptr::from_ref(head).addr() || at == 0 {
            return;
        }
        let object = Entity::object(at.wrapping_add_signed(head.offset) as u64, Role::Object);
        scope.sync(Effect::RELEASE, object);
        scope.released(object);
        // SAFETY: a node is inside a mutex that this thread holds; its first word is the next link.
        node = unsafe { *(at as *const usize) };
    }
}

/// Whether a thread with these attributes is created detached.
///
/// # Safety
/// `attributes` is null or initialized.
unsafe fn is_detached(attributes: *const pthread_attr_t) -> bool {
    let mut state = libc::PTHREAD_CREATE_JOINABLE;
    if !attributes.is_null() {
        // SAFETY: initialized attributes, and a writable result.
        unsafe { pthread_attr_getdetachstate(attributes, &mut state) };
    }
    state == libc::PTHREAD_CREATE_DETACHED
}

/// Whether a thread with these attributes runs on memory that the program brings.
///
/// # Safety
/// `attributes` is null or initialized.
unsafe fn brings_stack(attributes: *const pthread_attr_t) -> bool {
    let (mut low, mut bytes) = (core::ptr::null_mut::<c_void>(), 0usize);
    if !attributes.is_null() {
        // SAFETY: initialized attributes, and writable results.
        unsafe { libc::pthread_attr_getstack(attributes, &mut low, &mut bytes) };
    }
    // libc keeps the upper end, which is null where none was set.
    low.addr().wrapping_add(bytes) != 0
}

/// Makes the events around `create`, the real function, which it gives the start routine and argument to use. `id` is where
/// the real function leaves the new thread's id.
fn around_creation(
    caller: Caller,
    id: *mut c_void,
    detached: bool,
    borrowed_stack: bool,
    start: Option<Start>,
    argument: *mut c_void,
    create: impl Fn(Option<Start>, *mut c_void) -> c_int,
) -> c_int {
    let Some(mut scope) = enter(caller) else {
        return create(start, argument);
    };
    // Before the fork event, although POSIX does not say whether the new thread may already read it: here it may, because
    // glibc writes it first.
    scope.write(id, size_of::<pthread_t>());
    let mut newborn = thread::create(&mut scope);
    if borrowed_stack {
        newborn.borrow_stack();
    }
    drop(scope);
    arm();
    let mask = sys::block_signals();
    let mut birth = Birth {
        start,
        argument,
        newborn: Some(newborn),
        detached,
        mask,
        caller,
        taken: AtomicU32::new(0),
    };
    let shared = &raw mut birth;
    let result = create(Some(__goldilocks_thread_start), shared.cast());
    if result == 0 {
        // SAFETY: in this frame. The new thread writes `taken` only through this field's own atomic.
        let taken = unsafe { &(*shared).taken };
        // Acquire: pairs with the release in `begin`; the frame must not be left before.
        while taken.load(Ordering::Acquire) == 0 {
            let _ = sys::futex_wait(taken, 0, None);
        }
    }
    sys::restore_signals(mask);
    if result != 0
        && let Some(newborn) = birth.newborn.take()
        && let Some(mut scope) = enter(caller)
    {
        thread::abandon(&mut scope, newborn);
    }
    result
}

/// Joins by the real function, which waits as long as it takes if `surely`. The thread is looked up before: afterwards its id may belong to
/// another one.
fn joined(
    caller: Caller,
    thread: pthread_t,
    value: *mut c_void,
    bytes: usize,
    surely: bool,
    join: impl FnOnce() -> c_int,
) -> c_int {
    let joinee = enter(caller).map(|mut scope| thread::joinee(&mut scope, thread, surely));
    let result = join();
    if let Some(joinee) = joinee
        && let Some(mut scope) = enter(caller)
    {
        if result != 0 {
            thread::not_joined(&mut scope);
            return result;
        }
        thread::joined(&mut scope, joinee);
        if !value.is_null() {
            scope.write(value, bytes);
        }
    }
    result
}

/// Before a real detachment: afterwards the id may belong to another thread.
fn detaching(caller: Caller, thread: pthread_t) {
    if let Some(mut scope) = enter(caller) {
        thread::detached(&mut scope, thread);
    }
}

const POINTER: usize = size_of::<*mut c_void>();

interceptors! {
    fn pthread_create(
        id: *mut pthread_t,
        attributes: *const pthread_attr_t,
        start: Option<Start>,
        argument: *mut c_void,
    ) -> c_int {
        let caller = caller!();
        async_safety::calls(caller, "pthread_create");
        // SAFETY: the program passes null or initialized attributes.
        let (detached, brings_stack) = unsafe { (is_detached(attributes), brings_stack(attributes)) };
        around_creation(caller, id.cast(), detached, brings_stack, start, argument, |start, argument| {
            // SAFETY: the program's call, but for the start routine, which calls the program's.
            unsafe { real!(pthread_create)(id, attributes, start, argument) }
        })
    }

    fn pthread_join(thread: pthread_t, value: *mut *mut c_void) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        joined(caller, thread, value.cast(), POINTER, true, || unsafe { real!(pthread_join)(thread, value) })
    }

    fn pthread_tryjoin_np(thread: pthread_t, value: *mut *mut c_void) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        joined(caller, thread, value.cast(), POINTER, false, || unsafe { real!(pthread_tryjoin_np)(thread, value) })
    }

    fn pthread_timedjoin_np(thread: pthread_t, value: *mut *mut c_void, deadline: *const timespec) -> c_int {
        let caller = caller!();
        if !deadline.is_null() {
            reads_deadline(caller, deadline);
        }
        // SAFETY: the program's call, unchanged.
        joined(caller, thread, value.cast(), POINTER, false, || unsafe { real!(pthread_timedjoin_np)(thread, value, deadline) })
    }

    fn pthread_clockjoin_np(
        thread: pthread_t,
        value: *mut *mut c_void,
        clock: clockid_t,
        deadline: *const timespec,
    ) -> c_int {
        let caller = caller!();
        if !deadline.is_null() {
            reads_deadline(caller, deadline);
        }
        // SAFETY: the program's call, unchanged.
        joined(caller, thread, value.cast(), POINTER, false, || unsafe {
            real!(pthread_clockjoin_np)(thread, value, clock, deadline)
        })
    }

    fn pthread_detach(thread: pthread_t) -> c_int {
        let caller = caller!();
        detaching(caller, thread);
        // SAFETY: the program's call, unchanged.
        unsafe { real!(pthread_detach)(thread) }
    }

    fn pthread_exit(value: *mut c_void) {
        let caller = caller!();
        // Only to know whether the runtime is up: the main thread may end before it has created any.
        if enter(caller).is_some() {
            arm();
        }
        // SAFETY: the program's call, unchanged. It unwinds through this frame, in which nothing is to be dropped.
        unsafe { real!(pthread_exit)(value) }
    }

    fn pthread_setname_np(thread: pthread_t, name: *const c_char) -> c_int {
        let caller = caller!();
        // SAFETY: the program passes a C string.
        let text = unsafe { CStr::from_ptr(name) };
        if let Some(mut scope) = enter(caller) {
            scope.read(name.cast(), text.count_bytes() + 1);
        }
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(pthread_setname_np)(thread, name) };
        if result == 0 && let Some(mut scope) = enter(caller) {
            thread::named(&mut scope, thread, text.to_bytes());
        }
        result
    }

    fn thrd_create(id: *mut pthread_t, start: Option<Start>, argument: *mut c_void) -> c_int {
        let caller = caller!();
        around_creation(caller, id.cast(), false, false, start, argument, |start, argument| {
            // SAFETY: the program's call, but for the start routine, which calls the program's.
            unsafe { real!(thrd_create)(id, start, argument) }
        })
    }

    fn thrd_join(thread: pthread_t, value: *mut c_int) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        joined(caller, thread, value.cast(), size_of::<c_int>(), true, || unsafe { real!(thrd_join)(thread, value) })
    }

    fn thrd_detach(thread: pthread_t) -> c_int {
        let caller = caller!();
        detaching(caller, thread);
        // SAFETY: the program's call, unchanged.
        unsafe { real!(thrd_detach)(thread) }
    }

    fn thrd_exit(value: c_int) {
        let caller = caller!();
        if enter(caller).is_some() {
            arm();
        }
        // SAFETY: the program's call, unchanged. It unwinds through this frame, in which nothing is to be dropped.
        unsafe { real!(thrd_exit)(value) }
    }
}
