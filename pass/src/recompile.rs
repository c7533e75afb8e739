//! Compiles a module again that was compiled before there was a plugin: from bitcode to an instrumented object.
//!
//! For libraries that come compiled and carry their bitcode with them, as Rust's standard library does. Whoever calls this has
//! loaded the LLVM that the bitcode was made by, then this plugin. The module has been optimized: it is instrumented as it is.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

use crate::llvm::{Module, sys};

/// Reads the bitcode file `input` and writes the object file `output`: position independent, a section per symbol, with the
/// instrumented bitcode in it. Returns 0, or 1 after a message on stderr.
///
/// # Safety
/// Both are terminated strings, and no other thread uses LLVM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn goldilocks_recompile(
    input: *const c_char,
    output: *const c_char,
) -> c_int {
    // SAFETY: terminated, by the contract.
    let (input, output) = unsafe { (CStr::from_ptr(input), CStr::from_ptr(output)) };
    // SAFETY: nobody else uses LLVM, by the contract.
    match unsafe { recompile(input, output) } {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("goldilocks: {}: {message}", input.to_string_lossy());
            1
        }
    }
}

/// # Safety
/// No other thread uses LLVM.
unsafe fn recompile(input: &CStr, output: &CStr) -> Result<(), String> {
    // SAFETY: everything made here is used by this function alone, in the order that LLVM's C API asks for: targets are
    // initialized before they are looked up, the module is parsed before it is changed. The process ends after this, so nothing
    // is given back.
    unsafe {
        sys::LLVMInitializeX86TargetInfo();
        sys::LLVMInitializeX86Target();
        sys::LLVMInitializeX86TargetMC();
        sys::LLVMInitializeX86AsmPrinter();
        sys::LLVMInitializeX86AsmParser();
        let mut buffer = ptr::null_mut();
        let mut message = ptr::null_mut();
        if sys::LLVMCreateMemoryBufferWithContentsOfFile(input.as_ptr(), &mut buffer, &mut message)
            != 0
        {
            return Err(text(message));
        }
        let mut module = ptr::null_mut();
        if sys::LLVMParseBitcodeInContext2(sys::LLVMGetGlobalContext(), buffer, &mut module) != 0 {
            return Err("is no bitcode that this LLVM reads".to_owned());
        }
        let machine = machine_for(module)?;
        let lent = Module::lend(module);
        crate::run_on(lent, true);
        passes(module, machine, c"function(sink)")?;
        crate::own_business::set_aside(lent);
        if !crate::run_on(lent, false) {
            return Err("was not instrumented".to_owned());
        }
        // A summary names what it is about.
        passes(module, machine, c"canonicalize-aliases,name-anon-globals")?;
        sys::goldilocks_embed_bitcode(module);
        let object = sys::LLVMCodeGenFileType::LLVMObjectFile;
        if sys::LLVMTargetMachineEmitToFile(machine, module, output.as_ptr(), object, &mut message)
            != 0
        {
            return Err(text(message));
        }
    }
    Ok(())
}

/// # Safety
/// `module` is a module that nobody else uses.
unsafe fn machine_for(module: sys::LLVMModuleRef) -> Result<sys::LLVMTargetMachineRef, String> {
    let mut message = ptr::null_mut();
    let mut target = ptr::null_mut();
    // SAFETY: the module is valid by the contract, and the target comes from the look-up.
    unsafe {
        let triple = sys::LLVMGetTarget(module);
        if sys::LLVMGetTargetFromTriple(triple, &mut target, &mut message) != 0 {
            return Err(text(message));
        }
        // Functions name the processor that they are for themselves.
        let machine = sys::LLVMCreateTargetMachine(
            target,
            triple,
            c"x86-64".as_ptr(),
            c"".as_ptr(),
            sys::LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
            sys::LLVMRelocMode::LLVMRelocPIC,
            sys::LLVMCodeModel::LLVMCodeModelDefault,
        );
        sys::goldilocks_section_per_symbol(machine);
        Ok(machine)
    }
}

/// # Safety
/// `module` and `machine` are valid and nobody else uses them.
unsafe fn passes(
    module: sys::LLVMModuleRef,
    machine: sys::LLVMTargetMachineRef,
    pipeline: &CStr,
) -> Result<(), String> {
    // SAFETY: both are valid by the contract; the options live until they are given back.
    unsafe {
        let options = sys::LLVMCreatePassBuilderOptions();
        let error = sys::LLVMRunPasses(module, pipeline.as_ptr(), machine, options);
        sys::LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        Err(text(sys::LLVMGetErrorMessage(error)))
    }
}

/// Takes a message of LLVM's over.
///
/// # Safety
/// A terminated string.
unsafe fn text(message: *mut c_char) -> String {
    // SAFETY: terminated by the contract, and copied.
    let copy: CString = unsafe { CStr::from_ptr(message) }.to_owned();
    copy.to_string_lossy().into_owned()
}
