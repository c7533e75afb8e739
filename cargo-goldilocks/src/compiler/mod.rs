//! `goldilocks-rustc`: rustc's own command line, with what race detection needs.
//!
//! As cargo's wrapper (`RUSTC_WRAPPER`), its first argument is the rustc to run; by hand, `goldilocks-rustc program.rs` runs
//! the one that `RUSTC` names, or the first on the path.

mod doctest;
mod line;
mod plan;

pub use line::Line;
pub use plan::{Caller, Parts, Role, arguments, role};

use crate::sysroot::{self, Prepared, Source};
use crate::toolchain::Toolchain;
use crate::variable;
use goldilocks_cc::excluded;
use goldilocks_cc::locate::Tree;
use goldilocks_cc::machine::{Machine, ThisMachine};
use goldilocks_cc::refusal::Refusal;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Becomes rustc. Returns only if it does not.
pub fn run(mut rest: Vec<OsString>) -> Result<ExitCode, Refusal> {
    if rest
        .first()
        .is_some_and(|first| first == sysroot::RECOMPILE)
    {
        return sysroot::recompile(&rest[1..]);
    }
    let machine = &ThisMachine;
    let program: Vec<OsString> = rest.drain(..words_of_program(&rest)).collect();
    let wrapped = !program.is_empty();
    let rustc = match program.last() {
        Some(rustc) => rustc.clone(),
        None => machine.variable("RUSTC").unwrap_or_else(|| "rustc".into()),
    };
    let line = Line::parse(&rest, &|path: &Path| std::fs::read_to_string(path).ok());
    let caller = Caller {
        wrapped,
        compiles_crate: machine.variable("CARGO_CRATE_NAME").is_some(),
        build_script: machine.variable("HOST").is_some() && machine.variable("TARGET").is_some(),
    };
    let role = role(&line, &caller)?;
    let program = if wrapped {
        program
    } else {
        vec![rustc.clone()]
    };
    let mut command = command(machine, program);
    if role == Role::Plain {
        if line.is_host_program() && machine.variable(variable::PREPARED).is_none() && wrapped {
            eprintln!(
                "goldilocks-rustc: warning: {} is compiled without --target, and so is not checked\n\
                 goldilocks-rustc: note: give cargo `--target {}`, or use `cargo goldilocks`",
                line.crate_name.as_deref().unwrap_or("this crate"),
                crate::toolchain::TARGET
            );
        }
        if wrapped
            && !caller.build_script
            && rest == ["-vV"]
            && let Some(home) = machine.variable(variable::PREPARED)
        {
            let runtime = Tree::find(machine)?.archive();
            return version(&mut command, Path::new(&home), &runtime);
        }
        return Err(become_rustc(command.args(rest)));
    }
    let tree = Tree::find(machine)?;
    let (prepared, unstable) = prepared(machine, &tree, &rustc)?;
    let parts = Parts {
        prepared,
        archive: tree.require(machine, tree.archive(), "the runtime")?,
        dynamic_list: tree.require(
            machine,
            tree.dynamic_list(),
            "the runtime's list of exported names",
        )?,
        allow_features: unstable || machine.variable("RUSTC_BOOTSTRAP").is_some(),
    };
    let name = line.crate_name.as_deref();
    if name.is_some_and(|name| excluded::contains(machine, name)) {
        // What is compiled with it, such as the standard library's generic functions, is no more checked than itself.
        let (variable, value) = excluded::UNCHECKED;
        command.env(variable, value);
    }
    doctest::move_lines(machine, &rest, &mut command);
    // For options of rustc that are not stable; the crate gets none of the features that come with it.
    command.env("RUSTC_BOOTSTRAP", "1");
    Err(become_rustc(
        command.args(arguments(rest, &line, &role, &parts)),
    ))
}

/// What rustc says of itself, and with what it compiles here: cargo compiles everything again when this answer is another one.
fn version(command: &mut Command, home: &Path, runtime: &Path) -> Result<ExitCode, Refusal> {
    let output = command
        .arg("-vV")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| not_run(command, &error))?;
    let key = home.file_name().unwrap_or_default().to_string_lossy();
    let runtime = sysroot::cache::identity(runtime).unwrap_or_default();
    println!(
        "{}goldilocks: {key} {runtime}",
        String::from_utf8_lossy(&output.stdout)
    );
    let status = output.status.code().map_or(1, |code| code as u8);
    Ok(ExitCode::from(status))
}

/// Whether a first argument is the program that cargo's wrappers are given.
fn is_rustc(argument: &OsStr) -> bool {
    let name = Path::new(argument).file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    let is_source = name.ends_with(".rs");
    name == "rustc"
        || name.ends_with("clippy-driver")
        || name.contains("rustc") && !is_source && !name.starts_with('-')
}

/// How many words in front are the program that a wrapper is to run: rustc, or with it the user's wrapper for the crates of a
/// workspace (`RUSTC_WORKSPACE_WRAPPER`).
fn words_of_program(words: &[OsString]) -> usize {
    match words {
        [first, second, ..] if is_program(first) && is_rustc(second) => 2,
        [first, ..] if is_rustc(first) => 1,
        _ => 0,
    }
}

fn is_program(argument: &OsStr) -> bool {
    let text = argument.to_string_lossy();
    !text.starts_with(['-', '@']) && !text.ends_with(".rs")
}

/// The user's own wrappers around rustc, or rustc.
fn command(machine: &dyn Machine, program: Vec<OsString>) -> Command {
    let wrapper = machine.variable(variable::WRAPPER);
    let mut words = wrapper.into_iter().chain(program);
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}

/// What `cargo goldilocks` has prepared, or by hand what is prepared now; and whether this is an unstable toolchain, as far as
/// that is known.
fn prepared(
    machine: &dyn Machine,
    tree: &Tree,
    rustc: &OsStr,
) -> Result<(Prepared, bool), Refusal> {
    if let Some(home) = machine.variable(variable::PREPARED) {
        let prepared = Prepared {
            home: PathBuf::from(home),
        };
        let unstable = prepared.is_for_unstable();
        return Ok((prepared, unstable));
    }
    let toolchain = Toolchain::of(rustc)?;
    let source = Source::find(machine, tree, &toolchain)?;
    let prepared = sysroot::prepare(machine, &source, &|line| {
        eprintln!("goldilocks-rustc: {line}");
    })?;
    Ok((prepared, toolchain.is_unstable()))
}

fn become_rustc(command: &mut Command) -> Refusal {
    let error = command.exec();
    not_run(command, &error)
}

fn not_run(command: &Command, error: &std::io::Error) -> Refusal {
    Refusal::new(
        format!(
            "cannot run {}: {error}",
            command.get_program().to_string_lossy()
        ),
        "see whether it can be run by hand; RUSTC names another one",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_to_run_is_told_from_its_arguments() {
        for (words, count) in [
            ("rustc -vV", 1),
            ("/opt/bin/rustc --crate-name rustc x.rs", 1),
            ("/w/wrapper /opt/bin/rustc x.rs", 2),
            ("clippy-driver rustc x.rs", 2),
            ("x.rs -o rustc", 0),
            ("--crate-name rustc", 0),
            ("-o rustc x.rs", 0),
            ("", 0),
        ] {
            let split: Vec<OsString> = words.split_whitespace().map(OsString::from).collect();
            assert_eq!(words_of_program(&split), count, "{words}");
        }
    }
}
