//! Sync events: what needs a cell of the update list, and when; fences, and locks that are held. What happens at an object is in [`super::section`].

use super::thread::PENDING;
use super::{Engine, Thread};
use crate::event::{Clock, Effect, Entity, SyncEvent};
use crate::objects::Object;

/// Releases of an object by one thread, with nobody learning from them in between, after which the next one waits for somebody who does.
const WORTH_WAITING: u8 = 2;

impl Engine {
    /// A sync event. Sources are reported before the real release, sinks after the real acquire, atomics while their
    /// address is held.
    #[inline]
    pub fn sync(&self, thread: &mut Thread, effect: Effect, object: Entity, pc: u64) {
        let parts = parts(thread, effect);
        if !touches_object(effect, parts) {
            thread.counts.sync_events += 1;
            self.fence(thread, effect, parts, object, pc);
            return;
        }
        if effect.0 == Effect::ALONE.0 && !thread.has_left(object) {
            // It takes nothing, and there is no sync epoch to go back to.
            thread.counts.sync_events += 1;
            thread.acquired = (object, 0);
            return;
        }
        let mut section = self.section(object, false);
        section.event(thread, effect, pc);
        section.end(thread);
    }

    /// There will be an event on `object` soon, which is likely to need a cell.
    #[inline(always)]
    pub fn expect(&self, object: Entity) {
        self.objects.expect(object);
    }

    /// A fence. What it brings is nothing unless the thread has read a release sequence since the last one, and what it tells, nobody
    /// hears of before a relaxed store tells it on: until then, or until the thread learns something, it waits outside of the list, and
    /// the next one takes its place.
    fn fence(&self, thread: &mut Thread, effect: Effect, parts: u16, object: Entity, pc: u64) {
        if Effect(parts).has(Effect::FENCE_ACQUIRE) && thread.has_relaxed_news {
            self.flush(thread);
            thread.has_relaxed_news = false;
            thread.decided.clear();
            thread.version += 1;
            self.append(thread, Effect::FENCE_ACQUIRE, object, 0, pc);
        }
        if effect.has(Effect::FENCE_RELEASE) {
            thread.left = None;
            let clock = thread.publish();
            let told = (clock, thread.version);
            if !thread.has_release_fence || thread.fenced != told {
                thread.fenced = told;
                let event = self.event(thread, Effect::FENCE_RELEASE, object, clock, pc);
                thread.fence = Some(event);
                if !self.config.defer_releases {
                    self.flush(thread);
                }
            }
            thread.has_release_fence = true;
        }
        self.bound(thread);
    }

    /// Keeps the list short: may evaluate some of it. And sees to it that there are cells for the next events.
    #[inline]
    pub fn bound(&self, thread: &mut Thread) {
        if self.is_to_be_bound(thread) {
            self.bound_now(thread);
        }
    }

    #[inline(always)]
    fn is_to_be_bound(&self, thread: &Thread) -> bool {
        thread.stock.is_low() || self.history.is_longer_than(self.config.list_bound)
    }

    #[cold]
    fn bound_now(&self, thread: &mut Thread) {
        if thread.stock.is_low() {
            thread.stock.fill();
        }
        if self.history.is_longer_than(self.config.list_bound) {
            self.evaluate_oldest(thread);
        }
    }

    /// The object does not exist any more: it leaves every Goldilockset.
    pub fn forget(&self, thread: &mut Thread, object: Entity) {
        self.sync(thread, Effect::CLEAR, object, 0);
    }

    /// The thread now holds a lock, or does not any more.
    pub fn lock_held(&self, thread: &mut Thread, lock: Entity) {
        let (acquired, count) = thread.acquired;
        thread.held.push(lock);
        // Releases are only known to be before the acquire if the lock was what was acquired last.
        thread
            .held_since
            .push(if acquired == lock { count } else { 0 });
    }
    /// Which of the locks held it was, counted from the outermost one, if it was one.
    #[inline]
    pub fn lock_released(&self, thread: &mut Thread, lock: Entity) -> Option<usize> {
        let index = thread.held.iter().rposition(|&held| held == lock)?;
        if index + 1 == thread.held.len() {
            // As most often. To remove it would be to move nothing, by a call.
            thread.held.pop();
            thread.held_since.pop();
        } else {
            thread.held.remove(index);
            thread.held_since.remove(index);
        }
        Some(index)
    }

    /// Lets the thread's release fence into the list, if it waits.
    #[inline]
    pub(super) fn append_fence(&self, thread: &mut Thread) {
        if let Some(event) = thread.fence.take() {
            self.append_event(thread, event);
        }
    }

    /// Lets the thread's pending releases, and its fence, into the list.
    pub fn flush(&self, thread: &mut Thread) {
        self.append_fence(thread);
        let actor = thread.entity();
        for object in thread.pending.drain(..) {
            let mut shard = self.objects.shard(object);
            let Some(record) = shard.get_mut(object) else {
                continue;
            };
            let pending = record.pending();
            let mine = pending.filter(|event| event.incarnation == thread.incarnation);
            if mine.is_some() {
                record.take_pending();
            }
            for event in [mine, record.take_waiting_of(actor)].into_iter().flatten() {
                thread.counts.cells += 1;
                self.history.append(event, &mut thread.stock, self.batch);
            }
        }
    }

    #[inline(always)]
    pub(super) fn event(
        &self,
        thread: &Thread,
        effect: Effect,
        object: Entity,
        clock: Clock,
        pc: u64,
    ) -> SyncEvent {
        SyncEvent {
            thread: thread.slot,
            effect,
            incarnation: thread.incarnation,
            object,
            clock,
            pc,
        }
    }

    #[inline]
    pub(super) fn append(
        &self,
        thread: &mut Thread,
        effect: Effect,
        object: Entity,
        clock: Clock,
        pc: u64,
    ) {
        let event = self.event(thread, effect, object, clock, pc);
        self.append_event(thread, event);
    }

    #[inline]
    pub(super) fn append_event(&self, thread: &mut Thread, event: SyncEvent) {
        thread.counts.cells += 1;
        self.history.append(event, &mut thread.stock, self.batch);
    }

    /// Whether the thread that has taken `object` goes on with the sync epoch that its release has ended.
    #[inline(always)]
    pub(super) fn goes_back(&self, thread: &mut Thread, object: Entity, record: &Object) -> bool {
        self.config.goes_back && thread.go_back(object, record)
    }

    /// Whether a release waits outside of the list, the `run`-th in a row by its thread; one of its own that waits already keeps its place.
    /// What others take after each release would only wait to be fetched by them, at the cost of both.
    #[inline(always)]
    pub(super) fn waits(&self, thread: &Thread, run: u8, waits_already: bool) -> bool {
        run >= WORTH_WAITING
            && (waits_already || thread.pending.len() < PENDING)
            && self.config.defer_releases
    }
}

/// The parts of an effect that mean something.
#[inline(always)]
pub(super) fn parts(thread: &Thread, effect: Effect) -> u16 {
    let mut parts = effect.0 & !Effect::ALONE.0;
    if !thread.has_release_fence {
        // F_t is in no Goldilockset.
        parts &= !Effect::RELEASE_RELAXED.0;
    }
    if !thread.has_relaxed_read {
        parts &= !Effect::FENCE_ACQUIRE.0;
    }
    parts
}

#[inline(always)]
pub(super) fn touches_object(effect: Effect, parts: u16) -> bool {
    (parts | effect.0 & Effect::ALONE.0)
        & (Effect::ALONE.0
            | Effect::ACQUIRE.0
            | Effect::ACQUIRE_RELAXED.0
            | Effect::CLEAR.0
            | Effect::RELEASE_RELAXED.0
            | Effect::RELEASE.0)
        != 0
}
