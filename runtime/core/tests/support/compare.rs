//! What must agree.
//!
//! A byte is judged until its first race, and again once it is fresh: after a race the rules say who owns the byte, not that
//! its past is in order, and the engine keeps less of that past than the definition does. Until then
//!
//! 1. the eager rules report a race at a byte exactly where the definition has one,
//! 2. so does the engine, and the earlier access that it names is one that the definition has as unordered,
//! 3. the engine reports a use after free exactly for the first access to a word that was freed as a whole.

use super::replay::{self, Setup};
use goldilocks_core::happens_before::{HappensBefore, RacingByte};
use goldilocks_core::oracle::Oracle;
use goldilocks_core::trace::{Action, Range, Trace};
use std::collections::{BTreeMap, BTreeSet};

/// What the definition says of each event.
pub struct Verdict {
    /// Bytes whose first race is here, with the earlier accesses.
    first_races: BTreeMap<u64, Vec<usize>>,
    /// Bytes that have raced before and are not judged.
    raced: BTreeSet<u64>,
    /// Bytes that are used after they were freed, ordered or not.
    after_free: BTreeSet<u64>,
}

impl Verdict {
    pub fn races(&self) -> bool {
        !self.first_races.is_empty()
    }
}

/// The verdicts on all events of a trace.
pub fn verdicts(trace: &Trace) -> Vec<Verdict> {
    let mut order = HappensBefore::default();
    let mut raced = BTreeSet::new();
    let mut freed = Freed::default();
    let mut verdicts = Vec::new();
    for event in &trace.0 {
        if let Action::Alloc(range) = event.action {
            raced.retain(|&byte| !range.contains(byte));
        }
        let after_free = freed.step(event.action);
        let races = order.step(event).into_iter();
        let first_races: BTreeMap<u64, Vec<usize>> = races
            .filter(|race| !raced.contains(&race.byte))
            .map(|RacingByte { byte, earlier }| (byte, earlier))
            .collect();
        let before = raced.clone();
        raced.extend(first_races.keys());
        verdicts.push(Verdict {
            first_races,
            raced: before,
            after_free,
        });
    }
    verdicts
}

/// Words that were freed as a whole and not touched since.
#[derive(Default)]
struct Freed(BTreeSet<u64>);

impl Freed {
    /// The bytes of freed words that `action` accesses.
    fn step(&mut self, action: Action) -> BTreeSet<u64> {
        let (Action::Access(_, range) | Action::Alloc(range) | Action::Free(range)) = action else {
            return BTreeSet::new();
        };
        let used = match action {
            Action::Alloc(_) => BTreeSet::new(),
            _ => range
                .iter()
                .filter(|byte| self.0.contains(&(byte >> 3)))
                .collect(),
        };
        for word in words(range) {
            self.0.remove(&word);
            if matches!(action, Action::Free(_))
                && range.contains(word << 3)
                && range.contains((word << 3) + 7)
            {
                self.0.insert(word);
            }
        }
        used
    }
}

fn words(range: Range) -> impl Iterator<Item = u64> {
    range.addr >> 3..=(range.addr + range.bytes - 1) >> 3
}

/// 1.
pub fn check_oracle(trace: &Trace, verdicts: &[Verdict]) -> Result<(), String> {
    let mut oracle = Oracle::default();
    for (index, (event, verdict)) in trace.0.iter().zip(verdicts).enumerate() {
        let said: BTreeSet<u64> = oracle
            .step(event)
            .difference(&verdict.raced)
            .copied()
            .collect();
        let true_ones: BTreeSet<u64> = verdict.first_races.keys().copied().collect();
        if said != true_ones {
            return Err(format!(
                "event {index} ({event}): the rules say {}, the definition {}",
                bytes(&said),
                bytes(&true_ones)
            ));
        }
    }
    Ok(())
}

/// 2 and 3.
pub fn check_engine(
    trace: &Trace,
    verdicts: &[Verdict],
    setup: Setup,
) -> Result<replay::Outcome, String> {
    let outcome = replay::replay(trace, setup);
    let places = setup.places(trace);
    for (index, reports) in outcome.reports.iter().enumerate() {
        let (event, verdict) = (&trace.0[index], &verdicts[index]);
        let mut said = BTreeSet::new();
        let mut after_free = BTreeSet::new();
        for report in reports
            .iter()
            .filter(|report| !verdict.raced.contains(&report.byte))
        {
            if report.freed {
                after_free.insert(report.byte);
            }
            if report.ordered {
                continue;
            }
            said.insert(report.byte);
            let Some(earlier) = verdict.first_races.get(&report.byte) else {
                continue;
            };
            let kind = |event: usize| trace.0[event].action.access().map(|(access, _)| access);
            let is_this = |&event: &usize| {
                places[event] == report.earlier && kind(event) == Some(report.access)
            };
            if !earlier.iter().any(is_this) {
                return Err(format!(
                    "event {index} ({event}) with {setup:?}: at {:#x} the engine names event {} as {:?}, \
                     the definition has {earlier:?}",
                    report.byte, report.earlier, report.access
                ));
            }
        }
        let true_ones: BTreeSet<u64> = verdict.first_races.keys().copied().collect();
        if said != true_ones {
            return Err(format!(
                "event {index} ({event}) with {setup:?}: the engine says {}, the definition {}",
                bytes(&said),
                bytes(&true_ones)
            ));
        }
        let expected: BTreeSet<u64> = verdict
            .after_free
            .difference(&verdict.raced)
            .copied()
            .collect();
        if after_free != expected {
            return Err(format!(
                "event {index} ({event}) with {setup:?}: the engine says that {} are used after free, but {} are",
                bytes(&after_free),
                bytes(&expected)
            ));
        }
    }
    Ok(outcome)
}

fn bytes(set: &BTreeSet<u64>) -> String {
    format!(
        "{{{}}}",
        set.iter()
            .map(|byte| format!("{byte:#x}"))
            .collect::<Vec<_>>()
            .join(", ")
    )
}
