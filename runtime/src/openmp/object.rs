//! The sync objects that stand for OpenMP's constructs: numbers that are never used again, with what they are in the lowest bits.

use crate::pipeline::Scope;
use core::sync::atomic::{AtomicU64, Ordering};
use goldilocks_core::event::{Effect, Entity, Role};

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum What {
    RegionStart = 0,
    /// Barriers of a region, even and odd: one cannot be arrived at before the one before the last has been left by all.
    BarrierEven = 1,
    BarrierOdd = 2,
    Ordered = 3,
    TaskStart = 4,
    /// The completion of a task's children.
    Children = 5,
    Group = 6,
    /// The end of a task that its creator has waited for at once.
    TaskEnd = 7,
    /// A thread, for tasks that have asked which one they run on.
    Identity = 8,
    /// Dependences on one location: completed writers, readers, members of the two kinds of sets.
    Written = 9,
    Read = 10,
    Exclusive = 11,
    Set = 12,
    /// An iteration of a loop with `ordered(n)`.
    Iteration = 13,
    /// The private copies of a reduction for tasks, which one thread makes for all.
    Copies = 14,
}

const WHAT_BITS: u32 = 4;

/// A number for a construct, which may have one object of each kind.
pub fn number() -> u64 {
    numbers(1)
}

/// The first of `count` numbers in a row.
pub fn numbers(count: u64) -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    // Relaxed: only a number.
    NEXT.fetch_add(count, Ordering::Relaxed)
}

pub fn entity(number: u64, what: What) -> Entity {
    Entity::object(number << WHAT_BITS | what as u64, Role::OpenMp)
}

impl Scope {
    pub fn release_openmp(&mut self, number: u64, what: What) {
        self.sync(Effect::RELEASE, entity(number, what));
    }
    pub fn acquire_openmp(&mut self, number: u64, what: What) {
        self.sync(Effect::ACQUIRE, entity(number, what));
    }
    pub fn forget_openmp(&mut self, number: u64, what: What) {
        self.forget(entity(number, what));
    }
}

/// The construct that the object with this address in [`Role::OpenMp`] stands for, in words.
pub fn name(address: u64) -> &'static str {
    match address & ((1 << WHAT_BITS) - 1) {
        0 => "start of a parallel region",
        1 | 2 => "barrier",
        3 => "ordered region",
        4 => "creation of a task",
        5 => "completion of child tasks",
        6 => "completion of a taskgroup",
        7 => "end of a task",
        8 => "thread that runs tasks",
        13 => "iteration of an ordered loop",
        _ => "dependence of tasks",
    }
}
