//! What the numbers of words' sites ([`crate::line_sites`]) become by accesses: what a thread knows by heart of that.

use crate::line::Site;
use crate::records::RECORD;
use std::cell::Cell;

/// What numbers became lately by an access of the thread that left nothing of the cell's write, or read.
///
/// A program that has few sites meets few numbers; one that goes through text, byte by byte and from many places, or that accesses objects in parts, meets thousands,
/// and would decide each anew.
#[repr(C)]
pub struct NumberMemo {
    /// By the bits of their keys' hashes that the mask has; a power of two.
    noted: Box<[Noted]>,
    mask: u32,
    /// What was decided since there is room for so many.
    missed: Cell<u32>,
}

/// A key and what it stands for. Also read by code that is not compiled with this.
#[repr(C)]
struct Noted {
    key: Cell<u64>,
    wanted: Cell<u32>,
    /// 0, or the bytes that join others, and those.
    bytes: Cell<u32>,
}

const _: () = assert!(size_of::<Noted>() == 16);

/// In a key: bytes join others.
const JOINED: u64 = 1 << 63;
/// Bits of how many are remembered, at first and at most.
const FIRST_BITS: u32 = 9;
const LAST_BITS: u32 = 12;
/// Of so many misses by place, the next ones are worth more room.
const PATIENCE: u32 = 4;

impl Default for NumberMemo {
    fn default() -> NumberMemo {
        NumberMemo::with_bits(FIRST_BITS)
    }
}

impl NumberMemo {
    /// How far a key's hash is to be shifted for the bits of which the mask takes some: for code that is not compiled with this, as the following ones.
    pub const SHIFT: u32 = u64::BITS - LAST_BITS;
    /// Offset of the pointer to what is noted.
    pub const NOTED: usize = std::mem::offset_of!(NumberMemo, noted);
    /// Offset of the mask.
    pub const MASK: usize = std::mem::offset_of!(NumberMemo, mask);

    fn with_bits(bits: u32) -> NumberMemo {
        // Not by way of the stack, of which a thread may have little.
        // SAFETY: numbers; all zeroes says of an unknown site in a line without any that the number stays 0, which it does.
        let noted = unsafe { Box::new_zeroed_slice(1 << bits).assume_init() };
        NumberMemo {
            noted,
            mask: (1 << bits) - 1,
            missed: Cell::new(0),
        }
    }

    /// A number that says no record, and the access: whether it is a write, and whether it leaves the cell's write there.
    #[inline(always)]
    pub(crate) fn key(present: u32, site: Site, write: bool, beside: bool) -> u64 {
        debug_assert!(present & RECORD == 0 && site < 1 << 30);
        (present as u64) << 32 | (site as u64) << 2 | (write as u64) << 1 | beside as u64
    }
    /// The same of a word whose cell is parted then: whether what stays has the second site that the number says, or the first.
    #[inline(always)]
    pub(crate) fn parted_key(present: u32, site: Site, second: bool) -> u64 {
        // No number of a word without a record has the bit that says one.
        Self::key(present, site, false, second) | (RECORD as u64) << 32
    }
    #[inline(always)]
    fn place(&self, hashed: u64) -> &Noted {
        let bits = (hashed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> Self::SHIFT) as u32;
        // SAFETY: the mask is below the length.
        unsafe { self.noted.get_unchecked((bits & self.mask) as usize) }
    }
    #[inline(always)]
    pub(crate) fn find(&self, key: u64) -> Option<u32> {
        let noted = self.place(key);
        (noted.key.get() == key).then(|| noted.wanted.get())
    }
    #[inline(always)]
    pub(crate) fn keep(&self, key: u64, wanted: u32) {
        let noted = self.place(key);
        noted.key.set(key);
        noted.wanted.set(wanted);
        self.missed.set(self.missed.get().wrapping_add(1));
    }

    /// A key of bytes that join those which their thread has accessed in this epoch in the same way, from other places; whether there is nothing else.
    #[inline(always)]
    pub(crate) fn joined_key(present: u32, site: Site, write: bool, alone: bool) -> u64 {
        // No number has its highest bit, without a record.
        Self::key(present, site, write, alone) | JOINED
    }
    #[inline(always)]
    fn joined_place(&self, key: u64, bytes: u32) -> &Noted {
        self.place(key ^ (bytes as u64) << 32)
    }
    /// As [`NumberMemo::find`], of some of the word's bytes that join others: a mask in each half.
    #[inline(always)]
    pub(crate) fn find_joined(&self, key: u64, bytes: u32) -> Option<u32> {
        let noted = self.joined_place(key, bytes);
        let found = noted.key.get() == key && noted.bytes.get() == bytes;
        found.then(|| noted.wanted.get())
    }
    #[inline(always)]
    pub(crate) fn keep_joined(&self, key: u64, bytes: u32, wanted: u32) {
        let noted = self.joined_place(key, bytes);
        noted.key.set(key);
        noted.bytes.set(bytes);
        noted.wanted.set(wanted);
        self.missed.set(self.missed.get().wrapping_add(1));
    }

    /// Makes room for more if many were decided anew.
    #[inline(always)]
    pub(crate) fn grow_if_needed(&mut self) {
        if self.missed.get() > PATIENCE * self.mask {
            self.grow();
        }
    }
    #[cold]
    fn grow(&mut self) {
        self.missed.set(0);
        let bits = self.mask.count_ones();
        if bits == LAST_BITS {
            return;
        }
        let before = std::mem::replace(self, NumberMemo::with_bits(bits + 1));
        // An empty place says what each of the new ones says.
        for noted in before.noted.iter().filter(|noted| noted.key.get() != 0) {
            let (key, bytes) = (noted.key.get(), noted.bytes.get());
            let place = if key & JOINED == 0 {
                self.place(key)
            } else {
                self.joined_place(key, bytes)
            };
            place.key.set(key);
            place.wanted.set(noted.wanted.get());
            place.bytes.set(bytes);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// What is known is known in the larger one as well, from either kind of key, and it does not grow without end.
    #[test]
    fn it_grows_with_what_is_met_and_forgets_nothing_by_that() {
        let mut memo = NumberMemo::default();
        let most = 1 << LAST_BITS;
        let keys = |one: u32| {
            let key = NumberMemo::key(one, one + 1, one & 1 == 0, one & 2 == 0);
            let joined = NumberMemo::joined_key(one, one + 1, one & 1 == 0, one & 2 == 0);
            (key, joined, one << 16 | 0x0f)
        };
        let found = |memo: &NumberMemo, one: u32| {
            let (key, joined, bytes) = keys(one);
            (memo.find(key), memo.find_joined(joined, bytes))
        };
        for round in 0..8 {
            let mut known = Vec::new();
            for one in 1..most {
                let (key, joined, bytes) = keys(one);
                memo.keep(key, one);
                memo.keep_joined(joined, bytes, !one);
            }
            for one in 1..most {
                let both = found(&memo, one);
                assert!(both.0.is_none_or(|number| number == one));
                assert!(both.1.is_none_or(|number| number == !one));
                known.push(both);
            }
            let before = memo.noted.len();
            memo.grow_if_needed();
            assert_eq!(memo.noted.len(), (before * 2).min(most as usize), "{round}");
            for (one, &both) in (1..).zip(&known) {
                let after = found(&memo, one);
                assert!(both.0.is_none() || after.0 == both.0, "{one}");
                assert!(both.1.is_none() || after.1 == both.1, "{one}");
            }
            let other = (keys(5).1, keys(6).2);
            assert_eq!(memo.find_joined(other.0, other.1), None);
        }
        assert_eq!(memo.noted.len(), most as usize);
        let few = NumberMemo::default();
        assert_eq!(found(&few, 3), (None, None));
    }
}
