//! Epoch ids: short global names for (thread, sync epoch), which is what identifies an access.
//!
//! All accesses that a thread makes in one sync epoch have the same Goldilockset, so a shadow cell only needs to name the
//! epoch. The name is 23 bits, because it must fit a 32-bit tag together with eight mask bits and the atomic bit. Ids are
//! handed out in granules of sixteen, each to one thread for consecutive epochs, so that what an id stands for is one entry for all of
//! the granule: the table stays small and what is looked up in it near. When granules run out, [`EpochTable::recycle`] takes
//! back those of which no shadow cell mentions an id.

use crate::crowds::Crowds;
use crate::event::{Clock, Slot};
use crate::goldilocks::Thread;
use crate::kept::Kept;
use crate::primitive::{AtomicU32, AtomicU64, Mutex, Ordering, zeroes};
use crate::read_sets::{ReadSets, Reader};
use crate::tag::{ShadowCell, Tag};
use crate::transition::live;

/// An epoch id, 1..[`EpochTable::LIMIT`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct EpochId(pub u32);

/// Ids that a thread may still use: of one granule.
#[derive(Clone, Copy, Default, Debug)]
pub struct IdRange {
    next: u32,
    end: u32,
}

impl IdRange {
    /// The id that is used next, if there is one left.
    pub(crate) fn first(self) -> Option<EpochId> {
        (self.next < self.end).then_some(EpochId(self.next))
    }
}

/// What the ids stand for.
pub struct EpochTable {
    /// Of each granule: slot (bits 48-63) and clock (bits 0-47) of its first id, the others follow. Written once by the thread
    /// that receives the granule, before any shadow cell mentions one of its ids; read by whoever found one in a cell.
    granules: &'static [AtomicU64],
    /// Ids of a granule that are used, 1..=[`Self::GRANULE`].
    used: u32,
    /// By slot: the accesses in sync epochs up to this one are known to every thread ([`crate::goldilocks`]).
    settled: Box<[AtomicU64]>,
    /// The lowest granule never handed out.
    next: AtomicU32,
    /// Granules that are handed out before it is seen which of them can be taken back.
    limit: AtomicU32,
    /// Granules taken back by the last sweep, which alone writes here, with all threads stopped: there is nothing for loom to find.
    free: Box<[std::sync::atomic::AtomicU32]>,
    /// How many of these are left, the last of which is handed out next.
    free_len: AtomicU32,
    /// How often ids were taken back.
    recycled: AtomicU32,
    /// Ids for the next read sets.
    set_ids: Mutex<IdRange>,
    /// The ids that stand for several readers.
    pub read_sets: ReadSets,
    pub(crate) crowds: Crowds,
    /// What threads have read since records say it.
    pub kept: Kept,
}

const CLOCK_BITS: u32 = 48;
const CLOCK_MASK: u64 = (1 << CLOCK_BITS) - 1;

/// The entry of a granule that was taken back: no clock gets there, so that one who stood still meanwhile and has ids of it left
/// finds that they are its no more.
const NOBODY: u64 = CLOCK_MASK - 2 * EpochTable::GRANULE as u64;

/// In place of a slot: the rest of the entry is the address of the read sets that the ids name.
const SET: u64 = Slot::MAX as u64;

/// The read sets of a granule. Addresses of leaked vectors, boxed once more so that one word finds each; 0 is none.
type Sets = [AtomicU64; EpochTable::GRANULE as usize];

impl EpochTable {
    /// Ids in a granule.
    pub const GRANULE: u32 = 1 << GRANULE_BITS;
    /// Granules of a full table: ids of 23 bits. The last granule is left out for the all-ones pattern of
    /// [`crate::tag::Tag::NEVER`], the first for the id 0.
    pub const GRANULES: usize = (1 << (23 - GRANULE_BITS)) - 1;

    /// A table over zeroed memory; its length (at most [`Self::GRANULES`]) bounds the granules.
    pub fn new(granules: &'static [AtomicU64]) -> EpochTable {
        assert!(granules.len() > 1 && granules.len() <= Self::GRANULES);
        EpochTable {
            granules,
            used: Self::GRANULE,
            settled: Box::default(),
            next: AtomicU32::new(1),
            limit: AtomicU32::new(granules.len() as u32),
            // SAFETY: zeroes are numbers, and the atomics std's in any build. Takes no memory before there is a sweep.
            free: unsafe { Box::new_zeroed_slice(granules.len()).assume_init() },
            free_len: AtomicU32::new(0),
            recycled: AtomicU32::new(0),
            set_ids: Mutex::new(IdRange::default()),
            read_sets: ReadSets::default(),
            crowds: Crowds::default(),
            kept: Kept::new(0, 0),
        }
    }

    /// The same with granules of 1..=[`Self::GRANULE`] ids, so that tests need not use up many.
    pub fn with_granules_of(self, used: u32) -> EpochTable {
        assert!((1..=Self::GRANULE).contains(&used));
        EpochTable { used, ..self }
    }

    /// The same, of which so many granules are used at first, and more only where that is not enough: a large table takes memory, and what is looked up in
    /// it is far away.
    pub fn with_first_limit(self, granules: u32) -> EpochTable {
        let limit = granules.clamp(2, self.most());
        self.limit.store(limit, Ordering::Relaxed);
        self
    }

    /// The same for threads in so many slots, each of which can keep so many reads to itself.
    pub(crate) fn with_slots(self, slots: usize, kept: usize) -> EpochTable {
        EpochTable {
            settled: zeroes(slots),
            kept: Kept::new(slots, kept),
            ..self
        }
    }

    /// What each granule's ids stand for: the slot in bits 48-63. For code that is not compiled with this.
    pub fn granules(&self) -> *const AtomicU64 {
        self.granules.as_ptr()
    }

    /// By slot, the sync epoch up to which nothing can race any more with its accesses. For the same.
    pub fn settled(&self) -> &[AtomicU64] {
        &self.settled
    }

    #[inline(always)]
    fn entry(&self, id: EpochId) -> u64 {
        debug_assert!(((id.0 >> GRANULE_BITS) as usize) < self.granules.len());
        // SAFETY: ids were handed out here, so their granules are below the table's length. Relaxed: see `allocate`.
        unsafe {
            self.granules
                .get_unchecked((id.0 >> GRANULE_BITS) as usize)
                .load(Ordering::Relaxed)
        }
    }

    /// Slot and clock of an id with this entry. Of a set's, the slot is [`SET`].
    #[inline(always)]
    fn owner(entry: u64, id: EpochId) -> (Slot, Clock) {
        let offset = (id.0 & (Self::GRANULE - 1)) as u64;
        ((entry >> CLOCK_BITS) as Slot, (entry & CLOCK_MASK) + offset)
    }

    /// A new id for the sync epoch `clock` of the thread in `slot`; `None` when all are in use. `range` is the thread's own.
    pub fn allocate(&self, range: &mut IdRange, slot: Slot, clock: Clock) -> Option<EpochId> {
        let id = self.of_present_granule(range, slot, clock);
        id.or_else(|| self.of_new_granule(range, slot, clock))
    }

    /// As [`EpochTable::allocate`], if it is not time for a sweep.
    #[inline(always)]
    pub fn allocate_quick(&self, range: &mut IdRange, slot: Slot, clock: Clock) -> Option<EpochId> {
        let id = self.of_present_granule(range, slot, clock);
        if id.is_some() || self.is_spent() {
            return id;
        }
        self.of_new_granule(range, slot, clock)
    }

    #[inline(always)]
    fn of_new_granule(&self, range: &mut IdRange, slot: Slot, clock: Clock) -> Option<EpochId> {
        let granule = self.take()?;
        // Relaxed: another thread finds the id in a shadow cell, which is published by the release of the line lock.
        self.granules
            .get(granule as usize)?
            .store((slot as u64) << CLOCK_BITS | clock, Ordering::Relaxed);
        let first = granule << GRANULE_BITS;
        range.next = first + 1;
        range.end = first + self.used;
        Some(EpochId(first))
    }

    #[inline(always)]
    fn of_present_granule(&self, range: &mut IdRange, slot: Slot, clock: Clock) -> Option<EpochId> {
        if range.next == range.end {
            return None;
        }
        // Epochs without accesses have no use for theirs.
        let first = EpochId(range.next & !(Self::GRANULE - 1));
        let (owner, base) = Self::owner(self.entry(first), first);
        let id = clock.wrapping_sub(base).wrapping_add(first.0 as u64);
        if owner != slot || id < range.next as u64 || id >= range.end as u64 {
            return None;
        }
        range.next = id as u32 + 1;
        Some(EpochId(id as u32))
    }

    #[inline(always)]
    fn take(&self) -> Option<u32> {
        // Relaxed throughout: the counters guard nothing but themselves, and the list stays as it is while somebody takes from it.
        let mut left = self.free_len.load(Ordering::Relaxed);
        while left > 0 {
            let granule = self.free.get(left as usize - 1)?.load(Ordering::Relaxed);
            let taken = self.free_len.compare_exchange_weak(
                left,
                left - 1,
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
            match taken {
                Ok(_) => return Some(granule),
                Err(now) => left = now,
            }
        }
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            if next as usize >= self.granules.len() {
                return None;
            }
            match self.next.compare_exchange_weak(
                next,
                next + 1,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return Some(next),
                Err(now) => next = now,
            }
        }
    }

    /// A new id for a set of readers; `None` when all are in use.
    pub(crate) fn allocate_set(&self, readers: Vec<Reader>) -> Option<EpochId> {
        let mut range = self.set_ids.lock().unwrap();
        if range.next == range.end {
            let granule = self.take()?;
            let sets: Box<Sets> = Box::default();
            let address = Box::into_raw(sets) as u64;
            // Relaxed: as in `allocate`.
            self.granules[granule as usize].store(SET << CLOCK_BITS | address, Ordering::Relaxed);
            range.next = granule << GRANULE_BITS;
            range.end = range.next + self.used;
        }
        let id = EpochId(range.next);
        range.next += 1;
        let address = Box::into_raw(Box::new(readers)) as u64;
        // Relaxed: as in `allocate`.
        self.set_place(id)
            .expect("a set's id")
            .store(address, Ordering::Relaxed);
        Some(id)
    }

    /// Where the address of the set with this id is; `None` if the id is not that of a set.
    #[inline(always)]
    fn set_place(&self, id: EpochId) -> Option<&AtomicU64> {
        let entry = self.entry(id);
        if entry >> CLOCK_BITS != SET {
            return None;
        }
        // SAFETY: made by `allocate_set`; freed by `recycle` only when no cell mentions its ids and nobody is looking.
        let sets = unsafe { &*((entry & CLOCK_MASK) as *const Sets) };
        Some(&sets[(id.0 & (Self::GRANULE - 1)) as usize])
    }

    /// The readers that `id` names, if it names a set.
    #[inline(always)]
    pub fn readers(&self, id: EpochId) -> Option<&[Reader]> {
        let address = self.set_place(id)?.load(Ordering::Relaxed);
        // SAFETY: made by `allocate_set`; freed by `recycle` only when no cell mentions the id and nobody is looking.
        Some(unsafe { &*(address as *const Vec<Reader>) })
    }

    /// Whether `id` names a set of readers.
    #[inline(always)]
    pub(crate) fn is_set(&self, id: EpochId) -> bool {
        self.entry(id) >> CLOCK_BITS == SET
    }

    /// SC1 and SC2: whether the accesses with this tag are `thread`'s own or known to it. No for a set.
    #[inline(always)]
    pub(crate) fn known_before(&self, thread: &Thread, tag: Tag) -> bool {
        let (owner, clock) = self.lookup(tag.epoch());
        // A set's owner is no slot, and its clock is an address: larger than what anybody knows.
        owner == thread.slot || thread.knows(owner) >= clock
    }

    /// Whether nothing can race any more with the accesses of this tag; no for a set.
    #[inline(always)]
    pub(crate) fn is_settled(&self, tag: Tag) -> bool {
        let (owner, clock) = self.lookup(tag.epoch());
        let settled = self.settled.get(owner as usize);
        // Relaxed: what was settled once is so for ever.
        settled.is_some_and(|settled| settled.load(Ordering::Relaxed) >= clock)
    }
    /// What of a cell with tags something can still race with; of others, all.
    #[inline(always)]
    pub(crate) fn unsettled(&self, cell: ShadowCell) -> ShadowCell {
        let (w, r) = cell.halves();
        if r.mask() == 0 {
            return cell;
        }
        if cell.is_parted() {
            let (earlier, newer, _) = cell.parts();
            let none_left = self.is_settled(earlier) && self.is_settled(newer);
            return if none_left { ShadowCell::EMPTY } else { cell };
        }
        let (written, read) = live(cell);
        let w = if written == 0 || self.is_settled(w) {
            Tag::NONE
        } else {
            w
        };
        let r = if read == 0 || self.is_settled(r) || self.readers_are_settled(r) {
            w
        } else {
            r
        };
        ShadowCell::tags(w, r)
    }
    /// Every thread knows of the slot's accesses in sync epochs up to this one. Whether that is more than before. By one caller at a time.
    pub(crate) fn settle(&self, slot: usize, clock: Clock) -> bool {
        let settled = &self.settled[slot];
        let more = settled.load(Ordering::Relaxed) < clock;
        if more {
            settled.store(clock, Ordering::Relaxed);
        }
        more
    }

    /// Whether this is so of all readers of a set; no for another tag. For the short way, which calls nothing.
    #[inline(always)]
    fn all_readers(&self, tag: Tag, is_so: impl Fn(Tag) -> bool) -> bool {
        let Some(readers) = self.readers(tag.epoch()) else {
            return false;
        };
        let mut index = 0;
        while index < readers.len() {
            // SAFETY: below the length.
            let reader = unsafe { *readers.get_unchecked(index) };
            if !is_so(Tag::new(reader.epoch(), false, 0)) {
                return false;
            }
            index += 1;
        }
        true
    }

    /// The bytes that the reader of an epoch has read, of those that this read tag says; 0 if the tag is not that of a set, or the set has no such reader. For the
    /// short way, as above.
    #[inline(always)]
    pub(crate) fn read_by(&self, tag: Tag, epoch: EpochId) -> u8 {
        let Some(readers) = self.readers(tag.epoch()) else {
            return 0;
        };
        let mut index = 0;
        while index < readers.len() {
            // SAFETY: below the length.
            let reader = unsafe { *readers.get_unchecked(index) };
            if reader.epoch() == epoch {
                return reader.bytes();
            }
            index += 1;
        }
        0
    }

    /// Whether `tag` is that of a set in parts ([`crate::read_sets`]).
    pub(crate) fn is_in_parts(&self, tag: Tag) -> bool {
        let readers = self.readers(tag.epoch());
        readers.is_some_and(|readers| readers.iter().any(|reader| reader.bytes() != 0xff))
    }

    /// [`EpochTable::is_settled`] of all readers of a set; no for another tag.
    #[inline(always)]
    pub(crate) fn readers_are_settled(&self, tag: Tag) -> bool {
        self.all_readers(tag, |reader| self.is_settled(reader))
    }

    /// [`EpochTable::known_before`] of all readers of a set; no for another tag.
    #[inline(always)]
    pub(crate) fn readers_known_before(&self, thread: &Thread, tag: Tag) -> bool {
        self.all_readers(tag, |reader| self.known_before(thread, reader))
    }

    /// Whether what [`EpochTable::lookup`] gave as a slot says that the id is that of a set.
    #[inline]
    pub fn names_set(slot: Slot) -> bool {
        slot == Slot::MAX
    }

    /// Thread and sync epoch that `id` names. Of a set, only the slot means something.
    #[inline(always)]
    pub fn lookup(&self, id: EpochId) -> (Slot, Clock) {
        Self::owner(self.entry(id), id)
    }

    /// How often ids were taken back: what ids meant at another count, they need not mean now. Relaxed: nobody who could ask is
    /// at work when it changes.
    #[inline(always)]
    pub(crate) fn recycled(&self) -> u32 {
        self.recycled.load(Ordering::Relaxed)
    }

    /// A bound for every id handed out so far.
    pub fn high_water(&self) -> u32 {
        self.next.load(Ordering::Relaxed) << GRANULE_BITS
    }

    /// Whether it is time for a sweep, for who holds nothing that others wait for inside of the runtime. Who does goes on, as there are some left.
    #[inline(always)]
    pub fn is_spent(&self) -> bool {
        self.ids_are_spent() || self.read_sets.are_spent()
    }
    #[inline(always)]
    fn ids_are_spent(&self) -> bool {
        self.free_len.load(Ordering::Relaxed) == 0
            && self.next.load(Ordering::Relaxed) >= self.limit.load(Ordering::Relaxed)
    }

    /// For what it is [time for a sweep](EpochTable::is_spent): ids, and read sets.
    pub fn what_is_spent(&self) -> (bool, bool) {
        (self.ids_are_spent(), self.read_sets.are_spent())
    }
    /// Sweeps for these are to be made less often.
    pub fn raise_limits(&self, (ids, sets): (bool, bool)) {
        if ids {
            self.raise_limit();
        }
        if sets {
            self.read_sets.raise_limit();
        }
    }

    /// The last limit. What is beyond is for those who hold something that others wait for inside of the runtime: they cannot sweep before they have an id, but only
    /// afterwards, so that each of them takes one granule at most.
    fn most(&self) -> u32 {
        let all = self.granules.len() as u32;
        all - all / 16
    }

    /// Twice as many granules may be handed out from now on.
    fn raise_limit(&self) {
        let limit = self.limit.load(Ordering::Relaxed);
        let raised = limit.saturating_mul(2).min(self.most());
        self.limit.store(raised.max(limit), Ordering::Relaxed);
    }

    /// Whether sweeps can be put off no more.
    pub fn has_last_limit(&self) -> bool {
        self.limit.load(Ordering::Relaxed) >= self.most()
    }

    /// After a sweep: sees to it that it is not time for the next one at once, and says whether there is room for that.
    pub fn make_room(&self) -> bool {
        while self.ids_are_spent() && !self.has_last_limit() {
            self.raise_limit();
        }
        !self.ids_are_spent()
    }

    /// How many granules can still be handed out.
    pub fn available(&self) -> u32 {
        let untouched = self.granules.len() as u32 - self.next.load(Ordering::Relaxed);
        untouched + self.free_len.load(Ordering::Relaxed)
    }

    /// Takes back every granule none of whose ids `in_use` holds, and frees the read sets that it does not hold. The caller has made
    /// sure that no thread is about to write an id into a cell (all are outside of the runtime) and that `in_use` holds every id in a
    /// cell or in a record, every thread's present one and one that it would use next. The result is the number of
    /// granules that are free.
    pub fn recycle(&self, in_use: impl Fn(u32) -> bool) -> usize {
        let were_spent = self.ids_are_spent();
        self.read_sets.recycle(&in_use);
        self.crowds.recycle(&in_use);
        self.recycled.fetch_add(1, Ordering::Relaxed);
        let mut free = 0;
        let present_sets = self.set_ids.lock().unwrap().first();
        for granule in (1..self.next.load(Ordering::Relaxed)).rev() {
            let ids = granule << GRANULE_BITS..(granule + 1) << GRANULE_BITS;
            let first = EpochId(ids.start);
            if self.is_set(first) {
                for id in ids.clone().filter(|&id| !in_use(id)) {
                    let place = self.set_place(EpochId(id)).expect("a set's id");
                    let address = place.swap(0, Ordering::Relaxed);
                    if address != 0 {
                        // SAFETY: made by `allocate_set`, and no longer mentioned anywhere.
                        drop(unsafe { Box::from_raw(address as *mut Vec<Reader>) });
                    }
                }
            }
            if ids.clone().any(&in_use) || present_sets.is_some_and(|id| ids.contains(&id.0)) {
                continue;
            }
            if self.is_set(first) {
                let address = self.entry(first) & CLOCK_MASK;
                // SAFETY: made by `allocate_set`, and none of its ids is mentioned anywhere.
                drop(unsafe { Box::from_raw(address as *mut Sets) });
            }
            self.granules[granule as usize].store(NOBODY, Ordering::Relaxed);
            self.free[free].store(granule, Ordering::Relaxed);
            free += 1;
        }
        self.free_len.store(free as u32, Ordering::Relaxed);
        if were_spent && free < self.next.load(Ordering::Relaxed) as usize / 2 {
            self.raise_limit();
        }
        free
    }
}

const GRANULE_BITS: u32 = 4;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::Barrier;

    /// What a sweep has taken back and what was never used, taken by threads at once: each granule is handed out once, until none is left.
    #[test]
    fn granules_are_handed_out_once_by_threads_at_once() {
        const GRANULES: usize = 4000;
        const THREADS: usize = 4;
        let table = EpochTable::new(Box::leak(zeroes(GRANULES))).with_granules_of(1);
        let mut range = IdRange::default();
        for clock in 1..=GRANULES as u64 / 2 {
            assert!(table.allocate(&mut range, 1, clock).is_some());
        }
        assert_eq!(table.recycle(|_| false), GRANULES / 2);
        let begin = Barrier::new(THREADS);
        let take_all = || {
            begin.wait();
            std::iter::from_fn(|| table.take()).collect::<Vec<_>>()
        };
        let taken: Vec<u32> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(take_all)).collect();
            let taken = threads.into_iter().map(|thread| thread.join().unwrap());
            taken.flatten().collect()
        });
        let different: BTreeSet<u32> = taken.iter().copied().collect();
        assert_eq!(taken.len(), GRANULES - 1);
        assert!(different.into_iter().eq(1..GRANULES as u32));
    }

    /// However often sweeps find nothing, there is an id for who cannot sweep before it has one.
    #[test]
    fn some_are_left_when_it_is_time_for_a_sweep() {
        const GRANULES: usize = 64;
        let table = EpochTable::new(Box::leak(zeroes(GRANULES)))
            .with_granules_of(1)
            .with_first_limit(4);
        let mut range = IdRange::default();
        let mut clock = 0;
        loop {
            while !table.is_spent() {
                clock += 1;
                assert!(table.allocate(&mut range, 1, clock).is_some());
            }
            assert_eq!(table.available(), GRANULES as u32 - 1 - clock as u32);
            table.recycle(|_| true);
            if !table.make_room() {
                break;
            }
        }
        assert!(table.has_last_limit());
        for _ in 0..GRANULES / 16 {
            clock += 1;
            assert!(table.allocate(&mut range, 1, clock).is_some());
        }
    }
}
