//! All sync events so far: a checkpoint that stands for the oldest, and the update list with the others.
//!
//! The seam between the two moves on while others look: the evaluator applies a cell to the checkpoint, then says in
//! `evaluated` up to which sync epoch of the cell's thread the checkpoint knows, and only then moves the head past the cell.
//! Whoever looks goes the other way round: head, then `evaluated`. So if the checkpoint does not cover an epoch by then, the
//! source that ended the epoch lies behind the head that was loaded, and nothing before it can matter. And if it does, the
//! checkpoint's lock makes the seam stand still.

use crate::clocks::Checkpoint;
use crate::event::{Clock, Slot, SyncEvent};
use crate::primitive::{AtomicU64, Ordering, RwLock, zeroes};
use crate::update_list::{Cell, Pool, Stock, UpdateList, Walk};
use std::sync::Arc;
// A hint has nothing for loom to find.
use std::sync::atomic;

pub struct History {
    list: UpdateList,
    checkpoint: RwLock<Checkpoint>,
    /// By slot: the last sync epoch that the checkpoint covers. Written by the holder of the checkpoint alone.
    evaluated: Box<[AtomicU64]>,
    /// Somebody evaluates the oldest events now: a hint.
    is_evaluating: atomic::AtomicBool,
}

impl History {
    /// Nothing has happened; there will be threads in slots below `slots`.
    pub fn new(slots: usize) -> History {
        History {
            list: UpdateList::new(),
            checkpoint: RwLock::new(Checkpoint::default()),
            evaluated: zeroes(slots),
            is_evaluating: atomic::AtomicBool::new(false),
        }
    }

    pub fn slots(&self) -> usize {
        self.evaluated.len()
    }

    /// An event happens. What is in `stock` is counted `batch` cells at a time.
    #[inline(always)]
    pub fn append(&self, event: SyncEvent, stock: &mut Stock, batch: usize) {
        self.list.append(event, stock, batch);
    }

    /// Two events happen, one right after the other.
    pub fn append_two(&self, events: [SyncEvent; 2], stock: &mut Stock, batch: usize) {
        self.list.append_two(events, stock, batch);
    }

    /// Counts what the stock's thread has appended.
    pub fn count(&self, stock: &mut Stock) {
        self.list.count(stock);
    }

    /// Where cells go that nobody can see any more.
    pub fn pool(&self) -> &Arc<Pool> {
        &self.list.pool
    }

    /// Number of cells that await evaluation, approximately.
    pub fn pending(&self) -> usize {
        self.list.pending()
    }

    /// Whether more than so many cells await evaluation, and nobody is at that: many who find it too long at once would only be in each other's way.
    #[inline(always)]
    pub fn is_longer_than(&self, cells: usize) -> bool {
        // Relaxed: a hint.
        self.pending() > cells && !self.is_evaluating.load(atomic::Ordering::Relaxed)
    }

    /// Number of entities in the checkpoint.
    pub fn entities(&self) -> usize {
        self.checkpoint.read().unwrap().len()
    }

    /// Lets `look` see what decides the Goldilocksets of accesses made by `owner` in its sync epoch `clock`: the checkpoint,
    /// if it says anything about them, and the events after it.
    ///
    /// # Safety
    /// The caller keeps retired cells from being freed, from before this call to its end (a pinned reclamation epoch).
    pub unsafe fn look<R>(
        &self,
        owner: Slot,
        clock: Clock,
        look: impl FnOnce(Option<&Checkpoint>, Walk) -> R,
    ) -> R {
        // SAFETY: contract.
        let early = unsafe { self.list.walk() };
        // Relaxed: the head was loaded with acquire, so this sees what was stored before the head (the module's header).
        if self.evaluated[owner as usize].load(Ordering::Relaxed) < clock {
            return look(None, early);
        }
        let checkpoint = self.checkpoint.read().unwrap();
        // SAFETY: contract. With the checkpoint locked the head stands still where the checkpoint ends.
        let cells = unsafe { self.list.walk() };
        look(Some(&checkpoint), cells)
    }

    /// Evaluates all events so far, then lets `look` see the checkpoint. Returns what `look` does and how many events.
    ///
    /// # Safety
    /// The caller keeps cells that are retired from now on from being freed until this returns; `retire` frees a cell only
    /// when every walk that began before has ended.
    pub unsafe fn evaluate_all<R>(
        &self,
        retire: impl FnMut(*mut Cell),
        look: impl FnOnce(&Checkpoint) -> R,
    ) -> (R, usize) {
        let mut checkpoint = self.checkpoint.write().unwrap();
        // SAFETY: contract.
        let count = unsafe { self.advance(&mut checkpoint, usize::MAX, retire) };
        (look(&checkpoint), count)
    }

    /// Evaluates the oldest events until about `keep` are left, as `evaluate_all` does. `None` if the checkpoint is in use.
    ///
    /// # Safety
    /// As for `evaluate_all`.
    pub unsafe fn evaluate_oldest<R>(
        &self,
        keep: usize,
        retire: impl FnMut(*mut Cell),
        look: impl FnOnce(&Checkpoint) -> R,
    ) -> Option<(R, usize)> {
        let mut checkpoint = self.checkpoint.try_write().ok()?;
        self.is_evaluating.store(true, atomic::Ordering::Relaxed);
        let excess = self.list.pending().saturating_sub(keep);
        // SAFETY: contract.
        let count = unsafe { self.advance(&mut checkpoint, excess, retire) };
        self.is_evaluating.store(false, atomic::Ordering::Relaxed);
        Some((look(&checkpoint), count))
    }

    /// # Safety
    /// As for `evaluate_all`; `checkpoint` is this history's own.
    unsafe fn advance(
        &self,
        checkpoint: &mut Checkpoint,
        limit: usize,
        retire: impl FnMut(*mut Cell),
    ) -> usize {
        let apply = |event: &SyncEvent, later: Option<&SyncEvent>| {
            if let Some(later) = later {
                checkpoint.expect(later);
            }
            checkpoint.apply(event);
            if event.effect.is_source() {
                let evaluated = &self.evaluated[event.thread as usize];
                // Relaxed: only the holder of the checkpoint writes, and the release of the head publishes it.
                evaluated.store(
                    event.clock.max(evaluated.load(Ordering::Relaxed)),
                    Ordering::Relaxed,
                );
            }
        };
        // SAFETY: the checkpoint's lock makes this the only evaluator; the rest is the contract.
        unsafe { self.list.evaluate(limit, apply, retire) }
    }
}
