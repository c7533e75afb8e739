//! `goldilocks-rustdoc`: rustdoc's own command line; for doctests, it is told to compile them with `goldilocks-rustc`.

use crate::compiler::Line;
use crate::sysroot::Prepared;
use crate::variable;
use goldilocks_cc::machine::{Machine, ThisMachine};
use goldilocks_cc::refusal::Refusal;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Becomes rustdoc. Returns only if it does not.
pub fn run(given: Vec<OsString>) -> Result<ExitCode, Refusal> {
    let machine = &ThisMachine;
    let rustdoc = machine
        .variable(variable::RUSTDOC)
        .unwrap_or_else(|| "rustdoc".into());
    let line = Line::parse(&given, &|path: &Path| std::fs::read_to_string(path).ok());
    let mut command = Command::new(&rustdoc);
    command.args(given);
    if line.test
        && line.target.is_some()
        && let Some(home) = machine.variable(variable::PREPARED)
    {
        let prepared = Prepared {
            home: PathBuf::from(home),
        };
        command
            .arg("-Zunstable-options")
            .arg("--test-builder")
            .arg(prepared.program("goldilocks-rustc"))
            .arg("--sysroot")
            .arg(prepared.sysroot())
            .env("RUSTC_BOOTSTRAP", "1");
    }
    let error = command.exec();
    Err(Refusal::new(
        format!("cannot run {}: {error}", rustdoc.to_string_lossy()),
        "see whether it can be run by hand; RUSTDOC names another one",
    ))
}
