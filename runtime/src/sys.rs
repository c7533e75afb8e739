//! The seam to the operating system: system calls made directly.
//!
//! The runtime is a guest in somebody else's process, and libc belongs to the host: most of its functions are
//! intercepted (so calling them from the runtime would be an event), and all of them set `errno`. What is here does
//! neither. Every function may be called in a signal handler and between `fork` and `exec`.

pub mod lock;
mod signals;
pub mod spawn;

pub use signals::{SignalMask, block_signals, restore_signals, write_all_quietly};

use core::arch::asm;
use core::ffi::CStr;
use core::sync::atomic::AtomicU32;
use core::time::Duration;

/// An error number as the kernel returns it, 1..=4095.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Errno(pub i32);

impl Errno {
    /// The C library's name for the number, for messages; numbers that the runtime never meets have none.
    pub fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            libc::EPERM => "EPERM",
            libc::ENOENT => "ENOENT",
            libc::EINTR => "EINTR",
            libc::EIO => "EIO",
            libc::EBADF => "EBADF",
            libc::ECHILD => "ECHILD",
            libc::EAGAIN => "EAGAIN",
            libc::ENOMEM => "ENOMEM",
            libc::EACCES => "EACCES",
            libc::EFAULT => "EFAULT",
            libc::ENOTDIR => "ENOTDIR",
            libc::EISDIR => "EISDIR",
            libc::EINVAL => "EINVAL",
            libc::EMFILE => "EMFILE",
            libc::ENOSPC => "ENOSPC",
            libc::EROFS => "EROFS",
            libc::EPIPE => "EPIPE",
            libc::ENOSYS => "ENOSYS",
            libc::ENOEXEC => "ENOEXEC",
            libc::ETIMEDOUT => "ETIMEDOUT",
            _ => return None,
        })
    }
}

impl core::fmt::Display for Errno {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "error {}", self.0),
        }
    }
}

impl core::fmt::Debug for Errno {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}

pub type Result<T> = core::result::Result<T, Errno>;

/// What the kernel left in `rax`, as a result.
fn check(value: isize) -> Result<usize> {
    if (-4095..0).contains(&value) {
        Err(Errno(-value as i32))
    } else {
        Ok(value as usize)
    }
}

/// A system call with up to six arguments; those that a call does not have are ignored by the kernel.
///
/// # Safety
/// The arguments must be what the call `number` asks for: memory that it writes must be writable and nobody else's.
pub unsafe fn call(number: libc::c_long, args: [usize; 6]) -> Result<usize> {
    let value: isize;
    // SAFETY: the `syscall` instruction clobbers rcx and r11 and keeps everything else; what the call itself does to
    // memory is vouched for by the caller.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => value,
            in("rdi") args[0],
            in("rsi") args[1],
            in("rdx") args[2],
            in("r10") args[3],
            in("r8") args[4],
            in("r9") args[5],
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    check(value)
}

macro_rules! syscall {
    ($number:ident $(, $arg:expr)* $(,)?) => {{
        let given = [$($arg as usize),*];
        let mut args = [0usize; 6];
        args[..given.len()].copy_from_slice(&given);
        call(libc::$number, args)
    }};
}
pub(crate) use syscall;

/// Writes as much of `bytes` as the kernel takes at once.
pub fn write(fd: i32, bytes: &[u8]) -> Result<usize> {
    // SAFETY: the slice is readable for its whole length.
    unsafe { syscall!(SYS_write, fd, bytes.as_ptr(), bytes.len()) }
}

/// Writes all of `bytes`, waiting up to `patience` whenever a descriptor that does not block is full.
fn write_all(fd: i32, mut bytes: &[u8], patience: Duration) -> Result<()> {
    while !bytes.is_empty() {
        match write(fd, bytes) {
            Ok(0) => return Err(Errno(libc::EIO)),
            Ok(n) => bytes = &bytes[n..],
            Err(Errno(libc::EINTR)) => {}
            Err(Errno(libc::EAGAIN)) => {
                if poll_one(fd, libc::POLLOUT, patience)? == 0 {
                    return Err(Errno(libc::EAGAIN));
                }
            }
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

pub fn read(fd: i32, buffer: &mut [u8]) -> Result<usize> {
    // SAFETY: the slice is writable for its whole length and borrowed exclusively.
    unsafe { syscall!(SYS_read, fd, buffer.as_mut_ptr(), buffer.len()) }
}

/// Opens `path`, close-on-exec; `flags` and `mode` as for open(2).
pub fn open(path: &CStr, flags: i32, mode: u32) -> Result<i32> {
    // SAFETY: a C string is readable up to its zero byte.
    unsafe {
        syscall!(
            SYS_openat,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags | libc::O_CLOEXEC,
            mode
        )
    }
    .map(|fd| fd as i32)
}

pub fn close(fd: i32) -> Result<usize> {
    // SAFETY: closing touches no memory.
    unsafe { syscall!(SYS_close, fd) }
}

/// Whether the calling process may use `path` as `mode` (`R_OK`, `W_OK`, `X_OK`, `F_OK`) says.
pub fn access(path: &CStr, mode: i32) -> Result<usize> {
    // SAFETY: a C string is readable up to its zero byte.
    unsafe { syscall!(SYS_faccessat, libc::AT_FDCWD, path.as_ptr(), mode) }
}

pub fn fstat(fd: i32) -> Result<libc::stat> {
    let mut stat = core::mem::MaybeUninit::<libc::stat>::zeroed();
    // SAFETY: the buffer has the size of the kernel's `struct stat`, which libc's is on x86-64.
    unsafe {
        syscall!(SYS_fstat, fd, stat.as_mut_ptr())?;
        Ok(stat.assume_init())
    }
}

/// Duplicates `fd` to the lowest free number of at least `minimum`, close-on-exec.
pub fn duplicate_above(fd: i32, minimum: i32) -> Result<i32> {
    // SAFETY: no memory is involved.
    unsafe { syscall!(SYS_fcntl, fd, libc::F_DUPFD_CLOEXEC, minimum) }.map(|fd| fd as i32)
}

/// The target of a symbolic link, as bytes.
pub fn read_link(path: &CStr) -> Result<Vec<u8>> {
    let mut target = vec![0u8; libc::PATH_MAX as usize];
    // SAFETY: both buffers are valid for the lengths given.
    let length = unsafe {
        syscall!(
            SYS_readlinkat,
            libc::AT_FDCWD,
            path.as_ptr(),
            target.as_mut_ptr(),
            target.len()
        )
    }?;
    target.truncate(length);
    Ok(target)
}

/// Contents of a regular file or a file in `/proc`, up to `limit` bytes; a longer one is an error (`EFBIG`), and so is
/// whatever could block (`EINVAL`).
pub fn read_file(path: &CStr, limit: usize) -> Result<Vec<u8>> {
    let fd = open(path, libc::O_RDONLY | libc::O_NONBLOCK | libc::O_NOCTTY, 0)?;
    let contents = (|| {
        if fstat(fd)?.st_mode & libc::S_IFMT != libc::S_IFREG {
            return Err(Errno(libc::EINVAL));
        }
        let mut contents = Vec::new();
        let mut chunk = [0u8; 16 << 10];
        loop {
            match read(fd, &mut chunk) {
                Ok(0) => return Ok(contents),
                Ok(n) if contents.len() + n > limit => return Err(Errno(libc::EFBIG)),
                Ok(n) => contents.extend_from_slice(&chunk[..n]),
                Err(Errno(libc::EINTR)) => {}
                Err(e) => return Err(e),
            }
        }
    })();
    let _ = close(fd);
    contents
}

#[cfg(test)]
/// A pipe (read end, write end); `flags` as for pipe2(2), close-on-exec in any case.
pub fn pipe(flags: i32) -> Result<(i32, i32)> {
    let mut fds = [0i32; 2];
    // SAFETY: the array has room for the two descriptors.
    unsafe { syscall!(SYS_pipe2, fds.as_mut_ptr(), flags | libc::O_CLOEXEC) }?;
    Ok((fds[0], fds[1]))
}

/// A connected pair of stream sockets, close-on-exec.
pub fn socket_pair() -> Result<(i32, i32)> {
    let mut fds = [0i32; 2];
    // SAFETY: the array has room for the two descriptors.
    unsafe {
        syscall!(
            SYS_socketpair,
            libc::AF_UNIX,
            libc::SOCK_STREAM | libc::SOCK_CLOEXEC,
            0,
            fds.as_mut_ptr()
        )
    }?;
    Ok((fds[0], fds[1]))
}

/// Sends on a socket without raising `SIGPIPE` when the other end is gone.
pub fn send(fd: i32, bytes: &[u8]) -> Result<usize> {
    let flags = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
    // SAFETY: the slice is readable for its whole length.
    unsafe { syscall!(SYS_sendto, fd, bytes.as_ptr(), bytes.len(), flags) }
}

/// Whether `fd` is a terminal.
pub fn is_terminal(fd: i32) -> bool {
    let mut termios = core::mem::MaybeUninit::<libc::termios>::zeroed();
    // SAFETY: TCGETS fills a kernel `struct termios`, which is a prefix of libc's.
    unsafe { syscall!(SYS_ioctl, fd, libc::TCGETS, termios.as_mut_ptr()) }.is_ok()
}

/// Anonymous or file mapping, arguments as for mmap(2).
///
/// # Safety
/// With `MAP_FIXED` whatever is mapped at `addr` is replaced: it must be the caller's.
pub unsafe fn mmap(
    addr: usize,
    length: usize,
    protection: i32,
    flags: i32,
    fd: i32,
    offset: usize,
) -> Result<usize> {
    // SAFETY: passed on to the caller.
    unsafe { syscall!(SYS_mmap, addr, length, protection, flags, fd, offset) }
}

/// # Safety
/// The range must be the caller's, and no longer in use.
pub unsafe fn munmap(addr: usize, length: usize) -> Result<usize> {
    // SAFETY: passed on to the caller.
    unsafe { syscall!(SYS_munmap, addr, length) }
}

/// # Safety
/// The range must be the caller's; some advice (`MADV_DONTNEED`) loses its contents.
pub unsafe fn madvise(addr: usize, length: usize, advice: i32) -> Result<usize> {
    // SAFETY: passed on to the caller.
    unsafe { syscall!(SYS_madvise, addr, length, advice) }
}

/// Pages that [`is_resident`] asks about at once.
pub const ASKED_PAGES: usize = 64;

/// Whether any page of a private mapping of ours is there, of so few pages that they are asked about at once; true if a sandbox forbids to ask.
pub fn is_resident(address: usize, bytes: usize) -> bool {
    let first = address & !4095;
    let length = (address + bytes).next_multiple_of(4096) - first;
    let mut pages = [0u8; ASKED_PAGES + 1];
    debug_assert!(length / 4096 <= pages.len());
    // SAFETY: mincore looks at nothing; the answer is one byte a page, and there is room.
    let known = unsafe { syscall!(SYS_mincore, first, length, pages.as_mut_ptr()) };
    known.is_err() || pages.iter().any(|page| page & 1 != 0)
}

/// Copies `bytes` bytes at `address` of this process, whether there is memory or not; `None` if not, or if a sandbox forbids it.
pub fn read_memory(address: usize, to: &mut [u64], bytes: usize) -> Option<()> {
    let bytes = bytes.min(size_of_val(to));
    let to = libc::iovec {
        iov_base: to.as_mut_ptr().cast(),
        iov_len: bytes,
    };
    let from = libc::iovec {
        iov_base: address as *mut core::ffi::c_void,
        iov_len: bytes,
    };
    let args = [
        getpid() as usize,
        &raw const to as usize,
        1,
        &raw const from as usize,
        1,
        0,
    ];
    // SAFETY: writes at most the size of `to`, of which any bit pattern is a value.
    let copied = unsafe { call(libc::SYS_process_vm_readv, args) };
    (copied == Ok(bytes)).then_some(())
}

pub fn getpid() -> i32 {
    // SAFETY: no memory is involved.
    unsafe { syscall!(SYS_getpid) }.unwrap_or(0) as i32
}

pub fn gettid() -> i32 {
    // SAFETY: no memory is involved.
    unsafe { syscall!(SYS_gettid) }.unwrap_or(0) as i32
}

/// What tells the running thread from all others, without asking the kernel: where its thread-local storage is. The only thread of a forked child has
/// that of the one that forked.
#[inline(always)]
pub fn thread_pointer() -> usize {
    let pointer;
    // SAFETY: on x86-64, the first word there is its own address.
    unsafe {
        core::arch::asm!("mov {}, qword ptr fs:[0]", out(reg) pointer, options(pure, readonly, nostack, preserves_flags));
    }
    pointer
}

pub fn kill(pid: i32, signal: i32) -> Result<usize> {
    // SAFETY: no memory is involved.
    unsafe { syscall!(SYS_kill, pid, signal) }
}

pub fn tgkill(pid: i32, tid: i32, signal: i32) -> Result<usize> {
    // SAFETY: no memory is involved.
    unsafe { syscall!(SYS_tgkill, pid, tid, signal) }
}

/// Waits for the child `pid`, whatever its exit signal is; `None` if it still runs and `options` has `WNOHANG`.
pub fn wait(pid: i32, options: i32) -> Result<Option<i32>> {
    let mut status = 0i32;
    loop {
        // SAFETY: `status` is writable; no resource usage is asked for.
        match unsafe { syscall!(SYS_wait4, pid, &raw mut status, options | libc::__WALL, 0) } {
            Ok(0) => return Ok(None),
            Ok(_) => return Ok(Some(status)),
            Err(Errno(libc::EINTR)) => {}
            Err(e) => return Err(e),
        }
    }
}

fn timespec(duration: Duration) -> libc::timespec {
    let seconds = duration.as_secs().min(i64::MAX as u64);
    libc::timespec {
        tv_sec: seconds as i64,
        tv_nsec: duration.subsec_nanos() as i64,
    }
}

/// Waits for `events` on one descriptor; returns what happened, 0 when `timeout` has passed.
pub fn poll_one(fd: i32, events: i16, timeout: Duration) -> Result<i16> {
    let end = now() + timeout;
    loop {
        let mut poll = libc::pollfd {
            fd,
            events,
            revents: 0,
        };
        let left = timespec(end.saturating_sub(now()));
        // SAFETY: one pollfd and a timespec that ppoll may change; no signal mask is given.
        match unsafe { syscall!(SYS_ppoll, &raw mut poll, 1, &raw const left, 0, 8) } {
            Ok(0) => return Ok(0),
            Ok(_) => return Ok(poll.revents),
            Err(Errno(libc::EINTR)) => {}
            Err(e) => return Err(e),
        }
    }
}

/// Time of a clock (`CLOCK_MONOTONIC`, ...) since its zero.
pub fn clock(id: i32) -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is writable. The call fails for unknown clocks only, and then leaves zero.
    let _ = unsafe { syscall!(SYS_clock_gettime, id, &raw mut time) };
    Duration::new(time.tv_sec.max(0) as u64, time.tv_nsec as u32)
}

/// Monotonic time.
pub fn now() -> Duration {
    clock(libc::CLOCK_MONOTONIC)
}

/// CPU time that the process has taken.
pub fn cpu_time() -> Duration {
    clock(libc::CLOCK_PROCESS_CPUTIME_ID)
}

pub fn sleep(duration: Duration) {
    let time = timespec(duration);
    // SAFETY: `time` is readable; the remaining time is not asked for.
    let _ = unsafe { syscall!(SYS_nanosleep, &raw const time, 0) };
}

/// Ends the process with `status`: no handlers, no destructors.
pub fn exit_group(status: i32) -> ! {
    loop {
        // SAFETY: ends the process; the loop is for the type checker.
        let _ = unsafe { syscall!(SYS_exit_group, status) };
    }
}

/// Whether two descriptors of this process lead to the same open file; no if the kernel does not tell.
pub fn same_file(one: i32, other: i32) -> bool {
    const FILE: usize = 0; // KCMP_FILE
    // SAFETY: no memory is involved.
    let own = unsafe { syscall!(SYS_getpid) }.unwrap_or(0);
    // SAFETY: as above.
    let order = unsafe { syscall!(SYS_kcmp, own, own, FILE, one, other) };
    order == Ok(0)
}

/// Sleeps while `*word == expected`, until woken or `timeout` (`ETIMEDOUT`); may return early.
pub fn futex_wait(word: &AtomicU32, expected: u32, timeout: Option<Duration>) -> Result<usize> {
    let time = timeout.map(timespec);
    let time = time
        .as_ref()
        .map_or(core::ptr::null(), |time| time as *const libc::timespec);
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the word is a live, aligned u32, and the time is null or readable.
    unsafe { syscall!(SYS_futex, word.as_ptr(), operation, expected, time) }
}

/// Wakes up to `count` waiters of `word`; returns how many.
pub fn futex_wake(word: &AtomicU32, count: u32) -> usize {
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the kernel uses the address as a key only.
    unsafe { syscall!(SYS_futex, word.as_ptr(), operation, count) }.unwrap_or(0)
}

pub fn sched_yield() {
    // SAFETY: no memory is involved.
    let _ = unsafe { syscall!(SYS_sched_yield) };
}

/// membarrier(2) with `command` (`MEMBARRIER_CMD_...`) and no flags.
pub fn membarrier(command: i32) -> Result<usize> {
    // SAFETY: no memory is involved.
    unsafe { syscall!(SYS_membarrier, command, 0, 0) }
}

/// Names the calling thread; 15 bytes of it are kept.
pub fn set_thread_name(name: &CStr) {
    // SAFETY: the kernel reads up to the string's zero byte.
    let _ = unsafe { syscall!(SYS_prctl, libc::PR_SET_NAME, name.as_ptr()) };
}

/// Keeps the process from leaving a core file if it dies.
pub fn forbid_core_file() {
    let limit = libc::rlimit64 {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: the limit is readable, the old one is not asked for.
    let _ = unsafe { syscall!(SYS_prlimit64, 0, libc::RLIMIT_CORE, &raw const limit, 0) };
}

/// Whether the calling process adopts the orphans among its descendants.
pub fn is_subreaper() -> bool {
    let mut flag = 0i32;
    // SAFETY: the operation writes one int.
    let _ = unsafe { syscall!(SYS_prctl, libc::PR_GET_CHILD_SUBREAPER, &raw mut flag) };
    flag != 0 || getpid() == 1
}

/// Whether the word that holds the byte at `addr` can be read just now. It is given to the kernel as a signal set, with an order that does
/// not exist: the set is copied before the order is looked at.
pub fn is_readable(addr: usize) -> bool {
    let word = addr & !7;
    // SAFETY: the kernel reads the 8 bytes of a set, if they are there, and writes nothing.
    let answer = unsafe { syscall!(SYS_rt_sigprocmask, i32::MAX, word, 0, 8) };
    // At null it reads nothing. Any other answer is a sandbox's, which does not know.
    word != 0 && answer != Err(Errno(libc::EFAULT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_numbers_and_errno_is_left_alone() {
        // SAFETY: the location of the calling thread's errno.
        let errno = unsafe { &mut *libc::__errno_location() };
        *errno = 12345;
        assert_eq!(
            open(c"/nonexistent/file", libc::O_RDONLY, 0),
            Err(Errno(libc::ENOENT))
        );
        assert_eq!(close(-1), Err(Errno(libc::EBADF)));
        assert_eq!(*errno, 12345);
        assert_eq!(Errno(libc::ENOENT).to_string(), "ENOENT");
        assert_eq!(Errno(4000).to_string(), "error 4000");
    }

    #[test]
    fn a_pipe_carries_bytes_and_poll_times_out() {
        let (read_end, write_end) = pipe(0).unwrap();
        assert_eq!(
            poll_one(read_end, libc::POLLIN, Duration::from_millis(5)),
            Ok(0)
        );
        write_all(write_end, b"abc", Duration::ZERO).unwrap();
        assert_eq!(
            poll_one(read_end, libc::POLLIN, Duration::from_secs(5)),
            Ok(libc::POLLIN)
        );
        let mut buffer = [0; 8];
        assert_eq!(read(read_end, &mut buffer), Ok(3));
        assert_eq!(&buffer[..3], b"abc");
        close(read_end).unwrap();
        close(write_end).unwrap();
    }

    #[test]
    fn a_full_pipe_ends_the_patience_of_a_writer() {
        let (read_end, write_end) = pipe(libc::O_NONBLOCK).unwrap();
        let bytes = vec![0u8; 1 << 20];
        assert_eq!(
            write_all(write_end, &bytes, Duration::from_millis(10)),
            Err(Errno(libc::EAGAIN))
        );
        close(read_end).unwrap();
        close(write_end).unwrap();
    }

    #[test]
    fn files_are_read_whole_and_within_the_limit() {
        let limits = read_file(c"/proc/self/limits", 1 << 20).unwrap();
        assert!(limits.starts_with(b"Limit"));
        assert_eq!(read_file(c"/proc/self/limits", 3), Err(Errno(libc::EFBIG)));
        assert_eq!(read_file(c"/dev/null", 3), Err(Errno(libc::EINVAL)));
    }

    #[test]
    fn futex_wait_sees_a_changed_word_and_times_out() {
        let word = AtomicU32::new(1);
        assert_eq!(futex_wait(&word, 2, None), Err(Errno(libc::EAGAIN)));
        assert_eq!(
            futex_wait(&word, 1, Some(Duration::from_millis(2))),
            Err(Errno(libc::ETIMEDOUT))
        );
    }
}
