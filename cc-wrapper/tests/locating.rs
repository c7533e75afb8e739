//! Where the parts are found, on machines that are described here.

use goldilocks_cc::args::Mode;
use goldilocks_cc::locate::{Compiler, Tree};
use goldilocks_cc::machine::Machine;
use goldilocks_cc::need::{Need, Runtime};
use goldilocks_cc::plan::Parts;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Default)]
struct Described {
    variables: BTreeMap<&'static str, &'static str>,
    files: Vec<&'static str>,
    links: BTreeMap<&'static str, &'static str>,
    answers: BTreeMap<&'static str, &'static str>,
}

impl Machine for Described {
    fn variable(&self, name: &str) -> Option<OsString> {
        self.variables.get(name).map(OsString::from)
    }
    fn own_path(&self) -> Option<PathBuf> {
        Some(PathBuf::from("/opt/g/bin/goldilocks-cc"))
    }
    fn is_file(&self, path: &Path) -> bool {
        self.files.iter().any(|file| Path::new(file) == path)
    }
    fn names_in(&self, folder: &Path) -> Vec<OsString> {
        let inside = self
            .files
            .iter()
            .map(Path::new)
            .filter(|file| file.parent() == Some(folder));
        inside
            .filter_map(|file| Some(file.file_name()?.to_owned()))
            .collect()
    }
    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        Some(
            self.links
                .get(path.to_str()?)
                .map_or(path.to_owned(), PathBuf::from),
        )
    }
    fn version_of(&self, program: &Path) -> Option<String> {
        self.answers
            .get(program.to_str()?)
            .map(|answer| (*answer).to_owned())
    }
}

/// Debian with clang 22 and a complete tree in /opt/g.
fn usual() -> Described {
    Described {
        variables: [("PATH", "/usr/local/bin:/usr/bin")].into(),
        files: vec![
            "/usr/bin/clang-22",
            "/usr/bin/clang++-22",
            "/usr/bin/clang",
            "/opt/g/bin/goldilocks-cc",
            "/opt/g/lib/libgoldilocks_pass.so",
            "/opt/g/lib/libgoldilocks_rt.a",
            "/opt/g/lib/libgoldilocks_rt.so",
            "/opt/g/share/goldilocks_rt.syms",
            "/opt/g/include/goldilocks.h",
        ],
        links: [("/usr/bin/clang", "/usr/lib/llvm-14/bin/clang")].into(),
        answers: BTreeMap::new(),
    }
}

fn compiler(machine: &Described, mode: Mode) -> Result<Compiler, String> {
    let tree = Tree::find(machine).unwrap();
    Compiler::find(machine, &tree, mode, true).map_err(|refusal| refusal.to_string())
}

fn found(machine: &Described) -> (String, u32) {
    let compiler = compiler(machine, Mode::C).unwrap();
    (compiler.program.display().to_string(), compiler.llvm)
}

const ALL: Need = Need {
    macros: true,
    compatible_macros: true,
    attributes: true,
    plugin: true,
    runtime: Runtime::Archive,
    allow_undefined: false,
};

#[test]
fn the_tree_is_around_the_program_unless_the_environment_says_otherwise() {
    let mut machine = usual();
    assert_eq!(Tree::find(&machine).unwrap().home, Path::new("/opt/g"));
    machine.variables.insert("GOLDILOCKS_HOME", "/else");
    assert_eq!(Tree::find(&machine).unwrap().home, Path::new("/else"));
}

#[test]
fn all_parts() {
    let machine = usual();
    let tree = Tree::find(&machine).unwrap();
    let parts = Parts::find(&machine, &tree, Mode::Cxx, &ALL).unwrap();
    assert_eq!(parts.compiler.program, Path::new("/usr/bin/clang++-22"));
    assert_eq!(
        parts.plugin.as_deref(),
        Some(Path::new("/opt/g/lib/libgoldilocks_pass.so"))
    );
    assert_eq!(
        parts.runtime.as_deref(),
        Some(Path::new("/opt/g/lib/libgoldilocks_rt.a"))
    );
    assert_eq!(
        parts.dynamic_list.as_deref(),
        Some(Path::new("/opt/g/share/goldilocks_rt.syms"))
    );
    assert_eq!(parts.include.as_deref(), Some(Path::new("/opt/g/include")));
    let shared = Need {
        runtime: Runtime::Shared,
        plugin: false,
        macros: false,
        ..ALL
    };
    let parts = Parts::find(&machine, &tree, Mode::C, &shared).unwrap();
    assert_eq!(
        parts.runtime.as_deref(),
        Some(Path::new("/opt/g/lib/libgoldilocks_rt.so"))
    );
    assert_eq!(
        (parts.plugin, parts.dynamic_list, parts.include),
        (None, None, None)
    );
}

#[test]
fn a_missing_part_is_named_with_what_to_do() {
    for (part, need) in [
        ("/opt/g/lib/libgoldilocks_pass.so", ALL),
        ("/opt/g/lib/libgoldilocks_rt.a", ALL),
        ("/opt/g/share/goldilocks_rt.syms", ALL),
        (
            "/opt/g/lib/libgoldilocks_rt.so",
            Need {
                runtime: Runtime::Shared,
                ..ALL
            },
        ),
    ] {
        let mut machine = usual();
        machine.files.retain(|file| *file != part);
        let tree = Tree::find(&machine).unwrap();
        let refusal = Parts::find(&machine, &tree, Mode::C, &need).unwrap_err();
        assert!(refusal.reason.contains(part), "{refusal}");
        assert!(refusal.way_out.contains("cargo xtask dist"), "{refusal}");
        // A question to the compiler needs none of them.
        let question = Need {
            macros: false,
            plugin: false,
            runtime: Runtime::None,
            ..ALL
        };
        assert!(Parts::find(&machine, &tree, Mode::C, &question).is_ok());
    }
}

#[test]
fn clang_is_found_by_its_number_on_the_path_or_where_debian_puts_it() {
    let mut machine = usual();
    assert_eq!(found(&machine), ("/usr/bin/clang-22".into(), 22));
    machine.files.push("/usr/local/bin/clang-22");
    assert_eq!(found(&machine), ("/usr/local/bin/clang-22".into(), 22));
    machine.files.retain(|file| !file.ends_with("/clang-22"));
    machine.files.push("/usr/lib/llvm-22/bin/clang");
    assert_eq!(found(&machine), ("/usr/lib/llvm-22/bin/clang".into(), 22));
}

#[test]
fn without_clang_it_says_how_to_get_it() {
    let mut machine = usual();
    machine.files.retain(|file| !file.contains("clang"));
    let text = compiler(&machine, Mode::C).unwrap_err();
    assert!(
        text.contains("no clang-22 on the PATH") && text.contains("apt-get install clang-22"),
        "{text}"
    );
    let text = compiler(&machine, Mode::Cxx).unwrap_err();
    assert!(text.contains("no clang++-22"), "{text}");
}

#[test]
fn a_plugin_for_another_llvm_finds_its_clang() {
    let mut machine = usual();
    machine.files.push("/opt/g/lib/libgoldilocks_pass-19.so");
    machine.files.push("/usr/bin/clang-19");
    assert_eq!(found(&machine).1, 22);
    machine.files.retain(|file| *file != "/usr/bin/clang-22");
    assert_eq!(found(&machine), ("/usr/bin/clang-19".into(), 19));
    let tree = Tree::find(&machine).unwrap();
    let parts = Parts::find(&machine, &tree, Mode::C, &ALL).unwrap();
    assert_eq!(
        parts.plugin.as_deref(),
        Some(Path::new("/opt/g/lib/libgoldilocks_pass-19.so"))
    );
}

#[test]
fn the_environment_names_a_clang() {
    let mut machine = usual();
    machine.files.push("/usr/lib/llvm-22/bin/clang");
    machine
        .variables
        .insert("GOLDILOCKS_CLANG", "/usr/lib/llvm-22/bin/clang");
    assert_eq!(found(&machine), ("/usr/lib/llvm-22/bin/clang".into(), 22));
    assert!(compiler(&machine, Mode::Cxx).unwrap().cxx_by_option);
    machine.variables.insert("GOLDILOCKS_CLANGXX", "clang++-22");
    let cxx = compiler(&machine, Mode::Cxx).unwrap();
    assert_eq!(
        (cxx.program.to_str().unwrap(), cxx.cxx_by_option),
        ("/usr/bin/clang++-22", false)
    );
}

#[test]
fn a_clang_whose_name_tells_nothing_is_asked() {
    let mut machine = usual();
    machine.files.push("/home/me/build/bin/clang");
    machine
        .variables
        .insert("GOLDILOCKS_CLANG", "/home/me/build/bin/clang");
    machine.answers.insert(
        "/home/me/build/bin/clang",
        "Custom clang version 22.1.0-git\nTarget: x",
    );
    assert_eq!(found(&machine), ("/home/me/build/bin/clang".into(), 22));
    machine
        .answers
        .insert("/home/me/build/bin/clang", "gcc (Debian) 12.2.0");
    let text = compiler(&machine, Mode::C).unwrap_err();
    assert!(text.contains("not a clang"), "{text}");
}

#[test]
fn a_clang_of_another_llvm_is_refused_with_both_versions() {
    let mut machine = usual();
    machine.variables.insert("GOLDILOCKS_CLANG", "clang");
    let text = compiler(&machine, Mode::C).unwrap_err();
    assert!(
        text.contains("is of LLVM 14") && text.contains("are for LLVM 22"),
        "{text}"
    );
    assert!(text.contains("cargo xtask dist --llvm 14"), "{text}");
}

#[test]
fn the_wrapper_does_not_call_itself() {
    let mut machine = usual();
    machine.files.push("/usr/local/bin/gold");
    machine
        .links
        .insert("/usr/local/bin/gold", "/opt/g/bin/goldilocks-cc");
    machine.variables.insert("GOLDILOCKS_CLANG", "gold");
    let text = compiler(&machine, Mode::C).unwrap_err();
    assert!(text.contains("goldilocks-cc itself"), "{text}");
    machine
        .variables
        .insert("GOLDILOCKS_CLANG", "/nowhere/clang");
    assert!(
        compiler(&machine, Mode::C)
            .unwrap_err()
            .contains("no such program")
    );
}
