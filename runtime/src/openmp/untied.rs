//! Where the parts of an untied task end.
//!
//! The compiler cuts an untied task into parts. All but the last end by giving the task to libomp again, after which another
//! thread may run the next part before this one has returned. libomp tells of the start of every part, and of its end if the
//! task is given to it again; of the end of the last one only when all parts have returned, on the thread of the one that does so
//! last. That may be another thread than the one that has run the last part, and it may be late: meanwhile that one would
//! be taken to run the task still. So the runtime stands between libomp and the parts, and notes itself when the last one ends.

use super::fiber::current_task;
use super::region::{caller, here};
use super::task::{self, Task};
use crate::pipeline::{Scope, enter};
use core::ffi::{c_int, c_void};

/// `kmp_tasking_flags_t`: how a task is made.
const TIED: c_int = 0x1;
const HAS_DESTRUCTORS: c_int = 0x8;

/// What libomp calls a part by.
type Entry = unsafe extern "C" fn(thread: c_int, task: *mut Descriptor) -> c_int;

/// `kmp_task_t`, which the compiled code knows: what follows are the task's private variables.
#[repr(C)]
struct Descriptor {
    shared: *mut Kept,
    entry: *mut c_void,
    part: c_int,
    destructors: Option<Entry>,
    other: *mut c_void,
}

/// What is kept right before the variables that a task shares.
#[repr(C)]
struct Kept {
    entry: Entry,
    flags: usize,
}

/// Makes a task by `real(shared_bytes, entry)`.
pub fn make(
    flags: c_int,
    entry: *mut c_void,
    shared_bytes: usize,
    real: impl FnOnce(usize, *mut c_void) -> *mut *mut c_void,
) -> *mut *mut c_void {
    if flags & TIED != 0 || entry.is_null() {
        return real(shared_bytes, entry);
    }
    // SAFETY: what the compiler passes is an entry.
    let entry = unsafe { core::mem::transmute::<*mut c_void, Entry>(entry) };
    let task = real(shared_bytes + size_of::<Kept>(), part as *mut c_void);
    if let Some(task) = core::ptr::NonNull::new(task.cast::<Descriptor>()) {
        // SAFETY: the new task, which nobody else knows. It has room for variables to share, since some were asked for; that
        // starts with ours from here on.
        unsafe {
            let kept = (*task.as_ptr()).shared;
            kept.write(Kept {
                entry,
                flags: flags as usize,
            });
            (*task.as_ptr()).shared = kept.add(1);
        }
    }
    task
}

/// The running thread is about to turn to `task`; if that is untied, then to call one of its parts.
pub fn starts(scope: &mut Scope, task: &mut Task) {
    if task.untied && (task.away || !task.begun) {
        scope.thread().openmp.starts = task;
    }
}

/// libomp has done with the task. It does not call the parts of a task that was canceled.
pub fn is_over(scope: &mut Scope, task: &mut Task) {
    let starts = &mut scope.thread().openmp.starts;
    if core::ptr::eq(*starts, task) {
        *starts = core::ptr::null_mut();
    }
}

/// libomp turns from a task to itself: a part has given the task to libomp, which calls the next one from within. Both are told
/// that way, the end of a part from the second on.
pub fn again(scope: &mut Scope, task: &mut Task, here: usize) {
    if !task.untied {
        return;
    }
    if task.away {
        if let Some(current) = current_task(scope) {
            task::turn(scope, current, task, here);
        }
        return;
    }
    task::running(scope, task, here);
    // SAFETY: the task beneath stands still, and lives; it is not `task`.
    if let Some(under) = unsafe { task.under.as_mut() } {
        task.away = true;
        task::turn(scope, task, under, here);
    }
}

/// Stands for the parts of every untied task.
unsafe extern "C" fn part(thread: c_int, task: *mut Descriptor) -> c_int {
    // SAFETY: a task that `make` has made, or a copy that libomp has made of one.
    let kept = unsafe { (*task).shared.sub(1) };
    // SAFETY: as above; read before the part, as with its end the task may be gone.
    let Kept { entry, flags } = unsafe { kept.read() };
    let starts = enter(caller(core::ptr::null())).map_or(core::ptr::null_mut(), |mut scope| {
        core::mem::replace(
            &mut scope.thread().openmp.starts,
            core::ptr::null_mut::<Task>(),
        )
    });
    // SAFETY: libomp's call, unchanged.
    let result = unsafe { entry(thread, task) };
    // If the thread still runs it, nobody else does, and it has not been given to libomp again.
    if is_current(starts) {
        if flags & HAS_DESTRUCTORS as usize != 0 {
            // SAFETY: with this flag, the compiler has set it. libomp would call it on the thread that returns last.
            unsafe {
                if let Some(destructors) = (*task).destructors.replace(nothing) {
                    destructors(thread, task);
                }
            }
        }
        if let Some(mut scope) = enter(caller(core::ptr::null()))
            && let Some(task) = current_task(&mut scope)
        {
            task::ended(&mut scope, task, None, here!());
        }
    }
    result
}

/// Whether the thread runs `task`, which may be null or gone.
fn is_current(task: *mut Task) -> bool {
    !task.is_null()
        && enter(caller(core::ptr::null()))
            .is_some_and(|mut scope| scope.thread().openmp.current == task)
}

unsafe extern "C" fn nothing(_thread: c_int, _task: *mut Descriptor) -> c_int {
    0
}
