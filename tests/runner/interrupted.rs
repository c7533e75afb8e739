//! Ctrl-C: cargo and its programs end, and what they have found is told all the same.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::project::Project;

const LIMIT: Duration = Duration::from_secs(120);

/// Whom a signal goes to: as from a terminal, or from `kill`.
#[derive(Clone, Copy, PartialEq)]
enum To {
    Everybody,
    GoldilocksAlone,
}

pub fn tells(project: &Project) -> Result<(), String> {
    for (signal, to) in [
        ("INT", To::Everybody),
        ("TERM", To::Everybody),
        ("INT", To::GoldilocksAlone),
        ("TERM", To::GoldilocksAlone),
    ] {
        let (status, stderr) = interrupted(project, "run --quiet --example endless", signal, to)?;
        let told = stderr.contains("\ngoldilocks: 1 data race in this run\n")
            && stderr.contains("`endless::IN_ENDLESS`");
        if !told || status.code() != Some(66) {
            return Err(format!("SIG{signal}: {status}\n{stderr}"));
        }
    }
    // What has found nothing ends as its programs do.
    let words = "run --quiet --example endless -- silent";
    let (status, stderr) = interrupted(project, words, "INT", To::Everybody)?;
    if status.signal() != Some(2) || stderr.contains("goldilocks:") {
        return Err(format!("silent: {status}\n{stderr}"));
    }
    Ok(())
}

fn interrupted(
    project: &Project,
    words: &str,
    signal: &str,
    to: To,
) -> Result<(std::process::ExitStatus, String), String> {
    let mut command = project.goldilocks(words);
    // As from a terminal: what a shell starts in the background ignores SIGINT, and so would these.
    let by_default = || {
        // SAFETY: no handler is set.
        unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
        Ok(())
    };
    // SAFETY: it calls one async-signal-safe function.
    unsafe { command.pre_exec(by_default) };
    let mut child = command
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stderr = child.stderr.take().ok_or("no standard error")?;
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stderr.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let mut line = String::new();
    let stdout = child.stdout.take().ok_or("no standard output")?;
    let _ = BufReader::new(stdout).read_line(&mut line);
    let group = if to == To::Everybody { "-" } else { "" };
    let whom = format!("{group}{}", child.id());
    if line == "going on\n" {
        kill(signal, &whom);
    }
    let status = end(&mut child);
    let text = reader.join().map_err(|_| "a thread has panicked")?;
    match status {
        Some(status) if line == "going on\n" => Ok((status, text)),
        _ => Err(format!(
            "it did not end by SIG{signal} to {whom}, having printed {line:?}\n{text}"
        )),
    }
}

/// Waits for it; what does not end in time is killed with all that it has started.
fn end(child: &mut Child) -> Option<std::process::ExitStatus> {
    let start = Instant::now();
    while start.elapsed() < LIMIT {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    kill("KILL", &format!("-{}", child.id()));
    let _ = child.wait();
    None
}

fn kill(signal: &str, whom: &str) {
    let _ = Command::new("/bin/kill")
        .args([&format!("-{signal}"), "--", whom])
        .status();
}
