//! Each race is told once: what was seen before is counted only. Checked by code addresses before anything expensive.

use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::BTreeMap;

use goldilocks_core::line::Site;

use super::model::ReportKind;
use crate::sites::mix;
use crate::sys::lock::Lock;

/// An unordered pair of stacks: where they begin, and a hash of what else is in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    first: (usize, usize),
    contexts: u64,
}

/// Stacks of the same two places that are looked at and tell nothing new, at most: what hundreds of callers do with one variable takes no
/// time, and what a helper does with several variables is told, however many these are.
const IN_VAIN: usize = 64;

impl Pair {
    /// Of a race, by the return addresses in both stacks, innermost first.
    pub fn of_race(a: &[usize], b: &[usize]) -> Pair {
        let first = |pcs: &[usize]| pcs.first().copied().unwrap_or(0);
        let (one, other) = (first(a), first(b));
        Pair {
            first: (one.min(other), one.max(other)),
            contexts: distinct(a).wrapping_add(distinct(b)),
        }
    }

    /// Stands for a finding that is no race, by the first return addresses of its parts in any order.
    pub fn of_finding(kind: ReportKind, pcs: impl Iterator<Item = usize>) -> Pair {
        let mut pcs: Vec<usize> = pcs.collect();
        pcs.sort();
        let hash = pcs.iter().fold(0, |hash, &pc| mix(hash, pc as u64));
        Pair {
            // No code is in the upper half of the address space, nor in the first page.
            first: (kind as usize + 1, (hash | 1 << 63) as usize),
            contexts: 0,
        }
    }
}

/// A hash of the different return addresses in a stack: however deep a recursion is, it is the same one.
fn distinct(pcs: &[usize]) -> u64 {
    let mut pcs = pcs.to_vec();
    pcs.sort_unstable();
    pcs.dedup();
    pcs.iter().fold(0, |hash, &pc| mix(hash, pc as u64))
}

/// What is known of a pair.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// Without those that its places in [`Pairs::repeated`] have counted.
    times: u64,
    /// Index of the report that tells of it.
    report: Option<usize>,
    /// Another pair's report tells of it, or it is suppressed.
    in_vain: bool,
    repeated: Vec<usize>,
}

/// Two sites whose accesses race again and again: the stacks need not be looked up for that.
struct Repeated {
    /// [`Between::key`]; 0 if there are none here. They stay for good.
    sites: AtomicU64,
    times: AtomicU64,
}

/// Where the accesses of a race were made: their sites, and the byte of the word that the earlier one is about.
#[derive(Clone, Copy, Debug)]
pub struct Between {
    pub sites: (Site, Site),
    pub byte: u32,
}

impl Between {
    /// Different for all of them, and never 0: sites have 29 bits.
    fn key(self) -> u64 {
        (self.sites.0 as u64) << 35 | (self.sites.1 as u64) << 6 | (self.byte as u64 & 7) << 1 | 1
    }
    /// Where it is looked for.
    fn places(self) -> impl Iterator<Item = usize> {
        let first = (mix(0, self.key()) >> (u64::BITS - REPEATED.ilog2())) as usize;
        (first..first + PLACES).map(|place| place % REPEATED)
    }
}

/// Sites that are remembered, and in how many places each of them may be.
const REPEATED: usize = 512;
const PLACES: usize = 4;

/// All pairs seen. Its lock is held for a look-up only, so that the check does not wait for a report being written.
pub struct Pairs {
    seen: Lock<BTreeMap<Pair, Seen>>,
    repeated: [Repeated; REPEATED],
}

impl Pairs {
    pub const fn new() -> Pairs {
        Pairs {
            seen: Lock::new(BTreeMap::new()),
            repeated: [const {
                Repeated {
                    sites: AtomicU64::new(0),
                    times: AtomicU64::new(0),
                }
            }; REPEATED],
        }
    }

    /// Counts an occurrence between these sites, if it is known that there was one before. Takes no lock.
    pub fn is_known(&self, between: Between) -> bool {
        let key = between.key();
        // Relaxed: what is counted for these sites is all that there is here.
        let known = |&place: &usize| self.repeated[place].sites.load(Ordering::Relaxed) == key;
        match between.places().find(known) {
            Some(place) => {
                self.repeated[place].times.fetch_add(1, Ordering::Relaxed);
                true
            }
            None => false,
        }
    }

    /// From now on it is [known](Pairs::is_known) that `pair`, a repetition, is between these sites; unless there are too many.
    pub fn is_between(&self, pair: Pair, between: Between) {
        let Some(mut seen) = self.seen.lock() else {
            return;
        };
        let Some(seen) = seen.get_mut(&pair) else {
            return;
        };
        let key = between.key();
        for place in between.places() {
            // Relaxed: changed with the lock held.
            match self.repeated[place].sites.load(Ordering::Relaxed) {
                0 => {
                    seen.repeated.push(place);
                    self.repeated[place].sites.store(key, Ordering::Relaxed);
                    return;
                }
                other if other == key => return,
                _ => {}
            }
        }
    }

    /// Counts an occurrence; whether there was one before.
    pub fn is_repetition(&self, pair: Pair) -> bool {
        // A signal handler that interrupts the look-up on the same thread: not told is better than stuck.
        let Some(mut seen) = self.seen.lock() else {
            return true;
        };
        if let Some(known) = seen.get_mut(&pair) {
            known.times += 1;
            return true;
        }
        let lowest = Pair {
            contexts: 0,
            ..pair
        };
        let mut same = seen
            .range_mut(lowest..)
            .take_while(|(other, _)| other.first == pair.first)
            .map(|(_, seen)| seen)
            .filter(|seen| seen.in_vain);
        if let Some(first) = same.next()
            && same.nth(IN_VAIN - 2).is_some()
        {
            first.times += 1;
            return true;
        }
        seen.entry(pair).or_default().times = 1;
        false
    }

    /// The occurrences of `pair` belong to the new report with this index.
    pub fn assign(&self, pair: Pair, report: usize) {
        self.settle(pair, Some(report), false);
    }

    /// Nothing new is told of `pair`: its occurrences belong to this report of another one, or to none, as it is suppressed.
    pub fn in_vain(&self, pair: Pair, report: Option<usize>) {
        self.settle(pair, report, true);
    }

    fn settle(&self, pair: Pair, report: Option<usize>, in_vain: bool) {
        if let Some(mut seen) = self.seen.lock() {
            let entry = seen.entry(pair).or_default();
            entry.times = entry.times.max(1);
            (entry.report, entry.in_vain) = (report, in_vain);
        }
    }

    /// Occurrences by report, for `reports` reports.
    pub fn occurrences(&self, reports: usize) -> Vec<u64> {
        let mut counts = vec![0; reports];
        if let Some(seen) = self.seen.lock() {
            for entry in seen.values() {
                if let Some(count) = entry.report.and_then(|report| counts.get_mut(report)) {
                    let repeated = entry.repeated.iter();
                    // Relaxed: counters.
                    let times =
                        repeated.map(|&place| self.repeated[place].times.load(Ordering::Relaxed));
                    *count += entry.times + times.sum::<u64>();
                }
            }
        }
        counts
    }

    /// Keeps the lock while the process forks. To be followed by [`Pairs::after_fork`] in both processes.
    pub fn before_fork(&self) {
        core::mem::forget(self.seen.lock());
    }

    /// # Safety
    /// After [`Pairs::before_fork`], on the thread that called it or its image in the child.
    pub unsafe fn after_fork(&self) {
        // SAFETY: `before_fork` has forgotten the guard.
        unsafe { self.seen.release_forgotten() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: usize, b: usize) -> Pair {
        Pair::of_race(&[a], &[b])
    }

    #[test]
    fn order_does_not_count_and_repetitions_do() {
        let pairs = Pairs::new();
        assert!(!pairs.is_repetition(pair(1, 2)));
        assert!(pairs.is_repetition(pair(2, 1)));
        assert!(!pairs.is_repetition(pair(1, 1)));
        pairs.assign(pair(1, 2), 1);
        pairs.assign(pair(7, 8), 0);
        assert!(pairs.is_repetition(pair(1, 2)));
        assert_eq!(pairs.occurrences(2), [1, 3]);
        pairs.before_fork();
        // SAFETY: the line above has taken the lock.
        unsafe { pairs.after_fork() };
        assert!(!pairs.is_repetition(pair(3, 4)));
    }

    #[test]
    fn sites_that_race_again_count_for_their_pair() {
        let pairs = Pairs::new();
        let between = |one: Site, other: Site, byte: u32| Between {
            sites: (one, other),
            byte,
        };
        assert!(!pairs.is_repetition(pair(1, 2)) && !pairs.is_known(between(10, 20, 0)));
        // Nothing is known of a pair that there was not.
        pairs.is_between(pair(5, 6), between(50, 60, 0));
        assert!(!pairs.is_known(between(50, 60, 0)));
        pairs.assign(pair(1, 2), 0);
        for byte in [0, 3] {
            pairs.is_between(pair(1, 2), between(10, 20, byte));
            pairs.is_between(pair(1, 2), between(10, 20, byte));
        }
        for other in [(20, 10, 0), (10, 20, 1), (10, 21, 0), (11, 20, 0)] {
            assert!(
                !pairs.is_known(between(other.0, other.1, other.2)),
                "{other:?}"
            );
        }
        assert!(pairs.is_known(between(10, 20, 0)) && pairs.is_known(between(10, 20, 3)));
        assert_eq!(pairs.occurrences(1), [3]);
        // More than there is room for.
        for site in 1..10 * REPEATED as Site {
            pairs.is_between(pair(1, 2), between(site, 1 << 28, 7));
        }
        let many =
            (1..10 * REPEATED as Site).filter(|&site| pairs.is_known(between(site, 1 << 28, 7)));
        let many = many.count();
        assert!((REPEATED / 2..=REPEATED).contains(&many), "{many}");
        assert_eq!(pairs.occurrences(1), [3 + many as u64]);
    }

    #[test]
    fn callers_count_until_they_tell_nothing_new() {
        let pairs = Pairs::new();
        let of = |a: &[usize], b: &[usize]| pairs.is_repetition(Pair::of_race(a, b));
        assert!(!of(&[1, 10], &[1, 20]));
        pairs.assign(Pair::of_race(&[1, 10], &[1, 20]), 0);
        assert!(of(&[1, 20], &[1, 10]));
        // A recursion.
        assert!(!of(&[1, 10], &[1, 40, 40, 5]));
        assert!(of(&[1, 10], &[1, 40, 40, 40, 40, 5]));
        let looked_at = |from: usize, report: Option<usize>| {
            let callers = (from..from + 1000).filter(|&caller| {
                let is_new = !of(&[1, 10], &[1, caller]);
                let pair = Pair::of_race(&[1, 10], &[1, caller]);
                match report {
                    _ if !is_new => {}
                    Some(report) => pairs.assign(pair, report),
                    None => pairs.in_vain(pair, Some(0)),
                }
                is_new
            });
            callers.count()
        };
        assert_eq!(looked_at(1000, Some(1)), 1000);
        assert_eq!(looked_at(2000, None), IN_VAIN);
        assert_eq!(looked_at(3000, Some(1)), 0);
        assert!(!of(&[2, 10], &[1, 20]));
        // 2 of the first one, 64 that tell nothing new and all that was not looked at.
        assert_eq!(pairs.occurrences(2), [2 + 1000 + 1000, 1000]);
    }
}
