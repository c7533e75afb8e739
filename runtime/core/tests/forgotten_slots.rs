//! Slots of ended threads that nobody has joined are free for anybody once no access of theirs is remembered, and not before.

use goldilocks_core::epoch::EpochTable;
use goldilocks_core::event::{Effect, Entity, Role};
use goldilocks_core::goldilocks::{Config, Engine, OutOfSlots};
use goldilocks_core::tag::Tag;
use std::sync::atomic::AtomicU64;

fn engine_of_three() -> Engine {
    let entries: &'static [AtomicU64] = Box::leak(
        (0..64)
            .map(|_| AtomicU64::new(0))
            .collect::<Vec<_>>()
            .into(),
    );
    Engine::new(EpochTable::new(entries), 3, Config::default())
}

/// A mutex says who released it last. Whoever knows of that slot's next thread, which has nothing to do with the last one, has
/// to learn from the mutex all the same.
#[test]
fn what_a_forgotten_thread_has_released_is_still_learned() {
    let engine = engine_of_three();
    let mutex = |number| Entity::object(number, Role::Object);
    let mut main = engine.unrelated_thread().unwrap();
    let mut ignorant = engine.fork(&mut main, 1, 0).unwrap();
    let mut between = engine.fork(&mut main, 2, 0).unwrap();
    let access = Tag::new(engine.epoch_for_access(&mut main).unwrap(), false, 0xff);
    engine.sync(&mut main, Effect::RELEASE, mutex(1), 0);
    engine.sync(&mut between, Effect::ACQUIRE, mutex(1), 0);
    engine.sync(&mut between, Effect::RELEASE, mutex(2), 0);
    engine.retire(&mut between);
    assert_eq!(engine.forget_slots(|slot| slot != between.slot), 1);
    let mut next = engine.fork(&mut ignorant, 3, 0).unwrap();
    assert_eq!(next.slot, between.slot);
    engine.sync(&mut next, Effect::RELEASE, mutex(3), 0);
    engine.sync(&mut ignorant, Effect::ACQUIRE, mutex(3), 0);
    assert!(!engine.evaluate(&mut ignorant, access));
    engine.sync(&mut ignorant, Effect::ACQUIRE, mutex(2), 0);
    assert!(engine.evaluate(&mut ignorant, access));
}

/// What a thread has released itself it need not take. That it has the slot of who has released it does not mean that it has.
#[test]
fn what_the_last_thread_of_a_slot_has_released_is_not_ones_own() {
    let engine = engine_of_three();
    let atomic = Entity::object(8, Role::Object);
    let mut main = engine.unrelated_thread().unwrap();
    let mut last = engine.fork(&mut main, 1, 0).unwrap();
    engine.epoch_for_access(&mut last).unwrap();
    let release = |thread: &mut _| {
        let mut section = engine.section(atomic, true);
        section.event(thread, Effect::RELEASE, 0);
        section.holds()
    };
    let held = release(&mut last);
    assert!(last.has_heard(held) && !main.has_heard(held));
    engine.retire(&mut last);
    assert_eq!(engine.forget_slots(|slot| slot != last.slot), 1);
    let mut next = engine.fork(&mut main, 2, 0).unwrap();
    assert_eq!(next.slot, last.slot);
    assert!(!next.has_heard(held));
    engine.epoch_for_access(&mut next).unwrap();
    let atomic = Entity::object(16, Role::Object);
    let mut section = engine.section(atomic, true);
    section.event(&mut next, Effect::RELEASE, 0);
    let held = section.holds();
    drop(section);
    assert!(next.has_heard(held));
}

#[test]
fn a_slot_is_free_when_its_accesses_are_forgotten() {
    let engine = engine_of_three();
    let mut main = engine.unrelated_thread().unwrap();
    let mut ended = Vec::new();
    for serial in 1..=2 {
        let mut thread = engine.fork(&mut main, serial, 0).unwrap();
        // An access, which nothing orders before what the main thread does next.
        engine.epoch_for_access(&mut thread).unwrap();
        engine.end(&mut thread, serial, 0);
        ended.push((thread.slot, thread.clock()));
    }
    assert_eq!(engine.fork(&mut main, 3, 0).err(), Some(OutOfSlots));
    assert_eq!(engine.forget_slots(|_| true), 0);
    assert_eq!(engine.fork(&mut main, 3, 0).err(), Some(OutOfSlots));
    assert_eq!(engine.forget_slots(|slot| slot == ended[0].0), 1);
    let thread = engine.fork(&mut main, 3, 0).ok().unwrap();
    // The other's slot, and its clock goes on.
    assert_eq!(thread.slot, ended[1].0);
    assert!(thread.clock() >= ended[1].1);
    assert_eq!(engine.fork(&mut main, 4, 0).err(), Some(OutOfSlots));
}
