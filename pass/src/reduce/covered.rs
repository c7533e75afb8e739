//! Checks that earlier ones cover, on every way to them.
//!
//! A check is dropped if on every way from the function's entry a check of at least these bytes that is at least as strong comes
//! first, with nothing in between that may synchronize or free. Whoever races with the second access races with the
//! first one too.
//!
//! A read that is followed by a write of the same bytes is checked as that write, at once and with the write's position: both
//! happen if nothing in between leaves the block, and whatever the read races with, the write races with as well. So the
//! report names the write, on whatever line it is; what is in the shadow is one access instead of two.

use std::collections::HashMap;

use super::quiet::Effect;
use super::{Body, Step};
use crate::llvm::{Block, Value};
use crate::select::{Check, Work};
use crate::stats::Stats;

/// Bits that the sets of all blocks may have together. Beyond it a function's blocks are looked at one by one.
const MOST_BITS: usize = 1 << 28;

/// Makes reads into the writes that are sure to follow.
pub fn strengthen(body: &mut Body, stats: &mut Stats) {
    let Body { blocks, works } = body;
    for passage in blocks.iter() {
        // Address and length to the number of the read.
        let mut reads: HashMap<(Value, u64), usize> = HashMap::new();
        for step in &passage.steps {
            let number = match *step {
                Step::Work(number) => number,
                Step::Effect(_) => {
                    reads.clear();
                    continue;
                }
                Step::Definition(_) => continue,
            };
            let Some(Work::Check(check)) = works[number] else {
                continue;
            };
            let key = (check.address, check.bytes);
            if !check.write {
                reads.entry(key).or_insert(number);
            } else if let Some(earlier) = reads.remove(&key)
                && let Some(Work::Check(read)) = &mut works[earlier]
            {
                read.write = true;
                read.source = check.source;
                stats.strengthened += 1;
            }
        }
    }
}

/// Whether two instructions are on one line of the source, or both on none.
pub fn same_line(a: Value, b: Value) -> bool {
    match (a.location(), b.location()) {
        (Some(a), Some(b)) => a.same_line(b),
        (None, None) => true,
        _ => false,
    }
}

/// Bytes that were checked: some of those behind a base pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Fact<'m> {
    base: Value<'m>,
    from: i64,
    to: i64,
    write: bool,
}

impl<'m> Fact<'m> {
    fn of(check: &Check<'m>) -> Fact<'m> {
        let (base, from) = check.address.constant_offset();
        Fact {
            base,
            from,
            to: from + check.bytes as i64,
            write: check.write,
        }
    }

    fn covers(&self, other: &Fact<'m>) -> bool {
        self.base == other.base
            && self.from <= other.from
            && self.to >= other.to
            && (self.write || !other.write)
    }
}

/// A set of facts, by their numbers.
#[derive(Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn empty(facts: usize) -> Set {
        Set(vec![0; facts.div_ceil(64)])
    }
    fn insert(&mut self, fact: usize) {
        self.0[fact / 64] |= 1 << (fact % 64);
    }
    fn remove(&mut self, fact: usize) {
        self.0[fact / 64] &= !(1 << (fact % 64));
    }
    fn contains(&self, fact: usize) -> bool {
        self.0[fact / 64] >> (fact % 64) & 1 == 1
    }
    fn clear(&mut self) {
        self.0.fill(0);
    }
    fn intersect(&mut self, other: &Set) {
        for (mine, other) in self.0.iter_mut().zip(&other.0) {
            *mine &= other;
        }
    }
}

/// The facts of a function.
#[derive(Default)]
struct Facts<'m> {
    numbers: HashMap<Fact<'m>, usize>,
    by_base: HashMap<Value<'m>, Vec<usize>>,
    /// For each fact, those that cover it.
    covering: Vec<Vec<usize>>,
    of_work: HashMap<usize, usize>,
}

impl<'m> Facts<'m> {
    fn of(works: &[Option<Work<'m>>]) -> Facts<'m> {
        let mut facts = Facts::default();
        for (number, work) in works.iter().enumerate() {
            let check = match work {
                Some(Work::Check(check)) => check,
                Some(Work::VirtualTable(store)) => &store.check,
                _ => continue,
            };
            let fact = Fact::of(check);
            let next = facts.numbers.len();
            let known = *facts.numbers.entry(fact).or_insert(next);
            if known == next {
                facts.by_base.entry(fact.base).or_default().push(known);
            }
            facts.of_work.insert(number, known);
        }
        let mut all: Vec<_> = facts.numbers.iter().collect();
        all.sort_by_key(|(_, number)| **number);
        let all: Vec<_> = all.into_iter().map(|(fact, _)| *fact).collect();
        facts.covering = all
            .iter()
            .map(|fact| {
                let same_base = facts.by_base[&fact.base].iter().copied();
                same_base.filter(|other| all[*other].covers(fact)).collect()
            })
            .collect();
        facts
    }

    /// What a step makes of the facts that hold before it.
    fn step(&self, step: Step<'m>, works: &[Option<Work<'m>>], set: &mut Set) {
        match step {
            // A store of virtual table pointers covers nothing: it may turn out to be a read.
            Step::Work(number) => {
                if let (Some(Work::Check(_)), Some(fact)) =
                    (&works[number], self.of_work.get(&number))
                {
                    set.insert(*fact);
                }
            }
            Step::Effect(Effect::Synchronizes) => set.clear(),
            Step::Effect(_) => {}
            Step::Definition(value) => {
                for fact in self.by_base.get(&value).into_iter().flatten() {
                    set.remove(*fact);
                }
            }
        }
    }
}

/// Drops what earlier checks cover.
pub fn drop_covered(body: &mut Body, stats: &mut Stats) {
    let facts = Facts::of(&body.works);
    let count = facts.covering.len();
    let entries = if count.saturating_mul(body.blocks.len()) <= MOST_BITS {
        at_entries(body, &facts)
    } else {
        vec![None; body.blocks.len()]
    };
    let mut covered = Vec::new();
    for (passage, entry) in body.blocks.iter().zip(entries) {
        let mut set = entry.unwrap_or_else(|| Set::empty(count));
        for step in &passage.steps {
            if let Step::Work(number) = step
                && let Some(fact) = facts.of_work.get(number)
                && facts.covering[*fact]
                    .iter()
                    .any(|other| set.contains(*other))
            {
                covered.push(*number);
            }
            facts.step(*step, &body.works, &mut set);
        }
    }
    stats.redundant += covered.len();
    for number in covered {
        body.works[number] = None;
    }
}

/// What holds at the entry of each block, on every way to it; `None` for blocks that no way leads to.
fn at_entries<'m>(body: &Body<'m>, facts: &Facts<'m>) -> Vec<Option<Set>> {
    let count = facts.covering.len();
    let index: HashMap<Block, usize> = body
        .blocks
        .iter()
        .enumerate()
        .map(|(index, passage)| (passage.block, index))
        .collect();
    let order = in_order(body, &index);
    let mut entries: Vec<Option<Set>> = vec![None; body.blocks.len()];
    entries[0] = Some(Set::empty(count));
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &order {
            let Some(mut set) = entries[block].clone() else {
                continue;
            };
            for step in &body.blocks[block].steps {
                facts.step(*step, &body.works, &mut set);
            }
            for next in body.blocks[block].block.successors() {
                let entry = &mut entries[index[&next]];
                match entry {
                    None => {
                        *entry = Some(set.clone());
                        changed = true;
                    }
                    Some(known) => {
                        let before = known.clone();
                        known.intersect(&set);
                        changed |= *known != before;
                    }
                }
            }
        }
    }
    entries
}

/// Blocks with those before them first, as far as there are no loops.
fn in_order(body: &Body, index: &HashMap<Block, usize>) -> Vec<usize> {
    let mut seen = vec![false; body.blocks.len()];
    let mut left = Vec::new();
    let successors = |block: usize| {
        let next: Vec<_> = body.blocks[block].block.successors().collect();
        next.into_iter()
            .map(|block| index[&block])
            .collect::<Vec<_>>()
    };
    seen[0] = true;
    let mut stack = vec![(0, successors(0))];
    while let Some((block, next)) = stack.last_mut() {
        match next.pop() {
            Some(next) if !seen[next] => {
                seen[next] = true;
                stack.push((next, successors(next)));
            }
            Some(_) => {}
            None => {
                left.push(*block);
                stack.pop();
            }
        }
    }
    left.reverse();
    left
}
