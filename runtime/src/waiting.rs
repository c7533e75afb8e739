//! Threads that wait for others by looking at atomics again and again.
//!
//! Where more of them run than there are processors, one that waits keeps its processor until its time slice ends, while who it
//! waits for may have none. How long all that takes is a matter of how far the others come in their own slices, which is some dozen
//! times less far here than without detection. So a thread that has looked often and changed nothing gives its processor away, which is
//! no event, and what the system may do at any time anyway.
//!
//! A program that looks at a flag between pieces of work looks often, too. What it costs to ask the system in vain is small
//! beside what comes between two askings, and these come less often each time that nobody else wants the processor.

use crate::interceptors::contended;
use crate::sys;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use core::time::Duration;

/// What a look costs, in units of the cheapest: one that is known to say nothing new.
pub const AGAIN: u32 = 1;
pub const ANEW: u32 = 8;

/// Looks between two askings. A cheap one takes some nanoseconds: from about ten microseconds to a few milliseconds.
const FEWEST: u32 = 1 << 10;
const MOST: u32 = 1 << 18;
/// And where the thread waits for what it changes itself, now and then.
const OF_OWN: u32 = 1 << 7;

/// What the system takes at least when it gives the processor to somebody else meanwhile. To ask in vain takes a third.
const SWITCHED: Duration = Duration::from_micros(2);

/// Attempts in a row to change one atomic, none of which has changed it, from which on the thread waits for it.
const ATTEMPTS: u32 = 16;
/// From one of them to the next, at most, in cycles: a thread that does something else in between does not wait.
const CLOSE: u64 = 1 << 13;

/// How long a thread has looked and changed nothing. Its own, and changed by whoever is inside the runtime on its behalf.
pub struct Waiting {
    left: AtomicU32,
    limit: AtomicU32,
    /// The last attempts in a row that have changed nothing: where, when the last one was, how many.
    place: AtomicU64,
    time: AtomicU64,
    attempts: AtomicU32,
    /// Atomics that the thread has changed lately, by their addresses.
    changed: [AtomicU64; CHANGED],
}

const CHANGED: usize = 8;

impl Default for Waiting {
    fn default() -> Waiting {
        Waiting {
            left: AtomicU32::new(FEWEST),
            limit: AtomicU32::new(FEWEST),
            place: AtomicU64::new(0),
            time: AtomicU64::new(0),
            attempts: AtomicU32::new(0),
            changed: Default::default(),
        }
    }
}

impl Waiting {
    /// The thread has looked at an atomic. Says whether it should [`give way`](Waiting::give_way) when it is outside.
    #[inline(always)]
    pub fn looked(&self, cost: u32) -> bool {
        // Relaxed, here and below: the thread's own.
        let left = self.left.load(Ordering::Relaxed).saturating_sub(cost);
        self.left.store(left, Ordering::Relaxed);
        left == 0
    }

    #[inline(always)]
    fn changed(&self, place: u64) -> &AtomicU64 {
        &self.changed[(place >> 3) as usize % CHANGED]
    }

    /// The thread has changed the atomic at `place`: it is not waiting.
    #[inline(always)]
    pub fn went_on(&self, place: u64) {
        self.changed(place).store(place, Ordering::Relaxed);
        let limit = self.limit.load(Ordering::Relaxed);
        self.left.store(limit, Ordering::Relaxed);
    }

    /// The thread wanted to change the atomic at `place`, and has not, at this time in cycles. How many attempts in a row, of which this one is the last, there
    /// were beyond those after which it waits for the atomic.
    pub fn has_tried(&self, place: u64, time: u64) -> Option<u32> {
        let is_next = self.place.swap(place, Ordering::Relaxed) == place;
        let since = time.wrapping_sub(self.time.swap(time, Ordering::Relaxed));
        let before = if is_next && since < CLOSE {
            self.attempts.load(Ordering::Relaxed)
        } else {
            0
        };
        self.attempts
            .store(before.saturating_add(1), Ordering::Relaxed);
        (before + 1).checked_sub(ATTEMPTS)
    }

    /// It has slept since the last of these attempts.
    pub fn has_slept(&self, time: u64) {
        self.time.store(time, Ordering::Relaxed);
    }

    /// The thread has looked for long, last at the atomic at `place`. Lets others run, if there are any. To be called outside of the runtime, so that nobody
    /// waits for this thread.
    ///
    /// Who looks at what it changes itself now and then waits for a lock of the program's own, most likely, which it sees to be free before it tries to take
    /// it: it may take a nap instead.
    #[cold]
    pub fn give_way(&self, place: u64) {
        if self.changed(place).load(Ordering::Relaxed) == place {
            self.limit.store(OF_OWN, Ordering::Relaxed);
            self.left.store(OF_OWN, Ordering::Relaxed);
            if !contended::naps() {
                sys::sched_yield();
            }
            return;
        }
        let before = sys::now();
        sys::sched_yield();
        self.is_back(sys::now().saturating_sub(before));
    }

    /// It was away for so long.
    fn is_back(&self, away: Duration) {
        let limit = self.limit.load(Ordering::Relaxed);
        let limit = if away < SWITCHED {
            (limit * 2).min(MOST)
        } else {
            FEWEST
        };
        self.limit.store(limit, Ordering::Relaxed);
        self.left.store(limit, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks until it should give way.
    fn patience(waiting: &Waiting) -> u32 {
        1 + (0..).take_while(|_| !waiting.looked(AGAIN)).count() as u32
    }

    #[test]
    fn who_is_alone_asks_less_and_less_often() {
        let waiting = Waiting::default();
        let mut limits = Vec::new();
        for _ in 0..12 {
            limits.push(patience(&waiting));
            waiting.is_back(Duration::ZERO);
        }
        assert!(limits.is_sorted());
        assert_eq!(
            (limits[0], limits[1], limits[11]),
            (FEWEST, 2 * FEWEST, MOST)
        );
        waiting.is_back(SWITCHED);
        assert_eq!(patience(&waiting), FEWEST);
    }

    #[test]
    fn who_tries_one_atomic_again_and_again_waits_for_it() {
        let waiting = Waiting::default();
        let tries = |count: u32, step: u64| {
            (1..=count as u64)
                .map(|number| waiting.has_tried(8, number * step))
                .last()
                .unwrap()
        };
        assert_eq!(tries(ATTEMPTS - 1, 100), None);
        let time = 100 * ATTEMPTS as u64;
        assert_eq!(waiting.has_tried(8, time), Some(0));
        assert_eq!(waiting.has_tried(16, time), None, "another");
        assert_eq!(
            tries(10 * ATTEMPTS, CLOSE + 1),
            None,
            "between other things"
        );
        assert_eq!(waiting.has_tried(16, time), None);
        assert_eq!(tries(10 * ATTEMPTS, 100), Some(9 * ATTEMPTS));
        waiting.has_slept(1 << 40);
        assert_eq!(waiting.has_tried(8, (1 << 40) + 1), Some(9 * ATTEMPTS + 1));
    }

    #[test]
    fn who_changes_something_does_not_wait() {
        let waiting = Waiting::default();
        for _ in 0..10 {
            assert!(!waiting.looked(FEWEST - 1));
            waiting.went_on(8);
        }
        assert!(!waiting.looked(FEWEST - 1));
        assert!(waiting.looked(ANEW));
    }
}
