//! The installed tree that the end-to-end tests are about, a folder for each to work in, and what comes of a command.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The tree that `GOLDILOCKS_HOME` names.
pub fn home() -> PathBuf {
    let home = std::env::var_os("GOLDILOCKS_HOME").map(PathBuf::from).unwrap_or_else(|| {
        panic!(
            "these tests need an installed tree: run them by `cargo xtask test`, or make one with `cargo xtask dist` \
             and set GOLDILOCKS_HOME to target/goldilocks"
        )
    });
    let home = home
        .canonicalize()
        .unwrap_or_else(|error| panic!("GOLDILOCKS_HOME: {}: {error}", home.display()));
    assert!(
        home.join("bin/goldilocks-cc").is_file(),
        "{} is not an installed tree: there is no bin/goldilocks-cc; run `cargo xtask dist`",
        home.display()
    );
    home
}

/// A folder of a test's own, removed at the end unless the test fails.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(test: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("goldilocks-cc-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        Folder(path)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("it is in the folder"))
            .expect("a folder can be made");
        std::fs::write(&path, text).expect("a file can be written");
        path
    }

    /// A command of the tree's `bin/`, with the tree found as a user's would be: by where it is.
    pub fn tool(&self, name: &str, arguments: &[&str]) -> Command {
        self.command(home().join("bin").join(name), arguments)
    }

    /// Any command, in this folder, with messages in English and the environment of somebody who has not set ours.
    pub fn command(&self, program: impl AsRef<Path>, arguments: &[&str]) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .current_dir(&self.0)
            .args(arguments)
            .env("LC_ALL", "C");
        for variable in [
            "GOLDILOCKS_HOME",
            "GOLDILOCKS_OPTIONS",
            "GOLDILOCKS_CLANG",
            "GOLDILOCKS_CLANGXX",
        ] {
            command.env_remove(variable);
        }
        command
    }

    /// Runs a tool of the tree, whatever comes of it. Words of `arguments` are separated by spaces.
    pub fn run(&self, name: &str, arguments: &str) -> Ran {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        Ran::of(&mut self.tool(name, &words))
    }

    /// Runs a program in this folder, for a minute at most: then its status is 124.
    pub fn program(&self, name: &str) -> Ran {
        let path = self.0.join(name);
        Ran::of(&mut self.command(
            "timeout",
            &["60", path.to_str().expect("test folders are text")],
        ))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // What cannot be removed is left to whoever cleans the folder of temporary files.
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// What came of a command.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    /// `None` after a signal.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn of(command: &mut Command) -> Ran {
        let shown = format!("{command:?}");
        let Output {
            status,
            stdout,
            stderr,
        } = command
            .output()
            .unwrap_or_else(|error| panic!("{shown}: {error}"));
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ran {
            status: status.code(),
            stdout: text(stdout),
            stderr: text(stderr),
        }
    }

    /// Expects success, and gives standard output.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.status, Some(0), "{self:?}");
        self.stdout
    }
}
