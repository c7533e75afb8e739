//! Interceptors of libc and libpthread, one file per family.
//!
//! An interceptor enters the runtime, makes the event that precedes the real call (a sync-source, a check of memory
//! that the call will touch), leaves, makes the real call, and enters again for the event that follows from what
//! *really happened* (a sync-sink only on success). It never holds a lock of the runtime during the real call.

pub mod attributes;
pub mod barrier;
pub mod c11;
pub mod cancellation;
pub mod children;
pub mod clocks;
pub mod cond;
pub mod contended;
pub mod cxx_barrier;
pub mod cxx_exceptions;
pub mod cxx_futures;
pub mod cxx_guard;
pub mod cxx_once;
pub mod cxx_shared_mutex;
pub mod descriptors;
pub mod devices;
pub mod direct;
pub mod dynamic;
pub mod encodings;
pub mod exits;
pub mod files;
pub mod format;
pub mod given;
pub mod jumps;
pub mod libatomic;
mod libc_heap;
pub mod libc_symbols;
pub mod libc_table;
pub mod lock_layout;
pub mod malloc;
pub mod mapping;
pub mod memory;
pub mod messages;
pub mod mutex;
pub mod numbers;
pub mod once;
pub mod opening;
pub mod operator_new;
pub mod own_range;
pub mod paths;
mod patience;
pub mod pollers;
pub mod printf;
pub mod process;
pub mod queues;
pub mod real;
pub mod records;
pub mod requests;
pub mod rwlock;
pub mod search;
pub mod semaphore;
pub mod signal_targets;
pub mod signals;
pub mod sockets;
pub mod spin;
pub mod stdio;
pub mod strings;
pub mod system;
pub mod threads;
pub mod timers;
pub mod variadic;
pub mod wide_printf;
pub mod wide_strings;

/// Defines interceptors. For `fn name(args) -> ret { body }` this makes
/// * `__goldilocks_interceptor_name`, which the build renames to `name`,
/// * the slot of the real function, and `real!(name)(args)` to call it,
/// * `__goldilocks_real_name`, a jump to the real one for code inside the runtime.
///
/// `fn name @ "GLIBC_2.3.2" (args)` asks for that version of the real function.
#[macro_export]
macro_rules! interceptors {
    ($($(#[$meta:meta])* fn $name:ident $(@ $version:literal)? ($($arg:ident : $type:ty),* $(,)?) $(-> $ret:ty)? $body:block)*) => {
        $(
            $(#[$meta])*
            #[unsafe(export_name = concat!("__goldilocks_interceptor_", stringify!($name)))]
            pub unsafe extern "C" fn $name($($arg: $type),*) $(-> $ret)? $body
            $crate::intercepted!($name $(@ $version)? ($($type),*) $(-> $ret)?);
        )*
    };
}

/// The slot, its entry in the table, and the jump, for an interceptor written out by hand (variadic functions in assembly).
#[macro_export]
macro_rules! intercepted {
    ($name:ident $(@ $version:literal)? ($($type:ty),*) $(-> $ret:ty)?) => {
        #[allow(non_snake_case, non_camel_case_types, non_upper_case_globals)]
        pub mod $name {
            #[allow(unused_imports)]
            use super::*;
            use core::sync::atomic::AtomicPtr;
            use core::ffi::c_void;

            #[allow(dead_code)] // of interceptors that only adjust their arguments in assembly
            pub type Function = unsafe extern "C" fn($($type),*) $(-> $ret)?;

            #[unsafe(export_name = concat!("__goldilocks_slot_", stringify!($name)))]
            pub static SLOT: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());

            #[used]
            #[unsafe(link_section = "goldilocks_intercepted")]
            static ENTRY: $crate::interceptors::real::Intercepted = $crate::interceptors::real::Intercepted {
                // SAFETY: ends in one NUL.
                name: unsafe { core::ffi::CStr::from_bytes_with_nul_unchecked(concat!(stringify!($name), "\0").as_bytes()) },
                version: $crate::intercepted!(@version $($version)?),
                slot: &SLOT,
            };

            core::arch::global_asm!(
                ".text",
                concat!(".globl __goldilocks_real_", stringify!($name)),
                concat!(".hidden __goldilocks_real_", stringify!($name)),
                concat!(".type __goldilocks_real_", stringify!($name), ", @function"),
                concat!("__goldilocks_real_", stringify!($name), ":"),
                concat!("jmp *__goldilocks_slot_", stringify!($name), "(%rip)"),
                concat!(".size __goldilocks_real_", stringify!($name), ", . - __goldilocks_real_", stringify!($name)),
                options(att_syntax)
            );

            /// The real function.
            #[allow(dead_code)]
            #[inline(always)]
            pub fn real() -> Function {
                let mut function = SLOT.load(core::sync::atomic::Ordering::Relaxed);
                if function.is_null() {
                    // A constructor of a library that runs before ours (with the shared runtime).
                    $crate::interceptors::real::resolve_late(&ENTRY);
                    function = SLOT.load(core::sync::atomic::Ordering::Relaxed);
                }
                // SAFETY: the slot holds the address of a function of this type (`resolve_all`).
                unsafe { core::mem::transmute::<*mut c_void, Function>(function) }
            }
        }
    };
    (@version $version:literal) => {
        // SAFETY: ends in one NUL.
        Some(unsafe { core::ffi::CStr::from_bytes_with_nul_unchecked(concat!($version, "\0").as_bytes()) })
    };
    (@version) => { None };
}

/// The real function behind an interceptor: `real!(pthread_join)(thread, value)`.
#[macro_export]
macro_rules! real {
    ($name:ident) => {
        $name::real()
    };
}
