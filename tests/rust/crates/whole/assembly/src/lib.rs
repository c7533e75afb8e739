//! Has the name of a crate whose atomics are assembly unless it is told of a detector.

#[cfg(not(portable_atomic_sanitize_thread))]
compile_error!("not told of a detector");
