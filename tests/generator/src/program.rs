//! What a generated program is made of.
//!
//! A program is some memory, some sync objects, and threads. A thread is a sequence of *turns*; a schedule says in which
//! order the turns of all threads happen, and the program keeps to it by system calls that the detector does not see. Within
//! a turn the compiler may do what it likes, so a turn is the unit in which a verdict is exact.

use goldilocks_core::abi::Order;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    C,
    Cpp,
}

/// Index of a thread; 0 is the main thread.
pub type ThreadId = usize;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceKind {
    Global,
    /// Allocated and freed by actions.
    Heap,
    /// A variable of the thread's outermost function, whose address the other threads know.
    Stack(ThreadId),
    ThreadLocal(ThreadId),
}

/// A piece of memory.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    pub bytes: usize,
    /// Of a global: 1 makes it share words with its neighbours.
    pub alignment: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    Mutex,
    RecursiveMutex,
    ErrorCheckMutex,
    /// `mtx_t`, in C.
    C11Mutex,
    /// `std::mutex`, in C++.
    StdMutex,
    Spin,
    RwLock,
    /// `std::shared_mutex`, in C++.
    SharedMutex,
    Semaphore,
    /// `std::counting_semaphore`, in C++. Nobody blocks in it: those who do meet in libstdc++'s pool of waiters, too.
    StdSemaphore,
    /// `std::promise` and the `std::shared_future` of it, in C++: there is one post, and whoever waits after it goes on.
    Promise,
    /// With so many parties.
    Barrier(usize),
    /// `std::barrier`, in C++, with so many parties.
    StdBarrier(usize),
    /// `std::latch`, in C++, with so many parties, who all wait for each other, once.
    Latch(usize),
    /// `pthread_once`, or a static variable's guard in C++; the initializer writes 8 bytes of place 0.
    Once {
        offset: usize,
    },
    Pipe,
    EventFd,
    /// An address that annotations speak of.
    Annotated,
    Condition,
    /// Sent to the thread that waits for it, whose handler makes the first accesses of its next turn.
    Signal,
}

impl ObjectKind {
    /// Who meets there.
    pub fn parties(self) -> Option<usize> {
        match self {
            ObjectKind::Barrier(parties)
            | ObjectKind::StdBarrier(parties)
            | ObjectKind::Latch(parties) => Some(parties),
            _ => None,
        }
    }
    /// Whether threads that wait for it, or let others go on, meet in libstdc++'s pool of waiters, whose counters are atomics.
    pub fn uses_pool(self) -> bool {
        matches!(
            self,
            ObjectKind::StdBarrier(_) | ObjectKind::Latch(_) | ObjectKind::StdSemaphore
        )
    }
}

/// Bytes of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bytes {
    pub place: usize,
    pub offset: usize,
    pub length: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    Load,
    Store,
    /// A load and a store of the same bytes.
    Update,
}

/// How a loop is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopForm {
    /// The compiler knows the number of iterations.
    Counted,
    /// It does not.
    Unknown,
    Downwards,
    /// Left in the middle.
    Broken,
    /// Every element is asked about by a condition that always holds.
    Conditional,
    Volatile,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopyForm {
    Constant,
    Unknown,
    Move,
    /// Assignment of a packed struct of that size.
    Struct,
    /// A loop over bytes, words or so on.
    Loop {
        element: usize,
    },
}

impl CopyForm {
    /// Bytes per iteration, of a loop.
    pub fn element(self) -> usize {
        match self {
            CopyForm::Loop { element } => element,
            _ => 1,
        }
    }
}

/// Accesses that synchronize nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plain {
    /// Of 1, 2, 4, 8, 16 or 32 bytes, at any alignment.
    Scalar {
        deed: Deed,
        bytes: Bytes,
        volatile: bool,
    },
    /// `count` elements of `bytes.length` bytes, `stride` elements apart.
    Loop {
        deed: Deed,
        bytes: Bytes,
        count: usize,
        stride: usize,
        form: LoopForm,
    },
    Copy {
        from: Bytes,
        to: Bytes,
        form: CopyForm,
    },
    Fill {
        bytes: Bytes,
        unknown: bool,
    },
    /// A field of [`BITS`], which is 8 bytes.
    Bits {
        deed: Deed,
        bytes: Bytes,
        field: usize,
    },
    /// Assignment of a struct of 16 bytes with padding at 1..4 and 6..8.
    Padded {
        from: Bytes,
        to: Bytes,
    },
}

/// First byte and the one behind the last, from the start of the struct.
type Extent = (usize, usize);

/// The bit-fields of the struct that programs use: width in bits, and the bytes that surely and possibly are accessed with
/// it. A zero-width field in the middle makes two memory locations of it, so that 0..4 and 4..8 never mix.
pub const BITS: [(&str, Extent, Extent); 4] = [
    ("a", (0, 1), (0, 4)),
    ("b", (0, 2), (0, 4)),
    ("c", (4, 5), (4, 8)),
    ("d", (5, 8), (4, 8)),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomicForm {
    Load,
    Store,
    Add,
    Exchange,
    /// Or, as a pre-C11 builtin, where the order is sequentially consistent.
    Or,
    CompareExchange {
        failure: Order,
        succeeds: bool,
    },
}

/// How the waiting form of an action is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    Plain,
    Try,
    Timed,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    Plain(Plain),
    Atomic {
        bytes: Bytes,
        form: AtomicForm,
        order: Order,
        /// Through the language's own type rather than the compiler's builtin.
        typed: bool,
    },
    Fence(Order),
    /// Orders nothing.
    SignalFence,
    Allocate(usize),
    Free(usize),
    /// A read, through an old pointer, of a block that was freed and whose memory nobody can have been given since.
    Stale(Bytes),
    /// The block of a place becomes that of another one.
    Reallocate {
        from: usize,
        to: usize,
    },
    Lock(usize, How),
    Unlock(usize),
    ReadLock(usize, How),
    ReadUnlock(usize),
    /// A trylock of what another thread holds.
    LockInVain(usize),
    Post(usize),
    Wait(usize, How),
    Once(usize),
    Fork(ThreadId),
    Join(ThreadId),
    /// Lets the condition's waiter go on; the mutex is held.
    Signal(usize),
    /// The last action of a turn: the turn is over when the thread is about to block.
    Block(Blocking),
    /// The first action of the thread's next turn: it has gone on.
    Wake(Blocking),
    /// What is there happens so many times.
    Repeat(usize, Vec<Action>),
    /// One of the two happens; the compiler does not know which.
    Branch {
        taken: bool,
        then: Vec<Action>,
        otherwise: Vec<Action>,
    },
    /// In a function of its own.
    Call {
        inlined: bool,
        body: Vec<Action>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocking {
    Lock(usize),
    Wait(usize),
    Join(ThreadId),
    Barrier(usize),
    Condition { condition: usize, mutex: usize },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spawn {
    Pthread,
    /// `thrd_create`, in C.
    C11,
    /// `std::thread`, in C++; joined by its creator.
    Std,
    /// `std::jthread`, in C++; joined by its destructor, in its creator.
    Joining,
}

impl Spawn {
    /// Whether nobody but its creator can join it.
    pub fn is_its_creators(self) -> bool {
        matches!(self, Spawn::Std | Spawn::Joining)
    }
}

#[derive(Clone, Debug)]
pub struct Thread {
    pub turns: Vec<Vec<Action>>,
    pub spawn: Spawn,
    pub detached: bool,
    /// Ends by `pthread_exit`.
    pub exits: bool,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub language: Language,
    pub places: Vec<Place>,
    pub objects: Vec<ObjectKind>,
    pub threads: Vec<Thread>,
}

/// Which thread has its next turn, from first to last.
pub type Schedule = Vec<ThreadId>;

impl Program {
    pub fn turns(&self) -> usize {
        self.threads.iter().map(|thread| thread.turns.len()).sum()
    }
}

impl Plain {
    /// Whether the program may do it: the ranges are inside of their places and do not overlap where they must not.
    pub fn fits(&self, program: &Program) -> bool {
        let inside =
            |bytes: &Bytes| bytes.offset + bytes.length <= program.places[bytes.place].bytes;
        let apart = |a: &Bytes, b: &Bytes| {
            a.place != b.place || a.offset + a.length <= b.offset || b.offset + b.length <= a.offset
        };
        match self {
            Plain::Scalar { bytes, .. } | Plain::Fill { bytes, .. } | Plain::Bits { bytes, .. } => {
                inside(bytes)
            }
            Plain::Loop {
                bytes,
                count,
                stride,
                ..
            } => inside(&Bytes {
                length: ((count - 1) * stride + 1) * bytes.length,
                ..*bytes
            }),
            Plain::Copy { from, to, form } => {
                // A move to where it comes from is nothing.
                let moves = *form == CopyForm::Move && from != to;
                inside(from) && inside(to) && (moves || apart(from, to))
            }
            Plain::Padded { from, to } => inside(from) && inside(to) && apart(from, to),
        }
    }
}

impl Action {
    /// Whether the program could be written so, whatever its state: objects are of the right kind, ranges are inside.
    /// `outermost`: as an action of a turn, and not inside of another action.
    pub fn is_sensible(&self, program: &Program, outermost: bool) -> bool {
        use ObjectKind::*;
        let kind = |number: &usize| program.objects[*number];
        let is_mutex = |number: &usize| {
            matches!(
                kind(number),
                Mutex | RecursiveMutex | ErrorCheckMutex | C11Mutex | StdMutex | Spin
            )
        };
        let is_rwlock = |number: &usize| matches!(kind(number), RwLock | SharedMutex);
        let counts = |number: &usize| matches!(kind(number), Semaphore | Pipe | EventFd);
        let all = |body: &[Action]| body.iter().all(|action| action.is_sensible(program, false));
        match self {
            Action::Plain(plain) => plain.fits(program),
            Action::Atomic { bytes, .. } => {
                let place = program.places[bytes.place];
                bytes.offset + bytes.length <= place.bytes
                    && (place.kind != PlaceKind::Global || place.alignment >= 8)
            }
            Action::Fence(_) | Action::SignalFence => true,
            Action::Allocate(place) | Action::Free(place) => {
                program.places[*place].kind == PlaceKind::Heap
            }
            Action::Stale(bytes) => {
                let place = program.places[bytes.place];
                place.kind == PlaceKind::Heap && bytes.offset + bytes.length <= place.bytes
            }
            Action::Reallocate { from, to } => {
                let heap = |place: &usize| program.places[*place].kind == PlaceKind::Heap;
                from != to && heap(from) && heap(to)
            }
            Action::Lock(number, _) | Action::Unlock(number) | Action::LockInVain(number) => {
                is_mutex(number) || is_rwlock(number)
            }
            Action::ReadLock(number, _) | Action::ReadUnlock(number) => is_rwlock(number),
            Action::Post(number) => {
                counts(number)
                    || matches!(kind(number), Annotated | Signal | StdSemaphore | Promise)
            }
            Action::Wait(number, _) => {
                counts(number) || matches!(kind(number), Annotated | StdSemaphore | Promise)
            }
            Action::Once(number) => matches!(kind(number), Once { .. }),
            Action::Fork(_) | Action::Join(_) | Action::Wake(_) => outermost,
            Action::Signal(number) => outermost && kind(number) == Condition,
            Action::Block(on) => {
                outermost
                    && match on {
                        Blocking::Lock(number) => {
                            is_rwlock(number) || (is_mutex(number) && kind(number) != Spin)
                        }
                        Blocking::Wait(number) => {
                            counts(number) || matches!(kind(number), Signal | Promise)
                        }
                        Blocking::Join(_) => true,
                        Blocking::Barrier(number) => kind(number).parties().is_some(),
                        Blocking::Condition { condition, mutex } => {
                            kind(condition) == Condition && *mutex == 0
                        }
                    }
            }
            Action::Repeat(_, body) | Action::Call { body, .. } => all(body),
            Action::Branch {
                then, otherwise, ..
            } => all(then) && all(otherwise),
        }
    }
}
