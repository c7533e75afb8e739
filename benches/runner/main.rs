//! `cargo xtask bench`: each workload is built natively, with Goldilocks and with ThreadSanitizer, and run in turns, so that
//! whatever else the machine does meets all of them. Results are medians over rounds of CPU time, wall time and peak memory,
//! and of ratios of one round's runs.
//!
//! A workload is measured only if it is worth it: all builds print the same, none reports anything, and the build with a race
//! seeded into it (`-DSEED_RACE`) is reported by Goldilocks.

mod bar;
mod build;
mod case;
mod charts;
mod counters;
mod json;
mod levers;
mod machine;
mod measure;
mod place;
mod plan;
mod plot;
mod profile;
mod readme;
mod recipe;
mod rust;
#[cfg(test)]
mod smoke;
mod statistic;
mod suite;
mod table;
mod tool;
mod workload;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use plan::Plan;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = Plan::parse(&arguments).and_then(|plan| bench(&plan));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all went well, and all of the bar is met if that was asked.
fn bench(plan: &Plan) -> Result<bool> {
    let cases = case::all(plan)?;
    if plan.list {
        for case in &cases {
            println!("{:<28} {}", case.name, case.workload.about);
        }
        return Ok(true);
    }
    if cases.is_empty() {
        bail!("there is no such workload; `--list` shows them");
    }
    if plan.levers {
        levers::measure_all(&cases, plan)?;
        return Ok(true);
    }
    let folder = plan.out.clone().unwrap_or_else(place::results);
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let measured = suite::run(cases, plan)?;
    print!("{}", table::screen(&measured, &plan.tools));
    if plan.stats {
        print!("{}", counters::screen(&measured));
    }
    if plan.profile {
        print!("{}", profile::screen(&measured, plan)?);
    }
    let file = folder.join("results.json");
    std::fs::write(&file, json::text(&measured, plan)?)
        .with_context(|| format!("writing {}", file.display()))?;
    charts::write(&measured, &plan.tools, &folder)?;
    println!("all numbers, and plots: {}", file.display());
    if plan.readme {
        readme::write(&measured, plan)?;
    }
    let mut well = true;
    for m in &measured {
        for failure in &m.failures {
            println!("FAILED {}: {failure}", m.case.name);
            well = false;
        }
    }
    if plan.check {
        let verdicts = bar::verdicts(&measured);
        print!("{}", bar::screen(&verdicts));
        well &= verdicts.iter().all(|verdict| verdict.below.is_empty());
    }
    Ok(well)
}
