//! One test program: compiled as it asks, run as often as it asks, judged by what it says about itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::directives::{Directives, Exit};
use crate::execute::{self, Outcome};
use crate::place;

/// First line of a report of a race.
pub const RACE: &str = "WARNING: Goldilocks: data race";
/// Exit status after a finding.
pub const FINDING: Exit = Exit::Code(66);

const COMPILE_LIMIT: Duration = Duration::from_secs(120);
const RUN_LIMIT: Duration = Duration::from_secs(60);

/// What a suite expects of a program that does not say otherwise.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A race is reported, and the status says so.
    Race,
    /// Nothing on standard error, success.
    Silent,
    /// What the program's directives say and no more; the status is that of a finding unless they say another.
    Stated,
}

/// A program at one optimization level.
pub struct Program {
    source: PathBuf,
    level: String,
    directives: Directives,
    out: PathBuf,
}

impl Program {
    pub fn new(
        suite: &str,
        source: &Path,
        level: &str,
        directives: Directives,
    ) -> Result<Program, String> {
        let mut folder = place::results(suite);
        if place::is_rust(source) {
            // rustc's intermediate files have the names of crates, which all levels share.
            folder.push(level);
        }
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let out = folder.join(format!("{}-{level}", place::name(source)));
        Ok(Program {
            source: source.to_path_buf(),
            level: level.to_owned(),
            directives,
            out,
        })
    }

    /// The program's path with something appended: a level of optimization is part of what looks like its extension.
    fn beside(&self, end: &str) -> PathBuf {
        let mut path = self.out.as_os_str().to_owned();
        path.push(end);
        PathBuf::from(path)
    }

    /// Compiles it. `Ok(false)`: the compilation failed, as the program says that it must.
    fn build(&self) -> Result<bool, String> {
        let _ = fs::remove_file(&self.out);
        let mut command = self.compilation();
        let outcome = execute::run(&mut command, &self.beside(".build"), COMPILE_LIMIT)?;
        let said = format!("{}{}", outcome.stdout, outcome.stderr);
        let told = |what: &str| {
            format!(
                "{what}\n{}$ {}",
                execute::shown(&outcome.stdout, &outcome.stderr),
                execute::display(&command)
            )
        };
        match (&self.directives.build_fails, outcome.exit) {
            (None, Exit::Code(0)) => Ok(true),
            (None, _) => Err(told("does not compile")),
            (Some(_), Exit::Code(0)) => Err(told("compiles, which it must not")),
            (Some(reason), _) if reason.is_match(&said) => Ok(false),
            (Some(reason), _) => Err(told(&format!("must be refused with `{reason}`"))),
        }
    }

    fn compilation(&self) -> Command {
        let level = format!("-{}", self.level);
        let include = place::tests().join("programs/include");
        let mut flags: Vec<String> = Vec::new();
        if self.directives.replace_flags {
        } else if place::is_rust(&self.source) {
            let level = self.level.trim_start_matches('O');
            flags.extend([
                "--edition=2024".into(),
                "-g".into(),
                format!("-Copt-level={level}"),
            ]);
        } else {
            flags.extend([
                level,
                "-g".into(),
                "-pthread".into(),
                format!("-I{}", include.display()),
            ]);
            if place::is_cpp(&self.source) {
                flags.push("-std=c++20".into());
            }
        }
        flags.extend(self.directives.flags.iter().cloned());
        let compiler = place::compiler(&self.source);
        if self.directives.build.is_empty() {
            let mut command = Command::new(compiler);
            command
                .args(flags)
                .arg(&self.source)
                .arg("-o")
                .arg(&self.out);
            return command;
        }
        let mut command = Command::new("sh");
        command
            .env("CC", place::home().join("bin/goldilocks-cc"))
            .env("CXX", place::home().join("bin/goldilocks-c++"));
        command
            .env("SRC", &self.source)
            .env("DIR", self.source.parent().unwrap_or(Path::new(".")))
            .env("OUT", &self.out);
        command
            .env("FLAGS", flags.join(" "))
            .env("LLVM", place::llvm_bin());
        command.arg("-ec").arg(self.directives.build.join("\n"));
        command
    }

    fn execution(&self) -> Command {
        let mut command = match &self.directives.run {
            Some(line) => {
                let mut shell = Command::new("sh");
                let folder = self.source.parent().unwrap_or(Path::new("."));
                shell.env("OUT", &self.out).env("DIR", folder);
                shell.arg("-ec").arg(line);
                shell
            }
            None => Command::new(&self.out),
        };
        command
            .args(&self.directives.arguments)
            .env("LLVM_PROFILE_FILE", self.beside(".profraw"))
            .env_remove("GOLDILOCKS_OPTIONS");
        if let Some(options) = &self.directives.options {
            command.env("GOLDILOCKS_OPTIONS", options);
        }
        command
    }

    /// Runs it once, whatever comes of it.
    fn run(&self) -> Result<Outcome, String> {
        execute::run(&mut self.execution(), &self.out, RUN_LIMIT)
    }

    /// Compiles and runs it once, for its output.
    pub fn output(&self) -> Result<Outcome, String> {
        self.build()?;
        self.run()
    }

    /// Compiles it, runs it as often as it asks, and judges every run. What a test that passed has made is deleted: together it
    /// would be gigabytes.
    pub fn test(&self, verdict: Verdict) -> Result<(), String> {
        if self.build()? {
            self.runs(verdict)?;
        }
        self.delete();
        Ok(())
    }

    /// The program and what has been put beside it under its name.
    fn delete(&self) {
        let (Some(folder), Some(name)) = (self.out.parent(), self.out.file_name()) else {
            return;
        };
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let made = entry
                .file_name()
                .as_encoded_bytes()
                .starts_with(name.as_encoded_bytes());
            if !made {
                continue;
            }
            let _ = match entry.file_type() {
                Ok(kind) if kind.is_dir() => fs::remove_dir_all(path),
                _ => fs::remove_file(path),
            };
        }
    }

    fn runs(&self, verdict: Verdict) -> Result<(), String> {
        let runs = self.directives.runs.unwrap_or(1);
        for number in 1..=runs {
            let context = |error: String| {
                format!(
                    "run {number} of {runs}: {error}\nto repeat it:\n$ {}\n$ {}",
                    execute::display(&self.compilation()),
                    execute::display(&self.execution())
                )
            };
            let outcome = self.run().map_err(context)?;
            self.judge(verdict, &outcome).map_err(context)?;
        }
        Ok(())
    }

    fn judge(&self, verdict: Verdict, outcome: &Outcome) -> Result<(), String> {
        let mut complaints = Vec::new();
        let expected = self.directives.exit.unwrap_or(match verdict {
            Verdict::Silent => Exit::Code(0),
            Verdict::Race | Verdict::Stated => FINDING,
        });
        if outcome.exit != expected {
            complaints.push(format!(
                "ended with {:?}, expected {expected:?}",
                outcome.exit
            ));
        }
        let races = outcome.stderr.matches(RACE).count();
        if verdict == Verdict::Race && races == 0 {
            complaints.push("no race was reported".to_owned());
        }
        if verdict == Verdict::Silent && !outcome.stderr.is_empty() {
            complaints.push("standard error is not empty".to_owned());
        }
        if let Some(reports) = self.directives.reports.filter(|reports| *reports != races) {
            complaints.push(format!("{races} races were reported, expected {reports}"));
        }
        for (patterns, stream, text, wanted) in [
            (
                &self.directives.expect,
                "standard error",
                &outcome.stderr,
                true,
            ),
            (
                &self.directives.reject,
                "standard error",
                &outcome.stderr,
                false,
            ),
            (
                &self.directives.stdout,
                "standard output",
                &outcome.stdout,
                true,
            ),
        ] {
            for pattern in patterns
                .iter()
                .filter(|pattern| pattern.is_match(text) != wanted)
            {
                complaints.push(format!(
                    "{stream} {} `{pattern}`",
                    if wanted { "lacks" } else { "has" }
                ));
            }
        }
        if complaints.is_empty() {
            return Ok(());
        }
        let shown = execute::shown(&outcome.stdout, &outcome.stderr);
        Err(format!(
            "{} (after {:.1} s)\n{shown}",
            complaints.join("; "),
            outcome.took.as_secs_f64()
        ))
    }
}
