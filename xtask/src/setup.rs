//! Installs the compiler and LLVM from Debian's packages where they are missing.
//!
//! Looks at files first, so that it costs nothing when all is there and works on systems without apt.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::{layout, process};

/// The LLVM that everything is built with and for.
pub const REFERENCE_LLVM: u32 = 22;

/// What one LLVM must have: a file below its directory, and Debian's package for it.
fn needs(version: u32) -> Vec<(String, String)> {
    let mut needs = vec![
        ("bin/clang".to_owned(), format!("clang-{version}")),
        ("bin/llvm-config".to_owned(), format!("llvm-{version}-dev")),
        (
            "include/llvm-c/Core.h".to_owned(),
            format!("llvm-{version}-dev"),
        ),
        (
            "lib/libclang.so".to_owned(),
            format!("libclang-{version}-dev"),
        ),
        ("bin/FileCheck".to_owned(), format!("llvm-{version}-tools")),
    ];
    if version == REFERENCE_LLVM {
        needs.extend([
            ("bin/lit".to_owned(), format!("llvm-{version}-tools")),
            ("bin/ld.lld".to_owned(), format!("lld-{version}")),
            // What programs with OpenMP are compiled and linked with; brings the runtime that they run on.
            ("lib/libomp.so".to_owned(), format!("libomp-{version}-dev")),
            // The other C++ library, which tests of C++ programs are linked with, too.
            (
                "include/c++/v1/mutex".to_owned(),
                format!("libc++-{version}-dev"),
            ),
            (
                "lib/libc++abi.so".to_owned(),
                format!("libc++abi-{version}-dev"),
            ),
            // Only the benchmarks run it, as the competitor.
            (
                format!("lib/clang/{version}/lib/linux/libclang_rt.tsan-x86_64.a"),
                format!("libclang-rt-{version}-dev"),
            ),
        ]);
    }
    needs
}

/// Programs that tests build other programs with.
pub const BUILD_TOOLS: [(&str, &str); 4] = [
    ("/usr/bin/make", "make"),
    ("/usr/bin/autoconf", "autoconf"),
    ("/usr/bin/cmake", "cmake"),
    ("/usr/bin/ccache", "ccache"),
];
/// What the real programs need besides.
pub const REAL_TOOLS: [(&str, &str); 2] = [("/usr/bin/xz", "xz-utils"), ("/usr/bin/tclsh", "tcl")];

/// A file that must exist, and Debian's package for it.
type Need<'a> = (&'a str, &'a str);

/// The packages that are missing for these versions of LLVM, and for these files.
fn missing(versions: &[u32], tools: &[Need], exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let mut packages = Vec::new();
    let mut need = |file: &Path, package: &str| {
        if !exists(file) && !packages.iter().any(|known| known == package) {
            packages.push(package.to_owned());
        }
    };
    for &version in versions {
        for (file, package) in needs(version) {
            need(&layout::llvm(version).join(file), &package);
        }
    }
    for (file, package) in tools {
        need(Path::new(file), package);
    }
    packages
}

/// Makes these versions of LLVM available, or says how to.
pub fn run(versions: &[u32]) -> Result<()> {
    run_with(versions, &[])
}

/// As [`run`], and these files too.
pub fn run_with(versions: &[u32], tools: &[Need]) -> Result<()> {
    let packages = missing(versions, tools, Path::exists);
    if packages.is_empty() {
        return Ok(());
    }
    let by_hand = format!(
        "apt-get update && apt-get install --no-install-recommends {}",
        packages.join(" ")
    );
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!(
            "missing: {} (names of Debian 12's packages). This system has no apt-get: install LLVM {} such that it is in {}",
            packages.join(" "),
            versions
                .iter()
                .map(u32::to_string)
                .collect::<Vec<_>>()
                .join(" and "),
            layout::llvm(REFERENCE_LLVM).display()
        );
    }
    let Some(root) = privilege() else {
        bail!(
            "missing packages, and this is not root. Please run:\n\n    sudo sh -c '{by_hand}'\n"
        );
    };
    println!("xtask: installing {}", packages.join(" "));
    // The lists may be absent (fresh image) or name versions that the mirror has replaced since: either way the
    // install fails, and only then is fetching them worth its time.
    let install = || {
        process::run(
            apt(&root)
                .args(["install", "--yes", "--no-install-recommends"])
                .args(&packages),
        )
    };
    if install().is_err() {
        println!("xtask: fetching the package lists");
        process::run(apt(&root).arg("update"))?;
        install()?;
    }
    let still = missing(versions, tools, Path::exists);
    if !still.is_empty() {
        bail!(
            "installed, but files of these packages are not where they should be: {}",
            still.join(" ")
        );
    }
    Ok(())
}

/// What to put before a command so that it runs as root: nothing, `sudo -n`, or `None` when there is no way.
fn privilege() -> Option<Vec<&'static str>> {
    let user = process::stdout(Command::new("id").arg("-u")).unwrap_or_default();
    if user.trim() == "0" {
        Some(vec![])
    } else if process::succeeds(Command::new("sudo").args(["-n", "true"])) {
        Some(vec!["sudo", "-n"])
    } else {
        None
    }
}

fn apt(privilege: &[&str]) -> Command {
    // `env` sets the variable on the far side of sudo, which clears the environment.
    let words: Vec<&str> = privilege
        .iter()
        .copied()
        .chain(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"])
        .collect();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(std::process::Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_missing_where_everything_exists() {
        assert!(missing(&[22, 19], &BUILD_TOOLS, |_| true).is_empty());
    }

    #[test]
    fn a_package_is_named_once_though_two_files_are_missing() {
        let packages = missing(&[22], &[], |file| {
            !file.starts_with("/usr/lib/llvm-22/include/llvm") && !file.ends_with("llvm-config")
        });
        assert_eq!(packages, ["llvm-22-dev"]);
    }

    #[test]
    fn a_second_llvm_is_asked_for_by_its_own_packages() {
        let packages = missing(&[22, 19], &BUILD_TOOLS[..1], |file| {
            file.starts_with("/usr/lib/llvm-22")
        });
        assert_eq!(
            packages,
            [
                "clang-19",
                "llvm-19-dev",
                "libclang-19-dev",
                "llvm-19-tools",
                "make"
            ]
        );
    }
}
