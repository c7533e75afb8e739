//! What nothing can race with any more: accesses whose Goldilocksets hold every thread there is.
//!
//! A thread that begins later knows what the one knows that makes it, so that these are before all that will ever happen, and need not be
//! remembered. Which these are is looked for now and then, by who has to do with words of which much is remembered ([`crate::records`]): of
//! each slot, the last sync epoch that all threads know ([`crate::epoch::EpochTable::is_settled`]).
//!
//! A thread that waits for another's end does nothing until it knows all that the other knows, so it does not count, unless something can
//! make it do something else meanwhile. Nothing is settled any more when there may be threads that know less than who makes them.

use super::life::Slots;
use super::{Engine, Thread};
use crate::clocks::Checkpoint;
use crate::event::{Clock, Entity, Incarnation, Slot};
use crate::update_list::Passed;

/// The threads there are.
#[derive(Default)]
pub(super) struct Living {
    all: Vec<(Slot, Incarnation)>,
    /// Who waits for whose end.
    waiting: Vec<(Incarnation, Incarnation)>,
    /// Who waits for an end may do something else before that.
    interrupted: bool,
    /// There may be threads that know less than those that made them.
    strangers: bool,
}

impl Living {
    pub(super) fn begins(&mut self, slot: Slot, incarnation: Incarnation) {
        self.all.push((slot, incarnation));
    }
    pub(super) fn ends(&mut self, incarnation: Incarnation) {
        self.all.retain(|&(_, one)| one != incarnation);
    }
    pub(super) fn has_strangers(&mut self) {
        self.strangers = true;
    }
    fn lives(&self, incarnation: Incarnation) -> bool {
        self.all.iter().any(|&(_, one)| one == incarnation)
    }
    /// Whether the thread will know what another one that counts knows now, before it does anything.
    fn waits(&self, incarnation: Incarnation) -> bool {
        let mut waiting = self.waiting.iter();
        !self.interrupted
            && waiting.any(|&(waiter, other)| waiter == incarnation && self.lives(other))
    }
    /// Those that count.
    fn counted(&self) -> impl Iterator<Item = Entity> {
        let counted = self.all.iter().filter(|&&(_, one)| !self.waits(one));
        counted.map(|&(slot, incarnation)| Entity::thread(slot, incarnation))
    }
    /// By slot, the last sync epoch that all know.
    fn settled(&self, checkpoint: &Checkpoint, slots: usize) -> Vec<Clock> {
        let mut least = vec![Clock::MAX; slots];
        for entity in self.counted() {
            let mut row = vec![0; slots];
            for (first, clocks) in checkpoint.known(entity) {
                let room = slots - first.min(slots);
                let clocks = &clocks[..clocks.len().min(room)];
                row[first..first + clocks.len()].copy_from_slice(clocks);
            }
            let both = least.iter_mut().zip(row);
            both.for_each(|(least, clock)| *least = clock.min(*least));
        }
        least
    }
}

impl Engine {
    /// The thread waits until another one has ended, and then joins it, or says that it waits no more.
    pub fn waits_for(&self, thread: &Thread, other: Incarnation) {
        let mut slots = self.slots.lock().unwrap();
        slots.living.waiting.push((thread.incarnation, other));
    }
    /// See [`Engine::waits_for`].
    pub fn waits_no_more(&self, thread: &Thread) {
        let mut slots = self.slots.lock().unwrap();
        let waiting = &mut slots.living.waiting;
        waiting.retain(|&(waiter, _)| waiter != thread.incarnation);
    }
    /// From now on, a thread that waits for another's end may do something else meanwhile: run a signal handler.
    pub fn expect_interruptions(&self) {
        self.slots.lock().unwrap().living.interrupted = true;
    }
    /// From now on there may be threads that know less than who makes them: those that libc makes.
    pub fn expect_strangers(&self) {
        self.slots.lock().unwrap().living.has_strangers();
    }

    /// Looks which accesses are settled, if it is time for that.
    #[inline]
    pub(crate) fn settle(&self, thread: &mut Thread) {
        // The long way is taken where much is remembered, too.
        thread.records.is_used();
        self.settle_if_due(thread);
    }
    /// The same within an access to a range, which has been counted.
    #[inline(always)]
    pub(crate) fn settle_if_due(&self, thread: &mut Thread) {
        if thread.records.is_due() {
            self.settle_now(thread);
        }
    }

    /// The thread is to look again after a while, which is longer if it has found nothing, and where it takes long, as there are many threads that may
    /// know of many.
    pub(super) fn look_again(&self, thread: &mut Thread, threads: u32, news: bool) {
        let after = match self.config.settle_after {
            0 => u32::MAX,
            accesses => accesses.max(threads.saturating_mul(threads) / 2),
        };
        thread.records.look_again_after(after, news);
    }

    /// Looks which accesses are settled.
    #[cold]
    pub fn settle_now(&self, thread: &mut Thread) {
        let guard = self.pin(thread);
        let mut passed = Passed::default();
        let mut news = false;
        // Nobody begins, ends or waits meanwhile.
        let slots = self.slots.lock().unwrap();
        let Slots { living, next, .. } = &*slots;
        let (count, many) = (living.all.len() as u32, *next as usize);
        if !living.strangers && self.config.settle_after > 0 {
            let look = |checkpoint: &Checkpoint| {
                for (slot, clock) in living.settled(checkpoint, many).into_iter().enumerate() {
                    // Nobody counts where all wait for each other.
                    news |= clock != Clock::MAX && self.epochs.settle(slot, clock);
                }
            };
            // SAFETY: as in `evaluate_all`.
            let (_, evaluated) =
                unsafe { self.history.evaluate_all(|cell| passed.push(cell), look) };
            thread.counts.evaluations += evaluated as u64;
        }
        drop(slots);
        self.retire_cells(passed, &guard);
        thread.counts.settled += u64::from(news);
        self.look_again(thread, count, news);
    }
}
