//! Read sets: several readers of a word, as one interned value that fits a tag.
//!
//! Data that many threads read would otherwise need a side record per word. A read set is an immutable list of (epoch,
//! site), one per reader, sorted; it has an id from the same numbers as epochs, so a cell's read tag can hold it, and a thread
//! that reads many words of one structure compares tags with "the last set that contains me". Sets are shared by all
//! words with the same readers, so they must not churn: a set is only made when a reader *joins*, or comes back to many words at once
//! ([`crate::joins`]); a word to which its known readers come back alone gets a record, which is changed in place ([`crate::records`]).
//!
//! A table of numbers of four bytes, or of characters, is read a part of a word at a time. Of a set *in parts* the readers have read different bytes; all of the word
//! together, so that its tag always has a full mask.

use crate::epoch::{EpochId, EpochTable};
use crate::fast_hash::FastMap;
use crate::primitive::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// A reader: its epoch id, and the bytes of a word that it has read. Below the id, so that they are sorted by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reader(u32);

impl Reader {
    /// Of a set whose readers have all read the same bytes, which its tag says.
    pub const fn of_all(epoch: EpochId) -> Reader {
        Reader::of(epoch, 0xff)
    }
    pub const fn of(epoch: EpochId, bytes: u8) -> Reader {
        Reader(epoch.0 << 8 | bytes as u32)
    }
    #[inline(always)]
    pub const fn epoch(self) -> EpochId {
        EpochId(self.0 >> 8)
    }
    /// Of those that the set's tag says.
    #[inline(always)]
    pub const fn bytes(self) -> u8 {
        self.0 as u8
    }
}

/// Readers of a set in parts, at most: where one's site is depends on the others.
const MOST_IN_PARTS: usize = 32;

/// Whether readers of these bytes, which are not all the same, can be a set in parts.
pub(crate) fn in_parts(bytes: impl Iterator<Item = u8>) -> bool {
    let one = |(all, count), bytes| (all | bytes, count + 1);
    let (all, count) = bytes.fold((0, 0), one);
    all == 0xff && count <= MOST_IN_PARTS
}

/// Whether sets in parts are worth it, for a thread: where threads read a table in no order, from several places, there is no end of what its words become, each of which takes
/// the long way once. Records are better there.
#[derive(Default, Debug)]
pub(crate) struct InParts {
    /// Joins that took the long way, lately.
    joined: u32,
    /// Accesses of the thread before these.
    since: u64,
    /// There are to be so many before it is tried again.
    until: u64,
}

impl InParts {
    /// So many joins by the long way are looked at together,
    const JOINS: u32 = 1024;
    /// each of which is to be worth it for so many accesses.
    const WORTH: u64 = 32;
    /// Accesses until it is tried again.
    const PAUSE: u64 = 1 << 18;

    /// For a thread that has made so many accesses.
    #[inline(always)]
    pub(crate) fn are_worth_it(&self, accesses: u64) -> bool {
        accesses >= self.until
    }

    /// So many joins took the long way.
    pub(crate) fn joined(&mut self, joins: u32, accesses: u64) {
        if joins == 0 {
            return;
        }
        self.joined += joins;
        if self.joined >= Self::JOINS {
            if accesses - self.since < Self::WORTH * Self::JOINS as u64 {
                self.until = accesses + Self::PAUSE;
            }
            *self = InParts {
                joined: 0,
                since: accesses,
                ..*self
            };
        }
    }
}

/// All read sets that are in use.
pub struct ReadSets {
    ids: Mutex<FastMap<Vec<Reader>, u32>>,
    count: AtomicU32,
    /// With so many it is time for a sweep.
    spent: AtomicU32,
}

impl Default for ReadSets {
    fn default() -> ReadSets {
        ReadSets {
            ids: Mutex::default(),
            count: AtomicU32::new(0),
            spent: AtomicU32::new(Self::FIRST),
        }
    }
}

impl ReadSets {
    /// More sets than this are a sign of churn: words then get side records.
    pub const LIMIT: u32 = 1 << 16;
    /// So many are worth a first sweep: some megabytes.
    const FIRST: u32 = 1 << 13;

    /// The id of the set of these readers (sorted), made if there is none. `None` when there are too many.
    pub fn intern(&self, epochs: &EpochTable, readers: &[Reader]) -> Option<EpochId> {
        let mut ids = self
            .ids
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(&id) = ids.get(readers) {
            return Some(EpochId(id));
        }
        if ids.len() as u32 >= Self::LIMIT {
            return None;
        }
        let id = epochs.allocate_set(readers.to_vec())?;
        ids.insert(readers.to_vec(), id.0);
        // Relaxed: a statistic.
        self.count.store(ids.len() as u32, Ordering::Relaxed);
        Some(id)
    }

    /// Whether it is time for a sweep: of data that is read in phases, the sets of earlier ones are no word's any more.
    #[inline(always)]
    pub(crate) fn are_spent(&self) -> bool {
        // Relaxed, here and below: a statistic, and what is decided by it.
        self.count.load(Ordering::Relaxed) >= self.spent.load(Ordering::Relaxed)
    }
    /// There are to be twice as many before a sweep from now on; none with the most that there can be, but where there is another reason for one.
    pub(crate) fn raise_limit(&self) {
        let spent = self.spent.load(Ordering::Relaxed);
        self.spent.store(Self::raised(spent), Ordering::Relaxed);
    }
    fn raised(spent: u32) -> u32 {
        if spent < Self::LIMIT {
            2 * spent
        } else {
            u32::MAX
        }
    }

    /// Number of sets.
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed) as usize
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets the sets that are not in use, before their ids are handed out again.
    pub fn recycle(&self, in_use: impl Fn(u32) -> bool) {
        let mut ids = self
            .ids
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        ids.retain(|_, id| in_use(*id));
        let count = ids.len() as u32;
        self.count.store(count, Ordering::Relaxed);
        drop(ids);
        let mut spent = self.spent.load(Ordering::Relaxed).min(Self::LIMIT);
        while count > spent / 2 && spent <= Self::LIMIT {
            spent = Self::raised(spent);
        }
        self.spent.store(spent, Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Tables that are read in order have few ways to be read, and each is taken many times; the others are left out for a while.
    #[test]
    fn sets_that_do_not_come_again_are_left_out() {
        let mut in_order = InParts::default();
        let mut in_no_order = InParts::default();
        for round in 1..=10 {
            let accesses = round * InParts::WORTH * InParts::JOINS as u64;
            in_order.joined(InParts::JOINS, accesses);
            assert!(in_order.are_worth_it(accesses));
        }
        in_no_order.joined(InParts::JOINS - 1, 1);
        assert!(in_no_order.are_worth_it(1));
        in_no_order.joined(1, 2000);
        assert!(!in_no_order.are_worth_it(2000));
        assert!(!in_no_order.are_worth_it(1999 + InParts::PAUSE));
        assert!(in_no_order.are_worth_it(2000 + InParts::PAUSE));
    }

    /// It is time for a sweep when there are many, and later if that many are in use; not when there are as many as there can be.
    #[test]
    fn sweeps_are_made_for_sets_that_are_not_in_use() {
        let sets = ReadSets::default();
        let fill = |count: u32| {
            let mut ids = sets.ids.lock().unwrap();
            ids.extend((0..count).map(|id| (vec![Reader::of_all(EpochId(id))], id)));
            sets.count.store(ids.len() as u32, Ordering::Relaxed);
        };
        fill(ReadSets::FIRST - 1);
        assert!(!sets.are_spent());
        fill(ReadSets::FIRST);
        assert!(sets.are_spent());
        sets.recycle(|id| id < 100);
        assert_eq!((sets.len(), sets.are_spent()), (100, false));
        fill(ReadSets::FIRST);
        assert!(sets.are_spent());
        sets.recycle(|_| true);
        assert!(!sets.are_spent());
        fill(ReadSets::LIMIT);
        assert!(sets.are_spent());
        sets.recycle(|_| true);
        assert!(!sets.are_spent());
        sets.recycle(|_| false);
        assert!(sets.is_empty());
        fill(ReadSets::LIMIT);
        assert!(sets.are_spent());
    }
}
