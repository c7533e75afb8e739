//! Prefetches of shadow. A program that prefetches what it is going to access does not wait for it, and would for its shadow: zstd's search in its
//! tables spent nine tenths of its time on that.

use goldilocks_core::abi;

use super::Emitter;
use crate::llvm::Value;

impl<'m> Emitter<'m, '_> {
    /// Prefetches the shadow of what the intrinsic prefetches, a line for a line. Wherever that is: a prefetch does not fault.
    pub(super) fn prefetch(&mut self, intrinsic: Value<'m>) {
        self.place(intrinsic, intrinsic);
        let b = &self.builder;
        let address = b.address_of(intrinsic.operand(0));
        let shadow = b.xor(address, b.constant(64, abi::SHADOW_XOR));
        b.prefetch_as(intrinsic, b.offset(b.pointer_to(shadow), abi::SHADOW_OFFSET as i64));
    }
}
