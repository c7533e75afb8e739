//! Potential deadlocks: locks that different threads take in different orders.
//!
//! Found from the order in which locks are taken, whether or not the threads meet in a deadlock in this run; if they do, it
//! is reported before the last one waits. A thread that takes a lock while it holds none, or does again what it has done
//! before, costs a look into memory of its own.
//!
//! Nor can they meet if something else orders them in every schedule (`lineage`, `units`).
//!
//! An attempt that gives up (try, timed) waits for nobody, so it ends no edge; what it has got is held like any other lock.

mod graph;
mod lineage;
mod rank;
mod semaphores;
mod units;

pub use semaphores::{got, initialized, posting};

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use goldilocks_core::event::{Effect, Entity, Role};
use goldilocks_core::fast_hash::FastMap;

use crate::caller::Caller;
use crate::findings;
use crate::options;
use crate::pipeline::{self, Scope, enter};
use crate::report::model::ReportKind;
use crate::sites::mix;
use crate::state::multi_threaded;
use crate::sync_objects;
use crate::thread::ThreadState;
use graph::{Graph, Instance, Lock};
use lineage::Lineage;
use semaphores::Taken;
use units::Units;

/// Everything that is known. Taken inside the runtime only, so that a fork finds it free.
#[derive(Default)]
struct Known {
    graph: Graph,
    lineage: Lineage,
    /// What semaphores were used for, by address.
    units: FastMap<u64, Units>,
}

static KNOWN: Mutex<Option<Known>> = Mutex::new(None);

/// Whether there is any edge: until then nothing needs to be forgotten, or be ordered after one.
static ANY: AtomicBool = AtomicBool::new(false);

fn known() -> MutexGuard<'static, Option<Known>> {
    KNOWN
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn with_known<R>(deed: impl FnOnce(&mut Known) -> R) -> R {
    deed(known().get_or_insert_default())
}

/// How often the process has been forked: what a thread remembers to have told is not known in the child.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Of the locks that a thread holds, so many that it took first and last are looked at: who takes all locks of a table holds thousands.
const ENDS: usize = 32;

/// What a thread remembers of the orders in which it has taken locks: (what it held and took, validity), by a hash.
const RECENT: usize = 256;

/// The same of all threads together, by a hash that the thread is a part of: where there is a lock in each of thousands of objects, and another around the table
/// that has them.
static KNOWN_ORDERS: [AtomicU64; 1 << ORDER_BITS] = [const { AtomicU64::new(0) }; 1 << ORDER_BITS];
const ORDER_BITS: u32 = 16;

/// Whether what has this hash was asked for before, and nothing since then that shares its place.
fn is_known_order(hash: u64) -> bool {
    let place = &KNOWN_ORDERS[(hash >> (u64::BITS - ORDER_BITS)) as usize];
    // Relaxed: the thread's own, as its number is in the hash.
    let known = place.load(Ordering::Relaxed) == hash;
    if !known {
        place.store(hash, Ordering::Relaxed);
    }
    known
}

/// A thread's part.
#[derive(Default)]
pub struct Habits {
    /// Its present step, see [`lineage`].
    step: u32,
    /// Semaphores that it has got units of.
    taken: Taken,
    recent: Option<Box<[(u64, u64); RECENT]>>,
}

/// The thread `creator` makes `thread`.
pub fn created(creator: &mut ThreadState, thread: u32) {
    if any() {
        creator.habits.step = with_known(|known| known.lineage.created(creator.serial, thread));
    }
}

/// The thread `waiter` has joined `thread`.
pub fn joined(waiter: &mut ThreadState, thread: u32) {
    if any() {
        with_known(|known| known.lineage.joined(waiter.serial, thread));
    }
}

/// Whether there is any edge.
#[inline(always)]
fn any() -> bool {
    // Relaxed: an edge that comes before an event was made by the same thread, or by one that the program orders with it.
    ANY.load(Ordering::Relaxed)
}

/// A sync event that orders threads in the same way whatever the schedule, other than those of locks.
#[inline(always)]
pub fn orders(state: &mut ThreadState, effect: Effect, object: Entity) {
    if any() {
        ordered(state, effect, object);
    }
}

#[cold]
fn ordered(state: &mut ThreadState, effect: Effect, object: Entity) {
    with_known(|known| {
        let thread = state.serial;
        if effect.has(Effect::ACQUIRE) {
            known.lineage.acquired(thread, object);
        }
        if effect.has(Effect::CLEAR) {
            known.lineage.forget(object);
        }
        if effect.has(Effect::RELEASE) {
            state.habits.step = known.lineage.released(thread, object);
        }
    });
}

/// The object that orders does not exist any more.
#[inline(always)]
pub fn ends(object: Entity) {
    if any() {
        with_known(|known| known.lineage.forget(object));
    }
}

/// Whether events of the objects in this role order threads in every schedule. Others are told of where they happen: what lives at
/// an address may be a lock.
#[inline(always)]
pub fn is_order(object: Entity) -> bool {
    const ORDERS: u32 = 1 << Role::BarrierEven as u8
        | 1 << Role::BarrierOdd as u8
        | 1 << Role::Signal as u8
        | 1 << Role::Request as u8
        | 1 << Role::OpenMp as u8
        | 1 << Role::Fiber as u8;
    object
        .as_object()
        .is_some_and(|(_, role)| ORDERS >> (role & 31) & 1 != 0)
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
    let step = u64::from(state.habits.step) << 32 | u64::from(PROCESS.load(Ordering::Relaxed));
    let key = mix(
        mix(state.held_hash ^ state.habits.taken.hash(), lock.0),
        step,
    );
    let recent = state
        .habits
        .recent
        .get_or_insert_with(|| Box::new([(0, 0); RECENT]));
    let place = &mut recent[(key >> 56) as usize % RECENT];
    if *place != (key, validity) {
        *place = (key, validity);
        // Not 0, which stands for nothing.
        if !is_known_order(mix(mix(key, validity), u64::from(state.serial)) | 1) {
            takes_in_new_order(scope, lock);
        }
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
    let thread = state.serial;
    let mut places: Vec<(Lock, usize)> = state
        .held_with_places()
        .filter_map(|(held, place)| Some((as_lock(held)?, place)))
        .collect();
    let mut held: Vec<Lock> = places.iter().map(|&(held, _)| held).collect();
    held.extend(state.habits.taken.gates());
    held.sort();
    held.dedup();
    let held: Arc<[Lock]> = held.into();
    if places.len() > 2 * ENDS {
        places.drain(ENDS..places.len() - ENDS);
    }
    // Relaxed: whoever destroys one of the locks comes after this by the program's own order.
    ANY.store(true, Ordering::Relaxed);
    for (from, from_place) in places {
        let cycle = with_known(|known| {
            known.graph.add(Instance {
                at: known.lineage.now(thread),
                from,
                from_place,
                to,
                held: held.clone(),
                site,
            })
        });
        if let Some(cycle) = cycle {
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
    semaphores::forget(address);
    // Relaxed: see `takes_in_new_order`.
    if ANY.load(Ordering::Relaxed)
        && let Some(known) = known().as_mut()
    {
        known.graph.forget(address);
        known.lineage.forget(Entity::object(address, Role::Object));
        known.units.remove(&address);
    }
}

/// In a forked child: the other threads are gone, and with them what they could wait for.
pub fn after_fork_child() {
    *known() = None;
    semaphores::after_fork_child();
    // Relaxed: one thread.
    PROCESS.fetch_add(1, Ordering::Relaxed);
}
