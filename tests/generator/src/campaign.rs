//! Many units, several at a time; failures are made small and written down.

use crate::judge::{Failure, Tally};
use crate::shrink::shrink;
use crate::unit::{self, Mode, Setting};
use anyhow::Result;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What to run.
#[derive(Clone, Debug)]
pub struct Campaign {
    pub setting: Setting,
    /// Executions (programs times schedules), at least.
    pub programs: usize,
    /// Seed of the first unit; the others follow.
    pub seed: u64,
    pub jobs: usize,
    /// Programs in a unit, and schedules of each.
    pub scenarios: usize,
    pub schedules: usize,
}

/// Failures that are shrunk; more of them would tell the same.
const SHRUNK: usize = 6;

/// Runs it; `progress` is told of every unit and every failure.
pub fn run(campaign: &Campaign, progress: impl Fn(&str) + Sync) -> Result<Tally> {
    let units = campaign
        .programs
        .div_ceil(campaign.scenarios * campaign.schedules);
    let next = AtomicUsize::new(0);
    let total = Mutex::new((Tally::default(), 0));
    let error = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..campaign.jobs {
            scope.spawn(|| {
                // Relaxed: each number is taken once, and nothing else depends on it.
                while error.lock().unwrap().is_none() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= units {
                        break;
                    }
                    let seed = campaign.seed + number as u64;
                    match one(campaign, seed, &progress, &total) {
                        Ok(tally) => {
                            let mut total = total.lock().unwrap();
                            total.0.add(tally);
                            progress(&format!(
                                "seed {seed}: {} executions, {} racing bytes, {} failures; in all {} and {}",
                                tally.executions, tally.racing_bytes, tally.failures,
                                total.0.executions, total.0.failures
                            ));
                        }
                        Err(problem) => {
                            *error.lock().unwrap() = Some(problem.context(format!("seed {seed}")));
                        }
                    }
                }
            });
        }
    });
    match error.into_inner().unwrap() {
        Some(problem) => Err(problem),
        None => Ok(total.into_inner().unwrap().0),
    }
}

fn one(
    campaign: &Campaign,
    seed: u64,
    progress: &(impl Fn(&str) + Sync),
    total: &Mutex<(Tally, usize)>,
) -> Result<Tally> {
    let mode = Mode::of(seed);
    let scenarios = unit::scenarios(seed, campaign.scenarios, campaign.schedules);
    let stem = seed.to_string();
    let (tally, failures) = unit::test(&campaign.setting, &mode, &scenarios, &stem)?;
    // One of each kind tells of the unit.
    let mut told: Vec<&Failure> = Vec::new();
    for failure in &failures {
        if told.iter().all(|other| other.kind != failure.kind) {
            told.push(failure);
        }
    }
    for failure in told {
        let Failure {
            scenario,
            run,
            kind,
            text,
        } = failure;
        progress(&format!(
            "seed {seed}, {:?} {:?}: program {scenario} under schedule {run}: {kind:?}: {text}",
            mode.flags, mode.options
        ));
        let shrinks = {
            let mut total = total.lock().unwrap();
            total.1 += 1;
            total.1 <= SHRUNK
        };
        if !shrinks {
            continue;
        }
        let stem = format!("{seed}-{scenario}-{run}");
        let small = shrink(
            &campaign.setting,
            &mode,
            &scenarios[*scenario],
            *run,
            *kind,
            &stem,
        )?;
        let (_, again) = unit::test(
            &campaign.setting,
            &mode,
            std::slice::from_ref(&small),
            &stem,
        )?;
        let built = unit::build(&campaign.setting, &mode, &small.alone(0), &stem)?;
        let says = again
            .first()
            .map_or("it does not fail alone", |failure| failure.text.as_str());
        let report = format!(
            "{kind:?}: {says}\n\nas found: {text}\n\n{}\n{}\n\n{small:#?}\n",
            built.compile, built.run
        );
        std::fs::write(built.program.with_extension("failure"), report)?;
        progress(&format!(
            "seed {seed}: made small in {}: {says}",
            built.program.with_extension("*").display()
        ));
    }
    Ok(tally)
}
