//! `cargo xtask demo`: a bug that compiles, passes every run by eye, and is a race; and its repaired twin.

use std::process::{Command, ExitCode, Output};

use anyhow::{Context, Result};

use crate::{dist, layout, process, setup};

const FINDING: i32 = 66;

pub fn run() -> Result<ExitCode> {
    setup::run(&[setup::REFERENCE_LLVM])?;
    println!("xtask: building compiler wrapper, plugin and runtime");
    let tree = dist::run()?;
    let racy = show(&tree, "racy")?;
    let silent = show(&tree, "silent")?;

    let found = racy.status.code() == Some(FINDING)
        && String::from_utf8_lossy(&racy.stderr).contains("data race");
    let quiet = silent.status.success() && silent.stderr.is_empty();
    println!();
    match (found, quiet) {
        (true, true) => println!(
            "The first program has a race, reported above; the second is its repair, and says nothing.\n\
             Now yours:\n\n    export PATH={}:$PATH\n    goldilocks-c++ -O2 -g your_program.cpp -o your_program && ./your_program\n\n\
             or CC=goldilocks-cc CXX=goldilocks-c++ ./configure && make. README.md has the rest.",
            process::quote(&tree.join("bin").to_string_lossy())
        ),
        (false, _) => println!(
            "The demo failed: the racy program should end with status {FINDING} and a report, but {}.",
            racy.status
        ),
        (true, false) => println!(
            "The demo failed: the repaired program should say nothing and succeed, but {}.",
            silent.status
        ),
    }
    Ok(if found && quiet {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Compiles and runs one of the programs, showing the commands and what they print.
fn show(tree: &std::path::Path, name: &str) -> Result<Output> {
    let source = layout::root().join(format!("tests/demo/{name}.cpp"));
    let program = layout::target().join("demo").join(name);
    std::fs::create_dir_all(program.parent().expect("it is in a folder"))?;
    let mut compile = Command::new(tree.join("bin/goldilocks-c++"));
    compile
        .args(["-std=c++17", "-O2", "-g", "-pthread"])
        .arg(&source)
        .arg("-o")
        .arg(&program);
    println!("\n$ {}", process::display(&compile));
    process::run(&mut compile)?;
    let mut run = Command::new(&program);
    println!("$ {}", process::display(&run));
    let output = run
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    print!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    println!("({})", output.status);
    Ok(output)
}
