//! The part of the short way ([`crate::quick`]) that holds the line's lock: for what changes sites, and for records.
//!
//! As there, nothing here may use vector registers.

use crate::epoch::EpochId;
use crate::kept::at;
use crate::line::{Entry, Parts, Sites};
use crate::line_sites;
use crate::primitive::Ordering;
use crate::primitive::shadow::AtomicU64;
use crate::quick::{Known, Short};
use crate::records::{Class, Made, NotMade, READERS, RECORD, Ways, class_of};
use crate::tag::{ShadowCell, Tag, has_half};
use crate::transition::live;

/// As [`record_under_lock`], of a plain access: what the line's word is to be, and what came of it.
#[inline(always)]
pub(crate) fn plain_under_lock(
    parts: Parts<'_>,
    known: &mut Known<'_, impl Sites>,
    word: (usize, ShadowCell, u32, u32),
    new: Entry,
) -> (u32, Short) {
    let (_, _, value, _) = word;
    record_under_lock::<false>(parts, known, word, (new, false)).unwrap_or((value, Short::State))
}

/// Makes an access, plain or `ATOMIC`, to a word in its record, or in one that it gets, under the line's lock: the line's word was `value`, the word's
/// number is `present` and its cell `old`. From now on the thread keeps it to itself if it `returns`, as it does if it came back among
/// others. What the line's word is to be, and what came of it; `None`, and nothing was done, if it is not one of the simple cases.
#[inline(always)]
pub(crate) fn record_under_lock<const ATOMIC: bool>(
    parts: Parts<'_>,
    known: &mut Known<'_, impl Sites>,
    (cell, old, value, present): (usize, ShadowCell, u32, u32),
    (new, returns): (Entry, bool),
) -> Option<(u32, Short)> {
    // SAFETY: the caller's cell is below 8.
    let (shadow, number) = unsafe {
        (
            parts.cells.get_unchecked(cell),
            parts.sites.get_unchecked(cell),
        )
    };
    let (slab, records) = (known.slab, &known.thread.records);
    let had_one = present & RECORD != 0;
    // Without a record, the bit is another one's.
    let of_readers = had_one && present & READERS != 0;
    let ways = Ways {
        // Readers come back, each to its own entry.
        joins: of_readers,
        forgets: records.is_used() && !of_readers,
        ..Ways::default()
    };
    if records.is_due() {
        return None;
    }
    if had_one && slab.record(present).has_kept() {
        let own = known.thread.slot;
        if (ATOMIC || !new.write) && known.epochs.kept.renew(own, at(shadow), new) {
            return Some((value, Short::Kept));
        }
        let record = slab.record(present);
        record.take_back(known.epochs, shadow, Some((own, new)));
    }
    let of_record = if had_one {
        present
    } else {
        let (_, r) = old.halves();
        // Nothing, a side record, freed, or a read set.
        let may_be_set = |old: ShadowCell| !old.is_parted() && live(old).1 != 0;
        if r.mask() == 0 || may_be_set(old) && known.epochs.is_set(r.epoch()) {
            return None;
        }
        let taken = records.take(Class::Small)?;
        let left = known.epochs.unsettled(old);
        slab.record(taken).take_cell(left, known.sites_of(present));
        taken
    };
    let mut tried = Tried {
        had_one,
        of_readers,
        of_record,
        outgrown: None,
        ways,
        joins_first: false,
        gives_way: false,
    };
    // The first way is no part of a loop, as in `quick::record`.
    let made = match slab.record(of_record).make::<ATOMIC>(new, ways, known) {
        Ok(made) => made,
        Err(why) => make_otherwise::<ATOMIC>((shadow, old), known, new, (why, &mut tried))?,
    };
    let records = &known.thread.records;
    let Tried {
        of_record,
        outgrown,
        joins_first,
        gives_way,
        ..
    } = tried;
    if let Some(outgrown) = outgrown {
        records.give(outgrown);
    }
    let returns = returns && !gives_way;
    let of_many = if made.came_back && !joins_first {
        records.of_readers(of_record, slab)
    } else {
        None
    };
    let next_number = match of_many {
        Some(of_many) => of_many,
        None if made.alone && !returns && records.give(of_record) => new.site,
        None => of_record,
    };
    let (mut next_cell, mut short) = (made.cell, Short::Recorded);
    if made.covered {
        short = Short::Covered;
    }
    // What is read in each epoch by all would have another set each time. Of smaller parts of a word there would be no end.
    let is_of_many = next_number & (RECORD | READERS) == RECORD | READERS
        || !ATOMIC && next_number & RECORD != 0 && has_half(new.tag.mask());
    let keeps = (ATOMIC || !new.write)
        && (is_of_many && made.came_back || returns)
        && keep(known, shadow, next_number, new);
    let mut next_number = next_number;
    if !ATOMIC
        && made.beside_others
        && !new.write
        && !keeps
        && next_number == of_record
        && of_record & READERS == 0
        && let (read, 2.., readers) = slab.record(of_record).readers_as(new.tag.epoch_bits())
    {
        // There is more to be kept than there is room for, and it may be that as much again has the same readers.
        let overflows = made.came_back
            && is_of_many
            && read == new.tag.mask()
            && (known.epochs.kept).is_full_for(known.thread.slot, at(shadow), new);
        let of_one_place = if overflows {
            slab.record(of_record).readers_of_one_place(read)
        } else {
            None
        };
        // The cell says of all of them what they have read, as long as the epoch of each lasts.
        match known.memos.sets.find(readers, known.epochs.recycled()) {
            Some(EpochId(0)) => {}
            Some(set) => {
                let read = Tag::new(set, false, read);
                next_cell = ShadowCell::tags(Tag::NONE, read);
                short = Short::Joined(read.with_mask(0xff));
                if let Some((site, write)) = of_one_place
                    && let Some(wanted) = known.pair(write.map_or(site, |write| write.site), site)
                    && records.give(of_record)
                {
                    next_cell = ShadowCell::tags(write.map_or(Tag::NONE, |write| write.tag), read);
                    next_number = wanted;
                }
            }
            // What is read in each epoch by all would have another set each time.
            None if !made.covered && of_one_place.is_none()
                || known.memos.first_joins.is_first_of(readers) => {}
            None => {
                short = Short::Merges;
                known.thread.gathers.set(of_one_place.is_some());
            }
        }
    }
    let mut next_value = value;
    if next_number != present {
        if value & line_sites::SPLIT == 0 {
            next_value = parts.split(value);
        }
        number.store(next_number, Ordering::Relaxed);
    }
    if !made.covered {
        next_value = line_sites::changed(next_value);
    }
    // Where others read as well, it would only be theirs again a moment later.
    if !made.among_readers || !of_readers {
        shadow.store(next_cell.0, Ordering::Relaxed);
    }
    Some((next_value, short))
}

/// How an access was tried that its word's record has no simple place for.
struct Tried {
    /// The word had a record before.
    had_one: bool,
    of_readers: bool,
    of_record: u32,
    /// The one before, of which this is a larger copy.
    outgrown: Option<u32>,
    ways: Ways,
    joins_first: bool,
    /// There are more who keep it to themselves than there is room for.
    gives_way: bool,
}

/// Makes an access by other ways than the first one, which has not made it and said `why`. `None`, and what was taken for it is given back, if none of them is simple.
#[inline(never)]
fn make_otherwise<const ATOMIC: bool>(
    (shadow, old): (&AtomicU64, ShadowCell),
    known: &mut Known<'_, impl Sites>,
    new: Entry,
    (mut why, tried): (NotMade, &mut Tried),
) -> Option<Made> {
    let (slab, had_one) = (known.slab, tried.had_one);
    loop {
        let record = slab.record(tried.of_record);
        let is_next = if why == NotMade::Joins && !tried.ways.joins {
            let thread = known.thread;
            let parts = thread.in_parts.are_worth_it(thread.counts.quick_accesses());
            let no_set = record.is_no_set(new.tag.mask(), parts);
            let is_first =
                || !known.of_many && known.memos.first_joins.is_first(old.halves().1, new.tag);
            tried.joins_first = !no_set && (had_one || is_first());
            tried.ways.joins = no_set || tried.joins_first;
            tried.ways.joins
        } else {
            false
        };
        let is_full = why == NotMade::Full;
        if is_next {
            // It joins whatever is there.
        } else if is_full && !tried.ways.forgets {
            tried.ways.forgets = true;
        } else if is_full && !tried.gives_way && class_of(tried.of_record) == Class::Huge {
            // What is ordered before it is forgotten then.
            tried.gives_way = true;
            record.take_back(known.epochs, shadow, None);
        } else if is_full
            && tried.outgrown.is_none()
            && let Some(larger) = known.thread.records.take_larger(tried.of_record)
        {
            // Readers may keep what it says to themselves, and do so on.
            let larger = if tried.of_readers {
                larger | READERS
            } else {
                larger
            };
            slab.record(larger).take_all(record);
            tried.outgrown = Some(tried.of_record);
            tried.of_record = larger;
        } else {
            let records = &known.thread.records;
            if tried.outgrown.is_some() {
                records.give(tried.of_record);
            }
            if !had_one {
                records.give(tried.outgrown.unwrap_or(tried.of_record));
            }
            return None;
        }
        match slab
            .record(tried.of_record)
            .make::<ATOMIC>(new, tried.ways, known)
        {
            Ok(made) => return Some(made),
            Err(next) => why = next,
        }
    }
}

/// The thread keeps an access to itself from now on that the record with this number says of the word with this cell, if it has room: whether it does.
#[inline(always)]
fn keep(known: &Known<'_, impl Sites>, shadow: &AtomicU64, number: u32, new: Entry) -> bool {
    let (kept, own) = (&known.epochs.kept, known.thread.slot);
    if kept.wants_table(own) {
        known.thread.would_keep.set(true);
    }
    known.slab.record(number).keep(kept, own, shadow, new)
}

/// Turns the cell from `old` to `next` under the line's lock, and the number of its sites from `present` to `wanted`; the line's word was
/// `value`.
#[inline(always)]
pub(crate) fn renumber(
    parts: Parts<'_>,
    (value, present): (u32, u32),
    cell: usize,
    (old, next): (ShadowCell, ShadowCell),
    wanted: u32,
) -> Short {
    // SAFETY: the caller's cell is below 8.
    let (shadow, number) = unsafe {
        (
            parts.cells.get_unchecked(cell),
            parts.sites.get_unchecked(cell),
        )
    };
    if !parts.lock_unchanged(value) {
        return Short::Locked;
    }
    let all_same = value & line_sites::SPLIT == 0;
    let unchanged = (all_same || number.load(Ordering::Relaxed) == present)
        && shadow.load(Ordering::Relaxed) == old.0;
    let mut next_value = value;
    if unchanged {
        if value == 0 {
            next_value = wanted;
        } else {
            if all_same {
                next_value = parts.split(value);
            }
            number.store(wanted, Ordering::Relaxed);
        }
        shadow.store(next.0, Ordering::Relaxed);
    }
    // Release: as `Line`'s end.
    parts.word.store(next_value, Ordering::Release);
    if unchanged {
        Short::Recorded
    } else {
        Short::Locked
    }
}
