//! The engine: Goldilocks with lazy evaluation (MSR-TR-2006-163, Figures 1 and 3), extended to reads, atomics and fences.
//!
//! What differs from the report: an access is identified by (owner, sync epoch), so one evaluation serves every variable of
//! that epoch and `pos` needs no storage; short circuits are SC1 own, SC2 `known`, SC3 a held lock that the owner released
//! since (the report's alock, for every lock and without a field per variable), and SC4 is the walk of the update list,
//! or its checkpoint when the walk would be long. Nothing is missed, and nothing is reported that is not a race of the
//! linearization that the list holds.

mod life;
mod sync;

pub use life::Past;
pub use sync::Section;

use crate::clocks::Checkpoint;
use crate::epoch::{EpochId, EpochTable, IdRange};
use crate::event::{Clock, Effect, Entity, Incarnation, Role, Slot, SyncEvent};
use crate::fast_hash::FastMap;
use crate::history::History;
use crate::line::{Relation, Site};
use crate::objects::{Object, Objects};
use crate::primitive::Mutex;
use crate::record_pool::RecordStock;
use crate::tag::Tag;
use crate::update_list::{Passed, Pool, Stock, Walk};
use crossbeam_epoch::{Collector, Guard, LocalHandle};
use life::Slots;
use std::sync::Arc;

/// Which short circuits are on; results must not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct ShortCircuits {
    pub sc1: bool,
    pub sc2: bool,
    pub sc3: bool,
}

/// Sizes and switches of an engine.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub short_circuits: ShortCircuits,
    /// Cells that may await evaluation before a sync event evaluates the oldest.
    pub list_bound: usize,
    /// Cells that SC4 walks before it evaluates instead.
    pub walk_limit: usize,
    /// Whether a release waits outside of the list until somebody acquires it.
    pub defer_releases: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            short_circuits: ShortCircuits {
                sc1: true,
                sc2: true,
                sc3: true,
            },
            list_bound: 4096,
            walk_limit: 128,
            defer_releases: true,
        }
    }
}

/// How often each check decided, for one thread; summed for `stats=1`.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    pub sc1: u64,
    pub sc2: u64,
    pub sc3: u64,
    pub walks: u64,
    pub walked_cells: u64,
    pub evaluations: u64,
    pub unordered: u64,
    pub sync_events: u64,
    pub cells: u64,
    pub epochs: u64,
    /// Accesses that were remembered but for their epochs ([`crate::renew`]).
    pub quick_renewed: u64,
    /// Others that the short way took ([`crate::quick`]), those that records showed to be made already, and why it did not
    /// take more.
    pub quick: u64,
    pub quick_covered: u64,
    /// The first ones of their epochs, where that takes a new granule of ids.
    pub quick_first: u64,
    /// Stacks not met lately.
    pub quick_site: u64,
    /// Sites not combined lately, or a line with one site that gets more.
    pub quick_numbers: u64,
    /// Somebody else was at the line.
    pub quick_locked: u64,
    /// The word's state is not one of the simple ones.
    pub quick_state: u64,
}

impl Counts {
    pub fn add(&mut self, other: &Counts) {
        self.sc1 += other.sc1;
        self.sc2 += other.sc2;
        self.sc3 += other.sc3;
        self.walks += other.walks;
        self.walked_cells += other.walked_cells;
        self.evaluations += other.evaluations;
        self.unordered += other.unordered;
        self.sync_events += other.sync_events;
        self.cells += other.cells;
        self.epochs += other.epochs;
        self.quick += other.quick;
        self.quick_renewed += other.quick_renewed;
        self.quick_covered += other.quick_covered;
        self.quick_first += other.quick_first;
        self.quick_site += other.quick_site;
        self.quick_numbers += other.quick_numbers;
        self.quick_locked += other.quick_locked;
        self.quick_state += other.quick_state;
    }
}

/// Releases that a thread keeps out of the update list, at most.
const PENDING: usize = 64;

/// Objects that a thread remembers to know, at most.
const UP_TO_DATE: usize = 64;

/// Locks held at a time for which there is room from the start: whole cache lines, which are no other thread's.
const HELD: usize = 16;

/// A sync epoch that has ended by a release.
#[derive(Clone, Copy)]
struct Left {
    epoch: EpochId,
    /// The only object that it was released to.
    object: Entity,
    /// How often that had been acquired ([`Object::acquired`]).
    acquired: (u64, u64),
}

/// A thread as the engine knows it. Used by the thread itself (or on its behalf before it starts and after it ended).
pub struct Thread {
    pub slot: Slot,
    /// Which of the threads that have had the slot.
    incarnation: Incarnation,
    /// The present sync epoch.
    clock: Clock,
    /// Its id, once an access was made in it.
    epoch: Option<EpochId>,
    /// The sync epoch that ended last, if nothing has been accessed since.
    left: Option<Left>,
    /// The present one, if it had ended and the thread went back to it.
    resumed: Option<Left>,
    /// Ids for the next sync epochs.
    ids: IdRange,
    /// Its part in the update list.
    stock: Stock,
    /// Records for the sites of words.
    pub(crate) records: RecordStock,
    /// `known[u]`: accesses by u in sync epochs up to this one happen before this thread's present.
    known: Box<[Clock]>,
    /// Locks held now, outermost first, and how often each had been released when it was acquired.
    held: Vec<Entity>,
    held_since: Vec<u64>,
    /// The object of the last acquire and how often it had been released by then.
    acquired: (Entity, u64),
    /// Counts what this thread has learned by sinks, and its sources.
    version: u64,
    sources: u64,
    /// The version at its last source.
    published: u64,
    /// Objects that may have a release of this thread pending.
    pending: Vec<Entity>,
    /// Its last release fence, if that is not in the list yet; and the clock and version that it told.
    fence: Option<SyncEvent>,
    fenced: (Clock, u64),
    /// By a hash of the object: the stamp that it had when this thread last knew all that it holds.
    up_to_date: Box<[(Entity, u64); UP_TO_DATE]>,
    /// The access that the short way has left is to be checked even if it is found to be made ([`crate::refresh`]).
    /// Whoever lets the thread do other things in between (a signal handler) keeps it.
    pub recheck: bool,
    /// Verdicts of SC4 since the last sync-sink.
    decided: FastMap<u32, bool>,
    /// Whether this thread has a release fence, and whether it has read a release sequence relaxed, at all and since its last acquire
    /// fence.
    has_release_fence: bool,
    has_relaxed_read: bool,
    has_relaxed_news: bool,
    /// Registration with the reclamation of cells; made by the thread that uses it, at its first walk.
    reclamation: Option<LocalHandle>,
    overlay: FastMap<Entity, bool>,
    /// `known` as of a version, for children that start later.
    snapshot: Option<(u64, Arc<[Clock]>)>,
    pub counts: Counts,
}

// SAFETY: a `LocalHandle` may be moved with the thread state as long as one thread uses it at a time, which holding
// `&mut Thread` ensures; it is pinned only inside methods of the engine.
unsafe impl Send for Thread {}

impl Thread {
    fn new((slot, clock, incarnation): (Slot, Clock, Incarnation), pool: &Arc<Pool>) -> Thread {
        Thread {
            slot,
            incarnation,
            clock,
            epoch: None,
            left: None,
            resumed: None,
            ids: IdRange::default(),
            stock: Stock::new(pool),
            records: RecordStock::default(),
            known: Box::default(),
            held: Vec::with_capacity(HELD),
            held_since: Vec::with_capacity(HELD),
            acquired: (Entity::NONE, 0),
            version: 0,
            sources: 0,
            // None: even the first one tells what was known from the start.
            published: u64::MAX,
            pending: Vec::with_capacity(PENDING),
            fence: None,
            fenced: (0, 0),
            up_to_date: Box::new([(Entity::NONE, 0); UP_TO_DATE]),
            recheck: false,
            decided: FastMap::default(),
            has_release_fence: false,
            has_relaxed_read: false,
            has_relaxed_news: false,
            reclamation: None,
            overlay: FastMap::default(),
            snapshot: None,
            counts: Counts::default(),
        }
    }
    fn entity(&self) -> Entity {
        Entity::thread(self.slot, self.incarnation)
    }
    /// Whether something that it has told is not in the list yet.
    #[inline(always)]
    fn has_told_less(&self) -> bool {
        !self.pending.is_empty() || self.fence.is_some()
    }
    /// Offset of `known`, an address and a length, for code that is not compiled with this.
    pub const KNOWN: usize = std::mem::offset_of!(Thread, known);

    fn up_to_date(&mut self, object: Entity) -> &mut (Entity, u64) {
        let hash = object.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
        &mut self.up_to_date[hash as usize % UP_TO_DATE]
    }
    #[inline(always)]
    pub(crate) fn knows(&self, slot: Slot) -> Clock {
        self.known.get(slot as usize).copied().unwrap_or(0)
    }
    /// Lets `known` have this length at least.
    #[inline]
    fn make_room(&mut self, len: usize) {
        #[cold]
        fn grow(known: &mut Box<[Clock]>, len: usize) {
            let mut clocks = std::mem::take(known).into_vec();
            // Rather half as many more than one at a time.
            clocks.resize(len.max(clocks.len() + clocks.len() / 2), 0);
            *known = clocks.into();
        }
        if self.known.len() < len {
            grow(&mut self.known, len);
        }
    }
    fn learn(&mut self, slot: Slot, clock: Clock) {
        let slot = slot as usize;
        self.make_room(slot + 1);
        self.known[slot] = self.known[slot].max(clock);
    }
    fn learn_row(&mut self, row: &[Clock]) {
        self.learn_part(0, row);
    }
    /// What the slots from `first` on say.
    fn learn_part(&mut self, first: usize, clocks: &[Clock]) {
        let said = clocks.iter().rposition(|&clock| clock != 0);
        let Some(last) = said else { return };
        self.make_room(first + last + 1);
        for (mine, &theirs) in self.known[first..].iter_mut().zip(clocks) {
            *mine = (*mine).max(theirs);
        }
    }
    /// What the checkpoint says of this thread, whose entity is `me`.
    fn learn_from(&mut self, checkpoint: &Checkpoint, me: Entity) {
        for (first, clocks) in checkpoint.known(me) {
            self.learn_part(first, clocks);
        }
    }
    /// The id of the present sync epoch, if an access was made in it.
    pub fn epoch(&self) -> Option<EpochId> {
        self.epoch
    }
    /// The id of the next sync epoch with accesses, if it has one already.
    pub(crate) fn next_epoch(&self) -> Option<EpochId> {
        self.ids.first()
    }
    /// Which of the threads that have had the slot; unique over the run.
    pub fn incarnation(&self) -> Incarnation {
        self.incarnation
    }
    /// The number of the present sync epoch.
    pub fn clock(&self) -> Clock {
        self.clock
    }
    /// Whether it has made a release fence: then even its relaxed stores release something.
    pub fn has_release_fence(&self) -> bool {
        self.has_release_fence
    }
    /// Locks held, outermost first.
    pub fn held(&self) -> &[Entity] {
        &self.held
    }
    /// Forgets what it keeps by epoch id, but for the id of its present sync epoch, and free records: ids and records have been taken back.
    pub fn forget_ids(&mut self) {
        self.decided.clear();
        self.left = None;
        self.records.forget();
    }
    /// The running thread goes on as `other`, which stood still; this one stands still from now on. While it does, no epoch id
    /// is kept for it, so that a sweep need not know of it. What belongs to the operating system's thread stays.
    pub fn exchange(&mut self, other: &mut Thread) {
        self.publish();
        self.decided.clear();
        self.left = None;
        std::mem::swap(self, other);
        std::mem::swap(&mut self.stock, &mut other.stock);
        std::mem::swap(&mut self.records, &mut other.records);
        std::mem::swap(&mut self.reclamation, &mut other.reclamation);
        std::mem::swap(&mut self.overlay, &mut other.overlay);
        std::mem::swap(&mut self.counts, &mut other.counts);
    }
    /// A source: ends the present sync epoch if an access was made in it, or if something was learned since the last source. The
    /// result is the last one that has ended. So whoever knows of it knows what this thread knew at a source that tells the
    /// same one.
    fn publish(&mut self) -> Clock {
        self.resumed = None;
        if self.epoch.take().is_some() || self.published != self.version {
            self.clock += 1;
            self.published = self.version;
        }
        self.clock - 1
    }
    /// Nobody has learned of the sync epoch that ended last, and nobody will before this thread releases `object` again, the
    /// only one that it was released to: then it goes on, as if it had not ended. Says whether it does.
    fn go_back(&mut self, object: Entity, record: &Object) -> bool {
        if let Some(left) = self.left
            && self.has_just_released(object)
            && left.acquired == record.acquired
        {
            self.clock -= 1;
            self.epoch = Some(left.epoch);
            self.resumed = self.left.take();
            return true;
        }
        false
    }
    /// Whether a release of `object` says no more than the one before the thread went back, which nobody has acquired.
    fn has_said(&self, object: Entity, record: &Object) -> bool {
        self.resumed
            .is_some_and(|resumed| resumed.object == object && resumed.acquired == record.acquired)
            && self.published == self.version
    }
    /// Whether the thread has done and learned nothing since it has released `object`, and ended a sync epoch by that which it
    /// has released to nothing else.
    pub fn has_just_released(&self, object: Entity) -> bool {
        self.left.is_some_and(|left| left.object == object)
            && self.epoch.is_none()
            && self.published == self.version
    }
    /// Whether to acquire the object would teach nothing.
    fn knows_all(&mut self, object: Entity, record: &Object) -> bool {
        let releaser = record.last().filter(|_| record.whole);
        let knows =
            |(slot, clock)| record.knowledge().0 == self.incarnation || self.knows(slot) >= clock;
        releaser.is_some_and(knows) || *self.up_to_date(object) == (object, record.stamp)
    }
}

// What [`Thread::KNOWN`] says of a boxed slice.
const _: () = {
    #[repr(C)]
    struct Wide {
        first: *const Clock,
        len: usize,
    }
    // SAFETY: of the same size, and any value of either is one of the other.
    let wide: Wide = unsafe { std::mem::transmute::<&'static [Clock], Wide>(&[0; 3]) };
    assert!(wide.len == 3 && !wide.first.is_null());
};

/// How an entity came into the Goldilockset of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    pub added: Entity,
    pub event: SyncEvent,
}

/// Who could have made an access without a race, and why: the Goldilockset of the earlier access.
#[derive(Clone, Default, Debug)]
pub struct Ownership {
    /// In the set already when the part of the list began that is still kept.
    pub members: Vec<Entity>,
    pub growth: Vec<Growth>,
}

/// The engine. All methods are for any number of threads, each with its own [`Thread`].
pub struct Engine {
    pub epochs: EpochTable,
    history: History,
    objects: Objects,
    slots: Mutex<Slots>,
    collector: Collector,
    config: Config,
    /// Cells that a thread appends before the list counts them.
    batch: usize,
}

/// No more threads can be distinguished: 65,535 are alive or have accesses that are not ordered before the creator.
#[derive(Debug, PartialEq, Eq)]
pub struct OutOfSlots;

impl Engine {
    /// An engine whose epoch ids are kept in `epochs`, for at most `slots` threads (1..=65535) at once.
    pub fn new(epochs: EpochTable, slots: usize, config: Config) -> Engine {
        Engine {
            epochs,
            history: History::new(slots),
            objects: Objects::new(),
            slots: Mutex::new(Slots::default()),
            collector: Collector::new(),
            config,
            batch: if config.list_bound < 1024 { 1 } else { 32 },
        }
    }

    /// The id of the thread's present sync epoch, for an access. `None` when the ids have run out.
    pub fn epoch_for_access(&self, thread: &mut Thread) -> Option<EpochId> {
        if thread.epoch.is_none() {
            let (slot, clock) = (thread.slot, thread.clock);
            thread.epoch = Some(self.epochs.allocate(&mut thread.ids, slot, clock)?);
            thread.left = None;
            thread.counts.epochs += 1;
        }
        thread.epoch
    }

    /// As [`Engine::epoch_for_access`], if that takes no more than counting.
    #[inline(always)]
    pub fn epoch_quick(&self, thread: &mut Thread) -> Option<EpochId> {
        if thread.epoch.is_none() {
            let (slot, clock) = (thread.slot, thread.clock);
            let id = self.epochs.allocate_quick(&mut thread.ids, slot, clock)?;
            thread.epoch = Some(id);
            thread.left = None;
            thread.counts.epochs += 1;
        }
        thread.epoch
    }

    /// The relation of an earlier access to the thread's present, by short circuits and by what was evaluated since the
    /// last sink.
    #[inline]
    pub fn relation(&self, thread: &mut Thread, tag: Tag) -> Relation {
        let circuits = self.config.short_circuits;
        let (owner, clock) = self.epochs.lookup(tag.epoch());
        if circuits.sc1 && owner == thread.slot {
            thread.counts.sc1 += 1;
            return Relation::Before;
        }
        if circuits.sc2 && thread.knows(owner) >= clock {
            thread.counts.sc2 += 1;
            return Relation::Before;
        }
        if let Some(&ordered) = thread.decided.get(&tag.epoch().0) {
            return if ordered {
                Relation::Before
            } else {
                Relation::Unordered
            };
        }
        if circuits.sc3 && self.released_held_lock(thread, owner, clock) {
            thread.counts.sc3 += 1;
            thread.learn(owner, clock);
            return Relation::Before;
        }
        Relation::Unknown
    }

    /// Whether the accesses with this tag are known to happen before the thread's present; of a read set, those of all readers.
    #[inline]
    pub fn before(&self, thread: &mut Thread, tag: Tag) -> bool {
        let (owner, clock) = self.epochs.lookup(tag.epoch());
        let circuits = self.config.short_circuits;
        if circuits.sc1 && owner == thread.slot {
            thread.counts.sc1 += 1;
            return true;
        }
        if circuits.sc2 && thread.knows(owner) >= clock {
            thread.counts.sc2 += 1;
            return true;
        }
        if !EpochTable::names_set(owner) {
            return self.relation(thread, tag) == Relation::Before;
        }
        circuits.sc2 && self.epochs.readers_known_before(thread, tag)
    }

    /// SC1: whether the accesses with this tag are the thread's own.
    #[inline]
    pub fn is_own(&self, thread: &Thread, tag: Tag) -> bool {
        self.config.short_circuits.sc1 && self.epochs.lookup(tag.epoch()).0 == thread.slot
    }

    /// SC3: some lock that the thread holds was released by the owner after the access, and acquired by the thread after that.
    fn released_held_lock(&self, thread: &Thread, owner: Slot, clock: Clock) -> bool {
        thread
            .held
            .iter()
            .zip(&thread.held_since)
            // Readers of a lock hold it together: what one of them releases, the others have not acquired. A library's locks are released by
            // the atomics that they are made of.
            .filter(|(lock, _)| {
                const LIBRARY: std::ops::RangeInclusive<u8> =
                    Role::LibraryMutex as u8..=Role::LibraryReader as u8;
                lock.as_object().is_some_and(|(_, role)| {
                    role != Role::Readers as u8 && !LIBRARY.contains(&role)
                })
            })
            .any(|(&lock, &since)| {
                let shard = self.objects.shard(lock);
                let mut releases = shard
                    .get(&lock)
                    .into_iter()
                    .flat_map(|object| &object.released);
                releases.any(|release| {
                    release.slot() == owner
                        && release.clock >= clock
                        && (1..=since).contains(&release.number())
                })
            })
    }

    /// SC4: decides an access that [`Engine::relation`] left open; afterwards it answers.
    pub fn evaluate(&self, thread: &mut Thread, tag: Tag) -> bool {
        let (owner, clock) = self.epochs.lookup(tag.epoch());
        let ordered = match self.walk(thread, owner, clock, self.config.walk_limit, |_| {}) {
            Some(ordered) => ordered,
            None => {
                self.evaluate_all(thread);
                thread.knows(owner) >= clock
            }
        };
        if ordered {
            thread.learn(owner, clock);
        } else {
            thread.counts.unordered += 1;
        }
        thread.decided.insert(tag.epoch().0, ordered);
        ordered
    }

    /// The Goldilockset of an earlier access that is not ordered before the thread's present, and how it grew.
    pub fn explain(&self, thread: &mut Thread, tag: Tag) -> Ownership {
        let (owner, clock) = self.epochs.lookup(tag.epoch());
        let mut ownership = Ownership::default();
        // Releases that nobody has acquired are part of the story.
        self.objects.each(|object| {
            if let Some(event) = object.pending.take() {
                self.history.append(event, &mut thread.stock, self.batch);
            }
        });
        let members = &mut ownership.members;
        // SAFETY: the walk is not used.
        unsafe {
            self.history.look(owner, clock, |checkpoint, _| {
                members.extend(
                    checkpoint
                        .into_iter()
                        .flat_map(|checkpoint| checkpoint.members(owner, clock)),
                )
            })
        };
        self.walk(thread, owner, clock, usize::MAX, |growth| {
            ownership.growth.push(growth)
        });
        ownership
    }

    /// Apply-Lockset-Rules (Figure 3): grows the set {owner} along the list until it holds the thread (`Some(true)`) or the
    /// list ends (`Some(false)`); `None` after `limit` cells.
    fn walk(
        &self,
        thread: &mut Thread,
        owner: Slot,
        clock: Clock,
        limit: usize,
        mut grown: impl FnMut(Growth),
    ) -> Option<bool> {
        if owner == thread.slot {
            return Some(true);
        }
        thread.counts.walks += 1;
        let me = thread.entity();
        let guard = self.pin(thread);
        let set = &mut thread.overlay;
        set.clear();
        let mut walked = 0;
        let grow = |checkpoint: Option<&Checkpoint>, cells: Walk| {
            let holds = |set: &FastMap<Entity, bool>, entity: Entity| match set.get(&entity) {
                Some(&member) => member,
                None => checkpoint.is_some_and(|checkpoint| checkpoint.holds(entity, owner, clock)),
            };
            if holds(set, me) {
                return Some(true);
            }
            for event in cells {
                if walked == limit {
                    return None;
                }
                walked += 1;
                let mut add = |set: &mut FastMap<Entity, bool>, entity: Entity| {
                    if !holds(set, entity) {
                        set.insert(entity, true);
                        grown(Growth {
                            added: entity,
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
                if set.get(&me) == Some(&true) {
                    return Some(true);
                }
            }
            Some(false)
        };
        // SAFETY: the guard was pinned before and is dropped after.
        let result = unsafe { self.history.look(owner, clock, grow) };
        thread.counts.walked_cells += walked as u64;
        drop(guard);
        result
    }

    /// Evaluates the whole list into the checkpoint and lets the thread learn what it knows.
    fn evaluate_all(&self, thread: &mut Thread) {
        let (guard, me) = (self.pin(thread), thread.entity());
        let mut passed = Passed::default();
        // SAFETY: the guard is pinned; `retire` frees cells when every walk that was pinned by then has ended.
        unsafe {
            self.history.evaluate_all(
                |cell| passed.push(cell),
                |checkpoint| thread.learn_from(checkpoint, me),
            );
        }
        thread.counts.evaluations += passed.count as u64;
        self.retire_cells(passed, &guard);
    }

    /// Evaluates the older half of a list that has grown past its bound, unless another thread is at it.
    fn evaluate_oldest(&self, thread: &mut Thread) {
        let (guard, me) = (self.pin(thread), thread.entity());
        let mut passed = Passed::default();
        let keep = self.config.list_bound / 2;
        // SAFETY: as in `evaluate_all`.
        unsafe {
            self.history.evaluate_oldest(
                keep,
                |cell| passed.push(cell),
                |checkpoint| thread.learn_from(checkpoint, me),
            );
        }
        thread.counts.evaluations += passed.count as u64;
        self.retire_cells(passed, &guard);
    }

    /// Gives cells to the pool when every walk that is pinned by now has ended: all of one evaluation at once, which is one thing
    /// to remember for the reclamation instead of thousands.
    fn retire_cells(&self, passed: Passed, guard: &Guard) {
        let many = passed.count >= 64;
        if passed.count > 0 {
            let pool = self.history.pool().clone();
            // SAFETY: the list gives each cell once, nobody who is pinned from now on can reach them, and cells are `Send`.
            unsafe { guard.defer_unchecked(move || pool.give(passed)) }
        }
        if many {
            // Else cells would be used again by and by, less often than they are made.
            guard.flush();
        }
    }

    fn pin(&self, thread: &mut Thread) -> Guard {
        thread
            .reclamation
            .get_or_insert_with(|| self.collector.register())
            .pin()
    }

    /// Cells that await evaluation, entities in the checkpoint, sync objects: for the statistics.
    pub fn sizes(&self) -> (usize, usize, usize) {
        (
            self.history.pending(),
            self.history.entities(),
            self.objects.len(),
        )
    }

    /// A site that means nothing, for engines run without a program.
    pub const NO_SITE: Site = 0;
}
