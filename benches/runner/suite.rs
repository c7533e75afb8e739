//! The run of all cases: they are built and judged, then measured in rounds, each of which runs every case with every tool once.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::build::{self, Build};
use crate::case::{Case, Group};
use crate::counters::{self, Counters};
use crate::measure::{self, Outcome, Run};
use crate::place;
use crate::plan::Plan;
use crate::recipe;
use crate::rust::{self, Library};
use crate::statistic::{geometric_mean, median};
use crate::tool::Tool;
use crate::workload::Workload;

/// How the reports of all kinds of Goldilocks begin, and that of a race.
const REPORT: &str = "WARNING: Goldilocks: ";
const RACE: &str = "WARNING: Goldilocks: data race";
/// How those of ThreadSanitizer begin.
const THEIR_REPORT: &str = "WARNING: ThreadSanitizer: ";
/// Exit status after a finding.
const FINDING: i32 = 66;

/// A case with what came out of it.
pub struct Measured {
    pub case: Case,
    /// A run of each tool, or of all but the slow ones.
    pub rounds: Vec<BTreeMap<Tool, Run>>,
    pub counters: Counters,
    /// What is wrong with it.
    pub failures: Vec<String>,
    /// Whether it can be run at all, as far as is known.
    runs: bool,
}

impl Measured {
    /// Values of one tool's runs.
    pub fn values(&self, tool: Tool, of: impl Fn(&Run) -> f64) -> Vec<f64> {
        self.rounds
            .iter()
            .filter_map(|round| round.get(&tool))
            .map(of)
            .collect()
    }

    /// What it is for two tools' runs of the same round, in every round that has both.
    pub fn ratios(&self, above: Tool, below: Tool, of: impl Fn(&Run) -> f64) -> Vec<f64> {
        let both = |round: &BTreeMap<Tool, Run>| Some((*round.get(&above)?, *round.get(&below)?));
        self.rounds
            .iter()
            .filter_map(both)
            .map(|(above, below)| of(&above) / of(&below))
            .collect()
    }

    /// Median of [`Measured::ratios`], if there is a round with both.
    pub fn ratio(&self, above: Tool, below: Tool, of: impl Fn(&Run) -> f64) -> Option<f64> {
        let ratios = self.ratios(above, below, of);
        (!ratios.is_empty()).then(|| median(&ratios))
    }

    /// Memory beyond the native run's, as a share of what ThreadSanitizer needs beyond it.
    pub fn extra_memory(&self, tool: Tool) -> Option<f64> {
        let extra = |round: &BTreeMap<Tool, Run>| {
            let native = round.get(&Tool::Native)?.peak;
            let theirs = round.get(&Tool::ThreadSanitizer)?.peak - native;
            // Pages of the system's libraries come and go: below 1 MB there is nothing to be compared.
            (theirs > 1024.0).then_some((round.get(&tool)?.peak - native) / theirs)
        };
        let shares: Vec<f64> = self.rounds.iter().filter_map(extra).collect();
        (!shares.is_empty()).then(|| median(&shares))
    }

    /// What an event of a micro-benchmark costs beyond the native build, as a share of what it costs ThreadSanitizer; none if that is
    /// too little to be measured.
    pub fn extra_event(&self, tool: Tool) -> Option<f64> {
        let share = |round: &BTreeMap<Tool, Run>| {
            let native = round.get(&Tool::Native)?.event?;
            let theirs = round.get(&Tool::ThreadSanitizer)?.event? - native;
            let ours = round.get(&tool)?.event? - native;
            (theirs > 0.0).then(|| ours.max(0.0) / theirs)
        };
        let shares: Vec<f64> = self.rounds.iter().filter_map(share).collect();
        (!shares.is_empty()).then(|| median(&shares))
    }
}

/// CPU time. The clock ticks in microseconds: a run that used none counts as one, so that ratios stay finite.
pub fn cpu(run: &Run) -> f64 {
    run.cpu.max(1e-6)
}
pub fn wall(run: &Run) -> f64 {
    run.wall.max(1e-6)
}
pub fn peak(run: &Run) -> f64 {
    run.peak.max(1.0)
}

/// The geometric mean of something over those cases of which it is known.
pub fn mean<'a>(
    measured: impl Iterator<Item = &'a Measured>,
    of: impl Fn(&Measured) -> Option<f64>,
) -> Option<f64> {
    let values: Vec<f64> = measured.filter_map(of).collect();
    geometric_mean(&values)
}

pub fn run(cases: Vec<Case>, plan: &Plan) -> Result<Vec<Measured>> {
    for needed in plan.tools.iter().filter_map(|tool| tool.needs()) {
        if !std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .any(|folder| folder.join(needed).exists())
        {
            bail!("{needed} is not installed");
        }
    }
    let start = Instant::now();
    let mut measured: Vec<Measured> = cases
        .into_iter()
        .map(|case| Measured {
            case,
            rounds: Vec::new(),
            counters: Counters::new(),
            failures: Vec::new(),
            runs: true,
        })
        .collect();
    build(&mut measured, plan)?;
    eprintln!("bench: built in {:.0} s", start.elapsed().as_secs_f64());
    each(&mut measured, judge);
    each(&mut measured, |m| count(m, plan));
    eprintln!("bench: judged after {:.0} s", start.elapsed().as_secs_f64());
    for round in 0..plan.rounds {
        if round > 0 && start.elapsed() > plan.budget {
            break;
        }
        each(&mut measured, |m| self::round(m, plan, round));
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("bench: round {} after {seconds:.0} s", round + 1);
    }
    Ok(measured)
}

/// Does it for all that run; an error is the failure of the one.
fn each(measured: &mut [Measured], mut work: impl FnMut(&mut Measured) -> Result<()>) {
    for m in measured.iter_mut().filter(|m| m.runs) {
        if let Err(error) = work(m) {
            eprintln!("bench: {}: {error:#}", m.case.name);
            m.failures.push(format!("{error:#}"));
        }
    }
}

fn build(measured: &mut [Measured], plan: &Plan) -> Result<()> {
    let mut builds = BTreeSet::new();
    for m in measured.iter() {
        let source = &m.case.workload.source;
        for tool in plan.tools.iter().filter(|tool| m.case.allows(**tool)) {
            builds.insert(Build::new(source, *tool, false));
        }
        if !m.case.workload.racy {
            builds.insert(Build::new(source, Tool::Goldilocks, true));
        }
    }
    std::fs::create_dir_all(place::builds())?;
    recipe::make_wrappers(&plan.tools)?;
    for (build, error) in build::all(builds)? {
        for m in measured.iter_mut() {
            if m.case.workload.source == build.source {
                m.failures.push(format!("{error:#}"));
                m.runs = false;
            }
        }
    }
    Ok(())
}

/// The race that is seeded into a workload is found.
fn judge(m: &mut Measured) -> Result<()> {
    match m.case.group {
        Group::Kernel | Group::Program | Group::Rust | Group::Micro { .. } => {
            seeded(&m.case.workload)
        }
        Group::Many | Group::Single | Group::Long | Group::Short => Ok(()),
    }
}

/// A run for the runtime's counters alone: printing them is not to be measured.
fn count(m: &mut Measured, plan: &Plan) -> Result<()> {
    let outcome = start(m, Tool::Goldilocks, plan, "stats=1")?;
    m.counters = counters::parse(&outcome.stderr);
    Ok(())
}

/// Runs the build with a seeded race; no report of it is an error.
pub fn seeded(workload: &Workload) -> Result<()> {
    // One that has races of its own needs no other.
    let build = Build::new(&workload.source, Tool::Goldilocks, !workload.racy);
    let mut command = command(&build, Tool::Goldilocks);
    command
        .args(&workload.smoke)
        .args(workload.threads.first().map(usize::to_string))
        .env_remove("GOLDILOCKS_OPTIONS");
    let out = build.program().with_extension("run");
    let outcome = measure::run(&mut command, &out, Duration::from_secs(120))?;
    if outcome.status != Some(FINDING) || !outcome.stderr.contains(RACE) {
        bail!(
            "its seeded race is not reported: {command:?} ended with {:?}\n{}",
            outcome.status,
            outcome.stderr
        );
    }
    Ok(())
}

fn start(m: &mut Measured, tool: Tool, plan: &Plan, options: &str) -> Result<Outcome> {
    let outcome = successful(&m.case, tool, options, limit(plan));
    m.runs = outcome.is_ok();
    outcome
}

/// How long a run may take.
pub fn limit(plan: &Plan) -> Duration {
    Duration::from_secs(if plan.quick { 20 } else { 300 })
}

pub fn command(build: &Build, tool: Tool) -> Command {
    if build.is_recipe() {
        recipe::command(build)
    } else {
        tool.command(&build.program())
    }
}

/// One run of a case. Anything but success is an error: also a report, there is no bug in what we measure.
pub fn successful(case: &Case, tool: Tool, options: &str, limit: Duration) -> Result<Outcome> {
    let build = Build::new(&case.workload.source, tool, false);
    let mut command = command(&build, tool);
    let silent = if case.workload.racy {
        "report_bugs=0"
    } else {
        ""
    };
    let blind = case.group == Group::Rust && rust::thread_sanitizer() == Some(Library::AsItIs);
    let theirs = if blind { "report_bugs=0" } else { silent };
    command
        .args(&case.arguments)
        .env("TSAN_OPTIONS", theirs)
        .env("GOLDILOCKS_OPTIONS", format!("{options} {silent}").trim());
    let out = place::builds().join(format!("{}.run", case.name.replace('/', "-")));
    let outcome = measure::run(&mut command, &out, limit)?;
    let reported = outcome.stderr.contains(REPORT) || outcome.stderr.contains(THEIR_REPORT);
    if outcome.status != Some(0) || reported {
        bail!(
            "{} reported or failed: {command:?} ended with {:?}\n{}",
            tool.name(),
            outcome.status,
            outcome.stderr
        );
    }
    Ok(outcome)
}

fn round(m: &mut Measured, plan: &Plan, number: usize) -> Result<()> {
    let mut runs = BTreeMap::new();
    let mut first: Option<String> = None;
    // Every other round goes backwards, so that no tool is always the first after another program.
    let mut tools = plan.tools.clone();
    if number % 2 == 1 {
        tools.reverse();
    }
    for tool in tools {
        if !m.case.allows(tool) || (tool.is_slow() && number > 0) {
            continue;
        }
        let outcome = start(m, tool, plan, "")?;
        match &first {
            None => first = Some(outcome.stdout),
            Some(first) if *first == outcome.stdout => {}
            Some(first) => bail!(
                "{} printed {:?}, but another {first:?}",
                tool.name(),
                outcome.stdout
            ),
        }
        runs.insert(tool, outcome.run);
    }
    m.rounds.push(runs);
    Ok(())
}

/// A case of which one round is known: CPU time natively, with Goldilocks and with ThreadSanitizer.
#[cfg(test)]
pub fn example(name: &str, group: Group, cpu: [f64; 3]) -> Measured {
    let tools = [Tool::Native, Tool::Goldilocks, Tool::ThreadSanitizer];
    let run = |cpu| Run {
        cpu,
        ..Run::default()
    };
    Measured {
        case: Case {
            name: name.to_owned(),
            group,
            workload: std::rc::Rc::new(Workload::named(name)),
            arguments: Vec::new(),
            skipped: &[],
        },
        rounds: vec![tools.into_iter().zip(cpu.map(run)).collect()],
        counters: Counters::new(),
        failures: Vec::new(),
        runs: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_taken_within_a_round() {
        let mut m = example("x", Group::Kernel, [1.0, 2.0, 4.0]);
        for cpu in [[10.0, 20.0, 40.0], [1.0, 9.0, 4.0]] {
            m.rounds.extend(example("x", Group::Kernel, cpu).rounds);
        }
        assert_eq!(
            m.ratio(Tool::Goldilocks, Tool::Native, super::cpu),
            Some(2.0)
        );
        assert_eq!(
            m.ratios(Tool::ThreadSanitizer, Tool::Native, super::cpu),
            [4.0; 3]
        );
        assert_eq!(m.ratio(Tool::Drd, Tool::Native, super::cpu), None);
    }

    #[test]
    fn extra_memory_is_what_comes_on_top_of_the_native() {
        let mut m = example("x", Group::Kernel, [1.0; 3]);
        for (tool, peak) in [
            (Tool::Native, 10e3),
            (Tool::Goldilocks, 20e3),
            (Tool::ThreadSanitizer, 50e3),
        ] {
            m.rounds[0].get_mut(&tool).unwrap().peak = peak;
        }
        assert_eq!(m.extra_memory(Tool::Goldilocks), Some(0.25));
    }
}
