//! The Goldilocks engine: events in, races out. No libc, no statics, no `extern "C"`.

pub mod abi;
mod atomic_line;
pub mod atomics;
pub mod clocks;
pub mod detector;
pub mod epoch;
pub mod event;
pub mod fast_hash;
mod fresh;
pub mod goldilocks;
pub mod happens_before;
pub mod history;
pub mod joins;
pub mod kept;
pub mod line;
pub mod line_sites;
pub mod lock_word;
pub mod objects;
pub mod oracle;
#[cfg(not(loom))]
mod primitive;
#[cfg(loom)]
pub mod primitive;
pub mod quick;
mod quick_atomic;
mod quick_free;
mod quick_line;
mod quick_locked;
mod quick_record;
mod quick_step;
pub mod read_sets;
pub mod record_pool;
pub mod records;
mod refresh;
mod remembered;
pub mod renew;
mod row;
mod side_record;
pub mod slab;
mod spin;
pub mod steps;
pub mod stripe;
pub mod sweep;
pub mod tag;
pub mod trace;
pub mod transition;
pub mod update_list;
