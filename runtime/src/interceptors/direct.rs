//! `syscall`: system calls that a program makes by number. The common ones do what the function of their name does.

use core::ffi::{c_char, c_int, c_long, c_void};

use super::descriptors::{self, input};
use super::files::check_buffers;
use super::given::file_name;
use super::libc_table::{check, reads, reads_one, writes, writes_one};
use super::signal_targets::makes;
use super::signals::sent_by_number;
use crate::caller::Caller;
use crate::forks;
use crate::state::multi_threaded;
use crate::{caller, interceptors, real};

/// System calls whose result is a new descriptor.
fn opens(number: c_long) -> bool {
    matches!(
        number,
        libc::SYS_open
            | libc::SYS_openat
            | libc::SYS_openat2
            | libc::SYS_creat
            | libc::SYS_open_by_handle_at
            | libc::SYS_open_tree
            | libc::SYS_fsopen
            | libc::SYS_fsmount
            | libc::SYS_fspick
            | libc::SYS_memfd_create
            | libc::SYS_memfd_secret
            | libc::SYS_mq_open
            | libc::SYS_eventfd
            | libc::SYS_eventfd2
            | libc::SYS_timerfd_create
            | libc::SYS_epoll_create
            | libc::SYS_epoll_create1
            | libc::SYS_inotify_init
            | libc::SYS_inotify_init1
            | libc::SYS_fanotify_init
            | libc::SYS_socket
            | libc::SYS_accept
            | libc::SYS_accept4
            | libc::SYS_pidfd_open
            | libc::SYS_userfaultfd
            | libc::SYS_perf_event_open
            | libc::SYS_io_uring_setup
            | libc::SYS_landlock_create_ruleset
    )
}

/// Before a call that closes descriptors, which are followed before there are threads, too.
fn closes(caller: Caller, number: c_long, [a, b, c, ..]: [u64; 6]) {
    match number {
        libc::SYS_close => descriptors::closing(caller, a as c_int),
        libc::SYS_close_range => {
            descriptors::closing_range_with(caller, a as u32, b as u32, c as u32);
        }
        libc::SYS_dup2 | libc::SYS_dup3 if a as c_int != b as c_int => {
            descriptors::touch(caller, a as c_int);
            descriptors::closing(caller, b as c_int);
        }
        _ => {}
    }
}

/// Reads before the call, and the sync-source if it puts data somewhere.
///
/// # Safety
/// The arguments of the system call `number`.
unsafe fn before(caller: Caller, number: c_long, arguments: [u64; 6]) {
    let [a, b, c, d, ..] = arguments;
    let (fd, memory, bytes) = (a as c_int, b as *const c_void, c as usize);
    let path = |at: u64| reads(at as *const c_char, file_name(at as *const c_char));
    match number {
        libc::SYS_write | libc::SYS_pwrite64 | libc::SYS_sendto => {
            check(caller, &[reads(memory, bytes)]);
            descriptors::release(caller, fd);
        }
        libc::SYS_writev | libc::SYS_pwritev => {
            // SAFETY: the caller's contract.
            unsafe { check_buffers(caller, memory.cast(), bytes, None) };
            descriptors::release(caller, fd);
        }
        libc::SYS_open
        | libc::SYS_stat
        | libc::SYS_lstat
        | libc::SYS_access
        | libc::SYS_unlink
        | libc::SYS_readlink
        | libc::SYS_memfd_create => check(caller, &[path(a)]),
        libc::SYS_openat
        | libc::SYS_newfstatat
        | libc::SYS_faccessat
        | libc::SYS_unlinkat
        | libc::SYS_statx => check(caller, &[path(b)]),
        libc::SYS_setitimer => check(caller, &[reads_one(memory.cast::<libc::itimerval>())]),
        libc::SYS_nanosleep => check(caller, &[reads_one(a as *const libc::timespec)]),
        libc::SYS_sched_setaffinity => check(caller, &[reads(c as *const c_void, b as usize)]),
        // The word is read by the kernel, as by an atomic load, which races with plain accesses only: programs make theirs atomic, and
        // the detector sees those. Of a timed wait, the time is read.
        libc::SYS_futex if matches!(b & 0x7f, 0 | 6 | 9 | 11) => {
            check(caller, &[reads_one(d as *const libc::timespec)]);
        }
        _ => {}
    }
}

/// What was written, and the sync-sink if data came from somewhere.
///
/// # Safety
/// As [`before`]; the call has returned `result`, which is no failure.
unsafe fn after(caller: Caller, number: c_long, arguments: [u64; 6], result: c_long) {
    let [a, b, c, d, e, _] = arguments;
    let (fd, memory, bytes, got) = (a as c_int, b as *const c_void, c as usize, result as usize);
    match number {
        libc::SYS_read | libc::SYS_pread64 | libc::SYS_recvfrom => {
            input(caller, fd, || result as isize);
            check(caller, &[writes(memory, got.min(bytes))]);
        }
        libc::SYS_readv | libc::SYS_preadv => {
            input(caller, fd, || result as isize);
            // SAFETY: the caller's contract.
            unsafe { check_buffers(caller, memory.cast(), bytes, Some(got)) };
        }
        number if opens(number) => descriptors::opened(caller, result as c_int),
        libc::SYS_signalfd | libc::SYS_signalfd4 => {
            // SAFETY: the caller's contract: the kernel has read the set.
            descriptors::takes_signals(caller, result as c_int, unsafe { *memory.cast::<u64>() });
        }
        libc::SYS_pidfd_getfd => descriptors::received(caller, result as c_int),
        libc::SYS_dup | libc::SYS_dup2 | libc::SYS_dup3 => {
            descriptors::duplicated(caller, fd, result as c_int);
        }
        libc::SYS_fcntl if matches!(b as c_int, libc::F_DUPFD | libc::F_DUPFD_CLOEXEC) => {
            descriptors::duplicated(caller, fd, result as c_int);
        }
        libc::SYS_socketpair => {
            let ends = d as *const [c_int; 2];
            check(caller, &[writes_one(ends)]);
            // SAFETY: the caller's contract.
            descriptors::opened_pair(caller, unsafe { *ends });
        }
        libc::SYS_pipe | libc::SYS_pipe2 => {
            let ends = a as *const [c_int; 2];
            check(caller, &[writes_one(ends)]);
            // SAFETY: the caller's contract.
            descriptors::opened_pair(caller, unsafe { *ends });
        }
        libc::SYS_getrandom => check(caller, &[writes(a as *const c_void, got)]),
        libc::SYS_stat | libc::SYS_lstat | libc::SYS_fstat => {
            check(caller, &[writes_one(memory.cast::<libc::stat>())]);
        }
        libc::SYS_newfstatat => check(caller, &[writes_one(c as *const libc::stat)]),
        libc::SYS_statx => check(caller, &[writes_one(e as *const libc::statx)]),
        libc::SYS_readlink => check(caller, &[writes(memory, got)]),
        libc::SYS_getcwd => check(caller, &[writes(a as *const c_void, got)]),
        libc::SYS_getdents64 => check(caller, &[writes(memory, got)]),
        libc::SYS_clock_gettime | libc::SYS_clock_getres => {
            check(caller, &[writes_one(memory.cast::<libc::timespec>())]);
        }
        libc::SYS_setitimer => check(caller, &[writes_one(c as *const libc::itimerval)]),
        libc::SYS_gettimeofday => check(caller, &[writes_one(a as *const libc::timeval)]),
        libc::SYS_time => check(caller, &[writes_one(a as *const i64)]),
        libc::SYS_uname => check(caller, &[writes_one(a as *const libc::utsname)]),
        libc::SYS_sysinfo => check(caller, &[writes_one(a as *const libc::sysinfo)]),
        libc::SYS_getrusage => check(caller, &[writes_one(memory.cast::<libc::rusage>())]),
        libc::SYS_getrlimit => check(caller, &[writes_one(memory.cast::<libc::rlimit>())]),
        libc::SYS_prlimit64 => check(caller, &[writes_one(d as *const libc::rlimit)]),
        libc::SYS_getcpu => check(
            caller,
            &[writes_one(a as *const u32), writes_one(b as *const u32)],
        ),
        // The kernel's answer is as many bytes as its sets have, and says how many.
        libc::SYS_sched_getaffinity => check(caller, &[writes(c as *const c_void, got)]),
        _ => {}
    }
}

/// Whether a system call makes a process that begins with a copy of this one's memory and goes on here.
///
/// # Safety
/// The arguments of the program's call.
unsafe fn is_fork(number: c_long, [a, b, ..]: [u64; 6]) -> bool {
    let with = |flags: u64, stack: u64| flags & libc::CLONE_VM as u64 == 0 && stack == 0;
    match number {
        libc::SYS_fork | libc::SYS_vfork => true,
        libc::SYS_clone => with(a, b),
        libc::SYS_clone3 => {
            // SAFETY: of its structure, these are there in all versions.
            let arguments = unsafe { (a as *const [u64; 8]).as_ref() };
            arguments.is_some_and(|arguments| with(arguments[0], arguments[5]))
        }
        _ => false,
    }
}

interceptors! {
    // Variadic, but all its arguments are in the registers of the first six, or on the stack behind.
    fn syscall(number: c_long, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) -> c_long {
        let caller = caller!();
        // SAFETY: the program's call, with its arguments.
        unsafe {
            let arguments = [a, b, c, d, e, f];
            closes(caller, number, arguments);
            if multi_threaded() {
                before(caller, number, arguments);
            }
            if is_fork(number, arguments) {
                // The child of a `vfork` would go on in the parent's memory, as after the function of that name.
                let number = if number == libc::SYS_vfork { libc::SYS_fork } else { number };
                return makes(caller, || {
                    let made = forks::fork_by(|| real!(syscall)(number, a, b, c, d, e, f));
                    (made, made as c_int)
                });
            }
            let call = || real!(syscall)(number, a, b, c, d, e, f);
            let result = sent_by_number(caller, number, arguments, call);
            if result >= 0 && multi_threaded() {
                after(caller, number, arguments, result);
            }
            result
        }
    }
}
