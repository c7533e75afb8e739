//! Memory that is mapped twice: the same pages of a file or of a shared segment at several addresses of this process.
//!
//! The history of such a page lies at the first address at which it was mapped. At the others, the *aliases*, the shadow stays
//! empty, which no inline check takes for an access of the running thread: every access there comes to the runtime, which
//! looks up the first address. So both see one history, sync objects included, and accesses at the first address cost what they
//! always do. Where nothing is mapped twice, all of this is one load in the slow path.
//!
//! The first address must not come to mean something else while aliases refer to it. If it is unmapped before them, its range
//! stays reserved without access. If the program itself puts something else there, they begin anew, with one of them as the first.

use core::sync::atomic::{AtomicPtr, Ordering};

use goldilocks_core::event::{Entity, Role};

use crate::pipeline::{Scope, freeze};
use crate::state::Obstacle;
use crate::sys;
use crate::sys::lock::Lock;

/// What is mapped: device and inode of a file, or a number of its own for a shared segment.
pub type Source = (u64, u64);

/// A shared mapping, or what is left of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Region {
    start: u64,
    end: u64,
    source: Source,
    /// Of the first byte, in its source.
    offset: u64,
    /// The address of the first byte's history; `start` if it is mapped here first.
    home: u64,
    /// Unmapped by the program; kept for those whose home it is.
    reserved: bool,
}

/// All shared mappings.
struct Regions(Vec<Region>);

static REGIONS: Lock<Regions> = Lock::new(Regions(Vec::new()));

/// The aliases, for those who look up: (start, end, home), by start. Null if there are none. An old list is freed when all
/// threads are outside of the runtime, so that nobody is reading it.
static ALIASES: AtomicPtr<Vec<(u64, u64, u64)>> = AtomicPtr::new(core::ptr::null_mut());

/// Whether anything is mapped twice.
#[inline(always)]
pub fn any() -> bool {
    // Relaxed: whoever uses an alias is ordered after its mapping by the program, and the mapping after the store.
    !ALIASES.load(Ordering::Relaxed).is_null()
}

/// Where the history of `addr` lies, and for how many bytes from there on that is so.
#[cold]
fn look_up(addr: u64) -> (u64, u64) {
    // Acquire: pairs with `publish`. The caller is inside the runtime.
    let list = ALIASES.load(Ordering::Acquire);
    // SAFETY: null or a list that stays while a thread is inside.
    let Some(list) = (unsafe { list.as_ref() }) else {
        return (addr, u64::MAX);
    };
    let next = list.partition_point(|&(start, ..)| start <= addr);
    match next.checked_sub(1).map(|last| list[last]) {
        Some((start, end, home)) if addr < end => (home + (addr - start), end - addr),
        _ => (
            addr,
            list.get(next).map_or(u64::MAX, |&(start, ..)| start - addr),
        ),
    }
}

/// Where the history of `addr` lies.
#[inline]
pub fn home(addr: u64) -> u64 {
    if any() { look_up(addr).0 } else { addr }
}

/// The object that stands for one in memory, whichever address the program uses.
#[inline]
pub fn home_of(object: Entity) -> Entity {
    if !any() {
        return object;
    }
    const ROLES: [Role; 5] = [
        Role::Object,
        Role::Readers,
        Role::BarrierEven,
        Role::BarrierOdd,
        Role::Stated,
    ];
    match object.as_object() {
        Some((addr, role)) => match ROLES.into_iter().find(|&of_memory| of_memory as u8 == role) {
            Some(role) => Entity::object(look_up(addr).0, role),
            None => object,
        },
        None => object,
    }
}

/// The parts of a range, each where its history lies.
pub fn parts((mut addr, mut bytes): (u64, u64)) -> impl Iterator<Item = (u64, u64)> {
    core::iter::from_fn(move || {
        if bytes == 0 {
            return None;
        }
        let (home, here) = look_up(addr);
        let part = here.min(bytes);
        (addr, bytes) = (addr + part, bytes - part);
        Some((home, part))
    })
}

impl Regions {
    /// Adds a mapping; a part of it that is mapped elsewhere has its home there.
    fn add(&mut self, start: u64, bytes: u64, source: Source, offset: u64) {
        let (mut at, end) = (start, start + bytes);
        while at < end {
            let position = offset + (at - start);
            // The first other mapping of this position, or the next position that has one.
            let others = || self.0.iter().filter(|other| other.source == source);
            let same = others().find(|other| {
                (other.offset..other.offset + (other.end - other.start)).contains(&position)
            });
            let (home, stop) = match same {
                Some(other) => {
                    let into = position - other.offset;
                    (other.home + into, at + (other.end - other.start - into))
                }
                None => {
                    let next = others()
                        .map(|other| other.offset)
                        .filter(|&next| next > position)
                        .min();
                    (at, next.map_or(end, |next| at + (next - position)))
                }
            };
            let stop = stop.min(end);
            self.0.push(Region {
                start: at,
                end: stop,
                source,
                offset: position,
                home,
                reserved: false,
            });
            at = stop;
        }
    }

    /// Whether a mapping elsewhere has its home in the range.
    fn is_home(&self, start: u64, end: u64) -> bool {
        let elsewhere =
            |region: &&Region| region.home != region.start && !(start..end).contains(&region.start);
        self.0
            .iter()
            .filter(elsewhere)
            .any(|region| region.home < end && region.home + (region.end - region.start) > start)
    }

    /// Takes the range out, or only marks it as reserved.
    fn remove(&mut self, start: u64, end: u64, reserve: bool) {
        let mut left = Vec::with_capacity(self.0.len() + 2);
        for region in self.0.drain(..) {
            let part = |from: u64, to: u64| Region {
                start: from,
                end: to,
                offset: region.offset + (from - region.start),
                home: region.home + (from - region.start),
                ..region
            };
            let (from, to) = (region.start.max(start), region.end.min(end));
            if from >= to {
                left.push(region);
                continue;
            }
            if region.start < from {
                left.push(part(region.start, from));
            }
            if reserve && region.home == region.start {
                left.push(Region {
                    reserved: true,
                    ..part(from, to)
                });
            }
            if to < region.end {
                left.push(part(to, region.end));
            }
        }
        self.0 = left;
    }

    /// The range means something else from now on: what has its home there gets another one, without a history.
    fn leave_home(&mut self, start: u64, end: u64) {
        let mut left = Vec::with_capacity(self.0.len() + 2);
        let mut homeless = Vec::new();
        for region in self.0.drain(..) {
            let length = region.end - region.start;
            let (from, to) = (region.home.max(start), (region.home + length).min(end));
            if from >= to || region.home == region.start {
                left.push(region);
                continue;
            }
            let part = |from: u64, to: u64| Region {
                start: region.start + (from - region.home),
                end: region.start + (to - region.home),
                offset: region.offset + (from - region.home),
                home: from,
                ..region
            };
            if region.home < from {
                left.push(part(region.home, from));
            }
            homeless.push(part(from, to));
            if to < region.home + length {
                left.push(part(to, region.home + length));
            }
        }
        self.0 = left;
        for region in homeless {
            let length = region.end - region.start;
            self.add(region.start, length, region.source, region.offset);
        }
    }

    /// A reserved range that is nobody's home any more; taken out.
    fn take_abandoned(&mut self) -> Option<(u64, u64)> {
        let abandoned =
            |region: &Region| region.reserved && !self.is_home(region.start, region.end);
        let at = self.0.iter().position(abandoned)?;
        let region = self.0.swap_remove(at);
        Some((region.start, region.end))
    }

    /// The aliases, by start.
    fn aliases(&self) -> Vec<(u64, u64, u64)> {
        let mut list: Vec<_> = self
            .0
            .iter()
            .filter(|region| region.home != region.start)
            .map(|region| (region.start, region.end, region.home))
            .collect();
        list.sort_unstable();
        list
    }
}

/// Lets everybody look up in the present list. The caller holds no lock.
fn publish() {
    let frozen = freeze();
    // All others are outside, so nobody holds the lock.
    let list = REGIONS
        .lock()
        .map_or(Vec::new(), |regions| regions.aliases());
    let new = if list.is_empty() {
        core::ptr::null_mut()
    } else {
        Box::into_raw(Box::new(list))
    };
    // Release: pairs with `look_up`.
    let old = ALIASES.swap(new, Ordering::Release);
    Obstacle::Aliases.put(!new.is_null());
    drop(frozen);
    if !old.is_null() {
        // SAFETY: made here, and nobody has been inside the runtime since it could be found.
        drop(unsafe { Box::from_raw(old) });
    }
}

/// After a shared mapping was made, whose shadow is empty.
pub fn mapped(_scope: &mut Scope, start: u64, bytes: u64, source: Source, offset: u64) {
    let Some(mut regions) = REGIONS.lock() else {
        return;
    };
    regions.remove(start, start + bytes, false);
    regions.add(start, bytes, source, offset);
    let changed = any() || !regions.aliases().is_empty();
    drop(regions);
    if changed {
        publish();
    }
}

/// What is to be done instead of an unmapping.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmapping {
    /// Nothing special: it is as any other memory.
    Plain,
    /// The contents live on at other addresses: the range may be unmapped, but nothing of it is freed.
    OfAlias,
    /// As before, and the history is here: the range has to stay reserved.
    OfHome,
}

/// Whether a part of the range is of a file or a segment, so that the mapping can lose its pages but not what they hold.
pub fn is_shared(_scope: &mut Scope, start: u64, bytes: u64) -> bool {
    let end = start.saturating_add(bytes);
    REGIONS.lock().is_some_and(|regions| {
        let mut all = regions.0.iter();
        all.any(|region| region.start < end && region.end > start)
    })
}

/// Before a range is unmapped.
pub fn unmapping(_scope: &mut Scope, start: u64, bytes: u64) -> Unmapping {
    let end = start.saturating_add(bytes);
    let Some(regions) = REGIONS.lock() else {
        return Unmapping::Plain;
    };
    if regions.is_home(start, end) {
        return Unmapping::OfHome;
    }
    let is_alias =
        |region: &Region| region.home != region.start && region.start < end && region.end > start;
    if regions.0.iter().any(is_alias) {
        Unmapping::OfAlias
    } else {
        Unmapping::Plain
    }
}

/// After it was, or was reserved.
pub fn unmapped(scope: &mut Scope, start: u64, bytes: u64, reserved: bool) {
    let Some(mut regions) = REGIONS.lock() else {
        return;
    };
    if regions.0.is_empty() {
        return;
    }
    let end = start.saturating_add(bytes);
    regions.remove(start, end, reserved);
    if !reserved {
        regions.leave_home(start, end);
    }
    let mut abandoned = Vec::new();
    while let Some(range) = regions.take_abandoned() {
        abandoned.push(range);
    }
    let changed = any() || !regions.aliases().is_empty();
    drop(regions);
    if changed {
        publish();
    }
    for (from, to) in abandoned {
        scope.fresh(from as *const _, (to - from) as usize);
        // SAFETY: reserved by `reserve`, and of no more use.
        let _ = unsafe { sys::munmap(from as usize, (to - from) as usize) };
    }
}

/// Unmaps, but keeps the addresses.
pub fn reserve(start: u64, bytes: u64) -> bool {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
    // SAFETY: the program asked to unmap the range.
    unsafe {
        sys::mmap(
            start as usize,
            bytes as usize,
            libc::PROT_NONE,
            flags,
            -1,
            0,
        )
    }
    .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: Source = (1, 2);

    #[test]
    fn the_first_mapping_is_the_home_of_what_others_have_of_it() {
        let mut regions = Regions(Vec::new());
        regions.add(0x10000, 0x4000, FILE, 0x1000);
        assert_eq!(regions.aliases(), []);
        // Begins before it, and ends behind it.
        regions.add(0x80000, 0x8000, FILE, 0);
        assert_eq!(regions.aliases(), [(0x81000, 0x85000, 0x10000)]);
        regions.add(0x90000, 0x1000, FILE, 0x6000);
        assert_eq!(regions.aliases()[1], (0x90000, 0x91000, 0x86000));
        regions.add(0xa0000, 0x1000, (1, 3), 0x6000);
        assert_eq!(regions.aliases().len(), 2);
    }

    #[test]
    fn who_loses_the_home_gets_another_one() {
        let mut regions = Regions(Vec::new());
        for start in [0x10000, 0x20000, 0x30000] {
            regions.add(start, 0x4000, FILE, 0x8000);
        }
        let (first, last) = (0x11000, 0x13000);
        regions.remove(first, last, false);
        regions.leave_home(first, last);
        let wanted = [
            (0x20000, 0x21000, 0x10000),
            (0x23000, 0x24000, 0x13000),
            (0x30000, 0x31000, 0x10000),
            (0x31000, 0x33000, 0x21000),
            (0x33000, 0x34000, 0x13000),
        ];
        assert_eq!(regions.aliases(), wanted);
        regions.add(0x40000, 0x4000, FILE, 0x8000);
        let of_last = regions
            .aliases()
            .into_iter()
            .filter(|alias| alias.0 >= 0x40000);
        let homes: Vec<_> = of_last.map(|(start, _, home)| (start, home)).collect();
        assert_eq!(
            homes,
            [(0x40000, 0x10000), (0x41000, 0x21000), (0x43000, 0x13000)]
        );
    }

    #[test]
    fn a_home_stays_until_nobody_needs_it() {
        let mut regions = Regions(Vec::new());
        regions.add(0x10000, 0x4000, FILE, 0);
        regions.add(0x20000, 0x4000, FILE, 0);
        assert!(regions.is_home(0x11000, 0x12000));
        assert!(!regions.is_home(0x20000, 0x24000));
        regions.remove(0x10000, 0x14000, true);
        assert_eq!(regions.take_abandoned(), None);
        assert_eq!(regions.aliases(), [(0x20000, 0x24000, 0x10000)]);
        regions.remove(0x20000, 0x22000, false);
        assert_eq!(regions.aliases(), [(0x22000, 0x24000, 0x12000)]);
        regions.remove(0x22000, 0x24000, false);
        assert_eq!(regions.take_abandoned(), Some((0x10000, 0x14000)));
        assert_eq!(regions.0, []);
    }
}
