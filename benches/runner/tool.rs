//! The ways to build and run a program that are compared.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::place;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tool {
    Native,
    Goldilocks,
    ThreadSanitizer,
    /// ThreadSanitizer as gcc has it.
    Gcc,
    Helgrind,
    Drd,
}

impl Tool {
    pub fn name(self) -> &'static str {
        match self {
            Tool::Native => "native",
            Tool::Goldilocks => "goldilocks",
            Tool::ThreadSanitizer => "tsan",
            Tool::Gcc => "gcc",
            Tool::Helgrind => "helgrind",
            Tool::Drd => "drd",
        }
    }

    /// Those that are there only on demand, by name.
    pub fn named(name: &str) -> Option<Tool> {
        [Tool::Gcc, Tool::Helgrind, Tool::Drd]
            .into_iter()
            .find(|tool| tool.name() == name)
    }

    /// The tool whose build this one runs.
    pub fn builder(self) -> Tool {
        match self {
            Tool::Helgrind | Tool::Drd => Tool::Native,
            tool => tool,
        }
    }

    /// Slow ones are measured in the first round alone.
    pub fn is_slow(self) -> bool {
        matches!(self, Tool::Helgrind | Tool::Drd)
    }

    /// A program without which this tool cannot be used.
    pub fn needs(self) -> Option<&'static str> {
        match self {
            Tool::Gcc => Some("gcc"),
            Tool::Helgrind | Tool::Drd => Some("valgrind"),
            _ => None,
        }
    }

    pub fn compiler(self, cpp: bool) -> PathBuf {
        let of = |folder: PathBuf, c: &str, cxx: &str| folder.join(if cpp { cxx } else { c });
        match self.builder() {
            Tool::Goldilocks => of(place::home().join("bin"), "goldilocks-cc", "goldilocks-c++"),
            Tool::Gcc => of(PathBuf::new(), "gcc", "g++"),
            _ => of(place::llvm_bin(), "clang", "clang++"),
        }
    }

    /// Options of the compiler that make it instrument.
    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Tool::ThreadSanitizer | Tool::Gcc => &["-fsanitize=thread"],
            _ => &[],
        }
    }

    /// Compiles `source` into `program` at -O2.
    pub fn compile(self, source: &Path, program: &Path, seeded: bool) -> Command {
        let cpp = source
            .extension()
            .is_some_and(|extension| extension == "cpp");
        let mut command = Command::new(self.compiler(cpp));
        command
            .args(["-O2", "-g", "-pthread", "-Wall", "-Wextra", "-I"])
            .arg(place::benches().join("include"));
        command.arg(if cpp { "-std=c++20" } else { "-std=gnu17" });
        if seeded {
            command.arg("-DSEED_RACE");
        }
        command.args(self.flags());
        command.arg(source).arg("-o").arg(program);
        command
    }

    /// The command that runs a program under this tool; arguments are to be added.
    pub fn command(self, program: &Path) -> Command {
        match self {
            Tool::Helgrind | Tool::Drd => {
                let mut command = Command::new("valgrind");
                command
                    .arg("-q")
                    .arg(format!("--tool={}", self.name()))
                    .arg(program);
                command
            }
            // gcc 12's runtime does not know the larger randomization of newer kernels.
            Tool::Gcc => {
                let mut command = Command::new("setarch");
                command.arg("-R").arg(program);
                command
            }
            _ => Command::new(program),
        }
    }
}
