//! Vector accesses of some lanes: LLVM's own intrinsics, and those of the processor's instructions.

use super::work::{Lanes, Shape, Work};
use super::{List, Selector};
use crate::llvm::Value;

/// How an intrinsic takes its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `(address, [alignment,] mask, other) -> data`; LLVM 22 has the alignment elsewhere.
    Load(Access),
    /// `(data, address, [alignment,] mask)`
    Store(Access),
    /// `(address, mask) -> data`
    ProcessorLoad,
    /// `(address, mask, data)`
    ProcessorStore,
    /// `(data, mask, address)`
    ProcessorByteStore,
    /// `(other, address, index, mask, scale) -> data`
    ProcessorGather,
    /// `(address, mask, index, data, scale)`
    ProcessorScatter,
    /// `(address, data, mask)`: lanes become narrower on the way; the mask is an integer. Bytes of a lane in memory.
    ProcessorNarrowStore(u64),
}

/// Where the lanes of LLVM's own intrinsics are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Masked,
    Scattered,
    Packed,
}

/// Beginnings of names. Those of the processor's go on with types and widths.
const NAMES: [(&str, Form); 14] = [
    ("llvm.masked.load.", Form::Load(Access::Masked)),
    ("llvm.masked.store.", Form::Store(Access::Masked)),
    ("llvm.masked.gather.", Form::Load(Access::Scattered)),
    ("llvm.masked.scatter.", Form::Store(Access::Scattered)),
    ("llvm.masked.expandload.", Form::Load(Access::Packed)),
    ("llvm.masked.compressstore.", Form::Store(Access::Packed)),
    ("llvm.x86.avx.maskload.", Form::ProcessorLoad),
    ("llvm.x86.avx2.maskload.", Form::ProcessorLoad),
    ("llvm.x86.avx.maskstore.", Form::ProcessorStore),
    ("llvm.x86.avx2.maskstore.", Form::ProcessorStore),
    ("llvm.x86.sse2.maskmov.dqu", Form::ProcessorByteStore),
    ("llvm.x86.avx2.gather.", Form::ProcessorGather),
    ("llvm.x86.avx512.mask.gather", Form::ProcessorGather),
    ("llvm.x86.avx512.mask.scatter", Form::ProcessorScatter),
];

impl Form {
    /// The form of the intrinsic with this name, if it is a vector access.
    pub fn of(name: &str) -> Option<Form> {
        NAMES
            .iter()
            .find(|(start, _)| name.starts_with(start))
            .map(|(_, form)| *form)
            .or_else(|| Form::narrow(name))
    }

    /// AVX-512's narrowing stores (VPMOV): with truncation, signed or unsigned saturation, then the sizes of a lane in the register and in
    /// memory.
    fn narrow(name: &str) -> Option<Form> {
        let rest = name.strip_prefix("llvm.x86.avx512.mask.pmov")?;
        let (kind, rest) = rest.split_once('.')?;
        let (sizes, width) = rest.split_once(".mem.")?;
        let bytes = match sizes {
            "qb" | "db" | "wb" => 1,
            "qw" | "dw" => 2,
            "qd" => 4,
            _ => return None,
        };
        let known = matches!(kind, "" | "s" | "us") && matches!(width, "128" | "256" | "512");
        known.then_some(Form::ProcessorNarrowStore(bytes))
    }

    fn writes(self) -> bool {
        match self {
            Form::Store(_)
            | Form::ProcessorStore
            | Form::ProcessorByteStore
            | Form::ProcessorScatter
            | Form::ProcessorNarrowStore(_) => true,
            Form::Load(_) | Form::ProcessorLoad | Form::ProcessorGather => false,
        }
    }
}

impl<'m> Selector<'m, '_> {
    pub(super) fn vector(&mut self, call: Value<'m>, form: Form, list: &mut List<'m, '_>) {
        let operand = |number| call.operand(number);
        let shape = |access| match access {
            Access::Masked => Shape::Masked,
            Access::Scattered => Shape::Scattered,
            Access::Packed => Shape::Packed,
        };
        let after_alignment = |number| number + u32::from(operand(number).ty().is_integer());
        let indexed = |index, scale: u32| Shape::Indexed {
            index: operand(index),
            scale: operand(scale).as_constant().unwrap_or(1),
        };
        let (data, address, mask, shape) = match form {
            Form::Load(access) => (call.ty(), 0, after_alignment(1), shape(access)),
            Form::Store(access) => (operand(0).ty(), 1, after_alignment(2), shape(access)),
            Form::ProcessorLoad => (call.ty(), 0, 1, Shape::Masked),
            Form::ProcessorStore => (operand(2).ty(), 0, 1, Shape::Masked),
            Form::ProcessorByteStore => (operand(0).ty(), 2, 1, Shape::Masked),
            Form::ProcessorGather => (call.ty(), 1, 3, indexed(2, 4)),
            Form::ProcessorScatter => (operand(3).ty(), 0, 1, indexed(2, 4)),
            Form::ProcessorNarrowStore(_) => (operand(1).ty(), 0, 2, Shape::Masked),
        };
        let (address, mask) = (operand(address), operand(mask));
        let bits = match form {
            Form::ProcessorNarrowStore(bytes) => 8 * bytes,
            _ => data.element().bits(self.module),
        };
        let Some(mut lanes) = data.lanes() else {
            return;
        };
        if let Shape::Indexed { index, .. } = shape {
            // The shorter of the two: indices of twice the size of the data, or the reverse.
            lanes = lanes.min(index.ty().lanes().unwrap_or(lanes));
        }
        let write = form.writes();
        let wanted = match shape {
            // LLVM does not follow vectors of pointers to their objects.
            Shape::Scattered => {
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
