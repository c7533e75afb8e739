//! Builds the runtime with the options of code generation that it needs, and with a profile of how it was run.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::dist::versions;
use crate::exports::List;
use crate::runtime_link::Exports;
use crate::{cxx_parts, layout, process, runtime_link};

/// Code generation of the runtime. Frame pointers: the runtime finds the program's frames through its own. The oldest
/// x86-64: it must run where the program runs. Small bags of crossbeam-epoch, which are built and emptied on the stack: threads of the
/// program may have the smallest one.
const FLAGS: [&str; 6] = [
    "-Cforce-frame-pointers=yes",
    "-Ctarget-cpu=x86-64",
    "-Crelocation-model=pic",
    "-Cpanic=abort",
    "--cfg",
    "crossbeam_sanitize",
];
/// Named, so that build scripts, which run while all is built, do without these flags: they would leave profiles of themselves.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// What a runtime that counts how often each of its branches goes where is linked with besides.
pub const PROFILER: &str = "__llvm_profile_runtime";

/// In which of two ways it has to do with a profile.
pub enum Flavour<'a> {
    /// Writes one into this folder, by itself, when a program ends.
    Counting(&'a Path),
    /// Made for programs; with this one, if there is any.
    ForPrograms(Option<&'a Path>),
}

impl Flavour<'_> {
    fn flags(&self) -> Vec<String> {
        let mut flags: Vec<String> = FLAGS.map(str::to_owned).into();
        match self {
            Flavour::Counting(folder) => {
                flags.push(format!("-Cprofile-generate={}", folder.display()));
                // The short ways may not use vector registers, for counting neither.
                flags.push("-Cno-vectorize-slp".to_owned());
                flags.push("-Cllvm-args=-do-counter-promotion=false".to_owned());
            }
            Flavour::ForPrograms(Some(profile)) => {
                flags.push(format!("-Cprofile-use={}", profile.display()));
            }
            Flavour::ForPrograms(None) => return flags,
        }
        // Only of branches: what is counted of values is counted by calls, which the short ways may not make.
        flags.push("-Cllvm-args=-disable-vp".to_owned());
        flags
    }
}

/// What cargo makes of `runtime/`, in the build directory `target`.
pub fn staticlib(target: &Path, flavour: &Flavour) -> Result<PathBuf> {
    let mut cargo = process::cargo();
    cargo.args([
        "rustc",
        "--quiet",
        "--release",
        "--package",
        "goldilocks-rt",
        "--crate-type",
        "staticlib",
        "--target",
        TARGET,
        "--target-dir",
    ]);
    process::run(
        cargo
            .arg(target)
            // Separated so that a folder's name may have a space in it.
            .env("CARGO_ENCODED_RUSTFLAGS", flavour.flags().join("\x1f")),
    )?;
    Ok(target.join(TARGET).join("release/libgoldilocks_rt.a"))
}

/// Builds the runtime for programs if it is out of date, and puts it into the tree.
pub fn for_programs(tree: &Path, profile: Option<&Path>) -> Result<()> {
    let target = layout::target().join("runtime");
    let staticlib = staticlib(&target, &Flavour::ForPrograms(profile))?;
    let shared = tree.join("lib/libgoldilocks_rt.so");
    let stamp = target.join("linked-from");
    let mut from = vec![staticlib.clone(), list(), std::env::current_exe()?];
    from.extend(cxx_parts::objects()?);
    let from = versions(&from)?;
    let up_to_date = fs::read_to_string(&stamp).is_ok_and(|old| old == from);
    let library = tree.join(LIBRARY);
    if up_to_date && library.exists() && shared.exists() && tree.join(NAMES).exists() {
        return Ok(());
    }
    let scratch = target.join("link");
    link(&staticlib, &scratch, tree, &[])?;
    runtime_link::share(&library, &scratch, &shared).context("linking the shared runtime")?;
    fs::write(stamp, from)?;
    Ok(())
}

/// In a tree: the runtime as an archive, and what a program exports of it.
const LIBRARY: &str = "lib/libgoldilocks_rt.a";
const NAMES: &str = "share/goldilocks_rt.syms";

/// Puts what cargo made into a tree, with what else of it is linked by name.
pub fn link(staticlib: &Path, scratch: &Path, tree: &Path, also: &[&str]) -> Result<Exports> {
    let list = list();
    let list = List::parse(
        &fs::read_to_string(&list).with_context(|| format!("reading {}", list.display()))?,
    );
    let library = tree.join(LIBRARY);
    let mut exports = runtime_link::link(staticlib, &list, scratch, &library, also)
        .context("linking the runtime")?;
    exports.extend(runtime_link::add(
        &library,
        scratch,
        &cxx_parts::objects()?,
    )?);
    fs::write(tree.join(NAMES), runtime_link::dynamic_list(&exports))?;
    Ok(exports)
}

/// Where it says what the runtime exports.
fn list() -> PathBuf {
    layout::root().join("runtime/exports.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runtime_that_counts_and_one_with_the_profile_are_the_same_code_but_for_that() {
        let counting = Flavour::Counting(Path::new("a b")).flags();
        assert!(counting.contains(&"-Cprofile-generate=a b".to_owned()));
        let with = Flavour::ForPrograms(Some(Path::new("p"))).flags();
        assert!(with.contains(&"-Cprofile-use=p".to_owned()));
        for flags in [&counting, &with] {
            assert!(flags.contains(&"-Cllvm-args=-disable-vp".to_owned()));
            assert_eq!(flags[..FLAGS.len()], FLAGS);
        }
        assert_eq!(Flavour::ForPrograms(None).flags(), FLAGS);
    }
}
