//! What happens in an execution, as the engine sees it: accesses, and sync events with their effect on Goldilocksets.

/// Index of a thread in the engine's tables, 0..=65534. Reused after a thread has ended, see `threads`.
pub type Slot = u16;

/// Number of a thread in the order of their creation, never reused.
pub type Incarnation = u32;

/// A thread's own count of its sync epochs, from 1. An access in sync epoch c happens before everything that
/// follows a sync-source of that thread which published a clock of at least c.
pub type Clock = u64;

/// An element of a Goldilockset: a thread, a sync object, or one of the two fence marks (`F_t`, `A_t`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Entity(pub u64);

/// Which of the sync objects that can live at one address is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Role {
    /// Mutexes, spin locks, atomics, semaphores, once, user annotations: whatever has one set per address.
    Object = 0,
    /// `m.r` of a readers-writer lock: what its readers have released.
    Readers = 1,
    /// Barrier generations, odd and even (a generation cannot start before the previous one has been left).
    BarrierEven = 2,
    BarrierOdd = 3,
    /// A file description (pipe, socket, eventfd, file lock); the address is its number.
    File = 4,
    /// A signal of a process; the address is its number.
    Signal = 5,
    /// The start of a thread; the address is its serial number. Fork is a release of it, the start an acquire.
    ThreadStart = 6,
    /// The end of a thread; the address is its serial number. The end is a release of it, join an acquire.
    ThreadEnd = 7,
    /// Something that libc does later: the call of a timer, asynchronous I/O, an exit handler. The address is that of what was
    /// asked for; 0 stands for every request that a thread of libc's own may answer.
    Request = 8,
    /// What orders the threads and tasks of OpenMP; the address is a number that the runtime has given it.
    OpenMp = 9,
    /// The switches to a fiber; the address is its serial number. Who switches to it releases, the fiber acquires.
    Fiber = 10,
    /// Some bytes of 16 on which there are atomic operations of different sizes; the address is within these.
    AtomicPart = 11,
    /// A library's own mutex, and its readers-writer lock as writers and as readers hold it. Held, for reports, and in no event:
    /// what orders are the atomics that the lock is made of, which are [`Role::Object`].
    LibraryMutex = 12,
    LibraryWriter = 13,
    LibraryReader = 14,
    /// One byte of those of [`Role::AtomicPart`], for what it gives besides what is written with it; the address is its own.
    AtomicByte = 15,
    /// What the program has stated of an address ([`Role::Object`] has it, too, so that atomics there say the same): it stays, whatever is stored there.
    Stated = 16,
}

impl Entity {
    const THREAD: u64 = 0xf0;
    const RELEASE_FENCE: u64 = 0xf1;
    const ACQUIRE_FENCE: u64 = 0xf2;
    /// No object, for events that name none.
    pub const NONE: Entity = Entity(u64::MAX);

    /// A thread, told apart from other threads that have had its slot.
    pub fn thread(slot: Slot, incarnation: Incarnation) -> Entity {
        Entity((incarnation as u64) << 24 | (slot as u64) << 8 | Self::THREAD)
    }
    /// `F_t`: ordered before t's latest release fence.
    pub fn release_fence(slot: Slot) -> Entity {
        Entity((slot as u64) << 8 | Self::RELEASE_FENCE)
    }
    /// `A_t`: t has read, relaxed, a value that carries this release sequence.
    pub fn acquire_fence(slot: Slot) -> Entity {
        Entity((slot as u64) << 8 | Self::ACQUIRE_FENCE)
    }
    /// The sync object of `role` at `addr` (below 2^56).
    pub fn object(addr: u64, role: Role) -> Entity {
        Entity(addr << 8 | role as u64)
    }
    /// The slot of a thread.
    pub fn as_thread(self) -> Option<Slot> {
        (self.0 & 0xff == Self::THREAD).then_some((self.0 >> 8) as Slot)
    }
    /// Which of the threads in its slot a thread is.
    pub fn incarnation(self) -> Option<Incarnation> {
        (self.0 & 0xff == Self::THREAD).then_some((self.0 >> 24) as Incarnation)
    }
    pub fn is_fence_mark(self) -> bool {
        matches!(self.0 & 0xff, Self::RELEASE_FENCE | Self::ACQUIRE_FENCE)
    }
    /// Whether it is what the readers of a lock release.
    #[inline(always)]
    pub(crate) fn is_of_readers(self) -> bool {
        self.0 as u8 == Role::Readers as u8
    }
    /// Address and role number of a sync object; `None` for threads and fence marks.
    pub fn as_object(self) -> Option<(u64, u8)> {
        (self.0 & 0xff < Self::THREAD).then_some((self.0 >> 8, self.0 as u8))
    }
}

/// What a sync event of thread t with object o does to every Goldilockset, as a set of the rules below. They are
/// applied in the order in which they are listed: the acquiring part, then the end of a release sequence, then the
/// releasing part. Fork and join are a release and an acquire of an object of their own (`Role::ThreadStart`, `ThreadEnd`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Effect(pub u16);

impl Effect {
    /// o∈GLS ⇒ add t.
    pub const ACQUIRE: Effect = Effect(1 << 1);
    /// o∈GLS ⇒ add A_t.
    pub const ACQUIRE_RELAXED: Effect = Effect(1 << 2);
    /// A_t∈GLS ⇒ add t.
    pub const FENCE_ACQUIRE: Effect = Effect(1 << 3);
    /// Remove o.
    pub const CLEAR: Effect = Effect(1 << 4);
    /// F_t∈GLS ⇒ add o.
    pub const RELEASE_RELAXED: Effect = Effect(1 << 5);
    /// t∈GLS ⇒ add o.
    pub const RELEASE: Effect = Effect(1 << 6);
    /// Remove F_t; t∈GLS ⇒ add F_t.
    pub const FENCE_RELEASE: Effect = Effect(1 << 7);
    /// Nobody else acquires o until t has released it, as of a lock that one thread can hold, or of an atomic that t will write
    /// while its address is held. Comes with an acquire or alone. Changes no rule. A lock that another thread releases than the one that holds it
    /// breaks this promise; that is undefined, and reported as misuse.
    pub const ALONE: Effect = Effect(1 << 8);

    /// What the thread learns; comes first.
    pub const fn sink_part(self) -> Effect {
        Effect(self.0 & (Effect::ACQUIRE.0 | Effect::ACQUIRE_RELAXED.0 | Effect::FENCE_ACQUIRE.0))
    }
    /// What others can learn; comes second.
    pub const fn source_part(self) -> Effect {
        Effect(self.0 & !self.sink_part().0)
    }

    pub const fn has(self, part: Effect) -> bool {
        self.0 & part.0 != 0
    }
    pub const fn with(self, part: Effect) -> Effect {
        Effect(self.0 | part.0)
    }
    /// Whether other threads can learn from this event what t did before it.
    pub const fn is_source(self) -> bool {
        self.has(Effect::RELEASE) || self.has(Effect::FENCE_RELEASE)
    }
}

impl Default for SyncEvent {
    fn default() -> SyncEvent {
        SyncEvent::NOTHING
    }
}

impl SyncEvent {
    /// Changes no Goldilockset.
    pub const NOTHING: SyncEvent = SyncEvent {
        thread: 0,
        effect: Effect(0),
        incarnation: 0,
        object: Entity::NONE,
        clock: 0,
        pc: 0,
    };

    /// The thread that acts, as an element of Goldilocksets.
    pub fn actor(&self) -> Entity {
        Entity::thread(self.thread, self.incarnation)
    }
}

/// A sync event, as a cell of the update list holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyncEvent {
    pub thread: Slot,
    pub effect: Effect,
    pub incarnation: Incarnation,
    pub object: Entity,
    /// Every access of `thread` before this event was made in a sync epoch of at most this number.
    pub clock: Clock,
    /// Code address of the event, 0 if unknown.
    pub pc: u64,
}

/// Kind of an access to memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    Read,
    Write,
    AtomicRead,
    AtomicWrite,
}

impl Access {
    pub fn is_write(self) -> bool {
        matches!(self, Access::Write | Access::AtomicWrite)
    }
    pub fn is_atomic(self) -> bool {
        matches!(self, Access::AtomicRead | Access::AtomicWrite)
    }
    /// Whether two accesses of the same byte by different threads are a race when unordered.
    pub fn conflicts(self, other: Access) -> bool {
        (self.is_write() || other.is_write()) && !(self.is_atomic() && other.is_atomic())
    }
}
