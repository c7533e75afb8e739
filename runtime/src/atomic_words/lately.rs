//! What a thread has done by atomic operations lately, so that it finds those that would say or bring nothing new.

use goldilocks_core::event::{Clock, Effect, Incarnation};
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

/// The last release that a thread has made by an atomic operation. The same operation once more, when neither the thread nor
/// anybody else at this address has done anything in between, changes nothing: the sync epoch that the first one ended has been
/// seen by nobody, so that it may as well end now.
#[derive(Default)]
pub struct Latest {
    addr: u64,
    /// What it was, packed, with the highest bit for success.
    operation: u32,
    /// Its number over the run, which the stripe has too as long as it is the last one there.
    number: u64,
    count: u64,
}

impl Latest {
    /// The next one, of the thread with this serial number: an operation, packed, at an address. Its number.
    #[inline(always)]
    pub(super) fn next(&mut self, serial: u32, (addr, operation): (u64, u32)) -> u64 {
        self.count += 1;
        self.number = (u64::from(serial) + 1) << 40 | self.count & ((1 << 40) - 1);
        (self.addr, self.operation) = (addr, operation);
        self.number
    }
}

/// Whether the operation of a thread that has done and learned nothing since its `latest` release is that once more, and still the `last` one of its stripe.
#[inline(always)]
pub(super) fn repeats(latest: &Latest, last: u64, operation: (u64, u32)) -> bool {
    last != 0 && last == latest.number && operation == (latest.addr, latest.operation)
}

/// The atomics that a thread has lately taken all from that they bring: to take it again brings nothing, until something is released to
/// them.
pub struct HeardLately(pub(super) [Heard; HEARD]);

const HEARD: usize = 64;

impl HeardLately {
    /// Where that of the atomic at `addr`, which is of this stripe, is noted. Neighbours have places of their own.
    #[inline(always)]
    pub(super) fn place(stripe: usize, addr: u64) -> usize {
        (stripe ^ ((addr >> 2 & 3) << 4) as usize) % HEARD
    }
}

impl Default for HeardLately {
    fn default() -> HeardLately {
        HeardLately([Heard::default(); HEARD])
    }
}

#[derive(Clone, Copy, Default)]
pub(super) struct Heard {
    pub(super) addr: u64,
    /// Counts releases to atomics of the stripe, and what disturbed it. Both only grow, so the sum is the same only if both are.
    pub(super) news: u64,
    pub(super) incarnation: u32,
    /// The parts of effects that change nothing if they are done once more.
    pub(super) done: u16,
}

impl Heard {
    /// Those of a thread's operation. What an acquire takes, a relaxed load need not take any more; and who has cleared an object
    /// finds nothing there.
    pub(super) fn parts(effect: Effect) -> u16 {
        let relaxed = Effect::ACQUIRE_RELAXED.0;
        let taken = Effect::ACQUIRE.0 | relaxed;
        let clear = Effect::CLEAR.0;
        match effect {
            effect if effect.has(Effect::CLEAR) => taken | clear,
            effect if effect.has(Effect::ACQUIRE) => taken,
            _ => relaxed,
        }
    }

    /// What is done, if this is about the same as `now`.
    pub(super) fn since(&self, now: &Heard) -> u16 {
        let same =
            (self.addr, self.news, self.incarnation) == (now.addr, now.news, now.incarnation);
        if same { self.done } else { 0 }
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
