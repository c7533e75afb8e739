//! What programs say about their own synchronization and memory, under the names that they know: ThreadSanitizer's
//! `__tsan_*`, the older `Annotate*` family that Helgrind and DRD read as well, and `include/goldilocks.h`.
//!
//! An annotation changes what is known of order or of memory; none changes what the program does.

pub mod benign;
mod compiled;
mod dynamic;
pub mod ignore;
mod java;
mod locks;
mod memory;
mod order;
mod system_calls;
mod unordered_barrier;
