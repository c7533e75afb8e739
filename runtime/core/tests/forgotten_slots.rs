//! Slots of ended threads that nobody has joined are free for anybody once no access of theirs is remembered, and not before.

use goldilocks_core::epoch::EpochTable;
use goldilocks_core::goldilocks::{Config, Engine, OutOfSlots};
use std::sync::atomic::AtomicU64;

#[test]
fn a_slot_is_free_when_its_accesses_are_forgotten() {
    let entries: &'static [AtomicU64] = Box::leak(
        (0..64)
            .map(|_| AtomicU64::new(0))
            .collect::<Vec<_>>()
            .into(),
    );
    let engine = Engine::new(EpochTable::new(entries), 3, Config::default());
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
