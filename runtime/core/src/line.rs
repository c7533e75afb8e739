//! A line: 64 bytes of application memory, its eight shadow cells and its word. What an access does to them.
//!
//! Rules 1 of the report's Figure 1, extended to reads, atomics and bytes (`docs/model.md`): an access is checked against every
//! earlier one of the same bytes that it conflicts with; it then replaces those that no later access could race with
//! without racing with this one as well. Nothing else is ever dropped. The line's lock serializes its users, so that two
//! threads inside the detector cannot lose each other's access; compiled code reads cells without it.
//!
//! The word: bit 31 lock; the rest says where the accesses were made from ([`crate::line_sites`]).

use crate::crowds::CrowdMemo;
use crate::epoch::EpochTable;
use crate::event::{Access, Incarnation, Slot};
use crate::joins::{FirstJoins, Join, JoinMemo, Joined, SetMemo, bytes_of};
use crate::line_sites::{PairMemo, changed};
use crate::primitive::shadow::{AtomicU32, AtomicU64};
use crate::primitive::{Ordering, after_exchange, wait_a_little};
use crate::records::Ways;
use crate::renew::Word;
use crate::side_record::PlaceMemo;
use crate::slab::Slab;
use crate::tag::{Form, ShadowCell, Tag};
use crate::transition::{self, Applied, Order, apply};

/// An interned stack with the locks held, 1..2^28; 0 is unknown. What it stands for is the runtime's affair.
pub type Site = u32;

pub const LOCK: u32 = 1 << 31;
pub(crate) const SITE_MASK: u32 = (1 << 28) - 1;

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
    /// Whether the accesses with this tag are known to happen before this one; of a read set, those of all readers.
    fn before(&mut self, tag: Tag) -> bool;
    /// Whether the accesses with this tag are the thread's own; no for a read set, or if it is not to be known.
    fn is_own(&mut self, tag: Tag) -> bool;
    /// Whether nothing can race any more with the accesses of a tag, as far as that is known; no for a read set.
    fn is_settled(&mut self, tag: Tag) -> bool;
    /// Which thread it is, of all of the run.
    fn incarnation(&self) -> Incarnation;
    /// A site that stands for `old` at bytes `old_mask` and for `new` at bytes `new_mask` (which win where both are set).
    fn combine(&mut self, old: Site, old_mask: u8, new: Site, new_mask: u8) -> Site;
}

/// How several sites are made one, where a cell has room for one.
pub trait Sites {
    /// See [`Judge::combine`].
    fn combine(&self, old: Site, old_mask: u8, new: Site, new_mask: u8) -> Site;
    /// Whether so many have names by now ([`Sites::combine`], [`Sites::pair`]) that words get records instead; it stays so.
    fn are_many(&self) -> bool {
        false
    }
    /// A name, below 2^29, for two sites.
    fn pair(&self, write: Site, read: Site) -> u32;
    /// The sites that [`Sites::pair`] has named.
    fn split(&self, pair: u32) -> (Site, Site);
    /// A site that stands for each reader's own one; `None` if there can be none.
    fn join_readers(&self, readers: &[(Slot, Site)]) -> Option<Site> {
        let (_, first) = readers[0];
        readers
            .iter()
            .all(|&(_, site)| site == first)
            .then_some(first)
    }
    /// The number that was noted under this key, if it is remembered. For the short way: nothing may be called, and no vector
    /// register used.
    fn recall(&self, _key: u64) -> Option<u32> {
        None
    }
    /// Notes a number under a key, which is a hash of all that it follows from.
    fn note(&self, _key: u64, _number: u32) {}
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

/// Where the parts of a line are.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    pub cells: &'a [AtomicU64; 8],
    pub word: &'a AtomicU32,
    /// The sites of each word, where the line's word does not say it for all.
    pub sites: &'a [AtomicU32; 8],
}

/// How often the short ways look where somebody else is at the line: whoever that is, is there for some dozens of instructions.
pub(crate) const LOOKS: u32 = if cfg!(loom) { 1 } else { 24 };

impl<'a> Parts<'a> {
    /// Locks the line, if that takes no longer than a moment. The word that it had.
    #[inline(always)]
    pub(crate) fn lock_soon(self) -> Option<u32> {
        for looks in 0..LOOKS {
            if looks > 0 {
                std::hint::spin_loop();
            }
            // Relaxed: a guess; the exchange decides.
            let value = self.word.load(Ordering::Relaxed);
            if value & LOCK == 0 && self.lock_unchanged(value) {
                return Some(value);
            }
        }
        None
    }

    /// Locks the line. The holder never blocks, so waiting is short unless it is descheduled. The word that it had.
    pub(crate) fn lock(self) -> u32 {
        let mut looks = 0;
        loop {
            // Relaxed: as above.
            let value = self.word.load(Ordering::Relaxed);
            if value & LOCK == 0 && self.lock_unchanged(value) {
                return value;
            }
            looks += 1;
            wait_a_little(looks);
        }
    }

    /// Locks the line if its word is still `value`, which says no lock. Whether it was.
    #[inline(always)]
    pub(crate) fn lock_unchanged(self, value: u32) -> bool {
        // Acquire: sees all that the previous holder did to cells and units.
        let locked = self
            .word
            .compare_exchange(value, value | LOCK, Ordering::Acquire, Ordering::Relaxed)
            .is_ok();
        if locked {
            after_exchange();
        }
        locked
    }

    /// The part of the word with this number.
    ///
    /// # Safety
    /// The number is below 8.
    #[inline(always)]
    pub(crate) unsafe fn of_word(self, cell: usize) -> Word<'a> {
        // SAFETY: the caller's contract.
        let (number, cell) = unsafe {
            (
                self.sites.get_unchecked(cell),
                self.cells.get_unchecked(cell),
            )
        };
        Word {
            cell,
            line: self.word,
            number,
        }
    }
}

/// What the thread knows by heart that is at the line.
pub struct LineMemos<'a> {
    pub pairs: &'a PairMemo,
    pub joins: &'a mut JoinMemo,
    pub first_joins: &'a FirstJoins,
    pub sets: &'a SetMemo,
    pub places: &'a mut PlaceMemo,
    pub(crate) crowds: &'a CrowdMemo,
}

/// A line under its lock; unlocked when dropped.
pub struct Line<'a> {
    pub(crate) parts: Parts<'a>,
    /// The word as it will be stored at unlock, without the lock bit.
    pub(crate) value: u32,
    pub(crate) slab: &'a Slab,
    pub(crate) epochs: &'a EpochTable,
    pub(crate) sites: &'a dyn Sites,
    pub(crate) memos: LineMemos<'a>,
    /// The read set that the last access is in now.
    pub(crate) read_set: Option<Tag>,
    pub(crate) rechecks: bool,
    /// As [`crate::quick_line::RangeAccess::many`].
    pub(crate) of_many: bool,
    /// See [`crate::read_sets::InParts`], and how many there were.
    pub(crate) parts_are_worth_it: bool,
    pub(crate) joined_in_parts: u32,
}

impl<'a> Line<'a> {
    /// Locks the line.
    pub fn lock(
        parts: Parts<'a>,
        slab: &'a Slab,
        epochs: &'a EpochTable,
        sites: &'a dyn Sites,
        memos: LineMemos<'a>,
    ) -> Line<'a> {
        Line {
            parts,
            value: parts.lock(),
            slab,
            epochs,
            sites,
            memos,
            read_set: None,
            rechecks: false,
            of_many: false,
            parts_are_worth_it: true,
            joined_in_parts: 0,
        }
    }

    /// From now on accesses are checked even if they are found to be made already.
    pub fn recheck(&mut self) {
        self.rechecks = true;
    }

    /// Tells lines apart, for the slab: neighbours, which one thread tends to use, share a list. Hashed, because heaps of
    /// different threads lie a power of two apart.
    pub(crate) fn near(&self) -> usize {
        let page = self.parts.word as *const AtomicU32 as u64 >> 8;
        (page.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
    }

    pub(crate) fn load(&self, cell: usize) -> ShadowCell {
        // Relaxed: under the lock; compiled code only compares single tags.
        ShadowCell(self.parts.cells[cell].load(Ordering::Relaxed))
    }

    pub(crate) fn store(&self, cell: usize, value: ShadowCell) {
        self.parts.cells[cell].store(value.0, Ordering::Relaxed);
    }

    /// Checks and records an atomic access to bytes of a word that has the record with this number, in the common cases; false (and nothing
    /// was done) for others.
    pub(crate) fn make_in_record(
        &mut self,
        cell: usize,
        number: u32,
        new: Entry,
        judge: &mut impl Judge,
    ) -> bool {
        self.take_back(cell, number);
        let record = self.slab.record(number);
        let ways = Ways {
            rechecks: self.rechecks,
            forgets: true,
            ..Ways::default()
        };
        let Ok(made) = record.make::<true>(new, ways, &mut Judged(judge)) else {
            return false;
        };
        if made.alone {
            self.place(cell, new.site, new.site);
        }
        self.store(cell, made.cell);
        true
    }

    /// Records a read of a word that joins others as one did lately ([`JoinMemo::join`]); false (and nothing was done) for others.
    fn joins_known(
        &mut self,
        cell: usize,
        old: ShadowCell,
        new: Entry,
        judge: &mut impl Judge,
    ) -> bool {
        if new.access() != Access::Read || self.record_number(cell).is_some() {
            return false;
        }
        let Some(joined) = self.join(old, self.site(cell, false), new, judge) else {
            return false;
        };
        self.place_read(cell, joined.site_of_set, joined.cell);
        self.store(cell, joined.cell);
        true
    }

    fn join(
        &mut self,
        old: ShadowCell,
        site: Site,
        new: Entry,
        judge: &mut impl Judge,
    ) -> Option<Joined> {
        let recycled = self.epochs.recycled();
        let found = self.memos.joins.join(
            (old, site),
            (new.tag, new.site),
            recycled,
            &mut Judged(judge),
        )?;
        self.read_set = found.set();
        Some(found)
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
        if !self.rechecks && !new.tag.is_atomic() {
            // SC0: of several words, one or the other.
            let (written, read) = self.load(cell).halves();
            let mask = new.tag.mask();
            if written.covers(new.tag, mask) || !new.write && read.covers(new.tag, mask) {
                self.read_set = None;
                return Outcome::Done;
            }
        }
        if !self.rechecks && new.tag.is_atomic() && self.quick_atomic(cell, new, judge, scratch) {
            return Outcome::Done;
        }
        let old = self.load(cell);
        self.read_set = None;
        if let Form::Side(first) = old.form()
            && new.access() == Access::Read
            && !self.rechecks
            && self.quick_side((cell, first), new, judge)
        {
            return Outcome::Done;
        }
        if self.joins_known(cell, old, new, judge) {
            return Outcome::Done;
        }
        if !self.rechecks
            && let Some(set) = self.joined_set(old, new)
        {
            self.read_set = Some(set);
            if self.record_number(cell).is_some() {
                return Outcome::Done;
            }
            let site = self.site(cell, false);
            let (_, read) = old.halves();
            self.memos.joins.note(Join {
                readers: read.epoch_bits(),
                site_of_readers: site,
                epoch: new.tag.epoch(),
                site: new.site,
                bytes: bytes_of(read, new.tag),
                set: read,
                own: set.mask(),
                site_of_set: site,
                recycled: self.epochs.recycled(),
            });
            return Outcome::Done;
        }
        match self.check(cell, old, new, judge, scratch, conflicts) {
            Applied::Undecided(tag) => return Outcome::Undecided(tag),
            Applied::Nothing => {}
            Applied::Merged => self.encode(cell, old, scratch, Some(new), true),
            Applied::Changed => self.encode(cell, old, scratch, Some(new), false),
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
        } else {
            scratch.retain(|old| !judge.is_settled(old.tag));
        }
        let has_entries = self.record_number(cell).is_some() || old.is_side();
        let parts = self.sites.are_many() || has_entries;
        let applied = apply(scratch, new, (cell, self.rechecks, parts), judge, conflicts);
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

    /// The read set of the last access, with the bytes that the thread has read, or a full mask: what it may compare read tags with while its epoch lasts.
    pub fn read_set(&self) -> Option<Tag> {
        self.read_set
    }

    /// The set in a cell's read tag, if the new access is a read that it holds already, with the bytes that its thread has read.
    fn joined_set(&self, old: ShadowCell, new: Entry) -> Option<Tag> {
        let Form::Tags { read, .. } = old.form() else {
            return None;
        };
        if new.access() != Access::Read || read.mask() & new.tag.mask() != new.tag.mask() {
            return None;
        }
        let own = self.epochs.read_by(read, new.tag.epoch());
        (own & new.tag.mask() == new.tag.mask()).then(|| read.with_mask(own))
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
        let recorded = self.record_number(cell).is_some();
        if recorded || transition::quick(old, by.tag, true, &mut Judged(judge)).is_none() {
            if let Applied::Undecided(tag) = self.check(cell, old, by, judge, scratch, conflicts) {
                return Outcome::Undecided(tag);
            }
            self.forget_rest(cell, old);
        }
        self.store(cell, ShadowCell::freed(by.tag.epoch()));
        Outcome::Done
    }

    /// Every remembered access of `cell`, for reports and tests.
    pub fn entries(&self, cell: usize, entries: &mut Vec<Entry>) {
        self.decode(cell, self.load(cell), entries);
    }
}

/// A judge, for [`transition::quick`].
pub(crate) struct Judged<'a, J>(pub(crate) &'a mut J);

impl<J: Judge> Order for Judged<'_, J> {
    #[inline]
    fn before(&mut self, tag: Tag) -> bool {
        self.0.before(tag)
    }
    #[inline]
    fn is_settled(&mut self, tag: Tag) -> bool {
        self.0.is_settled(tag)
    }
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        // Release: the next holder sees what this one did.
        self.parts
            .word
            .store(changed(self.value), Ordering::Release);
    }
}
