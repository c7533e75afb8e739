//! The engine: Goldilocks with lazy evaluation (MSR-TR-2006-163, Figures 1 and 3), extended to reads, atomics and fences.
//!
//! What differs from the report: an access is identified by (owner, sync epoch), so one evaluation serves every variable of
//! that epoch and `pos` needs no storage; short circuits are SC1 own, SC2 `known`, SC3 a held lock that the owner released
//! since (the report's alock, for every lock and without a field per variable), and SC4 is the walk of the update list,
//! or its checkpoint when the walk would be long. Nothing is missed, and nothing is reported that is not a race of the
//! linearization that the list holds.

mod counts;
mod growth;
mod life;
mod section;
mod settled;
mod sync;
mod thread;

pub use counts::Counts;
pub use growth::{Growth, Ownership};
pub use life::Past;
pub use section::Section;
pub use thread::Thread;

use crate::clocks::Checkpoint;
use crate::epoch::{EpochId, EpochTable};
use crate::event::{Clock, Role, Slot};
use crate::history::History;
use crate::line::{Relation, Site};
use crate::objects::Objects;
use crate::primitive::Mutex;
use crate::tag::Tag;
use crate::update_list::{Passed, Walk};
use crossbeam_epoch::{Collector, Guard};
use growth::{Growing, TOLD};
use life::Slots;

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
    /// Whether a thread that takes a lock back goes on with the sync epoch that its release has ended ([`Thread::go_back`]).
    pub goes_back: bool,
    /// Accesses to words with records after which a thread looks for what nothing can race with any more, to forget it; 0 is never.
    pub settle_after: u32,
    /// Reads that a thread can keep to itself ([`crate::kept`]), a power of two; 0 is none.
    pub kept_reads: usize,
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
            goes_back: true,
            settle_after: 4096,
            kept_reads: 1 << 16,
        }
    }
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
            epochs: epochs.with_slots(slots, config.kept_reads),
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

    /// Whether SC1 and SC2 are on, on which the short ways rely.
    pub(crate) fn knows_by_looking(&self) -> bool {
        let circuits = self.config.short_circuits;
        circuits.sc1 && circuits.sc2
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
                    .get(lock)
                    .into_iter()
                    .flat_map(|object| object.released());
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
            None => self.decide_by_all(thread, (owner, clock)),
        };
        if ordered {
            thread.learn(owner, clock);
        } else {
            thread.counts.unordered += 1;
        }
        thread.decided.insert(tag.epoch().0, ordered);
        ordered
    }

    /// Evaluates all, which tells whether the accesses of this sync epoch are ordered before the thread. If they are not, there is to be
    /// a report perhaps, and how their Goldilockset grew is not to be seen in the list any more: it is noted.
    fn decide_by_all(&self, thread: &mut Thread, (owner, clock): (Slot, Clock)) -> bool {
        let guard = self.pin(thread);
        // SAFETY: the guard is pinned, and dropped below, when the walk has ended. What is evaluated meanwhile stays linked until then.
        let early = unsafe {
            self.history.look(owner, clock, |checkpoint, cells| {
                checkpoint.is_none().then_some(cells)
            })
        };
        self.evaluate_all(thread);
        let ordered = thread.knows(owner) >= clock;
        thread.told = None;
        if !ordered && let Some(cells) = early {
            // SAFETY: as above.
            let evaluated = unsafe {
                self.history
                    .look(owner, clock, |_, rest| cells.until(&rest))
            };
            let (mut growth, me) = (Vec::new(), thread.entity());
            let set = &mut thread.overlay;
            set.clear();
            Growing {
                set,
                owner,
                clock,
                me,
            }
            .along(None, evaluated, usize::MAX, |step| {
                if growth.len() < TOLD {
                    growth.push(step);
                }
            });
            thread.told = Some(((owner, clock), growth));
        }
        drop(guard);
        ordered
    }

    /// The Goldilockset of an earlier access that is not ordered before the thread's present, and how it grew.
    pub fn explain(&self, thread: &mut Thread, tag: Tag) -> Ownership {
        let (owner, clock) = self.epochs.lookup(tag.epoch());
        let mut ownership = Ownership::default();
        // Releases that nobody has acquired are part of the story.
        self.objects.each(|object| {
            let waiting = object.take_pending().into_iter();
            for event in waiting.chain(object.take_waiting()) {
                self.history.append(event, &mut thread.stock, self.batch);
            }
        });
        if let Some((of, growth)) = &thread.told
            && *of == (owner, clock)
        {
            ownership.growth.clone_from(growth);
        }
        let is_told = !ownership.growth.is_empty();
        let members = &mut ownership.members;
        // SAFETY: the walk is not used.
        unsafe {
            self.history.look(owner, clock, |checkpoint, _| {
                members.extend(
                    checkpoint
                        .filter(|_| !is_told)
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
        grown: impl FnMut(Growth),
    ) -> Option<bool> {
        if owner == thread.slot {
            return Some(true);
        }
        thread.counts.walks += 1;
        let me = thread.entity();
        let guard = self.pin(thread);
        let set = &mut thread.overlay;
        set.clear();
        let growing = Growing {
            set,
            owner,
            clock,
            me,
        };
        let grow = |checkpoint: Option<&Checkpoint>, cells: Walk| {
            growing.along(checkpoint, cells, limit, grown)
        };
        // SAFETY: the guard was pinned before and is dropped after.
        let (result, walked) = unsafe { self.history.look(owner, clock, grow) };
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
        if !passed.is_empty() {
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
