//! Stacks of Rust programs as a reader wants them: of the standard library what the program has called and where the access
//! is, and not what lies between; its files by the name that they have everywhere.

use super::super::frames::Line;

/// What stands in front of the standard library's files: the compiler's commit comes between.
const COMPILER: &str = "/rustc/";
const LIBRARY: &str = "/library/";
/// What stands in front of those that it is made of besides, such as its hash tables.
const PARTS: &str = "/rust/deps/";

/// `std/src/rt.rs` for the path of such a file where the toolchain was built; `None` for any other.
pub fn library_path(path: &str) -> Option<&str> {
    if let Some(part) = path.strip_prefix(PARTS) {
        return Some(part);
    }
    let (commit, rest) = path.strip_prefix(COMPILER)?.split_once(LIBRARY)?;
    (!commit.contains('/')).then_some(rest)
}

/// A row of a stack.
#[derive(Debug, PartialEq, Eq)]
pub enum Row<'a> {
    /// With its number.
    Frame(usize, &'a Line),
    /// So many frames of the standard library.
    Folded(usize),
}

/// The rows of a stack, in which runs of frames of the standard library are folded. What the program has called stays, and so
/// does the innermost frame; below the program's own frames is what starts threads, tests and `main`.
pub fn rows(stack: &[Line]) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut at = 0;
    while at < stack.len() {
        let run = run_length(&stack[at..]);
        if run == 0 {
            rows.push(Row::Frame(at, &stack[at]));
            at += 1;
            continue;
        }
        let end = at + run;
        let kept_first = usize::from(at == 0);
        let kept_last = usize::from(end < stack.len());
        let folded = run.saturating_sub(kept_first + kept_last);
        let all = folded < 2 || run == stack.len();
        for (number, line) in stack.iter().enumerate().take(end).skip(at) {
            let first_folded = at + kept_first;
            if all || number < first_folded || number >= end - kept_last {
                rows.push(Row::Frame(number, line));
            } else if number == first_folded {
                rows.push(Row::Folded(folded));
            }
        }
        at = end;
    }
    rows
}

/// How many lines from the start are the standard library's. What has no file and is among them belongs to them: it catches
/// panics, or is the function that libc calls to start the program.
fn run_length(stack: &[Line]) -> usize {
    let mut length = 0;
    for (number, line) in stack.iter().enumerate() {
        let glue = number > 0
            && line.file.is_empty()
            && matches!(line.function.as_str(), "__rust_try" | "main");
        if library_path(&line.file).is_none() && !glue {
            break;
        }
        length = number + 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    const RT: &str = "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/rt.rs";

    fn stack(functions: &[&str]) -> Vec<Line> {
        let line = |function: &&str| Line {
            function: (*function).to_owned(),
            file: match *function {
                "main" | "__rust_try" => "".to_owned(),
                name if name.starts_with("std") => RT.to_owned(),
                _ => "src/lib.rs".to_owned(),
            },
            ..Line::default()
        };
        functions.iter().map(line).collect()
    }

    fn shown(functions: &[&str]) -> Vec<String> {
        let stack = stack(functions);
        let text = |row: &Row<'_>| match row {
            Row::Frame(number, line) => format!("{number} {}", line.function),
            Row::Folded(count) => format!("... {count}"),
        };
        rows(&stack).iter().map(text).collect()
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
                "0 std0", "... 2", "3 std3", "4 mine", "... 2", "7 std6", "8 mine", "... 4"
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
    fn paths_of_the_library_are_short() {
        assert_eq!(library_path(RT), Some("std/src/rt.rs"));
        let part = "/rust/deps/hashbrown-0.16.1/src/raw/mod.rs";
        assert_eq!(library_path(part), Some("hashbrown-0.16.1/src/raw/mod.rs"));
        for other in ["src/library/a.rs", "/rustc/", "/rustc/a/b/library/c.rs", ""] {
            assert_eq!(library_path(other), None);
        }
    }
}
