//! Calls of libc's functions that the code generator may make loads of. Others are the interceptors' business.
//!
//! A comparison of a size that is known becomes a few loads (`ExpandMemCmp`, `SelectionDAGBuilder::visitMemCmpBCmpCall`), and a copy that returns its end one by
//! loads and stores, both long after this pass: no interceptor sees these. What may become so is checked where it stands. All other
//! comparisons become hooks, which know the calling context.

use goldilocks_core::abi::{self, Hook};

use super::{Length, List, Selector};
use crate::llvm::{Attribute, Value};

/// Bytes of a comparison, at most, that is left to the code generator: by few loads of what every processor has.
const EXPANDED_BYTES: u64 = 16;

impl<'m> Selector<'m, '_> {
    pub(super) fn library_call(&mut self, call: Value<'m>, list: &mut List<'m, '_>) {
        let Some(function) = call.called_function() else {
            return;
        };
        let (hook, returns) = match function.name() {
            "memcmp" => (Some(abi::MEMCMP), 32),
            "bcmp" => (Some(abi::BCMP), 32),
            "mempcpy" => (None, 64),
            _ => return,
        };
        let is_as_declared = call.argument_count() == 3
            && call.operand(0).ty().is_pointer()
            && call.operand(1).ty().is_pointer()
            && call.operand(2).ty().is_integer()
            && [call.operand(2), call].map(|value| value.ty().bits(self.module)) == [64, returns];
        if !is_as_declared || function.has_body() || !self.is_builtin(call, function) {
            return;
        }
        match hook {
            Some(hook) => self.comparison(call, hook, list),
            None => self.copy_to_end(call, list),
        }
    }

    /// Whether the code generator may take the call for what the function of this name does.
    fn is_builtin(&self, call: Value<'m>, function: Value<'m>) -> bool {
        let has_not = Attribute::named("nobuiltin").is_some_and(|attribute| {
            call.has_call_attribute(attribute) || function.has_attribute(attribute)
        });
        let has =
            Attribute::named("builtin").is_some_and(|attribute| call.has_call_attribute(attribute));
        // A library's function may be another one there than what it is called (`-fno-builtin`).
        let is_other = self.present.is_some_and(|caller| {
            let this = format!("no-builtin-{}", function.name());
            ["no-builtins", &this]
                .iter()
                .any(|key| caller.text_attribute(key).is_some())
        });
        (has || !has_not) && !is_other
    }

    fn comparison(&mut self, call: Value<'m>, hook: Hook, list: &mut List<'m, '_>) {
        let (first, second) = (call.operand(0), call.operand(1));
        let length = Length::of(call.operand(2));
        if let Length::Known(bytes) = length
            && bytes <= EXPANDED_BYTES
        {
            for (number, address) in [(0, first), (1, second)] {
                let alignment = call.argument_alignment(number, self.align);
                self.range(call, address, length, alignment, false, list);
            }
            return;
        }
        let mut unused = crate::stats::Stats::default();
        if self.wanted(first, false, &mut unused) || self.wanted(second, false, &mut unused) {
            list.replace(call, hook);
        }
    }

    /// Where it is called all the same, the interceptor finds nothing new.
    fn copy_to_end(&mut self, call: Value<'m>, list: &mut List<'m, '_>) {
        let length = Length::of(call.operand(2));
        if matches!(length, Length::Known(bytes) if bytes <= super::INLINE_BYTES) {
            for (number, write) in [(1, false), (0, true)] {
                let alignment = call.argument_alignment(number, self.align);
                self.range(call, call.operand(number), length, alignment, write, list);
            }
        }
    }
}
