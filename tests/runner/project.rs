//! A crate of `rust/crates` that is used under `cargo goldilocks` as a user would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::directives::Exit;
use crate::execute::{self, Outcome};
use crate::place;

const LIMIT: Duration = Duration::from_secs(300);

/// A copy of a crate, with a target folder of its own.
pub struct Project {
    pub root: PathBuf,
}

impl Project {
    pub fn new(name: &str, test: &str) -> Result<Project, String> {
        let root = place::results("cargo").join(test);
        let from = place::tests().join("rust/crates").join(name);
        copy(&from, &root).map_err(|error| format!("{}: {error}", root.display()))?;
        Ok(Project { root })
    }

    pub fn command(&self, program: &str, words: &str) -> Command {
        let mut command = Command::new(program);
        let bin = place::home().join("bin");
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .args(words.split_whitespace())
            .current_dir(&self.root)
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            .env_remove("GOLDILOCKS_OPTIONS")
            .env_remove("RUSTFLAGS")
            .env_remove("RUSTC_WRAPPER");
        // What the user says of C compilers holds; these tests say nothing of them unless they do so themselves.
        for name in ["CC", "CXX", "CFLAGS", "CXXFLAGS"] {
            command.env_remove(name);
        }
        // What the cargo that runs these tests says to its own programs.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG") || text.starts_with("CARGO_MANIFEST") {
                command.env_remove(name);
            }
        }
        command
    }

    pub fn goldilocks(&self, words: &str) -> Command {
        self.command("cargo", &format!("goldilocks {words}"))
    }

    pub fn run(&self, command: &mut Command) -> Result<Outcome, String> {
        execute::run(command, &self.root.join("output"), LIMIT)
    }

    /// Runs `cargo goldilocks` and expects this status.
    pub fn expect(&self, words: &str, exit: Exit) -> Result<Outcome, String> {
        let outcome = self.run(&mut self.goldilocks(words))?;
        check(
            outcome.exit == exit,
            &format!("{words}: not {exit:?}"),
            &outcome,
        )?;
        Ok(outcome)
    }
}

pub fn check(condition: bool, what: &str, outcome: &Outcome) -> Result<(), String> {
    if condition {
        return Ok(());
    }
    let shown = execute::shown(&outcome.stdout, &outcome.stderr);
    Err(format!("{what}; ended with {:?}\n{shown}", outcome.exit))
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &name)?;
        } else if fs::read(&name).ok() != Some(fs::read(entry.path())?) {
            fs::copy(entry.path(), &name)?;
        }
    }
    Ok(())
}

/// The lines of the closing summary.
pub fn summary(outcome: &Outcome) -> Vec<&str> {
    let lines = outcome.stderr.lines();
    lines
        .skip_while(|line| !line.starts_with("goldilocks: ") || !line.ends_with(" in this run"))
        .collect()
}

/// Files in a folder, or in those in it, whose names are wanted.
pub fn find(folder: &Path, wanted: &dyn Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(find(&path, wanted));
        } else if wanted(&place::name(&path)) {
            found.push(path);
        }
    }
    found
}
