//! What is remembered of a word, as a list of entries and back: two tags, a read set, spilled entries, or a side record.

use crate::epoch::EpochId;
use crate::event::Slot;
use crate::joins::Join;
use crate::line::{Entry, LOCK, Line, SITE_MASK, Site};
use crate::read_sets::Reader;
use crate::slab::{Slab, Unit};
use crate::spilled::MOST;
use crate::tag::{Form, ShadowCell, Tag};
use crate::transition::live;
use crate::word_sites::{Live, TwoSites, WordSites};

impl Line<'_> {
    /// Appends the accesses that `old` remembers. Whether it says that the word was freed; the free is then a write.
    pub(crate) fn decode(&self, cell: usize, old: ShadowCell, entries: &mut Vec<Entry>) -> bool {
        match old.form() {
            Form::Tags { write, read } => {
                self.decode_tags(cell, write, read, entries);
                self.decode_spilled(cell, entries);
            }
            Form::Side(index) => self.decode_side(index, entries),
            Form::Freed(epoch) => {
                let tag = Tag::new(epoch, false, 0xff);
                entries.push(Entry {
                    tag,
                    write: true,
                    site: self.site(cell, true),
                });
                return true;
            }
        }
        false
    }

    fn decode_tags(&self, cell: usize, write: Tag, read: Tag, entries: &mut Vec<Entry>) {
        if write != Tag::NONE {
            self.decode_parts(cell, write, true, entries);
        }
        if let Some(readers) = self.epochs.readers(read.epoch()) {
            let joined = self.site(cell, false);
            entries.extend(readers.iter().map(|&reader| {
                let epoch = EpochId(reader);
                let (slot, _) = self.epochs.lookup(epoch);
                let site = self.sites.reader_site(joined, slot);
                Entry {
                    tag: Tag::new(epoch, false, read.mask()),
                    write: false,
                    site,
                }
            }));
            return;
        }
        let covered = if write.epoch_bits() == read.epoch_bits() {
            write.mask()
        } else {
            0
        };
        let mask = read.mask() & !covered;
        self.decode_parts(cell, read.with_mask(mask), false, entries);
    }

    /// An entry for each site that bytes of this tag have, where these are in a record.
    fn decode_parts(&self, cell: usize, tag: Tag, write: bool, entries: &mut Vec<Entry>) {
        if !self.is_mixed(cell) {
            if tag.mask() != 0 {
                let site = self.site(cell, write);
                entries.push(Entry { tag, write, site });
            }
            return;
        }
        let parts = self.word_sites(cell).parts(write, tag.mask());
        entries.extend(parts.map(|(site, mask)| Entry {
            tag: tag.with_mask(mask),
            write,
            site,
        }));
    }

    // A side record is a chain of units whose entries are a tag and, in bits 32-63, a site; its bit 31 says write.

    fn decode_side(&self, index: u32, entries: &mut Vec<Entry>) {
        let mut next = index;
        while next != 0 {
            let unit = self.slab.unit(next);
            entries.extend((0..unit.len()).map(|index| unpack(unit.get(index))));
            next = unit.next();
        }
    }

    pub(crate) fn release_side(&self, cell: ShadowCell) {
        if let Form::Side(index) = cell.form() {
            let mut next = index;
            while next != 0 {
                let this = next;
                next = self.slab.unit(this).next();
                self.slab.release(this, self.near());
            }
        }
    }

    /// Forgets what is not in the cell itself.
    pub(crate) fn forget_rest(&mut self, cell: usize, old: ShadowCell) {
        self.release_side(old);
        if self.has_spilled(cell) {
            self.forget_spilled(cell);
        }
    }

    /// Replaces what is remembered of a word by `entries`. The cell itself gets those of the access `new`, so that the
    /// same-epoch check finds them. `merged` says that no entry was added: bytes joined one that was there.
    pub(crate) fn encode(
        &mut self,
        cell: usize,
        old: ShadowCell,
        entries: &[Entry],
        new: Option<Entry>,
        merged: bool,
    ) {
        let present = |entry: &Entry| new.is_some_and(|new| entry.tag.epoch() == new.tag.epoch());
        let find = |write: bool| {
            let all = || (0..entries.len()).filter(move |&index| entries[index].write == write);
            // Plain accesses are looked for by compiled code.
            all()
                .find(|&index| present(&entries[index]) && !entries[index].tag.is_atomic())
                .or_else(|| all().find(|&index| present(&entries[index])))
                .or_else(|| all().next())
        };
        let write = find(true);
        // Where sites are many, bytes of one epoch are several entries.
        let many = self.sites.are_many();
        let like = move |entry: &Entry, one: Option<usize>| {
            one.is_some_and(|one| {
                let one = &entries[one];
                std::ptr::eq(entry, one)
                    || many
                        && entry.write == one.write
                        && entry.tag.epoch_bits() == one.tag.epoch_bits()
            })
        };
        let rest = |write: Option<usize>, read: Option<usize>| {
            let other = move |entry: &&Entry| !like(entry, write) && !like(entry, read);
            entries.iter().filter(other)
        };
        let tag_of = |one: usize| {
            let same = entries.iter().filter(|entry| like(entry, Some(one)));
            let mask = same.fold(0, |mask, entry| mask | entry.tag.mask());
            entries[one].tag.with_mask(mask)
        };
        if self.encode_set(cell, old, entries, (write, new), merged) {
            return;
        }
        let read = find(false).filter(|&read| {
            // The read tag belongs to a write of the present epoch, unless the read is of the same.
            present(&entries[read]) || !write.is_some_and(|write| present(&entries[write]))
        });
        if rest(write, read).count() <= MOST {
            let write_tag = write.map_or(Tag::NONE, tag_of);
            let read_tag = match read.map(tag_of) {
                None => write_tag,
                Some(read) if write_tag.epoch_bits() == read.epoch_bits() => {
                    read.with_mask(read.mask() | write_tag.mask())
                }
                Some(read) => read,
            };
            // A write and a read of one word by one thread in one epoch, the read of bytes that the write also has:
            // such a read is never recorded (`apply`), so the masks are disjoint and nothing is lost here.
            let next = ShadowCell::tags(write_tag, read_tag);
            if !many {
                if let Some(one) = write.or(read) {
                    let site = |entry: Option<usize>| entries[entry.unwrap_or(one)].site;
                    self.place(cell, site(write), site(read));
                }
            } else if write.or(read).is_some() {
                let here = entries
                    .iter()
                    .filter(|entry| like(entry, write) || like(entry, read));
                self.place_entries(cell, here, live(next));
            }
            self.store(cell, next);
            self.release_side(old);
            self.spill(cell, rest(write, read).copied());
            return;
        }
        self.spill(cell, std::iter::empty());
        let first = match old.form() {
            Form::Side(index) => index,
            _ => self.new_unit(),
        };
        let mut unit = first;
        for (i, part) in entries.chunks(Unit::ROOM).enumerate() {
            if i > 0 {
                let next = self.slab.unit(unit).next();
                let next = if next != 0 { next } else { self.new_unit() };
                self.slab.unit(unit).set_next(next);
                unit = next;
            }
            let unit = self.slab.unit(unit);
            unit.set_len(part.len());
            for (index, &entry) in part.iter().enumerate() {
                unit.set(index, pack(entry));
            }
        }
        let rest = self.slab.unit(unit).next();
        self.slab.unit(unit).set_next(0);
        if rest != 0 {
            self.release_side(ShadowCell::side(rest));
        }
        self.store(cell, ShadowCell::side(first));
    }

    /// Stores several readers of the same bytes as a read set, if that is worth it: not when readers come back.
    fn encode_set(
        &mut self,
        cell: usize,
        old: ShadowCell,
        entries: &[Entry],
        (write, new): (Option<usize>, Option<Entry>),
        merged: bool,
    ) -> bool {
        let writes = entries.iter().filter(|entry| entry.write).count();
        let reads = || entries.iter().filter(|entry| !entry.write);
        let Some(mask) = reads().next().map(|read| read.tag.mask()) else {
            return false;
        };
        if reads().count() < 2 || writes > 1 + MOST {
            return false;
        }
        if reads().any(|read| read.tag.mask() != mask || read.tag.is_atomic()) {
            return false;
        }
        let joins = match old.form() {
            Form::Tags { read, .. } => {
                let before = self.epochs.readers(read.epoch()).map_or(1, <[Reader]>::len);
                reads().count() > before.max(self.spilled_reads(cell) + 1)
            }
            Form::Side(_) => merged,
            Form::Freed(_) => false,
        };
        if !joins {
            return false;
        }
        let mut sites: Vec<(Slot, Site)> = reads()
            .map(|read| (self.epochs.lookup(read.tag.epoch()).0, read.site))
            .collect();
        sites.sort_unstable();
        // A set knows its readers' sites by slot. (Two accesses of one thread are kept only where SC1 is off.)
        if sites.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return false;
        }
        let Some(site) = self.sites.join_readers(&sites) else {
            return false;
        };
        let mut readers: Vec<Reader> = reads().map(|read| read.tag.epoch().0).collect();
        readers.sort_unstable();
        let Some(set) = self.epochs.read_sets.intern(self.epochs, &readers) else {
            return false;
        };
        let read_tag = Tag::new(set, false, mask);
        if let Some(join) = self.join_of(cell, old, new, (readers.len(), set, site)) {
            self.joins.note(join);
        }
        let of_write = write.map_or(site, |write| entries[write].site);
        self.place(cell, of_write, site);
        let write_tag = write.map_or(Tag::NONE, |write| entries[write].tag);
        self.store(cell, ShadowCell::tags(write_tag, read_tag));
        self.release_side(old);
        let others = (0..entries.len()).filter(|&other| Some(other) != write);
        let rest = others
            .map(|other| entries[other])
            .filter(|entry| entry.write);
        self.spill(cell, rest);
        self.read_set = Some(read_tag.with_mask(0xff));
        true
    }

    /// How the readers that `old` says became the set of `count` readers by the access `new`, if it has only joined them.
    fn join_of(
        &self,
        cell: usize,
        old: ShadowCell,
        new: Option<Entry>,
        (count, set, site_of_set): (usize, EpochId, Site),
    ) -> Option<Join> {
        let (new, Form::Tags { write, read }) = (new?, old.form()) else {
            return None;
        };
        let before = self.epochs.readers(read.epoch()).map_or(1, <[Reader]>::len);
        let alone = before + 1 == count
            && self.spilled_reads(cell) == 0
            && read.mask() == new.tag.mask()
            && write.epoch_bits() != read.epoch_bits()
            && !read.is_atomic();
        alone.then(|| Join {
            readers: read.epoch_bits(),
            site_of_readers: self.site(cell, false),
            epoch: new.tag.epoch(),
            site: new.site,
            set,
            site_of_set,
            recycled: self.epochs.recycled(),
        })
    }

    /// Stores the sites of the entries that a cell is made of, of which these bytes count.
    fn place_entries<'e>(
        &mut self,
        cell: usize,
        entries: impl Iterator<Item = &'e Entry> + Clone,
        of_next: Live,
    ) {
        let mut sites = Some(WordSites::of(0, 0));
        let mut seen = (0, 0);
        for entry in entries.clone() {
            let mask = entry.tag.mask();
            let of_kind = if entry.write {
                &mut seen.0
            } else {
                &mut seen.1
            };
            *of_kind |= mask;
            sites = sites.and_then(|sites| sites.with(entry.write, mask, entry.site, seen));
        }
        if let Some(sites) = sites
            && (sites.pair(of_next).is_some() || self.sites.are_many())
        {
            return self.place_sites(cell, sites, of_next);
        }
        let named = |write: bool| {
            let same = entries.clone().filter(|entry| entry.write == write);
            self.combined(same.map(|entry| (entry.site, entry.tag.mask())))
        };
        let (write, read) = (named(true), named(false));
        let (write, read) = TwoSites { write, read }.pair(seen);
        self.place(cell, write, read);
    }

    fn new_unit(&self) -> u32 {
        self.slab.allocate(self.near())
    }
}

pub(crate) fn pack(entry: Entry) -> u64 {
    let site = entry.site | if entry.write { LOCK } else { 0 };
    entry.tag.0 as u64 | (site as u64) << 32
}

pub(crate) fn unpack(entry: u64) -> Entry {
    let site = (entry >> 32) as u32;
    Entry {
        tag: Tag(entry as u32),
        write: site & LOCK != 0,
        site: site & SITE_MASK,
    }
}

/// Visits the units of the side record that begins with `index`, and the tags in it. The line is locked or stands still.
pub(crate) fn visit_side_record(
    slab: &Slab,
    index: u32,
    mut unit: impl FnMut(u32),
    mut tag: impl FnMut(Tag),
) {
    let mut next = index;
    while next != 0 {
        unit(next);
        let words = slab.unit(next);
        (0..words.len()).for_each(|index| tag(unpack(words.get(index)).tag));
        next = words.next();
    }
}
