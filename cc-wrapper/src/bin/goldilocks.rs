//! `goldilocks`: what is there beside the compilers.
fn main() {}
