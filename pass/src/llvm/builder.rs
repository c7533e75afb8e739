//! Inserts instructions before another one.

use std::marker::PhantomData;

use super::{Attribute, Location, Module, Type, Value, call, sys};

/// A place in a function where instructions are inserted, in order.
pub struct Builder<'m> {
    raw: sys::LLVMBuilderRef,
    module: Module<'m>,
    nomerge: Option<Attribute>,
    loan: PhantomData<&'m ()>,
}

impl<'m> Builder<'m> {
    /// Whose instructions it makes.
    pub fn module(&self) -> Module<'m> {
        self.module
    }

    pub fn new(module: Module<'m>) -> Builder<'m> {
        Builder {
            raw: call!(LLVMCreateBuilderInContext(module.context())),
            module,
            nomerge: Attribute::named("nomerge"),
            loan: PhantomData,
        }
    }

    /// What follows is inserted before `instruction`.
    pub fn before(&self, instruction: Value<'m>) {
        assert!(instruction.is_instruction());
        let location = call!(LLVMGetCurrentDebugLocation2(self.raw));
        call!(LLVMPositionBuilderBefore(self.raw, instruction.raw));
        // Moving the builder takes over the location of where it moves to.
        call!(LLVMSetCurrentDebugLocation2(self.raw, location));
    }

    /// What follows belongs to this position in the source.
    pub fn at(&self, location: Option<Location<'m>>) {
        let raw = location.map_or(std::ptr::null_mut(), Location::raw);
        call!(LLVMSetCurrentDebugLocation2(self.raw, raw));
    }

    pub fn constant(&self, bits: u32, value: u64) -> Value<'m> {
        self.module.constant(bits, value)
    }

    pub fn load(&self, ty: Type<'m>, address: Value<'m>, align: u32) -> Value<'m> {
        let load = call!(LLVMBuildLoad2(self.raw, ty.raw, address.raw, c"".as_ptr()));
        call!(LLVMSetAlignment(load, align));
        Value::new(load)
    }

    /// A load that may race with stores of other threads and is still one of the values stored.
    pub fn load_relaxed(&self, ty: Type<'m>, address: Value<'m>, align: u32) -> Value<'m> {
        let load = self.load(ty, address, align);
        call!(LLVMSetOrdering(
            load.raw,
            sys::LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic
        ));
        load
    }

    pub fn address_of(&self, pointer: Value<'m>) -> Value<'m> {
        let integer = self.module.integer(64);
        Value::new(call!(LLVMBuildPtrToInt(
            self.raw,
            pointer.raw,
            integer.raw,
            c"".as_ptr()
        )))
    }

    pub fn pointer_to(&self, address: Value<'m>) -> Value<'m> {
        let pointer = self.module.pointer();
        Value::new(call!(LLVMBuildIntToPtr(
            self.raw,
            address.raw,
            pointer.raw,
            c"".as_ptr()
        )))
    }

    /// `pointer + bytes`, which need not stay in one object.
    pub fn offset(&self, pointer: Value<'m>, bytes: i64) -> Value<'m> {
        if bytes == 0 {
            return pointer;
        }
        let mut index = call!(LLVMConstInt(self.module.integer(64).raw, bytes as u64, 1));
        let byte = self.module.integer(8);
        Value::new(call!(LLVMBuildGEP2(
            self.raw,
            byte.raw,
            pointer.raw,
            &mut index,
            1,
            c"".as_ptr()
        )))
    }

    pub fn truncate(&self, value: Value<'m>, ty: Type<'m>) -> Value<'m> {
        Value::new(call!(LLVMBuildTrunc(
            self.raw,
            value.raw,
            ty.raw,
            c"".as_ptr()
        )))
    }

    pub fn shift_left(&self, value: Value<'m>, by: Value<'m>) -> Value<'m> {
        Value::new(call!(LLVMBuildShl(
            self.raw,
            value.raw,
            by.raw,
            c"".as_ptr()
        )))
    }

    pub fn and(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        Value::new(call!(LLVMBuildAnd(self.raw, a.raw, b.raw, c"".as_ptr())))
    }

    pub fn or(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        Value::new(call!(LLVMBuildOr(self.raw, a.raw, b.raw, c"".as_ptr())))
    }

    pub fn xor(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        Value::new(call!(LLVMBuildXor(self.raw, a.raw, b.raw, c"".as_ptr())))
    }

    pub fn add(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        Value::new(call!(LLVMBuildAdd(self.raw, a.raw, b.raw, c"".as_ptr())))
    }

    pub fn multiply(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        Value::new(call!(LLVMBuildMul(self.raw, a.raw, b.raw, c"".as_ptr())))
    }

    /// The same value, as an instruction of its own.
    pub fn freeze(&self, value: Value<'m>) -> Value<'m> {
        Value::new(call!(LLVMBuildFreeze(self.raw, value.raw, c"".as_ptr())))
    }

    pub fn different(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.compare(sys::LLVMIntPredicate::LLVMIntNE, a, b)
    }

    pub fn equal(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.compare(sys::LLVMIntPredicate::LLVMIntEQ, a, b)
    }

    fn compare(
        &self,
        predicate: sys::LLVMIntPredicate::Type,
        a: Value<'m>,
        b: Value<'m>,
    ) -> Value<'m> {
        Value::new(call!(LLVMBuildICmp(
            self.raw,
            predicate,
            a.raw,
            b.raw,
            c"".as_ptr()
        )))
    }

    /// A structure of two fields, in a register.
    pub fn pair(&self, ty: Type<'m>, first: Value<'m>, second: Value<'m>) -> Value<'m> {
        let mut pair = call!(LLVMGetPoison(ty.raw));
        for (number, field) in [first, second].into_iter().enumerate() {
            pair = call!(LLVMBuildInsertValue(
                self.raw,
                pair,
                field.raw,
                number as u32,
                c"".as_ptr()
            ));
        }
        Value::new(pair)
    }

    pub fn select(&self, condition: Value<'m>, yes: Value<'m>, no: Value<'m>) -> Value<'m> {
        Value::new(call!(LLVMBuildSelect(
            self.raw,
            condition.raw,
            yes.raw,
            no.raw,
            c"".as_ptr()
        )))
    }

    /// Widens with zeros, or cuts off, to an integer of so many bits.
    pub fn resize(&self, value: Value<'m>, bits: u32) -> Value<'m> {
        let ty = self.module.integer(bits);
        Value::new(call!(LLVMBuildIntCast2(
            self.raw,
            value.raw,
            ty.raw,
            0,
            c"".as_ptr()
        )))
    }

    /// Widens with the sign to an integer of so many bits.
    pub fn extend(&self, value: Value<'m>, bits: u32) -> Value<'m> {
        let ty = self.module.integer(bits);
        Value::new(call!(LLVMBuildIntCast2(
            self.raw,
            value.raw,
            ty.raw,
            1,
            c"".as_ptr()
        )))
    }

    /// Takes the bits of a value, such as a vector of bits, for an integer of so many bits.
    pub fn as_integer(&self, value: Value<'m>, bits: u32) -> Value<'m> {
        let ty = self.module.integer(bits);
        Value::new(call!(LLVMBuildBitCast(
            self.raw,
            value.raw,
            ty.raw,
            c"".as_ptr()
        )))
    }

    /// Takes the bits of a value for a value of another type of that size, which is no pointer.
    pub fn reinterpret(&self, value: Value<'m>, ty: Type<'m>) -> Value<'m> {
        Value::new(call!(LLVMBuildBitCast(
            self.raw,
            value.raw,
            ty.raw,
            c"".as_ptr()
        )))
    }

    /// Whether an integer of so many bits is below 0.
    pub fn negative(&self, value: Value<'m>, bits: u32) -> Value<'m> {
        let zero = self.constant(bits, 0);
        self.compare(sys::LLVMIntPredicate::LLVMIntSLT, value, zero)
    }

    /// `pointer + bytes` for an integer of 64 bits.
    pub fn element(&self, pointer: Value<'m>, bytes: Value<'m>) -> Value<'m> {
        let byte = self.module.integer(8);
        let mut index = bytes.raw;
        Value::new(call!(LLVMBuildGEP2(
            self.raw,
            byte.raw,
            pointer.raw,
            &mut index,
            1,
            c"".as_ptr()
        )))
    }

    pub fn lane(&self, vector: Value<'m>, number: u32) -> Value<'m> {
        let index = self.constant(32, u64::from(number));
        Value::new(call!(LLVMBuildExtractElement(
            self.raw,
            vector.raw,
            index.raw,
            c"".as_ptr()
        )))
    }

    /// A field of a structure in a register.
    pub fn field(&self, aggregate: Value<'m>, number: u32) -> Value<'m> {
        Value::new(call!(LLVMBuildExtractValue(
            self.raw,
            aggregate.raw,
            number,
            c"".as_ptr()
        )))
    }

    pub fn store(&self, value: Value<'m>, address: Value<'m>, align: u32) {
        let store = call!(LLVMBuildStore(self.raw, value.raw, address.raw));
        call!(LLVMSetAlignment(store, align));
    }

    /// The address that the function returns to.
    pub fn return_address(&self) -> Value<'m> {
        let level = self.module.integer(32);
        let ty = self.module.function_type(self.module.pointer(), &[level]);
        let function = self.module.declare("llvm.returnaddress", ty);
        self.call_plain(function, ty, &[self.constant(32, 0)])
    }

    /// Number of bits that are set.
    pub fn population(&self, value: Value<'m>, bits: u32) -> Value<'m> {
        let ty = self.module.integer(bits);
        let name = format!("llvm.ctpop.i{bits}");
        let function = self
            .module
            .declare(&name, self.module.function_type(ty, &[ty]));
        self.call_plain(function, self.module.function_type(ty, &[ty]), &[value])
    }

    /// As a prefetch of the program's, of another address.
    pub fn prefetch_as(&self, intrinsic: Value<'m>, address: Value<'m>) {
        let function = intrinsic
            .called_function()
            .expect("an intrinsic is called by its name");
        let arguments = [
            address,
            intrinsic.operand(1),
            intrinsic.operand(2),
            intrinsic.operand(3),
        ];
        let types: Vec<_> = arguments.iter().map(|argument| argument.ty()).collect();
        let ty = self.module.function_type(self.module.void(), &types);
        self.call_plain(function, ty, &arguments);
    }

    fn call_plain(&self, function: Value<'m>, ty: Type<'m>, arguments: &[Value<'m>]) -> Value<'m> {
        let mut raw: Vec<_> = arguments.iter().map(|value| value.raw).collect();
        let count = raw.len() as u32;
        Value::new(call!(LLVMBuildCall2(
            self.raw,
            ty.raw,
            function.raw,
            raw.as_mut_ptr(),
            count,
            c"".as_ptr()
        )))
    }

    /// A call into the runtime. It is not merged with an equal one elsewhere: its return address tells the position.
    pub fn call(&self, function: Value<'m>, ty: Type<'m>, arguments: &[Value<'m>]) -> Value<'m> {
        let call = self.call_plain(function, ty, arguments);
        if let Some(nomerge) = self.nomerge {
            call.add_call_attribute(self.module, nomerge);
        }
        call
    }

    /// An inline assembly statement with one operand in a general register, which it leaves unchanged with all
    /// others but the flags.
    pub fn assembly(&self, text: &str, operand: Value<'m>) {
        let constraints = "r,~{dirflag},~{fpsr},~{flags}";
        let ty = self
            .module
            .function_type(self.module.void(), &[operand.ty()]);
        let assembly = Value::new(call!(LLVMGetInlineAsm(
            ty.raw,
            text.as_ptr().cast(),
            text.len(),
            constraints.as_ptr().cast(),
            constraints.len(),
            1,
            0,
            sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
            0,
        )));
        let call = self.call(assembly, ty, &[operand]);
        if let Some(nounwind) = Attribute::named("nounwind") {
            call.add_call_attribute(self.module, nounwind);
        }
    }

    /// Splits the block before `before` and goes on in a new block that runs if `condition`, which is unlikely. The end of that block.
    pub fn enter_unlikely(&self, condition: Value<'m>, before: Value<'m>) -> Value<'m> {
        let end = Value::new(call!(goldilocks_split_unlikely(condition.raw, before.raw)));
        self.before(end);
        end
    }
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        call!(LLVMDisposeBuilder(self.raw));
    }
}
