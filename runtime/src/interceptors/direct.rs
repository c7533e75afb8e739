//! `syscall`: system calls that a program makes by number. The common ones do what the function of their name does.

use core::ffi::{c_char, c_int, c_long, c_void};

use super::descriptors::{self, input};
use super::files::check_buffers;
use super::given::file_name;
use super::libc_table::{check, reads, reads_one, writes, writes_one};
use crate::caller::Caller;
use crate::state::multi_threaded;
use crate::{caller, interceptors, real};

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
        libc::SYS_close => descriptors::closing(caller, fd),
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
        libc::SYS_open
        | libc::SYS_openat
        | libc::SYS_memfd_create
        | libc::SYS_eventfd2
        | libc::SYS_epoll_create1
        | libc::SYS_socket => {
            descriptors::opened(caller, result as c_int);
        }
        libc::SYS_dup => descriptors::duplicated(caller, fd, result as c_int),
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

interceptors! {
    // Variadic, but all its arguments are in the registers of the first six, or on the stack behind.
    fn syscall(number: c_long, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) -> c_long {
        let caller = caller!();
        // SAFETY: the program's call, with its arguments.
        unsafe {
            if !multi_threaded() {
                // Descriptors are followed before there are threads, too.
                if number == libc::SYS_close {
                    descriptors::closing(caller, a as c_int);
                }
                return real!(syscall)(number, a, b, c, d, e, f);
            }
            before(caller, number, [a, b, c, d, e, f]);
            let result = real!(syscall)(number, a, b, c, d, e, f);
            if result >= 0 {
                after(caller, number, [a, b, c, d, e, f], result);
            }
            result
        }
    }
}
