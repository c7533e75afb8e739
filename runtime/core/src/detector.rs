//! Engine and shadow together: an access of any bytes, checked and recorded to the byte.

use crate::epoch::EpochId;
use crate::event::{Access, Incarnation};
use crate::goldilocks::{Engine, Thread};
use crate::joins::FirstJoins;
use crate::kept::{Returns, at};
use crate::line::{Conflict, Entry, Judge, Line, LineMemos, Outcome, Relation, Site};
use crate::line_sites::CombineMemo;
use crate::quick::{self, Known, Memos, Short, WordAccess};
use crate::quick_atomic::{self, Made};
use crate::quick_free::Freeing;
use crate::quick_line::{self, Last, RangeAccess};
use crate::quick_record::{self, InRecord};
use crate::renew::{Renewed, Word, renew};
use crate::slab::Slab;
use crate::tag::{Form, ShadowCell, Tag};
use std::sync::atomic::Ordering;

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
    /// The read set that the last access of this thread found or put itself in, with a full mask; `Tag::NONE` if none.
    read_set: Tag,
}

impl Buffers {
    /// Offset of the pointer to what a thread knows of numbers by heart ([`crate::line_sites::NumberMemo`]), for code that is not compiled
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
        self.memos.places.hits
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

/// What the short way of a plain access finds beside whether it is made.
#[derive(Clone, Copy, Default)]
pub struct Found {
    /// A read set that the thread is in, as [`Buffers::take_read_set`] gives it; `Tag::NONE` if none.
    pub read_set: Tag,
    /// The access is made, and its word's cell does not say so, or not for long.
    pub aside: bool,
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

    /// What the short ways look at besides the line.
    #[inline(always)]
    fn known<'b>(&'b self, thread: &'b Thread, buffers: &'b Buffers) -> Known<'b, T> {
        Known {
            epochs: &self.engine.epochs,
            slab: self.slab,
            thread,
            memos: &buffers.memos,
            sites: self.sites,
            of_many: false,
        }
    }

    /// The short way of a plain access to bytes of one word, by a thread whose present epoch has the id `epoch`. What it finds beside that goes
    /// to `Found`.
    ///
    /// Relies on SC1 and SC2.
    #[inline(always)]
    pub fn access_quick(
        &self,
        thread: &mut Thread,
        memos: (&Buffers, &mut Found),
        (addr, bytes): (u64, u64),
        (epoch, write): (EpochId, bool),
        site: Site,
    ) -> bool {
        let offset = addr & 7;
        debug_assert!(bytes > 0 && offset + bytes <= 8);
        let mask = ((1u32 << bytes) - 1) << offset;
        let tag = Tag::new(epoch, false, mask as u8);
        self.word_quick(thread, memos, addr, (tag, write), site)
    }

    /// As [`Detector::access_quick`], of an access with this tag, which says the bytes, and whether it is a write.
    #[inline(always)]
    pub fn word_quick(
        &self,
        thread: &mut Thread,
        (buffers, found): (&Buffers, &mut Found),
        addr: u64,
        access: (Tag, bool),
        site: Site,
    ) -> bool {
        let access = WordAccess::at(addr, access, site);
        let known = self.known(thread, buffers);
        let parts = self.shadow.line(addr);
        let (short, unsure) = quick::record(parts, known, access);
        let counts = &mut thread.counts;
        let counter = match short {
            Short::Recorded => &mut counts.quick,
            Short::Beside => {
                found.aside = true;
                &mut counts.quick
            }
            Short::Kept => {
                found.aside = true;
                &mut counts.quick_kept
            }
            Short::Joined(set) => {
                found.read_set = set;
                &mut counts.quick
            }
            Short::Covered => {
                found.aside = true;
                &mut counts.quick_covered
            }
            Short::Locked => &mut counts.quick_locked,
            Short::State | Short::Merges => &mut counts.quick_state,
            Short::Numbers => &mut counts.quick_numbers,
        };
        *counter += 1;
        let made = !matches!(
            short,
            Short::Merges | Short::Locked | Short::State | Short::Numbers
        );
        // Nothing of what is there already may be left as it is.
        thread.recheck = unsure && !made || matches!(short, Short::Merges);
        made
    }

    /// The short way of a plain access, word by word. What was recorded before one that is not simple, or not there, is nothing new to
    /// [`Detector::access`].
    #[inline(always)]
    pub fn words_quick(
        &self,
        thread: &mut Thread,
        (buffers, found): (&Buffers, &mut Found),
        (addr, bytes): (u64, u64),
        (epoch, write): (EpochId, bool),
        site: Site,
        is_there: impl Fn(u64) -> bool,
    ) -> bool {
        let end = addr + bytes;
        let mut at = addr;
        loop {
            let stop = end.min((at | 7) + 1);
            if !is_there(at) {
                return false;
            }
            let (memos, bytes) = ((buffers, &mut *found), (at, stop - at));
            // SC0 has failed for one of several words: each of the others may have been accessed.
            let is_one = at == addr && stop == end;
            if !is_one && self.has_made(bytes, (epoch, false), write) {
                thread.counts.quick_covered += 1;
            } else if !self.access_quick(thread, memos, bytes, (epoch, write), site) {
                return false;
            }
            if stop == end {
                return true;
            }
            at = stop;
        }
    }

    /// The most common part of [`Detector::access_quick`], of an access with this tag and whether it is a write. `None` is for that to
    /// decide, false for [`Detector::access`].
    #[inline(always)]
    pub fn access_renewed(
        &self,
        thread: &mut Thread,
        buffers: &Buffers,
        addr: u64,
        access: (Tag, bool),
        site: Site,
    ) -> Option<bool> {
        let mut known = self.known(thread, buffers);
        let renewed = renew(self.shadow.word(addr), &mut known, access, site);
        if renewed == Renewed::No {
            return None;
        }
        let made = renewed == Renewed::Made;
        thread.counts.quick_renewed += made as u64;
        thread.recheck = !made;
        Some(made)
    }

    /// The most common part of [`Detector::word_quick`] for words with records: whether the access is made. If not, that has to decide.
    #[inline(always)]
    pub fn record_quick(
        &self,
        thread: &mut Thread,
        (buffers, found): (&Buffers, &mut Found),
        addr: u64,
        access: (Tag, bool),
        site: Site,
    ) -> bool {
        let (_, write) = access;
        let access = WordAccess::at(addr, access, site);
        let known = &mut self.known(thread, buffers);
        let parts = self.shadow.line(addr);
        let done = if write {
            quick_record::access::<true>(parts, known, access)
        } else {
            quick_record::access::<false>(parts, known, access)
        };
        match done {
            InRecord::Made { beside } => {
                found.aside = beside;
                thread.counts.quick += 1;
            }
            InRecord::Covered => {
                found.aside = true;
                thread.counts.quick_covered += 1;
            }
            InRecord::Open => return false,
        }
        thread.recheck = false;
        true
    }

    /// [`Detector::access_renewed`], and [`Detector::access_quick`] if that leaves it open: the short way as a whole, which the
    /// tests of the engine take (traces, real threads, loom). The runtime begins each where it knows the site.
    pub fn access_shortly(
        &self,
        thread: &mut Thread,
        buffers: &Buffers,
        (addr, bytes): (u64, u64),
        (epoch, write): (EpochId, bool),
        site: Site,
    ) -> bool {
        let mask = (((1u32 << bytes) - 1) << (addr & 7)) as u8;
        let access = (Tag::new(epoch, false, mask), write);
        let renewed = self.access_renewed(thread, buffers, addr, access, site);
        renewed.unwrap_or_else(|| {
            let found = &mut Found::default();
            let (bytes, how) = ((addr, bytes), (epoch, write));
            self.record_quick(thread, (buffers, found), addr, access, site)
                || self.access_quick(thread, (buffers, found), bytes, how, site)
        })
    }

    /// The short way of an atomic access to bytes of one word, by a thread whose present epoch has the id `epoch`. False if it is not
    /// one of the common cases; then nothing was done, and [`Detector::access`] has to do it.
    ///
    /// Relies on SC1 and SC2.
    #[inline]
    pub fn atomic_quick(
        &self,
        thread: &mut Thread,
        buffers: &Buffers,
        (addr, bytes): (u64, u64),
        (epoch, write): (EpochId, bool),
        site: Site,
    ) -> bool {
        debug_assert!(bytes > 0 && (addr & 7) + bytes <= 8);
        let mask = (((1u32 << bytes) - 1) << (addr & 7)) as u8;
        let access = WordAccess::at(addr, (Tag::new(epoch, true, mask), write), site);
        let known = self.known(thread, buffers);
        let made = quick_atomic::record(self.shadow.line(addr), known, access);
        thread.recheck = false;
        match made {
            Made::Yes => thread.counts.quick += 1,
            Made::Kept => thread.counts.quick_kept += 1,
            Made::Unsure => thread.recheck = true,
            Made::No => {}
        }
        matches!(made, Made::Yes | Made::Kept)
    }

    /// As [`Detector::has_made`], of an atomic access, which the thread may keep to itself as well.
    #[inline(always)]
    pub fn has_made_atomic(
        &self,
        thread: &Thread,
        (addr, bytes): (u64, u64),
        epoch: EpochId,
        write: bool,
    ) -> bool {
        let mask = (((1u32 << bytes) - 1) << (addr & 7)) as u8;
        let cell = at(self.shadow.word(addr).cell);
        let holds = |write| {
            let tag = Tag::new(epoch, true, mask);
            let access = Entry {
                tag,
                write,
                site: 0,
            };
            self.engine.epochs.kept.holds(thread.slot, cell, access)
        };
        holds(true) || !write && holds(false) || self.has_made((addr, bytes), (epoch, true), write)
    }

    /// SC0 of an access to bytes of one word: whether the thread whose present epoch is `epoch` has made the same one in it, or one
    /// that says more. No does not mean that it has not.
    #[inline(always)]
    pub fn has_made(
        &self,
        (addr, bytes): (u64, u64),
        (epoch, atomic): (EpochId, bool),
        write: bool,
    ) -> bool {
        let mask = (((1u32 << bytes) - 1) << (addr & 7)) as u8;
        let (tag, cell) = (Tag::new(epoch, atomic, mask), (addr >> 3 & 7) as usize);
        let parts = self.shadow.line(addr);
        // Relaxed: as compiled code does it.
        let (written, read) = ShadowCell(parts.cells[cell].load(Ordering::Relaxed)).halves();
        written.covers(tag, mask) || !write && read.covers(tag, mask)
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

    /// Ends the block `from..to` line by line, as far as that is simple: up to which address.
    fn free_shortly(
        &self,
        thread: &mut Thread,
        buffers: &Buffers,
        (from, to): (u64, u64),
        site: Site,
    ) -> u64 {
        if (from | to) & 7 != 0 || thread.recheck || !self.engine.knows_by_looking() {
            return from;
        }
        let Some(epoch) = self.engine.epoch_quick(thread) else {
            return from;
        };
        let mut freeing = Freeing::new(Tag::new(epoch, false, 0xff), site);
        let mut known = self.known(thread, buffers);
        let mut at = from;
        while at < to {
            let stop = to.min((at | 63) + 1);
            if !freeing.in_line(self.shadow.line(at), &mut known, (at, stop)) {
                break;
            }
            at = stop;
        }
        thread.counts.quick += (at - from) >> 3;
        at
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
        let Some(epoch) = self.engine.epoch_for_access(thread) else {
            return Err(OutOfEpochs);
        };
        self.engine.settle(thread);
        thread.records.balance(self.slab);
        if thread.would_keep.replace(false) {
            self.engine.epochs.kept.prepare(thread.slot);
        }
        let access = match deed {
            Deed::Access(access) => access,
            Deed::Free => Access::Write,
        };
        let is_simple = self.engine.knows_by_looking() && !access.is_atomic() && !thread.recheck;
        let range = RangeAccess {
            tag: Tag::new(epoch, false, 0xff),
            write: access.is_write(),
            site,
            frees: deed == Deed::Free,
            many: bytes >> 3 > buffers.memos.first_joins.words(),
        };
        let mut last = Last::default();
        let end = addr + bytes;
        let mut at = addr;
        while at < end {
            let stop = end.min((at | 63) + 1);
            if is_simple {
                at = self.line_shortly(thread, buffers, (at, stop), (&range, &mut last));
            }
            if at < stop {
                // What comes after a word that is not simple may be so.
                let stop = if is_simple && !range.frees {
                    stop.min((at | 7) + 1)
                } else {
                    stop
                };
                self.line(thread, buffers, (at, stop), (deed, range), &mut found);
                at = stop;
            }
        }
        thread.recheck = false;
        Ok(())
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

    fn line(
        &self,
        thread: &mut Thread,
        buffers: &mut Buffers,
        (from, to): (u64, u64),
        (deed, range): (Deed, RangeAccess),
        found: &mut impl FnMut(&mut Thread, Race),
    ) {
        let parts = self.shadow.line(from);
        let access = match deed {
            Deed::Access(access) => access,
            Deed::Free => Access::Write,
        };
        // Where the locked part starts again after an access had to be evaluated.
        let mut resume = from;
        'again: loop {
            let undecided = {
                let (entries, conflicts) = (&mut buffers.entries, &mut buffers.conflicts);
                let (memos, combined) = buffers.memos.split();
                let mut line = self.lock(parts, memos);
                if thread.recheck {
                    line.recheck();
                }
                line.of_many = range.many;
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
                undecided
            };
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
