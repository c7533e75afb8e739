//! `rust/race` and `rust/norace`: programs in Rust, a file each, compiled by `goldilocks-rustc` with the instrumented standard
//! library; a racy and a silent one for each of its means of synchronization.

use libtest_mimic::Trial;

use crate::compiled::Verdict;
use crate::{place, twins};

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (folder, verdict) in [("race", Verdict::Race), ("norace", Verdict::Silent)] {
        let suite = format!("rust/{folder}");
        for source in place::files(&place::tests().join(&suite), &["rs"]) {
            trials.extend(twins::at_every_level(&suite, &source, move |_| verdict));
        }
    }
    trials
}
