//! `--readme`: the results in `benches/README.md`, between two marks, so that no number in there is written by hand.

use std::path::Path;

use anyhow::{Context, Result};

use crate::bar;
use crate::case::Group;
use crate::charts;
use crate::machine;
use crate::place;
use crate::plan::Plan;
use crate::suite::Measured;
use crate::table;

const BEGIN: &str = "<!-- results: written by `cargo xtask bench --readme` -->\n";
const END: &str = "<!-- end of results -->\n";

/// Where the plots are, beside the text.
const PLOTS: &str = "plots";

pub fn write(measured: &[Measured], plan: &Plan) -> Result<()> {
    let folder = place::benches();
    let written = charts::write(measured, &plan.tools, &folder.join(PLOTS))?;
    write_between((BEGIN, END), &results(measured, plan, &written))
}

/// Writes what is between two marks.
pub fn write_between(marks: (&str, &str), results: &str) -> Result<()> {
    let path = place::benches().join("README.md");
    let text =
        std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let text = replaced(&text, marks, results)
        .with_context(|| format!("{} has not the two marks", path.display()))?;
    std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
}

/// The text with something else between the marks.
fn replaced(text: &str, (begin, end): (&str, &str), results: &str) -> Option<String> {
    let (before, rest) = text.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n{results}\n{end}{after}"))
}

fn results(measured: &[Measured], plan: &Plan, plots: &[&str]) -> String {
    let mut text = String::new();
    let rounds = measured.iter().map(|m| m.rounds.len()).max().unwrap_or(0);
    let kind = if plan.quick { "quick" } else { "full" };
    text += &format!("A {kind} run of {rounds} rounds.\n\n| | |\n|---|---|\n");
    for (name, value) in machine::facts(&plan.tools) {
        text += &format!("| {name} | {value} |\n");
    }
    text += "\nWhat is to be reached:\n\n| demand | |\n|---|---|\n";
    for verdict in bar::verdicts(measured) {
        text += &format!("| {} | {} |\n", verdict.demand, verdict.outcome());
    }
    for m in measured.iter().filter(|m| !m.failures.is_empty()) {
        text += &format!(
            "\n**{} has failed**: what is said of it here is worth nothing.\n",
            m.case.name
        );
    }
    for (name, about) in charts::FILES {
        if plots.contains(&name) {
            text += &format!("\n![{about}]({})\n", Path::new(PLOTS).join(name).display());
        }
    }
    text += &format!("\n{}\n", table::markdown(measured, &plan.tools).trim_end());
    text + &workloads(measured)
}

/// What each of them does.
fn workloads(measured: &[Measured]) -> String {
    let mut text = "\n| workload | what it does |\n|---|---|\n".to_owned();
    let mut last = None;
    for m in measured {
        // The cases of a workload come one after another, but for those with many threads or without any, and the long ones.
        let workload = (&m.case.workload.source, &m.case.workload.about);
        let again = matches!(
            m.case.group,
            Group::Many | Group::Single | Group::Short | Group::Long
        );
        if last != Some(workload) && !again {
            let name = match m.case.group {
                Group::Micro { .. } => format!("micro/{}", m.case.workload.name),
                _ => m.case.name.clone(),
            };
            text += &format!("| {name} | {} |\n", workload.1);
        }
        last = Some(workload);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let text = format!("before\n{BEGIN}old\n{END}after\n");
        let expected = format!("before\n{BEGIN}\nnew\n{END}after\n");
        assert_eq!(
            replaced(&text, (BEGIN, END), "new").as_deref(),
            Some(expected.as_str())
        );
        assert_eq!(replaced("no marks", (BEGIN, END), "new"), None);
    }

    #[test]
    fn the_text_has_the_marks() {
        let text = std::fs::read_to_string(place::benches().join("README.md")).unwrap();
        assert!(replaced(&text, (BEGIN, END), "").is_some());
    }
}
