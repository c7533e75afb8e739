//! The other sanitizers that a command line asks for, and which of them can be in one program with Goldilocks.

use crate::refusal::Refusal;
use std::collections::BTreeSet;

/// Sanitizers that bring a runtime of their own which replaces the allocator, watches threads, or lays out shadow
/// memory or the stack: at most one such runtime can be in a process.
const EXCLUSIVE: &[&str] = &[
    "address",
    "dataflow",
    "hwaddress",
    "kernel-address",
    "kernel-hwaddress",
    "kernel-memory",
    "leak",
    "memory",
    "memtag",
    "memtag-globals",
    "memtag-heap",
    "memtag-stack",
    "numerical",
    "realtime",
    "safe-stack",
    "type",
];

/// The sanitizers in force after a command line's `-fsanitize=` and `-fno-sanitize=`, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sanitizers {
    on: BTreeSet<String>,
    thread_off: bool,
    /// Files that say what is not to be instrumented.
    ignorelists: Vec<String>,
}

impl Sanitizers {
    /// Takes one argument into account, whatever it is.
    pub fn argument(&mut self, argument: &str) {
        if let Some(list) = argument.strip_prefix("-fsanitize=") {
            for name in list.split(',') {
                self.on.insert(name.to_owned());
                self.thread_off &= name != "thread";
            }
        } else if let Some(list) = argument.strip_prefix("-fno-sanitize=") {
            for name in list.split(',') {
                if name == "all" {
                    self.on.clear();
                } else {
                    self.on.remove(name);
                }
                self.thread_off |= name == "all" || name == "thread";
            }
        } else if ["-fno-sanitize-ignorelist", "-fno-sanitize-blacklist"].contains(&argument) {
            self.ignorelists.clear();
        } else if let Some(file) = argument
            .strip_prefix("-fsanitize-ignorelist=")
            .or(argument.strip_prefix("-fsanitize-blacklist="))
        {
            self.ignorelists.push(file.to_owned());
        }
    }

    /// Whether the command line asks for ThreadSanitizer, whose place Goldilocks takes.
    pub fn asks_for_thread(&self) -> bool {
        self.on.contains("thread")
    }

    /// What clang's driver hands to the compiler only where it knows of a sanitizer.
    pub fn ignorelists(&self) -> &[String] {
        &self.ignorelists
    }

    /// Whether the command line says that this file is not to be checked for races (`-fno-sanitize=thread`).
    pub fn thread_off(&self) -> bool {
        self.thread_off
    }

    /// The refusal, if one of them cannot be combined with Goldilocks.
    pub fn refusal(&self) -> Option<Refusal> {
        let name = self
            .on
            .iter()
            .find(|name| EXCLUSIVE.contains(&name.as_str()))?;
        Some(Refusal::new(
            format!(
                "-fsanitize={name} cannot be combined with goldilocks: its runtime and ours both need to be the only \
                 one that replaces the allocator or shadows the memory of the process"
            ),
            format!(
                "drop -fsanitize={name} here and check for it in a build of its own; -fsanitize=undefined can stay"
            ),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &[&str]) -> Sanitizers {
        let mut sanitizers = Sanitizers::default();
        arguments
            .iter()
            .for_each(|argument| sanitizers.argument(argument));
        sanitizers
    }

    #[test]
    fn those_that_can_stay() {
        for fine in [
            &["-fsanitize=undefined"][..],
            &["-fsanitize=undefined,integer", "-fsanitize=bounds"],
            &["-fsanitize=address", "-fno-sanitize=address"],
            &["-fsanitize=address,undefined", "-fno-sanitize=all"],
            &["-fsanitize-recover=address"],
            &["-fsanitize-blacklist=thread"],
            &["-fsanitize=thread"],
            &["-fsanitize=fuzzer-no-link"],
        ] {
            assert_eq!(of(fine).refusal(), None, "{fine:?}");
        }
    }

    #[test]
    fn those_that_cannot() {
        for (arguments, named) in [
            (&["-fsanitize=address"][..], "-fsanitize=address "),
            (&["-fsanitize=undefined,memory"], "-fsanitize=memory "),
            (
                &["-fno-sanitize=leak", "-fsanitize=leak"],
                "-fsanitize=leak ",
            ),
            (&["-fsanitize=hwaddress"], "-fsanitize=hwaddress "),
        ] {
            let refusal = of(arguments)
                .refusal()
                .unwrap_or_else(|| panic!("{arguments:?} is not refused"));
            assert!(refusal.reason.contains(named), "{refusal}");
            assert!(refusal.way_out.starts_with("drop "), "{refusal}");
        }
    }

    #[test]
    fn switching_thread_off() {
        assert!(of(&["-fno-sanitize=thread"]).thread_off());
        assert!(of(&["-fno-sanitize=all"]).thread_off());
        assert!(!of(&["-fno-sanitize=address"]).thread_off());
        assert!(!of(&["-fno-sanitize=thread", "-fsanitize=thread"]).thread_off());
    }

    #[test]
    fn ignorelists_in_force() {
        let lists = |arguments: &[&str]| of(arguments).ignorelists().join(" ");
        assert_eq!(
            lists(&["-fsanitize-ignorelist=a", "-fsanitize-blacklist=b"]),
            "a b"
        );
        assert_eq!(
            lists(&[
                "-fsanitize-ignorelist=a",
                "-fno-sanitize-ignorelist",
                "-fsanitize-ignorelist=b"
            ]),
            "b"
        );
    }

    #[test]
    fn asking_for_thread() {
        assert!(of(&["-fsanitize=undefined,thread"]).asks_for_thread());
        assert!(!of(&["-fsanitize=thread", "-fno-sanitize=all"]).asks_for_thread());
    }
}
