//! Loops with `ordered(n)`, whose iterations wait for one another (`ordered depend`, "doacross").
//!
//! An iteration is an object: to post it is a release, to wait for it an acquire. The threads of a region meet the loops of the
//! region in the same order, so that a loop is known by how many of them each has met before.

use super::fiber::current_task;
use super::object::{self, What};
use crate::pipeline::{Scope, enter};
use crate::{caller, interceptors, real};
use core::ffi::{c_int, c_void};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// One dimension of a loop nest as compiled code describes it to libomp: bounds, both included, and step.
#[repr(C)]
#[derive(Clone, Copy)]
struct Dimension {
    lower: i64,
    upper: i64,
    step: i64,
}

impl Dimension {
    /// Number of iterations.
    fn length(&self) -> u64 {
        let distance = (self.upper as i128 - self.lower as i128) / self.step.max(1) as i128;
        let distance = if self.step < 0 {
            (self.lower as i128 - self.upper as i128) / -(self.step as i128)
        } else {
            distance
        };
        u64::try_from(distance + 1).unwrap_or(0)
    }
    /// Position of the iteration with this value; `None` if there is none.
    fn position(&self, value: i64) -> Option<u64> {
        if self.step == 0 {
            return None;
        }
        let offset = value as i128 - self.lower as i128;
        let position = offset / self.step as i128;
        u64::try_from(position)
            .ok()
            .filter(|&at| at < self.length())
    }
}

/// A loop that is being run.
pub struct Loop {
    dimensions: Vec<Dimension>,
    /// Numbers of its iterations' objects, from here on in the order of the iterations.
    first: u64,
    posted: Mutex<Vec<u64>>,
}

impl Loop {
    /// Number of the object of the iteration at these values; `None` if there is no such iteration.
    fn iteration(&self, values: *const i64) -> Option<u64> {
        let mut at = 0;
        for (index, dimension) in self.dimensions.iter().enumerate() {
            // SAFETY: compiled code passes as many values as the loop has dimensions.
            let value = unsafe { *values.add(index) };
            at = at * dimension.length() + dimension.position(value)?;
        }
        Some(self.first + at)
    }
}

/// The loops of a region, by how many came before.
#[derive(Default)]
pub struct Loops(Mutex<HashMap<u64, Arc<Loop>>>);

impl Loops {
    fn enter(&self, number: u64, dimensions: &[Dimension]) -> Arc<Loop> {
        let mut loops = self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let new = || {
            let iterations = dimensions.iter().map(Dimension::length).product::<u64>();
            Arc::new(Loop {
                dimensions: dimensions.to_vec(),
                first: object::numbers(iterations.max(1)),
                posted: Mutex::default(),
            })
        };
        loops.entry(number).or_insert_with(new).clone()
    }

    /// The region has ended.
    pub fn forget(self, scope: &mut Scope) {
        let loops = self
            .0
            .into_inner()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        for nest in loops.into_values() {
            let posted = nest
                .posted
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            posted
                .iter()
                .for_each(|&iteration| scope.forget_openmp(iteration, What::Iteration));
        }
    }
}

interceptors! {
    fn __kmpc_doacross_init(position: *mut c_void, thread: c_int, count: c_int, dimensions: *const c_void) {
        let caller = caller!();
        if let Some(mut scope) = enter(caller)
            && let Some(task) = current_task(&mut scope)
            && let Some(region) = task.region.clone()
        {
            // SAFETY: compiled code passes as many dimensions as it says.
            let dimensions = unsafe {
                core::slice::from_raw_parts(dimensions.cast::<Dimension>(), count.max(0) as usize)
            };
            task.nest = Some(region.loops.enter(task.nests, dimensions));
            task.nests += 1;
            super::region::leave(&mut scope, region);
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_doacross_init)(position, thread, count, dimensions) }
    }

    fn __kmpc_doacross_post(position: *mut c_void, thread: c_int, values: *const i64) {
        let caller = caller!();
        if let Some(mut scope) = enter(caller)
            && let Some(nest) = current_task(&mut scope).and_then(|task| task.nest.clone())
            && let Some(iteration) = nest.iteration(values)
        {
            scope.release_openmp(iteration, What::Iteration);
            nest.posted.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(iteration);
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_doacross_post)(position, thread, values) }
    }

    fn __kmpc_doacross_wait(position: *mut c_void, thread: c_int, values: *const i64) {
        let caller = caller!();
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_doacross_wait)(position, thread, values) };
        if let Some(mut scope) = enter(caller)
            && let Some(nest) = current_task(&mut scope).and_then(|task| task.nest.clone())
            && let Some(iteration) = nest.iteration(values)
        {
            scope.acquire_openmp(iteration, What::Iteration);
        }
    }

    fn __kmpc_doacross_fini(position: *mut c_void, thread: c_int) {
        let caller = caller!();
        if let Some(mut scope) = enter(caller)
            && let Some(task) = current_task(&mut scope)
        {
            task.nest = None;
        }
        // SAFETY: the program's call, unchanged.
        unsafe { real!(__kmpc_doacross_fini)(position, thread) }
    }
}
