//! Intrinsics that access memory: copies and fills, and vector accesses of some lanes.

use std::collections::HashMap;

use goldilocks_core::abi::{self, Hook};

use super::work::{Lanes, Shape, Work};
use super::{INLINE_BYTES, Length, List, Selector};
use crate::llvm::{Intrinsic, Value};

/// What an intrinsic does to memory.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Neither accesses what threads share nor synchronizes, although it is not declared to.
    Marker,
    /// Reads the second argument's range and writes the first one's. The hook may stand for it.
    Copy(Option<Hook>),
    /// Writes the first argument's range.
    Fill(Option<Hook>),
    /// A vector access.
    Vector { shape: Shape, write: bool },
}

/// The intrinsics that matter, by their numbers in this LLVM.
pub struct Intrinsics(HashMap<Intrinsic, Kind>);

impl Intrinsics {
    pub fn new() -> Intrinsics {
        let vector = |shape, write| Kind::Vector { shape, write };
        let table = [
            ("llvm.memcpy", Kind::Copy(Some(abi::MEMCPY))),
            ("llvm.memmove", Kind::Copy(Some(abi::MEMMOVE))),
            ("llvm.memset", Kind::Fill(Some(abi::MEMSET))),
            ("llvm.memcpy.inline", Kind::Copy(None)),
            ("llvm.memset.inline", Kind::Fill(None)),
            ("llvm.masked.load", vector(Shape::Masked, false)),
            ("llvm.masked.store", vector(Shape::Masked, true)),
            ("llvm.masked.gather", vector(Shape::Scattered, false)),
            ("llvm.masked.scatter", vector(Shape::Scattered, true)),
            ("llvm.masked.expandload", vector(Shape::Packed, false)),
            ("llvm.masked.compressstore", vector(Shape::Packed, true)),
            ("llvm.lifetime.start", Kind::Marker),
            ("llvm.lifetime.end", Kind::Marker),
            ("llvm.assume", Kind::Marker),
            ("llvm.invariant.start", Kind::Marker),
            ("llvm.invariant.end", Kind::Marker),
            ("llvm.experimental.noalias.scope.decl", Kind::Marker),
            ("llvm.pseudoprobe", Kind::Marker),
            ("llvm.prefetch", Kind::Marker),
        ];
        let known = |(name, kind)| Intrinsic::named(name).map(|intrinsic| (intrinsic, kind));
        Intrinsics(table.into_iter().filter_map(known).collect())
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
            Kind::Copy(hook) => self.copy_or_fill(call, Some(call.operand(1)), hook, list),
            Kind::Fill(hook) => self.copy_or_fill(call, None, hook, list),
            Kind::Vector { shape, write } => self.vector(call, shape, write, list),
        }
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

    fn vector(&mut self, call: Value<'m>, shape: Shape, write: bool, list: &mut List<'m, '_>) {
        // Stores have the value first. Up to LLVM 21, the alignment is an argument before the mask.
        let first = u32::from(write);
        let address = call.operand(first);
        let data = if write {
            call.operand(0).ty()
        } else {
            call.ty()
        };
        let aligned = call.operand(first + 1).ty().is_integer();
        let mask = call.operand(first + 1 + u32::from(aligned));
        let (Some(lanes), bits) = (data.lanes(), data.element().bits(self.module)) else {
            return;
        };
        let wanted = match shape {
            Shape::Scattered => {
                // LLVM does not follow vectors of pointers to their objects.
                address.ty().address_space() == Some(0)
                    && if write {
                        self.options.writes
                    } else {
                        self.options.reads
                    }
            }
            _ => self.wanted(address, write, list.stats),
        };
        if wanted && bits % 8 == 0 {
            list.stats.masked += 1;
            let bytes = bits / 8;
            list.works.push(Work::Lanes(Lanes {
                before: call,
                address,
                mask,
                bytes,
                lanes,
                shape,
                write,
            }));
        }
    }
}
