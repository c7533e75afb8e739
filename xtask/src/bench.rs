//! `cargo xtask bench`: builds everything, then hands over to the benchmark program in `benches/`.

use std::process::ExitCode;

use anyhow::Result;

use crate::{dist, layout, process, setup};

pub fn run(arguments: &[String]) -> Result<ExitCode> {
    setup::run(&[setup::REFERENCE_LLVM])?;
    let tree = dist::run()?;
    let mut cargo = process::cargo();
    cargo
        .args([
            "run",
            "--quiet",
            "--release",
            "--package",
            "goldilocks-benches",
            "--",
        ])
        .args(arguments);
    cargo.env("GOLDILOCKS_HOME", tree).env(
        "GOLDILOCKS_LLVM_BIN",
        layout::llvm(setup::REFERENCE_LLVM).join("bin"),
    );
    cargo.env("GOLDILOCKS_BENCH_DIR", layout::target().join("bench"));
    let status = cargo.status()?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
