//! Crowds: who reads at present, and in which of its epochs, as one read set for all words.
//!
//! Where many threads read the same data in no order, its words have any part of them as readers: of sixteen threads there are 65,536. A read set for each
//! ([`crate::read_sets`]) would take as long to find as it takes to read. So there is one set of all of them, a *crowd*, and a word says by one bit for each slot
//! who of the crowd has read it ([`crate::reader_bits`]). A thread that reads in a new epoch makes a new crowd, in which it has that one; so there are as many crowds
//! as epochs in which somebody reads many words, and not as many as there are combinations.
//!
//! A word keeps the crowd that it has, until somebody of another one comes. If both crowds say the same of those who have read the word, it has the other crowd from then
//! on. What two crowds have in common is remembered, so that this is one comparison ([`CrowdMemo::common`]).

use crate::epoch::{EpochId, EpochTable};
use crate::event::Slot;
use crate::primitive::Mutex;
use crate::read_sets::Reader;
use std::cell::Cell;

/// Slots that a crowd can have: one bit for each in a word. Those of others are in crowds of their own.
pub(crate) const SLOTS: u32 = u64::BITS;

/// Which crowds a slot is in, and its bit there.
#[inline(always)]
pub(crate) fn bit_of(slot: Slot) -> (u32, u64) {
    (slot as u32 / SLOTS, 1 << (slot as u32 % SLOTS))
}

/// The last crowd of each sixty-four slots; 0 if there is none.
#[derive(Default)]
pub(crate) struct Crowds {
    latest: Mutex<Vec<u32>>,
}

impl Crowds {
    /// The last crowd of these slots, after these epochs of readers are in it, as far as they are later than what it says of their threads. `None` if there can be no more
    /// sets.
    pub(crate) fn with(
        &self,
        epochs: &EpochTable,
        bank: u32,
        readers: impl Iterator<Item = EpochId>,
    ) -> Option<EpochId> {
        let mut all = self
            .latest
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let bank = bank as usize;
        if all.len() <= bank {
            all.resize(bank + 1, 0);
        }
        let before = EpochId(all[bank]);
        let mut crowd = if before.0 == 0 {
            Vec::new()
        } else {
            epochs.readers(before)?.to_vec()
        };
        let mut is_new = false;
        for epoch in readers {
            let (slot, clock) = epochs.lookup(epoch);
            if slot as usize / SLOTS as usize != bank {
                continue;
            }
            let same = |reader: &&mut Reader| epochs.lookup(reader.epoch()).0 == slot;
            match crowd.iter_mut().find(same) {
                Some(reader) if epochs.lookup(reader.epoch()).1 >= clock => continue,
                Some(reader) => *reader = Reader::of_all(epoch),
                None => crowd.push(Reader::of_all(epoch)),
            }
            is_new = true;
        }
        if !is_new {
            return (before.0 != 0).then_some(before);
        }
        crowd.sort_unstable();
        let crowd = epochs.read_sets.intern(epochs, &crowd)?;
        all[bank] = crowd.0;
        Some(crowd)
    }

    /// Forgets those that no word has, before their ids are handed out again.
    pub(crate) fn recycle(&self, in_use: impl Fn(u32) -> bool) {
        let mut all = self
            .latest
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        for crowd in all.iter_mut().filter(|crowd| !in_use(**crowd)) {
            *crowd = 0;
        }
    }
}

/// The slots of which two crowds say the same, as bits.
#[inline(always)]
fn common_of(epochs: &EpochTable, one: &[Reader], other: &[Reader]) -> u64 {
    let (mut at, mut beside, mut common) = (0, 0, 0);
    // Both are sorted. For the short way, which calls nothing.
    while at < one.len() && beside < other.len() {
        // SAFETY: below the lengths.
        let (a, b) = unsafe { (*one.get_unchecked(at), *other.get_unchecked(beside)) };
        if a.epoch() == b.epoch() {
            common |= bit_of(epochs.lookup(a.epoch()).0).1;
        }
        at += usize::from(a.epoch() <= b.epoch());
        beside += usize::from(b.epoch() <= a.epoch());
    }
    common
}

/// Bits of the number of crowds that are remembered.
const MET_BITS: u32 = 7;

/// A crowd is for more words than a set ([`crate::joins::FEW_WORDS`]), as all who come to one of these words afterwards are to find the same.
const TIMES: u64 = 16;

/// What a thread knows of crowds. In parts of a word, as what is copied at once is copied by vector registers, which the short way may not use.
pub(crate) struct CrowdMemo {
    /// The epoch of which the rest is; 0 is none.
    epoch: Cell<u32>,
    /// [`EpochTable::recycled`] at that time.
    recycled: Cell<u32>,
    /// The crowd in which the thread is with it, or 0.
    crowd: Cell<u32>,
    /// Words of this epoch for which one would have been good.
    wanted: Cell<u32>,
    /// What these have in common with it, by a hash of the crowd.
    met: Box<[Met; 1 << MET_BITS]>,
}

impl Default for CrowdMemo {
    fn default() -> CrowdMemo {
        CrowdMemo {
            epoch: Cell::default(),
            recycled: Cell::default(),
            crowd: Cell::default(),
            wanted: Cell::default(),
            // SAFETY: numbers; 0 is no crowd. Not by way of the stack, of which a thread may have little.
            met: unsafe { Box::new_zeroed().assume_init() },
        }
    }
}

#[derive(Default)]
struct Met {
    crowd: Cell<u32>,
    common: Cell<u64>,
}

impl CrowdMemo {
    #[inline(always)]
    fn is_of(&self, epochs: &EpochTable, epoch: EpochId) -> bool {
        self.epoch.get() == epoch.0 && self.recycled.get() == epochs.recycled()
    }
    #[inline(always)]
    fn begin(&self, epochs: &EpochTable, epoch: EpochId) {
        if !self.is_of(epochs, epoch) {
            self.epoch.set(epoch.0);
            self.recycled.set(epochs.recycled());
            self.crowd.set(0);
            self.wanted.set(0);
        }
    }

    /// The crowd that the thread is in with this epoch, if it has joined one.
    #[inline(always)]
    pub(crate) fn crowd(&self, epochs: &EpochTable, epoch: EpochId) -> Option<EpochId> {
        let crowd = self.crowd.get();
        (crowd != 0 && self.is_of(epochs, epoch)).then_some(EpochId(crowd))
    }

    /// A crowd would be good for one more word that is read in this epoch: whether it is one of more than so many, [`TIMES`], for which one is made.
    #[inline(always)]
    pub(crate) fn is_wanted(&self, epochs: &EpochTable, epoch: EpochId, words: u64) -> bool {
        self.begin(epochs, epoch);
        let wanted = self.wanted.get();
        if self.crowd.get() != 0 || wanted as u64 >= TIMES * words {
            return true;
        }
        self.wanted.set(wanted + 1);
        false
    }

    /// The thread is in this one with its epoch. Whether it was not before.
    pub(crate) fn join(&self, epochs: &EpochTable, epoch: EpochId, crowd: EpochId) -> bool {
        self.begin(epochs, epoch);
        let is_new = self.crowd.replace(crowd.0) != crowd.0;
        if is_new {
            self.met.iter().for_each(|met| met.crowd.set(0));
        }
        is_new
    }

    /// The slots of which a crowd says the same as `present`, which the thread is in.
    #[inline(always)]
    pub(crate) fn common(&self, epochs: &EpochTable, present: EpochId, crowd: EpochId) -> u64 {
        let place = crowd.0.wrapping_mul(0x9e37_79b9) >> (u32::BITS - MET_BITS);
        // SAFETY: no more than these bits.
        let met = unsafe { self.met.get_unchecked(place as usize) };
        if met.crowd.get() == crowd.0 {
            return met.common.get();
        }
        let (Some(one), Some(other)) = (epochs.readers(present), epochs.readers(crowd)) else {
            return 0;
        };
        let common = common_of(epochs, one, other);
        met.crowd.set(crowd.0);
        met.common.set(common);
        common
    }
}
