//! Explicit tasks: creation, scheduling, completion.
//!
//! A task begins after its creation, and its completion comes before the end of what waits for it: a taskwait of its parent,
//! the taskgroup that it was created in, the next barrier of its region, and tasks that depend on it. One that is not
//! deferred also comes before what its creator does next. A detached task is complete when it has run and its event has been
//! fulfilled, whichever is later, so both release.

use super::dependences::{self, Domain, Need};
use super::doacross::Loop;
use super::fiber;
use super::interface::{Data, Frame, flag, status};
use super::object::{self, What};
use super::region::{self, Region, caller, here};
use super::{tasks, tool, untied};
use crate::caller::Caller;
use crate::pipeline::{Scope, enter};
use crate::state::{multi_threaded, runtime};
use core::ffi::{c_int, c_uint, c_void};
use goldilocks_core::goldilocks::{Past, Thread};
use goldilocks_core::line::Site;
use std::sync::Arc;

/// What the children of a task need of it, which may outlive it.
pub struct Family {
    number: u64,
}

/// A taskgroup, kept by its members.
pub struct Group {
    pub number: u64,
    pub outer: Option<Arc<Group>>,
}

impl Group {
    pub fn within(outer: Option<Arc<Group>>) -> Arc<Group> {
        Arc::new(Group {
            number: object::number(),
            outer,
        })
    }
}

/// Gives up a reference to a group; the last one ends its object, and so on outwards.
pub fn leave_group(scope: &mut Scope, group: Arc<Group>) {
    let mut group = Some(group);
    while let Some(inner) = group.take().and_then(Arc::into_inner) {
        scope.forget_openmp(inner.number, What::Group);
        group = inner.outer;
    }
}

/// A task, implicit or explicit. Used by the thread that creates it until that is done, and then by the one that runs it.
pub struct Task {
    /// Its word, as libomp last told it.
    pub data: *const Data,
    family: Arc<Family>,
    /// Of an explicit task.
    parent: Option<Arc<Family>>,
    pub region: Option<Arc<Region>>,
    /// Barriers of the region that precede it (explicit) or its present (implicit).
    pub phase: u64,
    /// Thread number in the region, of an implicit task.
    pub index: u32,
    /// Where its frames end while it is in a call of libomp that does not say so; 0 if it is in none.
    pub calls_from: usize,
    /// Whether it is in a barrier.
    pub in_barrier: bool,
    /// The innermost taskgroup that it has begun or was created in, and the one that it was created in.
    pub group: Option<Arc<Group>>,
    member_of: Option<Arc<Group>>,
    undeferred: bool,
    pub untied: bool,
    pub begun: bool,
    /// An untied one that has no frames on any stack: one of its parts is over, and the next has not begun.
    pub away: bool,
    /// It has run to its end, which is before libomp says so if it is untied.
    ended: bool,
    /// Whether it has asked which thread it runs on.
    pub knows_thread: bool,
    /// What it knows from its creation, until it begins.
    pub past: Option<Past>,
    /// The engine's thread that goes on when this task does, while it stands still.
    pub engine: Option<Box<Thread>>,
    /// Where that has taken the locks that it holds.
    pub held_places: Vec<usize>,
    /// The task that its thread ran when it began.
    pub under: *mut Task,
    /// The loop with `ordered(n)` that it is in, and how many it has met.
    pub nest: Option<Arc<Loop>>,
    pub nests: u64,
    /// Reductions for tasks ([`Region::copies`]) that it has met.
    pub copies: u64,
    /// The reduction that it combines is one in a barrier.
    pub reduced_in_barrier: bool,
    pub needs: Vec<Need>,
    /// What orders its children by their dependences, once one has some.
    pub domain: Option<Arc<Domain>>,
    /// The domain that its own dependences are in.
    pub depends_in: Option<Arc<Domain>>,
    pub report_number: u32,
    pub created_by: u32,
    pub creation: Site,
}

impl Task {
    fn new(region: Option<Arc<Region>>) -> Task {
        Task {
            data: core::ptr::null(),
            family: Arc::new(Family {
                number: object::number(),
            }),
            parent: None,
            region,
            phase: 0,
            index: 0,
            calls_from: 0,
            in_barrier: false,
            group: None,
            member_of: None,
            undeferred: false,
            untied: false,
            begun: true,
            away: false,
            ended: false,
            knows_thread: false,
            past: None,
            engine: None,
            held_places: Vec::new(),
            under: core::ptr::null_mut(),
            nest: None,
            nests: 0,
            copies: 0,
            reduced_in_barrier: false,
            needs: Vec::new(),
            domain: None,
            depends_in: None,
            report_number: 0,
            created_by: 0,
            creation: 0,
        }
    }

    /// The implicit task with thread number `index`, on a thread that ran `under`.
    pub fn implicit(
        data: *const Data,
        region: Option<Arc<Region>>,
        under: *mut Task,
        index: u32,
    ) -> Task {
        Task {
            data,
            under,
            index,
            ..Task::new(region)
        }
    }

    /// Of its objects.
    pub fn number(&self) -> u64 {
        self.family.number
    }
}

/// The task whose word this is.
///
/// # Safety
/// `data` is null or the word of a task that the running thread runs, creates or completes; no other reference to it is used.
pub unsafe fn of<'a>(data: *mut Data) -> Option<&'a mut Task> {
    // SAFETY: passed on to the caller; the word holds null or a task that this module has put there.
    let task = unsafe { data.as_mut()?.pointer.cast::<Task>().as_mut()? };
    // Another thread may be about to leave it, and only looks.
    if task.data != data {
        task.data = data;
    }
    Some(task)
}

/// The end of a task that is not complete as long as its memory is: its objects go with it.
pub fn forget(scope: &mut Scope, task: Task) {
    if let Some(group) = task.group {
        leave_group(scope, group);
    }
    if let Some(group) = task.member_of {
        leave_group(scope, group);
    }
    if let Some(region) = task.region {
        region::leave(scope, region);
    }
    for family in [Some(task.family), task.parent].into_iter().flatten() {
        if let Some(family) = Arc::into_inner(family) {
            scope.forget_openmp(family.number, What::Children);
        }
    }
    for domain in [task.domain, task.depends_in].into_iter().flatten() {
        dependences::leave(scope, domain);
    }
}

/// libomp says that the thread runs `task`. It may have gone back to it without a word.
pub fn running(scope: &mut Scope, task: &mut Task, here: usize) {
    let current = scope.thread().openmp.current;
    if core::ptr::eq(current, task) || !task.begun {
        return;
    }
    // SAFETY: null, or the task that the thread ran last, which is not `task` and has not been completed.
    if let Some(current) = unsafe { current.as_mut() } {
        fiber::turn(scope, current, task, here);
    } else {
        scope.thread().openmp.current = task;
    }
}

/// Position and stack of the construct, from the frame that it has called libomp in.
fn creator(frame: *const Frame, code: *const c_void) -> Caller {
    // SAFETY: null, or the frame that libomp describes; where its function keeps the frame pointer of the program's code.
    let fp = unsafe {
        match frame.as_ref().map(|frame| frame.enter.value as usize) {
            Some(enter) if enter != 0 && enter % 8 == 0 => *(enter as *const usize),
            _ => 0,
        }
    };
    Caller::new(code.addr(), fp)
}

pub unsafe extern "C" fn create(
    encountering: *mut Data,
    frame: *const Frame,
    new: *mut Data,
    flags: c_int,
    _dependences: c_int,
    code: *const c_void,
) {
    let flags = flags as c_uint;
    if flags & (flag::EXPLICIT | flag::TARGET | flag::TASKWAIT) == 0 || !multi_threaded() {
        return;
    }
    let Some(mut scope) = enter(creator(frame, code)) else {
        return;
    };
    tool::learn_frame(encountering, frame);
    // SAFETY: the word of the task that the thread runs.
    let Some(parent) = (unsafe { of(encountering) }) else {
        if flags & flag::TASKWAIT != 0 {
            // Its end is told all the same.
            scope.thread().openmp.waits.push(Task::new(None));
        }
        return;
    };
    running(&mut scope, parent, here!());
    fiber::shares_stack(&mut scope, here!());
    let mut task = Task::new(parent.region.clone());
    task.data = new;
    task.begun = false;
    task.parent = Some(parent.family.clone());
    task.phase = parent.phase;
    task.group = parent.group.clone();
    task.member_of = parent.group.clone();
    task.undeferred = flags & flag::UNDEFERRED != 0;
    task.untied = flags & flag::UNTIED != 0;
    if flags & flag::TASKWAIT == 0 {
        task.creation = scope.stack();
        task.report_number = tasks::number();
        task.created_by = match parent.report_number {
            0 => scope.thread_number(),
            number => number,
        };
        let start = object::entity(task.number(), What::TaskStart);
        let pc = code.addr() as u64;
        task.past = Some(runtime().engine.past(&mut scope.thread().engine, start, pc));
    }
    if flags & flag::TASKWAIT != 0 {
        // Of all such waits of a thread, one within another, libomp has a single word, and asserts that it is null.
        scope.thread().openmp.waits.push(task);
        return;
    }
    // SAFETY: the new task's word, which is the tool's.
    unsafe { (*new).pointer = Box::into_raw(Box::new(task)).cast() };
}

pub unsafe extern "C" fn schedule(prior: *mut Data, status: c_int, next: *mut Data) {
    let Some(mut scope) = enter(caller(core::ptr::null())) else {
        return;
    };
    let here = here!();
    if status == status::TASKWAIT_COMPLETE {
        if let Some(wait) = scope.thread().openmp.waits.pop() {
            dependences::acquire(&mut scope, &wait);
            forget(&mut scope, wait);
        }
        return;
    }
    // SAFETY: the words of the tasks between which the thread turns, or of the one whose event it fulfils.
    let Some(first) = (unsafe { of(prior) }) else {
        return;
    };
    let second = if prior == next {
        None
    } else {
        // SAFETY: as above, and not the same task.
        unsafe { of(next) }
    };
    match status {
        status::EARLY_FULFILL => {
            // The task has not run yet; who waits for it waits for this, too.
            completes(&mut scope, first);
        }
        status::LATE_FULFILL => {
            completes(&mut scope, first);
            free(&mut scope, prior);
        }
        status::COMPLETE | status::CANCEL | status::DETACH => {
            untied::is_over(&mut scope, first);
            ended(&mut scope, first, second, here);
            if status != status::DETACH {
                free(&mut scope, prior);
            }
        }
        _ if prior == next => untied::again(&mut scope, first, here),
        _ => {
            if let Some(second) = second {
                running(&mut scope, first, here);
                if second.begun && !second.away {
                    // Back to the task beneath, from one that others go on with.
                    first.away = first.untied;
                }
                turn(&mut scope, first, second, here);
            }
        }
    }
}

/// The thread turns from the task that it runs to another one.
pub fn turn(scope: &mut Scope, from: &mut Task, to: &mut Task, here: usize) {
    let begins = !to.begun;
    untied::starts(scope, to);
    fiber::turn(scope, from, to, here);
    if begins {
        // It may be memory that libomp has given to it by itself, as to parts of a `taskloop`, and that was others' before.
        memory_is_fresh(scope);
        dependences::acquire(scope, to);
    }
}

/// The memory of the task that libomp runs on this thread is that task's alone.
fn memory_is_fresh(scope: &mut Scope) {
    // Some words of libomp's precede it, which compiled code reads.
    const HEADER: usize = 32;
    if let Some((address, bytes)) = tool::task_memory() {
        scope.fresh(
            core::ptr::without_provenance(address - HEADER),
            bytes + HEADER,
        );
    }
}

/// The running task has run to its end; `next` is what its thread goes back to, if libomp says so.
pub fn ended(scope: &mut Scope, task: &mut Task, next: Option<&mut Task>, here: usize) {
    if !task.begun || core::mem::replace(&mut task.ended, true) {
        return;
    }
    running(scope, task, here);
    // What the task was given will be given to others.
    memory_is_fresh(scope);
    completes(scope, task);
    let waits = task.undeferred;
    if waits {
        scope.release_openmp(task.number(), What::TaskEnd);
    }
    // SAFETY: the task beneath stands still, and lives; it is not `task`.
    let under = unsafe { task.under.as_mut() };
    match next.filter(|next| next.begun).or(under) {
        Some(next) => fiber::turn(scope, task, next, here),
        None => scope.thread().openmp.current = core::ptr::null_mut(),
    }
    if let Some(mut engine) = task.engine.take() {
        runtime().engine.retire(&mut engine);
    }
    if waits {
        scope.acquire_openmp(task.number(), What::TaskEnd);
        scope.forget_openmp(task.number(), What::TaskEnd);
    }
}

/// What the running thread has done comes before everything that waits for the task.
fn completes(scope: &mut Scope, task: &Task) {
    // Nobody waits for the children of a task that is gone.
    if let Some(parent) = task.parent.as_ref().filter(|p| Arc::strong_count(p) > 1) {
        let number = parent.number;
        scope.release_openmp(number, What::Children);
    }
    if let Some(group) = &task.member_of {
        let number = group.number;
        scope.release_openmp(number, What::Group);
    }
    if let Some(region) = &task.region {
        let number = region.number;
        scope.release_openmp(number, region::barrier(task.phase));
    }
    dependences::release(scope, task);
}

/// The task is complete.
fn free(scope: &mut Scope, data: *mut Data) {
    // SAFETY: the word of a task that nobody runs any more; what is in it was put there by `create` and is taken out here.
    unsafe {
        let pointer =
            core::mem::replace(&mut (*data).pointer, core::ptr::null_mut()).cast::<Task>();
        if !pointer.is_null() {
            forget(scope, *Box::from_raw(pointer));
        }
    }
}
