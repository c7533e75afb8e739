//! The Goldilocks engine: events in, races out. No libc, no statics, no `extern "C"`.

pub mod abi;
pub mod event;
