//! A short name for a race that is the same in every run and after unrelated changes: eight hexadecimal digits from the
//! functions of both sides and the variable. The order of the two sides and line numbers do not count.
//!
//! A side is its innermost function. If that is a library's (a container's, `memcpy`), the innermost function of the program counts, too: what
//! many parts of a program do through one function of a library are many races.

use super::frames::Line;
use super::resolved::{Finding, Place, Report};

pub fn fingerprint(report: &Report) -> u32 {
    let sides = [&report.current, &report.previous];
    let mut sides = sides.map(|side| functions(&side.stack));
    sides.sort();
    let variable = match &report.place {
        Place::Global(global) => global.name.as_str(),
        _ => "",
    };
    let mut hash = Fnv::new();
    for part in [report.kind.title(), &sides[0], &sides[1], variable] {
        hash.text(part);
    }
    hash.folded()
}

/// The same for what is no race, from the functions of its parts and what it is about.
pub fn of_finding(report: &Finding) -> u32 {
    let mut functions: Vec<String> = report
        .parts
        .iter()
        .map(|part| functions(&part.stack))
        .collect();
    functions.sort();
    let mut hash = Fnv::new();
    hash.text(&report.headline);
    functions.iter().for_each(|function| hash.text(function));
    hash.text(report.subject.as_deref().unwrap_or(""));
    hash.folded()
}

/// The innermost function, and that of the program if it is another. Their names do not depend on what was inlined where.
fn functions(stack: &Option<Vec<Line>>) -> String {
    let Some(stack) = stack.as_ref() else {
        return String::new();
    };
    let Some(innermost) = stack.first() else {
        return String::new();
    };
    let written = |line: &&Line| !line.file.is_empty() && !line.is_system();
    // Where nothing is known of any source, what is not libc's.
    let placed = |line: &&Line| line.module.is_some() && !line.is_system();
    let own = stack
        .iter()
        .find(written)
        .or_else(|| stack.iter().find(placed));
    match own.map(Line::identity) {
        // No name has such a character.
        Some(own) if own != innermost.identity() => format!("{}\n{own}", innermost.identity()),
        _ => innermost.identity(),
    }
}

/// What tells reports apart that differ in addresses only (one source line, compiled into several places): a hash of
/// the positions of all stacks, up to the innermost function of the program's, wherever that was inlined.
pub fn same_lines<'a>(titles: &[&str], stacks: impl Iterator<Item = &'a Option<Vec<Line>>>) -> u64 {
    let mut sides: Vec<u64> = stacks
        .map(|stack| {
            let mut hash = Fnv::new();
            for line in stack.iter().flatten() {
                hash.text(&line.identity());
                // The line of a function does not tell its accesses apart.
                let position = line.position().filter(|_| !line.of_function);
                hash.text(&position.unwrap_or_else(|| line.place()));
                if !line.is_system() {
                    break;
                }
            }
            hash.finish()
        })
        .collect();
    sides.sort();
    let mut hash = Fnv::new();
    titles.iter().for_each(|title| hash.text(title));
    sides.iter().for_each(|side| hash.text(&side.to_string()));
    hash.finish()
}

/// What a race is about, as far as two of the same lines are told apart by it: a global, or a part of it, where elements of an array are
/// one; a block by where it was allocated, and its field; what is a thread's own by its address. Of other memory nothing is known.
pub fn variable(report: &Report) -> String {
    let (current, previous) = (&report.current, &report.previous);
    // The bytes that both have accessed begin there.
    let addr = current.addr.max(previous.addr);
    let end = (current.addr + current.size).min(previous.addr + previous.size);
    match &report.place {
        Place::Global(global) => without_indices(&global.called(addr, end.saturating_sub(addr))),
        Place::Heap {
            start, size, stack, ..
        } => {
            let allocated = Some(stack.clone());
            let allocated = same_lines(&[], [&allocated].into_iter());
            let field = if *size <= OBJECT {
                addr.wrapping_sub(*start)
            } else {
                0
            };
            format!("{allocated} {field}")
        }
        Place::Stack { .. } | Place::ThreadLocal { .. } => format!("{addr:#x}"),
        Place::File(_) => "file".to_owned(),
        Place::Unknown => String::new(),
    }
}

/// `table[3].hits+4` as `table[].hits`. What is accessed of an array at a time, an element or some, is as the compiler likes.
fn without_indices(name: &str) -> String {
    let mut is_index = false;
    let mut kept = |letter: &char| {
        is_index = matches!(letter, '[' | '+') || is_index && letter.is_ascii_digit();
        !(is_index && letter.is_ascii_digit())
    };
    let name: String = name.chars().filter(|letter| kept(letter)).collect();
    name.trim_end_matches(['[', ']', '+']).to_owned()
}

/// Bytes of a block that is one object, at most; larger ones are taken for arrays, the elements of which are alike.
const OBJECT: usize = 256;

/// FNV-1a: stable, unlike std's hash.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
    /// Adds a string and its end.
    fn text(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ byte as u64).wrapping_mul(0x100_0000_01b3);
        }
    }
    fn finish(self) -> u64 {
        self.0
    }
    fn folded(self) -> u32 {
        (self.0 ^ self.0 >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::super::case::Resolved;
    use super::super::render::tests::example;
    use super::*;

    #[test]
    fn the_order_of_the_sides_and_line_numbers_do_not_count() {
        let report = example();
        let mut other = report.clone();
        core::mem::swap(&mut other.current, &mut other.previous);
        assert_eq!(fingerprint(&other), fingerprint(&report));
        assert_eq!(other.same_lines(), report.same_lines());
        let line: &mut Line = &mut other.current.stack.as_mut().unwrap()[0];
        line.line += 10;
        line.address += 0x1000;
        assert_eq!(fingerprint(&other), fingerprint(&report));
        assert_ne!(other.same_lines(), report.same_lines());
    }

    #[test]
    fn other_functions_and_variables_count() {
        let report = example();
        let mut other = report.clone();
        other.current.stack.as_mut().unwrap()[0].function = "other".into();
        assert_ne!(fingerprint(&other), fingerprint(&report));
        let mut other = report.clone();
        other.place = Place::Unknown;
        let without = fingerprint(&other);
        other.kind = super::super::model::ReportKind::UseAfterFreeRace;
        assert_ne!(fingerprint(&other), without);
    }

    #[test]
    fn a_librarys_function_is_told_apart_by_who_calls_it() {
        let report = example();
        let through = |library: &[(&str, &str)], own: &str| {
            let mut report = report.clone();
            let stack = report.current.stack.as_mut().unwrap();
            stack[0].function = own.into();
            for (function, file) in library {
                let line = Line {
                    function: (*function).into(),
                    file: (*file).into(),
                    line: 1,
                    ..Line::default()
                };
                stack.insert(0, line);
            }
            fingerprint(&report)
        };
        let vector = [
            (
                "std::vector<int>::end",
                "/usr/include/c++/12/bits/stl_vector.h",
            ),
            (
                "std::vector<int>::push_back",
                "/usr/include/c++/12/bits/stl_vector.h",
            ),
        ];
        assert_ne!(through(&vector, "one"), through(&vector, "other"));
        assert_eq!(through(&vector, "one"), through(&vector, "one"));
        // What the library's functions do among themselves may depend on what was inlined; the innermost is what it is.
        assert_eq!(
            through(&vector[1..], "one"),
            through(&[vector[0], vector[1]], "one")
        );
        let copy = [("memcpy", "")];
        assert_ne!(through(&copy, "one"), through(&copy, "other"));
        // A function of the program's is enough.
        let helper = [("helper", "/home/me/helper.h")];
        assert_eq!(through(&helper, "one"), through(&helper, "other"));
    }

    #[test]
    fn variables_tell_races_of_the_same_lines_apart_and_elements_do_not() {
        assert_eq!(without_indices("x1"), "x1");
        assert_eq!(without_indices("table[3][12].hits2+4"), "table[][].hits2");
        assert_eq!(without_indices("table[3][12]"), "table");
        let report = example();
        let at = |place: Place| {
            let report = Report {
                place,
                ..report.clone()
            };
            report.same_lines()
        };
        let block = |start: usize, size: usize, line: u32| {
            let stack = vec![Line {
                function: "make".into(),
                file: "/home/me/make.c".into(),
                line,
                ..Line::default()
            }];
            at(Place::Heap {
                start,
                size,
                thread: 0,
                stack,
            })
        };
        let addr = report.current.addr.max(report.previous.addr);
        assert_ne!(block(addr, 64, 1), block(addr, 64, 2));
        assert_ne!(block(addr, 64, 1), block(addr - 8, 64, 1));
        assert_eq!(block(addr, 4096, 1), block(addr - 8, 4096, 1));
        assert_ne!(at(Place::Unknown), at(Place::File(3)));
    }

    /// The example's lines where a function of this file is called, or was inlined, at a line of the program's.
    fn lines_through(file: &str, line: u32, inlined: bool) -> u64 {
        let mut report = example();
        let stack = report.current.stack.as_mut().unwrap();
        stack[0].line = line;
        let function = Line {
            function: "get".into(),
            file: file.into(),
            line: 7,
            inlined,
            ..Line::default()
        };
        stack.insert(0, function);
        report.same_lines()
    }

    #[test]
    fn of_a_librarys_function_the_caller_tells_lines_apart_and_of_the_programs_it_does_not() {
        let library = "/usr/include/c++/12/bits/stl_vector.h";
        let own = "/home/me/get.h";
        for inlined in [false, true] {
            let through = |file, line| lines_through(file, line, inlined);
            assert_ne!(through(library, 1), through(library, 2));
            assert_eq!(through(own, 1), through(own, 2));
        }
    }

    #[test]
    fn it_is_stable() {
        let mut hash = Fnv::new();
        hash.text("a");
        // FNV-1a of "a\0".
        assert_eq!(hash.finish(), 0x089b_e207_b544_f1e4);
    }
}
