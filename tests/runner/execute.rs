//! Running a program under a time limit, with its output kept.

use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::directives::Exit;

/// What a run ended with.
pub struct Outcome {
    pub exit: Exit,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

/// Runs the command; its output goes through `OUT.stdout` and `OUT.stderr`, so that what lives on in a descendant cannot
/// keep us waiting. A run of more than `limit` is killed with all its descendants, and is an error.
pub fn run(command: &mut Command, out: &Path, limit: Duration) -> Result<Outcome, String> {
    let text = display(command);
    let (stdout, stderr) = (with_suffix(out, "stdout"), with_suffix(out, "stderr"));
    let create =
        |path: &Path| File::create(path).map_err(|error| format!("{}: {error}", path.display()));
    command
        .stdin(Stdio::null())
        .stdout(create(&stdout)?)
        .stderr(create(&stderr)?)
        .process_group(0);
    let start = Instant::now();
    let mut child = command
        .spawn()
        .map_err(|error| format!("cannot run {text}: {error}"))?;
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break Some(status);
        }
        if start.elapsed() > limit {
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    if status.is_none() {
        let group = format!("-{}", child.id());
        let _ = Command::new("/bin/kill")
            .args(["-KILL", "--", &group])
            .status();
        let _ = child.wait();
    }
    let read = |path: &Path| {
        fs::read(path)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    };
    let (stdout, stderr) = (read(&stdout), read(&stderr));
    match status {
        Some(status) => Ok(Outcome {
            exit: exit(status),
            stdout,
            stderr,
            took: start.elapsed(),
        }),
        None => Err(format!(
            "still ran after {} s, killed\n{}",
            limit.as_secs(),
            shown(&stdout, &stderr)
        )),
    }
}

fn exit(status: ExitStatus) -> Exit {
    match status.code() {
        Some(code) => Exit::Code(code),
        None => Exit::Signal(status.signal().unwrap_or(0)),
    }
}

fn with_suffix(path: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{suffix}"));
    name.into()
}

/// Output for a message: what there is of it, shortened in the middle.
pub fn shown(stdout: &str, stderr: &str) -> String {
    let mut text = String::new();
    for (name, stream) in [("stdout", stdout), ("stderr", stderr)] {
        if !stream.is_empty() {
            text.push_str(&format!("--- {name}\n{}\n", shorten(stream.trim_end())));
        }
    }
    text
}

fn shorten(text: &str) -> String {
    const KEEP: usize = 60;
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= 2 * KEEP {
        return text.to_owned();
    }
    let omitted = lines.len() - 2 * KEEP;
    format!(
        "{}\n... ({omitted} lines)\n{}",
        lines[..KEEP].join("\n"),
        lines[lines.len() - KEEP..].join("\n")
    )
}

/// The command as one could type it.
pub fn display(command: &Command) -> String {
    let quote = |word: &std::ffi::OsStr| {
        let word = word.to_string_lossy();
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=/.,:@%".contains(c);
        let as_it_is = !word.is_empty() && word.chars().all(plain);
        if as_it_is {
            word.into_owned()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    let environment = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}={}", name.display(), quote(value?))));
    let words = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(quote);
    environment.chain(words).collect::<Vec<_>>().join(" ")
}
