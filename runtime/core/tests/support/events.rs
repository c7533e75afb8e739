//! Traces that a test writes event by event.

use super::compare::{check_engine, verdicts};
use super::replay::{Setup, all_setups};
use goldilocks_core::trace::Trace;

/// Events of a trace, one after the other.
#[derive(Default)]
pub struct Events(Vec<String>);

impl Events {
    pub fn push(&mut self, thread: usize, action: &str) {
        self.0.push(format!("T{thread} {action}"));
    }
    /// A lock of its own: another epoch, of which nobody hears.
    pub fn epoch(&mut self, thread: usize) {
        let own = 100 + thread;
        self.push(thread, &format!("lock {own}"));
        self.push(thread, &format!("unlock {own}"));
    }
    /// `to` learns of all that `from` has done.
    pub fn tell(&mut self, from: usize, to: usize) {
        for thread in [from, to] {
            self.push(thread, "lock 9");
            self.push(thread, "unlock 9");
        }
    }
    /// T0 makes these threads.
    pub fn fork(&mut self, threads: std::ops::RangeInclusive<usize>) {
        threads.for_each(|thread| self.push(0, &format!("fork T{thread}")));
    }
    /// Each of these makes an access in so many epochs of its own.
    pub fn rounds(
        &mut self,
        rounds: usize,
        threads: std::ops::RangeInclusive<usize>,
        access: &str,
    ) {
        for _ in 0..rounds {
            for thread in threads.clone() {
                self.epoch(thread);
                self.push(thread, access);
            }
        }
    }
    /// What the engine says of it in every setup is what is true. At so many of the events there is a race; and so many reads were kept, in all setups.
    pub fn check(&self, races: usize, kept: u64) {
        self.check_with(|setup| setup, races, kept);
    }
    /// The same with setups that are changed like this.
    pub fn check_with(&self, change: impl Fn(Setup) -> Setup, races: usize, kept: u64) {
        let (racing, all) = self.check_all(change);
        assert_eq!(racing, races);
        assert!(all >= kept, "{all}");
    }
    /// Events at which there is a race, and the reads that were kept, in all setups.
    pub fn check_all(&self, change: impl Fn(Setup) -> Setup) -> (usize, u64) {
        let trace: Trace = self.0.join("\n").parse().expect("a trace");
        assert_eq!(trace.check(), Ok(()));
        let expected = verdicts(&trace);
        let racing = expected.iter().filter(|verdict| verdict.races()).count();
        let mut all = 0;
        for setup in all_setups().into_iter().map(change) {
            match check_engine(&trace, &expected, setup) {
                Ok(outcome) => all += outcome.counts.quick_kept,
                Err(message) => panic!("{message} with {setup:?}\n{}", self.0.join("\n")),
            }
        }
        (racing, all)
    }
}
