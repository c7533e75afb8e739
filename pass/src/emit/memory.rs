//! Checks of ranges, memory intrinsics, and vector accesses of some lanes.

use goldilocks_core::abi::{self, Hook};

use super::Emitter;
use crate::llvm::Value;
use crate::select::{Lanes, Range, Shape};

impl<'m> Emitter<'m, '_> {
    pub(super) fn range(&mut self, range: &Range<'m>) {
        self.place(range.before, range.source);
        let bytes = self.builder.resize(range.bytes, 64);
        self.hook(range_hook(range.write), &[range.address, bytes]);
    }

    /// Puts a call of the runtime in the place of a memory intrinsic, or of a function of libc. Both have the same arguments, up to integer
    /// widths and a flag at the end; an intrinsic returns nothing.
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
        let value = self.hook(hook, &arguments);
        if intrinsic.ty().bits(self.module) == 0 {
            // SAFETY: there is nothing that could be used, and the list of works names each once.
            unsafe { intrinsic.erase() };
        } else {
            self.replaced.push((intrinsic, value));
        }
    }

    /// Exactly the lanes that are accessed: a range per lane, which is empty if the lane is not active. Where they
    /// are next to each other and all are active, as is most often the case, they are one range.
    pub(super) fn lanes(&mut self, lanes: &Lanes<'m>) {
        self.place(lanes.before, lanes.before);
        let b = &self.builder;
        let hook = range_hook(lanes.write);
        let mut lanes = *lanes;
        if lanes.mask.ty().is_integer() {
            let bits = self.module.vector(self.module.integer(1), lanes.lanes);
            lanes.mask = b.reinterpret(b.resize(lanes.mask, lanes.lanes), bits);
        }
        let lanes = &lanes;
        let none = b.constant(64, 0);
        match lanes.shape {
            Shape::Packed => {
                let active = b.population(b.as_integer(lanes.mask, lanes.lanes), lanes.lanes);
                let bytes = b.multiply(b.resize(active, 64), b.constant(64, lanes.bytes));
                self.hook(hook, &[lanes.address, bytes]);
            }
            Shape::Masked if lanes.mask.ty().element().bits(self.module) == 1 => {
                let bits = b.as_integer(lanes.mask, lanes.lanes);
                let partial = b.different(bits, self.all(lanes.lanes));
                let whole = b.constant(64, lanes.bytes * u64::from(lanes.lanes));
                self.hook(hook, &[lanes.address, b.select(partial, none, whole)]);
                b.enter_unlikely(partial, lanes.before);
                self.each_lane(lanes, hook);
            }
            Shape::Masked | Shape::Scattered | Shape::Indexed { .. } => self.each_lane(lanes, hook),
        }
    }

    fn each_lane(&self, lanes: &Lanes<'m>, hook: Hook) {
        let b = &self.builder;
        for number in 0..lanes.lanes {
            let address = match lanes.shape {
                Shape::Scattered => b.lane(lanes.address, number),
                Shape::Indexed { index, scale } => {
                    let index = b.extend(b.lane(index, number), 64);
                    b.element(lanes.address, b.multiply(index, b.constant(64, scale)))
                }
                Shape::Masked | Shape::Packed => {
                    b.offset(lanes.address, (lanes.bytes * u64::from(number)) as i64)
                }
            };
            let mut active = b.lane(lanes.mask, number);
            let bits = active.ty().bits(self.module) as u32;
            if bits != 1 {
                active = b.negative(b.as_integer(active, bits), bits);
            }
            let bytes = b.select(active, b.constant(64, lanes.bytes), b.constant(64, 0));
            self.hook(hook, &[address, bytes]);
        }
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
