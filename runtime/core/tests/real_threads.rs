//! The engine used by real threads at once.
//!
//! The threads run programs made at random: they lock, use atomics and access bytes without waiting for each other beyond that.
//! Each event takes a ticket: a sink after it happened, a source before, an atomic while its address is held, so that the
//! tickets are an order that could have been seen. The definition of happens-before then says which bytes race
//! somewhere, which does not depend on the order of the accesses; the engine must have reported exactly these.
#![cfg(not(loom))]

mod support;

use goldilocks_core::abi::Order;
use goldilocks_core::atomics;
use goldilocks_core::detector::{Buffers, Detector, Found, Parts, Race, Shadow, Sites};
use goldilocks_core::event::{Access, Effect, Entity, Role};
use goldilocks_core::goldilocks::{Config, Engine, ShortCircuits, Thread};
use goldilocks_core::happens_before::HappensBefore;
use goldilocks_core::line::Site;
use goldilocks_core::slab::Slab;
use goldilocks_core::trace::{Action, Atomic, Range, Serial, Trace, TraceEvent};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use support::memory::Tables;
use support::random::{Choices, Random};
use support::replay::atomic_instruction;

const BYTES: u64 = 128;

struct Lines([([AtomicU64; 8], AtomicU32, [AtomicU32; 8]); 2]);

impl Shadow for Lines {
    fn line(&self, addr: u64) -> Parts<'_> {
        let (cells, word, sites) = &self.0[(addr >> 6) as usize];
        Parts { cells, word, sites }
    }
}

/// Sites are serial numbers of threads here.
struct Latest;

impl Sites for Latest {
    fn are_many(&self) -> bool {
        true
    }
    fn combine(&self, _: Site, _: u8, new: Site, _: u8) -> Site {
        new
    }
    fn pair(&self, _: Site, read: Site) -> u32 {
        read
    }
    fn split(&self, read: u32) -> (Site, Site) {
        (read, read)
    }
}

/// What the threads share.
struct World {
    engine: Engine,
    slab: Slab,
    lines: Lines,
    tickets: AtomicU64,
    mutexes: Vec<Mutex<()>>,
    atomics: Vec<Mutex<()>>,
    raced: Mutex<BTreeSet<u64>>,
    /// Whether accesses take the short way where they can.
    quick: bool,
}

impl World {
    fn new(tables: &Tables, config: Config) -> World {
        World {
            engine: Engine::new(tables.epochs(1 << 14), 16, config),
            slab: tables.slab(),
            lines: Lines(Default::default()),
            tickets: AtomicU64::new(0),
            mutexes: (0..3).map(|_| Mutex::new(())).collect(),
            atomics: (0..2).map(|_| Mutex::new(())).collect(),
            raced: Mutex::new(BTreeSet::new()),
            quick: config.short_circuits.sc1 && config.short_circuits.sc2,
        }
    }
}

/// One thread of the program.
struct Runner<'w> {
    world: &'w World,
    serial: Serial,
    thread: Thread,
    buffers: Buffers,
    log: Vec<(u64, TraceEvent)>,
    held: Vec<(usize, MutexGuard<'w, ()>)>,
}

fn object(number: usize) -> Entity {
    Entity::object(number as u64, Role::Object)
}

/// Number of the atomic `index`, which no mutex has.
fn atomic_number(index: usize) -> usize {
    100 + index
}

impl<'w> Runner<'w> {
    fn new(world: &'w World, serial: Serial, thread: Thread) -> Runner<'w> {
        Runner {
            world,
            serial,
            thread,
            buffers: Buffers::with_sets_after(1, 1),
            log: Vec::new(),
            held: Vec::new(),
        }
    }

    fn note(&mut self, action: Action) {
        let ticket = self.world.tickets.fetch_add(1, Ordering::SeqCst);
        self.log
            .push((ticket, TraceEvent::new(self.serial, action)));
    }

    fn access(&mut self, access: Access, range: Range) {
        let world = self.world;
        let detector = Detector {
            engine: &world.engine,
            slab: &world.slab,
            shadow: &world.lines,
            sites: &Latest,
        };
        let mut bytes = Vec::new();
        let found = |_: &mut Thread, race: Race| {
            let mask = race.earlier.tag.mask();
            bytes.extend(
                (0..8)
                    .filter(|bit| mask >> bit & 1 != 0)
                    .map(|bit| (race.addr & !7) + bit),
            );
        };
        let place = (range.addr, range.bytes);
        let word = (range.addr & 7) + range.bytes <= 8;
        let quickly = world.quick && word;
        let done = quickly
            && world
                .engine
                .epoch_quick(&mut self.thread)
                .is_some_and(|epoch| {
                    let (id, write, site) = (epoch, access.is_write(), self.serial);
                    let (thread, buffers) = (&mut self.thread, &self.buffers);
                    if access.is_atomic() {
                        detector.has_made_atomic(thread, place, id, write)
                            || detector.atomic_quick(thread, buffers, place, (id, write), site)
                    } else {
                        detector.access_shortly(
                            thread,
                            (buffers, &mut Found::default()),
                            place,
                            (id, write),
                            site,
                        )
                    }
                });
        if !done {
            detector
                .access(
                    &mut self.thread,
                    &mut self.buffers,
                    place,
                    access,
                    self.serial,
                    found,
                )
                .expect("there are enough epoch ids");
        }
        self.note(Action::Access(access, range));
        self.world.raced.lock().unwrap().extend(bytes);
    }

    fn lock(&mut self, index: usize) {
        // In order, so that nobody waits in a circle.
        if self.held.last().is_some_and(|(held, _)| *held >= index) {
            return;
        }
        let world = self.world;
        let guard = world.mutexes[index].lock().unwrap();
        self.note(Action::Lock(index as u64));
        let alone = Effect::ACQUIRE.with(Effect::ALONE);
        world.engine.sync(&mut self.thread, alone, object(index), 0);
        world.engine.lock_held(&mut self.thread, object(index));
        self.held.push((index, guard));
    }

    fn unlock(&mut self) {
        let Some((index, guard)) = self.held.pop() else {
            return;
        };
        self.note(Action::Unlock(index as u64));
        self.world
            .engine
            .sync(&mut self.thread, Effect::RELEASE, object(index), 0);
        self.world
            .engine
            .lock_released(&mut self.thread, object(index));
        drop(guard);
    }

    fn atomic(&mut self, index: usize, atomic: Atomic) {
        let world = self.world;
        let _held = world.atomics[index].lock().unwrap();
        self.note(Action::Atomic(atomic_number(index) as u64, atomic));
        let (operation, success) = atomic.operation();
        let effect = atomics::effect(operation, success);
        let object = object(atomic_number(index));
        atomic_instruction(&world.engine, &mut self.thread, effect, object);
    }

    fn fence(&mut self, order: Order) {
        self.note(Action::Fence(order));
        if let Some(effect) = atomics::fence_effect(order) {
            self.world
                .engine
                .sync(&mut self.thread, effect, Entity::NONE, 0);
        }
    }

    fn random_step(&mut self, random: &mut Random) {
        let orders = [
            Order::Relaxed,
            Order::Acquire,
            Order::Release,
            Order::AcqRel,
        ];
        let order = orders[random.below(4) as usize];
        let atomic = random.below(self.world.atomics.len() as u64) as usize;
        match random.below(16) {
            0..4 => self.lock(random.below(self.world.mutexes.len() as u64) as usize),
            4..8 => self.unlock(),
            8 => self.atomic(atomic, Atomic::Load(order)),
            9 => self.atomic(atomic, Atomic::Store(order)),
            10 => self.atomic(atomic, Atomic::ReadModifyWrite(order)),
            11 => self.fence(order),
            _ => {
                // Mostly the bytes that go with the innermost lock, or the thread's own; the others are everybody's.
                let part = match (random.below(20), self.held.last()) {
                    (0, _) => 15,
                    (_, Some((index, _))) => *index as u64,
                    (_, None) => 4 + self.serial as u64,
                };
                let bytes = 1 + random.below(8);
                let range = Range {
                    addr: 8 * part + random.below(9 - bytes),
                    bytes,
                };
                let access = [
                    Access::Read,
                    Access::Write,
                    Access::AtomicRead,
                    Access::AtomicWrite,
                ][random.below(4) as usize];
                self.access(access, range);
            }
        }
        if random.below(8) == 0 {
            std::thread::yield_now();
        }
    }
}

/// Runs `threads` random programs of `steps` steps; the result is what was logged and the bytes that were reported.
fn run(seed: u64, threads: Serial, steps: u64, config: Config) -> (Trace, BTreeSet<u64>) {
    let tables = Tables::take();
    let world = World::new(&tables, config);
    let mut main = Runner::new(&world, 0, world.engine.unrelated_thread().unwrap());
    let mut log = Vec::new();
    // The main thread writes everything before the others start, and reads some of it while they run.
    main.access(
        Access::Write,
        Range {
            addr: 0,
            bytes: BYTES - 8,
        },
    );
    std::thread::scope(|scope| {
        let mut running = Vec::new();
        for serial in 1..=threads {
            main.note(Action::Fork(serial));
            let thread = world
                .engine
                .fork(&mut main.thread, serial as u64, 0)
                .unwrap();
            let world = &world;
            running.push(scope.spawn(move || {
                let mut runner = Runner::new(world, serial, thread);
                let mut random = Random(seed << 8 | runner.serial as u64);
                (0..steps).for_each(|_| runner.random_step(&mut random));
                while !runner.held.is_empty() {
                    runner.unlock();
                }
                runner.note(Action::End);
                runner
                    .world
                    .engine
                    .end(&mut runner.thread, runner.serial as u64, 0);
                (runner.serial, runner.thread, runner.log)
            }));
        }
        for handle in running {
            let (serial, ended, events) = handle.join().unwrap();
            main.note(Action::Join(serial));
            world
                .engine
                .join(&mut main.thread, serial as u64, &ended, 0);
            log.extend(events);
        }
    });
    main.access(
        Access::Write,
        Range {
            addr: 0,
            bytes: BYTES,
        },
    );
    log.append(&mut main.log);
    log.sort_by_key(|(ticket, _)| *ticket);
    let raced = world.raced.lock().unwrap().clone();
    (
        Trace(log.into_iter().map(|(_, event)| event).collect()),
        raced,
    )
}

fn bytes_that_race(trace: &Trace) -> BTreeSet<u64> {
    let mut order = HappensBefore::default();
    trace
        .0
        .iter()
        .flat_map(|event| order.step(event))
        .map(|race| race.byte)
        .collect()
}

fn configs() -> impl Iterator<Item = Config> {
    let circuits = [true, false].map(|on| ShortCircuits {
        sc1: on,
        sc2: on,
        sc3: on,
    });
    let bounds = [(0, 4), (2, 1), (5, 16), (128, 4096)];
    circuits.into_iter().flat_map(move |short_circuits| {
        bounds.map(|(walk_limit, list_bound)| Config {
            short_circuits,
            list_bound,
            walk_limit,
            defer_releases: walk_limit % 2 == 0,
            goes_back: true,
            settle_after: 3 * (list_bound as u32 % 5),
            kept_reads: [4096, 2, 0, 16][walk_limit % 4],
        })
    })
}

#[test]
fn random_programs_race_where_the_definition_says() {
    let rounds =
        std::env::var("GOLDILOCKS_ROUNDS").map_or(12, |value| value.parse().expect("a number"));
    let (mut racing, mut quiet) = (0, 0);
    for seed in 0..rounds {
        for config in configs() {
            let (trace, reported) = run(seed, 2 + (seed % 4) as Serial, 300, config);
            assert_eq!(
                trace.check(),
                Ok(()),
                "the tickets are no order that could have been seen"
            );
            let expected = bytes_that_race(&trace);
            assert_eq!(reported, expected, "seed {seed}, {config:?}\n{trace}");
            racing += expected.len();
            quiet += BYTES as usize - expected.len();
        }
    }
    assert!(racing > 0 && quiet > racing, "{racing} {quiet}");
}

/// Threads that count under a mutex, with a write outside of it in one of two runs.
fn counters(config: Config, unlocked: bool) -> BTreeSet<u64> {
    let tables = Tables::take();
    let world = World::new(&tables, config);
    let mut main = Runner::new(&world, 0, world.engine.unrelated_thread().unwrap());
    let counter = Range { addr: 64, bytes: 8 };
    let forgotten = Range { addr: 3, bytes: 1 };
    std::thread::scope(|scope| {
        for serial in 1..=4 {
            let thread = world
                .engine
                .fork(&mut main.thread, serial as u64, 0)
                .unwrap();
            let world = &world;
            scope.spawn(move || {
                let mut runner = Runner::new(world, serial, thread);
                for _ in 0..500 {
                    runner.lock(0);
                    runner.access(Access::Read, counter);
                    runner.access(Access::Write, counter);
                    runner.unlock();
                }
                if unlocked && runner.serial < 3 {
                    runner.access(Access::Write, forgotten);
                }
            });
        }
    });
    drop(main);
    world.raced.into_inner().unwrap()
}

#[test]
fn a_locked_counter_never_races() {
    for config in configs() {
        assert_eq!(counters(config, false), BTreeSet::new(), "{config:?}");
    }
}

#[test]
fn a_write_after_the_last_unlock_always_does() {
    for config in configs() {
        assert_eq!(counters(config, true), BTreeSet::from([3]), "{config:?}");
    }
}
