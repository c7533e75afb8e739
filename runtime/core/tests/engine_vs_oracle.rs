//! The engine, the eager rules and the definition of happens-before agree on random executions.
//!
//! `GOLDILOCKS_TRACES=n` sets the number of traces of each shape, `GOLDILOCKS_SEED=n` the first seed.

#![cfg(not(loom))]

mod support;

use goldilocks_core::event::Access;
use goldilocks_core::goldilocks::Counts;
use goldilocks_core::trace::Trace;
use support::compare::{check_engine, check_oracle, verdicts};
use support::random::{Random, Shape, trace};
use support::replay::{Setup, all_setups};
use support::shrink::shrink;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(default, |value| value.parse().expect("a number"))
}

fn fail(
    trace: &Trace,
    seed: u64,
    message: &str,
    still_fails: impl Fn(&Trace) -> Option<String>,
) -> ! {
    let small = shrink(trace, |candidate| still_fails(candidate).is_some());
    let reason = still_fails(&small).unwrap_or_else(|| message.to_string());
    panic!("seed {seed}: {message}\nmade small: {reason}\n{small}");
}

/// What a run exercised, so that a test can insist that it tested something.
#[derive(Default)]
struct Coverage {
    counts: Counts,
    races: usize,
    quiet_accesses: usize,
    sweeps: usize,
    sc0: usize,
    quick: usize,
    heard: usize,
    records: usize,
    cut_short: usize,
}

/// Runs `traces` random traces of a shape, each with `setups_per_trace` of the setups.
fn run(shape: Shape, traces: u64, setups: &[Setup], setups_per_trace: u64) -> Coverage {
    let first_seed = setting("GOLDILOCKS_SEED", 1);
    let mut coverage = Coverage::default();
    for seed in first_seed..first_seed + traces {
        let mut random = Random(seed);
        let trace = trace(&mut random, shape);
        let expected = verdicts(&trace);
        coverage.races += expected.iter().filter(|verdict| verdict.races()).count();
        let accesses = trace
            .0
            .iter()
            .zip(&expected)
            .filter(|(event, _)| event.action.access().is_some());
        coverage.quiet_accesses += accesses.filter(|(_, verdict)| !verdict.races()).count();
        if let Err(message) = check_oracle(&trace, &expected) {
            fail(&trace, seed, &message, |t| {
                check_oracle(t, &verdicts(t)).err()
            });
        }
        for turn in 0..setups_per_trace {
            let setup = setups[((seed * setups_per_trace + turn) % setups.len() as u64) as usize];
            match check_engine(&trace, &expected, setup) {
                Ok(outcome) => {
                    coverage.counts.add(&outcome.counts);
                    coverage.sweeps += outcome.sweeps;
                    coverage.sc0 += outcome.sc0;
                    coverage.quick += outcome.quick;
                    coverage.heard += outcome.heard;
                    coverage.records += outcome.records;
                    coverage.cut_short += (outcome.reports.len() < trace.0.len()) as usize;
                }
                Err(message) => fail(&trace, seed, &message, |t| {
                    check_engine(t, &verdicts(t), setup).err()
                }),
            }
        }
    }
    coverage
}

/// Runs random traces of a shape, as many as there are by default, with seven of all setups each: none is cut short, and some accesses race, but fewer than do not.
fn run_whole(shape: Shape, traces: u64) -> Coverage {
    let traces = setting("GOLDILOCKS_TRACES", traces);
    let coverage = run(shape, traces, &all_setups(), 7);
    assert_eq!(coverage.cut_short, 0);
    assert!(coverage.races > 0 && coverage.quiet_accesses > coverage.races);
    coverage
}

const FEW_THREADS: Shape = Shape {
    events: 150,
    alive: 4,
    threads: 8,
    memory: 24,
    objects: 16,
    races: 15,
    atomics: 0,
    locks: 0,
    readers: 0,
    thread_events: 6,
    returns: 0,
    kinds: &[],
};

#[test]
fn few_threads_on_few_words() {
    let coverage = run(
        FEW_THREADS,
        setting("GOLDILOCKS_TRACES", 1500),
        &all_setups(),
        7,
    );
    assert_eq!(coverage.cut_short, 0);
    assert!(coverage.races > 0 && coverage.quiet_accesses > 3 * coverage.races);
    assert!(coverage.sc0 > 0 && coverage.quick > 0 && coverage.records > 0);
    let counts = coverage.counts;
    for count in [
        counts.sc1,
        counts.sc2,
        counts.sc3,
        counts.walks,
        counts.evaluations,
        counts.unordered,
        counts.settled,
    ] {
        assert!(count > 0, "{counts:?}");
    }
}

#[test]
fn every_setup_on_the_same_traces() {
    let setups = all_setups();
    let shape = Shape {
        events: 80,
        memory: 80,
        races: 20,
        ..FEW_THREADS
    };
    let coverage = run(
        shape,
        setting("GOLDILOCKS_TRACES", 60),
        &setups,
        setups.len() as u64,
    );
    assert_eq!(coverage.cut_short, 0);
    assert!(coverage.races > 0);
}

#[test]
fn atomics_and_fences() {
    let shape = Shape {
        objects: 8,
        races: 30,
        atomics: 95,
        ..FEW_THREADS
    };
    let coverage = run_whole(shape, 700);
    assert!(coverage.heard > 1000, "{}", coverage.heard);
}

/// Sync epochs that go on because nobody has learned of them, and those of which somebody has.
#[test]
fn mutexes_that_are_taken_again_and_again() {
    let shape = Shape {
        events: 100,
        alive: 3,
        memory: 16,
        races: 50,
        locks: 90,
        ..FEW_THREADS
    };
    run_whole(shape, 1500);
}

/// The same beside all else that tells of a thread's sync epochs: atomics, fences, locks for readers.
#[test]
fn locks_that_are_taken_back_between_other_sources() {
    let shape = Shape {
        events: 120,
        alive: 3,
        memory: 16,
        races: 50,
        atomics: 40,
        locks: 90,
        thread_events: 3,
        ..FEW_THREADS
    };
    let coverage = run_whole(shape, 2500);
    let went_back = coverage.counts.went_back;
    assert!(went_back > 10_000, "{went_back}");
}

/// Locks that several threads read under, so that what they release waits until there is a writer, or until its thread learns something.
#[test]
fn readers_of_locks_whose_releases_wait() {
    let shape = Shape {
        events: 200,
        alive: 5,
        memory: 16,
        races: 30,
        readers: 95,
        thread_events: 3,
        ..FEW_THREADS
    };
    let coverage = run_whole(shape, 1500);
    let waited = coverage.counts.waited;
    println!("waited {waited}");
    assert!(waited > 10_000, "{waited}");
}

/// Words that several threads come to alike, as loops do, so that a thread knows by heart what becomes of most.
#[test]
fn words_that_go_the_same_way() {
    let shape = Shape {
        events: 300,
        alive: 3,
        threads: 6,
        memory: 128,
        thread_events: 3,
        ..FEW_THREADS
    };
    let coverage = run_whole(shape, 1500);
    let steps = coverage.counts.quick_steps;
    println!("steps {steps}");
    assert!(steps > 1000, "{steps}");
}

/// What all read in each of their epochs, which they keep to themselves.
#[test]
fn readers_that_come_back() {
    let shape = Shape {
        events: 300,
        alive: 3,
        threads: 5,
        memory: 16,
        races: 60,
        thread_events: 2,
        returns: 75,
        kinds: &[Access::Read],
        ..FEW_THREADS
    };
    let coverage = run_whole(shape, 1500);
    let kept = coverage.counts.quick_kept;
    println!("kept {kept}");
    assert!(kept > 1000, "{kept}");
}

/// As above, with atomic accesses among what comes back.
#[test]
fn atomics_that_all_come_back_to() {
    use Access::{AtomicRead, AtomicWrite, Read};
    let all: [&[Access]; 4] = [
        &[AtomicWrite],
        &[AtomicRead, AtomicWrite],
        &[Read, AtomicRead],
        &[Read, AtomicRead, AtomicWrite],
    ];
    for kinds in all {
        let shape = Shape {
            events: 300,
            alive: 4,
            threads: 7,
            memory: 16,
            races: 40,
            thread_events: 2,
            returns: 85,
            kinds,
            ..FEW_THREADS
        };
        let coverage = run_whole(shape, 700);
        let kept = coverage.counts.quick_kept;
        println!("kept {kept} of {kinds:?}");
        assert!(kept > 500, "{kept} of {kinds:?}");
    }
}

#[test]
fn many_threads_whose_slots_are_reused() {
    let shape = Shape {
        events: 700,
        alive: 12,
        threads: 40,
        memory: 136,
        objects: 16,
        races: 2,
        atomics: 0,
        locks: 0,
        readers: 0,
        thread_events: 25,
        returns: 0,
        kinds: &[],
    };
    let coverage = run(shape, setting("GOLDILOCKS_TRACES", 100), &all_setups(), 4);
    assert_eq!(coverage.cut_short, 0);
}

#[test]
fn one_thread_after_the_other() {
    let shape = Shape {
        events: 120,
        alive: 3,
        threads: 40,
        memory: 8,
        objects: 8,
        races: 10,
        atomics: 0,
        locks: 0,
        readers: 0,
        thread_events: 40,
        returns: 0,
        kinds: &[],
    };
    run(shape, setting("GOLDILOCKS_TRACES", 700), &all_setups(), 6);
}

#[test]
fn epoch_ids_that_run_out() {
    let setups: Vec<Setup> = all_setups()
        .into_iter()
        .map(|setup| Setup {
            epochs: 20,
            ..setup
        })
        .collect();
    let shape = Shape {
        events: 400,
        memory: 16,
        ..FEW_THREADS
    };
    let traces = setting("GOLDILOCKS_TRACES", 400);
    let coverage = run(shape, traces, &setups, 4);
    assert!(coverage.sweeps as u64 > traces, "{}", coverage.sweeps);
    assert!(
        (coverage.cut_short as u64) < traces,
        "{}",
        coverage.cut_short
    );
}
