//! Calls of the runtime's functions, with the types that both sides have agreed on ([`abi`]).

use goldilocks_core::abi::{self, Hook};

use crate::llvm::{Attribute, Builder, Type, Value};

/// A call where the builder is.
pub fn call<'m>(builder: &Builder<'m>, hook: Hook, arguments: &[Value<'m>]) -> Value<'m> {
    debug_assert_eq!(hook.parameters.len(), arguments.len());
    let module = builder.module();
    let ty = |ty: &abi::Type| match ty {
        abi::Type::Void => module.void(),
        abi::Type::Ptr => module.pointer(),
        abi::Type::I32 => module.integer(32),
        abi::Type::I64 => module.integer(64),
    };
    let parameters: Vec<Type> = hook.parameters.iter().map(ty).collect();
    let ty = module.function_type(ty(&hook.result), &parameters);
    let function = module.function(hook.name).unwrap_or_else(|| {
        let function = module.declare(hook.name, ty);
        if let Some(nounwind) = Attribute::named("nounwind") {
            function.add_attribute(module, nounwind);
        }
        function
    });
    builder.call(function, ty, arguments)
}
