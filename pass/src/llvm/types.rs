//! Types of values.

use std::marker::PhantomData;

use super::{Module, call, sys};

/// A type of LLVM's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Type<'m> {
    pub(super) raw: sys::LLVMTypeRef,
    loan: PhantomData<&'m ()>,
}

impl<'m> Type<'m> {
    pub(super) fn new(raw: sys::LLVMTypeRef) -> Type<'m> {
        Type {
            raw,
            loan: PhantomData,
        }
    }

    fn kind(self) -> sys::LLVMTypeKind::Type {
        call!(LLVMGetTypeKind(self.raw))
    }

    pub fn is_integer(self) -> bool {
        self.kind() == sys::LLVMTypeKind::LLVMIntegerTypeKind
    }

    pub fn is_scalable(self) -> bool {
        self.kind() == sys::LLVMTypeKind::LLVMScalableVectorTypeKind
    }

    /// Number of elements of a vector of fixed length.
    pub fn lanes(self) -> Option<u32> {
        (self.kind() == sys::LLVMTypeKind::LLVMVectorTypeKind)
            .then(|| call!(LLVMGetVectorSize(self.raw)))
    }

    /// Type of the elements of a vector; the type itself if it is none.
    pub fn element(self) -> Type<'m> {
        match self.lanes() {
            Some(_) => Type::new(call!(LLVMGetElementType(self.raw))),
            None => self,
        }
    }

    pub fn is_pointer(self) -> bool {
        self.kind() == sys::LLVMTypeKind::LLVMPointerTypeKind
    }

    /// Address space of a pointer, or of the pointers in a vector.
    pub fn address_space(self) -> Option<u32> {
        let element = self.element();
        (element.kind() == sys::LLVMTypeKind::LLVMPointerTypeKind)
            .then(|| call!(LLVMGetPointerAddressSpace(element.raw)))
    }

    /// Bytes that a store of this type writes; 0 for types without a size.
    pub fn store_size(self, module: Module<'m>) -> u64 {
        if call!(LLVMTypeIsSized(self.raw)) == 0 || self.is_scalable() {
            return 0;
        }
        call!(LLVMStoreSizeOfType(module.layout(), self.raw))
    }

    /// Bits of a value of this type, without padding.
    pub fn bits(self, module: Module<'m>) -> u64 {
        if call!(LLVMTypeIsSized(self.raw)) == 0 || self.is_scalable() {
            return 0;
        }
        call!(LLVMSizeOfTypeInBits(module.layout(), self.raw))
    }

    /// Bytes from one element of an array of this type to the next.
    pub fn alloc_size(self, module: Module<'m>) -> u64 {
        if call!(LLVMTypeIsSized(self.raw)) == 0 || self.is_scalable() {
            return 0;
        }
        call!(LLVMABISizeOfType(module.layout(), self.raw))
    }
}
