//! The transition of a word that has spilled entries, or gets some, without unpacking it: what [`crate::transition::apply`] would
//! make of it if everything that the access meets is ordered before it. The new entry goes to the cell, what stood there
//! to the unit.

use crate::line::{Entry, Site};
use crate::slab::{Slab, Unit};
use crate::spilled::{self, MOST, SPILLED, Spilled};
use crate::tag::{ShadowCell, Tag};
use crate::transition::Order;

/// What the transition needs to know of the world.
pub(crate) trait World: Order {
    fn is_set(&self, tag: Tag) -> bool;
    /// As [`crate::line::Judge::combine`], of the sites that are known by heart.
    fn combine(&mut self, old: Site, old_mask: u8, new: Site, new_mask: u8) -> Option<Site>;
    /// The number of two sites, likewise.
    fn number(&mut self, write: Site, read: Site) -> Option<u32>;
}

/// An entry of the present epoch that the new access joins.
#[derive(Clone, Copy)]
struct Joined {
    mask: u8,
    site: Site,
}

/// What cell number `cell` becomes, and the number of its sites, by a plain access; `old` is a cell with tags whose sites are `sites`.
/// `first` is the first unit of the line, not 0. With `None`, nothing was done.
#[inline(always)]
pub(crate) fn displace(
    (cell, old): (usize, ShadowCell),
    sites: (Site, Site),
    (slab, first): (&Slab, u32),
    new: Entry,
    world: &mut impl World,
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
                if tag.epoch_bits() != present || write != new.write {
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
    let of_new;
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
        if own_write {
            joined = Some(Joined {
                mask: w.mask() & !mask,
                site: sites.0,
            });
        } else {
            write_left = w.mask() & !mask;
        }
        let (all, site) = join(joined, mask, new.site, world)?;
        let write = new.tag.with_mask(all);
        let kept = read_mask & !mask;
        if own_read && kept != 0 {
            next = ShadowCell::tags(write, write.with_mask(all | kept));
            of_new = world.number(site, sites.1)?;
        } else {
            read_left = kept;
            next = ShadowCell::tags(write, write);
            of_new = site;
        }
    } else {
        if own_write && w.mask() & mask == mask {
            return None;
        }
        if own_read {
            joined = Some(Joined {
                mask: read_mask & !mask,
                site: sites.1,
            });
        } else {
            read_left = read_mask & !mask | read_again;
        }
        let (all, site) = join(joined, mask, new.site, world)?;
        let covered = if own_write { w.mask() } else { 0 };
        next = ShadowCell::tags(w, new.tag.with_mask(all | covered));
        of_new = if w == Tag::NONE {
            site
        } else {
            world.number(sites.0, site)?
        };
    }
    if read_left != 0 && world.is_set(r) {
        return None;
    }
    let spills = (write_left != 0) as usize + (read_left != 0) as usize;
    let left = own - removed + spills;
    if room + removed < spills || left > MOST {
        return None;
    }
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
    if write_left != 0 {
        let (tag, site) = (w.with_mask(write_left), sites.0);
        let write = true;
        push(
            (slab, first),
            Spilled::new(cell, Entry { tag, write, site }),
        );
    }
    if read_left != 0 {
        let (tag, site) = (r.with_mask(read_left), sites.1);
        let write = false;
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

/// Bytes and site of the new entry together with what it joins.
#[inline(always)]
fn join(
    joined: Option<Joined>,
    mask: u8,
    site: Site,
    world: &mut impl World,
) -> Option<(u8, Site)> {
    match joined {
        Some(old) if old.mask != 0 && old.site != site => {
            let both = world.combine(old.site, old.mask, site, mask)?;
            Some((old.mask | mask, both))
        }
        Some(old) => Some((old.mask | mask, site)),
        None => Some((mask, site)),
    }
}
