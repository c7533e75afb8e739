//! The one runner of everything that is a program and not a unit test. Each file is a test, at each level at which it
//! is compiled; the suites are
//!
//! | suite | what it runs |
//! |---|---|
//! | `twins/race`, `twins/misuse`, `twins/norace` | `programs/`: what must be reported, and the twins that must stay silent |
//! | `libc` | what each function of libc does to memory, to the byte |
//! | `lifecycle` | start, end, fork, signals, loading: how the detector lives in a process |
//! | `litmus` | every atomic operation in every order, against the rules of the C++ standard |
//! | `named` | the tests that the documentation names are there |
//! | `ui` | the text of reports, to the letter |
//! | `ir` | what the pass emits, by lit and FileCheck |
//! | `generated` | random programs whose races are known |
//! | `exports` | what the runtime library shows, and that it can be linked |
//! | `rust` | programs in Rust: what must be reported, and the twins that must stay silent |
//! | `cargo` | `cargo goldilocks`: its commands, profiles and kinds of crates; the instrumented standard library |
//! | `mixed` | Rust and C++ in one program: each calls the other, with a race and without |
//! | `advisories` | versions of published crates with a known race, and their repaired ones; with `--registry` only |
//! | `real` | programs from Debian's sources |
//!
//! `cargo xtask test` runs it; it needs the tree of `cargo xtask dist` (`GOLDILOCKS_HOME`, or `target/goldilocks`).
//! The arguments are libtest's. `GOLDILOCKS_ONLY=suite` runs one suite. `GOLDILOCKS_BLESS=1` takes the present text of
//! reports as the expected one.

mod advisories;
mod cargo;
mod compiled;
mod directives;
mod execute;
mod exports;
mod generated;
mod interrupted;
mod ir;
mod libc;
mod lifecycle;
mod litmus;
mod mixed;
mod named;
mod place;
mod project;
#[path = "../real/suite.rs"]
mod real;
mod rust;
mod toolchains;
mod twins;
mod ui;
mod wrappers;

use libtest_mimic::{Arguments, Trial};

/// Name of a suite, and what lists its tests.
type Suite = (&'static str, fn() -> Vec<Trial>);

const SUITES: &[Suite] = &[
    ("directives", directives::trials),
    ("exports", exports::trials),
    ("twins", twins::trials),
    ("libc", libc::trials),
    ("lifecycle", lifecycle::trials),
    ("litmus", litmus::trials),
    ("named", named::trials),
    ("ui", ui::trials),
    ("ir", ir::trials),
    ("generated", generated::trials),
    ("rust", rust::trials),
    ("cargo", cargo::trials),
    ("mixed", mixed::trials),
    ("advisories", advisories::trials),
    ("real", real::trials),
];

fn main() {
    let mut arguments = Arguments::from_args();
    // The programs under test have threads of their own, and some are timed.
    arguments.test_threads = arguments.test_threads.or(Some(2));
    let only = std::env::var("GOLDILOCKS_ONLY").ok();
    if let Some(only) = &only {
        assert!(
            SUITES.iter().any(|(name, _)| name == only),
            "GOLDILOCKS_ONLY={only}: there is no such suite"
        );
    }
    let chosen = SUITES
        .iter()
        .filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name));
    let trials = chosen.flat_map(|(_, trials)| trials()).collect();
    libtest_mimic::run(&arguments, trials).exit();
}
