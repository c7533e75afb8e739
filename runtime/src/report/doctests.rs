//! Doctests that rustdoc has merged into one program (as it does from edition 2024 on): where they are in the user's files.
//!
//! The program is `rust_out` in a folder of rustdoc's that lives as long as the tests. Beside it are what it was made of,
//! `doctest_bundle_2024.rs` with a module for each test, and `doctest_runner_2024.rs`, which has the file and line of each. A test is in
//! the bundle as it is in its comment, but for lines that rustdoc has moved to the front. So the lines of the two are laid side by
//! side, and where they are not the same the bundle's stay.

use std::ffi::CString;
use std::sync::OnceLock;

use crate::options;
use crate::symbolizer::{CodeInfo, DataInfo, Frame};
use crate::sys;

/// What is in front of a test's module, but for the edition.
const BUNDLE: &str = "doctest_bundle_";
const MODULE: &str = "::__doctest_";
/// Longest of the files that is looked at, bytes.
const LONGEST: usize = 16 << 20;

/// A test.
#[derive(Debug, PartialEq, Eq)]
struct Test {
    number: u32,
    /// As rustdoc names it, from the folder in which it was called.
    path: String,
    /// Where its code block begins.
    line: u32,
}

/// What this process runs, if it is such a program.
struct Program {
    bundle: Vec<String>,
    tests: Vec<Test>,
}

static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();

/// Names code by the user's file.
pub fn code(mut info: CodeInfo) -> CodeInfo {
    for frame in &mut info.frames {
        if let Some(edition) = edition(&frame.function)
            && let Some(program) = program(edition)
        {
            let source = |path: &str| source(path);
            program.rename(frame, &source);
        }
    }
    info
}

/// Names a static by its test.
pub fn data(mut info: DataInfo) -> DataInfo {
    if let Some(variable) = &mut info.variable
        && let Some(edition) = edition(&variable.name)
        && let Some(program) = program(edition)
    {
        variable.name = program.readable(&variable.name);
    }
    info
}

/// `2024` for a name with `doctest_bundle_2024::__doctest_0` in it.
fn edition(name: &str) -> Option<&str> {
    let (_, rest) = name.split_once(BUNDLE)?;
    let (edition, _) = rest.split_once(MODULE)?;
    let is_number = !edition.is_empty() && edition.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(edition)
}

fn program(edition: &str) -> Option<&'static Program> {
    let load = || {
        let program = sys::read_link(c"/proc/thread-self/exe").ok()?;
        let program = String::from_utf8(program).ok()?;
        let (folder, _) = program.rsplit_once('/')?;
        let bundle = read(&format!("{folder}/{BUNDLE}{edition}.rs"))?;
        let runner = read(&format!("{folder}/doctest_runner_{edition}.rs"))?;
        Some(Program::parse(&bundle, &runner))
    };
    PROGRAM.get_or_init(load).as_ref()
}

fn read(path: &str) -> Option<String> {
    let contents = sys::read_file(&CString::new(path).ok()?, LONGEST).ok()?;
    String::from_utf8(contents).ok()
}

/// The file of a test by its full path, and its text. `cargo goldilocks` removes the workspace's folder from paths, which is where rustdoc
/// was called; without it, that is where tests run, too, in all but members of workspaces.
fn source(path: &str) -> Option<(String, String)> {
    let here = sys::read_link(c"/proc/thread-self/cwd").ok();
    let here = here.and_then(|folder| String::from_utf8(folder).ok());
    let prefix = options::get().strip_path_prefix.trim_end_matches('/');
    let folders = [Some(prefix.to_owned()), here];
    folders
        .into_iter()
        .flatten()
        .filter(|folder| folder.starts_with('/'))
        .map(|folder| format!("{folder}/{path}"))
        .find_map(|path| Some((path.clone(), read(&path)?)))
}

impl Program {
    fn parse(bundle: &str, runner: &str) -> Program {
        let mut tests = Vec::new();
        let mut number = None;
        for line in runner.lines() {
            if let Some(name) = line.strip_prefix("mod __doctest_") {
                number = name.trim_end_matches([' ', '{']).parse().ok();
            } else if let Some((path, begin)) = described(line)
                && let Some(number) = number.take()
            {
                tests.push(Test {
                    number,
                    path: path.to_owned(),
                    line: begin,
                });
            }
        }
        Program {
            bundle: bundle.lines().map(str::to_owned).collect(),
            tests,
        }
    }

    fn rename(&self, frame: &mut Frame, source: &dyn Fn(&str) -> Option<(String, String)>) {
        let own = frame.file.rsplit('/').next().unwrap_or_default();
        if own.starts_with(BUNDLE)
            && let Some(test) = self.test_of(&frame.function)
            && let Some((path, text)) = source(&test.path)
            && let Some((line, shift)) = self.place(test, frame.line, &text)
        {
            frame.file = path;
            frame.line = line;
            if frame.known_column() != 0 {
                frame.column = frame.column.saturating_add_signed(shift);
            }
        }
        frame.function = self.readable(&frame.function);
        frame.signature = self.readable(&frame.signature);
    }

    /// The first test that a name has in it.
    fn test_of(&self, name: &str) -> Option<&Test> {
        let (_, rest) = name.split_once(MODULE)?;
        let end = rest.find(|c: char| !c.is_ascii_digit());
        let number: u32 = rest[..end.unwrap_or(rest.len())].parse().ok()?;
        self.tests.iter().find(|test| test.number == number)
    }

    /// `doctest(line 6)::f` for `doctest_bundle_2024::__doctest_1::f`, and for the same in `main`, which is rustdoc's as a rule.
    fn readable(&self, name: &str) -> String {
        let mut text = String::with_capacity(name.len());
        let mut rest = name;
        while let Some(at) = rest.find(BUNDLE) {
            let (before, found) = rest.split_at(at);
            text += before;
            let module = found.find(MODULE).map(|at| at + MODULE.len());
            let Some((module, test)) = module.zip(self.test_of(found)) else {
                text += BUNDLE;
                rest = &found[BUNDLE.len()..];
                continue;
            };
            text += &format!("doctest(line {})", test.line);
            rest = found[module..].trim_start_matches(|c: char| c.is_ascii_digit());
            rest = match rest.strip_prefix("::main") {
                Some(after) if !after.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                    after
                }
                _ => rest,
            };
        }
        text + rest
    }

    /// The line of a test's file for one of the bundle, and by how much columns are moved. `None` where they are not the same.
    fn place(&self, test: &Test, line: u32, text: &str) -> Option<(u32, i32)> {
        let head = format!("pub mod __doctest_{} {{", test.number);
        let module = self.bundle.iter().position(|line| *line == head)?;
        let target = (line as usize).checked_sub(1)?;
        // What is rustdoc's own in front of the test is in no comment, so the first line that is begins the test.
        let source: Vec<&str> = text.lines().skip(test.line as usize).collect();
        let mut at = 0;
        let mut found = None;
        for (number, code) in self
            .bundle
            .iter()
            .enumerate()
            .take(target + 1)
            .skip(module + 1)
        {
            let code = code.trim();
            if code.is_empty() {
                continue;
            }
            // A block ends with its fence; behind it is another test.
            let block = source[at..].iter().take_while(|line| !is_fence(line));
            let next = block
                .enumerate()
                .find(|(_, line)| is_same(line, code))
                .map(|(after, _)| at + after);
            found = next.filter(|_| number == target);
            at = next.map_or(at, |next| next + 1);
        }
        let at = found?;
        let indent = |line: &str| line.len() - line.trim_start().len();
        let code = self.bundle[target].as_str();
        let there = source[at].rfind(code.trim())?;
        let shift = there as i32 - indent(code) as i32;
        Some((test.line + at as u32 + 1, shift))
    }
}

/// File and line in `"src/lib.rs - f (line 6)", false, "src/lib.rs", 6, false, false,`.
fn described(line: &str) -> Option<(&str, u32)> {
    let line = line.strip_prefix('"')?;
    let (_, rest) = line
        .split_once("\", false, \"")
        .or_else(|| line.split_once("\", true, \""))?;
    let (path, rest) = rest.split_once("\", ")?;
    let (number, _) = rest.split_once(',')?;
    Some((path, number.parse().ok()?))
}

/// A line of a comment without what makes it one.
fn bare(line: &str) -> &str {
    let line = line.trim();
    let inner = line
        .strip_prefix("///")
        .or_else(|| line.strip_prefix("//!"));
    inner.unwrap_or(line).trim()
}

fn is_fence(line: &str) -> bool {
    let line = bare(line);
    line.starts_with("```") || line.starts_with("~~~")
}

/// Whether a line of a comment is this code. Lines that begin with `# ` are hidden from readers.
fn is_same(line: &str, code: &str) -> bool {
    let line = bare(line);
    line == code
        || line
            .strip_prefix('#')
            .is_some_and(|hidden| hidden.trim() == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "//! A crate.\n\
                          //! ```\n\
                          //! #![allow(dead_code)]\n\
                          //! # static mut X: u8 = 0;\n\
                          //! if true {\n\
                          //!     unsafe { X += 1 }\n\
                          //! }\n\
                          //! ```\n\
                          /// ```\n\
                          /// static mut Y: u8 = 0;\n\
                          /// unsafe { Y += 1 }\n\
                          /// ```\n\
                          pub fn f() {}\n";
    const BUNDLE: &str = "\n#![allow(unused)]\n\
                          pub mod __doctest_0 {\n#![allow(dead_code)]\n\nfn main()  {\n\
                          static mut X: u8 = 0;\n\
                          if true {\n    unsafe { X += 1 }\n}\n}\n\
                          pub fn __main_fn() -> impl std::process::Termination { main() } \n}\n\n\
                          pub mod __doctest_1 {\n\nfn main()  {\n\
                          static mut Y: u8 = 0;\nunsafe { Y += 1 }\n}\n\
                          pub fn __main_fn() -> impl std::process::Termination { main() } \n}\n";
    const RUNNER: &str = "extern crate test;\nmod __doctest_0 {\npub const TEST: test::TestDescAndFn = test::TestDescAndFn::new_doctest(\n\
                          \"src/lib.rs - (line 2)\", false, \"src/lib.rs\", 2, false, false,\n));\n}\n\
                          mod __doctest_1 {\npub const TEST: x = new_doctest(\n\
                          \"src/lib.rs - f (line 9)\", false, \"src/lib.rs\", 9, false, true,\n));\n}\n\
                          mod __doctest_mod {\n";

    fn program() -> Program {
        Program::parse(BUNDLE, RUNNER)
    }

    fn renamed(function: &str, code: &str) -> Frame {
        let line = BUNDLE.lines().position(|line| line.trim() == code).unwrap() + 1;
        let mut frame = Frame {
            function: function.to_owned(),
            file: "/tmp/rustdoctest1/doctest_bundle_2024.rs".to_owned(),
            line: line as u32,
            column: 10,
            ..Frame::default()
        };
        program().rename(&mut frame, &|path| {
            (path == "src/lib.rs").then(|| ("/w/src/lib.rs".to_owned(), SOURCE.to_owned()))
        });
        frame
    }

    #[test]
    fn tests_are_where_the_runner_says() {
        let tests = program().tests;
        let places: Vec<_> = tests.iter().map(|test| (test.number, test.line)).collect();
        assert_eq!(places, [(0, 2), (1, 9)]);
        assert!(tests.iter().all(|test| test.path == "src/lib.rs"));
    }

    #[test]
    fn a_line_is_that_of_the_comment() {
        let first = renamed(
            "doctest_bundle_2024::__doctest_0::main",
            "unsafe { X += 1 }",
        );
        assert_eq!(
            (first.file.as_str(), first.line, first.column),
            ("/w/src/lib.rs", 6, 14)
        );
        assert_eq!(first.function, "doctest(line 2)");
        let hidden = renamed(
            "doctest_bundle_2024::__doctest_0::main",
            "static mut X: u8 = 0;",
        );
        assert_eq!((hidden.line, hidden.column), (4, 16));
        let second = renamed(
            "doctest_bundle_2024::__doctest_1::main::{closure#0}",
            "unsafe { Y += 1 }",
        );
        assert_eq!((second.line, second.column), (11, 14));
        assert_eq!(second.function, "doctest(line 9)::{closure#0}");
    }

    #[test]
    fn what_is_in_no_comment_stays() {
        let own = renamed(
            "doctest_bundle_2024::__doctest_1::__main_fn",
            "pub fn __main_fn() -> impl std::process::Termination { main() }",
        );
        assert!(own.file.ends_with("doctest_bundle_2024.rs"));
        assert_eq!(own.function, "doctest(line 9)::__main_fn");
        let unknown = renamed(
            "doctest_bundle_2024::__doctest_7::main",
            "unsafe { Y += 1 }",
        );
        assert!(unknown.file.ends_with("doctest_bundle_2024.rs"));
        assert_eq!(unknown.function, "doctest_bundle_2024::__doctest_7::main");
    }

    #[test]
    fn names_within_names() {
        let name = "std::thread::spawn::<doctest_bundle_2024::__doctest_1::main::{closure#0}, doctest_bundle_2024::__doctest_0::main_thing>";
        assert_eq!(
            program().readable(name),
            "std::thread::spawn::<doctest(line 9)::{closure#0}, doctest(line 2)::main_thing>"
        );
        assert_eq!(edition(name), Some("2024"));
        assert_eq!(edition("doctest_bundle_x::__doctest_1"), None);
        assert_eq!(edition("mine::f"), None);
    }
}
