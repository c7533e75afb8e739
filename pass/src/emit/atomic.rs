//! Brackets around atomic instructions, calls in the place of atomic loads, and calls before fences.

use goldilocks_core::abi::{self, AtomicKind, Hook, Order};

use super::Emitter;
use crate::llvm::Value;
use crate::select::Atomic;

impl<'m> Emitter<'m, '_> {
    pub(super) fn atomic(&mut self, atomic: &Atomic<'m>) {
        let instruction = atomic.instruction;
        if let Some(hook) = load_hook(atomic) {
            self.load(atomic, hook);
            return;
        }
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

    /// The runtime makes the load, so that it can do without a lock if it sees that nobody has stored meanwhile.
    fn load(&mut self, atomic: &Atomic<'m>, hook: Hook) {
        let (instruction, ty) = (atomic.instruction, atomic.instruction.ty());
        let operation = self
            .builder
            .constant(32, u64::from(atomic.operation.pack()));
        self.place(instruction, instruction);
        let loaded = self.hook(hook, &[atomic.address, operation]);
        let bits = self
            .builder
            .resize(loaded, 8 * u32::from(atomic.operation.size));
        let value = if ty.is_pointer() {
            self.builder.pointer_to(bits)
        } else {
            self.builder.reinterpret(bits, ty)
        };
        // Works before this one may still have its result for an address.
        self.replaced.push((instruction, value));
    }

    pub(super) fn fence(&mut self, fence: Value<'m>, order: Order) {
        self.place(fence, fence);
        self.hook(abi::FENCE, &[self.builder.constant(32, order as u64)]);
    }
}

/// The function of the runtime that makes a load.
fn load_hook(atomic: &Atomic) -> Option<Hook> {
    let is_elsewhere = |space| space != 0;
    let ty = atomic.instruction.ty();
    if atomic.operation.kind != AtomicKind::Load || ty.address_space().is_some_and(is_elsewhere) {
        return None;
    }
    abi::atomic_load(atomic.operation.size)
}
