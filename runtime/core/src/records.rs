//! Records: what is remembered of a word that is more than its cell and two sites can say.
//!
//! Fields of one word that are accessed in different epochs need this, bytes that were accessed from many places, and readers of different
//! bytes. A record has room for four entries, or where these are too few for eight or sixteen; the number of the word's sites says where it is
//! ([`RECORD`]). All that is remembered of the word is there. Its cell says again what the thread that was there last has accessed in its
//! present epoch, for compiled code's same-epoch check (SC0).
//!
//! A record is changed under its line's lock, and read under it but for one question ([`Record::seems_to_hold`]).
//!
//! What many threads read in each of their epochs (settings, the number of rounds), or change by atomic operations that order nothing (counts,
//! tickets), is an exception: there, each would wait for all others to do the same. The words of these have records that stay theirs until the next sweep
//! ([`READERS`]), so that who does it once more may exchange its own entry without the lock ([`Record::renewable`]): whatever it exchanges is
//! of that word, or of none.

use crate::epoch::EpochId;
use crate::event::Access;
use crate::kept::{KEPT, is_to_know};
use crate::line::{Entry, LOCK, SITE_MASK, Site};
use crate::primitive::shadow::AtomicU64;
use crate::primitive::{Ordering, after_exchange, prefetch_to_write};
use crate::slab::Slab;
use crate::tag::{ShadowCell, Tag};
use crate::transition::{Order, live, subsumes};

/// In the number of a word's sites: the word has a record, and the rest of the number says which.
pub const RECORD: u32 = 1 << 30;
/// Beside that: it is not a small one, and lowest, that it is a huge one.
const LARGE: u32 = 1 << 31;
/// Beside both: it is no other word's before the next sweep.
pub const READERS: u32 = 1 << 29;
const INDEX: u32 = (1 << 29) - 1;
const _: () = assert!(2 * Slab::LIMIT as u64 <= INDEX as u64 + 1);
// As the lane has them (`runtime/src/stubs/record.s`).
const _: () = assert!(LARGE == 1 << 31 && INDEX == 0x1fff_ffff);
const _: () =
    assert!(Class::Small.room() == 4 && Class::Large.room() == 8 && Class::Huge.room() == 16);

/// How large a record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Four entries: half a unit of the slab.
    Small,
    /// Eight.
    Large,
    /// Sixteen.
    Huge,
}

impl Class {
    pub(crate) const COUNT: usize = 3;
    pub(crate) const ALL: [Class; Class::COUNT] = [Class::Small, Class::Large, Class::Huge];

    #[inline(always)]
    pub(crate) const fn room(self) -> usize {
        4 << self as usize
    }
    /// The smallest one with room for so many entries.
    pub(crate) fn with_room(count: usize) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.room() >= count)
    }
    /// The next larger one.
    #[inline(always)]
    pub(crate) fn next(self) -> Option<Class> {
        match self {
            Class::Small => Some(Class::Large),
            Class::Large => Some(Class::Huge),
            Class::Huge => None,
        }
    }
    /// The number of a word with the record that begins with this half of a unit, counted from the slab's beginning.
    #[inline(always)]
    pub(crate) fn number(self, half: u32) -> u32 {
        RECORD
            | match self {
                Class::Small => half,
                Class::Large => LARGE | half,
                Class::Huge => LARGE | half | 1,
            }
    }
}

/// The class of the record with this number.
#[inline(always)]
pub(crate) fn class_of(number: u32) -> Class {
    if number & LARGE == 0 {
        Class::Small
    } else if number & 1 == 0 {
        Class::Large
    } else {
        Class::Huge
    }
}

/// The halves of units that the record with this number has.
pub(crate) fn halves_of(number: u32) -> std::ops::Range<u32> {
    let index = number & INDEX;
    match class_of(number) {
        Class::Small => index..index + 1,
        Class::Large => index..index + 2,
        Class::Huge => index - 1..index + 3,
    }
}

/// In an entry of a plain read: how often, up to three times, readers have come back to the word, one of those before each time, after all of them were done and
/// nobody had written.
pub(crate) const TURNS: u64 = 3 << TURNS_SHIFT;
pub const TURNS_SHIFT: u32 = 61;

/// An entry: the tag, in bits 32-59 the site, and bit 63 says write. 0 is none. Two of the bits between are [`TURNS`], the third one [`KEPT`].
#[inline(always)]
pub(crate) fn pack(entry: Entry) -> u64 {
    entry.tag.0 as u64 | key_of(entry) << 32
}
/// The upper half of an entry: its site, and whether it is a write.
#[inline(always)]
pub(crate) fn key_of(entry: Entry) -> u64 {
    debug_assert!(entry.site <= SITE_MASK);
    (entry.site | if entry.write { LOCK } else { 0 }) as u64
}
#[inline(always)]
pub(crate) fn unpack(entry: u64) -> Entry {
    let site = (entry >> 32) as u32;
    Entry {
        tag: Tag(entry as u32),
        write: site & LOCK != 0,
        site: site & SITE_MASK,
    }
}

/// A record, of a word whose line is locked.
#[derive(Clone, Copy)]
pub(crate) struct Record<'s> {
    /// At least as long as the record, if that is not huge.
    entries: &'s [AtomicU64],
    /// The second half of a huge one.
    rest: &'s [AtomicU64; 8],
    pub(crate) room: usize,
}

/// What an access has made of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    /// What the word's cell has to say.
    pub(crate) cell: ShadowCell,
    /// There is nothing but the access now: the cell and its site say all.
    pub(crate) alone: bool,
    /// It was there already.
    pub(crate) covered: bool,
    /// It takes the place of the thread's own in an earlier epoch, beside those of others that are not ordered before it and are no race, as both are
    /// reads, or atomic; or joins them.
    pub(crate) among_readers: bool,
    /// It is the former, or the readers have come back in [`TURNS`].
    pub(crate) came_back: bool,
    /// There are reads, or atomic accesses, of these bytes that are not ordered before it.
    pub(crate) beside_others: bool,
}

/// How an access is made ([`Record::make`]).
#[derive(Clone, Copy, Default)]
pub(crate) struct Ways {
    /// What is there already is made, and checked, all the same.
    pub(crate) rechecks: bool,
    /// A read joins those of others, whatever is there.
    pub(crate) joins: bool,
    /// What nothing can race with any more is forgotten.
    pub(crate) forgets: bool,
}

/// Why an access was not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotMade {
    /// There is no room.
    Full,
    /// A read joins those of others.
    Joins,
    /// Something else is to be decided.
    Open,
}

impl Slab {
    /// The record of a word with this number.
    #[inline(always)]
    pub(crate) fn record(&self, number: u32) -> Record<'_> {
        let class = class_of(number);
        let unit = (number & INDEX) >> 1;
        let words = &self.unit_unchecked(unit).0;
        let from = if class == Class::Small && number & 1 != 0 {
            4
        } else {
            0
        };
        let rest = if class == Class::Huge {
            &self.unit_unchecked(unit + 1).0
        } else {
            words
        };
        Record {
            // SAFETY: no more than eight.
            entries: unsafe { words.get_unchecked(from..) },
            rest,
            room: class.room(),
        }
    }
    /// The entries of the record with this number, side by side.
    #[inline(always)]
    pub(crate) fn entries_of(&self, number: u32) -> &[AtomicU64] {
        let class = class_of(number);
        let first = match class {
            Class::Small => number & INDEX,
            Class::Large | Class::Huge => number & INDEX & !1,
        };
        self.entries_unchecked(4 * first as usize, class.room())
    }
    /// Makes a record come near, to be written, while something else is done.
    #[inline(always)]
    pub(crate) fn prefetch_record(&self, number: u32) {
        prefetch_to_write(self.record(number).entries.as_ptr());
    }
}

/// What a reader adds to the hash of several.
#[inline(always)]
fn reader_hash(epoch_bits: u32) -> u64 {
    let product = (epoch_bits as u64 ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ product >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The hash of these readers, as [`Record::readers_as`] gives it.
pub(crate) fn hash_of_readers(readers: impl Iterator<Item = Tag>) -> u64 {
    let hashes = readers.map(|reader| reader_hash(reader.epoch_bits()));
    hashes.fold(0, u64::wrapping_add)
}

impl Record<'_> {
    #[inline(always)]
    fn place(&self, index: usize) -> &AtomicU64 {
        debug_assert!(index < self.room);
        // SAFETY: callers' indices are below the room, of which `entries` is the first part, of eight at least if there is a rest.
        unsafe {
            if index < 8 {
                self.entries.get_unchecked(index)
            } else {
                self.rest.get_unchecked(index - 8)
            }
        }
    }
    /// Relaxed, here and below: under the line's lock, or a guess.
    #[inline(always)]
    pub(crate) fn get(self, index: usize) -> u64 {
        self.place(index).load(Ordering::Relaxed)
    }
    #[inline(always)]
    pub(crate) fn set(self, index: usize, entry: u64) {
        self.place(index).store(entry, Ordering::Relaxed);
    }

    /// Replaces all entries by those of a smaller record.
    #[inline(always)]
    pub(crate) fn take_all(self, other: Record<'_>) {
        let mut index = 0;
        while index < self.room {
            let entry = if index < other.room {
                other.get(index)
            } else {
                0
            };
            self.set(index, entry);
            index += 1;
        }
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry> + Clone + '_ {
        let packed = (0..self.room).map(|index| self.get(index));
        packed.filter(|&entry| entry != 0).map(unpack)
    }

    /// Replaces all entries, of which there are no more than there is room for.
    pub(crate) fn replace(self, entries: impl Iterator<Item = Entry>) {
        let mut entries = entries.map(pack);
        for index in 0..self.room {
            self.set(index, entries.next().unwrap_or(0));
        }
        debug_assert!(entries.next().is_none());
    }

    /// Removes entries of these tags. Whether others are left.
    pub(crate) fn forget(self, is_gone: impl Fn(Tag) -> bool) -> bool {
        let mut left = false;
        for index in 0..self.room {
            let entry = self.get(index);
            if entry != 0 && is_gone(unpack(entry).tag) {
                self.set(index, 0);
            } else {
                left |= entry != 0;
            }
        }
        left
    }

    /// Replaces all entries by those of a cell with tags and these sites of its write and its read, which is no set; or of a parted one's earlier access
    /// and its newer one.
    #[inline(always)]
    pub(crate) fn take_cell(self, cell: ShadowCell, (write, read): (u32, u32)) {
        let entry = |tag: Tag, write, site| {
            if tag.mask() == 0 {
                0
            } else {
                pack(Entry { tag, write, site })
            }
        };
        if cell.is_parted() {
            let (earlier, newer, of_writes) = cell.parts();
            self.set(0, entry(earlier, of_writes, write));
            self.set(1, entry(newer, of_writes, read));
        } else {
            let (w, r) = cell.halves();
            let (write_mask, read_mask) = live(cell);
            self.set(0, entry(w.with_mask(write_mask), true, write));
            self.set(1, entry(r.with_mask(read_mask), false, read));
        }
        for index in 2..self.room {
            self.set(index, 0);
        }
    }

    /// Whether the bytes of an access are in it that its thread has made in this epoch, as a write if it is one. For who has no lock: only
    /// the thread itself adds what it has accessed in its present epoch, so that each byte found was there when it was looked at, and
    /// all of them are as good as made (whoever has removed one since has reported the race); provided that the word has not given the record
    /// back meanwhile, which the caller finds out.
    #[inline(always)]
    pub(crate) fn seems_to_hold(self, tag: Tag, write: bool) -> bool {
        let mut missing = tag.mask();
        let mut index = 0;
        while index < self.room {
            let old = unpack(self.get(index));
            if old.tag.epoch_bits() == tag.epoch_bits() && (old.write || !write) {
                missing &= !old.tag.mask();
                if missing == 0 {
                    return true;
                }
            }
            index += 1;
        }
        false
    }

    /// Where the thread's own access of this kind, a plain read or an `ATOMIC` one, to the same bytes from the same site in an earlier epoch is, and what
    /// stands there, if it is enough to make it again now: what it conflicts with is known to be done, and is not renewed like this itself; and the thread
    /// has accessed nothing else of the word in this epoch.
    #[inline(always)]
    pub(crate) fn renewable<const ATOMIC: bool>(
        self,
        new: Entry,
        order: &mut impl Order,
    ) -> Option<(usize, u64)> {
        let mut found = None;
        let mut index = 0;
        while index < self.room {
            let this = index;
            index += 1;
            let packed = self.get(this);
            if packed == 0 {
                continue;
            }
            let old = unpack(packed);
            if old.tag.epoch() == new.tag.epoch() {
                return None;
            }
            if old.tag.mask() & new.tag.mask() == 0 {
                continue;
            }
            if packed & KEPT != 0 && is_to_know(new, old, order.is_own(old.tag)) {
                return None;
            }
            let alike = old.write == new.write && old.tag.is_atomic() == ATOMIC;
            if alike && (ATOMIC || !new.write) {
                if !order.is_own(old.tag) || ATOMIC && old.site != new.site {
                    // It stays beside the new one.
                    continue;
                }
                let same = old.tag.mask() == new.tag.mask() && old.site == new.site;
                if found.is_some() || !same {
                    return None;
                }
                found = Some((this, packed));
                continue;
            }
            let no_race = ATOMIC && old.tag.is_atomic() || !old.write && !new.write;
            // An atomic write may be renewed in this way as well, at the same time, and neither would see the other.
            let both_ways = !ATOMIC && old.write && old.tag.is_atomic();
            if both_ways || !no_race && !order.before(old.tag) {
                return None;
            }
            // It would forget that.
            if !ATOMIC && !old.write && order.is_own(old.tag) {
                return None;
            }
        }
        found
    }

    /// Puts an entry in place of another, if that is still there. A full barrier (SeqCst, and [`after_exchange`]): what is looked at next
    /// is looked at afterwards, and who takes the line's lock after that look finds the new entry.
    #[inline(always)]
    pub(crate) fn exchange(self, (index, old): (usize, u64), new: Entry) -> bool {
        let done =
            self.place(index)
                .compare_exchange(old, pack(new), Ordering::SeqCst, Ordering::Relaxed);
        after_exchange();
        done.is_ok()
    }

    /// The bytes that the thread with these epoch bits has read, and whoever has read all of these as well, the thread among them: how many, and a hash
    /// of their epochs.
    #[inline(always)]
    pub(crate) fn readers_as(self, epoch_bits: u32) -> (u8, u32, u64) {
        let (mut left, read) = self.plain_reads(epoch_bits);
        let (mut count, mut hash) = (0, 0u64);
        while left != 0 {
            if let Some(reader) = self.next_reader(&mut left, read) {
                count += 1;
                hash = hash.wrapping_add(reader_hash(reader));
            }
        }
        (read, count, hash)
    }
    /// Which entries are plain reads, a bit for each, and the bytes that were read in this epoch.
    #[inline(always)]
    fn plain_reads(self, epoch_bits: u32) -> (u32, u8) {
        let (mut reads, mut read) = (0u32, 0);
        let mut index = 0;
        while index < self.room {
            let entry = unpack(self.get(index));
            if !entry.write && entry.tag.mask() != 0 && !entry.tag.is_atomic() {
                reads |= 1 << index;
                if entry.tag.epoch_bits() == epoch_bits {
                    read |= entry.tag.mask();
                }
            }
            index += 1;
        }
        (reads, read)
    }
    /// Takes the entries of one reader from those that are left, at least one: its epoch bits, if it has read all of these bytes.
    #[inline(always)]
    fn next_reader(self, left: &mut u32, read: u8) -> Option<u32> {
        let reader = unpack(self.get(left.trailing_zeros() as usize))
            .tag
            .epoch_bits();
        let (mut others, mut all) = (*left, 0);
        while others != 0 {
            let index = others.trailing_zeros();
            others &= others - 1;
            let entry = unpack(self.get(index as usize));
            if entry.tag.epoch_bits() == reader {
                all |= entry.tag.mask();
                *left &= !(1 << index);
            }
        }
        (all & read == read).then_some(reader)
    }
    /// The site of all readers, and the write, if there is no more than one, where each reader has read these bytes, from one place, and keeps nothing to itself.
    #[inline(always)]
    pub(crate) fn readers_of_one_place(self, bytes: u8) -> Option<(Site, Option<Entry>)> {
        let (mut site, mut write) = (None, None);
        let mut index = 0;
        while index < self.room {
            let packed = self.get(index);
            index += 1;
            if packed == 0 {
                continue;
            }
            let old = unpack(packed);
            if old.tag.is_atomic() || packed & KEPT != 0 {
                return None;
            }
            if old.write {
                if write.is_some() {
                    return None;
                }
                write = Some(old);
            } else if old.tag.mask() != bytes || site.is_some_and(|site| site != old.site) {
                return None;
            } else {
                site = Some(old.site);
            }
        }
        Some((site?, write))
    }
    /// The epochs of those that [`Record::readers_as`] counts.
    pub(crate) fn epochs_as(self, epoch_bits: u32) -> impl Iterator<Item = EpochId> {
        let (mut left, read) = self.plain_reads(epoch_bits);
        let readers =
            std::iter::from_fn(move || (left != 0).then(|| self.next_reader(&mut left, read)));
        readers.flatten().map(|epoch_bits| EpochId(epoch_bits >> 1))
    }

    /// Whether the reads of its bytes and one more of these bytes cannot be a set, with what else is there: it says one write, and readers of the same
    /// bytes, or, if such `parts` are worth it, of different ones that are all of the word together.
    #[inline(always)]
    pub(crate) fn is_no_set(self, mask: u8, parts: bool) -> bool {
        let (mut writes, mut index) = (0, 0);
        let (mut parted, mut all) = (false, mask);
        while index < self.room {
            let packed = self.get(index);
            index += 1;
            if packed == 0 {
                continue;
            }
            let old = unpack(packed);
            if old.write {
                writes += 1;
            } else if old.tag.is_atomic() {
                return true;
            } else {
                let read = old.tag.mask();
                parted |= read != mask;
                all |= read;
            }
        }
        writes > 1 || parted && !(parts && all == 0xff)
    }

    /// Checks and makes an access, plain or `ATOMIC`, as [`crate::transition::apply`] does where accesses from different sites are different entries.
    /// Nothing was done if something that it conflicts with is not known to be ordered before it, if there is no room, or
    /// unless it joins whatever is there, if a read joins those of others, which may make a read set.
    #[inline(always)]
    pub(crate) fn make<const ATOMIC: bool>(
        self,
        new: Entry,
        ways: Ways,
        order: &mut impl Order,
    ) -> Result<Made, NotMade> {
        debug_assert!(new.tag.is_atomic() == ATOMIC);
        let kind = match (ATOMIC, new.write) {
            (false, false) => Access::Read,
            (false, true) => Access::Write,
            (true, false) => Access::AtomicRead,
            (true, true) => Access::AtomicWrite,
        };
        let (mask, epoch_bits) = (new.tag.mask(), new.tag.epoch_bits());
        // Entries that lose bytes, and those that are forgotten: a bit for each.
        let (mut losing, mut settled) = (0u32, 0u32);
        // Where there is nothing, or will be.
        let mut free = usize::MAX;
        // The entry that the access joins.
        let mut same = usize::MAX;
        let mut left = 0;
        // The bytes that the thread has written and read in this epoch, in this way.
        let (mut written, mut read) = (0u8, 0u8);
        let (mut forgot_read, mut forgot_own, mut forgot_other, mut kept) =
            (false, false, false, false);
        let mut turns = 0;
        // The last one first, so that the first place that is free is taken.
        let mut index = self.room;
        while index > 0 {
            index -= 1;
            let this = index;
            let packed = self.get(this);
            if packed == 0 {
                free = this;
                continue;
            }
            let old = unpack(packed);
            if packed & KEPT != 0 {
                // The access stands beside it.
                debug_assert!(!is_to_know(new, old, order.is_own(old.tag)));
                kept |= old.tag.mask() & mask != 0;
                left += 1;
                continue;
            }
            if ways.forgets && old.tag.epoch() != new.tag.epoch() && order.is_settled(old.tag) {
                settled |= 1 << this;
                forgot_read |= !old.write;
                free = this;
                continue;
            }
            let shared = old.tag.mask() & mask;
            let mut loses = false;
            if old.tag.epoch_bits() == epoch_bits {
                let all = if old.write { &mut written } else { &mut read };
                *all |= old.tag.mask();
                if old.write == new.write && old.site == new.site {
                    same = this;
                    forgot_read |= !old.write;
                    turns = turns.max(packed & TURNS);
                    continue;
                }
                // What the new one says is not said twice.
                loses = shared != 0 && (new.write || !old.write);
                if loses && !old.write {
                    turns = turns.max(packed & TURNS);
                }
            } else if shared != 0 {
                let of_old = old.access();
                let (checks, forgets) = (kind.conflicts(of_old), subsumes(kind, of_old));
                if checks || forgets {
                    // Not both: what a thread does in its present epoch is ordered.
                    if old.tag.epoch() == new.tag.epoch() || order.before(old.tag) {
                        loses = forgets;
                        let alike = old.tag.is_atomic() == ATOMIC && (ATOMIC || !old.write);
                        if forgets && alike {
                            let is_own = order.is_own(old.tag);
                            forgot_own |= is_own;
                            forgot_other |= !is_own;
                            turns = turns.max(packed & TURNS);
                        }
                    } else if checks {
                        return Err(NotMade::Open);
                    } else {
                        kept = true;
                    }
                }
            }
            if loses {
                losing |= 1 << this;
                forgot_read |= !old.write;
                if old.tag.mask() & !mask == 0 {
                    free = this;
                    continue;
                }
            }
            left += 1;
        }
        let tag = |mask| new.tag.with_mask(mask);
        let said = |written: u8, read: u8| {
            let write = if written == 0 {
                Tag::NONE
            } else {
                tag(written)
            };
            ShadowCell::tags(write, tag(written | read))
        };
        let there = if new.write { written } else { written | read };
        if there & mask == mask && !ways.rechecks {
            return Ok(Made {
                cell: said(written, read),
                alone: false,
                covered: true,
                among_readers: false,
                came_back: false,
                beside_others: kept,
            });
        }
        if !ATOMIC && kept && !forgot_read && !ways.joins {
            return Err(NotMade::Joins);
        }
        let mut all = mask;
        let place = if same != usize::MAX {
            all |= unpack(self.get(same)).tag.mask();
            same
        } else if free != usize::MAX {
            free
        } else {
            return Err(NotMade::Full);
        };
        while settled != 0 {
            self.set(settled.trailing_zeros() as usize, 0);
            settled &= settled - 1;
        }
        while losing != 0 {
            let this = losing.trailing_zeros() as usize;
            losing &= losing - 1;
            let old = self.get(this);
            let rest = old & !(mask as u64);
            self.set(this, if rest as u8 == 0 { 0 } else { rest });
        }
        let entry = Entry {
            tag: tag(all),
            ..new
        };
        let in_turns = !ATOMIC && !new.write && forgot_own && forgot_other;
        let comes_back = kept || in_turns && turns == TURNS;
        if in_turns && turns != TURNS {
            turns += 1 << TURNS_SHIFT;
        }
        if ATOMIC || new.write {
            turns = 0;
        }
        self.set(place, pack(entry) | turns);
        let cell = if new.write {
            said(written | mask, read)
        } else {
            said(written, read | mask)
        };
        Ok(Made {
            cell,
            alone: left == 0,
            covered: false,
            among_readers: (ATOMIC || !new.write) && kept && (forgot_own || ways.joins),
            came_back: (ATOMIC || !new.write) && comes_back && forgot_own,
            beside_others: kept,
        })
    }
}
