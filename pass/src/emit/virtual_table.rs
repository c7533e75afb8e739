//! The check of a store of pointers to virtual tables: that of any store in line, and a function of the runtime that compares
//! what is stored with what is there. Not in line, as in new memory there is no value to compare with, and looking at it would
//! be undefined to the optimizer.

use goldilocks_core::abi::VPTR_WRITE;

use super::Emitter;
use crate::select::VirtualTable;

/// Bytes of a pointer.
const POINTER: i64 = 8;

impl<'m> Emitter<'m, '_> {
    pub(super) fn virtual_table(&mut self, store: &VirtualTable<'m>) {
        let check = &store.check;
        self.place(check.before, check.source);
        if self.inline {
            self.enter_if_news(check);
        }
        for number in 0..store.count {
            let address = self
                .builder
                .offset(check.address, POINTER * i64::from(number));
            let value = match store.value {
                None => self.module.null(),
                Some(pointers) if store.count > 1 => self.builder.lane(pointers, number),
                Some(pointer) => pointer,
            };
            self.hook(VPTR_WRITE, &[address, value]);
        }
    }
}
