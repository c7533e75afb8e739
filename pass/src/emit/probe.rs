//! Which shadow cells an inline check compares, and with which mask. Pure arithmetic.

use goldilocks_core::abi;

use crate::select::{Check, LowBits};

/// The word that a probe's cell stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// The one that is this many bytes away from the access' address, which is known to be in the word's first byte
    /// if this is added.
    At(i64),
    /// The one after so many others after that of the byte with this number in the access.
    OfByte { byte: u64, after: u64 },
}

/// A cell to compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    pub word: Word,
    /// Which of the cell's bytes matter. All of them where the offset is not known: the check stub looks again.
    pub mask: u8,
}

/// The cells of an access of `bytes` bytes (at least 1).
pub fn probes(bytes: u64, low: LowBits) -> Vec<Probe> {
    match low.offset() {
        Some(offset) => exact(bytes, offset),
        None => inexact(bytes, low.largest_offset()),
    }
}

fn exact(bytes: u64, offset: u64) -> Vec<Probe> {
    let end = offset + bytes;
    (0..end.div_ceil(8))
        .map(|word| {
            let first = if word == 0 { offset } else { 0 };
            let past = (end - word * 8).min(8);
            let mask = (first..past).fold(0, |mask, byte| mask | 1 << byte);
            Probe {
                word: Word::At((word * 8) as i64 - offset as i64),
                mask,
            }
        })
        .collect()
}

fn inexact(bytes: u64, largest_offset: u64) -> Vec<Probe> {
    let mask = 0xff;
    let steps = bytes.div_ceil(8);
    let mut probes: Vec<_> = (0..steps)
        .map(|after| Probe {
            word: Word::OfByte { byte: 0, after },
            mask,
        })
        .collect();
    // Bytes after the last step of eight: can they reach into one more word?
    if largest_offset + (bytes - (steps - 1) * 8) > 8 {
        probes.push(Probe {
            word: Word::OfByte {
                byte: bytes - 1,
                after: 0,
            },
            mask,
        });
    }
    probes
}

/// Where in the shadow cell the tag to compare is.
pub fn tag_offset(check: &Check) -> u64 {
    abi::SHADOW_OFFSET
        + if check.write {
            abi::WRITE_TAG_OFFSET
        } else {
            abi::READ_TAG_OFFSET
        }
}

/// Bits of a tag that have to be equal for the same epoch to have accessed the bytes in `mask`.
pub fn compared_bits(mask: u8) -> u32 {
    0xffff_ff00 | u32::from(mask)
}
