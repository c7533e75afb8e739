//! A line: 64 bytes of application memory, its eight shadow cells and its word. What an access does to them.
//!
//! Rules 1 of the report's Figure 1, extended to reads, atomics and bytes (`docs/model.md`): an access is checked against every
//! earlier one of the same bytes that it conflicts with; it then replaces those that no later access could race with
//! without racing with this one as well. Nothing else is ever dropped. The line's lock serializes its users, so that two
//! threads inside the detector cannot lose each other's access; compiled code reads cells without it.
//!
//! The word: bit 31 lock, bit 30 "sites", bits 0-29 the site of all accesses in the line, or with "sites" the index of a
//! unit with one site for each write (word 2i) and read (word 2i+1) of cell i.

use crate::epoch::{EpochId, EpochTable};
use crate::event::{Access, Slot};
use crate::read_sets::Reader;
use crate::slab::Slab;
use crate::tag::{Form, ShadowCell, Tag};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// An interned stack with the locks held, 1..2^30; 0 is unknown. What it stands for is the runtime's affair.
pub type Site = u32;

const LOCK: u32 = 1 << 31;
const SITES: u32 = 1 << 30;
const SITE_MASK: u32 = SITES - 1;

/// An access that is remembered: which bytes, in which epoch, from where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub tag: Tag,
    pub write: bool,
    pub site: Site,
}

impl Entry {
    pub fn access(self) -> Access {
        match (self.write, self.tag.is_atomic()) {
            (false, false) => Access::Read,
            (true, false) => Access::Write,
            (false, true) => Access::AtomicRead,
            (true, true) => Access::AtomicWrite,
        }
    }
}

/// How an earlier access stands to the one that happens now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// It happens before this one (or is by the same thread).
    Before,
    /// It is known not to.
    Unordered,
    /// The short circuits do not tell.
    Unknown,
}

/// What a line needs to know of the world.
pub trait Judge {
    /// The relation of the access with this tag to the running thread, by short circuits only.
    fn relation(&mut self, tag: Tag) -> Relation;
    /// A site that stands for `old` at bytes `old_mask` and for `new` at bytes `new_mask` (which win where both are set).
    fn combine(&mut self, old: Site, old_mask: u8, new: Site, new_mask: u8) -> Site;
}

/// How several sites are made one, where a cell has room for one.
pub trait Sites {
    /// See [`Judge::combine`].
    fn combine(&self, old: Site, old_mask: u8, new: Site, new_mask: u8) -> Site;
    /// A site that stands for each reader's own one; `None` if there can be none.
    fn join_readers(&self, readers: &[(Slot, Site)]) -> Option<Site> {
        let (_, first) = readers[0];
        readers
            .iter()
            .all(|&(_, site)| site == first)
            .then_some(first)
    }
    /// The site of one reader in what [`Sites::join_readers`] gave.
    fn reader_site(&self, joined: Site, _reader: Slot) -> Site {
        joined
    }
}

/// What came out of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Recorded; races are in the list of conflicts.
    Done,
    /// Nothing was changed: the relation of this earlier access has to be evaluated first.
    Undecided(Tag),
}

/// What an access ran into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The earlier access; its mask is that of the shared bytes.
    pub earlier: Entry,
    /// Index of the cell within the line.
    pub cell: u8,
    /// The earlier "access" is the free of the block.
    pub freed: bool,
    /// Ordered before this access (possible only for a free: a plain use after free).
    pub ordered: bool,
}

/// Whether every access that conflicts with an `old` one of the same bytes also conflicts with a `new` one.
fn subsumes(new: Access, old: Access) -> bool {
    use Access::*;
    match new {
        Write => true,
        Read => matches!(old, Read | AtomicRead),
        AtomicWrite => matches!(old, AtomicWrite | AtomicRead),
        AtomicRead => old == AtomicRead,
    }
}

/// A line under its lock; unlocked when dropped.
pub struct Line<'a> {
    cells: &'a [AtomicU64; 8],
    word: &'a AtomicU32,
    /// The word as it will be stored at unlock, without the lock bit.
    value: u32,
    slab: &'a Slab,
    epochs: &'a EpochTable,
    sites: &'a dyn Sites,
    /// The read set that the last access is in now.
    read_set: Option<Tag>,
}

impl<'a> Line<'a> {
    /// Locks the line. The holder never blocks, so waiting is short unless it is descheduled; hence the yield.
    pub fn lock(
        cells: &'a [AtomicU64; 8],
        word: &'a AtomicU32,
        slab: &'a Slab,
        epochs: &'a EpochTable,
        sites: &'a dyn Sites,
    ) -> Line<'a> {
        let mut spins = 0u32;
        loop {
            let value = word.load(Ordering::Relaxed);
            // Acquire: sees all that the previous holder did to cells and units.
            if value & LOCK == 0
                && word
                    .compare_exchange_weak(
                        value,
                        value | LOCK,
                        Ordering::Acquire,
                        Ordering::Relaxed,
                    )
                    .is_ok()
            {
                return Line {
                    cells,
                    word,
                    value,
                    slab,
                    epochs,
                    sites,
                    read_set: None,
                };
            }
            spins += 1;
            if spins < 64 {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }

    /// Tells lines apart, for the slab: neighbours, which one thread tends to use, share a list. Hashed, because heaps of
    /// different threads lie a power of two apart.
    fn near(&self) -> usize {
        let page = self.word as *const AtomicU32 as u64 >> 8;
        (page.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
    }

    fn load(&self, cell: usize) -> ShadowCell {
        // Relaxed: under the lock; compiled code only compares single tags.
        ShadowCell(self.cells[cell].load(Ordering::Relaxed))
    }

    fn store(&self, cell: usize, value: ShadowCell) {
        self.cells[cell].store(value.0, Ordering::Relaxed);
    }

    /// Checks and records an access to the bytes `mask` of `cell`. `new.tag` carries the mask.
    ///
    /// `scratch` is for the line's own use. Conflicts are appended to `conflicts` only when the outcome is `Done`.
    pub fn access(
        &mut self,
        cell: usize,
        new: Entry,
        judge: &mut impl Judge,
        scratch: &mut Vec<Entry>,
        conflicts: &mut Vec<Conflict>,
    ) -> Outcome {
        let old = self.load(cell);
        if old == ShadowCell::EMPTY {
            let write = if new.write { new.tag } else { Tag::NONE };
            self.store(cell, ShadowCell::tags(write, new.tag));
            self.set_sites(
                cell,
                new.write.then_some(new.site),
                (!new.write).then_some(new.site),
            );
            return Outcome::Done;
        }
        self.read_set = None;
        if let Some(set) = self.joined_set(old, new) {
            self.read_set = Some(set);
            return Outcome::Done;
        }
        match self.check(cell, old, new, judge, scratch, conflicts) {
            Applied::Undecided(tag) => return Outcome::Undecided(tag),
            Applied::Nothing => {}
            Applied::Merged => self.encode(cell, old, scratch, true),
            Applied::Changed => self.encode(cell, old, scratch, false),
        }
        Outcome::Done
    }

    /// Checks an access against what `old` remembers; `scratch` is then what there is to remember.
    fn check(
        &self,
        cell: usize,
        old: ShadowCell,
        new: Entry,
        judge: &mut impl Judge,
        scratch: &mut Vec<Entry>,
        conflicts: &mut Vec<Conflict>,
    ) -> Applied {
        scratch.clear();
        let freed = self.decode(cell, old, scratch);
        let first_conflict = conflicts.len();
        if freed {
            // Any access is an error here, the ordered ones too; it leaves the free behind as a plain write.
            let earlier = Entry {
                tag: scratch[0].tag.with_mask(new.tag.mask()),
                ..scratch[0]
            };
            match judge.relation(earlier.tag) {
                Relation::Unknown => return Applied::Undecided(earlier.tag),
                Relation::Before => conflicts.push(Conflict {
                    earlier,
                    cell: cell as u8,
                    freed: true,
                    ordered: true,
                }),
                Relation::Unordered => {}
            }
        }
        let applied = apply(scratch, new, cell, judge, conflicts);
        if freed {
            conflicts[first_conflict..]
                .iter_mut()
                .for_each(|conflict| conflict.freed = true);
            if matches!(applied, Applied::Nothing) {
                return Applied::Changed;
            }
        }
        applied
    }

    /// Makes bytes of `cell` fresh. A whole word forgets everything; of a part, the entries' bytes are removed.
    pub fn fresh(&mut self, cell: usize, mask: u8, scratch: &mut Vec<Entry>) {
        let old = self.load(cell);
        if old == ShadowCell::EMPTY {
            return;
        }
        scratch.clear();
        if mask != 0xff {
            self.decode(cell, old, scratch);
            for entry in scratch.iter_mut() {
                entry.tag = entry.tag.with_mask(entry.tag.mask() & !mask);
            }
            scratch.retain(|entry| entry.tag.mask() != 0);
        }
        self.encode(cell, old, scratch, false);
    }

    /// The read set of the last access, with a full mask: what a thread may compare read tags with while its epoch lasts.
    pub fn read_set(&self) -> Option<Tag> {
        self.read_set
    }

    /// The set in a cell's read tag, if the new access is a read that it holds already.
    fn joined_set(&self, old: ShadowCell, new: Entry) -> Option<Tag> {
        let Form::Tags { read, .. } = old.form() else {
            return None;
        };
        if new.access() != Access::Read || read.mask() & new.tag.mask() != new.tag.mask() {
            return None;
        }
        let readers = self.epochs.readers(read.epoch())?;
        let mine = new.tag.epoch().0;
        readers.contains(&mine).then(|| read.with_mask(0xff))
    }

    /// Checks a write of the whole of `cell` and marks it as freed. The sites are to be set by [`Line::freed_at`] afterwards, before
    /// the line is unlocked.
    pub fn free(
        &mut self,
        cell: usize,
        by: Entry,
        judge: &mut impl Judge,
        scratch: &mut Vec<Entry>,
        conflicts: &mut Vec<Conflict>,
    ) -> Outcome {
        let old = self.load(cell);
        if old != ShadowCell::EMPTY {
            if let Applied::Undecided(tag) = self.check(cell, old, by, judge, scratch, conflicts) {
                return Outcome::Undecided(tag);
            }
            self.release_side(old);
        }
        self.store(cell, ShadowCell::freed(by.tag.epoch()));
        Outcome::Done
    }

    /// The cells `from..to` have been freed at `site`.
    pub fn freed_at(&mut self, from: usize, to: usize, site: Site) {
        if (from, to) == (0, 8) {
            if self.value & SITES != 0 {
                self.slab.release(self.value & SITE_MASK, self.near());
            }
            self.value = site;
            return;
        }
        for cell in from..to {
            self.set_sites(cell, Some(site), None);
        }
    }

    /// Forgets the sites when no cell needs them any more.
    pub fn drop_unused_sites(&mut self) {
        if self.value != 0 && (0..8).all(|cell| self.load(cell) == ShadowCell::EMPTY) {
            if self.value & SITES != 0 {
                self.slab.release(self.value & SITE_MASK, self.near());
            }
            self.value = 0;
        }
    }

    /// Every remembered access of `cell`, for reports and tests.
    pub fn entries(&self, cell: usize, entries: &mut Vec<Entry>) {
        self.decode(cell, self.load(cell), entries);
    }

    /// Appends the accesses that `old` remembers. Whether it says that the word was freed; the free is then a write.
    fn decode(&self, cell: usize, old: ShadowCell, entries: &mut Vec<Entry>) -> bool {
        match old.form() {
            Form::Tags { write, read } => self.decode_tags(cell, write, read, entries),
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

    fn site(&self, cell: usize, write: bool) -> Site {
        if self.value & SITES != 0 {
            self.slab.unit(self.value & SITE_MASK).0[2 * cell + !write as usize]
                .load(Ordering::Relaxed)
        } else {
            self.value
        }
    }

    /// Stores the sites of a cell's write and read, where there is one.
    fn set_sites(&mut self, cell: usize, write: Option<Site>, read: Option<Site>) {
        let wanted = [write, read];
        if self.value & SITES == 0 {
            if wanted.iter().flatten().all(|&site| site == self.value) {
                return;
            }
            if self.value == 0 && (write.is_none() || read.is_none() || write == read) {
                self.value = write.or(read).unwrap_or(0);
                return;
            }
            let index = self.slab.allocate(self.near());
            for word in &self.slab.unit(index).0 {
                word.store(self.value, Ordering::Relaxed);
            }
            self.value = SITES | index;
        }
        let unit = self.slab.unit(self.value & SITE_MASK);
        for (half, site) in wanted.into_iter().enumerate() {
            if let Some(site) = site {
                unit.0[2 * cell + half].store(site, Ordering::Relaxed);
            }
        }
    }

    fn decode_tags(&self, cell: usize, write: Tag, read: Tag, entries: &mut Vec<Entry>) {
        if write != Tag::NONE {
            entries.push(Entry {
                tag: write,
                write: true,
                site: self.site(cell, true),
            });
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
        if mask != 0 {
            entries.push(Entry {
                tag: read.with_mask(mask),
                write: false,
                site: self.site(cell, false),
            });
        }
    }

    // A side record is a chain of units: word 0 is the number of entries in this unit (bits 0-7), word 1 the next unit or 0,
    // then up to seven entries of a tag and a site whose bit 31 says write.

    fn decode_side(&self, index: u32, entries: &mut Vec<Entry>) {
        let mut next = index;
        while next != 0 {
            let unit = &self.slab.unit(next).0;
            for i in 0..unit[0].load(Ordering::Relaxed) as usize {
                let (tag, site) = (
                    unit[2 + 2 * i].load(Ordering::Relaxed),
                    unit[3 + 2 * i].load(Ordering::Relaxed),
                );
                entries.push(Entry {
                    tag: Tag(tag),
                    write: site & LOCK != 0,
                    site: site & SITE_MASK,
                });
            }
            next = unit[1].load(Ordering::Relaxed);
        }
    }

    fn release_side(&self, cell: ShadowCell) {
        if let Form::Side(index) = cell.form() {
            let mut next = index;
            while next != 0 {
                let this = next;
                next = self.slab.unit(this).0[1].load(Ordering::Relaxed);
                self.slab.release(this, self.near());
            }
        }
    }

    /// Replaces the contents of a cell by `entries`.
    /// `merged` says that no entry was added: bytes joined one that was there.
    fn encode(&mut self, cell: usize, old: ShadowCell, entries: &[Entry], merged: bool) {
        let writes = entries.iter().filter(|entry| entry.write).count();
        if writes <= 1 && entries.len() - writes <= 1 {
            let write = entries.iter().find(|entry| entry.write);
            let read = entries.iter().find(|entry| !entry.write);
            let write_tag = write.map_or(Tag::NONE, |entry| entry.tag);
            let read_tag = match read {
                None => write_tag,
                Some(read) if write_tag.epoch_bits() == read.tag.epoch_bits() => {
                    read.tag.with_mask(read.tag.mask() | write_tag.mask())
                }
                Some(read) => read.tag,
            };
            // A write and a read of one word by one thread in one epoch, the read of bytes that the write also has:
            // such a read is never recorded (`apply`), so the masks are disjoint and nothing is lost here.
            self.set_sites(
                cell,
                write.map(|entry| entry.site),
                read.map(|entry| entry.site),
            );
            self.store(cell, ShadowCell::tags(write_tag, read_tag));
            self.release_side(old);
            return;
        }
        if writes <= 1 && self.encode_set(cell, old, entries, merged) {
            return;
        }
        let first = match old.form() {
            Form::Side(index) => index,
            _ => self.new_unit(),
        };
        let mut unit = first;
        for (i, part) in entries.chunks(7).enumerate() {
            if i > 0 {
                let next = self.slab.unit(unit).0[1].load(Ordering::Relaxed);
                let next = if next != 0 { next } else { self.new_unit() };
                self.slab.unit(unit).0[1].store(next, Ordering::Relaxed);
                unit = next;
            }
            let words = &self.slab.unit(unit).0;
            words[0].store(part.len() as u32, Ordering::Relaxed);
            for (j, entry) in part.iter().enumerate() {
                words[2 + 2 * j].store(entry.tag.0, Ordering::Relaxed);
                words[3 + 2 * j].store(
                    entry.site | if entry.write { LOCK } else { 0 },
                    Ordering::Relaxed,
                );
            }
        }
        let rest = self.slab.unit(unit).0[1].swap(0, Ordering::Relaxed);
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
        merged: bool,
    ) -> bool {
        let write = entries.iter().find(|entry| entry.write);
        let reads = || entries.iter().filter(|entry| !entry.write);
        let Some(mask) = reads().next().map(|read| read.tag.mask()) else {
            return false;
        };
        if reads().any(|read| read.tag.mask() != mask || read.tag.is_atomic()) {
            return false;
        }
        let joins = match old.form() {
            Form::Tags { read, .. } => {
                let before = self.epochs.readers(read.epoch()).map_or(1, <[Reader]>::len);
                reads().count() > before
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
        let Some(site) = self.sites.join_readers(&sites) else {
            return false;
        };
        let mut readers: Vec<Reader> = reads().map(|read| read.tag.epoch().0).collect();
        readers.sort_unstable();
        let Some(set) = self.epochs.read_sets.intern(self.epochs, &readers) else {
            return false;
        };
        let read_tag = Tag::new(set, false, mask);
        self.set_sites(cell, write.map(|entry| entry.site), Some(site));
        self.store(
            cell,
            ShadowCell::tags(write.map_or(Tag::NONE, |entry| entry.tag), read_tag),
        );
        self.release_side(old);
        self.read_set = Some(read_tag.with_mask(0xff));
        true
    }

    fn new_unit(&self) -> u32 {
        let index = self.slab.allocate(self.near());
        let words = &self.slab.unit(index).0;
        words[0].store(0, Ordering::Relaxed);
        words[1].store(0, Ordering::Relaxed);
        index
    }
}

/// The unit with the sites of a line whose word this is, if it has one.
pub(crate) fn sites_unit(word: &AtomicU32) -> Option<u32> {
    // Relaxed: see `Sweep::line`.
    let value = word.load(Ordering::Relaxed);
    (value & SITES != 0).then_some(value & SITE_MASK)
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
        let words = &slab.unit(next).0;
        for i in 0..words[0].load(Ordering::Relaxed) as usize {
            tag(Tag(words[2 + 2 * i].load(Ordering::Relaxed)));
        }
        next = words[1].load(Ordering::Relaxed);
    }
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        // Release: the next holder sees what this one did.
        self.word.store(self.value, Ordering::Release);
    }
}

enum Applied {
    /// The access was already covered.
    Nothing,
    Changed,
    /// Changed, by adding bytes to an entry of the same epoch and nothing else.
    Merged,
    Undecided(Tag),
}

/// The transition on a list of entries: check, forget what is subsumed, record.
fn apply(
    entries: &mut Vec<Entry>,
    new: Entry,
    cell: usize,
    judge: &mut impl Judge,
    conflicts: &mut Vec<Conflict>,
) -> Applied {
    let mask = new.tag.mask();
    let kind = new.access();
    if entries.iter().any(|old| {
        old.tag.epoch() == new.tag.epoch()
            && old.tag.mask() & mask == mask
            && subsumes(old.access(), kind)
    }) {
        return Applied::Nothing;
    }
    let first_conflict = conflicts.len();
    for old in entries.iter_mut() {
        let shared = old.tag.mask() & mask;
        if shared == 0 {
            continue;
        }
        let old_kind = old.access();
        let checks = kind.conflicts(old_kind);
        let forgets = subsumes(kind, old_kind);
        if !checks && !forgets {
            continue;
        }
        match judge.relation(old.tag) {
            Relation::Before => {}
            Relation::Unordered if checks => conflicts.push(Conflict {
                earlier: Entry {
                    tag: old.tag.with_mask(shared),
                    ..*old
                },
                cell: cell as u8,
                freed: false,
                ordered: false,
            }),
            Relation::Unknown if checks => {
                let undecided = old.tag;
                conflicts.truncate(first_conflict);
                return Applied::Undecided(undecided);
            }
            // No conflict, and not known to be ordered: both are kept.
            _ => continue,
        }
        if forgets {
            old.tag = old.tag.with_mask(old.tag.mask() & !mask);
        }
    }
    entries.retain(|old| old.tag.mask() != 0);
    match entries
        .iter_mut()
        .find(|old| old.write == new.write && old.tag.epoch_bits() == new.tag.epoch_bits())
    {
        Some(same) => {
            same.site = judge.combine(same.site, same.tag.mask(), new.site, mask);
            same.tag = same.tag.with_mask(same.tag.mask() | mask);
            Applied::Merged
        }
        None => {
            entries.push(new);
            Applied::Changed
        }
    }
}
