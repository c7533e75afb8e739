//! `ui/`: the text of reports, compared to the letter with `ui/NAME.stderr` after what differs from run to run is replaced.
//!
//! `GOLDILOCKS_BLESS=1` writes the present text there; look at the difference before you commit it.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use regex::Regex;

use crate::compiled::Program;
use crate::directives::Directives;
use crate::{execute, place};

pub fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = place::sources("ui")
        .into_iter()
        .map(|source| {
            Trial::test(format!("ui/{}", place::name(&source)), move || {
                Ok(test(&source)?)
            })
        })
        .collect();
    trials.push(Trial::test("ui/normalization", || Ok(normalization()?)));
    trials
}

fn test(source: &Path) -> Result<(), String> {
    let directives = Directives::read(source)?;
    let level = directives.levels[0].clone();
    let outcome = Program::new("ui", source, &level, directives)?.output()?;
    let now = normalized(&outcome.stderr, source);
    let golden = source.with_extension("stderr");
    if std::env::var_os("GOLDILOCKS_BLESS").is_some() {
        return fs::write(&golden, now).map_err(|error| error.to_string());
    }
    let expected =
        fs::read_to_string(&golden).map_err(|error| format!("{}: {error}", golden.display()))?;
    if now == expected {
        return Ok(());
    }
    Err(format!(
        "the report changed (GOLDILOCKS_BLESS=1 accepts it)\n{}",
        difference(&expected, &now)
    ))
}

/// The text without what no two runs share: addresses, process ids, folders, versions of the C library.
fn normalized(text: &str, source: &Path) -> String {
    let folder = source
        .parent()
        .unwrap_or(Path::new("."))
        .display()
        .to_string();
    let results = place::results("ui").display().to_string();
    let mut text = text.replace(&folder, "$DIR").replace(&results, "$OUT");
    for (pattern, replacement) in [
        (r"pid=\d+", "pid=PID"),
        (r"0x[0-9a-f]{4,}", "0xADDRESS"),
        (r"\+0x[0-9a-f]+", "+0xOFFSET"),
        (r"([a-z]+)-[0-9a-f]{8}\b", "$1-ID"),
        (r"(pid=PID\)) +", "$1  "),
        (r"(?m)[^\s(]*/(lib[\w+.-]*\.so)[.0-9]*", "$1"),
        (r"(?m)[ \t]+$", ""),
    ] {
        let pattern = Regex::new(pattern).expect("the pattern is constant");
        text = pattern.replace_all(&text, replacement).into_owned();
    }
    text
}

/// Both texts where they differ.
fn difference(expected: &str, now: &str) -> String {
    let (expected, now): (Vec<_>, Vec<_>) = (expected.lines().collect(), now.lines().collect());
    let same = expected
        .iter()
        .zip(&now)
        .take_while(|(a, b)| a == b)
        .count();
    let tail = |lines: &[&str]| lines[same.min(lines.len())..].join("\n");
    let (expected, now) = (tail(&expected), tail(&now));
    format!(
        "from line {} on\n--- expected\n{expected}\n--- now\n{now}\n{}",
        same + 1,
        execute::shown("", "")
    )
}

fn normalization() -> Result<(), String> {
    let text = "pid=42 0x7f001234 $ (/lib/x86_64-linux-gnu/libc.so.6+0x89123) /a/b/x.c:3:4 size 8 race-0a1b2c3d \n";
    let now = normalized(text, Path::new("/a/b/x.c"));
    let expected = "pid=PID 0xADDRESS $ (libc.so+0xADDRESS) $DIR/x.c:3:4 size 8 race-ID\n";
    if now == expected { Ok(()) } else { Err(now) }
}
