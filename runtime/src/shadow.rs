//! Shadow memory: where cells and line words are, how they are reserved, and how they are given back.
//!
//! Cells are at `((addr & !7) ^ 2^46) + 0x10440` (`abi`). Bit 46 pairs each 2^46-byte half of the address space with the other.
//! The kernel puts the program (0x55.., or below 2^44 without PIE), its libraries and stacks (0x7f.., or 0x2a.. when the
//! stack is unlimited) so that in each pair of 16-TiB granules one is used and its partner is empty; the partner is
//! reserved here, before the program runs, so that no later mapping can land in it. Reserved memory costs nothing until it is
//! touched. Line words are one flat reservation, anywhere.

use crate::shadow_ahead::Written;
use crate::sys;
use core::ops::Range;
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use goldilocks_core::abi::{SHADOW_OFFSET, SHADOW_XOR};
use goldilocks_core::detector::{Parts, Shadow};
use goldilocks_core::renew::Word;
use memmap2::{MmapMut, MmapOptions};

/// User addresses are below this.
const ADDRESS_LIMIT: u64 = 1 << 47;
const GRANULE: u64 = 1 << 44;
const GRANULES: usize = 8;
const PAGE: u64 = 4096;
/// Line words: 4 bytes per 64 bytes of half the address space (the other half is shadow).
pub const LINE_WORDS: usize = 1 << 40;

/// Why there is no shadow memory, and the way out.
#[derive(Debug)]
pub struct ReserveError(pub String);

/// By granule, the part of it that is reserved for cells.
pub struct ReservedCells([(u64, u64); GRANULES]);

/// The reserved tables.
pub struct ShadowMemory {
    line_words: &'static [AtomicU32],
    /// 4 bytes per 8 bytes of the same, touched where the line's word does not say it all.
    word_sites: &'static [[AtomicU32; 8]],
    /// Where cells have been written.
    written: Written,
    /// By granule, the part that is reserved for cells, as `start..end` with `start == end` for none.
    reserved: [(u64, u64); GRANULES],
}

/// Large mappings of the runtime's own, as start and end, zero where there is none: the program has nothing there.
static OWN: [[AtomicUsize; 2]; MOST] = [const { [const { AtomicUsize::new(0) }; 2] }; MOST];
/// The tests of this crate, in one process, make more of them than any program has.
const MOST: usize = if cfg!(test) { 256 } else { 16 };

/// A large mapping is the runtime's own. It stays.
///
/// # Panics
/// If `OWN` has no room for it: there is one per table that the sources name, so any run of any program shows that.
pub fn note_own(start: usize, bytes: usize) {
    for [first, end] in &OWN {
        // Relaxed: read with all threads stopped.
        if first
            .compare_exchange(0, start, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
        {
            return end.store(start + bytes, Ordering::Relaxed);
        }
    }
    panic!("the runtime has more than {} large mappings", OWN.len());
}

/// A zeroed table of `len` elements that costs nothing until it is touched, and lives as long as the process.
pub fn table<T>(len: usize) -> Result<&'static [T], ReserveError> {
    let bytes = len * size_of::<T>();
    let map = MmapOptions::new().len(bytes).no_reserve_swap().map_anon().map_err(|error| {
        ReserveError(format!(
            "cannot reserve {} GiB of address space ({error}). Goldilocks reserves address space without using it; \
             lift the limit (`ulimit -v unlimited`), or if vm.overcommit_memory is 2, set it to 0 or 1",
            bytes >> 30
        ))
    })?;
    let map: &'static mut MmapMut = Box::leak(Box::new(map));
    note_own(map.as_ptr() as usize, bytes);
    let _ = map.advise(memmap2::Advice::DontDump);
    // With huge pages here and for the cells, eight programs took 1.00 to 1.15 of their time, and up to 6.5 times their memory.
    let _ = map.advise(memmap2::Advice::NoHugePage);
    // SAFETY: the mapping is zeroed, page-aligned, lives forever, and T is only used with types for which zero is valid
    // (atomics and units of atomics).
    Ok(unsafe { core::slice::from_raw_parts(map.as_ptr().cast::<T>(), len) })
}

impl ShadowMemory {
    /// The shadow over cells that were reserved before.
    pub fn new(cells: ReservedCells) -> Result<ShadowMemory, ReserveError> {
        Ok(ShadowMemory {
            line_words: table::<AtomicU32>(LINE_WORDS)?,
            word_sites: table::<[AtomicU32; 8]>(LINE_WORDS)?,
            written: Written::new()?,
            reserved: cells.0,
        })
    }

    /// Reserves the cells, by system calls alone: the first thing that is done, since whatever of the program runs after it
    /// (its own allocator, called by the dynamic linker) may be instrumented.
    pub fn reserve_cells() -> Result<ReservedCells, ReserveError> {
        let used = used_ranges();
        let mut wanted = [(0, 0); GRANULES];
        // Reserve the partner of every granule that something lives in; in pairs where nothing does, the upper one's (but
        // for the lowest pair: programs without PIE live in its lower half).
        for low in 0..GRANULES / 2 {
            let high = low + GRANULES / 2;
            let (in_low, in_high) = (extent(&used, low), extent(&used, high));
            match (in_low, in_high) {
                (Some(_), None) => wanted[high] = (0, GRANULE),
                (None, Some(_)) => wanted[low] = (0, GRANULE),
                (None, None) if low == 0 => wanted[high] = (0, GRANULE),
                (None, None) => wanted[low] = (0, GRANULE),
                // With an unlimited stack, libraries grow down from just where, in the partner granule, the program and its heap
                // grow up from.
                (Some((_, below)), Some((above, _))) if below + SPILL < above => {
                    let middle = (below + (above - below) / 2) & !(PAGE - 1);
                    wanted[high] = (0, middle);
                    wanted[low] = (middle, GRANULE);
                }
                _ => {
                    return Err(ReserveError(format!(
                        "the address space is laid out so that {:#x} and {:#x} are both in use; \
                         run the program with a limited stack (`ulimit -s 8192`)",
                        low as u64 * GRANULE,
                        high as u64 * GRANULE
                    )));
                }
            }
        }
        let mut reserved = [(0, 0); GRANULES];
        for granule in 0..GRANULES {
            let (from, to) = wanted[granule];
            if from < to {
                // The offset pushes the last cells over the end; into the next granule's reservation if there is one.
                let next = wanted.get(granule + 1);
                let spills = to < GRANULE || next.is_some_and(|&(from, to)| from > 0 || to == 0);
                let base = granule as u64 * GRANULE;
                reserved[granule] = reserve_part(base + from, base + to, spills)?;
            }
        }
        Ok(ReservedCells(reserved))
    }

    /// The line words and the sites of words, by the number of the line and the word. For code that is not compiled with this.
    pub fn tables(&self) -> (*const AtomicU32, *const AtomicU32) {
        (self.line_words.as_ptr(), self.word_sites.as_ptr().cast())
    }

    /// Where cells have been written.
    pub fn written(&self) -> &Written {
        &self.written
    }

    /// Whether it is known that the cell of `addr` is on a page that is written.
    #[inline(always)]
    pub fn is_written(&self, addr: u64) -> bool {
        self.written.has(Self::cell_address(addr))
    }

    /// The cells of `addr..addr+bytes` are about to be written. Only for application memory.
    #[inline]
    pub fn is_written_soon(&self, addr: u64, bytes: u64) {
        let within = self.reserved[((addr ^ SHADOW_XOR) >> 44) as usize % GRANULES];
        let last = Self::cell_address(addr + bytes.max(1) - 1);
        self.written
            .soon(Self::cell_address(addr), last, within, |cells| {
                self.prepare_line_words(cells)
            });
    }

    /// The words of the lines with these cells are about to be written, after somebody has looked at them: as with cells (`shadow_ahead`), a page that is
    /// written first is one interrupt of all processors less.
    fn prepare_line_words(&self, cells: Range<u64>) {
        let word = |cell: u64| {
            let addr = (cell - SHADOW_OFFSET) ^ SHADOW_XOR;
            &self.line_words[line_index(addr)]
        };
        // Their cells take sixteen times as much.
        for cell in cells.clone().step_by(16 << 12).chain([cells.end - 8]) {
            // Relaxed: it changes nothing, and is a write to the processor.
            let _ = word(cell).compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Where cells are, by granule. For code that is not compiled with this.
    pub fn granules(&self) -> *const (u64, u64) {
        self.reserved.as_ptr()
    }

    /// Where cells are, as start and end; the same where there are none.
    pub fn cell_ranges(&self) -> &[(u64, u64)] {
        &self.reserved
    }

    /// Address of the cell of `addr`.
    #[inline(always)]
    pub fn cell_address(addr: u64) -> u64 {
        ((addr & !7) ^ SHADOW_XOR) + SHADOW_OFFSET
    }

    /// Whether `addr..addr+bytes` is application memory, i.e. has a shadow.
    #[inline(always)]
    pub fn is_application(&self, addr: u64, bytes: u64) -> bool {
        let Some(last) = addr.checked_add(bytes.max(1) - 1) else {
            return false;
        };
        if last >= ADDRESS_LIMIT - PAGE {
            return false;
        }
        let covered = |address: u64| {
            // Without the offset, so that the granule is the partner's.
            let partner = address ^ SHADOW_XOR;
            let (start, end) = self.reserved[(partner >> 44) as usize % GRANULES];
            (start..end).contains(&partner)
        };
        covered(addr) && covered(last)
    }

    /// As [`ShadowMemory::is_application`], of bytes of one word.
    #[inline(always)]
    pub fn is_application_word(&self, addr: u64) -> bool {
        // Without the offset, so that the granule is the partner's. Where that is reserved, `addr` is a user address.
        let partner = addr ^ SHADOW_XOR;
        let (start, end) = self.reserved[(partner >> 44) as usize % GRANULES];
        addr < ADDRESS_LIMIT - PAGE && (start..end).contains(&partner)
    }

    /// Makes the shadow of `addr` come near while something else is done.
    #[inline(always)]
    pub fn prefetch(&self, addr: u64) {
        let index = line_index(addr);
        // SAFETY: prefetching touches nothing.
        unsafe {
            core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(
                self.line_words.as_ptr().wrapping_add(index).cast(),
            );
            core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(
                self.word_sites.as_ptr().wrapping_add(index).cast(),
            );
        }
    }

    /// Whether the range is part of the reserved cells, which no mapping of the program may replace.
    pub fn is_reserved(&self, addr: u64, bytes: u64) -> bool {
        let end = addr.saturating_add(bytes);
        self.reserved
            .iter()
            .any(|&(start, stop)| addr < stop && end > start)
    }

    /// Forgets whole pages of shadow, giving them back to the system. Side records that they refer to are found to be
    /// unreachable by the next sweep.
    pub fn give_back(&self, addr: u64, bytes: u64) {
        let cells = Self::cell_address(addr);
        discard(cells, bytes & !7);
        self.written.forget(cells, cells + (bytes & !7));
        let words = self.line_words.as_ptr() as u64 + line_index(addr) as u64 * 4;
        discard(words, bytes / 16);
        let sites = self.word_sites.as_ptr() as u64 + line_index(addr) as u64 * 32;
        discard(sites, bytes / 2);
    }
}

/// Zeroes a range: whole pages by giving them back, the rest by hand.
fn discard(start: u64, bytes: u64) {
    let end = start + bytes;
    let (first, last) = ((start + PAGE - 1) & !(PAGE - 1), end & !(PAGE - 1));
    let zero = |from: u64, to: u64| {
        for address in (from..to).step_by(4) {
            // SAFETY: an aligned word of a table that is mapped for the life of the process.
            unsafe { (*(address as *const AtomicU32)).store(0, Ordering::Relaxed) };
        }
    };
    if first >= last {
        zero(start, end);
        return;
    }
    zero(start, first);
    // SAFETY: whole pages of our own private anonymous reservation.
    let _ = unsafe { sys::madvise(first as usize, (last - first) as usize, libc::MADV_DONTNEED) };
    zero(last, end);
}

fn line_index(addr: u64) -> usize {
    (addr >> 6) as usize & (LINE_WORDS - 1)
}

impl Shadow for ShadowMemory {
    #[inline(always)]
    fn word(&self, addr: u64) -> Word<'_> {
        let cell = Self::cell_address(addr) as *const AtomicU64;
        let index = line_index(addr);
        let number = (addr >> 3) as usize & (LINE_WORDS * 8 - 1);
        Word {
            // SAFETY: callers check `is_application`; its cells are reserved for the life of the process.
            cell: unsafe { &*cell },
            // SAFETY: the index is cut to the tables' length.
            line: unsafe { self.line_words.get_unchecked(index) },
            // SAFETY: as above, eight for each line.
            number: unsafe { &*self.word_sites.as_ptr().cast::<AtomicU32>().add(number) },
        }
    }
    #[inline(always)]
    fn line(&self, addr: u64) -> Parts<'_> {
        let cells = Self::cell_address(addr & !63) as *const [AtomicU64; 8];
        let index = line_index(addr);
        Parts {
            // SAFETY: callers check `is_application`; its cells are reserved for the life of the process.
            cells: unsafe { &*cells },
            // SAFETY: the index is cut to the tables' length.
            word: unsafe { self.line_words.get_unchecked(index) },
            // SAFETY: as above.
            sites: unsafe { self.word_sites.get_unchecked(index) },
        }
    }
}

/// `(start, end)` of every mapping of the process.
pub fn used_ranges() -> Vec<(u64, u64)> {
    let maps = sys::read_file(c"/proc/self/maps", 64 << 20).unwrap_or_default();
    String::from_utf8_lossy(&maps)
        .lines()
        .filter(|line| !line.ends_with("[vsyscall]"))
        .filter_map(range)
        .collect()
}

/// `(start, end)` of the mapping that a line of `/proc/self/maps` or the head of one in `smaps` is about.
pub fn range(line: &str) -> Option<(u64, u64)> {
    let (from, to) = line.split_once(' ')?.0.split_once('-')?;
    Some((
        u64::from_str_radix(from, 16).ok()?,
        u64::from_str_radix(to, 16).ok()?,
    ))
}

/// `(start, end)` of the runtime's large mappings.
pub fn own_ranges() -> Vec<(u64, u64)> {
    OWN.iter()
        .map(|range| {
            // Relaxed: a mapping is noted before it is used.
            let [start, end] = range.each_ref().map(|at| at.load(Ordering::Relaxed) as u64);
            (start, end)
        })
        .filter(|&(start, end)| start < end)
        .collect()
}

/// `(start, end)` of what the process has mapped, but for the runtime's tables.
pub fn program_ranges() -> Vec<(u64, u64)> {
    let mut own = own_ranges();
    own.sort_unstable();
    let mut ranges = Vec::new();
    for (mut start, end) in used_ranges() {
        for &(own_start, own_end) in &own {
            if own_start < end && own_end > start {
                if own_start > start {
                    ranges.push((start, own_start));
                }
                start = own_end;
            }
        }
        if start < end {
            ranges.push((start, end));
        }
    }
    ranges
}

/// Offsets within a granule of the first and the last byte (exclusive) that is in use.
fn extent(used: &[(u64, u64)], granule: usize) -> Option<(u64, u64)> {
    let (start, end) = (granule as u64 * GRANULE, (granule as u64 + 1) * GRANULE);
    let inside = used.iter().filter(|&&(from, to)| from < end && to > start);
    inside
        .map(|&(from, to)| (from.max(start) - start, to.min(end) - start))
        .reduce(|(first, last), (from, to)| (first.min(from), last.max(to)))
}

/// Room behind a part for the cells that the offset pushes out of it.
const SPILL: u64 = (SHADOW_OFFSET + 64).next_multiple_of(PAGE);

fn reserve_part(from: u64, to: u64, spills: bool) -> Result<(u64, u64), ReserveError> {
    // The zero page and what mmap_min_addr forbids stay out; at the top the kernel keeps a guard page.
    let start = from.max(1 << 20);
    let end = (to + if spills { SPILL } else { 0 }).min(ADDRESS_LIMIT - PAGE);
    // SAFETY: a new mapping that replaces nothing (MAP_FIXED_NOREPLACE).
    let mapped = unsafe {
        sys::mmap(
            start as usize,
            (end - start) as usize,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE
                | libc::MAP_ANONYMOUS
                | libc::MAP_NORESERVE
                | libc::MAP_FIXED_NOREPLACE,
            -1,
            0,
        )
    };
    match mapped {
        Ok(address) if address as u64 == start => {
            // SAFETY: our own mapping. Core dumps of terabytes help nobody; huge pages would make a touched byte cost 2 MiB.
            let _ = unsafe {
                sys::madvise(start as usize, (end - start) as usize, libc::MADV_DONTDUMP)
            };
            // SAFETY: as above.
            let _ = unsafe {
                sys::madvise(
                    start as usize,
                    (end - start) as usize,
                    libc::MADV_NOHUGEPAGE,
                )
            };
            Ok((start, end))
        }
        _ => Err(ReserveError(format!(
            "cannot reserve shadow memory at {start:#x}. Goldilocks reserves address space without using it; \
             lift the limit (`ulimit -v unlimited`), or if vm.overcommit_memory is 2, set it to 0 or 1"
        ))),
    }
}

impl ShadowMemory {
    /// Calls `deed` with the parts of `addr..addr+bytes` whose shadow has been touched, page by page.
    pub fn each_touched_page(&self, addr: u64, bytes: u64, mut deed: impl FnMut(u64, u64)) {
        const PAGES: u64 = 1024;
        let end = addr + bytes;
        let mut at = addr;
        let mut resident = [0u8; PAGES as usize + 1];
        while at < end {
            let stop = end.min(at + (PAGES - 1) * PAGE);
            let (from, to) = (
                Self::cell_address(at),
                Self::cell_address((stop - 1) | 7) + 8,
            );
            let (first, last) = (from & !(PAGE - 1), (to + PAGE - 1) & !(PAGE - 1));
            let arguments = [
                first as usize,
                (last - first) as usize,
                resident.as_mut_ptr() as usize,
                0,
                0,
                0,
            ];
            // SAFETY: asks about pages of our own reservation; the answer is one byte a page, and there is room.
            let known = unsafe { sys::call(libc::SYS_mincore, arguments) }.is_ok();
            // Reservations are large, and mostly not used.
            let pages = &resident[..((last - first) / PAGE) as usize];
            if known && pages.iter().fold(0, |any, page| any | page) & 1 == 0 {
                at = stop;
                continue;
            }
            let mut cell_page = first;
            while cell_page < last {
                if !known || resident[((cell_page - first) / PAGE) as usize] & 1 != 0 {
                    // The application bytes whose cells are on this page.
                    let low = (cell_page - SHADOW_OFFSET) ^ SHADOW_XOR;
                    let part = (low.max(at), (low + PAGE).min(stop));
                    if part.0 < part.1 {
                        deed(part.0, part.1);
                    }
                }
                cell_page += PAGE;
            }
            at = stop;
        }
    }

    /// Calls `deed` with the parts of `addr..addr+bytes` that have been used: whose memory or whose shadow has been touched, page
    /// by page.
    pub fn each_used_page(&self, addr: u64, bytes: u64, mut deed: impl FnMut(u64, u64)) {
        const PAGES: u64 = 1024;
        let end = addr + bytes;
        let mut at = addr;
        while at < end {
            let stop = end.min((at & !(PAGE - 1)) + PAGES * PAGE);
            let memory = Resident::<{ PAGES as usize + 1 }>::of(at, stop);
            let shadow = Resident::<{ PAGES as usize + 2 }>::of(
                Self::cell_address(at),
                Self::cell_address(stop - 1) + 8,
            );
            while at < stop {
                let page = stop.min((at & !(PAGE - 1)) + PAGE);
                let last = page - 1;
                let touched = memory.has(at)
                    || shadow.has(Self::cell_address(at))
                    || shadow.has(Self::cell_address(last));
                if touched {
                    deed(at, page);
                }
                at = page;
            }
        }
    }
}

/// Which pages of a range are there.
struct Resident<const PAGES: usize> {
    first: u64,
    /// One byte a page; bit 0 counts.
    pages: [u8; PAGES],
}

impl<const PAGES: usize> Resident<PAGES> {
    fn of(from: u64, to: u64) -> Resident<PAGES> {
        let (first, last) = (from & !(PAGE - 1), to.next_multiple_of(PAGE));
        let mut pages = [0u8; PAGES];
        debug_assert!((last - first) / PAGE <= PAGES as u64);
        let arguments = [
            first as usize,
            (last - first) as usize,
            pages.as_mut_ptr() as usize,
            0,
            0,
            0,
        ];
        // SAFETY: mincore looks at nothing; the answer is one byte a page, and there is room.
        let known = unsafe { sys::call(libc::SYS_mincore, arguments) };
        match known {
            Ok(_) => {}
            // A range with a hole, which only the program's own can have. Its shadow tells.
            Err(sys::Errno(libc::ENOMEM)) => pages.fill(0),
            // A sandbox forbids the call.
            Err(_) => pages.fill(1),
        }
        Resident { first, pages }
    }

    fn has(&self, addr: u64) -> bool {
        self.pages[((addr - self.first) / PAGE) as usize] & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extent_of_what_is_used_is_relative_to_its_granule() {
        let used = [
            (GRANULE + 4096, GRANULE + 8192),
            (GRANULE + 16384, 2 * GRANULE + 4096),
        ];
        assert_eq!(extent(&used, 0), None);
        assert_eq!(extent(&used, 1), Some((4096, GRANULE)));
        assert_eq!(extent(&used, 2), Some((0, 4096)));
    }
}
