//! Parallel regions, implicit tasks, barriers, reductions.
//!
//! The thread that meets a parallel construct releases the region's start, its team acquires it. A barrier is a release on
//! arrival and an acquire on departure; explicit tasks release into the barrier that will wait for them. libomp tells of the
//! end of the last barrier of a region late for all but the first thread, when it needs them again: it is left out, as they
//! have nothing to do in between.

use super::doacross::Loops;
use super::fiber;
use super::interface::{BEGIN, Data, END, Frame, sync};
use super::object::{self, What};
use super::task::{self, Group, Task};
use super::tool;
use crate::caller::Caller;
use crate::pipeline::{Scope, enter};
use core::ffi::{c_int, c_uint, c_void};
use core::sync::atomic::AtomicU64;
use std::sync::Arc;

/// A parallel region, kept by those in it.
pub struct Region {
    pub number: u64,
    pub loops: Loops,
    /// Reductions for tasks whose copies are made, twice; and one more while somebody makes those of the next.
    pub copies: AtomicU64,
}

/// Gives up a reference to a region; the last one ends its objects.
pub fn leave(scope: &mut Scope, region: Arc<Region>) {
    if let Some(region) = Arc::into_inner(region) {
        for what in [
            What::RegionStart,
            What::BarrierEven,
            What::BarrierOdd,
            What::Ordered,
            What::Copies,
        ] {
            scope.forget_openmp(region.number, what);
        }
        region.loops.forget(scope);
    }
}

/// The barrier with this number of those before it in the region.
pub fn barrier(phase: u64) -> What {
    if phase & 1 == 0 {
        What::BarrierEven
    } else {
        What::BarrierOdd
    }
}

/// The program's code that an event is of; no stack, where that is not asked for.
pub fn caller(code: *const c_void) -> Caller {
    Caller::new(code.addr(), 0)
}

/// An address on the stack below everything that the caller of the function in which this is written uses.
macro_rules! here {
    () => {{
        let anchor = core::mem::MaybeUninit::<u8>::uninit();
        core::hint::black_box(anchor.as_ptr()).addr()
    }};
}
pub(super) use here;

pub unsafe extern "C" fn parallel_begin(
    task: *mut Data,
    frame: *const Frame,
    parallel: *mut Data,
    _requested: c_uint,
    _flags: c_int,
    code: *const c_void,
) {
    let Some(mut scope) = enter(caller(code)) else {
        return;
    };
    tool::learn_frame(task, frame);
    // SAFETY: the word of the task that the thread runs; noted where it is.
    let _ = unsafe { task::of(task) };
    fiber::shares_stack(&mut scope, here!());
    let region = Arc::new(Region {
        number: object::number(),
        loops: Loops::default(),
        copies: AtomicU64::new(0),
    });
    scope.release_openmp(region.number, What::RegionStart);
    // SAFETY: the region's word, which is the tool's.
    unsafe { (*parallel).pointer = Arc::as_ptr(&region).cast_mut().cast() };
    scope.thread().openmp.regions.push(region);
}

/// Regions of a thread end in the reverse order. libomp passes a word here that it may have given to another thread's region by
/// then (LLVM 19), so nothing is changed in it.
pub unsafe extern "C" fn parallel_end(
    parallel: *mut Data,
    _task: *mut Data,
    _flags: c_int,
    code: *const c_void,
) {
    let Some(mut scope) = enter(caller(code)) else {
        return;
    };
    // SAFETY: a word that is the tool's; what it holds is only compared.
    let told = unsafe { (*parallel).pointer }.cast::<Region>().cast_const();
    let regions = &mut scope.thread().openmp.regions;
    let ends = regions
        .iter()
        .rposition(|region| core::ptr::eq(Arc::as_ptr(region), told))
        .or(regions.len().checked_sub(1));
    if let Some(index) = ends {
        let region = regions.remove(index);
        leave(&mut scope, region);
    }
}

pub unsafe extern "C" fn implicit_task(
    endpoint: c_int,
    parallel: *mut Data,
    data: *mut Data,
    _actual: c_uint,
    index: c_uint,
    _flags: c_int,
) {
    let Some(mut scope) = enter(caller(core::ptr::null())) else {
        return;
    };
    if endpoint & BEGIN != 0 {
        // SAFETY: null, or the region's word, which holds null or what `parallel_begin` put there; that stays while threads
        // enter the region, as who has met it keeps it until it ends.
        let region = unsafe {
            parallel
                .as_ref()
                .map(|data| data.pointer.cast::<Region>().cast_const())
                .filter(|region| !region.is_null())
                .map(|region| {
                    Arc::increment_strong_count(region);
                    Arc::from_raw(region)
                })
        };
        if let Some(region) = &region {
            scope.acquire_openmp(region.number, What::RegionStart);
        }
        let under = scope.thread().openmp.current;
        let task = Box::into_raw(Box::new(Task::implicit(data, region, under, index)));
        scope.thread().openmp.current = task;
        // SAFETY: the task's word, which is the tool's.
        unsafe { (*data).pointer = task.cast() };
        return;
    }
    // SAFETY: the task's word holds null or what was put there above, which is taken out here.
    let mut task = unsafe {
        let pointer =
            core::mem::replace(&mut (*data).pointer, core::ptr::null_mut()).cast::<Task>();
        if pointer.is_null() {
            return;
        }
        Box::from_raw(pointer)
    };
    task::running(&mut scope, &mut task, here!());
    scope.thread().openmp.current = task.under;
    task::forget(&mut scope, *task);
}

pub unsafe extern "C" fn sync_region(
    kind: c_int,
    endpoint: c_int,
    _parallel: *mut Data,
    data: *mut Data,
    code: *const c_void,
) {
    let Some(mut scope) = enter(caller(code)) else {
        return;
    };
    // SAFETY: the word of the task that the thread runs.
    let Some(task) = (unsafe { task::of(data) }) else {
        return;
    };
    task::running(&mut scope, task, here!());
    match kind {
        sync::TASKWAIT if endpoint & END != 0 => {
            scope.acquire_openmp(task.number(), What::Children);
        }
        sync::TASKWAIT => {}
        sync::TASKGROUP => taskgroup(&mut scope, task, endpoint),
        sync::REDUCTION => {}
        _ => barriers(&mut scope, task, kind, endpoint),
    }
}

fn taskgroup(scope: &mut Scope, task: &mut Task, endpoint: c_int) {
    if endpoint & BEGIN != 0 {
        let outer = task.group.take();
        task.group = Some(Group::within(outer));
    }
    if endpoint & END != 0
        && let Some(group) = task.group.take()
    {
        scope.acquire_openmp(group.number, What::Group);
        task.group = group.outer.clone();
        task::leave_group(scope, group);
    }
}

fn barriers(scope: &mut Scope, task: &mut Task, kind: c_int, endpoint: c_int) {
    let Some(region) = task.region.clone() else {
        return;
    };
    if endpoint & BEGIN != 0 {
        task.in_barrier = true;
        scope.release_openmp(region.number, barrier(task.phase));
    }
    if endpoint & END != 0 {
        task.in_barrier = false;
        if kind != sync::IMPLICIT_PARALLEL || task.index == 0 {
            scope.acquire_openmp(region.number, barrier(task.phase));
        }
        task.phase += 1;
    }
    leave(scope, region);
}

/// A taskgroup combines its reductions after it has waited and before its end is told.
pub unsafe extern "C" fn sync_region_wait(
    kind: c_int,
    endpoint: c_int,
    _parallel: *mut Data,
    data: *mut Data,
    code: *const c_void,
) {
    if kind != sync::TASKGROUP || endpoint & END == 0 {
        return;
    }
    let Some(mut scope) = enter(caller(code)) else {
        return;
    };
    // SAFETY: the word of the task that the thread runs.
    if let Some(task) = unsafe { task::of(data) } {
        task::running(&mut scope, task, here!());
        if let Some(group) = &task.group {
            let number = group.number;
            scope.acquire_openmp(number, What::Group);
        }
        // One thread combines the copies of all, when each has waited for its own tasks.
        if task.copies > 0
            && let Some(region) = &task.region
        {
            let number = region.number;
            scope.release_openmp(number, What::Copies);
        }
    }
}

/// Within a barrier, libomp lets a thread combine the copies of others that have arrived; all of them go on later.
pub unsafe extern "C" fn reduction(
    _kind: c_int,
    endpoint: c_int,
    _parallel: *mut Data,
    data: *mut Data,
    code: *const c_void,
) {
    let Some(mut scope) = enter(caller(code)) else {
        return;
    };
    // SAFETY: the word of the task that the thread runs.
    let Some(task) = (unsafe { task::of(data) }) else {
        return;
    };
    if let (true, Some(region)) = (task.in_barrier, &task.region) {
        let number = region.number;
        if endpoint & BEGIN != 0 {
            scope.acquire_openmp(number, barrier(task.phase));
        }
        if endpoint & END != 0 {
            scope.release_openmp(number, barrier(task.phase));
        }
    }
}
