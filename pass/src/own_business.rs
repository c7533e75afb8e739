//! What a library does for itself alone: code whose synchronization orders nothing of the program's.
//!
//! Rust's standard library keeps a table of where threads' stacks end, for the message of a stack overflow. Each thread enters
//! itself at its start and leaves at its end, under one lock: as if the end of every thread happened before the start of every
//! later one, and what they do to each other's data were ordered when no program can rely on it. Such functions are compiled as
//! ignore scopes of the running thread.
//!
//! And some atomics of its are inlined into whatever uses it ([`is_atomic_of_it`]): a count of the threads that are about to unwind, which each use of a lock looks at
//! twice, and the flag by which a lock tells that its holder has unwound, as far as it is asked and set by who locks and unlocks. Nothing but atomics is ever
//! done to the one; the other is beside the lock's word, whose operations surround it, and whatever races with the one races with the other.

use crate::llvm::{Builder, Module, Opcode, Value};

/// Parts of the functions' names, which are mangled paths.
const FUNCTIONS: [&str; 2] = [
    "14stack_overflow11thread_info16set_current_info",
    "14stack_overflow3imp12drop_handler",
];

/// Whose atomics are of the library alone: a module, and of another one some functions.
const ATOMICS: [(&str, &[&str]); 2] = [
    ("3std9panicking11panic_count", &[""]),
    (
        "3std4sync6poison",
        &["4Flag6borrow", "4Flag5guard", "4Flag4done"],
    ),
];

/// Whether an atomic instruction, wherever it has been inlined, is of the library's own business.
pub fn is_atomic_of_it(instruction: Value<'_>) -> bool {
    let mut frames = std::iter::successors(instruction.location(), |here| here.inlined_at());
    frames.any(|frame| {
        let name = frame.function_name();
        ATOMICS.iter().any(|&(module, functions)| {
            // What follows the module at once: with v0, the types of what is generic may name it, too.
            let within = name.split_once(module).map(|(_, within)| within);
            let within = within.map(|within| match within.strip_prefix("NtB") {
                Some(back) => back.split_once('_').map_or("", |(_, method)| method),
                None => within,
            });
            within.is_some_and(|within| functions.iter().any(|name| within.starts_with(name)))
        })
    })
}

/// Reads and writes; then synchronization. The latter pair has two parameters, of no meaning.
const BEGIN: [&str; 2] = ["__tsan_ignore_thread_begin", "AnnotateIgnoreSyncBegin"];
const END: [&str; 2] = ["__tsan_ignore_thread_end", "AnnotateIgnoreSyncEnd"];

/// Before the module is instrumented: what is looked at is the library's own code.
pub fn set_aside(module: Module<'_>) {
    let is_one = |function: &Value<'_>| {
        function.has_body() && FUNCTIONS.iter().any(|name| function.name().contains(name))
    };
    let functions: Vec<_> = module.functions().filter(is_one).collect();
    for function in functions {
        enclose(module, function);
    }
}

fn enclose<'m>(module: Module<'m>, function: Value<'m>) {
    function.gather_allocas();
    let builder = Builder::new(module);
    builder.at(function.artificial_location(module));
    let blocks: Vec<_> = function.blocks().collect();
    let first = blocks.first().and_then(|entry| {
        let mut instructions = entry.instructions();
        instructions.find(|instruction| instruction.opcode() != Opcode::Alloca)
    });
    let ends = blocks
        .iter()
        .filter(|block| block.successors().next().is_none())
        .map(|block| block.terminator());
    let ends: Vec<_> = ends.collect();
    for (before, names) in first
        .map(|first| (first, BEGIN))
        .into_iter()
        .chain(ends.into_iter().map(|end| (end, END)))
    {
        builder.before(before);
        let [accesses, sync] = names;
        let plain = module.function_type(module.void(), &[]);
        builder.call(module.declare(accesses, plain), plain, &[]);
        let (pointer, number) = (module.pointer(), module.integer(32));
        let annotation = module.function_type(module.void(), &[pointer, number]);
        let arguments = [module.null(), module.constant(32, 0)];
        builder.call(module.declare(sync, annotation), annotation, &arguments);
    }
}
