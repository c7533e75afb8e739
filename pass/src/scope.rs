//! Which functions are instrumented, and what is done to a function as a whole.
//!
//! The front end says which functions are to be checked by LLVM's `sanitize_thread` attribute, if it is asked to
//! (clang: `-Xclang -fsanitize=thread`): a function without it is `no_sanitize("thread")`. Where no function has the
//! attribute, all are to be checked, and then the attribute is added before optimization: it keeps the optimizer
//! from inventing reads that the program does not make, and from inlining an unchecked function into a checked one.

use crate::excluded::Excluded;
use crate::llvm::{Attribute, Module, Value};
use crate::options::Options;

/// Left in modules that have gone through [`start`]: `sanitize_thread` is on exactly what is to be checked.
const STARTED: &str = "goldilocks.started";
/// Left in such modules where the attribute came from the front end, which then runs ThreadSanitizer's own passes.
const MARKED: &str = "goldilocks.marked";
/// On functions that are instrumented, so that no function ever is twice.
const DONE: &str = "goldilocks-instrumented";
/// The constructor of ThreadSanitizer's own pass.
const FOREIGN_CONSTRUCTOR: &str = "tsan.module_ctor";

/// How far a function is instrumented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Everything.
    Full,
    /// Atomics, call stacks, but no plain accesses: `no_sanitize("thread")`.
    Synchronization,
    /// Left alone.
    Nothing,
}

/// Whether a function that is being optimized is to be instrumented afterwards, in full.
pub fn is_to_be_checked(function: Value<'_>) -> bool {
    let sanitize =
        Attribute::named("sanitize_thread").expect("an attribute of every supported LLVM");
    function.has_attribute(sanitize) && function.text_attribute(DONE).is_none()
}

/// The attributes of functions that matter here, looked up once.
pub struct Scopes<'m> {
    sanitize: Attribute,
    disabled: Attribute,
    naked: Attribute,
    no_red_zone: Attribute,
    presplit_coroutine: Attribute,
    /// What the optimizer may have concluded from the function's code and is no longer true.
    untrue: Vec<Attribute>,
    by_attribute: bool,
    /// Whether the attribute came from the front end.
    marked: bool,
    /// They run before there are thread-locals and shadow memory.
    resolvers: Vec<Value<'m>>,
}

impl<'m> Scopes<'m> {
    pub fn new(module: Module<'m>, options: &Options) -> Scopes<'m> {
        let named = |name| Attribute::named(name).expect("an attribute of every supported LLVM");
        let sanitize = named("sanitize_thread");
        let started = module.has_note(STARTED);
        let by_attribute = started
            || options.marked
            || module
                .functions()
                .any(|function| function.has_attribute(sanitize));
        Scopes {
            sanitize,
            disabled: named("disable_sanitizer_instrumentation"),
            naked: named("naked"),
            no_red_zone: named("noredzone"),
            presplit_coroutine: named("presplitcoroutine"),
            untrue: ["memory", "nosync", "speculatable"]
                .into_iter()
                .filter_map(Attribute::named)
                .collect(),
            by_attribute,
            marked: if started {
                module.has_note(MARKED)
            } else {
                by_attribute
            },
            resolvers: module.resolvers().collect(),
        }
    }

    pub fn of(&self, function: Value<'m>) -> Scope {
        if !function.has_body()
            || function.is_available_externally()
            || function.has_attribute(self.disabled)
            || function.has_attribute(self.naked)
            || function.has_attribute(self.presplit_coroutine)
            || function.text_attribute(DONE).is_some()
            || function.name() == FOREIGN_CONSTRUCTOR
            || self.resolvers.contains(&function)
        {
            return Scope::Nothing;
        }
        let unmarked = self.by_attribute && !function.has_attribute(self.sanitize);
        if unmarked
            || function
                .text_attribute("sanitize_thread_no_checking_at_run_time")
                .is_some()
        {
            return Scope::Synchronization;
        }
        Scope::Full
    }

    /// Whether a module has gone through [`Scopes::start`].
    pub fn is_started(&self, module: Module<'m>) -> bool {
        module.has_note(STARTED)
    }

    /// Before optimization. Returns whether the module was changed.
    pub fn start(&self, module: Module<'m>) -> bool {
        if module.has_note(STARTED) {
            return false;
        }
        if self.marked {
            module.add_note(MARKED);
        } else {
            let excluded = Excluded::get();
            let checked = |function: &Value<'m>| {
                self.of(*function) == Scope::Full && !excluded.contains(*function)
            };
            for function in module.functions().filter(checked) {
                function.add_attribute(module, self.sanitize);
            }
        }
        module.add_note(STARTED);
        true
    }

    /// Makes a function's call stacks complete and its stack safe for check stubs.
    ///
    /// The `sanitize_thread` attribute serves there too: with it, the code generator sets up the frame before anything
    /// else, so that a check never runs with the frame pointer of the caller, and link-time optimization does not
    /// inline the function into one that was not prepared.
    pub fn prepare(&self, module: Module<'m>, function: Value<'m>, scope: Scope) {
        if scope == Scope::Full {
            function.add_attribute(module, self.sanitize);
        }
        function.add_attribute(module, self.no_red_zone);
        function.set_text_attribute(module, "frame-pointer", "all");
        function.set_text_attribute(module, "disable-tail-calls", "true");
        function.set_text_attribute(module, DONE, "1");
        for attribute in &self.untrue {
            function.remove_attribute(*attribute);
        }
        function.gather_allocas();
    }

    /// After all functions. Keeps ThreadSanitizer's own passes, which come after ours where the attribute came from
    /// the front end, from doing anything: they skip such functions, and a module that has their constructor already.
    pub fn finish(&self, module: Module<'m>) {
        module.add_note(STARTED);
        if !self.marked {
            return;
        }
        for function in module.functions().filter(|function| function.has_body()) {
            function.add_attribute(module, self.disabled);
        }
        module.declare(
            FOREIGN_CONSTRUCTOR,
            module.function_type(module.void(), &[]),
        );
    }
}
