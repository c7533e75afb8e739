//! Checks of ranges, memory intrinsics, and vector accesses of some lanes.

use goldilocks_core::abi::{self, Hook};

use super::Emitter;
use crate::llvm::Value;
use crate::select::{Lanes, Range, Shape};

impl<'m> Emitter<'m, '_> {
    pub(super) fn range(&mut self, range: &Range<'m>) {
        self.place(range.before, range.before);
        let bytes = self.builder.resize(range.bytes, 64);
        self.hook(range_hook(range.write), &[range.address, bytes]);
    }

    /// Puts a call of the runtime in the place of a memory intrinsic. Both have the same arguments, up to integer
    /// widths and a flag at the end.
    pub(super) fn replace(&mut self, intrinsic: Value<'m>, hook: Hook) {
        self.place(intrinsic, intrinsic);
        let arguments: Vec<_> = hook
            .parameters
            .iter()
            .zip(0..)
            .map(|(ty, number)| match ty {
                abi::Type::I32 => self.builder.resize(intrinsic.operand(number), 32),
                abi::Type::I64 => self.builder.resize(intrinsic.operand(number), 64),
                _ => intrinsic.operand(number),
            })
            .collect();
        self.hook(hook, &arguments);
        // SAFETY: these intrinsics return nothing that could be used, and the list of works names each once.
        unsafe { intrinsic.erase() };
    }

    /// Exactly the lanes that are accessed: a range per lane, which is empty if the lane is not active. Where they
    /// are next to each other and all are active, as is most often the case, they are one range.
    pub(super) fn lanes(&mut self, lanes: &Lanes<'m>) {
        self.place(lanes.before, lanes.before);
        let b = &self.builder;
        let hook = range_hook(lanes.write);
        let none = b.constant(64, 0);
        match lanes.shape {
            Shape::Packed => {
                let active = b.population(b.bits_of(lanes.mask, lanes.lanes), lanes.lanes);
                let bytes = b.multiply(b.resize(active, 64), b.constant(64, lanes.bytes));
                self.hook(hook, &[lanes.address, bytes]);
            }
            Shape::Masked => {
                let bits = b.bits_of(lanes.mask, lanes.lanes);
                let partial = b.different(bits, self.all(lanes.lanes));
                let whole = b.constant(64, lanes.bytes * u64::from(lanes.lanes));
                self.hook(hook, &[lanes.address, b.select(partial, none, whole)]);
                b.enter_unlikely(partial, lanes.before);
                for lane in 0..lanes.lanes {
                    let address = b.offset(lanes.address, (lanes.bytes * u64::from(lane)) as i64);
                    self.lane(lanes, hook, lane, address);
                }
            }
            Shape::Scattered => {
                for lane in 0..lanes.lanes {
                    let address = b.lane(lanes.address, lane);
                    self.lane(lanes, hook, lane, address);
                }
            }
        }
    }

    fn lane(&self, lanes: &Lanes<'m>, hook: Hook, number: u32, address: Value<'m>) {
        let b = &self.builder;
        let active = b.lane(lanes.mask, number);
        let bytes = b.select(active, b.constant(64, lanes.bytes), b.constant(64, 0));
        self.hook(hook, &[address, bytes]);
    }

    /// An integer of so many bits, all set.
    fn all(&self, bits: u32) -> Value<'m> {
        self.builder
            .constant(bits, u64::MAX >> (64 - bits.clamp(1, 64)))
    }
}

fn range_hook(write: bool) -> Hook {
    if write {
        abi::WRITE_RANGE
    } else {
        abi::READ_RANGE
    }
}
