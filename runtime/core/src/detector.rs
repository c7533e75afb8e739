//! Engine and shadow together: an access of any bytes, checked and recorded to the byte.

use crate::event::{Access, Incarnation};
use crate::goldilocks::{Engine, Thread};
use crate::joins::FirstJoins;
use crate::kept::Returns;
use crate::line::{Conflict, Entry, Judge, Line, LineMemos, Outcome, Relation, Site};
use crate::line_sites::CombineMemo;
use crate::quick::Memos;
use crate::quick_line::{self, Last, RangeAccess};
use crate::renew::Word;
use crate::slab::Slab;
use crate::strided::Rows;
use crate::tag::{Form, ShadowCell, Tag};
use std::sync::atomic::Ordering;

mod short;
pub use short::{Found, IsThere};

/// Where cells and line words are.
pub trait Shadow {
    /// The parts of the 64-byte line that holds `addr`.
    fn line(&self, addr: u64) -> Parts<'_>;
    /// The part of the 8-byte word that holds `addr`.
    #[inline(always)]
    fn word(&self, addr: u64) -> Word<'_> {
        // SAFETY: three bits.
        unsafe { self.line(addr).of_word((addr >> 3 & 7) as usize) }
    }
}

pub use crate::line::{Parts, Sites};

/// The access that happens now ran into an earlier one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// First byte that both accessed.
    pub addr: u64,
    pub earlier: Entry,
    /// The earlier one is the free of the block; `ordered` then tells a plain use after free from a race.
    pub freed: bool,
    pub ordered: bool,
}

/// The epoch ids have run out: free some ([`crate::epoch::EpochTable::recycle`]) and try again.
#[derive(Debug, PartialEq, Eq)]
pub struct OutOfEpochs;

/// Buffers that live as long as a thread, so that an access allocates nothing.
#[derive(Default)]
pub struct Buffers {
    entries: Vec<Entry>,
    conflicts: Vec<Conflict>,
    memos: Memos,
    /// The read set that the last access of this thread found or put itself in, with the bytes that it has read, or a full mask; `Tag::NONE` if none.
    read_set: Tag,
}

impl Buffers {
    /// Offset of what a thread knows of numbers by heart ([`crate::number_memo::NumberMemo`]), for code that is not compiled
    /// with this.
    pub const NUMBERS: usize =
        std::mem::offset_of!(Buffers, memos) + std::mem::offset_of!(Memos, numbers);

    /// Those of a thread that gives so many words records before it makes a set of their readers, instead of [`crate::joins::FEW_WORDS`], and keeps
    /// what it does to an atomic when it has come back so often, instead of [`crate::kept::RETURNS`]: for tests.
    pub fn with_sets_after(words: u8, returns: u8) -> Buffers {
        let mut buffers = Buffers::default();
        buffers.memos.first_joins = FirstJoins::of(words);
        buffers.memos.returns = Returns::of(returns);
        buffers
    }

    /// Accesses in side records that took a place that was remembered, so far.
    pub fn came_back(&self) -> u64 {
        self.memos.places.hits.get()
    }

    /// See [`Buffers::read_set`]; of the short ways, which give it to their callers. `Tag::NONE` is none.
    pub fn put_read_set(&mut self, set: Tag) {
        if set != Tag::NONE {
            self.read_set = set;
        }
    }

    /// See [`Buffers::read_set`]; taken.
    pub fn take_read_set(&mut self) -> Option<Tag> {
        let tag = std::mem::take(&mut self.read_set);
        (tag != Tag::NONE).then_some(tag)
    }
}

/// The detector over some shadow.
pub struct Detector<'a, S, T> {
    pub engine: &'a Engine,
    pub slab: &'a Slab,
    pub shadow: &'a S,
    pub sites: &'a T,
}

struct ThreadJudge<'a, T> {
    engine: &'a Engine,
    thread: &'a mut Thread,
    sites: &'a T,
    combined: &'a mut CombineMemo,
}

impl<T: Sites> Judge for ThreadJudge<'_, T> {
    fn relation(&mut self, tag: Tag) -> Relation {
        self.engine.relation(self.thread, tag)
    }
    #[inline]
    fn before(&mut self, tag: Tag) -> bool {
        self.engine.before(self.thread, tag)
    }
    #[inline]
    fn is_own(&mut self, tag: Tag) -> bool {
        self.engine.is_own(self.thread, tag)
    }
    #[inline]
    fn is_settled(&mut self, tag: Tag) -> bool {
        self.engine.epochs.is_settled(tag)
    }
    fn incarnation(&self) -> Incarnation {
        self.thread.incarnation()
    }
    fn combine(&mut self, old: Site, old_mask: u8, new: Site, new_mask: u8) -> Site {
        if old == new || old_mask & !new_mask == 0 {
            return new;
        }
        self.combined
            .get((old, old_mask), (new, new_mask), self.sites)
    }
}

/// What a range operation does to the words that it covers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deed {
    Access(Access),
    /// A write, after which the words are marked as freed.
    Free,
}

impl Deed {
    fn access(self) -> Access {
        match self {
            Deed::Access(access) => access,
            Deed::Free => Access::Write,
        }
    }
}

impl<S: Shadow, T: Sites> Detector<'_, S, T> {
    /// Checks and records an access of `bytes` bytes at `addr`. Races are given to `found`, outside of any lock, after the
    /// line in which they were found has been recorded.
    pub fn access(
        &self,
        thread: &mut Thread,
        buffers: &mut Buffers,
        (addr, bytes): (u64, u64),
        access: Access,
        site: Site,
        found: impl FnMut(&mut Thread, Race),
    ) -> Result<(), OutOfEpochs> {
        self.each_line(
            thread,
            buffers,
            (addr, bytes),
            Deed::Access(access),
            site,
            found,
        )
    }

    /// As [`Detector::access`], to each row, which is plain.
    pub fn access_rows(
        &self,
        thread: &mut Thread,
        buffers: &mut Buffers,
        rows: &Rows,
        write: bool,
        site: Site,
        mut found: impl FnMut(&mut Thread, Race),
    ) -> Result<(), OutOfEpochs> {
        let deed = Deed::Access(if write { Access::Write } else { Access::Read });
        let words = rows.count.saturating_mul(rows.bytes.div_ceil(8));
        let (range, is_simple) = self.begin(thread, buffers, words, (deed, site))?;
        let (mut rows, mut last) = (*rows, Last::default());
        while rows.count != 0 {
            if is_simple && rows.begin_in(rows.start >> 6) {
                self.engine.settle_if_due(thread);
                if self.rows_shortly(thread, buffers, &mut rows, (&range, &mut last)) {
                    continue;
                }
            }
            let ends = (rows.start, rows.start + rows.bytes);
            let how = ((deed, range), is_simple, &mut last);
            self.pieces(thread, buffers, ends, how, &mut found);
            rows.leave_first();
        }
        thread.recheck = false;
        Ok(())
    }

    /// The end of a block: a write to every byte, after which any access is one too many. Words that the block does not
    /// fill are only written.
    pub fn free(
        &self,
        thread: &mut Thread,
        buffers: &mut Buffers,
        (addr, bytes): (u64, u64),
        site: Site,
        found: impl FnMut(&mut Thread, Race),
    ) -> Result<(), OutOfEpochs> {
        let end = addr + bytes;
        let from = self.free_shortly(thread, buffers, (addr, end), site);
        if from == end {
            return Ok(());
        }
        self.each_line(thread, buffers, (from, end - from), Deed::Free, site, found)
    }

    /// The sites of the accesses that are remembered at the word of `addr`: for reports.
    pub fn sites_at(&self, addr: u64) -> Vec<Site> {
        let mut buffers = Buffers::default();
        let memos = buffers.memos.at_line();
        let parts = self.shadow.line(addr);
        let line = Line::lock(parts, self.slab, &self.engine.epochs, self.sites, memos);
        line.entries((addr >> 3 & 7) as usize, &mut buffers.entries);
        drop(line);
        buffers.entries.iter().map(|entry| entry.site).collect()
    }

    /// Whether the word at `addr` was freed and not accessed or made fresh since.
    pub fn is_freed(&self, addr: u64) -> bool {
        let cells = self.shadow.line(addr).cells;
        // Relaxed: a snapshot, as good as any.
        let cell = ShadowCell(cells[(addr >> 3 & 7) as usize].load(Ordering::Relaxed));
        matches!(cell.form(), Form::Freed(_))
    }

    /// Memory that has no past: a new block, mapping or stack.
    pub fn fresh(&self, buffers: &mut Buffers, (addr, bytes): (u64, u64)) {
        let end = addr + bytes;
        let mut at = addr;
        while at < end {
            let stop = end.min((at | 63) + 1);
            let parts = self.shadow.line(at);
            let whole = (at | stop) & 7 == 0;
            if !whole || !parts.fresh_words(whole_words(at, stop)) {
                let entries = &mut buffers.entries;
                let mut line = self.lock(parts, buffers.memos.at_line());
                if whole {
                    let (first, last) = whole_words(at, stop);
                    line.fresh_words(first, last);
                } else {
                    for (cell, mask) in words(at, stop) {
                        line.fresh(cell, mask, entries);
                    }
                    line.drop_unused_sites();
                }
            }
            at = stop;
        }
    }

    fn lock<'b>(&'b self, parts: Parts<'b>, memos: LineMemos<'b>) -> Line<'b> {
        Line::lock(parts, self.slab, &self.engine.epochs, self.sites, memos)
    }

    fn each_line(
        &self,
        thread: &mut Thread,
        buffers: &mut Buffers,
        (addr, bytes): (u64, u64),
        deed: Deed,
        site: Site,
        mut found: impl FnMut(&mut Thread, Race),
    ) -> Result<(), OutOfEpochs> {
        let (range, is_simple) = self.begin(thread, buffers, bytes >> 3, (deed, site))?;
        let how = ((deed, range), is_simple, &mut Last::default());
        self.pieces(thread, buffers, (addr, addr + bytes), how, &mut found);
        thread.recheck = false;
        Ok(())
    }

    /// What is to be done to each of so many words, and whether that may go the short way.
    fn begin(
        &self,
        thread: &mut Thread,
        buffers: &Buffers,
        words: u64,
        (deed, site): (Deed, Site),
    ) -> Result<(RangeAccess, bool), OutOfEpochs> {
        let Some(epoch) = self.engine.epoch_for_access(thread) else {
            return Err(OutOfEpochs);
        };
        self.engine.settle(thread);
        thread.records.balance(self.slab);
        if thread.would_keep.replace(false) {
            self.engine.epochs.kept.prepare(thread.slot);
        }
        let access = deed.access();
        let range = RangeAccess {
            tag: Tag::new(epoch, false, 0xff),
            write: access.is_write(),
            site,
            frees: deed == Deed::Free,
            many: thread.gathers.replace(false) || words > buffers.memos.first_joins.words(),
        };
        let is_simple = self.engine.knows_by_looking() && !access.is_atomic() && !thread.recheck;
        Ok((range, is_simple))
    }

    /// Does that to `from..to`, line by line.
    #[inline]
    fn pieces(
        &self,
        thread: &mut Thread,
        buffers: &mut Buffers,
        (from, end): (u64, u64),
        ((deed, range), is_simple, last): ((Deed, RangeAccess), bool, &mut Last),
        found: &mut impl FnMut(&mut Thread, Race),
    ) {
        let mut at = from;
        while at < end {
            let stop = end.min((at | 63) + 1);
            if is_simple {
                // Until then, every word with a record would take the long way.
                self.engine.settle_if_due(thread);
                at = self.line_shortly(thread, buffers, (at, stop), (&range, last));
            }
            if at < stop {
                // What comes after a word that is not simple may be so.
                let stop = if is_simple && !range.frees {
                    stop.min((at | 7) + 1)
                } else {
                    stop
                };
                self.line(thread, buffers, (at, stop), (deed, range), found);
                at = stop;
            }
        }
    }

    /// Makes the part `from..to` of an access, in one line, as far as it is simple: up to which address.
    fn line_shortly(
        &self,
        thread: &mut Thread,
        buffers: &mut Buffers,
        (from, to): (u64, u64),
        range: (&RangeAccess, &mut Last),
    ) -> u64 {
        let mut known = self.known(thread, buffers);
        known.of_many = range.0.many;
        let gone = quick_line::in_line(self.shadow.line(from), &mut known, (from, to), range);
        if let Some(set) = gone.read_set {
            buffers.read_set = set;
        }
        thread.counts.quick += gone.words;
        thread.records.balance(self.slab);
        gone.until
    }

    /// As [`Detector::line_shortly`], of the first ones of some rows, which are left out then: whether any is made.
    fn rows_shortly(
        &self,
        thread: &mut Thread,
        buffers: &mut Buffers,
        rows: &mut Rows,
        range: (&RangeAccess, &mut Last),
    ) -> bool {
        let mut known = self.known(thread, buffers);
        known.of_many = range.0.many;
        let before = rows.count;
        let parts = self.shadow.line(rows.start);
        let gone = quick_line::rows_in_line(parts, &mut known, rows, range);
        if let Some(set) = gone.read_set {
            buffers.read_set = set;
        }
        thread.counts.quick += gone.words;
        thread.records.balance(self.slab);
        rows.count != before
    }

    fn line(
        &self,
        thread: &mut Thread,
        buffers: &mut Buffers,
        (from, to): (u64, u64),
        (deed, range): (Deed, RangeAccess),
        found: &mut impl FnMut(&mut Thread, Race),
    ) {
        let parts = self.shadow.line(from);
        let access = deed.access();
        // Where the locked part starts again after an access had to be evaluated.
        let mut resume = from;
        'again: loop {
            let accesses = thread.counts.quick_accesses();
            let (undecided, joined_in_parts) = {
                let (entries, conflicts) = (&mut buffers.entries, &mut buffers.conflicts);
                let (memos, combined) = buffers.memos.split();
                let mut line = self.lock(parts, memos);
                if thread.recheck {
                    line.recheck();
                }
                line.of_many = range.many;
                line.parts_are_worth_it = thread.in_parts.are_worth_it(accesses);
                let mut judge = ThreadJudge {
                    engine: self.engine,
                    thread,
                    sites: self.sites,
                    combined,
                };
                let mut undecided = None;
                let mut freed: Option<(usize, usize)> = None;
                let mut at = resume;
                for (cell, mask) in words(resume, to) {
                    let new = Entry {
                        tag: Tag::new(range.tag.epoch(), access.is_atomic(), mask),
                        write: access.is_write(),
                        site: range.site,
                    };
                    let outcome = if deed == Deed::Free && mask == 0xff {
                        line.free(cell, new, &mut judge, entries, conflicts)
                    } else {
                        line.access(cell, new, &mut judge, entries, conflicts)
                    };
                    if let Outcome::Undecided(tag) = outcome {
                        resume = at;
                        undecided = Some(tag);
                        break;
                    }
                    if deed == Deed::Free && mask == 0xff {
                        freed = Some((freed.map_or(cell, |(first, _)| first), cell + 1));
                    } else if let Some(tag) = line.read_set() {
                        buffers.read_set = tag;
                    }
                    at = (at | 7) + 1;
                }
                if let Some((first, last)) = freed {
                    line.freed_at(first, last, range.site);
                }
                (undecided, line.joined_in_parts)
            };
            thread.in_parts.joined(joined_in_parts, accesses);
            if let Some(tag) = undecided {
                self.engine.evaluate(thread, tag);
                continue 'again;
            }
            break;
        }
        if !buffers.conflicts.is_empty() {
            for conflict in std::mem::take(&mut buffers.conflicts) {
                let base = (from & !63) + 8 * conflict.cell as u64;
                let addr = base + conflict.earlier.tag.mask().trailing_zeros() as u64;
                found(
                    thread,
                    Race {
                        addr,
                        earlier: conflict.earlier,
                        freed: conflict.freed,
                        ordered: conflict.ordered,
                    },
                );
            }
        }
    }
}

/// Indices of the words of `from..to`, which is part of a line and begins and ends with a word.
fn whole_words(from: u64, to: u64) -> (usize, usize) {
    let first = (from >> 3 & 7) as usize;
    (first, first + ((to - from) >> 3) as usize)
}

/// The words of a line that `from..to` (within one line) touches, each with the mask of its bytes.
fn words(from: u64, to: u64) -> impl Iterator<Item = (usize, u8)> {
    let mut at = from;
    std::iter::from_fn(move || {
        if at >= to {
            return None;
        }
        let stop = to.min((at | 7) + 1);
        let mask = (0xffu16 << (at & 7)) as u8 & (0xff >> (7 - ((stop - 1) & 7)));
        let cell = (at >> 3 & 7) as usize;
        at = stop;
        Some((cell, mask))
    })
}
