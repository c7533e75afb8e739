//! `--levers`: what each of the means by which Goldilocks is fast buys. The kernels are run with one of them switched off at a time, in turns
//! with runs in which all are on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::case::{Case, Group};
use crate::measure;
use crate::place;
use crate::plan::Plan;
use crate::readme;
use crate::statistic::{geometric_mean, median};
use crate::tool::Tool;

const BEGIN: &str = "<!-- levers: written by `cargo xtask bench --levers --readme` -->\n";
const END: &str = "<!-- end of levers -->\n";

/// What takes longer is left out, with a word: threads that wait for each other by atomics get nowhere without some of the levers.
const LIMIT: Duration = Duration::from_secs(30);
/// Workloads that are named for each lever, and the slowdown from which on they are.
const NAMED: usize = 4;
const WORTH_NAMING: f64 = 1.1;

/// Something that can be switched off.
struct Lever {
    about: &'static str,
    /// What switches it off: a word of `GOLDILOCKS_PASS` or of `GOLDILOCKS_OPTIONS`.
    pass: Option<&'static str>,
    options: Option<&'static str>,
}

const fn compiled(about: &'static str, pass: &'static str) -> Lever {
    Lever {
        about,
        pass: Some(pass),
        options: None,
    }
}

const fn at_run_time(about: &'static str, options: &'static str) -> Lever {
    Lever {
        about,
        pass: None,
        options: Some(options),
    }
}

const LEVERS: &[Lever] = &[
    compiled(
        "epoch tags are compared inline, not in the check stubs",
        "inline=0",
    ),
    compiled("checks that earlier ones cover are left out", "redundant=0"),
    compiled("loops are checked before they run", "loops=0"),
    compiled(
        "loops are there a second time, without checks, for when there is one thread",
        "alone=0",
    ),
    compiled("neighbouring fields are checked together", "adjacent=0"),
    compiled(
        "calls are followed to see whether they synchronize",
        "summaries=0",
    ),
    compiled(
        "objects that no other thread can reach are left out",
        "private=0",
    ),
    at_run_time(
        "SC0, the same epoch, and with it the short way into the runtime",
        "short_circuits=1234",
    ),
    at_run_time("SC1, the same thread", "short_circuits=0234"),
    at_run_time(
        "SC2, what the thread knows to be ordered",
        "short_circuits=0134",
    ),
    at_run_time("SC3", "short_circuits=0124"),
    at_run_time("SC4", "short_circuits=0123"),
    at_run_time(
        "what nothing can race with any more is forgotten",
        "settle_after=0",
    ),
    at_run_time(
        "threads that wait for a lock take naps, where that is better",
        "lock_naps=0",
    ),
    at_run_time(
        "who takes a lock back goes on with the sync epoch that the release had ended",
        "resume_epochs=0",
    ),
    at_run_time(
        "what all read in each of their epochs, and atomics that all use, threads keep to themselves",
        "kept_reads=0",
    ),
];

/// What a lever bought: the CPU time without it as a multiple of the time with it, for each kernel that could be run.
struct Bought {
    lever: &'static Lever,
    kernels: Vec<(String, f64)>,
    /// Those that could not.
    left_out: Vec<String>,
}

/// Measures all levers, prints the table, and writes it into the README if the plan asks for that.
pub fn measure_all(cases: &[Case], plan: &Plan) -> Result<()> {
    let kernels: Vec<&Case> = cases.iter().filter(|c| c.group == Group::Kernel).collect();
    if kernels.is_empty() {
        bail!("`--levers` is measured with kernels, and there is none of that name");
    }
    let folder = place::builds().join("levers");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let mut bought: Vec<Bought> = LEVERS
        .iter()
        .map(|lever| Bought {
            lever,
            kernels: Vec::new(),
            left_out: Vec::new(),
        })
        .collect();
    for case in kernels {
        eprintln!("{}", case.name);
        let with = build(case, None, &folder)?;
        for bought in &mut bought {
            let without = match bought.lever.pass {
                Some(word) => build(case, Some(word), &folder)?,
                None => with.clone(),
            };
            match compare(case, &with, &without, bought.lever.options, plan.rounds) {
                Ok(ratio) => bought.kernels.push((case.name.clone(), ratio)),
                Err(error) => {
                    eprintln!("left out of `{}`: {error:#}", bought.lever.about);
                    bought.left_out.push(case.name.clone());
                }
            }
        }
    }
    let text = table(&mut bought);
    print!("{text}");
    if plan.readme {
        readme::write_between((BEGIN, END), &text)?;
    }
    Ok(())
}

fn build(case: &Case, pass: Option<&str>, folder: &Path) -> Result<PathBuf> {
    let name = pass.map_or("all", |word| word.trim_end_matches("=0"));
    let program = folder.join(format!("{}-{name}", case.name));
    let mut command = Tool::Goldilocks.compile(&case.workload.source, &program, false);
    if let Some(word) = pass {
        command.env("GOLDILOCKS_PASS", word);
    }
    let output = command
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(program)
}

/// The median over rounds of the CPU time of `without` (with these runtime options) as a multiple of that of `with`.
fn compare(
    case: &Case,
    with: &Path,
    without: &Path,
    options: Option<&str>,
    rounds: usize,
) -> Result<f64> {
    let run = |program: &Path, options: Option<&str>| -> Result<f64> {
        let mut command = Command::new(program);
        command.args(&case.arguments);
        match options {
            Some(options) => command.env("GOLDILOCKS_OPTIONS", options),
            None => command.env_remove("GOLDILOCKS_OPTIONS"),
        };
        let outcome = measure::run(&mut command, &place::builds().join("levers/out"), LIMIT)?;
        if outcome.status != Some(0) {
            bail!("{command:?} has failed\n{}", outcome.stderr);
        }
        Ok(outcome.run.cpu)
    };
    let mut ratios = Vec::new();
    for _ in 0..rounds {
        let base = run(with, None)?;
        ratios.push(run(without, options)? / base.max(1e-3));
    }
    Ok(median(&ratios))
}

fn table(bought: &mut [Bought]) -> String {
    let mut text =
        "| lever | switched off by | CPU time without it | most |\n|---|---|---:|---|\n".to_owned();
    for Bought {
        lever,
        kernels,
        left_out,
    } in bought
    {
        let ratios: Vec<f64> = kernels.iter().map(|(_, ratio)| *ratio).collect();
        let mean = geometric_mean(&ratios).unwrap_or(1.0);
        kernels.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut named: Vec<String> = kernels
            .iter()
            .filter(|(_, ratio)| *ratio >= WORTH_NAMING)
            .take(NAMED)
            .map(|(name, ratio)| format!("{name} {ratio:.2}"))
            .collect();
        if !left_out.is_empty() {
            named.push(format!(
                "not counted, as they failed: {}",
                left_out.join(", ")
            ));
        }
        let switch = match (lever.pass, lever.options) {
            (Some(word), _) => format!("`GOLDILOCKS_PASS={word}`"),
            (_, Some(word)) => format!("`GOLDILOCKS_OPTIONS={word}`"),
            _ => String::new(),
        };
        text += &format!(
            "| {} | {switch} | {mean:.2} | {} |\n",
            lever.about,
            named.join(", ")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_what_a_lever_is_worth() {
        let kernels = |ratios: &[(&str, f64)]| {
            let named = ratios.iter().map(|&(name, ratio)| (name.to_owned(), ratio));
            named.collect()
        };
        let mut bought = [Bought {
            lever: &LEVERS[0],
            kernels: kernels(&[("array", 4.0), ("tree", 1.0)]),
            left_out: vec!["flag".to_owned()],
        }];
        let text = table(&mut bought);
        let expected = "| 2.00 | array 4.00, not counted, as they failed: flag |";
        assert!(text.contains(expected), "{text}");
    }
}
