//! Suppressions: findings that the user knows and does not want to see.
//!
//! An entry is `kind:pattern`, one per line, `#` starts a comment line. The pattern is looked for anywhere in a name; `^`
//! and `$` tie it to the name's start and end, `*` stands for anything. Names are the functions, source files and modules of
//! the stacks and the variable. A line that is not understood is a warning with its file and line, never the end.

use std::ffi::CString;

use crate::options::{ask_program, environment_variable, weak_function};
use crate::sys;

/// What an entry suppresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Races with the name in either stack, or on the variable.
    Race,
    /// Races with the name in the innermost frame of either stack, or on the variable.
    RaceTop,
    /// Everything that happens in calls of libc made by a module.
    CalledFromLib,
    Thread,
    Mutex,
    Signal,
    Deadlock,
}

impl Kind {
    const WORDS: [(&str, Kind); 7] = [
        ("race", Kind::Race),
        ("race_top", Kind::RaceTop),
        ("called_from_lib", Kind::CalledFromLib),
        ("thread", Kind::Thread),
        ("mutex", Kind::Mutex),
        ("signal", Kind::Signal),
        ("deadlock", Kind::Deadlock),
    ];

    fn word(self) -> &'static str {
        Self::WORDS
            .iter()
            .find(|(_, kind)| *kind == self)
            .map_or("", |(word, _)| word)
    }
}

/// A pattern as described in the module header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    from_start: bool,
    to_end: bool,
}

impl Pattern {
    pub fn new(text: &str) -> Pattern {
        let inner = text.strip_prefix('^');
        let from_start = inner.is_some();
        let inner = inner.unwrap_or(text);
        let end = inner.strip_suffix('$');
        Pattern {
            text: end.unwrap_or(inner).to_owned(),
            from_start,
            to_end: end.is_some(),
        }
    }

    pub fn matches(&self, name: &str) -> bool {
        if name.is_empty() {
            return false;
        }
        let mut parts = self.text.split('*');
        let first = parts.next().unwrap_or("");
        let Some(last) = parts.next_back() else {
            return match (self.from_start, self.to_end) {
                (true, true) => name == first,
                (true, false) => name.starts_with(first),
                (false, true) => name.ends_with(first),
                (false, false) => name.contains(first),
            };
        };
        // The first occurrence of each part leaves most for the parts that follow, so no other need be tried.
        let after = |rest: &str, part: &str| rest.find(part).map(|at| at + part.len());
        let Some(mut at) = (if self.from_start {
            name.starts_with(first).then_some(first.len())
        } else {
            after(name, first)
        }) else {
            return false;
        };
        for part in parts {
            match after(&name[at..], part) {
                Some(length) => at += length,
                None => return false,
            }
        }
        if self.to_end {
            name[at..].ends_with(last)
        } else {
            name[at..].contains(last)
        }
    }
}

/// An entry and how often it has matched.
#[derive(Clone, Debug)]
pub struct Entry {
    pub kind: Kind,
    pub pattern: Pattern,
    /// `file:line`, or the name of the function that returned it.
    pub origin: String,
    /// The line as written.
    pub line: String,
    /// Whether the user has given it for this run, and not the program for all of its runs.
    pub from_user: bool,
    pub hits: u64,
}

/// All entries of a run.
#[derive(Clone, Debug, Default)]
pub struct Suppressions {
    pub entries: Vec<Entry>,
}

impl Suppressions {
    pub const fn none() -> Suppressions {
        Suppressions {
            entries: Vec::new(),
        }
    }

    /// The program's own entries and those of the file `path` (unless empty), with warnings.
    pub fn load(path: &str) -> (Suppressions, Vec<String>) {
        let mut suppressions = Suppressions::none();
        let mut warnings = Vec::new();
        for (name, function) in [
            (
                "__goldilocks_default_suppressions",
                default_suppressions_function(),
            ),
            (
                "__tsan_default_suppressions",
                tsan_default_suppressions_function(),
            ),
        ] {
            warnings.extend(suppressions.parse(
                name,
                &ask_program(function).unwrap_or_default(),
                false,
            ));
        }
        if !path.is_empty() {
            match read_beside_program(path) {
                Ok(text) => warnings.extend(suppressions.parse(path, &text, true)),
                Err(e) => warnings.push(format!("cannot read the suppressions in {path}: {e}")),
            }
        }
        (suppressions, warnings)
    }

    /// Adds the entries of `text`; returns a warning for each line that is none.
    pub fn parse(&mut self, source: &str, text: &str, from_user: bool) -> Vec<String> {
        let mut warnings = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let origin = format!("{source}:{}", number + 1);
            let word = line.split(':').next().unwrap_or("");
            let kind = Kind::WORDS.iter().find(|(name, _)| *name == word);
            match (kind, line.split_once(':')) {
                (Some(&(_, kind)), Some((_, pattern)))
                    if !pattern.trim_matches(['^', '$', ' ']).is_empty() =>
                {
                    let pattern = Pattern::new(pattern.trim());
                    self.entries.push(Entry {
                        kind,
                        pattern,
                        origin,
                        line: line.to_owned(),
                        from_user,
                        hits: 0,
                    });
                }
                (Some(_), _) => {
                    warnings.push(format!("{origin}: `{line}` has no pattern; it is ignored"))
                }
                (None, _) => {
                    let kinds: Vec<&str> = Kind::WORDS.iter().map(|(word, _)| *word).collect();
                    warnings.push(format!(
                        "{origin}: `{line}` is ignored: it does not start with one of {}, and a colon",
                        kinds.join(", ")
                    ));
                }
            }
        }
        warnings
    }

    /// Whether an entry of one of `kinds` matches one of `names`. Counts a hit for the first that does.
    pub fn matches<'a>(
        &mut self,
        kinds: &[Kind],
        names: impl Iterator<Item = &'a str> + Clone,
    ) -> bool {
        let hit = self.entries.iter_mut().find(|entry| {
            kinds.contains(&entry.kind) && names.clone().any(|name| entry.pattern.matches(name))
        });
        if let Some(entry) = hit {
            entry.hits += 1;
            return true;
        }
        false
    }

    /// Whether there is any entry of one of `kinds`.
    pub fn has(&self, kinds: &[Kind]) -> bool {
        self.entries.iter().any(|entry| kinds.contains(&entry.kind))
    }

    /// For the end of the run: what was suppressed how often, and which of the user's entries matched nothing. Empty
    /// if there is nothing to say.
    pub fn summary(&self) -> String {
        let mut text = String::new();
        let hits: u64 = self.entries.iter().map(|entry| entry.hits).sum();
        if hits > 0 {
            text += &format!(
                "Goldilocks: suppressed {hits} finding{}:\n",
                if hits == 1 { "" } else { "s" }
            );
            for entry in self.entries.iter().filter(|entry| entry.hits > 0) {
                text += &format!("  {:>6}  {}  ({})\n", entry.hits, entry.line, entry.origin);
            }
        }
        let unused: Vec<&Entry> = self
            .entries
            .iter()
            .filter(|entry| entry.hits == 0 && entry.from_user)
            .collect();
        if !unused.is_empty() {
            text += "Goldilocks: suppressions that matched nothing:\n";
            for entry in unused {
                text += &format!("  {}  ({})\n", entry.line, entry.origin);
            }
        }
        text
    }
}

impl core::fmt::Display for Kind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.word())
    }
}

/// Reads the file from the working directory, or else, if the path is relative, from the program's own.
fn read_beside_program(path: &str) -> Result<String, sys::Errno> {
    let read = |path: &str| {
        let path = CString::new(path).map_err(|_| sys::Errno(libc::ENOENT))?;
        sys::read_file(&path, 16 << 20).map(|text| String::from_utf8_lossy(&text).into_owned())
    };
    let home = || environment_variable("HOME").unwrap_or_default();
    match path.strip_prefix("~/") {
        Some(rest) => read(&format!("{}/{rest}", home())),
        None if path.starts_with('/') => read(path),
        None => read(path).or_else(|e| {
            let program =
                String::from_utf8_lossy(&sys::read_link(c"/proc/thread-self/exe")?).into_owned();
            let (directory, _) = program.rsplit_once('/').ok_or(e)?;
            read(&format!("{directory}/{path}")).map_err(|_| e)
        }),
    }
}

weak_function!(
    default_suppressions_function,
    "__goldilocks_default_suppressions"
);
weak_function!(
    tsan_default_suppressions_function,
    "__tsan_default_suppressions"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_described() {
        for (pattern, name, expected) in [
            ("foo", "a::foo(int)", true),
            ("foo", "fo", false),
            ("^foo", "foobar", true),
            ("^foo", "a::foo", false),
            ("foo$", "a::foo", true),
            ("foo$", "foobar", false),
            ("^foo$", "foo", true),
            ("^foo$", "foo ", false),
            ("a*c", "xabbcx", true),
            ("a*c", "xcbbax", false),
            ("^a*c$", "abcbc", true),
            ("^a*c$", "abcbd", false),
            ("^a*b*c$", "a-c-b-c", true),
            ("^ab*bc$", "abc", false),
            ("ab*ba", "aba", false),
            ("*", "anything", true),
            ("*", "", false),
            ("foo*", "xfoo", true),
            ("**a", "a", true),
            ("ä*ö", "xäßöx", true),
        ] {
            assert_eq!(
                Pattern::new(pattern).matches(name),
                expected,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn lines_become_entries_and_mistakes_become_warnings_with_their_line() {
        let mut suppressions = Suppressions::none();
        let text = "# known\nrace:foo\n\n  race:^bar::*$  \nrcae:x\nrace:\nthread:pool\nnonsense\nrace_top: a:b";
        let warnings = suppressions.parse("s.txt", text, true);
        let kinds: Vec<Kind> = suppressions
            .entries
            .iter()
            .map(|entry| entry.kind)
            .collect();
        assert_eq!(kinds, [Kind::Race, Kind::Race, Kind::Thread, Kind::RaceTop]);
        assert_eq!(suppressions.entries[3].pattern, Pattern::new("a:b"));
        assert_eq!(suppressions.entries[1].origin, "s.txt:4");
        let kinds = "race, race_top, called_from_lib, thread, mutex, signal, deadlock";
        assert_eq!(
            warnings,
            [
                format!(
                    "s.txt:5: `rcae:x` is ignored: it does not start with one of {kinds}, and a colon"
                ),
                "s.txt:6: `race:` has no pattern; it is ignored".to_owned(),
                format!(
                    "s.txt:8: `nonsense` is ignored: it does not start with one of {kinds}, and a colon"
                ),
            ]
        );
    }

    #[test]
    fn hits_are_counted_and_unused_entries_are_listed() {
        let mut suppressions = Suppressions::none();
        suppressions.parse("s.txt", "race:foo\nrace:never\nthread:foo\n", true);
        suppressions.parse("__goldilocks_default_suppressions", "race:own\n", false);
        assert!(suppressions.has(&[Kind::Thread]) && !suppressions.has(&[Kind::Deadlock]));
        for _ in 0..2 {
            assert!(suppressions.matches(&[Kind::Race], ["main", "foo"].into_iter()));
        }
        assert!(!suppressions.matches(&[Kind::Race], ["main"].into_iter()));
        assert!(!suppressions.matches(&[Kind::Deadlock], ["foo"].into_iter()));
        assert_eq!(
            suppressions.summary(),
            "Goldilocks: suppressed 2 findings:\n       2  race:foo  (s.txt:1)\n\
             Goldilocks: suppressions that matched nothing:\n  race:never  (s.txt:2)\n  thread:foo  (s.txt:3)\n"
        );
        assert_eq!(Suppressions::none().summary(), "");
    }

    #[test]
    fn a_missing_file_is_a_warning() {
        let (suppressions, warnings) = Suppressions::load("/nonexistent/s.txt");
        assert!(suppressions.entries.is_empty());
        assert_eq!(
            warnings,
            ["cannot read the suppressions in /nonexistent/s.txt: ENOENT"]
        );
    }
}
