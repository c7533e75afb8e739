//! Tags and shadow cells: the packed words that compiled code compares.

use crate::epoch::EpochId;

/// 8 mask bits (bit i: byte i of the word) and a 24-bit epoch: the [`EpochId`] and, lowest, whether the access was atomic.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tag(pub u32);

impl Tag {
    /// No access.
    pub const NONE: Tag = Tag(0);
    /// What the thread-local tag is when the next access must take the slow path: its epoch is never handed out.
    pub const NEVER: Tag = Tag(u32::MAX);

    pub const fn new(epoch: EpochId, atomic: bool, mask: u8) -> Tag {
        Tag((epoch.0 << 1 | atomic as u32) << 8 | mask as u32)
    }
    pub const fn mask(self) -> u8 {
        self.0 as u8
    }
    /// Epoch id and atomic bit as one number, to compare.
    pub const fn epoch_bits(self) -> u32 {
        self.0 >> 8
    }
    pub const fn epoch(self) -> EpochId {
        EpochId(self.0 >> 9)
    }
    pub const fn is_atomic(self) -> bool {
        self.0 & 0x100 != 0
    }
    pub const fn with_mask(self, mask: u8) -> Tag {
        Tag(self.0 & !0xff | mask as u32)
    }
    /// SC0: whether an access of bytes `mask` under the thread-local tag `present` was made already.
    pub const fn covers(self, present: Tag, mask: u8) -> bool {
        (self.0 ^ present.0) & (0xffff_ff00 | mask as u32) == 0
    }
}

/// Whether all bytes of one of a word's halves are among these.
#[inline(always)]
pub(crate) const fn has_half(mask: u8) -> bool {
    mask & 0x0f == 0x0f || mask & 0xf0 == 0xf0
}

/// The shadow of 8 bytes: `[write tag | read tag]`, the write tag at the lower address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShadowCell(pub u64);

/// What a cell says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// At most one write and one read, each with its bytes. A read tag with the write tag's epoch counts as the write's
    /// where the masks overlap.
    Tags { write: Tag, read: Tag },
    /// Two plain accesses of one kind, writes or reads, in different epochs: `newer` to some of the word's bytes, and `earlier` to all others.
    Parted {
        earlier: Tag,
        newer: Tag,
        write: bool,
    },
    /// Everything is in the side record with this index.
    Side(u32),
    /// The block was freed in this epoch.
    Freed(EpochId),
}

/// Read half of a cell whose block was freed: an empty mask and this epoch.
const FREED: u32 = 1 << 8;
/// Read half of a cell with a side record: an empty mask and this bit.
const SIDE: u32 = 1 << 31;
const SIDE_LOW_BITS: u32 = 23;
/// Write half of a parted cell, beside an empty mask and the epoch of the earlier access: both are reads.
const OF_READS: u32 = 1 << 8;

impl ShadowCell {
    pub const EMPTY: ShadowCell = ShadowCell(0);
    /// Side record indices are below this.
    pub const SIDE_LIMIT: u32 = 1 << 30;

    pub const fn tags(write: Tag, read: Tag) -> ShadowCell {
        ShadowCell(write.0 as u64 | (read.0 as u64) << 32)
    }
    pub const fn side(index: u32) -> ShadowCell {
        debug_assert!(index < Self::SIDE_LIMIT);
        let low = index & ((1 << SIDE_LOW_BITS) - 1);
        Self::tags(Tag(index >> SIDE_LOW_BITS << 8), Tag(SIDE | low << 8))
    }
    /// A cell that says two plain accesses of one kind, the earlier one of all bytes that are not the newer one's.
    ///
    /// The newer one is where a read looks, which it covers in its epoch, whichever kind it is. Where a write looks there is no byte.
    pub const fn parted(earlier: Tag, newer: Tag, write: bool) -> ShadowCell {
        debug_assert!(newer.mask() != 0 && earlier.mask() == !newer.mask() && earlier.mask() != 0);
        debug_assert!(!earlier.is_atomic() && !newer.is_atomic());
        let of_reads = if write { 0 } else { OF_READS };
        Self::tags(Tag(earlier.0 & !0xff | of_reads), newer)
    }
    /// Whether the cell is one of these ([`Form::Parted`]).
    #[inline(always)]
    pub const fn is_parted(self) -> bool {
        let (write, read) = self.halves();
        write.mask() == 0 && write.0 != 0 && read.mask() != 0
    }
    /// The earlier and the newer access of such a cell, and whether they are writes.
    #[inline(always)]
    pub(crate) const fn parts(self) -> (Tag, Tag, bool) {
        let (write, newer) = self.halves();
        let earlier = Tag(write.0 & !(0xff | OF_READS) | !newer.mask() as u32);
        (earlier, newer, write.0 & OF_READS == 0)
    }
    pub const fn freed(epoch: EpochId) -> ShadowCell {
        Self::tags(Tag::new(epoch, false, 0), Tag(FREED))
    }
    /// Write tag and read tag, as they stand; what they mean depends on the [`Form`].
    pub const fn halves(self) -> (Tag, Tag) {
        (Tag(self.0 as u32), Tag((self.0 >> 32) as u32))
    }
    /// Whether the cell refers to a side record.
    pub const fn is_side(self) -> bool {
        let (_, read) = self.halves();
        read.mask() == 0 && read.0 & SIDE != 0
    }
    /// The first unit of a side record, of a cell that refers to one.
    #[inline(always)]
    pub(crate) const fn first_unit(self) -> u32 {
        let (write, read) = self.halves();
        write.epoch_bits() << SIDE_LOW_BITS | read.epoch_bits() & ((1 << SIDE_LOW_BITS) - 1)
    }
    pub const fn form(self) -> Form {
        let (write, read) = self.halves();
        if self.is_parted() {
            let (earlier, newer, write) = self.parts();
            Form::Parted {
                earlier,
                newer,
                write,
            }
        } else if read.mask() != 0 || self.0 == 0 {
            // A write sets both tags, so a cell with tags always has a read mask.
            Form::Tags { write, read }
        } else if read.0 & SIDE != 0 {
            Form::Side(self.first_unit())
        } else {
            Form::Freed(write.epoch())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_survive_the_round_trip() {
        for index in [0, 1, (1 << 23) - 1, 1 << 23, ShadowCell::SIDE_LIMIT - 1] {
            assert_eq!(ShadowCell::side(index).form(), Form::Side(index));
        }
        let epoch = EpochId((1 << 23) - 2);
        assert_eq!(ShadowCell::freed(epoch).form(), Form::Freed(epoch));
        for write in [false, true] {
            for mask in 1..0xff {
                let newer = Tag::new(EpochId(77), false, mask);
                let earlier = Tag::new(epoch, false, !mask);
                let form = Form::Parted {
                    earlier,
                    newer,
                    write,
                };
                assert_eq!(ShadowCell::parted(earlier, newer, write).form(), form);
            }
        }
        let tag = Tag::new(epoch, true, 0x3c);
        assert_eq!(
            ShadowCell::tags(Tag::NONE, tag).form(),
            Form::Tags {
                write: Tag::NONE,
                read: tag
            }
        );
        assert_eq!(
            (tag.epoch(), tag.is_atomic(), tag.mask()),
            (epoch, true, 0x3c)
        );
    }

    /// Compiled code finds in a parted cell what the newer access covers for a read, and nothing for a write.
    #[test]
    fn of_parted_cells_compiled_code_finds_the_newer_access() {
        let present = Tag::new(EpochId(5), false, 0xff);
        let other = Tag::new(EpochId(6), false, 0xff);
        for mask in [0x0f, 0xf0, 0x01, 0xfe] {
            for (write, is_newer) in [(false, false), (false, true), (true, false), (true, true)] {
                let (earlier, newer) = if is_newer {
                    (other, present)
                } else {
                    (present, other)
                };
                let (earlier, newer) = (earlier.with_mask(!mask), newer.with_mask(mask));
                let (w, r) = ShadowCell::parted(earlier, newer, write).halves();
                for byte in (0..8).map(|bit| 1 << bit) {
                    assert!(!w.covers(present, byte));
                    assert_eq!(r.covers(present, byte), is_newer && mask & byte != 0);
                }
            }
        }
    }

    #[test]
    fn references_match_no_access() {
        let present = Tag::new(EpochId(5), false, 0xff);
        for cell in [
            ShadowCell::side(5 << 1),
            ShadowCell::side(10 | 5 << 23),
            ShadowCell::freed(EpochId(5)),
        ] {
            for bit in 0..8 {
                for half in [cell.0 as u32, (cell.0 >> 32) as u32] {
                    assert!(!Tag(half).covers(present, 1 << bit));
                    assert!(!Tag(half).covers(Tag::NEVER, 1 << bit));
                }
            }
        }
    }
}
