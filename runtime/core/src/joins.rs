//! Readers that join others: what a thread has made of a word's readers lately, by being one of them.
//!
//! Where all threads read the same data in a phase, every word goes through the same read sets ([`crate::read_sets`]), so that the short way
//! need not look for them. A single word that several threads read in each of their epochs has another set each time, so a set is made for the second word
//! that would have it, and the first one gets a record.

use crate::epoch::EpochId;
use crate::line::Site;
use crate::tag::{ShadowCell, Tag};
use crate::transition::Order;
use std::cell::Cell;

const MEMO: usize = 64;

/// The readers that a word had, the access that joins them, and the set that they are then. Their sites are one number too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Join {
    /// Epoch bits of the read tag.
    pub readers: u32,
    pub site_of_readers: Site,
    pub epoch: EpochId,
    pub site: Site,
    pub set: EpochId,
    pub site_of_set: Site,
    /// [`crate::epoch::EpochTable::recycled`] at that time.
    pub recycled: u32,
}

/// The joins of a thread.
pub struct JoinMemo(Box<[Join; MEMO]>);

impl Default for JoinMemo {
    fn default() -> JoinMemo {
        // Not by way of the stack, of which a thread may have little.
        // SAFETY: numbers; all zeroes is a join in epoch 0, which no access has.
        JoinMemo(unsafe { Box::new_zeroed().assume_init() })
    }
}

impl JoinMemo {
    #[inline(always)]
    fn slot(readers: u32, site: Site) -> usize {
        let both = (readers as u64) << 32 | site as u64;
        (both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize
    }

    /// The set that the `readers`, whose sites are `site_of_readers`, become when an access from `site` in `epoch` joins them,
    /// and the sites of that set.
    #[inline(always)]
    fn find(
        &self,
        (readers, site_of_readers): (Tag, Site),
        (epoch, site): (EpochId, Site),
        recycled: u32,
    ) -> Option<(EpochId, Site)> {
        const { assert!(MEMO == 1 << (64 - 58)) };
        let readers = readers.epoch_bits();
        // SAFETY: the slot is below the length.
        let join = unsafe { self.0.get_unchecked(Self::slot(readers, site)) };
        (join.readers == readers
            && join.site_of_readers == site_of_readers
            && join.epoch == epoch
            && join.site == site
            && join.recycled == recycled)
            .then_some((join.set, join.site_of_set))
    }

    /// What a word becomes by a read that joins its readers, whose sites are `site_of_readers`, and the sites of the set that they are
    /// then; `None` if the thread has not made this of these lately, or if the read is not ordered after the write that it meets.
    #[inline(always)]
    pub(crate) fn join(
        &self,
        (old, site_of_readers): (ShadowCell, Site),
        (tag, site): (Tag, Site),
        recycled: u32,
        order: &mut impl Order,
    ) -> Option<(ShadowCell, Site)> {
        let (w, r) = old.halves();
        if r.mask() != tag.mask() || w.epoch_bits() == r.epoch_bits() {
            return None;
        }
        let (set, site_of_set) = self.find((r, site_of_readers), (tag.epoch(), site), recycled)?;
        if w.mask() & tag.mask() != 0 && !order.before(w) {
            return None;
        }
        let read = Tag::new(set, false, tag.mask());
        Some((ShadowCell::tags(w, read), site_of_set))
    }

    pub(crate) fn note(&mut self, join: Join) {
        self.0[Self::slot(join.readers, join.site)] = join;
    }
}

/// The sets of the readers that are in records, as a thread has met them lately.
pub struct SetMemo(Box<[Cell<Met>; MEMO]>);

/// A hash of the readers' epochs, and their set; 0 if there can be none.
#[derive(Clone, Copy)]
struct Met {
    readers: u64,
    set: u32,
    /// [`crate::epoch::EpochTable::recycled`] at that time.
    recycled: u32,
}

impl Default for SetMemo {
    fn default() -> SetMemo {
        // SAFETY: numbers; all zeroes are readers that have that hash, and no set. Not by way of the stack, as above.
        SetMemo(unsafe { Box::new_zeroed().assume_init() })
    }
}

impl SetMemo {
    #[inline(always)]
    fn place(&self, readers: u64) -> &Cell<Met> {
        const { assert!(MEMO == 1 << (64 - 58)) };
        // SAFETY: six bits.
        unsafe { self.0.get_unchecked((readers >> 58) as usize) }
    }
    #[inline(always)]
    pub(crate) fn find(&self, readers: u64, recycled: u32) -> Option<EpochId> {
        let met = self.place(readers).get();
        (met.readers == readers && met.recycled == recycled).then_some(EpochId(met.set))
    }
    pub(crate) fn note(&self, readers: u64, recycled: u32, set: Option<EpochId>) {
        self.place(readers).set(Met {
            readers,
            set: set.map_or(0, |set| set.0),
            recycled,
        });
    }
}

/// What a thread has joined lately that was in no set, by a hash: the epochs of the readers and of its own access.
pub struct FirstJoins(Box<[Cell<u64>; MEMO]>);

impl Default for FirstJoins {
    fn default() -> FirstJoins {
        // SAFETY: numbers; all zeroes is a join in epoch 0, which no access has. Not by way of the stack, as above.
        FirstJoins(unsafe { Box::new_zeroed().assume_init() })
    }
}

impl FirstJoins {
    /// Whether an access with this tag joins the readers that this one says for the first time, as far as is remembered.
    #[inline(always)]
    pub(crate) fn is_first(&self, readers: Tag, joins: Tag) -> bool {
        self.is_first_of((readers.epoch_bits() as u64) << 32 | joins.epoch_bits() as u64)
    }
    /// The same of what has this hash.
    #[inline(always)]
    pub(crate) fn is_first_of(&self, both: u64) -> bool {
        let slot = both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
        // SAFETY: the slot is below the length.
        let last = unsafe { self.0.get_unchecked(slot as usize) };
        last.replace(both) != both
    }
}
