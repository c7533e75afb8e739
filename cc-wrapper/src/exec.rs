//! Carries out a command line: becomes the compiler, or says why not.

use crate::args::{Invocation, Mode};
use crate::excluded;
use crate::locate::Tree;
use crate::machine::{Machine, ThisMachine};
use crate::need::Need;
use crate::own;
use crate::plan::{Parts, Plan, plan};
use crate::refusal::Refusal;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

/// What comes of a command line.
enum Outcome {
    Run(Plan),
    Print(String),
}

/// The `main` of `goldilocks-cc` and `goldilocks-c++`. `arguments` starts with the program's name. Returns only if the
/// compiler is not run: with 0 after an answer of our own, with 1 after a refusal.
pub fn main(arguments: Vec<OsString>) -> ExitCode {
    let name = arguments
        .first()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or_default();
    let refusal = match decide(
        Mode::of_name(name),
        arguments.get(1..).unwrap_or_default(),
        &ThisMachine,
    ) {
        Ok(Outcome::Print(text)) => {
            print!("{text}");
            return ExitCode::SUCCESS;
        }
        Ok(Outcome::Run(plan)) => {
            plan.warning
                .iter()
                .for_each(|warning| say(name, "warning", warning));
            become_compiler(&plan)
        }
        Err(refusal) => refusal,
    };
    say(name, "error", &refusal);
    ExitCode::FAILURE
}

fn say(name: &str, kind: &str, what: &Refusal) {
    what.lines(kind)
        .iter()
        .for_each(|line| eprintln!("{name}: {line}"));
}

fn decide(mode: Mode, arguments: &[OsString], machine: &dyn Machine) -> Result<Outcome, Refusal> {
    let invocation = Invocation::parse(mode, arguments, &|path: &Path| std::fs::read(path).ok())?;
    if invocation.own.help {
        return Ok(Outcome::Print(own::help()));
    }
    let need = Need::of(&invocation)?;
    let tree = Tree::find(machine)?;
    let parts = Parts::find(machine, &tree, mode, &need)?;
    let plan = plan(&invocation, &need, &parts);
    Ok(if invocation.own.dry_run {
        Outcome::Print(listing(&plan))
    } else {
        Outcome::Run(plan)
    })
}

fn listing(plan: &Plan) -> String {
    let arguments = plan
        .arguments
        .iter()
        .map(|argument| argument.to_string_lossy());
    let mut text = plan.program.to_string_lossy().into_owned();
    arguments.for_each(|argument| text.extend(["\n", &argument]));
    text + "\n"
}

/// Replaces this process, so that exit status, signals and standard streams are the compiler's own.
fn become_compiler(plan: &Plan) -> Refusal {
    let mut command = Command::new(&plan.program);
    command.args(&plan.arguments);
    if excluded::is_built(&ThisMachine) {
        let (variable, value) = excluded::UNCHECKED;
        command.env(variable, value);
    }
    let error = command.exec();
    let way_out = match error.kind() {
        std::io::ErrorKind::ArgumentListTooLong => {
            let bytes: usize = plan
                .arguments
                .iter()
                .map(|argument| argument.as_bytes().len() + 1)
                .sum();
            format!("put some of the {bytes} bytes of arguments into a file, and give it as @file")
        }
        _ => "see whether it can be run by hand; GOLDILOCKS_CLANG names another clang".to_owned(),
    };
    Refusal::new(
        format!("cannot run {}: {error}", plan.program.display()),
        way_out,
    )
}
