//! Calls in the place of atomic instructions, brackets around those that no function of the runtime makes, and calls before fences.
//!
//! The runtime makes the instruction, so that it enters once, and needs no lock for a load if it sees that nobody has stored meanwhile.

use goldilocks_core::abi::{self, AtomicKind, Change, Hook, Order};
use goldilocks_core::lock_word::WordKind;

use super::Emitter;
use crate::library_locks;
use crate::llvm::{Type, Value};
use crate::select::Atomic;

impl<'m> Emitter<'m, '_> {
    pub(super) fn atomic(&mut self, atomic: &Atomic<'m>) {
        if let Some((hook, change)) = made_by(atomic) {
            self.make(atomic, hook, change);
        } else {
            self.bracket(atomic);
        }
    }

    fn bracket(&self, atomic: &Atomic<'m>) {
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

    /// Has the runtime make the operation.
    fn make(&mut self, atomic: &Atomic<'m>, hook: Hook, change: Option<Change>) {
        let (instruction, address) = (atomic.instruction, atomic.address);
        let change = change.map_or(0, |change| (change as u32) << Change::SHIFT);
        let lock = library_locks::lock_of(self.module, instruction);
        let hook = lock
            .and_then(|_| abi::lock_hook(atomic.operation.kind))
            .unwrap_or(hook);
        let packed = atomic.operation.pack() | change | lock.map_or(0, WordKind::pack);
        let operation = self.builder.constant(32, u64::from(packed));
        let bits = 8 * u32::from(atomic.operation.size);
        self.place(instruction, instruction);
        // Works before this one may still have its result for an address.
        match atomic.operation.kind {
            AtomicKind::Load => {
                let value = self.hook(hook, &[address, operation]);
                let value = self.value_of(value, instruction.ty(), bits);
                self.replaced.push((instruction, value));
            }
            AtomicKind::Store => {
                let value = self.long_of(instruction.operand(0), bits);
                self.hook(hook, &[address, value, operation]);
                self.made.push(instruction);
            }
            AtomicKind::ReadModifyWrite => {
                let operand = self.long_of(instruction.operand(1), bits);
                let before = self.hook(hook, &[address, operand, operation]);
                let before = self.value_of(before, instruction.ty(), bits);
                self.replaced.push((instruction, before));
            }
            AtomicKind::CompareExchange => {
                let expected = self.long_of(instruction.operand(1), bits);
                let desired = self.long_of(instruction.operand(2), bits);
                let before = self.hook(hook, &[address, expected, desired, operation]);
                let success = self.builder.equal(before, expected);
                let before = self.value_of(before, instruction.operand(1).ty(), bits);
                let pair = self.builder.pair(instruction.ty(), before, success);
                self.replaced.push((instruction, pair));
            }
        }
    }

    /// The bits of a value, and zeros.
    fn long_of(&self, value: Value<'m>, bits: u32) -> Value<'m> {
        if value.ty().is_pointer() {
            return self.builder.address_of(value);
        }
        self.builder
            .resize(self.builder.as_integer(value, bits), 64)
    }

    fn value_of(&self, long: Value<'m>, ty: Type<'m>, bits: u32) -> Value<'m> {
        let value = self.builder.resize(long, bits);
        if ty.is_pointer() {
            self.builder.pointer_to(value)
        } else {
            self.builder.reinterpret(value, ty)
        }
    }

    pub(super) fn fence(&mut self, fence: Value<'m>, order: Order) {
        self.place(fence, fence);
        self.hook(abi::FENCE, &[self.builder.constant(32, order as u64)]);
    }
}

/// The function of the runtime that makes an operation, and what it makes of a value that it reads and writes.
fn made_by(atomic: &Atomic) -> Option<(Hook, Option<Change>)> {
    let (instruction, kind) = (atomic.instruction, atomic.operation.kind);
    // Assembly.
    if instruction.is_call() {
        return None;
    }
    let (value, change) = match kind {
        AtomicKind::Load => (instruction, None),
        AtomicKind::Store => (instruction.operand(0), None),
        AtomicKind::ReadModifyWrite => (instruction.operand(1), Some(instruction.change()?)),
        AtomicKind::CompareExchange => (instruction.operand(1), None),
    };
    let is_elsewhere = |space| space != 0;
    if value.ty().address_space().is_some_and(is_elsewhere) {
        return None;
    }
    Some((abi::atomic_hook(kind, atomic.operation.size)?, change))
}
