//! The other end of the symbolizer process, in the host: starts it, asks it, and never waits longer than allowed.

use std::ffi::{CStr, CString};
use std::time::Duration;

use super::protocol::{GREETING, LIMIT, VARIABLE};
use crate::sys::{self, Errno, spawn};

/// The host may close descriptors that it does not know, or use up the low numbers; ours goes above this if it can.
const DESCRIPTOR: i32 = 700;

/// What to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A program that has this runtime in it, or one that gets it by being started with the library `preload`.
    Own {
        program: CString,
        preload: Option<CString>,
    },
    /// An llvm-symbolizer.
    External { program: CString },
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The program has rights that whoever called it does not have, and so would the symbolizer.
    Forbidden,
    CannotStart(Errno),
    /// It did not answer in time, and was ended.
    TimedOut,
    /// It has ended, or its descriptor was closed by the program.
    Gone,
    /// It answered something else.
    Nonsense,
}

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Failure::Forbidden => f.write_str(
                "no symbolizer is started for a program that has more rights than its caller",
            ),
            Failure::CannotStart(e) => write!(f, "the symbolizer cannot be started: {e}"),
            Failure::TimedOut => f.write_str("the symbolizer took too long"),
            Failure::Gone => f.write_str("the symbolizer has ended unexpectedly"),
            Failure::Nonsense => f.write_str("the symbolizer gave an answer that makes no sense"),
        }
    }
}

/// A running symbolizer process. Ends it when dropped.
#[derive(Debug)]
pub struct Process {
    fd: i32,
    /// Device and inode of our socket: if the host closes it, the number may become something of the host's.
    identity: (u64, u64),
    pid: i32,
    /// The process that has started it; a fork has a copy of this value but must not use it.
    owner: i32,
    received: Vec<u8>,
}

impl Process {
    pub fn start(command: &Command, patience: Duration) -> Result<Process, Failure> {
        let (ours, theirs) = sys::socket_pair().map_err(Failure::CannotStart)?;
        let ours = match sys::duplicate_above(ours, DESCRIPTOR) {
            Ok(moved) => {
                let _ = sys::close(ours);
                moved
            }
            Err(_) => ours,
        };
        let started = launch(command, theirs).and_then(|pid| Ok((pid, sys::fstat(ours)?)));
        let _ = sys::close(theirs);
        let (pid, stat) = started.map_err(|e| {
            let _ = sys::close(ours);
            Failure::CannotStart(e)
        })?;
        let identity = (stat.st_dev, stat.st_ino);
        let mut process = Process {
            fd: ours,
            identity,
            pid,
            owner: sys::getpid(),
            received: Vec::new(),
        };
        if let Command::Own { .. } = command {
            let greeting = process.receive(sys::now() + patience, |bytes| {
                (bytes.len() >= GREETING.len()).then_some(GREETING.len())
            })?;
            if greeting != GREETING {
                return Err(Failure::Nonsense);
            }
        }
        Ok(process)
    }

    /// Whether this value belongs to the calling process and its socket is still its own.
    fn is_ours(&self) -> bool {
        self.owner == sys::getpid()
            && sys::fstat(self.fd).is_ok_and(|stat| (stat.st_dev, stat.st_ino) == self.identity)
    }

    /// Sends `request`, and receives bytes until `complete` says how many of them are the reply, which is returned.
    pub fn ask(
        &mut self,
        request: &[u8],
        patience: Duration,
        complete: impl Fn(&[u8]) -> Option<usize>,
    ) -> Result<Vec<u8>, Failure> {
        let end = sys::now() + patience;
        let mut rest = request;
        while !rest.is_empty() {
            if !self.is_ours() {
                return Err(Failure::Gone);
            }
            match sys::send(self.fd, rest) {
                Ok(n) => rest = &rest[n..],
                Err(Errno(libc::EINTR)) => {}
                Err(Errno(libc::EAGAIN)) => self.wait_for(libc::POLLOUT, end)?,
                Err(_) => return Err(Failure::Gone),
            }
        }
        self.receive(end, complete)
    }

    fn receive(
        &mut self,
        end: Duration,
        complete: impl Fn(&[u8]) -> Option<usize>,
    ) -> Result<Vec<u8>, Failure> {
        let mut chunk = [0; 4096];
        loop {
            if let Some(length) = complete(&self.received) {
                let rest = self.received.split_off(length);
                return Ok(core::mem::replace(&mut self.received, rest));
            }
            if self.received.len() > LIMIT {
                return Err(Failure::Nonsense);
            }
            self.wait_for(libc::POLLIN, end)?;
            if !self.is_ours() {
                return Err(Failure::Gone);
            }
            match sys::read(self.fd, &mut chunk) {
                Ok(n @ 1..) => self.received.extend_from_slice(&chunk[..n]),
                Err(Errno(libc::EINTR | libc::EAGAIN)) => {}
                _ => return Err(Failure::Gone),
            }
        }
    }

    fn wait_for(&self, events: i16, end: Duration) -> Result<(), Failure> {
        match sys::poll_one(self.fd, events, end.saturating_sub(sys::now())) {
            Ok(0) => Err(Failure::TimedOut),
            Ok(_) => Ok(()),
            Err(_) => Err(Failure::Gone),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.owner != sys::getpid() {
            // In a fork: the descriptor is a copy, the process is the parent's.
            let own =
                sys::fstat(self.fd).is_ok_and(|stat| (stat.st_dev, stat.st_ino) == self.identity);
            if own {
                let _ = sys::close(self.fd);
            }
            return;
        }
        if !self.is_ours() {
            return;
        }
        // As long as the other end is open somebody holds it, which can only be the process: its id is not reused yet.
        let state = sys::poll_one(self.fd, libc::POLLIN, Duration::ZERO).unwrap_or(libc::POLLHUP);
        if state & (libc::POLLHUP | libc::POLLERR) == 0 {
            let _ = sys::kill(self.pid, libc::SIGKILL);
        }
        let _ = sys::close(self.fd);
        if sys::is_subreaper() {
            // Then it has become our child after all; it was killed, so the wait is short.
            for _ in 0..100 {
                match sys::wait(self.pid, libc::WNOHANG) {
                    Ok(None) => sys::sleep(Duration::from_millis(1)),
                    _ => break,
                }
            }
        }
    }
}

/// Starts the command with `socket` as its connection to us.
fn launch(command: &Command, socket: i32) -> sys::Result<i32> {
    let initial = sys::read_file(c"/proc/thread-self/environ", 8 << 20).unwrap_or_default();
    // The environment that the loader has seen, not the present one: another thread may be changing that.
    let mut environment: Vec<&CStr> = initial
        .split_inclusive(|&byte| byte == 0)
        .filter_map(|entry| CStr::from_bytes_with_nul(entry).ok())
        .collect();
    match command {
        Command::Own { program, preload } => {
            const THERE: i32 = 3;
            let variable = CString::new(format!("{VARIABLE}={THERE}:{}", peer_inode(socket)?))
                .unwrap_or_default();
            environment.push(&variable);
            let preload = preload
                .as_ref()
                .map(|library| [b"LD_PRELOAD=", library.as_bytes()].concat());
            let preload = preload.and_then(|variable| CString::new(variable).ok());
            if let Some(preload) = &preload {
                environment.retain(|entry| !entry.to_bytes().starts_with(b"LD_PRELOAD="));
                environment.push(preload);
            }
            spawn::start(&spawn::Program {
                path: program,
                arguments: &[c"goldilocks-symbolizer"],
                environment: &environment,
                descriptors: &[(socket, THERE)],
            })
        }
        Command::External { program } => spawn::start(&spawn::Program {
            path: program,
            arguments: &[program],
            environment: &environment,
            descriptors: &[(socket, 0), (socket, 1)],
        }),
    }
}

fn peer_inode(socket: i32) -> sys::Result<u64> {
    sys::fstat(socket).map(|stat| stat.st_ino)
}

#[cfg(test)]
impl Process {
    /// For tests that do to the descriptor what a host might do.
    pub(super) fn descriptor(&self) -> i32 {
        self.fd
    }
}
