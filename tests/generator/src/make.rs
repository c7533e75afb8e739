//! Makes random programs, each with a schedule that it can follow.
//!
//! Turns are made one after the other, each from what is possible in the state that those before it have led to. Races are
//! rationed: after its first race nothing is claimed of a byte, and a program in which everything races claims little.

use crate::program::{
    Action, AtomicForm, Blocking, Bytes, CopyForm, Deed, How, Language, LoopForm, ObjectKind,
    Place, PlaceKind, Plain, Program, Schedule, Spawn, Thread, ThreadId,
};
use crate::random::Random;
use crate::verdict::Run;
use goldilocks_core::abi::Order;

/// A program and a schedule.
pub fn make(random: &mut Random, language: Language) -> (Program, Schedule) {
    loop {
        if let Some(made) = attempt(random, language) {
            return made;
        }
    }
}

/// `None` if the threads got stuck.
fn attempt(random: &mut Random, language: Language) -> Option<(Program, Schedule)> {
    let skeleton = skeleton(random, language);
    let mut turns = vec![Vec::new(); skeleton.threads.len()];
    let mut schedule = Schedule::new();
    let mut maker = Maker {
        run: Run::new(&skeleton),
        program: &skeleton,
        random,
    };
    let wanted = 8 + maker.random.below(26);
    let races = [0, 3, 10, 30][maker.random.below(4)];
    let mut attempts = 0;
    while schedule.len() < wanted && attempts < 400 {
        attempts += 1;
        if let Some((thread, actions)) = maker.attempt(races) {
            turns[thread].push(actions);
            schedule.push(thread);
        }
    }
    if !maker.finish(&mut turns, &mut schedule) {
        return None;
    }
    let mut program = skeleton;
    for (thread, turns) in program.threads.iter_mut().zip(turns) {
        thread.turns = turns;
    }
    Some((program, schedule))
}

fn skeleton(random: &mut Random, language: Language) -> Program {
    let cpp = language == Language::Cpp;
    let threads = 2 + random.below(4);
    let mut places = vec![Place {
        kind: PlaceKind::Global,
        bytes: 64,
        alignment: 64,
    }];
    for _ in 0..1 + random.below(4) {
        let kind = match random.below(6) {
            0 | 1 => PlaceKind::Global,
            2 | 3 => PlaceKind::Heap,
            4 => PlaceKind::Stack(random.below(threads)),
            _ => PlaceKind::ThreadLocal(random.below(threads)),
        };
        places.push(Place {
            kind,
            bytes: random.pick(&[8, 24, 33, 48, 64, 100, 136]),
            alignment: random.pick(&[1, 8, 64]),
        });
    }
    let mut kinds = vec![
        ObjectKind::Mutex,
        ObjectKind::RecursiveMutex,
        ObjectKind::ErrorCheckMutex,
        ObjectKind::Spin,
        ObjectKind::RwLock,
        ObjectKind::Semaphore,
        ObjectKind::Barrier(2),
        ObjectKind::Barrier(3),
        ObjectKind::Once { offset: 56 },
        ObjectKind::Pipe,
        ObjectKind::EventFd,
        ObjectKind::Annotated,
        ObjectKind::Condition,
        ObjectKind::Signal,
    ];
    kinds.extend(if cpp {
        [
            ObjectKind::StdMutex,
            ObjectKind::SharedMutex,
            ObjectKind::StdSemaphore,
            ObjectKind::Promise,
            ObjectKind::StdBarrier(2),
            ObjectKind::StdBarrier(3),
            ObjectKind::Latch(2),
            ObjectKind::Latch(3),
        ]
        .as_slice()
    } else {
        &[ObjectKind::C11Mutex]
    });
    let mut objects = vec![ObjectKind::Mutex];
    for _ in 0..1 + random.below(5) {
        let kind = random.pick(&kinds);
        // Two of these might order what nothing else does.
        let pooled = objects.iter().any(|other: &ObjectKind| other.uses_pool());
        if !(pooled && kind.uses_pool()) {
            objects.push(kind);
        }
    }
    let spawns = if cpp {
        [Spawn::Pthread, Spawn::Std, Spawn::Joining].as_slice()
    } else {
        &[Spawn::Pthread, Spawn::C11]
    };
    let thread = |random: &mut Random| {
        let spawn = random.pick(spawns);
        Thread {
            turns: Vec::new(),
            spawn,
            detached: random.chance(20),
            exits: spawn == Spawn::Pthread && random.chance(30),
        }
    };
    Program {
        language,
        places,
        objects,
        threads: (0..threads).map(|_| thread(random)).collect(),
    }
}

struct Maker<'a, 'r> {
    program: &'a Program,
    run: Run<'a>,
    random: &'r mut Random,
}

impl Maker<'_, '_> {
    /// A turn, if one was found.
    fn attempt(&mut self, races: usize) -> Option<(ThreadId, Vec<Action>)> {
        let thread = match self.run.state.forced() {
            Some(thread) => thread,
            None => {
                let movable = self.run.state.movable();
                self.random.pick(&movable)
            }
        };
        let mut actions: Vec<Action> = Vec::new();
        if let Some(on) = self.run.state.blocked(thread) {
            actions.push(Action::Wake(on));
            let mut state = self.run.state.clone();
            state.turn(thread, &actions, false).ok()?;
        }
        let wanted = actions.len() + 1 + self.random.below(4);
        for _ in 0..12 {
            if actions.len() >= wanted {
                break;
            }
            let action = self.action(thread, 0);
            actions.push(action);
            let mut state = self.run.state.clone();
            let ends = matches!(actions.last(), Some(Action::Block(_)));
            if state.turn(thread, &actions, false).is_err() {
                actions.pop();
            } else if ends || state.forced().is_some() {
                break;
            }
        }
        if actions.is_empty() {
            return None;
        }
        // Not all threads live to the end.
        let last = thread != 0 && !self.must_join(thread) && self.random.chance(6);
        let before = self.run.verdict.count();
        let mut run = self.run.clone();
        run.turn(thread, &actions, last).ok()?;
        if run.verdict.count() > before && !self.random.chance(races) {
            return None;
        }
        self.run = run;
        Some((thread, actions))
    }

    /// Lets everybody go on, give back what they hold, end and be joined; whether that was possible.
    fn finish(&mut self, turns: &mut [Vec<Vec<Action>>], schedule: &mut Schedule) -> bool {
        for _ in 0..200 {
            let movable = self.run.state.movable();
            let order = self
                .run
                .state
                .forced()
                .map_or(movable, |thread| vec![thread]);
            let mut moved = false;
            for thread in order {
                let Some((actions, last)) = self.closing(thread) else {
                    continue;
                };
                let mut run = self.run.clone();
                if run.turn(thread, &actions, last).is_err() {
                    continue;
                }
                self.run = run;
                turns[thread].push(actions);
                schedule.push(thread);
                moved = true;
                break;
            }
            if !moved {
                break;
            }
        }
        let over = |thread: ThreadId| {
            let joined = self.run.state.creator(thread).is_none();
            self.run.state.is_over(thread) && (joined || self.program.threads[thread].detached)
        };
        (1..self.program.threads.len()).all(over)
            && self.run.state.blocked(0).is_none()
            && self.run.state.releases(0).is_empty()
    }

    /// What a thread can do next towards its end, and whether that is its end.
    fn closing(&self, thread: ThreadId) -> Option<(Vec<Action>, bool)> {
        let mut actions = Vec::new();
        if let Some(on) = self.run.state.blocked(thread) {
            actions.push(Action::Wake(on));
            let mut state = self.run.state.clone();
            if state.turn(thread, &actions, false).is_err() {
                return None;
            }
            return Some((actions, false));
        }
        // Blocked threads are set free by whoever can: barriers by those who are missing.
        for other in self.run.state.movable() {
            let help = match self.run.state.blocked(other) {
                Some(Blocking::Wait(number)) => vec![Action::Post(number)],
                Some(Blocking::Barrier(number)) => vec![Action::Block(Blocking::Barrier(number))],
                Some(Blocking::Condition { condition, mutex }) => vec![
                    Action::Lock(mutex, How::Plain),
                    Action::Signal(condition),
                    Action::Unlock(mutex),
                ],
                _ => continue,
            };
            let mut state = self.run.state.clone();
            if state.turn(thread, &help, false).is_ok() {
                return Some((help, false));
            }
        }
        let releases = self.run.state.releases(thread);
        if let Some(release) = releases.first() {
            return Some((vec![release.clone()], false));
        }
        for child in 1..self.program.threads.len() {
            let join = vec![Action::Join(child)];
            let mut state = self.run.state.clone();
            if state.turn(thread, &join, false).is_ok() {
                return Some((join, false));
            }
        }
        let needed = self.run.state.movable().into_iter().any(|other| {
            self.run.state.blocked(other).is_some()
                && self.run.state.blocked(other) != Some(Blocking::Join(thread))
        });
        let may_end = thread != 0 && !needed && !self.must_join(thread);
        may_end.then_some((actions, true))
    }

    /// Whether a thread has a child that nobody else can join.
    fn must_join(&self, thread: ThreadId) -> bool {
        (1..self.program.threads.len()).any(|child| {
            let described = &self.program.threads[child];
            !described.detached
                && described.spawn.is_its_creators()
                && self.run.state.creator(child) == Some(thread)
        })
    }

    fn bytes(&mut self, place: usize, length: usize) -> Bytes {
        let size = self.program.places[place].bytes;
        // Most accesses meet at the start.
        let room = size.saturating_sub(length);
        let room = if self.random.chance(70) {
            room.min(24)
        } else {
            room
        };
        let mut offset = self.random.below(room + 1);
        if self.random.chance(60) {
            offset &= !(length.next_power_of_two().min(8) - 1);
        }
        Bytes {
            place,
            offset,
            length,
        }
    }

    fn place(&mut self) -> usize {
        self.random.below(self.program.places.len())
    }

    fn deed(&mut self) -> Deed {
        self.random.pick(&[
            Deed::Load,
            Deed::Load,
            Deed::Store,
            Deed::Store,
            Deed::Update,
        ])
    }

    fn plain(&mut self) -> Plain {
        let place = self.place();
        match self.random.below(12) {
            0..5 => {
                let length = self.random.pick(&[1, 2, 4, 4, 8, 8, 8, 16, 32]);
                Plain::Scalar {
                    deed: self.deed(),
                    bytes: self.bytes(place, length),
                    volatile: self.random.chance(10),
                }
            }
            5..8 => {
                let element = self.random.pick(&[1, 2, 4, 8]);
                Plain::Loop {
                    deed: self.deed(),
                    count: 1 + self.random.below(9),
                    stride: self.random.pick(&[1, 1, 1, 2, 3]),
                    bytes: self.bytes(place, element),
                    form: self.random.pick(&[
                        LoopForm::Counted,
                        LoopForm::Unknown,
                        LoopForm::Unknown,
                        LoopForm::Downwards,
                        LoopForm::Broken,
                        LoopForm::Conditional,
                        LoopForm::Volatile,
                    ]),
                }
            }
            8 | 9 => {
                let other = self.place();
                let element = self.random.pick(&[1, 4, 8]);
                let form = self.random.pick(&[
                    CopyForm::Constant,
                    CopyForm::Unknown,
                    CopyForm::Move,
                    CopyForm::Struct,
                    CopyForm::Loop { element },
                ]);
                let length = (1 + self.random.below(40)).next_multiple_of(form.element());
                Plain::Copy {
                    from: self.bytes(place, length),
                    to: self.bytes(other, length),
                    form,
                }
            }
            10 => {
                let length = 1 + self.random.below(40);
                Plain::Fill {
                    bytes: self.bytes(place, length),
                    unknown: self.random.chance(50),
                }
            }
            _ if self.random.chance(60) => Plain::Bits {
                deed: self.deed(),
                bytes: self.bytes(place, 8),
                field: self.random.below(4),
            },
            _ => {
                let other = self.place();
                Plain::Padded {
                    from: self.bytes(place, 16),
                    to: self.bytes(other, 16),
                }
            }
        }
    }

    fn atomic(&mut self) -> Action {
        use Order::*;
        let place = self.place();
        let slot = self.random.below(2) * 8;
        // Mostly one size per location.
        let usual = [8, 4, 2, 1][(place + slot / 8) % 4];
        let (slot, length) = if self.random.chance(25) {
            let length = self.random.pick(&[1, 2, 4, 8]);
            (slot + self.random.below(8 / length) * length, length)
        } else {
            (slot, usual)
        };
        let typed = self.random.chance(30);
        let (form, order) = match self.random.below(7) {
            0 | 1 => (
                AtomicForm::Load,
                self.random.pick(&[Relaxed, Acquire, SeqCst]),
            ),
            2 | 3 => (
                AtomicForm::Store,
                self.random.pick(&[Relaxed, Release, SeqCst]),
            ),
            4 => (
                AtomicForm::Add,
                self.random
                    .pick(&[Relaxed, Acquire, Release, AcqRel, SeqCst]),
            ),
            5 if self.random.chance(50) => (AtomicForm::Or, SeqCst),
            5 => (
                AtomicForm::Exchange,
                self.random
                    .pick(&[Relaxed, Acquire, Release, AcqRel, SeqCst]),
            ),
            _ => (
                AtomicForm::CompareExchange {
                    failure: self.random.pick(&[Relaxed, Acquire, SeqCst]),
                    succeeds: self.random.chance(60),
                },
                self.random
                    .pick(&[Relaxed, Acquire, Release, AcqRel, SeqCst]),
            ),
        };
        Action::Atomic {
            bytes: Bytes {
                place,
                offset: slot,
                length,
            },
            form,
            order,
            typed,
        }
    }

    fn how(&mut self) -> How {
        self.random
            .pick(&[How::Plain, How::Plain, How::Plain, How::Try, How::Timed])
    }

    fn action(&mut self, thread: ThreadId, depth: usize) -> Action {
        if depth < 2 && self.random.chance(18) {
            return self.composite(thread, depth);
        }
        match self.random.below(20) {
            0..8 => Action::Plain(self.plain()),
            8..11 => self.atomic(),
            11 if self.random.chance(50) => Action::Fence(self.random.pick(&[
                Order::Acquire,
                Order::Release,
                Order::AcqRel,
                Order::SeqCst,
            ])),
            11 if self.random.chance(10) => Action::SignalFence,
            11 | 12 => {
                let heap: Vec<usize> = (0..self.program.places.len())
                    .filter(|&place| self.program.places[place].kind == PlaceKind::Heap)
                    .collect();
                match heap.is_empty() {
                    true => Action::Plain(self.plain()),
                    false if heap.len() > 1 && self.random.chance(25) => Action::Reallocate {
                        from: self.random.pick(&heap),
                        to: self.random.pick(&heap),
                    },
                    false if self.random.chance(60) => Action::Allocate(self.random.pick(&heap)),
                    false if self.random.chance(60) => Action::Free(self.random.pick(&heap)),
                    false => {
                        let (place, length) =
                            (self.random.pick(&heap), self.random.pick(&[1, 4, 8]));
                        Action::Stale(self.bytes(place, length))
                    }
                }
            }
            13 | 14 => match self.run.state.unborn() {
                Some(child) => Action::Fork(child),
                None if depth == 0 && self.random.chance(30) => {
                    let child = self.random.below(self.program.threads.len());
                    if self.random.chance(50) {
                        Action::Join(child)
                    } else {
                        Action::Block(Blocking::Join(child))
                    }
                }
                None => self.object_action(),
            },
            15 => match self.run.state.releases(thread).pop() {
                Some(release) => release,
                None => self.object_action(),
            },
            _ => self.object_action(),
        }
    }

    fn object_action(&mut self) -> Action {
        let number = self.random.below(self.program.objects.len());
        let how = self.how();
        match self.program.objects[number] {
            ObjectKind::Mutex
            | ObjectKind::RecursiveMutex
            | ObjectKind::ErrorCheckMutex
            | ObjectKind::C11Mutex
            | ObjectKind::StdMutex
            | ObjectKind::Spin => match self.random.below(8) {
                0 => Action::LockInVain(number),
                1 => Action::Block(Blocking::Lock(number)),
                2..5 => Action::Unlock(number),
                _ => Action::Lock(number, how),
            },
            ObjectKind::RwLock | ObjectKind::SharedMutex => match self.random.below(7) {
                0 => Action::LockInVain(number),
                1 | 2 => Action::ReadLock(number, how),
                3 => Action::ReadUnlock(number),
                4 => Action::Unlock(number),
                5 => Action::Block(Blocking::Lock(number)),
                _ => Action::Lock(number, how),
            },
            ObjectKind::Semaphore
            | ObjectKind::Pipe
            | ObjectKind::EventFd
            | ObjectKind::Promise => match self.random.below(5) {
                0 => Action::Block(Blocking::Wait(number)),
                1 | 2 => Action::Wait(number, how),
                _ => Action::Post(number),
            },
            ObjectKind::StdSemaphore => {
                if self.random.chance(50) {
                    Action::Post(number)
                } else {
                    Action::Wait(number, how)
                }
            }
            ObjectKind::Signal => {
                if self.random.chance(50) {
                    Action::Post(number)
                } else {
                    Action::Block(Blocking::Wait(number))
                }
            }
            ObjectKind::Annotated => {
                if self.random.chance(50) {
                    Action::Post(number)
                } else {
                    Action::Wait(number, How::Plain)
                }
            }
            ObjectKind::Barrier(_) | ObjectKind::StdBarrier(_) | ObjectKind::Latch(_) => {
                Action::Block(Blocking::Barrier(number))
            }
            ObjectKind::Once { .. } => Action::Once(number),
            ObjectKind::Condition => {
                if self.random.chance(50) {
                    Action::Signal(number)
                } else {
                    Action::Block(Blocking::Condition {
                        condition: number,
                        mutex: 0,
                    })
                }
            }
        }
    }

    fn body(&mut self, thread: ThreadId, depth: usize) -> Vec<Action> {
        (0..1 + self.random.below(3))
            .map(|_| self.action(thread, depth + 1))
            .collect()
    }

    fn composite(&mut self, thread: ThreadId, depth: usize) -> Action {
        match self.random.below(5) {
            0 => Action::Repeat(self.random.below(4), self.body(thread, depth)),
            1 | 2 => Action::Branch {
                taken: self.random.chance(50),
                then: self.body(thread, depth),
                otherwise: self.body(thread, depth),
            },
            3 => Action::Call {
                inlined: self.random.chance(50),
                body: self.body(thread, depth),
            },
            // What most programs do.
            _ => {
                let lock = self.random.below(self.program.objects.len());
                let mut body = self.body(thread, depth);
                body.insert(0, Action::Lock(lock, How::Plain));
                body.push(Action::Unlock(lock));
                Action::Repeat(1 + self.random.below(2), body)
            }
        }
    }
}
