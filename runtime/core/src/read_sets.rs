//! Read sets: several readers of a word, as one interned value that fits a tag.
//!
//! Data that many threads read would otherwise need a side record per word. A read set is an immutable list of (epoch,
//! site), one per reader, sorted; it has an id from the same numbers as epochs, so a cell's read tag can hold it, and a thread
//! that reads many words of one structure compares tags with "the last set that contains me". Sets are shared by all
//! words with the same readers, so they must not churn: a set is only made when a reader *joins*, or comes back to many words at once
//! ([`crate::joins`]); a word to which its known readers come back alone gets a record, which is changed in place ([`crate::records`]).

use crate::epoch::{EpochId, EpochTable};
use crate::fast_hash::FastMap;
use crate::primitive::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// A reader: its epoch id.
pub type Reader = u32;

/// All read sets that are in use.
#[derive(Default)]
pub struct ReadSets {
    ids: Mutex<FastMap<Vec<Reader>, u32>>,
    count: AtomicU32,
}

impl ReadSets {
    /// More sets than this are a sign of churn: words then get side records.
    pub const LIMIT: u32 = 1 << 16;

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
        self.count.store(ids.len() as u32, Ordering::Relaxed);
    }
}
