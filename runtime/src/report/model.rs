//! What is reported, as plain data: addresses, numbers, no names that would need a symbolizer.
//!
//! Filled in by the pipeline, which knows threads, locks and memory. Whatever it does not know it leaves out (`None`, empty,
//! `Unknown`); the report then does not mention it.

use goldilocks_core::event::Access;

/// Return addresses, innermost first. The first is the one behind the access itself, so that one rule holds for
/// all: the instruction is before the address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    pub pcs: Vec<usize>,
}

/// Numbers of OpenMP's tasks have this bit, those of threads do not.
pub const TASK: u32 = 1 << 31;

/// A thread or task in short: `T3`, `task 3`.
pub fn actor(number: u32) -> String {
    if number & TASK == 0 {
        format!("T{number}")
    } else {
        format!("task {}", number & !TASK)
    }
}

/// A thread that a report mentions, or a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadDesc {
    /// As in `T0`, which is the main thread.
    pub number: u32,
    /// Of a task of OpenMP: the thread that ran it.
    pub runs_on: Option<u32>,
    /// The kernel's id of it; 0 if not known.
    pub os_tid: i32,
    /// Empty if it has none.
    pub name: String,
    pub finished: bool,
    /// A fiber, which runs on whichever thread switches to it.
    pub is_fiber: bool,
    pub created_by: Option<u32>,
    /// Where it was created; empty if not known.
    pub creation: Stack,
}

/// A lock that a thread holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockDesc {
    pub addr: usize,
    /// What it is, in words: `mutex`, `spin lock`; empty if not known.
    pub kind: &'static str,
    /// Whether others may hold it at the same time (read locks).
    pub shared: bool,
    pub created_by: Option<u32>,
    /// Where it was initialized or first used.
    pub creation: Option<Stack>,
}

/// A synchronization object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectDesc {
    pub addr: usize,
    /// What it is, in words; empty if not known.
    pub kind: &'static str,
    /// If it has another name than the variable at its address: `file descriptor 5`, `signal 10`.
    pub name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Access(Access),
    /// The end of a block or mapping.
    Free,
    /// The end of the thread whose stack it is.
    ThreadEnd,
}

impl From<Access> for AccessKind {
    fn from(access: Access) -> AccessKind {
        AccessKind::Access(access)
    }
}

/// One side of a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessDesc {
    pub kind: AccessKind,
    pub addr: usize,
    /// Bytes; 0 if not known, of a block that was freed.
    pub size: usize,
    /// Number of the thread.
    pub thread: u32,
    pub stack: Option<Stack>,
    /// `Some(empty)`: it held none.
    pub held: Option<Vec<LockDesc>>,
}

/// Whose memory it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Location {
    Heap {
        start: usize,
        size: usize,
        /// Who allocated it.
        thread: u32,
        stack: Option<Stack>,
    },
    Stack {
        thread: u32,
    },
    ThreadLocal {
        thread: u32,
    },
    /// The synchronization that descriptor `0` stands for.
    File(i32),
    /// Anything else. If it is data of a module, the symbolizer finds out which variable.
    #[default]
    Unknown,
}

/// What a thread did to make a Goldilockset grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    Release,
    Acquire,
    /// Created a thread, which is what was added.
    Fork,
    /// Waited for the end of a thread.
    Join,
    ReleaseFence,
    AcquireFence,
    /// A relaxed load of what carries a release sequence.
    RelaxedLoad,
    /// A relaxed store or read-modify-write after a release fence.
    RelaxedStore,
    /// The object, which left the set by that.
    Overwrote,
    /// Any other, as a verb: `posted`, `arrived at`.
    Did(&'static str),
}

/// A member of a Goldilockset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Member {
    Thread(u32),
    Object(ObjectDesc),
    /// What is ordered before the thread's latest release fence.
    ReleaseFence(u32),
    /// What the thread has read relaxed and not yet acquired by a fence.
    AcquireFence(u32),
}

/// A sync event since the earlier access that let others access the variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub thread: u32,
    pub what: StepKind,
    pub object: Option<ObjectDesc>,
    /// Of the event; of its callers as far as they are known.
    pub stack: Stack,
    /// What the set has gained; `None` if the step only took part.
    pub added: Option<Member>,
}

/// Two conflicting accesses that nothing orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The access that was about to happen when the race was found.
    pub current: AccessDesc,
    /// The access before it.
    pub previous: AccessDesc,
    /// The bytes at which these two race, as ranges of address and length.
    pub racing: Vec<(usize, usize)>,
    pub location: Location,
    /// All threads that the report mentions, and those that created them.
    pub threads: Vec<ThreadDesc>,
    /// How the variable's Goldilockset has grown since the earlier access, from {its thread}; `None` if not computed.
    pub ownership: Option<Vec<Step>>,
    /// What else was in the set already before the first of these, if steps before it are not kept.
    pub ownership_before: Option<Vec<Member>>,
    /// Some steps are missing.
    pub ownership_truncated: bool,
}

/// A sentence about objects, each of which stands for one `{}` in it; their names are found when the report is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    pub text: String,
    pub objects: Vec<ObjectDesc>,
}

/// Something that happened, with the stack of where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    pub title: Sentence,
    /// Who did it; `None` if nobody did, or it is not known.
    pub thread: Option<u32>,
    pub stack: Option<Stack>,
    /// `Some(empty)`: the thread held none. `None`: it does not matter here.
    pub held: Option<Vec<LockDesc>>,
}

/// Something wrong that is not a race of two accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: ReportKind,
    /// What it is, as in "unlock of an unlocked mutex".
    pub headline: String,
    /// What it is about.
    pub subject: Option<LockDesc>,
    /// The latest first.
    pub parts: Vec<Part>,
    /// An address, how many bytes there are meant, and whose memory they are.
    pub location: Option<(usize, usize, Location)>,
    /// All threads that the report mentions, and those that created them.
    pub threads: Vec<ThreadDesc>,
    /// A sentence that helps.
    pub help: Option<Sentence>,
}

/// What kind of finding a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReportKind {
    DataRace,
    /// A store of the pointer to a virtual table, and a load of it, unordered.
    VptrRace,
    /// Access and free unordered.
    UseAfterFreeRace,
    /// Two frees unordered.
    DoubleFreeRace,
    /// Access after free, in this order.
    HeapUseAfterFree,
    /// Free after free, in this order.
    DoubleFree,
    /// An access to a thread's stack, and the end of that thread, unordered.
    StackEndRace,
    /// The access after the end, in this order.
    StackUseAfterEnd,
    /// A lock that nobody holds is unlocked.
    UnlockOfUnlocked,
    /// A lock is unlocked by a thread that does not hold it, while another does.
    UnlockByOther,
    /// A thread waits for a lock that it holds itself.
    DoubleLock,
    /// A thread waits for a lock for writing that it holds for reading.
    ReadLockUpgrade,
    /// A lock is destroyed while it is held, or a condition variable while somebody waits.
    DestroyInUse,
    /// A synchronization object is used after its destruction.
    UseOfDestroyed,
    /// A thread has ended with a lock that nobody can unlock any more.
    EndWithLock,
    /// Any other use that POSIX leaves undefined.
    Misuse,
    /// Locks are taken in orders that can deadlock.
    LockOrderInversion,
    /// A function that is not async-signal-safe, in a handler that interrupts.
    SignalUnsafeCall,
    /// Such a handler returns with another errno.
    ErrnoInHandler,
    /// A thread has ended and was neither joined nor detached.
    ThreadLeak,
    /// A thread that is neither joined nor detached runs at exit.
    ThreadAtExit,
}

/// Kinds that are switched and suppressed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Race,
    Mutex,
    DestroyLocked,
    Deadlock,
    Signal,
    Errno,
    ThreadLeak,
    ThreadAtExit,
}

impl ReportKind {
    /// In the headline and the summary, for those that have one headline only.
    pub fn title(self) -> &'static str {
        match self {
            ReportKind::DataRace => "data race",
            ReportKind::VptrRace => {
                "data race on vptr (constructor or destructor against virtual call)"
            }
            ReportKind::UseAfterFreeRace => "data race between access and free",
            ReportKind::DoubleFreeRace => "data race between two frees",
            ReportKind::HeapUseAfterFree => "heap use after free",
            ReportKind::DoubleFree => "double free",
            ReportKind::StackEndRace => {
                "data race between access and the end of the thread whose stack it is"
            }
            ReportKind::StackUseAfterEnd => "use of the stack of an ended thread",
            ReportKind::UnlockOfUnlocked => "unlock of an unlocked lock",
            ReportKind::UnlockByOther => "unlock by a thread that does not hold the lock",
            ReportKind::DoubleLock => "double lock",
            ReportKind::ReadLockUpgrade => "read-lock upgrade",
            ReportKind::DestroyInUse => "destruction of what is in use",
            ReportKind::UseOfDestroyed => "use of a destroyed synchronization object",
            ReportKind::EndWithLock => "thread ended holding a lock",
            ReportKind::Misuse => "misuse of a synchronization object",
            ReportKind::LockOrderInversion => "lock-order inversion (potential deadlock)",
            ReportKind::SignalUnsafeCall => "signal-unsafe call in a signal handler",
            ReportKind::ErrnoInHandler => "signal handler changes errno",
            ReportKind::ThreadLeak => "thread leak",
            ReportKind::ThreadAtExit => "thread still running at exit",
        }
    }

    pub fn family(self) -> Family {
        match self {
            ReportKind::DataRace
            | ReportKind::VptrRace
            | ReportKind::UseAfterFreeRace
            | ReportKind::DoubleFreeRace
            | ReportKind::HeapUseAfterFree
            | ReportKind::DoubleFree
            | ReportKind::StackEndRace
            | ReportKind::StackUseAfterEnd => Family::Race,
            ReportKind::UnlockOfUnlocked
            | ReportKind::UnlockByOther
            | ReportKind::DoubleLock
            | ReportKind::ReadLockUpgrade
            | ReportKind::UseOfDestroyed
            | ReportKind::EndWithLock
            | ReportKind::Misuse => Family::Mutex,
            ReportKind::DestroyInUse => Family::DestroyLocked,
            ReportKind::LockOrderInversion => Family::Deadlock,
            ReportKind::SignalUnsafeCall => Family::Signal,
            ReportKind::ErrnoInHandler => Family::Errno,
            ReportKind::ThreadLeak => Family::ThreadLeak,
            ReportKind::ThreadAtExit => Family::ThreadAtExit,
        }
    }
}

impl Family {
    /// First part of the short names of its reports.
    pub fn word(self) -> &'static str {
        match self {
            Family::Race => "race",
            Family::Mutex | Family::DestroyLocked => "mutex",
            Family::Deadlock => "deadlock",
            Family::Signal | Family::Errno => "signal",
            Family::ThreadLeak | Family::ThreadAtExit => "thread",
        }
    }
}
