//! [`displace`] of a word of a locked line, where names for sites may be made.

use crate::displace::{World, displace};
use crate::epoch::EpochTable;
use crate::line::{Entry, Judge, Line, Site, Sites};
use crate::line_sites::PairMemo;
use crate::primitive::Ordering;
use crate::slab::Slab;
use crate::spilled::first_unit;
use crate::tag::{ShadowCell, Tag};
use crate::transition::Order;
use crate::word_sites::{Live, TwoSites, WordSites};

impl Line<'_> {
    /// As [`Line::quick`], of a word with spilled entries, or that gets some.
    pub(crate) fn displace(
        &mut self,
        cell: usize,
        old: ShadowCell,
        new: Entry,
        judge: &mut impl Judge,
    ) -> bool {
        let unit = first_unit(self.value);
        if unit == 0 {
            return false;
        }
        let word = (cell, old);
        let displaced = if self.sites.are_many() {
            let (slab, sites) = (self.slab, self.word_sites(cell));
            let mut world = LineRecords {
                slab,
                present: self.parts.sites[cell].load(Ordering::Relaxed),
                world: self.world(judge),
            };
            displace(word, sites, (slab, unit), new, &mut world)
        } else {
            let (write, read) = (self.site(cell, true), self.site(cell, false));
            let (slab, sites) = (self.slab, TwoSites { write, read });
            displace(word, sites, (slab, unit), new, &mut self.world(judge))
        };
        let Some((next, number)) = displaced else {
            return false;
        };
        self.parts.sites[cell].store(number, Ordering::Relaxed);
        self.store(cell, next);
        true
    }

    fn world<'j, J: Judge>(&'j mut self, judge: &'j mut J) -> LineWorld<'j, J> {
        LineWorld {
            epochs: self.epochs,
            sites: self.sites,
            pairs: self.pairs,
            judge,
        }
    }
}

/// A line, for [`displace`].
struct LineWorld<'a, J> {
    epochs: &'a EpochTable,
    sites: &'a dyn Sites,
    pairs: &'a mut PairMemo,
    judge: &'a mut J,
}

impl<J: Judge> Order for LineWorld<'_, J> {
    fn before(&mut self, tag: Tag) -> bool {
        self.judge.before(tag)
    }
}

impl<J: Judge> World for LineWorld<'_, J> {
    type Sites = TwoSites;
    fn is_set(&self, tag: Tag) -> bool {
        self.epochs.readers(tag.epoch()).is_some()
    }
    fn combine(&mut self, old: (Site, u8), new: (Site, u8)) -> Option<Site> {
        Some(self.judge.combine(old.0, old.1, new.0, new.1))
    }
    fn number(&mut self, sites: TwoSites, live: Live) -> Option<u32> {
        let (write, read) = sites.pair(live);
        Some(self.pairs.number(write, read, self.sites))
    }
}

/// The same, of a word whose sites may be in a record.
struct LineRecords<'a, J> {
    world: LineWorld<'a, J>,
    slab: &'a Slab,
    /// The number of the word's sites.
    present: u32,
}

impl<J: Judge> Order for LineRecords<'_, J> {
    fn before(&mut self, tag: Tag) -> bool {
        self.world.before(tag)
    }
}

impl<J: Judge> World for LineRecords<'_, J> {
    type Sites = WordSites;
    fn is_set(&self, tag: Tag) -> bool {
        self.world.is_set(tag)
    }
    fn combine(&mut self, _: (Site, u8), _: (Site, u8)) -> Option<Site> {
        None
    }
    fn number(&mut self, sites: WordSites, live: Live) -> Option<u32> {
        if let Some((write, read)) = sites.pair(live) {
            self.slab.release_record(self.present);
            return Some(self.world.pairs.number(write, read, self.world.sites));
        }
        Some(self.slab.record_sites(self.present, sites))
    }
}
