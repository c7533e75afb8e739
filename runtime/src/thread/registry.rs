//! All threads of the run, those that have ended too.

use super::ThreadState;
use crate::contexts::StackBounds;
use crate::modules;
use crate::tls::{self, TlsBlock};
use core::sync::atomic::{AtomicU32, Ordering};
use goldilocks_core::event::{Clock, Incarnation, Slot};
use goldilocks_core::goldilocks::Thread;
use goldilocks_core::line::Site;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// What reports say about a thread.
#[derive(Clone, Debug, Default)]
pub struct Description {
    pub serial: u32,
    pub os_tid: i32,
    pub name: Vec<u8>,
    pub finished: bool,
    pub created_by: Option<u32>,
    pub creation: Site,
    pub bounds: StackBounds,
    /// It runs on whichever thread switches to it.
    pub is_fiber: bool,
}

/// A thread that was neither joined nor detached.
#[derive(Clone, Debug)]
pub struct Unjoined {
    pub serial: u32,
    pub name: Vec<u8>,
    pub creator: u32,
    pub creation: Site,
    pub finished: bool,
}

/// One thread in the registry.
pub(super) struct Record {
    pub(super) description: Description,
    pub(super) slot: Slot,
    pub(super) incarnation: Incarnation,
    /// The first sync epoch that this thread has in its slot.
    pub(super) first_clock: Clock,
    pub(super) pthread: Option<libc::pthread_t>,
    pub(super) detached: bool,
    /// The state of an ended thread that may still be joined.
    pub(super) ended: Option<Box<ThreadState>>,
    /// The block of a living thread, for those who wait until nobody is inside the runtime.
    pub(super) block: usize,
}

/// All threads of the run.
pub struct Registry {
    records: Mutex<Vec<Record>>,
    pub(super) alive: AtomicU32,
    /// Addresses of the states that may wait to be switched to: fibers, and threads that have switched to one.
    contexts: Mutex<BTreeSet<usize>>,
}

// SAFETY: thread states of ended threads are only touched under the lock; blocks are only dereferenced while their thread is
// registered as alive, under the lock that its end takes.
unsafe impl Sync for Registry {}
// SAFETY: as above.
unsafe impl Send for Registry {}

impl Registry {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Registry {
        Registry {
            records: Mutex::new(Vec::new()),
            alive: AtomicU32::new(0),
            contexts: Mutex::new(BTreeSet::new()),
        }
    }

    pub(super) fn with<R>(&self, deed: impl FnOnce(&mut Vec<Record>) -> R) -> R {
        deed(
            &mut self
                .records
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner()),
        )
    }

    /// The description of a thread by serial.
    pub fn describe(&self, serial: u32) -> Option<Description> {
        self.with(|records| {
            records
                .get(serial as usize)
                .map(|record| record.description.clone())
        })
    }

    /// The serial of the thread that had `slot` in its sync epoch `clock`, and its first one.
    pub fn at(&self, slot: Slot, clock: Clock) -> Option<(u32, Clock)> {
        self.with(|records| {
            let mut owner: Option<&Record> = None;
            for record in records.iter() {
                if record.slot == slot
                    && record.first_clock <= clock
                    && owner.is_none_or(|other| other.first_clock < record.first_clock)
                {
                    owner = Some(record);
                }
            }
            owner.map(|record| (record.description.serial, record.first_clock))
        })
    }

    /// The serial of the thread with this incarnation.
    pub fn incarnate(&self, incarnation: Incarnation) -> Option<u32> {
        self.with(|records| {
            let found = records
                .iter()
                .find(|record| record.incarnation == incarnation);
            found.map(|record| record.description.serial)
        })
    }

    /// The serial of the living thread that the kernel calls `os_tid`.
    pub fn with_os_tid(&self, os_tid: i32) -> Option<u32> {
        self.with(|records| {
            records
                .iter()
                .map(|record| &record.description)
                .find(|description| description.os_tid == os_tid && !description.finished)
                .map(|description| description.serial)
        })
    }

    /// Serials of living threads whose stack holds `addr`.
    pub fn stack_owner(&self, addr: usize) -> Option<u32> {
        self.with(|records| {
            records
                .iter()
                .filter(|record| !record.description.finished)
                .find(|record| {
                    (record.description.bounds.low..record.description.bounds.high).contains(&addr)
                })
                .map(|record| record.description.serial)
        })
    }

    /// The living thread that owns the thread-local variable at `addr`, if it is one in the static TLS area.
    pub fn thread_local_owner(&self, addr: usize) -> Option<u32> {
        let offsets = modules::thread_local_offsets();
        self.with(|records| {
            let owns = |record: &&Record| {
                // On x86-64 Linux a thread's id is its thread pointer, below which its thread-locals lie.
                let Some(pointer) = record.pthread else {
                    return false;
                };
                let below = (pointer as usize).wrapping_sub(addr);
                !record.description.finished
                    && offsets.iter().any(|offsets| offsets.contains(&below))
            };
            records
                .iter()
                .find(owns)
                .map(|record| record.description.serial)
        })
    }

    /// Calls `deed` with the block of every living thread but the caller's.
    pub fn each_other_block(&self, mut deed: impl FnMut(&TlsBlock)) {
        let mine = tls::block() as *const TlsBlock as usize;
        self.with(|records| {
            for record in records
                .iter()
                .filter(|record| record.block != 0 && record.block != mine)
            {
                // SAFETY: registered as alive, and its end would need the lock.
                deed(unsafe { &*(record.block as *const TlsBlock) });
            }
        });
    }

    /// Calls `deed` with the kernel's number and the block of the living thread with this id.
    pub fn with_block_of(&self, pthread: libc::pthread_t, deed: impl FnOnce(i32, &TlsBlock)) {
        self.with(|records| {
            let alive = |record: &&Record| record.block != 0 && record.pthread == Some(pthread);
            if let Some(record) = records.iter().find(alive) {
                // SAFETY: registered as alive, and its end would need the lock.
                let block = unsafe { &*(record.block as *const TlsBlock) };
                deed(record.description.os_tid, block);
            }
        });
    }

    /// Calls `deed` with the engine's part of every living thread but the caller's, and of those that can still be joined.
    /// Only while all threads are outside of the runtime (`pipeline::freeze`).
    pub fn each_other_engine(&self, mut deed: impl FnMut(&mut Thread)) {
        self.each_other_block(|block| {
            let state = block.thread.load(Ordering::Relaxed);
            if !state.is_null() {
                // SAFETY: its thread is outside of the runtime and stays there, so nobody else uses the state.
                deed(unsafe { &mut (*state).engine });
            }
        });
        for &context in self.contexts().iter() {
            // SAFETY: in the set from its creation to its end; while it waits, nobody else uses it.
            let state = unsafe { &mut *(context as *mut ThreadState) };
            if state.fiber.waits {
                deed(&mut state.engine);
            }
        }
        self.with(|records| {
            for ended in records
                .iter_mut()
                .filter_map(|record| record.ended.as_mut())
            {
                deed(&mut ended.engine);
            }
        });
    }

    /// The threads that the program has created and neither joined nor detached.
    pub fn unjoined(&self) -> Vec<Unjoined> {
        self.with(|records| {
            let unjoined = records.iter().filter_map(|record| {
                let known = &record.description;
                // Those of libc and of libraries that we do not see are theirs to join.
                let creator = known.created_by?;
                let joinable = !record.detached && record.pthread.is_some();
                (joinable && known.finished == record.ended.is_some()).then(|| Unjoined {
                    serial: known.serial,
                    name: known.name.clone(),
                    creator,
                    creation: known.creation,
                    finished: known.finished,
                })
            });
            unjoined.collect()
        })
    }

    /// Access to the contexts that may wait.
    pub fn contexts(&self) -> std::sync::MutexGuard<'_, BTreeSet<usize>> {
        self.contexts
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// In a forked child: only the calling thread is left.
    pub fn keep_only_caller(&self) {
        let mine = tls::block() as *const TlsBlock as usize;
        self.with(|records| {
            for record in records.iter_mut().filter(|record| record.block != mine) {
                record.block = 0;
                // They are the parent's to join.
                record.pthread = None;
                // The memory of fibers is there, and the thread may go on with any of them.
                record.description.finished |= !record.description.is_fiber;
            }
        });
        self.alive.store(1, Ordering::Relaxed);
    }

    /// Threads that have begun and not ended.
    pub fn alive(&self) -> u32 {
        self.alive.load(Ordering::Relaxed)
    }

    /// Threads created so far.
    pub fn count(&self) -> usize {
        self.with(|records| records.len())
    }
}
