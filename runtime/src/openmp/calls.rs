//! Entry points of libomp that programs call: where OMPT says too late, or not at all, what they order.
//!
//! OMPT tells of the release of a lock when it has been released, so that the next one may have taken it by then; an event
//! that lets others go on must come before. It does not tell how a reduction is done (by a lock, by atomics, or in a barrier),
//! nor which memory is handed out anew.

use super::duplicate;
use super::fiber::{self, current_task, may_run_tasks};
use super::object::What;
use super::region::{self, here};
use super::untied;
use crate::caller::Caller;
use crate::pipeline::enter;
use crate::sync_objects::{self, Kind};
use crate::sys;
use crate::{caller, interceptors, real};
use core::ffi::{c_int, c_void};
use core::sync::atomic::Ordering;
use goldilocks_core::abi::Order;
use goldilocks_core::atomics;
use goldilocks_core::event::{Effect, Entity, Role};

fn lock(address: *const c_void) -> Entity {
    Entity::object(address as u64, Role::Object)
}

fn taken(caller: Caller, address: *const c_void, kind: Kind) {
    if let Some(mut scope) = enter(caller) {
        // One task at a time has it.
        scope.sync(Effect::ACQUIRE.with(Effect::ALONE), lock(address));
        sync_objects::used(address as u64, kind);
        scope.held(lock(address));
    }
}

/// Before the real release. For a nested lock at any level: what is released early can only be acquired after the last.
fn given(caller: Caller, address: *const c_void) {
    if let Some(mut scope) = enter(caller) {
        scope.sync(Effect::RELEASE, lock(address));
        scope.released(lock(address));
    }
}

fn made(caller: Caller, address: *const c_void, kind: Kind) {
    if let Some(mut scope) = enter(caller) {
        sync_objects::created(&mut scope, address as u64, kind);
    }
}

fn gone(caller: Caller, address: *const c_void, kind: Kind) {
    if let Some(mut scope) = enter(caller) {
        sync_objects::forgotten(&mut scope, address as u64, kind);
    }
}

/// Memory from libomp's own allocator is fresh.
fn allocated(caller: Caller, address: *mut c_void, bytes: usize) -> *mut c_void {
    if !address.is_null()
        && let Some(mut scope) = enter(caller)
    {
        scope.fresh(address, bytes);
    }
    address
}

fn ordered(caller: Caller, begins: bool) {
    if let Some(mut scope) = enter(caller)
        && let Some(region) = current_task(&mut scope).and_then(|task| task.region.as_ref())
    {
        let number = region.number;
        if begins {
            scope.acquire_openmp(number, What::Ordered);
        } else {
            scope.release_openmp(number, What::Ordered);
        }
    }
}

/// How many barriers the running task has behind it in its region.
fn phase(caller: Caller) -> u64 {
    let task = enter(caller).and_then(|mut scope| current_task(&mut scope).map(|task| task.phase));
    task.unwrap_or(0)
}

/// After a real `__kmpc_reduce*` with this result: 1 lets the thread combine, under `guard` or because the others wait.
fn reducing(caller: Caller, result: c_int, guard: *const c_void, before: u64) {
    if result == 1 {
        taken(caller, guard, Kind::Critical);
        if let Some(mut scope) = enter(caller)
            && let Some(task) = current_task(&mut scope)
        {
            task.reduced_in_barrier = task.phase != before;
        }
    }
}

/// Before a real `__kmpc_end_reduce*`.
fn reduced(caller: Caller, guard: *const c_void) {
    given(caller, guard);
    if let Some(mut scope) = enter(caller)
        && let Some(task) = current_task(&mut scope)
        && core::mem::take(&mut task.reduced_in_barrier)
        && let Some(region) = &task.region
    {
        // The others leave the barrier when this thread has combined.
        let (number, barrier) = (region.number, region::barrier(task.phase - 1));
        scope.release_openmp(number, barrier);
    }
}

/// `abi::COMBINE`: the running thread combines what the others of its team have told to be complete, or the tasks of a taskgroup, which are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __goldilocks_combine() {
    let caller = caller!().compiled();
    if let Some(mut scope) = enter(caller)
        && let Some(task) = current_task(&mut scope)
        && task.copies > 0
        && let Some(region) = &task.region
    {
        let number = region.number;
        scope.acquire_openmp(number, What::Copies);
    }
}

/// Makes the private copies of a reduction for tasks (`reduction(task, ...)`), or takes those that another thread of the team makes: libomp
/// has them made by whoever comes first, inside of this call, and the others wait.
fn copies(caller: Caller, make: impl FnOnce() -> *mut c_void) -> *mut c_void {
    let mine = enter(caller).and_then(|mut scope| {
        let task = current_task(&mut scope)?;
        let region = task.region.clone()?;
        task.copies += 1;
        Some((region, 2 * (task.copies - 1)))
    });
    let Some((region, before)) = mine else {
        return make();
    };
    // Relaxed: only who comes first; the number says nothing of what is made.
    let is_first = region
        .copies
        .compare_exchange(before, before + 1, Ordering::Relaxed, Ordering::Relaxed)
        .is_ok();
    if is_first {
        let made = make();
        if let Some(mut scope) = enter(caller) {
            scope.release_openmp(region.number, What::Copies);
        }
        // Release: who sees this takes the event.
        region.copies.store(before + 2, Ordering::Release);
        return made;
    }
    // Acquire: the event of who was first is there.
    while region.copies.load(Ordering::Acquire) < before + 2 {
        sys::sched_yield();
    }
    if let Some(mut scope) = enter(caller) {
        scope.acquire_openmp(region.number, What::Copies);
    }
    make()
}

/// What a new task keeps, and what it is told of its creator's variables: from libomp's own store, in which it has been
/// before.
fn task_made(caller: Caller, task: *mut *mut c_void, bytes: usize, shared_bytes: usize) {
    if let Some(mut scope) = enter(caller)
        && !task.is_null()
    {
        // SAFETY: a task begins with the address of what it shares.
        let shared = unsafe { *task };
        scope.fresh(task.cast(), bytes);
        scope.thread().openmp.made = (task.addr(), bytes);
        if !shared.is_null() {
            scope.fresh(shared, shared_bytes);
        }
    }
}

type Reduce = unsafe extern "C" fn(*mut c_void, *mut c_void);

interceptors! {
    fn __kmpc_critical(position: *mut c_void, thread: c_int, name: *mut c_void) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_critical)(position, thread, name) };
        taken(caller, name, Kind::Critical);
    }

    fn __kmpc_critical_with_hint(position: *mut c_void, thread: c_int, name: *mut c_void, hint: u32) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_critical_with_hint)(position, thread, name, hint) };
        taken(caller, name, Kind::Critical);
    }

    fn __kmpc_end_critical(position: *mut c_void, thread: c_int, name: *mut c_void) {
        let caller = caller!();
        given(caller, name);
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_end_critical)(position, thread, name) }
    }

    fn __kmpc_ordered(position: *mut c_void, thread: c_int) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_ordered)(position, thread) };
        ordered(caller, true);
    }

    fn __kmpc_end_ordered(position: *mut c_void, thread: c_int) {
        let caller = caller!();
        ordered(caller, false);
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_end_ordered)(position, thread) }
    }

    fn __kmpc_reduce(position: *mut c_void, thread: c_int, count: c_int, bytes: usize, data: *mut c_void, combine: Option<Reduce>, guard: *mut c_void) -> c_int {
        let caller = caller!();
        let before = phase(caller);
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(__kmpc_reduce)(position, thread, count, bytes, data, combine, guard) };
        reducing(caller, result, guard, before);
        result
    }

    fn __kmpc_reduce_nowait(position: *mut c_void, thread: c_int, count: c_int, bytes: usize, data: *mut c_void, combine: Option<Reduce>, guard: *mut c_void) -> c_int {
        let caller = caller!();
        let before = phase(caller);
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(__kmpc_reduce_nowait)(position, thread, count, bytes, data, combine, guard) };
        reducing(caller, result, guard, before);
        result
    }

    fn __kmpc_end_reduce(position: *mut c_void, thread: c_int, guard: *mut c_void) {
        let caller = caller!();
        reduced(caller, guard);
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_end_reduce)(position, thread, guard) }
    }

    fn __kmpc_end_reduce_nowait(position: *mut c_void, thread: c_int, guard: *mut c_void) {
        let caller = caller!();
        given(caller, guard);
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_end_reduce_nowait)(position, thread, guard) }
    }

    fn __kmpc_omp_task_alloc(position: *mut c_void, thread: c_int, flags: c_int, bytes: usize, shared_bytes: usize, entry: *mut c_void) -> *mut *mut c_void {
        let caller = caller!();
        let task = untied::make(flags, entry, shared_bytes, |shared_bytes, entry| {
            // SAFETY: the program's call, with more room than it asked for, and an entry that calls its own.
            unsafe { real!(__kmpc_omp_task_alloc)(position, thread, flags, bytes, shared_bytes, entry) }
        });
        task_made(caller, task, bytes, shared_bytes);
        task
    }

    fn __kmpc_omp_target_task_alloc(position: *mut c_void, thread: c_int, flags: c_int, bytes: usize, shared_bytes: usize, entry: *mut c_void, device: i64) -> *mut *mut c_void {
        let caller = caller!();
        let task = untied::make(flags, entry, shared_bytes, |shared_bytes, entry| {
            // SAFETY: as for `__kmpc_omp_task_alloc`.
            unsafe { real!(__kmpc_omp_target_task_alloc)(position, thread, flags, bytes, shared_bytes, entry, device) }
        });
        task_made(caller, task, bytes, shared_bytes);
        task
    }

    fn __kmpc_end_taskgroup(position: *mut c_void, thread: c_int) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        may_run_tasks(caller, here!(), || unsafe { real!(__kmpc_end_taskgroup)(position, thread) })
    }

    // Whose frames end where it says is the program's function: between these two that runs a task of its own, and what is its creator's stays.
    fn __kmpc_omp_task_begin_if0(position: *mut c_void, thread: c_int, task: *mut c_void) {
        let caller = caller!();
        fiber::stands_still_from(caller, here!());
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_omp_task_begin_if0)(position, thread, task) }
    }

    fn __kmpc_omp_task_complete_if0(position: *mut c_void, thread: c_int, task: *mut c_void) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_omp_task_complete_if0)(position, thread, task) };
        fiber::stands_still_from(caller, 0);
    }

    fn __kmpc_omp_taskyield(position: *mut c_void, thread: c_int, end: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        may_run_tasks(caller, here!(), || unsafe { real!(__kmpc_omp_taskyield)(position, thread, end) })
    }

    fn __kmpc_taskloop(position: *mut c_void, thread: c_int, task: *mut c_void, condition: c_int, lower: *mut u64, upper: *mut u64, step: i64, no_group: c_int, kind: c_int, grain: u64, duplicate: *mut c_void) {
        let caller = caller!();
        let duplicate = duplicate::instead(task, duplicate);
        // SAFETY: the program's call, with a function that calls its own.
        may_run_tasks(caller, here!(), || unsafe {
            real!(__kmpc_taskloop)(position, thread, task, condition, lower, upper, step, no_group, kind, grain, duplicate)
        })
    }

    fn __kmpc_taskloop_5(position: *mut c_void, thread: c_int, task: *mut c_void, condition: c_int, lower: *mut u64, upper: *mut u64, step: i64, no_group: c_int, kind: c_int, grain: u64, modifier: c_int, duplicate: *mut c_void) {
        let caller = caller!();
        let duplicate = duplicate::instead(task, duplicate);
        // SAFETY: the program's call, with a function that calls its own.
        may_run_tasks(caller, here!(), || unsafe {
            real!(__kmpc_taskloop_5)(position, thread, task, condition, lower, upper, step, no_group, kind, grain, modifier, duplicate)
        })
    }

    // A flush is a fence: alone it orders nothing, together with atomics it does (OpenMP 5.2, 1.4.4).
    fn __kmpc_flush(position: *mut c_void) {
        let caller = caller!();
        if let Some(effect) = atomics::fence_effect(Order::AcqRel)
            && let Some(mut scope) = enter(caller)
        {
            scope.sync(effect, Entity::NONE);
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_flush)(position) }
    }

    fn omp_init_lock(lock: *mut c_void) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(omp_init_lock)(lock) };
        made(caller, lock, Kind::OpenMpLock);
    }

    fn omp_init_lock_with_hint(lock: *mut c_void, hint: c_int) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(omp_init_lock_with_hint)(lock, hint) };
        made(caller, lock, Kind::OpenMpLock);
    }

    fn omp_destroy_lock(lock: *mut c_void) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(omp_destroy_lock)(lock) };
        gone(caller, lock, Kind::OpenMpLock);
    }

    fn omp_set_lock(lock: *mut c_void) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(omp_set_lock)(lock) };
        taken(caller, lock, Kind::OpenMpLock);
    }

    fn omp_test_lock(lock: *mut c_void) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(omp_test_lock)(lock) };
        if result != 0 {
            taken(caller, lock, Kind::OpenMpLock);
        }
        result
    }

    fn omp_unset_lock(lock: *mut c_void) {
        let caller = caller!();
        given(caller, lock);
        // SAFETY: the program's call, unchanged.
        unsafe { real!(omp_unset_lock)(lock) }
    }

    fn omp_init_nest_lock(lock: *mut c_void) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(omp_init_nest_lock)(lock) };
        made(caller, lock, Kind::OpenMpLock);
    }

    fn omp_init_nest_lock_with_hint(lock: *mut c_void, hint: c_int) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(omp_init_nest_lock_with_hint)(lock, hint) };
        made(caller, lock, Kind::OpenMpLock);
    }

    fn omp_destroy_nest_lock(lock: *mut c_void) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(omp_destroy_nest_lock)(lock) };
        gone(caller, lock, Kind::OpenMpLock);
    }

    fn omp_set_nest_lock(lock: *mut c_void) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(omp_set_nest_lock)(lock) };
        taken(caller, lock, Kind::OpenMpLock);
    }

    fn omp_test_nest_lock(lock: *mut c_void) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(omp_test_nest_lock)(lock) };
        if result != 0 {
            taken(caller, lock, Kind::OpenMpLock);
        }
        result
    }

    fn omp_unset_nest_lock(lock: *mut c_void) {
        let caller = caller!();
        given(caller, lock);
        // SAFETY: the program's call, unchanged.
        unsafe { real!(omp_unset_nest_lock)(lock) }
    }

    fn omp_get_thread_num() -> c_int {
        let caller = caller!();
        if let Some(mut scope) = enter(caller) {
            fiber::asks_for_thread(&mut scope);
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(omp_get_thread_num)() }
    }

    fn __kmpc_threadprivate_cached(position: *mut c_void, thread: c_int, data: *mut c_void, bytes: usize, cache: *mut c_void) -> *mut c_void {
        let caller = caller!();
        if let Some(mut scope) = enter(caller) {
            fiber::asks_for_thread(&mut scope);
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_threadprivate_cached)(position, thread, data, bytes, cache) }
    }

    fn __kmpc_task_reduction_get_th_data(thread: c_int, group: *mut c_void, data: *mut c_void) -> *mut c_void {
        let caller = caller!();
        if let Some(mut scope) = enter(caller) {
            fiber::asks_for_thread(&mut scope);
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_task_reduction_get_th_data)(thread, group, data) }
    }

    fn __kmpc_taskred_modifier_init(position: *mut c_void, thread: c_int, is_loop: c_int, count: c_int, data: *mut c_void) -> *mut c_void {
        // SAFETY: the program's call, unchanged.
        copies(caller!(), || unsafe { real!(__kmpc_taskred_modifier_init)(position, thread, is_loop, count, data) })
    }

    fn __kmpc_task_reduction_modifier_init(position: *mut c_void, thread: c_int, is_loop: c_int, count: c_int, data: *mut c_void) -> *mut c_void {
        // SAFETY: the program's call, unchanged.
        copies(caller!(), || unsafe { real!(__kmpc_task_reduction_modifier_init)(position, thread, is_loop, count, data) })
    }

    fn omp_alloc(bytes: usize, allocator: usize) -> *mut c_void {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        allocated(caller, unsafe { real!(omp_alloc)(bytes, allocator) }, bytes)
    }

    fn omp_aligned_alloc(alignment: usize, bytes: usize, allocator: usize) -> *mut c_void {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        allocated(caller, unsafe { real!(omp_aligned_alloc)(alignment, bytes, allocator) }, bytes)
    }

    fn omp_calloc(count: usize, bytes: usize, allocator: usize) -> *mut c_void {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        allocated(caller, unsafe { real!(omp_calloc)(count, bytes, allocator) }, count.wrapping_mul(bytes))
    }

    fn __kmpc_alloc(thread: c_int, bytes: usize, allocator: usize) -> *mut c_void {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        allocated(caller, unsafe { real!(__kmpc_alloc)(thread, bytes, allocator) }, bytes)
    }
}
