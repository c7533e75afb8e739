//! The first words that would have a read set get records; a set is made for the next ones.

#![cfg(not(loom))]

mod support;

use goldilocks_core::goldilocks::Config;
use goldilocks_core::trace::Trace;
use std::fmt::Write;
use support::replay::{Outcome, Setup, replay};

fn outcome(text: &str) -> Outcome {
    outcome_with(text, Config::default(), From::ManyPlaces)
}

/// Where threads read words from.
#[derive(Clone, Copy, PartialEq)]
enum From {
    OnePlace,
    OnePlaceEach,
    ManyPlaces,
}

fn outcome_with(text: &str, config: Config, from: From) -> Outcome {
    let trace: Trace = text.parse().expect("a trace");
    assert_eq!(trace.check(), Ok(()));
    let setup = Setup {
        config,
        epochs: 1 << 14,
        sc0: true,
        quick: true,
        late: false,
        names: usize::MAX,
        loops: from != From::ManyPlaces,
        alike: from == From::OnePlace,
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

/// Three threads that come back to so many words in each of six epochs, and to each word one after the other.
fn rounds(words: u64) -> String {
    let mut text = String::new();
    for thread in (0..6).flat_map(|_| 1..=3) {
        writeln!(text, "T{thread} lock {thread}\nT{thread} unlock {thread}").unwrap();
        for word in 0..words {
            writeln!(text, "T{thread} read {} 8", 0x1000 + 8 * word).unwrap();
        }
    }
    text
}

/// What there is no room to keep is in sets, if it is many words that have the same readers, who read each from one place.
#[test]
fn many_words_that_are_not_kept_have_sets() {
    const WORDS: u64 = 32;
    let room = |kept_reads| Config {
        kept_reads,
        ..Config::default()
    };
    let records = |kept_reads, words, from| {
        let outcome = |text: &str| outcome_with(text, room(kept_reads), from);
        let before = outcome(&threads()).records;
        outcome(&(threads() + &rounds(words))).records - before
    };
    let kept = records(4096, WORDS, From::OnePlace);
    assert!(kept as u64 > WORDS * 3 / 4, "{kept}");
    let not_kept = records(1, WORDS, From::OnePlace);
    assert!(not_kept <= 8, "{not_kept}");
    for from in [From::OnePlaceEach, From::ManyPlaces] {
        let not_kept = records(1, WORDS, from);
        assert!(not_kept as u64 > WORDS * 3 / 4, "{not_kept}");
    }
    // Few words keep their records, as others come back to these as well.
    assert_eq!(records(1, FEW as u64, From::OnePlace), FEW as usize);
    // Whoever has read is remembered, and who has written before: T0 knows of no reader, then of two, and T4 of nothing.
    let write = format!("T0 fork T4\nT0 write {} {}\n", 0x1000, 8 * WORDS);
    for word in 0..WORDS {
        let at = 0x1000 + 8 * word;
        let unknown = format!("T0 write {at} 8\n");
        let known = format!("T1 end\nT0 join T1\nT3 end\nT0 join T3\nT0 write {at} 8\n");
        let nothing = format!("T4 write {at} 8\n");
        for (end, others) in [(unknown, 3), (known, 1), (nothing, 4)] {
            let text = write.clone() + &threads() + &rounds(WORDS) + &end;
            let outcome = outcome_with(&text, room(1), From::OnePlace);
            let races = outcome.reports.last().expect("there are events");
            assert_eq!(races.len(), 8 * others, "{at:x}: {end}");
        }
    }
}
