//! Random C and C++ programs with forced schedules and a known verdict for every pair of accesses; they are compiled, run,
//! and what is reported is compared with it to the byte.
//!
//! ```text
//! make (program, schedule) -> schedule (more schedules) -> emit (source) -> compile, run -> observe -> judge
//!                                                  \-> verdict: reachability in happens-before --/
//! ```
//!
//! `docs/testing.md` says how to run it.

mod atomic_bytes;
pub mod campaign;
pub mod emit;
pub mod execute;
pub mod footprint;
pub mod judge;
pub mod make;
pub mod observe;
pub mod program;
pub mod random;
pub mod schedule;
pub mod shrink;
pub mod state;
pub mod unit;
pub mod verdict;
