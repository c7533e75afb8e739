//! Words that threads read a part at a time, as those of a table of small numbers: whoever writes some bytes races with who has read these, and with nobody else,
//! whatever set the readers are in, and whichever of that a thread knows by heart.

#![cfg(not(loom))]

mod support;

use support::events::Events;
use support::random::{Choices, Random};
use support::replay::Setup;

const AT: u64 = 4096;
/// So many that what becomes of most is known by heart.
const WORDS: u64 = 24;
const THREADS: u64 = 4;

/// The parts of a word that a walk through the table reads: offset and size.
const WALKS: [&[(u64, u64)]; 6] = [
    &[(0, 4), (4, 4)],
    &[(4, 4), (0, 4)],
    &[(0, 4)],
    &[(0, 8)],
    &[(0, 2), (2, 2), (4, 2), (6, 2)],
    &[(0, 1), (1, 1), (2, 1), (3, 1), (4, 4)],
];

fn access(events: &mut Events, thread: u64, kind: &str, word: u64, (offset, bytes): (u64, u64)) {
    let at = AT + 8 * word + offset;
    events.push(thread as usize, &format!("{kind} {at} {bytes}"));
}

/// Some aligned bytes of a word.
fn some_bytes(random: &mut Random) -> (u64, u64) {
    let bytes = 1 << random.below(4);
    (random.below(8 / bytes) * bytes, bytes)
}

/// All know of what all have done; or, each that learns of it does so with this chance.
fn meet(events: &mut Events, random: &mut Random, sixteenths: u64) {
    for _ in 0..2 {
        for thread in 1..=THREADS {
            if random.below(16) < sixteenths {
                events.push(thread as usize, "lock 9");
                events.push(thread as usize, "unlock 9");
            }
        }
    }
}

/// Threads that walk through a table in phases, each as far as it gets at a time.
fn phases(random: &mut Random) -> Events {
    let mut events = Events::default();
    events.fork(1..=THREADS as usize);
    for _ in 0..3 {
        if random.below(3) == 0 {
            let writer = 1 + random.below(THREADS);
            let walk = WALKS[random.below(WALKS.len() as u64) as usize];
            for word in 0..WORDS {
                let all = walk.iter();
                all.for_each(|&part| access(&mut events, writer, "write", word, part));
            }
            meet(&mut events, random, 16);
        }
        let common = WALKS[random.below(WALKS.len() as u64) as usize];
        let mut walks = [common; THREADS as usize];
        if random.below(2) == 0 {
            walks[random.below(THREADS) as usize] =
                WALKS[random.below(WALKS.len() as u64) as usize];
        }
        let mut gone = [0; THREADS as usize];
        // Parts that it reads of its next word, beyond those before.
        let mut parts = [0; THREADS as usize];
        for _ in 0..60 {
            let thread = random.below(THREADS);
            let own = thread as usize;
            for _ in 0..1 + random.below(12) {
                if gone[own] == WORDS {
                    break;
                }
                let part = walks[own][parts[own]];
                access(&mut events, thread + 1, "read", gone[own], part);
                parts[own] += 1;
                if parts[own] == walks[own].len() {
                    (gone[own], parts[own]) = (gone[own] + 1, 0);
                }
            }
            if parts[own] > 0 && random.below(2) == 0 {
                // Again what it has read of the word, after it was somewhere else, before it goes on with the rest.
                let before = gone[own].saturating_sub(1);
                access(&mut events, thread + 1, "read", before, walks[own][0]);
                access(&mut events, thread + 1, "read", gone[own], walks[own][0]);
            }
            let word = random.below(WORDS);
            match random.below(40) {
                0 => access(&mut events, thread + 1, "write", word, some_bytes(random)),
                1..4 => access(&mut events, thread + 1, "read", word, some_bytes(random)),
                4 => events.epoch(own + 1),
                _ => {}
            }
        }
        let sixteenths = [16, 16, 14, 14, 12, 8][random.below(6) as usize];
        meet(&mut events, random, sixteenths);
    }
    for word in 0..WORDS {
        let writer = 1 + random.below(THREADS);
        access(&mut events, writer, "write", word, some_bytes(random));
    }
    events
}

#[test]
fn tables_that_threads_walk_through_in_parts() {
    let mut random = Random(42);
    for _ in 0..40 {
        let events = phases(&mut random);
        // Each walk from one place, or from one for each part of a word.
        for alike in [false, true] {
            let of_loops = |setup| Setup {
                loops: true,
                alike,
                few_words: 1,
                ..setup
            };
            events.check_all(of_loops);
        }
    }
}
