//! What C++'s library has in its shared library: instrumented code calls the runtime's functions in place of these.

use goldilocks_core::cxx_library::{FUNCTIONS, instrumented};

use crate::llvm::Module;

/// In a module that is instrumented, of functions that are declared in it alone.
pub fn replace(module: Module<'_>) {
    for name in FUNCTIONS {
        if let Some(function) = module.function(name)
            && !function.has_body()
        {
            function.replace_by(module.declare(&instrumented(name), function.type_of_function()));
        }
    }
}
