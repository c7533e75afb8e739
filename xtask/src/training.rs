//! The profile that the runtime is built with: how often each of its branches went where while programs ran.
//!
//! What of the runtime a program needs again and again should lie close together: the processor's cache of instructions holds 32 KB, and all short ways
//! together, with what they seldom do between, are several times that. The compiler knows what is seldom from a run of a runtime that counts
//! ([`Flavour::Counting`]), under the programs that `benches/` measures, in their quick form, and those of one thread in that as well: what they do is what
//! programs do.
//!
//! A profile is up to date as long as the counting runtime, the programs and what compiles them are what they were. Without one, because the toolchain has no
//! profiler or reads no profile of this LLVM, the runtime is the same but for its speed.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use crate::dist::{install, versions};
use crate::layout::{self, llvm_tool};
use crate::process;
use crate::runtime_build::{self, Flavour, PROFILER};

/// Which profile the runtime is to be built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// One of this runtime, or it is an error: what is tested is what is shipped.
    Required,
    /// One of this runtime, if it can be made.
    UpToDate,
    /// Whatever is there, or none.
    Old,
    None,
}

/// The folders of `benches/` with what it is trained with.
const FOLDERS: [&str; 2] = ["programs", "micro"];
/// So long may a program run. Some seconds are usual.
const LIMIT: Duration = Duration::from_secs(120);

/// The profile, if there is to be one and can be.
pub fn profile(tree: &Path, wanted: Profile) -> Result<Option<PathBuf>> {
    let folder = layout::target().join("training");
    let profile = folder.join("runtime.profdata");
    match wanted {
        Profile::None => return Ok(None),
        Profile::Old => return Ok(profile.exists().then_some(profile)),
        Profile::Required | Profile::UpToDate => {}
    }
    let made = bring_up_to_date(tree, &folder, &profile).context("making a profile of the runtime");
    match made {
        Err(error) if wanted == Profile::UpToDate => {
            eprintln!(
                "xtask: the runtime is built without a profile, and slower for it: {error:#}"
            );
            Ok(None)
        }
        made => made.map(|()| Some(profile)),
    }
}

fn bring_up_to_date(tree: &Path, folder: &Path, profile: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    // Where it would write if the programs were not told to write elsewhere.
    let counting = Flavour::Counting(folder);
    let staticlib = runtime_build::staticlib(&folder.join("runtime"), &counting)?;
    let programs = programs(&layout::root().join("benches"))?;
    let compiler = ["bin/goldilocks-cc", "lib/libgoldilocks_pass.so"].map(|file| tree.join(file));
    let mut from = vec![staticlib.clone()];
    from.extend(compiler);
    from.extend(files(&layout::root().join("benches/include"))?);
    from.extend(programs.iter().map(|program| program.source.clone()));
    let from = versions(&from)?;
    let stamp = folder.join("made-from");
    if profile.exists() && fs::read_to_string(&stamp).is_ok_and(|old| old == from) {
        return Ok(());
    }
    eprintln!(
        "xtask: measuring how the runtime runs, for a faster one (a minute; `cargo xtask dist --profile none` does without)"
    );
    let home = folder.join("goldilocks");
    for part in ["bin", "lib", "include", "share"] {
        copy_files(&tree.join(part), &home.join(part))?;
    }
    runtime_build::link(&staticlib, &folder.join("link"), &home, &[PROFILER])?;
    let counts = folder.join("counts");
    if counts.exists() {
        fs::remove_dir_all(&counts)?;
    }
    fs::create_dir_all(&counts)?;
    let built = folder.join("programs");
    fs::create_dir_all(&built)?;
    compile(&home, &built, &programs)?;
    for program in &programs {
        for arguments in &program.runs {
            program.run(arguments, &built, &counts)?;
        }
    }
    let written = files(&counts)?;
    if written.is_empty() {
        bail!("the programs left no counts");
    }
    process::run(
        Command::new(llvm_tool("llvm-profdata"))
            .args(["merge", "-o"])
            .arg(profile)
            .args(written),
    )?;
    fs::write(stamp, from)?;
    Ok(())
}

/// Copies what is new of the files of a folder, and the links in it.
fn copy_files(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copy = to.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_symlink() && !copy.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(entry.path())?, copy)?;
        } else if kind.is_file() {
            install(&entry.path(), &copy)?;
        }
    }
    Ok(())
}

/// The files of a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry?.path());
    }
    files.sort();
    Ok(files)
}

/// A program to train it with.
#[derive(Debug, PartialEq, Eq)]
struct Program {
    source: PathBuf,
    /// Of each run.
    runs: Vec<Vec<String>>,
}

fn programs(benches: &Path) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for folder in FOLDERS {
        for source in files(&benches.join(folder))? {
            let text = fs::read_to_string(&source)
                .with_context(|| format!("reading {}", source.display()))?;
            let runs = runs(&text)
                .with_context(|| format!("{} does not say how to run it", source.display()))?;
            programs.push(Program { source, runs });
        }
    }
    Ok(programs)
}

/// The arguments of quick runs, by the head of a program's source (`benches/runner/workload.rs`).
fn runs(text: &str) -> Option<Vec<Vec<String>>> {
    let head = || text.lines().map_while(|line| line.strip_prefix("// "));
    let line = |name: &str| head().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let threads = line("THREADS")?.split_whitespace().next()?;
    let quick = line("QUICK")?;
    let alone = head().any(|line| line == "SINGLE").then_some("0");
    let run = |threads| {
        let words = quick.split_whitespace().chain([threads]);
        words.map(str::to_owned).collect()
    };
    Some([threads].into_iter().chain(alone).map(run).collect())
}

/// Compiles all of them with the tree at `home`, several at a time.
fn compile(home: &Path, built: &Path, programs: &[Program]) -> Result<()> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        // Relaxed: it gives each of them to one thread, no more.
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            program.compile(home, built)?;
        }
        Ok(())
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            thread
                .join()
                .map_err(|_| anyhow!("a thread that compiles panicked"))??;
        }
        Ok(())
    })
}

impl Program {
    /// Where it is when it is compiled.
    fn path(&self, built: &Path) -> PathBuf {
        let folder = self.source.parent().and_then(Path::file_name);
        let name = [folder, self.source.file_stem()].map(Option::unwrap_or_default);
        built.join(name.join(OsStr::new("-")))
    }

    fn compile(&self, home: &Path, built: &Path) -> Result<()> {
        let cpp = self.source.extension() == Some("cpp".as_ref());
        let (compiler, standard) = if cpp {
            ("bin/goldilocks-c++", "-std=c++20")
        } else {
            ("bin/goldilocks-cc", "-std=gnu17")
        };
        let mut command = Command::new(home.join(compiler));
        command
            .args(["-O2", "-pthread", "-w", standard, "-I"])
            .arg(layout::root().join("benches/include"))
            .arg(&self.source)
            .arg("-o")
            .arg(self.path(built))
            // What is measured is what programs do that are compiled without further ado.
            .env_remove("GOLDILOCKS_PASS");
        process::run(&mut command)
    }

    /// Runs it to its end, so that it leaves its counts.
    fn run(&self, arguments: &[String], built: &Path, counts: &Path) -> Result<()> {
        let mut command = Command::new(self.path(built));
        command
            .args(arguments)
            .env("LLVM_PROFILE_FILE", counts.join("%m.profraw"))
            .env_remove("GOLDILOCKS_OPTIONS")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let text = process::display(&command);
        let begin = Instant::now();
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot run {text}"))?;
        loop {
            if let Some(status) = child.try_wait()? {
                if status.success() {
                    return Ok(());
                }
                bail!("{status}: {text}");
            }
            if begin.elapsed() > LIMIT {
                child.kill()?;
                child.wait()?;
                bail!("it did not end within {LIMIT:?}: {text}");
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_runs_with_the_first_number_of_threads_and_with_none() {
        let text = "// What it does\n// ARGS: 100 x\n// QUICK: 10 x\n// THREADS: 2 16\n\n// QUICK: 7\n// SINGLE\n";
        assert_eq!(runs(text).unwrap(), [["10", "x", "2"]]);
        let single = text.replace("16\n", "16\n// SINGLE\n");
        assert_eq!(runs(&single).unwrap(), [["10", "x", "2"], ["10", "x", "0"]]);
        assert_eq!(runs("// QUICK: 1\n"), None);
        assert_eq!(runs("// QUICK: 1\nint a;\n// THREADS: 2\n"), None);
    }

    #[test]
    fn all_that_is_measured_in_c_and_cpp_is_trained_with() {
        let programs = programs(&layout::root().join("benches")).unwrap();
        let paths: std::collections::BTreeSet<PathBuf> = programs
            .iter()
            .map(|program| program.path(Path::new("")))
            .collect();
        assert_eq!(paths.len(), programs.len());
        for name in ["programs-objects", "micro-mutex_own"] {
            assert!(paths.contains(Path::new(name)), "{name}");
        }
    }
}
