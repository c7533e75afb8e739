//! The charts of a run.

use std::path::Path;

use anyhow::{Context, Result};

use crate::case::Group;
use crate::measure::Run;
use crate::plot::{self, Chart, Row};
use crate::suite::{Measured, cpu, peak};
use crate::tool::Tool;

/// Names of the files, with what they show.
pub const FILES: [(&str, &str); 3] = [
    ("cpu.svg", "CPU time as a multiple of the native run's"),
    (
        "memory.svg",
        "Peak memory as a multiple of the native run's",
    ),
    (
        "events.svg",
        "What a sync event costs beyond native, as a share of ThreadSanitizer's, by number of threads",
    ),
];

/// Writes those of which something was measured into `folder`, and gives their names.
pub fn write(measured: &[Measured], tools: &[Tool], folder: &Path) -> Result<Vec<&'static str>> {
    std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    let charts = [
        multiples(measured, tools, FILES[0].1, cpu, Some(8.0)),
        multiples(measured, tools, FILES[1].1, peak, None),
        events(measured),
    ];
    let mut written = Vec::new();
    for ((name, _), chart) in FILES.iter().zip(charts) {
        let path = folder.join(name);
        if chart.rows.is_empty() {
            continue;
        }
        std::fs::write(&path, plot::svg(&chart))
            .with_context(|| format!("writing {}", path.display()))?;
        written.push(*name);
    }
    Ok(written)
}

fn multiples(
    measured: &[Measured],
    tools: &[Tool],
    title: &str,
    of: fn(&Run) -> f64,
    mark: Option<f64>,
) -> Chart {
    let compared: Vec<Tool> = tools
        .iter()
        .copied()
        .filter(|tool| *tool != Tool::Native)
        .collect();
    let programs = measured.iter().filter(|m| {
        matches!(m.case.group, Group::Kernel | Group::Program | Group::Single)
            && !m.rounds.is_empty()
    });
    Chart {
        title: title.to_owned(),
        unit: "times native".to_owned(),
        series: compared.iter().map(|tool| tool.name().to_owned()).collect(),
        rows: programs
            .map(|m| Row {
                label: m.case.name.clone(),
                values: compared
                    .iter()
                    .map(|tool| m.ratio(*tool, Tool::Native, of))
                    .collect(),
            })
            .collect(),
        marks: [Some(1.0), mark].into_iter().flatten().collect(),
    }
}

fn events(measured: &[Measured]) -> Chart {
    let mut counts: Vec<usize> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for m in measured {
        if let Group::Micro {
            threads,
            sync: true,
        } = m.case.group
        {
            counts.push(threads);
            names.push(&m.case.workload.name);
        }
    }
    counts.sort_unstable();
    counts.dedup();
    names.dedup();
    let value = |name: &str, threads: usize| {
        let is_it = |m: &&Measured| {
            m.case.workload.name == name
                && m.case.group
                    == (Group::Micro {
                        threads,
                        sync: true,
                    })
        };
        measured.iter().find(is_it)?.extra_event(Tool::Goldilocks)
    };
    Chart {
        title: FILES[2].1.to_owned(),
        unit: "of ThreadSanitizer's".to_owned(),
        series: counts
            .iter()
            .map(|count| format!("{count} threads"))
            .collect(),
        rows: names
            .iter()
            .map(|name| Row {
                label: (*name).to_owned(),
                values: counts.iter().map(|count| value(name, *count)).collect(),
            })
            .collect(),
        marks: vec![0.5, 1.0],
    }
}
