//! `--profile`: where the time goes in the workloads that fall short of the bar, by `perf`.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::bar;
use crate::build::Build;
use crate::measure;
use crate::place;
use crate::plan::Plan;
use crate::suite::{self, Measured};
use crate::tool::Tool;

/// Symbols that are shown of a workload.
const SYMBOLS: usize = 8;

/// The symbols of each workload that is too slow, with their shares of its time.
pub fn screen(measured: &[Measured], plan: &Plan) -> Result<String> {
    let mut text = String::new();
    for m in measured.iter().filter(|m| bar::is_slow(m)) {
        let symbols = symbols(m, plan).with_context(|| m.case.name.clone())?;
        text += &format!("{}:\n", m.case.name);
        for symbol in symbols {
            text += &format!("    {symbol}\n");
        }
    }
    Ok(text)
}

fn symbols(m: &Measured, plan: &Plan) -> Result<Vec<String>> {
    let build = Build::new(&m.case.workload.source, Tool::Goldilocks, false);
    let program = suite::command(&build, Tool::Goldilocks);
    let data = place::builds().join("perf.data");
    let mut perf = Command::new("perf");
    perf.args(["record", "-q", "-o"]).arg(&data).arg("--");
    perf.arg(program.get_program())
        .args(program.get_args())
        .args(&m.case.arguments);
    for (name, value) in program.get_envs() {
        if let Some(value) = value {
            perf.env(name, value);
        }
    }
    if let Some(folder) = program.get_current_dir() {
        perf.current_dir(folder);
    }
    let out = place::builds().join("perf.run");
    measure::run(&mut perf, &out, suite::limit(plan) * 2)?;
    let mut report = Command::new("perf");
    report.args([
        "report",
        "--stdio",
        "--no-children",
        "-F",
        "overhead,symbol",
        "-i",
    ]);
    let outcome = measure::run(report.arg(&data), &out, Duration::from_secs(60))?;
    if outcome.status != Some(0) {
        bail!("perf: {}", outcome.stderr);
    }
    Ok(shares(&outcome.stdout))
}

/// The first lines of perf's table, without its head and the letters that say where a symbol is.
fn shares(report: &str) -> Vec<String> {
    report
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .take(SYMBOLS)
        .map(|line| line.replace("[.] ", "").replace("[k] ", "kernel: "))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_table_are_taken() {
        let report = "# Overhead  Symbol\n#\n    32.60%  [.] decode\n     6.95%  [k] futex\n\n";
        assert_eq!(shares(report), ["32.60%  decode", "6.95%  kernel: futex"]);
    }
}
