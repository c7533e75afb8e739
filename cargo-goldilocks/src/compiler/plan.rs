//! From what a command line asks for to the one that is run.

use super::Line;
use crate::sysroot::Prepared;
use crate::toolchain::TARGET;
use goldilocks_cc::refusal::Refusal;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The first argument was a rustc: this is cargo, or somebody who does as cargo does.
    pub wrapped: bool,
    /// Cargo compiles a crate.
    pub compiles_crate: bool,
    /// A build script asks what the compiler can do.
    pub build_script: bool,
}

/// What rustc's call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// For the build itself, or a question of a build script: rustc is called as it would be.
    Plain,
    /// Cargo asks where libraries are.
    Question,
    /// A crate for the target.
    Checked,
}

/// What a checked crate is compiled and linked with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    pub prepared: Prepared,
    pub archive: PathBuf,
    pub dynamic_list: PathBuf,
    /// The crate may use unstable features: the user's toolchain has them.
    pub allow_features: bool,
}

/// What the call is for, or why it cannot be done.
///
/// Cargo that was given `--target` hands it on for what runs there, and not for build scripts, procedural macros and what those
/// depend on. A build script that tries what the compiler can do must not find what only our call has.
pub fn role(line: &Line, caller: &Caller) -> Result<Role, Refusal> {
    if caller.wrapped {
        let asks = line.prints && line.target.is_some() && !caller.build_script;
        if !caller.compiles_crate {
            return Ok(if asks { Role::Question } else { Role::Plain });
        }
        if line.target.is_none() || line.prints {
            return Ok(Role::Plain);
        }
    }
    if !line.input || line.prints || line.is_proc_macro() || line.is_build_script() {
        return Ok(Role::Plain);
    }
    // With -Zbuild-std; see the same name in `sysroot`.
    if matches!(
        line.crate_name.as_deref(),
        Some("compiler_builtins" | "profiler_builtins")
    ) {
        return Ok(Role::Plain);
    }
    refusal(line).map_or(Ok(Role::Checked), Err)
}

fn refusal(line: &Line) -> Option<Refusal> {
    let target = line.target.as_deref().unwrap_or(TARGET);
    if target != TARGET {
        return Some(Refusal::new(
            format!("goldilocks detects races on {TARGET} only, not on {target}"),
            format!("compile for {TARGET}, or use cargo itself"),
        ));
    }
    let mut features = line.codegen.iter().filter_map(|option| {
        let (name, value) = option.split_once('=')?;
        (name.replace('_', "-") == "target-feature").then_some(value)
    });
    let fully_static = features.any(|value| value.split(',').any(|one| one == "+crt-static"));
    (fully_static && line.makes_program()).then(|| {
        Refusal::new(
            "a program linked with -C target-feature=+crt-static cannot be checked: goldilocks sees threads and memory blocks \
             by taking the place of libc's functions and calling on to them, for which it needs the dynamic linker",
            "leave it out of RUSTFLAGS and cargo's configuration for this run",
        )
    })
}

/// The command line. Ours comes behind: the last word on an option counts.
pub fn arguments(given: Vec<OsString>, line: &Line, role: &Role, parts: &Parts) -> Vec<OsString> {
    let mut all = Words(given);
    if !line.sysroot {
        all.add("--sysroot");
        all.add(parts.prepared.sysroot());
    }
    if *role != Role::Checked {
        return all.0;
    }
    all.0 = without_stripping(all.0);
    all.joined("-Zllvm-plugins=", &parts.prepared.plugin());
    // The vectorizer would read what lies between the elements of a strided loop along with them: reads that the program does
    // not make.
    all.add("-Cllvm-args=-enable-interleaved-mem-accesses=false");
    all.add("-Cforce-frame-pointers=yes");
    // The plugin knows functions by their names: methods of locks, and what belongs to an excluded crate. LLVM inlines later.
    all.add("-Zinline-mir=no");
    // Of functions with the same instructions one would be left, and named in stacks of the others.
    all.add("-Zmerge-functions=disabled");
    if is_for_one_unit(line) {
        all.add("-Ccodegen-units=1");
    }
    if line
        .codegen("debuginfo")
        .is_none_or(|level| matches!(level, "0" | "none"))
    {
        all.add("-Cdebuginfo=2");
    }
    if !parts.allow_features {
        all.add("-Zallow-features=");
    }
    all.add("--cfg=goldilocks");
    all.add("--check-cfg=cfg(goldilocks)");
    // Its atomics of 16 bytes are assembly, which nobody sees through, unless it knows of a detector.
    if line.crate_name.as_deref() == Some("portable_atomic") {
        all.add("--cfg=portable_atomic_sanitize_thread");
    }
    if line.makes_program() {
        link(&mut all, line, parts);
    }
    all.0
}

/// Whether a crate is compiled as a whole: one that is optimized, unless its parts are to be compiled anew one by one, or it is said how many there are. Cut up, generic
/// functions of libraries are inlined less, and what they write to their callers' stacks is looked at, as others may call them.
fn is_for_one_unit(line: &Line) -> bool {
    let is_given = |name| line.codegen(name).is_some();
    let is_optimized = line.codegen("opt-level").is_some_and(|level| level != "0");
    is_optimized && !is_given("codegen-units") && !is_given("incremental")
}

/// Cargo strips programs of a profile without debug information of that of the standard library, too: no lines in reports.
fn without_stripping(given: Vec<OsString>) -> Vec<OsString> {
    let is_strip = |word: &OsStr| word.to_string_lossy().starts_with("strip=");
    let mut kept: Vec<OsString> = Vec::with_capacity(given.len());
    for word in given {
        if is_strip(&word)
            && kept
                .last()
                .is_some_and(|last| last == "-C" || last == "--codegen")
        {
            kept.pop();
        } else if !word.to_string_lossy().starts_with("-Cstrip=") {
            kept.push(word);
        }
    }
    kept
}

/// The runtime. In front of all libraries, as their definitions of what it intercepts must not come first; all of it, as
/// nothing refers to what the program's libraries will call.
fn link(all: &mut Words, line: &Line, parts: &Parts) {
    let by_driver = !is_linker(line);
    let mut before = |word: &OsStr| {
        if by_driver {
            all.add("-Zpre-link-arg=-Xlinker");
        }
        let mut argument = OsString::from("-Zpre-link-arg=");
        argument.push(word);
        all.add(argument);
    };
    before("--whole-archive".as_ref());
    before(parts.archive.as_os_str());
    before("--no-whole-archive".as_ref());
    let mut list = OsString::from("--dynamic-list=");
    list.push(&parts.dynamic_list);
    before(&list);
    // What the runtime needs, also in a program without the standard library.
    for library in ["-lgcc_s", "-lpthread", "-ldl", "-lc"] {
        all.add(format!("-Clink-arg={library}"));
    }
    // The archive has interceptors of its functions, so the linker does not see that it is needed (`f64::sin_cos` is one call of `sincos`).
    let to_linker = if by_driver { "-Wl," } else { "" };
    for word in ["--push-state", "--no-as-needed"] {
        all.add(format!("-Clink-arg={to_linker}{word}"));
    }
    all.add("-Clink-arg=-lm");
    all.add(format!("-Clink-arg={to_linker}--pop-state"));
}

/// Whether the linker is called by itself and not by a C compiler.
fn is_linker(line: &Line) -> bool {
    let name = line
        .codegen("linker")
        .map(Path::new)
        .and_then(Path::file_name);
    let name = name.unwrap_or_default().to_string_lossy();
    let flavor = line.codegen("linker-flavor").unwrap_or_default();
    let flavored = matches!(flavor, "ld" | "ld.lld" | "gnu" | "gnu-lld");
    let named = matches!(
        &*name,
        "ld" | "ld.lld" | "ld.bfd" | "ld.gold" | "mold" | "rust-lld" | "lld"
    );
    flavored || flavor.is_empty() && named
}

/// A command line in the making.
struct Words(Vec<OsString>);

impl Words {
    fn add(&mut self, word: impl AsRef<OsStr>) {
        self.0.push(word.as_ref().to_owned());
    }

    fn joined(&mut self, option: &str, path: &Path) {
        let mut word = OsString::from(option);
        word.push(path);
        self.0.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_optimized_is_one_unit_unless_somebody_says_otherwise() {
        let is_one = |words: &str| {
            let words: Vec<OsString> = words.split_whitespace().map(OsString::from).collect();
            is_for_one_unit(&Line::parse(&words, &|_| None))
        };
        assert!(is_one("-C opt-level=3 x.rs") && is_one("-Copt-level=s x.rs") && is_one("-O x.rs"));
        assert!(!is_one("x.rs") && !is_one("-C opt-level=0 x.rs"));
        assert!(!is_one("-O -C codegen-units=16 x.rs"));
        assert!(!is_one("-O -C incremental=target/x x.rs"));
    }
}
