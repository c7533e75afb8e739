//! Threads come and go: slots, fork and join, the end of a thread, the survivor of a fork of the process.

use super::settled::Living;
use super::{Engine, OutOfSlots, Thread};
use crate::event::{Clock, Effect, Entity, Incarnation, Role, Slot};
use crate::record_pool::RecordStock;
use crate::update_list::Stock;
use std::collections::VecDeque;
use std::sync::Arc;

/// Slots of ended threads, oldest first, each with its last sync epoch; the first never used; the threads so far.
#[derive(Default)]
pub(super) struct Slots {
    ended: VecDeque<(Slot, Clock)>,
    /// Those of which no access is remembered: anybody may have them.
    forgotten: Vec<(Slot, Clock)>,
    pub(super) next: u32,
    born: Incarnation,
    pub(super) living: Living,
}

impl Slots {
    /// Position of an ended slot whose last access is known to who knows these epochs.
    fn reusable(&self, known: &[Clock]) -> Option<usize> {
        let knows = |slot: Slot| known.get(slot as usize).copied().unwrap_or(0);
        let mut first = self.ended.iter().take(REUSE_TRIES);
        first.position(|&(slot, clock)| knows(slot) >= clock)
    }

    /// A slot, of `count` at most, for a thread whose parent knows these epochs, and its first sync epoch.
    fn take(
        &mut self,
        parent_knows: Option<&[Clock]>,
        count: usize,
    ) -> Result<(Slot, Clock), OutOfSlots> {
        if let Some(known) = parent_knows {
            let tries = self.ended.len().min(REUSE_TRIES);
            if let Some(index) = self.reusable(known) {
                let (slot, clock) = self.ended.remove(index).expect("found just now");
                return Ok((slot, clock + 1));
            }
            // Keep those that nobody joins from hiding the others.
            self.ended.rotate_left(tries);
        }
        if let Some((slot, clock)) = self.forgotten.pop() {
            return Ok((slot, clock + 1));
        }
        if (self.next as usize) < count {
            self.next += 1;
            return Ok(((self.next - 1) as Slot, 1));
        }
        Err(OutOfSlots)
    }
}

/// What a thread that starts later knows from its parent, as of the fork.
#[derive(Clone, Debug)]
pub struct Past {
    known: Arc<[Clock]>,
    /// The parent's slot and its last sync epoch before the fork.
    parent: (Slot, Clock),
}

/// How many ended slots a fork looks at before it takes a new one.
const REUSE_TRIES: usize = 32;

impl Engine {
    /// A thread that nothing is known of: the first one, or one that was not created through us.
    pub fn unrelated_thread(&self) -> Result<Thread, OutOfSlots> {
        let name @ (_, _, incarnation) = self.take_slot(None)?;
        if incarnation > 1 {
            self.expect_strangers();
        }
        Ok(self.new_thread(name))
    }

    fn new_thread(&self, name: (Slot, Clock, Incarnation)) -> Thread {
        // Where nothing can be kept, what readers renew themselves is all that there is.
        let readers = match self.epochs.kept.places(name.0) {
            0 => usize::MAX,
            places => places,
        };
        let records = RecordStock::with_readers(readers);
        let mut thread = Thread::new(name, (self.history.pool(), records));
        self.look_again(&mut thread, 1, true);
        thread
    }

    /// The parent's part of a fork, and the thread that will start. `serial` is unique over the run.
    pub fn fork(&self, parent: &mut Thread, serial: u64, pc: u64) -> Result<Thread, OutOfSlots> {
        let start = Entity::object(serial, Role::ThreadStart);
        let name = self.take_slot(Some(&parent.known))?;
        self.sync(parent, Effect::RELEASE, start, pc);
        let mut child = self.new_thread(name);
        // What it knows is known because of this event, which is therefore first: others may have to find it in the list.
        self.sync(&mut child, Effect::ACQUIRE, start, 0);
        child.known.clone_from(&parent.known);
        child.learn(parent.slot, parent.clock - 1);
        self.forget(&mut child, start);
        Ok(child)
    }

    /// The parent's part of a fork whose child is made later, by [`Engine::fork_from`]: a release of `start`, and what the
    /// child will know.
    pub fn past(&self, parent: &mut Thread, start: Entity, pc: u64) -> Past {
        // It may begin when all others know more.
        self.expect_strangers();
        self.sync(parent, Effect::RELEASE, start, pc);
        let known = match &parent.snapshot {
            // What has been learned since, without a sink, may be learned again.
            Some((version, known)) if *version == parent.version => known.clone(),
            _ => {
                let known: Arc<[Clock]> = parent.known.as_ref().into();
                parent.snapshot = Some((parent.version, known.clone()));
                known
            }
        };
        Past {
            known,
            parent: (parent.slot, parent.clock - 1),
        }
    }

    /// The child of a parent whose part of the fork was [`Engine::past`] with `start`. At most `slots` slots are used by
    /// threads that begin in this way and by others together: `None` if none of them is free.
    pub fn fork_from(&self, past: &Past, start: Entity, slots: usize) -> Option<Thread> {
        if self.slots_in_use() >= slots && !self.slot_is_free_after(&past.known) {
            return None;
        }
        let name = self.take_slot(Some(&past.known)).ok()?;
        let mut child = self.new_thread(name);
        // As in `fork`.
        self.sync(&mut child, Effect::ACQUIRE, start, 0);
        child.known = past.known.as_ref().into();
        child.learn(past.parent.0, past.parent.1);
        self.forget(&mut child, start);
        Some(child)
    }

    /// The end of a thread, to be joined by `serial`. Its slot may be reused from now on.
    pub fn end(&self, thread: &mut Thread, serial: u64, pc: u64) {
        self.sync(
            thread,
            Effect::RELEASE,
            Entity::object(serial, Role::ThreadEnd),
            pc,
        );
        self.retire(thread);
    }

    /// The end of a thread that nobody will join. Its slot may be reused from now on.
    pub fn retire(&self, thread: &mut Thread) {
        thread.publish();
        self.flush(thread);
        // Membership of a thread that does nothing any more means nothing. The next one in this slot has another name, but
        // its fence marks have the same.
        self.append(thread, Effect::CLEAR, thread.entity(), 0, 0);
        if thread.has_release_fence {
            self.append(
                thread,
                Effect::CLEAR,
                Entity::release_fence(thread.slot),
                0,
                0,
            );
        }
        if thread.has_relaxed_read {
            self.append(
                thread,
                Effect::CLEAR,
                Entity::acquire_fence(thread.slot),
                0,
                0,
            );
        }
        thread.reclamation = None;
        self.history.count(&mut thread.stock);
        thread.stock = Stock::new(self.history.pool());
        let mut slots = self.slots.lock().unwrap();
        slots.ended.push_back((thread.slot, thread.clock - 1));
        slots.living.ends(thread.incarnation);
    }

    /// `thread` has joined the ended thread `serial`, whose state was `ended`.
    pub fn join(&self, thread: &mut Thread, serial: u64, ended: &Thread, pc: u64) {
        let end = Entity::object(serial, Role::ThreadEnd);
        self.sync(thread, Effect::ACQUIRE, end, pc);
        thread.learn_row(&ended.known);
        thread.learn(ended.slot, ended.clock - 1);
        self.forget(thread, end);
    }

    /// The process has been copied by the thread, and all others are gone from the copy: whatever they did was done before. Slots
    /// of threads that were alive are never used again, so all of their epochs are known from now on.
    pub fn alone(&self, thread: &mut Thread) {
        let mut slots = self.slots.lock().unwrap();
        // Of those that seem to live, contexts that wait (fibers) may go on.
        slots.living.has_strangers();
        let mut known = vec![Clock::MAX; slots.next as usize];
        known[thread.slot as usize] = 0;
        for &(slot, clock) in slots.ended.iter().chain(&slots.forgotten) {
            known[slot as usize] = clock;
        }
        drop(slots);
        thread.learn_row(&known);
        thread.decided.clear();
        thread.snapshot = None;
        thread.version += 1;
    }

    /// The thread is the only one, and what it does until it makes another one will not be remembered: its present sync epoch is over.
    pub fn rest(&self, thread: &mut Thread) {
        thread.publish();
        thread.decided.clear();
        thread.left = None;
    }

    /// A slot for a new thread and its first sync epoch.
    ///
    /// The slot of an ended thread is reused only if its last access happens before the fork. Then whatever knows the new
    /// thread's epochs knows the old one's, and (slot, sync epoch) stays a sound name: the new thread goes on counting.
    /// What the old thread had learned is not known to the new one, which is why Goldilocksets hold incarnations.
    fn take_slot(
        &self,
        parent_knows: Option<&[Clock]>,
    ) -> Result<(Slot, Clock, Incarnation), OutOfSlots> {
        let mut slots = self.slots.lock().unwrap();
        slots.born = slots.born.wrapping_add(1);
        let incarnation = slots.born;
        let (slot, clock) = slots.take(parent_knows, self.history.slots())?;
        slots.living.begins(slot, incarnation);
        Ok((slot, clock, incarnation))
    }

    /// Slots that have ever been used.
    fn slots_in_use(&self) -> usize {
        self.slots.lock().unwrap().next as usize
    }
    fn slot_is_free_after(&self, known: &[Clock]) -> bool {
        self.slots.lock().unwrap().reusable(known).is_some()
    }

    /// Slots of ended threads can be reused by anybody if nothing remembers an access of theirs: then there is nothing that could be
    /// taken for ordered because a later epoch of the slot is. `in_use` tells what a sweep found ([`crate::sweep`]); the
    /// threads are still stopped. The result is how many slots there are for anybody.
    pub fn forget_slots(&self, in_use: impl Fn(Slot) -> bool) -> usize {
        let mut slots = self.slots.lock().unwrap();
        let Slots {
            ended, forgotten, ..
        } = &mut *slots;
        let before = forgotten.len();
        ended.retain(|&(slot, clock)| {
            let keep = in_use(slot);
            if !keep {
                forgotten.push((slot, clock));
            }
            keep
        });
        // Whoever will know of the next thread in such a slot need not know what the last one knew when it released something.
        let mut gone = vec![false; Slot::MAX as usize + 1];
        for &(slot, _) in &forgotten[before..] {
            gone[slot as usize] = true;
        }
        if before < forgotten.len() {
            self.objects.each(|object| {
                if let Some((slot, _)) = object.last()
                    && gone[slot as usize]
                {
                    object.set_whole(false);
                }
            });
        }
        forgotten.len()
    }
}
