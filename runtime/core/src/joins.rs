//! Readers that join others: what a thread has made of a word's readers lately, by being one of them.
//!
//! Where all threads read the same data in a phase, every word goes through the same read sets ([`crate::read_sets`]), so that the short way
//! need not look for them.

use crate::epoch::EpochId;
use crate::line::Site;
use crate::tag::Tag;

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
    pub(crate) fn find(
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

    pub(crate) fn note(&mut self, join: Join) {
        self.0[Self::slot(join.readers, join.site)] = join;
    }
}
