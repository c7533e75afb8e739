//! What the program's synchronization objects are: kind, who made them and where, by address.
//!
//! The engine knows an object as an address and a role. This table is for the reports ("holding mutex ...", "rwlock created
//! at ..."), and for the few facts that an interceptor cannot read off the object itself. It is off the path of a lock
//! operation: an object without an initializer call is entered at its first use by a thread, and each thread remembers its
//! recent ones, so that the next use costs two loads. The locks in here are taken inside the runtime only (with a `Scope`), so
//! that a fork, which waits until all threads are outside, finds none held.

pub mod recent;

use core::ffi::c_void;
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use goldilocks_core::event::{Entity, Role};

use crate::aliases;
use crate::caller::Caller;
use crate::interceptors::barrier::Rounds;
use crate::lock_order;
use crate::misuse;
use crate::modules;
use crate::pipeline::{Scope, enter};
use crate::state::multi_threaded;

/// What an object is to the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    Mutex = 1,
    RecursiveMutex,
    Rwlock,
    SpinLock,
    Condition,
    Barrier,
    Semaphore,
    Once,
    StaticGuard,
    /// A lock of the program's own.
    Annotated,
    /// The same, and a thread that holds it may take it again.
    RecursiveAnnotated,
    Critical,
    OpenMpLock,
}

impl Kind {
    /// The word for it in reports, as in "holding mutex `m`" or "Rwlock `l` created by T0 at".
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Mutex => "mutex",
            Kind::RecursiveMutex => "recursive mutex",
            Kind::Rwlock => "rwlock",
            Kind::SpinLock => "spin lock",
            Kind::Condition => "condition variable",
            Kind::Barrier => "barrier",
            Kind::Semaphore => "semaphore",
            Kind::Once => "once flag",
            Kind::StaticGuard => "guard of a static variable",
            Kind::Annotated => "lock",
            Kind::RecursiveAnnotated => "recursive lock",
            Kind::Critical => "critical section",
            Kind::OpenMpLock => "OpenMP lock",
        }
    }

    /// Roles under which the engine may know an object of this kind.
    pub fn roles(self) -> &'static [Role] {
        match self {
            Kind::Rwlock | Kind::Annotated | Kind::RecursiveAnnotated => {
                &[Role::Object, Role::Readers]
            }
            Kind::Barrier => &[Role::BarrierEven, Role::BarrierOdd],
            _ => &[Role::Object],
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.noun())
    }
}

/// Where an object was initialized by a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Creation {
    /// Number of the thread in reports.
    pub thread: u32,
    /// Interned stack, 0 if unknown.
    pub stack: u32,
}

/// What a report can say about an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Description {
    pub kind: Kind,
    /// `None` for one that has a static initializer, or none.
    pub creation: Option<Creation>,
}

/// What is known of when an annotated lock begins and ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lifetime {
    #[default]
    Unknown,
    /// It has no constructor, nor a destructor that would mean anything.
    Static,
    /// It was created by a constructor, which says so.
    Constructed,
}

/// What the object at an address is.
#[derive(Clone)]
struct Object {
    kind: Kind,
    lifetime: Lifetime,
    creation: Option<Creation>,
    /// Of a barrier: its generations.
    rounds: Option<Arc<Rounds>>,
    /// Of a named semaphore: how often it is open.
    opened: u32,
}

impl Object {
    fn new(kind: Kind, creation: Option<Creation>) -> Object {
        Object {
            kind,
            lifetime: Lifetime::Unknown,
            creation,
            rounds: None,
            opened: 0,
        }
    }
}

const SHARDS: usize = 64;
const PAGE_BITS: u32 = 12;
/// Pages that share a counter of [`POPULATION`].
const CLASSES: usize = 4096;

/// The table, sharded by page, so that what is in a range is found page by page.
static TABLE: [Mutex<BTreeMap<u64, Object>>; SHARDS] =
    [const { Mutex::new(BTreeMap::new()) }; SHARDS];

/// Objects per class of pages: lets `forget_range` skip, with one load, a page that has none. Relaxed: a thread that frees
/// memory is ordered by the program after those that used objects in it.
static POPULATION: [AtomicU32; CLASSES] = [const { AtomicU32::new(0) }; CLASSES];

/// Times that objects of a class of pages have been forgotten: what a thread remembers from before is void. Relaxed, as above.
static FORGOTTEN: [AtomicU32; CLASSES] = [const { AtomicU32::new(0) }; CLASSES];

fn class(address: u64) -> usize {
    ((address >> PAGE_BITS).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize
}

fn shard(address: u64) -> MutexGuard<'static, BTreeMap<u64, Object>> {
    let index = (address >> PAGE_BITS) as usize % SHARDS;
    TABLE[index]
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn insert(address: u64, object: Object) {
    if shard(address).insert(address, object).is_none() {
        POPULATION[class(address)].fetch_add(1, Ordering::Relaxed);
    }
}

/// Changes whenever the object at `address` may have become another one.
#[inline(always)]
pub fn generation(address: u64) -> u64 {
    // Relaxed: as of `FORGOTTEN`.
    FORGOTTEN[class(address)].load(Ordering::Relaxed).into()
}

/// Notes the use; whether it is a new one. A signal handler that comes in between makes it one at worst.
#[inline(always)]
fn is_new(address: u64, kind: Kind) -> bool {
    let validity = generation(address) << 1 | multi_threaded() as u64;
    recent::is_new(address, kind, validity)
}

/// The program is about to use an object of `kind` at `address`, which may be new. To use it is to read it, so that
/// nobody may make it, destroy it or free its memory at that time: checked at the first use by a thread since that was done.
#[inline(always)]
pub fn using(caller: Caller, address: u64, kind: Kind) {
    if is_new(address, kind) {
        new_use(caller, address, kind);
    }
}

#[cold]
fn new_use(caller: Caller, address: u64, kind: Kind) {
    if let Some(mut scope) = enter(caller) {
        recent::missed();
        first_use(aliases::home(address), kind);
        if is_observed(caller) {
            scope.read(address as *const c_void, 1);
        }
    }
}

/// The program makes or destroys an object of `bytes` bytes, which is a write of it.
pub fn changes(scope: &mut Scope, address: u64, bytes: usize) {
    if is_observed(scope.caller()) {
        scope.write(address as *const c_void, bytes);
    }
}

/// Whether what orders the uses of an object by this code is known to us. Libraries that are not instrumented have locks in
/// memory of their own, and order its end by atomics of their own, for example.
fn is_observed(caller: Caller) -> bool {
    // What threads of the parent did to a lock, the child has a copy of.
    !misuse::is_forked() && modules::code_of_program().contains(&caller.pc)
}

/// The program uses an object of `kind` at `address`, which may be new.
#[inline]
pub fn used(address: u64, kind: Kind) {
    let address = aliases::home(address);
    if is_new(address, kind) {
        first_use(address, kind);
    }
}

#[cold]
fn first_use(address: u64, kind: Kind) {
    let mut shard = shard(address);
    match shard.get(&address) {
        Some(object) if object.kind == kind => return,
        // Not every use says that it is recursive.
        Some(object) if object.kind == Kind::RecursiveAnnotated && kind == Kind::Annotated => {
            return;
        }
        // Memory has changed hands without a call that would have told us.
        Some(_) => {}
        None => {
            POPULATION[class(address)].fetch_add(1, Ordering::Relaxed);
        }
    }
    shard.insert(address, Object::new(kind, None));
}

/// What the program says of an object that may be in use.
pub fn has_lifetime(address: u64, kind: Kind, lifetime: Lifetime) {
    let address = aliases::home(address);
    first_use(address, kind);
    if let Some(object) = shard(address).get_mut(&address) {
        object.lifetime = lifetime;
    }
}

/// What it has said.
pub fn lifetime(address: u64) -> Lifetime {
    let address = aliases::home(address);
    let known = shard(address).get(&address).map(|object| object.lifetime);
    known.unwrap_or_default()
}

/// The program initializes an object: whatever was at the address is gone.
pub fn created(scope: &mut Scope, address: u64, kind: Kind) {
    let address = aliases::home(address);
    forgotten(scope, address, kind);
    let creation = Creation {
        thread: scope.thread_number(),
        stack: scope.stack(),
    };
    insert(address, Object::new(kind, Some(creation)));
}

/// The program has destroyed the object of `kind` at `address`.
pub fn forgotten(scope: &mut Scope, address: u64, kind: Kind) {
    let address = aliases::home(address);
    let previous = remove(address);
    for role in previous.unwrap_or(kind).roles().iter().chain(kind.roles()) {
        let object = Entity::object(address, *role);
        scope.forget(object);
        // What is made here next is another lock.
        scope.released(object);
    }
}

fn remove(address: u64) -> Option<Kind> {
    lock_order::forget(address);
    let removed = shard(address).remove(&address)?;
    POPULATION[class(address)].fetch_sub(1, Ordering::Relaxed);
    FORGOTTEN[class(address)].fetch_add(1, Ordering::Relaxed);
    Some(removed.kind)
}

/// Memory is given back: drops every object in it, and tells each with its kind, so that the engine can forget it.
pub fn forget_range(start: u64, bytes: u64, mut gone: impl FnMut(Entity)) {
    let Some(last) = bytes
        .checked_sub(1)
        .and_then(|more| start.checked_add(more))
    else {
        return;
    };
    let (first_page, last_page) = (start >> PAGE_BITS, last >> PAGE_BITS);
    if last_page - first_page >= CLASSES as u64 {
        // So large that looking at what there is, is less than looking at every page.
        for shard in &TABLE {
            let mut shard = shard
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            drop_range(&mut shard, start, last, &mut gone);
        }
        return;
    }
    for page in first_page..=last_page {
        let base = page << PAGE_BITS;
        if POPULATION[class(base)].load(Ordering::Relaxed) != 0 {
            drop_range(
                &mut shard(base),
                start.max(base),
                last.min(base | ((1 << PAGE_BITS) - 1)),
                &mut gone,
            );
        }
    }
}

fn drop_range(
    shard: &mut BTreeMap<u64, Object>,
    first: u64,
    last: u64,
    gone: &mut impl FnMut(Entity),
) {
    while let Some((&address, object)) = shard.range(first..=last).next() {
        let kind = object.kind;
        lock_order::forget(address);
        shard.remove(&address);
        POPULATION[class(address)].fetch_sub(1, Ordering::Relaxed);
        FORGOTTEN[class(address)].fetch_add(1, Ordering::Relaxed);
        kind.roles()
            .iter()
            .for_each(|role| gone(Entity::object(address, *role)));
    }
}

/// What is known about the object at `address`, for a report.
pub fn describe(address: u64) -> Option<Description> {
    let shard = shard(address);
    shard.get(&address).map(|object| Description {
        kind: object.kind,
        creation: object.creation,
    })
}

/// Notes the generations of a barrier. `None` if they cannot be followed.
pub fn set_rounds(address: u64, rounds: Option<Arc<Rounds>>) {
    let address = aliases::home(address);
    let mut shard = shard(address);
    match shard.get_mut(&address) {
        Some(object) => object.rounds = rounds,
        None => {
            POPULATION[class(address)].fetch_add(1, Ordering::Relaxed);
            shard.insert(
                address,
                Object {
                    rounds,
                    ..Object::new(Kind::Barrier, None)
                },
            );
        }
    }
}

/// The generations of the barrier at `address`.
pub fn rounds(address: u64) -> Option<Arc<Rounds>> {
    let address = aliases::home(address);
    shard(address).get(&address)?.rounds.clone()
}

/// A named semaphore was opened at `address`. Opening it again gives the same address.
pub fn opened(scope: &mut Scope, address: u64) {
    let address = aliases::home(address);
    let known = {
        let mut shard = shard(address);
        match shard.get_mut(&address) {
            Some(object) if object.kind == Kind::Semaphore && object.opened > 0 => {
                object.opened += 1;
                true
            }
            _ => false,
        }
    };
    if !known {
        created(scope, address, Kind::Semaphore);
        if let Some(object) = shard(address).get_mut(&address) {
            object.opened = 1;
        }
    }
}

/// A named semaphore is about to be closed. The last close unmaps it.
pub fn closing(scope: &mut Scope, address: u64) {
    let address = aliases::home(address);
    let last = match shard(address).get_mut(&address) {
        Some(object) => {
            object.opened = object.opened.saturating_sub(1);
            object.opened == 0
        }
        None => true,
    };
    if last {
        forgotten(scope, address, Kind::Semaphore);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_known_from_its_first_use_until_its_memory_is_given_back() {
        let base = 0x7_1234_5000;
        used(base + 8, Kind::Mutex);
        used(base + 0x40, Kind::SpinLock);
        assert_eq!(
            describe(base + 8),
            Some(Description {
                kind: Kind::Mutex,
                creation: None
            })
        );
        let mut gone = Vec::new();
        forget_range(base, 0x40, |entity| gone.push(entity));
        assert_eq!(gone, [Entity::object(base + 8, Role::Object)]);
        assert_eq!(describe(base + 8), None);
        assert!(describe(base + 0x40).is_some());
        // What the thread remembers of it is void.
        used(base + 8, Kind::Mutex);
        assert!(describe(base + 8).is_some());
        // Another kind at the same place: memory was reused.
        used(base + 8, Kind::Rwlock);
        assert_eq!(describe(base + 8).unwrap().kind, Kind::Rwlock);
    }

    #[test]
    fn ranges_may_span_pages_or_be_huge() {
        let base = 0x9_0000_0ff8;
        let objects = [base, base + 8, base + 0x5000, base + (1 << 30)];
        objects
            .iter()
            .for_each(|&object| used(object, Kind::Rwlock));
        let mut gone = Vec::new();
        forget_range(base, 0x5000, |entity| gone.push(entity));
        assert_eq!(gone.len(), 4, "two objects, two roles each");
        forget_range(base, 1 << 33, |entity| gone.push(entity));
        assert_eq!(gone.len(), 8);
        assert!(objects.iter().all(|&object| describe(object).is_none()));
        forget_range(u64::MAX - 8, 100, |_| unreachable!());
        forget_range(base, 0, |_| unreachable!());
    }
}
