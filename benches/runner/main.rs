//! `cargo xtask bench`: each program of `programs/` is built natively, with Goldilocks and with ThreadSanitizer, and run
//! in turns, so that whatever else the machine does meets all three. Results are medians over rounds of CPU time and peak
//! memory, and ratios of one round's runs.
//!
//! A program prints a result that must be the same in all variants. It says in comments how to run it:
//! `// ARGS: ...`, and `// QUICK: ...` for `--quick`.

mod measure;
mod results;
mod variant;
mod workload;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use measure::Run;
use results::Row;
use variant::Variant;
use workload::Workload;

struct Plan {
    quick: bool,
    rounds: usize,
    filter: Option<String>,
}

fn main() -> ExitCode {
    match plan().and_then(bench) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn plan() -> Result<Plan> {
    let mut plan = Plan {
        quick: false,
        rounds: 7,
        filter: None,
    };
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--quick" => (plan.quick, plan.rounds) = (true, 3),
            option if option.starts_with('-') => bail!("unknown option `{option}`; known: --quick"),
            name => plan.filter = Some(name.to_owned()),
        }
    }
    Ok(plan)
}

fn bench(plan: Plan) -> Result<()> {
    let folder = PathBuf::from(
        std::env::var_os("GOLDILOCKS_BENCH_DIR").context("run it by `cargo xtask bench`")?,
    );
    std::fs::create_dir_all(&folder)?;
    let mut rows = Vec::new();
    for workload in workload::all()? {
        if plan
            .filter
            .as_ref()
            .is_some_and(|filter| !workload.name.contains(filter.as_str()))
        {
            continue;
        }
        eprintln!("bench: {}", workload.name);
        rows.push(row(&workload, &plan, &folder).with_context(|| workload.name.clone())?);
    }
    if rows.is_empty() {
        bail!("there is no such program");
    }
    print!("{}", results::table(&rows));
    let file = folder.join("results.json");
    std::fs::write(&file, results::json(&rows))
        .with_context(|| format!("writing {}", file.display()))?;
    println!("all numbers: {}", file.display());
    Ok(())
}

fn row(workload: &Workload, plan: &Plan, folder: &std::path::Path) -> Result<Row> {
    let mut programs = Vec::new();
    for variant in Variant::ALL {
        let program = folder.join(format!("{}-{}", workload.name, variant.name()));
        variant.build(&workload.source, &program)?;
        programs.push((variant, program));
    }
    let mut row = Row::new(&workload.name);
    let mut output: Option<String> = None;
    for _ in 0..plan.rounds {
        let mut round: Vec<Run> = Vec::new();
        for (variant, program) in &programs {
            let (run, printed) = measure::run(program, workload.arguments(plan.quick))?;
            match &output {
                None => output = Some(printed),
                Some(first) if *first == printed => {}
                Some(first) => bail!(
                    "{} printed {printed:?}, but another variant {first:?}",
                    variant.name()
                ),
            }
            round.push(run);
        }
        row.add(round);
    }
    Ok(row)
}
