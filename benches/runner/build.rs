//! Building every workload with every tool, as many at once as there are processors. What is newer than all that it is made of
//! is not built again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use crate::place;
use crate::recipe;
use crate::rust;
use crate::tool::Tool;

/// A build of a source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Build {
    pub source: PathBuf,
    pub tool: Tool,
    /// With a race in it.
    pub seeded: bool,
}

impl Build {
    pub fn new(source: &Path, tool: Tool, seeded: bool) -> Build {
        Build {
            source: source.to_path_buf(),
            tool: tool.builder(),
            seeded,
        }
    }

    /// Where the program is.
    pub fn program(&self) -> PathBuf {
        let folder = self.source.parent().and_then(Path::file_name);
        let name = format!(
            "{}-{}-{}{}",
            folder.unwrap_or_default().display(),
            self.source.file_stem().unwrap_or_default().display(),
            self.tool.name(),
            if self.seeded { "-seeded" } else { "" }
        );
        place::builds().join(name)
    }

    pub fn is_recipe(&self) -> bool {
        self.source.extension().is_some_and(|e| e == "sh")
    }

    fn is_rust(&self) -> bool {
        self.source.extension().is_some_and(|e| e == "rs")
    }

    fn make(&self) -> Result<()> {
        let program = self.program();
        // A recipe's program is a folder, in which this is written at the end.
        let made = if self.is_recipe() {
            program.join("made")
        } else {
            program.clone()
        };
        if modified(&made).is_some_and(|made| self.ingredients() < Some(made)) {
            return Ok(());
        }
        if self.is_recipe() {
            recipe::build(self)?;
            return std::fs::write(&made, "").context("making a recipe's program");
        }
        // Under another name until it is whole.
        let unfinished = program.with_extension("part");
        if self.is_rust() {
            rust::build(&self.source, self.tool, &unfinished, self.seeded)?;
        } else {
            succeed(&mut self.tool.compile(&self.source, &unfinished, self.seeded))?;
        }
        std::fs::rename(&unfinished, &program)
            .with_context(|| format!("making {}", program.display()))
    }

    /// When the newest of what it is made of was made.
    fn ingredients(&self) -> Option<SystemTime> {
        let mut files = place::files(&place::benches().join("include"), &["h"]);
        files.push(self.source.clone());
        if self.is_rust() {
            files.extend(place::files(&place::benches().join("rust/frame"), &["rs"]));
        }
        if self.is_recipe() {
            // What it compiles itself is named after it.
            let name = self.source.file_stem().unwrap_or_default().to_os_string();
            let own = |file: &PathBuf| {
                let file = file.file_name().unwrap_or_default().to_string_lossy();
                file.starts_with(&*name.to_string_lossy())
            };
            let sources = place::files(&place::benches().join("real"), &["c"]);
            files.extend(sources.into_iter().filter(own));
        }
        if self.tool == Tool::Goldilocks {
            for folder in ["bin", "lib", "include", "share"] {
                let folder = place::home().join(folder);
                let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
                files.extend(entries.map(|entry| entry.path()));
            }
        }
        files.iter().filter_map(|file| modified(file)).max()
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|m| m.modified()).ok()
}

fn succeed(command: &mut Command) -> Result<()> {
    let output = command
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!(
            "{}: {command:?}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(())
}

/// Makes them all, and gives those that could not be made with the reason.
pub fn all(builds: BTreeSet<Build>) -> Result<Vec<(Build, anyhow::Error)>> {
    std::fs::create_dir_all(place::builds())?;
    let waiting = Mutex::new(builds.into_iter());
    let failed = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, |count| count.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().expect("nobody panics with it").next();
                    let Some(build) = next else { break };
                    if let Err(error) = build.make() {
                        let mut failed = failed.lock().expect("nobody panics with it");
                        failed.push((build, error));
                    }
                }
            });
        }
    });
    Ok(failed.into_inner().expect("nobody panics with it"))
}
