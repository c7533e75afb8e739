//! Values: what instructions, arguments, globals, functions and constants have in common.

use std::marker::PhantomData;
use std::ptr::NonNull;

use super::module::GlobalKind;
use super::{Type, call, sys};

/// Anything that LLVM calls a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'m> {
    pub(super) raw: sys::LLVMValueRef,
    loan: PhantomData<&'m ()>,
}

impl<'m> Value<'m> {
    pub(super) fn new(raw: sys::LLVMValueRef) -> Value<'m> {
        debug_assert!(!raw.is_null());
        Value {
            raw,
            loan: PhantomData,
        }
    }

    /// # Safety
    /// `raw` is valid for `'m`, during which nobody else changes its function.
    pub unsafe fn lend(raw: sys::LLVMValueRef) -> Value<'m> {
        Value::new(raw)
    }

    pub(super) fn from_nullable(raw: sys::LLVMValueRef) -> Option<Value<'m>> {
        NonNull::new(raw).map(|raw| Value::new(raw.as_ptr()))
    }

    fn kind(self) -> sys::LLVMValueKind::Type {
        call!(LLVMGetValueKind(self.raw))
    }

    pub fn is_function(self) -> bool {
        self.kind() == sys::LLVMValueKind::LLVMFunctionValueKind
    }

    pub fn is_argument(self) -> bool {
        self.kind() == sys::LLVMValueKind::LLVMArgumentValueKind
    }

    pub fn is_instruction(self) -> bool {
        self.kind() == sys::LLVMValueKind::LLVMInstructionValueKind
    }

    /// Function that an argument belongs to, and which of its parameters it is, from 0.
    pub fn as_argument(self) -> Option<(Value<'m>, u32)> {
        if !self.is_argument() {
            return None;
        }
        let function = Value::new(call!(LLVMGetParamParent(self.raw)));
        let count = call!(LLVMCountParams(function.raw));
        let number =
            (0..count).find(|&number| call!(LLVMGetParam(function.raw, number)) == self.raw)?;
        Some((function, number))
    }

    pub fn ty(self) -> Type<'m> {
        Type::new(call!(LLVMTypeOf(self.raw)))
    }

    /// Name, empty if it has none.
    pub fn name(self) -> &'m str {
        let mut length = 0;
        let text = call!(LLVMGetValueName2(self.raw, &mut length));
        if length == 0 {
            return "";
        }
        // SAFETY: LLVM keeps `length` bytes there as long as the value keeps its name, and we rename nothing.
        let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
        std::str::from_utf8(bytes).unwrap_or("")
    }

    /// Value of an integer constant of at most 64 bits, zero-extended.
    pub fn as_constant(self) -> Option<u64> {
        let constant = call!(LLVMIsAConstantInt(self.raw));
        if constant.is_null() {
            return None;
        }
        let ty = call!(LLVMTypeOf(constant));
        if call!(LLVMGetIntTypeWidth(ty)) > 64 {
            return None;
        }
        Some(call!(LLVMConstIntGetZExtValue(constant)))
    }

    /// Whether it is a global variable.
    /// An integer element of a constant vector.
    pub fn constant_lane(self, number: u32) -> Option<u64> {
        if call!(LLVMIsConstant(self.raw)) == 0 {
            return None;
        }
        Value::from_nullable(call!(LLVMGetAggregateElement(self.raw, number)))?.as_constant()
    }

    pub fn is_global_variable(self) -> bool {
        self.kind() == sys::LLVMValueKind::LLVMGlobalVariableValueKind
    }

    /// What sort of global variable it is.
    pub fn global(self) -> Option<GlobalKind> {
        if !self.is_global_variable() {
            return None;
        }
        Some(GlobalKind {
            constant: call!(LLVMIsGlobalConstant(self.raw)) != 0,
            thread_local: call!(LLVMIsThreadLocal(self.raw)) != 0,
            local: self.is_local(),
        })
    }

    /// Whether a global variable or function is not visible outside of the module.
    pub fn is_local(self) -> bool {
        let linkage = call!(LLVMGetLinkage(self.raw));
        matches!(
            linkage,
            sys::LLVMLinkage::LLVMInternalLinkage | sys::LLVMLinkage::LLVMPrivateLinkage
        )
    }

    pub fn is_swift_error(self) -> bool {
        call!(goldilocks_is_swift_error(self.raw))
    }

    /// Values that use this one as an operand.
    pub fn users(self) -> impl Iterator<Item = Value<'m>> {
        let mut next = call!(LLVMGetFirstUse(self.raw));
        std::iter::from_fn(move || {
            if next.is_null() {
                return None;
            }
            let user = call!(LLVMGetUser(next));
            next = call!(LLVMGetNextUse(next));
            Some(Value::new(user))
        })
    }

    /// The type of this function, not that of a pointer to it.
    pub fn type_of_function(self) -> Type<'m> {
        Type::new(call!(LLVMGlobalGetValueType(self.raw)))
    }

    /// Puts `other`, of the same type, wherever this one is used.
    pub fn replace_by(self, other: Value<'m>) {
        call!(LLVMReplaceAllUsesWith(self.raw, other.raw));
    }

    /// Objects that a pointer may point into, as far back as LLVM can follow it.
    pub fn underlying_objects(self) -> Vec<Value<'m>> {
        unsafe extern "C" fn push(context: *mut std::ffi::c_void, object: sys::LLVMValueRef) {
            // SAFETY: `context` is the vector below, which the shim hands on during its call only.
            let objects = unsafe { &mut *context.cast::<Vec<sys::LLVMValueRef>>() };
            objects.push(object);
        }
        let mut objects: Vec<sys::LLVMValueRef> = Vec::new();
        call!(goldilocks_underlying_objects(
            self.raw,
            Some(push),
            (&raw mut objects).cast()
        ));
        objects.into_iter().map(Value::new).collect()
    }

    /// Whether others may come to know this pointer, through memory, a call or its function's result. Takes
    /// allocas, arguments and calls.
    pub fn may_be_captured(self) -> bool {
        call!(goldilocks_may_be_captured(self.raw))
    }

    /// The pointer from which this one is a constant number of bytes away within one object, and that number;
    /// itself and 0 if there is none.
    pub fn constant_offset(self) -> (Value<'m>, i64) {
        let mut offset = 0;
        let base = call!(goldilocks_constant_offset(self.raw, &mut offset));
        (Value::new(base), offset)
    }
}
