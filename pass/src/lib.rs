//! The compiler plugin: inserts race checks into LLVM IR.
//!
//! ```text
//! scope (which functions) -> select (what to instrument) -> reduce (fewer checks that tell the same) -> emit (insert)
//!                    all through llvm (safe handles) -> C API, shim/ (C++)
//! ```
//!
//! The plugin runs twice in a compilation: before the first pass of the optimizer, where it only marks functions, and
//! after the last one. The names, numbers and layouts of what it inserts are those of `goldilocks_core::abi`.

mod cxx_library;
mod emit;
mod excluded;
mod hooks;
mod library_locks;
mod lines;
mod llvm;
mod options;
mod own_business;
mod promotion;
mod recompile;
mod reduce;
mod scope;
mod select;
mod speculation;
mod stats;

use std::ffi::c_void;

use llvm::{Entered, Module, Value, sys};
use options::Options;
use scope::{Scope, Scopes};
use stats::Stats;

/// The function by which LLVM recognizes a plugin. In C++ it returns a structure of more than 16 bytes, which the
/// x86-64 convention does through a pointer that comes first and is returned; LLVM's versions differ in its size.
///
/// # Safety
/// `info` is where LLVM expects its `PassPluginLibraryInfo`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llvmGetPassPluginInfo(info: *mut c_void) -> *mut c_void {
    // SAFETY: by the contract of this function.
    unsafe {
        sys::goldilocks_plugin_info(
            info,
            Some(run),
            Some(before_motion),
            Some(before_simplification),
        )
    }
}

/// Runs a pass on a module, for the shim. Returns whether the module was changed.
///
/// # Safety
/// `module` is a module that nobody else uses during the call.
unsafe extern "C" fn run(module: sys::LLVMModuleRef, start: bool) -> bool {
    // SAFETY: by the contract of this function.
    run_on(unsafe { Module::lend(module) }, start)
}

/// Runs before LLVM moves code out of a loop, for the shim.
///
/// # Safety
/// `entered` is a loop of `function`, and nobody else uses the function during the call.
unsafe extern "C" fn before_motion(
    function: sys::LLVMValueRef,
    entered: sys::goldilocks_entered_ref,
) {
    // SAFETY: by the contract of this function.
    let entered = unsafe { Entered::lend(function, entered) };
    promotion::restrain(&entered);
    lines::keep(&entered);
}

/// Runs before LLVM simplifies the instructions of a function, for the shim.
///
/// # Safety
/// Nobody else uses the function during the call.
unsafe extern "C" fn before_simplification(function: sys::LLVMValueRef) {
    // SAFETY: by the contract of this function.
    speculation::restrain(unsafe { Value::lend(function) });
}

fn run_on(module: Module<'_>, start: bool) -> bool {
    let target = module.target();
    if !is_supported(&target) {
        eprintln!(
            "goldilocks: {}: target {target} is not supported, not instrumented",
            module.name()
        );
        return false;
    }
    let options = Options::get();
    let scopes = Scopes::new(module, &options);
    if start {
        let told = scopes.is_started(module) || library_locks::tell_of_methods(module);
        let promised = select::distrust_promises(module);
        select::mark_constructors(module) | scopes.start(module) | told | promised
    } else {
        instrument(module, &options, &scopes)
    }
}

/// Shadow memory and check stubs are made for one system. A module that does not say is taken to be for it.
fn is_supported(target: &str) -> bool {
    let wide = !target.contains("x32");
    target.is_empty() || target.starts_with("x86_64") && target.contains("linux") && wide
}

fn instrument<'m>(module: Module<'m>, options: &Options, scopes: &Scopes<'m>) -> bool {
    // All scopes are decided before anything is changed that they depend on.
    let functions: Vec<_> = module
        .functions()
        .map(|function| (function, scopes.of(function)))
        .filter(|(_, scope)| *scope != Scope::Nothing)
        .collect();
    let mut stats = Stats::default();
    if !functions.is_empty() {
        let mut selector = select::Selector::new(module, options);
        let reducer = reduce::Reducer::new(module, options);
        let mut emitter = emit::Emitter::new(module, options);
        for (function, scope) in functions {
            scopes.prepare(module, function, scope);
            library_locks::make_called(module, function);
            let works = selector.function(function, scope, &mut stats);
            let works = reducer.function(function, works, &mut stats);
            emitter.function(function, &works);
        }
        cxx_library::replace(module);
        module.require(goldilocks_core::abi::ABI_SYMBOL);
    }
    scopes.finish(module);
    if options.stats {
        stats.print(&module.name());
    }
    true
}
