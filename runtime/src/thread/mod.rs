//! Threads: creation, identity, end.
//!
//! A thread has a *serial*, unique over the run and its number in reports (T0 is the first), and while it is alive a *slot* of
//! the engine, which later threads may reuse. Descriptions are kept for the whole run, since reports name ended threads.

use crate::annotations::ignore::Ignored;
use crate::caller::Caller;
use crate::contexts::StackBounds;
use crate::deferred_signals;
use crate::fibers::{self, Fibers};
use crate::interceptors::{requests, threads};
use crate::lock_order::{self, Habits};
use crate::locksets;
use crate::memory_life;
use crate::misuse;
use crate::phases;
use crate::pipeline::{self, Scope};
use crate::sites::mix;
use crate::state::{multi_threaded, runtime};
use crate::sweep;
use crate::sync_objects::recent;
use crate::sys;
use crate::tls::{self, ENDED, TlsBlock};
use core::sync::atomic::{AtomicU32, Ordering};
use goldilocks_core::detector::Buffers;
use goldilocks_core::event::{Clock, Effect, Entity, Role};
use goldilocks_core::goldilocks::{Counts, Thread};
use goldilocks_core::line::Site;
use goldilocks_core::tag::Tag;
use std::sync::Mutex;

mod edges;
pub(crate) mod folded;
pub mod made;
mod registry;
pub mod sites;

use registry::Record;
pub use registry::{Description, Registry, Unjoined};
use sites::Recent;

/// A thread as itself sees it. Owned by the thread; after its end by whoever joins it. On cache lines of its own.
#[repr(align(64))]
pub struct ThreadState {
    pub engine: Thread,
    pub buffers: Buffers,
    pub serial: u32,
    pub bounds: StackBounds,
    /// Another stack on which it was found last.
    elsewhere: StackBounds,
    /// Return address of the call that has locked each of the engine's `held`.
    pub held_places: Vec<usize>,
    /// The orders in which it takes locks.
    pub habits: Habits,
    /// What stands for the locks held in every site's hash ([`locksets::name`]).
    pub held_hash: u64,
    /// The program brought the memory of its stack, and has it back at its end.
    pub borrowed_stack: bool,
    /// What was found on the stack lately. Goes on to the next context at a switch, so that those that wait have none; whatever
    /// runs has one.
    recent: Option<Box<Recent>>,
    /// What only threads need that run fibers, and those.
    pub fiber: Fibers,
    /// Signals that arrived inside the runtime.
    pub signals: deferred_signals::SignalQueue,
    /// The signal handler that it runs.
    pub handling: crate::async_safety::Handling,
    /// The signal that it is sending to itself; 0 if none.
    pub sending: i32,
    /// Where libc keeps this thread's errno.
    pub errno: *mut i32,
    /// The stripe that the thread holds between the two hooks of an atomic instruction; otherwise `usize::MAX`.
    pub stripe: usize,
    /// Its last release by an atomic operation.
    pub latest: crate::atomic_words::Latest,
    pub loads: crate::atomic_words::Loads,
    pub heard: crate::atomic_words::HeardLately,
    pub waiting: crate::waiting::Waiting,
    /// What of its events the program does not want to be looked at.
    pub ignored: Ignored,
    /// What it is to OpenMP.
    pub openmp: crate::openmp::Worker,
}

impl ThreadState {
    fn new(engine: Thread, serial: u32) -> Box<ThreadState> {
        Box::new(ThreadState {
            engine,
            buffers: Buffers::default(),
            serial,
            bounds: StackBounds::default(),
            held_places: Vec::with_capacity(16),
            habits: Habits::default(),
            held_hash: 0,
            elsewhere: StackBounds::default(),
            borrowed_stack: false,
            recent: None,
            fiber: Fibers::default(),
            signals: Default::default(),
            handling: Default::default(),
            sending: 0,
            errno: core::ptr::null_mut(),
            stripe: usize::MAX,
            latest: Default::default(),
            loads: Default::default(),
            heard: Default::default(),
            waiting: Default::default(),
            ignored: Ignored::default(),
            openmp: Default::default(),
        })
    }

    /// Whether the thread holds this lock, as far as we have seen it locked.
    pub fn holds(&self, lock: Entity) -> bool {
        self.engine.held().contains(&lock)
    }

    /// Return address of the call that has locked it.
    pub fn held_at(&self, lock: Entity) -> Option<usize> {
        let index = self.engine.held().iter().rposition(|&held| held == lock)?;
        self.held_places.get(index).copied()
    }

    /// All locks held, outermost first, with the return addresses of the calls that have locked them.
    pub fn held_with_places(&self) -> impl Iterator<Item = (Entity, usize)> + '_ {
        let places = self.held_places.iter().copied();
        self.engine.held().iter().copied().zip(places)
    }

    /// The thread has locked `lock` by a call that returns to `pc`.
    pub fn lock_held(&mut self, lock: Entity, pc: usize) {
        tls::block().did();
        if let Some((place, _)) = lock.as_object() {
            self.waiting.has_got(place);
        }
        runtime().engine.lock_held(&mut self.engine, lock);
        self.held_places.push(pc);
        self.locks_changed();
    }

    /// The thread does not hold `lock` any more, or not once more.
    pub fn lock_released(&mut self, lock: Entity) {
        if let Some(index) = runtime().engine.lock_released(&mut self.engine, lock) {
            if index + 1 == self.held_places.len() {
                self.held_places.pop();
            } else {
                self.held_places.remove(index);
            }
            self.locks_changed();
        }
    }

    /// Recomputes the hash of the locks held.
    pub fn locks_changed(&mut self) {
        let held = self.engine.held().iter();
        let hash = held.fold(0, |hash, lock| mix(hash, lock.0));
        self.held_hash = if hash != 0 && runtime().sites.tell_no_locks_apart() {
            locksets::ONE_OF_MANY
        } else {
            locksets::name(hash)
        };
    }

    /// The tag that compiled code compares with from now on.
    pub fn tag(&self) -> Tag {
        match self.engine.epoch() {
            Some(epoch) => Tag::new(epoch, false, 0xff),
            None => Tag::NEVER,
        }
    }
}

impl Newborn {
    /// The thread's stack is memory of the program's.
    pub fn borrow_stack(&mut self) {
        self.state.borrowed_stack = true;
    }
}

/// A thread about to be created: made by the parent, adopted by the child.
pub struct Newborn {
    state: Box<ThreadState>,
}

fn register(state: &ThreadState, first_clock: Clock, created_by: Option<u32>, creation: Site) {
    if state.serial != 0 {
        phases::made();
    }
    runtime().threads.with(|records| {
        debug_assert_eq!(records.len(), state.serial as usize);
        records.push(Record {
            description: Description {
                serial: state.serial,
                created_by,
                creation,
                ..Default::default()
            },
            slot: state.engine.slot,
            incarnation: state.engine.incarnation(),
            first_clock,
            pthread: None,
            // libc's own threads are joined by nobody but libc.
            detached: created_by.is_none() && state.serial != 0,
            ended: None,
            block: 0,
        });
    });
}

/// The next serial; changed under [`CREATION`] only. Relaxed, therefore.
static SERIALS: AtomicU32 = AtomicU32::new(0);

fn next_serial() -> u32 {
    SERIALS.fetch_add(1, Ordering::Relaxed)
}

/// From here on the process counts as one with several threads: libc may make one that calls the program.
pub fn now_several(caller: Caller) {
    if (!multi_threaded() || phases::is_alone())
        && let Some(_scope) = pipeline::enter(caller)
    {
        // What the first thread does from now on is recorded: its tag changes when the scope ends.
        phases::several();
    }
    // Nobody will join those of libc's, and they know less than others.
    phases::made();
    if let Some(_scope) = pipeline::enter(caller) {
        runtime().engine.expect_strangers();
    }
}

/// In the parent, before the real creation: registers the thread, makes the fork event. From here on the process counts as
/// multi-threaded.
pub fn create(scope: &mut Scope) -> Newborn {
    if !multi_threaded() || phases::is_alone() {
        phases::several();
        tls::block().tag.store(Tag::NEVER.0, Ordering::Relaxed);
    }
    let creation = scope.unwound_stack();
    let pc = scope.caller().pc as u64;
    let parent = scope.thread();
    let mut swept = false;
    loop {
        // Serial and record are taken under one lock, so that the serial is the record's index.
        let order = CREATION
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let serial = SERIALS.load(Ordering::Relaxed);
        match runtime().engine.fork(&mut parent.engine, serial as u64, pc) {
            Ok(engine) => {
                SERIALS.store(serial + 1, Ordering::Relaxed);
                lock_order::created(parent, serial);
                let state = ThreadState::new(engine, serial);
                register(&state, state.engine.clock(), Some(parent.serial), creation);
                return Newborn { state };
            }
            // Slots of ended threads of which nothing is remembered any more can be found; without the lock, as that waits
            // for everybody to be outside of the runtime.
            Err(_) if !swept => {
                drop(order);
                sweep::run(&mut parent.engine);
                swept = true;
            }
            Err(_) => pipeline::fatal(
                "more than 65,535 threads are alive, not joined, or detached with accesses that are remembered; join some",
            ),
        }
    }
}

/// Held while a thread is made or becomes known.
pub static CREATION: Mutex<()> = Mutex::new(());

/// A context without an OS thread of its own. It waits.
pub fn create_fiber(scope: &mut Scope) -> *mut ThreadState {
    let mut state = create(scope).state;
    state.fiber.is_one = true;
    state.fiber.waits = true;
    deferred_signals::reserve_signals(&mut state);
    let serial = state.serial as usize;
    runtime()
        .threads
        .with(|records| records[serial].description.is_fiber = true);
    let state = Box::into_raw(state);
    runtime().threads.contexts().insert(state.addr());
    state
}

/// The end of a fiber that waits, which nobody will join.
///
/// # Safety
/// Made by [`create_fiber`], and not ended.
pub unsafe fn end_fiber(fiber: *mut ThreadState) {
    runtime().threads.contexts().remove(&fiber.addr());
    // SAFETY: from a box, by the caller's promise; it waits, so that no thread uses it.
    let mut state = unsafe { Box::from_raw(fiber) };
    let serial = state.serial;
    let engine = &runtime().engine;
    engine.end(&mut state.engine, serial as u64, 0);
    engine.forget(&mut state.engine, thread_end(serial));
    engine.forget(&mut state.engine, fibers::switches_to(serial));
    pipeline::count(&state.engine.counts);
    runtime()
        .threads
        .with(|records| records[serial as usize].description.finished = true);
}

/// Names a thread or fiber by its number.
pub fn named_number(serial: u32, name: &[u8]) {
    runtime()
        .threads
        .with(|records| records[serial as usize].description.name = name.to_vec());
}

/// In the parent, when the real creation failed.
pub fn abandon(scope: &mut Scope, mut newborn: Newborn) {
    let state = &mut newborn.state;
    runtime()
        .engine
        .end(&mut state.engine, state.serial as u64, 0);
    let serial = state.serial as usize;
    runtime()
        .threads
        .with(|records| records[serial].description.finished = true);
    phases::joined(scope);
}

/// First action of the child on its own stack: becomes the thread, its stack and thread-locals are fresh.
pub fn adopt(newborn: Newborn, pthread: libc::pthread_t) {
    let block = tls::block();
    block.depth.store(1, Ordering::Relaxed);
    become_thread(newborn.state, Some(pthread));
    block.depth.store(0, Ordering::Relaxed);
}

/// A thread that was not created through us (or the first one) becomes known.
pub fn attach(first: bool) {
    let _order = CREATION
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    if !first && (!multi_threaded() || phases::is_alone()) {
        phases::several();
        // The first thread was not recorded so far; from here on it is. What it did before is unknown to us, as is
        // whatever created this thread.
        runtime().threads.each_other_block(|block| {
            block.tag.store(Tag::NEVER.0, Ordering::Relaxed);
            block.know_of_others(true);
        });
    }
    let Ok(mut engine) = runtime().engine.unrelated_thread() else {
        pipeline::fatal("more than 65,535 threads are alive or not joined");
    };
    if !first {
        let request = requests::made_by_libc();
        runtime()
            .engine
            .sync(&mut engine, Effect::ACQUIRE, request, 0);
    }
    let state = ThreadState::new(engine, next_serial());
    register(&state, state.engine.clock(), None, 0);
    // SAFETY: identifies the running thread.
    become_thread(state, Some(unsafe { libc::pthread_self() }));
    if !first {
        // Its end is that of any thread.
        threads::arm();
    }
}

fn become_thread(mut state: Box<ThreadState>, pthread: Option<libc::pthread_t>) {
    let (low, high) = memory_life::stack_of_this_thread();
    state.bounds = StackBounds { low, high };
    state.recent = Some(Recent::new());
    // SAFETY: the address of the running thread's errno.
    state.errno = unsafe { libc::__errno_location() };
    deferred_signals::reserve_signals(&mut state);
    let block = tls::block();
    let serial = state.serial;
    runtime().threads.with(|records| {
        let record = &mut records[serial as usize];
        record.description.os_tid = sys::gettid();
        record.description.bounds = state.bounds;
        record.pthread = pthread;
        record.block = block as *const TlsBlock as usize;
    });
    runtime().threads.alive.fetch_add(1, Ordering::Relaxed);
    if serial != 0 {
        memory_life::fresh_stack(&mut state, low, high);
    }
    block.flags.store(0, Ordering::Relaxed);
    block.thread.store(Box::into_raw(state), Ordering::Relaxed);
    block.begin_made();
    let others = multi_threaded();
    let tag = if others { Tag::NEVER.0 } else { 0 };
    block.tag.store(tag, Ordering::Relaxed);
    block.know_of_others(others);
}

/// Last action of a thread, after its thread-local destructors and cleanup handlers.
pub fn end() {
    let block = tls::block();
    let state = block.thread.load(Ordering::Relaxed);
    if state.is_null() {
        return;
    }
    block.depth.fetch_add(1, Ordering::Relaxed);
    block.thread.store(core::ptr::null_mut(), Ordering::Relaxed);
    block.lane.store(core::ptr::null_mut(), Ordering::Relaxed);
    block.kept.store(core::ptr::null_mut(), Ordering::Relaxed);
    block.end_made();
    recent::end();
    block.flags.fetch_or(ENDED, Ordering::Relaxed);
    let Some(state) = fibers::of_the_thread_itself(state) else {
        // Its context goes on in another thread; the block goes with this one.
        let mine = block as *const TlsBlock as usize;
        runtime().threads.with(|records| {
            let ours = records.iter_mut().filter(|record| record.block == mine);
            ours.for_each(|record| record.block = 0);
        });
        block.depth.fetch_sub(1, Ordering::Relaxed);
        return;
    };
    // SAFETY: made by `become_thread` from a box; the thread gives it up here.
    let mut state = unsafe { Box::from_raw(state) };
    if !state.engine.held().is_empty() {
        misuse::endings::with_locks(&mut state);
    }
    let serial = state.serial;
    runtime().engine.end(&mut state.engine, serial as u64, 0);
    pipeline::count(&state.engine.counts);
    runtime().threads.with(|records| {
        let record = &mut records[serial as usize];
        record.description.finished = true;
        record.block = 0;
        if record.detached {
            // Nobody will acquire its end.
            runtime()
                .engine
                .forget(&mut state.engine, thread_end(serial));
            record.pthread = None;
        } else {
            record.ended = Some(state);
        }
    });
    runtime().threads.alive.fetch_sub(1, Ordering::Relaxed);
    block.depth.fetch_sub(1, Ordering::Relaxed);
}

/// The thread with this id. libc gives an id to a new thread as soon as the old one has been joined, so the latest is the one
/// that the id stands for.
fn find(records: &mut [Record], pthread: libc::pthread_t) -> Option<&mut Record> {
    records
        .iter_mut()
        .rev()
        .find(|record| record.pthread == Some(pthread))
}

/// Which thread a join with this id is about to wait for. Asked before the real join, after which the id may be another's.
#[derive(Clone, Copy)]
pub struct Joinee(Option<u32>);

/// See [`Joinee`]. `surely`: the caller does nothing until the thread has ended.
pub fn joinee(scope: &mut Scope, pthread: libc::pthread_t, surely: bool) -> Joinee {
    let joinee = runtime().threads.with(|records| {
        let record = find(records, pthread)?;
        let is_joinable = !record.detached && record.ended.is_none();
        let waits_for = is_joinable.then_some(record.incarnation);
        Some((record.description.serial, waits_for))
    });
    let (serial, waits_for) = joinee.unzip();
    // Others may be canceled while they wait.
    if surely
        && scope.thread_number() == 0
        && let Some(ending) = waits_for.flatten()
    {
        runtime().engine.waits_for(&scope.thread().engine, ending);
    }
    Joinee(serial)
}

/// After a join that was not one.
pub fn not_joined(scope: &mut Scope) {
    runtime().engine.waits_no_more(&scope.thread().engine);
}

/// After a successful join: the join event.
pub fn joined(scope: &mut Scope, joinee: Joinee) {
    join(scope, joinee);
    runtime().engine.waits_no_more(&scope.thread().engine);
}

fn join(scope: &mut Scope, joinee: Joinee) {
    let Joinee(Some(serial)) = joinee else { return };
    let ended = runtime().threads.with(|records| {
        let record = &mut records[serial as usize];
        record.pthread = None;
        record.ended.take()
    });
    let pc = scope.caller().pc as u64;
    lock_order::joined(scope.thread(), serial);
    if let Some(ended) = ended {
        runtime()
            .engine
            .join(&mut scope.thread().engine, serial as u64, &ended.engine, pc);
        phases::joined(scope);
    }
}

/// The thread will not be joined.
pub fn detached(scope: &mut Scope, pthread: libc::pthread_t) {
    let ended = runtime().threads.with(|records| {
        let record = find(records, pthread)?;
        record.detached = true;
        let ended = record.ended.take()?;
        record.pthread = None;
        Some(ended)
    });
    if let Some(ended) = ended {
        runtime()
            .engine
            .forget(&mut scope.thread().engine, thread_end(ended.serial));
    }
}

/// The object that a join of thread `serial` acquires.
fn thread_end(serial: u32) -> Entity {
    Entity::object(serial as u64, Role::ThreadEnd)
}

/// The program named the thread.
pub fn named(_scope: &mut Scope, pthread: libc::pthread_t, name: &[u8]) {
    runtime().threads.with(|records| {
        if let Some(record) = find(records, pthread) {
            record.description.name = name.to_vec();
        }
    });
}

/// The program named the running thread.
pub fn named_self(scope: &mut Scope, name: &[u8]) {
    named_number(scope.thread_number(), name);
}

/// The object whose release is the end of thread `serial`, for reports.
pub fn serial_of(object: Entity) -> Option<u32> {
    let (addr, role) = object.as_object()?;
    (role == Role::ThreadStart as u8 || role == Role::ThreadEnd as u8).then_some(addr as u32)
}

/// What all living threads have done ([`TlsBlock::deeds`]). From inside of the runtime.
pub fn deeds() -> u64 {
    let mut total = tls::block().deeds();
    let add = |block: &TlsBlock| total = total.wrapping_add(block.deeds());
    runtime().threads.each_other_block(add);
    total
}

/// Adds the counts of the running thread to `total`; and of all others that live, if they are all outside of the runtime
/// (`pipeline::freeze`) and stay there.
pub fn add_live_counts(total: &mut Counts, of_all: bool) {
    let mut add = |block: &TlsBlock| {
        let state = block.thread.load(Ordering::Relaxed);
        if !state.is_null() {
            // SAFETY: the running thread's own state, or that of one that does not use it now.
            total.add(unsafe { &(*state).engine.counts });
        }
    };
    add(tls::block());
    if of_all {
        runtime().threads.each_other_block(add);
    }
}
