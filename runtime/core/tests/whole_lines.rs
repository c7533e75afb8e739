//! Reads of whole lines, each word of which was written from somewhere else.

#![cfg(not(loom))]

mod support;

use goldilocks_core::goldilocks::Config;
use goldilocks_core::trace::Trace;
use std::collections::BTreeSet;
use support::replay::{Setup, replay};

const LINES: usize = 3;

fn setup(quick: bool) -> Setup {
    Setup {
        config: Config::default(),
        epochs: 1 << 14,
        sc0: true,
        quick,
        late: false,
        names: usize::MAX,
        loops: false,
        alike: false,
        row_bytes: 0,
        few_words: 1,
        returns: 1,
    }
}

/// T0 writes words, those of which `alike` says so together with the one before, T1 and T2 learn of that and read all of them, and T3, who knows
/// nothing, writes all: it races with each of the three at every word, and whose event is where is said.
fn each_word_has_its_own_writer(alike: impl Fn(usize) -> bool, quick: bool) {
    let (base, words) = (0x1000, 8 * LINES);
    let mut events: Vec<String> = (1..=3).map(|thread| format!("T0 fork T{thread}")).collect();
    let mut writes = Vec::new();
    let mut word = 0;
    while word < words {
        let count = 1 + (word + 1..words).take_while(|&next| alike(next)).count();
        writes.extend(vec![events.len(); count]);
        events.push(format!("T0 write {} {}", base + 8 * word, 8 * count));
        word += count;
    }
    events.extend(["T0 lock 1", "T0 unlock 1"].map(str::to_owned));
    let mut reads = Vec::new();
    for reader in [1, 2] {
        events.extend(["lock 1", "unlock 1"].map(|action| format!("T{reader} {action}")));
        reads.push(events.len());
        events.push(format!("T{reader} read {base} {}", 8 * words));
    }
    events.push(format!("T3 write {base} {}", 8 * words));
    let trace: Trace = events.join("\n").parse().expect("a trace");
    assert_eq!(trace.check(), Ok(()));
    let outcome = replay(&trace, setup(quick));
    assert!(
        outcome.records == 0,
        "sets and pairs of sites are enough, and no word needs a record"
    );
    for (at, reports) in outcome.reports.iter().enumerate() {
        if at + 1 < events.len() {
            assert!(reports.is_empty(), "event {at}: {reports:?}");
            continue;
        }
        for byte in 0..8 * words {
            let earlier: BTreeSet<usize> = reports
                .iter()
                .filter(|report| report.byte == (base + byte) as u64)
                .map(|report| report.earlier)
                .collect();
            let expected = BTreeSet::from([writes[byte / 8], reads[0], reads[1]]);
            assert_eq!(earlier, expected, "byte {byte}");
        }
    }
}

#[test]
fn words_that_are_alike() {
    for quick in [false, true] {
        each_word_has_its_own_writer(|_| true, quick);
    }
}

#[test]
fn words_that_are_all_different() {
    for quick in [false, true] {
        each_word_has_its_own_writer(|_| false, quick);
    }
}

#[test]
fn pairs_of_words() {
    for quick in [false, true] {
        each_word_has_its_own_writer(|word| word % 2 == 1, quick);
        each_word_has_its_own_writer(|word| word % 8 > 2, quick);
    }
}

/// T1 and T2 read all words again and again, each time in another epoch, as does T0, which has written them; T3, who knows nothing, writes all: it
/// races with the last read of each, and with the write.
fn readers_come_back(quick: bool) {
    const ROUNDS: usize = 5;
    let (base, bytes) = (0x1000, 64 * LINES);
    let mut events: Vec<String> = (1..=3).map(|thread| format!("T0 fork T{thread}")).collect();
    let write = events.len();
    events.push(format!("T0 write {base} {bytes}"));
    events.extend(["T0 lock 9", "T0 unlock 9"].map(str::to_owned));
    for reader in [1, 2] {
        events.extend(["lock 9", "unlock 9"].map(|action| format!("T{reader} {action}")));
    }
    let mut expected = BTreeSet::new();
    for round in 0..ROUNDS {
        for reader in [0, 1, 2] {
            // A lock of its own: another epoch, and nobody learns anything.
            for action in ["lock", "unlock"] {
                events.push(format!("T{reader} {action} {}", 1 + reader));
            }
            if round + 1 == ROUNDS {
                expected.insert(events.len());
            }
            events.push(format!("T{reader} read {base} {bytes}"));
        }
    }
    expected.insert(write);
    events.push(format!("T3 write {base} {bytes}"));
    let trace: Trace = events.join("\n").parse().expect("a trace");
    assert_eq!(trace.check(), Ok(()));
    let outcome = replay(&trace, setup(quick));
    assert_eq!(outcome.records, 0, "all words have one set of readers");
    for byte in 0..bytes {
        let earlier: BTreeSet<usize> = outcome
            .reports
            .last()
            .expect("of the last event")
            .iter()
            .filter(|report| report.byte == (base + byte) as u64)
            .map(|report| report.earlier)
            .collect();
        assert_eq!(earlier, expected, "byte {byte}");
    }
    let before = &outcome.reports[..events.len() - 1];
    assert!(before.iter().all(|reports| reports.is_empty()));
}

#[test]
fn words_whose_readers_come_back() {
    for quick in [false, true] {
        readers_come_back(quick);
    }
}
