//! What is measured: a workload with arguments.

use std::rc::Rc;

use anyhow::Result;

use crate::place;
use crate::plan::Plan;
use crate::rust;
use crate::tool::Tool;
use crate::workload::{self, Workload};

/// What a case is an example of, and so what of the bar applies to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// A program with threads that does one thing, as programs do.
    Kernel,
    /// A program of others.
    Program,
    /// A kernel in Rust.
    Rust,
    /// A kernel with more threads than there are processors.
    Many,
    /// A kernel, without ever starting a thread.
    Single,
    /// A kernel's quick run ten times as long.
    Long,
    /// What the long one is compared with.
    Short,
    /// Next to nothing but one kind of event, in this many threads.
    Micro { threads: usize, sync: bool },
}

impl Group {
    pub fn name(self) -> &'static str {
        match self {
            Group::Kernel => "kernel",
            Group::Program => "program",
            Group::Rust => "rust",
            Group::Many => "many threads",
            Group::Single => "single",
            Group::Long => "long",
            Group::Short => "short",
            Group::Micro { .. } => "micro",
        }
    }
}

#[derive(Debug, Clone)]
pub struct Case {
    pub name: String,
    pub group: Group,
    pub workload: Rc<Workload>,
    pub arguments: Vec<String>,
    /// Tools with which it is not measured.
    pub skipped: &'static [Tool],
}

/// What is used by scripts is not run by another program, and is built by clang; what is in Rust is built by rustc.
const NOT_FOR_SCRIPTS: &[Tool] = &[Tool::Gcc, Tool::Helgrind, Tool::Drd];
/// Those of whom nothing is asked where there are no threads, and who take long then.
const OTHERS: &[Tool] = &[Tool::ThreadSanitizer, Tool::Gcc, Tool::Helgrind, Tool::Drd];

impl Case {
    pub fn allows(&self, tool: Tool) -> bool {
        !self.skipped.contains(&tool)
    }
}

/// Everything that this run is to measure, in the order of the table.
pub fn all(plan: &Plan) -> Result<Vec<Case>> {
    let kernels: Vec<_> = workload::all(&place::benches().join("programs"))?
        .into_iter()
        .map(Rc::new)
        .collect();
    let micro: Vec<_> = workload::all(&place::benches().join("micro"))?
        .into_iter()
        .map(Rc::new)
        .collect();
    let mut cases: Vec<Case> = kernels.iter().map(|w| kernel(w, plan.quick)).collect();
    if !plan.quick {
        cases.extend(workload::recipes()?.into_iter().map(program));
    }
    // Crates come from the registry, which a quick run does not wait for unless it is asked to.
    if !plan.quick || !plan.only.is_empty() {
        let rust = workload::all(&place::benches().join("rust"))?;
        cases.extend(rust.into_iter().map(|w| rust_kernel(w, plan.quick)));
    }
    if !plan.quick {
        cases.extend(kernels.iter().flat_map(with_many));
    }
    cases.extend(
        kernels
            .iter()
            .filter(|w| w.single)
            .map(|w| single(w, plan.quick)),
    );
    for workload in kernels.iter().filter(|w| w.long) {
        cases.extend(long(workload, plan.quick));
    }
    for workload in &micro {
        cases.extend(micro_cases(workload, plan.quick));
    }
    cases.retain(|case| plan.wants(&case.name));
    Ok(cases)
}

fn arguments(base: &[String], threads: usize) -> Vec<String> {
    base.iter().cloned().chain([threads.to_string()]).collect()
}

fn chosen(workload: &Workload, quick: bool) -> &[String] {
    if quick {
        &workload.quick
    } else {
        &workload.full
    }
}

fn kernel(workload: &Rc<Workload>, quick: bool) -> Case {
    Case {
        name: workload.name.clone(),
        group: Group::Kernel,
        workload: workload.clone(),
        arguments: arguments(chosen(workload, quick), workload.threads[0]),
        skipped: &[],
    }
}

/// For each number of threads after the first.
fn with_many(workload: &Rc<Workload>) -> impl Iterator<Item = Case> {
    workload.threads[1..].iter().map(|&threads| Case {
        name: format!("{}/{threads}", workload.name),
        group: Group::Many,
        workload: workload.clone(),
        arguments: arguments(&workload.full, threads),
        skipped: &[],
    })
}

fn program(workload: Workload) -> Case {
    Case {
        name: format!("real/{}", workload.name),
        group: Group::Program,
        workload: Rc::new(workload),
        arguments: Vec::new(),
        skipped: NOT_FOR_SCRIPTS,
    }
}

fn rust_kernel(workload: Workload, quick: bool) -> Case {
    Case {
        name: format!("rust/{}", workload.name),
        group: Group::Rust,
        arguments: arguments(chosen(&workload, quick), workload.threads[0]),
        skipped: if rust::thread_sanitizer().is_some() {
            NOT_FOR_SCRIPTS
        } else {
            OTHERS
        },
        workload: Rc::new(workload),
    }
}

/// At full length also in a quick run: the start of a process would be much of a short one.
fn single(workload: &Rc<Workload>, quick: bool) -> Case {
    Case {
        name: format!("{}/single", workload.name),
        group: Group::Single,
        workload: workload.clone(),
        arguments: arguments(&workload.full, 0),
        skipped: if quick { OTHERS } else { &[] },
    }
}

/// The quick run, and ten times it: nothing for a quick run, which it would not fit into.
fn long(workload: &Rc<Workload>, quick: bool) -> Vec<Case> {
    let short = arguments(&workload.quick, workload.threads[0]);
    let mut long = short.clone();
    if let Ok(length) = long[0].parse::<u64>() {
        long[0] = (length * 10).to_string();
    }
    let case = |part: &str, group, arguments| Case {
        name: format!("{}/{part}", workload.name),
        group,
        workload: workload.clone(),
        arguments,
        skipped: &[],
    };
    let mut cases = Vec::new();
    if !quick {
        cases.push(case("1x", Group::Short, short));
        cases.push(case("10x", Group::Long, long));
    }
    cases
}

/// One for each number of threads; the first alone in a quick run. The events are shared out, so that all cost about the same.
fn micro_cases(workload: &Rc<Workload>, quick: bool) -> Vec<Case> {
    let many = if quick { 1 } else { workload.threads.len() };
    workload.threads[..many]
        .iter()
        .map(|&threads| Case {
            name: format!("micro/{}/{threads}", workload.name),
            group: Group::Micro {
                threads,
                sync: workload.sync,
            },
            workload: workload.clone(),
            arguments: arguments(chosen(workload, quick), threads),
            skipped: &[],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(arguments: &[&str]) -> Plan {
        Plan::parse(&arguments.iter().map(|a| a.to_string()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn names_are_unique_and_filters_choose_by_them() {
        let all = super::all(&plan(&[])).unwrap();
        let mut names: Vec<_> = all.iter().map(|case| &case.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all.len());
        for group in [Group::Single, Group::Many] {
            assert!(all.iter().any(|case| case.group == group));
        }
        let only = super::all(&plan(&["--only", "matmul"])).unwrap();
        assert!(!only.is_empty() && only.iter().all(|case| case.name.contains("matmul")));
    }

    #[test]
    fn long_runs_are_ten_times_the_short_ones() {
        let all = super::all(&plan(&[])).unwrap();
        let longs: Vec<_> = all.iter().filter(|c| c.group == Group::Long).collect();
        assert!(!longs.is_empty());
        for long in longs {
            let short = all
                .iter()
                .find(|c| c.group == Group::Short && c.workload.name == long.workload.name)
                .unwrap();
            let length = |case: &Case| case.arguments[0].parse::<u64>().unwrap();
            assert_eq!(length(long), 10 * length(short));
        }
    }
}
