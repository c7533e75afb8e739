//! One run of a program: what it used, what it printed.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// User and system time of all threads.
    pub cpu: Duration,
    /// From start to end.
    pub wall: Duration,
    /// Most memory that was resident, KiB.
    pub peak: u64,
}

/// Runs it to its end. Anything but success is an error: also a race, there are none in what we measure.
pub fn run(program: &Path, arguments: &[String]) -> Result<(Run, String)> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .env_remove("GOLDILOCKS_OPTIONS");
    let start = Instant::now();
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let mut printed = String::new();
    child
        .stdout
        .take()
        .context("it is piped")?
        .read_to_string(&mut printed)?;
    let (status, usage) = wait(child.id())?;
    let wall = start.elapsed();
    if !(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0) {
        bail!("{command:?} ended with wait status {status:#x}");
    }
    let time = |t: libc::timeval| {
        Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64)
    };
    let run = Run {
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        wall,
        peak: usage.ru_maxrss as u64,
    };
    Ok((run, printed))
}

/// Waits for a child, with what it used: std does not tell.
fn wait(pid: u32) -> Result<(i32, libc::rusage)> {
    let mut status = 0;
    // SAFETY: rusage is a struct of integers, for which all zeros is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live variables of ours; the child is ours and nobody else waits for it.
        let got = unsafe { libc::wait4(pid as libc::pid_t, &mut status, 0, &mut usage) };
        if got == pid as libc::pid_t {
            return Ok((status, usage));
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error).context("waiting for the program");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_and_memory_are_those_of_the_child() {
        let script = "x=$(head -c 30000000 /dev/zero | tr '\\0' a); i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo $i";
        let (run, printed) =
            run(Path::new("/bin/sh"), &["-c".to_owned(), script.to_owned()]).unwrap();
        assert_eq!(printed, "100000\n");
        assert!(
            run.cpu > Duration::from_millis(10) && run.peak > 30_000,
            "{run:?}"
        );
    }

    #[test]
    fn failure_is_an_error() {
        assert!(run(Path::new("/bin/false"), &[]).is_err());
    }
}
