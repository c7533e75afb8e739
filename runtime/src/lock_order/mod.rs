//! Potential deadlocks: locks that different threads take in different orders.
//!
//! Found from the order in which locks are taken, whether or not the threads meet in a deadlock in this run; if they do, it
//! is reported before the last one waits. A thread that takes a lock while it holds none, or does again what it has done
//! before, costs a look into memory of its own.
//!
//! An attempt that gives up (try, timed) waits for nobody, so it ends no edge; what it has got is held like any other lock.

mod graph;
mod lineage;

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use goldilocks_core::event::{Entity, Role};

use crate::findings;
use crate::options;
use crate::pipeline::{self, Caller, Scope, enter};
use crate::report::model::ReportKind;
use crate::sites::mix;
use crate::state::multi_threaded;
use crate::sync_objects;
use crate::thread::ThreadState;
use graph::{Graph, Instance, Lock};
use lineage::{Lineage, Moment};

/// Everything that is known. Taken inside the runtime only, so that a fork finds it free.
struct Known {
    graph: Graph,
    lineage: Lineage,
}

static KNOWN: Mutex<Option<Known>> = Mutex::new(None);

/// Whether there is any edge: until then nothing needs to be forgotten.
static ANY: AtomicBool = AtomicBool::new(false);

fn known() -> MutexGuard<'static, Option<Known>> {
    KNOWN
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn with_known<R>(deed: impl FnOnce(&mut Known) -> R) -> R {
    deed(known().get_or_insert_with(|| Known {
        graph: Graph::new(),
        lineage: Lineage::new(),
    }))
}

/// What a thread remembers of the orders in which it has taken locks: (what it held and took, validity), by a hash.
const RECENT: usize = 256;

/// A thread's part.
#[derive(Default)]
pub struct Habits {
    /// Its present step, see [`lineage`].
    step: u32,
    recent: Option<Box<[(u64, u64); RECENT]>>,
}

/// The thread `creator` makes `thread`.
pub fn created(creator: &mut ThreadState, thread: u32) {
    if options::get().detect_deadlocks {
        creator.habits.step = with_known(|known| known.lineage.created(creator.serial, thread));
    }
}

/// The thread `waiter` has joined `thread`.
pub fn joined(waiter: &mut ThreadState, thread: u32) {
    if options::get().detect_deadlocks {
        waiter.habits.step = with_known(|known| known.lineage.joined(waiter.serial, thread));
    }
}

/// Before a real lock of `lock` that waits as long as it takes.
#[inline(always)]
pub fn waiting(caller: Caller, lock: Entity) {
    if pipeline::holds_locks()
        && let Some(mut scope) = enter(caller)
    {
        waiting_inside(&mut scope, lock);
    }
}

/// The same inside the runtime.
pub fn waiting_inside(scope: &mut Scope, lock: Entity) {
    // One thread waits for nobody else; and what it does is ordered before all that others will do.
    if !multi_threaded() || !options::get().detect_deadlocks {
        return;
    }
    let Some((address, _)) = lock.as_object() else {
        return;
    };
    let state = scope.thread();
    let mut again = false;
    let mut validity = sync_objects::generation(address);
    for held in state.engine.held() {
        let Some((held, _)) = held.as_object() else {
            continue;
        };
        again |= held == address;
        // Each only grows, so the sum is the same only if all are.
        validity += sync_objects::generation(held);
    }
    if again || state.engine.held().is_empty() {
        return;
    }
    let key = mix(mix(state.held_hash, lock.0), state.habits.step.into());
    let recent = state
        .habits
        .recent
        .get_or_insert_with(|| Box::new([(0, 0); RECENT]));
    let place = &mut recent[(key >> 56) as usize % RECENT];
    if *place != (key, validity) {
        *place = (key, validity);
        takes_in_new_order(scope, lock);
    }
}

fn as_lock(entity: Entity) -> Option<Lock> {
    entity.as_object().map(|(address, role)| Lock {
        address,
        shared: role == Role::Readers as u8,
    })
}

#[cold]
fn takes_in_new_order(scope: &mut Scope, lock: Entity) {
    let Some(to) = as_lock(lock) else { return };
    let site = scope.stack();
    let state = scope.thread();
    let at = Moment {
        thread: state.serial,
        step: state.habits.step,
    };
    let places: Vec<(Lock, usize)> = state
        .held_with_places()
        .filter_map(|(held, place)| Some((as_lock(held)?, place)))
        .collect();
    let mut held: Vec<Lock> = places.iter().map(|&(held, _)| held).collect();
    held.sort();
    held.dedup();
    // Relaxed: whoever destroys one of the locks comes after this by the program's own order.
    ANY.store(true, Ordering::Relaxed);
    for (from, from_place) in places {
        let instance = Instance {
            at,
            from,
            from_place,
            to,
            held: held.clone(),
            site,
        };
        if let Some(cycle) = with_known(|known| known.graph.add(instance, &known.lineage)) {
            report(scope, &cycle);
        }
    }
}

fn report(scope: &mut Scope, cycle: &[Instance]) {
    let others: Vec<_> = cycle.iter().skip(1).map(|edge| edge.site).collect();
    let places: Vec<_> = cycle
        .iter()
        .map(|edge| scope.thread().site_of(&[edge.from_place]))
        .collect();
    let circle: Vec<u64> = cycle
        .iter()
        .map(|edge| edge.from.address)
        .chain(cycle.first().map(|edge| edge.from.address))
        .collect();
    findings::report(scope, ReportKind::LockOrderInversion, &others, |draft| {
        for (edge, place) in cycle.iter().zip(places) {
            let thread = Some(edge.at.thread);
            let verb = if edge.to.shared {
                "Lock for reading"
            } else {
                "Lock"
            };
            draft.there(
                &format!("{verb} of {{}} while {{}} is held"),
                &[edge.to.address, edge.from.address],
                thread,
                edge.site,
            );
            draft.there("{} was locked", &[edge.from.address], thread, place);
        }
        let arrows = vec!["{}"; circle.len()].join(" -> ");
        draft.help(
            &format!("the locks form a cycle, {arrows}: take them in the same order everywhere, or one more lock around both"),
            &circle,
        );
    });
}

/// The lock at `address` does not exist any more.
#[inline]
pub fn forget(address: u64) {
    // Relaxed: see `takes_in_new_order`.
    if ANY.load(Ordering::Relaxed)
        && let Some(known) = known().as_mut()
    {
        known.graph.forget(address);
    }
}

/// In a forked child: the other threads are gone, and with them what they could wait for.
pub fn after_fork_child() {
    *known() = None;
}
