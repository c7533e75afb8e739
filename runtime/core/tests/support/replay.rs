//! The engine with a small shadow, run on a trace.

use super::memory::{EventSites, Memory, Tables};
use goldilocks_core::atomics;
use goldilocks_core::detector::{Buffers, Detector, Found, OutOfEpochs, Parts, Race, Shadow};
use goldilocks_core::epoch::EpochId;
use goldilocks_core::event::{Access, Effect, Entity, Role};
use goldilocks_core::goldilocks::{Config, Counts, Engine, Past, ShortCircuits, Thread};
use goldilocks_core::joins::FEW_WORDS;
use goldilocks_core::line::Site;
use goldilocks_core::line_sites::SPLIT;
use goldilocks_core::objects::Holds;
use goldilocks_core::records::RECORD;
use goldilocks_core::slab::Slab;
use goldilocks_core::strided::Rows;
use goldilocks_core::sweep::Sweep;
use goldilocks_core::tag::Tag;
use goldilocks_core::trace::{Action, Range, Serial, Trace, TraceEvent};
use std::collections::HashMap;
use std::sync::atomic::Ordering;

/// How the engine is set up.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    pub config: Config,
    /// Granules of epoch ids, plus one. Where there are few, they are small.
    pub epochs: usize,
    /// Whether plain accesses within a word are first compared as compiled code does it (SC0).
    pub sc0: bool,
    /// Whether plain accesses within a word take the short way where they can.
    pub quick: bool,
    /// Whether a thread is made at its own first event, from what its creator knew at the fork, as tasks are.
    pub late: bool,
    /// Combinations of sites that get names, before words get records.
    pub names: usize,
    /// Words that get records before there is a set of their readers.
    pub few_words: u8,
    /// How often a thread has come back to an atomic before it keeps its accesses.
    pub returns: u8,
    /// Whether the accesses of a thread that are alike but for the word, and for being reads or writes, come from one place, as those of a loop do. Otherwise each
    /// comes from its own.
    pub loops: bool,
    /// And whether those of all threads do.
    pub alike: bool,
    /// Bytes of the rows that plain accesses are made as; 0 if they are not.
    pub row_bytes: u64,
}

impl Setup {
    /// Rows that are together all of a range, which is to be made as rows. Not parts of words in one trace with blocks that end: the first part of one that is
    /// accessed is the last one that is used after the end.
    fn rows(&self, (addr, bytes): (u64, u64), frees: bool) -> Option<Rows> {
        let row = self.row_bytes.min(bytes);
        if row == 0 || frees && (addr | bytes | row) & 7 != 0 {
            return None;
        }
        // Next to each other, or overlapping.
        let stride = match (bytes.is_multiple_of(row), frees) {
            (true, _) => row,
            (false, true) => 8,
            (false, false) => 1,
        };
        let backwards = addr >> 3 & 1 == 1;
        Some(Rows {
            start: addr + if backwards { bytes - row } else { 0 },
            count: (bytes - row) / stride + 1,
            stride: stride as i64 * if backwards { -1 } else { 1 },
            bytes: row,
        })
    }
    /// Which event each one's site says: itself, or the first one from its place.
    pub fn places(&self, trace: &Trace) -> Vec<usize> {
        let mut first = HashMap::new();
        let place = |(index, event): (usize, &TraceEvent)| match event.action {
            Action::Access(_, range) if self.loops => {
                let thread = if self.alike { 0 } else { event.thread };
                let alike = (thread, range.bytes, range.addr & 7);
                *first.entry(alike).or_insert(index)
            }
            _ => index,
        };
        trace.0.iter().enumerate().map(place).collect()
    }
}

/// Every combination of short circuits and bounds.
pub fn all_setups() -> Vec<Setup> {
    let mut setups = Vec::new();
    for circuits in 0..8 {
        let on = |bit: u32| circuits >> bit & 1 == 1;
        for walk_limit in [0, 1, 3, 128] {
            for list_bound in [1, 4, 4096] {
                let short_circuits = ShortCircuits {
                    sc1: on(0),
                    sc2: on(1),
                    sc3: on(2),
                };
                setups.push(Setup {
                    config: Config {
                        short_circuits,
                        walk_limit,
                        list_bound,
                        defer_releases: setups.len() % 3 != 0,
                        goes_back: setups.len() % 7 < 5,
                        settle_after: [1, 4, 0, 2][setups.len() % 4],
                        kept_reads: [2, 0, 64, 1, 4096][setups.len() % 5],
                    },
                    epochs: 1 << 14,
                    sc0: setups.len() % 2 == 0,
                    // It relies on these two.
                    quick: on(0) && on(1),
                    late: setups.len() % 5 < 2,
                    names: [0, 10, usize::MAX][setups.len() / 2 % 3],
                    few_words: [1, 3, 1, FEW_WORDS][setups.len() / 3 % 4],
                    returns: [1, 0, 3][setups.len() / 2 % 3],
                    loops: setups.len() / 5 % 2 == 0,
                    alike: setups.len() / 10 % 3 != 0,
                    row_bytes: [0, 8, 0, 1, 0, 3, 16][setups.len() % 7],
                });
            }
        }
    }
    setups
}

/// A byte that the engine reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported {
    pub byte: u64,
    /// Event of the earlier access, as its site says ([`Setup::places`]).
    pub earlier: usize,
    pub access: Access,
    pub freed: bool,
    pub ordered: bool,
}

/// What the engine said.
pub struct Outcome {
    /// By event; shorter than the trace if the epoch ids ran out for good.
    pub reports: Vec<Vec<Reported>>,
    pub counts: Counts,
    /// Sweeps made.
    pub sweeps: usize,
    /// Accesses that SC0 decided.
    pub sc0: usize,
    /// Accesses that the short way decided.
    pub quick: usize,
    /// Atomic loads that brought nothing, as what the object held was known.
    pub heard: usize,
    /// Words whose sites are in records at the end.
    pub records: usize,
}

/// Runs a trace that could have happened.
pub fn replay(trace: &Trace, setup: Setup) -> Outcome {
    let tables = Tables::take();
    let outcome = run(trace, setup, &tables);
    tables.give();
    outcome
}

fn run(trace: &Trace, setup: Setup, tables: &Tables) -> Outcome {
    let threads = 1 + trace
        .0
        .iter()
        .filter(|event| matches!(event.action, Action::Fork(_)))
        .count();
    let mut epochs = tables.epochs(setup.epochs);
    if setup.config.walk_limit == 1 {
        epochs = epochs.with_first_limit(2);
    }
    let engine = Engine::new(epochs, threads, setup.config);
    let slab = tables.slab();
    let memory = Memory::of(trace);
    let sites = EventSites::new(setup.names);
    let detector = Detector {
        engine: &engine,
        slab: &slab,
        shadow: &memory,
        sites: &sites,
    };
    let sites = &sites;
    let mut state = State {
        threads: HashMap::from([(0, engine.unrelated_thread().expect("the first slot"))]),
        ended: HashMap::new(),
        gathered: HashMap::new(),
        buffers: std::array::from_fn(|_| Buffers::with_sets_after(setup.few_words, setup.returns)),
        read_sets: HashMap::new(),
        setup,
        frees: trace
            .0
            .iter()
            .any(|event| matches!(event.action, Action::Free(_))),
        sc0: setup.sc0,
        sc0_hits: 0,
        quick: setup.quick,
        quick_accesses: 0,
        held: HashMap::new(),
        heard: 0,
        late: setup.late,
        starts: HashMap::new(),
        slots: threads,
    };
    let mut outcome = Outcome {
        reports: Vec::new(),
        counts: Counts::default(),
        sweeps: 0,
        sc0: 0,
        quick: 0,
        heard: 0,
        records: 0,
    };
    let joins = joined_next(trace);
    let places = setup.places(trace);
    'events: for (index, event) in trace.0.iter().enumerate() {
        if engine.epochs.is_spent() {
            outcome.sweeps += 1;
            state.sweep(&engine, &slab, &memory);
        }
        let mut reports = Vec::new();
        loop {
            let found = |_: &mut Thread, race: Race| {
                let word = race.addr & !7;
                for bit in (0..8).filter(|bit| race.earlier.tag.mask() >> bit & 1 != 0) {
                    reports.push(Reported {
                        byte: word + bit as u64,
                        earlier: sites.event(race.earlier.site, bit),
                        access: race.earlier.access(),
                        freed: race.freed,
                        ordered: race.ordered,
                    });
                }
            };
            match state.step(
                &detector,
                event.thread,
                event.action,
                places[index] as Site + 1,
                found,
            ) {
                Ok(()) => break,
                Err(OutOfEpochs) => {
                    outcome.sweeps += 1;
                    state.sweep(&engine, &slab, &memory);
                    if engine.epochs.available() == 0 {
                        break 'events;
                    }
                }
            }
        }
        outcome.reports.push(reports);
        if let Some(other) = joins[index] {
            state.wait(&engine, event.thread, other);
        }
    }
    outcome.sc0 = state.sc0_hits;
    outcome.quick = state.quick_accesses;
    outcome.heard = state.heard;
    outcome.records = memory
        .lines()
        .filter(|(_, word, _)| word.load(Ordering::Relaxed) & SPLIT != 0)
        .flat_map(|(_, _, numbers)| numbers)
        .filter(|number| number.load(Ordering::Relaxed) & RECORD != 0)
        .count();
    for thread in state.threads.values().chain(state.ended.values()) {
        outcome.counts.add(&thread.counts);
    }
    outcome
}

/// For each event, whom its thread joins next, if it does nothing else before.
fn joined_next(trace: &Trace) -> Vec<Option<Serial>> {
    let mut next = HashMap::new();
    let mut joins: Vec<_> = (trace.0.iter().rev())
        .map(|event| {
            let joined = match event.action {
                Action::Join(other) => Some(other),
                _ => None,
            };
            next.insert(event.thread, joined).flatten()
        })
        .collect();
    joins.reverse();
    joins
}

struct State {
    threads: HashMap<Serial, Thread>,
    ended: HashMap<Serial, Thread>,
    /// Barriers: the last generation that somebody entered.
    gathered: HashMap<u64, u64>,
    /// Some have theirs for themselves, and some share them, as fibers do.
    buffers: [Buffers; 24],
    /// By thread: the read set that its last access found itself in, while the epoch lasts.
    read_sets: HashMap<Serial, (EpochId, Tag)>,
    setup: Setup,
    /// Blocks end in the trace.
    frees: bool,
    sc0: bool,
    sc0_hits: usize,
    quick: bool,
    quick_accesses: usize,
    /// What objects hold, as far as it is known, as those who load atomics look at it.
    held: HashMap<u64, Holds>,
    /// Loads of what the thread knew.
    heard: usize,
    late: bool,
    /// Threads that have been forked and have done nothing yet.
    starts: HashMap<Serial, Past>,
    slots: usize,
}

fn start_of(child: Serial) -> Entity {
    Entity::object(child as u64, Role::ThreadStart)
}

/// An atomic instruction, of which nobody else sees the middle: what the thread has released last to the same object it need not
/// have. The result is what the object holds then.
pub fn atomic_instruction(
    engine: &Engine,
    thread: &mut Thread,
    effect: Effect,
    object: Entity,
) -> Holds {
    let again = effect.has(Effect::RELEASE) && thread.has_just_released(object);
    let alone = if again { Effect::ALONE } else { Effect(0) };
    let (sink, source) = (effect.sink_part().with(alone), effect.source_part());
    // Of some objects, as a load does it that leaves others' locks alone.
    let takes = Effect::ACQUIRE.0 | Effect::ACQUIRE_RELAXED.0;
    let is_short = source.0 == 0 && sink.0 & !takes == 0 && object.0.count_ones().is_multiple_of(2);
    if is_short && sink.has(Effect::ACQUIRE) {
        engine.flush(thread);
    }
    let mut section = engine.section(object, true);
    if is_short {
        assert!(section.acquire_shortly(thread, sink, 0));
    } else if source.0 == 0 {
        section.event(thread, sink, 0);
    } else {
        section.first_event(thread, sink, 0);
        section.event(thread, source, 0);
    }
    let holds = section.holds();
    section.end(thread);
    holds
}

fn object(number: u64) -> Entity {
    Entity::object(number, Role::Object)
}

fn readers(number: u64) -> Entity {
    Entity::object(number, Role::Readers)
}

fn barrier(number: u64, generation: u64) -> Entity {
    Entity::object(
        number,
        if generation.is_multiple_of(2) {
            Role::BarrierEven
        } else {
            Role::BarrierOdd
        },
    )
}

/// SC0, as compiled code and the check stubs do it: the cell is read without the line's lock, the tag of the access compared
/// with the thread's present epoch, and that of a read with the read set that holds the thread.
fn same_epoch(
    memory: &Memory,
    thread: &Thread,
    set: Option<&(EpochId, Tag)>,
    access: Access,
    range: Range,
) -> bool {
    let within_word = range.addr >> 3 == (range.addr + range.bytes - 1) >> 3;
    let (Some(epoch), false, true) = (thread.epoch(), access.is_atomic(), within_word) else {
        return false;
    };
    let mask = (((1u16 << range.bytes) - 1) << (range.addr & 7)) as u8;
    let cell =
        memory.line(range.addr).cells[(range.addr >> 3 & 7) as usize].load(Ordering::Relaxed);
    let (write, read) = (Tag(cell as u32), Tag((cell >> 32) as u32));
    let present = Tag::new(epoch, false, 0xff);
    if access.is_write() {
        return write.covers(present, mask);
    }
    read.covers(present, mask)
        || set.is_some_and(|&(of, set)| of == epoch && read.covers(set, mask))
}

impl State {
    fn step(
        &mut self,
        detector: &Detector<'_, Memory, EventSites>,
        serial: Serial,
        action: Action,
        site: Site,
        found: impl FnMut(&mut Thread, Race),
    ) -> Result<(), OutOfEpochs> {
        let engine = detector.engine;
        let own = serial as usize % self.buffers.len();
        if let Some(past) = self.starts.remove(&serial) {
            let thread = engine.fork_from(&past, start_of(serial), self.slots);
            let thread = thread.expect("there is a slot for every thread");
            self.threads.insert(serial, thread);
        }
        let thread = self.threads.get_mut(&serial).expect("the thread runs");
        match action {
            Action::Lock(m)
            | Action::Unlock(m)
            | Action::ReadLock(m)
            | Action::WriteLock(m)
            | Action::WriteUnlock(m)
            | Action::Post(m)
            | Action::Wait(m) => drop(self.held.remove(&m)),
            _ => {}
        }
        match action {
            Action::Access(access, range) => {
                let set = self.read_sets.get(&serial);
                if self.sc0 && same_epoch(detector.shadow, thread, set, access, range) {
                    self.sc0_hits += 1;
                    return Ok(());
                }
                let within_word = (range.addr & 7) + range.bytes <= 8;
                let range = (range.addr, range.bytes);
                let rows = self.setup.rows(range, self.frees);
                if let Some(rows) = rows.filter(|_| !access.is_atomic()) {
                    let buffers = &mut self.buffers[own];
                    detector.access_rows(thread, buffers, &rows, access.is_write(), site, found)?;
                } else {
                    if self.quick
                        && (within_word || !access.is_atomic())
                        && let Some(epoch) = engine.epoch_quick(thread)
                    {
                        let (epoch, buffers) = ((epoch, access.is_write()), &self.buffers[own]);
                        let mut met = Tag::NONE;
                        let done = if access.is_atomic() {
                            detector.has_made_atomic(thread, range, epoch.0, epoch.1)
                                || detector.atomic_quick(thread, buffers, range, epoch, site)
                        } else if within_word {
                            let found = &mut Found::default();
                            let made = detector.access_shortly(
                                thread,
                                (buffers, &mut *found),
                                range,
                                epoch,
                                site,
                            );
                            met = found.read_set;
                            made
                        } else {
                            detector.words_quick(
                                range,
                                epoch,
                                |_| true,
                                |at, tag, is_there| {
                                    let word = (tag, epoch.1);
                                    let found = &mut Found::default();
                                    let made = is_there.0
                                        || detector
                                            .known_quick(thread, (buffers, found), at, word, site)
                                            .unwrap_or_else(|| {
                                                let found = (buffers, &mut *found);
                                                detector.word_quick(thread, found, at, word, site)
                                            });
                                    if found.read_set != Tag::NONE {
                                        met = found.read_set;
                                    }
                                    made
                                },
                            )
                        };
                        if met != Tag::NONE {
                            self.read_sets.insert(serial, (epoch.0, met));
                        }
                        if done {
                            self.quick_accesses += 1;
                            return Ok(());
                        }
                    }
                    detector.access(thread, &mut self.buffers[own], range, access, site, found)?;
                }
                if let (Some(set), Some(epoch)) =
                    (self.buffers[own].take_read_set(), thread.epoch())
                {
                    self.read_sets.insert(serial, (epoch, set));
                }
            }
            Action::Free(range) => detector.free(
                thread,
                &mut self.buffers[own],
                (range.addr, range.bytes),
                site,
                found,
            )?,
            Action::Alloc(range) => {
                detector.fresh(&mut self.buffers[own], (range.addr, range.bytes))
            }
            Action::Lock(m) => {
                engine.sync(thread, Effect::ACQUIRE.with(Effect::ALONE), object(m), 0);
                engine.lock_held(thread, object(m));
            }
            Action::Unlock(m) => {
                engine.sync(thread, Effect::RELEASE, object(m), 0);
                engine.lock_released(thread, object(m));
            }
            Action::ReadLock(m) => {
                engine.sync(thread, Effect::ACQUIRE, object(m), 0);
                engine.sync(thread, Effect::ALONE, readers(m), 0);
                engine.lock_held(thread, object(m));
            }
            Action::ReadUnlock(m) => {
                engine.sync(thread, Effect::RELEASE, readers(m), 0);
                engine.lock_released(thread, object(m));
            }
            Action::WriteLock(m) => {
                let alone = Effect::ACQUIRE.with(Effect::ALONE);
                for (effect, part) in [(alone, object(m)), (Effect::ACQUIRE, readers(m))] {
                    engine.sync(thread, effect, part, 0);
                    engine.lock_held(thread, part);
                }
            }
            Action::WriteUnlock(m) => {
                engine.sync(thread, Effect::RELEASE, object(m), 0);
                engine.lock_released(thread, object(m));
                engine.lock_released(thread, readers(m));
            }
            Action::Post(m) => engine.sync(thread, Effect::RELEASE, object(m), 0),
            Action::Wait(m) => engine.sync(thread, Effect::ACQUIRE, object(m), 0),
            Action::Enter {
                barrier: number,
                generation,
                ..
            } => {
                let first = self.gathered.insert(number, generation) != Some(generation);
                let effect = if first {
                    Effect::CLEAR.with(Effect::RELEASE)
                } else {
                    Effect::RELEASE
                };
                engine.sync(thread, effect, barrier(number, generation), 0);
            }
            Action::Leave {
                barrier: number,
                generation,
            } => engine.sync(thread, Effect::ACQUIRE, barrier(number, generation), 0),
            Action::Atomic(number, atomic) => {
                let (operation, success) = atomic.operation();
                let effect = atomics::effect(operation, success);
                let source = effect.source_part();
                let held = self.held.get(&number).copied().unwrap_or_default();
                if self.quick && source.0 == 0 && thread.has_heard(held) {
                    self.heard += 1;
                } else {
                    let holds = atomic_instruction(engine, thread, effect, object(number));
                    // Who only goes on with a release sequence may leave it as it was.
                    if source.0 != Effect::RELEASE_RELAXED.0 || thread.has_release_fence() {
                        self.held.insert(number, holds);
                    }
                }
            }
            Action::Fence(order) => {
                if let Some(effect) = atomics::fence_effect(order) {
                    engine.sync(thread, effect, Entity::NONE, 0);
                }
            }
            Action::Fork(child) if self.late => {
                let past = engine.past(thread, start_of(child), 0);
                self.starts.insert(child, past);
            }
            Action::Fork(child) => {
                let new = engine
                    .fork(thread, child as u64, 0)
                    .expect("there is a slot for every thread");
                self.threads.insert(child, new);
            }
            Action::End => {
                let mut thread = self.threads.remove(&serial).expect("the thread runs");
                engine.end(&mut thread, serial as u64, 0);
                self.ended.insert(serial, thread);
            }
            Action::Join(child) => {
                engine.join(thread, child as u64, &self.ended[&child], 0);
                engine.waits_no_more(thread);
            }
            Action::Destroy(number) => {
                self.gathered.remove(&number);
                for role in [
                    Role::Object,
                    Role::Readers,
                    Role::BarrierEven,
                    Role::BarrierOdd,
                ] {
                    engine.forget(thread, Entity::object(number, role));
                }
            }
        }
        Ok(())
    }

    /// The thread does nothing until it joins the other.
    fn wait(&self, engine: &Engine, serial: Serial, other: Serial) {
        if let (Some(thread), Some(other)) = (self.threads.get(&serial), self.threads.get(&other)) {
            engine.waits_for(thread, other.incarnation());
        }
    }

    fn sweep(&mut self, engine: &Engine, slab: &Slab, memory: &Memory) -> usize {
        if let Some(thread) = self.threads.values_mut().next() {
            engine.settle_now(thread);
        }
        let mut sweep = Sweep::new(&engine.epochs, slab);
        for (cells, word, sites) in memory.lines() {
            assert_eq!(
                word.load(Ordering::Relaxed) >> 31,
                0,
                "a line has stayed locked"
            );
            sweep.line(Parts { cells, word, sites });
        }
        self.read_sets.clear();
        for thread in self.threads.values_mut() {
            sweep.thread(thread);
        }
        sweep.finish()
    }
}
