//! The update list: every sync event of the execution in one order, appended without locks.
//!
//! Figure 3 of the report (`Cell`, head, tail). An append swaps the tail and then links its predecessor to itself; a reader
//! that meets the gap between the two waits for the link, as it needs all cells up to the tail that it saw. The head is
//! moved on by one evaluator at a time, which hands the cells that it passed to `retire`: readers pin a reclamation epoch of
//! crossbeam-epoch before they load the head, so a retired cell outlives every walk that can still see it.
//!
//! Cells are used again. They come in blocks, of which a thread appends one cell after the other ([`Stock`]): so where one of its events is, its
//! next one is the neighbour, which whoever evaluates needs soon and can fetch, although another event leads there; and a block has been
//! passed when its last cell has, and goes back to the [`Pool`].

use crate::event::SyncEvent;
use crate::primitive::{AtomicPtr, AtomicUsize, Mutex, Ordering, prefetch_to_write, wait_a_little};
use std::ptr;
use std::sync::Arc;

/// A cell of the list. Who appends the next one stores to it: so it has a cache line of its own.
#[repr(align(64))]
pub struct Cell {
    pub event: SyncEvent,
    next: AtomicPtr<Cell>,
    /// The block, if this is its last cell.
    ends: *mut Block,
}

/// Cells of a block.
const LENGTH: usize = if cfg!(loom) { 2 } else { 32 };

/// Cells that are neighbours, so that the next one of a thread can be fetched before it is needed.
struct Block([Cell; LENGTH]);

impl Block {
    #[cold]
    fn new() -> *mut Block {
        let block = Box::into_raw(Box::new(Block(std::array::from_fn(|_| Cell {
            event: SyncEvent::NOTHING,
            next: AtomicPtr::new(ptr::null_mut()),
            ends: ptr::null_mut(),
        }))));
        // SAFETY: just made, and nobody else has seen it.
        unsafe { (*block).0[LENGTH - 1].ends = block };
        block
    }

    /// Its cell with this index.
    ///
    /// # Safety
    /// The block is alive.
    #[inline(always)]
    unsafe fn cell(block: *mut Block, index: usize) -> *mut Cell {
        debug_assert!(index < LENGTH);
        // No reference to the block, as others may have one to another of its cells.
        // SAFETY: within the block.
        unsafe { (&raw mut (*block).0).cast::<Cell>().add(index) }
    }
}

/// The cells of a block that no append has used yet: from an index on. None if there is no block. One owner at a time appends them in their order, and hands what is left
/// on by the pool's lock, so that they are in the list in that order, and the head passes the last one last.
struct Unused {
    block: *mut Block,
    from: usize,
}

// SAFETY: whoever has this is the only one who can reach the unused cells, and cells are `Send`.
unsafe impl Send for Unused {}

impl Unused {
    const NONE: Unused = Unused {
        block: ptr::null_mut(),
        from: LENGTH,
    };

    fn all(block: *mut Block) -> Unused {
        Unused { block, from: 0 }
    }

    fn is_none(&self) -> bool {
        self.from == LENGTH
    }
}

/// Blocks whose last cells the head has passed in one evaluation.
#[derive(Default)]
pub struct Passed {
    blocks: Vec<*mut Block>,
    /// Cells that were passed.
    pub count: usize,
}

// SAFETY: nobody else gives these blocks back, and cells are `Send`.
unsafe impl Send for Passed {}

impl Passed {
    /// Adds the next cell.
    ///
    /// # Safety
    /// It came from [`UpdateList::evaluate`], and was not added before.
    pub unsafe fn push(&mut self, cell: *mut Cell) {
        self.count += 1;
        // SAFETY: contract; nobody writes to it after the block was made.
        let block = unsafe { (*cell).ends };
        if !block.is_null() {
            self.blocks.push(block);
        }
    }

    /// Whether no block has been passed whole.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Frees the blocks.
    ///
    /// # Safety
    /// No walk can see their cells any more.
    pub unsafe fn free(self) {
        for block in self.blocks {
            // SAFETY: contract; a block is given once, as its last cell is passed once in each of its uses.
            drop(unsafe { Box::from_raw(block) });
        }
    }
}

/// Cells that wait for their next use.
#[derive(Default)]
pub struct Pool(Mutex<Vec<Unused>>);

/// What a pool keeps: more is given back to the allocator.
const KEPT: usize = 512;

impl Pool {
    /// Takes blocks whose cells nobody uses any more.
    ///
    /// # Safety
    /// As for [`Passed::free`].
    pub unsafe fn give(&self, mut passed: Passed) {
        if passed.blocks.is_empty() {
            return;
        }
        let mut pool = self.0.lock().unwrap();
        let room = KEPT.saturating_sub(pool.len());
        let kept = passed
            .blocks
            .drain(passed.blocks.len().saturating_sub(room)..);
        pool.extend(kept.map(Unused::all));
        drop(pool);
        // SAFETY: contract.
        unsafe { passed.free() }
    }

    /// Takes back what a thread has not used. Other cells of these blocks may be in use.
    fn give_back(&self, rests: impl Iterator<Item = Unused>) {
        let mut rests = rests.filter(|rest| !rest.is_none()).peekable();
        if rests.peek().is_some() {
            self.0.lock().unwrap().extend(rests);
        }
    }

    fn take(&self) -> Unused {
        let unused = self.0.lock().unwrap().pop();
        unused.unwrap_or_else(|| Unused::all(Block::new()))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // The list is gone: who uses it has a share of the pool.
        for unused in self.0.lock().unwrap().drain(..) {
            // SAFETY: its last cell was not appended, or the head has passed it and no walk sees it: the pool is the only one to free it.
            drop(unsafe { Box::from_raw(unused.block) });
        }
    }
}

/// A thread's part in the list: cells for its next appends, and those appended that the list has not counted.
pub struct Stock {
    cells: Unused,
    /// For when they are used up.
    spare: Unused,
    pool: Arc<Pool>,
    uncounted: usize,
}

impl Stock {
    pub fn new(pool: &Arc<Pool>) -> Stock {
        Stock {
            cells: Unused::NONE,
            spare: Unused::NONE,
            pool: pool.clone(),
            uncounted: 0,
        }
    }

    /// Inline, so that the event is put together where it is to be, and not copied there.
    #[inline(always)]
    fn cell(&mut self, event: SyncEvent) -> *mut Cell {
        if self.cells.is_none() {
            self.refill();
        }
        let Unused { block, from } = self.cells;
        self.cells.from += 1;
        // SAFETY: no walk can see it (`Pool::give`), and it is this stock's own.
        unsafe {
            let cell = Block::cell(block, from);
            // Who has evaluated it was another thread.
            prefetch_to_write(cell.wrapping_add(2));
            (*cell).event = event;
            // Relaxed: the append publishes it.
            (*cell).next.store(ptr::null_mut(), Ordering::Relaxed);
            cell
        }
    }

    #[inline(never)]
    fn refill(&mut self) {
        self.cells = std::mem::replace(&mut self.spare, Unused::NONE);
        if self.cells.is_none() {
            self.cells = Unused::all(Block::new());
        }
    }

    /// Whether [`Stock::fill`] has something to do.
    #[inline(always)]
    pub fn is_low(&self) -> bool {
        self.spare.is_none()
    }

    /// Sees to it that the next appends find cells. To be called while nobody waits for the thread: it may wait for others, and
    /// allocate.
    #[cold]
    pub fn fill(&mut self) {
        if self.is_low() {
            self.spare = self.pool.take();
        }
    }
}

impl Drop for Stock {
    fn drop(&mut self) {
        let rests = [&mut self.cells, &mut self.spare];
        let rests = rests.map(|rest| std::mem::replace(rest, Unused::NONE));
        self.pool.give_back(rests.into_iter());
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

/// So many cells before an event is evaluated, it is looked at what it needs.
const AHEAD: usize = 3;

/// A walk over the cells behind the head, up to the tail at the time of [`UpdateList::walk`].
pub struct Walk {
    at: *mut Cell,
    end: *mut Cell,
}

impl UpdateList {
    pub fn new() -> UpdateList {
        // SAFETY: just made. The first evaluation passes the cell, and so gives the block to the pool.
        let sentinel = unsafe { Block::cell(Block::new(), LENGTH - 1) };
        UpdateList {
            head: Apart(AtomicPtr::new(sentinel)),
            tail: Apart(AtomicPtr::new(sentinel)),
            pending: Apart(AtomicUsize::new(0)),
            pool: Arc::default(),
        }
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

    /// Evaluates at most `limit` of the oldest cells in order and moves the head past them; they go to `retire`. `apply` is also told of an event that comes some
    /// cells later, if there is one, for which it may make ready. Returns how many.
    ///
    /// # Safety
    /// One evaluator at a time. `retire` is given each cell once, and lets it be used again only when no walk can see it any more ([`Passed`]).
    pub unsafe fn evaluate(
        &self,
        limit: usize,
        mut apply: impl FnMut(&SyncEvent, Option<&SyncEvent>),
        mut retire: impl FnMut(*mut Cell),
    ) -> usize {
        // SAFETY: the evaluator is the only one that retires cells.
        let mut walk = unsafe { self.walk() };
        let mut passed = walk.at;
        let mut ahead = Walk { ..walk };
        for _ in 0..AHEAD {
            ahead.step_if_linked();
        }
        let mut count = 0;
        while count < limit {
            let Some(cell) = walk.step() else { break };
            let later = ahead.step_if_linked();
            // The next one but one of the same thread, if it is in the same block: to look where `next` leads would be to wait for that.
            prefetch_to_write(later.unwrap_or(cell).wrapping_add(2));
            // SAFETY: both are live; events never change.
            unsafe { apply(&(*cell).event, later.map(|later| &(*later).event)) };
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

    /// The next cell, if it is not to be waited for.
    fn step_if_linked(&mut self) -> Option<*mut Cell> {
        // What is ahead makes no difference to what loom looks at.
        if cfg!(loom) || self.at == self.end {
            return None;
        }
        // SAFETY: cells between head and tail are alive (contract of `UpdateList::walk`).
        // Acquire: pairs with the release of the link.
        let next = unsafe { (*self.at).next.load(Ordering::Acquire) };
        if next.is_null() {
            return None;
        }
        self.at = next;
        Some(next)
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
        let mut passed = Passed::default();
        let mut at = self.head.0.load(Ordering::Relaxed);
        while !at.is_null() {
            // SAFETY: exclusive access; nobody has freed the cells from the head on, and nobody walks. What is left of a block is the pool's, or a stock's.
            unsafe {
                passed.push(at);
                at = (*at).next.load(Ordering::Relaxed);
            }
        }
        // SAFETY: as above.
        unsafe { passed.free() }
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
                list.evaluate(usize::MAX, |event, _| seen.push(event.clock), retire);
                list.pool.give(passed);
            }
        }
        assert!(seen.iter().copied().eq(1..=3000));
        // Two blocks of the stock's, those that are not passed whole, and what waits in the pool.
        assert!(
            addresses.len() <= 4 * LENGTH + 1,
            "{} cells",
            addresses.len()
        );
    }
}
