//! Stores of pointers to virtual tables, which constructors and destructors make.
//!
//! A destructor begins by storing the pointer of its own class. If the class is the object's own, that pointer is
//! there already, and a virtual call by another thread does not notice; so such a store is checked as a read. (A class
//! whose destructor waits for other threads that still use the object is the common case.) A store that changes
//! the pointer is a write: from then on the call would reach another function.
//!
//! A constructor's store always is a write, whatever the memory held before: an object that was destroyed may have left the same
//! pointer there. The store is marked before optimization, while it is still in its function.

use super::work::{Check, LowBits, VirtualTable, Work};
use super::{List, Selector};
use crate::llvm::{Module, Opcode, Value};

/// Metadata on a constructor's stores.
const CONSTRUCTS: &str = "goldilocks.constructs";
/// Bytes of a pointer.
const POINTER: u64 = 8;

/// Before optimization: marks the stores of constructors. Returns whether there were any.
pub fn mark_constructors(module: Module<'_>) -> bool {
    let mut marked = false;
    for function in module.functions().filter(|function| function.has_body()) {
        let stores: Vec<_> = function
            .blocks()
            .flat_map(|block| block.instructions())
            .filter(|instruction| instruction.opcode() == Opcode::Store)
            .filter(|store| store.is_vtable_access())
            .collect();
        if stores.is_empty() || !function.is_constructor() {
            continue;
        }
        for store in stores {
            store.mark(CONSTRUCTS);
            marked = true;
        }
    }
    marked
}

impl<'m> Selector<'m, '_> {
    /// Selects a store that is tagged as one of virtual table pointers. False if it does not look like that.
    pub(super) fn virtual_table(&mut self, store: Value<'m>, list: &mut List<'m, '_>) -> bool {
        let (Some(address), Some(ty)) = (store.address(), store.accessed_type()) else {
            return false;
        };
        let count = ty.lanes().unwrap_or(1);
        let bytes = POINTER * u64::from(count);
        if !ty.element().is_pointer() || ty.store_size(self.module) != bytes {
            return false;
        }
        if !self.wanted(address, true, list.stats) {
            return true;
        }
        let low = LowBits::new(address.known_low_bits(store), store.alignment());
        let check = Check {
            before: store,
            source: store,
            address,
            bytes,
            write: true,
            low,
        };
        let constructs = store.has_metadata(self.module, CONSTRUCTS);
        list.stats.virtual_tables += 1;
        list.works.push(Work::VirtualTable(VirtualTable {
            check,
            value: (!constructs).then(|| store.operand(0)),
            count,
        }));
        true
    }
}
