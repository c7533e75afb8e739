//! One run of a program: what it used, what it printed.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

#[derive(Clone, Copy, Debug, Default)]
pub struct Run {
    /// User and system time of all threads, in seconds.
    pub cpu: f64,
    /// From start to end, in seconds.
    pub wall: f64,
    /// Most memory that was resident, KiB.
    pub peak: f64,
    /// CPU time of one event in nanoseconds, as a micro-benchmark measures it itself.
    pub event: Option<f64>,
}

/// How a run ended, and what it printed.
pub struct Outcome {
    pub run: Run,
    /// Exit status, or none if a signal ended it.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Runs it to its end; one that takes longer than `limit` is killed with all its descendants, which is an error. The output goes
/// through the files `OUT.stdout` and `OUT.stderr`, so that nobody has to read it meanwhile.
pub fn run(command: &mut Command, out: &Path, limit: Duration) -> Result<Outcome> {
    let (stdout, stderr) = (out.with_extension("stdout"), out.with_extension("stderr"));
    let create = |path: &Path| {
        File::create(path).with_context(|| format!("cannot write {}", path.display()))
    };
    command
        .stdin(Stdio::null())
        .stdout(create(&stdout)?)
        .stderr(create(&stderr)?)
        .process_group(0);
    let start = Instant::now();
    let child = command
        .spawn()
        .with_context(|| format!("cannot run {command:?}"))?;
    let pid = child.id() as libc::pid_t;
    let (ended, watched) = mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        let late = watched.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
        if late {
            // SAFETY: kill has no preconditions; the group is the child's, which is reaped after this thread has ended, so that
            // the number is not anybody else's.
            unsafe { libc::kill(-pid, libc::SIGKILL) };
        }
        late
    });
    let waited = wait_for_end(pid);
    let wall = start.elapsed();
    drop(ended);
    let late = watch.join().expect("the watch does not panic");
    waited?;
    let (status, usage) = reap(pid)?;
    if late {
        bail!("{command:?} still ran after {} s, killed", limit.as_secs());
    }
    let read =
        |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let (stdout, stderr) = (read(&stdout)?, read(&stderr)?);
    let time = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 * 1e-6;
    Ok(Outcome {
        run: Run {
            cpu: time(usage.ru_utime) + time(usage.ru_stime),
            wall: wall.as_secs_f64(),
            peak: usage.ru_maxrss as f64,
            event: event(&stderr)?,
        },
        status: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        stdout,
        stderr,
    })
}

/// The line `event: 12.5 ns` of a micro-benchmark.
fn event(stderr: &str) -> Result<Option<f64>> {
    let line = stderr.lines().find_map(|line| line.strip_prefix("event: "));
    line.map(|line| {
        let number = line.strip_suffix(" ns").and_then(|n| n.parse().ok());
        number.with_context(|| format!("`event: {line}` is no time"))
    })
    .transpose()
}

/// Waits until a child has ended, and leaves it there.
fn wait_for_end(pid: libc::pid_t) -> Result<()> {
    retried(|| {
        // SAFETY: siginfo_t is a struct of integers, for which all zeros is a value; the child is ours.
        let got = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let how = libc::WEXITED | libc::WNOWAIT;
            libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, how)
        };
        (got == 0).then_some(())
    })
}

/// The status of a child that has ended, and what it and the descendants that it waited for used: std does not tell.
fn reap(pid: libc::pid_t) -> Result<(i32, libc::rusage)> {
    retried(|| {
        let mut status = 0;
        // SAFETY: rusage is a struct of integers, for which all zeros is a value.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: both pointers are to live variables of ours; the child is ours and nobody else waits for it.
        let got = unsafe { libc::wait4(pid, &mut status, 0, &mut usage) };
        (got == pid).then_some((status, usage))
    })
}

/// Calls it again when a signal interrupted it.
fn retried<T>(call: impl Fn() -> Option<T>) -> Result<T> {
    loop {
        if let Some(result) = call() {
            return Ok(result);
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

    fn shell(name: &str, script: &str, limit: Duration) -> Result<Outcome> {
        let out = std::env::temp_dir().join(format!("goldilocks-{}-{name}", std::process::id()));
        let outcome = run(Command::new("/bin/sh").args(["-c", script]), &out, limit);
        for extension in ["stdout", "stderr"] {
            let _ = fs::remove_file(out.with_extension(extension));
        }
        outcome
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn cpu_time_and_memory_are_those_of_the_child() {
        let script = "x=$(head -c 30000000 /dev/zero | tr '\\0' a); i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo $i";
        let outcome = shell("usage", script, LONG).unwrap();
        assert_eq!(outcome.stdout, "100000\n");
        assert!(
            outcome.run.cpu > 0.01 && outcome.run.peak > 30_000.0,
            "{:?}",
            outcome.run
        );
    }

    #[test]
    fn the_way_it_ended_is_told() {
        let outcome = shell("status", "echo 'event: 2.5 ns' >&2; exit 66", LONG).unwrap();
        assert_eq!((outcome.status, outcome.run.event), (Some(66), Some(2.5)));
        assert_eq!(shell("signal", "kill -9 $$", LONG).unwrap().status, None);
        assert!(shell("event", "echo 'event: x' >&2", LONG).is_err());
    }

    #[test]
    fn what_takes_too_long_is_killed_with_its_descendants() {
        let start = Instant::now();
        assert!(
            shell(
                "late",
                "sleep 60 & sleep 60; wait",
                Duration::from_millis(200)
            )
            .is_err()
        );
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
