//! A report as the interface for debuggers has it: stacks, accesses, locations, locks, threads.

use core::ffi::CStr;
use std::ffi::CString;

use crate::report::model::{
    AccessDesc, AccessKind, Finding, Location, LockDesc, Race, ReportKind, Stack, ThreadDesc,
};
use crate::symbolizer::Symbolizer;

/// A report. Traces are return addresses, innermost first.
pub struct View {
    pub kind: &'static CStr,
    pub stacks: Vec<Vec<usize>>,
    pub accesses: Vec<AccessView>,
    pub locations: Vec<LocationView>,
    pub locks: Vec<LockView>,
    pub threads: Vec<ThreadView>,
}

pub struct AccessView {
    pub thread: u32,
    pub addr: usize,
    pub size: usize,
    pub is_write: bool,
    pub is_atomic: bool,
    pub trace: Vec<usize>,
}

#[derive(Default)]
pub struct LocationView {
    pub kind: &'static CStr,
    pub addr: usize,
    pub start: usize,
    pub size: usize,
    pub thread: u32,
    pub descriptor: i32,
    pub trace: Vec<usize>,
}

pub struct LockView {
    pub addr: usize,
    pub is_destroyed: bool,
    pub trace: Vec<usize>,
}

pub struct ThreadView {
    pub number: u32,
    pub os_tid: i32,
    pub is_running: bool,
    pub name: CString,
    pub created_by: Option<u32>,
    pub trace: Vec<usize>,
}

impl View {
    pub fn of_race(kind: ReportKind, race: &Race, symbolizer: &mut Symbolizer) -> View {
        let sides = [&race.current, &race.previous];
        let addr = race
            .racing
            .first()
            .map_or(race.current.addr, |&(start, _)| start);
        let mut view = View::new(kind, &race.threads);
        view.accesses = sides.map(access).into();
        for lock in sides
            .into_iter()
            .flat_map(|side| side.held.iter().flatten())
        {
            view.add_lock(lock);
        }
        view.locations
            .extend(location(&race.location, addr, symbolizer));
        view
    }

    pub fn of_finding(finding: &Finding, symbolizer: &mut Symbolizer) -> View {
        let mut view = View::new(finding.kind, &finding.threads);
        let stacks = finding.parts.iter().filter_map(|part| part.stack.as_ref());
        view.stacks = stacks.map(|stack| stack.pcs.clone()).collect();
        let held = (finding.parts.iter()).flat_map(|part| part.held.iter().flatten());
        for lock in finding.subject.iter().chain(held) {
            view.add_lock(lock);
        }
        if let Some((addr, _, place)) = &finding.location {
            view.locations.extend(location(place, *addr, symbolizer));
        }
        view
    }

    fn new(kind: ReportKind, threads: &[ThreadDesc]) -> View {
        View {
            kind: word(kind),
            stacks: Vec::new(),
            accesses: Vec::new(),
            locations: Vec::new(),
            locks: Vec::new(),
            threads: threads.iter().map(thread).collect(),
        }
    }

    fn add_lock(&mut self, lock: &LockDesc) {
        if self.locks.iter().all(|known| known.addr != lock.addr) {
            self.locks.push(LockView {
                addr: lock.addr,
                is_destroyed: self.kind == word(ReportKind::UseOfDestroyed),
                trace: trace(&lock.creation),
            });
        }
    }
}

fn trace(stack: &Option<Stack>) -> Vec<usize> {
    stack
        .as_ref()
        .map(|stack| stack.pcs.clone())
        .unwrap_or_default()
}

fn access(side: &AccessDesc) -> AccessView {
    let (is_write, is_atomic) = match side.kind {
        AccessKind::Access(access) => (access.is_write(), access.is_atomic()),
        AccessKind::Free | AccessKind::ThreadEnd => (true, false),
    };
    AccessView {
        thread: side.thread,
        addr: side.addr,
        size: side.size,
        is_write,
        is_atomic,
        trace: trace(&side.stack),
    }
}

fn thread(thread: &ThreadDesc) -> ThreadView {
    ThreadView {
        number: thread.number,
        os_tid: thread.os_tid,
        is_running: !thread.finished,
        name: CString::new(thread.name.as_str()).unwrap_or_default(),
        created_by: thread.created_by,
        trace: thread.creation.pcs.clone(),
    }
}

fn location(place: &Location, addr: usize, symbolizer: &mut Symbolizer) -> Option<LocationView> {
    let view = LocationView {
        addr,
        start: addr,
        ..LocationView::default()
    };
    Some(match place {
        Location::Heap {
            start,
            size,
            thread,
            stack,
        } => LocationView {
            kind: c"heap",
            start: *start,
            size: *size,
            thread: *thread,
            trace: trace(stack),
            ..view
        },
        Location::Stack { thread } => LocationView {
            kind: c"stack",
            thread: *thread,
            ..view
        },
        Location::ThreadLocal { thread } => LocationView {
            kind: c"tls",
            thread: *thread,
            ..view
        },
        Location::File(descriptor) => LocationView {
            kind: c"fd",
            descriptor: *descriptor,
            ..view
        },
        Location::Unknown => {
            let variable = symbolizer.data(addr).variable?;
            LocationView {
                kind: c"global",
                start: variable.start as usize,
                size: variable.size as usize,
                ..view
            }
        }
    })
}

/// What debuggers know a kind by: ThreadSanitizer's word for it, or the nearest.
fn word(kind: ReportKind) -> &'static CStr {
    match kind {
        ReportKind::DataRace | ReportKind::StackEndRace => c"data-race",
        ReportKind::VptrRace => c"data-race-vptr",
        ReportKind::UseAfterFreeRace
        | ReportKind::DoubleFreeRace
        | ReportKind::HeapUseAfterFree
        | ReportKind::DoubleFree
        | ReportKind::StackUseAfterEnd => c"heap-use-after-free",
        ReportKind::UnlockOfUnlocked | ReportKind::UnlockByOther => c"mutex-bad-unlock",
        ReportKind::DoubleLock => c"mutex-double-lock",
        ReportKind::ReadLockUpgrade => c"mutex-bad-read-lock",
        ReportKind::DestroyInUse => c"locked-mutex-destroy",
        ReportKind::UseOfDestroyed | ReportKind::EndWithLock | ReportKind::Misuse => {
            c"mutex-invalid-access"
        }
        ReportKind::LockOrderInversion => c"lock-order-inversion",
        ReportKind::SignalUnsafeCall => c"signal-unsafe-call",
        ReportKind::ErrnoInHandler => c"errno-in-signal-handler",
        ReportKind::ThreadLeak | ReportKind::ThreadAtExit => c"thread-leak",
    }
}
