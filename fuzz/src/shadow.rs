//! Bytes become the decisions of a random execution; engine, shadow, eager rules and definition agree on it, with few epoch
//! ids and many, whatever short circuits are used.
#![no_main]

#[path = "../../runtime/core/tests/support/mod.rs"]
mod support;

use libfuzzer_sys::fuzz_target;
use support::compare::{check_engine, check_oracle, verdicts};
use support::random::{Bytes, Shape, trace};
use support::replay::{Setup, all_setups};

const SHAPE: Shape = Shape {
    events: 120,
    alive: 4,
    threads: 10,
    memory: 32,
    objects: 16,
    races: 30,
    atomics: 20,
    thread_events: 12,
};

fuzz_target!(|bytes: &[u8]| {
    let [choice, decisions @ ..] = bytes else {
        return;
    };
    let trace = trace(&mut Bytes(decisions), SHAPE);
    let verdicts = verdicts(&trace);
    if let Err(message) = check_oracle(&trace, &verdicts) {
        panic!("{message}\n{trace}");
    }
    let setups = all_setups();
    let setup = setups[*choice as usize % setups.len()];
    for epochs in [setup.epochs, 20] {
        if let Err(message) = check_engine(&trace, &verdicts, Setup { epochs, ..setup }) {
            panic!("{message}\n{trace}");
        }
    }
});
