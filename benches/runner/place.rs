//! Where the workloads, the compilers and the results are.

use std::path::{Path, PathBuf};

/// This folder of the repository.
pub fn benches() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The tree of `cargo xtask dist`.
pub fn home() -> PathBuf {
    std::env::var_os("GOLDILOCKS_HOME").map_or_else(|| target().join("goldilocks"), PathBuf::from)
}

/// Programs of the LLVM that we are compared with.
pub fn llvm_bin() -> PathBuf {
    std::env::var_os("GOLDILOCKS_LLVM_BIN")
        .map_or_else(|| PathBuf::from("/usr/lib/llvm-22/bin"), PathBuf::from)
}

/// Where numbers and plots go by default.
pub fn results() -> PathBuf {
    target().join("bench")
}

/// Where the programs are built.
pub fn builds() -> PathBuf {
    target().join("bench/builds")
}

/// Where the archives of Debian's sources are kept, by the tests too.
pub fn sources() -> PathBuf {
    target().join("tmp/sources")
}

fn target() -> PathBuf {
    benches()
        .parent()
        .expect("benches are in the repository")
        .join("target")
}

/// Files with one of these extensions directly in `folder`, sorted; none if there is no such folder.
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let wanted = |path: &PathBuf| {
        path.extension()
            .is_some_and(|e| extensions.iter().any(|wanted| e == *wanted))
    };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(wanted)
        .collect();
    files.sort();
    files
}
