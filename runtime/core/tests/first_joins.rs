//! The first words that would have a read set get records; a set is made for the next ones.

#![cfg(not(loom))]

mod support;

use goldilocks_core::goldilocks::Config;
use goldilocks_core::trace::Trace;
use std::fmt::Write;
use support::replay::{Outcome, Setup, replay};

fn outcome(text: &str) -> Outcome {
    let trace: Trace = text.parse().expect("a trace");
    assert_eq!(trace.check(), Ok(()));
    let setup = Setup {
        config: Config::default(),
        epochs: 1 << 14,
        sc0: true,
        quick: true,
        late: false,
        names: usize::MAX,
        loops: false,
        row_bytes: 0,
        few_words: FEW,
        returns: 1,
    };
    replay(&trace, setup)
}

/// Not more than a thread has at hand.
const FEW: u8 = 2;

/// Threads, which then have records at hand: each has written the halves of words of its own in different epochs.
fn threads() -> String {
    let mut text = "T0 write 0x1000 64\nT0 fork T1\nT0 fork T2\nT0 fork T3\n".to_string();
    for thread in 1..=3 {
        for half in 0..4 {
            let at = 0x1000 * (1 + thread) + 4 * half;
            writeln!(
                text,
                "T{thread} write {at} 4\nT{thread} lock {thread}\nT{thread} unlock {thread}"
            )
            .unwrap();
        }
    }
    text
}

/// How many words have records because of what comes after [`threads`].
fn records(after: &str) -> usize {
    outcome(&(threads() + after)).records - outcome(&threads()).records
}

/// Three threads read so many words, each all of them in one epoch, in which it reads another one first.
fn reads(words: u64) -> String {
    let mut text = String::new();
    for thread in 1..=3 {
        writeln!(text, "T{thread} read {} 8", 0x8000 + 64 * thread).unwrap();
        for word in 0..words {
            writeln!(text, "T{thread} read {} 8", 0x1000 + 8 * word).unwrap();
        }
    }
    text
}

#[test]
fn few_words_have_records_and_more_have_a_set() {
    for words in 1..=FEW as u64 {
        assert_eq!(records(&reads(words)) as u64, words);
    }
    // The first ones keep their records; the set that is made for the next one is known to all others.
    assert_eq!(records(&reads(8)), FEW as usize);
}

#[test]
fn another_epoch_is_another_set() {
    // No more than a thread has at hand.
    const WORDS: u64 = 3;
    // Between any two words their readers go on.
    let mut text = String::new();
    for word in 0..WORDS {
        for thread in 1..=3 {
            let (before, at) = (0x8000 + 64 * thread, 0x1000 + 8 * word);
            writeln!(text, "T{thread} write {before} 8\nT{thread} read {at} 8").unwrap();
            writeln!(text, "T{thread} lock {thread}\nT{thread} unlock {thread}").unwrap();
        }
    }
    assert_eq!(records(&text) as u64, WORDS);
}

#[test]
fn whoever_reads_is_remembered() {
    for words in [1, 8] {
        for last in 0..words {
            let at = 0x1000 + 8 * last;
            // T0 knows of none of them, and then of two.
            let unknown = threads() + &reads(words) + &format!("T0 write {at} 8\n");
            let joined = threads()
                + &reads(words)
                + &format!("T1 end\nT0 join T1\nT3 end\nT0 join T3\nT0 write {at} 8\n");
            for (text, readers) in [(unknown, 3), (joined, 1)] {
                let outcome = outcome(&text);
                let races = outcome.reports.last().expect("there are events");
                assert_eq!(races.len(), 8 * readers, "{text}");
            }
        }
    }
}
