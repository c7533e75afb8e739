//! Reading lists of `key=value`.

use std::ffi::CString;

use super::{Options, Percent, Refused};
use crate::sys;

/// How deep files may include files.
const INCLUDE_DEPTH: u32 = 8;

/// Options, and what was wrong while reading them.
pub struct Parsed {
    pub options: Options,
    pub warnings: Vec<String>,
    depth: u32,
    /// The list is ThreadSanitizer's, where names that are not ours are no mistakes.
    foreign: bool,
}

impl Default for Parsed {
    fn default() -> Parsed {
        Parsed {
            options: Options::DEFAULT,
            warnings: Vec::new(),
            depth: 0,
            foreign: false,
        }
    }
}

impl Parsed {
    /// Makes the assignments of `text`, in order; `source` is for warnings.
    pub fn read(&mut self, source: &str, text: &str) {
        let mut rest = text;
        while let Some((word, tail)) = next_word(rest) {
            rest = tail;
            match word.split_once('=') {
                Some((name, value)) => self.assign(source, name, unquote(value)),
                None => self.warnings.push(format!(
                    "{source}: `{word}` is not of the form option=value"
                )),
            }
        }
    }

    /// Makes those assignments of another tool's list that mean the same here.
    pub fn read_foreign(&mut self, source: &str, text: &str) {
        self.foreign = true;
        self.read(source, text);
        self.foreign = false;
    }

    fn assign(&mut self, source: &str, name: &str, value: &str) {
        if let "include" | "include_if_exists" = name {
            return self.include(source, value, name == "include_if_exists");
        }
        match self.options.set(name, value) {
            Ok(()) => {}
            Err(Refused::Value(expected)) => {
                let mut warning =
                    format!("{source}: {name}={value} is ignored: expected {expected}");
                if let Some(near) = expected
                    .split([' ', ','])
                    .find(|word| word.len() > 2 && distance(word, value) == 1)
                {
                    warning += &format!("; did you mean {near}?");
                }
                self.warnings.push(warning);
            }
            Err(Refused::Name) if self.foreign => {}
            Err(Refused::Name) => {
                let mut warning = format!("{source}: unknown option `{name}` is ignored");
                match nearest(name) {
                    Some(near) => warning += &format!("; did you mean `{near}`?"),
                    None => warning += "; help=1 lists all",
                }
                self.warnings.push(warning);
            }
        }
    }

    fn include(&mut self, source: &str, name: &str, may_be_missing: bool) {
        let name = Percent::expand(name, sys::getpid());
        if self.depth == INCLUDE_DEPTH {
            return self.warnings.push(format!(
                "{source}: include={name} is ignored: too many files include files"
            ));
        }
        let contents = match CString::new(name.as_str()) {
            Ok(path) => sys::read_file(&path, 1 << 20),
            Err(_) => Err(sys::Errno(libc::ENOENT)),
        };
        match contents {
            Ok(contents) => {
                let text = String::from_utf8_lossy(&contents);
                let without_comments: Vec<&str> = text
                    .lines()
                    .map(|l| l.split('#').next().unwrap_or(""))
                    .collect();
                self.depth += 1;
                self.read(&name, &without_comments.join("\n"));
                self.depth -= 1;
            }
            Err(sys::Errno(libc::ENOENT)) if may_be_missing => {}
            Err(e) => self
                .warnings
                .push(format!("{source}: cannot read {name}: {e}")),
        }
    }
}

fn is_separator(c: char) -> bool {
    c == ':' || c == ',' || c.is_ascii_whitespace()
}

/// The next `key=value` and what follows it. Quotes around the value protect separators in it.
fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(is_separator);
    let mut quote = None;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if (c == '"' || c == '\'') && previous == '=' => quote = Some(c),
            None if is_separator(c) => return Some((&text[..at], &text[at..])),
            None => {}
        }
        previous = c;
    }
    (!text.is_empty()).then_some((text, ""))
}

fn unquote(value: &str) -> &str {
    let inner = ['"', '\'']
        .iter()
        .find_map(|&quote| value.strip_prefix(quote)?.strip_suffix(quote));
    inner.unwrap_or(value)
}

/// The option that `name` was probably meant to be.
fn nearest(name: &str) -> Option<&'static str> {
    let wanted = name.to_ascii_lowercase().replace('-', "_");
    let names = Options::table()
        .into_iter()
        .map(|row| row.name)
        .chain(["include", "include_if_exists"]);
    let (distance, near) = names
        .map(|candidate| (distance(candidate, &wanted), candidate))
        .min()?;
    // A third of the letters wrong is still a misspelling; more is another word.
    (distance <= 1 + near.len() / 3).then_some(near)
}

/// Number of letters to insert, remove, replace or swap with their neighbour to make `b` of `a`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: [Vec<usize>; 3] = [vec![], vec![], (0..=b.len()).collect()];
    for i in 1..=a.len() {
        rows.rotate_left(1);
        let [before, above, _] = &rows;
        let mut row = vec![i];
        for j in 1..=b.len() {
            let mut best = above[j - 1] + (a[i - 1] != b[j - 1]) as usize;
            best = best.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        rows[2] = row;
    }
    rows[2][b.len()]
}

#[cfg(test)]
mod tests {
    use super::super::{Color, ShortCircuits};
    use super::*;

    fn read(text: &str) -> Parsed {
        let mut parsed = Parsed::default();
        parsed.read("TEST", text);
        parsed
    }

    #[test]
    fn all_separators_and_quotes_are_understood() {
        let parsed = read(
            "halt_on_error=1:exitcode=7  log_path='/tmp/a:b c',color=never\nstrip_path_prefix=\"/x y\"::short_circuits=124",
        );
        assert_eq!(parsed.warnings, [""; 0]);
        let expected = Options {
            halt_on_error: true,
            exitcode: 7,
            log_path: "/tmp/a:b c",
            color: Color::Never,
            strip_path_prefix: "/x y",
            short_circuits: ShortCircuits(0b10110),
            ..Options::DEFAULT
        };
        assert_eq!(parsed.options, expected);
    }

    #[test]
    fn the_last_assignment_wins_and_empty_is_nothing() {
        assert_eq!(read("exitcode=1:exitcode=2").options.exitcode, 2);
        assert_eq!(read("").options, Options::DEFAULT);
        assert_eq!(read(" : ").warnings, [""; 0]);
    }

    #[test]
    fn misspelt_names_are_answered_with_the_nearest() {
        for (wrong, right) in [
            ("halt_on_eror=1", "halt_on_error"),
            ("exit_code=1", "exitcode"),
            ("supressions=x", "suppressions"),
            ("log-path=x", "log_path"),
            ("Symbolize=1", "symbolize"),
            ("satts=1", "stats"),
        ] {
            let parsed = read(wrong);
            let name = wrong.split('=').next().unwrap();
            let expected =
                format!("TEST: unknown option `{name}` is ignored; did you mean `{right}`?");
            assert_eq!(parsed.warnings, [expected]);
            assert_eq!(parsed.options, Options::DEFAULT);
        }
        assert_eq!(
            read("frobnicate=1").warnings,
            ["TEST: unknown option `frobnicate` is ignored; help=1 lists all"]
        );
    }

    #[test]
    fn bad_values_keep_the_default() {
        for (wrong, warning) in [
            (
                "exitcode=300",
                "TEST: exitcode=300 is ignored: expected 0..=255",
            ),
            (
                "halt_on_error=maybe",
                "TEST: halt_on_error=maybe is ignored: expected 0 or 1",
            ),
            (
                "color=alwys",
                "TEST: color=alwys is ignored: expected auto, always or never; did you mean always?",
            ),
            ("stats", "TEST: `stats` is not of the form option=value"),
        ] {
            let parsed = read(wrong);
            assert_eq!(parsed.warnings, [warning]);
            assert_eq!(parsed.options, Options::DEFAULT);
        }
    }

    #[test]
    fn files_are_included_and_loops_end() {
        let path = std::env::temp_dir().join(format!("goldilocks-options-{}", std::process::id()));
        let path = path.to_str().unwrap();
        std::fs::write(
            path,
            format!("# comment\nexitcode=9 # more\nstats=1\ninclude={path}\n"),
        )
        .unwrap();
        let parsed = read(&format!("include={path}:verbosity=1"));
        std::fs::remove_file(path).unwrap();
        assert_eq!(
            (
                parsed.options.exitcode,
                parsed.options.stats,
                parsed.options.verbosity
            ),
            (9, true, 1)
        );
        assert_eq!(parsed.warnings.len(), 1);
        assert!(parsed.warnings[0].contains("too many files include files"));
        assert_eq!(read(&format!("include_if_exists={path}")).warnings, [""; 0]);
        assert_eq!(
            read(&format!("include={path}")).warnings,
            [format!("TEST: cannot read {path}: ENOENT")]
        );
    }

    #[test]
    fn foreign_names_are_no_mistakes_but_foreign_values_are() {
        let mut parsed = Parsed::default();
        parsed.read_foreign(
            "TSAN_OPTIONS",
            "second_deadlock_stack=1:exitcode=3:halt_on_error=x",
        );
        assert_eq!(parsed.options.exitcode, 3);
        assert_eq!(parsed.warnings.len(), 1);
    }

    #[test]
    fn distance_counts_edits() {
        for (a, b, expected) in [
            ("", "", 0),
            ("abc", "", 3),
            ("abc", "acb", 1),
            ("kitten", "sitting", 3),
            ("a", "b", 1),
        ] {
            assert_eq!(
                (distance(a, b), distance(b, a)),
                (expected, expected),
                "{a} {b}"
            );
        }
    }
}
