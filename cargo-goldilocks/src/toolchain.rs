//! What a Rust toolchain says of itself.

use goldilocks_cc::refusal::Refusal;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The one target that can be checked.
pub const TARGET: &str = "x86_64-unknown-linux-gnu";

/// A toolchain, as its rustc describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    pub sysroot: PathBuf,
    /// All that `rustc -vV` prints, which tells two toolchains apart.
    pub version: String,
}

impl Toolchain {
    pub fn of(rustc: &OsStr) -> Result<Toolchain, Refusal> {
        let sysroot = ask(rustc, "--print=sysroot")?;
        let version = ask(rustc, "-vV")?;
        Toolchain::parse(&sysroot, &version).ok_or_else(|| {
            let name = rustc.to_string_lossy();
            Refusal::new(
                format!("{name} does not describe itself as rustc does"),
                WAY_OUT,
            )
        })
    }

    fn parse(sysroot: &str, version: &str) -> Option<Toolchain> {
        let sysroot = PathBuf::from(sysroot.trim_end());
        let toolchain = Toolchain {
            sysroot: sysroot.is_absolute().then_some(sysroot)?,
            version: version.to_owned(),
        };
        toolchain.field("release")?;
        Some(toolchain)
    }

    fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self
            .version
            .lines()
            .filter_map(|line| line.split_once(": "));
        fields.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// As in `1.95.0` or `1.97.0-nightly`.
    pub fn release(&self) -> &str {
        self.field("release").unwrap_or_default()
    }

    /// The machine that it runs on, which is the target unless another is asked for.
    pub fn host(&self) -> &str {
        self.field("host").unwrap_or_default()
    }

    /// Version of its LLVM.
    pub fn llvm(&self) -> &str {
        self.field("LLVM version").unwrap_or_default()
    }

    pub fn llvm_major(&self) -> Option<u32> {
        self.llvm().split('.').next()?.parse().ok()
    }

    /// Whether it takes unstable options without being asked to.
    pub fn is_unstable(&self) -> bool {
        self.release().contains("-nightly") || self.release().contains("-dev")
    }

    /// The folder of the standard library for the target.
    pub fn libraries(&self) -> PathBuf {
        libraries(&self.sysroot)
    }
}

const WAY_OUT: &str = "see whether it can be run by hand; RUSTC names another one";

fn ask(rustc: &OsStr, question: &str) -> Result<String, Refusal> {
    let name = rustc.to_string_lossy();
    let output = Command::new(rustc)
        .arg(question)
        .env_remove("RUSTC_BOOTSTRAP")
        .output()
        .map_err(|error| Refusal::new(format!("cannot run {name}: {error}"), WAY_OUT))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Refusal::new(
            format!("{name} does not say what it is: {complaint}"),
            WAY_OUT,
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where a sysroot has the standard library for the target.
pub fn libraries(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib").join(TARGET).join("lib")
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: &str = "rustc 1.95.0 (59807616e 2026-04-14)\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\n\
                           release: 1.95.0\nLLVM version: 22.1.2\n";

    #[test]
    fn an_answer_is_taken_apart() {
        let toolchain = Toolchain::parse("/opt/rust\n", VERSION).unwrap();
        assert_eq!(toolchain.sysroot, Path::new("/opt/rust"));
        assert_eq!(toolchain.release(), "1.95.0");
        assert_eq!(toolchain.host(), TARGET);
        assert_eq!(toolchain.llvm_major(), Some(22));
        assert!(!toolchain.is_unstable());
        let nightly = VERSION.replace("release: 1.95.0", "release: 1.97.0-nightly");
        assert!(
            Toolchain::parse("/opt/rust", &nightly)
                .unwrap()
                .is_unstable()
        );
    }

    #[test]
    fn what_is_no_rustc_is_not_taken_for_one() {
        assert_eq!(Toolchain::parse("/usr", "clang version 22\n"), None);
        assert_eq!(Toolchain::parse("usage: rustc", VERSION), None);
    }
}
