//! Random executions, as many as one likes: compiled programs, traces, and libFuzzer's inputs.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::{dist, layout, process, setup};

/// What to run. With neither traces nor a target: programs.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Plan {
    traces: Option<u64>,
    target: Option<String>,
    seconds: Option<u64>,
    seed: Option<u64>,
    /// Options of the generator of programs, as they are.
    programs: Vec<String>,
}

const TARGETS: [&str; 2] = ["trace_reader", "shadow"];

impl Plan {
    pub fn parse(arguments: &[String]) -> Result<Plan> {
        let mut plan = Plan::default();
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            let value = rest
                .next()
                .with_context(|| format!("`{name}` needs a value; see `cargo xtask help`"))?;
            let number = || {
                value
                    .parse::<u64>()
                    .with_context(|| format!("{name} {value}"))
            };
            match name.as_str() {
                "--traces" => plan.traces = Some(number()?),
                "--seconds" => plan.seconds = Some(number()?),
                "--target" if TARGETS.contains(&value.as_str()) => {
                    plan.target = Some(value.clone())
                }
                "--target" => bail!("there is no target `{value}`, but {TARGETS:?}"),
                "--programs" | "--jobs" | "--scenarios" | "--schedules" => {
                    number()?;
                    plan.programs.extend([name.clone(), value.clone()]);
                }
                "--seed" => plan.seed = Some(number()?),
                _ => bail!("unknown option `{name}`; see `cargo xtask help`"),
            }
        }
        Ok(plan)
    }
}

pub fn run(plan: Plan) -> Result<ExitCode> {
    if let Some(target) = &plan.target {
        libfuzzer(target, plan.seconds.unwrap_or(60))?;
    }
    if let Some(count) = plan.traces {
        traces(count, plan.seed.unwrap_or(1))?;
    }
    if !plan.programs.is_empty() || (plan.target.is_none() && plan.traces.is_none()) {
        programs(&plan)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn programs(plan: &Plan) -> Result<()> {
    setup::run(&[setup::REFERENCE_LLVM])?;
    let tree = dist::run()?;
    let mut cargo = process::cargo();
    cargo.args(["run", "--quiet", "--package", "goldilocks-generator", "--"]);
    cargo.arg("--home").arg(&tree);
    cargo
        .arg("--out")
        .arg(layout::target().join("fuzz/programs"));
    cargo.args(&plan.programs);
    if let Some(seed) = plan.seed {
        cargo.args(["--seed", &seed.to_string()]);
    }
    process::run(&mut cargo)
}

fn traces(count: u64, seed: u64) -> Result<()> {
    let mut cargo = process::cargo();
    cargo
        .args(["test", "--release", "--package", "goldilocks-core"])
        .args(["--test", "engine_vs_oracle"])
        .env("GOLDILOCKS_TRACES", count.to_string())
        .env("GOLDILOCKS_SEED", seed.to_string());
    process::run(&mut cargo)
}

/// Without cargo-fuzz: its flags, given to the compiler that there is.
fn libfuzzer(target: &str, seconds: u64) -> Result<()> {
    let folder = layout::root().join("fuzz");
    let out = layout::target().join("fuzz/build");
    let mut build = process::cargo();
    build
        .current_dir(&folder)
        .args(["build", "--release", "--bin", target])
        // The instrumentation is an unstable option of a stable compiler.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", &out)
        .env("RUSTFLAGS", FLAGS.join(" "))
        .args(["--target", "x86_64-unknown-linux-gnu"]);
    process::run(&mut build)?;
    let corpus = layout::target().join("fuzz/corpus").join(target);
    std::fs::create_dir_all(&corpus)?;
    let mut run = Command::new(out.join("x86_64-unknown-linux-gnu/release").join(target));
    run.arg(&corpus)
        .arg(format!("-max_total_time={seconds}"))
        .arg("-print_final_stats=1")
        // The engine's tables live as long as the process, as they do in the runtime.
        .arg("-detect_leaks=0")
        .arg(format!(
            "-artifact_prefix={}/",
            layout::target().join("fuzz").display()
        ));
    if target == "trace_reader" {
        run.arg(layout::root().join("tests/traces"));
    }
    process::run(&mut run)
}

/// Coverage for libFuzzer, AddressSanitizer, and everything that a debug build checks.
const FLAGS: [&str; 8] = [
    "--cfg fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Zsanitizer=address",
    "-Cdebug-assertions",
    "-Ccodegen-units=1",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Plan> {
        Plan::parse(&arguments.iter().map(|a| a.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_are_understood_or_refused() {
        let plan = parse(&["--programs", "100", "--seed", "7", "--traces", "5"]).unwrap();
        assert_eq!(
            plan,
            Plan {
                traces: Some(5),
                seed: Some(7),
                programs: vec!["--programs".into(), "100".into()],
                ..Plan::default()
            }
        );
        let plan = parse(&["--target", "shadow", "--seconds", "3"]).unwrap();
        assert_eq!(
            (plan.target.as_deref(), plan.seconds),
            (Some("shadow"), Some(3))
        );
        for wrong in [
            &["--programs"][..],
            &["--programs", "x"],
            &["--target", "nothing"],
            &["--fast", "1"],
        ] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
