//! Each race is told once: what was seen before is counted only. Checked by code addresses before anything expensive.

use std::collections::BTreeMap;

use super::model::ReportKind;
use crate::sites::mix;
use crate::sys::lock::Lock;

/// An unordered pair of sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair(usize, usize);

impl Pair {
    pub fn new(a: usize, b: usize) -> Pair {
        Pair(a.min(b), a.max(b))
    }

    /// Stands for a finding that is no race, by the first return addresses of its parts in any order.
    pub fn of_finding(kind: ReportKind, pcs: impl Iterator<Item = usize>) -> Pair {
        let mut pcs: Vec<usize> = pcs.collect();
        pcs.sort();
        let hash = pcs.iter().fold(0, |hash, &pc| mix(hash, pc as u64));
        // No code is in the upper half of the address space, nor in the first page.
        Pair(kind as usize + 1, (hash | 1 << 63) as usize)
    }
}

/// What is known of a pair.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    times: u64,
    /// Index of the report that tells of it.
    report: Option<usize>,
}

/// All pairs seen. Its lock is held for a look-up only, so that the check does not wait for a report being written.
pub struct Pairs {
    seen: Lock<BTreeMap<Pair, Seen>>,
}

impl Pairs {
    pub const fn new() -> Pairs {
        Pairs {
            seen: Lock::new(BTreeMap::new()),
        }
    }

    /// Counts an occurrence; whether there was one before.
    pub fn is_repetition(&self, pair: Pair) -> bool {
        // A signal handler that interrupts the look-up on the same thread: not told is better than stuck.
        let Some(mut seen) = self.seen.lock() else {
            return true;
        };
        let entry = seen.entry(pair).or_default();
        entry.times += 1;
        entry.times > 1
    }

    /// The occurrences of `pair` belong to the report with this index.
    pub fn assign(&self, pair: Pair, report: usize) {
        if let Some(mut seen) = self.seen.lock() {
            let entry = seen.entry(pair).or_default();
            entry.times = entry.times.max(1);
            entry.report = Some(report);
        }
    }

    /// Occurrences by report, for `reports` reports.
    pub fn occurrences(&self, reports: usize) -> Vec<u64> {
        let mut counts = vec![0; reports];
        if let Some(seen) = self.seen.lock() {
            for entry in seen.values() {
                if let Some(count) = entry.report.and_then(|report| counts.get_mut(report)) {
                    *count += entry.times;
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

    #[test]
    fn order_does_not_count_and_repetitions_do() {
        let pairs = Pairs::new();
        assert!(!pairs.is_repetition(Pair::new(1, 2)));
        assert!(pairs.is_repetition(Pair::new(2, 1)));
        assert!(!pairs.is_repetition(Pair::new(1, 1)));
        pairs.assign(Pair::new(1, 2), 1);
        pairs.assign(Pair::new(7, 8), 0);
        assert!(pairs.is_repetition(Pair::new(1, 2)));
        assert_eq!(pairs.occurrences(2), [1, 3]);
        pairs.before_fork();
        // SAFETY: the line above has taken the lock.
        unsafe { pairs.after_fork() };
        assert!(!pairs.is_repetition(Pair::new(3, 4)));
    }
}
