//! `std::shared_mutex` of libc++, done here.
//!
//! The library builds it from a mutex that it holds for the length of each operation and two condition variables. Taken at their
//! word, these order any two operations, readers' too. So the operations are made here, on the library's own layout and with
//! the real functions beneath, and their meaning is told: that of a readers-writer lock.
//!
//! `std::shared_timed_mutex` waits with a deadline by code that is compiled into the program, which locks the inner mutex itself.
//! For its sake, what is released goes to that mutex as well: so a lock with a deadline may order more than it should.

#![allow(non_snake_case)] // names of the C++ library

use libc::{pthread_cond_t, pthread_mutex_t};

use goldilocks_core::event::{Effect, Entity, Role};

use super::cond::{pthread_cond_broadcast, pthread_cond_signal, pthread_cond_wait};
use super::mutex::{pthread_mutex_lock, pthread_mutex_unlock};
use crate::caller::Caller;
use crate::lock_order;
use crate::pipeline::enter;
use crate::sync_objects::{self, Kind};
use crate::{caller, interceptors, real};

/// `__shared_mutex_base`
#[repr(C)]
pub struct SharedMutex {
    inner: pthread_mutex_t,
    /// Whoever waits for a writer to leave, or for room for one more reader.
    entry: pthread_cond_t,
    /// The writer who waits for the readers to leave.
    readers_gone: pthread_cond_t,
    /// The number of readers, and [`WRITER`].
    state: u32,
}

const WRITER: u32 = 1 << 31;
const READERS: u32 = WRITER - 1;

const STATE: usize = 40 + 48 + 48;
const _: () = assert!(core::mem::offset_of!(SharedMutex, state) == STATE);

/// The lock as the engine knows it: the address of its state, so that the inner mutex keeps its own name.
fn entity(lock: *mut SharedMutex, role: Role) -> Entity {
    Entity::object(lock as u64 + STATE as u64, role)
}

/// Changes the state while the inner mutex is held.
///
/// # Safety
/// The program's lock.
unsafe fn change<R>(lock: *mut SharedMutex, deed: impl FnOnce(*mut SharedMutex) -> R) -> R {
    // SAFETY: passed on to the caller; the real functions, which are no events.
    unsafe {
        real!(pthread_mutex_lock)(&raw mut (*lock).inner);
        let result = deed(lock);
        real!(pthread_mutex_unlock)(&raw mut (*lock).inner);
        result
    }
}

/// After a lock was got.
fn taken(caller: Caller, lock: *mut SharedMutex, writes: bool) {
    if let Some(mut scope) = enter(caller) {
        sync_objects::used(lock as u64 + STATE as u64, Kind::Rwlock);
        scope.sync(Effect::ACQUIRE, entity(lock, Role::Object));
        if writes {
            scope.sync(Effect::ACQUIRE, entity(lock, Role::Readers));
        }
        scope.held(entity(
            lock,
            if writes { Role::Object } else { Role::Readers },
        ));
    }
}

/// Before a lock is given up.
fn gives_up(caller: Caller, lock: *mut SharedMutex, role: Role) {
    if let Some(mut scope) = enter(caller) {
        scope.sync(Effect::RELEASE, entity(lock, role));
        scope.sync(Effect::RELEASE, Entity::object(lock as u64, Role::Object));
        scope.released(entity(lock, role));
    }
}

/// # Safety
/// Memory for a lock.
unsafe fn construct(caller: Caller, lock: *mut SharedMutex) {
    // SAFETY: passed on to the caller. All of glibc's initial values are zero.
    unsafe { lock.write_bytes(0, 1) };
    if let Some(mut scope) = enter(caller) {
        sync_objects::created(&mut scope, lock as u64 + STATE as u64, Kind::Rwlock);
    }
}

interceptors! {
    // std::__shared_mutex_base::__shared_mutex_base(), under both names that constructors have.
    fn _ZNSt3__119__shared_mutex_baseC1Ev(lock: *mut SharedMutex) {
        let caller = caller!();
        // SAFETY: the program's memory, here and below.
        unsafe { construct(caller, lock) }
    }
    fn _ZNSt3__119__shared_mutex_baseC2Ev(lock: *mut SharedMutex) {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { construct(caller, lock) }
    }

    // lock()
    fn _ZNSt3__119__shared_mutex_base4lockEv(lock: *mut SharedMutex) {
        let caller = caller!();
        lock_order::waiting(caller, entity(lock, Role::Object));
        // SAFETY: the program's lock, here and below.
        unsafe {
            change(lock, |lock| {
                while (*lock).state & WRITER != 0 {
                    real!(pthread_cond_wait)(&raw mut (*lock).entry, &raw mut (*lock).inner);
                }
                // From here on no reader enters.
                (*lock).state |= WRITER;
                while (*lock).state & READERS != 0 {
                    real!(pthread_cond_wait)(&raw mut (*lock).readers_gone, &raw mut (*lock).inner);
                }
            });
        }
        taken(caller, lock, true);
    }

    // try_lock()
    fn _ZNSt3__119__shared_mutex_base8try_lockEv(lock: *mut SharedMutex) -> bool {
        let caller = caller!();
        // SAFETY: as above.
        let got = unsafe {
            change(lock, |lock| {
                let free = (*lock).state == 0;
                if free {
                    (*lock).state = WRITER;
                }
                free
            })
        };
        if got {
            taken(caller, lock, true);
        }
        got
    }

    // unlock()
    fn _ZNSt3__119__shared_mutex_base6unlockEv(lock: *mut SharedMutex) {
        let caller = caller!();
        gives_up(caller, lock, Role::Object);
        // SAFETY: as above. Woken up within, because the next owner may destroy the lock.
        unsafe {
            change(lock, |lock| {
                (*lock).state = 0;
                real!(pthread_cond_broadcast)(&raw mut (*lock).entry);
            });
        }
    }

    // lock_shared()
    fn _ZNSt3__119__shared_mutex_base11lock_sharedEv(lock: *mut SharedMutex) {
        let caller = caller!();
        lock_order::waiting(caller, entity(lock, Role::Readers));
        // SAFETY: as above.
        unsafe {
            change(lock, |lock| {
                while (*lock).state & WRITER != 0 || (*lock).state & READERS == READERS {
                    real!(pthread_cond_wait)(&raw mut (*lock).entry, &raw mut (*lock).inner);
                }
                (*lock).state += 1;
            });
        }
        taken(caller, lock, false);
    }

    // try_lock_shared()
    fn _ZNSt3__119__shared_mutex_base15try_lock_sharedEv(lock: *mut SharedMutex) -> bool {
        let caller = caller!();
        // SAFETY: as above.
        let got = unsafe {
            change(lock, |lock| {
                let room = (*lock).state & WRITER == 0 && (*lock).state != READERS;
                if room {
                    (*lock).state += 1;
                }
                room
            })
        };
        if got {
            taken(caller, lock, false);
        }
        got
    }

    // unlock_shared()
    fn _ZNSt3__119__shared_mutex_base13unlock_sharedEv(lock: *mut SharedMutex) {
        let caller = caller!();
        gives_up(caller, lock, Role::Readers);
        // SAFETY: as above.
        unsafe {
            change(lock, |lock| {
                let were_all = (*lock).state & READERS == READERS;
                (*lock).state -= 1;
                if (*lock).state == WRITER {
                    real!(pthread_cond_signal)(&raw mut (*lock).readers_gone);
                } else if were_all {
                    real!(pthread_cond_signal)(&raw mut (*lock).entry);
                }
            });
        }
    }
}
