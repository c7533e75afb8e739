//! The libraries of the target: each `.rlib` of the toolchain with its objects compiled again.

use super::{Source, links, recompile, trouble};
use ar_archive_writer::{ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember};
use goldilocks_cc::refusal::Refusal;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

/// Left as they are: what compiled code calls for arithmetic and copies, which the pass knows and the runtime intercepts, and
/// the counters of coverage, which threads share unordered on purpose.
const PLAIN: [&str; 2] = ["compiler_builtins", "profiler_builtins"];

/// Fills `to` with the libraries of `from`.
pub fn all(source: &Source<'_>, from: &Path, to: &Path) -> Result<(), Refusal> {
    let llvm = recompile::find_llvm(source)?;
    let mut work = Vec::new();
    for path in sorted(from)? {
        let name = path.file_name().unwrap_or_default();
        let text = name.to_string_lossy();
        if text.ends_with(".rlib") && !PLAIN.contains(&crate_name(&text)) {
            work.push((path.clone(), to.join(name)));
        } else if !text.ends_with(".so") {
            // A shared standard library would be another one.
            links::link(&path, &to.join(name))?;
        }
    }
    // The longest first, so that none is waited for in the end.
    work.sort_by_key(|(path, _)| fs::metadata(path).map_or(0, |metadata| metadata.len()));
    in_parallel(work, |(from, to)| instrument(source, &llvm, &from, &to))
}

/// From `libstd-d1237ef7159db0a2.rlib`.
fn crate_name(file: &str) -> &str {
    let stem = file.strip_prefix("lib").unwrap_or(file);
    stem.rsplit_once('-').map_or(stem, |(name, _)| name)
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let entries = fs::read_dir(folder).map_err(|error| trouble("reading", folder, error))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Does `work` from the end, as much at once as there are processors. The first refusal counts.
fn in_parallel<T: Send>(
    work: Vec<T>,
    one: impl Fn(T) -> Result<(), Refusal> + Sync,
) -> Result<(), Refusal> {
    let at_once = thread::available_parallelism().map_or(1, |number| number.get());
    let (work, refusal) = (Mutex::new(work), Mutex::new(None));
    let next = || {
        let stop = refusal.lock().is_ok_and(|refusal| refusal.is_some());
        work.lock().ok().filter(|_| !stop)?.pop()
    };
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(item) = next() {
                    if let (Err(new), Ok(mut refusal)) = (one(item), refusal.lock()) {
                        refusal.get_or_insert(new);
                    }
                }
            });
        }
    });
    refusal.into_inner().unwrap_or_default().map_or(Ok(()), Err)
}

/// One library.
fn instrument(source: &Source<'_>, llvm: &Path, from: &Path, to: &Path) -> Result<(), Refusal> {
    let data = fs::read(from).map_err(|error| trouble("reading", from, error))?;
    let damaged = |error: object::Error| trouble("reading", from, error);
    let archive = ArchiveFile::parse(&*data).map_err(damaged)?;
    let mut members = Vec::new();
    for (index, member) in archive.members().enumerate() {
        let member = member.map_err(damaged)?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let bytes = member.data(&*data).map_err(damaged)?;
        let bytes = if name.ends_with(".o") {
            let scratch = to.with_extension(index.to_string());
            object(source, llvm, from, bytes, &scratch)?
        } else {
            bytes.to_vec()
        };
        members.push(NewArchiveMember::new(bytes, &DEFAULT_OBJECT_READER, name));
    }
    let mut file = fs::File::create(to).map_err(|error| trouble("writing", to, error))?;
    ar_archive_writer::write_archive_to_stream(&mut file, &members, ArchiveKind::Gnu, false, None)
        .map_err(|error| trouble("writing", to, error))
}

/// The instrumented object for `bytes`; files go where `scratch` says.
fn object(
    source: &Source<'_>,
    llvm: &Path,
    library: &Path,
    bytes: &[u8],
    scratch: &Path,
) -> Result<Vec<u8>, Refusal> {
    let bitcode = bitcode(bytes).map_err(|error| trouble("reading", library, error))?;
    let Some(bitcode) = bitcode else {
        return Err(without_bitcode(source, library));
    };
    let (input, output) = (
        scratch.with_added_extension("bc"),
        scratch.with_added_extension("o"),
    );
    fs::write(&input, bitcode).map_err(|error| trouble("writing", &input, error))?;
    let child = recompile::start(source, llvm, &input, &output)?;
    let done = child
        .wait_with_output()
        .map_err(|error| trouble("compiling", library, error))?;
    if !done.status.success() {
        let complaint = String::from_utf8_lossy(&done.stderr).trim().to_owned();
        return Err(Refusal::new(
            format!(
                "{} cannot be instrumented ({}): {complaint}",
                library.display(),
                done.status
            ),
            "see whether the toolchain is complete, or choose another one",
        ));
    }
    let object = fs::read(&output).map_err(|error| trouble("reading", &output, error))?;
    for file in [input, output] {
        fs::remove_file(&file).map_err(|error| trouble("removing", &file, error))?;
    }
    Ok(object)
}

/// The section that link-time optimization takes a module from.
fn bitcode(object: &[u8]) -> object::Result<Option<&[u8]>> {
    let file = object::File::parse(object)?;
    let section = file.section_by_name(".llvmbc");
    let data = section.map(|section| section.data()).transpose()?;
    Ok(data.filter(|data| !data.is_empty()))
}

fn without_bitcode(source: &Source<'_>, library: &Path) -> Refusal {
    Refusal::new(
        format!(
            "the standard library of this toolchain ({}) carries no bitcode, from which an instrumented one could be made: {}",
            source.toolchain.release(),
            library.display()
        ),
        "use one of rustup's toolchains, such as `cargo +stable goldilocks`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_crates() {
        assert_eq!(crate_name("libstd-d1237ef7159db0a2.rlib"), "std");
        assert_eq!(
            crate_name("libcompiler_builtins-27cfc16bdf3bb694.rlib"),
            "compiler_builtins"
        );
    }

    #[test]
    fn all_work_is_done_and_a_refusal_comes_out() {
        let done = Mutex::new(Vec::new());
        let record = |item: u32| {
            done.lock().unwrap().push(item);
            if item == 7 {
                return Err(Refusal::new("seven", "none"));
            }
            Ok(())
        };
        assert_eq!(in_parallel(vec![1, 2, 3], record), Ok(()));
        let mut items = done.lock().unwrap().clone();
        items.sort();
        assert_eq!(items, [1, 2, 3]);
        assert!(in_parallel(vec![7], record).is_err());
    }
}
