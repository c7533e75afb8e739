//! Verdicts while other threads append and evaluate: right under every interleaving (up to a bound on preemptions).
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p goldilocks-core --test loom_engine --release`
#![cfg(loom)]

use goldilocks_core::epoch::{EpochId, EpochTable};
use goldilocks_core::event::{Effect, Entity, Role};
use goldilocks_core::goldilocks::{Config, Engine, ShortCircuits, Thread};
use goldilocks_core::line::Relation;
use goldilocks_core::tag::Tag;
use loom::sync::atomic::AtomicU64;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::sync::{Arc, Mutex};
use loom::thread;

fn explore(preemptions: usize, test: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(test);
}

/// Without short circuits, so that everything is decided by walks and checkpoints.
fn engine(walk_limit: usize, list_bound: usize) -> Engine {
    // Every event is to be in the list at once: it is the list that is looked at.
    engine_that(false, walk_limit, list_bound)
}

fn engine_that(defer_releases: bool, walk_limit: usize, list_bound: usize) -> Engine {
    // Lost with each execution, which is why it is small.
    let epochs = Box::leak(Box::new(std::array::from_fn::<_, 8, _>(|_| {
        AtomicU64::new(0)
    })));
    let short_circuits = ShortCircuits {
        sc1: false,
        sc2: false,
        sc3: false,
    };
    Engine::new(
        EpochTable::new(epochs),
        4,
        Config {
            short_circuits,
            walk_limit,
            list_bound,
            defer_releases,
            goes_back: true,
            settle_after: 0,
            kept_reads: 0,
        },
    )
}

fn mutex(number: u64) -> Entity {
    Entity::object(number, Role::Object)
}

fn access(engine: &Engine, thread: &mut Thread) -> EpochId {
    engine
        .epoch_for_access(thread)
        .expect("there are enough ids")
}

fn ordered(engine: &Engine, thread: &mut Thread, epoch: EpochId) -> bool {
    let tag = Tag::new(epoch, false, 0xff);
    match engine.relation(thread, tag) {
        Relation::Before => true,
        Relation::Unordered => false,
        Relation::Unknown => {
            let verdict = engine.evaluate(thread, tag);
            let now = engine.relation(thread, tag);
            assert_eq!(
                now,
                if verdict {
                    Relation::Before
                } else {
                    Relation::Unordered
                }
            );
            verdict
        }
    }
}

/// One thread accesses and releases twice, another acquires if it can tell that the first release has happened, a third
/// only adds to the list. Every verdict of the second is known in advance.
fn verdicts_beside_evaluation(walk_limit: usize, list_bound: usize) {
    let engine = Arc::new(engine(walk_limit, list_bound));
    let mut first = engine.unrelated_thread().unwrap();
    let mut second = engine.fork(&mut first, 1, 0).unwrap();
    let early = access(&engine, &mut first);
    let released = Arc::new(AtomicBool::new(false));
    let releaser = {
        let (engine, released) = (engine.clone(), released.clone());
        thread::spawn(move || {
            engine.sync(&mut first, Effect::RELEASE, mutex(1), 0);
            released.store(true, Ordering::Release);
            let late = access(&engine, &mut first);
            engine.sync(&mut first, Effect::RELEASE, mutex(2), 0);
            (first, late)
        })
    };
    let knows = released.load(Ordering::Acquire);
    if knows {
        engine.sync(&mut second, Effect::ACQUIRE, mutex(1), 0);
    }
    assert_eq!(ordered(&engine, &mut second, early), knows);
    let (mut first, late) = releaser.join().unwrap();
    assert!(!ordered(&engine, &mut second, late));
    let mine = access(&engine, &mut second);
    assert!(!ordered(&engine, &mut first, mine));
    engine.sync(&mut second, Effect::ACQUIRE, mutex(2), 0);
    assert!(ordered(&engine, &mut second, late) && ordered(&engine, &mut second, early));
}

#[test]
fn by_walks_beside_an_evaluator() {
    explore(5, || verdicts_beside_evaluation(100, 0));
}

#[test]
fn by_evaluation() {
    explore(5, || verdicts_beside_evaluation(0, 100));
}

#[test]
fn by_either() {
    explore(5, || verdicts_beside_evaluation(1, 1));
}

/// Two threads decide about a third one's access at the same time, and both evaluate.
#[test]
fn two_that_decide_at_once() {
    explore(4, || {
        let engine = Arc::new(engine(1, 1));
        let mut owner = engine.unrelated_thread().unwrap();
        let mut ignorant = engine.fork(&mut owner, 1, 0).unwrap();
        let epoch = access(&engine, &mut owner);
        engine.sync(&mut owner, Effect::RELEASE, mutex(1), 0);
        let mut acquirer = engine.fork(&mut owner, 2, 0).unwrap();
        let other = {
            let engine = engine.clone();
            thread::spawn(move || {
                assert!(!ordered(&engine, &mut ignorant, epoch));
                engine.sync(&mut ignorant, Effect::ACQUIRE, mutex(1), 0);
                assert!(ordered(&engine, &mut ignorant, epoch));
            })
        };
        assert!(ordered(&engine, &mut acquirer, epoch));
        let own = access(&engine, &mut acquirer);
        engine.sync(&mut acquirer, Effect::RELEASE, mutex(1), 0);
        assert!(ordered(&engine, &mut acquirer, epoch));
        other.join().unwrap();
        assert!(!ordered(&engine, &mut owner, own));
    });
}

/// Two threads, each with a release that waits outside of the list, make a read-modify-write of one atomic, in the two parts of a section
/// that lets its object go for what waits. Who comes second is ordered after the first, and not the reverse.
#[test]
fn sections_let_go_for_what_waits() {
    explore(3, || {
        let engine = Arc::new(engine_that(true, 100, 100));
        let mut owner = engine.unrelated_thread().unwrap();
        let threads = [1, 2].map(|number| engine.fork(&mut owner, number, 0).unwrap());
        let word = Arc::new(Mutex::new(Vec::new()));
        let [other, own] = threads.map(|thread| {
            let (engine, word) = (engine.clone(), word.clone());
            move || reads_modifies_and_writes(&engine, thread, &word)
        });
        let other = thread::spawn(other);
        let (mut own, mine) = own();
        let (mut other, theirs) = other.join().unwrap();
        let own_is_second = word.lock().unwrap()[1] == mine;
        assert_eq!(ordered(&engine, &mut own, theirs), own_is_second);
        assert_eq!(ordered(&engine, &mut other, mine), !own_is_second);
    });
}

fn reads_modifies_and_writes(
    engine: &Engine,
    mut thread: Thread,
    word: &Mutex<Vec<EpochId>>,
) -> (Thread, EpochId) {
    let mut last = access(engine, &mut thread);
    let own = Entity::object(20 + u64::from(last.0), Role::Object);
    for _ in 0..4 {
        engine.sync(&mut thread, Effect::RELEASE, own, 0);
        last = access(engine, &mut thread);
    }
    {
        // The stripe of the atomic.
        let mut operations = word.lock().unwrap();
        operations.push(last);
        let mut section = engine.section(mutex(1), true);
        section.first_event(&mut thread, Effect::ACQUIRE, 0);
        section.event(&mut thread, Effect::RELEASE, 0);
        section.end(&mut thread);
    }
    (thread, last)
}

/// Makes the list long enough that one more event lets the older part be evaluated. Every event is of another object, so that
/// each says something new.
fn fill(engine: &Engine, thread: &mut Thread, cells: usize) {
    while engine.sizes().0 < cells {
        let number = 10 + engine.sizes().0 as u64;
        engine.sync(thread, Effect::RELEASE, mutex(number), 0);
    }
}

// In the tests below the looker is the new thread and the evaluator the old one: loom goes back to the last access of an
// atomic alone, so it finds where a load could have been among the stores of a thread that ran before, not the reverse.

/// The whole way from the release to the acquire is evaluated while the acquirer looks for it.
#[test]
fn the_answer_moves_into_the_checkpoint() {
    explore(5, || {
        let engine = Arc::new(engine(100, 10));
        let mut owner = engine.unrelated_thread().unwrap();
        let mut acquirer = engine.fork(&mut owner, 1, 0).unwrap();
        let epoch = access(&engine, &mut owner);
        engine.sync(&mut owner, Effect::RELEASE, mutex(1), 0);
        engine.sync(&mut acquirer, Effect::ACQUIRE, mutex(1), 0);
        fill(&engine, &mut owner, 10);
        let looker = {
            let engine = engine.clone();
            thread::spawn(move || assert!(ordered(&engine, &mut acquirer, epoch)))
        };
        engine.sync(&mut owner, Effect::RELEASE, mutex(9), 0);
        looker.join().unwrap();
        assert_eq!(engine.sizes().0, 5);
    });
}

/// A go-between releases before it acquires: whoever applied these events to the checkpoint that holds them already would
/// find an order that there is not.
#[test]
fn no_event_counts_twice() {
    explore(5, || {
        let engine = Arc::new(engine(100, 20));
        let mut owner = engine.unrelated_thread().unwrap();
        let mut between = engine.fork(&mut owner, 1, 0).unwrap();
        let mut last = engine.fork(&mut owner, 2, 0).unwrap();
        let epoch = access(&engine, &mut owner);
        engine.sync(&mut owner, Effect::RELEASE, mutex(1), 0);
        engine.sync(&mut between, Effect::RELEASE, mutex(2), 0);
        engine.sync(&mut between, Effect::ACQUIRE, mutex(1), 0);
        engine.sync(&mut last, Effect::ACQUIRE, mutex(2), 0);
        assert!(engine.sizes().0 < 11);
        fill(&engine, &mut owner, 20);
        let looker = {
            let engine = engine.clone();
            thread::spawn(move || {
                assert!(!ordered(&engine, &mut last, epoch));
                assert!(ordered(&engine, &mut between, epoch));
            })
        };
        engine.sync(&mut owner, Effect::RELEASE, mutex(9), 0);
        looker.join().unwrap();
    });
}
