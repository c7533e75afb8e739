//! The options that are ours: `--goldilocks-...`. One table makes the parser, the help and the tests.

use crate::refusal::Refusal;

/// What every option of ours starts with; none of clang's does.
pub const PREFIX: &str = "--goldilocks-";

/// The options of ours on a command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Own {
    pub help: bool,
    pub dry_run: bool,
    pub no_instrument: bool,
    pub no_runtime: bool,
    pub no_macros: bool,
    pub shared_runtime: bool,
}

struct Entry {
    name: &'static str,
    sentence: &'static str,
    set: fn(&mut Own),
}

const TABLE: &[Entry] = &[
    Entry {
        name: "help",
        sentence: "print this list and stop",
        set: |own| own.help = true,
    },
    Entry {
        name: "dry-run",
        sentence: "print the command that would be run, one argument a line, and stop",
        set: |own| own.dry_run = true,
    },
    Entry {
        name: "no-instrument",
        sentence: "compile these files as clang would: their accesses are not checked (so does -fno-sanitize=thread)",
        set: |own| own.no_instrument = true,
    },
    Entry {
        name: "no-runtime",
        sentence: "link without the runtime, for parts of a program that has it elsewhere",
        set: |own| own.no_runtime = true,
    },
    Entry {
        name: "no-macros",
        sentence: "do not define __SANITIZE_THREAD__ (__has_feature(thread_sanitizer) stays true)",
        set: |own| own.no_macros = true,
    },
    Entry {
        name: "shared-runtime",
        sentence: "use libgoldilocks_rt.so instead of the archive, at compile steps as well as at link steps: for \
                   instrumented libraries in a program that is not built with goldilocks",
        set: |own| own.shared_runtime = true,
    },
];

impl Own {
    /// Takes `argument` if it is one of ours, and says whether it is.
    pub fn argument(&mut self, argument: &str) -> Result<bool, Refusal> {
        let Some(name) = argument.strip_prefix(PREFIX) else {
            return Ok(false);
        };
        match TABLE.iter().find(|entry| entry.name == name) {
            Some(entry) => {
                (entry.set)(self);
                Ok(true)
            }
            None => Err(unknown(name)),
        }
    }
}

fn unknown(name: &str) -> Refusal {
    let nearest = TABLE
        .iter()
        .map(|entry| entry.name)
        .min_by_key(|known| distance(name, known))
        .unwrap_or_default();
    let way_out = if distance(name, nearest) <= 3 {
        format!("did you mean {PREFIX}{nearest}? {PREFIX}help lists them all")
    } else {
        format!("{PREFIX}help lists the options of goldilocks")
    };
    Refusal::new(format!("unknown option {PREFIX}{name}"), way_out)
}

/// How many bytes must be put in, left out or changed to make one of the other.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// What `--goldilocks-help` prints.
pub fn help() -> String {
    let mut text = String::from(
        "goldilocks-cc and goldilocks-c++ are clang and clang++ with data-race detection.\n\
         Every option of clang's is passed on; these are taken out before:\n\n",
    );
    for entry in TABLE {
        text += &format!("  {PREFIX}{:<16} {}\n", entry.name, entry.sentence);
    }
    text += "\nEnvironment:\n\
             \x20 GOLDILOCKS_HOME      the installed tree, if it is not where this program is\n\
             \x20 GOLDILOCKS_CLANG     the clang to use; its LLVM must be one that a plugin in lib/ is for\n\
             \x20 GOLDILOCKS_CLANGXX   the same for goldilocks-c++ (otherwise GOLDILOCKS_CLANG in C++ mode)\n\
             \nThe runtime's options are those of GOLDILOCKS_OPTIONS: GOLDILOCKS_OPTIONS=help=1 ./program\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_sets_something_and_is_in_the_help() {
        for entry in TABLE {
            let mut own = Own::default();
            assert_eq!(own.argument(&format!("{PREFIX}{}", entry.name)), Ok(true));
            assert_ne!(own, Own::default(), "{}", entry.name);
            assert!(help().contains(entry.sentence));
        }
    }

    #[test]
    fn others_are_not_ours() {
        let mut own = Own::default();
        for other in ["-c", "--help", "--gold", "-goldilocks-help", "-fgoldilocks"] {
            assert_eq!(own.argument(other), Ok(false));
        }
        assert_eq!(own, Own::default());
    }

    #[test]
    fn misspelt() {
        let mut own = Own::default();
        let refusal = own.argument("--goldilocks-shared-runtme").unwrap_err();
        assert!(
            refusal.way_out.contains("--goldilocks-shared-runtime?"),
            "{refusal}"
        );
        let refusal = own.argument("--goldilocks-frobnicate").unwrap_err();
        assert!(!refusal.way_out.contains('?'), "{refusal}");
    }

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("same", "same"), 0);
    }
}
