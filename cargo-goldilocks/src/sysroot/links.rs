//! What a prepared folder has of others: links, and a copy of the plugin.

use super::{Prepared, Source, trouble};
use crate::toolchain::TARGET;
use goldilocks_cc::refusal::Refusal;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// The plugin and this program's names. The plugin is a copy: what was compiled with it must be so also after an update.
pub fn programs(source: &Source<'_>, draft: &Prepared) -> Result<(), Refusal> {
    make(&draft.home.join("bin"))?;
    make(&draft.home.join("lib"))?;
    let plugin = draft.plugin();
    fs::copy(&source.plugin, &plugin).map_err(|error| trouble("writing", &plugin, error))?;
    for name in ["goldilocks-rustc", "goldilocks-rustdoc"] {
        link(&source.driver, &draft.program(name))?;
    }
    Ok(())
}

/// The toolchain's sysroot, without the libraries for the target.
pub fn sysroot(from: &Path, to: &Path) -> Result<(), Refusal> {
    all_but(from, to, "lib")?;
    all_but(&from.join("lib"), &to.join("lib"), "rustlib")?;
    let rustlib = Path::new("lib/rustlib");
    all_but(&from.join(rustlib), &to.join(rustlib), TARGET)?;
    let target = rustlib.join(TARGET);
    all_but(&from.join(&target), &to.join(&target), "lib")?;
    make(&to.join(&target).join("lib"))
}

/// A folder `to` with links to everything in `from`, but for one name.
fn all_but(from: &Path, to: &Path, name: &str) -> Result<(), Refusal> {
    make(to)?;
    let entries = fs::read_dir(from).map_err(|error| trouble("reading", from, error))?;
    for entry in entries.flatten().filter(|entry| entry.file_name() != name) {
        link(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

pub fn link(to: &Path, name: &Path) -> Result<(), Refusal> {
    symlink(to, name).map_err(|error| trouble("making the link", name, error))
}

fn make(folder: &Path) -> Result<(), Refusal> {
    fs::create_dir_all(folder).map_err(|error| trouble("making", folder, error))
}
