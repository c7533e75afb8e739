//! What is kept with each sync object: enough for the direct edges of SC2 and for SC3, and whether it is in any
//! Goldilockset at all.

use crate::event::{Clock, Entity, Incarnation, Slot, SyncEvent};
use crate::open_table::OpenTable;
use crate::primitive::prefetch_to_write;
use crate::spin::{Spin, SpinGuard};
use std::mem;
use std::ops::Range;

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

/// What a sync object holds, in a word that can be kept where it is looked at without the object's lock: what a thread knew at the end of one of its
/// sync epochs, or nothing, or it is not known.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Holds(u64);

impl Holds {
    pub const UNKNOWN: Holds = Holds(0);
    /// Whoever knows nothing of a slot knows that.
    const NOTHING: Holds = Holds(1);
    const SLOT: u32 = 48;
    /// Bits that are 0, for who keeps it.
    pub const FREE: Range<u32> = 45..48;
    pub const FREE_BITS: u64 = (1 << Self::FREE.end) - (1 << Self::FREE.start);

    fn released((slot, clock): (Slot, Clock)) -> Holds {
        if clock + 1 >= 1 << Self::FREE.start {
            return Holds::UNKNOWN;
        }
        Holds((slot as u64) << Self::SLOT | (clock + 1))
    }
    /// The thread, and the sync epoch of its that is to be known; `None` if that is not known.
    #[inline(always)]
    pub(crate) fn known(self) -> Option<(Slot, Clock)> {
        let clock = self.0 & ((1 << Self::FREE.start) - 1);
        (self != Self::UNKNOWN).then(|| ((self.0 >> Self::SLOT) as Slot, clock - 1))
    }
    /// As it was given by [`Holds::bits`], whatever is in the free bits.
    #[inline(always)]
    pub fn from_bits(bits: u64) -> Holds {
        Holds(bits & !Self::FREE_BITS)
    }
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.0
    }
}

/// Threads whose last release is kept with an object: the latest ones. It is for a short circuit (SC3), which may miss.
const RELEASERS: usize = 4;

/// A sync object that has been released.
///
/// Threads use it in turn, so each use fetches it from another's cache: what most uses need is one line, with the lock and the name ([`Place`]).
#[derive(Default)]
#[repr(C)]
pub struct Object {
    /// The last sync epoch that ended with a release of it.
    last: Clock,
    /// Releases so far.
    pub count: u64,
    /// Counts how often it has been acquired (by others than threads that went back to what they had released) or cleared: as long as that
    /// stays, nobody has learned from a release, and it holds. Of objects that have the same entity, one after the other, none counts
    /// from where another one was.
    pub acquired: u64,
    /// Names the last source, uniquely over the run: a thread that has acquired the object since has nothing new to learn.
    pub stamp: u64,
    /// What the last releaser knew then ([`crate::goldilocks::Thread`]'s version and incarnation).
    version: u64,
    incarnation: Incarnation,
    /// The last thread that released it, in the lower 16 bits, then 8 bits of [`Object::run`], then those below. In one: a processor that reads as one
    /// what it has just stored in parts waits until the stores are done.
    state: u32,
    /// What only some objects need: most atomics need none.
    more: Option<Box<More>>,
}

/// What is kept of an object that one thread releases again and again, or several do.
#[derive(Default)]
#[repr(C)]
struct More {
    /// A release that is not in the update list yet, because nobody has acquired the object since: it enters the list when
    /// somebody does, or before its thread learns anything new (so that it says the same then as now).
    pending: SyncEvent,
    /// For some threads that released it: the last release, or an earlier one.
    released: [Release; RELEASERS],
    /// Releases that wait, one of each thread, of what readers release: nobody acquires that before there is a writer.
    waiting: OpenTable<SyncEvent>,
}

/// In [`Object::state`]: there is a last release: not after that of a fence mark.
const RELEASED: u32 = 1 << 24;
/// The last releaser knew all that the object holds, so that whoever knows what it knew does.
const WHOLE: u32 = 2 << 24;
/// A release waits: [`More::pending`] means something.
const PENDING: u32 = 4 << 24;
/// Releases wait in [`More::waiting`].
const WAITING: u32 = 8 << 24;
/// Where [`Object::run`] begins.
const RUN: u32 = 16;
const _: () = assert!(Slot::BITS == RUN && RUN + u8::BITS <= RELEASED.trailing_zeros());

// With its name it is a line of a table. The lock and the name that come before the one in place are 16 bytes: what most uses need is in one line there, too.
const _: () = assert!(size_of::<Object>() == 56 && mem::offset_of!(Object, more) == 48);
#[cfg(not(loom))]
const _: () = assert!(mem::offset_of!(Part, first) == 8 && size_of::<Place>() == 128);

impl Object {
    /// The last thread that released it, and the sync epoch that ended there. `None` after a release of a fence mark.
    #[inline(always)]
    pub fn last(&self) -> Option<(Slot, Clock)> {
        let state = self.state;
        (state & RELEASED != 0).then_some((state as Slot, self.last))
    }

    /// The last release is that of a fence mark.
    pub fn forget_last(&mut self) {
        self.state &= !RELEASED;
    }

    /// How often its last releaser has released it before, one after the other, without anybody else learning anything from it; at most 255.
    #[inline(always)]
    pub fn run(&self) -> u8 {
        (self.state >> RUN) as u8
    }

    #[inline(always)]
    pub fn set_run(&mut self, run: u8) {
        self.state = self.state & !(0xff << RUN) | (run as u32) << RUN;
    }

    /// What the last releaser knew then.
    #[inline(always)]
    pub fn knowledge(&self) -> (Incarnation, u64) {
        (self.incarnation, self.version)
    }

    /// Whether the last releaser knew all that the object holds.
    #[inline(always)]
    pub fn is_whole(&self) -> bool {
        self.state & WHOLE != 0
    }

    pub fn set_whole(&mut self, whole: bool) {
        self.state = self.state & !WHOLE | if whole { WHOLE } else { 0 };
    }

    /// The release that waits.
    #[inline(always)]
    pub fn pending(&self) -> Option<SyncEvent> {
        // The bit is in the line that everybody needs.
        if self.state & PENDING == 0 {
            return None;
        }
        self.more.as_ref().map(|more| more.pending)
    }

    /// A release waits, and no other.
    #[inline(always)]
    pub fn set_pending(&mut self, event: SyncEvent) {
        self.state |= PENDING;
        self.more.get_or_insert_default().pending = event;
    }

    /// Takes the release that waits.
    #[inline(always)]
    pub fn take_pending(&mut self) -> Option<SyncEvent> {
        let pending = self.pending()?;
        self.state &= !PENDING;
        Some(pending)
    }

    /// A release, by a thread that has this knowledge. It is the last one, and one of those that are [`Object::released`] if it is `listed`.
    #[inline(always)]
    pub fn record_release(
        &mut self,
        (slot, clock): (Slot, Clock),
        (incarnation, version): (Incarnation, u64),
        listed: bool,
    ) {
        self.last = clock;
        self.state = self.state & !(Slot::MAX as u32) | slot as u32 | RELEASED;
        (self.incarnation, self.version) = (incarnation, version);
        self.count += 1;
        if listed {
            self.list(slot, clock);
        }
    }

    /// Whether releases of several threads may wait.
    #[inline(always)]
    pub fn has_waiting(&self) -> bool {
        self.state & WAITING != 0
    }

    /// The release of this thread, among those of several that wait.
    pub fn waiting_of(&mut self, thread: Entity) -> Option<&mut SyncEvent> {
        if !self.has_waiting() {
            return None;
        }
        self.more.as_mut()?.waiting.get_mut(thread)
    }

    /// A release waits among those of other threads; none of its thread did.
    pub fn add_waiting(&mut self, event: SyncEvent) {
        self.state |= WAITING;
        let more = self.more.get_or_insert_default();
        more.waiting.get_or_insert_with(event.actor(), || event);
    }

    /// Takes the one of this thread.
    pub fn take_waiting_of(&mut self, thread: Entity) -> Option<SyncEvent> {
        if !self.has_waiting() {
            return None;
        }
        let waiting = &mut self.more.as_mut()?.waiting;
        let event = waiting.remove(thread);
        if waiting.len() == 0 {
            self.state &= !WAITING;
        }
        event
    }

    /// Takes them all, but for [`Object::pending`].
    pub fn take_waiting(&mut self) -> impl Iterator<Item = SyncEvent> {
        let waits = self.has_waiting();
        self.state &= !WAITING;
        let more = self.more.as_mut().filter(|_| waits);
        more.into_iter().flat_map(|more| more.waiting.drain())
    }

    fn list(&mut self, slot: Slot, clock: Clock) {
        let released = &mut self.more.get_or_insert_default().released;
        // The thread's own place, or the one that was not used for longest.
        let mut place = 0;
        for (index, entry) in released.iter().enumerate() {
            if entry.slot() == slot && entry.number() != 0 {
                place = index;
                break;
            }
            if entry.number() < released[place].number() {
                place = index;
            }
        }
        released[place] = Release::new(slot, clock, self.count);
    }

    /// For some threads that released it, the last release or an earlier one.
    pub fn released(&self) -> impl Iterator<Item = Release> {
        let listed = self.more.iter().flat_map(|more| more.released.iter());
        listed.copied().filter(|release| release.number() != 0)
    }

    /// No thread has released it.
    pub fn clear_releases(&mut self) {
        self.state &= !RELEASED;
        if let Some(more) = &mut self.more {
            more.released = Default::default();
        }
    }
}

/// Some of the objects: the one that was used most, lately, in place, and others that fell on the same shard.
#[derive(Default)]
#[repr(C)]
pub struct Part {
    /// The entity of the object in place, inverted: 0 if there is none.
    name: u64,
    first: Object,
    /// No object of this part that is gone has been acquired so often ([`Object::acquired`]).
    acquired: u64,
    /// With how often they were used since the one in place was changed.
    others: OpenTable<Object>,
}

/// Uses of each other object than the one in place, after which it makes way.
const PATIENCE: usize = 16;

impl Part {
    #[inline(always)]
    pub fn get(&self, entity: Entity) -> Option<&Object> {
        if self.name == !entity.0 {
            return Some(&self.first);
        }
        self.others.get(entity)
    }

    #[inline(always)]
    pub fn holds(&self, entity: Entity) -> Holds {
        let Some(object) = self.get(entity) else {
            return Holds::NOTHING;
        };
        let last = object.last().filter(|_| object.is_whole());
        last.map_or(Holds::UNKNOWN, Holds::released)
    }

    #[inline(always)]
    pub fn get_mut(&mut self, entity: Entity) -> Option<&mut Object> {
        if self.name == !entity.0 {
            return Some(&mut self.first);
        }
        if self.others.len() == 0 {
            return None;
        }
        self.other(entity)
    }

    #[inline(never)]
    fn other(&mut self, entity: Entity) -> Option<&mut Object> {
        let others = &mut self.others;
        // Which of many is in place makes little difference.
        if (others.misses as usize) < (PATIENCE * others.len()).min(u8::MAX as usize) {
            others.misses += 1;
            return others.get_mut(entity);
        }
        let object = others.remove(entity)?;
        others.misses = 0;
        let first = mem::replace(&mut self.first, object);
        if self.name != 0 {
            others.get_or_insert_with(Entity(!self.name), || first);
        }
        self.name = !entity.0;
        Some(&mut self.first)
    }

    /// The object, which is made if there is none.
    pub fn get_or_insert(&mut self, entity: Entity) -> &mut Object {
        let is_new = self.get(entity).is_none();
        if is_new && self.name == 0 {
            self.name = !entity.0;
            self.first = Object::default();
            self.first.acquired = self.acquired;
        }
        if self.name == !entity.0 {
            return &mut self.first;
        }
        let acquired = self.acquired;
        let new = || Object {
            acquired,
            ..Object::default()
        };
        self.others.get_or_insert_with(entity, new)
    }

    pub fn remove(&mut self, entity: Entity) {
        let acquired = if self.name == !entity.0 {
            self.name = 0;
            self.first.acquired
        } else if let Some(object) = self.others.remove(entity) {
            object.acquired
        } else {
            return;
        };
        self.acquired = self.acquired.max(acquired + 1);
    }

    fn each(&mut self, deed: &mut impl FnMut(&mut Object)) {
        if self.name != 0 {
            deed(&mut self.first);
        }
        self.others.values_mut().for_each(deed);
    }

    fn len(&self) -> usize {
        (self.name != 0) as usize + self.others.len()
    }
}

// Under loom every lock costs, and few objects are used.
const SHARDS: usize = if cfg!(loom) { 2 } else { 4096 };

/// One lock and its part of the objects.
#[repr(align(64))]
struct Place(Spin<Part>);

/// The locked part of the objects that an entity belongs to.
pub type Shard<'a> = SpinGuard<'a, Part>;

/// All sync objects that are in some Goldilockset. An entity without an entry is in none.
pub struct Objects {
    shards: Box<[Place]>,
}

impl Objects {
    #[allow(clippy::new_without_default)]
    #[cfg(not(loom))]
    pub fn new() -> Objects {
        let shards = Box::new_zeroed_slice(SHARDS);
        Objects {
            // SAFETY: all zeroes is a free lock and a part without objects: numbers, and a table that has nothing. Most of it is never touched.
            shards: unsafe { shards.assume_init() },
        }
    }
    #[allow(clippy::new_without_default)]
    #[cfg(loom)]
    pub fn new() -> Objects {
        let place = |_| Place(Spin::new(Part::default()));
        Objects {
            shards: (0..SHARDS).map(place).collect(),
        }
    }
    #[inline(always)]
    fn place(&self, entity: Entity) -> &Place {
        // The table inside uses another product.
        let hash = entity.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.shards[(hash >> 40) as usize % SHARDS]
    }
    /// The locked part of the objects that `entity` belongs to. What the holder appends to the update list is in the
    /// same order as what it does to the record.
    #[inline(always)]
    pub fn shard(&self, entity: Entity) -> Shard<'_> {
        self.place(entity).0.lock()
    }
    /// The part of the objects that `entity` belongs to will be locked soon.
    #[inline(always)]
    pub fn expect(&self, entity: Entity) {
        prefetch_to_write(self.place(entity));
    }
    /// Calls `deed` with every object, shard by shard.
    pub fn each(&self, mut deed: impl FnMut(&mut Object)) {
        for shard in &self.shards {
            shard.0.lock().each(&mut deed);
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Each part of [`Object::state`] changes, in any order, against a field for each: none changes another.
    #[test]
    fn slot_and_run_and_bits_are_kept_apart() {
        let mut object = Object::default();
        let (mut last, mut run, mut whole, mut waits) = (None, 0, false, None);
        let mut waiting: BTreeMap<Entity, Clock> = BTreeMap::new();
        let mut state = 1u64;
        for clock in 0..20_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
            let (slot, bits) = ((state >> 48) as Slot, (state >> 40) as u8);
            let by_thread = SyncEvent {
                thread: slot % 5,
                clock,
                ..SyncEvent::default()
            };
            let thread = by_thread.actor();
            match state >> 33 & 15 {
                8 | 9 => match object.waiting_of(thread) {
                    Some(event) => {
                        assert_eq!(waiting.insert(thread, clock), Some(event.clock));
                        *event = by_thread;
                    }
                    None => {
                        assert_eq!(waiting.insert(thread, clock), None);
                        object.add_waiting(by_thread);
                    }
                },
                10 => {
                    let taken = object.take_waiting_of(thread).map(|event| event.clock);
                    assert_eq!(taken, waiting.remove(&thread));
                }
                11 => {
                    let taken = object
                        .take_waiting()
                        .map(|event| (event.actor(), event.clock));
                    assert_eq!(taken.collect::<BTreeMap<_, _>>(), mem::take(&mut waiting));
                }
                0 => {
                    object.forget_last();
                    last = None;
                }
                1 => {
                    object.clear_releases();
                    last = None;
                }
                2 => {
                    object.set_run(bits);
                    run = bits;
                }
                3 => {
                    whole = bits & 1 != 0;
                    object.set_whole(whole);
                }
                4 => {
                    let event = SyncEvent {
                        clock,
                        ..SyncEvent::default()
                    };
                    object.set_pending(event);
                    waits = Some(clock);
                }
                5 => {
                    let taken = object.take_pending().map(|event| event.clock);
                    assert_eq!(taken, waits.take());
                }
                _ => {
                    object.record_release((slot, clock), (0, 0), bits & 1 != 0);
                    last = Some((slot, clock));
                }
            }
            let pending = object.pending().map(|event| event.clock);
            assert_eq!(
                (object.last(), object.run(), object.is_whole(), pending),
                (last, run, whole, waits)
            );
            assert_eq!(object.has_waiting(), !waiting.is_empty());
        }
    }

    /// Objects that all fall on one part, made, used and removed in any order, against a map; and no count comes back.
    #[test]
    fn a_part_is_a_map_whose_objects_never_count_from_where_another_one_was() {
        let mut part = Part::default();
        let mut map: BTreeMap<u64, u64> = BTreeMap::new();
        let mut counted: std::collections::BTreeSet<(u64, u64)> = Default::default();
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
            let (number, deed) = (state >> 33 & 7, state >> 40 & 7);
            let entity = Entity(number << 8);
            match deed {
                0 => {
                    part.remove(entity);
                    map.remove(&number);
                }
                1 | 2 => {
                    let object = part.get_or_insert(entity);
                    map.entry(number).or_insert_with(|| {
                        assert_eq!((object.stamp, object.last()), (0, None));
                        object.stamp = state;
                        state
                    });
                }
                _ => {
                    let stamp = part.get(entity).map(|object| object.stamp);
                    assert_eq!(stamp, map.get(&number).copied());
                    if let Some(object) = part.get_mut(entity) {
                        assert_eq!(Some(object.stamp), stamp);
                        object.acquired += 1;
                        assert!(counted.insert((number, object.acquired)));
                    }
                }
            }
            assert_eq!(part.len(), map.len());
            let (mut sum, mut expected) = (0u64, 0u64);
            part.each(&mut |object| sum ^= object.stamp);
            map.values().for_each(|stamp| expected ^= stamp);
            assert_eq!(sum, expected);
        }
    }
}
