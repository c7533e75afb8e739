//! What the tests of the engine share: traces at random, the engine run on them, verdicts compared, failures made small.
#![allow(dead_code)]

pub mod combined;
pub mod compare;
pub mod events;
pub mod memory;
pub mod random;
pub mod replay;
pub mod shrink;
