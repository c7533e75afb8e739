//! The short ways into the shadow: what a thread does with one word, or with a block that ends, where that is one of the common cases.
//!
//! They rely on SC1 and SC2, evaluate nothing and report nothing. Where one of them says that an access is not made, [`Detector::access`] makes it.

use super::{Buffers, Detector, Shadow};
use crate::epoch::EpochId;
use crate::goldilocks::Thread;
use crate::kept::{Bytes, at};
use crate::line::{Entry, Parts, Site, Sites};
use crate::quick::{self, Known, Short, WordAccess};
use crate::quick_atomic::{self, Made};
use crate::quick_free::Freeing;
use crate::quick_record::{self, InRecord};
use crate::quick_step::{self, Stepped};
use crate::renew::{Renewed, renew};
use crate::tag::{ShadowCell, Tag};
use std::sync::atomic::Ordering;

/// What the short way of a plain access finds beside whether it is made.
#[derive(Clone, Copy, Default)]
pub struct Found {
    /// A read set that the thread is in, as [`Buffers::take_read_set`] gives it; `Tag::NONE` if none.
    pub read_set: Tag,
    /// The access is made, and its word's cell does not say so, or not for long.
    pub aside: bool,
}

/// Whether the cell of a word says already what one of several accesses says ([`Detector::words_quick`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IsThere(pub bool);

impl<S: Shadow, T: Sites> Detector<'_, S, T> {
    /// What the short ways look at besides the line.
    #[inline(always)]
    pub(super) fn known<'b>(&'b self, thread: &'b Thread, buffers: &'b Buffers) -> Known<'b, T> {
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

    /// The short way of a plain access, word by word, of which the runtime's is a copy: `word` makes that to the word of an address, with this tag, or takes note of one that is there
    /// already, and says whether it is made. What was recorded before one that is not simple, or not there, is nothing new to [`Detector::access`].
    #[inline(always)]
    pub fn words_quick(
        &self,
        (addr, bytes): (u64, u64),
        (epoch, write): (EpochId, bool),
        is_there: impl Fn(u64) -> bool,
        mut word: impl FnMut(u64, Tag, IsThere) -> bool,
    ) -> bool {
        let end = addr + bytes;
        let mut at = addr;
        loop {
            let stop = end.min((at | 7) + 1);
            if !is_there(at) {
                return false;
            }
            // SC0 has failed for one of several words: each of the others may have been accessed.
            let is_one = at == addr && stop == end;
            let there = !is_one && self.has_made((at, stop - at), (epoch, false), write);
            let mask = ((1u32 << (stop - at)) - 1) << (at & 7);
            if !word(at, Tag::new(epoch, false, mask as u8), IsThere(there)) {
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

    /// The most common part of [`Detector::word_quick`] for words with records, and steps that the thread knows by heart: whether the access is made. `None` is
    /// for that to decide; if it was not made, the long way has to check it.
    #[inline(always)]
    pub fn known_quick(
        &self,
        thread: &mut Thread,
        (buffers, found): (&Buffers, &mut Found),
        addr: u64,
        access: (Tag, bool),
        site: Site,
    ) -> Option<bool> {
        let access = WordAccess::at(addr, access, site);
        let known = &mut self.known(thread, buffers);
        let parts = self.shadow.line(addr);
        match quick_step::step(parts, known, access) {
            Stepped::Made => {
                thread.counts.quick += 1;
                thread.counts.quick_steps += 1;
            }
            Stepped::Joined(set) => {
                found.read_set = set;
                thread.counts.quick += 1;
                thread.counts.quick_steps += 1;
            }
            Stepped::Kept => {
                found.aside = true;
                thread.counts.quick_kept += 1;
            }
            Stepped::Unsure => {
                thread.counts.quick_locked += 1;
                thread.recheck = true;
                return Some(false);
            }
            Stepped::Open => return None,
            Stepped::Record => return self.record_quick(thread, (buffers, found), (parts, access)),
        }
        thread.recheck = false;
        Some(true)
    }

    #[inline(always)]
    fn record_quick(
        &self,
        thread: &mut Thread,
        (buffers, found): (&Buffers, &mut Found),
        (parts, access): (Parts<'_>, WordAccess),
    ) -> Option<bool> {
        let known = &mut self.known(thread, buffers);
        let done = if access.write {
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
            InRecord::Open => return None,
        }
        thread.recheck = false;
        Some(true)
    }

    /// [`Detector::access_renewed`], and [`Detector::access_quick`] if that leaves it open: the short way as a whole, which the
    /// tests of the engine take (traces, real threads, loom). The runtime begins each where it knows the site.
    pub fn access_shortly(
        &self,
        thread: &mut Thread,
        (buffers, found): (&Buffers, &mut Found),
        (addr, bytes): (u64, u64),
        (epoch, write): (EpochId, bool),
        site: Site,
    ) -> bool {
        let mask = (((1u32 << bytes) - 1) << (addr & 7)) as u8;
        let access = (Tag::new(epoch, false, mask), write);
        let renewed = self.access_renewed(thread, buffers, addr, access, site);
        renewed.unwrap_or_else(|| {
            let (bytes, how) = ((addr, bytes), (epoch, write));
            self.known_quick(thread, (buffers, &mut *found), addr, access, site)
                .unwrap_or_else(|| self.access_quick(thread, (buffers, found), bytes, how, site))
        })
    }

    /// The short way of an atomic access to bytes of one word, by a thread whose present epoch has the id `epoch`. False if it is not
    /// one of the common cases; then nothing was done, and [`Detector::access`] has to do it.
    ///
    /// Relies on SC1 and SC2.
    #[inline(always)]
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
        match quick_atomic::renew(self.shadow.line(addr), &known, access) {
            Some(made) => Self::note(thread, made),
            None => self.atomic_other(thread, buffers, addr, access),
        }
    }

    /// What is not among the most common cases of these. For itself, so that they need few registers.
    #[inline(never)]
    fn atomic_other(
        &self,
        thread: &mut Thread,
        buffers: &Buffers,
        addr: u64,
        access: WordAccess,
    ) -> bool {
        let known = self.known(thread, buffers);
        let made = quick_atomic::record(self.shadow.line(addr), known, access);
        Self::note(thread, made)
    }

    /// What came of an atomic access: whether it is made.
    #[inline(always)]
    fn note(thread: &mut Thread, made: Made) -> bool {
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
        range: (u64, u64),
        epoch: EpochId,
        write: bool,
    ) -> bool {
        self.has_kept_atomic(thread, range, epoch, write)
            || self.has_made(range, (epoch, true), write)
    }

    /// Whether the thread keeps to itself that it has made an atomic access in its present epoch.
    #[inline(always)]
    pub fn has_kept_atomic(
        &self,
        thread: &Thread,
        (addr, bytes): (u64, u64),
        epoch: EpochId,
        write: bool,
    ) -> bool {
        let cell = at(self.shadow.word(addr).cell);
        let kept = &self.engine.epochs.kept;
        let is_kept = || {
            let mask = (((1u32 << bytes) - 1) << (addr & 7)) as u8;
            let holds = |bytes: Bytes<'_>, write| {
                let tag = Tag::new(epoch, true, mask);
                let access = Entry {
                    tag,
                    write,
                    site: 0,
                };
                bytes.place(access).holds(access)
            };
            let bytes = kept.bytes(thread.slot, cell, mask);
            bytes.is_some_and(|bytes| holds(bytes, true) || !write && holds(bytes, false))
        };
        kept.may_keep_atomic(thread.slot, cell) && is_kept()
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

    /// Ends the block `from..to` line by line, as far as that is simple: up to which address.
    pub(super) fn free_shortly(
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
}
