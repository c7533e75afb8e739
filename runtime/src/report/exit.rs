//! What is said at the end of a run that had findings: one line per report, and what was suppressed.

use super::frames::Line;
use super::model::ReportKind;
use super::render::{plural, rust, user_line};

/// A report as the summary remembers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub kind: ReportKind,
    pub title: String,
    pub fingerprint: u32,
    /// The variable, if it has a name.
    pub subject: Option<String>,
    /// Functions of both sides, or of all parts.
    pub functions: Vec<String>,
}

impl Told {
    /// By which users and suppressions refer to it.
    fn name(&self) -> String {
        format!("{}-{:08x}", self.kind.family().word(), self.fingerprint)
    }

    /// The functions of all sides.
    fn where_it_is(&self) -> String {
        let mut functions = self.functions.clone();
        functions.dedup();
        functions.join(" / ")
    }

    /// What the summary says of a stack: the function that the reader has written.
    pub fn function(stack: &Option<Vec<Line>>) -> String {
        let line = user_line(stack.as_deref());
        match line.map(|line| (line, line.identity())) {
            Some((line, name)) if name == line.function && !name.is_empty() => rust::readable(line),
            Some((_, name)) if !name.is_empty() => name,
            _ => "?".into(),
        }
    }
}

/// Of a run in which detection has ended before the program did.
pub const INCOMPLETE: &str = "\
Goldilocks: detection has ended before the program did: races after that were not found (GOLDILOCKS_OPTIONS=help=1: epoch_groups)
";

/// The summary of all reports, `occurrences` of each. Empty if there were none.
pub fn summary(told: &[Told], occurrences: &[u64]) -> String {
    if told.is_empty() {
        return String::new();
    }
    let total: u64 = occurrences.iter().map(|&times| times.max(1)).sum();
    let races = told
        .iter()
        .filter(|told| told.kind == ReportKind::DataRace)
        .count();
    let noun = if races == told.len() {
        "data race"
    } else {
        "finding"
    };
    let total = plural(total as usize, "occurrence");
    let mut text = format!("Goldilocks: {} ({total})\n", plural(told.len(), noun));
    let subjects: Vec<String> = told
        .iter()
        .map(|told| {
            told.subject
                .as_ref()
                .map(|name| format!("`{name}`"))
                .unwrap_or_default()
        })
        .collect();
    let width = subjects
        .iter()
        .map(|subject| subject.chars().count())
        .max()
        .unwrap_or(0)
        .min(40);
    for ((told, subject), times) in told.iter().zip(&subjects).zip(occurrences) {
        let functions = told.where_it_is();
        let kind = if noun == "finding" {
            format!("{}: ", told.title)
        } else {
            String::new()
        };
        let times = plural((*times).max(1) as usize, "time");
        text += &format!(
            "  {}  {subject:width$}  {kind}{functions}  {times}\n",
            told.name()
        );
    }
    text
}

/// The line for `summary_path`.
pub fn line(program: &str, told: &Told) -> String {
    let subject = told.subject.as_deref().unwrap_or_default();
    let fields = [program, &told.name(), subject, &told.where_it_is()];
    // A tab or a line's end in a name of a file would be taken for ours.
    fields
        .map(|field| field.replace(['\t', '\n'], " "))
        .join("\t")
        + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::case::Resolved;
    use super::super::render::tests::example;
    use super::*;

    #[test]
    fn one_line_per_report_and_none_for_none() {
        assert_eq!(summary(&[], &[]), "");
        let first = Told {
            fingerprint: 0x7f3a_91c2,
            subject: Some("c->hits".into()),
            ..example().told(None)
        };
        let mut second = Told {
            fingerprint: 1,
            subject: None,
            ..first.clone()
        };
        second.functions[1] = "bump_a".into();
        let expected = "\
Goldilocks: 2 data races (17 occurrences)
  race-7f3a91c2  `c->hits`  bump_a / bump_b  16 times
  race-00000001             bump_a  1 time
";
        assert_eq!(
            summary(&[first.clone(), second.clone()], &[16, 1]),
            expected
        );
        assert_eq!(
            line("/a\tb/c", &first),
            "/a b/c\trace-7f3a91c2\tc->hits\tbump_a / bump_b\n"
        );
        second.kind = ReportKind::DoubleFreeRace;
        second.title = second.kind.title().into();
        let text = summary(&[first, second], &[16, 1]);
        assert!(
            text.starts_with("Goldilocks: 2 findings (17 occurrences)\n"),
            "{text}"
        );
        assert!(
            text.contains("  data race between two frees: bump_a  1 time\n"),
            "{text}"
        );
    }
}
