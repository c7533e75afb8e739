//! The small shadow, site table and epoch table that the tests' engines work on.

use goldilocks_core::detector::{Parts, Shadow, Sites};
use goldilocks_core::epoch::EpochTable;
use goldilocks_core::event::Slot;
use goldilocks_core::line::Site;
use goldilocks_core::slab::{Slab, Unit};
use goldilocks_core::trace::{Action, Trace};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// Cells and words of the lines that a trace touches.
type LineMemory = ([AtomicU64; 8], AtomicU32, [AtomicU32; 8]);

pub struct Memory(BTreeMap<u64, LineMemory>);

impl Memory {
    pub fn of(trace: &Trace) -> Memory {
        let mut lines = BTreeMap::new();
        for event in &trace.0 {
            if let Action::Access(_, range) | Action::Alloc(range) | Action::Free(range) =
                event.action
            {
                for line in range.addr >> 6..=(range.addr + range.bytes - 1) >> 6 {
                    lines.entry(line).or_default();
                }
            }
        }
        Memory(lines)
    }
    pub fn lines(&self) -> impl Iterator<Item = &LineMemory> {
        self.0.values()
    }
}

impl Shadow for Memory {
    fn line(&self, addr: u64) -> Parts<'_> {
        let (cells, word, sites) = &self.0[&(addr >> 6)];
        Parts { cells, word, sites }
    }
}

/// A site is the index of an event plus one, or from [`COMBINED`] on one of these pairs, or from [`JOINED`] on one of these lists
/// of readers.
pub struct EventSites {
    combined: Mutex<Vec<(Site, Site, u8)>>,
    joined: Mutex<Vec<Vec<(Slot, Site)>>>,
    names: usize,
}

const COMBINED: Site = 1 << 20;
const JOINED: Site = 1 << 25;

impl EventSites {
    /// With names for so many combinations.
    pub fn new(names: usize) -> EventSites {
        EventSites {
            combined: Mutex::default(),
            joined: Mutex::default(),
            names,
        }
    }
    /// The event that a site stands for at bit `bit` of its word.
    pub fn event(&self, mut site: Site, bit: u32) -> usize {
        while site >= COMBINED {
            let (old, new, new_mask) = self.combined.lock().unwrap()[(site - COMBINED) as usize];
            site = if new_mask >> bit & 1 != 0 { new } else { old };
        }
        (site as usize)
            .checked_sub(1)
            .expect("an access without a site")
    }
}

impl Sites for EventSites {
    fn are_many(&self) -> bool {
        self.combined.lock().unwrap().len() >= self.names
    }
    fn combine(&self, old: Site, _old_mask: u8, new: Site, new_mask: u8) -> Site {
        COMBINED + number_of(&self.combined, (old, new, new_mask))
    }
    fn pair(&self, write: Site, read: Site) -> u32 {
        self.combine(write, 0xff, read, 0) - COMBINED
    }
    fn split(&self, pair: u32) -> (Site, Site) {
        let (write, read, _) = self.combined.lock().unwrap()[pair as usize];
        (write, read)
    }
    fn join_readers(&self, readers: &[(Slot, Site)]) -> Option<Site> {
        let (_, first) = readers[0];
        if readers.iter().all(|&(_, site)| site == first) {
            return Some(first);
        }
        Some(JOINED + number_of(&self.joined, readers.to_vec()))
    }
    fn reader_site(&self, joined: Site, reader: Slot) -> Site {
        if joined < JOINED {
            return joined;
        }
        let lists = self.joined.lock().unwrap();
        let mut readers = lists[(joined - JOINED) as usize].iter();
        readers
            .find(|&&(slot, _)| slot == reader)
            .expect("a reader")
            .1
    }
}

/// Where this is in the list, at its end if it was not there.
fn number_of<T: PartialEq>(all: &Mutex<Vec<T>>, one: T) -> u32 {
    let mut all = all.lock().unwrap();
    let place = all.iter().position(|other| *other == one);
    let place = place.unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    });
    place as u32
}

/// Memory that engines borrow for ever, used again by the next one of this thread.
pub struct Tables {
    epochs: &'static [AtomicU64],
    units: &'static [Unit],
}

const UNITS: usize = 4096;
const EPOCHS: usize = 1 << 14;

thread_local! {
    static POOL: RefCell<Vec<Tables>> = const { RefCell::new(Vec::new()) };
}

impl Tables {
    pub fn take() -> Tables {
        let zero_unit = || Unit(std::array::from_fn(|_| AtomicU64::new(0)));
        POOL.with_borrow_mut(Vec::pop).unwrap_or_else(|| Tables {
            epochs: Box::leak((0..EPOCHS).map(|_| AtomicU64::new(0)).collect()),
            units: Box::leak((0..UNITS).map(|_| zero_unit()).collect()),
        })
    }
    /// For the next one that takes some.
    pub fn give(self) {
        POOL.with_borrow_mut(|pool| pool.push(self));
    }
    pub fn epochs(&self, length: usize) -> EpochTable {
        let used = if length < 100 {
            1 + length as u32 % 2
        } else {
            EpochTable::GRANULE
        };
        EpochTable::new(&self.epochs[..length.min(EPOCHS)]).with_granules_of(used)
    }
    pub fn slab(&self) -> Slab {
        Slab::new(self.units)
    }
}
