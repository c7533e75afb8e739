//! What can happen next: the state of threads and sync objects, as far as it decides which events are possible.

use super::{Action, ObjectNumber, Serial, TraceEvent};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ThreadState {
    Running,
    AtBarrier(ObjectNumber, u64),
    Ended,
    Joined,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Object {
    Mutex {
        owner: Option<Serial>,
    },
    RwLock {
        writer: Option<Serial>,
        readers: BTreeSet<Serial>,
    },
    Semaphore {
        count: u64,
    },
    Atomic,
    Barrier(Barrier),
}

/// A barrier. The threads of a generation may still be leaving when the next one gathers, but not when the one after does:
/// those that leave and those that gather are told apart by the parity of the generation.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Barrier {
    parties: u64,
    /// The generation that gathers, and how many have arrived.
    gathering: u64,
    arrived: u64,
    /// By parity: threads that have arrived and not left.
    inside: [BTreeSet<Serial>; 2],
}

/// The state of an execution.
#[derive(Clone, Debug)]
pub struct World {
    threads: BTreeMap<Serial, ThreadState>,
    objects: BTreeMap<ObjectNumber, Object>,
}

impl Default for World {
    /// Thread 0 runs, and there is nothing else.
    fn default() -> World {
        World {
            threads: BTreeMap::from([(0, ThreadState::Running)]),
            objects: BTreeMap::new(),
        }
    }
}

fn require(condition: bool, reason: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(reason()) }
}

impl World {
    /// Threads that can do something other than leave a barrier.
    pub fn running(&self) -> impl Iterator<Item = Serial> {
        self.threads
            .iter()
            .filter(|(_, state)| **state == ThreadState::Running)
            .map(|(&thread, _)| thread)
    }
    /// Threads that have started and not ended.
    pub fn alive(&self) -> impl Iterator<Item = Serial> {
        let alive = |state| !matches!(state, ThreadState::Ended | ThreadState::Joined);
        self.threads
            .iter()
            .filter(move |(_, state)| alive(**state))
            .map(|(&thread, _)| thread)
    }
    /// Threads that can be joined.
    pub fn ended(&self) -> impl Iterator<Item = Serial> {
        self.threads
            .iter()
            .filter(|(_, state)| **state == ThreadState::Ended)
            .map(|(&thread, _)| thread)
    }
    /// The generation that gathers at a barrier, and how many have arrived; 0 and 0 before its first use.
    pub fn gathering(&self, barrier: ObjectNumber) -> (u64, u64) {
        match self.objects.get(&barrier) {
            Some(Object::Barrier(barrier)) => (barrier.gathering, barrier.arrived),
            _ => (0, 0),
        }
    }
    /// Departures that are possible now.
    pub fn departures(&self) -> impl Iterator<Item = TraceEvent> {
        self.threads
            .iter()
            .filter_map(|(&thread, state)| match *state {
                ThreadState::AtBarrier(barrier, generation)
                    if self.gathering(barrier).0 > generation =>
                {
                    Some(TraceEvent::new(
                        thread,
                        Action::Leave {
                            barrier,
                            generation,
                        },
                    ))
                }
                _ => None,
            })
    }

    /// Lets an event happen, or says why it cannot; then nothing has changed.
    pub fn step(&mut self, event: &TraceEvent) -> Result<(), String> {
        let new = event
            .action
            .object()
            .filter(|number| !self.objects.contains_key(number));
        let result = self.attempt(event);
        if let (Err(_), Some(number)) = (&result, new) {
            self.objects.remove(&number);
        }
        result
    }

    fn attempt(&mut self, event: &TraceEvent) -> Result<(), String> {
        let thread = event.thread;
        match self.threads.get(&thread) {
            Some(ThreadState::Running) => {}
            Some(ThreadState::AtBarrier(..)) if matches!(event.action, Action::Leave { .. }) => {}
            Some(ThreadState::AtBarrier(..)) => {
                return Err(format!("T{thread} waits at a barrier"));
            }
            Some(_) => return Err(format!("T{thread} has ended")),
            None => return Err(format!("T{thread} has not started")),
        }
        match event.action {
            Action::Access(..) | Action::Alloc(_) | Action::Free(_) | Action::Fence(_) => {}
            Action::Fork(child) => {
                require(!self.threads.contains_key(&child), || {
                    format!("T{child} was started before")
                })?;
                self.threads.insert(child, ThreadState::Running);
            }
            Action::End => {
                require(!self.holds_anything(thread), || {
                    format!("T{thread} holds a lock")
                })?;
                self.threads.insert(thread, ThreadState::Ended);
            }
            Action::Join(child) => {
                let ended = self.threads.get(&child) == Some(&ThreadState::Ended);
                require(ended, || format!("T{child} cannot be joined"))?;
                self.threads.insert(child, ThreadState::Joined);
            }
            Action::Lock(_) | Action::Unlock(_) => self.mutex(thread, event.action)?,
            Action::ReadLock(_)
            | Action::ReadUnlock(_)
            | Action::WriteLock(_)
            | Action::WriteUnlock(_) => self.rwlock(thread, event.action)?,
            Action::Post(number) | Action::Wait(number) => {
                let object = self
                    .objects
                    .entry(number)
                    .or_insert(Object::Semaphore { count: 0 });
                let Object::Semaphore { count } = object else {
                    return Err(wrong_kind(number, "semaphore"));
                };
                if let Action::Wait(_) = event.action {
                    require(*count > 0, || {
                        format!("semaphore {number} has not been posted")
                    })?;
                    *count -= 1;
                } else {
                    *count += 1;
                }
            }
            Action::Atomic(number, _) => {
                let object = self.objects.entry(number).or_insert(Object::Atomic);
                require(*object == Object::Atomic, || wrong_kind(number, "atomic"))?;
            }
            Action::Enter {
                barrier,
                generation,
                parties,
            } => self.enter(thread, barrier, generation, parties)?,
            Action::Leave {
                barrier,
                generation,
            } => self.leave(thread, barrier, generation)?,
            Action::Destroy(number) => {
                let idle = match self.objects.get(&number) {
                    None => return Err(format!("there is no object {number}")),
                    Some(Object::Mutex { owner }) => owner.is_none(),
                    Some(Object::RwLock { writer, readers }) => {
                        writer.is_none() && readers.is_empty()
                    }
                    Some(Object::Barrier(barrier)) => barrier.inside.iter().all(BTreeSet::is_empty),
                    Some(Object::Semaphore { .. } | Object::Atomic) => true,
                };
                require(idle, || format!("object {number} is in use"))?;
                self.objects.remove(&number);
            }
        }
        Ok(())
    }

    fn holds_anything(&self, thread: Serial) -> bool {
        self.objects.values().any(|object| match object {
            Object::Mutex { owner } => *owner == Some(thread),
            Object::RwLock { writer, readers } => {
                *writer == Some(thread) || readers.contains(&thread)
            }
            _ => false,
        })
    }

    fn mutex(&mut self, thread: Serial, action: Action) -> Result<(), String> {
        let (Action::Lock(number) | Action::Unlock(number)) = action else {
            unreachable!("called for mutexes")
        };
        let object = self
            .objects
            .entry(number)
            .or_insert(Object::Mutex { owner: None });
        let Object::Mutex { owner } = object else {
            return Err(wrong_kind(number, "mutex"));
        };
        if let Action::Lock(_) = action {
            require(owner.is_none(), || format!("mutex {number} is held"))?;
            *owner = Some(thread);
        } else {
            require(*owner == Some(thread), || {
                format!("T{thread} does not hold mutex {number}")
            })?;
            *owner = None;
        }
        Ok(())
    }

    fn rwlock(&mut self, thread: Serial, action: Action) -> Result<(), String> {
        let (Action::ReadLock(number)
        | Action::ReadUnlock(number)
        | Action::WriteLock(number)
        | Action::WriteUnlock(number)) = action
        else {
            unreachable!("called for readers-writer locks")
        };
        let fresh = || Object::RwLock {
            writer: None,
            readers: BTreeSet::new(),
        };
        let object = self.objects.entry(number).or_insert_with(fresh);
        let Object::RwLock { writer, readers } = object else {
            return Err(wrong_kind(number, "rwlock"));
        };
        match action {
            Action::ReadLock(_) => {
                require(writer.is_none(), || format!("rwlock {number} has a writer"))?;
                require(readers.insert(thread), || {
                    format!("T{thread} reads rwlock {number} already")
                })?;
            }
            Action::ReadUnlock(_) => {
                require(readers.remove(&thread), || {
                    format!("T{thread} does not read rwlock {number}")
                })?;
            }
            Action::WriteLock(_) => {
                require(writer.is_none() && readers.is_empty(), || {
                    format!("rwlock {number} is held")
                })?;
                *writer = Some(thread);
            }
            _ => {
                require(*writer == Some(thread), || {
                    format!("T{thread} does not write rwlock {number}")
                })?;
                *writer = None;
            }
        }
        Ok(())
    }

    fn enter(
        &mut self,
        thread: Serial,
        number: u64,
        generation: u64,
        parties: u64,
    ) -> Result<(), String> {
        require(parties > 0, || "a barrier needs a party".into())?;
        let fresh = || {
            let inside = [BTreeSet::new(), BTreeSet::new()];
            Object::Barrier(Barrier {
                parties,
                gathering: 0,
                arrived: 0,
                inside,
            })
        };
        let object = self.objects.entry(number).or_insert_with(fresh);
        let Object::Barrier(barrier) = object else {
            return Err(wrong_kind(number, "barrier"));
        };
        require(barrier.parties == parties, || {
            format!("barrier {number} is of {} parties", barrier.parties)
        })?;
        let gathering = barrier.gathering;
        require(gathering == generation, || {
            format!("barrier {number} gathers generation {gathering}")
        })?;
        let inside = &mut barrier.inside[(generation % 2) as usize];
        require(barrier.arrived > 0 || inside.is_empty(), || {
            format!(
                "generation {} has not left barrier {number}",
                generation.wrapping_sub(2)
            )
        })?;
        inside.insert(thread);
        barrier.arrived += 1;
        if barrier.arrived == parties {
            barrier.arrived = 0;
            barrier.gathering += 1;
        }
        self.threads
            .insert(thread, ThreadState::AtBarrier(number, generation));
        Ok(())
    }

    fn leave(&mut self, thread: Serial, number: u64, generation: u64) -> Result<(), String> {
        let waits = self.threads.get(&thread) == Some(&ThreadState::AtBarrier(number, generation));
        require(waits, || {
            format!("T{thread} is not in generation {generation} of barrier {number}")
        })?;
        let Some(Object::Barrier(barrier)) = self.objects.get_mut(&number) else {
            return Err(wrong_kind(number, "barrier"));
        };
        let complete = barrier.gathering > generation;
        require(complete, || {
            format!("generation {generation} of barrier {number} is not complete")
        })?;
        barrier.inside[(generation % 2) as usize].remove(&thread);
        self.threads.insert(thread, ThreadState::Running);
        Ok(())
    }
}

fn wrong_kind(number: ObjectNumber, kind: &str) -> String {
    format!("object {number} is no {kind}")
}

#[cfg(test)]
mod tests {
    use crate::trace::Trace;

    fn verdict(text: &str) -> Result<(), (usize, String)> {
        let trace: Trace = text.parse().unwrap();
        trace
            .check()
            .map_err(|impossible| (impossible.event, impossible.reason))
    }

    #[test]
    fn what_can_happen_passes() {
        let text = "T0 fork T1\nT0 fork T2\nT0 lock 1\nT0 unlock 1\nT0 destroy 1\nT0 post 1\nT1 wait 1\n\
            T1 rdlock 2\nT2 rdlock 2\nT1 rdunlock 2\nT2 rdunlock 2\nT0 wrlock 2\nT0 wrunlock 2\n\
            T1 enter 3 0 2\nT2 enter 3 0 2\nT2 leave 3 0\nT2 enter 3 1 2\nT1 leave 3 0\nT1 enter 3 1 2\nT1 leave 3 1\n\
            T1 end\nT0 join T1\nT2 leave 3 1\nT2 end";
        assert_eq!(verdict(text), Ok(()));
    }

    #[test]
    fn what_cannot_happen_is_told() {
        for (text, event, reason) in [
            ("T1 lock 1", 0, "T1 has not started"),
            ("T0 fork T1\nT0 fork T1", 1, "T1 was started before"),
            ("T0 end\nT0 lock 1", 1, "T0 has ended"),
            ("T0 lock 1\nT0 end", 1, "T0 holds a lock"),
            ("T0 fork T1\nT0 join T1", 1, "T1 cannot be joined"),
            ("T0 fork T1\nT0 lock 1\nT1 lock 1", 2, "mutex 1 is held"),
            (
                "T0 fork T1\nT0 lock 1\nT1 unlock 1",
                2,
                "T1 does not hold mutex 1",
            ),
            (
                "T0 lock 1\nT0 unlock 1\nT0 load 1 acquire",
                2,
                "object 1 is no atomic",
            ),
            ("T0 lock 1\nT0 destroy 1", 1, "object 1 is in use"),
            ("T0 wait 1", 0, "semaphore 1 has not been posted"),
            ("T0 rdlock 1\nT0 wrlock 1", 1, "rwlock 1 is held"),
            ("T0 enter 1 0 2\nT0 read 0x10 1", 1, "T0 waits at a barrier"),
            (
                "T0 enter 1 0 2\nT0 leave 1 0",
                1,
                "generation 0 of barrier 1 is not complete",
            ),
            ("T0 enter 1 1 2", 0, "barrier 1 gathers generation 0"),
        ] {
            assert_eq!(verdict(text), Err((event, reason.to_string())), "{text}");
        }
    }
}
