//! The update list stays as short as it is said to be, however long the run, also where several threads find it too long at once.

#![cfg(not(loom))]

mod support;

use goldilocks_core::event::{Effect, Entity, Role};
use goldilocks_core::goldilocks::{Config, Engine};
use support::memory::Tables;

const BOUND: usize = 256;
const THREADS: usize = 4;
/// A thousand times the bound.
const EVENTS: u64 = 1000 * BOUND as u64;

#[test]
fn the_list_stays_short_however_long_the_run() {
    let tables = Tables::take();
    let config = Config {
        list_bound: BOUND,
        ..Config::default()
    };
    let engine = Engine::new(tables.epochs(1 << 14), THREADS + 2, config);
    let longest = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..THREADS as u64)
            .map(|number| {
                let engine = &engine;
                scope.spawn(move || {
                    let mut thread = engine.unrelated_thread().expect("a slot");
                    let mut longest = 0;
                    for event in 0..EVENTS / THREADS as u64 {
                        // What others have released, so that there is a cell for each.
                        let object = |number: u64| Entity::object(16 * (1 + number), Role::Object);
                        engine.sync(&mut thread, Effect::RELEASE, object(number), 0);
                        let next = object((number + event) % THREADS as u64);
                        engine.sync(&mut thread, Effect::ACQUIRE, next, 0);
                        if event % 64 == 0 {
                            longest = longest.max(engine.sizes().0);
                        }
                    }
                    longest
                })
            })
            .collect();
        runs.into_iter()
            .map(|run| run.join().expect("no panic"))
            .max()
    });
    let longest = longest.expect("there were threads");
    assert!(longest > BOUND / 2, "{longest}: there was no list");
    // Whoever comes last finds nobody at it.
    let mut last = engine.unrelated_thread().expect("a slot");
    for number in 0..BOUND as u64 {
        let object = Entity::object(16 * (1 + number), Role::Object);
        engine.sync(&mut last, Effect::RELEASE, object, 0);
    }
    let left = engine.sizes().0;
    assert!(left <= 2 * BOUND, "{left}");
}
