//! What need not be checked, or need not be checked where it is: fewer checks that tell the same.
//!
//! Each file is one idea, and has an option that switches it off. `alone` rests on that nothing is remembered before there is a second thread. All others
//! rest on one fact. A thread's sync epoch ends
//! where it may release something to others; from one such place to the next all its accesses to a byte have one and the same
//! Goldilockset. So it makes no difference to the first race of a byte when in an epoch it is checked, nor that it is
//! checked again. What must hold is that every access is represented by a check in its epoch that is at least as strong, and
//! that every check represents an access that does happen. `quiet` knows what may end an epoch, or may not come back.

mod adjacent;
mod alone;
mod covered;
mod loops;
mod quiet;

use crate::llvm::{Block, Module, Value};
use crate::options::Options;
use crate::select::Work;
use crate::stats::Stats;
use quiet::{Effect, Quiet};
use std::collections::HashMap;

/// Reduces for one module.
pub struct Reducer<'m, 'o> {
    module: Module<'m>,
    options: &'o Options,
    quiet: Quiet<'m>,
}

impl<'m, 'o> Reducer<'m, 'o> {
    /// Looks at all functions and their attributes, so nothing may be instrumented or prepared for it yet.
    pub fn new(module: Module<'m>, options: &'o Options) -> Reducer<'m, 'o> {
        Reducer {
            module,
            options,
            quiet: Quiet::new(module, options.summaries),
        }
    }

    /// What remains to be done of `works`, which are in the order of `function`'s instructions.
    pub fn function(
        &self,
        function: Value<'m>,
        works: Vec<Work<'m>>,
        stats: &mut Stats,
    ) -> Vec<Work<'m>> {
        let mut works = self.fewer(function, works, stats);
        if self.options.alone
            && !works.is_empty()
            && !function.is_unoptimized()
            && !function.prefers_small_code()
        {
            let tag = self.module.epoch_tag(self.options.local_exec);
            alone::double(self.module, tag, function, &self.quiet, &mut works, stats);
        }
        works
    }

    fn fewer(&self, function: Value<'m>, works: Vec<Work<'m>>, stats: &mut Stats) -> Vec<Work<'m>> {
        if !works.iter().any(|work| matches!(work, Work::Check(_))) {
            return works;
        }
        let mut body = Body::new(function, &self.quiet, works);
        if self.options.redundant {
            covered::strengthen(&mut body, stats);
            covered::drop_covered(&mut body, stats);
        }
        if self.options.loops && !function.is_unoptimized() {
            loops::reduce(function, &mut body, stats);
        }
        if self.options.adjacent {
            adjacent::merge(&mut body, stats);
        }
        body.works.into_iter().flatten().collect()
    }
}

/// A function's instructions as far as they matter here.
struct Body<'m> {
    blocks: Vec<Passage<'m>>,
    works: Vec<Option<Work<'m>>>,
}

/// A block: works and effects, in order.
struct Passage<'m> {
    block: Block<'m>,
    steps: Vec<Step<'m>>,
}

#[derive(Clone, Copy)]
enum Step<'m> {
    /// The work with this number.
    Work(usize),
    /// An instruction that does more than compute.
    Effect(Effect),
    /// An instruction that has been named by [`Body::new`]'s works: its value is a new one from here on.
    Definition(Value<'m>),
}

impl<'m> Body<'m> {
    fn new(function: Value<'m>, quiet: &Quiet<'m>, works: Vec<Work<'m>>) -> Body<'m> {
        let mut at: HashMap<Value<'m>, Vec<usize>> = HashMap::new();
        let mut bases = std::collections::HashSet::new();
        for (number, work) in works.iter().enumerate() {
            at.entry(work.before()).or_default().push(number);
            if let Work::Check(check) = work {
                bases.insert(check.address.constant_offset().0);
            }
        }
        let blocks = function
            .blocks()
            .map(|block| {
                let mut steps = Vec::new();
                for instruction in block.instructions() {
                    let numbers = at.remove(&instruction).unwrap_or_default();
                    steps.extend(numbers.into_iter().map(Step::Work));
                    let effect = quiet.effect(instruction);
                    if effect != Effect::Nothing {
                        steps.push(Step::Effect(effect));
                    }
                    if bases.contains(&instruction) {
                        steps.push(Step::Definition(instruction));
                    }
                }
                Passage { block, steps }
            })
            .collect();
        Body {
            blocks,
            works: works.into_iter().map(Some).collect(),
        }
    }
}
