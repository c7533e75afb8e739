//! `std::promise::set_value_at_thread_exit` and its relatives: the value becomes visible by code of the library
//! that is not instrumented, in a function that the library keeps for the end of the thread.
//!
//! libstdc++: whoever waits reads the status word of the shared state by instrumented code. So the library's function is replaced by one
//! of ours, which releases that word first. The library's holds the state meanwhile; letting go of it is done here, too, since the
//! last one to do so runs the destructors in order after all others (as in [`cxx_exceptions`](super::cxx_exceptions)).
//!
//! libc++ guards the state by a mutex, which is seen, but lets go of it by code that is not. (A libc++ that is linked into the
//! program is not seen to do so.)

#![allow(non_snake_case)] // names of the C++ library

use core::ffi::c_void;
use core::sync::atomic::{AtomicI32, AtomicIsize, AtomicUsize, Ordering};

use goldilocks_core::event::{Effect, Entity, Role};

use super::cxx_exceptions::lets_go;
use crate::caller::Caller;
use crate::pipeline::enter;
use crate::{caller, interceptors, real};

type Function = unsafe extern "C" fn(*mut c_void);

/// `_State_baseV2::_Make_ready`: an element of the list of what is to be done at the end of the thread, and a weak pointer to
/// the shared state.
#[repr(C)]
pub struct MakeReady {
    next: *mut c_void,
    function: Function,
    state: *mut c_void,
    counts: *mut Counts,
}

/// `_Sp_counted_base`: who holds the state, and who holds this block (all of the former as one, and weak pointers).
#[repr(C)]
struct Counts {
    functions: *const Functions,
    holders: AtomicI32,
    observers: AtomicI32,
}

/// Its virtual functions.
#[repr(C)]
struct Functions {
    destructors: [usize; 2],
    dispose: unsafe extern "C" fn(*mut Counts),
    destroy: unsafe extern "C" fn(*mut Counts),
}

/// From the shared state to its status word: behind the virtual table and the result.
const STATUS: usize = 16;

/// The library's function: always the same one.
static READY: AtomicUsize = AtomicUsize::new(0);

/// Whether the caller was the last one to be counted.
fn last(caller: Caller, count: &AtomicI32) -> bool {
    // Acquire and release, as the library has it: the last one comes after the others.
    let others = lets_go(
        caller,
        core::ptr::from_ref(count).cast_mut().cast(),
        || count.load(Ordering::Acquire) as usize,
        |n| {
            let n = n as i32;
            count
                .compare_exchange_weak(n, n - 1, Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
        },
    );
    if !others {
        count.store(0, Ordering::Relaxed);
    }
    !others
}

/// One holder more, unless there is none.
fn hold(count: &AtomicI32) -> bool {
    // Relaxed: a count; what it guards is ordered by its way down.
    count
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| {
            (n > 0).then_some(n + 1)
        })
        .is_ok()
}

unsafe extern "C" fn ready(element: *mut c_void) {
    let caller = caller!();
    // SAFETY: what was put into the list with this function. The element observes the state, so its counts are there; they
    // stay until we give up what we take first.
    unsafe {
        let MakeReady { state, counts, .. } = *element.cast::<MakeReady>();
        let about = &*counts;
        let is_there = hold(&about.holders);
        about.observers.fetch_add(1, Ordering::Relaxed);
        if let Some(mut scope) = enter(caller) {
            let status = Entity::object(state as u64 + STATUS as u64, Role::Object);
            scope.sync(Effect::RELEASE, status);
        }
        // Relaxed: stored by this thread.
        let function = READY.load(Ordering::Relaxed);
        core::mem::transmute::<usize, Function>(function)(element);
        if is_there && last(caller, &about.holders) {
            ((*about.functions).dispose)(counts);
            // The holders together count as one observer, and there is another: us.
            last(caller, &about.observers);
        }
        if last(caller, &about.observers) {
            ((*about.functions).destroy)(counts);
        }
    }
}

/// A shared state of libc++ (`__assoc_sub_state`): its virtual functions, and how many hold it besides one.
#[repr(C)]
pub struct State {
    functions: *const StateFunctions,
    others: AtomicIsize,
}

#[repr(C)]
struct StateFunctions {
    destructors: [usize; 2],
    on_zero_shared: unsafe extern "C" fn(*mut State),
}

/// libc++: what a thread does at its end (`__thread_struct_imp`): a vector of states to make ready comes first.
#[repr(C)]
pub struct AtThreadExit {
    states: *const *mut State,
    states_end: *const *mut State,
}

/// Lets go of a state, as the last one in order after the others.
///
/// # Safety
/// The state is held by the caller.
unsafe fn lets_go_of_state(caller: Caller, state: *mut State) {
    // SAFETY: passed on to the caller.
    unsafe {
        let others = &(*state).others;
        let more = lets_go(
            caller,
            core::ptr::from_ref(others).cast_mut().cast(),
            || (others.load(Ordering::Acquire) + 1) as usize,
            |n| {
                let n = n as isize - 1;
                // Acquire and release, as the library has it.
                others
                    .compare_exchange_weak(n, n - 1, Ordering::AcqRel, Ordering::Relaxed)
                    .is_ok()
            },
        );
        if !more {
            others.store(-1, Ordering::Relaxed);
            ((*(*state).functions).on_zero_shared)(state);
        }
    }
}

interceptors! {
    // libc++: std::__assoc_sub_state::__make_ready()
    fn _ZNSt3__117__assoc_sub_state12__make_readyEv(state: *mut State) {
        // SAFETY: the library's call.
        unsafe { real!(_ZNSt3__117__assoc_sub_state12__make_readyEv)(state) }
    }

    // libc++: std::__thread_local_data(), which every std::thread starts with. The library makes the key in it at the first call, in
    // order before all others by code that is not seen, and compiled code reads it: so the key is as good as new.
    fn _ZNSt3__119__thread_local_dataEv() -> *mut c_void {
        let caller = caller!();
        // SAFETY: the library's call.
        let key = unsafe { real!(_ZNSt3__119__thread_local_dataEv)() };
        if let Some(mut scope) = enter(caller) {
            scope.fresh(key, size_of::<libc::pthread_key_t>());
        }
        key
    }

    // libc++: std::__thread_struct::~__thread_struct(), by which a thread ends. The states are made ready and let go of here, and
    // then the library has none left.
    fn _ZNSt3__115__thread_structD1Ev(thread: *mut *mut AtThreadExit) {
        let caller = caller!();
        // SAFETY: the program's call; nobody else uses what belongs to a thread that has ended.
        unsafe {
            let AtThreadExit { states, states_end } = **thread;
            if !states.is_null() {
                let states = core::slice::from_raw_parts(states, states_end.offset_from(states) as usize);
                for &state in states {
                    real!(_ZNSt3__117__assoc_sub_state12__make_readyEv)(state);
                    lets_go_of_state(caller, state);
                }
            }
            (**thread).states_end = states;
            real!(_ZNSt3__115__thread_structD1Ev)(thread);
        }
    }

    // std::__future_base::_State_baseV2::_Make_ready::_M_set()
    fn _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(element: *mut MakeReady) {
        // SAFETY: the program's call; it has put the element at the head of the thread's list, where it stays.
        unsafe {
            real!(_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv)(element);
            READY.store((*element).function as usize, Ordering::Relaxed);
            (*element).function = ready;
        }
    }
}
