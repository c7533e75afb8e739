//! `cargo xtask`: everything one does with this repository, on a machine that has Rust and git.

mod bench;
mod crates;
mod cxx_parts;
mod demo;
mod dist;
mod exports;
mod fuzz;
mod layout;
mod process;
mod runtime_build;
mod runtime_link;
mod setup;
mod test;
mod training;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask demo                  build everything, run a racy program and its repaired twin
cargo xtask test [OPTIONS] [NAME] build everything, run all tests (whose name contains NAME)
    --llvm VERSION                test the pass with another LLVM as well (19)
    --real                        also build and run real programs from Debian's sources
    --registry                    also run what needs the registry of Rust crates
cargo xtask dist [OPTIONS]        the relocatable tree target/goldilocks: compilers, plugin, runtime
    --llvm VERSION                with the plugin for another LLVM as well
    --profile old|none            the runtime without measuring how it runs first: by what was measured of an
                                  older one, or by nothing (which is slower, for programs)
cargo xtask fuzz [OPTIONS]         random executions; see docs/testing.md
    --programs N                  N executions of random programs, compiled and run (default: 2000)
    --traces N                    N random traces of every shape through the engine
    --target NAME --seconds N     a libFuzzer target: trace_reader or shadow
    --seed S, --jobs J            where to start, and how many at once
cargo xtask bench [OPTIONS] [NAME] compare with native code and with ThreadSanitizer; see benches/README.md
    --quick                       short runs, within two minutes
    --check                       fail if what is to be reached is not, and say where
    --only NAME, --list           only workloads whose name contains NAME; what there is
    --with gcc,helgrind,drd       these detectors too
    --rounds N                    exactly N rounds, however long they take
    --stats, --profile            show what the runtime counted; where the time goes in what is too slow
    --levers                      what each lever buys, instead: the kernels without it and with it
    --out DIR, --readme           where to put the numbers; also into the README
cargo xtask crates [OPTIONS] [NAME] tests of published Rust crates; see docs/rust-crates.md (takes an hour)
    --limit SECONDS               of the build and the tests of each (default: 1800)
cargo xtask setup                 install what is missing: clang and LLVM from Debian's packages
cargo xtask help                  this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<ExitCode> {
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", arguments),
    };
    let takes_arguments = matches!(command, "dist" | "test" | "bench" | "fuzz" | "crates");
    if let (false, Some(extra)) = (takes_arguments, rest.first()) {
        bail!("`{command}` takes no arguments, but got `{extra}`; see `cargo xtask help`");
    }
    match command {
        "setup" => setup::run(&[setup::REFERENCE_LLVM]).map(|()| ExitCode::SUCCESS),
        "dist" => {
            let dist::Plan { also, profile } = dist::Plan::parse(rest)?;
            let versions: Vec<u32> = [Some(setup::REFERENCE_LLVM), also]
                .into_iter()
                .flatten()
                .collect();
            setup::run(&versions)?;
            let tree = dist::make(profile)?;
            if let Some(version) = also {
                dist::add_pass(&tree, version)?;
            }
            println!("{}", tree.display());
            Ok(ExitCode::SUCCESS)
        }
        "demo" => demo::run(),
        "test" => test::run(test::Plan::parse(rest)?),
        "bench" => bench::run(rest),
        "crates" => crates::run(crates::Plan::parse(rest)?),
        "fuzz" => fuzz::run(fuzz::Plan::parse(rest)?),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        other => bail!("unknown command `{other}`\n{HELP}"),
    }
}
