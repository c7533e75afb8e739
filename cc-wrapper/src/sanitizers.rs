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
    "thread",
    "type",
];

/// The sanitizers in force after a command line's `-fsanitize=` and `-fno-sanitize=`, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sanitizers {
    on: BTreeSet<String>,
    thread_off: bool,
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
        }
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
        Some(if name == "thread" {
            Refusal::new(
                "-fsanitize=thread cannot be combined with goldilocks: both detect data races, each with its own runtime",
                "drop -fsanitize=thread: goldilocks replaces it (code that asks for __has_feature(thread_sanitizer) \
                 still sees it)",
            )
        } else {
            Refusal::new(
                format!(
                    "-fsanitize={name} cannot be combined with goldilocks: its runtime and ours both need to be the only \
                     one that replaces the allocator or shadows the memory of the process"
                ),
                format!(
                    "drop -fsanitize={name} here and check for it in a build of its own; -fsanitize=undefined can stay"
                ),
            )
        })
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
            (&["-fsanitize=thread"], "-fsanitize=thread "),
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
}
