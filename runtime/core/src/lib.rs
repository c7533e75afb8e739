//! The Goldilocks engine: events in, races out. No libc, no statics, no `extern "C"`.

pub mod abi;
pub mod clocks;
pub mod detector;
pub mod epoch;
pub mod event;
pub mod fast_hash;
pub mod goldilocks;
pub mod line;
pub mod objects;
mod primitive;
pub mod slab;
pub mod tag;
pub mod update_list;
