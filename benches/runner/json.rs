//! The file of all numbers.

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::{Map, Value, json};

use crate::case::Group;
use crate::machine;
use crate::measure::Run;
use crate::plan::Plan;
use crate::suite::{Measured, cpu, peak, wall};
use crate::tool::Tool;

/// Every run: seconds and KiB, in the order in which they were made; and what follows from them.
pub fn text(measured: &[Measured], plan: &Plan) -> Result<String> {
    let workloads: Map<String, Value> = measured
        .iter()
        .map(|m| (m.case.name.clone(), workload(m, plan)))
        .collect();
    let document = json!({
        "version": 2,
        "quick": plan.quick,
        "machine": machine::facts(&plan.tools).into_iter().collect::<BTreeMap<_, _>>(),
        "tools": plan.tools.iter().map(|tool| tool.name()).collect::<Vec<_>>(),
        "workloads": workloads,
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn workload(m: &Measured, plan: &Plan) -> Value {
    let runs: Map<String, Value> = plan
        .tools
        .iter()
        .map(|tool| {
            let runs = m.rounds.iter().filter_map(|round| round.get(tool));
            (tool.name().to_owned(), runs.map(run).collect())
        })
        .collect();
    let (ours, theirs, native) = (Tool::Goldilocks, Tool::ThreadSanitizer, Tool::Native);
    let mut value = json!({
        "about": m.case.workload.about,
        "group": m.case.group.name(),
        "arguments": m.case.arguments,
        "runs": runs,
        "cpu": { "of_native": m.ratio(ours, native, cpu), "of_tsan": m.ratio(ours, theirs, cpu) },
        "wall": { "of_native": m.ratio(ours, native, wall), "of_tsan": m.ratio(ours, theirs, wall) },
        "peak": { "of_native": m.ratio(ours, native, peak), "of_tsan": m.ratio(ours, theirs, peak) },
        "extra_memory_of_tsan": m.extra_memory(ours),
        "counters": m.counters,
        "failures": m.failures,
    });
    if let Group::Micro { threads, sync } = m.case.group {
        value["threads"] = threads.into();
        value["sync"] = sync.into();
        value["extra_event_of_tsan"] = m.extra_event(ours).into();
    }
    value
}

fn run(run: &Run) -> Value {
    json!({ "cpu_s": run.cpu, "wall_s": run.wall, "peak_kib": run.peak, "event_ns": run.event })
}
