//! `mixed/`: programs of Rust and C++ on one runtime, `rust/crates/mixed`. What one language orders is ordered for the other, and
//! what none orders is reported with the stacks of both.

use std::path::PathBuf;
use std::process::Command;

use libtest_mimic::Trial;

use crate::compiled::{FINDING, RACE};
use crate::directives::Exit;
use crate::place;
use crate::project::{Project, check, find};

/// Threads of both languages are in it, so one run is not enough for silence.
const RUNS: usize = 5;

/// A race by the argument that makes it, and the lines that its report must have.
const IN_RUST_PROGRAM: [(&str, &[&str]); 4] = [
    (
        "in-cpp",
        &[
            "#0 count_guarded",
            "#0 count_unguarded",
            "holding _GLOBAL__N_1::guard",
        ],
    ),
    (
        "callback",
        &[
            "#0 racy::bump_in_rust",
            "::operator() const",
            "`racy::IN_RUST`",
        ],
    ),
    ("flag", &["#0 received", "#0 send", "Read of size"]),
    (
        "deleted",
        &[
            "Free of size 8",
            "#0 delete_number",
            "#0 racy::main::{closure",
        ],
    ),
];
const IN_CPP_PROGRAM: [(&str, &[&str]); 3] = [
    ("in-rust", &["#0 part_remember", "`part::LAST`"]),
    ("both", &["#0 part_remember", "#0 main", "`part::LAST`"]),
    (
        "callback",
        &["count_unguarded", "#1 part::part_call_in_threads::{closure"],
    ),
];

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("mixed/cpp_in_a_rust_program/debug", || {
            Ok(rust_program("")?)
        }),
        Trial::test("mixed/cpp_in_a_rust_program/release", || {
            Ok(rust_program("--release")?)
        }),
    ];
    for kind in ["a", "so"] {
        trials.push(Trial::test(
            format!("mixed/rust_in_a_cpp_program/{kind}"),
            move || Ok(cpp_program(kind)?),
        ));
    }
    trials
}

/// The crate `cc`, which the build script uses, is in the version that goldilocks itself is built with: it is on this machine.
fn project(test: &str) -> Result<Project, String> {
    let project = Project::new("mixed", test)?;
    let lock = place::tests().join("../Cargo.lock");
    std::fs::copy(&lock, project.root.join("Cargo.lock"))
        .map_err(|error| format!("{}: {error}", lock.display()))?;
    // Says that it does, if the standard library is not instrumented yet.
    project.expect("setup", Exit::Code(0))?;
    Ok(project)
}

fn rust_program(profile: &str) -> Result<(), String> {
    let project = project(&format!("mixed{profile}"))?;
    let run = |words: &str| format!("run --quiet --offline {profile} --bin {words}");
    for _ in 0..RUNS {
        let outcome = project.expect(&run("silent"), Exit::Code(0))?;
        let silent = outcome.stdout == "silent\n" && outcome.stderr.is_empty();
        check(silent, "not silent", &outcome)?;
    }
    for (kind, lines) in IN_RUST_PROGRAM {
        let outcome = project.expect(&run(&format!("racy -- {kind}")), FINDING)?;
        check(outcome.stderr.matches(RACE).count() == 1, kind, &outcome)?;
        for line in lines {
            let what = format!("{kind} lacks `{line}`");
            check(outcome.stderr.contains(line), &what, &outcome)?;
        }
    }
    Ok(())
}

/// Links a program in C++ with the static or the shared library that cargo has made.
fn cpp_program(kind: &str) -> Result<(), String> {
    let project = project(&format!("mixed-{kind}"))?;
    project.expect("build --offline -p part", Exit::Code(0))?;
    let folder = project
        .root
        .join("target/goldilocks/x86_64-unknown-linux-gnu/debug");
    let library: PathBuf = find(&folder, &|name| name == format!("libpart.{kind}"))
        .into_iter()
        .next()
        .ok_or_else(|| format!("there is no libpart.{kind} in {}", folder.display()))?;
    let program = project.root.join("program");
    let mut compiler = Command::new(place::home().join("bin/goldilocks-c++"));
    compiler
        .current_dir(&project.root)
        .args(["-g", "-pthread", "part/main.cpp", "-o"])
        .arg(&program)
        .arg(library);
    let outcome = project.run(&mut compiler)?;
    check(outcome.exit == Exit::Code(0), "not linked", &outcome)?;
    for _ in 0..RUNS {
        let outcome = project.run(&mut Command::new(&program))?;
        let silent = outcome.exit == Exit::Code(0) && outcome.stderr.is_empty();
        check(silent, "not silent", &outcome)?;
    }
    for (kind, lines) in IN_CPP_PROGRAM {
        let outcome = project.run(Command::new(&program).arg(kind))?;
        let one = outcome.exit == FINDING && outcome.stderr.matches(RACE).count() == 1;
        check(one, kind, &outcome)?;
        for line in lines {
            let what = format!("{kind} lacks `{line}`");
            check(outcome.stderr.contains(line), &what, &outcome)?;
        }
    }
    Ok(())
}
