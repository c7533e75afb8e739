//! Readers of a word by bits: who of a crowd ([`crate::crowds`]) has read the same bytes of it, and from which of two places; and who keeps to itself that it has
//! ([`crate::kept`]).
//!
//! A part of a side record, of 64 bytes: for as many readers. An entry for each would take eight times as much, and a look at all of them for each read. Beside the readers
//! there is room for two entries, mostly of the write that they have read.
//!
//! Who comes back in a later epoch counts, and after enough of these the next ones keep their reads to themselves: of what all threads read in each phase the record is not
//! changed any more.

use crate::crowds::{SLOTS, bit_of};
use crate::epoch::{EpochId, EpochTable};
use crate::event::Slot;
use crate::kept::{Kept, at};
use crate::line::{Entry, Site};
use crate::primitive::Ordering;
use crate::primitive::shadow::AtomicU64;
use crate::slab::Unit;
use crate::tag::Tag;

/// Where in the unit these are; the entries are last. The crowd is a tag with the bytes that were read; above it are the slots (bits 32-47) and how many came back (48-63).
const CROWD: usize = 0;
const READERS: usize = 1;
const KEEPERS: usize = 2;
/// Who has read from the second one of the two places.
const SECOND: usize = 3;
const SITES: usize = 4;
const _: () = assert!(SITES + Unit::BESIDE_BITS < Unit::ROOM);

const SLOTS_AT: u32 = 32;
const CAME_BACK_AT: u32 = 48;

/// How often each reader is to have come back, on average, before one keeps what it reads to itself.
const RETURNS: u32 = 2;

/// The readers in a unit, of a word whose line is locked.
#[derive(Clone, Copy)]
pub(crate) struct ReaderBits<'s>(&'s Unit);

/// A read of one thread, and what it has to do with the crowd of some readers.
#[derive(Clone, Copy)]
pub(crate) struct CrowdRead {
    pub(crate) bank: u32,
    pub(crate) bit: u64,
    pub(crate) bytes: u8,
    pub(crate) site: Site,
    /// The crowd that the thread is in with its present epoch, if it has joined one.
    pub(crate) crowd: Option<EpochId>,
}

/// What the readers in a unit are to a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Joins {
    /// They are other ones.
    No,
    /// It is there.
    Covered,
    /// A part of it is.
    Partly,
    /// Its thread keeps it to itself.
    Kept,
    /// It can be added: from the second one of two places or not, and with its thread's crowd for theirs if that is to be.
    As(bool, bool),
}

/// Readers that are to be written to a unit.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub(crate) crowd: EpochId,
    pub(crate) bank: u32,
    pub(crate) bytes: u8,
    pub(crate) readers: u64,
    pub(crate) came_back: u16,
    second: u64,
    sites: [Site; 2],
}

impl Group {
    pub(crate) fn new(crowd: EpochId, bank: u32, bytes: u8) -> Group {
        Group {
            crowd,
            bank,
            bytes,
            readers: 0,
            came_back: 0,
            second: 0,
            sites: [0; 2],
        }
    }
    /// Adds a reader, if there is room for its place.
    pub(crate) fn add(&mut self, bit: u64, site: Site) -> bool {
        let is_free = |&other: &Site| other == site || other == 0;
        let Some(place) = self.sites.iter().position(is_free) else {
            return false;
        };
        self.sites[place] = site;
        self.readers |= bit;
        self.second &= !bit;
        self.second |= if place == 1 { bit } else { 0 };
        true
    }
}

impl<'s> ReaderBits<'s> {
    /// Those in this unit, if it has any.
    #[inline(always)]
    pub(crate) fn of(unit: &'s Unit) -> Option<ReaderBits<'s>> {
        unit.has_bits().then_some(ReaderBits(unit))
    }
    /// Makes them these; what else there is in the unit stays.
    pub(crate) fn write(unit: &'s Unit, group: &Group) {
        let crowd = Tag::new(group.crowd, false, group.bytes).0 as u64;
        let rest = (group.bank as u64) << SLOTS_AT | (group.came_back as u64) << CAME_BACK_AT;
        unit.set(CROWD, crowd | rest);
        unit.set(READERS, group.readers);
        unit.set(KEEPERS, 0);
        unit.set(SECOND, group.second);
        let [first, second] = group.sites.map(u64::from);
        unit.set(SITES, first | second << 32);
    }

    #[inline(always)]
    fn get(self, index: usize) -> u64 {
        // SAFETY: one of the above, and the head is before them. Relaxed: under the line's lock.
        unsafe { self.0.0.get_unchecked(1 + index) }.load(Ordering::Relaxed)
    }
    #[inline(always)]
    fn set(self, index: usize, value: u64) {
        // SAFETY: as above.
        unsafe { self.0.0.get_unchecked(1 + index) }.store(value, Ordering::Relaxed);
    }
    /// Their crowd, with the bytes that all of them have read.
    #[inline(always)]
    pub(crate) fn crowd(self) -> Tag {
        Tag(self.get(CROWD) as u32)
    }
    #[inline(always)]
    pub(crate) fn bank(self) -> u32 {
        (self.get(CROWD) >> SLOTS_AT) as u16 as u32
    }
    #[inline(always)]
    pub(crate) fn readers(self) -> u64 {
        self.get(READERS)
    }
    /// Those who keep it to themselves.
    #[inline(always)]
    pub(crate) fn keepers(self) -> u64 {
        self.get(KEEPERS)
    }
    #[inline(always)]
    pub(crate) fn came_back(self) -> u16 {
        (self.get(CROWD) >> CAME_BACK_AT) as u16
    }
    #[inline(always)]
    pub(crate) fn set_came_back(self, count: u16) {
        let rest = self.get(CROWD) & !(0xffff << CAME_BACK_AT);
        self.set(CROWD, rest | (count as u64) << CAME_BACK_AT);
    }
    #[inline(always)]
    fn site(self, second: bool) -> Site {
        (self.get(SITES) >> if second { 32 } else { 0 }) as Site
    }
    /// Whether these are readers of the bytes of a read, in slots of which its thread's is one.
    #[inline(always)]
    pub(crate) fn are_of(self, read: &CrowdRead) -> bool {
        self.bank() == read.bank && self.crowd().mask() == read.bytes
    }

    /// What they are to a read; `common` says of which slots their crowd says the same as that of the thread ([`crate::crowds::CrowdMemo::common`]).
    #[inline(always)]
    pub(crate) fn joins(self, read: &CrowdRead, common: u64) -> Joins {
        let (crowd, bit) = (self.crowd(), read.bit);
        if self.bank() != read.bank {
            return Joins::No;
        }
        let (readers, bytes) = (self.readers(), crowd.mask());
        if self.keepers() & bit != 0 && bytes == read.bytes {
            return Joins::Kept;
        }
        let is_in = common & bit != 0;
        if is_in && readers & bit != 0 && bytes & read.bytes != 0 {
            return if bytes & read.bytes == read.bytes {
                Joins::Covered
            } else {
                Joins::Partly
            };
        }
        let moves = read.crowd.is_some() && readers & !bit & !common == 0;
        if bytes != read.bytes || !(moves || is_in) {
            return Joins::No;
        }
        let others = readers & !bit;
        let mut second = false;
        loop {
            let site = self.site(second);
            let there = if second {
                others & self.get(SECOND)
            } else {
                others & !self.get(SECOND)
            };
            if site == read.site || there == 0 {
                return Joins::As(second, moves);
            }
            if second {
                return Joins::No;
            }
            second = true;
        }
    }
    /// Adds a read, as [`ReaderBits::joins`] says.
    #[inline(always)]
    pub(crate) fn add(self, read: &CrowdRead, second: bool, moves: bool) {
        if moves && let Some(crowd) = read.crowd {
            let rest = self.get(CROWD) & !0xffff_ffff;
            let crowd = Tag::new(crowd, false, read.bytes).0 as u64;
            self.set(CROWD, rest | crowd);
        }
        let shift = if second { 32 } else { 0 };
        let sites = self.get(SITES) & !(0xffff_ffff << shift);
        self.set(SITES, sites | (read.site as u64) << shift);
        self.set(READERS, self.readers() | read.bit);
        let others = self.get(SECOND) & !read.bit;
        self.set(SECOND, others | if second { read.bit } else { 0 });
    }
    /// The thread of a read has read these bytes before, and keeps that to itself from now on, or does not any more.
    #[inline(always)]
    pub(crate) fn set_keeps(self, bit: u64, keeps: bool) {
        let others = self.keepers() & !bit;
        self.set(KEEPERS, others | if keeps { bit } else { 0 });
    }
    /// How many there are.
    #[inline(always)]
    fn count(self) -> u32 {
        // Not by `count_ones`, which takes a vector register where the processor need not have an instruction for it.
        let mut readers = self.readers();
        let mut count = 0;
        while readers != 0 {
            readers &= readers - 1;
            count += 1;
        }
        count
    }
    /// Whether readers have come back often enough.
    #[inline(always)]
    pub(crate) fn may_keep(self) -> bool {
        self.came_back() as u32 >= RETURNS * self.count()
    }
    /// Whether all of the crowd have read these bytes, and none has come back.
    #[inline(always)]
    pub(crate) fn is_complete(self, epochs: &EpochTable) -> bool {
        let readers = epochs.readers(self.crowd().epoch());
        self.came_back() == 0
            && self.keepers() == 0
            && readers.is_some_and(|readers| readers.len() as u32 == self.count())
    }
    /// The reader with this bit has read these bytes anew, which is noted elsewhere.
    #[inline(always)]
    pub(crate) fn forget(self, read: &CrowdRead) {
        if self.are_of(read) {
            self.set(READERS, self.readers() & !read.bit);
        }
    }
    /// What those who keep it to themselves have read, as records have it, of the word with this cell: taken back.
    pub(crate) fn take_back(self, kept: &Kept, cell: &AtomicU64, taken: &mut Vec<u64>) {
        let mut keepers = self.keepers();
        let read = Entry {
            tag: self.crowd(),
            write: false,
            site: 0,
        };
        while keepers != 0 {
            let slot = self.bank() * SLOTS + keepers.trailing_zeros();
            taken.extend(kept.take(slot as Slot, at(cell), read));
            keepers &= keepers - 1;
        }
        self.set(KEEPERS, 0);
    }

    /// An entry for each of them.
    pub(crate) fn entries<'e>(
        self,
        epochs: &'e EpochTable,
    ) -> impl Iterator<Item = Entry> + use<'s, 'e> {
        let (crowd, readers) = (self.crowd(), self.readers());
        let all = epochs.readers(crowd.epoch()).unwrap_or_default();
        all.iter().filter_map(move |reader| {
            let (_, bit) = bit_of(epochs.lookup(reader.epoch()).0);
            (readers & bit != 0).then(|| Entry {
                tag: Tag::new(reader.epoch(), false, crowd.mask()),
                write: false,
                site: self.site(self.get(SECOND) & bit != 0),
            })
        })
    }
}
