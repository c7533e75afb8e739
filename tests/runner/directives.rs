//! What a test program says about itself, in comments of their own line: `// WORD: value`.
//!
//! | directive | meaning |
//! |---|---|
//! | `FLAGS: -Dx -O1` | more arguments of the compiler; with `=` in front, these and no others |
//! | `LEVELS: O0 O3` | optimization levels, each a test of its own; O0 and O2 if it does not say |
//! | `LIBCXX: dynamic static` | how to link it with libc++ in the suite for that; `dynamic` if it does not say |
//! | `RUNS: 20` | how often to run; every run must do as expected |
//! | `ARGS: a b` | arguments of the program |
//! | `OPTIONS: a=1:b=2` | `GOLDILOCKS_OPTIONS` |
//! | `BUILD: command` | replaces the compilation, a line of shell each, with `$CC $CXX $SRC $DIR $OUT $FLAGS` |
//! | `RUN: command` | replaces the start of the program: a line of shell, with `$OUT $DIR` |
//! | `BUILD-FAILS: regex` | the compilation must fail, and say this |
//! | `RUN-EXIT: 66` | expected status: a number, or `signal 11` |
//! | `EXPECT: regex` | standard error matches, in any order with the others |
//! | `REJECT: regex` | standard error does not match |
//! | `STDOUT: regex` | standard output matches |
//! | `REPORTS: 2` | exactly this number of races is reported |
//!
//! A capitalized word that is not in this table is an error: a directive that is misspelled must not be a comment.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use regex::{Regex, RegexBuilder};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    Signal(i32),
}

#[derive(Debug, Default)]
pub struct Directives {
    pub flags: Vec<String>,
    pub replace_flags: bool,
    pub levels: Vec<String>,
    pub libcxx: Vec<String>,
    pub runs: Option<u32>,
    pub arguments: Vec<String>,
    pub options: Option<String>,
    pub build: Vec<String>,
    pub run: Option<String>,
    pub build_fails: Option<Regex>,
    pub exit: Option<Exit>,
    pub expect: Vec<Regex>,
    pub reject: Vec<Regex>,
    pub stdout: Vec<Regex>,
    pub reports: Option<usize>,
}

impl Directives {
    pub fn read(source: &Path) -> Result<Directives, String> {
        let text =
            fs::read_to_string(source).map_err(|error| format!("{}: {error}", source.display()))?;
        Directives::parse(&text).map_err(|error| format!("{}:{error}", source.display()))
    }

    pub fn parse(text: &str) -> Result<Directives, String> {
        let mut directives = Directives::default();
        for (index, line) in text.lines().enumerate() {
            if let Some((word, value)) = directive(line) {
                directives
                    .take(word, value)
                    .map_err(|error| format!("{}: {word}: {error}", index + 1))?;
            }
        }
        if directives.levels.is_empty() {
            directives.levels = vec!["O0".to_owned(), "O2".to_owned()];
        }
        Ok(directives)
    }

    fn take(&mut self, word: &str, value: &str) -> Result<(), String> {
        let words = || {
            value
                .split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let number = || {
            value
                .parse::<u32>()
                .map_err(|_| format!("`{value}` is not a number"))
        };
        match word {
            "FLAGS" => match value.strip_prefix('=') {
                Some(flags) => {
                    self.replace_flags = true;
                    self.flags = flags.split_whitespace().map(str::to_owned).collect();
                }
                None => self.flags.extend(words()),
            },
            "LEVELS" => self.levels = words(),
            "LIBCXX" => self.libcxx = words(),
            "RUNS" => self.runs = Some(number()?.max(1)),
            "ARGS" => self.arguments = words(),
            "OPTIONS" => self.options = Some(value.to_owned()),
            "BUILD" => self.build.push(value.to_owned()),
            "RUN" => self.run = Some(value.to_owned()),
            "BUILD-FAILS" => self.build_fails = Some(pattern(value)?),
            "RUN-EXIT" => {
                self.exit = Some(match value.strip_prefix("signal ") {
                    Some(signal) => Exit::Signal(
                        signal
                            .parse()
                            .map_err(|_| format!("`{signal}` is not a number"))?,
                    ),
                    None => Exit::Code(number()? as i32),
                })
            }
            "EXPECT" => self.expect.push(pattern(value)?),
            "REJECT" => self.reject.push(pattern(value)?),
            "STDOUT" => self.stdout.push(pattern(value)?),
            "REPORTS" => self.reports = Some(number()? as usize),
            _ => return Err("there is no such directive".to_owned()),
        }
        Ok(())
    }
}

/// The directive on a line that is a comment and nothing else.
fn directive(line: &str) -> Option<(&str, &str)> {
    let (word, value) = line.trim().strip_prefix("// ")?.split_once(':')?;
    let upper = |c: char| c.is_ascii_uppercase() || c == '-';
    // What Rust's comments on unsafe code begin with.
    let is_one = word.len() > 2 && word.chars().all(upper) && word != "SAFETY";
    is_one.then(|| (word, value.trim()))
}

fn pattern(text: &str) -> Result<Regex, String> {
    RegexBuilder::new(text)
        .multi_line(true)
        .build()
        .map_err(|error| error.to_string())
}

/// Tests of this file, which has no harness of its own to run them.
pub fn trials() -> Vec<Trial> {
    let check = |name: &str, test: fn() -> Result<(), String>| {
        Trial::test(format!("directives/{name}"), move || {
            test().map_err(Into::into)
        })
    };
    vec![
        check("are_read_from_lines_of_their_own", || {
            let text = "// FLAGS: -DX=1 -O1\nint x; // RUNS: 3\n  // EXPECT: a.*b$\n// see: nothing\n// RUN-EXIT: signal 11\n";
            let read = Directives::parse(text)?;
            let as_expected = read.flags == ["-DX=1", "-O1"]
                && read.runs.is_none()
                && read.expect.len() == 1
                && read.exit == Some(Exit::Signal(11))
                && read.levels == ["O0", "O2"];
            if as_expected {
                Ok(())
            } else {
                Err(format!("{read:?}"))
            }
        }),
        check("that_are_misspelled_are_errors", || {
            for text in [
                "// EXPECTS: x",
                "// RUNS: many",
                "// EXPECT: (",
                "// RUN-EXIT: signal x",
            ] {
                if let Ok(read) = Directives::parse(text) {
                    return Err(format!("{text} became {read:?}"));
                }
            }
            Ok(())
        }),
    ]
}
