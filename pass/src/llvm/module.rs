//! The module that is being compiled.

use std::ffi::CString;
use std::marker::PhantomData;

use super::{Type, Value, call, sys};
use goldilocks_core::abi;

/// A module on loan from the compiler.
#[derive(Clone, Copy)]
pub struct Module<'m> {
    raw: sys::LLVMModuleRef,
    loan: PhantomData<&'m ()>,
}

/// What sort of global variable a value is.
#[derive(Clone, Copy)]
pub struct GlobalKind {
    pub constant: bool,
    pub thread_local: bool,
    /// Not visible outside of the module.
    pub local: bool,
}

/// An intrinsic function, by name and for all its types.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Intrinsic(u32);

impl Intrinsic {
    /// `None` if this version of LLVM does not have it.
    pub fn named(name: &str) -> Option<Intrinsic> {
        let id = call!(LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()));
        (id != 0).then_some(Intrinsic(id))
    }
}

impl<'m> Value<'m> {
    /// Which intrinsic a function is.
    pub fn intrinsic(self) -> Option<Intrinsic> {
        if !self.is_function() {
            return None;
        }
        let id = call!(LLVMGetIntrinsicID(self.raw));
        (id != 0).then_some(Intrinsic(id))
    }
}

impl<'m> Module<'m> {
    /// # Safety
    /// The module is valid and nobody else uses it during `'m`.
    pub unsafe fn lend(raw: sys::LLVMModuleRef) -> Module<'m> {
        Module {
            raw,
            loan: PhantomData,
        }
    }

    pub(super) fn context(self) -> sys::LLVMContextRef {
        call!(LLVMGetModuleContext(self.raw))
    }

    pub(super) fn layout(self) -> sys::LLVMTargetDataRef {
        call!(LLVMGetModuleDataLayout(self.raw))
    }

    /// Source file name, for messages.
    pub fn name(self) -> String {
        let mut length = 0;
        let text = call!(LLVMGetModuleIdentifier(self.raw, &mut length));
        // SAFETY: LLVM keeps `length` bytes there as long as the module keeps its name; they are copied at once.
        let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// The target triple; empty if the module says none.
    pub fn target(self) -> String {
        let text = call!(LLVMGetTarget(self.raw));
        // SAFETY: LLVM returns a terminated string that lives as long as the module.
        unsafe { std::ffi::CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned()
    }

    pub fn functions(self) -> impl Iterator<Item = Value<'m>> {
        walk(call!(LLVMGetFirstFunction(self.raw)), |value| {
            call!(LLVMGetNextFunction(value))
        })
    }

    /// Its variables.
    pub fn globals(self) -> impl Iterator<Item = Value<'m>> {
        walk(call!(LLVMGetFirstGlobal(self.raw)), |value| {
            call!(LLVMGetNextGlobal(value))
        })
    }

    /// Functions that the dynamic linker calls to resolve symbols, before the program is set up.
    pub fn resolvers(self) -> impl Iterator<Item = Value<'m>> {
        walk(call!(LLVMGetFirstGlobalIFunc(self.raw)), |value| {
            call!(LLVMGetNextGlobalIFunc(value))
        })
        .map(|ifunc| Value::new(call!(LLVMGetGlobalIFuncResolver(ifunc.raw))))
    }

    pub fn global_variables(self) -> impl Iterator<Item = Value<'m>> {
        walk(call!(LLVMGetFirstGlobal(self.raw)), |value| {
            call!(LLVMGetNextGlobal(value))
        })
    }

    /// Whether the code may become part of a shared library: `-fPIC` and not `-fPIE`.
    pub fn is_shared_object_code(self) -> bool {
        call!(goldilocks_pic_level(self.raw)) > 0 && call!(goldilocks_pie_level(self.raw)) == 0
    }

    pub fn is_position_independent(self) -> bool {
        call!(goldilocks_pic_level(self.raw)) > 0
    }

    pub fn has_note(self, name: &str) -> bool {
        !call!(LLVMGetNamedMetadata(
            self.raw,
            name.as_ptr().cast(),
            name.len()
        ))
        .is_null()
    }

    /// Leaves a note (named metadata) in the module for a later pass.
    pub fn add_note(self, name: &str) {
        call!(LLVMGetOrInsertNamedMetadata(
            self.raw,
            name.as_ptr().cast(),
            name.len()
        ));
    }

    /// The type of integers of so many bits.
    pub fn integer(self, bits: u32) -> Type<'m> {
        Type::new(call!(LLVMIntTypeInContext(self.context(), bits)))
    }

    /// A vector of a fixed number of elements.
    pub fn vector(self, element: Type<'m>, lanes: u32) -> Type<'m> {
        Type::new(call!(LLVMVectorType(element.raw, lanes)))
    }

    pub fn pointer(self) -> Type<'m> {
        Type::new(call!(LLVMPointerTypeInContext(self.context(), 0)))
    }

    pub fn void(self) -> Type<'m> {
        Type::new(call!(LLVMVoidTypeInContext(self.context())))
    }

    pub fn function_type(self, result: Type<'m>, parameters: &[Type<'m>]) -> Type<'m> {
        let mut raw: Vec<_> = parameters.iter().map(|ty| ty.raw).collect();
        Type::new(call!(LLVMFunctionType(
            result.raw,
            raw.as_mut_ptr(),
            raw.len() as u32,
            0
        )))
    }

    pub fn null(self) -> Value<'m> {
        Value::new(call!(LLVMConstNull(self.pointer().raw)))
    }

    /// An integer constant.
    pub fn constant(self, bits: u32, value: u64) -> Value<'m> {
        Value::new(call!(LLVMConstInt(self.integer(bits).raw, value, 0)))
    }

    pub fn function(self, name: &str) -> Option<Value<'m>> {
        let name = terminated(name);
        Value::from_nullable(call!(LLVMGetNamedFunction(self.raw, name.as_ptr())))
    }

    /// A function of another object, declared if it is not yet.
    pub fn declare(self, name: &str, ty: Type<'m>) -> Value<'m> {
        self.function(name).unwrap_or_else(|| {
            let name = terminated(name);
            Value::new(call!(LLVMAddFunction(self.raw, name.as_ptr(), ty.raw)))
        })
    }

    /// The running thread's epoch tag.
    pub fn epoch_tag(self, local_exec: bool) -> Value<'m> {
        let name = terminated(abi::TAG_SYMBOL);
        if let Some(found) =
            Value::from_nullable(call!(LLVMGetNamedGlobal(self.raw, name.as_ptr())))
        {
            return found;
        }
        let global = call!(LLVMAddGlobal(self.raw, self.integer(32).raw, name.as_ptr()));
        let model = match local_exec {
            true => sys::LLVMThreadLocalMode::LLVMLocalExecTLSModel,
            false => sys::LLVMThreadLocalMode::LLVMInitialExecTLSModel,
        };
        call!(LLVMSetThreadLocalMode(global, model));
        call!(LLVMSetAlignment(global, 4));
        Value::new(global)
    }

    /// Makes the object refer to `symbol`, once per linked program or library: linking fails where it is not
    /// defined, even when nothing else is used.
    pub fn require(self, symbol: &str) {
        let reference = terminated(&format!("{symbol}_reference"));
        if !call!(LLVMGetNamedGlobal(self.raw, reference.as_ptr())).is_null() {
            return;
        }
        let symbol = terminated(symbol);
        let byte = self.integer(8);
        let wanted = call!(LLVMAddGlobal(self.raw, byte.raw, symbol.as_ptr()));
        call!(LLVMSetGlobalConstant(wanted, 1));
        let global = call!(LLVMAddGlobal(
            self.raw,
            self.pointer().raw,
            reference.as_ptr()
        ));
        call!(LLVMSetInitializer(global, wanted));
        call!(LLVMSetGlobalConstant(global, 1));
        call!(LLVMSetLinkage(
            global,
            sys::LLVMLinkage::LLVMLinkOnceODRLinkage
        ));
        call!(LLVMSetVisibility(
            global,
            sys::LLVMVisibility::LLVMHiddenVisibility
        ));
        let comdat = call!(LLVMGetOrInsertComdat(self.raw, reference.as_ptr()));
        call!(LLVMSetComdat(global, comdat));
        call!(goldilocks_append_to_used(self.raw, global));
    }
}

fn walk<'m>(
    first: sys::LLVMValueRef,
    next: impl Fn(sys::LLVMValueRef) -> sys::LLVMValueRef,
) -> impl Iterator<Item = Value<'m>> {
    let mut value = first;
    std::iter::from_fn(move || {
        let current = Value::from_nullable(value)?;
        value = next(value);
        Some(current)
    })
}

fn terminated(name: &str) -> CString {
    CString::new(name).expect("names of the ABI have no zero byte")
}
