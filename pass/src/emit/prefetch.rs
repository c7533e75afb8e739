//! Prefetches of what is kept of memory. A program that prefetches what it is going to access does not wait for it then, and would wait for its
//! shadow: zstd's search in its tables spent four fifths of its time on that.

use goldilocks_core::abi;

use super::Emitter;
use crate::llvm::Value;

impl<'m> Emitter<'m, '_> {
    /// Prefetches the cells of what the intrinsic prefetches, a line for a line, and lets the runtime do so with the rest. Wherever that is: a
    /// prefetch does not fault.
    pub(super) fn prefetch(&mut self, intrinsic: Value<'m>) {
        self.place(intrinsic, intrinsic);
        let b = &self.builder;
        let address = intrinsic.operand(0);
        let shadow = b.xor(b.address_of(address), b.constant(64, abi::SHADOW_XOR));
        let cells = b.offset(b.pointer_to(shadow), abi::SHADOW_OFFSET as i64);
        b.prefetch_as(intrinsic, cells);
        self.hook(abi::PREFETCH, &[address]);
    }
}
