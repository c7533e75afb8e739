//! Semaphores, as what orders threads and as locks (see `units`).

use core::sync::atomic::{AtomicUsize, Ordering};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};

use super::graph::Lock;
use super::units::Units;
use super::{any, with_known};
use crate::sites::mix;
use crate::thread::ThreadState;

/// Semaphores with one unit, which only who had it has posted so far. Taken inside the runtime only, so that a fork finds it free.
static SINGLE: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());
/// How many those are. Relaxed throughout: a hint; who uses a semaphore comes after its initialization by the program's own order.
static SINGLES: AtomicUsize = AtomicUsize::new(0);

fn single() -> MutexGuard<'static, BTreeSet<u64>> {
    SINGLE
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn is_no_lock(semaphore: u64) {
    if SINGLES.load(Ordering::Relaxed) != 0 && single().remove(&semaphore) {
        SINGLES.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Semaphores of which a thread has units, the latest few.
#[derive(Default)]
pub struct Taken([u64; 4]);

impl Taken {
    fn add(&mut self, semaphore: u64) {
        self.remove(semaphore);
        self.0.rotate_right(1);
        self.0[0] = semaphore;
    }
    fn remove(&mut self, semaphore: u64) -> bool {
        let place = self.0.iter_mut().find(|taken| **taken == semaphore);
        place.map(|taken| *taken = 0).is_some()
    }
    /// Of which they are, in whatever order.
    pub fn hash(&self) -> u64 {
        let taken = self.0.iter().filter(|&&taken| taken != 0);
        taken.fold(0, |hash, &taken| hash ^ mix(taken, 1))
    }
    /// Those that exclude other threads.
    pub fn gates(&self) -> Vec<Lock> {
        if SINGLES.load(Ordering::Relaxed) == 0 {
            return Vec::new();
        }
        let single = single();
        let gates = self.0.iter().filter(|taken| single.contains(taken));
        gates
            .map(|&address| Lock {
                address,
                shared: false,
            })
            .collect()
    }
}

/// After an initialization with `value`.
pub fn initialized(semaphore: u64, value: u32) {
    is_no_lock(semaphore);
    if value == 1 && single().insert(semaphore) {
        SINGLES.fetch_add(1, Ordering::Relaxed);
    }
}

/// The semaphore does not exist any more, if it was one.
pub fn forget(address: u64) {
    is_no_lock(address);
}

/// Before a real post of a semaphore that has `value` units.
pub fn posting(state: &mut ThreadState, semaphore: u64, value: u32) {
    if !state.habits.taken.remove(semaphore) {
        is_no_lock(semaphore);
    }
    if any() {
        with_known(|known| {
            let (told, step) = known.lineage.told(state.serial);
            state.habits.step = step;
            let units = known.units.entry(semaphore);
            let units = units.or_insert_with(|| Units::new(value.into()));
            units.posted(state.serial, told);
        });
    }
}

/// After a real wait that has got a unit and left `value`.
pub fn got(state: &mut ThreadState, semaphore: u64, value: u32) {
    state.habits.taken.add(semaphore);
    if any() {
        with_known(|known| {
            let units = known.units.entry(semaphore);
            let units = units.or_insert_with(|| Units::new(u64::from(value) + 1));
            let (lineage, thread) = (&mut known.lineage, state.serial);
            units.got(thread, |told| lineage.learns(thread, told));
        });
    }
}

/// In a forked child: the semaphores are copies, except of those that are shared, which other processes post from now on.
pub fn after_fork_child() {
    single().clear();
    SINGLES.store(0, Ordering::Relaxed);
}
