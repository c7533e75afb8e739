//! Order that the program states: what comes before a source on an address is ordered before what comes after a sink on it.

use crate::caller;
use crate::caller::Caller;
use crate::pipeline::enter;
use core::ffi::{c_char, c_int, c_void};
use goldilocks_core::event::{Effect, Entity, Role};

/// What is at an address for annotations: what they say by themselves, and with atomics and locks there. A relaxed store to an atomic ends what was
/// released by it, and not what was stated.
fn objects(address: *const c_void) -> [Entity; 2] {
    [Role::Object, Role::Stated].map(|role| Entity::object(address as u64, role))
}

fn sync(caller: Caller, effect: Effect, address: *const c_void) {
    if let Some(mut scope) = enter(caller) {
        for object in objects(address) {
            scope.orders(effect, object);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_release(address: *mut c_void) {
    let caller = caller!();
    sync(caller, Effect::RELEASE, address);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_acquire(address: *mut c_void) {
    let caller = caller!();
    sync(caller, Effect::ACQUIRE, address);
}

macro_rules! annotations {
    ($($name:ident($($more:ident: $type:ty),*) = $effect:ident;)*) => {
        $(#[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(_file: *const c_char, _line: c_int, address: *mut c_void $(, $more: $type)*) {
            let caller = caller!();
            sync(caller, Effect::$effect, address);
        })*
    };
}

// A queue's elements are not told apart: to take one is ordered after all that were put before.
annotations! {
    AnnotateHappensBefore() = RELEASE;
    AnnotateHappensAfter() = ACQUIRE;
    WTFAnnotateHappensBefore() = RELEASE;
    WTFAnnotateHappensAfter() = ACQUIRE;
    AnnotateCondVarSignal() = RELEASE;
    AnnotateCondVarSignalAll() = RELEASE;
    AnnotateCondVarWait(_lock: *mut c_void) = ACQUIRE;
    AnnotatePCQPut() = RELEASE;
    AnnotatePCQGet() = ACQUIRE;
}

macro_rules! ends {
    ($($name:ident)*) => {
        $(#[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(_file: *const c_char, _line: c_int, address: *mut c_void) {
            let caller = caller!();
            if let Some(mut scope) = enter(caller) {
                for object in objects(address) {
                    scope.forget(object);
                }
            }
        })*
    };
}

ends! { AnnotatePCQCreate AnnotatePCQDestroy AnnotateHappensBeforeForgetAll }
