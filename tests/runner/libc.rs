//! `libc/`: what functions of the C library do to memory, one row per function (see `libc/rows.h`), and that none was forgotten.
//!
//! | test | what it holds |
//! |---|---|
//! | `libc/FILE/racy` | per row, the number of races is that of the bytes that the call reads or writes, each in the call |
//! | `libc/FILE/ordered` | nothing is reported if the threads are ordered |
//! | `libc/every_interceptor_has_a_row` | the rows are of all interceptors, but for those of `libc/elsewhere.txt` |
//! | `libc/every_function_is_accounted_for` | what the system's libraries export is intercepted, or in `runtime/libc_symbols.txt` |

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use libtest_mimic::Trial;
use regex::Regex;

use crate::directives::Exit;
use crate::execute::Outcome;
use crate::{execute, exports, place};

const LIMIT: Duration = Duration::from_secs(120);

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for source in place::sources("libc") {
        for mode in ["racy", "ordered"] {
            let source = source.clone();
            trials.push(Trial::test(
                format!("libc/{}/{mode}", place::name(&source)),
                move || Ok(rows_of_file(&source, mode)?),
            ));
        }
    }
    trials.push(Trial::test("libc/every_interceptor_has_a_row", || {
        Ok(every_interceptor_has_a_row()?)
    }));
    trials.push(Trial::test("libc/every_function_is_accounted_for", || {
        Ok(every_function_is_accounted_for()?)
    }));
    trials
}

/// Compiles and runs a file, and judges what it says.
fn rows_of_file(source: &Path, mode: &str) -> Result<(), String> {
    let folder = place::results("libc");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let program = folder.join(format!("{}-{mode}", place::name(source)));
    let mut compile = Command::new(place::compiler(source));
    compile
        .args(["-O1", "-g", "-pthread", "-fno-builtin", "-w"])
        .arg(format!("-I{}", place::tests().join("libc").display()))
        .arg(format!(
            "-I{}",
            place::tests().join("programs/include").display()
        ))
        .arg(source)
        .arg("-o")
        .arg(&program)
        .arg("-lm");
    let build = folder.join(format!("{}-{mode}.build", place::name(source)));
    let built = execute::run(&mut compile, &build, LIMIT)?;
    if built.exit != Exit::Code(0) {
        return Err(told("does not compile", &built, &compile));
    }
    let list = folder.join(format!("{}-{mode}.rows", place::name(source)));
    let mut run = Command::new("sh");
    run.env("PROGRAM", &program)
        .env("ROWS", &list)
        .env("GOLDILOCKS_OPTIONS", "show_source=0")
        .args(["-c", "exec \"$PROGRAM\" \"$0\" 3>\"$ROWS\"", mode]);
    let outcome = execute::run(&mut run, &program, LIMIT)?;
    let rows = Rows::parse(&fs::read_to_string(&list).unwrap_or_default())?;
    let complaints = match mode {
        "ordered" => rows.ordered(&outcome),
        _ => rows.racy(&outcome),
    };
    if complaints.is_empty() {
        return Ok(());
    }
    Err(told(&complaints.join("\n"), &outcome, &run))
}

fn told(what: &str, outcome: &Outcome, command: &Command) -> String {
    format!(
        "{what}\n{}$ {}",
        execute::shown(&outcome.stdout, &outcome.stderr),
        execute::display(command)
    )
}

/// The rows that a program has run: name, bytes that were read, bytes that were written.
struct Rows(Vec<(String, u64, u64)>);

impl Rows {
    fn parse(text: &str) -> Result<Rows, String> {
        let row = |line: &str| {
            let mut words = line.strip_prefix("ROW ")?.split(' ');
            let name = words.next()?.to_owned();
            Some((
                name,
                words.next()?.parse().ok()?,
                words.next()?.parse().ok()?,
            ))
        };
        let rows = text
            .lines()
            .map(|line| row(line).ok_or_else(|| format!("`{line}` is no row")));
        Ok(Rows(rows.collect::<Result<_, _>>()?))
    }

    fn ordered(&self, outcome: &Outcome) -> Vec<String> {
        let mut complaints = Vec::new();
        if outcome.exit != Exit::Code(0) {
            complaints.push(format!("ended with {:?}", outcome.exit));
        }
        if outcome.stderr.contains("Goldilocks") {
            complaints.push("something was reported".to_owned());
        }
        if self.0.is_empty() {
            complaints.push("there are no rows".to_owned());
        }
        complaints
    }

    fn racy(&self, outcome: &Outcome) -> Vec<String> {
        let mut complaints = Vec::new();
        if outcome.exit != Exit::Code(66) {
            complaints.push(format!("ended with {:?}", outcome.exit));
        }
        let mut found = occurrences(&outcome.stderr);
        for (name, read, written) in &self.0 {
            for (probe, kind, expected) in [
                ("inside_write", "read", *read),
                ("inside_read", "written", *written),
            ] {
                // Functions with a list of arguments are called by one that has them.
                let calls = ["call_", "list_"]
                    .map(|prefix| found.remove(&(probe.to_owned(), format!("{prefix}{name}"))));
                let races: u64 = calls.into_iter().flatten().sum();
                if races != expected {
                    complaints.push(format!(
                        "{name}: {expected} bytes are {kind}, {races} raced"
                    ));
                }
            }
        }
        for ((current, earlier), times) in found {
            complaints.push(format!(
                "{times} races of `{current}` with `{earlier}` are none of a row"
            ));
        }
        complaints
    }
}

/// Of the summary at the end: how many races there were between two functions.
fn occurrences(summary: &str) -> BTreeMap<(String, String), u64> {
    let line = Regex::new(r"(?m)^  race-\S+ .*?(\S+)(?: / (\S+))?  (\d+) times?$").expect("valid");
    let mut found = BTreeMap::new();
    for captures in line.captures_iter(summary) {
        let word = |index: usize| {
            captures
                .get(index)
                .map_or(String::new(), |word| word.as_str().to_owned())
        };
        *found.entry((word(1), word(2))).or_insert(0) += word(3).parse().unwrap_or(0);
    }
    found
}

/// Names of functions in a file of groups: a line that begins with `:` is a reason, the others are names.
fn names(path: &Path) -> Result<BTreeSet<String>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut names = BTreeSet::new();
    let mut reason = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        if line.starts_with(':') {
            reason = true;
        } else if !reason {
            return Err(format!("{}: `{line}` has no reason", path.display()));
        } else {
            names.extend(line.split_whitespace().map(str::to_owned));
        }
    }
    Ok(names)
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern
        .strip_suffix('*')
        .map_or(pattern == name, |prefix| name.starts_with(prefix))
}

fn elsewhere() -> PathBuf {
    place::tests().join("libc/elsewhere.txt")
}

fn every_interceptor_has_a_row() -> Result<(), String> {
    let row = Regex::new(
        r"(?m)^\s*(?:[A-Z0-9]+|WITH_LOCALE|NUMBER_IN_LOCALE|USES_ALONE|USES_OTHER)\((\w+)",
    )
    .expect("valid");
    let mut tried = BTreeSet::new();
    for source in place::sources("libc") {
        let text = fs::read_to_string(&source).map_err(|error| error.to_string())?;
        tried.extend(row.captures_iter(&text).map(|captures| {
            let name = &captures[1];
            name.split_once("_V_")
                .map_or(name, |(name, _)| name)
                .to_owned()
        }));
    }
    let elsewhere = names(&elsewhere())?;
    let intercepted = exports::interceptors()?;
    let is_elsewhere = |name: &str| elsewhere.iter().any(|pattern| matches(pattern, name));
    let without: Vec<_> = intercepted
        .iter()
        .filter(|name| !tried.contains(*name) && !is_elsewhere(name))
        .collect();
    let gone: Vec<_> = elsewhere
        .iter()
        .filter(|pattern| !intercepted.iter().any(|name| matches(pattern, name)))
        .collect();
    let twice: Vec<_> = tried
        .iter()
        .filter(|name| elsewhere.contains(*name))
        .collect();
    if without.is_empty() && gone.is_empty() && twice.is_empty() {
        return Ok(());
    }
    Err(format!(
        "neither a row nor in {}: {without:?}\nthere, but not intercepted: {gone:?}\nthere, though it has a row: {twice:?}",
        elsewhere_name()
    ))
}

fn elsewhere_name() -> String {
    elsewhere().display().to_string()
}

fn every_function_is_accounted_for() -> Result<(), String> {
    let list = place::tests().join("../runtime/libc_symbols.txt");
    let listed = names(&list)?;
    let intercepted = exports::interceptors()?;
    let unknown: Vec<String> = exports::functions_of(&["libc.so.6", "libm.so.6"])?
        .into_iter()
        .filter(|name| !intercepted.contains(name))
        .filter(|name| !listed.iter().any(|pattern| matches(pattern, name)))
        .collect();
    let both: Vec<_> = listed.intersection(&intercepted).collect();
    if unknown.is_empty() && both.is_empty() {
        return Ok(());
    }
    Err(format!(
        "neither intercepted nor in {}: {unknown:?}\nboth: {both:?}",
        list.display()
    ))
}
