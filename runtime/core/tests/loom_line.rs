//! Two threads at one line, by the short way and the long one, with and without its lock: under every interleaving (up to a bound on
//! preemptions) both bytes that race are reported and nothing else, and what neither reports is remembered.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p goldilocks-core --test loom_line --release`; `GOLDILOCKS_SCENARIOS=n` tries more
//! scenarios, from `GOLDILOCKS_SEED=n` on.
#![cfg(loom)]

#[allow(dead_code)]
#[path = "support/random.rs"]
mod random;

use goldilocks_core::detector::{Buffers, Detector, Found, Parts, Race, Shadow, Sites};
use goldilocks_core::epoch::{EpochId, EpochTable};
use goldilocks_core::event::{Access, Effect, Entity, Role};
use goldilocks_core::goldilocks::{Config, Engine, Thread};
use goldilocks_core::line::{Relation, Site};
use goldilocks_core::primitive::shadow::{AtomicU32, AtomicU64};
use goldilocks_core::records::{READERS, RECORD};
use goldilocks_core::slab::{Slab, Unit};
use goldilocks_core::tag::Tag;
use loom::sync::Arc;
use loom::sync::atomic::Ordering;
use loom::thread;
use random::{Choices, Random};
use std::array::from_fn;
use std::fmt;

/// Bytes that are looked at: the first two words of the line.
const BYTES: usize = 16;

struct Line {
    cells: [AtomicU64; 8],
    word: AtomicU32,
    sites: [AtomicU32; 8],
}

impl Shadow for Line {
    fn line(&self, _: u64) -> Parts<'_> {
        let Line { cells, word, sites } = self;
        Parts { cells, word, sites }
    }
}

/// Sites ([`Step::site`]). Two of them are called by both, and everybody remembers everything by heart.
struct Numbers {
    /// Whether words get records of their sites.
    are_many: bool,
}

impl Sites for Numbers {
    fn are_many(&self) -> bool {
        self.are_many
    }
    fn combine(&self, _: Site, _: u8, new: Site, _: u8) -> Site {
        new
    }
    fn pair(&self, write: Site, read: Site) -> u32 {
        write << Step::SITE_BITS | read
    }
    fn split(&self, pair: u32) -> (Site, Site) {
        let read = pair & ((1 << Step::SITE_BITS) - 1);
        (pair >> Step::SITE_BITS, read)
    }
}

/// An access of the line. Thread 0 is gone when the others start; what it did is ordered before all that they do.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Step {
    thread: usize,
    access: Access,
    from: usize,
    bytes: usize,
    /// Whether everybody learns of it at once. Only reads may stay unknown until the end of the preparation, and atomic accesses among such.
    told: bool,
}

impl Step {
    const SITE_BITS: u32 = 14;
    const OF_THREAD: Site = 7;

    /// Tells whose access it is, in the lowest bits, and of which bytes: so that those of one word are from several places.
    fn site(&self, thread: usize) -> Site {
        ((thread + 1) | (self.from << 3) | (self.bytes << 8)) as Site
    }
    fn touches(&self, byte: usize) -> bool {
        (self.from..self.from + self.bytes).contains(&byte)
    }
    fn races(&self, other: &Step, byte: usize) -> bool {
        self.touches(byte)
            && other.touches(byte)
            && (self.access.is_write() || other.access.is_write())
            && !(self.access.is_atomic() && other.access.is_atomic())
    }
    fn random(random: &mut Random, thread: usize) -> Step {
        // Mostly the same word, or a half of it, and mostly plain.
        let mut one_of = |n: u64| (random.below(n) * random.below(n) / n) as usize;
        let places = [(0, 8), (0, 4), (4, 4), (2, 1), (8, 8), (0, 16)];
        let (from, bytes) = places[one_of(6)];
        use Access::*;
        let access = [Read, Write, Read, Write, AtomicRead, AtomicWrite][one_of(6)];
        Step {
            thread,
            access,
            from,
            bytes,
            told: access.is_write() || random.below(2) == 0,
        }
    }
}

/// An access by a thread, of which nobody is told.
fn step(thread: usize, access: Access, from: usize, bytes: usize) -> Step {
    Step {
        thread,
        access,
        from,
        bytes,
        told: false,
    }
}

/// The same, of which the witness is told.
fn told(thread: usize, access: Access, from: usize, bytes: usize) -> Step {
    Step {
        told: true,
        ..step(thread, access, from, bytes)
    }
}

/// Accesses that a thread keeps to itself, if it does.
const KEPT: usize = 4;
const KINDS: [Access; 4] = [
    Access::Read,
    Access::Write,
    Access::AtomicRead,
    Access::AtomicWrite,
];

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step {
            thread,
            access,
            from,
            bytes,
            told,
        } = self;
        write!(f, "{thread} {access:?} {from}+{bytes}")?;
        f.write_str(if *told { "" } else { " untold" })
    }
}

#[derive(Clone, Debug)]
struct Scenario {
    before: Vec<Step>,
    /// What thread 1 and thread 2 do at once.
    at_once: [Vec<Step>; 2],
    /// Whether a thread's epoch ends, without anybody hearing of it, after what nobody is told of.
    epochs_end: bool,
    /// Whether the word has a record then that is its own until the next sweep, and both have kept their accesses to it to themselves.
    keeps_record: bool,
    keeps_accesses: bool,
    /// Accesses that a thread may keep to itself.
    kept: usize,
}

impl Scenario {
    /// Epochs end only where somebody is told.
    fn of(before: Vec<Step>, at_once: [Vec<Step>; 2]) -> Scenario {
        Scenario {
            before,
            at_once,
            epochs_end: false,
            keeps_record: false,
            keeps_accesses: false,
            kept: KEPT,
        }
    }

    /// The same, where threads keep nothing to themselves, so that they exchange what is in the record.
    fn unkept(self) -> Scenario {
        Scenario {
            keeps_record: true,
            keeps_accesses: false,
            kept: 0,
            ..self
        }
    }

    /// As above, after both have made accesses of a kind to a word again and again, in one epoch after the other, of which nobody is told: so they have
    /// entries in a record that they may renew without the line's lock.
    fn among(kind: Access, before: &[Step], at_once: [Vec<Step>; 2]) -> Scenario {
        let both = |kind, bytes| [1, 2].map(|thread| step(thread, kind, 0, bytes));
        let long = if kind.is_atomic() {
            Access::AtomicRead
        } else {
            Access::Read
        };
        let rounds = |count| (0..count).flat_map(move |_| both(kind, 8));
        // The long way in between gives them the larger records that the short one wants.
        let first = rounds(4).chain(both(long, 16)).chain(rounds(4));
        Scenario {
            before: first.chain(before.iter().copied()).collect(),
            at_once,
            epochs_end: true,
            // Of atomics that are kept, any record does.
            keeps_record: kind == Access::Read,
            keeps_accesses: true,
            kept: KEPT,
        }
    }

    fn random(seed: u64) -> Scenario {
        let mut random = Random(seed);
        let before = (0..1 + random.below(6)).map(|_| {
            let thread = random.below(9) as usize % 4 % 3;
            Step::random(&mut random, thread)
        });
        let before: Vec<Step> = before.collect();
        let mut at_once = |thread| {
            let steps = 1 + random.below(5) as usize / 4;
            (0..steps)
                .map(|_| Step::random(&mut random, thread))
                .collect()
        };
        let at_once = [at_once(1), at_once(2)];
        let kinds = [Access::Read, Access::AtomicWrite, Access::AtomicRead];
        let mut ordered = before[..before.len() / 2].to_vec();
        ordered.insert(0, told(1, Access::AtomicRead, 0, 8));
        match kinds.get(seed as usize % 6) {
            None => Scenario {
                epochs_end: random.below(2) == 0,
                ..Scenario::of(before, at_once)
            },
            Some(&kind) => Scenario {
                keeps_record: false,
                keeps_accesses: false,
                kept: if (seed / 6).is_multiple_of(2) {
                    KEPT
                } else {
                    0
                },
                // One each: there are minutes of interleavings otherwise.
                ..Scenario::among(kind, &ordered, at_once.map(|steps| vec![steps[0]]))
            },
        }
    }

    fn races(&self, byte: usize) -> bool {
        let [first, second] = &self.at_once;
        first
            .iter()
            .any(|one| second.iter().any(|other| one.races(other, byte)))
    }
}

/// A thread of the program.
struct Actor {
    thread: Thread,
    buffers: Buffers,
    number: usize,
}

struct Reported {
    bytes: [bool; BYTES],
    /// Epoch and site of the other access, for each.
    others: Vec<(EpochId, Site)>,
}

struct World {
    engine: Engine,
    slab: Slab,
    line: Line,
    sites: Numbers,
}

impl World {
    fn new(are_many: bool, kept: usize) -> World {
        // Lost with each execution, which is why they are small.
        let epochs = Box::leak(Box::new(from_fn::<_, 24, _>(|_| {
            loom::sync::atomic::AtomicU64::new(0)
        })));
        let units = Box::leak(Box::new(from_fn::<_, 20, _>(|_| {
            Unit(from_fn(|_| AtomicU64::new(0)))
        })));
        let config = Config {
            kept_reads: kept,
            ..Config::default()
        };
        World {
            engine: Engine::new(EpochTable::new(epochs), 4, config),
            slab: Slab::new(units),
            line: Line {
                cells: from_fn(|_| AtomicU64::new(0)),
                word: AtomicU32::new(0),
                sites: from_fn(|_| AtomicU32::new(0)),
            },
            sites: Numbers { are_many },
        }
    }

    /// As the runtime does it: word by word and by the short way, if that can do it.
    fn access(&self, actor: &mut Actor, step: &Step) -> Reported {
        let detector = Detector {
            engine: &self.engine,
            slab: &self.slab,
            shadow: &self.line,
            sites: &self.sites,
        };
        let mut found = Reported {
            bytes: [false; BYTES],
            others: Vec::new(),
        };
        let place = (step.from as u64, step.bytes as u64);
        let (write, site) = (step.access.is_write(), step.site(actor.number));
        let epoch = self
            .engine
            .epoch_for_access(&mut actor.thread)
            .expect("there are enough ids");
        let (thread, buffers) = (&mut actor.thread, &mut actor.buffers);
        let made = step.bytes <= 8
            && if step.access.is_atomic() {
                detector.has_made_atomic(thread, place, epoch, write)
                    || detector.atomic_quick(thread, buffers, place, (epoch, write), site)
            } else {
                detector.access_shortly(
                    thread,
                    (&*buffers, &mut Found::default()),
                    place,
                    (epoch, write),
                    site,
                )
            };
        if !made {
            let note = |_: &mut Thread, race: Race| {
                let mask = race.earlier.tag.mask();
                let word = race.addr as usize & !7;
                (0..8).for_each(|bit| found.bytes[word + bit] |= mask >> bit & 1 != 0);
                found
                    .others
                    .push((race.earlier.tag.epoch(), race.earlier.site));
            };
            detector
                .access(thread, buffers, place, step.access, site, note)
                .expect("there are enough ids");
        }
        found
    }

    /// `to` learns of all that `from` has done, and knows by heart that it does.
    fn tell(&self, from: &mut Actor, to: &mut Actor) {
        let object = Entity::object((4 * from.number + to.number) as u64, Role::Object);
        let epoch = from.thread.epoch();
        self.engine
            .sync(&mut from.thread, Effect::RELEASE, object, 0);
        self.engine.sync(&mut to.thread, Effect::ACQUIRE, object, 0);
        if let Some(epoch) = epoch {
            let tag = Tag::new(epoch, false, 0xff);
            if self.engine.relation(&mut to.thread, tag) == Relation::Unknown {
                assert!(self.engine.evaluate(&mut to.thread, tag));
            }
        }
    }

    /// Everybody, but for the first, learns all.
    fn tell_all(&self, actors: &mut [Actor; 3]) {
        let [_, one, two] = actors;
        self.tell(one, two);
        self.tell(two, one);
    }
}

fn actor(thread: Thread, number: usize) -> Actor {
    Actor {
        thread,
        buffers: Buffers::with_sets_after(1, 1),
        number,
    }
}

fn execute(scenario: &Scenario, are_many: bool) {
    let world = Arc::new(World::new(are_many, scenario.kept));
    let engine = &world.engine;
    let mut witness = actor(engine.unrelated_thread().unwrap(), 3);
    let mut first = actor(engine.unrelated_thread().unwrap(), 0);
    for step in scenario.before.iter().filter(|step| step.thread == 0) {
        assert_eq!(world.access(&mut first, step).others, []);
    }
    let mut child = |number| {
        let epoch = first.thread.epoch();
        let mut thread = engine
            .fork(&mut first.thread, number as u64, 0)
            .expect("there are enough slots");
        if let Some(epoch) = epoch {
            engine.relation(&mut thread, Tag::new(epoch, false, 0xff));
        }
        actor(thread, number)
    };
    let (one, two) = (child(1), child(2));
    let mut actors = [first, one, two];
    for step in scenario.before.iter().filter(|step| step.thread > 0) {
        // Atomic writes of which nobody is told follow atomic accesses alone.
        if step.access.is_write() && step.told {
            world.tell_all(&mut actors);
        }
        assert_eq!(world.access(&mut actors[step.thread], step).others, []);
        if step.told {
            world.tell_all(&mut actors);
        } else if scenario.epochs_end {
            let object = Entity::object(100 + step.thread as u64, Role::Object);
            let thread = &mut actors[step.thread].thread;
            world.engine.sync(thread, Effect::RELEASE, object, 0);
        }
    }
    world.tell_all(&mut actors);
    let readers = RECORD | READERS;
    // Relaxed: nobody else is there yet.
    let of_readers = world.line.sites[0].load(Ordering::Relaxed) & readers == readers;
    assert!(of_readers || !scenario.keeps_record, "no record of readers");
    let all_keep = actors[1..]
        .iter()
        .all(|actor| actor.thread.counts.quick_kept > 0);
    assert!(
        all_keep || !scenario.keeps_accesses,
        "accesses that are not kept"
    );
    let act = |world: &World, actor: &mut Actor, steps: &[Step]| {
        let found = steps.iter().map(|step| world.access(actor, step));
        found.collect::<Vec<Reported>>()
    };
    let [_, mut one, mut two] = actors;
    let [of_one, of_two] = &scenario.at_once;
    let other = {
        let (world, steps) = (world.clone(), of_two.clone());
        thread::spawn(move || (act(&world, &mut two, &steps), two))
    };
    let mut found = act(&world, &mut one, of_one);
    let (found_by_two, two) = other.join().unwrap();
    let epochs = [&one, &two].map(|actor| actor.thread.epoch().expect("it has made an access"));
    for (found, other) in [(&found, 1), (&found_by_two, 0)] {
        for &(epoch, site) in found.iter().flat_map(|found| &found.others) {
            assert_eq!(
                (epoch, site & Step::OF_THREAD),
                (epochs[other], other as Site + 2),
                "who races with whom"
            );
        }
    }
    found.extend(found_by_two);
    let reported: Vec<usize> = (0..BYTES)
        .filter(|&byte| found.iter().any(|found| found.bytes[byte]))
        .collect();
    let racing: Vec<usize> = (0..BYTES).filter(|&byte| scenario.races(byte)).collect();
    assert_eq!(reported, racing, "bytes that are reported, bytes that race");
    // Whoever is ordered with nobody races with all that was done. What stands for what is for the engine to say, so that one of the
    // threads is asked for that has made an access; both, where both have only read.
    for byte in (0..BYTES).filter(|&byte| !scenario.races(byte)) {
        let step = told(3, Access::Write, byte, 1);
        let met = world.access(&mut witness, &step).others;
        for (steps, epoch) in scenario.at_once.iter().zip(epochs) {
            if steps.iter().any(|step| step.touches(byte)) {
                let there = met.iter().any(|&(found, _)| found == epoch);
                assert!(
                    there,
                    "byte {byte}: an access of {epoch:?} is forgotten, {met:?} {epochs:?}"
                );
            }
        }
    }
}

/// `preemptions` bounds how often a thread loses its processor.
fn explore(preemptions: usize, scenario: Scenario) {
    for are_many in [false, true] {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(preemptions);
        builder.max_branches = 20_000;
        println!("{scenario:?}, sites are many: {are_many}");
        let scenario = scenario.clone();
        builder.check(move || execute(&scenario, are_many));
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

/// What two threads have read is remembered beside the cell. One renews its own entry without the line's lock, while the other, who
/// leaves plain reads as they are, decides about it: it has to be looked at again, although it is there.
#[test]
fn an_entry_that_is_renewed_beside_an_atomic_write() {
    for first in [Access::Read, Access::AtomicRead] {
        let before = vec![
            step(1, first, 0, 8),
            step(2, Access::Read, 0, 8),
            told(2, Access::Read, 0, 4),
        ];
        let write = told(1, Access::AtomicWrite, 0, 8);
        let at_once = [vec![write], vec![told(2, Access::Read, 0, 8)]];
        explore(2, Scenario::of(before, at_once));
    }
}

/// Two threads have written a half of a word each, and one renews what it has written, in the cell or beside it, without the line's lock,
/// while the other makes an access of all kinds.
#[test]
fn a_write_that_is_renewed_beside_another_access() {
    let write = |thread, from| told(thread, Access::Write, from, 4);
    for in_cell in [true, false] {
        let halves = [write(1, 0), write(2, 4)];
        let mut before = halves.to_vec();
        if in_cell {
            before.push(write(1, 0));
        }
        for access in KINDS {
            for (from, bytes) in [(0, 4), (2, 4), (4, 4)] {
                let before = before.clone();
                let at_once = [vec![write(1, 0)], vec![told(2, access, from, bytes)]];
                explore(2, Scenario::of(before, at_once));
            }
        }
    }
}

/// Two threads read a word again and again, or change it by atomic operations that order nothing, so that one does it once more without the line's lock, while
/// the other makes an access of any kind, to it or to a word beside it.
#[test]
fn an_entry_that_is_renewed_among_others() {
    for kind in [Access::Read, Access::AtomicRead, Access::AtomicWrite] {
        for access in KINDS {
            for (from, bytes) in [(0, 8), (2, 4), (8, 8)] {
                let again = step(1, kind, 0, 8);
                let at_once = [vec![again], vec![step(2, access, from, bytes)]];
                let scenario = Scenario::among(kind, &[], at_once);
                explore(2, scenario.clone());
                explore(2, scenario.unkept());
            }
        }
    }
}

/// A plain read and an atomic write, each of which could be renewed without the line's lock: not both at once, as neither would see the other.
#[test]
fn a_read_and_an_atomic_write_that_come_back_at_once() {
    let ordered = [
        told(1, Access::AtomicWrite, 0, 8),
        told(1, Access::Read, 0, 8),
        told(2, Access::AtomicWrite, 0, 8),
    ];
    for last in [&ordered[..], &ordered[..2]] {
        for access in [Access::Read, Access::AtomicRead] {
            let write = step(2, Access::AtomicWrite, 0, 8);
            let at_once = [vec![step(1, access, 0, 8)], vec![write]];
            let scenario = Scenario::among(Access::AtomicWrite, last, at_once);
            explore(2, scenario.clone());
            explore(2, scenario.unkept());
        }
    }
}

/// Reads that both keep to themselves, and an atomic write that one of them has made before: it could be made again without the lock, were it not for what
/// the other reads meanwhile.
#[test]
fn an_atomic_write_that_comes_back_beside_a_read_that_is_kept() {
    let mut before = vec![told(1, Access::AtomicWrite, 0, 8)];
    before.extend((0..12).map(|n| step(1 + n % 2, Access::Read, 0, 8)));
    for access in KINDS {
        let write = step(1, Access::AtomicWrite, 0, 8);
        let at_once = [vec![write], vec![step(2, access, 0, 8)]];
        explore(2, Scenario::among(Access::Read, &before, at_once));
    }
}

/// Of reads that are kept, one becomes another's of the same bytes, or is made by the long way.
#[test]
fn reads_that_are_kept_beside_other_reads() {
    for (from, bytes) in [(0, 4), (4, 4), (0, 16)] {
        let again = step(1, Access::Read, 0, 8);
        let at_once = [
            vec![step(1, Access::Read, from, bytes), again],
            vec![step(2, Access::Write, 0, 8)],
        ];
        explore(2, Scenario::among(Access::Read, &[], at_once));
    }
}

/// What renews the cell's entry may have found the line as it was before another access: then who comes next would be told of an
/// access at the wrong site.
#[test]
fn the_site_of_a_cell_that_has_changed_meanwhile() {
    let before = vec![told(2, Access::Read, 0, 8)];
    let writes = [(0, 4), (0, 8)].map(|(from, bytes)| told(1, Access::Write, from, bytes));
    let at_once = [writes.to_vec(), vec![told(2, Access::Read, 4, 4)]];
    explore(2, Scenario::of(before, at_once));
}

#[test]
fn random_scenarios() {
    let first = number("GOLDILOCKS_SEED", 1);
    for seed in first..first + number("GOLDILOCKS_SCENARIOS", 25) {
        explore(
            number("GOLDILOCKS_PREEMPTIONS", 2) as usize,
            Scenario::random(seed),
        );
    }
}
