//! Races that crates from a registry make on purpose: what they do is a data race of the language and is reported, but the reader
//! can do nothing about it but say that he knows. docs/rust-crates.md has the reasons.

use super::frames::Line;
use super::resolved::Report;

/// Such a race.
struct Intended {
    /// The crate, as in the names of its folders.
    package: &'static str,
    /// Part of the name of a function of either access, and what suppresses them.
    pattern: &'static str,
    /// Why it does no harm in the author's eyes.
    reason: &'static str,
}

const ALL: [Intended; 4] = [
    Intended {
        package: "crossbeam-deque",
        pattern: "crossbeam_deque::deque::Buffer",
        reason: "a thief throws away what it has read if the slot was not its own",
    },
    Intended {
        package: "crossbeam-utils",
        pattern: "crossbeam_utils::atomic::atomic_cell::atomic_load",
        reason: "what is read while somebody writes is thrown away, as the sequence lock tells",
    },
    Intended {
        package: "tikv-jemalloc-sys",
        pattern: "edata_",
        reason: "one field of a word is read while another field of the same word is changed under a lock",
    },
    Intended {
        package: "libmimalloc-sys",
        pattern: "_mi_stats_merge_into",
        reason: "statistics are merged while threads that end still do so",
    },
];

/// What the report can be answered with, if both accesses are of such a crate.
pub fn advice(report: &Report) -> Option<String> {
    let sides = [&report.current, &report.previous];
    let stacks: Vec<&[Line]> = sides
        .into_iter()
        .map(|side| side.stack.as_deref().unwrap_or_default())
        .collect();
    let known = ALL.iter().find(|known| {
        let is_of = |stack: &&[Line]| accessing(stack).is_some_and(|line| known.has(line));
        stacks.iter().all(is_of) && stacks.iter().any(|stack| known.is_in(stack))
    })?;
    Some(format!(
        "{} means to do this: {}; suppress it by `race:{}`, in Cargo.toml: [package.metadata.goldilocks] suppressions = [\"race:{}\"]",
        known.package, known.reason, known.pattern, known.pattern
    ))
}

/// Who makes the access, as what libraries of the language do for him is his.
fn accessing(stack: &[Line]) -> Option<&Line> {
    stack
        .iter()
        .find(|line| !line.file.is_empty() && !line.is_system())
}

impl Intended {
    /// Whether a line is of the crate, or of what its build script has compiled.
    fn has(&self, line: &Line) -> bool {
        let mut folders = line.file.split('/');
        folders.any(|folder| {
            let version = folder
                .strip_prefix(self.package)
                .and_then(|rest| rest.strip_prefix('-'));
            version.is_some_and(|version| !version.is_empty())
        })
    }

    fn is_in(&self, stack: &[Line]) -> bool {
        stack
            .iter()
            .any(|line| self.has(line) && line.function.contains(self.pattern))
    }
}

#[cfg(test)]
mod tests {
    use super::super::render::tests::example;
    use super::*;

    fn line(function: &str, file: &str) -> Line {
        Line {
            function: function.to_owned(),
            file: file.to_owned(),
            ..Line::default()
        }
    }

    fn of(now: &[Line], earlier: &[Line]) -> Option<String> {
        let mut report = example();
        report.current.stack = Some(now.to_vec());
        report.previous.stack = Some(earlier.to_vec());
        advice(&report)
    }

    #[test]
    fn who_steals_from_a_deque_is_told_how_to_say_so() {
        let file =
            "/home/me/.cargo/registry/src/index.crates.io-1/crossbeam-deque-0.8.8/src/deque.rs";
        let library = "/rustc/59807616/library/core/src/ptr/mod.rs";
        let read = [
            line("core::ptr::read_volatile::<u64>", library),
            line("<crossbeam_deque::deque::Buffer<u64>>::read", file),
            line("mine::main", "/w/src/main.rs"),
        ];
        let write = [line("<crossbeam_deque::deque::Worker<u64>>::push", file)];
        let said = of(&read, &write).unwrap();
        assert!(said.contains("suppressions = [\"race:crossbeam_deque::deque::Buffer\"]"));
        // The reader's own access to what is in the deque is another matter, and so is any other function of the crate.
        let own = [line("mine::main", "/w/src/main.rs"), read[1].clone()];
        assert_eq!(of(&own, &write), None);
        assert_eq!(of(&write, &write), None);
        let similar = [line(
            "<crossbeam_deque::deque::Buffer<u64>>::read",
            "/w/crossbeam-deque/src/deque.rs",
        )];
        assert_eq!(of(&similar, &similar), None);
    }

    #[test]
    fn what_a_build_script_has_compiled_is_the_crates() {
        let file = "/w/target/debug/build/tikv-jemalloc-sys-7caaf3/out/build/include/edata.h";
        let field = [line("edata_arena_ind_get", file)];
        assert!(
            of(&field, &field)
                .unwrap()
                .starts_with("tikv-jemalloc-sys means to do this")
        );
    }
}
