//! Which number a site, a pair or a combination of sites has, by a hash of what it stands for: a table that is read without a lock and
//! without a call, so that the short way of an access (`quick`) finds what any thread has met before.
//!
//! It only remembers: what it does not hold is looked up in the site table itself. It begins small, and when many of its buckets
//! are full, begins anew with twice as many.

use crate::shadow::{ReserveError, table};
use crate::shadow_ahead::POPULATE;
use crate::sys;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Entries of a bucket, which is a cache line.
const ENTRIES: usize = 5;
/// Bits of a bucket's number, at the beginning and at most.
const FIRST: u32 = 7;
const LAST: u32 = 16;

/// Entries are written once. A key is stored after its number.
#[repr(align(64))]
struct Bucket {
    keys: [AtomicU64; ENTRIES],
    numbers: [AtomicU32; ENTRIES],
    /// Entries that are used, or more.
    used: AtomicU32,
}

/// The table. Two keys that agree in all 64 bits are taken for one; that would take billions of sites to be likely.
pub struct SiteIndex {
    /// The buckets of the table with `1 << bits` of them begin at that index.
    buckets: &'static [Bucket],
    bits: AtomicU32,
    /// Entries that found their bucket full since it has grown.
    refused: AtomicU32,
}

impl SiteIndex {
    pub fn new() -> Result<SiteIndex, ReserveError> {
        Ok(SiteIndex {
            buckets: table(2 << LAST)?,
            bits: AtomicU32::new(FIRST),
            refused: AtomicU32::new(0),
        })
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        // Relaxed: any table is a good one to look in.
        let bits = self.bits.load(Ordering::Relaxed);
        let index = 1usize << bits | (key >> (64 - bits)) as usize;
        // SAFETY: below twice as many as there are at most.
        unsafe { self.buckets.get_unchecked(index) }
    }

    /// The number that was noted under `key`.
    #[inline(always)]
    pub fn find(&self, key: u64) -> Option<u32> {
        let bucket = self.bucket(key);
        for entry in 0..ENTRIES {
            // SAFETY: below the length. Acquire: its number was stored before.
            let found = unsafe { bucket.keys.get_unchecked(entry) }.load(Ordering::Acquire);
            if found == key {
                // SAFETY: as above.
                let number = unsafe { bucket.numbers.get_unchecked(entry) }.load(Ordering::Acquire);
                // Unless the table was given back meanwhile, and maybe written by somebody who did not know that.
                // SAFETY: as above.
                let again = unsafe { bucket.keys.get_unchecked(entry) }.load(Ordering::Relaxed);
                return (number != 0 && again == key).then_some(number);
            }
        }
        None
    }

    /// Notes a number, which is not 0.
    pub fn insert(&self, key: u64, number: u32) {
        if key == 0 || number == 0 || self.find(key).is_some() {
            return;
        }
        let bucket = self.bucket(key);
        // Relaxed: it only hands out the entries.
        let entry = bucket.used.fetch_add(1, Ordering::Relaxed) as usize;
        if entry < ENTRIES {
            bucket.numbers[entry].store(number, Ordering::Relaxed);
            bucket.keys[entry].store(key, Ordering::Release);
            return;
        }
        bucket.used.store(ENTRIES as u32, Ordering::Relaxed);
        self.refuse();
    }

    #[cold]
    fn refuse(&self) {
        let bits = self.bits.load(Ordering::Relaxed);
        let refused = self.refused.fetch_add(1, Ordering::Relaxed) + 1;
        if bits == LAST || refused <= 1 << (bits - 2) {
            return;
        }
        // Looked at all over before it is written, it would cost an interrupt of all processors for each page (`shadow_ahead`).
        self.advise(bits + 1, POPULATE);
        if self
            .bits
            .compare_exchange(bits, bits + 1, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
        {
            self.refused.store(0, Ordering::Relaxed);
            // What comes back is zeroes, which say nothing, to whoever still looks there.
            self.advise(bits, libc::MADV_DONTNEED);
        }
    }

    /// Tells the system this of the table with `1 << bits` buckets.
    fn advise(&self, bits: u32, advice: i32) {
        let part = &self.buckets[1 << bits..2 << bits];
        // SAFETY: pages of the table's own, all of which are atomics, and zeroes say nothing; or none are changed.
        let _ = unsafe { sys::madvise(part.as_ptr() as usize, size_of_val(part), advice) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sites::mix;

    #[test]
    fn what_was_noted_is_found_until_it_grows() {
        let index = SiteIndex::new().unwrap();
        let key = |n: u32| mix(7, n as u64);
        for n in 1..100_000 {
            index.insert(key(n), n);
            if let Some(found) = index.find(key(n)) {
                assert_eq!(found, n);
            }
            assert_eq!(index.find(key(n) ^ 1 << (n % 64)), None);
        }
        assert!(index.bits.load(Ordering::Relaxed) > 13);
        let kept = (1..100_000)
            .filter(|&n| index.find(key(n)) == Some(n))
            .count();
        // Those that came since it has grown last.
        assert!(kept > 10_000, "{kept}");
        assert_eq!(index.find(0), None);
    }
}
