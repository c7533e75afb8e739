//! What the facts of a program, library or object mean for whoever wants to find races with it.

use super::Finding;
use super::elf::{Facts, Kind};
use goldilocks_core::abi::ABI_SYMBOL;

/// Judges a file that is called `name`.
pub fn judge(name: &str, facts: &Facts) -> Vec<Finding> {
    if !facts.x86_64 {
        return vec![Finding::bad(
            format!("{name} is not for x86-64"),
            "goldilocks works on x86-64 Linux; compile it for that",
        )];
    }
    let mut findings = vec![instrumented(name, facts)];
    findings.extend(runtime(name, facts));
    findings.extend(version(name, facts));
    if facts.kind == Kind::Program && !facts.dynamic {
        findings.push(Finding::bad(
            format!("{name} is linked statically: nothing in it can be intercepted"),
            "link it without -static",
        ));
    }
    for sanitizer in &facts.other_sanitizers {
        findings.push(Finding::bad(
            format!(
                "{name} has code of {sanitizer}, which cannot be in one process with goldilocks"
            ),
            "compile everything without its -fsanitize= option",
        ));
    }
    if facts.checks > 0 && !facts.has_lines {
        findings.push(Finding::note(
            format!("{name} has no line numbers: reports will name functions only"),
            "compile with -g; if a separate file holds the debug information, all is well",
        ));
    }
    findings
}

fn instrumented(name: &str, facts: &Facts) -> Finding {
    match (facts.checks, facts.kind) {
        (0, _) if !facts.went_through => Finding::bad(
            format!("{name} is not instrumented: its code makes no checks"),
            "compile it with goldilocks-cc or goldilocks-c++: make CC=goldilocks-cc CXX=goldilocks-c++ (after a clean), \
             cmake -DCMAKE_C_COMPILER=goldilocks-cc -DCMAKE_CXX_COMPILER=goldilocks-c++ in a fresh build folder",
        ),
        (0, _) => Finding::fine(format!(
            "{name} went through goldilocks, and has nothing in it to check"
        )),
        (checks, Kind::Program) => Finding::fine(format!(
            "{name} is instrumented: {checks} calls into the runtime"
        )),
        (checks, _) => Finding::fine(format!(
            "{name} is instrumented: it uses {checks} checks and hooks"
        )),
    }
}

fn runtime(name: &str, facts: &Facts) -> Option<Finding> {
    let inside = !facts.defines.is_empty();
    Some(match facts.kind {
        Kind::Object => return None,
        Kind::Library if inside => Finding::bad(
            format!(
                "{name} has the runtime in it, though it is a library: there would be two in one process"
            ),
            "link it with goldilocks-cc -shared, and leave libgoldilocks_rt.a out of its libraries",
        ),
        Kind::Library if facts.needs_shared_runtime => {
            Finding::fine(format!("{name} loads the shared runtime"))
        }
        Kind::Library => Finding::fine(format!(
            "{name} takes the runtime from the program that loads it"
        )),
        Kind::Program if inside && facts.needs_shared_runtime => Finding::bad(
            format!("{name} has the runtime in it and loads the shared one as well"),
            "link program and libraries alike: all with --goldilocks-shared-runtime, or none",
        ),
        Kind::Program if inside && !facts.exports_runtime => Finding::bad(
            format!(
                "{name} has the runtime in it but hides it: what shared libraries lock and allocate is not seen"
            ),
            "link without --version-script and without --exclude-libs,ALL, or add `global: __goldilocks_*` and the names \
             in share/goldilocks_rt.syms to the version script",
        ),
        Kind::Program if inside => Finding::fine(format!("{name} has the runtime in it")),
        Kind::Program if facts.needs_shared_runtime => {
            Finding::fine(format!("{name} loads the shared runtime"))
        }
        Kind::Program => Finding::bad(
            format!("{name} is linked without the runtime"),
            "link it with goldilocks-cc or goldilocks-c++ in place of the linker or the other compiler",
        ),
    })
}

fn version(name: &str, facts: &Facts) -> Option<Finding> {
    let other = facts
        .defines
        .union(&facts.needs)
        .find(|symbol| *symbol != ABI_SYMBOL)?;
    Some(Finding::bad(
        format!(
            "{name} was made by another version of goldilocks: it has {other}, and this one {ABI_SYMBOL}"
        ),
        "compile and link all of it with one version",
    ))
}

#[cfg(test)]
mod tests {
    use super::super::{Grade, worst};
    use super::*;

    /// A good program.
    fn good() -> Facts {
        Facts {
            kind: Kind::Program,
            x86_64: true,
            dynamic: true,
            defines: [ABI_SYMBOL.to_owned()].into(),
            needs: [].into(),
            went_through: true,
            exports_runtime: true,
            needs_shared_runtime: false,
            checks: 10,
            has_lines: true,
            other_sanitizers: [].into(),
        }
    }

    fn text(facts: &Facts) -> String {
        judge("prog", facts)
            .iter()
            .map(|finding| format!("{finding}\n"))
            .collect()
    }

    #[test]
    fn good_files() {
        let needing = || [ABI_SYMBOL.to_owned()].into();
        for facts in [
            good(),
            Facts {
                defines: [].into(),
                needs: needing(),
                needs_shared_runtime: true,
                ..good()
            },
            Facts {
                kind: Kind::Library,
                defines: [].into(),
                needs: needing(),
                ..good()
            },
            Facts {
                kind: Kind::Object,
                dynamic: false,
                defines: [].into(),
                needs: needing(),
                ..good()
            },
        ] {
            assert_eq!(
                worst(&judge("prog", &facts)),
                Grade::Fine,
                "{}",
                text(&facts)
            );
        }
    }

    #[test]
    fn bad_files() {
        for (facts, says) in [
            (
                Facts {
                    checks: 0,
                    went_through: false,
                    ..good()
                },
                "not instrumented",
            ),
            (
                Facts {
                    defines: [].into(),
                    ..good()
                },
                "without the runtime",
            ),
            (
                Facts {
                    exports_runtime: false,
                    ..good()
                },
                "hides it",
            ),
            (
                Facts {
                    needs_shared_runtime: true,
                    ..good()
                },
                "as well",
            ),
            (
                Facts {
                    dynamic: false,
                    ..good()
                },
                "statically",
            ),
            (
                Facts {
                    kind: Kind::Library,
                    ..good()
                },
                "two in one process",
            ),
            (
                Facts {
                    x86_64: false,
                    ..good()
                },
                "not for x86-64",
            ),
            (
                Facts {
                    needs: ["__goldilocks_abi_0".to_owned()].into(),
                    ..good()
                },
                "another version",
            ),
            (
                Facts {
                    other_sanitizers: ["AddressSanitizer"].into(),
                    ..good()
                },
                "AddressSanitizer",
            ),
        ] {
            let findings = judge("prog", &facts);
            assert_eq!(worst(&findings), Grade::Bad, "{says}");
            assert!(text(&facts).contains(says), "{says}: {}", text(&facts));
            let bad = findings
                .iter()
                .filter(|finding| finding.grade != Grade::Fine);
            bad.for_each(|finding| assert!(!finding.advice.is_empty()));
        }
    }

    #[test]
    fn nothing_to_check_is_fine() {
        let facts = Facts {
            checks: 0,
            has_lines: false,
            ..good()
        };
        assert_eq!(
            worst(&judge("prog", &facts)),
            Grade::Fine,
            "{}",
            text(&facts)
        );
    }

    #[test]
    fn without_lines_there_is_a_note() {
        let facts = Facts {
            has_lines: false,
            ..good()
        };
        assert_eq!(worst(&judge("prog", &facts)), Grade::Note);
    }
}
