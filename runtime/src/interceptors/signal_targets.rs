//! Whom signals are sent to, and the objects by which who sends one comes before who takes it: one for each signal of the process, and for each of each thread and
//! each other process that is sent it by itself. And one for each child, by which who makes it comes before who finds it.

use core::ffi::c_int;
use core::sync::atomic::{AtomicU32, Ordering};

use goldilocks_core::event::{Effect, Entity, Role};

use crate::caller::Caller;
use crate::pipeline::enter;
use crate::sys;

/// Bits that have the number of a signal; above them are 0 for the process, 1 for the installation of a handler, and from 2 on threads and other processes.
const BITS: u32 = 7;

/// In place of a signal: that a process was made.
const MADE: c_int = 0;

/// Whom a signal is sent to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Any thread of this process, or it is not known whom.
    Process,
    /// The thread that sends it.
    Itself,
    /// A thread of this process, or another process, by the kernel's number.
    Task(c_int),
    Thread(libc::pthread_t),
}

impl Target {
    /// That of `kill`: groups may have this process in them.
    pub fn process(id: c_int) -> Target {
        if id > 0 && id != sys::getpid() {
            Target::Task(id)
        } else {
            Target::Process
        }
    }
    pub fn task(id: c_int) -> Target {
        if id == sys::gettid() {
            Target::Itself
        } else {
            Target::Task(id)
        }
    }
    pub fn thread(thread: libc::pthread_t) -> Target {
        // SAFETY: no preconditions.
        if unsafe { libc::pthread_self() } == thread {
            Target::Itself
        } else {
            Target::Thread(thread)
        }
    }

    /// The object of a signal that is sent there; none is needed for one's own.
    fn object(self, signal: c_int) -> Option<Entity> {
        let number = match self {
            Target::Process => 0,
            Target::Itself => return None,
            Target::Task(id) => 2 + id as u64,
            // Where it is; of the lowest bits there is none.
            Target::Thread(thread) => thread >> (BITS - 1),
        };
        Some(numbered(number, signal))
    }
}

fn numbered(number: u64, signal: c_int) -> Entity {
    Entity::object(number << BITS | signal as u64, Role::Signal)
}

/// The number of the signal that an object of this address stands for.
pub fn signal_of(addr: u64) -> u64 {
    addr & ((1 << BITS) - 1)
}

/// Before a signal is sent, by whatever means.
pub fn sending(caller: Caller, target: Target, signal: c_int) {
    if signal > 0
        && let Some(object) = target.object(signal)
        && let Some(mut scope) = enter(caller)
    {
        scope.sync(Effect::RELEASE, object);
    }
}

/// Before a handler is installed.
pub fn installing(caller: Caller, signal: c_int) {
    if let Some(mut scope) = enter(caller) {
        scope.sync(Effect::RELEASE, numbered(1, signal));
    }
}

/// Where a signal comes from, as it says itself.
#[derive(Clone, Copy)]
pub struct Origin {
    code: c_int,
    /// Of a child's signal: which one, and its status or what has ended, stopped or continued it.
    child: c_int,
    status: c_int,
}

impl Origin {
    /// As of one that any process may have sent.
    pub const UNKNOWN: Origin = Origin {
        code: libc::SI_USER,
        child: 0,
        status: 0,
    };

    pub fn of(info: &libc::siginfo_t) -> Origin {
        // SAFETY: fields that are there whatever the signal is, and mean something for a child's.
        let (child, status) = unsafe { (info.si_pid(), info.si_status()) };
        Origin {
            code: info.si_code,
            child,
            status,
        }
    }

    pub fn of_descriptor(info: &libc::signalfd_siginfo) -> Origin {
        Origin {
            code: info.ssi_code,
            child: info.ssi_pid as c_int,
            status: info.ssi_status,
        }
    }

    fn is_child(self, signal: c_int) -> bool {
        signal == libc::SIGCHLD && (libc::CLD_EXITED..=libc::CLD_CONTINUED).contains(&self.code)
    }
}

/// A signal was taken by the running thread, whose handler begins or that waited for it.
pub fn taken(caller: Caller, signal: c_int, origin: Origin) {
    if signal <= 0 {
        return;
    }
    if origin.is_child(signal) {
        let exited = origin.code == libc::CLD_EXITED;
        found(caller, origin.child, if exited { 0 } else { origin.status });
    }
    let Some(mut scope) = enter(caller) else {
        return;
    };
    let mut take = |object: Entity| scope.sync(Effect::ACQUIRE, object);
    take(numbered(1, signal));
    // `tgkill`, `pthread_kill` and `raise` name a thread. Others may have.
    if origin.code != libc::SI_TKILL {
        take(numbered(0, signal));
    }
    // SAFETY: no preconditions.
    let own = unsafe { libc::pthread_self() };
    for own in [Target::Task(sys::gettid()), Target::Thread(own)] {
        own.object(signal).into_iter().for_each(&mut take);
    }
}

/// Children that are being made: they may be found before it is said who has made them.
static BEING_MADE: AtomicU32 = AtomicU32::new(0);
/// How often who has found a child waits for that, at most.
const PATIENCE: u32 = 1000;

/// Makes a child by `call`, which gives its result and the child's number, in the child 0, and none below.
pub fn makes<R>(caller: Caller, call: impl FnOnce() -> (R, c_int)) -> R {
    // Relaxed: what it orders, the engine does.
    BEING_MADE.fetch_add(1, Ordering::Relaxed);
    let own = sys::getpid();
    let (result, child) = call();
    if sys::getpid() != own {
        // Nobody else is there.
        BEING_MADE.store(0, Ordering::Relaxed);
        return result;
    }
    if child > 0
        && let Some(object) = Target::Task(child).object(MADE)
        && let Some(mut scope) = enter(caller)
    {
        scope.sync(Effect::RELEASE, object);
    }
    BEING_MADE.fetch_sub(1, Ordering::Relaxed);
    result
}

/// The same, where both are one.
pub fn making(caller: Caller, call: impl FnOnce() -> c_int) -> c_int {
    makes(caller, || {
        let child = call();
        (child, child)
    })
}

/// A child was found that has this number, and that this signal has ended, stopped or continued, or none, which is 0.
pub fn found(caller: Caller, child: c_int, signal: c_int) {
    let mut patience = PATIENCE;
    while BEING_MADE.load(Ordering::Relaxed) != 0 && patience > 0 {
        patience -= 1;
        sys::sched_yield();
    }
    let Some(mut scope) = enter(caller) else {
        return;
    };
    let mut take = |target: Target, signal| {
        let object = target.object(signal);
        object
            .into_iter()
            .for_each(|object| scope.sync(Effect::ACQUIRE, object));
    };
    take(Target::Task(child), MADE);
    if signal > 0 {
        take(Target::Process, signal);
        take(Target::Task(child), signal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_have_objects_of_their_own() {
        let thread = 0x7fff_ffff_f6c0;
        let targets = [
            Target::Process,
            Target::Task(1),
            Target::Task(2),
            Target::Task(1 << 22),
            Target::Thread(thread),
            Target::Thread(thread + 64),
        ];
        let signals = [1, 63, 64];
        let mut all: Vec<Entity> = signals.map(|signal| numbered(1, signal)).to_vec();
        for target in targets {
            all.extend(signals.map(|signal| target.object(signal).unwrap()));
        }
        for object in &all {
            let (addr, _) = object.as_object().unwrap();
            assert!(signals.contains(&(signal_of(addr) as c_int)));
            assert_eq!(all.iter().filter(|other| *other == object).count(), 1);
        }
        assert_eq!(Target::Itself.object(5), None);
        assert_eq!(Target::task(sys::gettid()), Target::Itself);
        assert_eq!(Target::process(sys::getpid()), Target::Process);
        assert_eq!(Target::process(-7), Target::Process);
        assert_eq!(Target::process(1), Target::Task(1));
    }
}
