//! Where in the source a check belongs whose instruction does not say: the optimizer drops the line of what it moves or merges.
//!
//! A report names such an access by the line on which the function accesses the same address otherwise, if there is one such line: what
//! a loop keeps in a register is read before it and written behind it, and one of these keeps its line. Only, if what has lost its line
//! is a write, reads may be of any other statement, so that they come last. Otherwise by the line that works with the value, or else
//! computes the address, if that is the function's own and not that of one that was inlined. And if there is nothing, by the line of the function.

use crate::llvm::{Location, Module, Value};

/// Users of an address or a value that are looked at, at most: a guess is not worth more time.
const USERS: usize = 256;
/// How far a value is followed through what has no line itself, such as the merging of values.
const STEPS: usize = 4;

/// The position of `source`, an instruction of `function`, with a line; `None` without debug information.
pub fn of<'m>(source: Value<'m>, function: Value<'m>, module: Module<'m>) -> Option<Location<'m>> {
    let own = source.location();
    if own.is_some_and(|own| own.line() != 0) {
        return own;
    }
    // Only what is known of functions with debug information can be shown.
    let start = match own {
        Some(own) => own.start_of_function(module),
        None => function.start(module),
    }?;
    if !source.is_instruction() {
        return Some(start);
    }
    let within = |location: Location<'m>| match own {
        Some(own) => location.seen_from(own),
        None => Some(location),
    };
    let own_line = |location: Location<'m>| within(location).filter(|_| !is_inlined(own, location));
    same_address(source, function, source.is_store(), within)
        .or_else(|| same_value(source, own_line))
        .or_else(|| of_address(source, own_line))
        .or_else(|| same_address(source, function, false, within))
        .or_else(|| same_value(source, within))
        .or(Some(start))
}

/// Whether a position is in a function that was inlined, as far as `own` does not tell.
fn is_inlined(own: Option<Location<'_>>, location: Location<'_>) -> bool {
    own.is_none() && location.inlined_at().is_some()
}

/// The line that computes the address.
fn of_address<'m>(
    source: Value<'m>,
    within: impl Fn(Location<'m>) -> Option<Location<'m>>,
) -> Option<Location<'m>> {
    let address = source
        .address()
        .filter(|address| address.is_instruction())?;
    within(address.location()?).filter(|location| location.line() != 0)
}

/// The one line on which `function` accesses the address that `source` does; of `writes` alone, if so.
fn same_address<'m>(
    source: Value<'m>,
    function: Value<'m>,
    writes: bool,
    within: impl Fn(Location<'m>) -> Option<Location<'m>>,
) -> Option<Location<'m>> {
    let address = source.address()?;
    let mut lines = address
        .users()
        .take(USERS)
        .filter(|user| user.is_instruction() && user.address() == Some(address))
        .filter(|user| user.function() == Some(function))
        .filter(|user| !writes || user.is_store())
        // Another type is another statement.
        .filter(|user| user.accessed_type() == source.accessed_type())
        .filter_map(|user| within(user.location()?))
        .filter(|location| location.line() != 0);
    let first = lines.next()?;
    lines.all(|other| first.same_line(other)).then_some(first)
}

/// A line that uses what `source` has read, or that has made what it writes.
fn same_value<'m>(
    source: Value<'m>,
    within: impl Fn(Location<'m>) -> Option<Location<'m>>,
) -> Option<Location<'m>> {
    let reads = !source.is_store();
    let mut known = vec![source];
    let mut from = 0;
    for _ in 0..STEPS {
        let mut next: Vec<Value<'m>> = Vec::new();
        for &value in &known[from..] {
            if reads {
                next.extend(value.users().take(USERS));
            } else {
                next.extend(
                    value
                        .operands()
                        .take(USERS)
                        .filter(|operand| Some(*operand) != source.address()),
                );
            }
        }
        from = known.len();
        for value in next {
            if !value.is_instruction() || known.contains(&value) {
                continue;
            }
            let line = value.location().and_then(&within);
            if let Some(location) = line.filter(|location| location.line() != 0) {
                return Some(location);
            }
            known.push(value);
        }
        if known.len() > USERS {
            return None;
        }
    }
    None
}
