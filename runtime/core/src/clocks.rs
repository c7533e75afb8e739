//! The checkpoint: what the evaluated part of the update list says about every thread and sync object.
//!
//! Walking the list answers "is t in the Goldilockset of an access by u in epoch c?" one access at a time. Evaluating a cell
//! once for *all* accesses at the same time gives, for every entity e and thread u, the last sync epoch of u whose
//! Goldilockset holds e; that is what is kept here, after which the cell can go. (Read by entity it is a vector clock:
//! the two algorithms are duals of each other.)

use crate::event::{Clock, Effect, Entity, Incarnation, Slot, SyncEvent};
use crate::open_table::OpenTable;
use crate::row::{Row, UP_TO_ALL};
use std::mem;

/// What the evaluated prefix of the list amounts to: for each entity, by slot, the last sync epoch whose Goldilockset holds it.
#[derive(Default)]
pub struct Checkpoint {
    /// By slot, the rows of the threads that have it now, or had it last: every event is one of these.
    threads: Vec<(Incarnation, Row)>,
    /// Those of all other entities.
    others: OpenTable<Row>,
}

impl Checkpoint {
    /// Whether `entity` is in the Goldilockset of accesses made by `owner` in its sync epoch `clock`, at the checkpoint.
    pub fn holds(&self, entity: Entity, owner: Slot, clock: Clock) -> bool {
        let row = self.row(entity);
        // Epochs count from 1.
        row.is_some_and(|row| row.clock(owner as usize) >= clock.max(1))
    }

    /// The last sync epoch of each slot whose Goldilockset holds `entity`, from some slots on; all others have none.
    pub fn known(&self, entity: Entity) -> impl Iterator<Item = (usize, &[Clock])> {
        self.row(entity).into_iter().flat_map(Row::pieces)
    }

    fn row(&self, entity: Entity) -> Option<&Row> {
        let own = entity.as_thread().zip(entity.incarnation());
        if let Some((slot, incarnation)) = own
            && let Some((present, row)) = self.threads.get(slot as usize)
            && *present == incarnation
        {
            return Some(row);
        }
        self.others.get(entity)
    }

    /// The entities in the Goldilockset of accesses by `owner` in `clock`.
    pub fn members(&self, owner: Slot, clock: Clock) -> impl Iterator<Item = Entity> {
        let threads = self.threads.iter().enumerate();
        let threads = threads
            .map(|(slot, (incarnation, row))| (Entity::thread(slot as Slot, *incarnation), row));
        let others = self.others.iter();
        let holds = move |row: &Row| row.clock(owner as usize) >= clock.max(1);
        threads
            .chain(others)
            .filter(move |(_, row)| holds(row))
            .map(|(entity, _)| entity)
    }

    /// Number of entities that have a row.
    pub fn len(&self) -> usize {
        let threads = self.threads.iter();
        self.others.len() + threads.filter(|(_, row)| !row.is_empty()).count()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of the thread that has an event, and those of what is no thread that has its slot.
    fn of_actor(&mut self, event: &SyncEvent) -> (&mut Row, &mut OpenTable<Row>) {
        let slot = event.thread as usize;
        if self.threads.len() <= slot {
            self.threads.resize_with(slot + 1, Default::default);
        }
        let (incarnation, row) = &mut self.threads[slot];
        if *incarnation != event.incarnation {
            Self::change_hands(&mut self.others, (incarnation, row), event);
        }
        (row, &mut self.others)
    }

    /// The slot's row becomes that of the event's thread. Events come in order, but a release that waits may come late.
    #[cold]
    fn change_hands(
        others: &mut OpenTable<Row>,
        (incarnation, row): (&mut Incarnation, &mut Row),
        event: &SyncEvent,
    ) {
        let of_actor = others.remove(event.actor()).unwrap_or_default();
        let before = Entity::thread(event.thread, *incarnation);
        let of_other = mem::replace(row, of_actor);
        if !of_other.is_empty() {
            *others.get_or_insert_with(before, Row::default) = of_other;
        }
        *incarnation = event.incarnation;
    }

    /// The event will be applied soon.
    #[inline(always)]
    pub fn expect(&self, event: &SyncEvent) {
        self.others.expect(event.object);
    }

    /// Applies the rules of one event to all Goldilocksets.
    pub fn apply(&mut self, event: &SyncEvent) {
        let (effect, object) = (event.effect, event.object);
        let (actor, others) = self.of_actor(event);
        if object == event.actor() {
            // It has ended.
            debug_assert!(effect == Effect::CLEAR);
            return actor.clear();
        }
        debug_assert!(object == Entity::NONE || object.as_thread().is_none());
        if effect.has(Effect::ACQUIRE)
            && let Some(row) = others.get(object)
        {
            actor.merge(row, UP_TO_ALL);
        }
        if effect.has(Effect::ACQUIRE_RELAXED) {
            add(others, object, Entity::acquire_fence(event.thread));
        }
        if effect.has(Effect::FENCE_ACQUIRE)
            && let Some(row) = others.get(Entity::acquire_fence(event.thread))
        {
            actor.merge(row, UP_TO_ALL);
        }
        // What is released is then all that there is: what a fence has told before, the thread knows as well.
        let anew = effect.has(Effect::CLEAR) && effect.has(Effect::RELEASE);
        if effect.has(Effect::CLEAR) && !anew {
            others.remove(object);
        }
        if effect.has(Effect::RELEASE_RELAXED) {
            add(others, Entity::release_fence(event.thread), object);
        }
        // A thread is in the Goldilockset of its own accesses.
        if effect.is_source() {
            actor.raise(event.thread as usize, event.clock);
        }
        // A release or fence may enter the list later than other sources of its thread (`goldilocks::sync`): of the thread's own
        // accesses, those up to the event's clock are meant.
        let most = (event.thread as usize, event.clock);
        if effect.has(Effect::RELEASE) {
            let row = others.get_or_insert_with(object, Row::default);
            if anew {
                row.assign(actor, most);
            } else {
                row.merge(actor, most);
            }
        }
        if effect.has(Effect::FENCE_RELEASE) {
            let mark = Entity::release_fence(event.thread);
            let row = others.get_or_insert_with(mark, Row::default);
            row.assign(actor, most);
        }
    }
}

/// `from`∈GLS ⇒ add `to`, for all Goldilocksets; neither is a thread.
fn add(rows: &mut OpenTable<Row>, from: Entity, to: Entity) {
    if let Some(source) = rows.get(from).cloned() {
        let row = rows.get_or_insert_with(to, Row::default);
        row.merge(&source, UP_TO_ALL);
    }
}
