//! The sites of one word, byte by byte: of its write and of its read.

use crate::displace::World;
use crate::line::{SITE_MASK, Site};
use crate::transition::Placed;

/// Sites of one word, at most: more have to be made one ([`crate::line::Sites::combine`]).
const ROOM: u32 = 7;
/// Bits of a selector: which of the sites a byte has.
const SELECTOR: u32 = 3;
const SITE: u32 = SITE_MASK.count_ones();
const _: () = assert!(4 + 2 * SITE <= 64 && 2 * SITE + 8 == 64 && SITE + 8 * SELECTOR + 8 <= 64);

/// The lowest bits of the first word: what no head of a unit says ([`crate::slab::Unit`]).
pub(crate) const MARK: u64 = 0xf;

/// Up to seven sites, and for each of the eight bytes which of them is that of its write and of its read.
///
/// Four words: two sites each in the first three, behind [`MARK`]; the seventh site and the selectors of the write in the last one. The upper
/// eight bits of all but the first are the selectors of the read. Scalars only, as the short way has no vector registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WordSites {
    pub(crate) a: u64,
    pub(crate) b: u64,
    pub(crate) c: u64,
    pub(crate) d: u64,
}

/// Which bytes' sites count: those of the write, and those of the read alone.
pub(crate) type Live = (u8, u8);

/// The lowest bit of the selector of each byte of a mask.
static LANES: [u32; 256] = {
    let mut lanes = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut byte = 0;
        while byte < 8 {
            lanes[mask] |= ((mask as u32 >> byte) & 1) << (SELECTOR * byte);
            byte += 1;
        }
        mask += 1;
    }
    lanes
};

#[inline(always)]
fn lanes(mask: u8) -> u32 {
    LANES[mask as usize]
}

impl WordSites {
    /// One site for all of the write, and one for all of the read.
    #[inline(always)]
    pub(crate) fn of(write: Site, read: Site) -> WordSites {
        let mut sites = WordSites {
            a: MARK | (write as u64) << 4 | (read as u64) << (4 + SITE),
            b: 0,
            c: 0,
            d: 0,
        };
        if write != read {
            sites.select(false, 0xff, 1);
        }
        sites
    }

    #[inline(always)]
    fn site(&self, index: u32) -> Site {
        let word = match index {
            0 => self.a >> 4,
            1 => self.a >> (4 + SITE),
            2 => self.b,
            3 => self.b >> SITE,
            4 => self.c,
            5 => self.c >> SITE,
            _ => self.d,
        };
        word as u32 & SITE_MASK
    }
    #[inline(always)]
    fn keep(&mut self, index: u32, site: Site) {
        let (word, shift) = match index {
            0 => (&mut self.a, 4),
            1 => (&mut self.a, 4 + SITE),
            2 => (&mut self.b, 0),
            3 => (&mut self.b, SITE),
            4 => (&mut self.c, 0),
            5 => (&mut self.c, SITE),
            _ => (&mut self.d, 0),
        };
        *word = *word & !((SITE_MASK as u64) << shift) | (site as u64) << shift;
    }
    #[inline(always)]
    fn selectors(&self, write: bool) -> u32 {
        if write {
            (self.d >> SITE) as u32 & ((1 << (8 * SELECTOR)) - 1)
        } else {
            (self.b >> 56 | self.c >> 56 << 8 | self.d >> 56 << 16) as u32
        }
    }
    #[inline(always)]
    fn select(&mut self, write: bool, mask: u8, index: u32) {
        let lanes = lanes(mask);
        let selectors = self.selectors(write) & !(lanes * 7) | (lanes * index);
        if write {
            let all = (1u64 << (8 * SELECTOR)) - 1;
            self.d = self.d & !(all << SITE) | (selectors as u64) << SITE;
        } else {
            let with = |word: u64, byte: u32| word & ((1 << 56) - 1) | (byte as u64 & 0xff) << 56;
            self.b = with(self.b, selectors);
            self.c = with(self.c, selectors >> 8);
            self.d = with(self.d, selectors >> 16);
        }
    }

    /// The bytes of `mask` whose site is the one with this index.
    #[inline(always)]
    fn having(&self, write: bool, mask: u8, index: u32) -> u32 {
        let differs = self.selectors(write) ^ (lanes(0xff) * index);
        !(differs | differs >> 1 | differs >> 2) & lanes(mask)
    }

    /// The site of all these bytes of the write, or of the read, if it is one. `mask` is not 0.
    #[inline(always)]
    pub(crate) fn one(&self, write: bool, mask: u8) -> Option<Site> {
        let index = self.selectors(write) >> (SELECTOR * mask.trailing_zeros()) & 7;
        (self.having(write, mask, index) == lanes(mask)).then(|| self.site(index))
    }

    /// The sites of the write and of the read, if it is one for each. Where there is only one of these, the same one twice.
    #[inline(always)]
    pub(crate) fn pair(&self, live: Live) -> Option<(Site, Site)> {
        match live {
            (0, 0) => Some((0, 0)),
            (write, 0) => self.one(true, write).map(|site| (site, site)),
            (0, read) => self.one(false, read).map(|site| (site, site)),
            (write, read) => Some((self.one(true, write)?, self.one(false, read)?)),
        }
    }

    /// The different sites of these bytes of the write, or of the read, each with its bytes, in an order that depends on these alone.
    #[inline(always)]
    pub(crate) fn parts(self, write: bool, mask: u8) -> PartsOf {
        PartsOf {
            sites: self,
            write,
            left: mask,
        }
    }

    /// From now on these bytes of the write, or of the read, have this site. `live` is what counts afterwards. `None` if there is no room.
    #[inline(always)]
    pub(crate) fn with(
        mut self,
        write: bool,
        mask: u8,
        site: Site,
        (mut of_write, mut of_read): Live,
    ) -> Option<WordSites> {
        let of_kind = if write { &mut of_write } else { &mut of_read };
        *of_kind &= !mask;
        let mut index = 0;
        while index < ROOM && self.site(index) != site {
            index += 1;
        }
        if index == ROOM {
            index = self.used(of_write, of_read).trailing_ones();
            if index >= ROOM {
                return None;
            }
            self.keep(index, site);
        }
        self.select(write, mask, index);
        Some(self)
    }

    /// A bit for each site that one of these bytes has.
    #[inline(always)]
    fn used(&self, of_write: u8, of_read: u8) -> u32 {
        let all = self.selectors(true) as u64 | (self.selectors(false) as u64) << 24;
        let lanes = lanes(of_write) as u64 | (lanes(of_read) as u64) << 24;
        let (low, high) = (lanes & !(all >> 2), lanes & all >> 2);
        let any = |lanes: u64| (lanes != 0) as u32;
        let of = |lanes: u64| {
            let (even, odd) = (lanes & !(all >> 1), lanes & all >> 1);
            any(even & !all) | any(even & all) << 1 | any(odd & !all) << 2 | any(odd & all) << 3
        };
        of(low) | of(high) << 4
    }

    /// After a transition that placed an access to the bytes `mask` from `site`.
    #[inline(always)]
    pub(crate) fn placed(
        self,
        placed: Placed,
        mask: u8,
        site: Site,
        live: Live,
    ) -> Option<WordSites> {
        match placed {
            Placed::Cell => Some(WordSites::of(site, site)),
            Placed::Write | Placed::JoinsWrite => self.with(true, mask, site, live),
            Placed::Read | Placed::JoinsRead => self.with(false, mask, site, live),
        }
    }
}

/// How the sites of a word's write and read are kept.
pub(crate) trait CellSites: Copy {
    /// Bytes of the write, or of the read, from now on have this site; `live` is what counts afterwards. The world makes two sites one where
    /// there is room for one only. `None` if it cannot be kept.
    fn with(
        self,
        bytes: (bool, u8),
        site: Site,
        live: Live,
        world: &mut impl World,
    ) -> Option<Self>;
    /// The different sites of these bytes of the write, or of the read, each with its bytes, in an order that depends on these alone.
    fn parts(self, write: bool, mask: u8) -> impl Iterator<Item = (Site, u8)>;
}

impl CellSites for WordSites {
    #[inline(always)]
    fn with(
        self,
        (write, mask): (bool, u8),
        site: Site,
        live: Live,
        _: &mut impl World,
    ) -> Option<WordSites> {
        WordSites::with(self, write, mask, site, live)
    }
    #[inline(always)]
    fn parts(self, write: bool, mask: u8) -> impl Iterator<Item = (Site, u8)> {
        WordSites::parts(self, write, mask)
    }
}

/// One site for the write, and one for the read. That of what does not count means nothing.
#[derive(Clone, Copy)]
pub(crate) struct TwoSites {
    pub(crate) write: Site,
    pub(crate) read: Site,
}

impl TwoSites {
    /// The same; where there is only one of these, the same one twice.
    #[inline(always)]
    pub(crate) fn pair(self, live: Live) -> (Site, Site) {
        match live {
            (_, 0) => (self.write, self.write),
            (0, _) => (self.read, self.read),
            _ => (self.write, self.read),
        }
    }
}

impl CellSites for TwoSites {
    #[inline(always)]
    fn with(
        mut self,
        (write, mask): (bool, u8),
        site: Site,
        live: Live,
        world: &mut impl World,
    ) -> Option<TwoSites> {
        let (place, rest) = if write {
            (&mut self.write, live.0 & !mask)
        } else {
            (&mut self.read, live.1 & !mask)
        };
        *place = if rest == 0 || *place == site {
            site
        } else {
            world.combine((*place, rest), (site, mask))?
        };
        Some(self)
    }
    #[inline(always)]
    fn parts(self, write: bool, mask: u8) -> impl Iterator<Item = (Site, u8)> {
        let site = if write { self.write } else { self.read };
        (mask != 0).then_some((site, mask)).into_iter()
    }
}

/// See [`WordSites::parts`].
pub(crate) struct PartsOf {
    sites: WordSites,
    write: bool,
    left: u8,
}

impl Iterator for PartsOf {
    type Item = (Site, u8);
    #[inline(always)]
    fn next(&mut self) -> Option<(Site, u8)> {
        if self.left == 0 {
            return None;
        }
        let first = SELECTOR * self.left.trailing_zeros();
        let index = self.sites.selectors(self.write) >> first & 7;
        let lanes = self.sites.having(self.write, self.left, index);
        let pairs = (lanes | lanes >> 2) & 0o03_03_03_03;
        let fours = (pairs | pairs >> 4) & 0o0017_0017;
        let part = (fours | fours >> 8) as u8;
        self.left &= !part;
        Some((self.sites.site(index), part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against one site for each byte, kept as such.
    #[test]
    fn bytes_keep_their_sites() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) % below
        };
        let mut rooms = [0; 2];
        for _ in 0..2000 {
            let (write, read) = (random(12) as Site, random(12) as Site);
            let mut sites = WordSites::of(write, read);
            let mut bytes = [[read; 8], [write; 8]];
            for _ in 0..20 {
                let mask = (1 + random(255)) as u8 & (1 + random(255)) as u8 | 1 << random(8);
                let write = random(2) == 1;
                let site = SITE_MASK - random(12) as Site;
                let live = (random(256) as u8 | 0x7e, random(256) as u8 | 0x7e);
                let Some(next) = sites.with(write, mask, site, live) else {
                    let mut used = Vec::new();
                    for (kind, live) in [(0, live.1), (1, live.0)] {
                        let kept = if kind == write as usize {
                            live & !mask
                        } else {
                            live
                        };
                        used.extend(
                            (0..8)
                                .filter(|i| kept >> i & 1 != 0)
                                .map(|i| bytes[kind][i]),
                        );
                    }
                    used.sort_unstable();
                    used.dedup();
                    assert!(used.len() >= 7, "{used:?}");
                    rooms[0] += 1;
                    break;
                };
                rooms[1] += 1;
                sites = next;
                for byte in (0..8).filter(|byte| mask >> byte & 1 != 0) {
                    bytes[write as usize][byte] = site;
                }
                // What does not count may have lost its sites.
                for (kind, live) in [(0, live.1), (1, live.0)] {
                    let live = if kind == write as usize {
                        live | mask
                    } else {
                        live
                    };
                    for (byte, site) in bytes[kind].iter_mut().enumerate() {
                        let found = sites.one(kind == 1, 1 << byte).unwrap();
                        if live >> byte & 1 != 0 {
                            assert_eq!(found, *site);
                        }
                        *site = found;
                    }
                    let all = (0..8u32).filter(|byte| live >> byte & 1 != 0);
                    let mut distinct: Vec<_> = all.map(|byte| bytes[kind][byte as usize]).collect();
                    distinct.dedup();
                    if live != 0 {
                        let one = (distinct.len() == 1).then(|| distinct[0]);
                        assert_eq!(sites.one(kind == 1, live), one);
                        let mut seen = 0;
                        for (site, part) in sites.parts(kind == 1, live) {
                            assert_eq!(seen & part, 0);
                            seen |= part;
                            let all = (0..8).filter(|byte| part >> byte & 1 != 0);
                            all.for_each(|byte| assert_eq!(bytes[kind][byte], site));
                        }
                        assert_eq!(seen, live);
                    }
                }
            }
        }
        assert!(rooms.iter().all(|&count| count > 100), "{rooms:?}");
    }
}
