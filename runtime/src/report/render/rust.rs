//! Rust's names and files as a reader knows them: those of the standard library by the name that they have everywhere.

use super::super::frames::Line;
use super::user_line;

/// What stands in front of the standard library's files: the compiler's commit comes between.
const COMPILER: &str = "/rustc/";
const LIBRARY: &str = "/library/";
/// What stands in the middle of them where they are installed, as they are for many editors (`rust-src`).
const INSTALLED: &str = "/lib/rustlib/src/rust/library/";
/// What stands in front of those that it is made of besides, such as its hash tables.
const PARTS: &str = "/rust/deps/";

/// `std/src/rt.rs` for the path of such a file where the toolchain was built, or where it is installed; `None` for any other.
pub fn library_path(path: &str) -> Option<&str> {
    if let Some(part) = path.strip_prefix(PARTS) {
        return Some(part);
    }
    if let Some((_, installed)) = path.split_once(INSTALLED) {
        return Some(installed);
    }
    let (commit, rest) = path.strip_prefix(COMPILER)?.split_once(LIBRARY)?;
    (!commit.contains('/')).then_some(rest)
}

/// `tokio-1.44.1/src/lib.rs` for the path of a file of a crate from a registry; `None` for any other.
pub fn registry_path(path: &str) -> Option<&str> {
    let (_, rest) = path.split_once("/registry/src/")?;
    rest.split_once('/').map(|(_, file)| file)
}

/// The name of a line's function as its author would write it: in generic arguments, types of the standard library without
/// the modules that they are in, and no brackets around the type of a method.
pub fn readable(line: &Line) -> String {
    let name = line.function.as_str();
    if !line.file.ends_with(".rs") {
        return name.to_owned();
    }
    let doctest = without_doctest(name);
    let name = doctest.as_deref().unwrap_or(name);
    let mut text = String::with_capacity(name.len());
    let mut depth = 0usize;
    let mut rest = name;
    while let Some(next) = rest.chars().next() {
        if depth > 0
            && !text.ends_with(is_name)
            && let Some(length) = path_of_library(rest)
        {
            rest = &rest[length..];
            continue;
        }
        match next {
            '<' => depth += 1,
            // Of `->`, nothing is closed.
            '>' if !text.ends_with('-') => depth = depth.saturating_sub(1),
            _ => {}
        }
        text.push(next);
        rest = &rest[next.len_utf8()..];
    }
    without_brackets(&text)
}

/// The column of a line in the file that the reader knows. A doctest is compiled without what makes it a comment.
pub fn column(line: &Line, source: &str) -> u32 {
    let indented = source.trim_start();
    let is_comment = indented.starts_with("///") || indented.starts_with("//!");
    if line.column == 0 || !is_comment || !line.function.contains("_doctest_main_") {
        return line.column;
    }
    let marker = 3 + usize::from(indented[3..].starts_with(' '));
    line.column + (source.len() - indented.len() + marker) as u32
}

/// The name of a static, which may be one of a doctest.
pub fn global(name: &str) -> String {
    without_doctest(name).unwrap_or_else(|| name.to_owned())
}

/// What rustdoc calls the program that it makes of a test, `rust_out::main::_doctest_main_src_lib_rs_11_0`, by the line of the
/// test: `doctest(line 11)`.
fn without_doctest(name: &str) -> Option<String> {
    let (before, rest) = name.split_once("_doctest_main_")?;
    let end = rest.find(|c| !is_name(c) || c == ':').unwrap_or(rest.len());
    let (place, after) = rest.split_at(end);
    let (_, line) = place.rsplit_once('_')?.0.rsplit_once('_')?;
    line.parse::<u32>().ok()?;
    let start = before
        .rfind("rust_out")
        .or_else(|| before.rfind("__doctest"))?;
    Some(format!("{}doctest(line {line}){after}", &before[..start]))
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == ':'
}

/// Length of the modules in front of a type of the standard library, `alloc::string::` of `alloc::string::String`.
fn path_of_library(text: &str) -> Option<usize> {
    ["core::", "alloc::", "std::"]
        .iter()
        .find(|start| text.starts_with(**start))?;
    let path = &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())];
    let last = path.rfind("::")? + 2;
    let is_type = path[last..].starts_with(|c: char| c.is_ascii_uppercase());
    is_type.then_some(last)
}

/// `a::Cache::hit` for `<a::Cache>::hit`; a trait's method stays as it is.
fn without_brackets(name: &str) -> String {
    let mut depth = 0usize;
    for (at, c) in name.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if !name[..at].ends_with('-') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let (inner, rest) = (name[..at].strip_prefix('<'), &name[at + 1..]);
                    let plain = |inner: &&str| {
                        !inner.contains(" as ")
                            && !inner.contains("dyn ")
                            && inner.starts_with(|c: char| c.is_alphanumeric() || c == '_')
                    };
                    return match inner.filter(plain) {
                        Some(inner) if rest.starts_with("::") => format!("{inner}{rest}"),
                        _ => name.to_owned(),
                    };
                }
            }
            _ if depth == 0 => break,
            _ => {}
        }
    }
    name.to_owned()
}

/// Of the lines of an event, the one that the reader has written. Of an operation of Rust's atomics, that is no line of another
/// language further down, and if there is none in Rust either, the standard library's own that called the method.
pub fn line_of_event(lines: &[Line]) -> Option<&Line> {
    if !lines.first().is_some_and(is_rust_method_of_atomic) {
        return user_line(Some(lines));
    }
    let in_rust = || lines.iter().filter(|line| line.file.ends_with(".rs"));
    in_rust()
        .find(|line| !line.is_system())
        .or_else(|| in_rust().find(|line| !is_rust_method_of_atomic(line)))
        .or(lines.first())
}

/// Whether the reader's own code has called the operation, and not what a library is made of.
pub fn is_direct(lines: &[Line]) -> bool {
    let caller = lines.iter().find(|line| !is_method_of_atomic(line));
    caller.is_some_and(|line| !line.is_system())
}

fn is_method_of_atomic(line: &Line) -> bool {
    let header = line.file.rsplit('/').next().unwrap_or_default();
    is_rust_method_of_atomic(line) || line.is_system() && header.starts_with("atomic")
}

fn is_rust_method_of_atomic(line: &Line) -> bool {
    library_path(&line.file) == Some("core/src/sync/atomic.rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RT: &str = "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/rt.rs";

    #[test]
    fn doctests_are_in_comments() {
        let line = |function: &str| Line {
            function: function.to_owned(),
            column: 3,
            ..Line::default()
        };
        let test = line("rust_out::main::_doctest_main_src_lib_rs_11_0");
        assert_eq!(column(&test, "  /// a.b = 3"), 9);
        assert_eq!(column(&test, "//!a.b = 3"), 6);
        assert_eq!(column(&test, "a.b = 3"), 3);
        assert_eq!(column(&line("f"), "//! a.b = 3"), 3);
    }

    #[test]
    fn names_are_as_their_author_writes_them() {
        for (name, expected) in [
            ("<a::Cache>::hit", "a::Cache::hit"),
            ("<alloc::vec::Vec<u64>>::push", "Vec<u64>::push"),
            (
                "<alloc::rc::Rc<alloc::string::String> as core::clone::Clone>::clone",
                "<Rc<String> as Clone>::clone",
            ),
            ("core::mem::replace::<usize>", "core::mem::replace::<usize>"),
            (
                "<a::T<core::option::Option<core::result::Result<(), std::io::error::ErrorKind>>> as a::Store<u8>>::put",
                "<a::T<Option<Result<(), ErrorKind>>> as a::Store<u8>>::put",
            ),
            (
                "a::run::<a::main::{closure#0}>::{closure#1}",
                "a::run::<a::main::{closure#0}>::{closure#1}",
            ),
            ("<[u8]>::len", "<[u8]>::len"),
            (
                "<dyn core::ops::function::Fn() -> u8>::x",
                "<dyn Fn() -> u8>::x",
            ),
            ("a::f::<my::core::Thing>", "a::f::<my::core::Thing>"),
            (
                "rust_out::main::_doctest_main_src_lib_rs_11_0::{closure#0}",
                "doctest(line 11)::{closure#0}",
            ),
            ("<", "<"),
            ("", ""),
        ] {
            let line = Line {
                function: name.to_owned(),
                file: "src/lib.rs".to_owned(),
                ..Line::default()
            };
            assert_eq!(readable(&line), expected);
        }
        let cpp = Line {
            function: "<std::x>".to_owned(),
            file: "a.cpp".to_owned(),
            ..Line::default()
        };
        assert_eq!(readable(&cpp), "<std::x>");
    }

    #[test]
    fn paths_of_the_library_are_short() {
        let path = "/home/me/.cargo/registry/src/index.crates.io-1/spin-0.5.1/src/lib.rs";
        assert_eq!(registry_path(path), Some("spin-0.5.1/src/lib.rs"));
        assert_eq!(registry_path("/home/me/src/lib.rs"), None);
        assert_eq!(library_path(RT), Some("std/src/rt.rs"));
        let part = "/rust/deps/hashbrown-0.16.1/src/raw/mod.rs";
        assert_eq!(library_path(part), Some("hashbrown-0.16.1/src/raw/mod.rs"));
        let installed = "/home/me/toolchain/lib/rustlib/src/rust/library/core/src/cell.rs";
        assert_eq!(library_path(installed), Some("core/src/cell.rs"));
        for other in ["src/library/a.rs", "/rustc/", "/rustc/a/b/library/c.rs", ""] {
            assert_eq!(library_path(other), None);
        }
    }
}
