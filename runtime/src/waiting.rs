//! Threads that wait for others by looking at atomics again and again.
//!
//! Where more of them run than there are processors, one that waits keeps its processor until its time slice ends, while who it
//! waits for may have none. How long all that takes is a matter of how far the others come in their own slices, which is some dozen
//! times less far here than without detection. So a thread that has looked often and changed nothing gives its processor away, which is
//! no event, and what the system may do at any time anyway.
//!
//! A program that looks at a flag between pieces of work looks often, too. What it costs to ask the system in vain is small
//! beside what comes between two askings, and these come less often each time that nobody else wants the processor.

use crate::sys;
use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;

/// What a look costs, in units of the cheapest: one that is known to say nothing new.
pub const AGAIN: u32 = 1;
pub const ANEW: u32 = 8;

/// Looks between two askings. A cheap one takes some nanoseconds: from about ten microseconds to a few milliseconds.
const FEWEST: u32 = 1 << 10;
const MOST: u32 = 1 << 18;

/// What the system takes at least when it gives the processor to somebody else meanwhile. To ask in vain takes a third.
const SWITCHED: Duration = Duration::from_micros(2);

/// How long a thread has looked and changed nothing. Its own, and changed by whoever is inside the runtime on its behalf.
pub struct Waiting {
    left: AtomicU32,
    limit: AtomicU32,
}

impl Default for Waiting {
    fn default() -> Waiting {
        Waiting {
            left: AtomicU32::new(FEWEST),
            limit: AtomicU32::new(FEWEST),
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

    /// The thread has changed an atomic: it is not waiting.
    #[inline(always)]
    pub fn went_on(&self) {
        let limit = self.limit.load(Ordering::Relaxed);
        self.left.store(limit, Ordering::Relaxed);
    }

    /// Lets others run, if there are any. To be called outside of the runtime, so that nobody waits for this thread.
    #[cold]
    pub fn give_way(&self) {
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
    fn who_changes_something_does_not_wait() {
        let waiting = Waiting::default();
        for _ in 0..10 {
            assert!(!waiting.looked(FEWEST - 1));
            waiting.went_on();
        }
        assert!(!waiting.looked(FEWEST - 1));
        assert!(waiting.looked(ANEW));
    }
}
