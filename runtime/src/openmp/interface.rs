//! The part of OMPT that is used, as OpenMP 5.2 declares it in chapter 19 for C.

use core::ffi::{c_char, c_int, c_uint, c_void};

/// `ompt_data_t`: a word that belongs to the tool.
#[repr(C)]
#[derive(Clone, Copy)]
pub union Data {
    pub value: u64,
    pub pointer: *mut c_void,
}

/// `ompt_frame_t`: where a task's frames begin and end.
#[repr(C)]
pub struct Frame {
    pub exit: Data,
    pub enter: Data,
    pub exit_flags: c_int,
    pub enter_flags: c_int,
}

/// `ompt_dependence_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Dependence {
    pub variable: Data,
    pub kind: c_int,
}

/// `ompt_function_lookup_t`.
pub type Lookup = unsafe extern "C" fn(name: *const c_char) -> *mut c_void;
/// `ompt_set_callback_t`.
pub type SetCallback = unsafe extern "C" fn(which: c_int, callback: *mut c_void) -> c_int;
/// `ompt_get_task_memory_t`.
pub type GetTaskMemory =
    unsafe extern "C" fn(address: *mut *mut c_void, bytes: *mut usize, block: c_int) -> c_int;

/// `ompt_start_tool_result_t`.
#[repr(C)]
pub struct StartToolResult {
    pub initialize: unsafe extern "C" fn(Lookup, c_int, *mut Data) -> c_int,
    pub finalize: unsafe extern "C" fn(*mut Data),
    pub tool_data: Data,
}

/// `ompt_callbacks_t`.
pub mod callback {
    use super::c_int;
    pub const PARALLEL_BEGIN: c_int = 3;
    pub const PARALLEL_END: c_int = 4;
    pub const TASK_CREATE: c_int = 5;
    pub const TASK_SCHEDULE: c_int = 6;
    pub const IMPLICIT_TASK: c_int = 7;
    pub const SYNC_REGION_WAIT: c_int = 16;
    pub const DEPENDENCES: c_int = 18;
    pub const SYNC_REGION: c_int = 23;
    pub const REDUCTION: c_int = 31;
}

/// `ompt_scope_endpoint_t`: bits, as `beginend` is both.
pub const BEGIN: c_int = 1;
pub const END: c_int = 2;

/// `ompt_sync_region_t`. Whatever is not one of these is a barrier.
pub mod sync {
    use super::c_int;
    pub const TASKWAIT: c_int = 5;
    pub const TASKGROUP: c_int = 6;
    pub const REDUCTION: c_int = 7;
    pub const IMPLICIT_PARALLEL: c_int = 9;
}

/// `ompt_task_flag_t`.
pub mod flag {
    use super::c_uint;
    pub const EXPLICIT: c_uint = 0x4;
    /// A target region that is not waited for.
    pub const TARGET: c_uint = 0x8;
    pub const TASKWAIT: c_uint = 0x10;
    pub const UNDEFERRED: c_uint = 0x0800_0000;
    pub const UNTIED: c_uint = 0x1000_0000;
}

/// `ompt_task_status_t`.
pub mod status {
    use super::c_int;
    pub const COMPLETE: c_int = 1;
    pub const CANCEL: c_int = 3;
    pub const DETACH: c_int = 4;
    pub const EARLY_FULFILL: c_int = 5;
    pub const LATE_FULFILL: c_int = 6;
    pub const TASKWAIT_COMPLETE: c_int = 8;
}

/// `ompt_dependence_type_t`.
pub mod dependence {
    use super::c_int;
    pub const IN: c_int = 1;
    pub const OUT: c_int = 2;
    pub const INOUT: c_int = 3;
    pub const MUTEXINOUTSET: c_int = 4;
    pub const INOUTSET: c_int = 7;
    pub const OUT_ALL_MEMORY: c_int = 34;
    pub const INOUT_ALL_MEMORY: c_int = 35;
}
