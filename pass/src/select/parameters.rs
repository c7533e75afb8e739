//! Parameters behind which there is memory that only the running thread can reach, wherever their function is called: results that are returned in memory of the
//! caller's, objects on the stack whose methods were not inlined.
//!
//! Of a function that nobody outside of the module can call, and that is only ever called, all arguments are known. If each of them for a parameter points into a private
//! object of the caller's, or is such a parameter itself, so does the parameter. (A callee that kept the address would make the object one that is not private.)

use std::collections::{HashMap, HashSet};

use crate::llvm::{Attribute, Module, Opcode, Value};

/// Before optimization: takes back what a program promises of parameters, that no copy of the pointer is left after a call (`noescape`). A thread may have it during the
/// call. Returns whether there were such promises. (Compilers make them of copies of arguments and of memory for results, which are `noalias`; what LLVM finds by
/// itself is that no thread can have it.)
pub fn distrust_promises(module: Module<'_>) -> bool {
    let named = |names: [&str; 2]| names.into_iter().find_map(Attribute::named);
    let (Some(kept), Some(own)) = (
        named(["captures", "nocapture"]),
        Attribute::named("noalias"),
    ) else {
        return false;
    };
    let mut found = false;
    for function in module.functions().filter(|it| it.intrinsic().is_none()) {
        for number in (0..).take_while(|&number| function.parameter(number).is_some()) {
            let is_promised = function.parameter_has_attribute(number, kept)
                && !function.parameter_has_attribute(number, own);
            if !is_promised {
                continue;
            }
            found = true;
            function.remove_parameter_attribute(number, kept);
            let calls = function.users();
            let calls = calls.filter(|user| user.called_function() == Some(function));
            for call in calls.filter(|call| number < call.argument_count()) {
                call.remove_argument_attribute(number, kept);
            }
        }
    }
    found
}

/// What an argument points into, at best.
enum Origin<'m> {
    Private,
    /// Whatever these parameters do.
    As(Vec<Value<'m>>),
    Unknown,
}

/// The parameters of a module's functions of which that is so. `is_private` says it of an object that is no parameter.
pub fn private<'m>(
    module: Module<'m>,
    mut is_private: impl FnMut(Value<'m>) -> bool,
) -> HashSet<Value<'m>> {
    // By parameter: those of callers that have to be private as well.
    let mut found: HashMap<Value<'m>, Vec<Value<'m>>> = HashMap::new();
    for function in module.functions() {
        let Some(calls) = all_calls(function) else {
            continue;
        };
        let parameters = (0..).map_while(|number| function.parameter(number));
        for (number, parameter) in parameters.enumerate() {
            if !parameter.ty().is_pointer() {
                continue;
            }
            let mut others = Vec::new();
            let all = calls.iter().all(|call| {
                let number = number as u32;
                number < call.argument_count()
                    && match origin(call.operand(number), &mut is_private) {
                        Origin::Private => true,
                        Origin::As(parameters) => {
                            others.extend(parameters);
                            true
                        }
                        Origin::Unknown => false,
                    }
            });
            if all && !parameter.may_be_captured() {
                found.insert(parameter, others);
            }
        }
    }
    loop {
        let wrong: Vec<_> = found
            .iter()
            .filter(|(_, others)| others.iter().any(|other| !found.contains_key(other)))
            .map(|(&parameter, _)| parameter)
            .collect();
        if wrong.is_empty() {
            return found.into_keys().collect();
        }
        for parameter in wrong {
            found.remove(&parameter);
        }
    }
}

/// All calls of a function that nobody else can call; `None` if there may be others.
fn all_calls<'m>(function: Value<'m>) -> Option<Vec<Value<'m>>> {
    if !function.has_body() || !function.is_local() {
        return None;
    }
    let calls: Vec<_> = function.users().collect();
    let is_called = |call: &Value<'m>| {
        call.called_function() == Some(function)
            && (0..call.argument_count()).all(|number| call.operand(number) != function)
    };
    (!calls.is_empty() && calls.iter().all(is_called)).then_some(calls)
}

fn origin<'m>(argument: Value<'m>, is_private: &mut impl FnMut(Value<'m>) -> bool) -> Origin<'m> {
    let objects = argument.underlying_objects();
    let mut parameters = Vec::new();
    for &object in &objects {
        if is_private(object) {
            continue;
        }
        if object.opcode() == Opcode::Alloca || object.as_argument().is_none() {
            return Origin::Unknown;
        }
        parameters.push(object);
    }
    match (objects.is_empty(), parameters.is_empty()) {
        (true, _) => Origin::Unknown,
        (false, true) => Origin::Private,
        (false, false) => Origin::As(parameters),
    }
}
