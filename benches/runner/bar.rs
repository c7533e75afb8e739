//! What is to be reached, and whether it is: `--check`.

use crate::case::Group;
use crate::statistic::median;
use crate::suite::{Measured, cpu, mean};
use crate::tool::Tool;

/// CPU time as a share of ThreadSanitizer's: the geometric mean, and each alone.
const MEAN_SHARE: f64 = 0.40;
const SHARE: f64 = 1.0;
/// CPU time as a multiple of the native run's.
const SLOWDOWN: f64 = 8.0;
const SINGLE_SLOWDOWN: f64 = 1.3;
/// Memory beyond the native run's, as a share of ThreadSanitizer's.
const EXTRA_MEMORY: f64 = 0.5;
/// What a sync event costs beyond the native run, as a share of ThreadSanitizer's.
const SYNC_EVENT: f64 = 0.5;
/// How much more than ten times as much a run of ten times the length may cost.
const LENGTH: f64 = 1.15;

/// One demand: who falls short of it, with the number that shows it.
pub struct Verdict {
    pub demand: String,
    pub below: Vec<String>,
    /// How many it was asked of.
    pub asked: usize,
}

/// Whether its CPU time alone falls short of the bar.
pub fn is_slow(m: &Measured) -> bool {
    let above = |value: Option<f64>, most| value.is_some_and(|value| value > most);
    let slowdown = m.ratio(Tool::Goldilocks, Tool::Native, cpu);
    match m.case.group {
        Group::Kernel | Group::Program | Group::Many => {
            let share = m.ratio(Tool::Goldilocks, Tool::ThreadSanitizer, cpu);
            above(share, SHARE) || above(slowdown, SLOWDOWN)
        }
        Group::Single => above(slowdown, SINGLE_SLOWDOWN),
        Group::Micro { sync: true, .. } => above(m.extra_event(Tool::Goldilocks), SYNC_EVENT),
        Group::Micro { .. } | Group::Short | Group::Long | Group::Rust => false,
    }
}

pub fn verdicts(measured: &[Measured]) -> Vec<Verdict> {
    let (ours, theirs, native) = (Tool::Goldilocks, Tool::ThreadSanitizer, Tool::Native);
    let threaded = |m: &Measured| matches!(m.case.group, Group::Kernel | Group::Program);
    // The mean is over the kernels once.
    let each_threaded = |m: &Measured| threaded(m) || m.case.group == Group::Many;
    let share = |m: &Measured| m.ratio(ours, theirs, cpu);
    let slowdown = |m: &Measured| m.ratio(ours, native, cpu);
    let sync = |m: &Measured| matches!(m.case.group, Group::Micro { sync: true, .. });
    vec![
        mean_share(measured, threaded, share),
        each(
            measured,
            each_threaded,
            format!("CPU time at most {SHARE} of ThreadSanitizer's"),
            SHARE,
            share,
        ),
        each(
            measured,
            each_threaded,
            format!("CPU time at most {SLOWDOWN} times the native"),
            SLOWDOWN,
            slowdown,
        ),
        each(
            measured,
            |m| m.case.group == Group::Single,
            format!("single-threaded at most {SINGLE_SLOWDOWN} times the native"),
            SINGLE_SLOWDOWN,
            slowdown,
        ),
        each(
            measured,
            each_threaded,
            format!("extra memory at most {EXTRA_MEMORY} of ThreadSanitizer's"),
            EXTRA_MEMORY,
            |m| m.extra_memory(ours),
        ),
        each(
            measured,
            sync,
            format!("a sync event at most {SYNC_EVENT} of ThreadSanitizer's"),
            SYNC_EVENT,
            |m| m.extra_event(ours),
        ),
        each(
            measured,
            |m| m.case.group == Group::Long,
            format!("10x the length costs 10x as much (at most {LENGTH} of that)"),
            LENGTH,
            |long| {
                let short = measured.iter().find(|m| {
                    m.case.group == Group::Short && m.case.workload.name == long.case.workload.name
                })?;
                let growth = |tool| {
                    let (long, short) = (long.values(tool, cpu), short.values(tool, cpu));
                    (!long.is_empty() && !short.is_empty()).then(|| median(&long) / median(&short))
                };
                // What the program itself does to caches is not ours.
                Some(growth(ours)? / growth(native)?.max(10.0))
            },
        ),
    ]
}

fn mean_share(
    measured: &[Measured],
    which: impl Fn(&Measured) -> bool,
    of: impl Fn(&Measured) -> Option<f64>,
) -> Verdict {
    let mean = mean(measured.iter().filter(|m| which(m)), of);
    Verdict {
        demand: format!("geometric mean of CPU time at most {MEAN_SHARE} of ThreadSanitizer's"),
        below: mean
            .filter(|mean| *mean > MEAN_SHARE)
            .map(|mean| format!("it is {mean:.2}"))
            .into_iter()
            .collect(),
        asked: mean.iter().len(),
    }
}

/// Of each that is of the kind. What could not be measured falls short.
fn each(
    measured: &[Measured],
    which: impl Fn(&Measured) -> bool,
    demand: String,
    most: f64,
    of: impl Fn(&Measured) -> Option<f64>,
) -> Verdict {
    let mut verdict = Verdict {
        demand,
        below: Vec::new(),
        asked: 0,
    };
    for m in measured.iter().filter(|m| which(m)) {
        verdict.asked += 1;
        match of(m) {
            Some(value) if value <= most => {}
            Some(value) => verdict.below.push(format!("{} {value:.2}", m.case.name)),
            None => verdict.below.push(format!("{} -", m.case.name)),
        }
    }
    verdict
}

impl Verdict {
    /// In words: met, not asked, or who falls short of it.
    pub fn outcome(&self) -> String {
        match (self.asked, self.below.len()) {
            (0, _) => "not asked".to_owned(),
            (_, 0) => "met".to_owned(),
            _ => format!("BELOW: {}", self.below.join(", ")),
        }
    }
}

pub fn screen(verdicts: &[Verdict]) -> String {
    let line = |verdict: &Verdict| format!("{}: {}\n", verdict.demand, verdict.outcome());
    verdicts.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::example;

    fn verdict(measured: &[Measured], demand: &str) -> String {
        let verdicts = verdicts(measured);
        let verdict = verdicts.iter().find(|v| v.demand.contains(demand)).unwrap();
        verdict.outcome()
    }

    #[test]
    fn what_falls_short_is_named() {
        // CPU time natively, with us and with them.
        let rows = [
            example("good", Group::Kernel, [1.0, 2.0, 10.0]),
            example("bad", Group::Kernel, [1.0, 12.0, 10.0]),
            example("good/single", Group::Single, [1.0, 1.2, 5.0]),
        ];
        assert_eq!(verdict(&rows, "at most 1 of"), "BELOW: bad 1.20");
        assert_eq!(verdict(&rows, "at most 8 times"), "BELOW: bad 12.00");
        assert_eq!(verdict(&rows, "single-threaded"), "met");
        assert_eq!(verdict(&rows, "mean"), "BELOW: it is 0.49");
        assert_eq!(verdict(&rows[..1], "mean"), "met");
        assert_eq!(verdict(&rows, "sync event"), "not asked");
    }

    #[test]
    fn what_could_not_be_measured_falls_short() {
        let mut row = example("broken", Group::Kernel, [1.0, 1.0, 10.0]);
        row.rounds.clear();
        assert_eq!(verdict(&[row], "at most 1 of"), "BELOW: broken -");
    }

    #[test]
    fn ten_times_the_length_may_cost_ten_times_as_much_or_what_it_costs_natively() {
        let short = example("x", Group::Short, [1.0, 3.0, 9.0]);
        let rows = |long| {
            [
                example("x", Group::Short, [1.0, 3.0, 9.0]),
                example("x", Group::Long, long),
            ]
        };
        assert_eq!(verdict(&rows([10.0, 31.0, 90.0]), "length"), "met");
        assert_eq!(verdict(&rows([5.0, 31.0, 90.0]), "length"), "met");
        assert_eq!(verdict(&rows([20.0, 60.0, 90.0]), "length"), "met");
        assert_eq!(
            verdict(&rows([10.0, 60.0, 90.0]), "length"),
            "BELOW: x 2.00"
        );
        assert_eq!(verdict(&[short], "length"), "not asked");
    }
}
