//! Checks in loops that can be made once, before the loop.
//!
//! - The address is the same each time: one check.
//! - The accesses of all rounds are next to each other: one check of the range. Several accesses count together if only
//!   together they leave no gap, as those that the vectorizer or the unroller makes of one do.
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
use crate::select::{Check, INLINE_BYTES, LowBits, Range, Work};
use crate::stats::Stats;

/// An access, or the range of all accesses that a loop makes.
struct Item<'m, 'f> {
    start: Scev<'f>,
    /// Bytes.
    length: Scev<'f>,
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

/// Groups that an access is compared with. An unrolled loop may have thousands of accesses, and what belongs together is
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
            if !flow.is_invariant(item.length, this) {
                continue;
            }
            if rounds == Rounds::Every && flow.is_invariant(item.start, this) {
                if place.can_hold(item.start, item.length) {
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
            if repeats.is_none() {
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
            let length = flow.product(rounds, item.length);
            if place.can_hold(member.start, length) {
                stats.ranged += item.works.len();
                let item = self.items[member.number].take().expect("it is in a group");
                self.add(Item {
                    start: member.start,
                    length,
                    block: place.preheader,
                    is_moved: true,
                    ..item
                });
            }
            return;
        };
        for chain in self.chains(&group) {
            let width = chain.to - chain.from;
            let dense = match group.rounds {
                Rounds::Every => width >= step.abs(),
                // Nothing may be left over if there is no round.
                Rounds::AllButLast => width == step.abs(),
            };
            if !dense {
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
            if !place.can_hold(start, length) {
                continue;
            }
            let mut first: Option<Item> = None;
            let mut works = Vec::new();
            for number in chain.items {
                let item = self.items[number].take().expect("it is in one chain");
                works.extend(&item.works);
                if first.as_ref().is_none_or(|first| item.works < first.works) {
                    first = Some(item);
                }
            }
            works.sort_unstable();
            stats.ranged += works.len();
            let first = first.expect("a chain has members");
            self.add(Item {
                start,
                length,
                block: place.preheader,
                is_moved: true,
                check: first.check,
                alignment: chain.alignment.min(1 << step.trailing_zeros().min(12)),
                works,
            });
        }
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
    fn can_hold(&self, start: Scev<'f>, length: Scev<'f>) -> bool {
        [start, length].into_iter().all(|scev| {
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

impl<'m> Item<'m, '_> {
    /// The check to make, at the end of its block.
    fn work(&self, flow: &Flow<'m>) -> Work<'m> {
        let before = self.block.terminator();
        let address = flow.expand(self.start, before);
        let (source, write) = (self.check.source, self.check.write);
        match self.length.as_number() {
            Some(bytes) if bytes <= INLINE_BYTES as i64 => Work::Check(Check {
                before,
                source,
                address,
                bytes: bytes as u64,
                write,
                low: LowBits::new(address.known_low_bits(before), self.alignment),
            }),
            _ => Work::Range(Range {
                before,
                source,
                address,
                bytes: flow.expand(self.length, before),
                write,
            }),
        }
    }
}
