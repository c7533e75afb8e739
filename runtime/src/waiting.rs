//! Threads that wait for others by looking at atomics again and again.
//!
//! Where more of them run than there are processors, one that waits keeps its processor until its time slice ends, while who it
//! waits for may have none. How long all that takes is a matter of how far the others come in their own slices, which is some dozen
//! times less far here than without detection. So a thread that has looked often and changed nothing gives its processor away, which is
//! no event, and what the system may do at any time anyway.
//!
//! Only looks at what it has looked at lately count: who goes through a table of atomics waits for nobody.
//!
//! A program that looks at a flag between pieces of work looks often, too. What it costs to ask the system in vain is small
//! beside what comes between two askings, and these come less often each time that nobody else wants the processor.
//!
//! Locks of the program's own are waited for in the same way, by attempts that change nothing, or by looks at what the thread often changes itself. Who does
//! that may take naps, as who waits for a lock of pthreads ([`contended`]). So may who gives its processor away again and again by itself.

use crate::interceptors::contended;
use crate::sys;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use core::time::Duration;

/// What a look costs, in units of the cheapest: one that is known to say nothing new.
pub const AGAIN: u32 = 1;
pub const ANEW: u32 = 8;
/// One that takes what others have released, and so keeps them from going on.
pub const OF_NEWS: u32 = 32;

/// Looks between two askings. A cheap one takes some nanoseconds: from about ten microseconds to a few milliseconds.
const FEWEST: u32 = 1 << 10;
const MOST: u32 = 1 << 18;
/// And where the thread waits for what it changes itself, often. Of so many askings there, one is of the system.
const OF_OWN: u32 = 1 << 4;
const OF_SYSTEM: u32 = 64;
/// What it has to have gained by changing that, so much each time; and what is remembered of it, at most. One is taken back whenever it has waited for long: a
/// thread that looks at a flag which it has set itself is not kept from its work, nor for ever one that has changed it often.
const GAINED: u32 = 8;
const OFTEN: u32 = 16 * GAINED;
const REMEMBERED: u32 = 48 * GAINED;

/// What the system takes at least when it gives the processor to somebody else meanwhile. To ask in vain takes a third.
const SWITCHED: Duration = Duration::from_micros(2);

/// Attempts in a row to change one atomic, none of which has changed it, from which on the thread waits for it. Each that has makes up for so many.
const ATTEMPTS: u32 = 16;
const MADE_UP: u32 = 2;
/// What is counted of them.
const COUNTED: u32 = 2 * ATTEMPTS;
/// Naps in a row, at most, until it has what it waits for: it may do something else in between, if little.
const NAPS: u32 = 16;
/// From one of them to the next, at most, in cycles: a thread that does something else in between does not wait.
const CLOSE: u64 = 1 << 13;
/// Times in a row, as close, that it gives its processor away, from which on it waits for somebody.
const YIELDS: u32 = 4;

/// How long a thread has looked and changed nothing. Its own, and changed by whoever is inside the runtime on its behalf.
pub struct Waiting {
    left: AtomicU32,
    limit: AtomicU32,
    /// The last attempts in a row that have changed nothing: where, when the last one was, how many.
    place: AtomicU64,
    time: AtomicU64,
    attempts: AtomicU32,
    /// Naps since it had it.
    naps: AtomicU32,
    /// Times that it was found to wait.
    waits: AtomicU32,
    /// When it has given its processor away last, in cycles, and how often it has in a row.
    yielded: AtomicU64,
    yields: AtomicU32,
    /// Naps instead of that since it has done something, and what it had done then ([`crate::tls::TlsBlock::deeds`]).
    idle: AtomicU32,
    done: AtomicU64,
    /// Atomics that the thread has changed lately, by their addresses, and what it has gained by that.
    changed: [Changed; CHANGED],
    /// Those that it has looked at lately.
    seen: [AtomicU64; SEEN],
}

#[derive(Default)]
struct Changed {
    place: AtomicU64,
    gains: AtomicU32,
}

const CHANGED: usize = 8;
const SEEN: usize = 32;

impl Default for Waiting {
    fn default() -> Waiting {
        Waiting {
            left: AtomicU32::new(FEWEST),
            limit: AtomicU32::new(FEWEST),
            place: AtomicU64::new(0),
            time: AtomicU64::new(0),
            attempts: AtomicU32::new(0),
            naps: AtomicU32::new(0),
            waits: AtomicU32::new(0),
            yielded: AtomicU64::new(0),
            yields: AtomicU32::new(0),
            idle: AtomicU32::new(0),
            done: AtomicU64::new(0),
            changed: Default::default(),
            seen: Default::default(),
        }
    }
}

impl Waiting {
    /// The thread has looked at the atomic at `place`. Says whether it should [`give way`](Waiting::give_way) when it is outside.
    #[inline(always)]
    pub fn looked(&self, place: u64, cost: u32) -> bool {
        // Neighbours have places of their own, and so have the same fields of objects next to each other.
        let seen = &self.seen[(place >> 3 ^ place >> 8) as usize % SEEN];
        // Relaxed, here and below: the thread's own.
        if seen.load(Ordering::Relaxed) != place {
            seen.store(place, Ordering::Relaxed);
            return false;
        }
        let left = self.left.load(Ordering::Relaxed).saturating_sub(cost);
        self.left.store(left, Ordering::Relaxed);
        left == 0
    }

    #[inline(always)]
    fn changed(&self, place: u64) -> &Changed {
        &self.changed[(place >> 3) as usize % CHANGED]
    }

    /// The thread has changed the atomic at `place`: it is not waiting.
    #[inline(always)]
    pub fn went_on(&self, place: u64) {
        let changed = self.changed(place);
        let mut gains = GAINED;
        if changed.place.load(Ordering::Relaxed) == place {
            gains += changed.gains.load(Ordering::Relaxed);
        } else {
            changed.place.store(place, Ordering::Relaxed);
        }
        changed
            .gains
            .store(gains.min(REMEMBERED), Ordering::Relaxed);
        let limit = self.limit.load(Ordering::Relaxed);
        self.left.store(limit, Ordering::Relaxed);
    }

    /// The thread has changed the atomic at `place`, or taken the lock, which it may have waited for.
    #[inline(always)]
    pub fn has_got(&self, place: u64) {
        if self.place.load(Ordering::Relaxed) == place {
            let attempts = self.attempts.load(Ordering::Relaxed);
            self.attempts
                .store(attempts.saturating_sub(MADE_UP), Ordering::Relaxed);
            self.naps.store(0, Ordering::Relaxed);
        }
    }

    /// The thread wanted to change the atomic at `place`, and has not, at this time in cycles. If it waits for that, how often it was found to wait before.
    pub fn has_tried(&self, place: u64, time: u64) -> Option<u32> {
        let is_next = self.place.load(Ordering::Relaxed) == place;
        let since = time.wrapping_sub(self.time.load(Ordering::Relaxed));
        self.place.store(place, Ordering::Relaxed);
        self.time.store(time, Ordering::Relaxed);
        let before = if is_next && since < CLOSE {
            self.attempts.load(Ordering::Relaxed)
        } else {
            self.naps.store(0, Ordering::Relaxed);
            0
        };
        let attempts = (before + 1).min(COUNTED);
        self.attempts.store(attempts, Ordering::Relaxed);
        (attempts >= ATTEMPTS).then(|| self.waits())
    }

    /// The thread gives its processor away, at this time in cycles. If it waits, how often it was found to wait before.
    pub fn yields(&self, time: u64) -> Option<u32> {
        let since = time.wrapping_sub(self.yielded.load(Ordering::Relaxed));
        let before = if since < CLOSE {
            self.yields.load(Ordering::Relaxed)
        } else {
            0
        };
        let yields = (before + 1).min(YIELDS);
        self.yields.store(yields, Ordering::Relaxed);
        (yields == YIELDS).then(|| self.waits())
    }

    /// Whether it may take a nap where it would give its processor away, after so many deeds; then it is one of those in a row. Who gets nothing to do by that
    /// does something else in between, if little, or waits for what takes long anyway.
    pub fn may_nap_instead(&self, deeds: u64) -> bool {
        if self.done.load(Ordering::Relaxed) != deeds {
            self.done.store(deeds, Ordering::Relaxed);
            self.idle.store(0, Ordering::Relaxed);
        }
        let naps = self.idle.load(Ordering::Relaxed);
        self.idle.store((naps + 1).min(NAPS), Ordering::Relaxed);
        naps < NAPS
    }

    fn waits(&self) -> u32 {
        let waits = self.waits.load(Ordering::Relaxed);
        self.waits.store(waits.wrapping_add(1), Ordering::Relaxed);
        waits
    }

    /// Whether it may take a nap where it has tried in vain; then it is one of those in a row.
    pub fn may_nap(&self) -> bool {
        let naps = self.naps.load(Ordering::Relaxed);
        self.naps.store((naps + 1).min(NAPS), Ordering::Relaxed);
        naps < NAPS
    }

    /// It has slept since the last of these attempts, or given its processor away.
    pub fn has_slept(&self, time: u64) {
        self.time.store(time, Ordering::Relaxed);
        self.yielded.store(time, Ordering::Relaxed);
    }

    /// The thread has looked for long, last at the atomic at `place`. Lets others run, if there are any. To be called outside of the runtime, so that nobody
    /// waits for this thread.
    ///
    /// Who looks at what it often changes itself waits for a lock of the program's own, most likely, which it sees to be free before it tries to take
    /// it: it may take a nap instead.
    #[cold]
    pub fn give_way(&self, place: u64) {
        if self.is_own(place) {
            if !contended::naps() && self.waits().is_multiple_of(OF_SYSTEM) {
                sys::sched_yield();
            }
            self.limit.store(OF_OWN, Ordering::Relaxed);
            self.left.store(OF_OWN, Ordering::Relaxed);
            return;
        }
        let before = sys::now();
        sys::sched_yield();
        self.is_back(sys::now().saturating_sub(before));
    }

    /// Whether the thread has often changed the atomic at `place`, which it has looked at for long once more.
    fn is_own(&self, place: u64) -> bool {
        let changed = self.changed(place);
        let gains = changed.gains.load(Ordering::Relaxed);
        let is_own = changed.place.load(Ordering::Relaxed) == place && gains >= OFTEN;
        if is_own {
            changed.gains.store(gains - 1, Ordering::Relaxed);
        }
        is_own
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
        waiting.looked(8, 0);
        1 + (0..).take_while(|_| !waiting.looked(8, AGAIN)).count() as u32
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
        assert_eq!(waiting.has_tried(8, time), Some(1));
        assert_eq!(waiting.has_tried(16, time), None, "another");
        let apart = tries(10 * ATTEMPTS, CLOSE + 1);
        assert_eq!(apart, None, "between other things");
        assert!(tries(10 * ATTEMPTS, 100).is_some());
        // As long as more than two attempts of three are in vain.
        for _ in 0..100 {
            waiting.has_got(8);
            let late = 100 * 10 * ATTEMPTS as u64;
            assert!((0..3).all(|_| waiting.has_tried(8, late).is_some()));
        }
        for _ in 0..COUNTED {
            waiting.has_got(8);
        }
        assert_eq!(waiting.has_tried(8, 1000 * ATTEMPTS as u64), None);
        waiting.has_slept(1 << 40);
        let again = (1..ATTEMPTS as u64).map(|number| waiting.has_tried(8, (1 << 40) + number));
        assert!(again.last().unwrap().is_some());
    }

    #[test]
    fn who_gives_its_processor_away_again_and_again_waits() {
        let waiting = Waiting::default();
        let mut time = 1 << 40;
        let mut yields = |after: u64| {
            time += after;
            let waits = waiting.yields(time);
            time += 10 * CLOSE;
            waiting.has_slept(time);
            waits
        };
        assert!((1..YIELDS).all(|_| yields(CLOSE / 2).is_none()));
        assert_eq!((yields(CLOSE / 2), yields(0)), (Some(0), Some(1)));
        assert_eq!(yields(CLOSE), None, "after other things");
        assert!((0..100).all(|_| yields(2 * CLOSE).is_none()));
    }

    #[test]
    fn naps_in_a_row_are_few() {
        let waiting = Waiting::default();
        waiting.has_tried(8, 1);
        let naps = || (0..100).filter(|_| waiting.may_nap()).count() as u32;
        assert_eq!((naps(), naps()), (NAPS, 0));
        waiting.has_got(16);
        assert_eq!(naps(), 0);
        waiting.has_got(8);
        assert_eq!(naps(), NAPS);
        let naps = |deeds| (0..100).filter(|_| waiting.may_nap_instead(deeds)).count() as u32;
        assert_eq!((naps(1), naps(1), naps(2), naps(2)), (NAPS, 0, NAPS, 0));
    }

    /// A flag that it has set is none of its own; a lock is, and while it has not got that for long, it is not any more.
    #[test]
    fn what_the_thread_often_changes_is_its_own_for_a_while() {
        let waiting = Waiting::default();
        waiting.went_on(8);
        assert!(!waiting.is_own(8));
        for _ in 0..1000 {
            waiting.went_on(16);
        }
        assert!(!waiting.is_own(16 + 8 * CHANGED as u64));
        let times = (0..).take_while(|_| waiting.is_own(16)).count() as u32;
        assert_eq!(times, REMEMBERED - OFTEN + 1);
        waiting.went_on(16);
        assert!(waiting.is_own(16));
    }

    #[test]
    fn who_changes_something_does_not_wait() {
        let waiting = Waiting::default();
        waiting.looked(8, 0);
        for _ in 0..10 {
            assert!(!waiting.looked(8, FEWEST - 1));
            waiting.went_on(8);
        }
        assert!(!waiting.looked(8, FEWEST - 1));
        assert!(waiting.looked(8, ANEW));
    }

    /// Who looks at few atomics in turns waits for one of them; who goes through many does not.
    #[test]
    fn looks_at_ever_other_atomics_are_no_waiting() {
        let table = |atomics: u64, stride: u64| {
            let waiting = Waiting::default();
            let mut looks = (0..100_000).map(|look| 0x7f00_1000 + look % atomics * stride);
            looks.any(|place| waiting.looked(place, ANEW))
        };
        for stride in [8, 16, 64] {
            assert!(table(1, stride) && table(2, stride) && table(4, stride));
            assert!(!table(1000, stride) && !table(20_000, stride));
        }
    }
}
