//! Where the tests, the compilers under test and the results are.

use std::path::{Path, PathBuf};

/// This folder of the repository.
pub fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The tree of `cargo xtask dist`.
pub fn home() -> PathBuf {
    match std::env::var_os("GOLDILOCKS_HOME") {
        Some(home) => PathBuf::from(home),
        None => tests()
            .parent()
            .expect("tests are in the repository")
            .join("target/goldilocks"),
    }
}

/// Programs of the LLVM under test.
pub fn llvm_bin() -> PathBuf {
    std::env::var_os("GOLDILOCKS_LLVM_BIN")
        .map_or_else(|| PathBuf::from("/usr/lib/llvm-22/bin"), PathBuf::from)
}

/// The compiler for a source file: the C++ one for `.cpp`, rustc for `.rs`.
pub fn compiler(source: &Path) -> PathBuf {
    home().join(if is_cpp(source) {
        "bin/goldilocks-c++"
    } else if is_rust(source) {
        "bin/goldilocks-rustc"
    } else {
        "bin/goldilocks-cc"
    })
}

pub fn is_rust(source: &Path) -> bool {
    source
        .extension()
        .is_some_and(|extension| extension == "rs")
}

pub fn is_cpp(source: &Path) -> bool {
    source
        .extension()
        .is_some_and(|extension| extension == "cpp")
}

/// Where a test puts what it makes.
pub fn results(test: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(test)
}

/// C and C++ files directly in a folder of the tests, sorted; none if there is no such folder.
pub fn sources(folder: &str) -> Vec<PathBuf> {
    files(&tests().join(folder), &["c", "cpp"])
}

/// Files with one of these extensions directly in `folder`, sorted.
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

pub fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
