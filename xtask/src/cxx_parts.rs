//! Builds what libraries of C++ have in their shared libraries of containers, hashing and sorting (`runtime/cxx`), instrumented: objects that are put beside the
//! runtime.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use goldilocks_core::cxx_library::{FUNCTIONS, SECTION, instrumented};

use crate::dist::versions;
use crate::layout::{self, llvm_tool};
use crate::process;

/// They are part of programs, and of the shared form of the runtime.
const OPTIONS: [&str; 5] = [
    "-std=c++17",
    "-fPIC",
    "-fno-exceptions",
    "-fno-rtti",
    "-Werror",
];

/// A source that is the same for many types: three times as long otherwise, in each program.
const MANY: &str = "sort";

/// Builds them if they are out of date, with the compiler of the tree, under the names by which instrumented code calls them.
pub fn objects() -> Result<Vec<PathBuf>> {
    let tree = layout::tree();
    let compiler = tree.join("bin/goldilocks-c++");
    let sources = sources()?;
    let scratch = layout::target().join("cxx");
    fs::create_dir_all(&scratch)?;
    let object = |source: &PathBuf| -> Result<PathBuf> {
        let name = source.file_stem().context("a source has a name")?;
        Ok(scratch.join(name).with_extension("o"))
    };
    let objects = sources.iter().map(object).collect::<Result<Vec<_>>>()?;
    let stamp = scratch.join("made-from");
    let mut from = vec![
        compiler.clone(),
        tree.join("lib/libgoldilocks_pass.so"),
        std::env::current_exe()?,
    ];
    from.extend(sources.iter().cloned());
    let from = versions(&from)?;
    let are_there = objects.iter().all(|object| object.exists());
    if are_there && fs::read_to_string(&stamp).is_ok_and(|old| old == from) {
        return Ok(objects);
    }
    let names = scratch.join("names");
    let renamed = |name: &&str| format!("{name} {}\n", instrumented(name));
    fs::write(&names, FUNCTIONS.iter().map(renamed).collect::<String>())?;
    for (source, object) in sources.iter().zip(&objects) {
        let is_many = source.file_stem().is_some_and(|name| name == MANY);
        let mut command = Command::new(&compiler);
        command
            .args(OPTIONS)
            .arg(if is_many { "-Os" } else { "-O2" })
            .arg("-c")
            .arg(source)
            .arg("-o")
            .arg(object);
        process::run(command.env_remove("GOLDILOCKS_PASS"))?;
        process::run(
            Command::new(llvm_tool("llvm-objcopy"))
                .arg(format!("--redefine-syms={}", names.display()))
                .arg(format!(
                    "--rename-section=.text={SECTION},alloc,readonly,code"
                ))
                .arg(object),
        )?;
    }
    fs::write(stamp, from)?;
    Ok(objects)
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
