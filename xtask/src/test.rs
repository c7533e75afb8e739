//! `cargo xtask test`: every test of the repository, with one closing line that sums them up.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::training::Profile;
use crate::{dist, layout, process, setup};

/// What to test.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Plan {
    /// A second LLVM to test the pass with.
    llvm: Option<u32>,
    /// Whether to build and run real programs too.
    real: bool,
    /// Whether to run what needs the registry of Rust crates.
    registry: bool,
    /// Only tests whose name contains this.
    filter: Option<String>,
}

impl Plan {
    pub fn parse(arguments: &[String]) -> Result<Plan> {
        let mut plan = Plan::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--real" => plan.real = true,
                "--registry" => plan.registry = true,
                "--llvm" => {
                    let version = rest.next().context("--llvm needs a version, such as 19")?;
                    plan.llvm = Some(
                        version
                            .parse()
                            .with_context(|| format!("`{version}` is no version of LLVM"))?,
                    );
                }
                option if option.starts_with('-') => {
                    bail!("unknown option `{option}`; see `cargo xtask help`")
                }
                name if plan.filter.is_none() => plan.filter = Some(name.to_owned()),
                extra => bail!("one name at most, but got `{extra}` too"),
            }
        }
        Ok(plan)
    }
}

/// The older LLVM that the pass is kept working with.
const SECOND_LLVM: u32 = 19;
/// Packages whose tests need nothing but cargo.
const PACKAGES: [&str; 6] = [
    "goldilocks-core",
    "goldilocks-rt",
    "goldilocks-cc",
    "cargo-goldilocks",
    "goldilocks-benches",
    "xtask",
];

/// Tests that ran, by result.
#[derive(Debug, Default, PartialEq, Eq, Clone)]
pub struct Tally {
    pub passed: u64,
    pub failed: u64,
    /// What was printed of those that failed, to be said once more at the end.
    pub failures: Failures,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failures.lines.extend(other.failures.lines);
    }
    /// Reads a closing line of a test program: `test result: ok. 3 passed; 0 failed; ...`.
    pub fn parse(line: &str) -> Option<Tally> {
        let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
        let mut counts = counts.split("; ");
        let mut count = |kind: &str| counts.next()?.strip_suffix(kind)?.trim().parse().ok();
        Some(Tally {
            passed: count("passed")?,
            failed: count("failed")?,
            failures: Failures::default(),
        })
    }
}

/// What test programs say of tests that failed: a log of minutes ends with it, where it is looked for first (and some
/// who keep logs keep no more than their ends).
#[derive(Debug, Default, PartialEq, Eq, Clone)]
pub struct Failures {
    lines: Vec<String>,
    /// Whether what is read belongs to a list of failures.
    inside: bool,
}

impl Failures {
    /// Lines of one test program that are repeated at most.
    const MOST: usize = 200;

    /// Takes in the next line of a test program: all from `failures:` on to its closing line.
    fn read(&mut self, line: &str) {
        if line.starts_with("test result: ") {
            self.inside = false;
        } else if line == "failures:" {
            self.inside = true;
        }
        if self.inside && self.lines.len() < Failures::MOST {
            self.lines.push(line.to_owned());
        }
    }
}

fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}

pub fn run(plan: Plan) -> Result<ExitCode> {
    let start = Instant::now();
    let second = plan.llvm.or_else(|| {
        let installed = layout::llvm(SECOND_LLVM).join("bin/llvm-config").exists();
        (in_ci() || installed).then_some(SECOND_LLVM)
    });
    let versions: Vec<u32> = [Some(setup::REFERENCE_LLVM), second]
        .into_iter()
        .flatten()
        .collect();
    let mut tools = setup::BUILD_TOOLS.to_vec();
    if plan.real {
        tools.extend(setup::REAL_TOOLS);
    }
    timed("setup", || setup::run_with(&versions, &tools))?;
    let tree = timed("dist", || dist::make(Profile::Required))?;

    let mut tally = Tally::default();
    for package in PACKAGES {
        let mut cargo = cargo_test(package, &tree, plan.filter.as_deref());
        tally.add(timed(package, || count(&mut cargo))?);
    }
    tally.add(timed("update list and engine under loom", || {
        count(&mut under_loom(&tree, plan.filter.as_deref()))
    })?);
    let mut suites = cargo_test("goldilocks-tests", &tree, plan.filter.as_deref());
    if plan.real {
        suites.env("GOLDILOCKS_REAL", "all");
    }
    if plan.registry {
        suites.env("GOLDILOCKS_REGISTRY", "1");
    }
    tally.add(timed("goldilocks-tests", || count(&mut suites))?);
    if let Some(version) = second {
        let name = format!("pass with LLVM {version}");
        tally.add(timed(&name, || {
            second_llvm(version, &tree, plan.filter.as_deref())
        })?);
    }
    if !tally.failures.lines.is_empty() {
        println!("\n== what failed, once more");
        for line in &tally.failures.lines {
            println!("{line}");
        }
    }
    println!("\nall tests took {:.0} s", start.elapsed().as_secs_f64());
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(if tally.failed == 0 && tally.passed > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn cargo_test(package: &str, tree: &Path, filter: Option<&str>) -> Command {
    let mut cargo = process::cargo();
    cargo.args(["test", "--quiet", "--no-fail-fast", "--package", package]);
    cargo.env("GOLDILOCKS_HOME", tree).env(
        "GOLDILOCKS_LLVM_BIN",
        layout::llvm(setup::REFERENCE_LLVM).join("bin"),
    );
    cargo.env(
        "GOLDILOCKS_PASS_PLUGIN",
        tree.join("lib/libgoldilocks_pass.so"),
    );
    cargo.args(["--"]).args(filter);
    cargo
}

/// All interleavings of small programs on the engine's lock-free parts, with the atomics of loom.
fn under_loom(tree: &Path, filter: Option<&str>) -> Command {
    let mut cargo = process::cargo();
    cargo
        .args([
            "test",
            "--quiet",
            "--release",
            "--package",
            "goldilocks-core",
        ])
        .args(["--test", "loom_update_list", "--test", "loom_engine"])
        .args(["--test", "loom_stripe", "--test", "loom_line", "--"])
        .args(filter);
    cargo.env("RUSTFLAGS", "--cfg loom");
    // Loom's threads have no room on their stacks to print one: a scenario that fails would hang instead.
    cargo.env("RUST_BACKTRACE", "0");
    // Flags change everything, so it has a folder of its own.
    cargo.env("CARGO_TARGET_DIR", tree.with_file_name("loom"));
    cargo
}

/// The IR tests with a plugin for another LLVM.
fn second_llvm(version: u32, tree: &Path, filter: Option<&str>) -> Result<Tally> {
    let plugin = dist::build_pass(version)?;
    let mut cargo = cargo_test("goldilocks-tests", tree, Some(filter.unwrap_or("ir/")));
    cargo
        .env("GOLDILOCKS_LLVM_BIN", layout::llvm(version).join("bin"))
        .env("GOLDILOCKS_PASS_PLUGIN", plugin);
    cargo.env("GOLDILOCKS_ONLY", "ir");
    count(&mut cargo)
}

/// The longest part takes a third of this on a slow machine.
const LIMIT: Duration = Duration::from_secs(45 * 60);

/// Runs a `cargo test`, passing its output on, and counts its tests. A run that fails otherwise (it does not compile,
/// a test program dies) counts as one failed test, and so does in CI one that hangs, with what it was doing then.
fn count(cargo: &mut Command) -> Result<Tally> {
    count_within(cargo, in_ci().then_some(LIMIT))
}

/// With a limit the run is a group of its own, which is out of the reach of a terminal's Ctrl-C.
fn count_within(cargo: &mut Command, limit: Option<Duration>) -> Result<Tally> {
    let text = process::display(cargo);
    cargo.stdout(Stdio::piped());
    if limit.is_some() {
        cargo.process_group(0);
    }
    let mut child = cargo
        .spawn()
        .with_context(|| format!("cannot run {text}"))?;
    let watch = limit.map(|limit| Watch::begin(child.id(), limit));
    let mut tally = Tally::default();
    for line in BufReader::new(child.stdout.take().expect("it is piped")).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        println!("{line}");
        tally.failures.read(&line);
        tally.add(Tally::parse(&line).unwrap_or_default());
    }
    let status = child.wait()?;
    let hung = watch.is_some_and(Watch::end);
    if hung {
        println!(
            "xtask: it took too long and was ended, with all that is listed above as its group"
        );
    }
    if hung || !status.success() {
        let ending = format!("xtask: {status}: {text}");
        println!("{ending}");
        tally.failures.lines.push(ending);
        tally.failed = tally.failed.max(1);
    }
    Ok(tally)
}

/// Ends a group of processes that takes too long.
struct Watch {
    done: mpsc::Sender<()>,
    watcher: JoinHandle<bool>,
}

impl Watch {
    fn begin(group: u32, limit: Duration) -> Watch {
        let (done, end) = mpsc::channel();
        let watcher = thread::spawn(move || {
            let hangs = end.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
            if hangs {
                let _ = Command::new("ps")
                    .args([
                        "-e",
                        "-L",
                        "-o",
                        "pid,tid,ppid,pgid,stat,time,wchan:20,args",
                    ])
                    .status();
                let _ = Command::new("kill")
                    .args(["-KILL", "--", &format!("-{group}")])
                    .status();
            }
            hangs
        });
        Watch { done, watcher }
    }

    /// Whether it took too long.
    fn end(self) -> bool {
        // The watcher has gone if it was too late.
        let _ = self.done.send(());
        self.watcher.join().unwrap_or(true)
    }
}

fn timed<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("\n== {name}");
    let start = Instant::now();
    let result = work()?;
    println!("== {name}: {:.0} s", start.elapsed().as_secs_f64());
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Plan> {
        Plan::parse(&arguments.iter().map(|a| a.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn closing_lines_are_counted_and_nothing_else_is() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!(
            Tally::parse(line),
            Some(Tally {
                passed: 12,
                failed: 3,
                failures: Failures::default(),
            })
        );
        assert_eq!(Tally::parse("test result: ok"), None);
        assert_eq!(Tally::parse("12 passed; 3 failed"), None);
    }

    #[test]
    fn arguments_are_understood_or_refused() {
        let plan = parse(&["--llvm", "19", "--real", "twins"]).unwrap();
        assert_eq!(
            plan,
            Plan {
                llvm: Some(19),
                real: true,
                registry: false,
                filter: Some("twins".to_owned())
            }
        );
        assert!(parse(&["--registry"]).unwrap().registry);
        for wrong in [&["--llvm"][..], &["--llvm", "x"], &["--fast"], &["a", "b"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_run_that_hangs_is_ended_with_all_that_it_has_started() {
        let start = Instant::now();
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "echo 'test result: ok. 2 passed; 0 failed; x'; sleep 1000; :",
        ]);
        let tally = count_within(&mut command, Some(Duration::from_millis(300))).unwrap();
        assert_eq!((tally.passed, tally.failed), (2, 1));
        assert!(start.elapsed() < Duration::from_secs(500));
    }

    #[test]
    fn a_run_that_dies_counts_as_failed() {
        let tally = count(Command::new("sh").args([
            "-c",
            "echo 'test result: ok. 2 passed; 0 failed; x'; exit 1",
        ]))
        .unwrap();
        assert_eq!((tally.passed, tally.failed), (2, 1));
        assert_eq!(tally.failures.lines.len(), 1);
    }

    #[test]
    fn what_failed_is_kept_and_what_passed_is_not() {
        let text = "running 2 tests\nfailures:\n\n---- a stdout ----\nat line 3\n\nfailures:\n    a\n\n\
                    test result: FAILED. 1 passed; 1 failed; x\nrunning 1 test";
        let tally = count(Command::new("sh").args(["-c", &format!("echo '{text}'")])).unwrap();
        assert_eq!((tally.passed, tally.failed), (1, 1));
        let said = tally.failures.lines;
        assert!(said.contains(&"at line 3".to_owned()) && said.contains(&"    a".to_owned()));
        assert!(!said.iter().any(|line| line.starts_with("running")));
    }
}
