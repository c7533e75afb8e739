//! Misuse of synchronization objects: what POSIX leaves undefined, and what blocks for ever.
//!
//! A finding must be certain. So the checks go by what the object itself says (its fields, see `lock_layout`) and by the locks
//! that the thread was seen to take; where the two could disagree in a correct program (a lock that was taken before the
//! runtime was there, by code that goes past the interceptors, before a fork, by another process) nothing is reported. All of
//! it is off the path of a correct lock operation.

pub mod mutex;
