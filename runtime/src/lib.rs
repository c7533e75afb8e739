//! The runtime of Goldilocks: a static library that instrumented programs link.
//!
//! Layers, each depending on those below it only:
//! `hooks`, `interceptors`, `openmp` - what compiled code, libc calls and libomp enter through;
//! `inspection` - what programs and debuggers ask about reports and addresses;
//! `pipeline`, `caller`, `memory_life`, `thread`, `describe`, `findings`, `misuse`, `lock_order` - from events to the engine, from races and other findings to reports;
//! `heap`, `sync_objects`, `sites`, `shadow`, `report`, `symbolizer` - what is known of memory, objects and code;
//! `options`, `alloc`, `sys` - the ground.

#![cfg_attr(test, allow(dead_code))]

mod aliases;
mod alloc;
mod annotations;
mod async_safety;
mod atomic_parts;
mod atomic_words;
mod caller;
mod contexts;
mod deferred_signals;
mod describe;
mod detection;
mod extended_state;
mod fibers;
mod findings;
mod forks;
mod heap;
mod hooks;
mod init;
mod inspection;
mod interceptors;
mod lane;
mod library_locks;
mod lock_order;
mod locksets;
mod memory_life;
mod misuse;
mod modules;
mod openmp;
mod options;
mod own_stack;
mod phases;
mod pipeline;
mod quick;
mod report;
mod shadow;
mod shadow_ahead;
mod shadow_use;
mod site_index;
mod sites;
mod stack_probe;
mod state;
mod strided;
mod stubs;
mod suppressions;
mod sweep;
mod symbolizer;
mod sync_bits;
mod sync_objects;
mod sys;
mod thread;
mod thread_leaks;
mod tls;
mod unwind;
mod waiting;
mod words;
