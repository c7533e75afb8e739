//! The ways to build a program that are compared.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    Native,
    Goldilocks,
    ThreadSanitizer,
}

impl Variant {
    /// Native first: the others are divided by it.
    pub const ALL: [Variant; 3] = [
        Variant::Native,
        Variant::Goldilocks,
        Variant::ThreadSanitizer,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Variant::Native => "native",
            Variant::Goldilocks => "goldilocks",
            Variant::ThreadSanitizer => "tsan",
        }
    }

    /// Compiles `source` into `program` at -O2.
    pub fn build(self, source: &Path, program: &Path) -> Result<()> {
        let cpp = source
            .extension()
            .is_some_and(|extension| extension == "cpp");
        let mut command = Command::new(self.compiler(cpp)?);
        command.args(["-O2", "-g", "-pthread"]);
        if cpp {
            command.arg("-std=c++20");
        }
        if self == Variant::ThreadSanitizer {
            command.arg("-fsanitize=thread");
        }
        command.arg(source).arg("-o").arg(program);
        let status = command
            .status()
            .with_context(|| format!("cannot run {command:?}"))?;
        if !status.success() {
            bail!("{status}: {command:?}");
        }
        Ok(())
    }

    fn compiler(self, cpp: bool) -> Result<PathBuf> {
        let folder = |variable: &str| {
            std::env::var_os(variable)
                .map(PathBuf::from)
                .context("run it by `cargo xtask bench`")
        };
        Ok(match self {
            Variant::Goldilocks => folder("GOLDILOCKS_HOME")?.join(if cpp {
                "bin/goldilocks-c++"
            } else {
                "bin/goldilocks-cc"
            }),
            _ => folder("GOLDILOCKS_LLVM_BIN")?.join(if cpp { "clang++" } else { "clang" }),
        })
    }
}
