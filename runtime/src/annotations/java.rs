//! A heap whose blocks a runtime of its own allocates, moves and collects, and its locks: what virtual machines call
//! (`__tsan_java_*`). Addresses are numbers; a lock or an atomic is where its object is.

use core::ffi::{c_int, c_void};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use goldilocks_core::event::{Effect, Entity, Role};
use goldilocks_core::tag::Tag;

use super::locks;
use crate::caller::Caller;
use crate::pipeline::{Scope, enter, freeze};
use crate::state::{multi_threaded, runtime};
use crate::sync_objects::Kind;
use crate::{caller, report};
use core::sync::atomic::Ordering;

/// Live blocks: start and size.
static BLOCKS: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

/// Taken inside the runtime only, so that a fork finds it free.
fn blocks() -> MutexGuard<'static, BTreeMap<usize, usize>> {
    BLOCKS
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Nothing that was there counts any more. Collection is no access: it happens when nobody can reach the block.
fn forget(scope: &mut Scope, start: usize, bytes: usize) {
    scope.collected(start as *const c_void, bytes);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_init(_heap: usize, _bytes: usize) {}

/// The status to end with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_fini() -> c_int {
    report::wanted_status().unwrap_or(0)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_alloc(start: usize, bytes: usize) {
    if let Some(mut scope) = enter(caller!()) {
        blocks().insert(start, bytes);
        forget(&mut scope, start, bytes);
    }
}

/// All blocks in the range are collected.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_free(start: usize, bytes: usize) {
    if let Some(mut scope) = enter(caller!()) {
        blocks().retain(|block, _| !(start..start + bytes).contains(block));
        forget(&mut scope, start, bytes);
    }
}

/// While the threads of the virtual machine stand still, blocks are moved. What they did to the contents before is not known to
/// the new place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_move(from: usize, to: usize, bytes: usize) {
    if let Some(mut scope) = enter(caller!()) {
        let mut blocks = blocks();
        let moved: Vec<(usize, usize)> = blocks
            .range(from..from + bytes)
            .map(|(&start, &size)| (start, size))
            .collect();
        blocks.retain(|block, _| !(from..from + bytes).contains(block));
        blocks.extend(
            moved
                .into_iter()
                .map(|(start, size)| (start - from + to, size)),
        );
        drop(blocks);
        forget(&mut scope, from, bytes);
        forget(&mut scope, to, bytes);
    }
}

/// The first block that starts from `*from` on and before `to`, which `*from` becomes; 0 if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_find(from: *mut usize, to: usize) -> usize {
    let Some(_scope) = enter(caller!()) else {
        return 0;
    };
    // SAFETY: what the interface asks of its callers: a place that may be read and written.
    unsafe {
        let Some(start) = blocks().range(*from..to.max(*from)).next().map(|(&s, _)| s) else {
            return 0;
        };
        *from = start;
        start
    }
}

/// The running thread is about to look at objects that nobody else can reach any more: everything that others have done comes before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_finalize() {
    let Some(mut scope) = enter(caller!()) else {
        return;
    };
    if !multi_threaded() {
        return;
    }
    let all = Entity::object(2, Role::Request);
    let frozen = freeze();
    let threads = &runtime().threads;
    threads.each_other_engine(|thread| runtime().engine.sync(thread, Effect::RELEASE, all, 0));
    threads.each_other_block(|block| {
        // Their epochs are over. Relaxed: nobody is inside, and who enters again passes the barrier of `freeze`.
        block.tag.store(Tag::NEVER.0, Ordering::Relaxed);
        block.forget_sets();
    });
    drop(frozen);
    scope.sync(Effect::ACQUIRE, all);
    scope.forget(all);
}

fn lock(caller: Caller, addr: usize, for_reading: bool, times: usize) {
    if let Some(mut scope) = enter(caller) {
        let lock = addr as *const c_void;
        locks::waiting_to_acquire(&mut scope, lock, for_reading);
        let kind = Kind::RecursiveAnnotated;
        locks::acquired(&mut scope, lock, kind, for_reading, times);
    }
}

fn unlock(caller: Caller, addr: usize, for_reading: bool, wholly: bool) -> usize {
    enter(caller).map_or(1, |mut scope| {
        locks::releasing(&mut scope, addr as *const c_void, for_reading, wholly)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_mutex_lock(addr: usize) {
    lock(caller!(), addr, false, 1);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_mutex_unlock(addr: usize) {
    unlock(caller!(), addr, false, false);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_mutex_read_lock(addr: usize) {
    lock(caller!(), addr, true, 1);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_mutex_read_unlock(addr: usize) {
    unlock(caller!(), addr, true, false);
}

/// Takes the lock `times` times at once, as after a wait on a condition.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_mutex_lock_rec(addr: usize, times: c_int) {
    lock(caller!(), addr, false, times.max(1) as usize);
}

/// Gives the lock up however often it is held; the result is how often.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_mutex_unlock_rec(addr: usize) -> c_int {
    unlock(caller!(), addr, false, true) as c_int
}

fn sync(caller: Caller, effect: Effect, addr: usize) {
    if let Some(mut scope) = enter(caller) {
        scope.orders(effect, Entity::object(addr as u64, Role::Object));
    }
}

/// A load of a volatile variable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_acquire(addr: usize) {
    sync(caller!(), Effect::ACQUIRE, addr);
}

/// A read-modify-write of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_release(addr: usize) {
    sync(caller!(), Effect::RELEASE, addr);
}

/// A store to it: what others have released before is not in the new value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_java_release_store(addr: usize) {
    sync(caller!(), Effect::CLEAR.with(Effect::RELEASE), addr);
}
