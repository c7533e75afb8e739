//! The update list: every sync event of the execution in one order, appended without locks.
//!
//! Figure 3 of the report (`Cell`, head, tail). An append swaps the tail and then links its predecessor to itself; a reader
//! that meets the gap between the two waits for the link, as it needs all cells up to the tail that it saw. The head is
//! moved on by one evaluator at a time, which hands the cells that it passed to `retire`: readers pin a reclamation epoch of
//! crossbeam-epoch before they load the head, so a retired cell outlives every walk that can still see it.

use crate::event::{Effect, Entity, SyncEvent};
use crate::primitive::{AtomicPtr, AtomicUsize, Ordering, relax};
use std::ptr;

/// A cell of the list.
pub struct Cell {
    pub event: SyncEvent,
    next: AtomicPtr<Cell>,
}

/// Neighbouring cells that the head has passed.
pub struct Passed {
    first: *mut Cell,
    pub count: usize,
}

impl Default for Passed {
    fn default() -> Passed {
        Passed {
            first: ptr::null_mut(),
            count: 0,
        }
    }
}

impl Passed {
    /// Adds the next cell.
    pub fn push(&mut self, cell: *mut Cell) {
        if self.count == 0 {
            self.first = cell;
        }
        self.count += 1;
    }

    /// Frees them.
    ///
    /// # Safety
    /// They came from [`UpdateList::evaluate`], one after the other, and no walk can see them any more.
    pub unsafe fn free(self) {
        let mut at = self.first;
        for _ in 0..self.count {
            // SAFETY: contract; the last one's successor is not looked at.
            let cell = unsafe { Box::from_raw(at) };
            // Relaxed: the head has passed the successor, too, or is at it: the link was seen.
            at = cell.next.load(Ordering::Relaxed);
        }
    }
}

/// The list. The first cell is a sentinel: its event has been evaluated (or is the null event of a new list).
pub struct UpdateList {
    head: AtomicPtr<Cell>,
    tail: AtomicPtr<Cell>,
    /// Cells appended and not evaluated, and those that are just being appended or evaluated.
    pending: AtomicUsize,
}

/// A walk over the cells behind the head, up to the tail at the time of [`UpdateList::walk`].
pub struct Walk {
    at: *mut Cell,
    end: *mut Cell,
}

impl UpdateList {
    pub fn new() -> UpdateList {
        let sentinel = Self::new_cell(SyncEvent {
            thread: 0,
            effect: Effect(0),
            incarnation: 0,
            object: Entity::NONE,
            clock: 0,
            pc: 0,
        });
        UpdateList {
            head: AtomicPtr::new(sentinel),
            tail: AtomicPtr::new(sentinel),
            pending: AtomicUsize::new(0),
        }
    }

    fn new_cell(event: SyncEvent) -> *mut Cell {
        Box::into_raw(Box::new(Cell {
            event,
            next: AtomicPtr::new(ptr::null_mut()),
        }))
    }

    /// Appends a cell. O(1), never waits.
    pub fn append(&self, event: SyncEvent) {
        let cell = Self::new_cell(event);
        // Before the swap, so that an evaluator that passes the cell subtracts what has been added; else the difference
        // would stay for ever. Relaxed: the swap publishes it with the cell.
        self.pending.fetch_add(1, Ordering::Relaxed);
        // Release: whoever finds the cell as the tail sees its event. Acquire: pairs with the predecessor's release, so
        // that events are ordered as the cells are.
        let previous = self.tail.swap(cell, Ordering::AcqRel);
        // SAFETY: the head never passes a cell without a successor, so the predecessor is alive until this store.
        // Release: whoever follows the link sees the event.
        unsafe { (*previous).next.store(cell, Ordering::Release) };
    }

    /// Number of cells that await evaluation, approximately.
    pub fn pending(&self) -> usize {
        self.pending.load(Ordering::Relaxed)
    }

    /// All cells from the head to the present tail.
    ///
    /// # Safety
    /// Until the walk is dropped the caller keeps retired cells from being freed (a pinned reclamation epoch, entered
    /// before this call, or the evaluator's exclusive right).
    pub unsafe fn walk(&self) -> Walk {
        // Acquire: the head's and the tail's contents. The head is loaded first, so it is not behind the tail.
        let at = self.head.load(Ordering::Acquire);
        Walk {
            at,
            end: self.tail.load(Ordering::Acquire),
        }
    }

    /// Evaluates at most `limit` of the oldest cells in order and moves the head past them; they go to `retire`.
    /// Returns how many.
    ///
    /// # Safety
    /// One evaluator at a time. `retire` frees a cell (by `Box::from_raw`) only when no walk can see it any more.
    pub unsafe fn evaluate(
        &self,
        limit: usize,
        mut apply: impl FnMut(&SyncEvent),
        mut retire: impl FnMut(*mut Cell),
    ) -> usize {
        // SAFETY: the evaluator is the only one that retires cells.
        let mut walk = unsafe { self.walk() };
        let mut passed = walk.at;
        let mut count = 0;
        while count < limit {
            let Some(cell) = walk.step() else { break };
            // SAFETY: `step` gave a live cell.
            apply(unsafe { &(*cell).event });
            // Release: a walk that starts here also sees what was evaluated up to here.
            self.head.store(cell, Ordering::Release);
            retire(passed);
            passed = cell;
            count += 1;
        }
        // Relaxed: a statistic that only triggers evaluation.
        self.pending.fetch_sub(count, Ordering::Relaxed);
        count
    }
}

impl Walk {
    fn step(&mut self) -> Option<*mut Cell> {
        if self.at == self.end {
            return None;
        }
        loop {
            // SAFETY: cells between head and tail are alive (contract of `UpdateList::walk`).
            // Acquire: pairs with the release of the link.
            let next = unsafe { (*self.at).next.load(Ordering::Acquire) };
            if !next.is_null() {
                self.at = next;
                return Some(next);
            }
            relax();
        }
    }
}

impl Iterator for Walk {
    type Item = SyncEvent;
    fn next(&mut self) -> Option<SyncEvent> {
        // SAFETY: `step` gave a live cell; events never change.
        self.step().map(|cell| unsafe { (*cell).event })
    }
}

impl Default for UpdateList {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for UpdateList {
    fn drop(&mut self) {
        let mut at = self.head.load(Ordering::Relaxed);
        while !at.is_null() {
            // SAFETY: exclusive access; every cell from the head on is owned by the list.
            let cell = unsafe { Box::from_raw(at) };
            at = cell.next.load(Ordering::Relaxed);
        }
    }
}
