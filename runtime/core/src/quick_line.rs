//! The short way of a range: all words of it that are in one line, in the cases that are simple for [`crate::quick`], under the line's lock.
//!
//! Or all rows that are in one line ([`Rows`]), as far as they are.
//!
//! What libc copies, and loops that are checked before they run, come by lines. Neighbours are mostly alike, so that what was decided about one word
//! is true for the next one, and in the lines that follow: what the thread knows does not become less while it makes one access. Who exchanges a cell meanwhile
//! without the lock finds the line's word locked or changed, and looks again ([`crate::refresh`]).

use crate::kept::at;
use crate::line::{Entry, Parts, Site, Sites};
use crate::line_sites::{SPLIT, changed};
use crate::primitive::Ordering;
use crate::primitive::shadow::AtomicU64;
use crate::quick::{Known, Short, WordAccess};
use crate::quick_free::Freeing;
use crate::quick_locked::plain_under_lock;
use crate::records::{RECORD, Ways};
use crate::side_record::{self, SideRead};
use crate::strided::Rows;
use crate::tag::{ShadowCell, Tag};
use crate::transition::Placed;

/// A plain access to a range of memory.
#[derive(Clone, Copy)]
pub(crate) struct RangeAccess {
    /// Present epoch of the thread, with a full mask.
    pub tag: Tag,
    pub write: bool,
    pub site: Site,
    /// It is the end of a block: a write, after which whole words are marked as freed.
    pub frees: bool,
    /// There are more words in it than [get records](crate::joins::FEW_WORDS) where a set could be made of their readers: it is made for all of these, of those
    /// as well who come back to them in each of their epochs.
    pub many: bool,
}

/// How far the short way went.
#[derive(Clone, Copy)]
pub(crate) struct Gone {
    /// Everything below this address was made.
    pub until: u64,
    /// The read set that the thread joined last, with the bytes that it has read, or a full mask.
    pub read_set: Option<Tag>,
    pub words: u64,
}

/// What a word is, or becomes: its cell and the number of its sites.
type State = (ShadowCell, u32);

/// What is known of a range from the words before.
pub(crate) struct Last {
    /// The whole word that was decided last, and what it has become.
    decided: (State, State),
    /// A cell that says that the thread has made the access to the whole word in this epoch.
    made: Option<ShadowCell>,
}

impl Default for Last {
    fn default() -> Last {
        Last {
            decided: (NEVER, NEVER),
            made: None,
        }
    }
}

/// No word is like this.
const NEVER: State = (ShadowCell::EMPTY, u32::MAX);

/// Why it is open what a word becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// The thread does not know by heart how to write the sites down.
    Numbers,
    State,
}

/// A line under its lock.
struct Locked<'a, 'k, T> {
    parts: Parts<'a>,
    value: u32,
    known: &'a mut Known<'k, T>,
    /// Not a copy: a processor that copies what it has just stored in smaller parts waits until the stores are done.
    access: &'a RangeAccess,
    last: &'a mut Last,
    read_set: Option<Tag>,
}

/// Makes the part `from..to` of an access, which is in one line; from its beginning up to the first word that is not simple.
pub(crate) fn in_line<'a>(
    parts: Parts<'a>,
    known: &mut Known<'_, impl Sites>,
    (from, to): (u64, u64),
    (access, last): (&'a RangeAccess, &'a mut Last),
) -> Gone {
    let (first, count) = ((from >> 3 & 7) as usize, (to - from) >> 3);
    let is_whole = (from | to) & 7 == 0;
    if is_whole
        && let Some(made) = last.made
        && !access.frees
    {
        // SC0: as in compiled code, the cells alone say so.
        let cells = &parts.cells[first..first + count as usize];
        let alike = |same: bool, cell: &AtomicU64| same & (cell.load(Ordering::Relaxed) == made.0);
        if cells.iter().fold(true, alike) {
            return Gone {
                until: to,
                read_set: None,
                words: 0,
            };
        }
    }
    if is_whole
        && !access.write
        && reads_are_kept(&parts.cells[first..first + count as usize], known, access)
    {
        return Gone {
            until: to,
            read_set: None,
            words: count,
        };
    }
    let mut line = Locked::lock(parts, known, (access, last));
    let (until, words) = if is_whole && line.whole_words((first, first + count as usize)) {
        (to, count)
    } else {
        line.words(from, to)
    };
    if count == 8 && access.frees && until == to {
        // None of the words has a record any more.
        line.value = access.site;
    }
    Gone {
        until,
        read_set: line.unlock(),
        words,
    }
}

/// Makes the access to the first ones of some rows, those that are each within the line of the first one, up to the first that is not simple, and leaves them out. `until` is
/// where the next one is.
pub(crate) fn rows_in_line<'a>(
    parts: Parts<'a>,
    known: &mut Known<'_, impl Sites>,
    rows: &mut Rows,
    (access, last): (&'a RangeAccess, &'a mut Last),
) -> Gone {
    let line = rows.start >> 6;
    let mut gone = Gone {
        until: rows.start,
        read_set: None,
        words: 0,
    };
    while rows.begin_in(line) && is_there(parts, known, (rows.start, rows.bytes), access) {
        rows.leave_first();
    }
    if rows.begin_in(line) {
        let mut locked = Locked::lock(parts, known, (access, last));
        while rows.begin_in(line) {
            let end = rows.start + rows.bytes;
            let (until, words) = locked.words(rows.start, end);
            gone.words += words;
            if until != end {
                break;
            }
            rows.leave_first();
        }
        gone.read_set = locked.unlock();
    }
    gone.until = rows.start;
    gone
}

/// Whether an access to some bytes of a line is made without the line's lock: its cells say that the thread has made it in this epoch (SC0), or it keeps it to itself.
#[inline(always)]
fn is_there(
    parts: Parts<'_>,
    known: &Known<'_, impl Sites>,
    (from, bytes): (u64, u64),
    access: &RangeAccess,
) -> bool {
    let to = from + bytes;
    let cells = &parts.cells[(from >> 3 & 7) as usize..=((to - 1) >> 3 & 7) as usize];
    let mut at = from;
    cells.iter().all(|cell| {
        let stop = to.min((at | 7) + 1);
        let mask = ((0xff >> (8 - (stop - at))) << (at & 7)) as u8;
        at = stop;
        // Relaxed: as compiled code does it.
        let (written, read) = ShadowCell(cell.load(Ordering::Relaxed)).halves();
        written.covers(access.tag, mask)
            || !access.write
                && (read.covers(access.tag, mask) || is_kept(cell, mask, known, access))
    })
}

/// Makes a read of the words with these cells if the thread keeps those to itself ([`crate::kept`]). False if not all are made.
#[inline(always)]
fn reads_are_kept(
    cells: &[AtomicU64],
    known: &Known<'_, impl Sites>,
    access: &RangeAccess,
) -> bool {
    cells.iter().all(|cell| is_kept(cell, 0xff, known, access))
}

/// The same of a read of these bytes of a word.
#[inline(always)]
fn is_kept(
    cell: &AtomicU64,
    mask: u8,
    known: &Known<'_, impl Sites>,
    &RangeAccess { tag, site, .. }: &RangeAccess,
) -> bool {
    let read = Entry {
        tag: tag.with_mask(mask),
        write: false,
        site,
    };
    known.epochs.kept.renew(known.thread.slot, at(cell), read)
}

impl<'a, 'k, T: Sites> Locked<'a, 'k, T> {
    #[inline(always)]
    fn lock(
        parts: Parts<'a>,
        known: &'a mut Known<'k, T>,
        (access, last): (&'a RangeAccess, &'a mut Last),
    ) -> Self {
        Locked {
            parts,
            value: parts.lock(),
            known,
            access,
            last,
            read_set: None,
        }
    }

    /// The read set that the thread has joined last, if any.
    #[inline(always)]
    fn unlock(self) -> Option<Tag> {
        // Release: as `Line`'s end.
        self.parts
            .word
            .store(changed(self.value), Ordering::Release);
        self.read_set
    }

    fn state(&self, cell: usize) -> State {
        // Relaxed, here and below: under the line's lock.
        let number = if self.value & SPLIT == 0 {
            self.value
        } else {
            self.parts.sites[cell].load(Ordering::Relaxed)
        };
        (
            ShadowCell(self.parts.cells[cell].load(Ordering::Relaxed)),
            number,
        )
    }

    fn store(&mut self, cell: usize, (old, present): State, (next, wanted): State) {
        if present != wanted {
            if self.value == 0 {
                self.value = wanted;
            } else {
                if self.value & SPLIT == 0 {
                    self.value = self.parts.split(self.value);
                }
                self.parts.sites[cell].store(wanted, Ordering::Relaxed);
            }
        }
        if next != old {
            self.parts.cells[cell].store(next.0, Ordering::Relaxed);
        }
    }

    /// What a word in this state becomes, which is to be stored.
    #[inline(always)]
    fn decide(&mut self, state: State, tag: Tag) -> Result<State, Open> {
        let is_whole = tag.mask() == 0xff;
        let (same, becomes) = self.last.decided;
        if is_whole && same == state {
            return Ok(becomes);
        }
        let becomes = self.decide_anew(state, tag)?;
        if is_whole {
            self.last.decided = (state, becomes);
            if state == becomes {
                self.last.made = Some(state.0);
            }
        }
        Ok(becomes)
    }

    #[inline(never)]
    fn decide_anew(&mut self, state: State, tag: Tag) -> Result<State, Open> {
        let is_whole = tag.mask() == 0xff;
        let (old, present) = state;
        if present & RECORD != 0 {
            return Err(Open::State);
        }
        let RangeAccess {
            write, site, frees, ..
        } = *self.access;
        let (written, read) = old.halves();
        if frees && is_whole {
            if self.known.transition(old, tag, true).is_err() {
                return Err(Open::State);
            }
            Ok((ShadowCell::freed(tag.epoch()), site))
        } else if written.covers(tag, tag.mask()) || !write && read.covers(tag, tag.mask()) {
            // SC0: of several words, one or the other.
            Ok(state)
        } else if let Ok((remembered, next, placed)) = self.known.transition(old, tag, write) {
            let access = WordAccess {
                cell: 0,
                tag,
                write,
                site,
            };
            let remembered = (remembered, next, present);
            let wanted = match self.known.wanted(remembered, access, placed) {
                Some(wanted) => wanted,
                None => self.pair(present, placed).ok_or(Open::Numbers)?,
            };
            Ok((next, wanted))
        } else if !write
            && tag.mask() & !read.mask() == 0
            && let own = self.known.epochs.read_by(read, tag.epoch())
            && tag.mask() & !own == 0
        {
            // SC0, of a set: as in `crate::quick`.
            self.read_set = Some(read.with_mask(own));
            Ok(state)
        } else if !write {
            self.join(state, tag)
        } else {
            Err(Open::State)
        }
    }

    /// Makes the access to these words, and to all of each, if each is simple and none has a record, nor needs one. If not, nothing was done.
    fn whole_words(&mut self, (first, last): (usize, usize)) -> bool {
        let tag = self.access.tag;
        let is_split = self.value & SPLIT != 0;
        let (cells, sites) = (
            &self.parts.cells[first..last],
            &self.parts.sites[first..last],
        );
        let (old, present) = self.state(first);
        let alike = |same: bool, cell: &AtomicU64| same & (cell.load(Ordering::Relaxed) == old.0);
        let all = cells.len() == 8;
        if all && cells.iter().fold(!is_split, alike) {
            let Ok((next, number)) = self.decide((old, present), tag) else {
                return false;
            };
            self.value = number;
            for cell in cells {
                cell.store(next.0, Ordering::Relaxed);
            }
            return true;
        }
        if self.access.frees {
            let mut freeing = Freeing::new(tag, self.access.site);
            let freed = freeing.words(self.parts, self.value, self.known, (first, last));
            self.value = freed.unwrap_or(self.value);
            return freed.is_some();
        }
        let (mut nexts, mut numbers) = ([ShadowCell::EMPTY; 8], [0; 8]);
        for (cell, (next, number)) in (first..last).zip(nexts.iter_mut().zip(&mut numbers)) {
            match self.decide(self.state(cell), tag) {
                Ok(decided) => (*next, *number) = decided,
                Err(_) => return false,
            }
        }
        let number = numbers[0];
        let same = numbers[..cells.len()].iter().all(|&other| other == number);
        let fits = if is_split {
            all && number == self.access.site
        } else {
            all || self.value == 0 || self.value == number
        };
        if same && fits {
            self.value = number;
        } else {
            if !is_split {
                self.value = self.parts.split(self.value);
            }
            for (place, number) in sites.iter().zip(numbers) {
                place.store(number, Ordering::Relaxed);
            }
        }
        for (cell, next) in cells.iter().zip(nexts) {
            cell.store(next.0, Ordering::Relaxed);
        }
        true
    }

    /// Makes the access to the words of `from..to`: up to where, and to how many.
    fn words(&mut self, from: u64, to: u64) -> (u64, u64) {
        let (mut at, mut words) = (from, 0);
        while at < to {
            let stop = to.min((at | 7) + 1);
            let mask = (0xff >> (8 - (stop - at))) << (at & 7);
            if !self.word((at >> 3 & 7) as usize, mask as u8) {
                break;
            }
            at = stop;
            words += 1;
        }
        (at, words)
    }

    /// Makes the access to these bytes of a word. If it is not simple, nothing was done.
    fn word(&mut self, cell: usize, mask: u8) -> bool {
        let RangeAccess {
            tag,
            write,
            site,
            frees,
            ..
        } = *self.access;
        let tag = tag.with_mask(mask);
        let state = self.state(cell);
        let (old, present) = state;
        match self.decide(state, tag) {
            Ok(becomes) => {
                self.store(cell, state, becomes);
                return true;
            }
            Err(Open::Numbers) if !self.known.sites.are_many() => return false,
            Err(_) => {}
        }
        let new = Entry { tag, write, site };
        let has_record = present & RECORD != 0;
        if frees && mask == 0xff {
            if !has_record || !self.free_record(cell, present, new) {
                return false;
            }
            self.store(cell, state, (ShadowCell::freed(tag.epoch()), site));
            return true;
        }
        if !write && !has_record && old.is_side() {
            // The line's word changes when it is unlocked.
            let place = (&self.parts.cells[cell], old.first_unit());
            let made = side_record::read_quick(self.known, place, new);
            return matches!(
                made,
                SideRead::Made | SideRead::Completes | SideRead::Covered | SideRead::Kept
            );
        }
        let word = (cell, old, self.value, present);
        let (next, short) = plain_under_lock(self.parts, self.known, word, new);
        self.value = next;
        if let Short::Joined(set) = short {
            self.read_set = Some(set);
        }
        // It is made, and the next one is another one.
        self.known.thread.gathers.set(false);
        matches!(
            short,
            Short::Recorded | Short::Kept | Short::Covered | Short::Merges | Short::Joined(_)
        )
    }

    /// The number of a pair that nobody remembers, of the access and what stays of a word with this number.
    #[cold]
    fn pair(&mut self, present: u32, placed: Placed) -> Option<u32> {
        let (write, read) = self.known.sites_of(present);
        let (write, read) = match placed {
            Placed::Write => (self.access.site, read),
            Placed::Read => (write, self.access.site),
            Placed::BesideFirst => (write, self.access.site),
            Placed::BesideSecond => (read, self.access.site),
            _ => return None,
        };
        let pairs = &self.known.memos.pairs;
        Some(pairs.number(write, read, self.known.sites))
    }

    /// What a word becomes by a read that joins others as one did lately.
    fn join(&mut self, (old, present): State, tag: Tag) -> Result<State, Open> {
        let sites = self.known.sites_of(present);
        let recycled = self.known.epochs.recycled();
        let joins = &self.known.memos.joins;
        let new = (tag, self.access.site);
        let joined = joins
            .join((old, sites.1), new, recycled, self.known)
            .ok_or(Open::State)?;
        let (w, _) = joined.cell.halves();
        let wanted = if w == Tag::NONE {
            Some(joined.site_of_set)
        } else {
            self.known.pair(sites.0, joined.site_of_set)
        };
        if let Some(set) = joined.set() {
            self.read_set = Some(set);
        }
        Ok((joined.cell, wanted.ok_or(Open::Numbers)?))
    }

    /// Gives the record of a word back that is freed; false, and nothing was done, if something is not known to be ordered before.
    fn free_record(&mut self, cell: usize, number: u32, new: Entry) -> bool {
        let ways = Ways {
            rechecks: true,
            forgets: true,
            ..Ways::default()
        };
        let record = self.known.slab.record(number);
        record.take_back(self.known.epochs, &self.parts.cells[cell], None);
        let Ok(made) = record.make::<false>(new, ways, self.known) else {
            return false;
        };
        debug_assert!(made.alone);
        if !self.known.thread.records.give(number) {
            self.known.slab.release_record(number);
        }
        true
    }
}
