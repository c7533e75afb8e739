//! How the Goldilockset of an access grows along the list (Apply-Lockset-Rules, MSR-TR-2006-163, Figure 3).

use crate::clocks::Checkpoint;
use crate::event::{Clock, Effect, Entity, Slot, SyncEvent};
use crate::fast_hash::FastMap;
use crate::update_list::Walk;

/// Steps that are noted of how a set grew, before it is known whether anybody asks.
pub(super) const TOLD: usize = 256;

/// How an entity came into the Goldilockset of an access, or left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    pub entity: Entity,
    /// It has left: it was overwritten, or ended.
    pub gone: bool,
    pub event: SyncEvent,
}

/// Who could have made an access without a race, and why: the Goldilockset of the earlier access.
#[derive(Clone, Default, Debug)]
pub struct Ownership {
    /// In the set already when the part of the list began that is still kept.
    pub members: Vec<Entity>,
    pub growth: Vec<Growth>,
}

/// The set of the accesses that `owner` made in its sync epoch `clock`, as it grows from {owner}.
pub(super) struct Growing<'t> {
    /// What is known otherwise than by the checkpoint: whether an entity is in it.
    pub(super) set: &'t mut FastMap<Entity, bool>,
    pub(super) owner: Slot,
    pub(super) clock: Clock,
    /// Whose presence ends it.
    pub(super) me: Entity,
}

impl Growing<'_> {
    /// Grows it along the cells until it holds `me` (`Some(true)`) or they end (`Some(false)`); `None` after `limit` cells. And how many that were.
    /// The checkpoint is of what was before the cells, if that matters.
    pub(super) fn along(
        self,
        checkpoint: Option<&Checkpoint>,
        cells: Walk,
        limit: usize,
        mut grown: impl FnMut(Growth),
    ) -> (Option<bool>, usize) {
        let Growing {
            set,
            owner,
            clock,
            me,
        } = self;
        let mut walked = 0;
        let holds = |set: &FastMap<Entity, bool>, entity: Entity| match set.get(&entity) {
            Some(&member) => member,
            None => checkpoint.is_some_and(|checkpoint| checkpoint.holds(entity, owner, clock)),
        };
        if holds(set, me) {
            return (Some(true), walked);
        }
        for event in cells {
            if walked == limit {
                return (None, walked);
            }
            walked += 1;
            let mut add = |set: &mut FastMap<Entity, bool>, entity: Entity| {
                if !holds(set, entity) {
                    set.insert(entity, true);
                    grown(Growth {
                        entity,
                        gone: false,
                        event,
                    });
                }
            };
            let (effect, object, slot) = (event.effect, event.object, event.thread);
            let actor = event.actor();
            if effect.has(Effect::ACQUIRE) && holds(set, object) {
                add(set, actor);
            }
            if effect.has(Effect::ACQUIRE_RELAXED) && holds(set, object) {
                add(set, Entity::acquire_fence(slot));
            }
            if effect.has(Effect::FENCE_ACQUIRE) && holds(set, Entity::acquire_fence(slot)) {
                add(set, actor);
            }
            let clears = effect.has(Effect::CLEAR) && holds(set, object);
            if effect.has(Effect::CLEAR) {
                set.insert(object, false);
            }
            if effect.has(Effect::RELEASE_RELAXED) && holds(set, Entity::release_fence(slot)) {
                add(set, object);
            }
            if effect.is_source() {
                let acts = if slot == owner {
                    event.clock >= clock
                } else {
                    holds(set, actor)
                };
                if effect.has(Effect::RELEASE) && acts {
                    add(set, object);
                }
                if effect.has(Effect::FENCE_RELEASE) {
                    set.insert(Entity::release_fence(slot), false);
                    if acts {
                        add(set, Entity::release_fence(slot));
                    }
                }
            }
            if clears && !holds(set, object) {
                grown(Growth {
                    entity: object,
                    gone: true,
                    event,
                });
            }
            if set.get(&me) == Some(&true) {
                return (Some(true), walked);
            }
        }
        (Some(false), walked)
    }
}
