//! Random executions that could have happened.
//!
//! Races are rationed: if most accesses raced, every byte would be out of the game after a few events, and the long chains
//! of synchronization that are worth testing would decide nothing. So the definition of happens-before is asked first, and
//! most bytes that have raced become fresh again.

use goldilocks_core::abi::Order;
use goldilocks_core::event::Access;
use goldilocks_core::happens_before::HappensBefore;
use goldilocks_core::trace::{Action, Atomic, Range, Serial, Trace, TraceEvent, World};

/// Where the generator's decisions come from.
pub trait Choices {
    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: u64) -> u64;
    /// False when there is nothing left to decide with.
    fn more(&self) -> bool {
        true
    }
}

/// Numbers that look random (splitmix64).
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

impl Choices for Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// Decisions from a string of bytes, so that whoever makes the string can shrink it.
pub struct Bytes<'a>(pub &'a [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        let Some((&first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        first as u64 % bound
    }
    fn more(&self) -> bool {
        !self.0.is_empty()
    }
}

/// What kind of traces.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub events: usize,
    /// Threads at once, and over the whole trace.
    pub alive: usize,
    pub threads: Serial,
    /// Bytes of memory, from [`BASE`].
    pub memory: u64,
    /// Sync objects.
    pub objects: u64,
    /// Of a hundred accesses that would race, how many are made.
    pub races: u64,
    /// Of a hundred events on sync objects, how many are for sure on a few atomics.
    pub atomics: u64,
    /// Of the others, how many take one of two mutexes, or one lock for readers and writers.
    pub locks: u64,
    /// Of the others, how many read, and seldom write, under one of two locks for readers and writers, or take a mutex in between.
    pub readers: u64,
    /// Of a hundred events, how many start, end and join threads.
    pub thread_events: u64,
    /// Of a hundred of the others, how many are accesses of these kinds in new epochs to a few places that all come back to. Others hear
    /// of some of the epochs before, if not all of these are reads.
    pub returns: u64,
    pub kinds: &'static [Access],
}

/// Where the memory of random traces begins.
pub const BASE: u64 = 0x1000;

/// A random trace.
pub fn trace(choices: &mut impl Choices, shape: Shape) -> Trace {
    let stays = [0, 50, 85][choices.below(3) as usize];
    let mut generator = Generator {
        shape,
        choices,
        world: World::default(),
        order: HappensBefore::default(),
        events: Vec::new(),
        releases: Vec::new(),
        started: 0,
        stays,
        last: None,
        hot: HOT[0],
    };
    if shape.returns > 0 {
        generator.hot = HOT[generator.choices.below(HOT.len() as u64) as usize];
    }
    let mut attempts = 0;
    while generator.events.len() < shape.events
        && attempts < 20 * shape.events
        && generator.choices.more()
    {
        attempts += 1;
        generator.attempt();
    }
    Trace(generator.events)
}

struct Generator<'a, C> {
    shape: Shape,
    choices: &'a mut C,
    world: World,
    order: HappensBefore,
    events: Vec<TraceEvent>,
    /// What will release the locks that are held.
    releases: Vec<TraceEvent>,
    started: Serial,
    /// How often, in percent, the thread that acted last acts again: what a thread takes and gives in a row, it does in one sync epoch.
    stays: u64,
    last: Option<Serial>,
    /// What all come back to.
    hot: Hot,
}

/// Two places, each by its offset and its length.
type Hot = [(u64, u64); 2];
const HOT: [Hot; 5] = [
    [(0, 8), (0, 8)],
    [(0, 4), (4, 4)],
    [(0, 8), (8, 8)],
    [(10, 2), (0, 8)],
    [(6, 4), (0, 4)],
];

impl<C: Choices> Generator<'_, C> {
    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.choices.below(from.len() as u64) as usize])
    }

    fn push(&mut self, thread: Serial, action: Action) {
        let event = TraceEvent::new(thread, action);
        let races = !self.order.races(&event).is_empty();
        if races && self.choices.below(100) >= self.shape.races {
            return;
        }
        if self.world.step(&event).is_err() {
            return;
        }
        self.order.step(&event);
        self.events.push(event);
        let release = match action {
            Action::Lock(m) => Action::Unlock(m),
            Action::ReadLock(m) => Action::ReadUnlock(m),
            Action::WriteLock(m) => Action::WriteUnlock(m),
            _ => {
                self.releases.retain(|release| *release != event);
                // Bring the bytes back into the game.
                if let Some((_, range)) = action
                    .access()
                    .filter(|_| races && self.choices.below(4) > 0)
                {
                    self.push(thread, Action::Alloc(range));
                }
                return;
            }
        };
        self.releases.push(TraceEvent::new(thread, release));
    }

    fn attempt(&mut self) {
        let departures: Vec<TraceEvent> = self.world.departures().collect();
        let running: Vec<Serial> = self.world.running().collect();
        if running.is_empty() || self.choices.below(10) == 0 {
            if let Some(event) = self.pick(&departures) {
                self.push(event.thread, event.action);
            }
            return;
        }
        let stays = self.choices.below(100) < self.stays;
        let same = self.last.filter(|last| stays && running.contains(last));
        let Some(thread) = same.or_else(|| self.pick(&running)) else {
            return;
        };
        self.last = Some(thread);
        let dice = self.choices.below(100);
        if dice < self.shape.thread_events {
            return self.thread_event(thread);
        }
        if self.shape.returns > 0 && self.choices.below(100) < self.shape.returns {
            return self.come_back(thread);
        }
        match self.choices.below(100) {
            0..45 => self.access(thread),
            45..48 => {
                let range = self.range(64);
                self.push(thread, Action::Alloc(range));
            }
            48..52 => {
                let range = self.range(64);
                self.push(thread, Action::Free(range));
            }
            52..65 => {
                let mut releases = self.releases.clone();
                if same.is_some() {
                    releases.retain(|release| release.thread == thread);
                }
                if let Some(event) = self.pick(&releases) {
                    self.push(event.thread, event.action);
                }
            }
            65..69 => {
                let order = self.order();
                self.push(thread, Action::Fence(order));
            }
            _ => self.object_event(thread),
        }
    }

    fn thread_event(&mut self, thread: Serial) {
        match self.choices.below(3) {
            0 if self.world.alive().count() < self.shape.alive
                && self.started + 1 < self.shape.threads =>
            {
                self.started += 1;
                let child = self.started;
                self.push(thread, Action::Fork(child));
            }
            1 if thread != 0 => self.push(thread, Action::End),
            _ => {
                let ended: Vec<Serial> = self.world.ended().collect();
                if let Some(child) = self.pick(&ended) {
                    self.push(thread, Action::Join(child));
                }
            }
        }
    }

    fn come_back(&mut self, thread: Serial) {
        let tells = self.shape.kinds != [Access::Read] && self.choices.below(3) == 0;
        let lock = if tells { 999 } else { 1000 + thread as u64 };
        self.push(thread, Action::Lock(lock));
        self.push(thread, Action::Unlock(lock));
        let (offset, bytes) = self.hot[self.choices.below(2) as usize];
        let addr = BASE + offset;
        let kind = self.pick(self.shape.kinds).unwrap_or(Access::Read);
        self.push(thread, Action::Access(kind, Range { addr, bytes }));
    }

    fn range(&mut self, longest: u64) -> Range {
        let bytes = match self.choices.below(8) {
            0 | 1 => 8,
            2 => 4,
            3 => 1,
            4 => 2,
            5 => 16,
            6 => 8 * (1 + self.choices.below(longest / 8)),
            _ => 1 + self.choices.below(longest),
        };
        let bytes = bytes.min(self.shape.memory);
        let last = self.shape.memory - bytes;
        let mut offset = self.choices.below(last + 1);
        if longest >= 64 && self.shape.memory >= 64 && self.choices.below(8) == 0 {
            // Whole lines, for which there is a shorter way.
            return Range {
                addr: BASE + (offset & !63).min(self.shape.memory - 64),
                bytes: 64,
            };
        }
        if self.choices.below(3) > 0 {
            offset &= !(bytes.min(8).next_power_of_two() - 1);
        }
        Range {
            addr: BASE + offset,
            bytes,
        }
    }

    fn access(&mut self, thread: Serial) {
        let access = match self.choices.below(10) {
            0..4 => Access::Read,
            4..7 => Access::Write,
            7 | 8 => Access::AtomicRead,
            _ => Access::AtomicWrite,
        };
        let longest = if self.choices.below(6) == 0 { 64 } else { 24 };
        let range = self.range(longest);
        self.push(thread, Action::Access(access, range));
    }

    fn order(&mut self) -> Order {
        [
            Order::Relaxed,
            Order::Relaxed,
            Order::Acquire,
            Order::Release,
            Order::AcqRel,
            Order::SeqCst,
        ][self.choices.below(6) as usize]
    }

    fn object_event(&mut self, thread: Serial) {
        if self.choices.below(100) < self.shape.atomics {
            let atomic = self.atomic();
            let object = 5 + self.choices.below(3);
            return self.push(thread, Action::Atomic(object, atomic));
        }
        if self.choices.below(100) < self.shape.locks {
            let lock = match self.choices.below(8) {
                0..3 => Action::Lock(9),
                3..6 => Action::Lock(17),
                6 => Action::ReadLock(10),
                _ => Action::WriteLock(10),
            };
            return self.push(thread, lock);
        }
        if self.shape.readers > 0 && self.choices.below(100) < self.shape.readers {
            return self.read_under_a_lock(thread);
        }
        let object = 1 + self.choices.below(self.shape.objects);
        // Mostly an object is what its number says; after a destroy it can become something else.
        let kind = if self.choices.below(8) == 0 {
            self.choices.below(8)
        } else {
            object % 8
        };
        let action = match kind {
            0 | 1 => Action::Lock(object),
            2 => [
                Action::ReadLock(object),
                Action::ReadLock(object),
                Action::WriteLock(object),
            ][self.choices.below(3) as usize],
            3 => [Action::Post(object), Action::Wait(object)][self.choices.below(2) as usize],
            4 => {
                let (generation, _) = self.world.gathering(object);
                Action::Enter {
                    barrier: object,
                    generation,
                    parties: 2 + object / 8 % 2,
                }
            }
            _ if self.choices.below(30) == 0 => Action::Destroy(object),
            _ => Action::Atomic(object, self.atomic()),
        };
        let action = if self.choices.below(40) == 0 {
            Action::Destroy(object)
        } else {
            action
        };
        self.push(thread, action);
    }

    fn read_under_a_lock(&mut self, thread: Serial) {
        let lock = 10 + 8 * self.choices.below(2);
        match self.choices.below(10) {
            0 => self.push(thread, Action::WriteLock(lock)),
            1 | 2 => {
                self.push(thread, Action::Lock(9));
                self.push(thread, Action::Unlock(9));
            }
            _ => {
                self.push(thread, Action::ReadLock(lock));
                self.access(thread);
                self.push(thread, Action::ReadUnlock(lock));
            }
        }
    }

    fn atomic(&mut self) -> Atomic {
        match self.choices.below(6) {
            0 | 1 => Atomic::Load(self.order()),
            2 | 3 => Atomic::Store(self.order()),
            4 => Atomic::ReadModifyWrite(self.order()),
            _ => Atomic::CompareExchange {
                success: self.order(),
                failure: self.order(),
                succeeded: self.choices.below(2) == 0,
            },
        }
    }
}
