//! From a race, as the engine finds it, to its description: whose accesses, whose memory, why.

use crate::annotations::benign;
use crate::extended_state::preserved;
use crate::heap;
use crate::interceptors::descriptors;
use crate::interceptors::signal_targets::signal_of;
use crate::library_locks;
use crate::modules::Modules;
use crate::openmp;
use crate::own_stack::on_own_stack;
use crate::report::excerpt::excerpt;
use crate::report::model::{
    AccessDesc, AccessKind, Location, LockDesc, Member, ObjectDesc, Race as RaceReport, ReportKind,
    Stack, Step, StepKind, ThreadDesc,
};
use crate::report::{self, Between};
use crate::sites::{Shape, SiteInfo};
use crate::state::runtime;
use crate::sync_objects;
use crate::thread;
use goldilocks_core::detector::Race;
use goldilocks_core::event::{Access, Clock, Effect, Entity, Incarnation, Role, Slot, SyncEvent};
use goldilocks_core::goldilocks::{Ownership, Thread};
use goldilocks_core::line::Site;

/// Longest ownership chain that a report tells, steps; and how many of them are the accessing thread's at the end.
const MAX_STEPS: (usize, usize) = (16, 4);

/// The running thread's access ran into an earlier one.
pub fn found(thread: &mut Thread, race: Race, access: Access, range: (u64, u64), site: Site) {
    if openmp::tasks::any() && is_of_one_thread(thread, &race) {
        return;
    }
    let kind = match (race.freed, race.ordered) {
        (true, true) => ReportKind::HeapUseAfterFree,
        (true, false) => ReportKind::UseAfterFreeRace,
        (false, _) => ReportKind::DataRace,
    };
    describe(kind, thread, race, access.into(), range, site);
}

/// Whether a race is between a store of a pointer to a virtual table and a load of it. Of loads, the compiler's tag does not
/// get here; but what else reads exactly that pointer is a copy of a whole object by an integer, which compilers do not make of
/// objects with virtual functions.
fn is_on_vptr(
    race: &Race,
    access: AccessKind,
    range: (u64, u64),
    current: &SiteInfo,
    previous: Option<&SiteInfo>,
) -> bool {
    let Some(previous) = previous else {
        return false;
    };
    let same_place = current.shape != Shape::UNKNOWN
        && previous.shape.around(race.addr) == Some(range)
        && range.1 == 8;
    let stores = |info: &SiteInfo, kind: AccessKind| {
        info.shape.is_virtual_table() && kind == AccessKind::Access(Access::Write)
    };
    let loads = |kind: AccessKind| kind == AccessKind::Access(Access::Read);
    let earlier = AccessKind::from(race.earlier.access());
    same_place
        && (stores(current, access) && loads(earlier) || stores(previous, earlier) && loads(access))
}

/// The running thread's free ran into an earlier access, or into another free.
pub fn found_by_free(thread: &mut Thread, race: Race, range: (u64, u64), site: Site) {
    let kind = match (race.freed, race.ordered) {
        (true, true) => ReportKind::DoubleFree,
        (true, false) => ReportKind::DoubleFreeRace,
        (false, _) => ReportKind::UseAfterFreeRace,
    };
    describe(kind, thread, race, AccessKind::Free, range, site);
}

/// The end of the running thread ran into an access of its stack by another.
pub fn found_by_end(thread: &mut Thread, race: Race, site: Site) {
    // A word that another thread's end has marked is of a stack that this one was given without our knowing.
    if !race.freed {
        let range = (race.addr, race.earlier.tag.mask().count_ones() as u64);
        describe(
            ReportKind::StackEndRace,
            thread,
            race,
            AccessKind::ThreadEnd,
            range,
            site,
        );
    }
}

fn describe(
    kind: ReportKind,
    thread: &mut Thread,
    race: Race,
    access: AccessKind,
    range: (u64, u64),
    site: Site,
) {
    // Of a range, only the bytes of this word are known.
    if benign::is_declared(race.addr, race.earlier.tag.mask().count_ones() as u64) {
        return;
    }
    let between = Between {
        sites: (site, race.earlier.site),
        byte: (race.addr & 7) as u32,
    };
    // What was freed, and is mapped anew, tells nothing.
    if !race.freed && report::is_known(between) {
        return;
    }
    let sites = &runtime().sites;
    let current = sites.lookup(site, 0).unwrap_or_default();
    let previous = sites.lookup(race.earlier.site, (race.addr & 7) as u32);
    if race.freed && is_mapped_anew(race.addr) {
        return;
    }
    let by_end = race.freed
        && previous
            .as_ref()
            .is_some_and(|info| info.shape.is_thread_end());
    let kind = match kind {
        ReportKind::UseAfterFreeRace if by_end => ReportKind::StackEndRace,
        ReportKind::HeapUseAfterFree if by_end => ReportKind::StackUseAfterEnd,
        kind => kind,
    };
    let before = previous.as_ref().map_or(&[][..], pcs);
    if report::is_duplicate(pcs(&current), before, between) {
        return;
    }
    let kind = if kind == ReportKind::DataRace
        && is_on_vptr(&race, access, range, &current, previous.as_ref())
    {
        ReportKind::VptrRace
    } else {
        kind
    };
    on_own_stack(|| {
        preserved(|| describe_new(kind, thread, race, access, range, current, previous))
    });
}

/// The return addresses of an access's stack; the end of a thread has none.
fn pcs(info: &SiteInfo) -> &[usize] {
    match info.shape.is_thread_end() {
        true => &[],
        false => &info.pcs,
    }
}

/// Whether the dynamic linker has put a module where the program had unmapped something: it maps by itself. What was there
/// before is then forgotten.
fn is_mapped_anew(addr: u64) -> bool {
    let modules = Modules::load();
    let Some(module) = modules.find(addr as usize) else {
        return false;
    };
    for (segment, _) in &module.segments {
        let first = segment.start & !4095;
        let bytes = segment.end.next_multiple_of(4096) - first;
        runtime().give_back(first as u64, bytes as u64);
    }
    true
}

fn describe_new(
    kind: ReportKind,
    thread: &mut Thread,
    race: Race,
    access: AccessKind,
    (addr, bytes): (u64, u64),
    current: SiteInfo,
    previous: Option<SiteInfo>,
) {
    let (owner, clock) = runtime().engine.epochs.lookup(race.earlier.tag.epoch());
    let ownership = if race.ordered {
        Ownership::default()
    } else {
        runtime().engine.explain(thread, race.earlier.tag)
    };
    let owner_serial = number_at(owner, clock);
    let own_serial = number_at(thread.slot, thread.clock());
    let ended = |info: &SiteInfo| info.shape.is_thread_end();
    let (ends, has_ended) = (ended(&current), previous.as_ref().is_some_and(ended));
    // Of a range, only the bytes of this word are known.
    let shared = (race.addr, race.earlier.tag.mask().count_ones() as u64);
    let (mut start, mut size) = previous
        .as_ref()
        .and_then(|info| info.shape.around(race.addr))
        .unwrap_or(shared);
    let (mut addr, mut bytes) = (addr, bytes);
    // What was freed is the block.
    let buried = race
        .freed
        .then(|| heap::buried_around(race.addr as usize))
        .flatten();
    if race.freed && !has_ended {
        (start, size) = buried.map_or((start, 0), |block| (block.start as u64, block.size as u64));
        if access == AccessKind::Free {
            (addr, bytes) = (buried.map_or(addr, |_| start), size);
        }
    }
    let mut mentioned = vec![own_serial, owner_serial];
    let steps = steps(&ownership, owner, thread.incarnation(), &mut mentioned);
    let before = before(&ownership, owner, &mut mentioned);
    let location = if ends || has_ended {
        Location::Stack {
            thread: if ends { own_serial } else { owner_serial },
        }
    } else if let Some(block) = buried {
        of_block(block, &mut mentioned)
    } else {
        location(race.addr as usize, &mut mentioned)
    };
    // Its site need not know them, the thread does.
    let held = current.held.unwrap_or_else(|| thread.held().to_vec());
    let held = self::held(&held, &mut mentioned);
    let description = RaceReport {
        current: AccessDesc {
            kind: access,
            addr: addr as usize,
            size: bytes as usize,
            thread: own_serial,
            stack: (!ends).then_some(Stack { pcs: current.pcs }),
            held,
        },
        previous: AccessDesc {
            kind: if has_ended {
                AccessKind::ThreadEnd
            } else if race.freed {
                AccessKind::Free
            } else {
                race.earlier.access().into()
            },
            addr: start as usize,
            size: size as usize,
            thread: owner_serial,
            held: previous
                .as_ref()
                .and_then(|info| self::held(info.held.as_deref()?, &mut mentioned)),
            stack: previous
                .filter(|_| !has_ended)
                .map(|info| Stack { pcs: info.pcs }),
        },
        racing: racing(race.addr, race.earlier.tag.mask()),
        location,
        threads: threads(mentioned),
        ownership: (!race.ordered).then_some(steps.0),
        ownership_before: before,
        ownership_truncated: steps.1,
    };
    report::report(kind, description);
}

/// The bytes of the word of `addr` that are in `mask`, as ranges.
fn racing(addr: u64, mask: u8) -> Vec<(usize, usize)> {
    let word = addr as usize & !7;
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for byte in (0..8)
        .filter(|bit| mask >> bit & 1 != 0)
        .map(|bit| word + bit)
    {
        match ranges.last_mut() {
            Some((start, bytes)) if *start + *bytes == byte => *bytes += 1,
            _ => ranges.push((byte, 1)),
        }
    }
    ranges
}

/// The locks that a thread holds; `None` if some of them may be missing, or be others' by now.
pub fn held(held: &[Entity], mentioned: &mut Vec<u32>) -> Option<Vec<LockDesc>> {
    library_locks::are_known().then(|| {
        let mut locks = locks(held, mentioned);
        // A method of a lock may be made of another one.
        locks.dedup();
        locks
    })
}

pub fn locks(held: &[Entity], mentioned: &mut Vec<u32>) -> Vec<LockDesc> {
    held.iter()
        .filter_map(|&lock| {
            let (addr, role) = lock.as_object()?;
            let known = sync_objects::describe(addr);
            let creation = known.and_then(|object| object.creation);
            let created_by = creation.map(|creation| creation.thread);
            mentioned.extend(created_by);
            let noun = || known.map_or("", |object| object.kind.noun());
            Some(LockDesc {
                addr: addr as usize,
                kind: library_locks::noun(role).unwrap_or_else(noun),
                shared: [Role::Readers as u8, Role::LibraryReader as u8].contains(&role),
                created_by,
                creation: creation.and_then(|creation| stack_of(creation.stack)),
            })
        })
        .collect()
}

/// The first return address of a site; 0 if that is not known.
pub fn first_pc(site: Site) -> usize {
    let info = runtime().sites.lookup(site, 0);
    info.and_then(|info| info.pcs.first().copied()).unwrap_or(0)
}

fn stack_of(site: Site) -> Option<Stack> {
    runtime()
        .sites
        .lookup(site, 0)
        .map(|info| Stack { pcs: info.pcs })
}

pub fn object(entity: Entity) -> Option<ObjectDesc> {
    let (addr, role) = entity.as_object()?;
    let kind = sync_objects::describe(addr).map_or("", |object| object.kind.noun());
    let name = match role {
        r if r == Role::File as u8 => Some(match descriptors::leading_to(addr) {
            Some(number) => format!("file descriptor {number}"),
            // The object has no name that anybody would know.
            None => "a file descriptor that is closed".to_owned(),
        }),
        r if r == Role::Signal as u8 => Some(match signal_of(addr) {
            0 => "the making of a child process".to_owned(),
            signal => format!("signal {signal}"),
        }),
        r if r == Role::OpenMp as u8 => Some(openmp::name(addr).to_owned()),
        r if r == Role::AtomicPart as u8 || r == Role::AtomicByte as u8 => {
            Some(format!("part of the atomic at {:#x}", addr & !7))
        }
        r if r == Role::Fiber as u8 => Some(format!("the switch to fiber T{addr}")),
        _ => None,
    };
    let addr = if name.is_some() { 0 } else { addr as usize };
    Some(ObjectDesc { addr, kind, name })
}

/// The number of the thread, or of the task of OpenMP, that had `slot` in its sync epoch `clock`.
fn number_at(slot: Slot, clock: Clock) -> u32 {
    thread_and_number_at(slot, clock).1
}

/// The thread of the system, and the number as above.
fn thread_and_number_at(slot: Slot, clock: Clock) -> (u32, u32) {
    let thread = runtime().threads.at(slot, clock);
    match (thread, openmp::tasks::at(slot, clock)) {
        (thread, Some(task))
            if thread.is_none_or(|(_, first_clock)| first_clock <= task.first_clock) =>
        {
            (task.thread, task.number)
        }
        (thread, _) => thread.map_or((0, 0), |(serial, _)| (serial, serial)),
    }
}

/// Whether both accesses were made by tasks that one thread ran, to a variable that every thread has for itself: then they take
/// turns, whichever thread runs them.
fn is_of_one_thread(thread: &Thread, race: &Race) -> bool {
    let Some(owner) = runtime().threads.thread_local_owner(race.addr as usize) else {
        return false;
    };
    let (slot, clock) = runtime().engine.epochs.lookup(race.earlier.tag.epoch());
    let runs_on = |slot, clock| thread_and_number_at(slot, clock).0;
    runs_on(slot, clock) == owner && runs_on(thread.slot, thread.clock()) == owner
}

/// The thread that an event or a thread entity is of.
fn serial(incarnation: Incarnation) -> u32 {
    let thread = runtime().threads.incarnate(incarnation);
    thread
        .or_else(|| openmp::tasks::incarnate(incarnation).map(|task| task.number))
        .unwrap_or(0)
}

fn member(entity: Entity, event: &SyncEvent) -> Option<Member> {
    if let Some(incarnation) = entity.incarnation() {
        return Some(Member::Thread(serial(incarnation)));
    }
    if entity.is_fence_mark() {
        // A thread's marks are set by its own events.
        let actor = serial(event.incarnation);
        return Some(if entity == Entity::release_fence(event.thread) {
            Member::ReleaseFence(actor)
        } else {
            Member::AcquireFence(actor)
        });
    }
    match thread::serial_of(entity) {
        Some(serial) => Some(Member::Thread(serial)),
        None => object(entity).map(Member::Object),
    }
}

/// Members that a report names of those that are known, but not how they came.
const MAX_BEFORE: usize = 64;

/// What came into the set by events that are not kept; `None` if nothing did.
fn before(ownership: &Ownership, owner: Slot, mentioned: &mut Vec<u32>) -> Option<Vec<Member>> {
    let others = ownership
        .members
        .iter()
        .filter(|member| member.as_thread() != Some(owner));
    others.clone().next()?;
    let members = others.take(MAX_BEFORE).filter_map(|&entity| {
        if entity.is_fence_mark() {
            return None;
        }
        let number = match entity.incarnation() {
            Some(incarnation) => Some(serial(incarnation)),
            None => thread::serial_of(entity),
        };
        mentioned.extend(number);
        number
            .map(Member::Thread)
            .or_else(|| object(entity).map(Member::Object))
    });
    Some(members.collect())
}

fn steps(
    ownership: &Ownership,
    owner: Slot,
    accessing: Incarnation,
    mentioned: &mut Vec<u32>,
) -> (Vec<Step>, bool) {
    // What came into the set in the evaluated part of the list is known, how it came is not.
    let evaluated = ownership
        .members
        .iter()
        .any(|&member| member.as_thread() != Some(owner));
    let truncated = evaluated || ownership.growth.len() > MAX_STEPS.0;
    let growth = &ownership.growth;
    let is_own = |index: usize| growth[index].event.incarnation == accessing;
    let told = excerpt(growth.len(), MAX_STEPS, is_own);
    let steps = told.into_iter().filter_map(|index| {
        let growth = &growth[index];
        let event = growth.event;
        let role = event.object.as_object().map(|(_, role)| role);
        let is = |wanted: Role| role == Some(wanted as u8);
        let added = member(growth.entity, &event)?;
        let what = match growth.entity {
            // Of locks and their like, it goes without saying.
            _ if growth.gone && !is(Role::Object) => return None,
            _ if growth.gone => StepKind::Overwrote,
            _ if growth.entity.is_fence_mark() => {
                if event.effect.has(Effect::FENCE_RELEASE) {
                    StepKind::ReleaseFence
                } else {
                    StepKind::RelaxedLoad
                }
            }
            _ if growth.entity.as_thread().is_some() => {
                if is(Role::ThreadEnd) {
                    StepKind::Join
                } else if is(Role::ThreadStart) {
                    StepKind::Did("started in")
                } else if event.effect.has(Effect::FENCE_ACQUIRE) {
                    StepKind::AcquireFence
                } else {
                    StepKind::Acquire
                }
            }
            _ if is(Role::ThreadStart) => StepKind::Fork,
            _ if is(Role::ThreadEnd) => StepKind::Did("ended"),
            _ if event.effect.has(Effect::RELEASE) => StepKind::Release,
            _ => StepKind::RelaxedStore,
        };
        // That a new thread has started adds nothing to what its creation said.
        if matches!(what, StepKind::Did("started in")) {
            return None;
        }
        let actor = serial(event.incarnation);
        mentioned.push(actor);
        if let Member::Thread(number) = added {
            mentioned.push(number);
        }
        let object = match thread::serial_of(event.object) {
            Some(serial) => Some(ObjectDesc {
                addr: 0,
                kind: "",
                name: Some(format!("T{serial}")),
            }),
            None => object(event.object),
        };
        Some(Step {
            thread: actor,
            what,
            object,
            stack: stack_of_event(&event),
            added: (!growth.gone).then_some(added),
        })
    });
    let steps = steps.collect();
    (steps, truncated)
}

/// The stack of an event: its address is kept, and if it was an atomic operation that is still remembered where the atomic is,
/// so are its callers.
fn stack_of_event(event: &SyncEvent) -> Stack {
    let pc = event.pc as usize;
    let remembered = event
        .object
        .as_object()
        .filter(|&(addr, role)| {
            role == Role::Object as u8 && runtime().shadow.is_application(addr, 1)
        })
        .and_then(|(addr, _)| {
            let sites = runtime().detector().sites_at(addr);
            let infos = sites
                .iter()
                .filter_map(|&site| runtime().sites.lookup(site, (addr & 7) as u32));
            infos
                .map(|info| info.pcs)
                .find(|pcs| pcs.first() == Some(&pc))
        });
    Stack {
        pcs: remembered.unwrap_or_else(|| vec![pc]),
    }
}

pub fn location(addr: usize, mentioned: &mut Vec<u32>) -> Location {
    // First, since to look for a block takes the longer the farther away it is.
    let is_static = Modules::load().find(addr).is_some();
    // What the dynamic linker has allocated is memory of threads, or nothing that has a name.
    if !is_static
        && let Some(block) = heap::block_at(addr)
        && block.thread != heap::NO_THREAD
    {
        return of_block(block, mentioned);
    }
    if let Some(descriptor) = descriptors::number_at(addr) {
        return Location::File(descriptor);
    }
    if let Some(thread) = runtime().threads.thread_local_owner(addr) {
        mentioned.push(thread);
        return Location::ThreadLocal { thread };
    }
    if let Some(thread) = runtime().threads.stack_owner(addr) {
        mentioned.push(thread);
        return Location::Stack { thread };
    }
    Location::Unknown
}

fn of_block(block: heap::Block, mentioned: &mut Vec<u32>) -> Location {
    mentioned.push(block.thread);
    Location::Heap {
        start: block.start,
        size: block.size,
        thread: block.thread,
        stack: stack_of(block.stack),
    }
}

/// The threads mentioned, those that created them, and so on.
pub fn threads(mut mentioned: Vec<u32>) -> Vec<ThreadDesc> {
    let mut described: Vec<ThreadDesc> = Vec::new();
    while let Some(number) = mentioned.pop() {
        if described.iter().any(|thread| thread.number == number) {
            continue;
        }
        if let Some(task) = openmp::tasks::numbered(number) {
            mentioned.extend([task.created_by, task.thread]);
            described.push(ThreadDesc {
                number,
                runs_on: Some(task.thread),
                created_by: Some(task.created_by),
                creation: stack_of(task.creation).unwrap_or_default(),
                ..Default::default()
            });
            continue;
        }
        let Some(known) = runtime().threads.describe(number) else {
            continue;
        };
        mentioned.extend(known.created_by);
        described.push(ThreadDesc {
            number,
            runs_on: None,
            os_tid: known.os_tid,
            name: String::from_utf8_lossy(&known.name).into_owned(),
            finished: known.finished,
            is_fiber: known.is_fiber,
            created_by: known.created_by,
            creation: stack_of(known.creation).unwrap_or_default(),
        });
    }
    described.sort_by_key(|thread| thread.number);
    described
}
