//! Runs a unit to its end, or finds that it has none.
//!
//! A time limit would be too long for what hangs and too short for a loaded machine. So it is not time that counts but that
//! nothing can happen any more: all threads sleep, none has used the processor, nothing was written.

use anyhow::{Context, Result};
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How a process has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With success.
    Regular,
    /// It was killed, as it would not have gone on; where its threads were.
    Hung(String),
    /// The status that it has ended with.
    Failed(String),
}

/// Asleep for so long means for ever: nothing in a unit waits for time to pass.
const ASLEEP: Duration = Duration::from_secs(2);
/// So much of the processor, without a word, is a loop without end.
const BUSY: Duration = Duration::from_secs(20);
/// And so much time without a word is too much, whatever the threads do.
const SILENT: Duration = Duration::from_secs(180);

/// Runs a command whose standard error goes to `said`.
pub fn execute(command: &mut Command, said: &Path) -> Result<Ending> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(said)?)
        .process_group(0)
        .spawn()?;
    let mut watch = Watch::new();
    let mut rounds = 0;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(match status.success() {
                true => Ending::Regular,
                false => Ending::Failed(status.to_string()),
            });
        }
        rounds += 1;
        // Looking at all threads is not for every round.
        if rounds % 50 == 0 && watch.is_hung(&child, fs::metadata(said)?.len()) {
            let stacks = stacks(child.id());
            child.kill()?;
            child.wait().context("a killed process")?;
            return Ok(Ending::Hung(stacks));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// What has been seen of a process.
struct Watch {
    written: u64,
    written_at: Instant,
    /// Its use of the processor when it last wrote.
    written_used: u64,
    used: u64,
    asleep_since: Instant,
}

impl Watch {
    fn new() -> Watch {
        let now = Instant::now();
        Watch {
            written: 0,
            written_at: now,
            written_used: 0,
            used: 0,
            asleep_since: now,
        }
    }

    fn is_hung(&mut self, child: &Child, written: u64) -> bool {
        let now = Instant::now();
        let tasks = tasks(child.id());
        // Threads that have ended take their use with them.
        let grown = written != self.written;
        if grown || tasks.used < self.written_used {
            self.written = written;
            self.written_at = now;
            self.written_used = tasks.used;
        }
        if grown || !tasks.asleep || tasks.used != self.used {
            self.asleep_since = now;
            self.used = tasks.used;
        }
        now - self.asleep_since > ASLEEP
            || tasks.used - self.written_used > BUSY.as_nanos() as u64
            || now - self.written_at > SILENT
    }
}

/// Where the threads of a process are, as gdb says if there is one.
fn stacks(process: u32) -> String {
    let output = Command::new("gdb")
        .args(["-batch", "-nx", "-p", &process.to_string()])
        .args(["-ex", "thread apply all bt 20"])
        .stdin(Stdio::null())
        .output();
    match output {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout);
            let told = |line: &&str| line.starts_with("Thread ") || line.starts_with('#');
            text.lines().filter(told).collect::<Vec<_>>().join("\n")
        }
        Err(error) => format!("no stacks without gdb: {error}"),
    }
}

struct Tasks {
    /// Whether each waits for something other than the processor.
    asleep: bool,
    /// Nanoseconds on a processor.
    used: u64,
}

/// The threads of a process; awake where that cannot be read.
fn tasks(process: u32) -> Tasks {
    let mut tasks = Tasks {
        asleep: true,
        used: 0,
    };
    let Ok(folder) = fs::read_dir(format!("/proc/{process}/task")) else {
        tasks.asleep = false;
        return tasks;
    };
    for task in folder.flatten() {
        let file = |name| fs::read_to_string(task.path().join(name)).unwrap_or_default();
        // `number (name) state ...`, and the name may hold anything.
        let stat = file("stat");
        let state = stat
            .rsplit(')')
            .next()
            .and_then(|rest| rest.trim_start().chars().next());
        tasks.asleep &= state == Some('S');
        let schedstat = file("schedstat");
        let used = schedstat.split(' ').next().map(str::parse::<u64>);
        tasks.used += used.and_then(Result::ok).unwrap_or(0);
    }
    tasks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, name: &str) -> (Ending, Duration) {
        let said = std::env::temp_dir().join(format!("goldilocks-{name}-{}", std::process::id()));
        let start = Instant::now();
        let ending = execute(Command::new("sh").args(["-c", script]), &said).unwrap();
        fs::remove_file(said).unwrap();
        (ending, start.elapsed())
    }

    #[test]
    fn who_sleeps_for_ever_is_found_soon() {
        let (ending, took) = shell("exec sleep 1000", "sleeper");
        assert!(matches!(ending, Ending::Hung(_)), "{ending:?}");
        assert!(took < Duration::from_secs(60), "{took:?}");
    }

    #[test]
    fn who_works_slowly_or_badly_does_not_hang() {
        let (ending, _) = shell(
            "for i in 1 2 3 4 5; do sleep 0.7; echo $i >&2; done",
            "slow",
        );
        assert_eq!(ending, Ending::Regular);
        let (ending, _) = shell("exit 7", "bad");
        assert_eq!(ending, Ending::Failed("exit status: 7".to_owned()));
    }
}
