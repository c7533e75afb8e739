//! Intrinsics that access memory. Copies and fills; for vector accesses of some lanes see `vector`.

use std::collections::HashMap;

use goldilocks_core::abi::{self, Hook, Order};

use super::vector::Form;
use super::{INLINE_BYTES, Length, List, Selector, Work};
use crate::llvm::{Intrinsic, Module, Value};

/// What an intrinsic does to memory.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Neither accesses what threads share nor synchronizes, although it is not declared to.
    Marker,
    /// The program wants the first argument's cache line to be near, so it will want its shadow there.
    Prefetch,
    /// Reads the second argument's range and writes the first one's. The hook may stand for it.
    Copy(Option<Hook>),
    /// Writes the first argument's range.
    Fill(Option<Hook>),
    /// A vector access.
    Vector(Form),
    /// Writes, reads so many bytes at the first argument; reads as many at the second that it writes at the first.
    Writes(u64),
    Reads(u64),
    Copies(u64),
    /// `mfence`: a fence, as it is in assembly (`assembly`).
    Fence,
}

/// Bytes of a `va_list`, System V ABI for AMD64, 3.5.7.
const VA_LIST: u64 = 24;
/// Bytes of the area of FXSAVE that are not left to software, Intel SDM volume 1, 10.5.1.
const FXSAVE: u64 = 464;

/// The intrinsics that matter, by their numbers in this LLVM.
pub struct Intrinsics(HashMap<Intrinsic, Kind>);

impl Intrinsics {
    pub fn new(module: Module) -> Intrinsics {
        let table = [
            ("llvm.memcpy", Kind::Copy(Some(abi::MEMCPY))),
            ("llvm.memmove", Kind::Copy(Some(abi::MEMMOVE))),
            ("llvm.memset", Kind::Fill(Some(abi::MEMSET))),
            ("llvm.memcpy.inline", Kind::Copy(None)),
            ("llvm.memset.inline", Kind::Fill(None)),
            ("llvm.lifetime.start", Kind::Marker),
            ("llvm.lifetime.end", Kind::Marker),
            ("llvm.assume", Kind::Marker),
            ("llvm.invariant.start", Kind::Marker),
            ("llvm.invariant.end", Kind::Marker),
            ("llvm.experimental.noalias.scope.decl", Kind::Marker),
            ("llvm.pseudoprobe", Kind::Marker),
            ("llvm.prefetch", Kind::Prefetch),
            ("llvm.va_start", Kind::Writes(VA_LIST)),
            ("llvm.va_copy", Kind::Copies(VA_LIST)),
            ("llvm.x86.sse3.ldu.dq", Kind::Reads(16)),
            ("llvm.x86.avx.ldu.dq.256", Kind::Reads(32)),
            ("llvm.x86.sse.stmxcsr", Kind::Writes(4)),
            ("llvm.x86.sse.ldmxcsr", Kind::Reads(4)),
            ("llvm.x86.fxsave", Kind::Writes(FXSAVE)),
            ("llvm.x86.fxsave64", Kind::Writes(FXSAVE)),
            ("llvm.x86.fxrstor", Kind::Reads(FXSAVE)),
            ("llvm.x86.fxrstor64", Kind::Reads(FXSAVE)),
            ("llvm.x86.vbcstnebf162ps128", Kind::Reads(2)),
            ("llvm.x86.vbcstnebf162ps256", Kind::Reads(2)),
            ("llvm.x86.vbcstnesh2ps128", Kind::Reads(2)),
            ("llvm.x86.vbcstnesh2ps256", Kind::Reads(2)),
            ("llvm.x86.vcvtneebf162ps128", Kind::Reads(16)),
            ("llvm.x86.vcvtneebf162ps256", Kind::Reads(32)),
            ("llvm.x86.vcvtneeph2ps128", Kind::Reads(16)),
            ("llvm.x86.vcvtneeph2ps256", Kind::Reads(32)),
            ("llvm.x86.vcvtneobf162ps128", Kind::Reads(16)),
            ("llvm.x86.vcvtneobf162ps256", Kind::Reads(32)),
            ("llvm.x86.vcvtneoph2ps128", Kind::Reads(16)),
            ("llvm.x86.vcvtneoph2ps256", Kind::Reads(32)),
            ("llvm.x86.sse2.mfence", Kind::Fence),
        ];
        let known = |(name, kind)| Intrinsic::named(name).map(|intrinsic| (intrinsic, kind));
        // There are many vector accesses, so these are looked up by what the module uses.
        let vectors = module.functions().filter_map(|function| {
            Some((
                function.intrinsic()?,
                Kind::Vector(Form::of(function.name())?),
            ))
        });
        Intrinsics(table.into_iter().filter_map(known).chain(vectors).collect())
    }

    pub fn kind(&self, intrinsic: Intrinsic) -> Option<Kind> {
        self.0.get(&intrinsic).copied()
    }
}

impl<'m> Selector<'m, '_> {
    pub(super) fn memory_intrinsic(
        &mut self,
        call: Value<'m>,
        kind: Kind,
        list: &mut List<'m, '_>,
    ) {
        match kind {
            Kind::Marker => {}
            Kind::Prefetch => {
                if !self.exempt(call.operand(0)) {
                    list.works.push(Work::Prefetch(call));
                }
            }
            Kind::Copy(hook) => self.copy_or_fill(call, Some(call.operand(1)), hook, list),
            Kind::Fill(hook) => self.copy_or_fill(call, None, hook, list),
            Kind::Vector(form) => self.vector(call, form, list),
            Kind::Writes(bytes) => self.fixed(call, 0, bytes, true, list),
            Kind::Reads(bytes) => self.fixed(call, 0, bytes, false, list),
            Kind::Copies(bytes) => {
                self.fixed(call, 1, bytes, false, list);
                self.fixed(call, 0, bytes, true, list);
            }
            // Without accesses to memory, too (`Selector::call`).
            Kind::Fence => {}
        }
    }

    /// A fence, if the intrinsic is one.
    pub(super) fn fence_intrinsic(&mut self, call: Value<'m>, kind: Kind, list: &mut List<'m, '_>) {
        if matches!(kind, Kind::Fence) && self.options.atomics {
            list.stats.fences += 1;
            list.works.push(Work::Fence(call, Order::SeqCst));
        }
    }

    /// An access to so many bytes at an argument.
    fn fixed(
        &mut self,
        call: Value<'m>,
        argument: u32,
        bytes: u64,
        write: bool,
        list: &mut List<'m, '_>,
    ) {
        let alignment = call.argument_alignment(argument, self.align);
        let length = Length::Known(bytes);
        self.range(call, call.operand(argument), length, alignment, write, list);
    }

    /// A copy from `source`, or a fill, of what the first argument points to.
    fn copy_or_fill(
        &mut self,
        call: Value<'m>,
        source: Option<Value<'m>>,
        hook: Option<Hook>,
        list: &mut List<'m, '_>,
    ) {
        let length = Length::of(call.operand(2));
        let short = matches!(length, Length::Known(bytes) if bytes <= INLINE_BYTES);
        let destination = call.operand(0);
        if let (Some(hook), false) = (hook, short) {
            // Both sides in one call, unless one of them need not be checked.
            let mut unused = crate::stats::Stats::default();
            if self.wanted(destination, true, &mut unused)
                && source.is_none_or(|source| self.wanted(source, false, &mut unused))
            {
                return list.replace(call, hook);
            }
        }
        if let Some(source) = source {
            self.range(
                call,
                source,
                length,
                call.argument_alignment(1, self.align),
                false,
                list,
            );
        }
        self.range(
            call,
            destination,
            length,
            call.argument_alignment(0, self.align),
            true,
            list,
        );
    }
}
