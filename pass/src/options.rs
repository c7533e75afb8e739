//! Options of the pass. The shim declares them to LLVM's command line and holds their names and defaults.

use crate::llvm::{call, sys};

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The epoch tag is at a fixed offset in the thread's block: only for code of the executable itself.
    pub local_exec: bool,
    pub reads: bool,
    pub writes: bool,
    pub atomics: bool,
    /// Memory intrinsics and by-value arguments.
    pub memory: bool,
    /// Compare epoch tags in line; otherwise every access calls its check.
    pub inline_checks: bool,
    /// Leave out checks that earlier ones cover.
    pub redundant: bool,
    /// Check before a loop what it accesses in one place or without gaps.
    pub loops: bool,
    /// Check neighbouring fields together.
    pub adjacent: bool,
    /// Loops are there a second time, without checks, for as long as there is one thread.
    pub alone: bool,
    /// Follow calls to see whether they synchronize.
    pub summaries: bool,
    /// Accesses of one function beyond which tags are not compared in line.
    pub inline_limit: u32,
    /// Leave out accesses to objects that no other thread can reach.
    pub private_objects: bool,
    /// The front end has marked what is to be checked with `sanitize_thread`, even if it has marked nothing.
    pub marked: bool,
    pub stats: bool,
}

impl Options {
    pub fn get() -> Options {
        let mut raw = sys::goldilocks_options {
            local_exec: false,
            reads: true,
            writes: true,
            atomics: true,
            memory: true,
            inline_checks: true,
            redundant: true,
            loops: true,
            adjacent: true,
            alone: true,
            summaries: true,
            inline_limit: 0,
            private_objects: true,
            marked: false,
            stats: false,
            lto: false,
        };
        call!(goldilocks_get_options(&mut raw));
        Options {
            local_exec: raw.local_exec,
            reads: raw.reads,
            writes: raw.writes,
            atomics: raw.atomics,
            memory: raw.memory,
            inline_checks: raw.inline_checks,
            redundant: raw.redundant,
            loops: raw.loops,
            adjacent: raw.adjacent,
            alone: raw.alone,
            summaries: raw.summaries,
            inline_limit: raw.inline_limit,
            private_objects: raw.private_objects,
            marked: raw.marked,
            stats: raw.stats,
        }
    }
}
