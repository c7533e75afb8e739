//! Where text goes: standard error, standard output or a file per process; each piece in one write, at once.
//!
//! Nothing is buffered and no file is kept open: a program may die the moment after, may fork, and may close descriptors that
//! it does not know.

use core::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use core::time::Duration;
use std::ffi::CString;

use crate::options::{self, Color, Options};
use crate::sys::{self, Errno};

/// How long a full pipe that does not block is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Set when the log cannot be written, once: from then on standard error is used. Relaxed: a flag of its own.
static LOG_FAILED: AtomicBool = AtomicBool::new(false);

/// The descriptor that the program wants instead of the log; negative if it does not. Relaxed: a value of its own.
static REDIRECTED: AtomicI32 = AtomicI32::new(-1);

/// From here on text goes to a descriptor, or to the log again.
pub fn redirect(descriptor: Option<i32>) {
    REDIRECTED.store(descriptor.unwrap_or(-1), Ordering::Relaxed);
}

/// Where text goes, in words: a file, `stderr`, `stdout`.
pub fn destination() -> String {
    match Target::present(options::get().log_path, sys::getpid()) {
        Target::File(path) => path,
        Target::Descriptor(1) => "stdout".into(),
        Target::Descriptor(2) => "stderr".into(),
        Target::Descriptor(other) => format!("/proc/thread-self/fd/{other}"),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Descriptor(i32),
    /// A file that is opened for each piece of text.
    File(String),
}

impl Target {
    fn of(log_path: &str, pid: i32) -> Target {
        match log_path {
            "" | "stderr" => Target::Descriptor(2),
            "stdout" => Target::Descriptor(1),
            path => Target::File(format!("{path}.{pid}")),
        }
    }

    /// The same, unless the program has said something else since.
    fn present(log_path: &str, pid: i32) -> Target {
        match REDIRECTED.load(Ordering::Relaxed) {
            descriptor @ 0.. => Target::Descriptor(descriptor),
            _ => Target::of(log_path, pid),
        }
    }

    /// A file that several processes write to; `None` for no file.
    fn shared(path: &str) -> Option<Target> {
        (!path.is_empty()).then(|| Target::File(path.to_owned()))
    }

    fn write(&self, text: &str) -> sys::Result<()> {
        match self {
            Target::Descriptor(fd) => sys::write_all_quietly(*fd, text.as_bytes(), PATIENCE),
            Target::File(path) => {
                let path = CString::new(path.as_str()).map_err(|_| Errno(libc::ENOENT))?;
                let fd = sys::open(
                    &path,
                    libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND | libc::O_NOCTTY,
                    0o644,
                )?;
                let written = sys::write_all_quietly(fd, text.as_bytes(), PATIENCE);
                let _ = sys::close(fd);
                written
            }
        }
    }
}

/// Writes text to the log, or to standard error if that fails.
pub fn note(text: &str) {
    write_to(options::get().log_path, text);
}

/// The same for a given `log_path`.
pub fn write_to(path: &str, text: &str) {
    let target = Target::present(path, sys::getpid());
    if !LOG_FAILED.load(Ordering::Relaxed) {
        match target.write(text) {
            Ok(()) => return,
            Err(_) if target == Target::Descriptor(2) => return,
            Err(e) => warn_once(path, e),
        }
    }
    let _ = Target::Descriptor(2).write(text);
}

/// Appends a line to a file that several processes write to, the value of the option `name`, if there is one. That it cannot be
/// written is told once.
pub fn append(name: &str, path: &str, line: impl FnOnce() -> String) {
    // Relaxed: a flag of its own.
    static TOLD: AtomicBool = AtomicBool::new(false);
    if let Some(target) = Target::shared(path)
        && let Err(error) = target.write(&line())
        && !TOLD.swap(true, Ordering::Relaxed)
    {
        note(&format!(
            "WARNING: Goldilocks: cannot write to {name}={path}: {error}\n"
        ));
    }
}

/// Finds out at the start whether the log can be written, when there is still time to do something about it.
pub fn check(options: &Options) {
    let Target::File(path) = Target::of(options.log_path, sys::getpid()) else {
        return;
    };
    let directory = match path.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((directory, _)) => directory,
        None => ".",
    };
    let Ok(directory) = CString::new(directory) else {
        return;
    };
    if let Err(e) = sys::access(&directory, libc::W_OK | libc::X_OK) {
        warn_once(options.log_path, e);
    }
}

fn warn_once(path: &str, error: Errno) {
    if !LOG_FAILED.swap(true, Ordering::Relaxed) {
        let text = format!(
            "WARNING: Goldilocks: cannot write to log_path={path}: {error}; reports go to standard error\n"
        );
        let _ = Target::Descriptor(2).write(&text);
    }
}

/// Whether reports are coloured.
pub fn use_color(options: &Options) -> bool {
    let fd = match Target::present(options.log_path, 0) {
        _ if LOG_FAILED.load(Ordering::Relaxed) => Some(2),
        Target::Descriptor(fd) => Some(fd),
        Target::File(_) => None,
    };
    let variable = |name| options::environment_variable(name).unwrap_or_default();
    choose_color(
        options.color,
        &variable("NO_COLOR"),
        &variable("TERM"),
        || fd.is_some_and(sys::is_terminal),
    )
}

fn choose_color(color: Color, no_color: &str, term: &str, is_terminal: impl Fn() -> bool) -> bool {
    match color {
        _ if !no_color.is_empty() => false,
        Color::Always => true,
        Color::Never => false,
        Color::Auto => term != "dumb" && is_terminal(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        assert_eq!(Target::of("stderr", 7), Target::Descriptor(2));
        assert_eq!(Target::of("stdout", 7), Target::Descriptor(1));
        assert_eq!(Target::of("/tmp/log", 7), Target::File("/tmp/log.7".into()));
    }

    #[test]
    fn files_are_appended_to_and_failures_are_errors() {
        let path = std::env::temp_dir().join(format!("goldilocks-log-{}", std::process::id()));
        let target = Target::File(path.to_str().unwrap().into());
        target.write("one\n").unwrap();
        target.write("two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(
            Target::File("/nonexistent/log.1".into()).write("x"),
            Err(Errno(libc::ENOENT))
        );
    }

    #[test]
    fn no_color_wins() {
        let (yes, no) = (|| true, || false);
        assert!(choose_color(Color::Auto, "", "xterm", yes));
        assert!(!choose_color(Color::Auto, "", "xterm", no));
        assert!(!choose_color(Color::Auto, "", "dumb", yes));
        assert!(choose_color(Color::Always, "", "", no));
        assert!(!choose_color(Color::Always, "1", "xterm", yes));
        assert!(!choose_color(Color::Never, "", "xterm", yes));
    }
}
