//! Workloads in Rust: programs of the package in `rust/`, whose heads are as those of the others (`workload.rs`). Cargo builds them with
//! each tool into a folder of the tool's own; ThreadSanitizer needs a nightly toolchain with the sources of the standard library, and is
//! left out where there is none.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::place;
use crate::tool::Tool;

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Builds the program of `source` into `program`.
pub fn build(source: &Path, tool: Tool, program: &Path, seeded: bool) -> Result<()> {
    let folder = place::builds().join(format!("cargo-{}", tool.name()));
    let name = source.file_stem().unwrap_or_default();
    let mut cargo = cargo(tool);
    cargo
        .args(["--release", "--target", TARGET, "--manifest-path"])
        .arg(place::benches().join("rust/Cargo.toml"))
        .arg("--bin")
        .arg(name)
        .env("CARGO_TARGET_DIR", &folder);
    if seeded {
        cargo.args(["--features", "seed_race"]);
    }
    let output = cargo
        .output()
        .with_context(|| format!("cannot run {cargo:?}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("{}: {cargo:?}\n{said}", output.status);
    }
    let own = if tool == Tool::Goldilocks {
        "goldilocks"
    } else {
        ""
    };
    let made = folder.join(own).join(TARGET).join("release").join(name);
    std::fs::copy(&made, program).with_context(|| format!("copying {}", made.display()))?;
    Ok(())
}

fn cargo(tool: Tool) -> Command {
    let mut command = match tool {
        Tool::Goldilocks => {
            let mut command = Command::new(place::home().join("bin/cargo-goldilocks"));
            command.args(["goldilocks", "build"]);
            command
        }
        Tool::ThreadSanitizer => {
            let mut command = Command::new("cargo");
            command
                .args(["+nightly", "build", "-Zbuild-std"])
                .env("RUSTFLAGS", "-Zsanitizer=thread");
            command
        }
        _ => {
            let mut command = Command::new("cargo");
            command.arg("build");
            command
        }
    };
    // What the cargo that runs this has for its own programs.
    command.env_remove("CARGO").env_remove("RUSTC_WRAPPER");
    command
}

/// Whether ThreadSanitizer can be had for Rust.
pub fn has_thread_sanitizer() -> bool {
    let asked = Command::new("rustc")
        .args(["+nightly", "--print", "sysroot"])
        .output();
    let sysroot = asked
        .ok()
        .filter(|answer| answer.status.success())
        .and_then(|answer| String::from_utf8(answer.stdout).ok());
    sysroot.is_some_and(|folder| {
        let library = PathBuf::from(folder.trim()).join("lib/rustlib/src/rust/library");
        library.join("Cargo.lock").exists()
    })
}
