//! Finds the parts: the installed tree, from where this program is, and a clang whose LLVM a plugin of the tree is for.
//!
//! ```text
//! bin/goldilocks-cc  bin/goldilocks-c++  bin/goldilocks
//! lib/libgoldilocks_pass.so              the plugin for LLVM 22
//! lib/libgoldilocks_pass-19.so           and for others
//! lib/libgoldilocks_rt.a  lib/libgoldilocks_rt.so
//! share/goldilocks_rt.syms               what a program exports of the runtime
//! include/goldilocks.h
//! ```
//!
//! All paths are relative to `bin/`, so the tree can be moved; links to its programs are followed.

use crate::args::Mode;
use crate::machine::{Machine, on_path};
use crate::refusal::Refusal;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The LLVM that the plugin without a number is for.
pub const REFERENCE_LLVM: u32 = 22;

/// An installed tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    pub home: PathBuf,
}

impl Tree {
    /// `GOLDILOCKS_HOME`, or the folder above the one that this program is in.
    pub fn find(machine: &dyn Machine) -> Result<Tree, Refusal> {
        if let Some(home) = machine.variable("GOLDILOCKS_HOME") {
            return Ok(Tree {
                home: PathBuf::from(home),
            });
        }
        let home = machine
            .own_path()
            .and_then(|path| Some(path.parent()?.parent()?.to_owned()));
        home.map(|home| Tree { home }).ok_or_else(|| {
            Refusal::new(
                "cannot tell where this program is installed",
                "set GOLDILOCKS_HOME to the installed tree",
            )
        })
    }

    pub fn plugin(&self, llvm: u32) -> PathBuf {
        let name = match llvm {
            REFERENCE_LLVM => "libgoldilocks_pass.so".to_owned(),
            other => format!("libgoldilocks_pass-{other}.so"),
        };
        self.home.join("lib").join(name)
    }

    pub fn archive(&self) -> PathBuf {
        self.home.join("lib/libgoldilocks_rt.a")
    }

    pub fn shared_runtime(&self) -> PathBuf {
        self.home.join("lib/libgoldilocks_rt.so")
    }

    /// The names that a program with the archive exports, for the linker's `--dynamic-list`.
    pub fn dynamic_list(&self) -> PathBuf {
        self.home.join("share/goldilocks_rt.syms")
    }

    pub fn include(&self) -> PathBuf {
        self.home.join("include")
    }

    /// The versions of LLVM that there is a plugin for, the preferred one first.
    pub fn plugins(&self, machine: &dyn Machine) -> Vec<u32> {
        let mut others: Vec<u32> = machine
            .names_in(&self.home.join("lib"))
            .iter()
            .filter_map(|name| {
                name.to_str()?
                    .strip_prefix("libgoldilocks_pass-")?
                    .strip_suffix(".so")?
                    .parse()
                    .ok()
            })
            .collect();
        others.sort_unstable_by(|a, b| b.cmp(a));
        let reference = machine
            .is_file(&self.plugin(REFERENCE_LLVM))
            .then_some(REFERENCE_LLVM);
        reference.into_iter().chain(others).collect()
    }

    /// `path`, if it is there.
    pub fn require(
        &self,
        machine: &dyn Machine,
        path: PathBuf,
        what: &str,
    ) -> Result<PathBuf, Refusal> {
        if machine.is_file(&path) {
            Ok(path)
        } else {
            Err(self.missing(&path, what))
        }
    }

    fn missing(&self, path: &Path, what: &str) -> Refusal {
        Refusal::new(
            format!("{what} is missing: there is no {}", path.display()),
            "make the installed tree with `cargo xtask dist` in goldilocks' sources and use the goldilocks-cc in its \
             bin/, or set GOLDILOCKS_HOME to a tree that is complete",
        )
    }
}

/// A clang to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    pub program: PathBuf,
    /// Major version of its LLVM.
    pub llvm: u32,
    /// `--driver-mode=g++` is needed because its name is not a C++ compiler's.
    pub cxx_by_option: bool,
}

impl Compiler {
    /// The clang for `mode`. With `plugin`, one whose LLVM the tree has a plugin for; without, any.
    pub fn find(
        machine: &dyn Machine,
        tree: &Tree,
        mode: Mode,
        plugin: bool,
    ) -> Result<Compiler, Refusal> {
        let plugins = tree.plugins(machine);
        if plugin && plugins.is_empty() {
            return Err(tree.missing(&tree.plugin(REFERENCE_LLVM), "the compiler plugin"));
        }
        match chosen(machine, mode)? {
            Some(compiler) if !plugin || plugins.contains(&compiler.llvm) => Ok(compiler),
            Some(compiler) => Err(mismatch(&compiler, &plugins, tree)),
            None => installed(machine, mode, &plugins),
        }
    }
}

/// The clang that the environment names, if it does.
fn chosen(machine: &dyn Machine, mode: Mode) -> Result<Option<Compiler>, Refusal> {
    let named = |variable: &'static str| machine.variable(variable).map(|value| (variable, value));
    let cxx = (mode == Mode::Cxx)
        .then(|| named("GOLDILOCKS_CLANGXX"))
        .flatten();
    let Some((variable, value)) = cxx.or_else(|| named("GOLDILOCKS_CLANG")) else {
        return Ok(None);
    };
    let way_out = format!(
        "set {variable} to a clang, such as /usr/lib/llvm-{REFERENCE_LLVM}/bin/clang, or unset it"
    );
    let says = |what: &str| {
        Refusal::new(
            format!("{variable} is {}: {what}", value.to_string_lossy()),
            way_out.clone(),
        )
    };
    let program = if value.as_encoded_bytes().contains(&b'/') {
        Some(PathBuf::from(&value)).filter(|path| machine.is_file(path))
    } else {
        on_path(machine, &value).next()
    };
    let program = program.ok_or_else(|| says("there is no such program"))?;
    if machine
        .own_path()
        .is_some_and(|own| machine.resolve(&program) == Some(own))
    {
        return Err(says("that is goldilocks-cc itself"));
    }
    let llvm = version(machine, &program).ok_or_else(|| says("that is not a clang"))?;
    Ok(Some(Compiler {
        program,
        llvm,
        cxx_by_option: mode == Mode::Cxx && variable == "GOLDILOCKS_CLANG",
    }))
}

/// The clang that is installed under its usual name, for the first of `plugins` that has one.
fn installed(machine: &dyn Machine, mode: Mode, plugins: &[u32]) -> Result<Compiler, Refusal> {
    let name = match mode {
        Mode::C => "clang",
        Mode::Cxx => "clang++",
    };
    let versions = if plugins.is_empty() {
        &[REFERENCE_LLVM][..]
    } else {
        plugins
    };
    for &llvm in versions {
        let numbered = OsString::from(format!("{name}-{llvm}"));
        let usual = PathBuf::from(format!("/usr/lib/llvm-{llvm}/bin/{name}"));
        let found = on_path(machine, &numbered)
            .next()
            .or_else(|| machine.is_file(&usual).then_some(usual));
        if let Some(program) = found {
            return Ok(Compiler {
                program,
                llvm,
                cxx_by_option: false,
            });
        }
    }
    let wanted: Vec<String> = versions
        .iter()
        .map(|llvm| format!("{name}-{llvm}"))
        .collect();
    let preferred = versions[0];
    Err(Refusal::new(
        format!(
            "clang is missing: there is no {} on the PATH and none in /usr/lib/llvm-{preferred}/bin",
            wanted.join(" or ")
        ),
        format!(
            "install it (Debian, Ubuntu: `apt-get install clang-{preferred}`; where the distribution has none, see \
             https://apt.llvm.org), or set GOLDILOCKS_CLANG to it"
        ),
    ))
}

fn mismatch(compiler: &Compiler, plugins: &[u32], tree: &Tree) -> Refusal {
    let have: Vec<String> = plugins.iter().map(u32::to_string).collect();
    let llvm = compiler.llvm;
    Refusal::new(
        format!(
            "{} is of LLVM {llvm}, and the plugins in {} are for LLVM {}; a plugin can be loaded by its own LLVM only",
            compiler.program.display(),
            tree.home.join("lib").display(),
            have.join(", ")
        ),
        format!(
            "use clang-{}, or build the plugin for LLVM {llvm}: `apt-get install llvm-{llvm}-dev`, then \
             `cargo xtask dist --llvm {llvm}`",
            plugins[0]
        ),
    )
}

/// The major version of a clang: by its name if that tells, as a question costs as much as a small compilation and
/// `configure` makes hundreds of those; otherwise by asking.
fn version(machine: &dyn Machine, program: &Path) -> Option<u32> {
    let resolved = machine.resolve(program);
    let by_name = version_in_name(program).or_else(|| version_in_name(resolved.as_deref()?));
    by_name.or_else(|| version_in_answer(&machine.version_of(program)?))
}

/// From `.../clang-22`, `.../clang++-22` or `.../llvm-22/bin/clang`.
fn version_in_name(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    if let Some(number) = name
        .strip_prefix("clang-")
        .or_else(|| name.strip_prefix("clang++-"))
    {
        return number.parse().ok();
    }
    let bin = path
        .parent()
        .filter(|folder| folder.file_name() == Some(OsStr::new("bin")))?;
    let llvm = bin.parent()?.file_name()?.to_str()?;
    matches!(name, "clang" | "clang++").then(|| llvm.strip_prefix("llvm-")?.parse().ok())?
}

/// From `Debian clang version 22.1.8 (...)`.
fn version_in_answer(answer: &str) -> Option<u32> {
    let (_, rest) = answer.split_once("clang version ")?;
    rest.split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}
