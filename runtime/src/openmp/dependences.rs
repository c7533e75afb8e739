//! What `depend` clauses order: sibling tasks that name the same location.
//!
//! A location has up to four objects, by the kind of the clauses of those that have completed: written (`out`, `inout`), read
//! (`in`), exclusive (`mutexinoutset`) and set (`inoutset`). A task releases that of its own kind, and acquires those that its
//! kind waits for: readers do not wait for readers, nor members of a set for other members. An exclusive task acquires its
//! own kind, too, since what excludes it is as good as a lock. Nothing later can be among the completed ones: it would
//! have had to wait.

use super::interface::{Data, Dependence, dependence};
use super::object::{self, What};
use super::region::caller;
use super::task::{self, Task};
use crate::pipeline::{Scope, enter};
use core::ffi::c_int;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The locations that the children of one task depend on. Kept by the task and by those children.
#[derive(Default)]
pub struct Domain {
    numbers: Mutex<HashMap<u64, u64>>,
}

/// A location, by the number of its objects, and what its task does to it.
#[derive(Clone, Copy)]
pub struct Need {
    number: u64,
    kind: c_int,
}

/// Where a program cannot have a location: stands for `omp_all_memory`. Every dependent task reads it, and one that depends on all
/// memory writes it.
const ALL_MEMORY: u64 = u64::MAX;

impl Domain {
    fn number(&self, location: u64) -> u64 {
        let mut numbers = self
            .numbers
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        *numbers.entry(location).or_insert_with(object::number)
    }
}

/// Gives up a reference to a domain; the last one ends its objects.
pub fn leave(scope: &mut Scope, domain: Arc<Domain>) {
    let Some(domain) = Arc::into_inner(domain) else {
        return;
    };
    let numbers = domain
        .numbers
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    for number in numbers.into_values() {
        for what in [What::Written, What::Read, What::Exclusive, What::Set] {
            scope.forget_openmp(number, what);
        }
    }
}

/// The object that a task with a dependence of this kind releases, and those that it acquires. `None` for kinds that are not of tasks.
fn objects(kind: c_int) -> Option<(What, &'static [What])> {
    use What::{Exclusive, Read, Set, Written};
    Some(match kind {
        dependence::IN => (Read, &[Written, Exclusive, Set]),
        dependence::OUT
        | dependence::INOUT
        | dependence::OUT_ALL_MEMORY
        | dependence::INOUT_ALL_MEMORY => (Written, &[Written, Read, Exclusive, Set]),
        dependence::MUTEXINOUTSET => (Exclusive, &[Written, Read, Exclusive, Set]),
        dependence::INOUTSET => (Set, &[Written, Read, Exclusive]),
        _ => return None,
    })
}

/// libomp tells the dependences of a task right after its creation, on the thread that created it.
pub unsafe extern "C" fn announced(data: *mut Data, list: *const Dependence, count: c_int) {
    let Some(mut scope) = enter(caller(core::ptr::null())) else {
        return;
    };
    // SAFETY: the word of the task that was just created, or of the running one (`ordered depend`), whose kinds are not ours.
    let created = unsafe { task::of(data) };
    // A wait has no word: it is the one that the thread has begun last.
    let wait = scope.thread().openmp.waits.last_mut();
    let wait = wait.map(|wait| &raw mut *wait);
    // SAFETY: it stays where it is until another wait begins, or this one is over.
    let wait = wait.map(|wait: *mut Task| unsafe { &mut *wait });
    let Some(task) = created.or(wait.filter(|wait| wait.data == data && wait.needs.is_empty()))
    else {
        return;
    };
    // SAFETY: null, or the task that the thread runs. It is not `task`, which has not begun.
    let Some(parent) = (unsafe { scope.thread().openmp.current.as_mut() }) else {
        return;
    };
    if task.begun || count <= 0 || list.is_null() {
        return;
    }
    // SAFETY: libomp gives the list and its length.
    let list = unsafe { core::slice::from_raw_parts(list, count as usize) };
    let domain = parent.domain.get_or_insert_default();
    for dependence in list {
        if objects(dependence.kind).is_none() {
            continue;
        }
        let all = matches!(
            dependence.kind,
            dependence::OUT_ALL_MEMORY | dependence::INOUT_ALL_MEMORY
        );
        // SAFETY: an address, or a word that stands for one.
        let location = unsafe { dependence.variable.value };
        let mut need = |location, kind| {
            let number = domain.number(location);
            task.needs.push(Need { number, kind });
        };
        if all {
            need(ALL_MEMORY, dependence::INOUT);
        } else {
            need(location, dependence.kind);
            need(ALL_MEMORY, dependence::IN);
        }
    }
    if !task.needs.is_empty() {
        task.depends_in = Some(domain.clone());
    }
}

/// The task begins, on this thread.
pub fn acquire(scope: &mut Scope, task: &Task) {
    for need in &task.needs {
        for &what in objects(need.kind).map_or(&[][..], |(_, acquired)| acquired) {
            scope.acquire_openmp(need.number, what);
        }
    }
}

/// What this thread has done comes before the tasks that depend on the task.
pub fn release(scope: &mut Scope, task: &Task) {
    for need in &task.needs {
        if let Some((released, _)) = objects(need.kind) {
            scope.release_openmp(need.number, released);
        }
    }
}
