//! One compilation unit: made from a seed, compiled, run, judged.

use crate::emit::{self, Scenario};
use crate::execute::{Ending, execute};
use crate::judge::{self, Failure, Tally};
use crate::make;
use crate::observe::{self, Happening};
use crate::program::Language;
use crate::random::Random;
use crate::schedule;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the compilers and the headers are, and where results go.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The tree of `cargo xtask dist`.
    pub home: PathBuf,
    /// Folder `tests` of the repository.
    pub tests: PathBuf,
    pub out: PathBuf,
}

/// How a unit is compiled and run.
#[derive(Clone, Debug)]
pub struct Mode {
    pub language: Language,
    pub flags: &'static [&'static str],
    pub options: &'static str,
}

const FLAGS: [&[&str]; 8] = [
    &["-O0"],
    &["-O1"],
    &["-O2"],
    &["-O3"],
    &["-O2", "-fno-inline"],
    &["-Os"],
    &["-O3", "-march=haswell"],
    &["-O2"],
];

/// Options that must not change any verdict.
const OPTIONS: [&str; 7] = [
    "",
    ":list_bound=4:settle_after=1:sweep_after=2:kept_reads=2",
    ":combined_sites=0:alone_checks=0",
    ":short_circuits=none:list_bound=16",
    ":short_circuits=0:settle_after=3:sweep_after=8:kept_reads=0",
    ":combined_sites=4:list_bound=32",
    ":list_bound=64:alone_checks=0:settle_after=0:resume_epochs=0",
];

const ALWAYS: &str = "report_format=json:report_once=0:symbolize=0:log_path=stderr:exitcode=0";
/// Processes for one unit: after a crash the next one runs the rest.
const PROCESSES: usize = 12;

impl Mode {
    /// A few combinations, gone through seed by seed.
    pub fn of(seed: u64) -> Mode {
        Mode {
            language: if (seed / 8).is_multiple_of(2) {
                Language::C
            } else {
                Language::Cpp
            },
            flags: FLAGS[seed as usize % FLAGS.len()],
            options: OPTIONS[seed as usize / 2 % OPTIONS.len()],
        }
    }
}

/// The scenarios of a seed.
pub fn scenarios(seed: u64, count: usize, schedules: usize) -> Vec<Scenario> {
    let mode = Mode::of(seed);
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| {
            let (program, base) = make::make(&mut random, mode.language);
            let mut all = vec![base.clone()];
            for _ in 1..schedules {
                all.extend(schedule::vary(&program, &base, &mut random));
            }
            Scenario {
                program,
                schedules: all,
            }
        })
        .collect()
}

/// A unit on disk.
pub struct Built {
    pub program: PathBuf,
    pub compile: String,
    pub run: String,
}

/// Compiles, runs and judges. `stem` is the name of its files.
pub fn test(
    setting: &Setting,
    mode: &Mode,
    scenarios: &[Scenario],
    stem: &str,
) -> Result<(Tally, Vec<Failure>)> {
    test_with(setting, mode, scenarios, stem, PROCESSES)
}

/// The same; what lies behind the first crash or hang does not run.
pub fn test_to_crash(
    setting: &Setting,
    mode: &Mode,
    scenarios: &[Scenario],
    stem: &str,
) -> Result<(Tally, Vec<Failure>)> {
    test_with(setting, mode, scenarios, stem, 1)
}

fn test_with(
    setting: &Setting,
    mode: &Mode,
    scenarios: &[Scenario],
    stem: &str,
    processes: usize,
) -> Result<(Tally, Vec<Failure>)> {
    let unit = emit::emit(scenarios);
    let built = build(setting, mode, &unit.source, stem)?;
    let happenings = run(mode, &built, processes)?;
    let result = judge::judge(scenarios, &unit, &happenings);
    for file in ["", "stderr"] {
        let _ = fs::remove_file(built.program.with_extension(file));
    }
    if result.1.is_empty() {
        let _ = fs::remove_file(built.program.with_extension(extension(mode)));
    }
    Ok(result)
}

fn extension(mode: &Mode) -> &'static str {
    match mode.language {
        Language::C => "c",
        Language::Cpp => "cpp",
    }
}

/// Compiles a unit.
pub fn build(setting: &Setting, mode: &Mode, source: &str, stem: &str) -> Result<Built> {
    fs::create_dir_all(&setting.out)?;
    let program = setting.out.join(format!("unit-{stem}"));
    let file = program.with_extension(extension(mode));
    fs::write(&file, source)?;
    let compiler = match mode.language {
        Language::C => "bin/goldilocks-cc",
        Language::Cpp => "bin/goldilocks-c++",
    };
    let mut command = Command::new(setting.home.join(compiler));
    command
        .args(mode.flags)
        .args(["-g", "-w", "-pthread", "-fno-strict-aliasing"]);
    if mode.language == Language::Cpp {
        command.arg("-std=c++20");
    }
    for folder in ["generator/include", "programs/include"] {
        command.arg(format!("-I{}", setting.tests.join(folder).display()));
    }
    command.arg(&file).arg("-o").arg(&program);
    let output = command
        .stdin(Stdio::null())
        .output()
        .context("the compiler")?;
    let shown = format!("{command:?}").replace('"', "");
    if !output.status.success() {
        bail!(
            "does not compile: {shown}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(Built {
        run: format!(
            "GOLDILOCKS_OPTIONS={ALWAYS}{} {}",
            mode.options,
            program.display()
        ),
        program,
        compile: shown,
    })
}

/// Runs a unit. However it ends, what it has said until then counts.
fn run(mode: &Mode, built: &Built, processes: usize) -> Result<Vec<Happening>> {
    let said = built.program.with_extension("stderr");
    let mut all = Vec::new();
    let mut from: Option<(usize, usize)> = None;
    for _ in 0..processes {
        let mut command = Command::new(&built.program);
        command.env("GOLDILOCKS_OPTIONS", format!("{ALWAYS}{}", mode.options));
        if let Some((scenario, run)) = from {
            command.args(["from".to_owned(), scenario.to_string(), run.to_string()]);
        }
        let ending = execute(&mut command, &said)?;
        let text = String::from_utf8_lossy(&fs::read(&said)?).into_owned();
        let happenings = observe::read(&text, &built.program)?;
        let last = happenings
            .iter()
            .rev()
            .find_map(|happening| match happening {
                Happening::Start { scenario, run } => Some((*scenario, *run + 1)),
                _ => None,
            });
        all.extend(happenings);
        match ending {
            Ending::Regular => break,
            Ending::Hung(stacks) => all.push(Happening::Hung(stacks)),
            Ending::Failed(status) => all.push(Happening::Died(status)),
        }
        if last.is_none() {
            break;
        }
        from = last;
    }
    Ok(all)
}

/// Folder `tests` of this repository.
pub fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the generator is in the tests")
        .to_path_buf()
}
