//! Barriers.
//!
//! Each generation is an object of its own: what its threads did before arriving is ordered before what they do after
//! leaving, and nothing is ordered with a later generation by accident. Two roles take turns; the older one is cleared when
//! the last thread has left it.
//!
//! Which generation a thread takes part in is decided inside the real barrier, where we cannot see it. When more threads use a
//! barrier than its count, numbering the arrivals ourselves could disagree with it. So we make it agree: a thread gets a
//! *ticket*, and tickets k*count to (k+1)*count-1 are generation k. A thread goes on to the real barrier only when the
//! generation before its own has been let go, so that the threads that meet there are those of one generation; and only when
//! the generation that had the same role before has been left by all. With as many threads as the count, both hold at
//! arrival, and nobody ever waits here. What remains is a schedule that the program could have had without us.
//!
//! A barrier that other processes may use, or that was made before the runtime was up, gets no tickets: then all its
//! generations share one object, which orders more than the program does, but raises no false alarm.

use core::ffi::{c_int, c_uint};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use goldilocks_core::event::{Effect, Entity, Role};
use libc::{pthread_barrier_t, pthread_barrierattr_t};

use crate::caller::Caller;
use crate::misuse;
use crate::pipeline::enter;
use crate::state::runtime;
use crate::sync_objects::{self, Kind};
use crate::{caller, interceptors, real};

/// The generations of one barrier, from its initialization to its destruction.
pub struct Rounds {
    count: u64,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    tickets: u64,
    /// Generations that the real barrier has let go.
    complete: u64,
    /// Threads that have left the generation of this parity.
    left: [u64; 2],
    /// The generation that may use the role of this parity now.
    turn: [u64; 2],
    /// Threads asleep in `changed`: without any, nobody needs a system call to be woken.
    sleepers: u32,
}

impl Rounds {
    /// Of a barrier for `count` threads, at least 1.
    pub fn new(count: u64) -> Rounds {
        let state = State {
            tickets: 0,
            complete: 0,
            left: [0, 0],
            turn: [0, 1],
            sleepers: 0,
        };
        Rounds {
            count: count.max(1),
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A thread arrives; returns its generation, and whether it has to [`wait`](Self::wait) before it goes on.
    fn ticket(&self) -> (u64, bool) {
        let mut state = self.lock();
        let generation = state.tickets / self.count;
        state.tickets += 1;
        (generation, !state.may_enter(generation))
    }

    /// Waits until the generation may begin.
    fn wait(&self, generation: u64) {
        self.sleep_until(|state| state.may_enter(generation));
    }

    fn sleep_until(&self, ready: impl Fn(&State) -> bool) {
        let mut state = self.lock();
        while !ready(&state) {
            state.sleepers += 1;
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            state.sleepers -= 1;
        }
    }

    /// A thread has left the real barrier; `clear` is called if it is the last one of its generation, before another
    /// generation can use the role.
    fn leave(&self, generation: u64, clear: impl FnOnce()) {
        let parity = generation as usize & 1;
        let mut state = self.lock();
        state.complete = state.complete.max(generation + 1);
        state.left[parity] += 1;
        if state.left[parity] == self.count {
            clear();
            state.left[parity] = 0;
            state.turn[parity] = generation + 2;
        }
        if state.sleepers > 0 {
            self.changed.notify_all();
        }
    }

    /// Threads that have arrived for a generation that is not complete: they wait, or are about to.
    fn waiting(&self) -> u64 {
        self.lock().tickets % self.count
    }

    /// Waits until every thread of a generation that was let go has made its sink event: as the real destruction does for
    /// its own part of leaving.
    fn wait_until_left(&self) {
        self.sleep_until(State::is_left);
    }
}

impl State {
    fn may_enter(&self, generation: u64) -> bool {
        self.complete >= generation && self.turn[generation as usize & 1] == generation
    }

    fn is_left(&self) -> bool {
        (self.complete.saturating_sub(2)..self.complete)
            .all(|generation| self.turn[generation as usize & 1] > generation)
    }
}

fn entity(barrier: *const pthread_barrier_t, generation: u64) -> Entity {
    let role = if generation.is_multiple_of(2) {
        Role::BarrierEven
    } else {
        Role::BarrierOdd
    };
    Entity::object(barrier as u64, role)
}

/// Whether other processes may use a barrier with these attributes.
///
/// # Safety
/// `attributes` is null or initialized.
unsafe fn is_shared(attributes: *const pthread_barrierattr_t) -> bool {
    let mut shared = 0;
    if !attributes.is_null() {
        // SAFETY: initialized attributes.
        unsafe { libc::pthread_barrierattr_getpshared(attributes, &mut shared) };
    }
    shared != libc::PTHREAD_PROCESS_PRIVATE
}

/// Inside the runtime.
fn on_a_stack(barrier: *const pthread_barrier_t) -> bool {
    runtime().threads.stack_owner(barrier as usize).is_some()
}

/// Before the end of a barrier by a destruction or another initialization (`verb`). Gives its generations.
fn ending(caller: Caller, barrier: *const pthread_barrier_t, verb: &str) -> Option<Arc<Rounds>> {
    let mut scope = enter(caller)?;
    let rounds = sync_objects::rounds(barrier as u64)?;
    match rounds.waiting() {
        0 => {}
        waiting => misuse::barrier::ending(&mut scope, barrier, verb, waiting),
    }
    Some(rounds)
}

interceptors! {
    fn pthread_barrier_init(
        barrier: *mut pthread_barrier_t,
        attributes: *const pthread_barrierattr_t,
        count: c_uint,
    ) -> c_int {
        let caller = caller!();
        // What a stack holds is not known to be the same barrier still.
        if enter(caller).is_some_and(|_| !on_a_stack(barrier)) {
            ending(caller, barrier, "Initialization");
        }
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(pthread_barrier_init)(barrier, attributes, count) };
        if result == 0 {
            // SAFETY: it has just been initialized.
            unsafe { misuse::barrier::initialized(barrier) };
            let mut scope = enter(caller);
            if let Some(scope) = &mut scope {
                sync_objects::created(scope, barrier as u64, Kind::Barrier);
                sync_objects::changes(scope, barrier as u64, size_of::<pthread_barrier_t>());
            }
            // SAFETY: the real call has accepted the attributes.
            let rounds = (!unsafe { is_shared(attributes) }).then(|| Arc::new(Rounds::new(count.into())));
            sync_objects::set_rounds(barrier as u64, rounds);
        }
        result
    }

    fn pthread_barrier_destroy(barrier: *mut pthread_barrier_t) -> c_int {
        let caller = caller!();
        // SAFETY: what the program destroys is initialized, or was.
        unsafe { misuse::barrier::using(caller, barrier, "Destruction") };
        if let Some(rounds) = ending(caller, barrier, "Destruction") {
            rounds.wait_until_left();
        }
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(pthread_barrier_destroy)(barrier) };
        if result == 0 && let Some(mut scope) = enter(caller) {
            sync_objects::changes(&mut scope, barrier as u64, size_of::<pthread_barrier_t>());
            sync_objects::forgotten(&mut scope, barrier as u64, Kind::Barrier);
            // SAFETY: the memory is the barrier's until this returns.
            unsafe { misuse::barrier::destroyed(&mut scope, barrier) };
        }
        result
    }

    fn pthread_barrier_wait(barrier: *mut pthread_barrier_t) -> c_int {
        let caller = caller!();
        // SAFETY: the program waits at one that is initialized, or was.
        unsafe { misuse::barrier::using(caller, barrier, "Wait") };
        sync_objects::using(caller, barrier as u64, Kind::Barrier);
        let mut scope = enter(caller);
        let rounds = sync_objects::rounds(barrier as u64);
        // A thread whose events are not observed takes part like any other.
        let (generation, wait) = rounds.as_ref().map_or((0, false), |rounds| rounds.ticket());
        if let Some(rounds) = &rounds
            && wait
        {
            drop(scope);
            rounds.wait(generation);
            scope = enter(caller);
        }
        let object = entity(barrier, generation);
        if let Some(mut scope) = scope {
            scope.sync_private(Effect::RELEASE, object);
        }
        // SAFETY: the program's call, unchanged.
        let result = unsafe { real!(pthread_barrier_wait)(barrier) };
        let mut scope = enter(caller);
        if let Some(scope) = &mut scope {
            scope.sync_private(Effect::ACQUIRE, object);
        }
        if let Some(rounds) = rounds {
            rounds.leave(generation, || {
                if let Some(scope) = &mut scope {
                    scope.sync_private(Effect::CLEAR, object);
                }
            });
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn as_many_threads_as_the_count_never_wait() {
        let rounds = Rounds::new(2);
        for generation in 0..5 {
            assert_eq!(rounds.ticket(), (generation, false));
            assert_eq!(rounds.ticket(), (generation, false));
            let mut cleared = 0;
            rounds.leave(generation, || cleared += 1);
            assert_eq!(cleared, 0);
            // The first one to leave is already back while the other has not left.
            if generation < 4 {
                assert!(rounds.lock().may_enter(generation + 1));
                assert!(!rounds.lock().may_enter(generation + 2));
            }
            rounds.leave(generation, || cleared += 1);
            assert_eq!(cleared, 1);
        }
    }

    #[test]
    fn a_generation_waits_for_the_one_before_and_for_its_role() {
        let rounds = Rounds::new(2);
        assert_eq!(
            [0; 6].map(|_| rounds.ticket()),
            [
                (0, false),
                (0, false),
                (1, true),
                (1, true),
                (2, true),
                (2, true)
            ]
        );
        rounds.leave(0, || unreachable!());
        assert!(rounds.lock().may_enter(1), "generation 0 was let go");
        rounds.leave(1, || unreachable!());
        assert!(
            !rounds.lock().may_enter(2),
            "a thread of generation 0 still needs the role"
        );
        assert!(!rounds.lock().is_left());
        rounds.leave(0, || ());
        assert!(rounds.lock().may_enter(2));
        rounds.leave(1, || ());
        assert!(rounds.lock().is_left());
    }

    /// The tickets of the threads that meet in a real barrier are those of one generation, with three times as many threads
    /// as the count.
    #[test]
    fn real_rounds_are_our_generations() {
        const COUNT: u64 = 2;
        let rounds = Rounds::new(COUNT);
        let barrier = std::sync::Barrier::new(COUNT as usize);
        let arrivals = AtomicU64::new(0);
        let inside = [const { AtomicU64::new(0) }; 2];
        std::thread::scope(|scope| {
            for _ in 0..3 * COUNT {
                scope.spawn(|| {
                    while arrivals.fetch_add(1, Ordering::SeqCst) < 300 * COUNT {
                        let (generation, wait) = rounds.ticket();
                        if wait {
                            rounds.wait(generation);
                        }
                        let arrived = &inside[generation as usize & 1];
                        arrived.fetch_add(1, Ordering::SeqCst);
                        barrier.wait();
                        assert_eq!(arrived.load(Ordering::SeqCst), COUNT);
                        rounds.leave(generation, || arrived.store(0, Ordering::SeqCst));
                    }
                });
            }
        });
        rounds.wait_until_left();
    }
}
