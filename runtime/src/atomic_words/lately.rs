//! What a thread has released and taken by atomic operations lately, so that it finds those that would say or bring nothing new.

use goldilocks_core::event::Effect;

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
