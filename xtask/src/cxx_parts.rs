//! Builds what libraries of C++ have in their shared libraries of containers, strings and sorting (`runtime/cxx`), instrumented: an archive for C++ programs
//! and libraries.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::dist::versions;
use crate::layout::{self, llvm_tool};
use crate::process;

/// In a tree.
const LIBRARY: &str = "lib/libgoldilocks_cxx.a";

/// For programs and shared libraries alike.
const OPTIONS: [&str; 5] = [
    "-std=c++17",
    "-fPIC",
    "-fno-exceptions",
    "-fno-rtti",
    "-Werror",
];

/// A source that is the same for many types: three times as long otherwise, in each program.
const MANY: &str = "sort";

/// Builds the archive if it is out of date, with the compiler of the tree.
pub fn into(tree: &Path) -> Result<()> {
    let compiler = tree.join("bin/goldilocks-c++");
    let sources = sources()?;
    let scratch = layout::target().join("cxx");
    fs::create_dir_all(&scratch)?;
    let library = tree.join(LIBRARY);
    let stamp = scratch.join("made-from");
    let mut from = vec![
        compiler.clone(),
        tree.join("lib/libgoldilocks_pass.so"),
        std::env::current_exe()?,
    ];
    from.extend(sources.iter().cloned());
    let from = versions(&from)?;
    if library.exists() && fs::read_to_string(&stamp).is_ok_and(|old| old == from) {
        return Ok(());
    }
    let mut objects = Vec::new();
    for source in &sources {
        let name = source.file_stem().context("a source has a name")?;
        let object = scratch.join(name).with_extension("o");
        let mut command = Command::new(&compiler);
        command
            .args(OPTIONS)
            .arg(if name == MANY { "-Os" } else { "-O2" })
            .arg("-c")
            .arg(source)
            .arg("-o")
            .arg(&object);
        // Of the tree's plugin, however it is called on.
        process::run(command.env_remove("GOLDILOCKS_PASS"))?;
        objects.push(object);
    }
    if library.exists() {
        fs::remove_file(&library)?;
    }
    process::run(
        Command::new(llvm_tool("llvm-ar"))
            .arg("rcs")
            .arg(&library)
            .args(objects),
    )?;
    Ok(fs::write(stamp, from)?)
}

fn sources() -> Result<Vec<PathBuf>> {
    let folder = layout::root().join("runtime/cxx");
    let mut sources = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
        sources.push(entry?.path());
    }
    sources.sort();
    Ok(sources)
}
