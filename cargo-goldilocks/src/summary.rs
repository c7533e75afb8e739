//! What the programs of a run have found: each appends a line per report to one file (the runtime's option `summary_path`).

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Exit status of a run with findings, as it is that of a program with one.
pub const FINDING: u8 = 66;

/// The file of a run; it goes with this.
pub struct Summary {
    file: PathBuf,
}

impl Summary {
    /// In the folder for temporary files: programs may run anywhere. What a killed run of the same process number has left
    /// there is not ours, so the time is part of the name.
    pub fn of_this_run() -> Summary {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let name = format!(
            "goldilocks-findings-{}-{}",
            std::process::id(),
            now.unwrap_or_default().as_nanos()
        );
        Summary {
            file: std::env::temp_dir().join(name),
        }
    }

    /// `GOLDILOCKS_OPTIONS` for the programs: the user's word comes last.
    pub fn options(&self, given: Option<&OsStr>) -> OsString {
        let mut options = OsString::from("summary_path='");
        options.push(&self.file);
        options.push("'");
        if let Some(given) = given {
            options.push(":");
            options.push(given);
        }
        options
    }

    /// What to tell at the end; `None` if nothing was found.
    pub fn text(&self) -> Option<String> {
        render(&std::fs::read_to_string(&self.file).ok()?)
    }
}

impl Drop for Summary {
    fn drop(&mut self) {
        // Without findings there is none.
        let _ = std::fs::remove_file(&self.file);
    }
}

/// Reports of one name are one, in however many programs they were made.
fn render(lines: &str) -> Option<String> {
    let mut reports: BTreeMap<(&str, &str), (&str, Vec<&str>)> = BTreeMap::new();
    for line in lines.lines() {
        if let [program, name, subject, functions] = line.split('\t').collect::<Vec<_>>()[..] {
            let program = Path::new(program).file_name().and_then(OsStr::to_str);
            // Which of two functions comes first is a matter of chance.
            let report = reports.entry((name, subject)).or_default();
            if report.0.is_empty() || functions < report.0 {
                report.0 = functions;
            }
            report.1.push(program.unwrap_or_default());
        }
    }
    if reports.is_empty() {
        return None;
    }
    let noun = match (
        reports.len(),
        reports.keys().all(|(name, ..)| name.starts_with("race-")),
    ) {
        (1, true) => "data race",
        (_, true) => "data races",
        (1, false) => "finding",
        (_, false) => "findings",
    };
    let mut text = format!("goldilocks: {} {noun} in this run\n", reports.len());
    for ((name, subject), (functions, mut programs)) in reports {
        programs.sort_unstable();
        programs.dedup();
        let subject = if subject.is_empty() {
            String::new()
        } else {
            format!("`{subject}`  ")
        };
        text += &format!(
            "  {name}  {subject}{functions}  in {}\n",
            programs.join(", ")
        );
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_one_name_are_one() {
        let lines =
            "/t/debug/deps/a-1\trace-01\tX\tg / f\n/t/b\trace-01\tX\tf / g\n/t/b\trace-02\t\th\n";
        assert_eq!(
            render(lines).unwrap(),
            "goldilocks: 2 data races in this run\n  race-01  `X`  f / g  in a-1, b\n  race-02  h  in b\n"
        );
        assert_eq!(
            render("/t/b\tdeadlock-02\t\th\n").unwrap(),
            "goldilocks: 1 finding in this run\n  deadlock-02  h  in b\n"
        );
        assert_eq!(render(""), None);
    }

    #[test]
    fn the_users_options_come_last() {
        let summary = Summary::of_this_run();
        let options = summary.options(Some(OsStr::new("exitcode=0")));
        assert!(options.to_str().unwrap().ends_with("':exitcode=0"));
    }
}
