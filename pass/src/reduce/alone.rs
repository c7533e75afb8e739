//! Loops that are there twice: with their checks, and without them for as long as the process has never had a second thread.
//!
//! ```text
//!     %others = load i32, @__goldilocks_tls + 160
//!     br i1 (%others != 0), label %checked, label %alone
//! ```
//!
//! Nothing is remembered of any memory then ([`goldilocks_core::abi::OTHERS_OFFSET`]), and none of the loop's instructions can make a thread, as a
//! thread is made by a call that synchronizes. (What makes one otherwise, a signal handler or a raw `clone`, is known when the loop is over.)
//! Outermost loops first, as it costs a few instructions each time that one is entered.

use std::collections::{HashMap, HashSet};

use goldilocks_core::abi;

use super::quiet::{Effect, Quiet};
use crate::llvm::{Block, Builder, Flow, Loop, Module, Value};
use crate::select::Work;
use crate::stats::Stats;

/// Instructions of a loop, at most, and of all that are there twice in a function. With these, SQLite's code is 2.7 % larger.
const LARGEST: usize = 400;
const MOST: usize = 2000;

/// What a block is made of, as far as it matters here.
#[derive(Clone, Copy, Default)]
struct Contents {
    instructions: usize,
    works: usize,
    synchronizes: bool,
}

/// Doubles the loops of `function` in which some of `works` are.
pub fn double<'m>(
    module: Module<'m>,
    tag: Value<'m>,
    function: Value<'m>,
    quiet: &Quiet<'m>,
    works: &mut [Work<'m>],
    stats: &mut Stats,
) {
    let mut at: HashMap<Value<'m>, usize> = HashMap::new();
    for work in &*works {
        *at.entry(work.before()).or_default() += 1;
    }
    let contents: HashMap<Block<'m>, Contents> = function
        .blocks()
        .map(|block| {
            let mut found = Contents::default();
            for instruction in block.instructions() {
                found.instructions += 1;
                found.works += at.get(&instruction).copied().unwrap_or_default();
                found.synchronizes |= quiet.effect(instruction) == Effect::Synchronizes;
            }
            (block, found)
        })
        .collect();
    let flow = Flow::new(function);
    let builder = Builder::new(module);
    let mut doubled: HashSet<Loop<'_>> = HashSet::new();
    let mut left = MOST;
    // Outer ones first.
    for each in flow.loops().into_iter().rev() {
        if each
            .parent()
            .is_some_and(|parent| doubled.contains(&parent))
        {
            doubled.insert(each);
            continue;
        }
        let mut all = Contents::default();
        for block in flow.blocks(each) {
            // What has no entry is a preheader that the flow has made.
            let found = contents.get(&block).copied().unwrap_or_default();
            all.instructions += found.instructions;
            all.works += found.works;
            all.synchronizes |= found.synchronizes;
        }
        if all.works == 0 || all.synchronizes || all.instructions > LARGEST.min(left) {
            continue;
        }
        let Some(preheader) = flow.preheader(each) else {
            continue;
        };
        if !flow.can_double(each) {
            continue;
        }
        builder.at(function.artificial_location(module));
        builder.before(preheader.terminator());
        let others = builder.load(
            module.integer(32),
            builder.offset(tag, abi::OTHERS_OFFSET),
            4,
        );
        let condition = builder.different(others, builder.constant(32, 0));
        let inside: HashSet<_> = flow.blocks(each).into_iter().collect();
        let kept = keep(&builder, &inside, works);
        flow.double(each, condition);
        for (value, keeper) in kept {
            *value = keeper.operand(0);
            // SAFETY: nothing has come to use it.
            unsafe { keeper.erase() };
        }
        doubled.insert(each);
        left -= all.instructions;
        stats.doubled += 1;
    }
}

/// What works behind a loop need of it, and instructions that use that in their places: with the loop's copy, these are other values.
fn keep<'w, 'm>(
    builder: &Builder<'m>,
    inside: &HashSet<Block<'m>>,
    works: &'w mut [Work<'m>],
) -> Vec<(&'w mut Value<'m>, Value<'m>)> {
    let is_inside = |value: Value<'m>| value.block().is_some_and(|block| inside.contains(&block));
    let mut kept = Vec::new();
    for work in works.iter_mut() {
        let before = work.before();
        if is_inside(before) {
            continue;
        }
        builder.before(before);
        for value in work.values() {
            if is_inside(*value) {
                let keeper = builder.freeze(*value);
                kept.push((value, keeper));
            }
        }
    }
    kept
}
