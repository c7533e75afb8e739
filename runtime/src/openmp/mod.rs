//! OpenMP: what orders the threads and tasks of a program that runs on LLVM's libomp.
//!
//! libomp is not instrumented, so what it does to synchronize is neither seen nor believed: its own mutexes and its own
//! reads and writes through libc make no events ([`is_runtime`]). Instead the runtime is a tool in the sense of the OpenMP
//! specification (5.2, chapter 19, "OMPT Interface"), which libomp tells about regions, barriers and tasks; and it stands
//! before those entry points of libomp whose events OMPT tells too late, or not at all (`calls`).
//!
//! | file | idea |
//! |---|---|
//! | `interface` | the declarations of OMPT that are used |
//! | `tool` | how libomp finds the tool, and which events it is asked for |
//! | `object` | the sync objects that stand for OpenMP's constructs |
//! | `region` | parallel regions, implicit tasks, barriers, reductions |
//! | `task` | explicit tasks: creation, scheduling, completion |
//! | `untied` | where the parts of an untied task end |
//! | `dependences` | what `depend` clauses order |
//! | `duplicate` | tasks that libomp makes itself |
//! | `fiber` | a task is a thread of the engine, whichever thread of the system it runs on |
//! | `tasks` | which task had a slot of the engine when |
//! | `calls` | locks, critical sections, ordered, flush, and the rest of what programs call |
//! | `doacross` | loops whose iterations wait for one another |
//!
//! Every explicit task is a thread of its own to the engine: two tasks that nothing orders are unordered even if one thread
//! ran both, one after the other. Implicit tasks are the threads that run them.

mod calls;
mod dependences;
mod doacross;
mod duplicate;
mod fiber;
mod interface;
mod object;
mod region;
mod task;
pub mod tasks;
mod tool;
mod untied;

pub use fiber::Worker;
pub use object::name;
pub use tool::{is_runtime, is_there};
