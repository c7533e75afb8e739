//! What an access does to what is remembered of a word: the rule on a list of entries, and the same for the common shapes of
//! a cell without unpacking it.

use crate::event::Access;
use crate::line::{Conflict, Entry, Judge, Relation};
use crate::tag::{ShadowCell, Tag};

/// Whether every access that conflicts with an `old` one of the same bytes also conflicts with a `new` one.
pub(crate) fn subsumes(new: Access, old: Access) -> bool {
    use Access::*;
    match new {
        Write => true,
        Read => matches!(old, Read | AtomicRead),
        AtomicWrite => matches!(old, AtomicWrite | AtomicRead),
        AtomicRead => old == AtomicRead,
    }
}

/// Outcome of [`apply`].
#[derive(Debug, PartialEq, Eq)]
pub enum Applied {
    /// The access was already covered.
    Nothing,
    Changed,
    /// Changed, by adding bytes to an entry of the same epoch and nothing else.
    Merged,
    Undecided(Tag),
}

/// The transition on a list of entries: check, forget what is subsumed, record. `rechecks`: even if the same access is
/// there already. `parts`: bytes that are accessed in one epoch from several sites are an entry for each site, instead of one whose sites
/// are combined.
pub fn apply(
    entries: &mut Vec<Entry>,
    new: Entry,
    (cell, rechecks, parts): (usize, bool, bool),
    judge: &mut impl Judge,
    conflicts: &mut Vec<Conflict>,
) -> Applied {
    let mask = new.tag.mask();
    let kind = new.access();
    let covers = |old: &Entry| {
        old.tag.epoch() == new.tag.epoch()
            && old.tag.mask() & mask == mask
            && subsumes(old.access(), kind)
            && !(rechecks && old.write == new.write)
    };
    if entries.iter().any(covers) {
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
    let joins =
        |old: &Entry| old.write == new.write && old.tag.epoch_bits() == new.tag.epoch_bits();
    if parts && entries.iter().any(joins) {
        match entries
            .iter_mut()
            .find(|old| joins(old) && old.site == new.site)
        {
            Some(same) => same.tag = same.tag.with_mask(same.tag.mask() | mask),
            None => {
                // What the new one says is not said twice.
                for old in entries.iter_mut().filter(|old| joins(old)) {
                    old.tag = old.tag.with_mask(old.tag.mask() & !mask);
                }
                entries.retain(|old| old.tag.mask() != 0);
                entries.push(new);
            }
        }
        return Applied::Merged;
    }
    match entries.iter_mut().find(|old| joins(old)) {
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

/// Whose sites change with a transition by [`quick`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// The new site is that of everything the cell holds.
    Cell,
    /// The new site is that of the write; a read beside it stays.
    Write,
    /// The new site is that of the read.
    Read,
    /// Bytes with the new site join the cell's write.
    JoinsWrite,
    /// Bytes with the new site join the cell's read.
    JoinsRead,
    /// The cell is parted now, and the new site that of its newer access; the earlier one's is what was the write's, or the earlier one's.
    BesideFirst,
    /// The same, and the earlier one's is what was the read's, or the newer one's.
    BesideSecond,
    /// Bytes with the new site join the newer access of a parted cell.
    JoinsNewer,
    /// Nothing changes: the access was made already.
    Made,
}

/// The bytes of a cell with tags that its write says, and those that its read says beyond them.
#[inline(always)]
pub(crate) fn live(cell: ShadowCell) -> (u8, u8) {
    debug_assert!(!cell.is_parted());
    let (w, r) = cell.halves();
    let copied = w.epoch_bits() == r.epoch_bits();
    let read = if copied {
        r.mask() & !w.mask()
    } else {
        r.mask()
    };
    (w.mask(), read)
}

/// What is known of the order of accesses.
pub trait Order {
    /// Whether the accesses of a tag are ordered before the present one, as far as that is known; of a read set perhaps those of all readers.
    fn before(&mut self, tag: Tag) -> bool;
    /// The same of a read set, where [`Order::before`] says nothing of these.
    fn set_before(&mut self, _tag: Tag) -> bool {
        false
    }
    /// Whether the accesses of a tag are the thread's own, as far as that is known; no for a read set.
    fn is_own(&mut self, _tag: Tag) -> bool {
        false
    }
    /// Whether nothing can race any more with the accesses of a tag, as far as that is known; no for a read set.
    fn is_settled(&mut self, _tag: Tag) -> bool {
        false
    }
}

/// What there is to remember of a write beside a read that comes after it: nothing if nothing can race with it any more. What one thread has built and others read
/// then has the sites of its readers alone: of trees and tables these are the same for all words, or for all readers of a word ([`crate::steps`]).
#[inline(always)]
pub(crate) fn beside_read(w: Tag, order: &mut impl Order) -> Tag {
    if w != Tag::NONE && order.is_settled(w) {
        Tag::NONE
    } else {
        w
    }
}

/// The transition of a cell with tags by a plain access that everything it meets is ordered before; `None` is for [`apply`] to
/// decide.
#[inline(always)]
pub fn quick(
    old: ShadowCell,
    new: Tag,
    write: bool,
    order: &mut impl Order,
) -> Option<(ShadowCell, Placed)> {
    if old == ShadowCell::EMPTY {
        let written = if write { new } else { Tag::NONE };
        return Some((ShadowCell::tags(written, new), Placed::Cell));
    }
    let (w, r) = old.halves();
    if r.mask() == 0 {
        // A side record, or freed.
        return None;
    }
    if old.is_parted() {
        return parted(old, new, write, order);
    }
    let mask = new.mask();
    let copied = w.epoch_bits() == r.epoch_bits();
    // What the read tag says beyond the write's own bytes.
    let read_mask = if copied {
        r.mask() & !w.mask()
    } else {
        r.mask()
    };
    if write {
        let (own_write, own_read) = (
            w.epoch_bits() == new.epoch_bits(),
            r.epoch_bits() == new.epoch_bits(),
        );
        if (w.mask() | read_mask) & !mask == 0 {
            // A read that is remembered beside a plain write of the same bytes came after the write: where it did not, that was a race.
            // So what comes after the read comes after both. (An atomic write leaves earlier plain reads as they are.)
            let read_after = w.mask() & !read_mask == 0 && !w.is_atomic();
            let ordered = if copied {
                order.before(w)
            } else {
                (order.before(r) || order.set_before(r))
                    && (w == Tag::NONE || read_after || order.before(w))
            };
            return ordered.then(|| (ShadowCell::tags(new, new), Placed::Cell));
        }
        if !own_write
            && is_half(mask)
            && w.mask() | mask == 0xff
            && read_mask & !mask == 0
            && !w.is_atomic()
        {
            // What is left of an earlier write is all that the new one does not say.
            let stays = w.mask() & !mask;
            let ordered = (w.mask() == stays || order.before(w))
                && (read_mask == 0 || order.before(r) || order.set_before(r));
            let next = || ShadowCell::parted(w.with_mask(stays), new, true);
            return ordered.then(|| (next(), Placed::BesideFirst));
        }
        if !own_read {
            return None;
        }
        // Of what this thread has read in this epoch, the bytes that it has not written stay read.
        let (written, placed) = if own_write {
            (w.mask() | mask, Placed::JoinsWrite)
        } else if w.mask() & !mask == 0 && (w == Tag::NONE || order.before(w)) {
            (mask, Placed::Write)
        } else {
            return None;
        };
        let next = ShadowCell::tags(new.with_mask(written), new.with_mask(written | r.mask()));
        return Some((next, placed));
    }
    // As for a write: what comes after the read that this one takes the place of comes after the write as well.
    let read_after = read_mask & !mask == 0 && w.mask() & mask & !read_mask == 0 && !w.is_atomic();
    if w.mask() & mask != 0 && !read_after && !order.before(w) {
        return None;
    }
    if read_mask & !mask == 0 {
        if read_mask != 0 && !order.before(r) && !order.set_before(r) {
            return None;
        }
        let w = beside_read(w, order);
        let (mask, placed) = if w == Tag::NONE {
            (mask, Placed::Cell)
        } else if w.epoch_bits() == new.epoch_bits() {
            (mask | w.mask(), Placed::Read)
        } else {
            (mask, Placed::Read)
        };
        return Some((ShadowCell::tags(w, new.with_mask(mask)), placed));
    }
    if r.epoch_bits() == new.epoch_bits() {
        let read = r.with_mask(r.mask() | mask);
        return Some((ShadowCell::tags(w, read), Placed::JoinsRead));
    }
    if w == Tag::NONE
        && is_half(mask)
        && r.mask() | mask == 0xff
        && !r.is_atomic()
        && (order.is_own(r) || order.before(r) && !order.set_before(r))
    {
        let stays = r.with_mask(r.mask() & !mask);
        return Some((ShadowCell::parted(stays, new, false), Placed::BesideSecond));
    }
    None
}

/// Whether these are the bytes of one half of a word: parted cells are made of these alone, as bytes come from so many places that the names of their sites
/// would take more than records do.
#[inline(always)]
pub(crate) fn is_half(mask: u8) -> bool {
    mask == 0x0f || mask == 0xf0
}

/// As [`quick`], of a parted cell.
#[inline(always)]
fn parted(
    old: ShadowCell,
    new: Tag,
    write: bool,
    order: &mut impl Order,
) -> Option<(ShadowCell, Placed)> {
    let (earlier, newer, of_writes) = old.parts();
    let mask = new.mask();
    let is_own = |tag: Tag| tag.epoch_bits() == new.epoch_bits();
    let covers = |tag: Tag| is_own(tag) && mask & !tag.mask() == 0;
    if (of_writes || !write) && (covers(newer) || covers(earlier)) {
        return Some((old, Placed::Made));
    }
    let whole = mask == 0xff;
    if of_writes != write && !(write && whole) {
        return None;
    }
    let mut ordered = |tag: Tag| tag.mask() & mask == 0 || order.before(tag);
    if !ordered(newer) || !ordered(earlier) {
        return None;
    }
    let alone = |mask: u8| {
        let tag = new.with_mask(mask);
        ShadowCell::tags(if write { tag } else { Tag::NONE }, tag)
    };
    if whole {
        return Some((alone(mask), Placed::Cell));
    }
    if is_own(earlier) {
        return None;
    }
    if is_own(newer) {
        let all = newer.mask() | mask;
        let next = if all == 0xff {
            alone(all)
        } else if !is_half(all) {
            return None;
        } else {
            ShadowCell::parted(earlier.with_mask(!all), new.with_mask(all), write)
        };
        return Some((next, Placed::JoinsNewer));
    }
    if !is_half(mask) {
        return None;
    }
    let (stays, placed) = match (newer.mask() & !mask, earlier.mask() & !mask) {
        (0, _) => (earlier, Placed::BesideFirst),
        (_, 0) => (newer, Placed::BesideSecond),
        _ => return None,
    };
    let stays = stays.with_mask(!mask);
    Some((ShadowCell::parted(stays, new, write), placed))
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::epoch::EpochId;

    /// All is ordered, and some epochs are settled.
    struct Settled(&'static [u32]);
    impl Order for Settled {
        fn before(&mut self, _: Tag) -> bool {
            true
        }
        fn is_settled(&mut self, tag: Tag) -> bool {
            self.0.contains(&tag.epoch().0)
        }
    }

    /// A read by another thread, and one in place of an earlier read: the write stays as long as something can race with it.
    #[test]
    fn a_settled_write_is_not_remembered_beside_a_read() {
        let tag = |epoch: u32, mask: u8| Tag::new(EpochId(epoch), false, mask);
        let (w, read) = (tag(2, 0xff), tag(6, 0xff));
        for (old, settled, left, placed) in [
            ((w, w), &[][..], w, Placed::Read),
            ((w, w), &[2][..], Tag::NONE, Placed::Cell),
            ((w, tag(4, 0xff)), &[4][..], w, Placed::Read),
            ((w, tag(4, 0xff)), &[2, 4][..], Tag::NONE, Placed::Cell),
            (
                (tag(6, 0xff), tag(4, 0xff)),
                &[2, 4][..],
                tag(6, 0xff),
                Placed::Read,
            ),
        ] {
            let next = quick(
                ShadowCell::tags(old.0, old.1),
                read,
                false,
                &mut Settled(settled),
            );
            assert_eq!(
                next,
                Some((ShadowCell::tags(left, read), placed)),
                "{old:?} {settled:?}"
            );
        }
    }
}
