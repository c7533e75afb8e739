//! The machine as the wrapper sees it: environment, files, and what a compiler says about itself. Behind a trait, so that
//! tests can describe a machine instead of being on it.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is asked of the machine.
pub trait Machine {
    /// A variable of the environment; an empty one counts as not set.
    fn variable(&self, name: &str) -> Option<OsString>;
    /// The path of the running program, links resolved.
    fn own_path(&self) -> Option<PathBuf>;
    fn is_file(&self, path: &Path) -> bool;
    /// The names in a folder; nothing if it cannot be read.
    fn names_in(&self, folder: &Path) -> Vec<OsString>;
    /// `path` with all links resolved.
    fn resolve(&self, path: &Path) -> Option<PathBuf>;
    /// What `program --version` prints.
    fn version_of(&self, program: &Path) -> Option<String>;
}

/// The machine that we run on.
pub struct ThisMachine;

impl Machine for ThisMachine {
    fn variable(&self, name: &str) -> Option<OsString> {
        std::env::var_os(name).filter(|value| !value.is_empty())
    }

    fn own_path(&self) -> Option<PathBuf> {
        let path = std::env::current_exe().ok()?;
        Some(path.canonicalize().unwrap_or(path))
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn names_in(&self, folder: &Path) -> Vec<OsString> {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries
            .filter_map(|entry| Some(entry.ok()?.file_name()))
            .collect()
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn version_of(&self, program: &Path) -> Option<String> {
        let output = Command::new(program)
            .arg("--version")
            .env("LC_ALL", "C")
            .output()
            .ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The files named `name` on the path, in order.
pub fn on_path<'a>(
    machine: &'a dyn Machine,
    name: &'a OsStr,
) -> impl Iterator<Item = PathBuf> + 'a {
    let path = machine.variable("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders
        .into_iter()
        .map(move |folder| folder.join(name))
        .filter(|file| machine.is_file(file))
}
