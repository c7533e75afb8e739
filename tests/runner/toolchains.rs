//! `cargo/toolchains_that_do_not_fit_are_refused`: toolchains made up of scripts and links, each without something that `cargo goldilocks`
//! needs. The answer says what is missing and what to do.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::directives::Exit;
use crate::project::{Project, check};

const LIBRARIES: &str = "lib/rustlib/x86_64-unknown-linux-gnu/lib";

pub fn are_refused(project: &Project) -> Result<(), String> {
    let real = Toolchain::real(project)?;
    let folder = project.root.join("toolchains");
    let make = |name: &str| Toolchain {
        version: real.version.clone(),
        sysroot: folder.join(name),
    };
    let mut other_llvm = make("other_llvm");
    other_llvm.version = real
        .version
        .lines()
        .map(|line| match line.starts_with("LLVM version: ") {
            true => "LLVM version: 97.1.0\n".to_owned(),
            false => format!("{line}\n"),
        })
        .collect();
    let no_library = make("no_library");
    let no_bitcode = make("no_bitcode");
    let libraries = no_bitcode.sysroot.join(LIBRARIES);
    fs::create_dir_all(&libraries).map_err(text)?;
    real.link_llvm(&no_bitcode.sysroot)?;
    without_bitcode(project, &libraries.join("libstd-0123456789abcdef.rlib"))?;
    let mut no_rustc = make("no_rustc");
    no_rustc.version = "clang version 22.1.8\n".to_owned();
    for (toolchain, reason, way_out) in [
        (
            &other_llvm,
            "is of LLVM 97.1.0, and the plugins in",
            "cargo xtask dist --llvm 97",
        ),
        (
            &no_library,
            "has no standard library for x86_64-unknown-linux-gnu",
            "rustup target add",
        ),
        (
            &no_bitcode,
            "carries no bitcode, from which",
            "cargo +stable goldilocks",
        ),
        (
            &no_rustc,
            "does not describe itself as rustc does",
            "RUSTC names another one",
        ),
    ] {
        let rustc = toolchain.script()?;
        let mut command = project.goldilocks("build");
        command
            .env("RUSTC", rustc)
            .env("GOLDILOCKS_CACHE", folder.join("cache"));
        let outcome = project.run(&mut command)?;
        check(outcome.exit == Exit::Code(1), "not refused", &outcome)?;
        check(outcome.stderr.contains(reason), reason, &outcome)?;
        check(outcome.stderr.contains(way_out), way_out, &outcome)?;
    }
    fs::remove_dir_all(&folder).map_err(text)
}

struct Toolchain {
    version: String,
    sysroot: PathBuf,
}

impl Toolchain {
    /// The one that these tests run with.
    fn real(project: &Project) -> Result<Toolchain, String> {
        let ask = |word: &str| project.run(&mut project.command("rustc", word));
        Ok(Toolchain {
            version: ask("-vV")?.stdout,
            sysroot: ask("--print=sysroot")?.stdout.trim_end().into(),
        })
    }

    /// A program that says what this toolchain is.
    fn script(&self) -> Result<PathBuf, String> {
        fs::create_dir_all(&self.sysroot).map_err(text)?;
        let rustc = self.sysroot.join("rustc");
        let script = format!(
            "#!/bin/sh\ncase $1 in\n--print=sysroot) echo '{}';;\n*) cat <<'end'\n{}end\n;;\nesac\n",
            self.sysroot.display(),
            self.version
        );
        fs::write(&rustc, script).map_err(text)?;
        fs::set_permissions(&rustc, fs::Permissions::from_mode(0o755)).map_err(text)?;
        Ok(rustc)
    }

    fn link_llvm(&self, to: &Path) -> Result<(), String> {
        for entry in fs::read_dir(self.sysroot.join("lib"))
            .map_err(text)?
            .flatten()
        {
            let name = entry.file_name();
            let link = to.join("lib").join(&name);
            if name.to_string_lossy().starts_with("libLLVM") && !link.exists() {
                std::os::unix::fs::symlink(entry.path(), link).map_err(text)?;
            }
        }
        Ok(())
    }
}

/// A library as a distribution might build it.
fn without_bitcode(project: &Project, to: &Path) -> Result<(), String> {
    let source = project.root.join("toolchains/library.rs");
    fs::write(&source, "#![no_std]\npub fn f() {}\n").map_err(text)?;
    let mut command = project.command(
        "rustc",
        "--crate-type=rlib --crate-name=std -Cembed-bitcode=no -o",
    );
    let outcome = project.run(command.arg(to).arg(&source))?;
    check(outcome.exit == Exit::Code(0), "no library", &outcome)
}

fn text(error: std::io::Error) -> String {
    error.to_string()
}
