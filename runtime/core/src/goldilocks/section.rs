//! What happens at one sync object while what is kept of it is locked: events, parts of them, and what it holds afterwards.

use super::sync::{parts, touches_object};
use super::{Engine, Thread};
use crate::event::{Effect, Entity};
use crate::objects::{Holds, Shard};

impl Engine {
    /// Locks what is kept of `object`, for one event or for the two parts of an operation by which the program uses it as an atomic, not as a
    /// lock. Nothing else of the engine may be used until it is dropped but what is said to lock nothing.
    #[inline]
    pub fn section(&self, object: Entity, is_atomic: bool) -> Section<'_> {
        Section {
            engine: self,
            object,
            is_atomic,
            shard: Some(self.objects.shard(object)),
            comes_first: false,
            has_taken: false,
        }
    }
}

/// What is kept of one object, locked: what is appended to the list meanwhile has the order of what is done to the record.
pub struct Section<'e> {
    engine: &'e Engine,
    object: Entity,
    is_atomic: bool,
    /// Let go of for moments only.
    shard: Option<Shard<'e>>,
    /// There will be another event.
    comes_first: bool,
    /// An acquire has been learned from, and is not in the list yet.
    has_taken: bool,
}

impl Section<'_> {
    /// As [`Section::event`], of what an operation does before another event here: if both are simple, they become one cell, as what a
    /// read-modify-write takes and gives is appended at once. Until that other event, or [`Section::append_taken`], nothing may be evaluated.
    #[inline(always)]
    pub fn first_event(&mut self, thread: &mut Thread, effect: Effect, pc: u64) {
        self.comes_first = true;
        self.event(thread, effect, pc);
        self.comes_first = false;
    }

    /// Appends what the first event has taken, if that is not in the list yet.
    #[inline(always)]
    pub fn append_taken(&mut self, thread: &mut Thread, pc: u64) {
        if std::mem::take(&mut self.has_taken) {
            self.engine
                .append(thread, Effect::ACQUIRE, self.object, 0, pc);
        }
    }

    /// As [`Section::event`] of an acquire, or of what a relaxed load takes, if that locks nothing else meanwhile. If not, false, and nothing is done: the thread has
    /// told something that is not in the list yet ([`Engine::flush`]).
    #[inline(always)]
    pub fn acquire_shortly(&mut self, thread: &mut Thread, effect: Effect, pc: u64) -> bool {
        if self.take(thread, effect, pc) {
            return true;
        }
        let is_open = !effect.has(Effect::ACQUIRE) || !thread.has_told_less();
        if is_open {
            self.any_event(thread, effect, pc);
        }
        is_open
    }

    /// An event on the object, or a part of one.
    #[inline(always)]
    pub fn event(&mut self, thread: &mut Thread, effect: Effect, pc: u64) {
        let takes = Effect::ACQUIRE.0 | Effect::ACQUIRE_RELAXED.0 | Effect::ALONE.0;
        let done = if effect.0 & !takes == 0 {
            self.take(thread, effect, pc)
        } else {
            effect.0 & !Effect::CLEAR.0 == Effect::RELEASE.0 && self.give(thread, effect, pc)
        };
        if !done {
            self.append_taken(thread, pc);
            self.any_event(thread, effect, pc);
        }
    }

    /// The short way of a sink: false, and nothing is done, unless it brings nothing, or what its last releaser knew, to a thread that has told
    /// all that it has to tell.
    #[inline(always)]
    fn take(&mut self, thread: &mut Thread, effect: Effect, pc: u64) -> bool {
        let object = self.object;
        let Some(shard) = &mut self.shard else {
            return false;
        };
        let Some(record) = shard.get_mut(object) else {
            thread.acquired = (object, 0);
            thread.counts.sync_events += 1;
            return true;
        };
        if effect.0 == Effect::ALONE.0 {
            // It takes nothing, so that others who went by what has been released can go back to it as well.
            thread.counts.sync_events += 1;
            thread.acquired = (object, record.count);
            self.engine.goes_back(thread, object, record);
            return true;
        }
        let knows_all = thread.knows_all(object, record);
        let last = record.last().filter(|_| record.is_whole());
        let is_simple = effect.has(Effect::ACQUIRE)
            && last.is_some()
            && !thread.has_told_less()
            && !record.has_waiting();
        if !knows_all && !is_simple {
            return false;
        }
        thread.counts.sync_events += 1;
        thread.acquired = (object, record.count);
        if !(effect.has(Effect::ALONE) && self.engine.goes_back(thread, object, record)) {
            record.acquired += 1;
        }
        if !knows_all && let Some((slot, clock)) = last {
            record.set_run(0);
            if let Some(waiting) = record.take_pending() {
                self.engine.append_event(thread, waiting);
            }
            thread.decided.clear();
            thread.version += 1;
            thread.learn(slot, clock);
            self.has_taken = true;
            if !self.comes_first {
                self.append_taken(thread, pc);
            }
        }
        true
    }

    /// The short way of a release: false, and nothing is done, unless the thread knows all that the object holds, and nobody else's
    /// release waits there. To clear the object as well changes nothing then: whatever had it in its Goldilockset gets it again.
    #[inline(always)]
    fn give(&mut self, thread: &mut Thread, effect: Effect, pc: u64) -> bool {
        let (object, engine) = (self.object, self.engine);
        let Some(shard) = &mut self.shard else {
            return false;
        };
        let Some(record) = shard.get_mut(object) else {
            self.give_first(thread, pc);
            return true;
        };
        let pending = record.pending();
        let others = pending.is_some_and(|event| event.incarnation != thread.incarnation);
        if others || !thread.knows_all(object, record) {
            return effect.0 == Effect::RELEASE.0
                && object.is_of_readers()
                && self.give_among_others(thread, pc);
        }
        thread.counts.sync_events += 1;
        thread.acquired = (object, record.count);
        let has_taken = std::mem::take(&mut self.has_taken);
        let append_taken = |thread: &mut Thread| {
            if has_taken {
                engine.append(thread, Effect::ACQUIRE, object, 0, pc);
            }
        };
        if effect.has(Effect::CLEAR) {
            record.acquired += 1;
        } else if thread.has_said(object, record) {
            append_taken(thread);
            let resumed = thread.resumed;
            thread.publish();
            thread.left = resumed;
            return true;
        }
        let was_last = record.last();
        if thread.epoch.is_none()
            && was_last == Some((thread.slot, thread.clock - 1))
            && record.knowledge() == (thread.incarnation, thread.version)
        {
            // It has done and learned nothing since its last one, with which it was the last. From now on who acquires this knows of the
            // epoch too.
            append_taken(thread);
            thread.left = thread.left.filter(|left| left.object == object);
            return true;
        }
        let run = match was_last {
            Some((slot, _)) if slot == thread.slot => record.run().saturating_add(1),
            _ => 0,
        };
        let ended = thread.epoch;
        let clock = thread.publish();
        // A later release by the same thread says the same and more.
        let clears = pending.map_or(0, |mine| mine.effect.0 & Effect::CLEAR.0);
        let effect = Effect(Effect::RELEASE.0 | clears);
        // Made twice: where one is copied, its parts are read together before they have arrived apart.
        if engine.waits(thread, run, pending.is_some()) {
            append_taken(thread);
            record.set_pending(engine.event(thread, effect, object, clock, pc));
            if pending.is_none() {
                thread.pending.push(object);
            }
        } else {
            record.take_pending();
            let taken = if has_taken { Effect::ACQUIRE.0 } else { 0 };
            let effect = Effect(effect.0 | taken);
            engine.append(thread, effect, object, clock, pc);
        }
        record.stamp = thread.next_stamp();
        record.set_run(run);
        record.set_whole(true);
        thread.leave(object, ended, record.acquired);
        let knowledge = (thread.incarnation, thread.version);
        // SC3 is for locks.
        record.record_release((thread.slot, clock), knowledge, !self.is_atomic);
        true
    }

    /// A release of what other readers have released. Nobody learns from it before there is a writer: after some of them, whoever has made them, it waits
    /// until then. One of the thread's own that waits already says less.
    #[inline(never)]
    fn give_among_others(&mut self, thread: &mut Thread, pc: u64) -> bool {
        debug_assert!(!self.has_taken, "readers take nothing of it");
        let (object, engine) = (self.object, self.engine);
        let record = self.shard.as_mut().and_then(|shard| shard.get_mut(object));
        let Some(record) = record else { return false };
        thread.counts.sync_events += 1;
        thread.acquired = (object, record.count);
        if thread.has_said(object, record) {
            let resumed = thread.resumed;
            thread.publish();
            thread.left = resumed;
            return true;
        }
        let knows_all = thread.knows_all(object, record);
        let run = record.run().saturating_add(1);
        let ended = thread.epoch;
        let clock = thread.publish();
        let event = engine.event(thread, Effect::RELEASE, object, clock, pc);
        if let Some(mine) = record.waiting_of(thread.entity()) {
            *mine = event;
            thread.counts.waited += 1;
        } else if engine.waits(thread, run, false) {
            record.add_waiting(event);
            thread.pending.push(object);
        } else {
            engine.append_event(thread, event);
        }
        record.stamp = thread.next_stamp();
        record.set_run(run);
        record.set_whole(knows_all);
        thread.leave(object, ended, record.acquired);
        let knowledge = (thread.incarnation, thread.version);
        record.record_release((thread.slot, clock), knowledge, true);
        if knows_all {
            *thread.up_to_date(object) = (object, record.stamp);
        }
        true
    }

    /// The first release of an object, which is in no Goldilockset.
    #[inline(never)]
    fn give_first(&mut self, thread: &mut Thread, pc: u64) {
        debug_assert!(!self.has_taken, "there was nothing to take");
        let (object, engine) = (self.object, self.engine);
        let shard = self.shard.as_mut().expect("the caller has looked there");
        thread.counts.sync_events += 1;
        thread.acquired = (object, 0);
        let ended = thread.epoch;
        let clock = thread.publish();
        engine.append(thread, Effect::RELEASE, object, clock, pc);
        let record = shard.get_or_insert(object);
        record.stamp = thread.next_stamp();
        record.set_whole(true);
        thread.leave(object, ended, record.acquired);
        let knowledge = (thread.incarnation, thread.version);
        // SC3 is for locks.
        record.record_release((thread.slot, clock), knowledge, !self.is_atomic);
    }

    #[inline(never)]
    fn any_event(&mut self, thread: &mut Thread, effect: Effect, pc: u64) {
        let object = self.object;
        let mut parts = parts(thread, effect);
        thread.counts.sync_events += 1;
        if !touches_object(effect, parts) {
            return;
        }
        if parts & (Effect::CLEAR.0 | Effect::RELEASE.0) == Effect::CLEAR.0
            && thread.left.is_some_and(|left| left.object == object)
        {
            thread.left = None;
        }
        let mut fenced = None;
        if Effect(parts).has(Effect::RELEASE_RELAXED) {
            let shard = self.shard.as_ref().expect("nobody has ended the section");
            let alone = effect.has(Effect::CLEAR) || shard.get(object).is_none();
            if alone && effect.sink_part().0 == 0 && thread.fenced.1 == thread.version {
                // As the thread has learned nothing since its fence, this is a release of what it had done by then.
                fenced = Some(thread.fenced.0);
                parts = parts & !Effect::RELEASE_RELAXED.0 | Effect::RELEASE.0;
            } else {
                self.engine.append_fence(thread);
            }
        }
        if effect.has(Effect::ACQUIRE) && thread.has_told_less() {
            let shard = self.shard.as_ref().expect("nobody has ended the section");
            let news = shard
                .get(object)
                .is_some_and(|record| !thread.knows_all(object, record));
            if news {
                // One shard at a time; the object may change meanwhile, but nothing is pending then.
                self.shard = None;
                self.engine.flush(thread);
                self.shard = Some(self.engine.objects.shard(object));
            }
        }
        // Whether every access whose Goldilockset holds the object has this thread in it as well: then to acquire the object
        // changes nothing, and no cell is needed.
        let mut knows_all = true;
        // Whether the object is in no Goldilockset when the releasing part comes.
        let mut empty = true;
        let shard = self.shard.as_mut().expect("nobody has ended the section");
        let mut record = shard.get_mut(object);
        let mut ends = false;
        let mut run = 0;
        match &mut record {
            None => {
                // In no Goldilockset: nothing to learn, nothing to remove.
                parts &= !(Effect::ACQUIRE.0 | Effect::ACQUIRE_RELAXED.0 | Effect::CLEAR.0);
                thread.acquired = (object, 0);
            }
            Some(record) => {
                if record.last().is_some_and(|(slot, _)| slot == thread.slot) {
                    run = record.run().saturating_add(1);
                }
                empty = effect.has(Effect::CLEAR);
                knows_all = thread.knows_all(object, record);
                thread.acquired = (object, record.count);
                let alone = effect.has(Effect::ALONE);
                let goes_back = alone && self.engine.goes_back(thread, object, record);
                let takes = Effect::ACQUIRE.0 | Effect::ACQUIRE_RELAXED.0 | Effect::CLEAR.0;
                if !goes_back && effect.0 & takes != 0 {
                    record.acquired += 1;
                }
                if parts == Effect::RELEASE.0 && fenced.is_none() && thread.has_said(object, record)
                {
                    let resumed = thread.resumed;
                    thread.publish();
                    thread.left = resumed;
                    return;
                }
                if knows_all {
                    parts &= !(Effect::ACQUIRE.0 | Effect::ACQUIRE_RELAXED.0);
                } else if effect.has(Effect::ACQUIRE) {
                    record.set_run(0);
                    thread.decided.clear();
                    thread.version += 1;
                    if let Some((slot, clock)) = record.last() {
                        thread.learn(slot, clock);
                    }
                    // Those before, if the last one did not know of them: of readers of a lock, or who comes to a barrier.
                    if !record.is_whole() {
                        for release in record.released() {
                            thread.learn(release.slot(), release.clock);
                        }
                    }
                    *thread.up_to_date(object) = (object, record.stamp);
                    knows_all = true;
                } else if effect.has(Effect::ACQUIRE_RELAXED) {
                    thread.has_relaxed_read = true;
                    thread.has_relaxed_news = true;
                }
                // A release by a thread that has done and learned nothing since its last one, with which it was the last.
                let repeats = (thread.epoch.is_none() || fenced.is_some())
                    && record.last() == Some((thread.slot, fenced.unwrap_or(thread.clock - 1)))
                    && record.knowledge() == (thread.incarnation, thread.version)
                    && parts & Effect::RELEASE.0 != 0
                    && (parts & Effect::CLEAR.0 == 0 || record.is_whole());
                if repeats {
                    parts &= !(Effect::CLEAR.0 | Effect::RELEASE.0);
                    // From now on who acquires this knows of the epoch too.
                    thread.left = thread.left.filter(|left| left.object == object);
                } else if effect.has(Effect::CLEAR) {
                    record.clear_releases();
                    knows_all = true;
                    ends = parts & (Effect::RELEASE.0 | Effect::RELEASE_RELAXED.0) == 0;
                }
            }
        }
        if ends {
            shard.remove(object);
            record = None;
        }
        if parts == 0 {
            return;
        }
        let ended = if fenced.is_none() {
            thread.epoch
        } else {
            thread.left = None;
            None
        };
        let clock = if let Some(clock) = fenced {
            clock
        } else if Effect(parts).is_source() {
            thread.publish()
        } else {
            0
        };
        if let Some(record) = &mut record
            && record.has_waiting()
        {
            for waiting in record.take_waiting() {
                if parts & Effect::CLEAR.0 == 0 {
                    self.engine.append_event(thread, waiting);
                }
            }
        }
        let pending = record.as_mut().and_then(|record| record.take_pending());
        // What waited and is not undone by a clear.
        let mut first = pending.filter(|_| parts & Effect::CLEAR.0 == 0);
        if let Some(mine) = first.filter(|event| event.incarnation == thread.incarnation)
            && parts == Effect::RELEASE.0
        {
            // A later release by the same thread says the same and more.
            parts |= mine.effect.0 & Effect::CLEAR.0;
            first = None;
        }
        let event = self.engine.event(thread, Effect(parts), object, clock, pc);
        let waits_already =
            pending.is_some_and(|pending| pending.incarnation == thread.incarnation);
        let waits = parts & !Effect::CLEAR.0 == Effect::RELEASE.0
            && self.engine.waits(thread, run, waits_already);
        let (stock, batch) = (&mut thread.stock, self.engine.batch);
        match first {
            Some(first) if waits => self.engine.history.append(first, stock, batch),
            Some(first) => self.engine.history.append_two([first, event], stock, batch),
            None if waits => {}
            None => self.engine.history.append(event, stock, batch),
        }
        thread.counts.cells += first.is_some() as u64 + !waits as u64;
        if parts & (Effect::RELEASE.0 | Effect::RELEASE_RELAXED.0) != 0 {
            let stamp = thread.next_stamp();
            let record = match record {
                Some(record) => record,
                None => shard.get_or_insert(object),
            };
            record.stamp = stamp;
            record.set_run(run);
            if waits {
                record.set_pending(event);
                if !waits_already {
                    thread.pending.push(object);
                }
            }
            record.set_whole((empty || knows_all) && parts & Effect::RELEASE_RELAXED.0 == 0);
            if parts & Effect::RELEASE.0 != 0 {
                thread.leave(object, ended, record.acquired);
                let knowledge = (thread.incarnation, thread.version);
                // SC3 is for locks; and who acquires an atomic looks at these only if the last releaser does not know of all.
                let listed = !self.is_atomic || !record.is_whole();
                record.record_release((thread.slot, clock), knowledge, listed);
            } else {
                record.forget_last();
            }
            if knows_all {
                *thread.up_to_date(object) = (object, stamp);
            }
        }
    }

    /// What the object holds now: a thread that [`Thread::has_heard`] of it has nothing to take from the object, until there is another event.
    #[inline(always)]
    pub fn holds(&self) -> Holds {
        debug_assert!(!self.has_taken, "there was no other event");
        let shard = self.shard.as_ref();
        shard.map_or(Holds::UNKNOWN, |shard| shard.holds(self.object))
    }

    /// There are no more events. May evaluate some of the list, which takes a while: whoever holds what others wait for leaves that for later,
    /// by dropping this, and then lets [`Engine::bound`].
    #[inline]
    pub fn end(self, thread: &mut Thread) {
        let engine = self.engine;
        drop(self);
        engine.bound(thread);
    }
}
