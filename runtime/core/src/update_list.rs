//! The update list: every sync event of the execution in one order, appended without locks.
//!
//! Figure 3 of the report (`Cell`, head, tail). An append swaps the tail and then links its predecessor to itself; a reader
//! that meets the gap between the two waits for the link, as it needs all cells up to the tail that it saw. The head is
//! moved on by one evaluator at a time, which hands the cells that it passed to `retire`: readers pin a reclamation epoch of
//! crossbeam-epoch before they load the head, so a retired cell outlives every walk that can still see it.
//!
//! Cells are used again: those that one evaluation has passed hang together by their links already, so they go back to the
//! [`Pool`] as chains, and a thread takes a chain for its next appends ([`Stock`]).

use crate::event::SyncEvent;
use crate::primitive::{AtomicPtr, AtomicUsize, Mutex, Ordering, prefetch_to_write, wait_a_little};
use std::ptr;
use std::sync::Arc;

/// A cell of the list. Who appends the next one stores to it: so it has a cache line of its own.
#[repr(align(64))]
pub struct Cell {
    pub event: SyncEvent,
    next: AtomicPtr<Cell>,
}

/// Cells of a chain, at most: a thread takes so many at a time, and has twice as many at most.
const LENGTH: usize = if cfg!(loom) { 2 } else { 32 };

/// Cells that hang together.
struct Chain {
    first: *mut Cell,
    /// Means something if there is a first one.
    last: *mut Cell,
    count: usize,
}

// SAFETY: whoever has the chain is the only one who can reach its cells (contract of its uses), and cells are `Send`.
unsafe impl Send for Chain {}

impl Default for Chain {
    fn default() -> Chain {
        Chain {
            first: ptr::null_mut(),
            last: ptr::null_mut(),
            count: 0,
        }
    }
}

impl Chain {
    /// The cells of another one come first.
    fn put_before(&mut self, other: Chain) {
        if self.count == 0 {
            *self = other;
        } else if other.count > 0 {
            // SAFETY: the other chain's own. Relaxed: whoever takes the chain from the pool is ordered by its lock.
            unsafe { (*other.last).next.store(self.first, Ordering::Relaxed) };
            self.first = other.first;
            self.count += other.count;
        }
    }

    /// The first cell, for another use.
    fn take(&mut self) -> Option<*mut Cell> {
        if self.count == 0 {
            return None;
        }
        let cell = self.first;
        self.count -= 1;
        // SAFETY: the chain's own. Relaxed: the head has passed the successor, too, or is at it: the link was seen.
        self.first = unsafe { (*cell).next.load(Ordering::Relaxed) };
        // Who has evaluated it was another thread.
        prefetch_to_write(self.first);
        Some(cell)
    }

    /// As many as fit, of new cells.
    fn new() -> Chain {
        let mut chain = Chain::default();
        for _ in 0..LENGTH {
            let cell = UpdateList::new_cell(SyncEvent::NOTHING);
            chain.put_before(Chain {
                first: cell,
                last: cell,
                count: 1,
            });
        }
        chain
    }

    /// Frees them.
    ///
    /// # Safety
    /// Nobody else can see them any more.
    unsafe fn free(mut self) {
        while let Some(cell) = self.take() {
            // SAFETY: contract; the successor has been read.
            drop(unsafe { Box::from_raw(cell) });
        }
    }
}

/// What the head has passed in one evaluation.
#[derive(Default)]
pub struct Passed {
    chains: Vec<Chain>,
    pub count: usize,
}

impl Passed {
    /// Adds the next cell.
    pub fn push(&mut self, cell: *mut Cell) {
        self.count += 1;
        match self.chains.last_mut() {
            Some(chain) if chain.count < LENGTH => {
                chain.count += 1;
                chain.last = cell;
            }
            _ => self.chains.push(Chain {
                first: cell,
                last: cell,
                count: 1,
            }),
        }
    }

    /// Frees the cells.
    ///
    /// # Safety
    /// They came from [`UpdateList::evaluate`], one after the other, and no walk can see them any more.
    pub unsafe fn free(self) {
        for chain in self.chains {
            // SAFETY: contract.
            unsafe { chain.free() }
        }
    }
}

/// Cells that wait for their next use.
#[derive(Default)]
pub struct Pool(Mutex<Vec<Chain>>);

/// Chains that a pool keeps: more are given back to the allocator.
const KEPT: usize = 512;

impl Pool {
    /// Takes cells that nobody uses any more.
    ///
    /// # Safety
    /// As for [`Passed::free`].
    pub unsafe fn give(&self, mut cells: Passed) {
        if cells.count == 0 {
            return;
        }
        let mut chains = self.0.lock().unwrap();
        while let Some(chain) = cells.chains.pop() {
            let is_full = chains.len() == KEPT;
            match chains.last_mut() {
                // Of evaluations of a few cells.
                Some(last) if last.count + chain.count <= LENGTH => last.put_before(chain),
                _ if !is_full => chains.push(chain),
                _ => {
                    cells.chains.push(chain);
                    break;
                }
            }
        }
        drop(chains);
        // SAFETY: contract.
        unsafe { cells.free() }
    }

    fn take(&self) -> Chain {
        self.0.lock().unwrap().pop().unwrap_or_default()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for chain in self.0.lock().unwrap().drain(..) {
            // SAFETY: given by `give`.
            unsafe { chain.free() }
        }
    }
}

/// A thread's part in the list: cells for its next appends, and those appended that the list has not counted.
pub struct Stock {
    cells: Chain,
    /// For when they are used up.
    spare: Chain,
    pool: Arc<Pool>,
    uncounted: usize,
}

impl Stock {
    pub fn new(pool: &Arc<Pool>) -> Stock {
        Stock {
            cells: Chain::default(),
            spare: Chain::default(),
            pool: pool.clone(),
            uncounted: 0,
        }
    }

    /// Inline, so that the event is put together where it is to be, and not copied there.
    #[inline(always)]
    fn cell(&mut self, event: SyncEvent) -> *mut Cell {
        let cell = self.unused();
        // SAFETY: no walk can see it (`Pool::give`), and it is this stock's own.
        unsafe {
            (*cell).event = event;
            // Relaxed: the append publishes it.
            (*cell).next.store(ptr::null_mut(), Ordering::Relaxed);
        }
        cell
    }

    #[inline]
    fn unused(&mut self) -> *mut Cell {
        if self.cells.count == 0 {
            self.cells = std::mem::take(&mut self.spare);
        }
        let cell = self.cells.take();
        cell.unwrap_or_else(|| UpdateList::new_cell(SyncEvent::NOTHING))
    }

    /// Whether [`Stock::fill`] has something to do.
    #[inline(always)]
    pub fn is_low(&self) -> bool {
        self.spare.count == 0
    }

    /// Sees to it that the next appends find cells. To be called while nobody waits for the thread: it may wait for others, and
    /// allocate.
    #[cold]
    pub fn fill(&mut self) {
        self.spare = self.pool.take();
        if self.spare.count == 0 {
            self.spare = Chain::new();
        }
    }
}

impl Drop for Stock {
    fn drop(&mut self) {
        for chain in [&mut self.cells, &mut self.spare].map(std::mem::take) {
            let passed = Passed {
                count: chain.count,
                chains: vec![chain],
            };
            // SAFETY: nobody else has seen them since they came from the pool, or were made.
            unsafe { self.pool.give(passed) }
        }
    }
}

/// What all threads store to, apart from what they only read (and from the line that the processor fetches with it).
#[repr(align(128))]
struct Apart<T>(T);

/// The list. The first cell is a sentinel: its event has been evaluated (or is the null event of a new list).
pub struct UpdateList {
    head: Apart<AtomicPtr<Cell>>,
    tail: Apart<AtomicPtr<Cell>>,
    /// Cells appended and not evaluated, and those that are just being appended or evaluated; but for those that a stock has
    /// not told yet, so that it may be below zero, as two's complement.
    pending: Apart<AtomicUsize>,
    pub pool: Arc<Pool>,
}

/// A walk over the cells behind the head, up to the tail at the time of [`UpdateList::walk`].
pub struct Walk {
    at: *mut Cell,
    end: *mut Cell,
}

impl UpdateList {
    pub fn new() -> UpdateList {
        let sentinel = Self::new_cell(SyncEvent::NOTHING);
        UpdateList {
            head: Apart(AtomicPtr::new(sentinel)),
            tail: Apart(AtomicPtr::new(sentinel)),
            pending: Apart(AtomicUsize::new(0)),
            pool: Arc::default(),
        }
    }

    #[cold]
    fn new_cell(event: SyncEvent) -> *mut Cell {
        Box::into_raw(Box::new(Cell {
            event,
            next: AtomicPtr::new(ptr::null_mut()),
        }))
    }

    /// Appends a cell. O(1), never waits. The list counts it together with others, `batch` at a time.
    #[inline(always)]
    pub fn append(&self, event: SyncEvent, stock: &mut Stock, batch: usize) {
        let cell = stock.cell(event);
        self.link(cell, cell, 1, stock, batch);
    }

    /// Appends two cells, one right after the other.
    pub fn append_two(&self, events: [SyncEvent; 2], stock: &mut Stock, batch: usize) {
        let [first, last] = events.map(|event| stock.cell(event));
        // SAFETY: nobody else has seen it yet. Relaxed: the append publishes it.
        unsafe { (*first).next.store(last, Ordering::Relaxed) };
        self.link(first, last, 2, stock, batch);
    }

    /// Appends cells that are linked to each other.
    fn link(
        &self,
        first: *mut Cell,
        last: *mut Cell,
        count: usize,
        stock: &mut Stock,
        batch: usize,
    ) {
        stock.uncounted += count;
        if stock.uncounted >= batch {
            self.count(stock);
        }
        // Release: whoever finds the cell as the tail sees its event. Acquire: pairs with the predecessor's release, so
        // that events are ordered as the cells are.
        let previous = self.tail.0.swap(last, Ordering::AcqRel);
        // SAFETY: the head never passes a cell without a successor, so the predecessor is alive until this store.
        // Release: whoever follows the link sees the events.
        unsafe { (*previous).next.store(first, Ordering::Release) };
    }

    /// Counts what the stock's thread has appended.
    pub fn count(&self, stock: &mut Stock) {
        // Relaxed: a statistic that only triggers evaluation.
        self.pending
            .0
            .fetch_add(std::mem::take(&mut stock.uncounted), Ordering::Relaxed);
    }

    /// Number of cells that await evaluation, approximately.
    pub fn pending(&self) -> usize {
        (self.pending.0.load(Ordering::Relaxed) as isize).max(0) as usize
    }

    /// All cells from the head to the present tail.
    ///
    /// # Safety
    /// Until the walk is dropped the caller keeps retired cells from being freed (a pinned reclamation epoch, entered
    /// before this call, or the evaluator's exclusive right).
    pub unsafe fn walk(&self) -> Walk {
        // Acquire: the head's and the tail's contents. The head is loaded first, so it is not behind the tail.
        let at = self.head.0.load(Ordering::Acquire);
        Walk {
            at,
            end: self.tail.0.load(Ordering::Acquire),
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
            // SAFETY: `step` gave a live cell. Relaxed: the next one is only made to come near.
            prefetch_to_write(unsafe { (*cell).next.load(Ordering::Relaxed) });
            // SAFETY: as above.
            apply(unsafe { &(*cell).event });
            // Release: a walk that starts here also sees what was evaluated up to here.
            self.head.0.store(cell, Ordering::Release);
            retire(passed);
            passed = cell;
            count += 1;
        }
        // Relaxed: a statistic that only triggers evaluation.
        self.pending.0.fetch_sub(count, Ordering::Relaxed);
        count
    }
}

impl Walk {
    /// The same, up to where a later one of the same list begins: the head only goes forward, so it is met.
    pub fn until(self, later: &Walk) -> Walk {
        Walk {
            at: self.at,
            end: later.at,
        }
    }

    fn step(&mut self) -> Option<*mut Cell> {
        if self.at == self.end {
            return None;
        }
        let mut looks = 0;
        loop {
            // SAFETY: cells between head and tail are alive (contract of `UpdateList::walk`).
            // Acquire: pairs with the release of the link.
            let next = unsafe { (*self.at).next.load(Ordering::Acquire) };
            if !next.is_null() {
                self.at = next;
                return Some(next);
            }
            looks += 1;
            wait_a_little(looks);
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
        let mut at = self.head.0.load(Ordering::Relaxed);
        while !at.is_null() {
            // SAFETY: exclusive access; every cell from the head on is owned by the list.
            let cell = unsafe { Box::from_raw(at) };
            at = cell.next.load(Ordering::Relaxed);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Evaluations of three cells each, again and again: what they pass is what is appended next, and nothing is allocated any more.
    #[test]
    fn cells_of_short_evaluations_come_back() {
        let list = UpdateList::new();
        let mut stock = Stock::new(&list.pool);
        let mut seen = Vec::new();
        let mut addresses = std::collections::BTreeSet::new();
        for round in 0..1000 {
            if stock.is_low() {
                stock.fill();
            }
            for number in 0..3 {
                let clock = round * 3 + number + 1;
                let event = SyncEvent {
                    clock,
                    ..SyncEvent::NOTHING
                };
                list.append(event, &mut stock, 1);
            }
            let mut passed = Passed::default();
            // SAFETY: the only evaluator, and nobody walks.
            unsafe {
                let retire = |cell: *mut Cell| {
                    addresses.insert(cell as usize);
                    passed.push(cell);
                };
                list.evaluate(usize::MAX, |event| seen.push(event.clock), retire);
                list.pool.give(passed);
            }
        }
        assert!(seen.iter().copied().eq(1..=3000));
        // Two chains of the stock's, what waits in the pool, and the sentinel.
        assert!(
            addresses.len() <= 4 * LENGTH + 1,
            "{} cells",
            addresses.len()
        );
    }
}
