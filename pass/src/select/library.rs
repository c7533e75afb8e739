//! Calls of libc's functions that the code generator may make loads of, or that are called often. Others are the interceptors' business.
//!
//! A comparison of a size that is known becomes a few loads (`ExpandMemCmp`, `SelectionDAGBuilder::visitMemCmpBCmpCall`), and a copy that returns its end one by
//! loads and stores, both long after this pass: no interceptor sees these. What may become so is checked where it stands. All other
//! comparisons, and the most common ones of the functions that only read, become hooks, which know the calling context.

use goldilocks_core::abi::{self, Hook};

use super::{Length, List, Selector};
use crate::llvm::Value;

/// Bytes of a comparison, at most, that is left to the code generator: by few loads of what every processor has.
const EXPANDED_BYTES: u64 = 16;

/// Finds the type of an object by its pointer to a virtual table, which lies where the first argument points (Itanium C++ ABI, 2.9.7).
const DYNAMIC_CAST: &str = "__dynamic_cast";
/// Bytes of that pointer.
const POINTER: u64 = 8;

/// Functions that become hooks.
const HOOKED: [(&str, Hook); 6] = [
    ("memcmp", abi::MEMCMP),
    ("bcmp", abi::BCMP),
    ("memchr", abi::MEMCHR),
    ("strlen", abi::STRLEN),
    ("strcmp", abi::STRCMP),
    ("strncmp", abi::STRNCMP),
];

impl<'m> Selector<'m, '_> {
    pub(super) fn library_call(&mut self, call: Value<'m>, list: &mut List<'m, '_>) {
        let Some(function) = call.called_function() else {
            return;
        };
        let name = function.name();
        if name == DYNAMIC_CAST && call.argument_count() > 0 {
            let object = call.operand(0);
            if object.ty().is_pointer() {
                let length = Length::Known(POINTER);
                self.range(call, object, length, POINTER, false, list);
            }
            return;
        }
        if !call.is_builtin() {
            return;
        }
        if name == "mempcpy" {
            // Its types are those of memcpy.
            if self.is_declared_as(call, abi::MEMCPY) {
                self.copy_to_end(call, list);
            }
            return;
        }
        let hooked = HOOKED.iter().find(|(hooked, _)| *hooked == name);
        if let Some(&(_, hook)) = hooked
            && self.is_declared_as(call, hook)
        {
            if ["memcmp", "bcmp"].contains(&name) && self.short_comparison(call, list) {
                return;
            }
            self.scan(call, hook, list);
        }
    }

    /// Whether the arguments and the result of a call have the types of a hook.
    fn is_declared_as(&self, call: Value<'m>, hook: Hook) -> bool {
        let is = |value: Value<'m>, ty| match ty {
            abi::Type::Ptr => value.ty().is_pointer(),
            abi::Type::I32 => value.ty().is_integer() && value.ty().bits(self.module) == 32,
            abi::Type::I64 => value.ty().is_integer() && value.ty().bits(self.module) == 64,
            abi::Type::Void => false,
        };
        call.argument_count() == hook.parameters.len() as u32
            && is(call, hook.result)
            && (0..)
                .zip(hook.parameters)
                .all(|(number, &ty)| is(call.operand(number), ty))
    }

    /// A comparison that the code generator may expand: whether it is.
    fn short_comparison(&mut self, call: Value<'m>, list: &mut List<'m, '_>) -> bool {
        let length = Length::of(call.operand(2));
        let is_short = matches!(length, Length::Known(bytes) if bytes <= EXPANDED_BYTES);
        for number in (0..2).filter(|_| is_short) {
            let alignment = call.argument_alignment(number, self.align);
            self.range(call, call.operand(number), length, alignment, false, list);
        }
        is_short
    }

    /// A function that reads what its arguments point to.
    fn scan(&mut self, call: Value<'m>, hook: Hook, list: &mut List<'m, '_>) {
        let mut unused = crate::stats::Stats::default();
        let is_wanted = (0..call.argument_count()).any(|number| {
            let argument = call.operand(number);
            argument.ty().is_pointer() && self.wanted(argument, false, &mut unused)
        });
        if is_wanted {
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
