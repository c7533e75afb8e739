//! What nothing can race with any more takes no room; what something can, stays.

#![cfg(not(loom))]

mod support;

use goldilocks_core::goldilocks::Config;
use goldilocks_core::trace::Trace;
use std::fmt::Write;
use support::replay::{Outcome, Setup, replay};

const WORDS: u64 = 40;

/// Of these, so many are written before it is looked again what is settled.
const SOME: u64 = WORDS * 3 / 4;

/// T0 writes the first two bytes of words, and then T1 the upper half, which no cell says together. A third thread knows of that if `all_know`.
fn parts(all_know: bool) -> String {
    let mut text = "T0 fork T1\nT0 fork T2\n".to_string();
    for word in 0..WORDS {
        let at = 0x1000 + 8 * word;
        writeln!(text, "T0 write {at} 2\nT0 lock 1\nT0 unlock 1").unwrap();
        let heirs = if all_know { &[1, 2][..] } else { &[1] };
        for heir in heirs {
            writeln!(text, "T{heir} lock 1\nT{heir} unlock 1").unwrap();
        }
        let above = at + 4;
        writeln!(text, "T1 write {above} 4\nT1 lock 1\nT1 unlock 1").unwrap();
    }
    text
}

fn outcome(text: &str, settle_after: u32) -> Outcome {
    let config = Config {
        settle_after,
        ..Config::default()
    };
    outcome_with(text, config, 1 << 14)
}

fn outcome_with(text: &str, config: Config, epochs: usize) -> Outcome {
    let trace: Trace = text.parse().expect("a trace");
    assert_eq!(trace.check(), Ok(()));
    let setup = Setup {
        config,
        epochs,
        sc0: true,
        quick: true,
        late: false,
        names: usize::MAX,
        loops: false,
        alike: false,
        row_bytes: 0,
        few_words: 1,
        returns: 1,
    };
    replay(&trace, setup)
}

#[test]
fn what_all_know_needs_no_record() {
    let kept = outcome(&parts(true), 0);
    assert_eq!((kept.records as u64, kept.counts.settled), (WORDS, 0));
    let forgotten = outcome(&parts(true), 1);
    assert!(forgotten.counts.settled > 0);
    assert!(forgotten.records as u64 <= SOME);
}

#[test]
fn what_one_does_not_know_stays_and_races() {
    let text = parts(false) + "T2 read 0x1000 8\n";
    let outcome = outcome(&text, 1);
    assert_eq!(outcome.records as u64, WORDS);
    let last = outcome.reports.last().expect("there are events");
    assert_eq!(last.len(), 6, "each byte races");
}

/// What one thread has written and others read needs no record, but is looked for as well.
#[test]
fn reads_beside_writes_are_a_reason_to_look() {
    let mut text = "T0 fork T1\nT0 fork T2\n".to_string();
    for word in 0..WORDS {
        writeln!(text, "T0 write {} 8", 0x1000 + 8 * word).unwrap();
    }
    text += "T0 lock 1\nT0 unlock 1\n";
    for heir in [1, 2] {
        writeln!(text, "T{heir} lock 1\nT{heir} unlock 1").unwrap();
    }
    let without_reads = outcome(&text, 1);
    assert_eq!(without_reads.counts.settled, 0);
    for word in 0..WORDS {
        writeln!(text, "T1 read {} 8", 0x1000 + 8 * word).unwrap();
    }
    let outcome = outcome(&text, 1);
    assert_eq!(outcome.records, 0);
    assert!(outcome.counts.settled > 0);
}

/// The first thread does nothing before it knows what the one that it joins knows.
#[test]
fn who_joins_does_not_count() {
    let text = parts(true).replace("T0", "T3").replace("T2", "T0");
    let begin = "T0 fork T3\nT3 fork T1\n";
    let (_, rest) = text.split_once("fork T0\n").expect("forks");
    let without: String = rest
        .lines()
        .filter(|line| !line.starts_with("T0"))
        .fold(String::new(), |all, line| all + line + "\n");
    let joined = format!("{begin}{without}T3 end\nT0 join T3\n");
    assert!(outcome(&joined, 1).records as u64 <= SOME);
    let busy = format!("{begin}{without}T0 read 0x2000 4\nT3 end\nT0 join T3\n");
    assert_eq!(outcome(&busy, 1).records as u64, WORDS);
}

/// More threads than a record has room for, at one word, and then more epochs than there are ids.
#[test]
fn what_many_have_done_outlives_a_sweep() {
    const MANY: usize = 20;
    let mut text = String::new();
    for thread in 1..=MANY {
        writeln!(text, "T0 fork T{thread}\nT{thread} atomic_read 0x1000 4").unwrap();
    }
    for turn in 0..200 {
        let thread = turn % 2;
        let at = 0x2000 + 8 * thread;
        writeln!(
            text,
            "T{thread} write {at} 4\nT{thread} lock 1\nT{thread} unlock 1"
        )
        .unwrap();
    }
    text += "T0 write 0x1000 4\n";
    let outcome = outcome_with(&text, Config::default(), 64);
    assert!(outcome.sweeps > 0);
    let last = outcome.reports.last().expect("there are events");
    // But for the one that the writer has learned of.
    assert_eq!(last.len(), 4 * (MANY - 1));
}
