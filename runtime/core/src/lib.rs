//! The Goldilocks engine: events in, races out. No libc, no statics, no `extern "C"`.

pub mod abi;
pub mod atomics;
pub mod clocks;
pub mod detector;
mod displace;
pub mod epoch;
pub mod event;
pub mod fast_hash;
pub mod goldilocks;
pub mod happens_before;
pub mod history;
pub mod line;
pub mod line_sites;
pub mod objects;
pub mod oracle;
mod primitive;
pub mod quick;
pub mod read_sets;
mod remembered;
pub mod slab;
mod spilled;
mod spin;
pub mod sweep;
pub mod tag;
pub mod trace;
pub mod transition;
pub mod update_list;
