//! What is kept with each sync object: enough for the direct edges of SC2 and for SC3, and whether it is in any
//! Goldilockset at all.

use crate::event::{Clock, Entity, Incarnation, Slot, SyncEvent};
use crate::fast_hash::{FastHasher, FastMap};
use crate::spin::{Spin, SpinGuard};
use std::hash::{Hash, Hasher};

/// A release of a sync object by one thread, and which release of the object it was (below 2^48; 0 for none).
#[derive(Clone, Copy, Default, Debug)]
pub struct Release {
    /// The last sync epoch that ended there.
    pub clock: Clock,
    /// The number in the lower 48 bits, the slot in the others.
    packed: u64,
}

impl Release {
    const NUMBER: u64 = (1 << 48) - 1;

    pub fn new(slot: Slot, clock: Clock, number: u64) -> Release {
        debug_assert!(number <= Self::NUMBER);
        let packed = (slot as u64) << 48 | number;
        Release { clock, packed }
    }
    pub fn slot(self) -> Slot {
        (self.packed >> 48) as Slot
    }
    pub fn number(self) -> u64 {
        self.packed & Self::NUMBER
    }
}

/// Threads whose last release is kept with an object: the latest ones. It is for a short circuit (SC3), which may miss.
const RELEASERS: usize = 4;

/// A sync object that has been released.
///
/// Threads use it in turn, so each use fetches it from another's cache: what most uses need is one line.
#[derive(Default, Debug)]
#[repr(C, align(64))]
pub struct Object {
    /// The last sync epoch that ended with a release of it.
    last: Clock,
    /// Releases so far.
    pub count: u64,
    /// A name for the object, unique over the run, and how often it has been acquired (by others than threads that went back to
    /// what they had released) or cleared: as long as both stay, nobody has learned from a release, and it holds.
    pub acquired: (u64, u64),
    /// Names the last source, uniquely over the run: a thread that has acquired the object since has nothing new to learn.
    pub stamp: u64,
    /// What the last releaser knew then ([`crate::goldilocks::Thread`]'s version and incarnation).
    version: u64,
    incarnation: Incarnation,
    /// How often its last releaser has released it before, one after the other, without anybody else learning anything from it.
    pub run: u32,
    /// The last thread that released it.
    slot: Slot,
    /// Whether there is one: no after a release of a fence mark.
    is_released: bool,
    /// Whether the last releaser knew all that the object holds, so that whoever knows what it knew does.
    pub whole: bool,
    /// Whether some are in [`Object::released`].
    has_listed: bool,
    /// For some threads that released it: the last release, or an earlier one.
    pub released: [Release; RELEASERS],
    /// A release that is not in the update list yet, because nobody has acquired the object since: it enters the list when
    /// somebody does, or before its thread learns anything new (so that it says the same then as now).
    pub pending: Option<SyncEvent>,
}

const _: () = assert!(std::mem::offset_of!(Object, released) == 64 && size_of::<Object>() == 192);

impl Object {
    /// An object that nobody has acquired.
    pub fn named(name: u64) -> Object {
        Object {
            acquired: (name, 0),
            ..Object::default()
        }
    }

    /// The last thread that released it, and the sync epoch that ended there. `None` after a release of a fence mark.
    #[inline(always)]
    pub fn last(&self) -> Option<(Slot, Clock)> {
        self.is_released.then_some((self.slot, self.last))
    }

    /// The last release is that of a fence mark.
    pub fn forget_last(&mut self) {
        self.is_released = false;
    }

    /// What the last releaser knew then.
    #[inline(always)]
    pub fn knowledge(&self) -> (Incarnation, u64) {
        (self.incarnation, self.version)
    }

    /// A release, by a thread that has this knowledge. It is the last one, and one of those that are [`Object::released`] if it is `listed`.
    pub fn record_release(
        &mut self,
        (slot, clock): (Slot, Clock),
        (incarnation, version): (Incarnation, u64),
        listed: bool,
    ) {
        (self.slot, self.last, self.is_released) = (slot, clock, true);
        (self.incarnation, self.version) = (incarnation, version);
        self.count += 1;
        if !listed {
            return;
        }
        // The thread's own place, or the one that was not used for longest.
        let mut place = 0;
        for (index, entry) in self.released.iter().enumerate() {
            if entry.slot() == slot && entry.number() != 0 {
                place = index;
                break;
            }
            if entry.number() < self.released[place].number() {
                place = index;
            }
        }
        self.has_listed = true;
        self.released[place] = Release::new(slot, clock, self.count);
    }

    /// No thread has released it.
    pub fn clear_releases(&mut self) {
        self.is_released = false;
        if self.has_listed {
            self.has_listed = false;
            self.released = Default::default();
        }
    }
}

// Under loom every lock costs, and few objects are used.
const SHARDS: usize = if cfg!(loom) { 2 } else { 256 };

/// One lock and its part of the map.
#[repr(align(64))]
struct Place(Spin<FastMap<Entity, Object>>);

/// The locked part of the map that an entity belongs to.
pub type Shard<'a> = SpinGuard<'a, FastMap<Entity, Object>>;

/// All sync objects that are in some Goldilockset. An entity without an entry is in none.
pub struct Objects {
    shards: Box<[Place]>,
}

impl Objects {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Objects {
        Objects {
            shards: (0..SHARDS)
                .map(|_| Place(Spin::new(FastMap::default())))
                .collect(),
        }
    }
    /// The locked part of the map that `entity` belongs to. What the holder appends to the update list is in the
    /// same order as what it does to the record.
    pub fn shard(&self, entity: Entity) -> Shard<'_> {
        let mut hasher = FastHasher::default();
        entity.hash(&mut hasher);
        // The map inside uses the low and the high bits; the shard takes others.
        let index = (hasher.finish() >> 24) as usize % SHARDS;
        self.shards[index].0.lock()
    }
    /// Calls `deed` with every object, shard by shard.
    pub fn each(&self, mut deed: impl FnMut(&mut Object)) {
        for shard in &self.shards {
            shard.0.lock().values_mut().for_each(&mut deed);
        }
    }
    /// Number of objects, for the statistics.
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.0.lock().len()).sum()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
