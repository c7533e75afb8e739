//! Instructions, blocks, and positions in the source.

use std::marker::PhantomData;

use goldilocks_core::abi::Change;

use super::{Attribute, Type, Value, call, sys};
use goldilocks_core::abi::Order;

/// The kinds of instructions that the pass looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opcode {
    Alloca,
    Load,
    Store,
    ReadModifyWrite,
    CompareExchange,
    Fence,
    /// Call, invoke or callbr.
    Call,
    Other,
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'m> {
    pub(super) raw: sys::LLVMBasicBlockRef,
    loan: PhantomData<&'m ()>,
}

impl<'m> Block<'m> {
    pub(super) fn from_nullable(raw: sys::LLVMBasicBlockRef) -> Option<Block<'m>> {
        (!raw.is_null()).then_some(Block {
            raw,
            loan: PhantomData,
        })
    }

    pub fn instructions(self) -> Instructions<'m> {
        Instructions {
            next: Value::from_nullable(call!(LLVMGetFirstInstruction(self.raw))),
        }
    }

    /// Its last instruction, which says where to go on.
    pub fn terminator(self) -> Value<'m> {
        Value::new(call!(LLVMGetBasicBlockTerminator(self.raw)))
    }

    /// Where something can be inserted that is to happen whenever the block is entered otherwise than by an exception.
    pub fn start(self) -> Value<'m> {
        let is_phi =
            |value: &Value| call!(LLVMGetInstructionOpcode(value.raw)) == sys::LLVMOpcode::LLVMPHI;
        self.instructions()
            .find(|at| !is_phi(at))
            .unwrap_or_else(|| self.terminator())
    }

    /// Blocks that may come next, that without an exception first; one may be there several times.
    pub fn successors(self) -> impl Iterator<Item = Block<'m>> {
        let end = self.terminator().raw;
        (0..call!(LLVMGetNumSuccessors(end)))
            .filter_map(move |number| Block::from_nullable(call!(LLVMGetSuccessor(end, number))))
    }
}

/// The instructions of a block, in order. An instruction that has been returned may be changed or erased.
pub struct Instructions<'m> {
    next: Option<Value<'m>>,
}

impl<'m> Iterator for Instructions<'m> {
    type Item = Value<'m>;
    fn next(&mut self) -> Option<Value<'m>> {
        let current = self.next?;
        self.next = current.next_instruction();
        Some(current)
    }
}

/// A position in the source (`DILocation`).
#[derive(Clone, Copy)]
pub struct Location<'m> {
    raw: sys::LLVMMetadataRef,
    loan: PhantomData<&'m ()>,
}

impl<'m> Location<'m> {
    pub(super) fn from_nullable(raw: sys::LLVMMetadataRef) -> Option<Location<'m>> {
        (!raw.is_null()).then_some(Location {
            raw,
            loan: PhantomData,
        })
    }

    pub(super) fn raw(self) -> sys::LLVMMetadataRef {
        self.raw
    }

    /// Linkage name of the function whose source it is in; empty if that has none.
    pub fn function_name(self) -> &'m str {
        let mut length = 0;
        let text = call!(goldilocks_scope_name(self.raw, &mut length));
        name(text, length).unwrap_or("")
    }

    /// Where that function was inlined.
    pub fn inlined_at(self) -> Option<Location<'m>> {
        Location::from_nullable(call!(LLVMDILocationGetInlinedAt(self.raw)))
    }

    /// From 1; 0 if it is on none.
    pub fn line(self) -> u32 {
        call!(LLVMDILocationGetLine(self.raw))
    }

    fn subprogram(self) -> sys::LLVMMetadataRef {
        call!(goldilocks_subprogram(self.raw))
    }

    /// The line on which the function starts that this is in, inlined at the same place.
    pub fn start_of_function(self, column: u32, module: super::Module<'m>) -> Option<Location<'m>> {
        let inlined_at = call!(LLVMDILocationGetInlinedAt(self.raw));
        start(module, column, self.subprogram(), inlined_at)
    }

    /// Whether both are on one line of one function, inlined at the same place.
    pub fn same_line(self, other: Location<'m>) -> bool {
        call!(LLVMDILocationGetLine(self.raw)) == call!(LLVMDILocationGetLine(other.raw))
            && call!(LLVMDILocationGetScope(self.raw)) == call!(LLVMDILocationGetScope(other.raw))
            && call!(LLVMDILocationGetInlinedAt(self.raw))
                == call!(LLVMDILocationGetInlinedAt(other.raw))
    }
}

/// A name of `length` bytes in debug information, or null.
fn name<'m>(text: *const std::ffi::c_char, length: usize) -> Option<&'m str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: LLVM keeps it as long as the context, which outlives the module.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    std::str::from_utf8(bytes).ok()
}

fn start<'m>(
    module: super::Module<'m>,
    column: u32,
    subprogram: sys::LLVMMetadataRef,
    inlined_at: sys::LLVMMetadataRef,
) -> Option<Location<'m>> {
    if subprogram.is_null() {
        return None;
    }
    let line = call!(LLVMDISubprogramGetLine(subprogram));
    Location::from_nullable(call!(LLVMDIBuilderCreateDebugLocation(
        module.context(),
        line,
        column,
        subprogram,
        inlined_at
    )))
}

/// Of assembly: C's is in the one mostly, Rust's in the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    Att,
    Intel,
}

/// Functions.
impl<'m> Value<'m> {
    /// The line on which a function that has debug information starts.
    pub fn start(self, column: u32, module: super::Module<'m>) -> Option<Location<'m>> {
        start(
            module,
            column,
            call!(LLVMGetSubprogram(self.raw)),
            std::ptr::null_mut(),
        )
    }

    /// Name of the type that a function returns, as debug information has it.
    pub fn result_name(self) -> Option<&'m str> {
        assert!(self.is_function());
        let mut length = 0;
        let text = call!(goldilocks_result_name(self.raw, &mut length));
        name(text, length)
    }

    /// Whether a function has debug information.
    pub fn has_lines(self) -> bool {
        self.is_function() && !call!(LLVMGetSubprogram(self.raw)).is_null()
    }

    pub fn has_body(self) -> bool {
        self.is_function() && call!(LLVMIsDeclaration(self.raw)) == 0
    }

    /// Whether its name is that of a C++ constructor.
    pub fn is_constructor(self) -> bool {
        self.is_function() && call!(goldilocks_is_constructor(self.raw))
    }

    /// Whether a call of a function runs this very body: no other object can come with another one.
    pub fn is_exact(self) -> bool {
        self.has_body() && call!(goldilocks_is_exact(self.raw))
    }

    /// Whether its body is there for optimization alone and is not compiled.
    pub fn is_available_externally(self) -> bool {
        call!(LLVMGetLinkage(self.raw)) == sys::LLVMLinkage::LLVMAvailableExternallyLinkage
    }

    pub fn parameter(self, number: u32) -> Option<Value<'m>> {
        assert!(self.is_function());
        let count = call!(LLVMCountParams(self.raw));
        (number < count).then(|| Value::new(call!(LLVMGetParam(self.raw, number))))
    }

    pub fn blocks(self) -> impl Iterator<Item = Block<'m>> {
        assert!(self.is_function());
        let mut next = Block::from_nullable(call!(LLVMGetFirstBasicBlock(self.raw)));
        std::iter::from_fn(move || {
            let current = next?;
            next = Block::from_nullable(call!(LLVMGetNextBasicBlock(current.raw)));
            Some(current)
        })
    }

    /// Line 0 of a function that has debug information: code that no line has asked for.
    pub fn artificial_location(self, module: super::Module<'m>) -> Option<Location<'m>> {
        let subprogram = call!(LLVMGetSubprogram(self.raw));
        if subprogram.is_null() {
            return None;
        }
        let none = std::ptr::null_mut();
        Location::from_nullable(call!(LLVMDIBuilderCreateDebugLocation(
            module.context(),
            0,
            0,
            subprogram,
            none
        )))
    }

    /// Moves the function's static allocas to the top of its entry block, so that splitting that block leaves them
    /// in it: elsewhere they would be dynamic ones.
    pub fn gather_allocas(self) {
        assert!(self.has_body());
        call!(goldilocks_gather_allocas(self.raw));
    }
}

/// Instructions.
impl<'m> Value<'m> {
    pub fn opcode(self) -> Opcode {
        if !self.is_instruction() {
            return Opcode::Other;
        }
        match call!(LLVMGetInstructionOpcode(self.raw)) {
            sys::LLVMOpcode::LLVMAlloca => Opcode::Alloca,
            sys::LLVMOpcode::LLVMLoad => Opcode::Load,
            sys::LLVMOpcode::LLVMStore => Opcode::Store,
            sys::LLVMOpcode::LLVMAtomicRMW => Opcode::ReadModifyWrite,
            sys::LLVMOpcode::LLVMAtomicCmpXchg => Opcode::CompareExchange,
            sys::LLVMOpcode::LLVMFence => Opcode::Fence,
            sys::LLVMOpcode::LLVMCall
            | sys::LLVMOpcode::LLVMInvoke
            | sys::LLVMOpcode::LLVMCallBr => Opcode::Call,
            _ => Opcode::Other,
        }
    }

    pub fn is_return(self) -> bool {
        self.is_instruction()
            && call!(LLVMGetInstructionOpcode(self.raw)) == sys::LLVMOpcode::LLVMRet
    }

    /// What a return gives back.
    pub fn result(self) -> Option<Value<'m>> {
        assert!(self.is_return());
        (call!(LLVMGetNumOperands(self.raw)) == 1).then(|| self.operand(0))
    }

    /// What an atomic read-modify-write does, if it is one that the runtime makes.
    pub fn change(self) -> Option<Change> {
        if self.opcode() != Opcode::ReadModifyWrite {
            return None;
        }
        match call!(LLVMGetAtomicRMWBinOp(self.raw)) {
            sys::LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXchg => Some(Change::Exchange),
            sys::LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAdd => Some(Change::Add),
            sys::LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpSub => Some(Change::Subtract),
            sys::LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAnd => Some(Change::And),
            sys::LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpOr => Some(Change::Or),
            sys::LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXor => Some(Change::Xor),
            sys::LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpNand => Some(Change::Nand),
            sys::LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpMax => Some(Change::Max),
            sys::LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpMin => Some(Change::Min),
            sys::LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUMax => Some(Change::MaxUnsigned),
            sys::LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUMin => Some(Change::MinUnsigned),
            _ => None,
        }
    }

    pub fn is_call(self) -> bool {
        self.opcode() == Opcode::Call
    }

    /// Whether it calls a function, and not one that the compiler knows what to do with.
    pub fn calls_code(self) -> bool {
        if !self.is_call() {
            return false;
        }
        let called = Value::new(call!(LLVMGetCalledValue(self.raw)));
        called.intrinsic().is_none() && call!(LLVMIsAInlineAsm(called.raw)).is_null()
    }

    /// Where it is, if it is an instruction.
    pub fn block(self) -> Option<Block<'m>> {
        self.is_instruction()
            .then(|| Block::from_nullable(call!(LLVMGetInstructionParent(self.raw))))
            .flatten()
    }

    /// Whether it calls what takes the place of the function, which returns nothing else.
    pub fn is_must_tail_call(self) -> bool {
        self.is_call()
            && call!(LLVMGetTailCallKind(self.raw))
                == sys::LLVMTailCallKind::LLVMTailCallKindMustTail
    }

    /// Whether exceptions come here.
    pub fn is_landing_pad(self) -> bool {
        self.is_instruction()
            && call!(LLVMGetInstructionOpcode(self.raw)) == sys::LLVMOpcode::LLVMLandingPad
    }

    /// Whether an exception goes on to the caller.
    pub fn is_resume(self) -> bool {
        self.is_instruction()
            && call!(LLVMGetInstructionOpcode(self.raw)) == sys::LLVMOpcode::LLVMResume
    }

    pub fn next_instruction(self) -> Option<Value<'m>> {
        assert!(self.is_instruction());
        Value::from_nullable(call!(LLVMGetNextInstruction(self.raw)))
    }

    pub fn operand(self, number: u32) -> Value<'m> {
        assert!(number < call!(LLVMGetNumOperands(self.raw)) as u32);
        Value::new(call!(LLVMGetOperand(self.raw, number)))
    }

    /// Number of arguments of a call.
    pub fn argument_count(self) -> u32 {
        if self.is_call() {
            call!(LLVMGetNumArgOperands(self.raw))
        } else {
            0
        }
    }

    /// The function that a call calls, if it is a known one.
    pub fn called_function(self) -> Option<Value<'m>> {
        if !self.is_call() {
            return None;
        }
        let called = Value::new(call!(LLVMGetCalledValue(self.raw)));
        called.is_function().then_some(called)
    }

    /// Text and constraints of an assembly statement, in one syntax.
    pub fn assembly(self, syntax: Syntax) -> Option<(&'m str, &'m str)> {
        if !self.is_call() {
            return None;
        }
        let called = call!(LLVMGetCalledValue(self.raw));
        let wanted = match syntax {
            Syntax::Att => sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
            Syntax::Intel => sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectIntel,
        };
        if call!(LLVMIsAInlineAsm(called)).is_null()
            || call!(LLVMGetInlineAsmDialect(called)) != wanted
        {
            return None;
        }
        let (mut of_text, mut of_constraints) = (0, 0);
        let text = call!(LLVMGetInlineAsmAsmString(called, &mut of_text));
        let constraints = call!(LLVMGetInlineAsmConstraintString(
            called,
            &mut of_constraints
        ));
        let string = |start: *const core::ffi::c_char, bytes: usize| {
            // SAFETY: LLVM keeps both as long as the statement.
            let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), bytes) };
            std::str::from_utf8(bytes).ok()
        };
        Some((string(text, of_text)?, string(constraints, of_constraints)?))
    }

    /// Nothing is known of the address of a masked load while LLVM simplifies instructions.
    pub fn hide_address(self) {
        assert!(self.is_call());
        call!(goldilocks_hide_address(self.raw));
    }

    /// Whether a call may be taken for one of the library's function of that name: not with `-fno-builtin`, nor if the module has a function of that name.
    pub fn is_builtin(self) -> bool {
        let Some(function) = self
            .called_function()
            .filter(|function| !function.has_body())
        else {
            return false;
        };
        let has = |attribute| {
            Attribute::named(attribute).is_some_and(|attribute| self.has_call_attribute(attribute))
        };
        let is_declared_otherwise = Attribute::named("nobuiltin")
            .is_some_and(|attribute| function.has_attribute(attribute));
        let block = call!(LLVMGetInstructionParent(self.raw));
        let caller = Value::new(call!(LLVMGetBasicBlockParent(block)));
        let this = format!("no-builtin-{}", function.name());
        let is_another = ["no-builtins", &this]
            .iter()
            .any(|key| caller.text_attribute(key).is_some());
        (has("builtin") || !has("nobuiltin") && !is_declared_otherwise) && !is_another
    }

    /// Whether a call neither accesses memory nor goes anywhere but on.
    pub fn is_pure_call(self) -> bool {
        self.is_call() && call!(goldilocks_is_pure_call(self.raw))
    }

    /// Whether a call always comes back to where it was made: it neither throws nor ends anything nor goes on for ever.
    pub fn always_returns(self) -> bool {
        self.is_call() && call!(goldilocks_always_returns(self.raw))
    }

    /// Whether attributes say that a call neither synchronizes nor frees.
    pub fn is_declared_silent(self) -> bool {
        self.is_call() && call!(goldilocks_is_declared_silent(self.raw))
    }

    /// Pointer operand of a load, store or atomic instruction.
    pub fn address(self) -> Option<Value<'m>> {
        match self.opcode() {
            Opcode::Load | Opcode::ReadModifyWrite | Opcode::CompareExchange => {
                Some(self.operand(0))
            }
            Opcode::Store => Some(self.operand(1)),
            _ => None,
        }
    }

    /// Type of what a load, store or atomic instruction loads or stores.
    pub fn accessed_type(self) -> Option<Type<'m>> {
        match self.opcode() {
            Opcode::Load => Some(self.ty()),
            Opcode::Store => Some(self.operand(0).ty()),
            Opcode::ReadModifyWrite | Opcode::CompareExchange => Some(self.operand(1).ty()),
            _ => None,
        }
    }

    /// Alignment that a load, store or atomic instruction promises, in bytes.
    pub fn alignment(self) -> u64 {
        match self.address() {
            Some(_) => u64::from(call!(LLVMGetAlignment(self.raw))).max(1),
            None => 1,
        }
    }

    /// The (success) order of an atomic instruction or a fence; `None` for anything that is not atomic.
    pub fn order(self) -> Option<Order> {
        let order = match self.opcode() {
            Opcode::Load | Opcode::Store | Opcode::ReadModifyWrite | Opcode::Fence => {
                call!(LLVMGetOrdering(self.raw))
            }
            Opcode::CompareExchange => call!(LLVMGetCmpXchgSuccessOrdering(self.raw)),
            _ => return None,
        };
        to_order(order)
    }

    /// The order of a failing compare-exchange.
    pub fn failure_order(self) -> Option<Order> {
        match self.opcode() {
            Opcode::CompareExchange => to_order(call!(LLVMGetCmpXchgFailureOrdering(self.raw))),
            _ => None,
        }
    }

    /// Whether an atomic instruction or fence is ordered against other threads, not just against signal handlers.
    pub fn is_system_scope(self) -> bool {
        self.order().is_some() && call!(goldilocks_is_system_scope(self.raw))
    }

    /// Whether the type-based alias tag of a load or store says that it accesses a pointer to a virtual table.
    pub fn is_vtable_access(self) -> bool {
        matches!(self.opcode(), Opcode::Load | Opcode::Store)
            && call!(goldilocks_is_vtable_access(self.raw))
    }

    /// Bits 0..8 of a pointer, as far as they are known at an instruction: (known to be 0, known to be 1).
    pub fn known_low_bits(self, at: Value<'m>) -> (u8, u8) {
        assert!(at.is_instruction());
        let (mut zeros, mut ones) = (0, 0);
        call!(goldilocks_known_low_bits(
            self.raw, at.raw, &mut zeros, &mut ones
        ));
        (zeros, ones)
    }

    pub fn has_metadata(self, module: super::Module<'m>, kind: &str) -> bool {
        let id = call!(LLVMGetMDKindIDInContext(
            module.context(),
            kind.as_ptr().cast(),
            kind.len() as u32
        ));
        self.is_instruction() && !call!(LLVMGetMetadata(self.raw, id)).is_null()
    }

    /// Attaches metadata of this kind that says nothing but that it is there.
    pub fn mark(self, kind: &str) {
        assert!(self.is_instruction());
        call!(goldilocks_mark(self.raw, kind.as_ptr().cast(), kind.len()));
    }

    pub fn location(self) -> Option<Location<'m>> {
        if !self.is_instruction() {
            return None;
        }
        Location::from_nullable(call!(LLVMInstructionGetDebugLoc(self.raw)))
    }

    /// Deletes an instruction.
    ///
    /// # Safety
    /// Nothing uses its result, and this and other handles on it are not used any more.
    pub unsafe fn erase(self) {
        assert!(self.is_instruction());
        call!(LLVMInstructionEraseFromParent(self.raw));
    }
}

fn to_order(order: sys::LLVMAtomicOrdering::Type) -> Option<Order> {
    use sys::LLVMAtomicOrdering as ordering;
    Some(match order {
        ordering::LLVMAtomicOrderingNotAtomic => return None,
        // Java's plain accesses: atomic, and no order.
        ordering::LLVMAtomicOrderingUnordered | ordering::LLVMAtomicOrderingMonotonic => {
            Order::Relaxed
        }
        ordering::LLVMAtomicOrderingAcquire => Order::Acquire,
        ordering::LLVMAtomicOrderingRelease => Order::Release,
        ordering::LLVMAtomicOrderingAcquireRelease => Order::AcqRel,
        _ => Order::SeqCst,
    })
}
