//! Keeps LLVM from inventing reads when it keeps a variable in a register during a loop.
//!
//! Its pass LICM then loads the variable before the loop, and asks only whether the address is valid, even in a function with
//! the `sanitize_thread` attribute: the loop may have no iteration, or none that touches the variable. Nobody could tell such a
//! read from one that the program makes. So a variable stays in memory unless a loop that is entered does read it. The first
//! run of LICM comes before loops are rotated, when hardly anything is certain to be run; the next one comes after that.

use std::collections::HashSet;

use crate::llvm::{Entered, Opcode, Value};
use crate::scope;

/// Before LICM runs on a loop. What a store stores to is what it promotes to a register.
pub fn restrain(entered: &Entered<'_>) {
    if !scope::is_to_be_checked(entered.function()) {
        return;
    }
    let accesses = || {
        entered
            .blocks()
            .into_iter()
            .flat_map(|block| block.instructions())
            .filter(|instruction| instruction.order().is_none())
    };
    let of = |opcode| accesses().filter(move |access| access.opcode() == opcode);
    // Without a load to go before the loop, there is none to invent.
    let loaded: HashSet<_> = of(Opcode::Load).filter_map(place).collect();
    if loaded.is_empty() {
        return;
    }
    let stores: Vec<_> = of(Opcode::Store)
        .filter_map(|store| Some((store, place(store)?)))
        .collect();
    if stores.is_empty() {
        return;
    }
    let stored: HashSet<_> = stores.iter().map(|(_, place)| *place).collect();
    let read: HashSet<_> = of(Opcode::Load)
        .filter_map(|load| Some((load, place(load)?)))
        .filter(|(load, place)| stored.contains(place) && entered.always_runs(*load))
        .map(|(_, place)| place)
        .collect();
    for (store, place) in stores {
        if !read.contains(&place) {
            entered.hold(store);
        }
    }
}

/// Where an access goes, as far as two that go to the same place are seen to. LICM moves the computation of addresses out of the
/// loop before it promotes, so it does not matter here whether they are computed in it.
fn place<'m>(access: Value<'m>) -> Option<(Value<'m>, i64)> {
    access.address().map(Value::constant_offset)
}
