//! The atomic loads that a thread has made in its present sync epoch: to make one once more, where nothing has changed since, takes no stripe.

use goldilocks_core::event::{Clock, Incarnation};
use goldilocks_core::goldilocks::Thread;

/// The atomic loads that a thread has made in its present sync epoch. To load once more what nothing has changed since, says
/// nothing new. So a flag costs those who wait for it little, however many they are.
#[derive(Default)]
pub struct Loads {
    /// Empty as long as there is none.
    made: Box<[Made]>,
    /// The thread and its sync epoch, of which those with the present stamp are.
    epoch: (Incarnation, Clock),
    stamp: u32,
    /// How many have lost their place to others of the same epoch.
    lost: usize,
}

/// How many are noted at first, and at most: 6 and 384 KiB. Who polls dozens of queues loads some atomics of each, and a table's buckets or a graph's vertices are
/// thousands; but of hundreds of threads most load a few.
const FEWEST: usize = 256;
const MOST: usize = 16384;
/// Bytes.
const PAGE: usize = 4096;

#[derive(Clone, Copy, Default)]
struct Made {
    addr: u64,
    changes: u64,
    operation: u32,
    stamp: u32,
}

/// One of these: the address of the atomic, the operation, packed, with [`SUCCESS`](super::SUCCESS), and when it was.
#[derive(Clone, Copy)]
pub(super) struct Load {
    pub(super) addr: u64,
    pub(super) operation: u32,
    /// The thread and its sync epoch.
    pub(super) epoch: (Incarnation, Clock),
}

impl Load {
    /// One by this thread now.
    #[inline(always)]
    pub(super) fn now(engine: &Thread, addr: u64, operation: u32) -> Load {
        Load {
            addr,
            operation,
            epoch: (engine.incarnation(), engine.clock()),
        }
    }
}

impl Loads {
    /// If it was made in this sync epoch already: the changes of the stripe before, its count and what disturbed it. Both only grow, so the sum is the same only if both
    /// are.
    #[inline(always)]
    pub(super) fn find(&self, load: Load) -> Option<u64> {
        let made = self.made.get(self.place(load.addr))?;
        let is_it = (made.addr, made.operation) == (load.addr, load.operation)
            && made.stamp == self.stamp
            && self.epoch == load.epoch;
        is_it.then_some(made.changes)
    }
    /// Notes one, of whose stripe there were so many changes before.
    #[inline(always)]
    pub(super) fn note(&mut self, load: Load, changes: u64) {
        if self.epoch != load.epoch {
            self.epoch = load.epoch;
            self.forget();
        }
        if self.lost >= self.made.len() {
            self.grow();
        }
        let place = self.place(load.addr);
        let made = &mut self.made[place];
        if made.stamp == self.stamp && made.addr != load.addr {
            self.lost += 1;
        }
        *made = Made {
            addr: load.addr,
            changes,
            operation: load.operation,
            stamp: self.stamp,
        };
    }
    /// Where it is. Neighbours have places of their own, words and parts of words, and so have words that are a few cache lines apart.
    #[inline(always)]
    fn place(&self, addr: u64) -> usize {
        let place = addr >> 3 ^ addr >> 10 ^ (addr & 7) << 5;
        place as usize & self.made.len().wrapping_sub(1)
    }
    #[cold]
    fn grow(&mut self) {
        self.lost = 0;
        let count = (4 * self.made.len()).clamp(FEWEST, MOST);
        if count > self.made.len() {
            // SAFETY: numbers.
            self.made = unsafe { Box::new_zeroed_slice(count).assume_init() };
            // All of them are of no epoch.
            self.stamp = self.stamp.max(1);
            // What is looked at before it is written would be mapped twice, the second time with all processors of the program interrupted.
            for made in self.made.iter_mut().step_by(PAGE / size_of::<Made>()) {
                // SAFETY: writes one of them.
                unsafe { core::ptr::write_volatile(made, Made::default()) };
            }
        }
    }
    /// Another epoch begins, or some of the thread's memory means something else from now on.
    #[inline]
    pub fn forget(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.made = Box::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::SUCCESS;
    use super::*;

    fn load(addr: u64, clock: Clock) -> Load {
        Load {
            addr,
            operation: SUCCESS,
            epoch: (3, clock),
        }
    }

    #[test]
    fn a_load_is_found_in_its_epoch_until_it_is_forgotten() {
        let mut loads = Loads::default();
        let first = load(0x1000, 1);
        assert_eq!(loads.find(first), None);
        loads.note(first, 7);
        assert_eq!(loads.find(first), Some(7));
        let others = [
            load(0x1000, 2),
            load(0x1004, 1),
            load(0x1000 + 8 * FEWEST as u64, 1),
            Load {
                operation: SUCCESS | 1 << 12,
                ..first
            },
            Load {
                epoch: (4, 1),
                ..first
            },
        ];
        for other in others {
            assert_eq!(loads.find(other), None);
        }
        loads.note(load(0x1008, 2), 8);
        assert_eq!(loads.find(load(0x1008, 2)), Some(8));
        // Even if an epoch came back, which it does not, those of another one in between are no longer those of this one.
        assert_eq!(loads.find(first), None);
        loads.forget();
        assert_eq!(loads.find(load(0x1008, 2)), None);
        // All stamps were used.
        loads.note(first, 9);
        loads.stamp = u32::MAX;
        loads.forget();
        assert_eq!(loads.find(first), None);
        loads.note(first, 9);
        assert_eq!(loads.find(first), Some(9));
    }

    #[test]
    fn there_is_more_room_where_it_is_needed_only() {
        let mut loads = Loads::default();
        for clock in 1..1000 {
            for word in 0..FEWEST as u64 / 2 {
                loads.note(load(8 * word, clock), clock);
            }
        }
        assert_eq!(loads.made.len(), FEWEST);
        let parts = [0, 1, 2, 3, 4, 5, 6, 7].map(|byte| load(0x1000 + byte, 7));
        for part in parts {
            loads.note(part, part.addr);
        }
        for part in parts {
            assert_eq!(loads.find(part), Some(part.addr));
        }
        for _ in 0..16 {
            for word in 0..10_000 {
                loads.note(load(8 * word, 2000), word);
            }
        }
        assert_eq!(loads.made.len(), MOST);
        let found = (0..10_000).filter(|&word| loads.find(load(8 * word, 2000)) == Some(word));
        assert_eq!(found.count(), 10_000);
    }
}
