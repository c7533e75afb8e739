//! The generator by hand; `cargo xtask fuzz --programs N` runs it with the tree that it has built.

use anyhow::{Context, Result, bail};
use goldilocks_generator::campaign::{self, Campaign};
use goldilocks_generator::unit::{Setting, tests_folder};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "goldilocks-generator [--programs N] [--seed S] [--jobs J] [--scenarios N] [--schedules N] [--home TREE] [--out FOLDER]";

fn main() -> ExitCode {
    match parse().and_then(|campaign| run(&campaign)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn parse() -> Result<Campaign> {
    let repository = tests_folder().join("..");
    let mut campaign = Campaign {
        setting: Setting {
            home: repository.join("target/goldilocks"),
            out: repository.join("target/fuzz/programs"),
            tests: tests_folder(),
        },
        programs: 2000,
        seed: 1,
        jobs: 2,
        scenarios: 40,
        schedules: 25,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments
            .next()
            .with_context(|| format!("`{name}` needs a value\n{USAGE}"))?;
        let number = || -> Result<usize> {
            let number = value.parse().with_context(|| format!("{name} {value}"))?;
            if number == 0 {
                bail!("{name} must not be 0");
            }
            Ok(number)
        };
        match name.as_str() {
            "--programs" => campaign.programs = number()?,
            "--seed" => campaign.seed = number()? as u64,
            "--jobs" => campaign.jobs = number()?,
            "--scenarios" => campaign.scenarios = number()?,
            "--schedules" => campaign.schedules = number()?,
            "--home" => campaign.setting.home = PathBuf::from(value),
            "--out" => campaign.setting.out = PathBuf::from(value),
            _ => bail!("unknown option `{name}`\n{USAGE}"),
        }
    }
    Ok(campaign)
}

/// Whether all was as it had to be.
fn run(campaign: &Campaign) -> Result<bool> {
    let start = Instant::now();
    let tally = campaign::run(campaign, |line| println!("{line}"))?;
    println!(
        "{} executions with {} turns in {:.0} s: {} racing bytes in {} reports, {} executions without a race, {} failures",
        tally.executions,
        tally.turns,
        start.elapsed().as_secs_f64(),
        tally.racing_bytes,
        tally.reports,
        tally.silent,
        tally.failures
    );
    Ok(tally.failures == 0)
}
