//! `goldilocks`: what is there beside the compilers.

use clap::{Parser, Subcommand};
use goldilocks_cc::doctor::{self, Finding, Grade, elf, installation, program};
use goldilocks_cc::machine::ThisMachine;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Tools of Goldilocks, the data-race detector. To compile: goldilocks-cc, goldilocks-c++.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Subcommand)]
enum Tool {
    /// Look for what is wrong with the installation, or with a program that should be checked
    ///
    /// Without PROGRAM, checks that the installed tree is complete and fits the compiler, and that a known race is found.
    /// With PROGRAM, says whether it is instrumented and has the runtime. Exit status: 0 if all is well, 1 if not.
    Doctor {
        /// A program, a shared library or an object
        program: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    match Arguments::parse().tool {
        Tool::Doctor { program } if program.is_empty() => {
            tell(&installation::examine(&ThisMachine))
        }
        Tool::Doctor { program } => tell(
            &program
                .iter()
                .flat_map(|path| look_at(path))
                .collect::<Vec<_>>(),
        ),
    }
}

fn look_at(path: &Path) -> Vec<Finding> {
    let name = path.display().to_string();
    let unreadable = |error: std::io::Error| {
        vec![Finding::bad(
            format!("{name} cannot be read: {error}"),
            "give the path of a program",
        )]
    };
    match std::fs::read(path).map(|data| elf::facts(&data)) {
        Ok(Ok(facts)) => program::judge(&name, &facts),
        Ok(Err(error)) => vec![Finding::bad(
            format!("{name} {error}"),
            "give a program, a library or an object",
        )],
        Err(error) => unreadable(error),
    }
}

fn tell(findings: &[Finding]) -> ExitCode {
    findings.iter().for_each(|finding| println!("{finding}"));
    if doctor::worst(findings) == Grade::Bad {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
