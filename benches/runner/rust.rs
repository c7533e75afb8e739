//! Workloads in Rust: programs of the package in `rust/`, whose heads are as those of the others (`workload.rs`). Cargo builds them with
//! each tool into a folder of the tool's own. ThreadSanitizer needs a nightly toolchain with the sources of the standard library to know what that does; where there is
//! none, it is measured as it comes with the toolchain, with the standard library as it is: that spares it some work, and as it then takes for races
//! what the library orders, it says nothing of any.

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
            match thread_sanitizer() {
                Some(Library::Instrumented) => command
                    .args(["+nightly", "build", "-Zbuild-std"])
                    .env("RUSTFLAGS", "-Zsanitizer=thread"),
                _ => command.arg("build").env("RUSTC_BOOTSTRAP", "1").env(
                    "RUSTFLAGS",
                    "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer",
                ),
            };
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

/// What ThreadSanitizer sees of the standard library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    Instrumented,
    AsItIs,
}

/// How ThreadSanitizer can be had for Rust, if it can.
pub fn thread_sanitizer() -> Option<Library> {
    let sysroot = |more: &[&str]| -> Option<PathBuf> {
        let asked = Command::new("rustc")
            .args(more)
            .args(["--print", "sysroot"])
            .output();
        let answer = asked.ok().filter(|answer| answer.status.success())?;
        let folder = String::from_utf8(answer.stdout).ok()?;
        Some(PathBuf::from(folder.trim()).join("lib/rustlib"))
    };
    let has_sources = |folder: PathBuf| folder.join("src/rust/library/Cargo.lock").exists();
    if sysroot(&["+nightly"]).is_some_and(has_sources) {
        return Some(Library::Instrumented);
    }
    let libraries = std::fs::read_dir(sysroot(&[])?.join(TARGET).join("lib")).ok()?;
    let mut names = libraries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names
        .any(|name| name.ends_with("_rt.tsan.a"))
        .then_some(Library::AsItIs)
}
