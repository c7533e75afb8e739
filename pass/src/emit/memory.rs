//! Checks of ranges, memory intrinsics, and vector accesses of some lanes.

use goldilocks_core::abi::{self, Hook};

use super::Emitter;
use crate::llvm::Value;
use crate::select::{Check, INLINE_BYTES, Lanes, LowBits, Range, Rows, Shape};

impl<'m> Emitter<'m, '_> {
    pub(super) fn range(&mut self, range: &Range<'m>) {
        self.place(range.before, range.source);
        let bytes = self.builder.resize(range.bytes, 64);
        match range.rows {
            None => self.hook(range_hook(range.write), &[range.address, bytes]),
            Some(Rows { count, stride }) => {
                let hook = if range.write {
                    abi::WRITE_ROWS
                } else {
                    abi::READ_ROWS
                };
                let stride = self.builder.constant(64, stride as u64);
                self.hook(hook, &[range.address, count, stride, bytes])
            }
        };
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
    pub(super) fn lanes(&mut self, lanes: &Lanes<'m>, number: usize) {
        self.place(lanes.before, lanes.before);
        if lanes.shape == Shape::Masked
            && let Some(active) = constant_lanes(lanes)
        {
            return self.known_lanes(lanes, active, number);
        }
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

    /// Lanes that are known to be active, a bit for each: a check for those that are next to each other.
    fn known_lanes(&mut self, lanes: &Lanes<'m>, active: u64, number: usize) {
        let mut rest = active;
        while rest != 0 {
            let first = rest.trailing_zeros();
            let count = (rest >> first).trailing_ones();
            rest &= !(u64::MAX >> (64 - count) << first);
            self.place(lanes.before, lanes.before);
            let offset = lanes.bytes * u64::from(first);
            let address = self.builder.offset(lanes.address, offset as i64);
            let bytes = lanes.bytes * u64::from(count);
            if bytes > INLINE_BYTES {
                let hook = range_hook(lanes.write);
                self.hook(hook, &[address, self.builder.constant(64, bytes)]);
                continue;
            }
            let check = Check {
                before: lanes.before,
                source: lanes.before,
                address,
                bytes,
                write: lanes.write,
                low: LowBits::new(address.known_low_bits(lanes.before), 1),
            };
            // No other check has the same number.
            self.check(&check, (first as usize) << 32 | number);
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

/// The active lanes, if they are known.
fn constant_lanes(lanes: &Lanes<'_>) -> Option<u64> {
    if lanes.lanes > 64 || lanes.mask.ty().lanes() != Some(lanes.lanes) {
        return None;
    }
    (0..lanes.lanes).try_fold(0, |active, number| {
        let lane = lanes.mask.constant_lane(number)?;
        Some(active | u64::from(lane != 0) << number)
    })
}

fn range_hook(write: bool) -> Hook {
    if write {
        abi::WRITE_RANGE
    } else {
        abi::READ_RANGE
    }
}
