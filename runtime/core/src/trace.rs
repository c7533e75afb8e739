//! Executions as data: what happened in which order, written by hand, made at random or recorded.
//!
//! The text form has one event a line, `#` starts a comment. An exclamation mark after an access says that it races, which
//! makes a trace a regression test:
//!
//! ```text
//! T0 fork T1
//! T0 lock 1
//! T0 write 0x1000 8
//! T0 unlock 1
//! T1 read 0x1004 2 !
//! ```
//!
//! Threads are numbered, never reused; T0 runs from the start. Sync objects are numbered; what an object is follows from its
//! first use and stays so until `destroy`. Sizes are in bytes.

mod text;
mod well_formed;

pub use text::SyntaxError;
pub use well_formed::World;

use crate::abi::{AtomicKind, AtomicOp, Order};
use crate::event::Access;

/// A thread of a trace.
pub type Serial = u32;

/// A sync object of a trace.
pub type ObjectNumber = u64;

/// Bytes `addr..addr + bytes`, at least one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub addr: u64,
    pub bytes: u64,
}

impl Range {
    pub fn iter(self) -> impl Iterator<Item = u64> {
        self.addr..self.addr + self.bytes
    }
    pub fn contains(self, byte: u64) -> bool {
        (self.addr..self.addr + self.bytes).contains(&byte)
    }
}

/// What a thread does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Access(Access, Range),
    /// The bytes have no past from here on.
    Alloc(Range),
    /// A write to every byte, and the end of the block.
    Free(Range),
    /// Mutexes.
    Lock(ObjectNumber),
    Unlock(ObjectNumber),
    /// Readers-writer locks.
    ReadLock(ObjectNumber),
    ReadUnlock(ObjectNumber),
    WriteLock(ObjectNumber),
    WriteUnlock(ObjectNumber),
    /// Semaphores.
    Post(ObjectNumber),
    Wait(ObjectNumber),
    /// A barrier of `parties` threads: arrival at its generation `generation`, counted from 0, and departure.
    Enter {
        barrier: ObjectNumber,
        generation: u64,
        parties: u64,
    },
    Leave {
        barrier: ObjectNumber,
        generation: u64,
    },
    /// The synchronization of an atomic instruction. Its access to memory is an event of its own.
    Atomic(ObjectNumber, Atomic),
    Fence(Order),
    Fork(Serial),
    /// The last event of a thread.
    End,
    Join(Serial),
    /// The object with this number is no more; the next use of the number is another object.
    Destroy(ObjectNumber),
}

/// An atomic instruction, with the outcome where there are two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atomic {
    Load(Order),
    Store(Order),
    ReadModifyWrite(Order),
    CompareExchange {
        success: Order,
        failure: Order,
        succeeded: bool,
    },
}

impl Atomic {
    /// Order of the part that reads, if there is one.
    pub fn reads(self) -> Option<Order> {
        match self {
            Atomic::Store(_) => None,
            Atomic::CompareExchange {
                failure,
                succeeded: false,
                ..
            } => Some(failure),
            Atomic::Load(order) | Atomic::ReadModifyWrite(order) => Some(order),
            Atomic::CompareExchange { success, .. } => Some(success),
        }
    }
    /// Order of the part that writes, if there is one.
    pub fn writes(self) -> Option<Order> {
        match self {
            Atomic::Load(_)
            | Atomic::CompareExchange {
                succeeded: false, ..
            } => None,
            Atomic::Store(order) | Atomic::ReadModifyWrite(order) => Some(order),
            Atomic::CompareExchange { success, .. } => Some(success),
        }
    }
    /// The instruction as the hooks describe it (of 8 bytes), and whether it succeeded.
    pub fn operation(self) -> (AtomicOp, bool) {
        let (kind, order, failure, success) = match self {
            Atomic::Load(order) => (AtomicKind::Load, order, Order::Relaxed, true),
            Atomic::Store(order) => (AtomicKind::Store, order, Order::Relaxed, true),
            Atomic::ReadModifyWrite(order) => {
                (AtomicKind::ReadModifyWrite, order, Order::Relaxed, true)
            }
            Atomic::CompareExchange {
                success,
                failure,
                succeeded,
            } => (AtomicKind::CompareExchange, success, failure, succeeded),
        };
        (
            AtomicOp {
                kind,
                size: 8,
                order,
                failure,
            },
            success,
        )
    }
}

impl Action {
    /// The sync object that the event is about.
    pub fn object(self) -> Option<ObjectNumber> {
        use Action::*;
        match self {
            Lock(object)
            | Unlock(object)
            | ReadLock(object)
            | ReadUnlock(object)
            | WriteLock(object)
            | WriteUnlock(object)
            | Post(object)
            | Wait(object)
            | Atomic(object, _)
            | Destroy(object)
            | Enter {
                barrier: object, ..
            }
            | Leave {
                barrier: object, ..
            } => Some(object),
            Access(..) | Alloc(_) | Free(_) | Fence(_) | Fork(_) | End | Join(_) => None,
        }
    }
    /// Kind and bytes of an access. A free counts as the write that it is.
    pub fn access(self) -> Option<(Access, Range)> {
        match self {
            Action::Access(access, range) => Some((access, range)),
            Action::Free(range) => Some((Access::Write, range)),
            _ => None,
        }
    }
}

/// A step of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceEvent {
    pub thread: Serial,
    pub action: Action,
    /// What the author of the trace expects: this access races with an earlier one.
    pub races: bool,
}

impl TraceEvent {
    pub fn new(thread: Serial, action: Action) -> TraceEvent {
        TraceEvent {
            thread,
            action,
            races: false,
        }
    }
}

/// An execution.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Trace(pub Vec<TraceEvent>);

/// The first event of a trace that could not have happened, counted from 0, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Impossible {
    pub event: usize,
    pub reason: String,
}

impl Trace {
    /// Whether every event could have happened: locks are free when taken, threads run, and so on.
    pub fn check(&self) -> Result<(), Impossible> {
        let mut world = World::default();
        for (event, step) in self.0.iter().enumerate() {
            world
                .step(step)
                .map_err(|reason| Impossible { event, reason })?;
        }
        Ok(())
    }
}
