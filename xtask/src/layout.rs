//! Where things are: the repository, the build directory, the tree that `dist` makes, LLVM.

use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask
        .parent()
        .expect("xtask is a folder of the repository")
        .to_path_buf()
}

/// Cargo's build directory, which `CARGO_TARGET_DIR` may have moved.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// The relocatable tree that `cargo xtask dist` makes.
pub fn tree() -> PathBuf {
    target().join("goldilocks")
}

/// Where Debian's packages put an LLVM of this major version.
pub fn llvm(version: u32) -> PathBuf {
    PathBuf::from(format!("/usr/lib/llvm-{version}"))
}

/// A program of the reference LLVM.
pub fn llvm_tool(name: &str) -> PathBuf {
    llvm(crate::setup::REFERENCE_LLVM).join("bin").join(name)
}
