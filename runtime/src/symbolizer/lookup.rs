//! Answers about one file: which functions an instruction belongs to, which variable an address is in.
//!
//! Runs in the symbolizer process only. DWARF is taken from the file itself or from the file with its debug information;
//! where there is none, the symbol tables say at least the function.

use std::cell::OnceCell;
use std::fs::File;
use std::path::{Path, PathBuf};

use addr2line::Loader;
use memmap2::Mmap;
use object::{Object, ObjectSymbol, SymbolKind};

use super::debug_file;
use super::demangle::{demangle, strip_clone_suffix};
use super::members::Members;
use super::protocol::{Frame, Variable};

/// A file and what was made of it so far.
pub struct Binary {
    loader: Option<Loader>,
    /// The file, and the one with its debug information if that is another.
    files: Vec<&'static Mmap>,
    symbols: OnceCell<Vec<Symbol>>,
    members: OnceCell<Option<Members>>,
}

struct Symbol {
    start: u64,
    /// 0 if the symbol table does not say.
    size: u64,
    name: &'static str,
    code: bool,
    global: bool,
}

impl Binary {
    /// Opens the file at `path`, or the running program. `None` if it cannot be read, or is not the one that was loaded:
    /// a file that was replaced meanwhile would give wrong answers.
    pub fn open(path: &str, main: bool, build_id: &[u8]) -> Option<Binary> {
        let path = if main {
            own_path()
        } else {
            PathBuf::from(path)
        };
        let map = map(&path)?;
        let object = object::File::parse(&**map).ok()?;
        if !build_id.is_empty() && object.build_id().ok()?? != build_id {
            return None;
        }
        let mut files = vec![map];
        let mut with_dwarf = path.clone();
        if object.section_by_name(".debug_info").is_none()
            && let Some(debug) = debug_file::find(&path, &object)
        {
            files.extend(self::map(&debug));
            with_dwarf = debug;
        }
        let loader =
            Loader::new_with_sup(&with_dwarf, debug_file::find_supplement(&with_dwarf)).ok();
        Some(Binary {
            loader,
            files,
            symbols: OnceCell::new(),
            members: OnceCell::new(),
        })
    }

    /// The frames of the instruction at `address`, innermost first; empty if nothing is known.
    pub fn frames(&self, address: u64) -> Vec<Frame> {
        let mut frames = self
            .loader
            .as_ref()
            .and_then(|loader| dwarf_frames(loader, address))
            .unwrap_or_default();
        let Some(symbol) = self.symbol(address, true) else {
            return frames;
        };
        let name = demangle(symbol.name);
        let short = strip_clone_suffix(&name.short);
        match frames.last_mut() {
            None => frames.push(Frame {
                function: short.to_owned(),
                signature: name.full,
                ..Frame::default()
            }),
            // Reduced debug information has the last part of the name only. (Where the linker has folded equal functions
            // the symbol may be another function's.)
            Some(outermost)
                if outermost.function.is_empty()
                    || short.ends_with(&format!("::{}", outermost.function)) =>
            {
                outermost.function = short.to_owned();
                outermost.signature = name.full;
            }
            Some(_) => {}
        }
        frames
    }

    /// The variable that contains `address`.
    pub fn variable(&self, address: u64) -> Option<Variable> {
        let symbol = self.symbol(address, false)?;
        // The last file is the one with debug information.
        let read = || Members::read(self.files.last()?);
        let parts = match self.members.get_or_init(read) {
            Some(members) => members.parts(symbol.start, address - symbol.start),
            None => Vec::new(),
        };
        Some(Variable {
            name: demangle(symbol.name).short,
            start: symbol.start,
            size: symbol.size,
            parts,
        })
    }

    fn symbol(&self, address: u64, code: bool) -> Option<&Symbol> {
        let symbols = self.symbols.get_or_init(|| self.read_symbols());
        let end = symbols.partition_point(|symbol| symbol.start <= address);
        // Symbols may lie within others (a label in a function), but not deeply.
        let candidates = symbols[..end]
            .iter()
            .rev()
            .filter(|symbol| symbol.code == code)
            .take(8);
        candidates
            .into_iter()
            .find(|symbol| address - symbol.start < symbol.size.max(1))
    }

    fn read_symbols(&self) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        for file in &self.files {
            let Ok(object) = object::File::parse(&***file) else {
                continue;
            };
            for symbol in object.symbols().chain(object.dynamic_symbols()) {
                let code = match symbol.kind() {
                    SymbolKind::Text => true,
                    SymbolKind::Data => false,
                    _ => continue,
                };
                let Ok(name) = symbol.name() else { continue };
                if symbol.is_definition() && !name.is_empty() {
                    let (start, size, global) =
                        (symbol.address(), symbol.size(), symbol.is_global());
                    symbols.push(Symbol {
                        start,
                        size,
                        name,
                        code,
                        global,
                    });
                }
            }
        }
        // Of several names for one address a global one with the fewest underscores in front is the public one; it comes
        // last because the search goes backwards.
        let underscores = |name: &str| name.len() - name.trim_start_matches('_').len();
        symbols.sort_by_key(|symbol| {
            (
                symbol.start,
                symbol.size,
                symbol.global,
                core::cmp::Reverse(underscores(symbol.name)),
                symbol.name,
            )
        });
        symbols.dedup_by(|a, b| (a.start, a.size, a.name) == (b.start, b.size, b.name));
        symbols
    }
}

fn dwarf_frames(loader: &Loader, address: u64) -> Option<Vec<Frame>> {
    let mut found = loader.find_frames(address).ok()?;
    let mut frames = Vec::new();
    while let Ok(Some(frame)) = found.next() {
        let raw = frame
            .function
            .as_ref()
            .and_then(|function| function.raw_name().ok());
        let name = demangle(raw.as_deref().unwrap_or(""));
        let location = frame.location.as_ref();
        frames.push(Frame {
            function: name.short,
            signature: name.full,
            file: tidy(location.and_then(|location| location.file).unwrap_or("")),
            line: location.and_then(|location| location.line).unwrap_or(0),
            column: location.and_then(|location| location.column).unwrap_or(0),
        });
    }
    Some(frames)
}

/// The path without `.` and `name/..`, unless a symbolic link makes that another file.
fn tidy(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." if !parts.is_empty() => {}
            ".." if !matches!(parts.last(), None | Some(&"" | &"." | &"..")) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let tidy = parts.join("/");
    if tidy == path || inode(Path::new(&tidy)) == inode(Path::new(path)) {
        tidy
    } else {
        path.to_owned()
    }
}

fn inode(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path)
        .ok()
        .map(|data| (data.dev(), data.ino()))
}

/// Maps the file, for as long as the process lives.
pub fn map(path: &Path) -> Option<&'static Mmap> {
    let file = File::open(path).ok()?;
    // SAFETY: nobody is known to truncate the file while it is mapped; if somebody does, this process dies, and the program
    // that it serves goes on without it.
    let map = unsafe { Mmap::map(&file) }.ok()?;
    Some(Box::leak(Box::new(map)))
}

/// The program's path if it still leads to the program (files beside it may be needed), or else the kernel's link.
fn own_path() -> PathBuf {
    let link = PathBuf::from("/proc/self/exe");
    match std::fs::read_link(&link) {
        Ok(path) if inode(&path) == inode(&link) => path,
        _ => link,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_tidied_unless_that_changes_the_file() {
        for (path, expected) in [
            ("/nowhere/a/b/../../c/./d.h", "/nowhere/c/d.h"),
            ("../x/../y.c", "../y.c"),
            ("./y.c", "./y.c"),
            ("/../y.c", "/../y.c"),
            ("", ""),
        ] {
            assert_eq!(tidy(path), expected);
        }
        // The parent of what the link leads to is not the folder of the link.
        let folder = std::env::temp_dir().join(format!("goldilocks-tidy-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("real/inner")).unwrap();
        std::fs::write(folder.join("real/file"), "").unwrap();
        std::os::unix::fs::symlink(folder.join("real/inner"), folder.join("link")).unwrap();
        let through_link = format!("{}/link/../file", folder.display());
        assert_eq!(tidy(&through_link), through_link);
        let plain = format!("{}/real/inner/../file", folder.display());
        assert_eq!(tidy(&plain), format!("{}/real/file", folder.display()));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
