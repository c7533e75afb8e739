//! Where in the source a check belongs whose instruction does not say: the optimizer drops the line of what it merges, and of some of what
//! it moves (`lines` keeps those that can be kept).
//!
//! Lines nearby would mostly be right, but a report must not send its reader to a statement that does not make the access. So such a
//! check has the line of the function, and a column that tells reports that it is just that.

use goldilocks_core::abi::COLUMN_OF_FUNCTION;

use crate::llvm::{Location, Module, Value};

/// The position of `source`, an instruction or argument of `function`; `None` without debug information.
pub fn of<'m>(source: Value<'m>, function: Value<'m>, module: Module<'m>) -> Option<Location<'m>> {
    let own = source.location();
    if own.is_some_and(|own| own.line() != 0) {
        return own;
    }
    if !source.is_instruction() {
        return function.start(0, module);
    }
    match own {
        Some(own) => own.start_of_function(COLUMN_OF_FUNCTION, module),
        None => function.start(COLUMN_OF_FUNCTION, module),
    }
}
