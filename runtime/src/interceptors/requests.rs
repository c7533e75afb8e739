//! What libc does later on threads of its own: asynchronous I/O, and look-ups of names.
//!
//! A request happens before everything that follows from seeing its completion, be it asked for (`aio_error`, `aio_return`,
//! `aio_suspend`), told by a signal, or told by a call. The request's control block stands for it. What is transferred counts
//! as read or written when the request is made: the thread that does it is libc's, and nothing can be seen of it.
//!
//! For calls, libc copies nothing of the block, so that the function cannot be replaced as for timers. Instead, every request
//! releases one object for all, which each thread that libc makes acquires when it becomes known ([`made_by_libc`]).

use core::ffi::{c_int, c_uint, c_void};

use goldilocks_core::event::{Effect, Entity, Role};
use libc::{aiocb, sigevent, timespec};

use super::descriptors;
use super::libc_table::{Range, check, nothing, reads, reads_one, string, writes, writes_one};
use super::signal_targets::{Target, sending};
use super::timers;
use crate::caller::Caller;
use crate::pipeline::enter;
use crate::state::multi_threaded;
use crate::{caller, interceptors, real};

/// What all requests release.
pub fn made_by_libc() -> Entity {
    Entity::object(0, Role::Request)
}

fn entity(request: *const c_void) -> Entity {
    Entity::object(request as u64, Role::Request)
}

/// Before a request is made, with how its completion will be told. A call is possible from here on, so the process counts as
/// one with several threads.
fn asking(caller: Caller, request: *const c_void, how: Option<&sigevent>) {
    if how.is_some_and(|how| how.sigev_notify == libc::SIGEV_THREAD) {
        crate::thread::now_several(caller);
    }
    let Some(mut scope) = enter(caller) else {
        return;
    };
    scope.sync(Effect::RELEASE, entity(request));
    let Some(how) = how else { return };
    if how.sigev_notify == libc::SIGEV_THREAD {
        scope.sync(Effect::RELEASE, made_by_libc());
    }
    drop(scope);
    if how.sigev_notify == libc::SIGEV_SIGNAL {
        sending(caller, Target::Process, how.sigev_signo);
    }
}

/// The request is seen to be complete.
fn complete(caller: Caller, request: *const c_void) {
    if multi_threaded()
        && let Some(mut scope) = enter(caller)
    {
        scope.sync(Effect::ACQUIRE, entity(request));
    }
}

/// Before I/O is asked for.
///
/// # Safety
/// The program's control block.
unsafe fn transfer(caller: Caller, block: *const aiocb, operation: c_int) {
    // SAFETY: the caller's contract.
    let about = unsafe { &*block };
    let range: Range = match operation {
        libc::LIO_READ => writes(about.aio_buf, about.aio_nbytes),
        libc::LIO_WRITE => reads(about.aio_buf, about.aio_nbytes),
        _ => nothing(),
    };
    check(caller, &[reads_one(block), range]);
    if operation == libc::LIO_WRITE {
        descriptors::release(caller, about.aio_fildes);
    }
    asking(caller, block.cast(), Some(&about.aio_sigevent));
}

type Block = *mut aiocb;
type Blocks = *const Block;

/// After the end of a wait for requests of which `is_complete` knows.
///
/// # Safety
/// The program's list.
unsafe fn waited<T>(
    caller: Caller,
    list: *const *mut T,
    count: c_int,
    is_complete: impl Fn(*mut T) -> bool,
) {
    for at in 0..count.max(0) as usize {
        // SAFETY: the caller's contract.
        let block = unsafe { *list.add(at) };
        if !block.is_null() && is_complete(block) {
            complete(caller, block.cast());
        }
    }
}

/// The same functions, with and without 64 in their names, which on this system mean the same.
macro_rules! transfers {
    ($read:ident $write:ident $sync:ident $list:ident $error:ident $result:ident $suspend:ident) => {
        interceptors! {
            fn $read(block: Block) -> c_int {
                let caller = caller!();
                // SAFETY: the program's call, here and below.
                unsafe {
                    transfer(caller, block, libc::LIO_READ);
                    real!($read)(block)
                }
            }
            fn $write(block: Block) -> c_int {
                let caller = caller!();
                // SAFETY: as above.
                unsafe {
                    transfer(caller, block, libc::LIO_WRITE);
                    real!($write)(block)
                }
            }
            fn $sync(operation: c_int, block: Block) -> c_int {
                let caller = caller!();
                // SAFETY: as above.
                unsafe {
                    transfer(caller, block, libc::LIO_NOP);
                    real!($sync)(operation, block)
                }
            }
            fn $list(mode: c_int, list: Blocks, count: c_int, event: *mut sigevent) -> c_int {
                let caller = caller!();
                check(caller, &[reads(list, count.max(0) as usize * size_of::<Block>()), reads_one(event)]);
                // SAFETY: as above.
                unsafe {
                    for at in 0..count.max(0) as usize {
                        if let Some(block) = (*list.add(at)).as_ref() {
                            transfer(caller, block, block.aio_lio_opcode);
                            if mode == libc::LIO_NOWAIT && !event.is_null() {
                                asking(caller, core::ptr::from_ref(block).cast(), event.as_ref());
                            }
                        }
                    }
                    real!($list)(mode, list, count, event)
                }
            }
            fn $error(block: *const aiocb) -> c_int {
                let caller = caller!();
                // SAFETY: as above.
                let error = unsafe { real!($error)(block) };
                if error != libc::EINPROGRESS {
                    complete(caller, block.cast());
                }
                error
            }
            fn $result(block: Block) -> isize {
                let caller = caller!();
                // SAFETY: as above.
                let result = unsafe { real!($result)(block) };
                complete(caller, block.cast());
                // SAFETY: as above.
                let about = unsafe { &*block };
                if result >= 0 && about.aio_lio_opcode == libc::LIO_READ {
                    descriptors::acquire(caller, about.aio_fildes);
                }
                result
            }
            fn $suspend(list: Blocks, count: c_int, patience: *const timespec) -> c_int {
                let caller = caller!();
                check(caller, &[reads(list, count.max(0) as usize * size_of::<Block>()), reads_one(patience)]);
                // SAFETY: as above.
                unsafe {
                    let result = real!($suspend)(list, count, patience);
                    if result == 0 {
                        waited(caller, list, count, |block| real!($error)(block) != libc::EINPROGRESS);
                    }
                    result
                }
            }
        }
    };
}

transfers!(aio_read aio_write aio_fsync lio_listio aio_error aio_return aio_suspend);
transfers!(aio_read64 aio_write64 aio_fsync64 lio_listio64 aio_error64 aio_return64 aio_suspend64);

/// `struct gaicb`: one look-up of a name.
#[repr(C)]
pub struct LookUp {
    name: *const core::ffi::c_char,
    service: *const core::ffi::c_char,
    hints: *const libc::addrinfo,
    result: *mut libc::addrinfo,
    rest: [c_int; 6],
}

const GAI_WAIT: c_int = 0;
const EAI_INPROGRESS: c_int = -100;

type LookUps = *const *mut LookUp;

interceptors! {
    fn getaddrinfo_a(mode: c_int, list: LookUps, count: c_int, event: *mut sigevent) -> c_int {
        let caller = caller!();
        check(caller, &[reads(list, count.max(0) as usize * size_of::<*mut LookUp>()), reads_one(event)]);
        // SAFETY: the program's call, here and below.
        unsafe {
            for at in 0..count.max(0) as usize {
                if let Some(look_up) = (*list.add(at)).as_mut() {
                    check(caller, &[
                        reads(look_up.name, string(look_up.name)),
                        reads(look_up.service, string(look_up.service)),
                        reads_one(look_up.hints),
                        writes_one(&look_up.result),
                    ]);
                    let event = if mode == GAI_WAIT { None } else { event.as_ref() };
                    asking(caller, core::ptr::from_ref(look_up).cast(), event);
                }
            }
            real!(getaddrinfo_a)(mode, list, count, event)
        }
    }
    fn gai_error(look_up: *mut LookUp) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        let error = unsafe { real!(gai_error)(look_up) };
        if error != EAI_INPROGRESS {
            complete(caller, look_up.cast());
        }
        error
    }
    fn gai_suspend(list: LookUps, count: c_int, patience: *const timespec) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(patience)]);
        // SAFETY: as above.
        unsafe {
            let result = real!(gai_suspend)(list, count, patience);
            waited(caller, list, count, |look_up| real!(gai_error)(look_up) != EAI_INPROGRESS);
            result
        }
    }

    // Message queues are descriptors on Linux.
    fn mq_send(queue: c_int, from: *const c_void, bytes: usize, priority: c_uint) -> c_int {
        let caller = caller!();
        check(caller, &[reads(from, bytes)]);
        // SAFETY: as above.
        descriptors::output(caller, queue, || unsafe { real!(mq_send)(queue, from, bytes, priority) })
    }
    fn mq_timedsend(queue: c_int, from: *const c_void, bytes: usize, priority: c_uint, end: *const timespec) -> c_int {
        let caller = caller!();
        check(caller, &[reads(from, bytes), reads_one(end)]);
        // SAFETY: as above.
        descriptors::output(caller, queue, || unsafe { real!(mq_timedsend)(queue, from, bytes, priority, end) })
    }
    fn mq_receive(queue: c_int, to: *mut c_void, room: usize, priority: *mut c_uint) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        received(caller, to, priority, descriptors::input(caller, queue, || unsafe { real!(mq_receive)(queue, to, room, priority) }))
    }
    fn mq_timedreceive(queue: c_int, to: *mut c_void, room: usize, priority: *mut c_uint, end: *const timespec) -> isize {
        let caller = caller!();
        check(caller, &[reads_one(end)]);
        // SAFETY: as above.
        let got = descriptors::input(caller, queue, || unsafe { real!(mq_timedreceive)(queue, to, room, priority, end) });
        received(caller, to, priority, got)
    }
    fn mq_close(queue: c_int) -> c_int {
        descriptors::closing(caller!(), queue);
        // SAFETY: as above.
        unsafe { real!(mq_close)(queue) }
    }
    fn mq_notify(queue: c_int, event: *const sigevent) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(event)]);
        // SAFETY: as above.
        unsafe {
            let Some(wish) = event.as_ref() else { return real!(mq_notify)(queue, event) };
            if wish.sigev_notify == libc::SIGEV_SIGNAL {
                sending(caller, Target::Process, wish.sigev_signo);
            }
            match timers::wrapped(caller, wish) {
                Some((wish, call)) => {
                    call.follows(queue);
                    call.asked(caller);
                    real!(mq_notify)(queue, &wish)
                }
                None => real!(mq_notify)(queue, event),
            }
        }
    }
}

fn received(caller: Caller, to: *mut c_void, priority: *mut c_uint, got: isize) -> isize {
    if got >= 0 {
        check(caller, &[writes(to, got as usize), writes_one(priority)]);
    }
    got
}
