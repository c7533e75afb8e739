//! Duplicating, closing, reading, writing and locking files, by descriptor.

use core::ffi::{c_int, c_uint, c_void};

use super::descriptors::{self, input};
use super::given::is_there;
use super::libc_table::{check, nothing, reads, reads_one, writes, writes_one};
use super::opening::opened;
use super::signal_targets::{Origin, taken};
use crate::caller::Caller;
use crate::state::multi_threaded;
use crate::{caller, interceptors, real};

type Buffers = *const libc::iovec;

/// A write of `bytes` bytes at `from`, by `call`.
fn write_out(
    caller: Caller,
    fd: c_int,
    from: *const c_void,
    bytes: usize,
    call: impl FnOnce() -> isize,
) -> isize {
    if multi_threaded() {
        check(caller, &[reads(from, bytes)]);
    }
    descriptors::output(caller, fd, call)
}

/// A read to `to`, by `call`, which returns how much it was.
fn read_in(caller: Caller, fd: c_int, to: *mut c_void, call: impl FnOnce() -> isize) -> isize {
    let got = input(caller, fd, call);
    if got > 0 && multi_threaded() {
        check(caller, &[writes(to, got as usize)]);
        if descriptors::is_of_signals(fd) {
            // SAFETY: what a signalfd has filled: whole structures.
            let infos = unsafe {
                let count = got as usize / size_of::<libc::signalfd_siginfo>();
                core::slice::from_raw_parts(to.cast::<libc::signalfd_siginfo>(), count)
            };
            infos.iter().for_each(|info| {
                taken(caller, info.ssi_signo as c_int, Origin::of_descriptor(info))
            });
        }
    }
    got
}

/// Checks the buffers of a list: all for reading (`None`), or the first so many bytes for writing.
///
/// # Safety
/// `buffers` points to `count` buffers; if nothing is written yet, it may be as bad as the kernel allows.
pub unsafe fn check_buffers(
    caller: Caller,
    buffers: Buffers,
    count: usize,
    written: Option<usize>,
) {
    if !multi_threaded() || count > libc::UIO_MAXIOV as usize {
        return;
    }
    // After the call the kernel has read it.
    if written.is_none() && !is_there(buffers, count) {
        return;
    }
    check(caller, &[reads(buffers, count * size_of::<libc::iovec>())]);
    let mut left = written.unwrap_or(usize::MAX);
    for at in 0..count {
        // SAFETY: the caller's contract.
        let libc::iovec { iov_base, iov_len } = unsafe { *buffers.add(at) };
        let bytes = iov_len.min(left);
        check(
            caller,
            &[if written.is_some() {
                writes(iov_base, bytes)
            } else {
                reads(iov_base, bytes)
            }],
        );
        left -= bytes;
    }
}

/// Checks a list of buffers that are not this process's.
fn check_list(caller: Caller, buffers: Buffers, count: usize) {
    if multi_threaded() && count <= libc::UIO_MAXIOV as usize {
        check(caller, &[reads(buffers, count * size_of::<libc::iovec>())]);
    }
}

/// A gathering write.
///
/// # Safety
/// `buffers` points to `count` buffers.
unsafe fn gather(
    caller: Caller,
    fd: c_int,
    buffers: Buffers,
    count: c_int,
    call: impl FnOnce() -> isize,
) -> isize {
    // SAFETY: passed on to the caller.
    unsafe { check_buffers(caller, buffers, count.max(0) as usize, None) };
    descriptors::output(caller, fd, call)
}

/// A scattering read.
///
/// # Safety
/// `buffers` points to `count` buffers.
unsafe fn scatter(
    caller: Caller,
    fd: c_int,
    buffers: Buffers,
    count: c_int,
    call: impl FnOnce() -> isize,
) -> isize {
    let got = input(caller, fd, call);
    if got > 0 {
        // SAFETY: passed on to the caller.
        unsafe { check_buffers(caller, buffers, count.max(0) as usize, Some(got as usize)) };
    }
    got
}

// The third argument of fcntl may be missing; it is in a register then as well, where nobody looks at it.
interceptors! {
    fn pipe(ends: *mut [c_int; 2]) -> c_int {
        let caller = caller!();
        // SAFETY: as above; on success there are two descriptors.
        unsafe {
            let result = real!(pipe)(ends);
            if result == 0 {
                check(caller, &[writes_one(ends)]);
                descriptors::opened_pair(caller, *ends);
            }
            result
        }
    }
    fn pipe2(ends: *mut [c_int; 2], flags: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as in `pipe`.
        unsafe {
            let result = real!(pipe2)(ends, flags);
            if result == 0 {
                check(caller, &[writes_one(ends)]);
                descriptors::opened_pair(caller, *ends);
            }
            result
        }
    }
    fn eventfd(initial: c_uint, flags: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        opened(caller, unsafe { real!(eventfd)(initial, flags) })
    }

    fn dup(old: c_int) -> c_int {
        let caller = caller!();
        descriptors::touch(caller, old);
        // SAFETY: as above.
        let new = unsafe { real!(dup)(old) };
        if new >= 0 {
            descriptors::duplicated(caller, old, new);
        }
        new
    }
    fn dup2(old: c_int, new: c_int) -> c_int {
        let caller = caller!();
        replace(caller, old, new, || {
            // SAFETY: as above.
            unsafe { real!(dup2)(old, new) }
        })
    }
    fn dup3(old: c_int, new: c_int, flags: c_int) -> c_int {
        let caller = caller!();
        replace(caller, old, new, || {
            // SAFETY: as above.
            unsafe { real!(dup3)(old, new, flags) }
        })
    }
    fn close(fd: c_int) -> c_int {
        let caller = caller!();
        descriptors::closing(caller, fd);
        // SAFETY: as above.
        unsafe { real!(close)(fd) }
    }
    fn close_range(first: c_uint, last: c_uint, flags: c_int) -> c_int {
        let caller = caller!();
        descriptors::closing_range_with(caller, first, last, flags as c_uint);
        // SAFETY: as above.
        unsafe { real!(close_range)(first, last, flags) }
    }

    fn closefrom(first: c_int) {
        descriptors::closing_range(caller!(), first.max(0) as c_uint, descriptors::LAST);
        // SAFETY: as above.
        unsafe { real!(closefrom)(first) }
    }

    fn fcntl(fd: c_int, command: c_int, argument: *mut c_void) -> c_int {
        let caller = caller!();
        control(caller, fd, command, argument, || {
            // SAFETY: as above.
            unsafe { real!(fcntl)(fd, command, argument) }
        })
    }
    fn fcntl64(fd: c_int, command: c_int, argument: *mut c_void) -> c_int {
        let caller = caller!();
        control(caller, fd, command, argument, || {
            // SAFETY: as above.
            unsafe { real!(fcntl64)(fd, command, argument) }
        })
    }
    fn flock(fd: c_int, operation: c_int) -> c_int {
        let caller = caller!();
        let locks = operation & (libc::LOCK_EX | libc::LOCK_SH) != 0;
        if !locks {
            descriptors::unlocking(caller, fd);
        }
        // SAFETY: as above.
        let result = unsafe { real!(flock)(fd, operation) };
        if locks && result == 0 {
            descriptors::locked(caller, fd);
        }
        result
    }

    fn read(fd: c_int, to: *mut c_void, bytes: usize) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        read_in(caller, fd, to, || unsafe { real!(read)(fd, to, bytes) })
    }
    fn __read_chk(fd: c_int, to: *mut c_void, bytes: usize, room: usize) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        read_in(caller, fd, to, || unsafe { real!(__read_chk)(fd, to, bytes, room) })
    }
    fn pread(fd: c_int, to: *mut c_void, bytes: usize, offset: i64) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        read_in(caller, fd, to, || unsafe { real!(pread)(fd, to, bytes, offset) })
    }
    fn pread64(fd: c_int, to: *mut c_void, bytes: usize, offset: i64) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        read_in(caller, fd, to, || unsafe { real!(pread64)(fd, to, bytes, offset) })
    }
    fn __pread_chk(fd: c_int, to: *mut c_void, bytes: usize, offset: i64, room: usize) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        read_in(caller, fd, to, || unsafe { real!(__pread_chk)(fd, to, bytes, offset, room) })
    }
    fn __pread64_chk(fd: c_int, to: *mut c_void, bytes: usize, offset: i64, room: usize) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        read_in(caller, fd, to, || unsafe { real!(__pread64_chk)(fd, to, bytes, offset, room) })
    }
    fn __read(fd: c_int, to: *mut c_void, bytes: usize) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        read_in(caller, fd, to, || unsafe { real!(__read)(fd, to, bytes) })
    }
    fn __write(fd: c_int, from: *const c_void, bytes: usize) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        write_out(caller, fd, from, bytes, || unsafe { real!(__write)(fd, from, bytes) })
    }
    fn write(fd: c_int, from: *const c_void, bytes: usize) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        write_out(caller, fd, from, bytes, || unsafe { real!(write)(fd, from, bytes) })
    }
    fn pwrite(fd: c_int, from: *const c_void, bytes: usize, offset: i64) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        write_out(caller, fd, from, bytes, || unsafe { real!(pwrite)(fd, from, bytes, offset) })
    }
    fn pwrite64(fd: c_int, from: *const c_void, bytes: usize, offset: i64) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        write_out(caller, fd, from, bytes, || unsafe { real!(pwrite64)(fd, from, bytes, offset) })
    }
    fn readv(fd: c_int, buffers: Buffers, count: c_int) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scatter(caller, fd, buffers, count, || real!(readv)(fd, buffers, count)) }
    }
    fn preadv(fd: c_int, buffers: Buffers, count: c_int, offset: i64) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scatter(caller, fd, buffers, count, || real!(preadv)(fd, buffers, count, offset)) }
    }
    fn preadv64(fd: c_int, buffers: Buffers, count: c_int, offset: i64) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scatter(caller, fd, buffers, count, || real!(preadv64)(fd, buffers, count, offset)) }
    }
    fn writev(fd: c_int, buffers: Buffers, count: c_int) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { gather(caller, fd, buffers, count, || real!(writev)(fd, buffers, count)) }
    }
    fn pwritev(fd: c_int, buffers: Buffers, count: c_int, offset: i64) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { gather(caller, fd, buffers, count, || real!(pwritev)(fd, buffers, count, offset)) }
    }
    fn pwritev64(fd: c_int, buffers: Buffers, count: c_int, offset: i64) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { gather(caller, fd, buffers, count, || real!(pwritev64)(fd, buffers, count, offset)) }
    }

    fn preadv2(fd: c_int, buffers: Buffers, count: c_int, offset: i64, flags: c_int) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scatter(caller, fd, buffers, count, || real!(preadv2)(fd, buffers, count, offset, flags)) }
    }
    fn preadv64v2(fd: c_int, buffers: Buffers, count: c_int, offset: i64, flags: c_int) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { scatter(caller, fd, buffers, count, || real!(preadv64v2)(fd, buffers, count, offset, flags)) }
    }
    fn pwritev2(fd: c_int, buffers: Buffers, count: c_int, offset: i64, flags: c_int) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { gather(caller, fd, buffers, count, || real!(pwritev2)(fd, buffers, count, offset, flags)) }
    }
    fn pwritev64v2(fd: c_int, buffers: Buffers, count: c_int, offset: i64, flags: c_int) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { gather(caller, fd, buffers, count, || real!(pwritev64v2)(fd, buffers, count, offset, flags)) }
    }
    fn vmsplice(fd: c_int, buffers: Buffers, count: usize, flags: c_uint) -> isize {
        let caller = caller!();
        // SAFETY: as above. Which way the data goes depends on the end of the pipe; reading is what both have in common.
        unsafe { gather(caller, fd, buffers, count as c_int, || real!(vmsplice)(fd, buffers, count, flags)) }
    }
    // Another process's memory is the source or target, or this one's own, which is not checked.
    fn process_vm_readv(process: c_int, to: Buffers, count: usize, from: Buffers, parts: usize, flags: usize) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            check_list(caller, from, parts);
            let got = real!(process_vm_readv)(process, to, count, from, parts, flags);
            if got >= 0 {
                check_buffers(caller, to, count, Some(got as usize));
            }
            got
        }
    }
    fn process_vm_writev(process: c_int, from: Buffers, count: usize, to: Buffers, parts: usize, flags: usize) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            check_list(caller, to, parts);
            check_buffers(caller, from, count, None);
            real!(process_vm_writev)(process, from, count, to, parts, flags)
        }
    }

    fn eventfd_read(fd: c_int, value: *mut u64) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        let result = input(caller, fd, || unsafe { real!(eventfd_read)(fd, value) } as isize) as c_int;
        if result == 0 {
            check(caller, &[writes_one(value)]);
        }
        result
    }
    fn eventfd_write(fd: c_int, value: u64) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        descriptors::output(caller, fd, || unsafe { real!(eventfd_write)(fd, value) })
    }

    // Data that goes from one descriptor into another.
    fn sendfile(to: c_int, from: c_int, offset: *mut i64, bytes: usize) -> isize {
        let caller = caller!();
        check(caller, &[writes_one(offset)]);
        // SAFETY: as above.
        descriptors::pass(caller, from, to, || unsafe { real!(sendfile)(to, from, offset, bytes) })
    }
    fn sendfile64(to: c_int, from: c_int, offset: *mut i64, bytes: usize) -> isize {
        let caller = caller!();
        check(caller, &[writes_one(offset)]);
        // SAFETY: as above.
        descriptors::pass(caller, from, to, || unsafe { real!(sendfile64)(to, from, offset, bytes) })
    }
    fn splice(from: c_int, start: *mut i64, to: c_int, target: *mut i64, bytes: usize, flags: c_uint) -> isize {
        let caller = caller!();
        check(caller, &[writes_one(start), writes_one(target)]);
        descriptors::pass(caller, from, to, || {
            // SAFETY: as above.
            unsafe { real!(splice)(from, start, to, target, bytes, flags) }
        })
    }

    fn copy_file_range(from: c_int, start: *mut i64, to: c_int, target: *mut i64, bytes: usize, flags: c_uint) -> isize {
        let caller = caller!();
        check(caller, &[writes_one(start), writes_one(target)]);
        descriptors::pass(caller, from, to, || {
            // SAFETY: as above.
            unsafe { real!(copy_file_range)(from, start, to, target, bytes, flags) }
        })
    }
    fn tee(from: c_int, to: c_int, bytes: usize, flags: c_uint) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        descriptors::pass(caller, from, to, || unsafe { real!(tee)(from, to, bytes, flags) })
    }

    fn timerfd_create(clock: c_int, flags: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        opened(caller, unsafe { real!(timerfd_create)(clock, flags) })
    }
    // What the timer does later comes after its setting.
    fn timerfd_settime(fd: c_int, flags: c_int, new: *const libc::itimerspec, old: *mut libc::itimerspec) -> c_int {
        let caller = caller!();
        if multi_threaded() {
            check(caller, &[reads_one(new)]);
        }
        // SAFETY: as above.
        let result = descriptors::output(caller, fd, || unsafe { real!(timerfd_settime)(fd, flags, new, old) });
        if result == 0 && multi_threaded() {
            check(caller, &[writes_one(old)]);
        }
        result
    }
}

/// `new` is made to mean what `old` does, by `call`; what it meant before is closed.
fn replace(caller: Caller, old: c_int, new: c_int, call: impl FnOnce() -> c_int) -> c_int {
    if old != new {
        descriptors::touch(caller, old);
        descriptors::closing(caller, new);
    }
    let result = call();
    if result >= 0 {
        descriptors::duplicated(caller, old, new);
    }
    result
}

/// fcntl: duplicates, and locks of open file descriptions. Locks of the process (`F_SETLK`) do not keep its own threads
/// apart, so they order nothing here.
fn control(
    caller: Caller,
    fd: c_int,
    command: c_int,
    argument: *mut c_void,
    call: impl FnOnce() -> c_int,
) -> c_int {
    let lock = argument.cast::<libc::flock>();
    let is_lock = matches!(command, libc::F_OFD_SETLK | libc::F_OFD_SETLKW);
    // SAFETY: with these commands the argument is a lock, if it is there.
    let unlocks =
        is_lock && is_there(lock, 1) && i32::from(unsafe { (*lock).l_type }) == libc::F_UNLCK;
    if multi_threaded() {
        let range = match command {
            libc::F_SETLK | libc::F_SETLKW | libc::F_OFD_SETLK | libc::F_OFD_SETLKW => {
                reads_one(lock)
            }
            libc::F_GETLK | libc::F_OFD_GETLK => writes_one(lock),
            _ => nothing(),
        };
        check(caller, &[range]);
    }
    descriptors::touch(caller, fd);
    if unlocks {
        descriptors::unlocking(caller, fd);
    }
    let result = call();
    match command {
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC if result >= 0 => {
            descriptors::duplicated(caller, fd, result)
        }
        _ if is_lock && !unlocks && result == 0 => descriptors::locked(caller, fd),
        _ => {}
    }
    result
}
