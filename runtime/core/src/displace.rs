//! The transition of a word that has spilled entries, or gets some, without unpacking it: what [`crate::transition::apply`] would
//! make of it if everything that the access meets is ordered before it. The new entry goes to the cell, what stood there
//! to the unit.

use crate::line::{Entry, Site};
use crate::slab::{Slab, Unit};
use crate::spilled::{self, MOST, SPILLED, Spilled};
use crate::tag::{ShadowCell, Tag};
use crate::transition::{Order, live};
use crate::word_sites::{CellSites, Live};

/// What the transition needs to know of the world.
pub(crate) trait World: Order {
    fn is_set(&self, tag: Tag) -> bool;
    /// How the sites of a word are kept.
    type Sites: CellSites;
    /// As [`crate::line::Judge::combine`], of the sites that are known by heart.
    fn combine(&mut self, old: (Site, u8), new: (Site, u8)) -> Option<Site>;
    /// The number of the word's sites from now on. With `None` it stays what it was.
    fn number(&mut self, sites: Self::Sites, live: Live) -> Option<u32>;
}

/// A spilled entry of the present epoch that the new access joins.
#[derive(Clone, Copy)]
struct Joined {
    mask: u8,
    site: Site,
}

/// What cell number `cell` becomes, and the number of its sites, by a plain access; `old` is a cell with tags whose sites are `sites`.
/// `first` is the first unit of the line, not 0. With `None`, nothing was done.
#[inline(always)]
pub(crate) fn displace<W: World>(
    (cell, old): (usize, ShadowCell),
    old_sites: W::Sites,
    (slab, first): (&Slab, u32),
    new: Entry,
    world: &mut W,
) -> Option<(ShadowCell, u32)> {
    let (w, r) = old.halves();
    if r.mask() == 0 {
        return None;
    }
    let (mask, present) = (new.tag.mask(), new.tag.epoch_bits());
    let copied = w.epoch_bits() == r.epoch_bits();
    // What the read tag says beyond the write's own bytes.
    let read_mask = if copied {
        r.mask() & !w.mask()
    } else {
        r.mask()
    };
    let forgets = |write: bool| new.write || !write;
    let mut joined: Option<Joined> = None;
    let mut sites = old_sites;
    let (mut own, mut removed, mut room) = (0, 0, 0);
    // Of the reads that are met: whether one is forgotten or joined, and whether one is kept, as its order is not known.
    let (mut forgot_read, mut kept_read) = (false, false);
    // Entries that are met, a bit for each: decided here once, because their own threads may make them later ones meanwhile
    // (`crate::refresh`, which finds out).
    let (mut met, mut bit) = (0u64, 1u64);
    let mut at = first;
    while at != 0 {
        let unit = slab.unit_unchecked(at);
        let head = unit.head();
        at = head.next();
        room += Unit::ROOM - head.len();
        let len = if head.has(cell) { head.len() } else { 0 };
        for index in 0..len {
            let this = bit;
            bit = bit.checked_shl(1).filter(|&next| next != 0)?;
            let entry = Spilled(unit.get(index));
            if entry.cell() != cell {
                continue;
            }
            own += 1;
            let (tag, write) = (entry.tag(), entry.is_write());
            if tag.epoch() == new.tag.epoch() {
                if tag.epoch_bits() != present || write != new.write || joined.is_some() {
                    return None;
                }
                joined = Some(Joined {
                    mask: tag.mask() & !mask,
                    site: entry.site(),
                });
                met |= this;
                removed += 1;
                forgot_read |= !write;
            } else if tag.mask() & mask != 0 {
                if !world.before(tag) {
                    if new.write || write {
                        return None;
                    }
                    kept_read = true;
                } else if forgets(write) {
                    met |= this;
                    forgot_read |= !write;
                    removed += (tag.mask() & !mask == 0) as usize;
                }
            }
        }
    }
    // What is spilled of the cell's write and read.
    let (mut write_left, mut read_left) = (0, 0);
    let next;
    let own_write = w != Tag::NONE && w.epoch_bits() == present;
    let own_read = read_mask != 0 && r.epoch_bits() == present;
    // Of the cell's read, what stays of the bytes that are read again.
    let mut read_again = 0;
    if own_read {
        forgot_read = true;
    } else if read_mask & mask != 0 {
        if world.before(r) {
            forgot_read = true;
        } else if new.write {
            return None;
        } else {
            read_again = read_mask & mask;
            kept_read = true;
        }
    }
    if kept_read && !forgot_read {
        // A reader joins others: that may make a read set.
        return None;
    }
    if !own_write && w.mask() & mask != 0 && !world.before(w) {
        return None;
    }
    if new.write {
        let mut all = mask;
        if own_write {
            all |= w.mask();
        } else {
            write_left = w.mask() & !mask;
        }
        let kept = read_mask & !mask;
        let kept_here = if own_read { kept } else { 0 };
        if let Some(old) = joined.filter(|old| old.mask != 0) {
            all |= old.mask;
            sites = sites.with((true, old.mask), old.site, (all & !mask, kept_here), world)?;
        }
        read_left = kept & !kept_here;
        let write = new.tag.with_mask(all);
        next = ShadowCell::tags(write, write.with_mask(all | kept_here));
    } else {
        if own_write && w.mask() & mask == mask {
            return None;
        }
        let mut all = mask;
        if own_read {
            all |= read_mask;
        } else {
            read_left = read_mask & !mask | read_again;
        }
        if let Some(old) = joined.filter(|old| old.mask != 0) {
            all |= old.mask;
            sites = sites.with((false, old.mask), old.site, (w.mask(), all & !mask), world)?;
        }
        let covered = if own_write { w.mask() } else { 0 };
        next = ShadowCell::tags(w, new.tag.with_mask(all | covered));
    }
    let of_next = live(next);
    sites = sites.with((new.write, mask), new.site, of_next, world)?;
    if read_left != 0 && world.is_set(r) {
        return None;
    }
    let mut spills = 0;
    for _ in old_sites.parts(true, write_left) {
        spills += 1;
    }
    for _ in old_sites.parts(false, read_left) {
        spills += 1;
    }
    let left = own - removed + spills;
    if room + removed < spills || left > MOST {
        return None;
    }
    let of_new = world.number(sites, of_next)?;
    bit = 1;
    let mut at = first;
    while at != 0 {
        let unit = slab.unit_unchecked(at);
        let head = unit.head();
        at = head.next();
        let len = if head.has(cell) { head.len() } else { 0 };
        for index in (0..len).rev() {
            if met & bit << index == 0 {
                continue;
            }
            let entry = Spilled(unit.get(index));
            let rest = entry.tag().mask() & !mask;
            if rest == 0 || entry.tag().epoch() == new.tag.epoch() {
                spilled::remove(unit, index, cell);
            } else {
                spilled::change(unit, index, entry.with_tag(entry.tag().with_mask(rest)));
            }
        }
        bit <<= len;
    }
    for (site, part) in old_sites.parts(true, write_left) {
        let (tag, write) = (w.with_mask(part), true);
        push(
            (slab, first),
            Spilled::new(cell, Entry { tag, write, site }),
        );
    }
    for (site, part) in old_sites.parts(false, read_left) {
        let (tag, write) = (r.with_mask(part), false);
        push(
            (slab, first),
            Spilled::new(cell, Entry { tag, write, site }),
        );
    }
    Some((next, of_new | if left > 0 { SPILLED } else { 0 }))
}

/// Adds an entry; some unit has room.
#[inline(always)]
fn push((slab, first): (&Slab, u32), entry: Spilled) {
    let (unit, room) = spilled::roomiest(slab, first, entry.cell());
    debug_assert!(room > 0, "room was counted");
    spilled::push(slab.unit_unchecked(unit), entry);
}
