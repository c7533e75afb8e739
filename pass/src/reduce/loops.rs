//! Checks in loops that can be made once, before the loop.
//!
//! - The address is the same each time: one check.
//! - The accesses of all rounds are next to each other: one check of the range. Several accesses count together if only
//!   together they leave no gap, as those that the vectorizer or the unroller makes of one do.
//! - The accesses of all rounds are at the same small distance from each other: one check of so many ranges, its rows. That is a field of all
//!   small structures in an array, or every other number; of whole words.
//!
//! A check that has gone to the front of a loop is treated as an access of the loop around it. So the rows of a matrix
//! become one range if nothing lies between them.
//!
//! Done only where the check invents nothing. The loop is calm: no instruction of it synchronizes, frees, throws or
//! fails to return, loops in it end; so what it accesses, it accesses in one epoch. The access is made in every round. It is known when the
//! loop is entered how many rounds there are, so there is no way out that depends on what the loop finds (not needed for one
//! address: the first round is sure to be made).

mod alternatives;

use std::collections::{HashMap, HashSet};

use super::Body;
use super::Step;
use super::covered::same_line;
use crate::llvm::{Block, Flow, Loop, Scev, Value};
use crate::select::{self, Check, INLINE_BYTES, LowBits, Range, Work};
use crate::stats::Stats;

/// An access, or the range of all accesses that a loop makes.
struct Item<'m, 'f> {
    start: Scev<'f>,
    /// Bytes, of each row if there are several.
    length: Scev<'f>,
    rows: Option<Rows<'f>>,
    /// The block in which it is made; a loop's preheader if it stands for that loop's accesses.
    block: Block<'m>,
    is_moved: bool,
    /// That of the first access that it stands for.
    check: Check<'m>,
    /// What `start` is a multiple of.
    alignment: u64,
    /// The checks that it replaces, by their numbers.
    works: Vec<usize>,
}

/// Ranges at the same distance from each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Rows<'f> {
    /// 64 bits.
    count: Scev<'f>,
    /// Bytes.
    stride: i64,
}

/// Bytes of a word of the shadow. Rows of parts of words are not checked together: the words are those of several threads more often, each of which would wait for the lock
/// of a line in which it has eight of them (bytes of each word that are each another thread's: five times as long).
const WORD: i64 = 8;

/// Bytes between rows, at most. A line has several of these, which are checked together; farther ones take no less time together than one by one, and more if the
/// thread has accessed them before.
const FARTHEST: i64 = 32;

/// Rounds of a loop, if they are known to be that few, whose accesses are checked one by one, rather than as rows: to call the runtime takes longer.
const FEW_ROUNDS: i64 = 8;

/// Groups that an access is compared with, and rows that may be of one round. An unrolled loop may have thousands of accesses, and what belongs together is
/// near.
const MOST_COMPARED: usize = 32;

/// How often a block is run each time that its loop is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Rounds {
    /// Once more than the loop goes back: it comes before every way out.
    Every,
    /// As often as the loop goes back: it comes after every way out.
    AllButLast,
}

pub fn reduce<'m>(function: Value<'m>, body: &mut Body<'m>, stats: &mut Stats) {
    let flow = Flow::new(function);
    let loops = flow.loops();
    if loops.is_empty() {
        return;
    }
    let mut reduction = Reduction::new(&flow, body);
    for each in loops {
        reduction.one_loop(each, stats);
    }
    let items = std::mem::take(&mut reduction.items);
    for item in items.into_iter().flatten().filter(|item| item.is_moved) {
        let work = item.work(&flow);
        let (first, others) = item
            .works
            .split_first()
            .expect("an item stands for an access");
        body.works[*first] = Some(work);
        for other in others {
            body.works[*other] = None;
        }
    }
}

struct Reduction<'m, 'f> {
    flow: &'f Flow<'m>,
    /// Blocks with an instruction that may synchronize or leave.
    busy: HashSet<Block<'m>>,
    /// `None` for items that a moved one stands for.
    items: Vec<Option<Item<'m, 'f>>>,
    /// Numbers of the items whose innermost loop it is.
    inside: HashMap<Loop<'f>, Vec<usize>>,
    /// Loops of which it is not known that they end.
    endless: HashSet<Loop<'f>>,
}

impl<'m, 'f> Reduction<'m, 'f> {
    fn new(flow: &'f Flow<'m>, body: &Body<'m>) -> Reduction<'m, 'f> {
        let mut reduction = Reduction {
            flow,
            busy: HashSet::new(),
            items: Vec::new(),
            inside: HashMap::new(),
            endless: HashSet::new(),
        };
        for passage in &body.blocks {
            if !flow.is_reachable(passage.block) {
                continue;
            }
            for step in &passage.steps {
                match *step {
                    Step::Effect(_) => {
                        reduction.busy.insert(passage.block);
                    }
                    Step::Work(number) => {
                        if let Some(Work::Check(check)) = body.works[number]
                            && flow.loop_of(passage.block).is_some()
                            && let Some(start) = flow.scev(check.address)
                        {
                            reduction.add(Item {
                                start,
                                length: flow.number(check.bytes as i64),
                                rows: None,
                                block: passage.block,
                                is_moved: false,
                                alignment: check.low.alignment(),
                                check,
                                works: vec![number],
                            });
                        }
                    }
                    Step::Definition(_) => {}
                }
            }
        }
        reduction
    }

    fn add(&mut self, item: Item<'m, 'f>) {
        if let Some(around) = self.flow.loop_of(item.block) {
            self.inside
                .entry(around)
                .or_default()
                .push(self.items.len());
        }
        self.items.push(Some(item));
    }

    fn one_loop(&mut self, this: Loop<'f>, stats: &mut Stats) {
        let flow = self.flow;
        let repeats = flow.repeats(this);
        let has_endless = self.endless.contains(&this);
        if (repeats.is_none() || has_endless)
            && let Some(parent) = this.parent()
        {
            self.endless.insert(parent);
        }
        let Some(numbers) = self.inside.remove(&this) else {
            return;
        };
        let (Some(preheader), Some(latch)) = (flow.preheader(this), flow.latch(this)) else {
            return;
        };
        if has_endless || flow.blocks(this).iter().any(|b| self.busy.contains(b)) {
            return;
        }
        let numbers = self.join_alternatives(this, numbers);
        let exits = flow.exits(this);
        let place = Place {
            flow,
            this,
            preheader,
            end: preheader.terminator(),
        };
        let mut groups: Vec<Group<'m, 'f>> = Vec::new();
        for number in numbers {
            let Some(item) = &self.items[number] else {
                continue;
            };
            let block = item.block;
            if !flow.dominates(block, latch) {
                continue;
            }
            let rounds = if exits.iter().all(|exit| flow.dominates(block, *exit)) {
                Rounds::Every
            } else if exits
                .iter()
                .all(|exit| *exit != block && flow.dominates(*exit, block))
            {
                Rounds::AllButLast
            } else {
                continue;
            };
            if !item.extent().all(|scev| flow.is_invariant(scev, this)) {
                continue;
            }
            if rounds == Rounds::Every && flow.is_invariant(item.start, this) {
                if place.can_hold(item.start, item.extent()) {
                    stats.hoisted += item.works.len();
                    let item = self.items[number].take().expect("it was just there");
                    self.add(Item {
                        block: preheader,
                        is_moved: true,
                        ..item
                    });
                }
                continue;
            }
            if repeats.is_none() || item.rows.is_some() {
                continue;
            }
            let Some((start, step)) = flow.affine(item.start, this) else {
                continue;
            };
            let stride = match (item.length.as_number(), step.as_number()) {
                (Some(_), Some(step)) if step != 0 && step != i64::MIN => Stride::Constant(step),
                _ if step == item.length => Stride::Length,
                _ => continue,
            };
            let member = Member { number, start };
            let fitting = groups
                .iter_mut()
                .rev()
                .take(MOST_COMPARED)
                .find(|group| group.takes(flow, item, rounds, stride, start));
            match fitting {
                Some(group) => group.members.push(member),
                None => groups.push(Group {
                    write: item.check.write,
                    source: item.check.source,
                    rounds,
                    stride,
                    members: vec![member],
                }),
            }
        }
        if let Some(repeats) = repeats {
            for group in groups {
                self.group(&place, group, repeats, stats);
            }
        }
    }

    /// Moves what leaves no gap of a group.
    fn group(
        &mut self,
        place: &Place<'m, 'f>,
        group: Group<'m, 'f>,
        repeats: Scev<'f>,
        stats: &mut Stats,
    ) {
        let flow = self.flow;
        let rounds = match group.rounds {
            Rounds::Every => flow.sum(repeats, flow.number(1)),
            Rounds::AllButLast => repeats,
        };
        let Stride::Constant(step) = group.stride else {
            let [member] = &group.members[..] else {
                return;
            };
            let item = self.items[member.number]
                .as_ref()
                .expect("it is in a group");
            let whole = Whole {
                start: member.start,
                length: flow.product(rounds, item.length),
                rows: None,
                alignment: item.alignment,
            };
            self.replace(place, whole, &[member.number], stats);
            return;
        };
        let mut rest = Vec::new();
        for chain in self.chains(&group) {
            let width = chain.to - chain.from;
            let dense = match group.rounds {
                Rounds::Every => width >= step.abs(),
                // Nothing may be left over if there is no round.
                Rounds::AllButLast => width == step.abs(),
            };
            if !dense {
                if width % WORD == 0 {
                    rest.push(chain);
                }
                continue;
            }
            // Rounds but the first one, of those in which it is made.
            let later = match group.rounds {
                Rounds::Every => repeats,
                Rounds::AllButLast => flow.sum(repeats, flow.number(-1)),
            };
            let way = flow.product(later, flow.number(step));
            let start = if step > 0 {
                chain.start
            } else {
                flow.sum(chain.start, way)
            };
            let length = flow.sum(
                flow.product(later, flow.number(step.abs())),
                flow.number(width),
            );
            let whole = Whole {
                start,
                length,
                rows: None,
                alignment: chain.alignment.min(1 << step.trailing_zeros().min(12)),
            };
            self.replace(place, whole, &chain.items, stats);
        }
        let are_few = repeats
            .as_number()
            .is_some_and(|repeats| repeats < FEW_ROUNDS);
        if are_few {
            return;
        }
        for Progression {
            chains,
            stride,
            each_round,
        } in progressions(rest, step, group.rounds)
        {
            let first = &chains[0];
            // Those of the last round reach farther than one round's.
            let more = chains.len() as i64 - each_round;
            let count = flow.product(rounds, flow.number(each_round));
            let whole = Whole {
                start: first.start,
                length: flow.number(first.to - first.from),
                rows: Some(Rows {
                    count: flow.sum(count, flow.number(more)),
                    stride,
                }),
                alignment: first.alignment,
            };
            let numbers: Vec<_> = chains.iter().flat_map(|chain| &chain.items).collect();
            self.replace(place, whole, numbers, stats);
        }
    }

    /// Puts one check before the loop in the place of those of these items, if it can be there.
    fn replace<'n>(
        &mut self,
        place: &Place<'m, 'f>,
        whole: Whole<'f>,
        numbers: impl IntoIterator<Item = &'n usize>,
        stats: &mut Stats,
    ) {
        let Whole {
            start,
            length,
            rows,
            alignment,
        } = whole;
        if !place.can_hold(start, extent(length, rows)) {
            return;
        }
        let mut first: Option<Item> = None;
        let mut works = Vec::new();
        for &number in numbers {
            let item = self.items[number].take().expect("it is in one chain");
            works.extend(&item.works);
            if first.as_ref().is_none_or(|first| item.works < first.works) {
                first = Some(item);
            }
        }
        works.sort_unstable();
        stats.ranged += works.len();
        let first = first.expect("a check stands for some");
        self.add(Item {
            start,
            length,
            rows,
            block: place.preheader,
            is_moved: true,
            check: first.check,
            alignment,
            works,
        });
    }

    /// What the members of a group cover in one round, in pieces without gaps.
    fn chains(&self, group: &Group<'m, 'f>) -> Vec<Chain<'f>> {
        let origin = group.members[0].start;
        let mut parts: Vec<_> = group
            .members
            .iter()
            .filter_map(|member| {
                let offset = self.flow.difference(member.start, origin)?;
                let item = self.items[member.number].as_ref()?;
                Some((offset, item.length.as_number()?, member, item.alignment))
            })
            .collect();
        parts.sort_by_key(|(offset, ..)| *offset);
        let mut chains: Vec<Chain<'f>> = Vec::new();
        for (offset, bytes, member, alignment) in parts {
            match chains.last_mut() {
                Some(chain) if offset <= chain.to => {
                    chain.to = chain.to.max(offset + bytes);
                    chain.items.push(member.number);
                }
                _ => chains.push(Chain {
                    from: offset,
                    to: offset + bytes,
                    start: member.start,
                    alignment,
                    items: vec![member.number],
                }),
            }
        }
        chains
    }
}

/// Where checks go: the end of a loop's preheader.
struct Place<'m, 'f> {
    flow: &'f Flow<'m>,
    this: Loop<'f>,
    preheader: Block<'m>,
    end: Value<'m>,
}

impl<'f> Place<'_, 'f> {
    fn can_hold(&self, start: Scev<'f>, extent: impl Iterator<Item = Scev<'f>>) -> bool {
        std::iter::once(start).chain(extent).all(|scev| {
            self.flow.is_invariant(scev, self.this) && self.flow.is_expandable(scev, self.end)
        })
    }
}

/// By how much an address moves in each round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stride {
    Constant(i64),
    /// By what is accessed.
    Length,
}

/// All that a loop accesses by some of its items.
struct Whole<'f> {
    start: Scev<'f>,
    length: Scev<'f>,
    rows: Option<Rows<'f>>,
    alignment: u64,
}

/// Accesses of one kind and line that move together.
struct Group<'m, 'f> {
    write: bool,
    source: Value<'m>,
    rounds: Rounds,
    stride: Stride,
    members: Vec<Member<'f>>,
}

/// An item, and where it is in the first round.
struct Member<'f> {
    number: usize,
    start: Scev<'f>,
}

impl<'m, 'f> Group<'m, 'f> {
    fn takes(
        &self,
        flow: &'f Flow<'m>,
        item: &Item<'m, 'f>,
        rounds: Rounds,
        stride: Stride,
        start: Scev<'f>,
    ) -> bool {
        stride != Stride::Length
            && (self.write, self.rounds) == (item.check.write, rounds)
            && self.stride == stride
            && same_line(self.source, item.check.source)
            && flow.difference(start, self.members[0].start).is_some()
    }
}

/// Accesses of one round without a gap between them.
struct Chain<'f> {
    /// Bytes from the start of the group's first member.
    from: i64,
    to: i64,
    start: Scev<'f>,
    alignment: u64,
    items: Vec<usize>,
}

/// Finds rows in the pieces of one round, which has no more of them than are needed.
fn progressions<'f>(mut chains: Vec<Chain<'f>>, step: i64, rounds: Rounds) -> Vec<Progression<'f>> {
    let mut found = Vec::new();
    // An unrolled loop has several rows in each round.
    for each_round in (1..=chains.len().min(MOST_COMPARED) as i64).rev() {
        if step % each_round != 0 {
            continue;
        }
        let stride = step / each_round;
        if stride.abs() > FARTHEST || stride % WORD != 0 {
            continue;
        }
        let number = |chain: &Chain| chain.from.div_euclid(stride);
        let class = |chain: &Chain| (chain.to - chain.from, chain.from.rem_euclid(stride));
        chains.sort_by_key(|chain| (class(chain), number(chain)));
        let mut runs: Vec<Vec<Chain>> = Vec::new();
        for chain in std::mem::take(&mut chains) {
            let follows =
                |last: &Chain| class(last) == class(&chain) && number(last) + 1 == number(&chain);
            match runs.last_mut() {
                Some(run) if run.last().is_some_and(follows) => run.push(chain),
                _ => runs.push(vec![chain]),
            }
        }
        for run in runs {
            let all = run.len() as i64;
            let fits = match rounds {
                Rounds::Every => all >= each_round,
                // Nothing may be left over if there is no round.
                Rounds::AllButLast => all == each_round,
            };
            if fits {
                found.push(Progression {
                    chains: run,
                    stride,
                    each_round,
                });
            } else {
                chains.extend(run);
            }
        }
    }
    found
}

/// Pieces of the same length, each at the same distance from the one before: rows, of which the rounds of a loop go through so many each.
struct Progression<'f> {
    chains: Vec<Chain<'f>>,
    /// Bytes.
    stride: i64,
    each_round: i64,
}

/// What says how far an access reaches.
fn extent<'f>(length: Scev<'f>, rows: Option<Rows<'f>>) -> impl Iterator<Item = Scev<'f>> {
    std::iter::once(length).chain(rows.map(|rows| rows.count))
}

impl<'m, 'f> Item<'m, 'f> {
    fn extent(&self) -> impl Iterator<Item = Scev<'f>> + use<'f> {
        extent(self.length, self.rows)
    }
    /// The check to make, at the end of its block.
    fn work(&self, flow: &Flow<'m>) -> Work<'m> {
        let before = self.block.terminator();
        let address = flow.expand(self.start, before);
        let (source, write) = (self.check.source, self.check.write);
        match self.length.as_number() {
            Some(bytes) if bytes <= INLINE_BYTES as i64 && self.rows.is_none() => {
                Work::Check(Check {
                    before,
                    source,
                    address,
                    bytes: bytes as u64,
                    write,
                    low: LowBits::new(address.known_low_bits(before), self.alignment),
                })
            }
            _ => Work::Range(Range {
                before,
                source,
                address,
                bytes: flow.expand(self.length, before),
                write,
                rows: self.rows.map(|rows| select::Rows {
                    count: flow.expand(rows.count, before),
                    stride: rows.stride,
                }),
            }),
        }
    }
}
