//! The calling context: a hash of the return addresses of the running functions, which every function that calls others keeps up to
//! date while it runs.
//!
//! ```text
//!     %outer = load i64, @__goldilocks_tls + 24
//!     %from  = ptrtoint ptr @llvm.returnaddress(i32 0)
//!     %inner = mul (add %outer, %from), CONTEXT_FACTOR
//!     store i64 %inner, @__goldilocks_tls + 24          ; again wherever a call comes back to otherwise than by returning
//!     ...
//!     store i64 %outer, @__goldilocks_tls + 24          ; before the function ends
//! ```
//!
//! The runtime needs the whole stack of every access that it records. By this number it knows which one that is without looking at the
//! stack, once it has seen it. A function that calls none need not do this: its accesses are told apart by their
//! positions and its own return address, which is at the frame pointer.
//!
//! Bond and McKinley's *Probabilistic Calling Context* (OOPSLA 2007) is the same idea with call sites' numbers and a factor of three.

use goldilocks_core::abi;

use super::Emitter;
use crate::llvm::{Attribute, Block, Opcode, Value};

/// Functions that come back from what has run on another stack meanwhile.
const SWITCHES: [&str; 3] = ["swapcontext", "jump_fcontext", "ontop_fcontext"];

impl<'m> Emitter<'m, '_> {
    /// Whether `function` calls what may want to know the context; to be asked before anything is inserted.
    pub(super) fn has_callees(function: Value<'m>) -> bool {
        function
            .blocks()
            .flat_map(|block| block.instructions())
            .any(Value::calls_code)
    }

    /// Inserts what keeps the context; after everything else.
    pub(super) fn keep_context(&mut self, function: Value<'m>) {
        let returns_twice = Attribute::named("returns_twice");
        let returns_twice = |call: &Value<'m>| {
            returns_twice.is_some_and(|attribute| {
                call.has_call_attribute(attribute)
                    || call.called_function().is_some_and(|called| {
                        called.has_attribute(attribute) || SWITCHES.contains(&called.name())
                    })
            })
        };
        // What is found before anything is inserted.
        let (mut ends, mut comes_back) = (Vec::new(), Vec::new());
        for block in function.blocks() {
            let mut last_call = None;
            for instruction in block.instructions() {
                if instruction.is_must_tail_call() {
                    last_call = Some(instruction);
                }
                if instruction.is_landing_pad() || returns_twice(&instruction) {
                    // What a call may throw from comes back to another block. Where it throws to is a landing pad.
                    let next = instruction.next_instruction();
                    comes_back.extend(next.or_else(|| block.successors().next().map(Block::start)));
                }
            }
            let terminator = block.terminator();
            if terminator.is_return() || terminator.is_resume() {
                ends.push(last_call.unwrap_or(terminator));
            }
        }
        let Some(first) = function.blocks().next().and_then(|entry| {
            entry
                .instructions()
                .find(|at| at.opcode() != Opcode::Alloca)
        }) else {
            return;
        };
        let b = &self.builder;
        let word = self.module.integer(64);
        let place = b.offset(self.tag, abi::CONTEXT_OFFSET);
        b.at(function.artificial_location(self.module));
        b.before(first);
        let outer = b.load(word, place, 8);
        let from = b.resize(b.address_of(b.return_address()), 64);
        let inner = b.multiply(b.add(outer, from), b.constant(64, abi::CONTEXT_FACTOR));
        b.store(inner, place, 8);
        for at in comes_back {
            b.before(at);
            b.store(inner, place, 8);
        }
        for end in ends {
            b.before(end);
            b.store(outer, place, 8);
        }
    }
}
