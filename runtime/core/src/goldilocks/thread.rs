//! A thread as the engine knows it: its sync epoch, what it knows to be before it, the locks that it holds.

use super::{Counts, Growth};
use crate::clocks::Checkpoint;
use crate::epoch::{EpochId, IdRange};
use crate::event::{Clock, Entity, Incarnation, Slot, SyncEvent};
use crate::fast_hash::FastMap;
use crate::objects::{Holds, Object};
use crate::read_sets::InParts;
use crate::record_pool::RecordStock;
use crate::steps::Steps;
use crate::update_list::{Pool, Stock};
use crossbeam_epoch::LocalHandle;
use std::cell::Cell;
use std::sync::Arc;

/// Releases that a thread keeps out of the update list, at most.
pub(super) const PENDING: usize = 64;

/// Objects that a thread remembers to know, at most.
const UP_TO_DATE: usize = 64;

/// Locks held at a time for which there is room from the start: whole cache lines, which are no other thread's.
const HELD: usize = 16;

/// A sync epoch that has ended by a release.
#[derive(Clone, Copy)]
pub(super) struct Left {
    pub(super) epoch: EpochId,
    /// The only object that it was released to.
    pub(super) object: Entity,
    /// How often that had been acquired ([`Object::acquired`]).
    pub(super) acquired: u64,
}

/// A thread as the engine knows it. Used by the thread itself (or on its behalf before it starts and after it ended).
pub struct Thread {
    pub slot: Slot,
    /// Which of the threads that have had the slot.
    pub(super) incarnation: Incarnation,
    /// Its first sync epoch, and the present one.
    begun: Clock,
    pub(super) clock: Clock,
    /// Its id, once an access was made in it.
    pub(super) epoch: Option<EpochId>,
    /// The sync epoch that the last source has ended. Of what has been accessed since, nobody has been told.
    pub(super) left: Option<Left>,
    /// The present one, if it had ended and the thread went back to it with nothing accessed or learned in between.
    pub(super) resumed: Option<Left>,
    /// Ids for the next sync epochs.
    pub(super) ids: IdRange,
    /// Its part in the update list.
    pub(super) stock: Stock,
    /// Records for the sites of words.
    pub(crate) records: RecordStock,
    /// It would keep an access to itself if it had a table for that ([`crate::kept`]).
    pub(crate) would_keep: Cell<bool>,
    /// The access that it makes is to one of many words with the same readers, which get a set ([`crate::quick_line::RangeAccess::many`]).
    pub(crate) gathers: Cell<bool>,
    /// Whether sets of readers of different bytes are worth it.
    pub(crate) in_parts: InParts,
    /// What it has made of cells lately.
    pub(crate) steps: Steps,
    /// `known[u]`: accesses by u in sync epochs up to this one happen before this thread's present.
    pub(super) known: Box<[Clock]>,
    /// Locks held now, outermost first, and how often each had been released when it was acquired.
    pub(super) held: Vec<Entity>,
    pub(super) held_since: Vec<u64>,
    /// The object of the last acquire and how often it had been released by then.
    pub(super) acquired: (Entity, u64),
    /// Counts what this thread has learned by sinks, and its sources.
    pub(super) version: u64,
    pub(super) sources: u64,
    /// The version at its last source.
    pub(super) published: u64,
    /// Objects that may have a release of this thread pending.
    pub(super) pending: Vec<Entity>,
    /// Its last release fence, if that is not in the list yet; and the clock and version that it told.
    pub(super) fence: Option<SyncEvent>,
    pub(super) fenced: (Clock, u64),
    /// By a hash of the object: the stamp that it had when this thread last knew all that it holds.
    pub(super) up_to_date: Box<[(Entity, u64); UP_TO_DATE]>,
    /// The access that the short way has left is to be checked even if it is found to be made ([`crate::refresh`]).
    /// Whoever lets the thread do other things in between (a signal handler) keeps it.
    pub recheck: bool,
    /// Verdicts of SC4 since the last sync-sink.
    pub(super) decided: FastMap<u32, bool>,
    /// How the Goldilockset of the accesses of a sync epoch grew that was found not to be ordered before, if that is not in the list any more.
    pub(super) told: Option<((Slot, Clock), Vec<Growth>)>,
    /// Whether this thread has a release fence, and whether it has read a release sequence relaxed, at all and since its last acquire
    /// fence.
    pub(super) has_release_fence: bool,
    pub(super) has_relaxed_read: bool,
    pub(super) has_relaxed_news: bool,
    /// Registration with the reclamation of cells; made by the thread that uses it, at its first walk.
    pub(super) reclamation: Option<LocalHandle>,
    pub(super) overlay: FastMap<Entity, bool>,
    /// `known` as of a version, for children that start later.
    pub(super) snapshot: Option<(u64, Arc<[Clock]>)>,
    pub counts: Counts,
}

// SAFETY: a `LocalHandle` may be moved with the thread state as long as one thread uses it at a time, which holding
// `&mut Thread` ensures; it is pinned only inside methods of the engine.
unsafe impl Send for Thread {}

impl Thread {
    pub(super) fn new(
        (slot, clock, incarnation): (Slot, Clock, Incarnation),
        (pool, records): (&Arc<Pool>, RecordStock),
    ) -> Thread {
        Thread {
            slot,
            incarnation,
            begun: clock,
            clock,
            epoch: None,
            left: None,
            resumed: None,
            ids: IdRange::default(),
            stock: Stock::new(pool),
            records,
            would_keep: Cell::new(false),
            gathers: Cell::new(false),
            in_parts: InParts::default(),
            steps: Steps::default(),
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
            told: None,
            has_release_fence: false,
            has_relaxed_read: false,
            has_relaxed_news: false,
            reclamation: None,
            overlay: FastMap::default(),
            snapshot: None,
            counts: Counts::default(),
        }
    }
    pub(super) fn entity(&self) -> Entity {
        Entity::thread(self.slot, self.incarnation)
    }
    /// Whether something that it has told is not in the list yet.
    #[inline(always)]
    pub(super) fn has_told_less(&self) -> bool {
        !self.pending.is_empty() || self.fence.is_some()
    }
    /// Offset of `known`, an address and a length, for code that is not compiled with this.
    pub const KNOWN: usize = std::mem::offset_of!(Thread, known);
    /// Offset of the accesses to words with records until it is time to look for what can be forgotten, for the same.
    pub const UNTIL: usize = std::mem::offset_of!(Thread, records) + RecordStock::UNTIL;
    /// Offset of how many records it has made those of readers, for the same.
    pub const OF_READERS: usize = std::mem::offset_of!(Thread, records) + RecordStock::OF_READERS;
    /// Offset of the pointer to its steps ([`crate::steps`]), for the same.
    pub const STEPS: usize = std::mem::offset_of!(Thread, steps);

    #[inline(always)]
    pub(super) fn up_to_date(&mut self, object: Entity) -> &mut (Entity, u64) {
        let hash = object.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
        &mut self.up_to_date[hash as usize % UP_TO_DATE]
    }
    #[inline(always)]
    pub(crate) fn knows(&self, slot: Slot) -> Clock {
        self.known.get(slot as usize).copied().unwrap_or(0)
    }
    /// Lets `known` have this length at least.
    #[inline]
    pub(super) fn make_room(&mut self, len: usize) {
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
    pub(super) fn learn(&mut self, slot: Slot, clock: Clock) {
        let slot = slot as usize;
        self.make_room(slot + 1);
        self.known[slot] = self.known[slot].max(clock);
    }
    pub(super) fn learn_row(&mut self, row: &[Clock]) {
        self.learn_part(0, row);
    }
    /// What the slots from `first` on say.
    pub(super) fn learn_part(&mut self, first: usize, clocks: &[Clock]) {
        let said = clocks.iter().rposition(|&clock| clock != 0);
        let Some(last) = said else { return };
        self.make_room(first + last + 1);
        for (mine, &theirs) in self.known[first..].iter_mut().zip(clocks) {
            *mine = (*mine).max(theirs);
        }
    }
    /// What the checkpoint says of this thread, whose entity is `me`.
    pub(super) fn learn_from(&mut self, checkpoint: &Checkpoint, me: Entity) {
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
        self.steps.forget();
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
        std::mem::swap(&mut self.steps, &mut other.steps);
        self.steps.forget();
        std::mem::swap(&mut self.reclamation, &mut other.reclamation);
        std::mem::swap(&mut self.overlay, &mut other.overlay);
        std::mem::swap(&mut self.counts, &mut other.counts);
        // It is measured in these.
        std::mem::swap(&mut self.in_parts, &mut other.in_parts);
    }
    /// A source: ends the present sync epoch if an access was made in it, or if something was learned since the last source. The
    /// result is the last one that has ended. So whoever knows of it knows what this thread knew at a source that tells the
    /// same one.
    #[inline(always)]
    pub(super) fn publish(&mut self) -> Clock {
        self.resumed = None;
        if self.epoch.take().is_some() || self.published != self.version {
            self.clock += 1;
            self.published = self.version;
        }
        self.clock - 1
    }
    /// Names its next source, uniquely over the run.
    #[inline(always)]
    pub(super) fn next_stamp(&mut self) -> u64 {
        self.sources += 1;
        (self.incarnation as u64) << 40 | self.sources & ((1 << 40) - 1)
    }
    /// The thread has released `object`, which had been acquired so often, and by that has ended this sync epoch, if any.
    #[inline(always)]
    pub(super) fn leave(&mut self, object: Entity, ended: Option<EpochId>, acquired: u64) {
        self.left = match (ended, self.left) {
            (Some(epoch), _) => Some(Left {
                epoch,
                object,
                acquired,
            }),
            // Else somebody has acquired it, and knows of that epoch.
            (None, Some(left)) if left.object == object && left.acquired == acquired => Some(left),
            _ => None,
        };
    }
    /// Nobody has learned of the sync epoch that ended last, and nobody will before this thread releases `object` again, the
    /// only one that it was released to: then it goes on, as if it had not ended. Says whether it does.
    ///
    /// What the thread has accessed or learned since makes no difference: the next release tells of that as well, and until then
    /// there is nobody who knows of the one epoch and not of the other. So what an owner of a lock uses under it is accessed in one
    /// epoch, however often it takes the lock, until somebody else does.
    #[inline(always)]
    pub(super) fn go_back(&mut self, object: Entity, record: &Object) -> bool {
        let Some(left) = self.left else { return false };
        if left.object != object || left.acquired != record.acquired {
            return false;
        }
        if self.has_just_released(object) {
            self.clock -= 1;
            self.resumed = self.left;
        }
        self.epoch = Some(left.epoch);
        self.left = None;
        self.counts.went_back += 1;
        true
    }
    /// Whether a release of `object` says no more than the one before the thread went back, which nobody has acquired.
    #[inline(always)]
    pub(super) fn has_said(&self, object: Entity, record: &Object) -> bool {
        self.resumed
            .is_some_and(|resumed| resumed.object == object && resumed.acquired == record.acquired)
            && self.published == self.version
    }
    /// Whether the sync epoch that its last source has ended may have been released to `object`.
    #[inline(always)]
    pub(super) fn has_left(&self, object: Entity) -> bool {
        self.left.is_some_and(|left| left.object == object)
    }
    /// Whether the thread has done and learned nothing since it has released `object`, and ended a sync epoch by that which it
    /// has released to nothing else.
    pub fn has_just_released(&self, object: Entity) -> bool {
        self.has_left(object) && self.epoch.is_none() && self.published == self.version
    }
    /// Whether an object that holds this would teach nothing.
    #[inline(always)]
    pub fn has_heard(&self, holds: Holds) -> bool {
        holds.known().is_some_and(|(slot, clock)| {
            self.knows(slot) >= clock || slot == self.slot && clock >= self.begun
        })
    }
    /// Whether to acquire the object would teach nothing.
    #[inline(always)]
    pub(super) fn knows_all(&mut self, object: Entity, record: &Object) -> bool {
        let releaser = record.last().filter(|_| record.is_whole());
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
