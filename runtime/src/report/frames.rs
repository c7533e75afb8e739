//! Stacks as a reader wants them: inlined frames expanded, and without the frames that are the detector's or libc's.

use super::model::Stack;
use super::openmp_frames;
use super::resolved::Names;
use crate::interceptors::real;

/// A line of a stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Empty if not known.
    pub function: String,
    /// With parameters; empty if that is the same.
    pub signature: String,
    pub file: String,
    /// 0 if not known.
    pub line: u32,
    pub column: u32,
    /// Whether the line is that of the function: the optimizer has lost that of the instruction.
    pub of_function: bool,
    /// Path, and address as in the file.
    pub module: Option<(String, u64)>,
    /// Address of the instruction, or one of its last bytes.
    pub address: usize,
    /// Whether the function was inlined into that of the next line.
    pub inlined: bool,
}

impl Line {
    /// `file:line`, as far as known.
    pub fn file_and_line(&self) -> Option<String> {
        match (self.file.as_str(), self.line) {
            ("", _) => None,
            (file, 0) => Some(file.to_owned()),
            (file, line) => Some(format!("{file}:{line}")),
        }
    }

    /// `file:line:column`, as far as known.
    pub fn position(&self) -> Option<String> {
        let position = self.file_and_line()?;
        Some(if self.line == 0 || self.column == 0 {
            position
        } else {
            format!("{position}:{}", self.column)
        })
    }

    /// `module+0xoffset`, or the address.
    pub fn place(&self) -> String {
        match &self.module {
            Some((path, offset)) => format!("{path}+{offset:#x}"),
            None => format!("{:#x}", self.address),
        }
    }

    /// Whether the source is of the language's own library, which the reader did not write.
    pub fn is_system(&self) -> bool {
        const FOLDERS: [&str; 6] = [
            "/usr/include/",
            "/usr/lib/",
            "/include/c++/",
            "/rustc/",
            "/rust/deps/",
            "/rustlib/src/rust/library/",
        ];
        FOLDERS.iter().any(|part| self.file.contains(part))
    }

    /// What the line is identified by across runs: its function, or else file name and offset.
    pub fn identity(&self) -> String {
        match &self.module {
            _ if !self.function.is_empty() => self.function.clone(),
            Some((path, offset)) => {
                format!("{}+{offset:#x}", path.rsplit('/').next().unwrap_or(""))
            }
            None => String::new(),
        }
    }

    /// Of the detector itself, including its interceptors.
    fn is_ours(&self) -> bool {
        let crates = [
            "goldilocks_rt::",
            "goldilocks_core::",
            "<goldilocks_rt::",
            "<goldilocks_core::",
            "__goldilocks_",
        ];
        // Those that the stubs call.
        let entries = [
            "goldilocks_slow_access",
            "goldilocks_read_range",
            "goldilocks_write_range",
        ];
        crates
            .iter()
            .any(|prefix| self.function.starts_with(prefix))
            || entries.contains(&self.function.as_str())
            || self.file.contains("/runtime/src/interceptors/")
    }

    /// The libc function that the detector's own function stands for.
    fn intercepted(&self) -> Option<&str> {
        let name = self
            .function
            .strip_prefix("__goldilocks_interceptor_")
            .unwrap_or(&self.function);
        // Not what libc calls back in place of the program's function.
        let known = real::all()
            .iter()
            .any(|entry| entry.name.to_bytes() == name.as_bytes());
        known.then_some(name)
    }

    /// What starts programs and threads.
    fn is_start(&self) -> bool {
        const START: [&str; 11] = [
            "execute_native_thread_routine",
            "__libc_start_call_main",
            "__libc_start_main",
            "__libc_start_main_impl",
            "__libc_start_main_alias_2",
            "_start",
            "start_thread",
            "timer_sigev_thread",
            "clone",
            "clone3",
            "__clone3",
        ];
        let module = self
            .module
            .as_ref()
            .map_or("", |(path, _)| path.rsplit('/').next().unwrap_or(""));
        let libc = ["libc.so", "libc-", "libpthread", "libstdc++", "ld-linux"]
            .iter()
            .any(|name| module.starts_with(name));
        START.contains(&self.function.as_str())
            || self.is_ours()
            || (self.function.is_empty() && (libc || self.module.is_none()))
    }
}

/// The lines of a stack, innermost first.
pub fn expand(stack: &Stack, names: &mut dyn Names) -> Vec<Line> {
    let mut lines = Vec::new();
    for &pc in stack.pcs.iter().filter(|&&pc| pc != 0) {
        // A return address is behind the call, which may be the last instruction of its function or line.
        let address = pc - 1;
        let info = names.code(address);
        let count = info.frames.len();
        if count == 0 {
            lines.push(Line {
                module: info.module.clone(),
                address,
                ..Line::default()
            });
        }
        for (index, frame) in info.frames.into_iter().enumerate() {
            lines.push(Line {
                line: frame.line,
                column: frame.known_column(),
                of_function: frame.is_of_function(),
                function: frame.function,
                signature: frame.signature,
                file: frame.file,
                module: info.module.clone(),
                address,
                inlined: index + 1 < count,
            });
        }
    }
    lines
}

/// Whether some of the lines are of a signal handler: below it is what calls the program's handlers.
pub fn is_in_handler(lines: &[Line]) -> bool {
    lines
        .iter()
        .any(|line| line.function.ends_with("::signals::deliver") && line.is_ours())
}

/// Removes the detector's frames at the top, where an interceptor stays as one frame with its libc name, and the
/// frames that start programs and threads at the bottom.
pub fn trim(mut lines: Vec<Line>) -> Vec<Line> {
    // The detector's frames may have std's between them. The function that a thread starts in is ours, too, but further down.
    let own = lines
        .iter()
        .take_while(|line| line.is_ours() || line.file.contains("/rustc/"))
        .count();
    if let Some(last) = lines[..own].iter().rposition(Line::is_ours) {
        if let Some(name) = lines[last].intercepted() {
            let function = name.to_owned();
            lines.drain(..last);
            lines[0] = Line {
                function,
                address: lines[0].address,
                ..Line::default()
            };
        } else {
            lines.drain(..=last);
        }
    }
    // Those between the program's and libc's: the way of a signal to its handler, of a timer to its function.
    let is_between = |line: &Line| line.is_ours() && line.intercepted().is_none();
    if !lines.iter().all(is_between) {
        lines.retain(|line| !is_between(line));
    }
    for line in lines.iter_mut().filter(|line| line.is_ours()) {
        if let Some(function) = line.intercepted().map(str::to_owned) {
            let address = line.address;
            *line = Line {
                function,
                address,
                ..Line::default()
            };
        }
    }
    while lines.len() > 1 && lines.last().is_some_and(Line::is_start) {
        lines.pop();
    }
    openmp_frames::trim(&mut lines);
    lines
}

#[cfg(test)]
mod tests {
    use super::super::fingerprint;
    use super::super::resolved::fake::FakeNames;
    use super::*;
    use goldilocks_core::abi::COLUMN_OF_FUNCTION;

    fn functions(lines: &[Line]) -> Vec<&str> {
        lines.iter().map(|line| line.function.as_str()).collect()
    }

    #[test]
    fn inlined_frames_are_lines_and_unknown_ones_are_places() {
        let mut names = FakeNames::default();
        names
            .frame(0x10, "inner", "a.c", 1, 2)
            .frame(0x10, "outer", "a.c", 5, 6);
        let lines = expand(
            &Stack {
                pcs: vec![0x10, 0, 0x20],
            },
            &mut names,
        );
        assert_eq!(functions(&lines), ["inner", "outer", ""]);
        assert_eq!(
            [lines[0].inlined, lines[1].inlined, lines[2].inlined],
            [true, false, false]
        );
        assert_eq!(lines[0].position().unwrap(), "a.c:1:2");
        assert_eq!(
            (lines[2].place().as_str(), lines[2].position()),
            ("/bin/prog+0x1f", None)
        );
        assert_eq!(lines[2].identity(), "prog+0x1f");
    }

    #[test]
    fn the_line_of_a_function_is_no_position_of_an_access() {
        let mut names = FakeNames::default();
        names
            .frame(0x10, "work", "a.c", 3, COLUMN_OF_FUNCTION)
            .frame(0x20, "work", "a.c", 3, COLUMN_OF_FUNCTION);
        let mut stack = |pc| Some(expand(&Stack { pcs: vec![pc] }, &mut names));
        let (one, other) = (stack(0x10), stack(0x20));
        let line = &one.as_ref().unwrap()[0];
        assert!(line.of_function);
        assert_eq!(line.position().unwrap(), "a.c:3");
        let place = |stack| fingerprint::same_lines(&["race"], [stack].into_iter());
        assert_ne!(place(&one), place(&other));
    }

    #[test]
    fn an_interceptor_is_one_frame_and_the_start_of_the_program_is_none() {
        let mut names = FakeNames::default();
        names
            .frame(
                0x10,
                "core::ptr::read",
                "/rustc/1/library/core/ptr.rs",
                1,
                0,
            )
            .frame(0x10, "goldilocks_rt::pipeline::access", "p.rs", 1, 0)
            .frame(
                0x20,
                "memcpy",
                "/x/runtime/src/interceptors/memory.rs",
                9,
                1,
            )
            .frame(0x30, "copy", "user.c", 3, 4)
            .frame(0x40, "main", "user.c", 9, 1)
            .frame(0x50, "__libc_start_call_main", "", 0, 0)
            .frame(0x60, "_start", "", 0, 0);
        let lines = expand(
            &Stack {
                pcs: vec![0x10, 0x20, 0x30, 0x40, 0x50, 0x60],
            },
            &mut names,
        );
        // The first frame is std's, but inside of ours.
        let lines = trim(lines);
        assert_eq!(functions(&lines), ["memcpy", "copy", "main"]);
        assert_eq!(lines[0].position(), None);
    }

    #[test]
    fn interceptors_are_known_by_their_inner_name() {
        let mut names = FakeNames::default();
        names
            .frame(
                0x10,
                "goldilocks_rt::interceptors::memory::checked",
                "m.rs",
                1,
                0,
            )
            .frame(0x10, "__goldilocks_interceptor_memcpy", "m.rs", 1, 0)
            .frame(0x20, "work", "user.c", 3, 4);
        let lines = trim(expand(
            &Stack {
                pcs: vec![0x10, 0x20],
            },
            &mut names,
        ));
        assert_eq!(functions(&lines), ["memcpy", "work"]);
    }

    #[test]
    fn hooks_vanish_and_the_start_of_a_thread_hides_nothing() {
        let mut names = FakeNames::default();
        names
            .frame(0x10, "__goldilocks_read_range", "h.rs", 1, 0)
            .frame(0x20, "work", "user.c", 3, 4)
            .frame(0x30, "goldilocks_rt::threads::start", "t.rs", 1, 1)
            .frame(0x40, "start_thread", "", 0, 0);
        let stack = Stack {
            pcs: vec![0x10, 0x20, 0x30, 0x40],
        };
        assert_eq!(functions(&trim(expand(&stack, &mut names))), ["work"]);
        let stack = Stack {
            pcs: vec![0x20, 0x30, 0x40],
        };
        assert_eq!(functions(&trim(expand(&stack, &mut names))), ["work"]);
    }

    #[test]
    fn what_calls_back_is_no_frame_and_a_function_of_libc_that_does_is_one() {
        let mut names = FakeNames::default();
        names
            .frame(0x10, "compares", "user.c", 3, 4)
            .frame(0x20, "__goldilocks_interceptor_qsort", "s.rs", 1, 1)
            .frame(0x30, "expired", "user.c", 5, 4)
            .frame(
                0x40,
                "goldilocks_rt::interceptors::timers::called",
                "",
                0,
                0,
            )
            .frame(
                0x50,
                "called",
                "/x/runtime/src/interceptors/timers.rs",
                9,
                1,
            )
            .frame(0x60, "user_thread", "user.c", 5, 4);
        let pcs = vec![0x10, 0x20, 0x30, 0x40, 0x50, 0x60];
        let lines = trim(expand(&Stack { pcs }, &mut names));
        let expected = ["compares", "qsort", "expired", "user_thread"];
        assert_eq!(functions(&lines), expected);
    }

    #[test]
    fn something_is_left() {
        let mut names = FakeNames::default();
        names
            .frame(0x10, "_start", "", 0, 0)
            .frame(0x20, "clone3", "", 0, 0);
        assert_eq!(
            functions(&trim(expand(
                &Stack {
                    pcs: vec![0x10, 0x20]
                },
                &mut names
            ))),
            ["_start"]
        );
        assert_eq!(trim(Vec::new()), []);
    }
}
