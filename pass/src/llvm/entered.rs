//! A loop that LLVM is about to move code out of, for as long as the shim lends it.

use std::ffi::c_void;
use std::marker::PhantomData;

use super::instruction::{Block, Opcode};
use super::{Value, call, sys};

/// A loop, seen from the place where it is entered.
pub struct Entered<'m> {
    raw: sys::goldilocks_entered_ref,
    function: Value<'m>,
    loan: PhantomData<&'m ()>,
}

impl<'m> Entered<'m> {
    /// # Safety
    /// `raw` is a loop of `function`; both are valid for `'m`, during which nobody else changes the function.
    pub unsafe fn lend(
        function: sys::LLVMValueRef,
        raw: sys::goldilocks_entered_ref,
    ) -> Entered<'m> {
        Entered {
            raw,
            function: Value::new(function),
            loan: PhantomData,
        }
    }

    pub fn function(&self) -> Value<'m> {
        self.function
    }

    pub fn blocks(&self) -> Vec<Block<'m>> {
        unsafe extern "C" fn push(context: *mut c_void, block: sys::LLVMBasicBlockRef) {
            // SAFETY: `context` is the vector below, which the shim hands on during its call only.
            unsafe { &mut *context.cast::<Vec<sys::LLVMBasicBlockRef>>() }.push(block);
        }
        let mut blocks: Vec<sys::LLVMBasicBlockRef> = Vec::new();
        call!(goldilocks_entered_blocks(
            self.raw,
            Some(push),
            (&raw mut blocks).cast()
        ));
        blocks
            .into_iter()
            .filter_map(Block::from_nullable)
            .collect()
    }

    /// Whether an instruction of the loop is run whenever the loop is entered.
    pub fn always_runs(&self, instruction: Value<'m>) -> bool {
        assert!(instruction.is_instruction());
        call!(goldilocks_is_entered(self.raw, instruction.raw))
    }

    /// Keeps a store, and with it the variable that it stores to, in the loop.
    pub fn hold(&self, store: Value<'m>) {
        assert!(store.opcode() == Opcode::Store);
        call!(goldilocks_hold(store.raw));
    }

    /// An access of the loop has its position afterwards, too, if it is still there.
    pub fn keep_line(&self, access: Value<'m>) {
        assert!(access.is_instruction());
        call!(goldilocks_keep_line(access.raw));
    }

    /// If the variable `offset` bytes behind `base` is kept in a register during the loop, the read before it has the position of `read`,
    /// what is written behind it that of `write`; or none.
    pub fn keep_lines_of(
        &self,
        (base, offset): (Value<'m>, i64),
        read: Option<Value<'m>>,
        write: Option<Value<'m>>,
    ) {
        let raw = |access: Option<Value<'m>>| {
            access.map_or(std::ptr::null_mut(), |access| {
                assert!(access.is_instruction());
                access.raw
            })
        };
        call!(goldilocks_keep_lines_of(
            self.raw,
            base.raw,
            offset,
            raw(read),
            raw(write)
        ));
    }
}
