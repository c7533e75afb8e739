//! From an event of the program to the engine: entering and leaving the runtime, and what is done in between.
//!
//! While a thread is inside, its block's `depth` is not zero: signals are deferred, and whoever needs all threads outside
//! (fork, sweep) waits for it. Nothing in here blocks on the program, so the stay is short.

use crate::aliases;
use crate::async_safety;
use crate::atomic_words;
use crate::caller::Caller;
use crate::deferred_signals::deliver_signals;
use crate::describe;
use crate::detection;
use crate::interceptors::cancellation;
use crate::lock_order;
use crate::openmp;
use crate::options;
use crate::phases;
use crate::quick;
use crate::sites::Shape;
use crate::stack_probe;
use crate::state::{FREEZE, Obstacle, is_up, multi_threaded, runtime};
use crate::sweep;
use crate::sync_bits;
use crate::sys;
use crate::thread::{self, ThreadState};
use crate::tls::{self, CANCELED_INSIDE, ENDED, IN_HANDLER, SIGNAL_PENDING, TlsBlock};
use crate::unwind;
use core::ffi::c_void;
use core::sync::atomic::{Ordering, fence};
use core::time::Duration;
use goldilocks_core::detector::{OutOfEpochs, Race};
use goldilocks_core::event::{Access, Effect, Entity};
use goldilocks_core::goldilocks::Counts;
use goldilocks_core::objects::Holds;
use goldilocks_core::tag::Tag;
use std::sync::Mutex;

/// A stay inside the runtime on behalf of the running thread. Signals are deferred until it is dropped.
pub struct Scope {
    block: &'static TlsBlock,
    state: *mut ThreadState,
    caller: Caller,
    errno: i32,
    /// Name of the function that the program called, if a signal handler may not.
    unsafe_call: &'static str,
}

/// Enters the runtime. `None` when the runtime is not up, when this thread is inside it already (a call from the
/// runtime itself, or from a library that we called), or when it has ended: the interceptor then only makes the real call.
#[inline]
pub fn enter(caller: Caller) -> Option<Scope> {
    if !is_up() {
        return None;
    }
    let block = tls::block();
    // Relaxed throughout: the block is this thread's own; `freeze` pairs through its barrier on all threads.
    if block.depth.load(Ordering::Relaxed) != 0 {
        return None;
    }
    stack_probe::probe(block);
    let mut state = block.thread.load(Ordering::Relaxed);
    if state.is_null() {
        if block.flags.load(Ordering::Relaxed) & ENDED != 0 {
            return None;
        }
        block.depth.store(1, Ordering::Relaxed);
        thread::attach(false);
        state = block.thread.load(Ordering::Relaxed);
    }
    block.depth.store(1, Ordering::Relaxed);
    while FREEZE.load(Ordering::Relaxed) != 0 {
        wait_outside(block);
    }
    // SAFETY: the thread's own state, and its own errno.
    let errno = unsafe { *(*state).errno };
    Some(Scope {
        block,
        state,
        caller,
        errno,
        unsafe_call: "",
    })
}

/// Whether the running thread holds a lock, as far as we know. Asked outside of the runtime.
#[inline(always)]
pub fn holds_locks() -> bool {
    if !is_up() {
        return false;
    }
    let state = tls::block().thread.load(Ordering::Relaxed);
    // SAFETY: null or the thread's own state, which only it and its signal handlers change, and those not meanwhile.
    unsafe { state.as_ref() }.is_some_and(|state| !state.engine.held().is_empty())
}

/// As [`enter`], for a function that a signal handler may not call. That is looked at when the stay ends, together with what is
/// looked at there anyhow, so that it costs nothing elsewhere.
#[inline]
pub fn enter_unsafe(caller: Caller, name: &'static str) -> Option<Scope> {
    let mut scope = enter(caller)?;
    scope.unsafe_call = name;
    Some(scope)
}

/// Waits for the end of a freeze, outside.
#[cold]
fn wait_outside(block: &TlsBlock) {
    block.depth.store(0, Ordering::Release);
    while FREEZE.load(Ordering::Relaxed) != 0 {
        let _ = sys::futex_wait(&FREEZE, 1, Some(Duration::from_millis(10)));
    }
    block.depth.store(1, Ordering::Relaxed);
}

/// Makes sure that no other thread is inside the runtime, and keeps it so until the result is dropped. The caller is inside.
pub struct Frozen(pub(crate) ());

/// How long a freeze waits for those who are inside, at first. Most leave within microseconds; who describes a race may be there for longer, and may wait
/// for a lock (the dynamic linker's) whose holder waits for the end of the freeze.
const PATIENCE: Duration = Duration::from_millis(20);
/// And at most.
const LONGEST: Duration = Duration::from_secs(5);

pub fn freeze() -> Frozen {
    let (mut patience, mut pause) = (PATIENCE, Duration::from_millis(1));
    loop {
        // One at a time. Losing the race means that another thread freezes us: be outside meanwhile.
        while FREEZE
            .compare_exchange(0, 1, Ordering::SeqCst, Ordering::Relaxed)
            .is_err()
        {
            wait_outside(tls::block());
        }
        let frozen = Frozen(());
        if are_outside(patience) {
            return frozen;
        }
        // So that whoever they wait for goes on. Unless they only wait for a processor, among hundreds: then the next time is long enough.
        drop(frozen);
        let block = tls::block();
        block.depth.store(0, Ordering::Release);
        sys::sleep(pause);
        block.depth.store(1, Ordering::Relaxed);
        pause = (2 * pause).min(Duration::from_millis(64));
        patience = (2 * patience).min(LONGEST);
    }
}

/// Waits until all other threads are outside; false if that takes too long. Who is outside stays there while the freeze lasts.
fn are_outside(patience: Duration) -> bool {
    // Every running thread passes a barrier: either it sees FREEZE when it enters, or we see its depth.
    if sys::membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED).is_err() {
        // Old kernel or seccomp: a store is visible long before a millisecond has passed.
        sys::sleep(Duration::from_millis(1));
    }
    fence(Ordering::SeqCst);
    let mut blocks: Vec<&TlsBlock> = Vec::new();
    runtime().threads.each_other_block(|block| {
        // SAFETY: extends the borrow; the thread cannot end while it may not enter (`thread::end` enters).
        blocks.push(unsafe { &*(block as *const TlsBlock) });
    });
    let begun = sys::now();
    blocks.iter().all(|block| {
        while block.depth.load(Ordering::Acquire) != 0 {
            if sys::now().saturating_sub(begun) > patience {
                return false;
            }
            sys::sched_yield();
        }
        true
    })
}

impl Drop for Frozen {
    fn drop(&mut self) {
        FREEZE.store(0, Ordering::Release);
        sys::futex_wake(&FREEZE, i32::MAX as u32);
    }
}

impl Drop for Scope {
    #[inline]
    fn drop(&mut self) {
        let block = self.block;
        let state = self.thread();
        let tag = if !multi_threaded() || phases::is_alone() {
            0
        } else if runtime().options.short_circuits.has(0) {
            state.tag().0
        } else {
            Tag::NEVER.0
        };
        let new_epoch = tag != block.tag.load(Ordering::Relaxed);
        match state.buffers.take_read_set() {
            Some(set) if tag != Tag::NEVER.0 && tag != Tag::NONE.0 => {
                if new_epoch {
                    block.forget_sets();
                }
                block.meet_set(set);
            }
            // The sets that were found hold this thread in an epoch that is over.
            _ if new_epoch => block.forget_sets(),
            _ => {}
        }
        block.tag.store(tag, Ordering::Relaxed);
        let lane = if self.thread().ignored.anything() {
            core::ptr::null_mut()
        } else {
            self.state
        };
        block.lane.store(lane, Ordering::Relaxed);
        let slot = self.thread().engine.slot;
        let (kept, mask) = runtime().engine.epochs.kept.place_of_table(slot);
        block.kept.store(kept.cast_mut(), Ordering::Relaxed);
        block.kept_mask.store(mask, Ordering::Relaxed);
        block.balance_made();
        // SAFETY: the thread's own errno.
        unsafe { *(*self.state).errno = self.errno };
        block.depth.store(0, Ordering::Release);
        if block.flags.load(Ordering::Relaxed) & (SIGNAL_PENDING | IN_HANDLER) != 0 {
            left(block, self.caller, self.unsafe_call);
        }
    }
}

/// Bytes of an access, at most, that is made word by word if it is a range ([`Scope::few_shortly`], [`crate::quick::by_hook`]).
pub const FEW: u64 = 56;

impl Scope {
    /// The running thread.
    #[inline(always)]
    pub fn thread(&mut self) -> &mut ThreadState {
        // SAFETY: the thread's own state; the scope is the only one (`enter` refuses to nest).
        unsafe { &mut *self.state }
    }
    /// The running context, thread or fiber, as others name it.
    pub fn context(&self) -> *mut ThreadState {
        self.state
    }
    /// From here on the running OS thread acts as `context`, which waited until now.
    ///
    /// # Safety
    /// `context` waits, and is no other thread's to use.
    pub unsafe fn switch_to(&mut self, context: *mut ThreadState) {
        self.state = context;
        self.block.thread.store(context, Ordering::Relaxed);
        self.block.forget_sets();
        self.block.forget_kept();
    }

    pub fn caller(&self) -> Caller {
        self.caller
    }

    /// Takes up a stay that was begun by a scope that has been forgotten. `None` if the thread is not inside.
    pub fn resume(caller: Caller) -> Option<Scope> {
        let block = tls::block();
        let state = block.thread.load(Ordering::Relaxed);
        if state.is_null() || block.depth.load(Ordering::Relaxed) == 0 {
            return None;
        }
        // SAFETY: the thread's own errno.
        let errno = unsafe { *(*state).errno };
        Some(Scope {
            block,
            state,
            caller,
            errno,
            unsafe_call: "",
        })
    }

    /// Checks a read of `bytes` bytes at `ptr`. Zero bytes is nothing.
    #[inline]
    pub fn read(&mut self, ptr: *const c_void, bytes: usize) {
        if !self.is_of_openmp() {
            self.access((ptr as u64, bytes as u64), Access::Read, Shape::UNKNOWN);
        }
    }
    /// Checks a write of `bytes` bytes at `ptr`.
    #[inline]
    pub fn write(&mut self, ptr: *const c_void, bytes: usize) {
        if !self.is_of_openmp() {
            self.access((ptr as u64, bytes as u64), Access::Write, Shape::UNKNOWN);
        }
    }

    /// Checks an access of any kind. The shape is known for accesses by compiled code.
    #[inline]
    pub fn access(&mut self, (addr, bytes): (u64, u64), access: Access, shape: Shape) {
        if !multi_threaded() || bytes == 0 || !runtime().shadow.is_application(addr, bytes) {
            return;
        }
        if phases::is_alone() && !phases::looked_in_vain(self, (addr, bytes)) {
            return;
        }
        if aliases::any() {
            aliases::parts((addr, bytes)).for_each(|part| self.access_at_home(part, access, shape));
        } else {
            self.access_at_home((addr, bytes), access, shape);
        }
    }

    /// Checks an access by an atomic operation, unless the thread has made the same one, or one that says more, in its present
    /// sync epoch, and nobody has written since (SC0).
    #[inline]
    pub fn atomic_access(&mut self, (addr, bytes): (u64, u64), access: Access) {
        // What was found to be made may have been missed by whoever was at the line: that is looked at again.
        let rechecks = self.thread().engine.recheck;
        let is_simple = within_a_word(addr, bytes) && !Obstacle::any() && !rechecks;
        if is_simple && runtime().shadow.is_application(addr, bytes) {
            let state = self.thread();
            if let Some(epoch) = state.engine.epoch()
                && runtime().detector().has_made_atomic(
                    &state.engine,
                    (addr, bytes),
                    epoch,
                    access.is_write(),
                )
            {
                return;
            }
            if self.is_open_to_atomic(addr) {
                let site = self.atomic_site((addr, bytes));
                if self.atomic_quick((addr, bytes), access, site) {
                    return;
                }
            }
        }
        self.access((addr, bytes), access, Shape::of(addr, bytes));
    }

    /// Whether nothing about the thread or the address speaks against the short way.
    #[inline]
    fn is_open_to_atomic(&mut self, addr: u64) -> bool {
        let state = self.thread();
        !state.ignored.anything() && !state.openmp.is_news(addr as usize, state.bounds.low)
    }

    #[inline]
    fn atomic_site(&mut self, (addr, bytes): (u64, u64)) -> u32 {
        let caller = self.caller;
        self.thread().site(Shape::of(addr, bytes), caller)
    }

    /// The short way of an access that [`Scope::is_open_to_atomic`]. Locks nothing but the line.
    #[inline]
    fn atomic_quick(&mut self, range: (u64, u64), access: Access, site: u32) -> bool {
        let state = self.thread();
        let Some(epoch) = runtime().engine.epoch_for_access(&mut state.engine) else {
            return false;
        };
        let (thread, buffers) = (&mut state.engine, &state.buffers);
        let access = (epoch, access.is_write());
        runtime()
            .detector()
            .atomic_quick(thread, buffers, range, access, site)
    }

    /// What had better wait until nobody waits for this thread: keeps the update list short. Thousands of cells may be evaluated, and within that
    /// time all others would have come to the stripe and gone to sleep; and who sweeps would wait for them, as they are inside.
    #[inline]
    pub fn after_stripe(&mut self) {
        runtime().engine.bound(&mut self.thread().engine);
        sweep::if_spent(&mut self.thread().engine);
    }

    /// An atomic operation with something to tell, with the stripe of its address held: its acquiring part, its access, which so comes
    /// after what it brings, and its releasing part. (Were the access recorded after the release, the thread that drops the last
    /// reference to a counted object would race with those that dropped theirs before.) What the object holds then is for `keep`, unless the
    /// thread or the address is special. [`Scope::after_stripe`] is for when the stripe is given back.
    pub fn atomic_event(
        &mut self,
        (addr, bytes): (u64, u64),
        access: Access,
        (sink, source): (Effect, Effect),
        object: Entity,
        keep: impl FnOnce(Holds),
    ) {
        let is_simple = within_a_word(addr, bytes)
            && multi_threaded()
            && !Obstacle::any()
            && runtime().shadow.is_application(addr, bytes)
            && !self.is_of_openmp();
        if !is_simple || !self.is_open_to_atomic(addr) {
            self.sync_private(sink, object);
            self.atomic_access((addr, bytes), access);
            self.sync_private(source, object);
            return;
        }
        let pc = self.caller.pc as u64;
        let object = aliases::home_of(object);
        sync_bits::mark(object);
        let site = self.atomic_site((addr, bytes));
        let engine = &runtime().engine;
        let mut section = engine.section(object, true);
        if sink.0 != 0 && source.0 == 0 {
            section.event(&mut self.thread().engine, sink, pc);
        } else if sink.0 != 0 {
            section.first_event(&mut self.thread().engine, sink, pc);
        }
        if !self.atomic_quick((addr, bytes), access, site) {
            section.append_taken(&mut self.thread().engine, pc);
            drop(section);
            self.access((addr, bytes), access, Shape::of(addr, bytes));
            section = engine.section(object, true);
        }
        let state = self.thread();
        if source.0 != 0 {
            section.event(&mut state.engine, source, pc);
        }
        keep(section.holds());
        drop(section);
        // As in `sync_private`.
        let _ = state.buffers.take_read_set();
    }

    /// As [`Scope::access`], for memory whose history is where it is.
    #[inline(always)]
    fn access_at_home(&mut self, (addr, bytes): (u64, u64), access: Access, shape: Shape) {
        let caller = self.caller;
        let state = self.thread();
        if state.ignored.skips(access) || detection::is_off() {
            return;
        }
        state.openmp.accesses(addr as usize, state.bounds.low);
        let site = state.site(shape, caller);
        runtime().shadow.is_written_soon(addr, bytes);
        if shape == Shape::UNKNOWN
            && bytes <= FEW
            && Self::few_shortly(state, (addr, bytes), access, site)
        {
            return;
        }
        let found = &mut |thread: &mut goldilocks_core::goldilocks::Thread, race: Race| {
            describe::found(thread, race, access, (addr, bytes), site);
        };
        if !access.is_atomic() {
            sweep::if_spent(&mut state.engine);
        }
        while let Err(OutOfEpochs) = runtime().detector().access(
            &mut state.engine,
            &mut state.buffers,
            (addr, bytes),
            access,
            site,
            &mut *found,
        ) {
            // Whoever makes an atomic access may hold a stripe for which others wait inside of the runtime, and those would be waited for here. There are ids
            // for these beyond the last limit (`EpochTable::most`); if they are spent as well, detection ends rather than that all wait for each other.
            if access.is_atomic() {
                detection::end();
            }
            if detection::has_ended() || !sweep::run(&mut state.engine) {
                return;
            }
        }
    }

    /// The short way of an access by libc to few bytes, a short string mostly. Whether it is made.
    #[inline(always)]
    fn few_shortly(state: &mut ThreadState, range: (u64, u64), access: Access, site: u32) -> bool {
        let engine = &mut state.engine;
        if access.is_atomic() || Obstacle::any() || engine.recheck {
            return false;
        }
        let Some(epoch) = runtime().engine.epoch_quick(engine) else {
            return false;
        };
        let tag = Tag::new(epoch, false, 0xff);
        quick::each_word(state, range, (tag, access.is_write()), site)
    }

    /// Whether the event is libomp's own. What it reads, writes and synchronizes by is its own affair; what that means to the
    /// program, it says (`openmp`).
    #[inline(always)]
    pub fn is_of_openmp(&self) -> bool {
        openmp::is_runtime(self.caller.pc)
    }

    /// Makes a sync event: `effect` on `object`.
    #[inline]
    pub fn sync(&mut self, effect: Effect, object: Entity) {
        self.sync_private(effect, object);
        atomic_words::disturb(aliases::home_of(object));
    }

    /// As [`Scope::sync`], by an atomic operation, with the stripe of the address held; or on an object that is none of the program's
    /// atomics: a lock, a semaphore, a barrier. Others would take the line of its stripe from one processor to the other with each event.
    #[inline]
    pub fn sync_private(&mut self, effect: Effect, object: Entity) {
        if multi_threaded() && effect.0 != 0 && !self.is_of_openmp() {
            let pc = self.caller.pc as u64;
            let state = self.thread();
            // What a thread does while it is alone comes before whatever others will do.
            if state.ignored.skips_sync() || phases::is_alone() {
                return;
            }
            let object = aliases::home_of(object);
            sync_bits::mark(object);
            if effect.has(Effect::RELEASE) {
                atomic_words::is_released_to(object);
            }
            if lock_order::is_order(object) {
                lock_order::orders(state, effect, object);
            }
            runtime().engine.sync(&mut state.engine, effect, object, pc);
            // The epoch may have ended, and with it the set's claim to hold this thread.
            let _ = state.buffers.take_read_set();
        }
    }
    /// As [`Scope::sync`], of an object whose events order threads in the same way in every schedule.
    pub fn orders(&mut self, effect: Effect, object: Entity) {
        self.sync(effect, object);
        if multi_threaded() && !self.is_of_openmp() {
            lock_order::orders(self.thread(), effect, aliases::home_of(object));
        }
    }
    /// The program now holds `object` as a lock (for SC3 and for reports); `released` undoes it.
    pub fn held(&mut self, object: Entity) {
        if self.is_of_openmp() {
            return;
        }
        let pc = self.caller.pc;
        self.thread().lock_held(aliases::home_of(object), pc);
    }
    pub fn released(&mut self, object: Entity) {
        if self.is_of_openmp() {
            return;
        }
        self.thread().lock_released(aliases::home_of(object));
    }
    /// The object does not exist any more: its Goldilockset membership ends, its records are freed.
    pub fn forget(&mut self, object: Entity) {
        if multi_threaded() {
            let object = aliases::home_of(object);
            runtime().engine.forget(&mut self.thread().engine, object);
            if lock_order::is_order(object) {
                lock_order::ends(object);
            }
            atomic_words::disturb(object);
        }
    }

    /// Number of the running thread in reports (T0 is main).
    pub fn thread_number(&self) -> u32 {
        // SAFETY: as in `thread`.
        unsafe { (*self.state).serial }
    }
    /// Interned stack of the caller, for creation stacks of blocks and sync objects. 0 is unknown.
    pub fn stack(&mut self) -> u32 {
        let caller = self.caller;
        self.thread().site(Shape::UNKNOWN, caller)
    }
}

impl Scope {
    /// As [`Scope::stack`], by unwind tables: complete through code without frame pointers, and slow. For rare events, and only
    /// from interceptors.
    pub fn unwound_stack(&mut self) -> u32 {
        let caller = self.caller;
        let pcs = unwind::from_here(caller.pc);
        if pcs.is_empty() {
            self.stack()
        } else {
            self.thread().site_of(&pcs)
        }
    }
}

#[inline(always)]
fn within_a_word(addr: u64, bytes: u64) -> bool {
    bytes != 0 && (addr & 7) + bytes <= 8
}

/// Entered by the out-of-line checks when the same-epoch check has failed: `info` is the size in bytes, plus 256 for a write.
#[unsafe(no_mangle)]
extern "C" fn goldilocks_slow_access(addr: u64, info: u32, pc: usize, fp: usize) {
    if !is_up() {
        crate::init::start_late();
    }
    if let Some(mut scope) = enter(Caller::new(pc, fp).compiled()) {
        let access = if info & 256 != 0 {
            Access::Write
        } else {
            Access::Read
        };
        let bytes = (info & 255) as u64;
        scope.access((addr, bytes), access, Shape::of(addr, bytes));
    }
}

/// What is to be done after a stay, in rare cases.
#[cold]
pub(crate) fn left(block: &'static TlsBlock, caller: Caller, unsafe_call: &'static str) {
    let flags = block.flags.load(Ordering::Relaxed);
    if flags & IN_HANDLER != 0 && !unsafe_call.is_empty() {
        async_safety::called(caller, unsafe_call);
    }
    if flags & SIGNAL_PENDING != 0 {
        deliver_signals(block);
    }
    if flags & CANCELED_INSIDE != 0 {
        cancellation::left();
    }
}

/// Counts of threads that have ended.
static COUNTS: Mutex<Option<Counts>> = Mutex::new(None);

/// Adds to the counts of the run.
pub fn count(counts: &Counts) {
    let mut total = COUNTS
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    total.get_or_insert_with(Counts::default).add(counts);
}

/// The counts of all threads that have ended, and of the running one; of all that live, if they are frozen.
pub fn counts(frozen: Option<&Frozen>) -> Counts {
    let mut total = COUNTS
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
        .unwrap_or_default();
    thread::add_live_counts(&mut total, frozen.is_some());
    total
}

/// The runtime cannot go on: says why, and ends the process with a status of its own.
pub fn fatal(reason: &str) -> ! {
    let text = format!("Goldilocks: fatal: {reason}\n");
    let _ = sys::write(2, text.as_bytes());
    sys::exit_group(70)
}

/// At the end of the process, whichever way it ends: reports are out already; prints the summary and gives the status to
/// end with.
pub fn at_exit(status: i32) -> i32 {
    if !is_up() {
        return status;
    }
    crate::init::finish(status)
}

/// Whether plain output about the run itself is wanted.
pub fn verbose() -> bool {
    options::get().verbosity > 0
}
