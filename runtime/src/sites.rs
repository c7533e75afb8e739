//! Sites: where an access was made from. A site is an interned stack with the locks that were held.
//!
//! Interned once and kept for the whole run, because any later access may race with one made here. Equal sites share
//! one record, so their number depends on the program's code and lock usage, not on how long it runs. A record lies in an
//! append-only table of 64-bit words; its id is its index there.

use crate::shadow::{ReserveError, table};
use crate::site_index::SiteIndex;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use goldilocks_core::detector::Sites;
use goldilocks_core::event::{Entity, Slot};
use goldilocks_core::fast_hash::FastMap;
use goldilocks_core::line::Site;
use std::sync::Mutex;

/// Words of the table: 2 GiB of address space; an id must fit 28 bits.
const WORDS: usize = 1 << 28;
const SHARDS: usize = 64;

/// A record: `[kind | counts]`, then the words of that kind. Of a stack: frames in bits 8-15, locks in bits 0-7 ([`UNKNOWN_LOCKS`]),
/// the [`Shape`] in bits 16-31; then the innermost frames, the site of the others ([`KIND_FRAMES`]) if there are any ([`MORE`]), and the locks.
const KIND_STACK: u64 = 1;
/// `[KIND_FRAMES | n]`, then n frames, and what is outside of them likewise.
const KIND_FRAMES: u64 = 5;
/// There are frames outside of these, in another record.
const MORE: u64 = 1 << 32;
/// Frames that are shared by all stacks that have them and everything outside of them in common: stacks of a recursion are many, long,
/// and mostly differ in their innermost frames.
const GROUP: usize = 4;
/// In place of a number of locks: they are not known.
const UNKNOWN_LOCKS: usize = 255;
/// `[KIND_PARTS | n]`, then n words of mask (bits 32-39) and site (bits 0-31).
const KIND_PARTS: u64 = 2;

/// `[KIND_READERS | n]`, then n words of a reader's slot (bits 32-47) and site (bits 0-31).
const KIND_READERS: u64 = 3;

/// `[KIND_PAIR]`, then one word with the site of a write (bits 32-63) and that of a read.
const KIND_PAIR: u64 = 4;

/// All sites.
pub struct SiteTable {
    words: &'static [AtomicU64],
    next: AtomicU64,
    /// By hash, or by one of the next numbers if two records have the same.
    ids: [Mutex<FastMap<u64, Site>>; SHARDS],
    index: SiteIndex,
    /// Records that name several sites, and how many are [many](Sites::are_many). Kinds of objects have fewer, and these stay in the caches.
    names: AtomicU32,
    many: u32,
    /// Stacks in which a return address is there more than once.
    recursive: AtomicU32,
}

/// Size and alignment of the accesses made from a site, so that a report can tell how far the earlier one reached. 0 is
/// unknown: ranges, whose size is not a property of the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Shape(u16);

impl Shape {
    pub const UNKNOWN: Shape = Shape(0);
    const MISALIGNED: u16 = 1 << 7;
    /// Bits 8-13 are an offset within a line, where misaligned.
    const THREAD_END: u16 = 1 << 14;
    const VIRTUAL_TABLE: u16 = 1 << 15;

    /// Of an access of `bytes` bytes at `addr` by compiled code. Where the access is aligned to its size, the address does not
    /// matter, so that all elements of an array share one shape.
    #[inline(always)]
    pub fn of(addr: u64, bytes: u64) -> Shape {
        let aligned = bytes & bytes.wrapping_sub(1) == 0 && addr & bytes.wrapping_sub(1) == 0;
        if aligned && bytes <= 64 {
            Shape(bytes as u16)
        } else if bytes > 64 {
            Shape::UNKNOWN
        } else {
            Shape(bytes as u16 | Self::MISALIGNED | ((addr & 63) as u16) << 8)
        }
    }

    /// Of a store of a pointer to a virtual table at `addr`.
    pub fn of_virtual_table(addr: u64) -> Shape {
        Shape(Shape::of(addr, 8).0 | Self::VIRTUAL_TABLE)
    }

    /// Of what the end of a thread does to its stack.
    pub const fn of_thread_end() -> Shape {
        Shape(Self::THREAD_END)
    }

    pub fn is_misaligned(self) -> bool {
        self.0 & Self::MISALIGNED != 0
    }

    pub fn is_thread_end(self) -> bool {
        self.0 & Self::THREAD_END != 0
    }

    pub fn is_virtual_table(self) -> bool {
        self.0 & Self::VIRTUAL_TABLE != 0
    }

    /// As a number, to hash.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.0 as u64
    }

    /// Start and size of the access of this shape that touched `byte`.
    pub fn around(self, byte: u64) -> Option<(u64, u64)> {
        let bytes = (self.0 & 0x7f) as u64;
        if bytes == 0 {
            None
        } else if self.0 & Self::MISALIGNED == 0 {
            Some((byte & !(bytes - 1), bytes))
        } else {
            let offset = (self.0 >> 8 & 63) as u64;
            Some((byte - (byte.wrapping_sub(offset) & 63), bytes))
        }
    }
}

/// Words of records, 32 MiB, beyond which [`SiteTable::are_plenty`].
const PLENTY: u64 = 1 << 22;
/// And those, 8 MiB, beyond which [`SiteTable::tell_no_locks_apart`].
const MANY: u64 = 1 << 20;
/// Stacks with a recursion, beyond which they are plenty.
const RECURSIVE: u32 = 1 << 12;

/// What a site stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteInfo {
    pub shape: Shape,
    /// Return addresses, innermost first.
    pub pcs: Vec<usize>,
    /// Locks held, outermost first; `None` if that is not known (`locksets`).
    pub held: Option<Vec<Entity>>,
}

impl SiteTable {
    /// A table in which words get records of their sites when there are `many` names of several.
    pub fn new(many: u32) -> Result<SiteTable, ReserveError> {
        Ok(SiteTable {
            words: table(WORDS)?,
            next: AtomicU64::new(1),
            ids: core::array::from_fn(|_| Mutex::new(FastMap::default())),
            index: SiteIndex::new()?,
            names: AtomicU32::new(0),
            many,
            recursive: AtomicU32::new(0),
        })
    }

    /// Whether there are so many stacks that those of a recursion are told apart no more, but by the calls that are in them: otherwise they
    /// would grow with the length of the run.
    #[inline]
    pub fn are_plenty(&self) -> bool {
        // Relaxed: a hint.
        self.recursive.load(Ordering::Relaxed) > RECURSIVE
            || self.next.load(Ordering::Relaxed) > PLENTY
    }
    /// Whether there are so many stacks that each is one site, whatever locks are held: the product of both would have no end.
    #[inline]
    pub fn tell_no_locks_apart(&self) -> bool {
        // Relaxed: a hint.
        self.next.load(Ordering::Relaxed) > MANY
    }
    /// There is one more stack in which a return address is more than once.
    pub fn count_recursive(&self) {
        // Relaxed: a statistic.
        self.recursive.fetch_add(1, Ordering::Relaxed);
    }

    /// The words of the records: that after a pair's first is its two sites. For code that is not compiled with this.
    pub fn words(&self) -> *const AtomicU64 {
        self.words.as_ptr()
    }

    /// The site of accesses of this shape with this stack (innermost first, at most 255) and these locks (the innermost 254;
    /// `None` if they are not told). `hash` is a hash of all three.
    pub fn intern(&self, hash: u64, shape: Shape, pcs: &[usize], held: Option<&[Entity]>) -> Site {
        let count = held.map_or(UNKNOWN_LOCKS, |held| held.len().min(UNKNOWN_LOCKS - 1));
        let held = held.unwrap_or_default();
        let held = &held[held.len().saturating_sub(UNKNOWN_LOCKS - 1)..];
        let Some((inner, outer)) = self.groups(pcs) else {
            return 0;
        };
        let head =
            KIND_STACK << 56 | (shape.0 as u64) << 16 | (inner.len() as u64) << 8 | count as u64;
        let all = Self::frames(head, inner, outer).chain(held.iter().map(|lock| lock.0));
        let len = 1 + inner.len() + (outer != 0) as usize + held.len();
        self.intern_words(hash, all, len)
    }

    /// The innermost frames of a stack, and the record of the others, or 0; `None` if the table is full.
    fn groups<'p>(&self, pcs: &'p [usize]) -> Option<(&'p [usize], Site)> {
        let (mut outer, mut left) = (0, pcs);
        while left.len() > GROUP {
            let (inner, group) = left.split_at(left.len() - GROUP);
            let hash = group
                .iter()
                .fold(mix(KIND_FRAMES, outer as u64), |hash, &pc| {
                    mix(hash, pc as u64)
                });
            let words = Self::frames(KIND_FRAMES << 56 | GROUP as u64, group, outer);
            outer = self.intern_words(hash, words, 1 + GROUP + (outer != 0) as usize);
            if outer == 0 {
                return None;
            }
            left = inner;
        }
        Some((left, outer))
    }

    /// The words of a record that begins with frames.
    fn frames(head: u64, pcs: &[usize], outer: Site) -> impl Iterator<Item = u64> + Clone {
        let more = if outer != 0 { MORE } else { 0 };
        core::iter::once(head | more)
            .chain(pcs.iter().map(|&pc| pc as u64))
            .chain((outer != 0).then_some(outer as u64))
    }

    fn intern_words(
        &self,
        hash: u64,
        words: impl Iterator<Item = u64> + Clone,
        len: usize,
    ) -> Site {
        let mut ids = self.ids[(hash >> 58) as usize % SHARDS]
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut key = hash;
        while let Some(&id) = ids.get(&key) {
            let record = &self.words[id as usize..];
            if words
                .clone()
                .zip(record)
                .all(|(word, stored)| stored.load(Ordering::Relaxed) == word)
            {
                return id;
            }
            key = key.wrapping_add(1);
        }
        // Relaxed: the counter only hands out disjoint parts.
        let start = self.next.fetch_add(len as u64, Ordering::Relaxed) as usize;
        if start + len > WORDS {
            // 2 GiB of distinct stacks: later ones are unknown rather than wrong.
            self.next.store(WORDS as u64, Ordering::Relaxed);
            return 0;
        }
        for (word, stored) in words.clone().zip(&self.words[start..]) {
            stored.store(word, Ordering::Relaxed);
        }
        let kind = words.into_iter().next().unwrap_or(0) >> 56;
        if let KIND_PARTS | KIND_PAIR = kind {
            self.names.fetch_add(1, Ordering::Relaxed);
        }
        ids.insert(key, start as Site);
        start as Site
    }

    /// What `site` stands for at byte `byte` (0-7) of the word that it was stored for; `None` if it is unknown.
    pub fn lookup(&self, site: Site, byte: u32) -> Option<SiteInfo> {
        if site == 0 || site as u64 >= self.next.load(Ordering::Relaxed) {
            return None;
        }
        let record = &self.words[site as usize..];
        let word = |index: usize| record[index].load(Ordering::Relaxed);
        if word(0) >> 56 == KIND_PARTS {
            let parts = (word(0) & 0xff) as usize;
            let part = (1..=parts)
                .map(word)
                .find(|part| part >> 32 & 1 << byte != 0)?;
            return self.lookup(part as Site, byte);
        }
        let (inner, held) = ((word(0) >> 8 & 0xff) as usize, (word(0) & 0xff) as usize);
        let mut pcs: Vec<usize> = (1..1 + inner).map(|index| word(index) as usize).collect();
        let mut at = 1 + inner;
        if word(0) & MORE != 0 {
            self.outer_frames(word(at) as Site, &mut pcs);
            at += 1;
        }
        Some(SiteInfo {
            shape: Shape((word(0) >> 16) as u16),
            pcs,
            held: (held != UNKNOWN_LOCKS)
                .then(|| (at..at + held).map(|index| Entity(word(index))).collect()),
        })
    }

    /// Appends the frames of a record, and those outside of them.
    fn outer_frames(&self, first: Site, pcs: &mut Vec<usize>) {
        let mut next = first;
        while next != 0 {
            let record = &self.words[next as usize..];
            let word = |index: usize| record[index].load(Ordering::Relaxed);
            let count = (word(0) & 0xff) as usize;
            pcs.extend((1..=count).map(|index| word(index) as usize));
            next = if word(0) & MORE != 0 {
                word(1 + count) as Site
            } else {
                0
            };
        }
    }

    /// Bytes of the table that are in use.
    pub fn bytes(&self) -> u64 {
        self.next.load(Ordering::Relaxed) * 8
    }
}

impl Sites for SiteTable {
    #[inline(always)]
    fn recall(&self, key: u64) -> Option<u32> {
        self.index.find(key)
    }
    fn note(&self, key: u64, number: u32) {
        self.index.insert(key, number);
    }
    #[inline(always)]
    fn are_many(&self) -> bool {
        // Relaxed: a statistic.
        self.names.load(Ordering::Relaxed) >= self.many
    }

    fn pair(&self, write: Site, read: Site) -> u32 {
        let words = [KIND_PAIR << 56, (write as u64) << 32 | read as u64];
        let hash = words.into_iter().fold(0, mix);
        self.intern_words(hash, words.into_iter(), 2)
    }

    #[inline(always)]
    fn split(&self, pair: u32) -> (Site, Site) {
        if pair == 0 {
            return (0, 0);
        }
        // SAFETY: made by `pair`, so it is the index of a record of two words.
        let sites = unsafe { self.words.get_unchecked(pair as usize + 1) };
        let sites = sites.load(Ordering::Relaxed);
        ((sites >> 32) as Site, sites as Site)
    }

    fn join_readers(&self, readers: &[(Slot, Site)]) -> Option<Site> {
        let (_, first) = readers[0];
        if readers.iter().all(|&(_, site)| site == first) {
            return Some(first);
        }
        if readers.len() > 255 {
            return None;
        }
        let words = readers
            .iter()
            .map(|&(slot, site)| (slot as u64) << 32 | site as u64);
        let hash = words.clone().fold(KIND_READERS, mix);
        let header = KIND_READERS << 56 | readers.len() as u64;
        // 0 means that the table is full.
        Some(self.intern_words(
            hash,
            core::iter::once(header).chain(words),
            1 + readers.len(),
        ))
        .filter(|&site| site != 0)
    }

    fn reader_site(&self, joined: Site, reader: Slot) -> Site {
        let record = &self.words[joined as usize..];
        let first = record[0].load(Ordering::Relaxed);
        if joined == 0 || first >> 56 != KIND_READERS {
            return joined;
        }
        let readers = &record[1..1 + (first & 0xff) as usize];
        let own = readers
            .iter()
            .map(|word| word.load(Ordering::Relaxed))
            .find(|word| word >> 32 == reader as u64);
        own.map_or(0, |word| word as Site)
    }

    fn combine(&self, old: Site, old_mask: u8, new: Site, new_mask: u8) -> Site {
        // A site for each byte at most.
        let mut parts = [(0u8, 0 as Site); 8];
        let mut count = 0;
        let mut add =
            |mask: u8, site: Site| match parts[..count].iter_mut().find(|(_, s)| *s == site) {
                Some((m, _)) => *m |= mask,
                None => {
                    parts[count] = (mask, site);
                    count += 1;
                }
            };
        let kept = old_mask & !new_mask;
        let record = &self.words[old as usize..];
        let first = record[0].load(Ordering::Relaxed);
        if old != 0 && first >> 56 == KIND_PARTS {
            for part in &record[1..1 + (first & 0xff) as usize] {
                let part = part.load(Ordering::Relaxed);
                let mask = (part >> 32) as u8 & kept;
                if mask != 0 {
                    add(mask, part as Site);
                }
            }
        } else {
            add(kept, old);
        }
        add(new_mask, new);
        let parts = &mut parts[..count];
        if let [(_, site)] = parts {
            return *site;
        }
        parts.sort_unstable();
        let words = parts
            .iter()
            .map(|&(mask, site)| (mask as u64) << 32 | site as u64);
        let hash = words.clone().fold(KIND_PARTS, mix);
        self.intern_words(
            hash,
            core::iter::once(KIND_PARTS << 56 | parts.len() as u64).chain(words),
            1 + parts.len(),
        )
    }
}

/// What [`mix`] multiplies with.
pub const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// One step of the hash over a stack.
#[inline(always)]
pub fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(MIX)
}

/// The hash that stands for a site where sites are looked up without comparing them: all of the context's hash, the position,
/// the hash of the locks held and the shape. The parts go through a multiplication each, as bits of a position and of a
/// shape would else cancel out.
#[inline(always)]
pub fn site_hash(context: u64, pc: usize, held: u64, shape: Shape) -> u64 {
    mix(mix(context, pc as u64), held ^ shape.bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sites_have_one_id() {
        let sites = SiteTable::new(u32::MAX).unwrap();
        let lock = Entity(7 << 8);
        let shape = Shape::of(8, 8);
        let a = sites.intern(1, shape, &[10, 20], Some(&[lock]));
        let b = sites.intern(1, shape, &[10, 20], Some(&[]));
        assert_eq!(a, sites.intern(1, shape, &[10, 20], Some(&[lock])));
        assert_ne!(a, b);
        assert_eq!(
            sites.lookup(a, 0),
            Some(SiteInfo {
                shape,
                pcs: vec![10, 20],
                held: Some(vec![lock])
            })
        );
        assert_eq!(sites.lookup(0, 0), None);
    }

    #[test]
    fn stacks_of_any_depth_share_what_is_outside() {
        let sites = SiteTable::new(u32::MAX).unwrap();
        let shape = Shape::of(8, 4);
        let locks = [Entity(7 << 8), Entity(9 << 8)];
        let stack = |depth: usize, innermost: usize| -> Vec<usize> {
            (0..depth)
                .map(|i| if i == 0 { innermost } else { 1000 + depth - i })
                .collect()
        };
        let mut hash = 100;
        let mut all = Vec::new();
        for depth in 0..=192 {
            for held in [None, Some(&locks[..0]), Some(&locks[..])] {
                hash += 1;
                let pcs = stack(depth, 5);
                let site = sites.intern(hash, shape, &pcs, held);
                assert_eq!(site, sites.intern(hash, shape, &pcs, held));
                let held = held.map(<[Entity]>::to_vec);
                all.push((site, SiteInfo { shape, pcs, held }));
            }
        }
        for (site, info) in all {
            assert_eq!(sites.lookup(site, 0), Some(info));
        }
        let before = sites.bytes();
        for innermost in 0..100 {
            sites.intern(
                hash + 1 + innermost as u64,
                shape,
                &stack(192, 6 + innermost),
                Some(&[]),
            );
        }
        assert!(
            sites.bytes() - before <= 100 * 8 * (2 + GROUP as u64),
            "the rest is shared"
        );
    }

    #[test]
    fn neighbouring_sites_have_different_hashes() {
        let mut hashes = std::collections::HashMap::new();
        let bits = || (0..40).map(|bit| 1usize << bit).chain([0]);
        for pc in bits().flat_map(|a| bits().map(move |b| 0x5555_5555_4000 + (a ^ b))) {
            for addr in 0..8 {
                for bytes in [0, 1, 2, 3, 4, 8, 16, 65] {
                    let shape = Shape::of(addr, bytes);
                    let hash = site_hash(0x1234_5678_9abc_def0, pc, 0, shape);
                    assert_eq!(*hashes.entry(hash).or_insert((pc, shape)), (pc, shape));
                }
            }
        }
    }

    #[test]
    fn bytes_of_a_word_keep_their_sites() {
        let sites = SiteTable::new(u32::MAX).unwrap();
        let [a, b, c] =
            [1, 2, 3].map(|pc| sites.intern(pc as u64, Shape::UNKNOWN, &[pc], Some(&[])));
        let ab = sites.combine(a, 0x0f, b, 0xf0);
        assert_eq!(ab, sites.combine(b, 0xff, a, 0x0f));
        let abc = sites.combine(ab, 0xff, c, 0x18);
        let pc = |byte| sites.lookup(abc, byte).unwrap().pcs[0];
        assert_eq!((0..8).map(pc).collect::<Vec<_>>(), [1, 1, 1, 3, 3, 2, 2, 2]);
        assert_eq!(sites.combine(abc, 0xff, a, 0xff), a);
    }

    #[test]
    fn readers_keep_their_sites() {
        let sites = SiteTable::new(u32::MAX).unwrap();
        let [a, b] = [1, 2].map(|pc| sites.intern(pc as u64, Shape::UNKNOWN, &[pc], Some(&[])));
        assert_eq!(sites.join_readers(&[(1, a), (2, a)]), Some(a));
        let joined = sites.join_readers(&[(1, a), (2, b), (7, a)]).unwrap();
        assert_eq!(
            [1, 2, 7, 3].map(|slot| sites.reader_site(joined, slot)),
            [a, b, a, 0]
        );
        assert_eq!(sites.reader_site(a, 5), a);
    }

    #[test]
    fn shapes_find_the_access_again() {
        for bytes in 1..=64 {
            for addr in 0x1000..0x1100 {
                for byte in addr..addr + bytes {
                    assert_eq!(Shape::of(addr, bytes).around(byte), Some((addr, bytes)));
                }
            }
        }
        assert_eq!(Shape::of(0x1000, 65).around(0x1000), None);
    }
}
