//! The relocatable tree: compilers, plugin, runtime, found by each other from where they lie.
//!
//! ```text
//! bin/goldilocks-cc  bin/goldilocks-c++  bin/goldilocks
//! bin/cargo-goldilocks  bin/goldilocks-rustc  bin/goldilocks-rustdoc
//! lib/libgoldilocks_pass.so  lib/libgoldilocks_rt.a  lib/libgoldilocks_rt.so
//! include/goldilocks.h  include/cxx/  share/goldilocks_rt.syms  share/doc/goldilocks/
//! ```

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::setup::REFERENCE_LLVM;
use crate::training::{self, Profile};
use crate::{layout, process, runtime_build};

const PROGRAMS: [&str; 3] = ["goldilocks-cc", "goldilocks", "cargo-goldilocks"];
/// Other names of programs, which look at the name that they are called by.
const NAMES: [(&str, &str); 3] = [
    ("goldilocks-c++", "goldilocks-cc"),
    ("goldilocks-rustc", "cargo-goldilocks"),
    ("goldilocks-rustdoc", "cargo-goldilocks"),
];

/// The program's, and in `cxx` those that come before headers of C++'s library.
const HEADERS: [&str; 4] = [
    "goldilocks.h",
    "cxx/bits/c++config.h",
    "cxx/__string/extern_template_lists.h",
    "cxx/__cxx03/__string/extern_template_lists.h",
];

/// Builds what is out of date and returns the tree.
pub fn run() -> Result<PathBuf> {
    make(Profile::UpToDate)
}

/// As [`run`].
pub fn make(profile: Profile) -> Result<PathBuf> {
    let tree = layout::tree();
    for folder in ["bin", "lib", "include", "share/doc/goldilocks"] {
        fs::create_dir_all(tree.join(folder))?;
    }
    let plugin = build_pass(REFERENCE_LLVM)?;
    install(&plugin, &tree.join("lib/libgoldilocks_pass.so"))?;
    programs(&tree)?;
    let root = layout::root();
    for header in HEADERS {
        let to = tree.join("include").join(header);
        fs::create_dir_all(to.parent().expect("it is in a folder"))?;
        install(&root.join("runtime/include").join(header), &to)?;
    }
    for file in documents(&root)? {
        let to = tree.join("share/doc/goldilocks").join(&file);
        fs::create_dir_all(to.parent().expect("it is in a folder"))?;
        install(&root.join(&file), &to)?;
    }
    // Last: what it is trained with is compiled by the rest.
    let profile = training::profile(&tree, profile)?;
    runtime_build::for_programs(&tree, profile.as_deref())?;
    Ok(tree)
}

/// What a user may read, where the links between the files expect it.
fn documents(root: &Path) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = [
        "README.md",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "benches/README.md",
        "runtime/libc_symbols.txt",
    ]
    .map(PathBuf::from)
    .into();
    for folder in ["docs", "benches/plots"] {
        for entry in fs::read_dir(root.join(folder))? {
            files.push(Path::new(folder).join(entry?.file_name()));
        }
    }
    Ok(files)
}

/// What the command `dist` was asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct Plan {
    /// The LLVM, other than the reference, that the plugin is built for as well.
    pub also: Option<u32>,
    pub profile: Profile,
}

impl Plan {
    pub fn parse(arguments: &[String]) -> Result<Plan> {
        let mut plan = Plan {
            also: None,
            profile: Profile::UpToDate,
        };
        let mut words = arguments.iter().map(String::as_str);
        while let Some(option) = words.next() {
            match (option, words.next()) {
                ("--llvm", Some(version)) => {
                    let version = version
                        .parse()
                        .with_context(|| format!("`{version}` is no version of LLVM"))?;
                    plan.also = Some(version).filter(|version| *version != REFERENCE_LLVM);
                }
                ("--profile", Some("old")) => plan.profile = Profile::Old,
                ("--profile", Some("none")) => plan.profile = Profile::None,
                _ => bail!(
                    "dist takes `--llvm VERSION` and `--profile old|none`; see `cargo xtask help`"
                ),
            }
        }
        Ok(plan)
    }
}

/// Adds the plugin for another LLVM to the tree.
pub fn add_pass(tree: &Path, llvm: u32) -> Result<()> {
    let plugin = build_pass(llvm)?;
    let name = format!("lib/libgoldilocks_pass-{llvm}.so");
    install(&plugin, &tree.join(name))
}

/// Builds the plugin for this LLVM, in a build directory of its own where it is not the reference.
pub fn build_pass(llvm: u32) -> Result<PathBuf> {
    let target = if llvm == REFERENCE_LLVM {
        layout::target()
    } else {
        layout::target().join(format!("llvm-{llvm}"))
    };
    let mut cargo = process::cargo();
    cargo
        .args([
            "build",
            "--quiet",
            "--release",
            "--package",
            "goldilocks-pass",
            "--target-dir",
        ])
        .arg(&target);
    cargo.env("LLVM_CONFIG", layout::llvm(llvm).join("bin/llvm-config"));
    // Rust's own prerequisites have a C compiler and no C++ one.
    cargo.env("CXX", layout::llvm_tool("clang++"));
    cargo.env("LIBCLANG_PATH", layout::llvm(llvm).join("lib"));
    process::run(&mut cargo)?;
    Ok(target.join("release/libgoldilocks_pass.so"))
}

fn programs(tree: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    process::run(cargo.args([
        "build",
        "--quiet",
        "--release",
        "--package",
        "goldilocks-cc",
        "--package",
        "cargo-goldilocks",
        "--bins",
    ]))?;
    for program in PROGRAMS {
        let built = layout::target().join("release").join(program);
        install(&built, &tree.join("bin").join(program))?;
    }
    for (name, program) in NAMES {
        let name = tree.join("bin").join(name);
        if !name.exists() {
            std::os::unix::fs::symlink(program, &name)?;
        }
    }
    Ok(())
}

/// Copies a file unless its contents are there already, such that a program that runs from `to` is not disturbed.
pub fn install(from: &Path, to: &Path) -> Result<()> {
    let new = fs::read(from).with_context(|| format!("reading {}", from.display()))?;
    if fs::read(to).is_ok_and(|old| old == new) {
        return Ok(());
    }
    let fresh = to.with_extension("new");
    fs::write(&fresh, new)?;
    fs::set_permissions(
        &fresh,
        fs::Permissions::from_mode(fs::metadata(from)?.permissions().mode() & 0o755),
    )?;
    fs::rename(&fresh, to).with_context(|| format!("replacing {}", to.display()))
}

/// Identifies the present contents of files without reading them.
pub fn versions(files: &[impl AsRef<Path>]) -> Result<String> {
    let mut text = String::new();
    for file in files.iter().map(AsRef::as_ref) {
        let metadata =
            fs::metadata(file).with_context(|| format!("looking at {}", file.display()))?;
        text.push_str(&format!(
            "{} {} {}.{}\n",
            file.display(),
            metadata.len(),
            metadata.mtime(),
            metadata.mtime_nsec()
        ));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_llvm_is_asked_for_by_number_and_a_profile_by_name() {
        let parse = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
            Plan::parse(&words).map(|plan| (plan.also, plan.profile))
        };
        assert_eq!(parse(&["--llvm", "19"]).unwrap().0, Some(19));
        assert_eq!(parse(&["--llvm", "22"]).unwrap().0, None);
        assert_eq!(parse(&[]).unwrap(), (None, Profile::UpToDate));
        let both = parse(&["--profile", "old", "--llvm", "19"]).unwrap();
        assert_eq!(both, (Some(19), Profile::Old));
        assert_eq!(parse(&["--profile", "none"]).unwrap().1, Profile::None);
        for wrong in [
            &["--llvm"][..],
            &["--llvm", "x"],
            &["19"],
            &["--profile"],
            &["--profile", "new"],
        ] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn links_between_documents_lead_to_documents() {
        let root = layout::root();
        let files = documents(&root).unwrap();
        for file in files
            .iter()
            .filter(|file| file.extension() == Some("md".as_ref()))
        {
            let text = fs::read_to_string(root.join(file)).unwrap();
            let links = text
                .split("](")
                .skip(1)
                .filter_map(|rest| rest.split(')').next());
            for link in links.filter(|link| !link.contains("://") && !link.starts_with('#')) {
                let path = file.parent().unwrap().join(link.split('#').next().unwrap());
                let mut plain = PathBuf::new();
                for part in path.components() {
                    match part {
                        std::path::Component::ParentDir => assert!(plain.pop(), "{link}"),
                        other => plain.push(other),
                    }
                }
                assert!(files.contains(&plain), "{}: {link}", file.display());
            }
        }
    }

    #[test]
    fn installing_keeps_what_is_the_same_and_replaces_what_is_not() {
        let dir = std::env::temp_dir().join(format!("goldilocks-install-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let (from, to) = (dir.join("from"), dir.join("to"));
        fs::write(&from, "one").unwrap();
        install(&from, &to).unwrap();
        let first = fs::metadata(&to).unwrap().ino();
        install(&from, &to).unwrap();
        assert_eq!(fs::metadata(&to).unwrap().ino(), first);
        fs::write(&from, "two").unwrap();
        install(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "two");
        fs::remove_dir_all(dir).unwrap();
    }
}
