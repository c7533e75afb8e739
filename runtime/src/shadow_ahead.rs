//! Pages of cells are made writable ahead of those who use memory from its beginning to its end.
//!
//! Compiled code looks at a cell before it is written, so that the kernel maps a page of zeroes for it; when that is written, the kernel
//! takes another page, and interrupts all processors that run the program, because they may still know of the zeroes. In programs that
//! go through much memory these interrupts were half of the time. A page that is written first has none. So where page after page of cells
//! is written, the next ones are prepared: as many as there are before them, so that at most twice as much is resident as would be.
//! Who comes to memory in no order has pages here and there: where there are some in a block of pages, all of the block is prepared.

use crate::shadow::{ReserveError, table};
use crate::sys;
use core::ops::Range;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};

const PAGE_BITS: u32 = 12;
/// Pages that are prepared at once, at most.
const MOST: u64 = 32;
/// Pages of a block, a power of two, and how many of it are written in no order before all are prepared.
const BLOCK: u64 = 16;
const SOME: usize = 2;
/// `MADV_POPULATE_WRITE`, since Linux 5.14.
pub const POPULATE: i32 = 23;

/// For each page of cells, not 0 if somebody has been about to write there. Nothing depends on it but how long that takes.
pub struct Written {
    pages: &'static [AtomicU8],
    /// How many were noted since it was counted anew.
    count: AtomicU64,
}

impl Written {
    pub fn new() -> Result<Written, ReserveError> {
        Ok(Written {
            pages: table(1 << (47 - PAGE_BITS))?,
            count: AtomicU64::new(0),
        })
    }

    /// Where the first page's is. For code that is not compiled with this.
    pub fn pages(&self) -> *const AtomicU8 {
        self.pages.as_ptr()
    }

    /// How many pages were noted since they were counted anew.
    pub fn noted(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
    pub fn count_anew(&self) {
        self.count.store(0, Ordering::Relaxed);
    }

    #[inline(always)]
    fn page(&self, number: u64) -> &AtomicU8 {
        let index = number as usize & (self.pages.len() - 1);
        // SAFETY: cut to the table's length, a power of two.
        unsafe { self.pages.get_unchecked(index) }
    }

    #[inline(always)]
    fn is_noted(&self, number: u64) -> bool {
        // Relaxed, as all of these: a hint.
        self.page(number).load(Ordering::Relaxed) != 0
    }

    /// Whether the page of the cell at this address has been noted.
    #[inline(always)]
    pub fn has(&self, cell: u64) -> bool {
        self.is_noted(cell >> PAGE_BITS)
    }

    /// The cells at `first..=last` are about to be written; `within` is where there are cells. `beside` is given the addresses of pages that are noted by
    /// that, and of some of those around, for what else is kept of them.
    #[inline]
    pub fn soon(&self, first: u64, last: u64, within: (u64, u64), beside: impl Fn(Range<u64>)) {
        for number in first >> PAGE_BITS..=last >> PAGE_BITS {
            if !self.is_noted(number) {
                beside(self.prepare(number, within));
            }
        }
    }

    /// Notes this page, and prepares what may come next: those above it if there are some below, else those below it.
    #[cold]
    fn prepare(&self, number: u64, (start, end): (u64, u64)) -> Range<u64> {
        self.page(number).store(1, Ordering::Relaxed);
        let (start, end) = (start.div_ceil(1 << PAGE_BITS), end >> PAGE_BITS);
        let below = (1..MOST).take_while(|n| self.is_noted(number - n)).count() as u64;
        let above = (1..MOST).take_while(|n| self.is_noted(number + n)).count() as u64;
        let is_free = |page: &u64| (start..end).contains(page) && !self.is_noted(*page);
        let (first, count) = if below == 0 && above == 0 {
            self.block((start, end), number)
        } else if below > 0 {
            let next = (number + 1..=number + below).take_while(is_free);
            (number, 1 + next.count() as u64)
        } else {
            let next = (1..=above).map(|n| number - n).take_while(is_free);
            let count = next.count() as u64;
            (number - count, 1 + count)
        };
        self.count.fetch_add(count, Ordering::Relaxed);
        if count > 1 {
            for page in first..first + count {
                self.page(page).store(1, Ordering::Relaxed);
            }
            let (start, bytes) = (first << PAGE_BITS, count << PAGE_BITS);
            // What cannot be prepared is made when it is written, as ever.
            // SAFETY: populates pages of our own reservation, and changes none.
            let _ = unsafe { sys::madvise(start as usize, bytes as usize, POPULATE) };
        }
        first << PAGE_BITS..(first + count) << PAGE_BITS
    }

    /// What is prepared of the block with this page, which has no neighbours; all of it, or the page.
    fn block(&self, (start, end): (u64, u64), number: u64) -> (u64, u64) {
        let first = number & !(BLOCK - 1);
        let pages = start.max(first)..end.min(first + BLOCK);
        let noted = pages.clone().filter(|&page| self.is_noted(page)).count();
        if noted >= SOME && pages.contains(&number) {
            (pages.start, pages.end - pages.start)
        } else {
            (number, 1)
        }
    }

    /// The cells at `first..end` are given back to the system.
    pub fn forget(&self, first: u64, end: u64) {
        let (from, to) = (first.div_ceil(1 << PAGE_BITS), end >> PAGE_BITS);
        let forget = |pages: Range<u64>| {
            // Looked at first: where nothing was noted, nothing is to be written.
            for number in pages.filter(|&number| self.is_noted(number)) {
                self.page(number).store(0, Ordering::Relaxed);
            }
        };
        // Whole pages of this table are given back as well: what is unmapped can be terabytes that were never used.
        let (low, high) = (
            from.next_multiple_of(1 << PAGE_BITS),
            to >> PAGE_BITS << PAGE_BITS,
        );
        if low >= high {
            return forget(from..to);
        }
        forget(from..low);
        let at = self.page(low) as *const AtomicU8 as usize;
        // SAFETY: whole pages of a table of our own; all that is there are atomics, which are zeroed by this.
        let _ = unsafe { sys::madvise(at, (high - low) as usize, libc::MADV_DONTNEED) };
        forget(high..to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of each page, whether it is there.
    fn resident(start: u64, pages: usize) -> Vec<bool> {
        let is_there = |page| sys::is_resident(start as usize + (page << PAGE_BITS), 1);
        (0..pages).map(is_there).collect()
    }

    #[test]
    fn who_goes_on_finds_pages_prepared() {
        let written = Written::new().unwrap();
        for down in [false, true] {
            let cells = table::<AtomicU8>(200 << PAGE_BITS).unwrap();
            let start = cells.as_ptr() as u64;
            let within = (start + (50 << PAGE_BITS), start + (150 << PAGE_BITS));
            for n in 0..100u64 {
                let page = if down { 149 - n } else { 50 + n };
                let at = start + (page << PAGE_BITS);
                written.soon(at, at + 8, within, |_| {});
                cells[(page as usize) << PAGE_BITS].store(1, Ordering::Relaxed);
                let prepared = resident(start, 200).iter().filter(|&&there| there).count() as u64;
                assert!(prepared > n && prepared <= 2 * (n + 1), "{prepared} at {n}");
                assert!(written.has(at));
            }
            let there = resident(start, 200);
            assert!((0..200).all(|page| there[page] == (50..150).contains(&page)));
        }
    }

    #[test]
    fn what_was_noted_of_a_large_range_is_forgotten() {
        let written = Written::new().unwrap();
        let at = |page: u64| page << PAGE_BITS;
        let noted = [4000, 5000, 8191, 8192, 20_000, 20_001];
        for page in noted {
            written.page(page).store(1, Ordering::Relaxed);
        }
        written.forget(at(4000) + 1, at(20_001) + 1);
        let left = noted.into_iter().filter(|&page| written.has(at(page)));
        assert_eq!(left.collect::<Vec<_>>(), [4000, 20_001]);
        // So that a terabyte takes no time, and no memory.
        written.forget(0, 1 << 46);
        let base = written.pages() as usize;
        assert!((1..8).all(|n| !sys::is_resident(base + (n << 32), 1)));
    }

    /// In no order: of each block the first one is alone, and with the second one all of the block is there.
    #[test]
    fn who_comes_here_and_there_finds_blocks_prepared() {
        let written = Written::new().unwrap();
        let cells = table::<AtomicU8>(200 << PAGE_BITS).unwrap();
        let start = cells.as_ptr() as u64;
        let first = (start >> PAGE_BITS).next_multiple_of(BLOCK);
        // The second block has cells in a part of it only.
        let within = (first << PAGE_BITS, (first + BLOCK + 5) << PAGE_BITS);
        let there = |page: u64| sys::is_resident((page << PAGE_BITS) as usize, 1);
        for (page, prepared) in [(3, false), (19, false), (9, true), (17, true)] {
            let at = (first + page) << PAGE_BITS;
            written.soon(at, at, within, |_| {});
            let block = page / BLOCK * BLOCK;
            let end = [16, 21][(page / BLOCK) as usize];
            assert!((block..end).all(|page| there(first + page) == prepared));
            assert!((end..block + BLOCK).all(|page| !there(first + page)));
        }
    }

    #[test]
    fn single_pages_are_left_alone() {
        let written = Written::new().unwrap();
        let cells = table::<AtomicU8>(200 << PAGE_BITS).unwrap();
        let start = cells.as_ptr() as u64;
        for page in (0..200).step_by(BLOCK as usize) {
            let at = start + (page << PAGE_BITS);
            written.soon(at, at, (start, start + (200 << PAGE_BITS)), |noted| {
                assert_eq!(noted, at..at + (1 << PAGE_BITS));
            });
        }
        assert!(resident(start, 200).iter().all(|there| !there));
        written.forget(start, start + (200 << PAGE_BITS));
        assert!((0..200).all(|page| !written.has(start + (page << PAGE_BITS))));
    }
}
