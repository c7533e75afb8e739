//! Whether the installed tree is complete, fits the compiler, and finds a race that is known to be there.

use super::Finding;
use super::{elf, trial};
use crate::args::Mode;
use crate::locate::{Compiler, Tree};
use crate::machine::Machine;
use crate::refusal::Refusal;
use goldilocks_core::abi::ABI_SYMBOL;
use std::path::PathBuf;

/// Looks at everything, cheap things first; what depends on something broken is left out.
pub fn examine(machine: &dyn Machine) -> Vec<Finding> {
    let tree = match Tree::find(machine) {
        Ok(tree) => tree,
        Err(refusal) => return vec![from_refusal(refusal)],
    };
    let mut findings = vec![Finding::fine(format!(
        "the installed tree is {}",
        tree.home.display()
    ))];
    findings.extend(files(machine, &tree));
    findings.extend(abi(&tree));
    for mode in [Mode::C, Mode::Cxx] {
        findings.push(match Compiler::find(machine, &tree, mode, true) {
            Ok(compiler) => {
                let program = compiler.program.display();
                Finding::fine(format!(
                    "{program} is of LLVM {}, and there is a plugin for it",
                    compiler.llvm
                ))
            }
            Err(refusal) => from_refusal(refusal),
        });
    }
    findings.extend(address_space());
    if super::worst(&findings) < super::Grade::Bad {
        findings.extend(trial::make(&tree));
    }
    findings
}

fn from_refusal(refusal: Refusal) -> Finding {
    Finding::bad(refusal.reason, refusal.way_out)
}

fn files(machine: &dyn Machine, tree: &Tree) -> Vec<Finding> {
    let parts: [(PathBuf, &str); 5] = [
        (tree.home.join("bin/goldilocks-cc"), "the C compiler"),
        (tree.home.join("bin/goldilocks-c++"), "the C++ compiler"),
        (tree.archive(), "the runtime"),
        (tree.shared_runtime(), "the shared runtime"),
        (tree.dynamic_list(), "the runtime's list of exported names"),
    ];
    let missing =
        |(path, what): (PathBuf, &str)| tree.require(machine, path, what).err().map(from_refusal);
    let mut findings: Vec<Finding> = parts.into_iter().filter_map(missing).collect();
    if !machine.is_file(&tree.include().join("goldilocks.h")) {
        let advice = "annotations in the source need it; `cargo xtask dist` makes a complete tree";
        findings.push(Finding::note("include/goldilocks.h is missing", advice));
    }
    findings
}

/// Whether the runtime, the list of its names and this program are of one version.
fn abi(tree: &Tree) -> Vec<Finding> {
    let advice = "make the whole tree again: cargo xtask dist";
    let mut findings = Vec::new();
    if let Ok(list) = std::fs::read_to_string(tree.dynamic_list())
        && !list.contains(ABI_SYMBOL)
    {
        let text = format!(
            "{} does not name {ABI_SYMBOL}",
            tree.dynamic_list().display()
        );
        findings.push(Finding::bad(text, advice));
    }
    for path in [tree.archive(), tree.shared_runtime()] {
        let Ok(data) = std::fs::read(&path) else {
            continue;
        };
        findings.push(match defines_abi(&data) {
            Ok(true) => Finding::fine(format!("{} has {ABI_SYMBOL}", path.display())),
            Ok(false) => Finding::bad(
                format!("{} is of another version: no {ABI_SYMBOL}", path.display()),
                advice,
            ),
            Err(error) => Finding::bad(format!("{} {error}", path.display()), advice),
        });
    }
    findings
}

fn defines_abi(data: &[u8]) -> Result<bool, String> {
    let Ok(archive) = object::read::archive::ArchiveFile::parse(data) else {
        return Ok(elf::facts(data)?.defines.contains(ABI_SYMBOL));
    };
    for member in archive.members() {
        let member = member
            .and_then(|member| member.data(data))
            .map_err(|error| format!("cannot be read: {error}"))?;
        if elf::facts(member).is_ok_and(|facts| facts.defines.contains(ABI_SYMBOL)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Shadow memory is reserved for all of the address space, which `ulimit -v` counts although it takes no memory.
fn address_space() -> Option<Finding> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max address space"))?;
    let limit = line.split_whitespace().next()?;
    (limit != "unlimited").then(|| {
        Finding::bad(
            format!("the address space of a process is limited to {limit} bytes, too little to reserve shadow memory in"),
            "run `ulimit -v unlimited` first, or lift the limit where it is set; memory itself can be limited by a \
             control group",
        )
    })
}
