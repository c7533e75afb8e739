//! The instrumented standard library: a sysroot like the toolchain's own, in which the libraries for the target have been
//! compiled again, with checks, from the bitcode that they carry for link-time optimization.
//!
//! ```text
//! <cache>/<key>/lib/libgoldilocks_pass.so     the plugin that made it, which compiles what is linked with it
//! <cache>/<key>/bin/goldilocks-rustc, ...     this program
//! <cache>/<key>/sysroot/                      links into the toolchain, but for lib/rustlib/<target>/lib
//! <cache>/<key>/contents                      every made file with its size: there when all others are
//! ```
//!
//! The key says which toolchain, which plugin and which driver. As its paths have the key in them, cargo and rustc see in a
//! command line that something was made with another version. A folder is made under another name and renamed when it is
//! complete; who makes one holds a lock, so that of two builds at once one waits.

pub mod cache;
mod library;
mod links;
mod recompile;

pub use recompile::{RECOMPILE, recompile};

use crate::toolchain::Toolchain;
use goldilocks_cc::locate::Tree;
use goldilocks_cc::machine::Machine;
use goldilocks_cc::refusal::Refusal;
use std::path::{Path, PathBuf};

/// A folder of the cache that is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    pub home: PathBuf,
}

impl Prepared {
    pub fn plugin(&self) -> PathBuf {
        self.home.join("lib/libgoldilocks_pass.so")
    }

    pub fn sysroot(&self) -> PathBuf {
        self.home.join("sysroot")
    }

    /// Whether it was made for a toolchain that has unstable features; the name of a folder has the release in it.
    pub fn is_for_unstable(&self) -> bool {
        let name = self.home.file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        name.contains("-nightly-") || name.contains("-dev-")
    }

    /// A program of this package, under this name.
    pub fn program(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }

    /// The same in a folder that goes with a runtime: cargo asks a wrapper that it knows by path and time only once what it is, and
    /// what is linked with another runtime is another program. Where no such folder can be made there is the other one.
    pub fn program_for(&self, name: &str, runtime: &Path) -> PathBuf {
        let program = self.program(name);
        let Some(id) = cache::identity(runtime) else {
            return program;
        };
        let link = self.home.join(format!("bin-{id}")).join(name);
        let made = link.exists()
            || link.parent().is_some_and(|folder| {
                let target = std::fs::read_link(&program);
                // Somebody else may make it at the same time.
                let _ = std::fs::create_dir(folder);
                let _ = target.and_then(|target| std::os::unix::fs::symlink(target, &link));
                link.exists()
            });
        if made { link } else { program }
    }
}

/// What a sysroot is made from.
pub struct Source<'a> {
    pub toolchain: &'a Toolchain,
    pub plugin: PathBuf,
    /// This program.
    pub driver: PathBuf,
}

impl<'a> Source<'a> {
    /// Finds the plugin for the toolchain's LLVM.
    pub fn find(
        machine: &dyn Machine,
        tree: &Tree,
        toolchain: &'a Toolchain,
    ) -> Result<Source<'a>, Refusal> {
        let plugins = tree.plugins(machine);
        let plugin = toolchain
            .llvm_major()
            .filter(|llvm| plugins.contains(llvm))
            .map(|llvm| tree.plugin(llvm))
            .ok_or_else(|| mismatch(tree, &plugins, toolchain))?;
        let driver = machine.own_path().ok_or_else(|| {
            Refusal::new(
                "cannot tell where this program is installed",
                "run it by its full path",
            )
        })?;
        Ok(Source {
            toolchain,
            plugin,
            driver,
        })
    }
}

fn mismatch(tree: &Tree, plugins: &[u32], toolchain: &Toolchain) -> Refusal {
    let (release, llvm) = (toolchain.release(), toolchain.llvm());
    if plugins.is_empty() {
        return Refusal::new(
            format!(
                "the compiler plugin is missing: there is no {}",
                tree.plugin(toolchain.llvm_major().unwrap_or_default())
                    .display()
            ),
            "make the installed tree with `cargo xtask dist` in goldilocks' sources and use the cargo-goldilocks in its \
             bin/, or set GOLDILOCKS_HOME to a tree that is complete",
        );
    }
    let have: Vec<String> = plugins.iter().map(u32::to_string).collect();
    let major = toolchain
        .llvm_major()
        .map_or_else(|| "N".to_owned(), |major| major.to_string());
    Refusal::new(
        format!(
            "rustc {release} is of LLVM {llvm}, and the plugins in {} are for LLVM {}; a plugin can be loaded by its own LLVM only",
            tree.home.join("lib").display(),
            have.join(", ")
        ),
        format!(
            "choose a toolchain of that LLVM (`rustc -vV` says which one it has), or build the plugin for LLVM {major}: \
             `apt-get install llvm-{major}-dev libclang-{major}-dev`, then `cargo xtask dist --llvm {major}` in goldilocks' sources"
        ),
    )
}

/// The sysroot for `source`, made if need be. `say` gets a line for the user when that takes a while.
pub fn prepare(
    machine: &dyn Machine,
    source: &Source<'_>,
    say: &dyn Fn(&str),
) -> Result<Prepared, Refusal> {
    let folder = cache::folder(machine)?;
    let home = folder.join(cache::key(source)?);
    let prepared = Prepared { home };
    if cache::is_complete(&prepared.home) {
        return Ok(prepared);
    }
    let _lock = cache::lock(&prepared.home)?;
    if cache::is_complete(&prepared.home) {
        return Ok(prepared);
    }
    say(&format!(
        "instrumenting the standard library of Rust {}",
        source.toolchain.release()
    ));
    let draft = Prepared {
        home: cache::draft(&prepared.home)?,
    };
    make(source, &draft)?;
    cache::complete(&draft.home, &prepared.home)?;
    cache::forget_old(&folder, &prepared.home);
    Ok(prepared)
}

fn make(source: &Source<'_>, draft: &Prepared) -> Result<(), Refusal> {
    links::programs(source, draft)?;
    links::sysroot(&source.toolchain.sysroot, &draft.sysroot())?;
    let from = source.toolchain.libraries();
    let to = crate::toolchain::libraries(&draft.sysroot());
    library::all(source, &from, &to)
}

/// A refusal because of a file.
fn trouble(what: &str, path: &Path, error: impl std::fmt::Display) -> Refusal {
    Refusal::new(
        format!("{what} {}: {error}", path.display()),
        "see to it that this can be done, or set GOLDILOCKS_CACHE to another folder",
    )
}
