//! Keeps LLVM from reading lanes of a vector that the program does not read.
//!
//! Loops whose body reads under a condition, and reads with gaps, become masked loads (by the vectorizers, from AVX2 on). Where all of the memory is known to be
//! there, its pass InstCombine makes plain loads of these, and nobody could tell such a read from one that the program makes.

use crate::llvm::{Intrinsic, Opcode, Value};
use crate::scope;

/// Before InstCombine runs on a function.
pub fn restrain(function: Value<'_>) {
    if !scope::is_to_be_checked(function) {
        return;
    }
    let Some(masked_load) = Intrinsic::named("llvm.masked.load") else {
        return;
    };
    let loads: Vec<_> = function
        .blocks()
        .flat_map(|block| block.instructions())
        .filter(|instruction| instruction.opcode() == Opcode::Call)
        .filter(|call| {
            let intrinsic = call.called_function().and_then(Value::intrinsic);
            intrinsic == Some(masked_load)
        })
        .collect();
    for load in loads {
        load.hide_address();
    }
}
