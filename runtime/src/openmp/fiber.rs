//! A task is a thread of the engine, whichever thread of the system it runs on.
//!
//! When a thread of the system turns from one task to another, the engine's part of its state is exchanged. Two things
//! follow from that the tasks share a thread nevertheless:
//!
//! - They share its stack. When a task begins, everything below the frames of the one that it interrupts is dead memory, and
//!   again when it has ended; so it is fresh. How far down it was used is known, since the first access to a word in a sync
//!   epoch comes into the runtime; where the interrupted one's frames end, libomp says.
//! - A task that asks which thread it runs on (its number, its `threadprivate` variables, its part of a reduction) uses what
//!   only the tasks of this thread use, one at a time. Such tasks are ordered by an object that stands for the thread.

use super::object::{self, What};
use super::region::Region;
use super::task::Task;
use super::tool;
use crate::caller::Caller;
use crate::contexts::StackBounds;
use crate::pipeline::{Scope, enter};
use crate::state::runtime;
use crate::tls;
use std::sync::Arc;

/// What a thread of the system is to OpenMP.
pub struct Worker {
    /// The task that it runs; null if OpenMP does not know the thread.
    pub current: *mut Task,
    /// The lowest address of its stack that was accessed, by whichever task, since it last turned to another one.
    lowest: usize,
    /// Number of the object that stands for it; 0 before it is needed.
    identity: u64,
    /// The untied task of which libomp calls a part next, or null.
    pub starts: *mut Task,
    /// The waits for tasks that something depends on (`taskwait depend`) that it is in, outermost first: tasks that run nothing.
    pub waits: Vec<Task>,
    /// The task that it has made last, and its bytes.
    pub made: (usize, usize),
    /// The regions that it has met and not left, outermost first.
    pub regions: Vec<Arc<Region>>,
}

impl Default for Worker {
    fn default() -> Worker {
        Worker {
            current: core::ptr::null_mut(),
            lowest: usize::MAX,
            identity: 0,
            starts: core::ptr::null_mut(),
            waits: Vec::new(),
            made: (0, 0),
            regions: Vec::new(),
        }
    }
}

impl Worker {
    /// Offset of the address that [`Worker::is_news`] compares with.
    pub const LOWEST: usize = core::mem::offset_of!(Worker, lowest);

    /// The program accesses an address that may be on the thread's stack.
    #[inline(always)]
    pub fn accesses(&mut self, address: usize, stack_low: usize) {
        if self.is_news(address, stack_low) {
            self.lowest = address;
        }
    }
    /// Whether [`Worker::accesses`] has something to note.
    #[inline(always)]
    pub fn is_news(&self, address: usize, stack_low: usize) -> bool {
        address < self.lowest && address >= stack_low
    }
    fn identity(&mut self) -> u64 {
        if self.identity == 0 {
            self.identity = object::number();
        }
        self.identity
    }
}

/// Tasks become threads of the engine only while fewer slots than this are in use: every thread has a table as long as there
/// are slots. Tasks beyond that run as part of the task beneath them, so that what one thread ran is taken for ordered.
const SLOTS: usize = 4096;

/// Frames of the program above `here` may be used by other threads from now on.
pub fn shares_stack(scope: &mut Scope, here: usize) {
    let state = scope.thread();
    state.openmp.accesses(here, state.bounds.low);
}

/// The running thread turns from `prior` to `next`, which has stood still since it last ran, or has not begun. `here` is an
/// address on the stack below the frames of all tasks that the thread has begun.
pub fn turn(scope: &mut Scope, prior: &mut Task, next: &mut Task, here: usize) {
    // Its frames, if it has some, are on this stack; otherwise it begins above those of the one that it interrupts.
    let starts = !next.begun || core::mem::take(&mut next.away);
    let stands_still = if starts { &*prior } else { &*next };
    let lives = frames_end(stands_still, scope.thread().bounds, here);
    if prior.knows_thread {
        let identity = scope.thread().openmp.identity();
        scope.release_openmp(identity, What::Identity);
    }
    if starts {
        next.under = prior;
    }
    if !next.begun {
        next.begun = true;
        let start = object::entity(next.number(), What::TaskStart);
        next.engine = next
            .past
            .take()
            .and_then(|past| runtime().engine.fork_from(&past, start, SLOTS))
            .map(Box::new);
        if let Some(engine) = &next.engine {
            super::tasks::begins(next, engine, scope.thread_number());
        } else {
            // On the engine's thread that runs now, which may not be the creator's.
            scope.acquire_openmp(next.number(), What::TaskStart);
            scope.forget_openmp(next.number(), What::TaskStart);
        }
    }
    if let Some(mut engine) = next.engine.take() {
        let state = scope.thread();
        state.engine.exchange(&mut engine);
        tls::block().forget_kept();
        // The locks that it holds are the task's.
        prior.held_places = core::mem::replace(
            &mut state.held_places,
            core::mem::take(&mut next.held_places),
        );
        state.locks_changed();
        prior.engine = Some(engine);
    }
    arrive(scope, next, here, lives);
}

/// The lowest address that the frames of the program have, given that the last of them are those of `task`, which is in libomp.
fn frames_end(task: &Task, stack: StackBounds, here: usize) -> usize {
    let end = match tool::lowest_frame(task.data) {
        Some(0) if task.in_barrier && task.calls_from == 0 => {
            // An implicit task that has returned. Beneath are the frames of the task that met the region, or libomp's.
            // SAFETY: null, or a task that stands still beneath this one.
            match unsafe { task.under.as_ref() } {
                Some(under) => tool::lowest_frame(under.data).unwrap_or(0),
                None => stack.high,
            }
        }
        None | Some(0) => task.calls_from,
        // Of a task that is not deferred, libomp says the frame of the function that makes it, whose variables are below.
        Some(end) if task.calls_from != 0 => end.min(task.calls_from),
        Some(end) => end,
    };
    if (here..=stack.high).contains(&end) {
        end
    } else {
        here
    }
}

/// `task` is what the thread runs from now on; the stack below `lives` is dead.
fn arrive(scope: &mut Scope, task: &mut Task, here: usize, lives: usize) {
    let worker = &mut scope.thread().openmp;
    worker.current = task;
    let lowest = core::mem::replace(&mut worker.lowest, here).min(here);
    scope.fresh(core::ptr::without_provenance(lowest), lives - lowest);
    if task.knows_thread {
        let identity = scope.thread().openmp.identity();
        scope.acquire_openmp(identity, What::Identity);
    }
}

/// Calls libomp, which may run other tasks meanwhile, without saying where the frames of the calling one end: they end above `here`.
pub fn may_run_tasks<R>(caller: Caller, here: usize, call: impl FnOnce() -> R) -> R {
    let before = stands_still_from(caller, here);
    let result = call();
    stands_still_from(caller, before.unwrap_or(0));
    result
}

/// The frames of the running task end above this address from now on, whatever it turns to, or 0; gives what was so before.
pub fn stands_still_from(caller: Caller, here: usize) -> Option<usize> {
    let mut scope = enter(caller)?;
    let task = current_task(&mut scope)?;
    Some(core::mem::replace(&mut task.calls_from, here))
}

/// The program asks which thread it runs on.
pub fn asks_for_thread(scope: &mut Scope) {
    let Some(task) = current_task(scope) else {
        return;
    };
    if !task.knows_thread {
        task.knows_thread = true;
        let identity = scope.thread().openmp.identity();
        scope.acquire_openmp(identity, What::Identity);
    }
}

/// The task that the thread runs, if it is one that OpenMP knows.
pub fn current_task<'a>(scope: &mut Scope) -> Option<&'a mut Task> {
    // SAFETY: null, or the task that the thread runs, which lives until it is done; nobody else uses it meanwhile.
    unsafe { scope.thread().openmp.current.as_mut() }
}
