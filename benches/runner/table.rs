//! The tables for the screen.

use crate::case::Group;
use crate::statistic::{median, spread};
use crate::suite::{Measured, cpu, mean, peak, wall};
use crate::tool::Tool;

const ABSENT: &str = "-";

pub fn screen(measured: &[Measured], tools: &[Tool]) -> String {
    tables(measured, tools)
        .iter()
        .map(|rows| aligned(rows) + "\n")
        .collect()
}

/// The same as Markdown.
pub fn markdown(measured: &[Measured], tools: &[Tool]) -> String {
    tables(measured, tools)
        .iter()
        .map(|rows| piped(rows) + "\n")
        .collect()
}

/// That of programs and that of events, if there are such. The first row is the head.
fn tables(measured: &[Measured], tools: &[Tool]) -> Vec<Vec<Vec<String>>> {
    let compared: Vec<Tool> = tools
        .iter()
        .copied()
        .filter(|tool| *tool != Tool::Native)
        .collect();
    let (micro, programs): (Vec<&Measured>, Vec<&Measured>) = measured
        .iter()
        .partition(|m| matches!(m.case.group, Group::Micro { .. }));
    let mut tables = Vec::new();
    if !programs.is_empty() {
        tables.push(table(&programs, &compared));
    }
    if !micro.is_empty() {
        tables.push(events(&micro, &compared));
    }
    tables
}

/// Times are multiples of the native run's; `share` is Goldilocks' part of what ThreadSanitizer takes, and in brackets the
/// smallest and the largest of the rounds.
fn table(measured: &[&Measured], tools: &[Tool]) -> Vec<Vec<String>> {
    let mut head = vec!["CPU time, memory".to_owned(), "native s".to_owned()];
    head.extend(tools.iter().map(|tool| tool.name().to_owned()));
    head.extend(["share", "(spread)", "wall share", "native MB"].map(str::to_owned));
    head.extend(tools.iter().map(|tool| tool.name().to_owned()));
    head.push("extra share".to_owned());
    let mut rows = vec![head];
    for m in measured {
        let mut row = vec![m.case.name.clone(), seconds(m)];
        row.extend(
            tools
                .iter()
                .map(|tool| times(m.ratio(*tool, Tool::Native, cpu))),
        );
        let (ours, theirs) = (Tool::Goldilocks, Tool::ThreadSanitizer);
        row.push(share(m.ratio(ours, theirs, cpu)));
        row.push(bounds(&m.ratios(ours, theirs, cpu)));
        row.push(share(m.ratio(ours, theirs, wall)));
        row.push(megabytes(m));
        row.extend(
            tools
                .iter()
                .map(|tool| times(m.ratio(*tool, Tool::Native, peak))),
        );
        row.push(share(m.extra_memory(ours)));
        rows.push(row);
    }
    for group in [
        Group::Kernel,
        Group::Program,
        Group::Rust,
        Group::Many,
        Group::Single,
    ] {
        rows.extend(means(measured, group, tools));
    }
    rows
}

/// Geometric means of a group, if there are two to take it of.
fn means(measured: &[&Measured], group: Group, tools: &[Tool]) -> Option<Vec<String>> {
    let members: Vec<&Measured> = measured
        .iter()
        .copied()
        .filter(|m| m.case.group == group)
        .collect();
    if members.len() < 2 {
        return None;
    }
    let over = |of: &dyn Fn(&Measured) -> Option<f64>| mean(members.iter().copied(), of);
    let mut row = vec![format!("mean: {}", group.name()), String::new()];
    for tool in tools {
        row.push(times(over(&|m| m.ratio(*tool, Tool::Native, cpu))));
    }
    let (ours, theirs) = (Tool::Goldilocks, Tool::ThreadSanitizer);
    row.push(share(over(&|m| m.ratio(ours, theirs, cpu))));
    row.push(String::new());
    row.push(share(over(&|m| m.ratio(ours, theirs, wall))));
    row.push(String::new());
    for tool in tools {
        row.push(times(over(&|m| m.ratio(*tool, Tool::Native, peak))));
    }
    row.push(share(over(&|m| Some(m.extra_memory(ours)?.max(1e-3)))));
    Some(row)
}

/// What an event of each micro-benchmark costs, in nanoseconds beyond the native build's.
fn events(measured: &[&Measured], tools: &[Tool]) -> Vec<Vec<String>> {
    let mut head = vec!["ns per event".to_owned(), "native".to_owned()];
    head.extend(tools.iter().map(|tool| format!("+{}", tool.name())));
    head.push("share".to_owned());
    let mut rows = vec![head];
    for m in measured {
        let native = m.values(Tool::Native, |run| run.event.unwrap_or(f64::NAN));
        let mut row = vec![m.case.name.clone(), nanoseconds(&native)];
        for tool in tools {
            let extra: Vec<f64> = m
                .rounds
                .iter()
                .filter_map(|round| {
                    Some(round.get(tool)?.event? - round.get(&Tool::Native)?.event?)
                })
                .collect();
            row.push(nanoseconds(&extra));
        }
        row.push(share(m.extra_event(Tool::Goldilocks)));
        rows.push(row);
    }
    rows
}

fn seconds(m: &Measured) -> String {
    let values = m.values(Tool::Native, cpu);
    if values.is_empty() {
        return ABSENT.to_owned();
    }
    format!("{:.3}", median(&values))
}

fn megabytes(m: &Measured) -> String {
    let values = m.values(Tool::Native, peak);
    if values.is_empty() {
        return ABSENT.to_owned();
    }
    format!("{:.1}", median(&values) / 1024.0)
}

fn nanoseconds(values: &[f64]) -> String {
    if values.is_empty() {
        return ABSENT.to_owned();
    }
    format!("{:.1}", median(values))
}

fn times(ratio: Option<f64>) -> String {
    ratio.map_or(ABSENT.to_owned(), |ratio| format!("{ratio:.2}x"))
}

fn share(ratio: Option<f64>) -> String {
    ratio.map_or(ABSENT.to_owned(), |ratio| format!("{ratio:.2}"))
}

fn bounds(ratios: &[f64]) -> String {
    if ratios.len() < 2 {
        return String::new();
    }
    let (low, high) = spread(ratios);
    format!("({low:.2}-{high:.2})")
}

/// Columns as wide as they must be, the first one to the left and the others to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            line += &if column == 0 {
                format!("{cell:<width$}")
            } else {
                format!("  {cell:>width$}")
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A table of Markdown, whose first row is the head.
fn piped(rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        text += &format!("| {} |\n", row.join(" | "));
        if number == 0 {
            text += &format!("|---|{}\n", "---:|".repeat(row.len() - 1));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [["a", "1.00x"], ["longer", "2x"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(aligned(&rows), "a       1.00x\nlonger     2x\n");
        assert_eq!(piped(&rows), "| a | 1.00x |\n|---|---:|\n| longer | 2x |\n");
    }

    #[test]
    fn what_was_not_measured_is_no_number() {
        assert_eq!(times(None), ABSENT);
        assert_eq!(bounds(&[1.0]), "");
        assert_eq!(bounds(&[1.5, 1.0]), "(1.00-1.50)");
    }
}
