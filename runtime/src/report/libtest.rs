//! Names of tests of Rust's harness. It calls a thread by the test that it runs, of which the kernel keeps 15 bytes. The function of
//! the test is in that thread's stacks, just within the harness, and its path is the test's name: where it begins with what the
//! kernel has kept, it is the rest of it.

use super::frames::Line;
use super::render::rust::library_path;
use super::resolved::Thread;

/// Bytes of a thread's name that the kernel keeps.
const KEPT: usize = 15;
/// The function of the harness that calls a test's.
const HARNESS: &str = "test::__rust_begin_short_backtrace";

/// Completes names of threads by stacks that are known to be theirs.
pub fn complete<'a>(threads: &mut [Thread], stacks: impl Iterator<Item = (u32, &'a [Line])>) {
    let mut tests: Vec<(u32, String)> = Vec::new();
    for (thread, stack) in stacks {
        tests.extend(test(stack).map(|name| (thread, name)));
    }
    let created = threads
        .iter()
        .filter_map(|thread| Some((thread.created_by?, test(&thread.creation)?)));
    tests.extend(created.collect::<Vec<_>>());
    for thread in threads {
        let whole = tests.iter().find(|(number, name)| {
            *number == thread.number && thread.name.len() == KEPT && name.starts_with(&thread.name)
        });
        if let Some((_, name)) = whole {
            thread.name = name.clone();
        }
    }
}

/// The test that a stack is of.
fn test(stack: &[Line]) -> Option<String> {
    let harness = stack.iter().position(|line| {
        line.function.starts_with(HARNESS) && library_path(&line.file) == Some("test/src/lib.rs")
    })?;
    // Between the two are the standard library's ways to call a function.
    let function = stack[..harness]
        .iter()
        .rfind(|line| library_path(&line.file).is_none())?;
    let (_, path) = function.function.split_once("::")?;
    let path = path.strip_suffix("::{closure#0}").unwrap_or(path);
    Some(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(functions: &[(&str, &str)]) -> Vec<Line> {
        let line = |(function, file): &(&str, &str)| Line {
            function: (*function).to_owned(),
            file: match *file {
                "" => "/w/src/lib.rs".to_owned(),
                file => format!("/rustc/59807616e/library/{file}"),
            },
            ..Line::default()
        };
        functions.iter().map(line).collect()
    }

    fn of_test() -> Vec<Line> {
        stack(&[
            ("own::add", ""),
            ("own::tests::adds_up_in_the_end", ""),
            ("own::tests::adds_up_in_the_end::{closure#0}", ""),
            (
                "<own::tests::adds_up_in_the_end::{closure#0} as core::ops::function::FnOnce<()>>::call_once",
                "core/src/ops/function.rs",
            ),
            (
                "test::__rust_begin_short_backtrace::<(), fn()>",
                "test/src/lib.rs",
            ),
            ("test::run_test", "test/src/lib.rs"),
        ])
    }

    fn thread(number: u32, name: &str) -> Thread {
        Thread {
            number,
            runs_on: None,
            name: name.to_owned(),
            finished: false,
            is_fiber: false,
            created_by: None,
            creation: Vec::new(),
        }
    }

    #[test]
    fn a_test_thread_has_its_whole_name() {
        let mut threads = [
            thread(1, "tests::adds_up_"),
            thread(2, "tests::adds_up_"),
            thread(3, "worker"),
        ];
        let mine = of_test();
        complete(&mut threads, [(1, &mine[..]), (3, &mine[..])].into_iter());
        let names: Vec<&str> = threads.iter().map(|thread| thread.name.as_str()).collect();
        assert_eq!(
            names,
            ["tests::adds_up_in_the_end", "tests::adds_up_", "worker"]
        );
    }

    #[test]
    fn who_has_created_a_thread_is_known_by_that() {
        let mut threads = [thread(1, "tests::adds_up_"), thread(2, "")];
        threads[1].created_by = Some(1);
        threads[1].creation = of_test();
        complete(&mut threads, std::iter::empty());
        assert_eq!(threads[0].name, "tests::adds_up_in_the_end");
        assert_eq!(threads[1].name, "");
    }

    #[test]
    fn a_name_that_is_another_one_stays() {
        let mut threads = [thread(1, "tests::subtracts"), thread(2, "tests::subtract")];
        let mine = of_test();
        complete(&mut threads, [(1, &mine[..]), (2, &mine[..])].into_iter());
        assert_eq!(threads[0].name, "tests::subtracts");
        assert_eq!(threads[1].name, "tests::subtract");
        assert_eq!(test(&stack(&[("own::tests::f", "")])), None);
        // A function of the same name of somebody else's.
        let mut theirs = of_test();
        theirs[4].file = "/w/src/lib.rs".to_owned();
        assert_eq!(test(&theirs), None);
    }
}
