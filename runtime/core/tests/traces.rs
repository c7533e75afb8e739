//! The traces in `tests/traces`: the engine under every setup, the eager rules and the definition say what is written there.

#![cfg(not(loom))]

mod support;

use goldilocks_core::trace::Trace;
use std::path::{Path, PathBuf};
use support::compare::{check_engine, check_oracle, verdicts};
use support::replay::all_setups;

fn traces() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/traces");
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "trace")
    });
    paths.sort();
    paths
}

fn check(text: &str) -> Result<(), String> {
    let trace: Trace = text.parse().map_err(|error| format!("{error}"))?;
    trace
        .check()
        .map_err(|impossible| format!("event {}: {}", impossible.event, impossible.reason))?;
    let verdicts = verdicts(&trace);
    for (index, (event, verdict)) in trace.0.iter().zip(&verdicts).enumerate() {
        if event.races != verdict.races() {
            return Err(format!(
                "event {index} ({event}): the definition disagrees with what is written"
            ));
        }
    }
    check_oracle(&trace, &verdicts)?;
    for setup in all_setups() {
        check_engine(&trace, &verdicts, setup)?;
    }
    Ok(())
}

#[test]
fn every_trace_is_judged_as_written() {
    let paths = traces();
    assert!(
        paths
            .iter()
            .any(|path| path.ends_with("alock_of_the_previous_owner.trace")),
        "{paths:?}"
    );
    let mut failures = Vec::new();
    for path in paths {
        if let Err(message) = check(&std::fs::read_to_string(&path).unwrap()) {
            failures.push(format!("{}: {message}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_wrong_expectation_is_noticed() {
    assert!(check("T0 fork T1\nT0 write 0x1000 8\nT1 write 0x1000 8").is_err());
    assert!(check("T0 fork T1\nT0 write 0x1000 8\nT1 write 0x1008 8 !").is_err());
    assert!(check("T1 write 0x1000 8").is_err());
}
