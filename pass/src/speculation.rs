//! Keeps LLVM from reading lanes of a vector that the program does not read.
//!
//! Loops whose body reads under a condition, and reads with gaps, become masked loads (by the vectorizers, from AVX2 on). Where all of the memory is known to be
//! there, its pass InstCombine makes plain loads of these, and nobody could tell such a read from one that the program makes. So it does with the processor's own
//! masked loads, where it knows the mask.

use crate::llvm::{Opcode, Value};
use crate::scope;

/// Beginnings of names. The address is the first argument of each.
const MASKED_LOADS: [&str; 3] = [
    "llvm.masked.load.",
    "llvm.x86.avx.maskload.",
    "llvm.x86.avx2.maskload.",
];

/// Before InstCombine runs on a function.
pub fn restrain(function: Value<'_>) {
    if !scope::is_to_be_checked(function) {
        return;
    }
    let loads: Vec<_> = function
        .blocks()
        .flat_map(|block| block.instructions())
        .filter(|instruction| instruction.opcode() == Opcode::Call)
        .filter(|call| {
            let intrinsic = call
                .called_function()
                .filter(|function| function.intrinsic().is_some());
            intrinsic.is_some_and(|intrinsic| {
                let name = intrinsic.name();
                MASKED_LOADS.iter().any(|start| name.starts_with(start))
            })
        })
        .collect();
    for load in loads {
        load.hide_address();
    }
}
