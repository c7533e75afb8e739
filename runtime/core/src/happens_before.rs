//! Happens-before by its definition: a graph over the events of a trace, and reachability in it.
//!
//! Nothing here knows of Goldilocksets, and nothing is forgotten. An edge is put in because a definition says so: program
//! order; C++20 [atomics.order] and [atomics.fences] for atomics and fences, with the release sequences of [intro.races];
//! POSIX for the rest. Two accesses race when neither reaches the other.

use crate::abi::Order;
use crate::event::Access;
use crate::trace::{Action, ObjectNumber, Range, Serial, TraceEvent};
use std::collections::HashMap;

/// Index of an event in its trace.
pub type Index = usize;

/// A byte at which an access races with earlier ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RacingByte {
    pub byte: u64,
    /// All earlier accesses since the byte was last fresh that conflict with this one and do not happen before it.
    pub earlier: Vec<Index>,
}

/// The graph of the events so far.
#[derive(Clone, Default)]
pub struct HappensBefore {
    events: Vec<TraceEvent>,
    /// For each event, as a bit set, the events that happen before it.
    before: Vec<Vec<u64>>,
    last_of: HashMap<Serial, Index>,
    /// By thread, the fork or join edge into its next event.
    forked_by: HashMap<Serial, Index>,
    /// The events on each object since it came into being.
    object_events: HashMap<ObjectNumber, Vec<Index>>,
    /// For each atomic load or read-modify-write, the write whose value it read.
    reads_from: HashMap<Index, Index>,
    /// For each atomic read-modify-write, store: the event before it in modification order, if it is a read-modify-write.
    continues: HashMap<Index, Option<Index>>,
    /// Per byte, all accesses since it was last fresh.
    accesses: HashMap<u64, Vec<Index>>,
}

impl HappensBefore {
    /// The races of an event if it came next.
    pub fn races(&self, event: &TraceEvent) -> Vec<RacingByte> {
        let Some((access, range)) = event.action.access() else {
            return Vec::new();
        };
        let before = self.closure(&self.program_order(event.thread));
        let racing = |byte: u64| {
            let all = self.accesses.get(&byte).into_iter().flatten().copied();
            let earlier: Vec<Index> = all
                .filter(|&index| {
                    let other = &self.events[index];
                    let (kind, _) = other.action.access().expect("only accesses are listed");
                    conflict(kind, access)
                        && other.thread != event.thread
                        && !contains(&before, index)
                })
                .collect();
            (!earlier.is_empty()).then_some(RacingByte { byte, earlier })
        };
        range.iter().filter_map(racing).collect()
    }

    /// Appends an event; the result is its races.
    pub fn step(&mut self, event: &TraceEvent) -> Vec<RacingByte> {
        let races = self.races(event);
        let index = self.events.len();
        let mut sources = self.program_order(event.thread);
        self.synchronizes_with(event, index, &mut sources);
        self.before.push(self.closure(&sources));
        self.events.push(*event);
        self.last_of.insert(event.thread, index);
        if let Some(object) = event.action.object() {
            self.object_events.entry(object).or_default().push(index);
        }
        match event.action {
            Action::Fork(child) => {
                self.forked_by.insert(child, index);
            }
            Action::Destroy(object) => {
                self.object_events.remove(&object);
            }
            Action::Alloc(range) => {
                for byte in range.iter() {
                    self.accesses.remove(&byte);
                }
            }
            _ => {}
        }
        if let Some((_, range)) = event.action.access() {
            self.record(range, index);
        }
        races
    }

    /// Whether event `a` happens before event `b`.
    pub fn ordered(&self, a: Index, b: Index) -> bool {
        contains(&self.before[b], a)
    }

    fn record(&mut self, range: Range, index: Index) {
        for byte in range.iter() {
            self.accesses.entry(byte).or_default().push(index);
        }
    }

    /// The event that precedes the next one of `thread` in program order, or its fork.
    fn program_order(&self, thread: Serial) -> Vec<Index> {
        self.last_of
            .get(&thread)
            .or_else(|| self.forked_by.get(&thread))
            .copied()
            .into_iter()
            .collect()
    }

    /// `sources` and everything before them.
    fn closure(&self, sources: &[Index]) -> Vec<u64> {
        let mut set = vec![0; self.events.len() / 64 + 1];
        for &source in sources {
            set[source / 64] |= 1 << (source % 64);
            for (mine, theirs) in set.iter_mut().zip(&self.before[source]) {
                *mine |= theirs;
            }
        }
        set
    }

    /// Earlier events on the object that `pick` accepts.
    fn earlier(
        &self,
        object: ObjectNumber,
        pick: impl Fn(Action) -> bool,
    ) -> impl Iterator<Item = Index> {
        let all = self
            .object_events
            .get(&object)
            .into_iter()
            .flatten()
            .copied();
        all.filter(move |&index| pick(self.events[index].action))
    }

    /// The events that synchronize with `event`.
    fn synchronizes_with(&mut self, event: &TraceEvent, index: Index, sources: &mut Vec<Index>) {
        match event.action {
            Action::Join(child) => sources.extend(self.last_of.get(&child)),
            Action::Lock(m) => sources.extend(self.earlier(m, |a| matches!(a, Action::Unlock(_)))),
            Action::ReadLock(m) => {
                sources.extend(self.earlier(m, |a| matches!(a, Action::WriteUnlock(_))))
            }
            Action::WriteLock(m) => sources.extend(self.earlier(m, |a| {
                matches!(a, Action::WriteUnlock(_) | Action::ReadUnlock(_))
            })),
            Action::Wait(m) => sources.extend(self.earlier(m, |a| matches!(a, Action::Post(_)))),
            Action::Leave {
                barrier,
                generation,
            } => sources.extend(self.earlier(
                barrier,
                |a| matches!(a, Action::Enter { generation: entered, .. } if entered == generation),
            )),
            Action::Atomic(object, atomic) => {
                let last_write = self
                    .earlier(
                        object,
                        |a| matches!(a, Action::Atomic(_, other) if other.writes().is_some()),
                    )
                    .last();
                if let Some(order) = atomic.reads()
                    && let Some(write) = last_write
                {
                    self.reads_from.insert(index, write);
                    if acquires(order) {
                        sources.extend(self.released_by(write));
                    }
                }
                if atomic.writes().is_some() {
                    self.continues
                        .insert(index, last_write.filter(|_| atomic.reads().is_some()));
                }
            }
            Action::Fence(order) if acquires(order) => {
                // [atomics.fences]: an acquire fence after X in program order, where X reads what a release sequence wrote.
                for (&read, &write) in &self.reads_from {
                    if self.events[read].thread == event.thread {
                        sources.extend(self.released_by(write));
                    }
                }
            }
            _ => {}
        }
    }

    /// What synchronizes with an acquire that reads the value of `write`: the heads of the release sequences that `write`
    /// belongs to, where they release, and the release fences before the heads of real and hypothetical ones.
    fn released_by(&self, write: Index) -> Vec<Index> {
        let mut sources = Vec::new();
        let mut head = Some(write);
        while let Some(index) = head {
            let event = &self.events[index];
            let Action::Atomic(_, atomic) = event.action else {
                unreachable!("only atomics write values")
            };
            if atomic.writes().is_some_and(releases) {
                sources.push(index);
            }
            let fences = self.events[..index]
                .iter()
                .enumerate()
                .filter(|(_, other)| {
                    other.thread == event.thread
                        && matches!(other.action, Action::Fence(order) if releases(order))
                });
            sources.extend(fences.map(|(fence, _)| fence));
            head = self.continues[&index];
        }
        sources
    }
}

fn contains(set: &[u64], index: Index) -> bool {
    set.get(index / 64)
        .is_some_and(|word| word >> (index % 64) & 1 != 0)
}

fn conflict(a: Access, b: Access) -> bool {
    use Access::*;
    match (a, b) {
        (Read | AtomicRead, Read | AtomicRead) => false,
        (AtomicRead | AtomicWrite, AtomicRead | AtomicWrite) => false,
        (Write, _) | (_, Write) | (Read, AtomicWrite) | (AtomicWrite, Read) => true,
    }
}

fn acquires(order: Order) -> bool {
    matches!(order, Order::Acquire | Order::AcqRel | Order::SeqCst)
}

fn releases(order: Order) -> bool {
    matches!(order, Order::Release | Order::AcqRel | Order::SeqCst)
}
