//! Every workload does what it is to do, with next to nothing to do: no build of it is silent about its seeded race or says
//! anything without it. Nothing is timed.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use crate::build::{self, Build};
use crate::case::{Case, Group};
use crate::place;
use crate::suite;
use crate::tool::Tool;
use crate::workload::{self, Workload};

const LIMIT: Duration = Duration::from_secs(30);

fn workloads() -> Vec<Workload> {
    ["programs", "micro"]
        .iter()
        .flat_map(|folder| workload::all(&place::benches().join(folder)).unwrap())
        .collect()
}

/// What is wrong with it, if anything is.
fn judge(workload: &Rc<Workload>) -> anyhow::Result<()> {
    let mut variants = vec![workload.threads[0]];
    variants.extend(workload.single.then_some(0));
    for threads in variants {
        let mut arguments = workload.smoke.clone();
        arguments.push(threads.to_string());
        let case = Case {
            name: format!("smoke-{}-{threads}", workload.name),
            group: Group::Kernel,
            workload: workload.clone(),
            arguments,
            skipped: &[],
        };
        let native = suite::successful(&case, Tool::Native, "", LIMIT)?.stdout;
        let ours = suite::successful(&case, Tool::Goldilocks, "", LIMIT)?.stdout;
        anyhow::ensure!(!native.is_empty(), "it prints nothing");
        anyhow::ensure!(native == ours, "it prints {native:?}, but with us {ours:?}");
    }
    suite::seeded(workload)
}

#[test]
fn workloads_are_silent_and_their_seeded_races_are_reported() {
    let workloads: Vec<Rc<Workload>> = workloads().into_iter().map(Rc::new).collect();
    assert!(workloads.len() > 20);
    let mut builds = BTreeSet::new();
    for workload in &workloads {
        for (tool, seeded) in [
            (Tool::Native, false),
            (Tool::Goldilocks, false),
            (Tool::Goldilocks, true),
        ] {
            builds.insert(Build::new(&workload.source, tool, seeded));
        }
    }
    let mut wrong: Vec<String> = build::all(builds)
        .unwrap()
        .into_iter()
        .map(|(build, error)| format!("{build:?}: {error:#}"))
        .collect();
    if wrong.is_empty() {
        for workload in &workloads {
            if let Err(error) = judge(workload) {
                wrong.push(format!("{}: {error:#}", workload.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
