//! Memory that cannot race: nobody else can reach it, or nobody writes it.
//!
//! - An alloca, or the copy behind a by-value parameter, whose address does not leave the function. Callees may get
//!   it as long as they keep no copy: what they do with it, they do in this thread.
//! - What is behind a parameter of a function that gets nothing but such addresses ([`parameters`]).
//! - A thread-local variable that only this module knows and whose address leaves no function of it.
//! - Constants, and virtual tables.

use std::collections::{HashMap, HashSet};

use super::parameters;
use crate::llvm::{Attribute, Intrinsic, Module, Opcode, Value};

/// What is known of the memory behind a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// Reachable by its own thread alone.
    Private,
    /// Never written while the program runs.
    Constant,
    Shared,
}

/// Knows the objects of one module.
pub struct Privacy<'m> {
    byval: Attribute,
    thread_local_address: Option<Intrinsic>,
    /// Thread-local variables whose address stays in its thread.
    own_thread_locals: Vec<Value<'m>>,
    /// Parameters behind which memory is private, too.
    parameters: HashSet<Value<'m>>,
    /// Whether the address of an alloca or argument of the present function leaves it.
    captured: HashMap<Value<'m>, bool>,
}

impl<'m> Privacy<'m> {
    /// Looks at the uses of thread-locals, so nothing may be instrumented yet: checks are uses.
    pub fn new(module: Module<'m>) -> Privacy<'m> {
        let mut privacy = Privacy {
            byval: Attribute::named("byval").expect("an attribute of every supported LLVM"),
            thread_local_address: Intrinsic::named("llvm.threadlocal.address"),
            own_thread_locals: Vec::new(),
            parameters: HashSet::new(),
            captured: HashMap::new(),
        };
        privacy.own_thread_locals = module
            .global_variables()
            .filter(|global| {
                global
                    .global()
                    .is_some_and(|kind| kind.thread_local && kind.local)
            })
            .filter(|global| {
                global.users().all(|user| {
                    privacy.thread_local_behind(user).is_some() && !user.may_be_captured()
                })
            })
            .collect();
        privacy.parameters = parameters::private(module, |object| privacy.is_private(object));
        privacy.enter();
        privacy
    }

    /// Another function is next.
    pub fn enter(&mut self) {
        self.captured.clear();
    }

    /// What `pointer` points to, at best: an object of each kind would be shared.
    pub fn memory(&mut self, pointer: Value<'m>) -> Memory {
        let mut objects = pointer
            .underlying_objects()
            .into_iter()
            .map(|object| self.object(object));
        let Some(first) = objects.next() else {
            return Memory::Shared;
        };
        objects.fold(
            first,
            |all, memory| if all == memory { all } else { Memory::Shared },
        )
    }

    fn object(&mut self, object: Value<'m>) -> Memory {
        let is_load = object.opcode() == Opcode::Load;
        if is_load && object.is_vtable_access() || object.global().is_some_and(|kind| kind.constant)
        {
            Memory::Constant
        } else if self.is_private(object) || self.parameters.contains(&object) {
            Memory::Private
        } else {
            Memory::Shared
        }
    }

    /// Whether an object that is no parameter, or a copy behind one, is private.
    fn is_private(&mut self, object: Value<'m>) -> bool {
        match object.opcode() {
            Opcode::Alloca => !self.is_captured(object),
            Opcode::Call => self
                .thread_local_behind(object)
                .is_some_and(|global| self.own_thread_locals.contains(&global)),
            // LLVM may look through the call.
            _ if object.is_global_variable() => self.own_thread_locals.contains(&object),
            _ => self.is_by_value(object) && !self.is_captured(object),
        }
    }

    fn is_by_value(&self, object: Value<'m>) -> bool {
        object.as_argument().is_some_and(|(function, number)| {
            function
                .parameter_type_attribute(number, self.byval)
                .is_some()
        })
    }

    fn is_captured(&mut self, object: Value<'m>) -> bool {
        *self
            .captured
            .entry(object)
            .or_insert_with(|| object.may_be_captured())
    }

    /// The thread-local variable whose address for the running thread a call returns.
    fn thread_local_behind(&self, call: Value<'m>) -> Option<Value<'m>> {
        let called = call.called_function()?.intrinsic()?;
        (Some(called) == self.thread_local_address).then(|| call.operand(0))
    }
}
