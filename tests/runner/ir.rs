//! `ir/`: what the pass makes of LLVM IR and of small C files, by lit and FileCheck; a test per file.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use libtest_mimic::Trial;

use crate::directives::Exit;
use crate::{execute, place};

const LIT: &str = "/usr/lib/llvm-22/bin/lit";
const LIMIT: Duration = Duration::from_secs(120);

pub fn trials() -> Vec<Trial> {
    let root = place::tests().join("ir");
    let mut files = Vec::new();
    collect(&root, &mut files);
    let trial = |file: PathBuf| {
        let name = file
            .strip_prefix(&root)
            .unwrap_or(&file)
            .display()
            .to_string();
        Trial::test(format!("ir/{name}"), move || Ok(test(&file)?))
    };
    files.into_iter().map(trial).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    files.extend(place::files(folder, &["ll", "c", "cpp", "test"]));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries
        .flatten()
        .filter(|entry| entry.path().is_dir() && entry.file_name() != "Inputs")
    {
        collect(&entry.path(), files);
    }
}

fn test(file: &Path) -> Result<(), String> {
    let plugin = std::env::var_os("GOLDILOCKS_PASS_PLUGIN").map_or_else(
        || place::home().join("lib/libgoldilocks_pass.so"),
        PathBuf::from,
    );
    let scratch = place::results("ir");
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let out = scratch.join(place::name(file));
    let mut lit = Command::new(LIT);
    // What lit remembers of a run it keeps where all runs look, and reads as it is being written: each file has a folder
    // of its own, and nothing is remembered.
    lit.args(["-v", "--skip-test-time-recording"])
        .arg(file)
        .env("GOLDILOCKS_IR_RESULTS", out.with_added_extension("lit"))
        .env("GOLDILOCKS_PASS_PLUGIN", plugin)
        .env("GOLDILOCKS_LLVM_BIN", place::llvm_bin());
    let outcome = execute::run(&mut lit, &out, LIMIT)?;
    // A test that lit skips has passed only where it says for which LLVM it is not.
    let ran = outcome.stdout.contains("PASS: ")
        || outcome.stdout.contains("UNSUPPORTED: ") && says_where(file);
    if outcome.exit == Exit::Code(0) && ran {
        return Ok(());
    }
    let shown = execute::shown(&outcome.stdout, &outcome.stderr);
    Err(format!(
        "{:?}\n{shown}to repeat it:\n$ {}",
        outcome.exit,
        execute::display(&lit)
    ))
}

fn says_where(file: &Path) -> bool {
    std::fs::read_to_string(file)
        .is_ok_and(|text| text.contains("UNSUPPORTED: llvm-") || text.contains("REQUIRES: llvm-"))
}
