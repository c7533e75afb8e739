//! Threads that wait: for a lock, a post, a thread, a barrier or a condition, and go on when it has come.

use goldilocks_core::trace;

use super::{Event, Impossible, Life, Result, State, require};
use crate::program::{Action, Blocking, ObjectKind, ThreadId};
impl State<'_> {
    pub(super) fn block(
        &mut self,
        thread: ThreadId,
        on: Blocking,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        use trace::Action as T;
        // Whoever blocks keeps nobody else from going on.
        let released = match on {
            Blocking::Condition { mutex, .. } => vec![Action::Unlock(mutex)],
            _ => Vec::new(),
        };
        require(self.releases(thread) == released)?;
        match on {
            Blocking::Lock(number) => {
                let object = &mut self.objects[number];
                let held = object.owner.is_some_and(|owner| owner != thread);
                require(held && object.waiter.is_none())?;
                object.waiter = Some(thread);
            }
            Blocking::Wait(number) => {
                // Who waits for a future says so by a relaxed read-modify-write of the state that others acquire: behind a release fence that
                // is a release, if it comes before the value.
                let says_so = self.program.objects[number] == ObjectKind::Promise;
                require(!(says_so && self.fenced[thread]))?;
                let object = &mut self.objects[number];
                require(object.count == 0 && object.waiter.is_none())?;
                object.waiter = Some(thread);
            }
            Blocking::Join(child) => {
                self.joinable(thread, child)?;
                require(!matches!(self.threads[child], Life::Ended(_)))?;
                // Not in a circle.
                let mut next = child;
                while let Life::Blocked(_, Blocking::Join(other)) = self.threads[next] {
                    require(other != thread)?;
                    next = other;
                }
            }
            Blocking::Barrier(number) => {
                let kind = self.program.objects[number];
                let parties = kind.parties().ok_or(Impossible)?;
                let object = &mut self.objects[number];
                require(object.generation == 0 || !matches!(kind, ObjectKind::Latch(_)))?;
                require(!object.leaving && !object.inside.contains(&thread))?;
                if object.generation == 0 {
                    object.members.push(thread);
                }
                // libstdc++'s own bookkeeping races with whoever comes new.
                let is_member = object.members.contains(&thread);
                require(is_member || !matches!(kind, ObjectKind::StdBarrier(_)))?;
                object.inside.push(thread);
                object.leaving = object.inside.len() == parties;
                events.push(Event::Sync(T::Enter {
                    barrier: number as u64,
                    generation: object.generation,
                    parties: parties as u64,
                }));
            }
            Blocking::Condition { condition, mutex } => {
                require(self.objects[condition].waiter.is_none() && !self.objects[condition].done)?;
                let object = &mut self.objects[mutex];
                require(object.owner == Some(thread) && object.depth == 1)?;
                require(object.waiter.is_none())?;
                object.owner = None;
                object.depth = 0;
                self.objects[condition].waiter = Some(thread);
                events.push(Event::Sync(self.unlock_event(mutex)));
            }
        }
        let Life::Running(by) = self.threads[thread] else {
            return Err(Impossible);
        };
        self.threads[thread] = Life::Blocked(by, on);
        Ok(())
    }

    pub(super) fn wake(
        &mut self,
        thread: ThreadId,
        on: Blocking,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        use trace::Action as T;
        let Life::Blocked(by, was) = self.threads[thread] else {
            return Err(Impossible);
        };
        require(was == on)?;
        match on {
            Blocking::Lock(number) => {
                let object = &mut self.objects[number];
                require(object.owner.is_none())?;
                object.owner = Some(thread);
                object.depth = 1;
                object.waiter = None;
                events.push(Event::Sync(self.lock_event(number)));
            }
            Blocking::Wait(number) => {
                let taken = self.taken(number);
                let object = &mut self.objects[number];
                require(object.count > 0)?;
                object.count -= taken;
                object.waiter = None;
                let number = self.sent_to(number, Some(thread));
                events.push(Event::Sync(T::Wait(number)));
            }
            Blocking::Join(child) => {
                require(matches!(self.threads[child], Life::Ended(_)))?;
                self.threads[child] = Life::Joined;
                events.push(Event::Sync(T::Join(child as u32)));
            }
            Blocking::Barrier(number) => {
                let object = &mut self.objects[number];
                require(object.leaving)?;
                object.inside.retain(|&inside| inside != thread);
                events.push(Event::Sync(T::Leave {
                    barrier: number as u64,
                    generation: object.generation,
                }));
                if object.inside.is_empty() {
                    object.leaving = false;
                    object.generation += 1;
                }
            }
            Blocking::Condition { condition, mutex } => {
                require(self.objects[condition].done && self.objects[mutex].owner.is_none())?;
                self.objects[condition].done = false;
                let object = &mut self.objects[mutex];
                object.owner = Some(thread);
                object.depth = 1;
                object.waiter = None;
                events.push(Event::Sync(self.lock_event(mutex)));
            }
        }
        self.threads[thread] = Life::Running(by);
        Ok(())
    }
}
