//! Readers that join others: what a thread has made of a word's readers lately, by being one of them.
//!
//! Where all threads read the same data in a phase, every word goes through the same read sets ([`crate::read_sets`]), so that the short way
//! need not look for them. What several threads read in each of their epochs, which are short (the dozen nodes that a search in a tree goes through, under a
//! lock for readers), has other sets each time, so the first words that would have a set get records ([`FEW_WORDS`]). Of a range with
//! more words, all get the same set, by one look for it, even if its readers come back in each epoch.

use crate::epoch::EpochId;
use crate::line::Site;
use crate::tag::{ShadowCell, Tag};
use crate::transition::{Order, beside_read};
use std::cell::Cell;

/// Bits of the number of joins that are remembered, at first and at most: readers from several places make many of one set.
const FIRST_BITS: u32 = 6;
const LAST_BITS: u32 = 10;
/// Of so many new joins by place, the next ones are worth more room.
const PATIENCE: usize = 2;
/// Words that get records before a set is made of their readers.
pub const FEW_WORDS: u8 = 16;
/// Bits of the number of sets that are remembered, and of first joins.
const SET_BITS: u32 = 6;

/// The readers that a word had, the access that joins them, and what they are then, mostly a set. Their sites are one number too.
///
/// Where all of them read from one place, it is noted for any place: so it is known of the nodes of a tree that a recursion walks through, each of which has a place of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Join {
    /// Epoch bits of the read tag.
    pub readers: u32,
    pub site_of_readers: Site,
    pub epoch: EpochId,
    pub site: Site,
    /// The bytes that the readers and the access have, if these are not the same ([`bytes_of`]).
    pub bytes: u16,
    /// With the bytes that the read tag has then.
    pub set: Tag,
    /// Of these, those that the thread has read, or 0 if there is no set, as it is the only reader.
    pub own: u8,
    pub site_of_set: Site,
    /// [`crate::epoch::EpochTable::recycled`] at that time.
    pub recycled: u32,
}

/// [`Join::bytes`] of a read of some bytes, where the readers before it have others: a set in parts, or one of which some have to be forgotten.
#[inline(always)]
pub(crate) fn bytes_of(readers: Tag, joins: Tag) -> u16 {
    let (readers, joins) = (readers.mask(), joins.mask());
    if readers == joins {
        0
    } else {
        (readers as u16) << 8 | joins as u16
    }
}

/// What the readers of a word become ([`JoinMemo::join`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Joined {
    pub(crate) cell: ShadowCell,
    /// As [`Join::own`].
    pub(crate) own: u8,
    pub(crate) site_of_set: Site,
}

impl Joined {
    /// The set that the thread is in then, with the bytes that it has read: all, if all have read the same.
    #[inline(always)]
    pub(crate) fn set(&self) -> Option<Tag> {
        let (_, set) = self.cell.halves();
        (self.own != 0).then(|| set.with_mask(self.own))
    }
}

/// The joins of a thread.
pub struct JoinMemo {
    /// By hash; a power of two.
    joins: Box<[Join]>,
    /// The number of the hash's other bits.
    shift: u8,
    /// Joins noted since there is room for so many.
    noted: usize,
}

impl Default for JoinMemo {
    fn default() -> JoinMemo {
        JoinMemo {
            joins: JoinMemo::none(FIRST_BITS),
            shift: (u64::BITS - FIRST_BITS) as u8,
            noted: 0,
        }
    }
}

impl JoinMemo {
    /// Room for joins.
    fn none(bits: u32) -> Box<[Join]> {
        // Not by way of the stack, of which a thread may have little.
        // SAFETY: numbers; all zeroes is a join in epoch 0, which no access has.
        unsafe { Box::new_zeroed_slice(1 << bits).assume_init() }
    }
    #[inline(always)]
    fn slot(&self, (readers, site_of_readers): (u32, Site), (bytes, site): (u16, Site)) -> usize {
        let of_readers = (readers as u64) << 32 ^ (bytes as u64) << 48;
        let all = of_readers ^ (site_of_readers as u64) << 16 ^ site as u64;
        (all.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// What a word becomes by a read that joins its readers, whose sites are `site_of_readers`; `None` if the thread has not made this of these lately,
    /// or if the read is not ordered after the write that it meets.
    #[inline(always)]
    pub(crate) fn join(
        &self,
        (old, site_of_readers): (ShadowCell, Site),
        (tag, site): (Tag, Site),
        recycled: u32,
        order: &mut impl Order,
    ) -> Option<Joined> {
        let (w, r) = old.halves();
        if w.epoch_bits() == r.epoch_bits() || old.is_parted() {
            return None;
        }
        let (readers, bytes) = (r.epoch_bits(), bytes_of(r, tag));
        // 0 stands for the only site, as it is noted ([`JoinMemo::note`]).
        let only = if site_of_readers == site { site } else { 0 };
        let (site_of_readers, site) = (site_of_readers ^ only, site ^ only);
        let slot = self.slot((readers, site_of_readers), (bytes, site));
        // SAFETY: a slot has no more bits than that.
        let join = unsafe { self.joins.get_unchecked(slot) };
        let is_this = join.readers == readers
            && join.bytes == bytes
            && join.site_of_readers == site_of_readers
            && join.epoch == tag.epoch()
            && join.site == site
            && join.recycled == recycled;
        if !is_this || w.mask() & tag.mask() != 0 && !order.before(w) {
            return None;
        }
        // What the thread has written in the same epoch, its read tag says as well.
        if join.own == 0 && w.epoch_bits() == tag.epoch_bits() {
            return None;
        }
        let w = beside_read(w, order);
        // Readers of the same bytes have those that the access has.
        let mask = if bytes == 0 {
            tag.mask()
        } else {
            join.set.mask()
        };
        Some(Joined {
            cell: ShadowCell::tags(w, join.set.with_mask(mask)),
            own: join.own,
            site_of_set: join.site_of_set ^ only,
        })
    }

    pub(crate) fn note(&mut self, join: Join) {
        self.noted += 1;
        // Which place that is does not say what the readers become, and is the set's as well.
        let from_one_place = join.site_of_readers == join.site && join.site == join.site_of_set;
        self.place(if from_one_place {
            Join {
                site_of_readers: 0,
                site: 0,
                site_of_set: 0,
                ..join
            }
        } else {
            join
        });
    }
    /// Makes room for more if many were noted. With no line locked: it may ask for memory.
    #[inline(always)]
    pub(crate) fn grow_if_needed(&mut self) {
        if self.noted > PATIENCE * self.joins.len() {
            self.grow();
        }
    }
    fn place(&mut self, join: Join) {
        let slot = self.slot(
            (join.readers, join.site_of_readers),
            (join.bytes, join.site),
        );
        self.joins[slot] = join;
    }
    #[cold]
    fn grow(&mut self) {
        self.noted = 0;
        let bits = u64::BITS - self.shift as u32;
        if bits == LAST_BITS {
            return;
        }
        let before = std::mem::replace(&mut self.joins, JoinMemo::none(bits + 2));
        self.shift -= 2;
        let all = before.iter().filter(|join| join.readers != 0);
        all.for_each(|&join| self.place(join));
    }
}

/// The sets of the readers that are in records, as a thread has met them lately.
pub struct SetMemo(Box<[Cell<Met>; 1 << SET_BITS]>);

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
        let place = readers >> (u64::BITS - SET_BITS);
        // SAFETY: no more than these bits.
        unsafe { self.0.get_unchecked(place as usize) }
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
pub struct FirstJoins {
    /// Hashes, but for their upper bits, and how often each was met.
    met: Box<[Cell<u64>; 1 << SET_BITS]>,
    words: u8,
}

impl FirstJoins {
    /// So many are the first ones.
    pub(crate) fn of(words: u8) -> FirstJoins {
        // SAFETY: numbers; all zeroes is a join in epoch 0, which no access has. Not by way of the stack, as above.
        let met = unsafe { Box::new_zeroed().assume_init() };
        FirstJoins { met, words }
    }
}

impl Default for FirstJoins {
    fn default() -> FirstJoins {
        FirstJoins::of(FEW_WORDS)
    }
}

impl FirstJoins {
    /// How many are the first ones.
    pub(crate) fn words(&self) -> u64 {
        self.words as u64
    }
    /// Whether an access with this tag joins the readers that this one says for one of the first times, as far as is remembered.
    #[inline(always)]
    pub(crate) fn is_first(&self, readers: Tag, joins: Tag) -> bool {
        self.is_first_of((readers.epoch_bits() as u64) << 32 | joins.epoch_bits() as u64)
    }
    /// The same of what has this hash.
    #[inline(always)]
    pub(crate) fn is_first_of(&self, both: u64) -> bool {
        let slot = both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SET_BITS);
        // SAFETY: no more than these bits.
        let place = unsafe { self.met.get_unchecked(slot as usize) };
        let (key, last) = (both << 8, place.get());
        let count = if (last ^ key) >> 8 == 0 {
            last as u8 + 1
        } else {
            1
        };
        if count > self.words {
            return false;
        }
        place.set(key | count as u64);
        true
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Everything is ordered.
    struct Ordered;
    impl Order for Ordered {
        fn before(&mut self, _: Tag) -> bool {
            true
        }
    }

    /// Threads that read the same words from several places: as many states of one set as there are combinations of their sites.
    #[test]
    fn one_set_with_many_sites_is_known() {
        const SITES: Site = 12;
        let mut memo = JoinMemo::default();
        let (readers, epoch, set) = (EpochId(7), EpochId(9), EpochId(11));
        let join = |of_readers: Site, site: Site| Join {
            readers: Tag::new(readers, false, 0).epoch_bits(),
            site_of_readers: of_readers,
            epoch,
            site,
            bytes: 0,
            set: Tag::new(set, false, 0xff),
            own: 0xff,
            site_of_set: 1000 * of_readers + site,
            recycled: 0,
        };
        let all: Vec<(Site, Site)> = (1..=SITES)
            .flat_map(|of_readers| (1..=SITES).map(move |site| (of_readers, SITES + site)))
            .collect();
        let mut unknown = 0;
        for _ in 0..40 {
            for &(of_readers, site) in &all {
                let old = ShadowCell::tags(Tag::NONE, Tag::new(readers, false, 0xff));
                let new = Tag::new(epoch, false, 0xff);
                match memo.join((old, of_readers), (new, site), 0, &mut Ordered) {
                    Some(joined) => {
                        assert_eq!(joined.set(), Some(Tag::new(set, false, 0xff)));
                        assert_eq!(joined.site_of_set, 1000 * of_readers + site);
                    }
                    None => {
                        unknown += 1;
                        memo.note(join(of_readers, site));
                        memo.grow_if_needed();
                    }
                }
            }
        }
        // Each once, and again while there is too little room and where two have one place.
        assert!(unknown < 8 * all.len(), "{unknown} of {}", 40 * all.len());
        assert!(memo.joins.len() <= 1 << LAST_BITS);
    }

    /// Threads that all read each word from a place of its own.
    #[test]
    fn a_set_with_one_site_is_known_for_any_site() {
        let mut memo = JoinMemo::default();
        let (readers, epoch, set) = (EpochId(7), EpochId(9), EpochId(11));
        let old = ShadowCell::tags(Tag::NONE, Tag::new(readers, false, 0xff));
        let new = Tag::new(epoch, false, 0xff);
        memo.note(Join {
            readers: old.halves().1.epoch_bits(),
            site_of_readers: 5,
            epoch,
            site: 5,
            bytes: 0,
            set: Tag::new(set, false, 0xff),
            own: 0xff,
            site_of_set: 5,
            recycled: 0,
        });
        let join = |of_readers, site| memo.join((old, of_readers), (new, site), 0, &mut Ordered);
        for site in [1, 5, 1 << 20] {
            let joined = join(site, site).unwrap();
            assert_eq!(joined.set(), Some(Tag::new(set, false, 0xff)));
            assert_eq!(joined.site_of_set, site);
        }
        for (of_readers, site) in [(5, 6), (6, 5), (0, 5), (5, 0)] {
            assert_eq!(join(of_readers, site), None);
        }
    }
}
