//! The rules, applied eagerly: what the lazy engine must agree with.
//!
//! Every remembered access has its Goldilockset as a set, and every sync event changes every set at once, as the table in
//! `docs/model.md` says. Slow, and shares nothing with the engine but the vocabulary of traces.

use crate::abi::Order;
use crate::event::Access;
use crate::trace::{Action, Atomic, ObjectNumber, Serial, TraceEvent};
use std::collections::BTreeSet;

/// An element of a Goldilockset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Element {
    Thread(Serial),
    /// A mutex, semaphore or atomic, or what the writers of a readers-writer lock have released.
    Object(ObjectNumber),
    /// What its readers have released.
    Readers(ObjectNumber),
    Generation(ObjectNumber, u64),
    /// F_t
    ReleaseFence(Serial),
    /// A_t
    AcquireFence(Serial),
}
use Element::*;

/// An access that a later one may race with.
struct Remembered {
    thread: Serial,
    access: Access,
    /// Those of its bytes that no later access stands for.
    bytes: BTreeSet<u64>,
    goldilockset: Vec<Element>,
}

impl Remembered {
    fn holds(&self, element: Element) -> bool {
        self.goldilockset.contains(&element)
    }
    /// `from` ∈ GLS ⇒ add `to`.
    fn add(&mut self, from: Element, to: Element) {
        if self.holds(from) && !self.holds(to) {
            self.goldilockset.push(to);
        }
    }
    fn remove(&mut self, element: Element) {
        self.goldilockset.retain(|&other| other != element);
    }
}

/// The state of the rules.
#[derive(Default)]
pub struct Oracle {
    accesses: Vec<Remembered>,
}

impl Oracle {
    /// Applies one event; the result is the bytes at which it races with an earlier access.
    pub fn step(&mut self, event: &TraceEvent) -> BTreeSet<u64> {
        let mut races = BTreeSet::new();
        let t = event.thread;
        if let Some((access, range)) = event.action.access() {
            for earlier in &self.accesses {
                if earlier.access.conflicts(access) && !earlier.holds(Thread(t)) {
                    races.extend(earlier.bytes.iter().filter(|&&byte| range.contains(byte)));
                }
            }
            // A write stands for everything before it, another access for the thread's own of the same kind.
            self.forget(range, |earlier| {
                access == Access::Write || (earlier.thread == t && earlier.access == access)
            });
            let goldilockset = vec![Thread(t)];
            self.accesses.push(Remembered {
                thread: t,
                access,
                bytes: range.iter().collect(),
                goldilockset,
            });
        } else if let Action::Alloc(range) = event.action {
            self.forget(range, |_| true);
        } else {
            self.accesses
                .iter_mut()
                .for_each(|access| apply(access, t, event.action));
        }
        races
    }

    fn forget(&mut self, range: crate::trace::Range, which: impl Fn(&Remembered) -> bool) {
        for access in self.accesses.iter_mut().filter(|access| which(access)) {
            access.bytes.retain(|&byte| !range.contains(byte));
        }
        self.accesses.retain(|access| !access.bytes.is_empty());
    }
}

/// The rule of a sync event of thread `t` on one Goldilockset.
fn apply(gls: &mut Remembered, t: Serial, action: Action) {
    match action {
        Action::Lock(m) | Action::Wait(m) | Action::ReadLock(m) => gls.add(Object(m), Thread(t)),
        Action::Unlock(m) | Action::Post(m) | Action::WriteUnlock(m) => {
            gls.add(Thread(t), Object(m))
        }
        Action::ReadUnlock(m) => gls.add(Thread(t), Readers(m)),
        Action::WriteLock(m) => {
            gls.add(Object(m), Thread(t));
            gls.add(Readers(m), Thread(t));
        }
        Action::Enter {
            barrier,
            generation,
            ..
        } => gls.add(Thread(t), Generation(barrier, generation)),
        Action::Leave {
            barrier,
            generation,
        } => gls.add(Generation(barrier, generation), Thread(t)),
        Action::Fork(u) => gls.add(Thread(t), Thread(u)),
        Action::Join(u) => gls.add(Thread(u), Thread(t)),
        Action::Atomic(a, atomic) => apply_atomic(gls, t, a, atomic),
        Action::Fence(order) => {
            if acquires(order) {
                gls.add(AcquireFence(t), Thread(t));
            }
            if releases(order) {
                gls.remove(ReleaseFence(t));
                gls.add(Thread(t), ReleaseFence(t));
            }
        }
        Action::Destroy(object) => gls.goldilockset.retain(|element| match *element {
            Object(o) | Readers(o) | Generation(o, _) => o != object,
            Thread(_) | ReleaseFence(_) | AcquireFence(_) => true,
        }),
        Action::End | Action::Access(..) | Action::Alloc(_) | Action::Free(_) => {}
    }
}

fn apply_atomic(gls: &mut Remembered, t: Serial, a: ObjectNumber, atomic: Atomic) {
    match atomic {
        Atomic::Load(order) => atomic_read(gls, t, a, order),
        Atomic::CompareExchange {
            failure,
            succeeded: false,
            ..
        } => atomic_read(gls, t, a, failure),
        Atomic::Store(order) => {
            gls.remove(Object(a));
            atomic_write(gls, t, a, order);
        }
        Atomic::ReadModifyWrite(order) | Atomic::CompareExchange { success: order, .. } => {
            atomic_read(gls, t, a, order);
            atomic_write(gls, t, a, order);
        }
    }
}

fn atomic_read(gls: &mut Remembered, t: Serial, a: ObjectNumber, order: Order) {
    gls.add(
        Object(a),
        if acquires(order) {
            Thread(t)
        } else {
            AcquireFence(t)
        },
    );
}

fn atomic_write(gls: &mut Remembered, t: Serial, a: ObjectNumber, order: Order) {
    gls.add(
        if releases(order) {
            Thread(t)
        } else {
            ReleaseFence(t)
        },
        Object(a),
    );
}

fn acquires(order: Order) -> bool {
    matches!(order, Order::Acquire | Order::AcqRel | Order::SeqCst)
}

fn releases(order: Order) -> bool {
    matches!(order, Order::Release | Order::AcqRel | Order::SeqCst)
}
