//! How memory forgets: words of a new block, mapping or stack, and everything but what was freed, when a thread is alone.

use crate::line::{Entry, LOCK, Line, Parts};
use crate::line_sites::{SPLIT, has_records};
use crate::primitive::Ordering;
use crate::primitive::shadow::{AtomicU32, AtomicU64};
use crate::tag::{Form, ShadowCell};

impl Parts<'_> {
    /// Makes the words `from..to` fresh if nothing is remembered of them but in their cells. If not, nothing was done.
    ///
    /// Without the lock: nobody else can rightly use memory that is just being handed out, and who does may lose what it says of it, as it would a
    /// moment earlier; whoever is at other words of the line leaves these alone.
    #[inline]
    pub(crate) fn fresh_words(self, (from, to): (usize, usize)) -> bool {
        // Relaxed, all of it: see above.
        if (from, to) == (0, 8) {
            return match self.empty(self.cells, self.sites) {
                None => false,
                // Sites of nothing are forgotten.
                Some(value) => {
                    if value != 0 && value & LOCK == 0 {
                        self.word.store(0, Ordering::Relaxed);
                    }
                    true
                }
            };
        }
        let value = match self.empty(&self.cells[from..to], &self.sites[from..to]) {
            None => return false,
            Some(value) => value,
        };
        // So are those of a line all of whose words say nothing now, but for the records of such.
        if value == 0 || value & LOCK != 0 {
            return true;
        }
        let is_empty = |cell: &AtomicU64| cell.load(Ordering::Relaxed) == ShadowCell::EMPTY.0;
        let are_empty = || self.cells.iter().all(is_empty);
        if are_empty() && self.lock_unchanged(value) {
            let unused = are_empty() && !has_records(value, self.sites);
            // Release: as `Line`'s end.
            self.word
                .store(if unused { 0 } else { value }, Ordering::Release);
        }
        true
    }

    /// Makes these cells, which have these numbers, say nothing, if there is nothing else that does. The line's word; 0 if they said nothing before.
    #[inline(always)]
    fn empty(self, cells: &[AtomicU64], numbers: &[AtomicU32]) -> Option<u32> {
        let said = |all, cell: &AtomicU64| all | cell.load(Ordering::Relaxed);
        let all = cells.iter().fold(0, said);
        if all == 0 {
            // What is untouched stays so, and takes no memory.
            return Some(0);
        }
        // The highest bit is one of those of a tag, too.
        let is_side = |cell: &AtomicU64| ShadowCell(cell.load(Ordering::Relaxed)).is_side();
        if all >> 63 != 0 && cells.iter().any(is_side) {
            return None;
        }
        let value = self.word.load(Ordering::Relaxed);
        if has_records(value, numbers) {
            return None;
        }
        for cell in cells {
            cell.store(ShadowCell::EMPTY.0, Ordering::Relaxed);
        }
        Some(value)
    }

    /// Whether words of the line have been freed.
    pub fn has_freed(self) -> bool {
        // Relaxed, here and below: there is one thread.
        let is_freed = |cell: &AtomicU64| {
            matches!(
                ShadowCell(cell.load(Ordering::Relaxed)).form(),
                Form::Freed(_)
            )
        };
        self.cells.iter().any(is_freed)
    }

    /// Forgets all that is remembered of the line, but for its words that have been freed. Records are left to the next sweep. For a process with one
    /// thread.
    pub fn keep_freed(self) {
        let value = self.word.load(Ordering::Relaxed);
        let mut any = false;
        for (cell, number) in self.cells.iter().zip(self.sites) {
            let old = ShadowCell(cell.load(Ordering::Relaxed));
            if let Form::Freed(_) = old.form() {
                any = true;
            } else if old != ShadowCell::EMPTY {
                cell.store(ShadowCell::EMPTY.0, Ordering::Relaxed);
                if value & SPLIT != 0 {
                    number.store(0, Ordering::Relaxed);
                }
            }
        }
        if !any && value != 0 {
            self.word.store(0, Ordering::Relaxed);
        }
    }
}

impl Line<'_> {
    /// Makes the words `from..to` fresh.
    pub fn fresh_words(&mut self, from: usize, to: usize) {
        for cell in from..to {
            let old = self.load(cell);
            if old != ShadowCell::EMPTY {
                self.store(cell, ShadowCell::EMPTY);
                self.forget_rest(cell, old);
            }
        }
        if (from, to) == (0, 8) {
            self.place_all(0);
        } else {
            self.drop_unused_sites();
        }
    }

    /// Makes bytes of `cell` fresh. A whole word forgets everything; of a part, the entries' bytes are removed.
    pub fn fresh(&mut self, cell: usize, mask: u8, scratch: &mut Vec<Entry>) {
        let old = self.load(cell);
        if old == ShadowCell::EMPTY {
            return;
        }
        if mask == 0xff {
            self.store(cell, ShadowCell::EMPTY);
            self.forget_rest(cell, old);
            return;
        }
        scratch.clear();
        self.decode(cell, old, scratch);
        for entry in scratch.iter_mut() {
            entry.tag = entry.tag.with_mask(entry.tag.mask() & !mask);
        }
        scratch.retain(|entry| entry.tag.mask() != 0);
        self.encode(cell, old, scratch, None, false);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::epoch::EpochId;
    use crate::records::RECORD;
    use crate::tag::Tag;
    use std::array::from_fn;

    const SITE: u32 = 5;

    /// A line: of each word its cell and the number of its sites; and the line's word.
    struct Shadow {
        cells: [AtomicU64; 8],
        sites: [AtomicU32; 8],
        word: AtomicU32,
    }

    impl Shadow {
        fn new(words: [(ShadowCell, u32); 8], word: u32) -> Shadow {
            Shadow {
                cells: from_fn(|n| AtomicU64::new(words[n].0.0)),
                sites: from_fn(|n| AtomicU32::new(words[n].1)),
                word: AtomicU32::new(word),
            }
        }
        fn parts(&self) -> Parts<'_> {
            Parts {
                cells: &self.cells,
                word: &self.word,
                sites: &self.sites,
            }
        }
        fn now(&self) -> ([ShadowCell; 8], [u32; 8], u32) {
            (
                from_fn(|n| ShadowCell(self.cells[n].load(Ordering::Relaxed))),
                from_fn(|n| self.sites[n].load(Ordering::Relaxed)),
                self.word.load(Ordering::Relaxed),
            )
        }
    }

    const EMPTY: (ShadowCell, u32) = (ShadowCell::EMPTY, 0);

    fn written() -> ShadowCell {
        let tag = Tag::new(EpochId(3), false, 0xff);
        ShadowCell::tags(tag, tag)
    }

    #[test]
    fn words_forget_and_others_do_not() {
        for (from, to) in [(0, 8), (0, 3), (2, 5), (7, 8)] {
            let shadow = Shadow::new([(written(), SITE); 8], SPLIT);
            assert!(shadow.parts().fresh_words((from, to)));
            let (cells, _, word) = shadow.now();
            let left = |n: &usize| cells[*n] == written();
            let expected: Vec<usize> = (0..8).filter(|n| !(from..to).contains(n)).collect();
            assert_eq!((0..8).filter(left).collect::<Vec<_>>(), expected);
            assert_eq!(word, if expected.is_empty() { 0 } else { SPLIT });
        }
        // The last words that say anything take the line's site with them.
        let shadow = Shadow::new(
            from_fn(|n| if n < 3 { (written(), 0) } else { EMPTY }),
            SITE,
        );
        assert!(shadow.parts().fresh_words((0, 4)));
        assert_eq!(shadow.now().2, 0);
    }

    #[test]
    fn what_is_not_in_cells_alone_is_left_as_it_is() {
        let record = (written(), RECORD | 7);
        let side = (ShadowCell::side(7), SITE);
        for special in [record, side] {
            let mut words = [(written(), SITE); 8];
            words[2] = special;
            let shadow = Shadow::new(words, SPLIT);
            let before = shadow.now();
            assert!(!shadow.parts().fresh_words((0, 4)));
            assert_eq!(shadow.now(), before);
            assert!(shadow.parts().fresh_words((3, 8)));
            assert_eq!(shadow.now().0[2], special.0);
        }
    }

    #[test]
    fn what_was_freed_is_kept_with_its_site() {
        let freed = ShadowCell::freed(EpochId(9));
        let mut words = [(written(), SITE); 8];
        (words[1], words[4], words[6]) = ((freed, 11), (written(), RECORD | 7), EMPTY);
        words[7] = (ShadowCell::side(7), SITE);
        let shadow = Shadow::new(words, SPLIT);
        assert!(shadow.parts().has_freed());
        shadow.parts().keep_freed();
        let (cells, sites, word) = shadow.now();
        let expected = from_fn(|n| if n == 1 { freed } else { ShadowCell::EMPTY });
        assert_eq!((cells, sites[1], word), (expected, 11, SPLIT));
        assert!(!has_records(word, &shadow.sites));

        let shadow = Shadow::new([(written(), SITE); 8], SITE);
        assert!(!shadow.parts().has_freed());
        shadow.parts().keep_freed();
        assert_eq!(
            (shadow.now().0, shadow.now().2),
            ([ShadowCell::EMPTY; 8], 0)
        );
    }
}
