//! Inserts what `select` has listed.
//!
//! Works from the end of a function to its start: a check splits the block that it is in, which moves what follows,
//! and what follows has then been dealt with.

mod atomic;
mod check;
mod context;
mod memory;
mod position;
mod prefetch;
mod probe;
mod virtual_table;

use goldilocks_core::abi::{self, Hook};

use crate::hooks;
use crate::llvm::{Builder, Module, Opcode, Value};
use crate::options::Options;
use crate::select::Work;

/// Beginning of the names of functions that clang makes to combine the copies of a reduction for tasks (`CGOpenMPRuntime::emitReduceCombFunction`).
const COMBINES: &str = ".red_comb.";

/// Emits for one module.
pub struct Emitter<'m, 'o> {
    module: Module<'m>,
    options: &'o Options,
    builder: Builder<'m>,
    tag: Value<'m>,
    /// Whether the present function compares tags itself.
    inline: bool,
    /// The present function.
    function: Option<Value<'m>>,
    /// Instructions of the present function that are to be deleted, and what stands for their results.
    replaced: Vec<(Value<'m>, Value<'m>)>,
    /// Instructions without a result that are to be deleted.
    made: Vec<Value<'m>>,
}

impl<'m, 'o> Emitter<'m, 'o> {
    pub fn new(module: Module<'m>, options: &'o Options) -> Emitter<'m, 'o> {
        Emitter {
            module,
            options,
            builder: Builder::new(module),
            tag: module.epoch_tag(options.local_exec),
            inline: true,
            function: None,
            replaced: Vec::new(),
            made: Vec::new(),
        }
    }

    /// Does all that was selected in `function`; `works` are in the order of its instructions.
    pub fn function(&mut self, function: Value<'m>, works: &[Work<'m>]) {
        self.function = Some(function);
        let has_callees = Self::has_callees(function);
        self.inline = self.options.inline_checks
            && works.len() <= self.options.inline_limit as usize
            && !function.prefers_small_code();
        for (number, work) in works.iter().enumerate().rev() {
            match work {
                Work::Check(check) => self.check(check, number),
                Work::Range(range) => self.range(range),
                Work::Lanes(lanes) => self.lanes(lanes, number),
                Work::VirtualTable(store) => self.virtual_table(store),
                Work::Replace(intrinsic, hook) => self.replace(*intrinsic, *hook),
                Work::Prefetch(intrinsic) => self.prefetch(*intrinsic),
                Work::Atomic(atomic) => self.atomic(atomic),
                Work::Fence(fence, order) => self.fence(*fence, *order),
            }
        }
        for (instruction, value) in self.replaced.drain(..) {
            instruction.replace_by(value);
            // SAFETY: nothing uses its result any more, and all works are done.
            unsafe { instruction.erase() };
        }
        for instruction in self.made.drain(..) {
            // SAFETY: it has no result, and all works are done.
            unsafe { instruction.erase() };
        }
        if has_callees {
            self.keep_context(function);
        }
        if function.name().starts_with(COMBINES) {
            self.combines(function);
        }
    }

    /// Tells that libomp combines copies.
    fn combines(&mut self, function: Value<'m>) {
        let first = function.blocks().next().and_then(|entry| {
            entry
                .instructions()
                .find(|instruction| instruction.opcode() != Opcode::Alloca)
        });
        if let Some(first) = first {
            self.place(first, first);
            self.hook(abi::COMBINE, &[]);
        }
    }

    /// What follows is inserted before `before`, with the position in the source of `source`.
    fn place(&self, before: Value<'m>, source: Value<'m>) {
        let function = self.function.expect("works are of a function");
        self.builder.at(position::of(source, function, self.module));
        self.builder.before(before);
    }

    /// A call of a function of the runtime.
    fn hook(&self, hook: Hook, arguments: &[Value<'m>]) -> Value<'m> {
        hooks::call(&self.builder, hook, arguments)
    }
}
