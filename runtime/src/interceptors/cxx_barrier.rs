//! `std::barrier` of libc++: the part of it that counts arrivals is code of the library, which is not instrumented. It is done here.
//!
//! Whoever arrives last comes after all the others and runs the completion; the compiled part of the barrier, which is
//! instrumented, tells those who wait by an atomic. Nobody arrives for the next phase before that, so one object will do for
//! all phases.

#![allow(non_snake_case)] // names of the C++ library

use core::sync::atomic::{AtomicIsize, Ordering};

use goldilocks_core::event::{Effect, Entity, Role};

use crate::caller::Caller;
use crate::pipeline::enter;
use crate::{caller, interceptors};

/// What the library calls `__barrier_algorithm_base`, and looks into nowhere else.
pub struct Arrivals {
    /// How many are to arrive in the present phase: a variable of the barrier, which changes between phases.
    expected: *const AtomicIsize,
    arrived: AtomicIsize,
}

fn sync(caller: Caller, effect: Effect, arrivals: *const Arrivals) {
    if let Some(mut scope) = enter(caller) {
        scope.orders(effect, Entity::object(arrivals as u64, Role::Object));
    }
}

interceptors! {
    // std::__construct_barrier_algorithm_base(ptrdiff_t&)
    fn _ZNSt3__134__construct_barrier_algorithm_baseERl(expected: *const AtomicIsize) -> *mut Arrivals {
        Box::into_raw(Box::new(Arrivals { expected, arrived: AtomicIsize::new(0) }))
    }

    // std::__arrive_barrier_algorithm_base(__barrier_algorithm_base*, unsigned char): whether this was the last one.
    fn _ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh(arrivals: *const Arrivals, _phase: u8) -> bool {
        let caller = caller!();
        sync(caller, Effect::RELEASE, arrivals);
        // SAFETY: made above, and the barrier that is arrived at is alive.
        let Arrivals { expected, arrived } = unsafe { &*arrivals };
        // Relaxed, and before the arrival: until then the phase cannot end.
        // SAFETY: as above.
        let expected = unsafe { (**expected).load(Ordering::Relaxed) };
        // Acquire and release: the last one comes after the others.
        let last = arrived.fetch_add(1, Ordering::AcqRel) + 1 == expected;
        if last {
            // Relaxed: told to others by the barrier's own release.
            arrived.store(0, Ordering::Relaxed);
            sync(caller, Effect::ACQUIRE, arrivals);
        }
        last
    }

    // std::__destroy_barrier_algorithm_base(__barrier_algorithm_base*)
    fn _ZNSt3__132__destroy_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseE(arrivals: *mut Arrivals) {
        let caller = caller!();
        if let Some(mut scope) = enter(caller) {
            scope.forget(Entity::object(arrivals as u64, Role::Object));
        }
        // SAFETY: made above; the barrier is being destroyed.
        drop(unsafe { Box::from_raw(arrivals) });
    }
}
