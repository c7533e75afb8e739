//! `lifecycle/`: the detector in the life of a process, from before main to after exit.
//!
//! A program that expects something on standard error is judged by that and by its status, that of a finding unless it
//! says otherwise; one that expects nothing must be silent.

use libtest_mimic::Trial;

use crate::compiled::Verdict;
use crate::directives::Directives;
use crate::{place, twins};

pub fn trials() -> Vec<Trial> {
    let sources = place::sources("lifecycle");
    sources
        .iter()
        .flat_map(|source| twins::at_every_level("lifecycle", source, verdict))
        .collect()
}

fn verdict(directives: &Directives) -> Verdict {
    if directives.expect.is_empty() {
        Verdict::Silent
    } else {
        Verdict::Stated
    }
}
