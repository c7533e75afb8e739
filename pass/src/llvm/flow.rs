//! Dominance, loops and scalar evolution of one function.
//!
//! Handles on loops and expressions live as long as the [`Flow`] that they come from. It describes the function as it is
//! when the flow is made; the blocks must not be changed before it is dropped. Instructions may be added.

use std::ffi::c_void;
use std::marker::PhantomData;

use super::instruction::Block;
use super::{Value, call, sys};

/// What LLVM knows of a function's control flow.
pub struct Flow<'m> {
    raw: sys::goldilocks_flow_ref,
    loan: PhantomData<&'m ()>,
}

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Loop<'f> {
    raw: sys::goldilocks_loop_ref,
    loan: PhantomData<&'f ()>,
}

/// An expression whose value is known from those of instructions outside of loops and from how often loops have gone round.
/// LLVM keeps one for all that are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scev<'f> {
    raw: sys::goldilocks_scev_ref,
    loan: PhantomData<&'f ()>,
}

impl<'m> Flow<'m> {
    /// Gives the loops of `function` preheaders and analyses it.
    pub fn new(function: Value<'m>) -> Flow<'m> {
        assert!(function.has_body());
        Flow {
            raw: call!(goldilocks_flow_open(function.raw)),
            loan: PhantomData,
        }
    }

    pub fn dominates(&self, a: Block<'m>, b: Block<'m>) -> bool {
        call!(goldilocks_dominates(self.raw, a.raw, b.raw))
    }

    /// The last block that all ways to both blocks go through. Both must be reachable.
    pub fn common_dominator(&self, a: Block<'m>, b: Block<'m>) -> Option<Block<'m>> {
        Block::from_nullable(call!(goldilocks_common_dominator(self.raw, a.raw, b.raw)))
    }

    /// Whether any way from the function's entry leads to a block.
    pub fn is_reachable(&self, block: Block<'m>) -> bool {
        call!(goldilocks_is_reachable(self.raw, block.raw))
    }

    /// All loops, inner ones before those that they are in.
    pub fn loops(&self) -> Vec<Loop<'_>> {
        unsafe extern "C" fn push(context: *mut c_void, found: sys::goldilocks_loop_ref) {
            // SAFETY: `context` is the vector below, which the shim hands on during its call only.
            unsafe { &mut *context.cast::<Vec<sys::goldilocks_loop_ref>>() }.push(found);
        }
        let mut loops: Vec<sys::goldilocks_loop_ref> = Vec::new();
        call!(goldilocks_loops(
            self.raw,
            Some(push),
            (&raw mut loops).cast()
        ));
        loops.into_iter().filter_map(Loop::from_nullable).collect()
    }

    /// The innermost loop of a block.
    pub fn loop_of(&self, block: Block<'m>) -> Option<Loop<'_>> {
        Loop::from_nullable(call!(goldilocks_loop_of(self.raw, block.raw)))
    }

    /// The block before a loop, from which it alone can be entered.
    pub fn preheader(&self, of: Loop) -> Option<Block<'m>> {
        Block::from_nullable(call!(goldilocks_loop_preheader(of.raw)))
    }

    /// The only block from which a loop goes back.
    pub fn latch(&self, of: Loop) -> Option<Block<'m>> {
        Block::from_nullable(call!(goldilocks_loop_latch(of.raw)))
    }

    pub fn blocks(&self, of: Loop) -> Vec<Block<'m>> {
        let mut blocks = Vec::new();
        call!(goldilocks_loop_blocks(
            of.raw,
            Some(push_block),
            (&raw mut blocks).cast()
        ));
        blocks
            .into_iter()
            .filter_map(Block::from_nullable)
            .collect()
    }

    /// The blocks from which a loop may be left.
    pub fn exits(&self, of: Loop) -> Vec<Block<'m>> {
        let mut blocks = Vec::new();
        call!(goldilocks_loop_exits(
            of.raw,
            Some(push_block),
            (&raw mut blocks).cast()
        ));
        blocks
            .into_iter()
            .filter_map(Block::from_nullable)
            .collect()
    }

    /// Whether a loop can be [`Flow::double`]d; makes it so as far as that can be done.
    pub fn can_double(&self, of: Loop) -> bool {
        call!(goldilocks_loop_can_double(self.raw, of.raw))
    }

    /// Makes a copy of a loop that can be doubled, which is run instead of it unless `condition`, a value at the end of its preheader. After that the flow
    /// knows of nothing but the blocks and preheaders of other loops that are not in this one.
    pub fn double(&self, of: Loop, condition: Value<'m>) {
        call!(goldilocks_loop_double(self.raw, of.raw, condition.raw))
    }

    /// How often exactly a loop goes back, if that is known when it is entered.
    pub fn repeats(&self, of: Loop) -> Option<Scev<'_>> {
        Scev::from_nullable(call!(goldilocks_loop_repeats(self.raw, of.raw)))
    }

    pub fn scev(&self, value: Value<'m>) -> Option<Scev<'_>> {
        Scev::from_nullable(call!(goldilocks_scev_of(self.raw, value.raw)))
    }

    /// A 64-bit number.
    pub fn number(&self, number: i64) -> Scev<'_> {
        Scev::new(call!(goldilocks_scev_number(self.raw, number)))
    }

    /// Both of 64 bits, or the first one a pointer.
    pub fn sum<'f>(&'f self, a: Scev<'f>, b: Scev<'f>) -> Scev<'f> {
        Scev::new(call!(goldilocks_scev_sum(self.raw, a.raw, b.raw)))
    }

    /// Both of 64 bits.
    pub fn product<'f>(&'f self, a: Scev<'f>, b: Scev<'f>) -> Scev<'f> {
        Scev::new(call!(goldilocks_scev_product(self.raw, a.raw, b.raw)))
    }

    /// `a - b`, both pointers, if it is constant.
    pub fn difference<'f>(&'f self, a: Scev<'f>, b: Scev<'f>) -> Option<i64> {
        let mut difference = 0;
        call!(goldilocks_scev_difference(
            self.raw,
            a.raw,
            b.raw,
            &mut difference
        ))
        .then_some(difference)
    }

    pub fn is_invariant(&self, scev: Scev, of: Loop) -> bool {
        call!(goldilocks_scev_is_invariant(self.raw, scev.raw, of.raw))
    }

    /// The value that an expression has when a loop is entered, and what it grows by each time, if it does so evenly.
    pub fn affine<'f>(&'f self, scev: Scev<'f>, of: Loop<'f>) -> Option<(Scev<'f>, Scev<'f>)> {
        let (mut start, mut step) = (std::ptr::null_mut(), std::ptr::null_mut());
        call!(goldilocks_scev_is_affine(
            self.raw, scev.raw, of.raw, &mut start, &mut step
        ))
        .then(|| (Scev::new(start), Scev::new(step)))
    }

    /// Whether an expression can be computed before an instruction, whatever the values in it are.
    pub fn is_expandable(&self, scev: Scev, before: Value<'m>) -> bool {
        assert!(before.is_instruction());
        call!(goldilocks_scev_is_expandable(
            self.raw, scev.raw, before.raw
        ))
    }

    /// The value of an expression that [`Flow::is_expandable`] there; inserts what computes it.
    pub fn expand(&self, scev: Scev, before: Value<'m>) -> Value<'m> {
        assert!(before.is_instruction());
        Value::new(call!(goldilocks_scev_expand(
            self.raw, scev.raw, before.raw
        )))
    }
}

unsafe extern "C" fn push_block(context: *mut c_void, block: sys::LLVMBasicBlockRef) {
    // SAFETY: `context` is a vector of the caller, which the shim hands on during its call only.
    unsafe { &mut *context.cast::<Vec<sys::LLVMBasicBlockRef>>() }.push(block);
}

impl Drop for Flow<'_> {
    fn drop(&mut self) {
        call!(goldilocks_flow_close(self.raw));
    }
}

impl<'f> Loop<'f> {
    fn from_nullable(raw: sys::goldilocks_loop_ref) -> Option<Loop<'f>> {
        (!raw.is_null()).then_some(Loop {
            raw,
            loan: PhantomData,
        })
    }

    /// The innermost loop that this one is in.
    pub fn parent(self) -> Option<Loop<'f>> {
        Loop::from_nullable(call!(goldilocks_loop_parent(self.raw)))
    }
}

impl<'f> Scev<'f> {
    fn new(raw: sys::goldilocks_scev_ref) -> Scev<'f> {
        debug_assert!(!raw.is_null());
        Scev {
            raw,
            loan: PhantomData,
        }
    }

    fn from_nullable(raw: sys::goldilocks_scev_ref) -> Option<Scev<'f>> {
        (!raw.is_null()).then(|| Scev::new(raw))
    }

    /// Its value, if it is a constant integer.
    pub fn as_number(self) -> Option<i64> {
        let mut number = 0;
        call!(goldilocks_scev_is_number(self.raw, &mut number)).then_some(number)
    }
}
