//! The relocatable tree: compilers, plugin, runtime, found by each other from where they lie.
//!
//! ```text
//! bin/goldilocks-cc  bin/goldilocks-c++  bin/goldilocks
//! bin/cargo-goldilocks  bin/goldilocks-rustc  bin/goldilocks-rustdoc
//! lib/libgoldilocks_pass.so  lib/libgoldilocks_rt.a  lib/libgoldilocks_rt.so
//! include/goldilocks.h  share/goldilocks_rt.syms  share/doc/goldilocks/
//! ```

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::exports::List;
use crate::setup::REFERENCE_LLVM;
use crate::{layout, process, runtime_link};

/// Code generation of the runtime. Frame pointers: the runtime finds the program's frames through its own. The oldest
/// x86-64: it must run where the program runs. Small bags of crossbeam-epoch, which are built and emptied on the stack: threads of the
/// program may have the smallest one.
const RUNTIME_FLAGS: &str = "-C force-frame-pointers=yes -C target-cpu=x86-64 -C relocation-model=pic -C panic=abort \
     --cfg crossbeam_sanitize";

const PROGRAMS: [&str; 3] = ["goldilocks-cc", "goldilocks", "cargo-goldilocks"];
/// Other names of programs, which look at the name that they are called by.
const NAMES: [(&str, &str); 3] = [
    ("goldilocks-c++", "goldilocks-cc"),
    ("goldilocks-rustc", "cargo-goldilocks"),
    ("goldilocks-rustdoc", "cargo-goldilocks"),
];

/// Builds what is out of date and returns the tree.
pub fn run() -> Result<PathBuf> {
    let tree = layout::tree();
    for folder in ["bin", "lib", "include", "share/doc/goldilocks"] {
        fs::create_dir_all(tree.join(folder))?;
    }
    runtime(&tree)?;
    let plugin = build_pass(REFERENCE_LLVM)?;
    install(&plugin, &tree.join("lib/libgoldilocks_pass.so"))?;
    programs(&tree)?;
    let root = layout::root();
    install(
        &root.join("runtime/include/goldilocks.h"),
        &tree.join("include/goldilocks.h"),
    )?;
    for file in documents(&root)? {
        let to = tree.join("share/doc/goldilocks").join(&file);
        fs::create_dir_all(to.parent().expect("it is in a folder"))?;
        install(&root.join(&file), &to)?;
    }
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

/// The LLVM, other than the reference, that `--llvm` asks for.
pub fn also(arguments: &[String]) -> Result<Option<u32>> {
    match arguments {
        [] => Ok(None),
        [option, version] if option == "--llvm" => {
            let version = version
                .parse()
                .with_context(|| format!("`{version}` is no version of LLVM"))?;
            Ok(Some(version).filter(|version| *version != REFERENCE_LLVM))
        }
        _ => bail!("dist takes `--llvm VERSION` and nothing else; see `cargo xtask help`"),
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

fn runtime(tree: &Path) -> Result<()> {
    let target = layout::target().join("runtime");
    let mut cargo = process::cargo();
    cargo.args([
        "rustc",
        "--quiet",
        "--release",
        "--package",
        "goldilocks-rt",
        "--crate-type",
        "staticlib",
        "--target-dir",
    ]);
    process::run(
        cargo
            .arg(&target)
            .env("RUSTFLAGS", RUNTIME_FLAGS)
            .env_remove("CARGO_ENCODED_RUSTFLAGS"),
    )?;

    let staticlib = target.join("release/libgoldilocks_rt.a");
    let list = layout::root().join("runtime/exports.txt");
    let library = tree.join("lib/libgoldilocks_rt.a");
    let shared = tree.join("lib/libgoldilocks_rt.so");
    let syms = tree.join("share/goldilocks_rt.syms");
    let stamp = target.join("linked-from");
    let from = versions(&[&staticlib, &list, &std::env::current_exe()?])?;
    let up_to_date = fs::read_to_string(&stamp).is_ok_and(|old| old == from);
    if up_to_date && library.exists() && shared.exists() && syms.exists() {
        return Ok(());
    }
    let list = List::parse(
        &fs::read_to_string(&list).with_context(|| format!("reading {}", list.display()))?,
    );
    let scratch = target.join("link");
    let exports =
        runtime_link::link(&staticlib, &list, &scratch, &library).context("linking the runtime")?;
    runtime_link::share(&library, &scratch, &shared).context("linking the shared runtime")?;
    fs::write(&syms, runtime_link::dynamic_list(&exports))?;
    fs::write(stamp, from)?;
    Ok(())
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
fn install(from: &Path, to: &Path) -> Result<()> {
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
fn versions(files: &[&Path]) -> Result<String> {
    let mut text = String::new();
    for file in files {
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
    fn another_llvm_is_asked_for_by_number() {
        let also = |words: &[&str]| {
            also(
                &words
                    .iter()
                    .map(|word| word.to_string())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(also(&["--llvm", "19"]).unwrap(), Some(19));
        assert_eq!(also(&["--llvm", "22"]).unwrap(), None);
        assert_eq!(also(&[]).unwrap(), None);
        assert!(
            also(&["--llvm"]).is_err() && also(&["--llvm", "x"]).is_err() && also(&["19"]).is_err()
        );
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
