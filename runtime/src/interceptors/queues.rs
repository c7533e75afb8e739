//! Message queues and semaphores of System V (and what is asked about its shared memory): what is sent or given happens before what is
//! received or taken. And message queues
//! of POSIX, as far as they are opened and asked about (see `requests` for what is sent).

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_long, c_uint, c_void};

use goldilocks_core::event::{Effect, Entity, Role};

use super::descriptors;
use super::libc_table::{check, reads, reads_one, string, writes, writes_one};
use crate::caller::Caller;
use crate::pipeline::enter;
use crate::state::multi_threaded;
use crate::{caller, interceptors, libc_table, real};

/// `mq_attr`.
type Attributes = libc::mq_attr;

/// What System V calls by a number has sync objects of these kinds.
#[derive(Clone, Copy)]
enum Kind {
    Queue,
    /// What was given to a set of semaphores.
    Given,
    /// What was taken: who waits for zero comes after that.
    Taken,
}

/// The name is above all addresses; that a file has the same is as unlikely as for two files.
fn entity(kind: Kind, id: c_int) -> Entity {
    Entity::object(
        1 << 54 | (kind as u64) << 52 | u64::from(id as u32) << 3,
        Role::File,
    )
}

fn sync(caller: Caller, effect: Effect, object: Entity) {
    if multi_threaded()
        && let Some(mut scope) = enter(caller)
    {
        scope.sync(effect, object);
    }
}

interceptors! {
    fn msgsnd(queue: c_int, message: *const c_long, bytes: usize, flags: c_int) -> c_int {
        let caller = caller!();
        // The type, and the text behind it.
        check(caller, &[reads(message, size_of::<c_long>() + bytes)]);
        sync(caller, Effect::RELEASE, entity(Kind::Queue, queue));
        // SAFETY: the program's call, here and below.
        unsafe { real!(msgsnd)(queue, message, bytes, flags) }
    }
    fn msgrcv(queue: c_int, message: *mut c_long, bytes: usize, kind: c_long, flags: c_int) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        let got = unsafe { real!(msgrcv)(queue, message, bytes, kind, flags) };
        if got >= 0 {
            check(caller, &[writes(message, size_of::<c_long>() + got as usize)]);
            sync(caller, Effect::ACQUIRE, entity(Kind::Queue, queue));
        }
        got
    }
    fn semop(set: c_int, steps: *mut libc::sembuf, count: usize) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { step(caller, set, steps, count, || real!(semop)(set, steps, count)) }
    }
    fn semtimedop(set: c_int, steps: *mut libc::sembuf, count: usize, patience: *const libc::timespec) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(patience)]);
        // SAFETY: as above.
        unsafe { step(caller, set, steps, count, || real!(semtimedop)(set, steps, count, patience)) }
    }
    // The fourth argument may be missing; it is in a register then as well, where nobody looks at it.
    fn semctl(set: c_int, number: c_int, command: c_int, argument: *mut c_void) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        control(caller, set, command, argument, || unsafe { real!(semctl)(set, number, command, argument) })
    }
    fn msgctl(queue: c_int, command: c_int, about: *mut libc::msqid_ds) -> c_int {
        let caller = caller!();
        if command == libc::IPC_SET {
            check(caller, &[reads_one(about)]);
        }
        // SAFETY: as above.
        let result = unsafe { real!(msgctl)(queue, command, about) };
        if result >= 0 && command == libc::IPC_STAT {
            check(caller, &[writes_one(about)]);
        }
        result
    }
    fn shmctl(segment: c_int, command: c_int, about: *mut libc::shmid_ds) -> c_int {
        let caller = caller!();
        if command == libc::IPC_SET {
            check(caller, &[reads_one(about)]);
        }
        // SAFETY: as above.
        let result = unsafe { real!(shmctl)(segment, command, about) };
        if result >= 0 && command == libc::IPC_STAT {
            check(caller, &[writes_one(about)]);
        }
        result
    }

    // On Linux, a queue of POSIX is a descriptor.
    fn mq_open(name: *const c_char, flags: c_int, mode: c_uint, attributes: *const Attributes) -> c_int {
        let caller = caller!();
        if multi_threaded() {
            // SAFETY: as above. The attributes are there if it is to be created.
            unsafe { check(caller, &[reads(name, string(name))]) };
            if flags & libc::O_CREAT != 0 {
                check(caller, &[reads_one(attributes)]);
            }
        }
        // SAFETY: as above.
        let queue = unsafe { real!(mq_open)(name, flags, mode, attributes) };
        if queue >= 0 {
            descriptors::opened(caller, queue);
        }
        queue
    }
    fn __mq_open_2(name: *const c_char, flags: c_int) -> c_int {
        let caller = caller!();
        if multi_threaded() {
            // SAFETY: as above.
            unsafe { check(caller, &[reads(name, string(name))]) };
        }
        // SAFETY: as above.
        let queue = unsafe { real!(__mq_open_2)(name, flags) };
        if queue >= 0 {
            descriptors::opened(caller, queue);
        }
        queue
    }
}

/// Steps of semaphores. Who takes comes after who gave, and who waits for zero after who took.
///
/// # Safety
/// `steps` points to `count` of them.
unsafe fn step(
    caller: Caller,
    set: c_int,
    steps: *const libc::sembuf,
    count: usize,
    call: impl FnOnce() -> c_int,
) -> c_int {
    if !multi_threaded() {
        return call();
    }
    check(caller, &[reads(steps, count * size_of::<libc::sembuf>())]);
    // SAFETY: the caller's contract.
    let any =
        |wanted: fn(i16) -> bool| (0..count).any(|at| wanted(unsafe { (*steps.add(at)).sem_op }));
    let (gives, takes, waits) = (any(|by| by > 0), any(|by| by < 0), any(|by| by == 0));
    if gives {
        sync(caller, Effect::RELEASE, entity(Kind::Given, set));
    }
    if takes {
        sync(caller, Effect::RELEASE, entity(Kind::Taken, set));
    }
    let result = call();
    if result == 0 && takes {
        sync(caller, Effect::ACQUIRE, entity(Kind::Given, set));
    }
    if result == 0 && waits {
        sync(caller, Effect::ACQUIRE, entity(Kind::Taken, set));
    }
    result
}

/// Commands of semctl that the libc crate has no names for.
const GETALL: c_int = 13;
const SETVAL: c_int = 16;
const SETALL: c_int = 17;
const SEM_STAT: c_int = 18;
const SEM_STAT_ANY: c_int = 20;

/// semctl. Who sets semaphores gives and takes. To find out their values orders nothing, as with those of POSIX.
fn control(
    caller: Caller,
    set: c_int,
    command: c_int,
    argument: *mut c_void,
    call: impl FnOnce() -> c_int,
) -> c_int {
    if !multi_threaded() {
        return call();
    }
    match command {
        SETALL => check(caller, &[reads(argument, bytes_of_values(set))]),
        libc::IPC_SET => check(caller, &[reads(argument, size_of::<libc::semid_ds>())]),
        _ => {}
    }
    if matches!(command, SETVAL | SETALL) {
        sync(caller, Effect::RELEASE, entity(Kind::Given, set));
        sync(caller, Effect::RELEASE, entity(Kind::Taken, set));
    }
    let result = call();
    if result < 0 {
        return result;
    }
    match command {
        GETALL => check(caller, &[writes(argument, bytes_of_values(set))]),
        libc::IPC_STAT | SEM_STAT | SEM_STAT_ANY => {
            check(caller, &[writes(argument, size_of::<libc::semid_ds>())])
        }
        _ => {}
    }
    result
}

/// What the values of all semaphores of a set take; 0 if there is no such set.
fn bytes_of_values(set: c_int) -> usize {
    let mut known = core::mem::MaybeUninit::<libc::semid_ds>::zeroed();
    // SAFETY: `known` is large enough for the answer, and all of its bit patterns are values.
    unsafe {
        let failed = real!(semctl)(set, 0, libc::IPC_STAT, known.as_mut_ptr().cast()) < 0;
        match failed {
            true => 0,
            false => known.assume_init().sem_nsems as usize * size_of::<u16>(),
        }
    }
}

libc_table! {
    fn mq_getattr(queue: c_int, to: *mut Attributes) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn mq_setattr(queue: c_int, from: *const Attributes, old: *mut Attributes) -> c_int {
        before { reads_one(from) }
        after(result) if (result == 0) { writes_one(old) }
    }
}
