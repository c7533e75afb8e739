//! Any text is a trace or an error with its line; a trace is written as it can be read again, and whether it could have
//! happened has an answer.
#![no_main]

use goldilocks_core::trace::Trace;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Trace>() {
        Ok(trace) => {
            assert_eq!(trace.to_string().parse::<Trace>().as_ref(), Ok(&trace));
            if let Err(impossible) = trace.check() {
                assert!(impossible.event < trace.0.len());
            }
        }
        Err(error) => assert!((1..=text.lines().count()).contains(&error.line)),
    }
});
