//! The checkpoint: what the evaluated part of the update list says about every thread and sync object.
//!
//! Walking the list answers "is t in the Goldilockset of an access by u in epoch c?" one access at a time. Evaluating a cell
//! once for *all* accesses at the same time gives, for every entity e and thread u, the last sync epoch of u whose
//! Goldilockset holds e; that is what is kept here, after which the cell can go. (Read by entity it is a vector clock:
//! the two algorithms are duals of each other.)

use crate::event::{Clock, Effect, Entity, Slot, SyncEvent};
use crate::fast_hash::FastMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// For one entity: by slot, the last sync epoch whose Goldilockset holds it. Shared until changed.
type Clocks = Arc<Vec<Clock>>;

/// Slots of a row that is copied rather than shared: it will be changed soon, and to copy it then takes memory of its own.
const SHORT: usize = 32;

/// What the evaluated prefix of the list amounts to.
#[derive(Default)]
pub struct Checkpoint {
    clocks: FastMap<Entity, Clocks>,
}

impl Checkpoint {
    /// Whether `entity` is in the Goldilockset of accesses made by `owner` in its sync epoch `clock`, at the checkpoint.
    pub fn holds(&self, entity: Entity, owner: Slot, clock: Clock) -> bool {
        self.row(entity)
            .get(owner as usize)
            .is_some_and(|&known| known >= clock)
    }

    /// By slot, the last sync epoch whose Goldilockset holds `entity`; slots past the end have none.
    pub fn row(&self, entity: Entity) -> &[Clock] {
        self.clocks.get(&entity).map_or(&[], |row| row)
    }

    /// The entities in the Goldilockset of accesses by `owner` in `clock`.
    pub fn members(&self, owner: Slot, clock: Clock) -> impl Iterator<Item = Entity> {
        self.clocks
            .iter()
            .filter(move |(_, row)| row.get(owner as usize).is_some_and(|&known| known >= clock))
            .map(|(&entity, _)| entity)
    }

    /// Number of entities that have a row.
    pub fn len(&self) -> usize {
        self.clocks.len()
    }
    pub fn is_empty(&self) -> bool {
        self.clocks.is_empty()
    }

    /// Applies the rules of one event to all Goldilocksets.
    pub fn apply(&mut self, event: &SyncEvent) {
        let (effect, object) = (event.effect, event.object);
        let thread = event.actor();
        if effect.has(Effect::ACQUIRE) {
            self.add(object, thread);
        }
        if effect.has(Effect::ACQUIRE_RELAXED) {
            self.add(object, Entity::acquire_fence(event.thread));
        }
        if effect.has(Effect::FENCE_ACQUIRE) {
            self.add(Entity::acquire_fence(event.thread), thread);
        }
        if effect.has(Effect::CLEAR) {
            match self.clocks.get_mut(&object).and_then(Arc::get_mut) {
                // It is filled again at once.
                Some(row) if effect.has(Effect::RELEASE) => row.clear(),
                _ => drop(self.clocks.remove(&object)),
            }
        }
        if effect.has(Effect::RELEASE_RELAXED) {
            self.add(Entity::release_fence(event.thread), object);
        }
        if effect.is_source() {
            self.publish(event);
        }
        if effect.has(Effect::RELEASE) {
            self.release(event, object);
        }
        if effect.has(Effect::FENCE_RELEASE) {
            let fence = Entity::release_fence(event.thread);
            self.clocks.remove(&fence);
            self.release(event, fence);
        }
    }

    /// A thread is in the Goldilockset of its own accesses.
    fn publish(&mut self, event: &SyncEvent) {
        let slot = event.thread as usize;
        let row = Arc::make_mut(self.clocks.entry(event.actor()).or_default());
        if row.len() <= slot {
            row.resize(slot + 1, 0);
        }
        row[slot] = row[slot].max(event.clock);
    }

    /// t∈GLS ⇒ add `to`. A release or fence may enter the list later than other sources of its thread (`goldilocks::sync`): of the
    /// thread's own accesses, those up to the event's clock are meant.
    fn release(&mut self, event: &SyncEvent, to: Entity) {
        let Some(mut row) = self.clocks.get(&event.actor()).cloned() else {
            return;
        };
        let slot = event.thread as usize;
        if row.len() <= SHORT {
            merge(self.clocks.entry(to), &row, (slot, event.clock));
            return;
        }
        if row[slot] > event.clock {
            Arc::make_mut(&mut row)[slot] = event.clock;
        }
        self.join(row, to);
    }

    /// `from`∈GLS ⇒ add `to`, for all Goldilocksets.
    fn add(&mut self, from: Entity, to: Entity) {
        if let Some(source) = self.clocks.get(&from).cloned() {
            if source.len() <= SHORT {
                merge(self.clocks.entry(to), &source, (0, Clock::MAX));
            } else {
                self.join(source, to);
            }
        }
    }

    /// Adds `to` to the Goldilocksets that the row tells.
    fn join(&mut self, source: Clocks, to: Entity) {
        let target = self.clocks.entry(to).or_default();
        if target.is_empty() {
            *target = source;
            return;
        }
        if Arc::ptr_eq(target, &source) {
            return;
        }
        let news =
            source.len() > target.len() || source.iter().zip(target.iter()).any(|(s, t)| s > t);
        if !news {
            return;
        }
        let adopts =
            source.len() >= target.len() && source.iter().zip(target.iter()).all(|(s, t)| s >= t);
        if adopts {
            *target = source;
            return;
        }
        let target = Arc::make_mut(target);
        if target.len() < source.len() {
            target.resize(source.len(), 0);
        }
        for (t, &s) in target.iter_mut().zip(source.iter()) {
            *t = (*t).max(s);
        }
    }
}

/// Adds an entity to the Goldilocksets that the row tells; of the slot `most.0`, to those of epochs up to `most.1`.
fn merge(entry: Entry<Entity, Clocks>, row: &[Clock], most: (usize, Clock)) {
    let target = Arc::make_mut(entry.or_default());
    if target.len() < row.len() {
        target.resize(row.len(), 0);
    }
    for (slot, (known, &clock)) in target.iter_mut().zip(row).enumerate() {
        let clock = if slot == most.0 {
            clock.min(most.1)
        } else {
            clock
        };
        *known = (*known).max(clock);
    }
}
