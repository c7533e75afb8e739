//! What to instrument: looks at a function and lists what has to be inserted where. Changes nothing.
//!
//! `privacy` knows memory that cannot race. What need not be checked because another check tells the same is `reduce`'s.

mod assembly;
mod atomic;
mod intrinsic;
mod library;
mod parameters;
mod privacy;
mod vector;
mod virtual_table;
mod work;

pub use intrinsic::{Intrinsics, Kind};
pub use parameters::distrust_promises;
pub use virtual_table::mark_constructors;
pub use work::{Atomic, Check, Lanes, LowBits, Range, Rows, Shape, VirtualTable, Work};

use goldilocks_core::abi::Hook;

use crate::llvm::{Attribute, Module, Opcode, Value};
use crate::options::Options;
use crate::scope::Scope;
use crate::stats::Stats;
use privacy::{Memory, Privacy};

/// The longest range of known length that is checked in line, bytes: a cache line.
pub const INLINE_BYTES: u64 = 64;

/// Names and sections of what the compiler's profiling instrumentation counts in.
const COUNTERS: [&str; 5] = [
    "__profc_",
    "__profd_",
    "__profbm_",
    "__llvm_gcov_ctr",
    "__llvm_gcda",
];

/// Selects for one module.
pub struct Selector<'m, 'o> {
    module: Module<'m>,
    options: &'o Options,
    intrinsics: Intrinsics,
    privacy: Privacy<'m>,
    byval: Attribute,
    align: Attribute,
    element_type: Attribute,
    /// Whether the module is instrumented for a profile.
    has_counters: bool,
    /// Whether the present function may use 16-byte atomic instructions.
    has_wide_exchange: bool,
}

impl<'m, 'o> Selector<'m, 'o> {
    pub fn new(module: Module<'m>, options: &'o Options) -> Selector<'m, 'o> {
        Selector {
            module,
            options,
            intrinsics: Intrinsics::new(module),
            privacy: Privacy::new(module),
            byval: Attribute::named("byval").expect("an attribute of every supported LLVM"),
            align: Attribute::named("align").expect("an attribute of every supported LLVM"),
            element_type: Attribute::named("elementtype")
                .expect("an attribute of every supported LLVM"),
            has_counters: module.globals().any(|global| {
                COUNTERS
                    .iter()
                    .any(|counter| global.name().starts_with(counter))
            }),
            has_wide_exchange: false,
        }
    }

    /// Everything to do in `function`, in the order of its instructions.
    pub fn function(
        &mut self,
        function: Value<'m>,
        scope: Scope,
        stats: &mut Stats,
    ) -> Vec<Work<'m>> {
        stats.functions += 1;
        self.privacy.enter();
        self.has_wide_exchange = function
            .text_attribute("target-features")
            .is_some_and(|features| features.split(',').any(|feature| feature == "+cx16"));
        let mut list = List {
            works: Vec::new(),
            stats,
        };
        for block in function.blocks() {
            for instruction in block.instructions() {
                self.instruction(instruction, scope, &mut list);
            }
        }
        list.works
    }

    fn instruction(&mut self, instruction: Value<'m>, scope: Scope, list: &mut List<'m, '_>) {
        match instruction.opcode() {
            Opcode::Load | Opcode::Store if instruction.order().is_none() => {
                if scope == Scope::Full {
                    self.access(instruction, list);
                }
            }
            Opcode::Load
            | Opcode::Store
            | Opcode::ReadModifyWrite
            | Opcode::CompareExchange
            | Opcode::Fence => {
                self.atomic(instruction, list);
            }
            Opcode::Call => {
                self.call(instruction, scope, list);
            }
            Opcode::Alloca | Opcode::Other => {}
        }
    }

    /// A plain load or store.
    fn access(&mut self, instruction: Value<'m>, list: &mut List<'m, '_>) {
        let (Some(address), Some(ty)) = (instruction.address(), instruction.accessed_type()) else {
            return;
        };
        let write = instruction.opcode() == Opcode::Store;
        if instruction.has_metadata(self.module, "nosanitize") {
            list.stats.exempt += 1;
            return;
        }
        if !write && instruction.has_metadata(self.module, "invariant.load") {
            list.stats.constant += 1;
            return;
        }
        let bytes = ty.store_size(self.module);
        if write && instruction.is_vtable_access() && self.virtual_table(instruction, list) {
            return;
        }
        self.known_range(
            instruction,
            address,
            bytes,
            instruction.alignment(),
            write,
            list,
        );
    }

    /// An access of a length that is known.
    fn known_range(
        &mut self,
        instruction: Value<'m>,
        address: Value<'m>,
        bytes: u64,
        alignment: u64,
        write: bool,
        list: &mut List<'m, '_>,
    ) {
        if bytes == 0 || !self.wanted(address, write, list.stats) {
            return;
        }
        let low = LowBits::new(address.known_low_bits(instruction), alignment);
        list.check(Check {
            before: instruction,
            source: instruction,
            address,
            bytes,
            write,
            low,
        });
    }

    /// Whether accesses to what `address` points to are to be checked.
    fn wanted(&mut self, address: Value<'m>, write: bool, stats: &mut Stats) -> bool {
        if !(if write {
            self.options.writes
        } else {
            self.options.reads
        }) {
            return false;
        }
        if self.exempt(address) {
            stats.exempt += 1;
            return false;
        }
        match self.privacy.memory(address) {
            Memory::Private if self.options.private_objects => {
                stats.private += 1;
                false
            }
            Memory::Constant if !write => {
                stats.constant += 1;
                false
            }
            _ => true,
        }
    }

    /// Whether an address is none that the program's threads share as memory.
    fn exempt(&self, address: Value<'m>) -> bool {
        if address.ty().address_space() != Some(0) || address.is_swift_error() {
            return true;
        }
        let is_counter = |object: Value<'m>| {
            object.is_global_variable()
                && COUNTERS
                    .iter()
                    .any(|counter| object.name().starts_with(counter))
        };
        // Also in the middle of a function's counters.
        self.has_counters && address.underlying_objects().into_iter().all(is_counter)
    }

    fn call(&mut self, call: Value<'m>, scope: Scope, list: &mut List<'m, '_>) {
        let intrinsic = call.called_function().and_then(Value::intrinsic);
        if let Some(intrinsic) = intrinsic {
            if let Some(kind) = self.intrinsics.kind(intrinsic) {
                self.fence_intrinsic(call, kind, list);
                if scope == Scope::Full && self.options.memory {
                    self.memory_intrinsic(call, kind, list);
                }
            }
            return;
        }
        self.assembly(call, list);
        if scope == Scope::Full && self.options.memory {
            self.streamed(call, list);
            self.by_value_arguments(call, list);
            self.library_call(call, list);
        }
    }

    /// The caller copies arguments that are passed by value, which reads them.
    fn by_value_arguments(&mut self, call: Value<'m>, list: &mut List<'m, '_>) {
        for number in 0..call.argument_count() {
            if let Some(ty) = call.argument_type_attribute(number, self.byval) {
                let bytes = ty.alloc_size(self.module);
                self.range(
                    call,
                    call.operand(number),
                    Length::Known(bytes),
                    1,
                    false,
                    list,
                );
            }
        }
    }

    /// An access of any length, in line if it is short.
    fn range(
        &mut self,
        instruction: Value<'m>,
        address: Value<'m>,
        length: Length<'m>,
        alignment: u64,
        write: bool,
        list: &mut List<'m, '_>,
    ) {
        let bytes = match length {
            Length::Known(bytes) if bytes <= INLINE_BYTES => {
                return self.known_range(instruction, address, bytes, alignment, write, list);
            }
            Length::Known(bytes) => self.module.constant(64, bytes),
            Length::Value(bytes) => bytes,
        };
        if self.wanted(address, write, list.stats) {
            list.stats.ranges += 1;
            list.works.push(Work::Range(Range {
                before: instruction,
                source: instruction,
                address,
                bytes,
                write,
                rows: None,
            }));
        }
    }
}

/// How long an access is, in bytes.
#[derive(Clone, Copy)]
enum Length<'m> {
    Known(u64),
    Value(Value<'m>),
}

impl<'m> Length<'m> {
    fn of(value: Value<'m>) -> Length<'m> {
        value
            .as_constant()
            .map_or(Length::Value(value), Length::Known)
    }
}

/// What has been selected so far in a function.
struct List<'m, 's> {
    works: Vec<Work<'m>>,
    stats: &'s mut Stats,
}

impl<'m> List<'m, '_> {
    fn check(&mut self, check: Check<'m>) {
        if check.write {
            self.stats.writes += 1
        } else {
            self.stats.reads += 1
        }
        self.works.push(Work::Check(check));
    }

    fn replace(&mut self, intrinsic: Value<'m>, hook: Hook) {
        self.stats.replaced += 1;
        self.works.push(Work::Replace(intrinsic, hook));
    }
}
