//! What happens when a program's actions happen in some order: whether they can, and as which events.
//!
//! The one interpretation of actions. The generator asks it what is possible, the scheduler too, and the verdict is made of
//! the events that it tells.

mod blocking;

use crate::atomic_bytes::atomic_events;
use crate::footprint;
use crate::program::{
    Action, AtomicForm, Blocking, Bytes, ObjectKind, PlaceKind, Program, ThreadId,
};
use goldilocks_core::abi::Order;
use goldilocks_core::event::Access;
use goldilocks_core::trace::{self, Atomic};

/// An event, for the verdict.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    Sync(trace::Action),
    /// Belongs to the sync event before it: an atomic's access, or the first of a plain action.
    Touch {
        bytes: Bytes,
        access: Access,
        /// Whether the compiler must make it (or one that conflicts with whatever this one conflicts with).
        must: bool,
        /// Of a read that serves nothing else: where the value goes to.
        goes_to: Option<Bytes>,
    },
    /// The bytes of a place may be those of another one from here on.
    Moved {
        from: usize,
        to: usize,
    },
    /// The words of a place are marked as freed.
    Freed(usize),
}

/// It cannot happen now.
#[derive(Debug)]
pub struct Impossible;

type Result<T> = std::result::Result<T, Impossible>;

fn require(condition: bool) -> Result<()> {
    if condition { Ok(()) } else { Err(Impossible) }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Life {
    Unborn,
    /// Since the thread `by` forked it; it has not had a turn yet.
    Forked(ThreadId),
    Running(ThreadId),
    Blocked(ThreadId, Blocking),
    Ended(ThreadId),
    Joined,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Sync {
    owner: Option<ThreadId>,
    depth: usize,
    readers: Vec<ThreadId>,
    count: usize,
    /// The one thread that goes on when it can be had: blocked in it or, of a mutex, in a condition that was signaled.
    waiter: Option<ThreadId>,
    /// Barrier: who is inside, who was in its first generation, whether they may leave, and the generation.
    inside: Vec<ThreadId>,
    members: Vec<ThreadId>,
    leaving: bool,
    generation: u64,
    done: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Block {
    None,
    Live,
    Freed,
    /// Its memory may belong to another one.
    Gone,
}

/// A state of a program.
#[derive(Clone, Debug)]
pub struct State<'a> {
    program: &'a Program,
    threads: Vec<Life>,
    objects: Vec<Sync>,
    blocks: Vec<Block>,
    /// Threads that have made a release fence.
    fenced: Vec<bool>,
    /// Who has the next turn, where a blocked thread goes on at a moment that nobody controls.
    forced: Option<ThreadId>,
}

const NOTHING: Event = Event::Sync(trace::Action::Fence(Order::Relaxed));

impl<'a> State<'a> {
    pub fn new(program: &'a Program) -> State<'a> {
        let mut threads = vec![Life::Unborn; program.threads.len()];
        threads[0] = Life::Running(0);
        State {
            program,
            threads,
            objects: vec![Sync::default(); program.objects.len()],
            blocks: vec![Block::None; program.places.len()],
            fenced: vec![false; program.threads.len()],
            forced: None,
        }
    }

    /// A turn of a thread, `last` if it is its last one.
    pub fn turn(&mut self, thread: ThreadId, actions: &[Action], last: bool) -> Result<Vec<Event>> {
        require(self.forced.is_none_or(|forced| forced == thread))?;
        let mut events = Vec::new();
        match self.threads[thread] {
            Life::Running(_) => {}
            Life::Forked(by) => self.threads[thread] = Life::Running(by),
            Life::Blocked(_, on) => require(actions.first() == Some(&Action::Wake(on)))?,
            _ => return Err(Impossible),
        }
        self.forced = None;
        require(
            actions
                .iter()
                .all(|action| action.is_sensible(self.program, true)),
        )?;
        for (index, action) in actions.iter().enumerate() {
            // After these only the waiter can go on, so the turn must be over.
            require(self.forced.is_none())?;
            if let Action::Block(_) = action {
                require(index + 1 == actions.len() && !last)?;
            }
            if let Action::Wake(_) = action {
                require(index == 0)?;
            }
            self.step(thread, action, true, &mut events)?;
        }
        footprint::leave_out(&mut events);
        if last && thread != 0 {
            require(!self.holds_anything(thread))?;
            let Life::Running(by) = self.threads[thread] else {
                return Err(Impossible);
            };
            self.threads[thread] = Life::Ended(by);
            // The end of the thread frees its variables, before it can be joined; but at what time after its last turn is open.
            events.push(NOTHING);
            let its =
                |kind| kind == PlaceKind::Stack(thread) || kind == PlaceKind::ThreadLocal(thread);
            for (place, _) in self
                .program
                .places
                .iter()
                .enumerate()
                .filter(|(_, place)| its(place.kind))
            {
                events.push(Event::Touch {
                    bytes: Bytes {
                        place,
                        offset: 0,
                        length: self.program.places[place].bytes,
                    },
                    access: Access::Write,
                    must: false,
                    goes_to: None,
                });
            }
            events.push(Event::Sync(trace::Action::End));
        }
        Ok(events)
    }

    pub fn forced(&self) -> Option<ThreadId> {
        self.forced
    }
    /// Threads that may have a turn now, as far as their life is concerned.
    pub fn movable(&self) -> Vec<ThreadId> {
        let movable = |thread: &ThreadId| {
            matches!(
                self.threads[*thread],
                Life::Running(_) | Life::Forked(_) | Life::Blocked(..)
            )
        };
        (0..self.threads.len()).filter(movable).collect()
    }
    /// What a thread waits for.
    pub fn blocked(&self, thread: ThreadId) -> Option<Blocking> {
        match self.threads[thread] {
            Life::Blocked(_, on) => Some(on),
            _ => None,
        }
    }
    pub fn bytes_of(&self, place: usize) -> usize {
        self.program.places[place].bytes
    }
    pub fn unborn(&self) -> Option<ThreadId> {
        self.threads.iter().position(|life| *life == Life::Unborn)
    }
    /// Who forked a thread that has not been joined.
    pub fn creator(&self, thread: ThreadId) -> Option<ThreadId> {
        match self.threads[thread] {
            Life::Forked(by) | Life::Running(by) | Life::Blocked(by, _) | Life::Ended(by) => {
                (thread != 0).then_some(by)
            }
            Life::Unborn | Life::Joined => None,
        }
    }
    pub fn is_over(&self, thread: ThreadId) -> bool {
        matches!(
            self.threads[thread],
            Life::Unborn | Life::Ended(_) | Life::Joined
        )
    }
    /// What must still be undone by a thread before it ends.
    pub fn releases(&self, thread: ThreadId) -> Vec<Action> {
        let mut actions = Vec::new();
        for (number, object) in self.objects.iter().enumerate() {
            if object.owner == Some(thread) {
                actions.extend(vec![Action::Unlock(number); object.depth]);
            }
            if object.readers.contains(&thread) {
                actions.push(Action::ReadUnlock(number));
            }
        }
        actions
    }

    fn memory_is_handed_out(&mut self) {
        for block in &mut self.blocks {
            if *block == Block::Freed {
                *block = Block::Gone;
            }
        }
    }

    fn holds_anything(&self, thread: ThreadId) -> bool {
        !self.releases(thread).is_empty()
    }

    fn step(
        &mut self,
        thread: ThreadId,
        action: &Action,
        outermost: bool,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        use trace::Action as T;
        let sync = |action| Event::Sync(action);
        match action {
            Action::Plain(plain) => {
                require(plain.fits(self.program))?;
                events.push(NOTHING);
                for (bytes, access, must) in footprint::of(plain) {
                    self.usable(bytes.place)?;
                    let must = must
                        && !footprint::may_hold_it(plain, events, bytes, access)
                        && !footprint::may_be_no_move(plain, events, access);
                    events.push(Event::Touch {
                        bytes,
                        access,
                        must,
                        goes_to: footprint::destination(plain, access),
                    });
                }
            }
            Action::Atomic {
                bytes, form, order, ..
            } => {
                self.usable(bytes.place)?;
                require(bytes.offset + bytes.length <= self.program.places[bytes.place].bytes)?;
                let (atomic, access) = meaning(*form, *order);
                events.extend(atomic_events(*bytes, atomic, access));
            }
            Action::Fence(order) => {
                self.fenced[thread] |= order.releases();
                events.push(sync(T::Fence(*order)));
            }
            Action::SignalFence => {}
            Action::Allocate(place) => {
                require(self.program.places[*place].kind == PlaceKind::Heap)?;
                require(self.blocks[*place] == Block::None)?;
                self.memory_is_handed_out();
                self.blocks[*place] = Block::Live;
            }
            Action::Free(place) => {
                require(self.blocks[*place] == Block::Live)?;
                self.blocks[*place] = Block::Freed;
                events.push(NOTHING);
                events.push(Event::Touch {
                    bytes: Bytes {
                        place: *place,
                        offset: 0,
                        length: self.program.places[*place].bytes,
                    },
                    access: Access::Write,
                    must: true,
                    goes_to: None,
                });
                events.push(Event::Freed(*place));
            }
            Action::Stale(bytes) => {
                require(self.blocks[bytes.place] == Block::Freed)?;
                // Until a program makes its first thread nothing is remembered.
                require(self.threads[1..].iter().any(|life| *life != Life::Unborn))?;
                events.push(NOTHING);
                events.push(Event::Touch {
                    bytes: *bytes,
                    access: Access::Read,
                    must: true,
                    goes_to: None,
                });
            }
            Action::Reallocate { from, to } => {
                require(self.blocks[*from] == Block::Live && self.blocks[*to] == Block::None)?;
                self.memory_is_handed_out();
                self.blocks[*from] = Block::Gone;
                self.blocks[*to] = Block::Live;
                let bytes = |place, length| Bytes {
                    place,
                    offset: 0,
                    length,
                };
                let (old, new) = (&self.program.places[*from], &self.program.places[*to]);
                events.push(NOTHING);
                for bytes in [
                    bytes(*from, old.bytes),
                    bytes(*to, old.bytes.min(new.bytes)),
                ] {
                    events.push(Event::Touch {
                        bytes,
                        access: Access::Write,
                        must: true,
                        goes_to: None,
                    });
                }
                events.push(Event::Moved {
                    from: *from,
                    to: *to,
                });
            }
            Action::Lock(number, _) => {
                let object = &mut self.objects[*number];
                let again = object.owner == Some(thread)
                    && self.program.objects[*number] == ObjectKind::RecursiveMutex;
                require(again || (object.owner.is_none() && object.readers.is_empty()))?;
                require(object.waiter.is_none() || again)?;
                object.owner = Some(thread);
                object.depth += 1;
                if !again {
                    events.push(sync(self.lock_event(*number)));
                }
            }
            Action::Unlock(number) => {
                let object = &mut self.objects[*number];
                require(object.owner == Some(thread))?;
                object.depth -= 1;
                if object.depth == 0 {
                    object.owner = None;
                    self.forced = self.forced.or(object.waiter);
                    require(outermost || self.forced.is_none())?;
                    events.push(sync(self.unlock_event(*number)));
                }
            }
            Action::ReadLock(number, _) => {
                let object = &mut self.objects[*number];
                require(object.owner.is_none() && object.waiter.is_none())?;
                require(!object.readers.contains(&thread))?;
                object.readers.push(thread);
                events.push(sync(T::ReadLock(*number as u64)));
            }
            Action::ReadUnlock(number) => {
                let object = &mut self.objects[*number];
                let at = object.readers.iter().position(|&reader| reader == thread);
                object.readers.remove(at.ok_or(Impossible)?);
                events.push(sync(T::ReadUnlock(*number as u64)));
            }
            Action::LockInVain(number) => {
                let object = &self.objects[*number];
                require(object.owner.is_some_and(|owner| owner != thread))?;
            }
            Action::Post(number) => {
                let object = &mut self.objects[*number];
                let receiver = object.waiter;
                // A signal is sent to somebody.
                require(
                    object.waiter.is_some() || self.program.objects[*number] != ObjectKind::Signal,
                )?;
                object.count += 1;
                if object.waiter.is_some() {
                    self.forced = object.waiter;
                    require(outermost)?;
                }
                if self.program.objects[*number] == ObjectKind::Promise {
                    require(!object.done)?;
                    object.done = true;
                }
                // What a pipe holds, and an annotation, is not counted by the program.
                require(object.count < 100)?;
                events.push(sync(self.counted(*number, receiver, Order::Release)));
            }
            Action::Wait(number, _) => {
                let taken = self.taken(*number);
                let object = &mut self.objects[*number];
                if self.program.objects[*number] != ObjectKind::Annotated {
                    require(object.count > 0 && object.waiter.is_none())?;
                    object.count -= taken;
                }
                events.push(sync(self.counted(*number, None, Order::Acquire)));
            }
            Action::Once(number) => {
                let object = &mut self.objects[*number];
                let ObjectKind::Once { offset } = self.program.objects[*number] else {
                    return Err(Impossible);
                };
                if !object.done {
                    object.done = true;
                    self.usable(0)?;
                    events.push(NOTHING);
                    events.push(Event::Touch {
                        bytes: Bytes {
                            place: 0,
                            offset,
                            length: 8,
                        },
                        access: Access::Write,
                        must: true,
                        goes_to: None,
                    });
                    events.push(sync(T::Post(*number as u64)));
                }
                events.push(sync(T::Wait(*number as u64)));
            }
            Action::Fork(child) => {
                require(self.threads[*child] == Life::Unborn)?;
                // The library allocates, for the thread; and what was freed before the first one is not remembered.
                self.memory_is_handed_out();
                self.threads[*child] = Life::Forked(thread);
                events.push(sync(T::Fork(*child as u32)));
            }
            Action::Join(child) => {
                self.joinable(thread, *child)?;
                require(matches!(self.threads[*child], Life::Ended(_)))?;
                self.threads[*child] = Life::Joined;
                events.push(sync(T::Join(*child as u32)));
            }
            Action::Signal(number) => {
                let waiter = self.objects[*number].waiter.ok_or(Impossible)?;
                let Life::Blocked(_, Blocking::Condition { mutex, .. }) = self.threads[waiter]
                else {
                    return Err(Impossible);
                };
                // The unlock, which comes next, is what lets the waiter go on.
                require(self.objects[mutex].owner == Some(thread))?;
                // From here on the waiter competes for the mutex: with a second one it would be chance who gets it.
                require(self.objects[mutex].waiter.is_none())?;
                self.objects[*number].waiter = None;
                self.objects[*number].done = true;
                self.objects[mutex].waiter = Some(waiter);
            }
            Action::Block(on) => self.block(thread, *on, events)?,
            Action::Wake(on) => self.wake(thread, *on, events)?,
            Action::Repeat(times, body) => {
                for _ in 0..*times {
                    self.inner(thread, body, events)?;
                }
            }
            Action::Branch {
                taken,
                then,
                otherwise,
            } => self.inner(thread, if *taken { then } else { otherwise }, events)?,
            Action::Call { body, .. } => self.inner(thread, body, events)?,
        }
        Ok(())
    }

    fn inner(&mut self, thread: ThreadId, body: &[Action], events: &mut Vec<Event>) -> Result<()> {
        for action in body {
            self.step(thread, action, false, events)?;
        }
        Ok(())
    }

    fn joinable(&self, thread: ThreadId, child: ThreadId) -> Result<()> {
        let child_thread = &self.program.threads[child];
        let (Life::Forked(by) | Life::Running(by) | Life::Blocked(by, _) | Life::Ended(by)) =
            self.threads[child]
        else {
            return Err(Impossible);
        };
        let taken = self
            .threads
            .iter()
            .any(|life| matches!(life, Life::Blocked(_, Blocking::Join(other)) if *other == child));
        let me = self.threads[thread];
        let mine = matches!(me, Life::Blocked(_, Blocking::Join(other)) if other == child);
        require(child != thread && !child_thread.detached && (!taken || mine))?;
        require(!child_thread.spawn.is_its_creators() || by == thread)
    }

    /// How many posts a wait takes.
    fn taken(&self, number: usize) -> usize {
        usize::from(self.program.objects[number] != ObjectKind::Promise)
    }

    /// What a post (`Release`) or a wait (`Acquire`) is. The standard library's semaphore is an atomic counter in compiled code,
    /// and so an acquire fence sees what a release has read.
    fn counted(&self, number: usize, receiver: Option<ThreadId>, order: Order) -> trace::Action {
        match (self.program.objects[number], order) {
            (ObjectKind::StdSemaphore, _) => {
                trace::Action::Atomic(900 + number as u64, Atomic::ReadModifyWrite(order))
            }
            (_, Order::Release) => trace::Action::Post(self.sent_to(number, receiver)),
            _ => trace::Action::Wait(self.sent_to(number, receiver)),
        }
    }

    /// The object of a trace that an object stands for; of a signal, there is one for each thread that is sent it.
    fn sent_to(&self, number: usize, receiver: Option<ThreadId>) -> u64 {
        match (self.program.objects[number], receiver) {
            (ObjectKind::Signal, Some(receiver)) => 10_000 + 100 * number as u64 + receiver as u64,
            _ => number as u64,
        }
    }

    fn is_rwlock(&self, number: usize) -> bool {
        matches!(
            self.program.objects[number],
            ObjectKind::RwLock | ObjectKind::SharedMutex
        )
    }
    fn lock_event(&self, number: usize) -> trace::Action {
        if self.is_rwlock(number) {
            trace::Action::WriteLock(number as u64)
        } else {
            trace::Action::Lock(number as u64)
        }
    }
    fn unlock_event(&self, number: usize) -> trace::Action {
        if self.is_rwlock(number) {
            trace::Action::WriteUnlock(number as u64)
        } else {
            trace::Action::Unlock(number as u64)
        }
    }

    fn usable(&self, place: usize) -> Result<()> {
        match self.program.places[place].kind {
            PlaceKind::Global => Ok(()),
            PlaceKind::Heap => require(self.blocks[place] == Block::Live),
            PlaceKind::Stack(owner) | PlaceKind::ThreadLocal(owner) => require(matches!(
                self.threads[owner],
                Life::Running(_) | Life::Blocked(..)
            )),
        }
    }
}

fn meaning(form: AtomicForm, order: Order) -> (Atomic, Access) {
    match form {
        AtomicForm::Load => (Atomic::Load(order), Access::AtomicRead),
        AtomicForm::Store => (Atomic::Store(order), Access::AtomicWrite),
        AtomicForm::Add | AtomicForm::Exchange | AtomicForm::Or => {
            (Atomic::ReadModifyWrite(order), Access::AtomicWrite)
        }
        AtomicForm::CompareExchange { failure, succeeds } => (
            Atomic::CompareExchange {
                success: order,
                failure,
                succeeded: succeeds,
            },
            if succeeds {
                Access::AtomicWrite
            } else {
                Access::AtomicRead
            },
        ),
    }
}
