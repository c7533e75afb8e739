//! The check of an access of known length.
//!
//! ```text
//!     %shadow = xor i64 %address, 1 << 46               ; after and i64 -8 where the address is not known to be
//!     %cell   = load atomic i32, %shadow + constant
//!     %tag    = load i32, @__goldilocks_tls
//!     %news   = icmp ne i32 %cell, %tag                 ; xor and and, where some bytes of the word matter only
//!     br i1 %news, label %cold, label %access           ; unlikely
//! cold:
//!     asm "call __goldilocks_write8_${0:V}" (%address)  ; preserves every register: the access' own are not spilled
//!     br label %access
//! access:
//! ```
//!
//! Where a read differs, it is compared once more in the cold block, with the tag of the read set that the thread was found in
//! last: what several threads read is all of one set mostly.
//!
//! The shadow is loaded by an atomic instruction, since other threads store to it. The tag is the thread's own: only
//! calls change it.

use goldilocks_core::abi::{self, ACCESS_SIZES};

use super::Emitter;
use super::probe::{self, Probe, Word};
use crate::llvm::Value;
use crate::select::Check;

/// Constant offsets up to this are left to the addressing mode, bytes.
const LARGEST_DISPLACEMENT: i64 = 1 << 30;

impl<'m> Emitter<'m, '_> {
    /// Inserts a check that is the one with this number in its function.
    pub(super) fn check(&mut self, check: &Check<'m>, number: usize) {
        self.place(check.before, check.source);
        if self.inline {
            self.enter_if_news(check);
        }
        // Here rather than before the comparison, which does without the full address.
        let address = self.same_address(check.address);
        if ACCESS_SIZES.contains(&check.bytes) {
            // The number keeps the code generator from merging equal calls: their return addresses are positions.
            let text = format!("{} # {number}", self.stub_call(check));
            self.builder.assembly(&text, address);
        } else {
            let hook = if check.write {
                abi::WRITE_RANGE
            } else {
                abi::READ_RANGE
            };
            let bytes = self.builder.constant(64, check.bytes);
            self.hook(hook, &[address, bytes]);
        }
    }

    /// Goes on in a new block that runs if the shadow of an access tells anything but that this thread's present epoch made it before.
    pub(super) fn enter_if_news(&self, check: &Check<'m>) {
        let probes = probe::probes(check.bytes, check.low);
        let tags = self.tags(check, &probes);
        let news = self.compare(&tags, &probes, self.tag);
        let mut end = self.builder.enter_unlikely(news, check.before);
        if let Some(news) = self.compare_part(check, &tags, &probes) {
            end = self.builder.enter_unlikely(news, end);
        }
        if !check.write {
            let set = self.builder.offset(self.tag, abi::READ_SET_OFFSET);
            let news = self.compare(&tags, &probes, set);
            self.builder.enter_unlikely(news, end);
        }
    }

    /// Of an access somewhere within a word, all of which was compared: whether the tag differs in what the access' own bytes need.
    fn compare_part(
        &self,
        check: &Check<'m>,
        tags: &[Value<'m>],
        probes: &[Probe],
    ) -> Option<Value<'m>> {
        let ([found], [Probe { word, .. }]) = (tags, probes) else {
            return None;
        };
        if check.bytes >= 8 || !matches!(word, Word::OfByte { .. }) {
            return None;
        }
        let b = &self.builder;
        let tag = b.load(self.module.integer(32), self.tag, 4);
        let address = b.truncate(b.address_of(check.address), self.module.integer(32));
        let offset = b.and(address, b.constant(32, check.low.largest_offset()));
        let mask = b.shift_left(b.constant(32, (1 << check.bytes) - 1), offset);
        let compared = b.or(mask, b.constant(32, u64::from(probe::compared_bits(0))));
        let news = b.and(b.xor(*found, tag), compared);
        Some(b.different(news, b.constant(32, 0)))
    }

    /// The tags that are to be compared.
    fn tags(&self, check: &Check<'m>, probes: &[Probe]) -> Vec<Value<'m>> {
        let word = self.module.integer(32);
        let cells: Vec<_> = probes.iter().map(|probe| self.cell(check, probe)).collect();
        let loads = cells
            .into_iter()
            .map(|cell| self.builder.load_relaxed(word, cell, 4));
        loads.collect()
    }

    /// Whether any of them, of the bytes that its probe is about, is not the thread's tag at `own`.
    fn compare(&self, tags: &[Value<'m>], probes: &[Probe], own: Value<'m>) -> Value<'m> {
        let b = &self.builder;
        let tag = b.load(self.module.integer(32), own, 4);
        if let ([found], [Probe { mask: 0xff, .. }]) = (tags, probes) {
            return b.different(*found, tag);
        }
        let news = tags.iter().zip(probes).map(|(found, probe)| {
            let bits = b.xor(*found, tag);
            match probe.mask {
                0xff => bits,
                mask => b.and(bits, b.constant(32, u64::from(probe::compared_bits(mask)))),
            }
        });
        let all = news
            .reduce(|all, news| b.or(all, news))
            .expect("an access has at least one byte");
        b.different(all, b.constant(32, 0))
    }

    /// Pointer to the tag that a probe compares.
    fn cell(&self, check: &Check<'m>, probe: &Probe) -> Value<'m> {
        let b = &self.builder;
        let flip = b.constant(64, abi::SHADOW_XOR);
        let (shadow, displacement) = match probe.word {
            Word::At(distance) => {
                // Fields of one object share their base's shadow address. An object does not cross the middle of
                // the address space, so the flipped bit is the same for all of it.
                let (base, offset) = self.base(check.address);
                (b.xor(b.address_of(base), flip), offset + distance)
            }
            Word::OfByte { byte, after } => {
                let address = b.address_of(b.offset(check.address, byte as i64));
                let word = b.and(address, b.constant(64, !7));
                (b.xor(word, flip), 8 * after as i64)
            }
        };
        b.offset(
            b.pointer_to(shadow),
            displacement + probe::tag_offset(check) as i64,
        )
    }

    fn base(&self, address: Value<'m>) -> (Value<'m>, i64) {
        match address.constant_offset() {
            (base, offset) if offset.abs() <= LARGEST_DISPLACEMENT => (base, offset),
            _ => (address, 0),
        }
    }

    fn same_address(&self, address: Value<'m>) -> Value<'m> {
        let (base, offset) = self.base(address);
        if offset == 0 {
            address
        } else {
            self.builder.offset(base, offset)
        }
    }

    /// The assembly that calls a check stub. `${0:V}` is the name of the register that the operand is in.
    fn stub_call(&self, check: &Check<'m>) -> String {
        let stub = abi::check_stub(check.write, check.bytes, "${0:V}");
        if self.module.is_shared_object_code() {
            // Not by the procedure linkage table: its lazy binding does not preserve all registers.
            format!("call *{stub}@GOTPCREL(%rip)")
        } else if self.module.is_position_independent() {
            format!("call {stub}@PLT")
        } else {
            format!("call {stub}")
        }
    }
}
