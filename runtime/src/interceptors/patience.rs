//! How threads of this program wait for a lock that is taken: by looking at it for a moment, or by naps. Whichever costs less.
//!
//! Who looks gets the lock soon, and with it everything that it guards, from the other processor; so no thread has it twice in a row. Who takes a
//! nap leaves it to who has it for some dozens of times, which all are in one sync epoch (a thread that takes a lock back goes on with the one that it had
//! left), and which nobody disturbs. A tree under one lock takes half of the time then, CPU and wall alike; but threads that need each other, as those of a
//! pipeline, lose what they sleep. No property of a lock seems to tell which it is, so it is tried, in turns of some milliseconds: what it takes of the
//! process' CPU time and of the time on the wall, together, that any thread takes a lock or changes an atomic. That which costs less stays, and the other one is tried again now and then.

use crate::sys;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Locks found taken between two readings of the time.
const MET: u32 = 16;
/// Length of a turn, in nanoseconds of CPU time and of time on the wall, added up; and how much of it shows that the other way is no better.
const TURN: u64 = 10_000_000;
const TRIAL: u64 = TURN / 4;
/// Turns until the other way is tried, at first and at most: twice as many each time that it was not better.
const FIRST: u32 = 2;
const MOST: u32 = 256;
/// The other way is taken from now on if it costs less than so many eighths.
const BETTER: u64 = 7;

/// What the process does.
pub struct Patience {
    naps: AtomicBool,
    /// Locks that were found taken.
    met: AtomicU32,
    /// Somebody is at what follows. Never waited for.
    busy: AtomicBool,
    turn: Turn,
}

/// The present turn. Changed by who has made [`Patience::busy`] true.
struct Turn {
    /// Time and deeds when it began; 0 before the first one.
    time: AtomicU64,
    deeds: AtomicU64,
    /// What a thousand deeds cost before, if this is a trial of the other way; else 0.
    before: AtomicU64,
    /// Turns until the next trial, and how many these were.
    left: AtomicU32,
    period: AtomicU32,
}

impl Patience {
    pub const fn new() -> Patience {
        Patience {
            naps: AtomicBool::new(false),
            met: AtomicU32::new(0),
            busy: AtomicBool::new(false),
            turn: Turn {
                time: AtomicU64::new(0),
                deeds: AtomicU64::new(0),
                before: AtomicU64::new(0),
                left: AtomicU32::new(FIRST),
                period: AtomicU32::new(FIRST),
            },
        }
    }

    /// A thread has found something taken; `deeds` says what all have done so far. Whether it should take naps.
    pub fn met(&self, deeds: impl FnOnce() -> u64) -> bool {
        // Relaxed throughout: numbers, which guard nothing.
        if self.met.fetch_add(1, Ordering::Relaxed).is_multiple_of(MET) {
            self.look_at((sys::cpu_time() + sys::now()).as_nanos() as u64, deeds);
        }
        self.naps()
    }

    /// Whether threads take naps at present.
    #[inline]
    pub fn naps(&self) -> bool {
        self.naps.load(Ordering::Relaxed)
    }

    /// It is so late.
    fn look_at(&self, time: u64, deeds: impl FnOnce() -> u64) {
        let since = self.turn.time.load(Ordering::Relaxed);
        // In the child of a fork, CPU time begins anew.
        if time >= since && time - since < TRIAL {
            return;
        }
        // Acquire, and release below: one after the other.
        if !self.busy.swap(true, Ordering::Acquire) {
            self.end_turn(time, deeds());
            self.busy.store(false, Ordering::Release);
        }
    }

    fn end_turn(&self, time: u64, deeds: u64) {
        let turn = &self.turn;
        let begin = || {
            turn.time.store(time, Ordering::Relaxed);
            turn.deeds.store(deeds, Ordering::Relaxed);
        };
        let since = turn.time.load(Ordering::Relaxed);
        if since == 0 || time < since {
            return begin();
        }
        // Those of threads that end meanwhile may be missing.
        let made = deeds.saturating_sub(turn.deeds.load(Ordering::Relaxed));
        let taken = time - since;
        let before = turn.before.load(Ordering::Relaxed);
        let cost = 1000 * taken / made.max(1);
        let is_better = 8 * cost < BETTER * before;
        let least = if before != 0 && !is_better {
            TRIAL
        } else {
            TURN
        };
        if taken < least {
            return;
        }
        begin();
        let change = || {
            let naps = self.naps.load(Ordering::Relaxed);
            self.naps.store(!naps, Ordering::Relaxed);
        };
        let left = turn.left.load(Ordering::Relaxed);
        if before != 0 {
            let period = if is_better {
                FIRST
            } else {
                change();
                (2 * turn.period.load(Ordering::Relaxed)).min(MOST)
            };
            turn.before.store(0, Ordering::Relaxed);
            turn.period.store(period, Ordering::Relaxed);
            turn.left.store(period, Ordering::Relaxed);
        } else if left > 1 {
            turn.left.store(left - 1, Ordering::Relaxed);
        } else {
            turn.before.store(cost.max(1), Ordering::Relaxed);
            change();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets so many turns pass in which a thousand deeds cost this much, if threads look and if they take naps. In how many of them they took naps.
    fn turns(
        patience: &Patience,
        (time, deeds): &mut (u64, u64),
        (look, naps): (u64, u64),
        count: u32,
    ) -> u32 {
        let mut napped = 0;
        let end = *time + count as u64 * TURN;
        while *time < end {
            let does = patience.naps.load(Ordering::Relaxed);
            napped += does as u64 * TRIAL;
            *time += TRIAL;
            *deeds += 1000 * TRIAL / if does { naps } else { look };
            patience.look_at(*time, || *deeds);
        }
        napped.div_ceil(TURN) as u32
    }

    #[test]
    fn the_cheaper_way_is_found_and_kept_until_it_is_not_that_any_more() {
        let (patience, mut time) = (Patience::new(), (0, 0));
        assert!(turns(&patience, &mut time, (20_000, 10_000), 100) > 90);
        assert!(turns(&patience, &mut time, (10_000, 20_000), 600) < 130);
        assert!(turns(&patience, &mut time, (10_000, 20_000), 600) < 6);
        assert!(turns(&patience, &mut time, (10_000, 10_000), 1000) < 6);
    }

    #[test]
    fn what_is_no_better_is_tried_less_and_less_often_and_not_for_long() {
        let (patience, mut time) = (Patience::new(), (0, 0));
        assert_eq!(turns(&patience, &mut time, (10_000, 9_900), FIRST + 2), 1);
        assert!(turns(&patience, &mut time, (10_000, 9_900), 2000) < 6);
    }

    #[test]
    fn time_that_begins_anew_does_no_harm() {
        let (patience, mut time) = (Patience::new(), (1 << 40, 0));
        turns(&patience, &mut time, (10_000, 20_000), 10);
        time.0 = 0;
        assert!(turns(&patience, &mut time, (20_000, 10_000), 100) > 60);
    }
}
