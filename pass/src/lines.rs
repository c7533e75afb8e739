//! Keeps the lines of what LLVM moves out of loops.
//!
//! Its pass LICM takes the position from a load or store that it moves, since a debugger would jump. A report must say where the
//! access is in the source, and for that the moved instruction is as good as it was in the loop. Of a variable that is kept in a register
//! during a loop, the load before it and the store behind it are new: each stands for the accesses of the loop, and so has the line of
//! one that is certain to be made. Where none is, neither has a line.

use std::collections::HashMap;

use crate::llvm::{Entered, Opcode, Value};
use crate::scope;

/// Before LICM runs on a loop.
pub fn keep(entered: &Entered<'_>) {
    let function = entered.function();
    if !scope::is_to_be_checked(function) || !function.has_lines() {
        return;
    }
    let mut kept: HashMap<(Value<'_>, i64), [Vec<Value<'_>>; 2]> = HashMap::new();
    for access in entered
        .blocks()
        .into_iter()
        .flat_map(|block| block.instructions())
    {
        let writes = match access.opcode() {
            Opcode::Load => false,
            Opcode::Store => true,
            _ => continue,
        };
        if access.location().is_some_and(|own| own.line() != 0) {
            entered.keep_line(access);
        }
        if let Some(address) = access.address().filter(|_| access.order().is_none()) {
            kept.entry(address.constant_offset()).or_default()[writes as usize].push(access);
        }
    }
    for (place, [reads, writes]) in kept {
        if !writes.is_empty() {
            entered.keep_lines_of(place, certain(entered, &reads), certain(entered, &writes));
        }
    }
}

/// Of accesses to one place, one whose line is that of one that is made if the loop is entered and one of them is made.
fn certain<'m>(entered: &Entered<'m>, accesses: &[Value<'m>]) -> Option<Value<'m>> {
    let line = |access: &Value<'m>| access.location().filter(|own| own.line() != 0);
    let first = *accesses.first()?;
    let on_one_line = line(&first).is_some_and(|first| {
        let mut lines = accesses.iter().map(line);
        lines.all(|other| other.is_some_and(|other| first.same_line(other)))
    });
    if on_one_line {
        return Some(first);
    }
    let with_line = accesses.iter().filter(|access| line(access).is_some());
    with_line
        .copied()
        .find(|access| entered.always_runs(*access))
}
