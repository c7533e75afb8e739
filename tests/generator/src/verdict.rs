//! What the detector must say of a program under a schedule: reachability in the graph of happens-before, per byte.

use crate::program::{Action, Bytes, Program, Schedule, ThreadId};
use crate::state::{Event, Impossible, State};
use goldilocks_core::event::Access;
use goldilocks_core::happens_before::HappensBefore;
use goldilocks_core::trace::TraceEvent;
use std::collections::{BTreeMap, BTreeSet};

/// A byte of the program's memory: place and offset.
pub type Byte = (usize, usize);
/// A turn of a thread, counted from 0 for each thread.
pub type TurnId = (ThreadId, usize);

/// What the first race of a byte is, if that is touched after its block was freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFree {
    Ordered,
    Unordered,
    /// Before the free, or after it: it depends on the compiler which of the turn's accesses is the first that races.
    Open,
}

/// What is expected of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// By position in the schedule: the bytes whose first race is in this turn, with the turns of the accesses that race.
    pub races: Vec<BTreeMap<Byte, Vec<TurnId>>>,
    /// Likewise, of bytes of a freed block: how the access stands to the free.
    pub freed: Vec<BTreeMap<Byte, AfterFree>>,
    /// From which position on nothing is claimed of a byte: after its first race, or from where it depends on the compiler
    /// whether there is one.
    pub open: BTreeMap<Byte, usize>,
    /// Which turn each position is.
    pub turns: Vec<TurnId>,
}

impl Verdict {
    /// Bytes that race.
    pub fn count(&self) -> usize {
        self.races.iter().map(BTreeMap::len).sum()
    }
}

#[derive(Clone)]
struct Touched {
    node: usize,
    turn: TurnId,
    access: Access,
    must: bool,
}

/// The verdict, if the program can follow the schedule to its end. A schedule that is only begun is fine.
pub fn verdict(program: &Program, schedule: &Schedule) -> Result<Verdict, Impossible> {
    let mut run = Run::new(program);
    for &thread in schedule {
        let turns = &program.threads[thread].turns;
        let number = run.next[thread];
        let actions = turns.get(number).ok_or(Impossible)?;
        run.turn(thread, actions, number + 1 == turns.len())?;
    }
    Ok(run.verdict)
}

/// A run, turn by turn.
#[derive(Clone)]
pub struct Run<'a> {
    pub state: State<'a>,
    order: HappensBefore,
    nodes: usize,
    next: Vec<usize>,
    past: BTreeMap<Byte, Vec<Touched>>,
    /// Words that are marked as freed, by place and number, in which turn, and when. Whoever touches one takes the mark away.
    freed: BTreeMap<(usize, usize), (TurnId, usize)>,
    pub verdict: Verdict,
}

impl<'a> Run<'a> {
    /// Nothing has happened. Of the program's threads only what they are counts, not their turns.
    pub fn new(program: &'a Program) -> Run<'a> {
        Run {
            state: State::new(program),
            order: HappensBefore::default(),
            nodes: 0,
            next: vec![0; program.threads.len()],
            past: BTreeMap::new(),
            freed: BTreeMap::new(),
            verdict: Verdict::default(),
        }
    }

    /// The next turn of a thread, `last` if it is its last one. When it is impossible the run is spoilt.
    pub fn turn(
        &mut self,
        thread: ThreadId,
        actions: &[Action],
        last: bool,
    ) -> Result<(), Impossible> {
        let number = self.next[thread];
        self.next[thread] += 1;
        let events = self.state.turn(thread, actions, last)?;
        let position = self.verdict.turns.len();
        self.verdict.turns.push((thread, number));
        let mut racing: BTreeMap<Byte, Vec<TurnId>> = BTreeMap::new();
        let mut certain: BTreeSet<Byte> = BTreeSet::new();
        let mut after_free: BTreeMap<Byte, AfterFree> = BTreeMap::new();
        let mut moved = Vec::new();
        for event in events {
            match event {
                Event::Sync(action) => {
                    self.order.step(&TraceEvent::new(thread as u32, action));
                    self.nodes += 1;
                }
                Event::Moved { from, to } => moved.push((from, to)),
                Event::Freed(place) => {
                    // What is behind the last byte of a block, in its word, is nobody's.
                    let words = 0..self.state.bytes_of(place).div_ceil(8);
                    let free = ((thread, number), self.nodes - 1);
                    self.freed.extend(words.map(|word| ((place, word), free)));
                }
                Event::Touch {
                    bytes,
                    access,
                    must,
                    ..
                } => {
                    for byte in each(bytes) {
                        let now = Touched {
                            node: self.nodes - 1,
                            turn: (thread, number),
                            access,
                            must,
                        };
                        let past = self.past.entry(byte).or_default();
                        let order = &self.order;
                        let unordered = past.iter().filter(|earlier| {
                            earlier.turn.0 != thread
                                && earlier.access.conflicts(access)
                                && !order.ordered(earlier.node, now.node)
                        });
                        // An access after the free is one too many, whatever orders them.
                        if let Some(&(free, node)) = self.freed.get(&(byte.0, byte.1 / 8)) {
                            let ordered = free.0 == thread || order.ordered(node, now.node);
                            let stands = match ordered {
                                true => AfterFree::Ordered,
                                false => AfterFree::Unordered,
                            };
                            // What has raced in this turn already, has not raced because of the free.
                            if !racing.contains_key(&byte) {
                                after_free.insert(byte, stands);
                            } else if !certain.contains(&byte) {
                                after_free.insert(byte, AfterFree::Open);
                            }
                            racing.entry(byte).or_default().push(free);
                            if must {
                                certain.insert(byte);
                            }
                        }
                        for earlier in unordered {
                            racing.entry(byte).or_default().push(earlier.turn);
                            if earlier.must && must {
                                certain.insert(byte);
                            }
                        }
                        past.push(now);
                    }
                    self.freed.retain(|&(place, word), _| {
                        place != bytes.place
                            || 8 * word + 8 <= bytes.offset
                            || bytes.offset + bytes.length <= 8 * word
                    });
                }
            }
        }
        racing.retain(|byte, _| !self.verdict.open.contains_key(byte));
        for byte in racing.keys() {
            let from = position + certain.contains(byte) as usize;
            self.verdict.open.insert(*byte, from);
        }
        racing.retain(|byte, _| certain.contains(byte));
        for (from, to) in moved {
            // Bytes that stay where they are may keep their past: who races with what the move has written, races with that as well.
            let before: Vec<(Byte, Vec<Touched>)> = self
                .past
                .range((from, 0)..(from + 1, 0))
                .map(|(&(_, offset), past)| ((to, offset), past.clone()))
                .collect();
            for (byte, past) in before {
                let past = past.into_iter().map(|touched| Touched {
                    must: false,
                    ..touched
                });
                self.past.entry(byte).or_default().extend(past);
            }
            // What has raced may keep its past, if it stays where it is.
            let open: Vec<Byte> = self
                .verdict
                .open
                .range((from, 0)..(from + 1, 0))
                .map(|(byte, _)| *byte)
                .collect();
            for (_, offset) in open {
                self.verdict.open.entry((to, offset)).or_insert(position);
            }
        }
        after_free.retain(|byte, _| racing.contains_key(byte));
        self.verdict.races.push(racing);
        self.verdict.freed.push(after_free);
        Ok(())
    }
}

fn each(bytes: Bytes) -> impl Iterator<Item = Byte> {
    (bytes.offset..bytes.offset + bytes.length).map(move |offset| (bytes.place, offset))
}
