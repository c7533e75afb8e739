//! Stacks as a reader wants them: of the standard library of Rust or C++ what the program has called and where the access is, and
//! not what lies between; of Rust's crates from a registry likewise, once the reader's own frames have been seen, and what calls him back. A task of an
//! asynchronous program is three frames of its author's on fifty of what runs it.

use super::super::frames::Line;
use super::rust::{library_path, registry_path};

/// What the innermost frame of a stack is to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Innermost {
    /// What the report is about.
    IsTheAccess,
    /// How memory or a thread comes about, which is always the same.
    IsOneOfMany,
}

/// A row of a stack.
#[derive(Debug, PartialEq, Eq)]
pub enum Row<'a> {
    /// With its number.
    Frame(usize, &'a Line),
    /// So many frames, and of what.
    Folded(usize, String),
}

/// More crates than this are not named.
const NAMED: usize = 3;

/// The rows of a stack, in which runs of frames of libraries are folded. What the program has called stays, and so does the innermost
/// frame; below the program's own frames is what starts threads, tests, tasks and `main`.
pub fn rows(stack: &[Line], innermost: Innermost) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut at = 0;
    // Above the first of the reader's own frames is what he asks of a crate, which may be what is wrong. Without any the crate is
    // all that there is to see.
    let mut below_own = innermost == Innermost::IsOneOfMany && stack.iter().any(is_own);
    while at < stack.len() {
        let run = run_length(&stack[at..], below_own);
        if run == 0 {
            below_own |= is_own(&stack[at]);
            rows.push(Row::Frame(at, &stack[at]));
            at += 1;
            continue;
        }
        let end = at + run;
        let followed = end < stack.len();
        // Which part of a crate calls the reader back, below his own frames.
        let calling = (at..end)
            .find(|&number| package(&stack[number]).is_some())
            .filter(|_| followed && at > 0);
        let stays = |number: usize| {
            run == stack.len()
                || number == 0 && innermost == Innermost::IsTheAccess
                || number + 1 == end && followed
                || Some(number) == calling
        };
        let mut number = at;
        while number < end {
            let folded = (number..end).take_while(|&number| !stays(number)).count();
            if folded > 1 {
                let whose = whose(&stack[number..number + folded]);
                rows.push(Row::Folded(folded, whose));
                number += folded;
            } else {
                rows.push(Row::Frame(number, &stack[number]));
                number += 1;
            }
        }
        at = end;
    }
    rows
}

/// Whether the reader has written it, as far as its file says.
pub fn is_own(line: &Line) -> bool {
    !line.file.is_empty() && !is_library(&line.file) && package(line).is_none()
}

/// Whether a file is one of a standard library.
fn is_library(file: &str) -> bool {
    let in_cxx = |(folder, _): (&str, &str)| {
        folder.ends_with("/include") || folder.starts_with("/usr/include/")
    };
    library_path(file).is_some() || file.split_once("/c++/").is_some_and(in_cxx)
}

/// How many lines from the start are libraries'. What has no file and is among them belongs to them: it catches panics, or is the
/// function that libc calls to start the program.
fn run_length(stack: &[Line], with_crates: bool) -> usize {
    let mut length = 0;
    for (number, line) in stack.iter().enumerate() {
        let glue = number > 0
            && line.file.is_empty()
            && matches!(line.function.as_str(), "__rust_try" | "main");
        let nameless = line.file.is_empty() && is_of_library(&line.function);
        let of_crate = with_crates && package(line).is_some();
        if !is_library(&line.file) && !nameless && !glue && !of_crate {
            break;
        }
        length = number + 1;
    }
    length
}

/// Whether this is the name of a function of the standard library: some of its crates have no lines.
fn is_of_library(function: &str) -> bool {
    let name = function.trim_start_matches('<');
    ["core::", "alloc::", "std::", "__rustc::"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// `tokio` for a file of `tokio-1.44.1`, from a registry.
fn package(line: &Line) -> Option<&str> {
    let file = line.file.rsplit('/').next().unwrap_or_default();
    // What it makes of doctests, around what the reader has written.
    if file.starts_with("doctest_runner_")
        || file.starts_with("doctest_bundle_") && line.function.ends_with("::__main_fn")
    {
        return Some("rustdoc");
    }
    let (folder, _) = registry_path(&line.file)?.split_once('/')?;
    let is_version = |text: &str| {
        let part = text.split('-').next().unwrap_or_default();
        part.starts_with(|c: char| c.is_ascii_digit()) && part.contains('.')
    };
    let version = folder
        .match_indices('-')
        .find(|(at, _)| is_version(&folder[at + 1..]));
    Some(version.map_or(folder, |(at, _)| &folder[..at]))
}

/// The crates that lines are of, in the order in which one comes to them: `tokio and std`.
fn whose(lines: &[Line]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in lines.iter().map(|line| package(line).unwrap_or("std")) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.len() > NAMED {
        names.truncate(NAMED);
        names.push("others");
    }
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RT: &str = "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/rt.rs";
    const REGISTRY: &str = "/home/me/.cargo/registry/src/index.crates.io-1";

    fn stack(functions: &[&str]) -> Vec<Line> {
        let line = |function: &&str| Line {
            function: (*function).to_owned(),
            file: match *function {
                "main" | "__rust_try" => "".to_owned(),
                name if name.starts_with("std") => RT.to_owned(),
                name if name.starts_with("mine") => "src/lib.rs".to_owned(),
                name => format!("{REGISTRY}/{name}-1.54.1/src/lib.rs"),
            },
            ..Line::default()
        };
        functions.iter().map(line).collect()
    }

    fn shown_as(functions: &[&str], innermost: Innermost) -> Vec<String> {
        let stack = stack(functions);
        let text = |row: &Row<'_>| match row {
            Row::Frame(number, line) => format!("{number} {}", line.function),
            Row::Folded(count, whose) => format!("... {count} {whose}"),
        };
        rows(&stack, innermost).iter().map(text).collect()
    }

    fn shown(functions: &[&str]) -> Vec<String> {
        shown_as(functions, Innermost::IsTheAccess)
    }

    #[test]
    fn what_the_library_of_cxx_does_between_is_folded() {
        let line = |function: &str, file: &str| Line {
            function: function.to_owned(),
            file: file.to_owned(),
            ..Line::default()
        };
        let invoke = "/usr/include/c++/12/bits/invoke.h";
        let thread = "/usr/lib/llvm-22/bin/../include/c++/v1/__thread/thread.h";
        let stack = [
            line(
                "std::vector<int>::push_back",
                "/usr/include/x86_64-linux-gnu/c++/12/vector.h",
            ),
            line("work::operator()", "/home/me/c++/work.cpp"),
            line("std::__invoke_impl", invoke),
            line("std::__invoke", invoke),
            line("std::function<void ()>::operator()", invoke),
            line("main::$_0::operator()", "main.cpp"),
            line("std::__invoke", thread),
            line("std::thread::_State_impl::_M_run", thread),
        ];
        let text = |row: &Row<'_>| match row {
            Row::Frame(number, _) => number.to_string(),
            Row::Folded(count, whose) => format!("{count} {whose}"),
        };
        let shown: Vec<String> = rows(&stack, Innermost::IsTheAccess)
            .iter()
            .map(text)
            .collect();
        assert_eq!(shown, ["0", "1", "2 std", "4", "5", "2 std"]);
    }

    #[test]
    fn what_starts_a_thread_is_folded_and_what_the_program_called_is_not() {
        assert_eq!(
            shown(&[
                "std0",
                "std1",
                "std2",
                "std3",
                "mine",
                "std4",
                "std5",
                "std6",
                "mine",
                "std7",
                "__rust_try",
                "std8",
                "main"
            ]),
            [
                "0 std0",
                "... 2 std",
                "3 std3",
                "4 mine",
                "... 2 std",
                "7 std6",
                "8 mine",
                "... 4 std"
            ]
        );
    }

    #[test]
    fn single_frames_and_stacks_of_nothing_else_stay() {
        assert_eq!(
            shown(&["std0", "std1", "std2", "mine", "std3"]),
            ["0 std0", "1 std1", "2 std2", "3 mine", "4 std3"]
        );
        assert_eq!(
            shown(&["std0", "std1", "std2"]),
            ["0 std0", "1 std1", "2 std2"]
        );
        assert_eq!(shown(&["mine", "main"]), ["0 mine", "1 main"]);
        assert_eq!(shown(&[]), [""; 0]);
    }

    #[test]
    fn what_runs_a_task_is_folded_and_what_it_called_is_not() {
        assert_eq!(
            shown(&[
                "tokio",
                "std0",
                "std1",
                "std2",
                "mio",
                "mine",
                "tokio",
                "std3",
                "__rust_try",
                "tokio",
                "mine",
                "tokio",
                "std4",
                "main"
            ]),
            [
                "0 tokio",
                "... 2 std",
                "3 std2",
                "4 mio",
                "5 mine",
                "6 tokio",
                "... 2 std",
                "9 tokio",
                "10 mine",
                "... 3 tokio and std"
            ]
        );
        assert_eq!(
            shown(&["mine", "a", "b", "c", "d", "std"]),
            ["0 mine", "... 5 a, b, c and others"]
        );
    }

    #[test]
    fn a_crate_by_itself_stays() {
        assert_eq!(
            shown(&["tokio", "mio", "tokio", "std0", "std1"]),
            ["0 tokio", "1 mio", "2 tokio", "... 2 std"]
        );
        assert_eq!(
            shown_as(&["tokio", "tokio", "std0"], Innermost::IsOneOfMany),
            ["0 tokio", "1 tokio", "2 std0"]
        );
    }

    #[test]
    fn how_memory_comes_about_is_folded() {
        assert_eq!(
            shown_as(
                &["std0", "std1", "std2", "mine", "std3"],
                Innermost::IsOneOfMany
            ),
            ["... 2 std", "2 std2", "3 mine", "4 std3"]
        );
        assert_eq!(
            shown_as(&["std0", "tokio", "tokio", "mine"], Innermost::IsOneOfMany),
            ["... 2 std and tokio", "2 tokio", "3 mine"]
        );
    }

    #[test]
    fn packages_are_called_without_their_version() {
        for (folder, name) in [
            ("tokio-1.54.1", "tokio"),
            ("sha-1-0.10.1", "sha-1"),
            ("tikv-jemalloc-sys-0.6.1+5.3.0-1-ge13c", "tikv-jemalloc-sys"),
            ("odd", "odd"),
        ] {
            let line = Line {
                file: format!("{REGISTRY}/{folder}/src/lib.rs"),
                ..Line::default()
            };
            assert_eq!(package(&line), Some(name));
        }
        for (function, file, name) in [
            (
                "doctest_runner_2024::main",
                "doctest_runner_2024.rs",
                Some("rustdoc"),
            ),
            (
                "doctest(line 6)::__main_fn",
                "doctest_bundle_2024.rs",
                Some("rustdoc"),
            ),
            ("doctest(line 6)", "doctest_bundle_2024.rs", None),
        ] {
            let line = Line {
                function: function.to_owned(),
                file: format!("/tmp/rustdoctest1/{file}"),
                ..Line::default()
            };
            assert_eq!(package(&line), name);
        }
    }
}
