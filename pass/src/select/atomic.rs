//! Atomic instructions and fences. They are tracked in functions that are not to be checked as well, because others
//! may be ordered by them.

use goldilocks_core::abi::{ACCESS_SIZES, AtomicKind, AtomicOp, Order};

use super::privacy::Memory;
use super::work::{Atomic, Work};
use super::{List, Selector};
use crate::llvm::{Opcode, Value};
use crate::own_business;

impl<'m> Selector<'m, '_> {
    pub(super) fn atomic(&mut self, instruction: Value<'m>, list: &mut List<'m, '_>) {
        // The rest orders a thread and its own signal handlers, and needs no code.
        if !self.options.atomics || !instruction.is_system_scope() {
            return;
        }
        let Some(order) = instruction.order() else {
            return;
        };
        if instruction.opcode() == Opcode::Fence {
            list.stats.fences += 1;
            list.works.push(Work::Fence(instruction, order));
            return;
        }
        let (Some(address), Some(ty)) = (instruction.address(), instruction.accessed_type()) else {
            return;
        };
        let size = ty.store_size(self.module);
        if self.becomes_library_call(size, instruction) {
            return;
        }
        if self.exempt(address) || own_business::is_atomic_of_it(instruction) {
            list.stats.exempt += 1;
            return;
        }
        if self.options.private_objects && self.privacy.memory(address) == Memory::Private {
            list.stats.private += 1;
            return;
        }
        let kind = match instruction.opcode() {
            Opcode::Load => AtomicKind::Load,
            Opcode::Store => AtomicKind::Store,
            Opcode::CompareExchange => AtomicKind::CompareExchange,
            _ => AtomicKind::ReadModifyWrite,
        };
        let failure = instruction.failure_order().unwrap_or(Order::Relaxed);
        let operation = AtomicOp {
            kind,
            size: size as u8,
            order,
            failure,
        };
        list.stats.atomics += 1;
        list.works.push(Work::Atomic(Atomic {
            instruction,
            address,
            operation,
        }));
    }

    /// Whether the code generator turns the instruction into a call of an `__atomic_` function, which the runtime
    /// sees by itself: it is misaligned, or wider than the processor's atomics.
    fn becomes_library_call(&self, size: u64, instruction: Value<'m>) -> bool {
        let widest = if self.has_wide_exchange { 16 } else { 8 };
        !ACCESS_SIZES.contains(&size) || size > widest || instruction.alignment() < size
    }
}
