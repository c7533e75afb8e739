//! Brackets around atomic instructions, and calls before fences.

use goldilocks_core::abi::{self, AtomicKind, Order};

use super::Emitter;
use crate::llvm::Value;
use crate::select::Atomic;

impl<'m> Emitter<'m, '_> {
    pub(super) fn atomic(&mut self, atomic: &Atomic<'m>) {
        let instruction = atomic.instruction;
        let after = instruction
            .next_instruction()
            .expect("an atomic instruction does not end a block");
        let operation = self
            .builder
            .constant(32, u64::from(atomic.operation.pack()));
        self.place(after, instruction);
        let success = match atomic.operation.kind {
            AtomicKind::CompareExchange => {
                self.builder.resize(self.builder.field(instruction, 1), 32)
            }
            _ => self.builder.constant(32, 1),
        };
        self.hook(abi::ATOMIC_END, &[atomic.address, operation, success]);
        self.place(instruction, instruction);
        self.hook(abi::ATOMIC_BEGIN, &[atomic.address, operation]);
    }

    pub(super) fn fence(&mut self, fence: Value<'m>, order: Order) {
        self.place(fence, fence);
        self.hook(abi::FENCE, &[self.builder.constant(32, order as u64)]);
    }
}
