//! Fuzzing without a fuzzer: strings of bytes become traces or texts, and shrink as such.
//!
//! `PROPTEST_CASES=n` sets the number of cases.
#![cfg(not(loom))]

mod support;

use goldilocks_core::trace::Trace;
use proptest::prelude::*;
use support::compare::{check_engine, check_oracle, verdicts};
use support::random::{Bytes, Shape, trace};
use support::replay::{Setup, all_setups};

const SHAPE: Shape = Shape {
    events: 200,
    alive: 5,
    threads: 12,
    memory: 40,
    objects: 16,
    races: 30,
    atomics: 20,
    locks: 0,
    readers: 0,
    thread_events: 10,
    returns: 0,
    kinds: &[],
};

fn config() -> ProptestConfig {
    // Failures become traces in `tests/traces`; a file of seeds would say nothing to a reader.
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_decisions_make_a_trace_that_all_agree_on(decisions in prop::collection::vec(any::<u8>(), 0..3000)) {
        let trace = trace(&mut Bytes(&decisions), SHAPE);
        prop_assert_eq!(trace.check(), Ok(()));
        let verdicts = verdicts(&trace);
        let setups = all_setups();
        let start = decisions.len();
        prop_assert_eq!(check_oracle(&trace, &verdicts), Ok(()), "{}", trace);
        for turn in 0..4 {
            let setup = setups[(start + 31 * turn) % setups.len()];
            for epochs in [setup.epochs, 23] {
                let result = check_engine(&trace, &verdicts, Setup { epochs, ..setup });
                prop_assert_eq!(result.map(|_| ()), Ok(()), "{}", trace);
            }
        }
    }

    #[test]
    fn a_trace_survives_the_round_trip(decisions in prop::collection::vec(any::<u8>(), 0..1000)) {
        let trace = trace(&mut Bytes(&decisions), SHAPE);
        prop_assert_eq!(trace.to_string().parse::<Trace>(), Ok(trace));
    }

    #[test]
    fn any_text_is_a_trace_or_an_error_with_its_line(
        text in "([T0-9x !#\na-z_]{0,40}|T[0-9] (read|write|lock|fork|load|enter|cas) [T0-9x]{0,20} [0-9a-z]{0,8}\n){0,6}",
    ) {
        match text.parse::<Trace>() {
            Ok(trace) => {
                prop_assert_eq!(trace.to_string().parse::<Trace>(), Ok(trace.clone()));
                // Whether it could have happened is another question, which has an answer too.
                if let Err(impossible) = trace.check() {
                    prop_assert!(impossible.event < trace.0.len());
                }
            }
            Err(error) => prop_assert!((1..=text.lines().count()).contains(&error.line)),
        }
    }
}
