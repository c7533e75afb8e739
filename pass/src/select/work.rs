//! What `select` asks of `emit`.

use goldilocks_core::abi::{AtomicOp, Hook, Order};

use crate::llvm::Value;

/// Something to insert.
#[derive(Clone, Copy)]
pub enum Work<'m> {
    Check(Check<'m>),
    Range(Range<'m>),
    Lanes(Lanes<'m>),
    VirtualTable(VirtualTable<'m>),
    /// Replace a memory intrinsic by a call of the runtime.
    Replace(Value<'m>, Hook),
    /// Prefetch the shadow of what this intrinsic prefetches.
    Prefetch(Value<'m>),
    Atomic(Atomic<'m>),
    Fence(Value<'m>, Order),
}

impl<'m> Work<'m> {
    /// The instruction that it is for, or before which it is done.
    pub fn before(&self) -> Value<'m> {
        match self {
            Work::Check(check) => check.before,
            Work::Range(range) => range.before,
            Work::Lanes(lanes) => lanes.before,
            Work::VirtualTable(store) => store.check.before,
            Work::Replace(intrinsic, _) | Work::Prefetch(intrinsic) => *intrinsic,
            Work::Atomic(atomic) => atomic.instruction,
            Work::Fence(fence, _) => *fence,
        }
    }

    /// The values that are needed to do it, besides what its instruction has itself.
    pub fn values(&mut self) -> Vec<&mut Value<'m>> {
        match self {
            Work::Check(check) => vec![&mut check.address],
            Work::Range(range) => {
                let mut values = vec![&mut range.address, &mut range.bytes];
                values.extend(range.rows.as_mut().map(|rows| &mut rows.count));
                values
            }
            Work::Lanes(lanes) => {
                let mut values = vec![&mut lanes.address, &mut lanes.mask];
                if let Shape::Indexed { index, .. } = &mut lanes.shape {
                    values.push(index);
                }
                values
            }
            Work::VirtualTable(store) => {
                let mut values = vec![&mut store.check.address];
                values.extend(&mut store.value);
                values
            }
            Work::Atomic(atomic) => vec![&mut atomic.address],
            Work::Replace(..) | Work::Prefetch(_) | Work::Fence(..) => Vec::new(),
        }
    }
}

/// A check of a known number of bytes.
#[derive(Clone, Copy)]
pub struct Check<'m> {
    /// The check is inserted before this instruction,
    pub before: Value<'m>,
    /// and belongs to the position in the source of this one.
    pub source: Value<'m>,
    pub address: Value<'m>,
    pub bytes: u64,
    pub write: bool,
    pub low: LowBits,
}

/// A check of a number of bytes that is known at run time.
#[derive(Clone, Copy)]
pub struct Range<'m> {
    /// As in [`Check`].
    pub before: Value<'m>,
    pub source: Value<'m>,
    pub address: Value<'m>,
    /// An integer of any width.
    pub bytes: Value<'m>,
    pub write: bool,
    /// There are several of them.
    pub rows: Option<Rows<'m>>,
}

/// So many ranges, each at the same distance from the one before.
#[derive(Clone, Copy)]
pub struct Rows<'m> {
    /// An integer of 64 bits.
    pub count: Value<'m>,
    /// Bytes.
    pub stride: i64,
}

/// A store of pointers to virtual tables: of one, or of several next to each other in a vector.
#[derive(Clone, Copy)]
pub struct VirtualTable<'m> {
    /// The check that it would be if it were any store.
    pub check: Check<'m>,
    /// What is stored, unless that does not matter, because a constructor stores it.
    pub value: Option<Value<'m>>,
    /// Pointers that are stored.
    pub count: u32,
}

/// A vector access of some lanes only.
#[derive(Clone, Copy)]
pub struct Lanes<'m> {
    pub before: Value<'m>,
    /// A pointer to the first lane, or a vector of pointers; with indices, what they are added to.
    pub address: Value<'m>,
    /// A vector of bits, or of numbers whose sign bits count; or an integer, a bit of which is a lane from the lowest on.
    pub mask: Value<'m>,
    /// Bytes of a lane.
    pub bytes: u64,
    pub lanes: u32,
    pub shape: Shape<'m>,
    pub write: bool,
}

/// Where the lanes of a vector access are in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape<'m> {
    /// Each at its number.
    Masked,
    /// Each at a pointer of its own.
    Scattered,
    /// The active ones one after the other.
    Packed,
    /// Each at an index of its own, in units of `scale` bytes.
    Indexed { index: Value<'m>, scale: u64 },
}

/// An atomic instruction, which stays as it is and is bracketed.
#[derive(Clone, Copy)]
pub struct Atomic<'m> {
    pub instruction: Value<'m>,
    pub address: Value<'m>,
    pub operation: AtomicOp,
}

/// What is known of the three lowest bits of an address, which say where in its 8-byte word it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LowBits {
    zeros: u8,
    ones: u8,
}

impl LowBits {
    /// From the bits known to be 0 and known to be 1, and an alignment in bytes.
    pub fn new((zeros, ones): (u8, u8), alignment: u64) -> LowBits {
        let aligned = (alignment.min(8) - 1) as u8;
        LowBits {
            zeros: (zeros | aligned) & 7,
            ones: ones & 7 & !aligned,
        }
    }

    /// Offset of the address within its word, if it is known.
    pub fn offset(self) -> Option<u64> {
        (self.zeros | self.ones == 7).then_some(u64::from(self.ones))
    }

    /// What the address is known to be a multiple of, up to 8.
    pub fn alignment(self) -> u64 {
        1 << self.zeros.trailing_ones().min(3)
    }

    /// The largest offset that it may have.
    pub fn largest_offset(self) -> u64 {
        u64::from(!self.zeros & 7)
    }
}
