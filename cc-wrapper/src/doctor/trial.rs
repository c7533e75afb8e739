//! Compiles and runs a program with a race, and the same program without it.

use super::Finding;
use crate::locate::Tree;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Exit status of a program after a race was reported, by default.
const RACE_STATUS: i32 = 66;

/// Both programs run for milliseconds; what takes this long does not end.
const LIMIT: Duration = Duration::from_secs(20);

/// Two writes that nothing orders, whichever comes first: relaxed atomics order nothing. That the second comes after the
/// first makes no difference to the race, and all the difference to a detector that only looks at what overlaps. The variable is not
/// static: nobody reads it, and the compiler would leave it out.
const RACE: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
int shared;
static atomic_int written;
static void *writer(void *unused) {
  shared = 1;
  atomic_store_explicit(&written, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, writer, 0)) return 1;
  while (!atomic_load_explicit(&written, memory_order_relaxed)) {}
  shared = 2;
  return pthread_join(thread, 0);
}
"#;

/// Makes the trial with the compiler of `tree`, in a temporary folder.
pub fn make(tree: &Tree) -> Vec<Finding> {
    let folder = std::env::temp_dir().join(format!("goldilocks-doctor-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        return vec![Finding::note(
            format!("no trial was made: {}: {error}", folder.display()),
            "set TMPDIR",
        )];
    }
    let ordered = RACE.replace("memory_order_relaxed", "memory_order_seq_cst");
    let findings = vec![
        try_one(tree, &folder, "with a race", RACE, RACE_STATUS),
        try_one(tree, &folder, "without one", &ordered, 0),
    ];
    // What cannot be removed is left to whoever cleans the folder of temporary files.
    let _ = std::fs::remove_dir_all(&folder);
    findings
}

fn try_one(tree: &Tree, folder: &Path, what: &str, source: &str, status: i32) -> Finding {
    let compiler = tree.home.join("bin/goldilocks-cc");
    let input = folder.join("trial.c");
    let program = folder.join("trial");
    if let Err(error) = std::fs::write(&input, source) {
        return Finding::note(
            format!("no trial was made: {}: {error}", input.display()),
            "set TMPDIR",
        );
    }
    let mut compile = Command::new(&compiler);
    compile
        .args(["-O1", "-g", "-pthread"])
        .arg(&input)
        .arg("-o")
        .arg(&program);
    match run(&mut compile, folder) {
        Ok(Ended {
            status: Some(status),
            ..
        }) if status.success() => {}
        Ok(ended) => {
            return Finding::bad(
                format!("{} cannot compile a trial program", compiler.display()),
                ended.said(),
            );
        }
        Err(error) => {
            return Finding::bad(
                format!("{}: {error}", compiler.display()),
                "see that it can be run",
            );
        }
    }
    match run(
        Command::new(&program).env_remove("GOLDILOCKS_OPTIONS"),
        folder,
    ) {
        Ok(ended) if ended.status.and_then(|status| status.code()) == Some(status) => {
            Finding::fine(format!(
                "a trial program {what} ends with exit status {status}"
            ))
        }
        Ok(ended) => Finding::bad(
            format!(
                "a trial program {what} should end with exit status {status}: {}",
                ended.how()
            ),
            ended.said(),
        ),
        Err(error) => Finding::bad(
            format!("{}: {error}", program.display()),
            "set TMPDIR to a folder in which programs can be run",
        ),
    }
}

/// How a command ended.
struct Ended {
    /// `None` if it had to be ended.
    status: Option<ExitStatus>,
    messages: String,
}

impl Ended {
    fn how(&self) -> String {
        match self.status {
            Some(status) => format!("it ended with {status}"),
            None => format!("it was still running after {} s", LIMIT.as_secs()),
        }
    }

    /// What it said, as advice; something, even if it said nothing.
    fn said(&self) -> String {
        match self.messages.trim() {
            "" => "it said nothing; please report this as a bug of goldilocks".to_owned(),
            text => format!("it said:\n{text}"),
        }
    }
}

/// Runs a command for at most [`LIMIT`]. Its messages go through a file: a pipe may be kept open by a helper process.
fn run(command: &mut Command, folder: &Path) -> io::Result<Ended> {
    let messages = folder.join("messages");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&messages)?)
        .spawn()?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if start.elapsed() < LIMIT => std::thread::sleep(Duration::from_millis(5)),
            None => {
                child.kill()?;
                child.wait()?;
                break None;
            }
        }
    };
    let messages = std::fs::read(messages)?;
    Ok(Ended {
        status,
        messages: String::from_utf8_lossy(&messages).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_and_messages_are_kept() {
        let folder = std::env::temp_dir().join(format!("goldilocks-trial-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let ended = run(
            Command::new("sh").args(["-c", "echo no >&2; exit 3"]),
            &folder,
        )
        .unwrap();
        assert_eq!(ended.status.and_then(|status| status.code()), Some(3));
        assert_eq!(ended.said(), "it said:\nno\n".trim_end());
        assert!(run(&mut Command::new(folder.join("absent")), &folder).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
