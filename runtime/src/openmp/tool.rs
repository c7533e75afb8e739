//! How libomp finds the tool, and which events it is asked for.

use super::interface::{
    Data, Frame, GetTaskMemory, Lookup, SetCallback, StartToolResult, callback,
};
use super::{dependences, region, task};
use crate::caller;
use crate::modules::Modules;
use core::ffi::{c_char, c_int, c_uint, c_void};
use core::sync::atomic::{AtomicIsize, AtomicPtr, AtomicUsize, Ordering};

// Weak: a program that brings its own tool keeps it.
core::arch::global_asm!(
    ".text",
    ".weak ompt_start_tool",
    ".type ompt_start_tool, @function",
    "ompt_start_tool:",
    "jmp {start}",
    ".size ompt_start_tool, . - ompt_start_tool",
    start = sym start_tool,
);

struct Tool(StartToolResult);
// SAFETY: functions, and a word that nobody uses.
unsafe impl Sync for Tool {}

static TOOL: Tool = Tool(StartToolResult {
    initialize,
    finalize,
    tool_data: Data { value: 0 },
});

/// Called by libomp when it starts; it takes the first tool that it finds, this one before those in libraries.
unsafe extern "C" fn start_tool(
    _version: c_uint,
    _runtime: *const c_char,
) -> *const StartToolResult {
    if crate::state::is_up() {
        find_runtime(caller!().pc);
        &TOOL.0
    } else {
        core::ptr::null()
    }
}

/// Where libomp's code begins, and how long it is. Written once, before libomp has created a thread.
static CODE: AtomicUsize = AtomicUsize::new(0);
static CODE_BYTES: AtomicUsize = AtomicUsize::new(0);

/// libomp is what has the code at `pc`. To be found before it has any memory: what it writes to it is its own affair.
fn find_runtime(pc: usize) {
    let block = crate::tls::block();
    // libomp calls us from the program's code, outside of the runtime; what is called here must not come back in.
    block.depth.fetch_add(1, Ordering::Relaxed);
    if let Some(module) = Modules::load().find(pc) {
        let code = module
            .segments
            .iter()
            .find(|(range, executable)| *executable && range.contains(&pc));
        if let Some((range, _)) = code {
            CODE.store(range.start, Ordering::Relaxed);
            CODE_BYTES.store(range.len(), Ordering::Relaxed);
        }
    }
    block.depth.fetch_sub(1, Ordering::Relaxed);
}

/// Whether there is a libomp that has called us.
pub fn is_there() -> bool {
    CODE_BYTES.load(Ordering::Relaxed) != 0
}

/// Whether a code address is in libomp.
#[inline(always)]
pub fn is_runtime(pc: usize) -> bool {
    // Relaxed: whoever libomp's code runs on was created by libomp after these were written.
    pc.wrapping_sub(CODE.load(Ordering::Relaxed)) < CODE_BYTES.load(Ordering::Relaxed)
}

static GET_TASK_MEMORY: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());

/// The memory of the task that the running thread runs: address and bytes of what compiled code keeps in it.
pub fn task_memory() -> Option<(usize, usize)> {
    let function = GET_TASK_MEMORY.load(Ordering::Relaxed);
    if function.is_null() {
        return None;
    }
    // SAFETY: libomp's function of this name and type.
    let function: GetTaskMemory = unsafe { core::mem::transmute(function) };
    let (mut address, mut bytes) = (core::ptr::null_mut(), 0);
    // Its result says whether there are more blocks.
    // SAFETY: both results are writable.
    unsafe { function(&mut address, &mut bytes, 0) };
    (bytes != 0 && !address.is_null()).then_some((address.addr(), bytes))
}

/// How far behind a task's word libomp keeps its frame, bytes; 0 until it has shown us both of one task.
static FRAME: AtomicIsize = AtomicIsize::new(0);

/// libomp has passed the word and the frame of one task.
pub fn learn_frame(task: *const Data, frame: *const Frame) {
    if FRAME.load(Ordering::Relaxed) == 0 && !task.is_null() && !frame.is_null() {
        let distance = frame.addr().wrapping_sub(task.addr()) as isize;
        // In one structure; otherwise they are not kept together, and that is no way to find it.
        if distance.unsigned_abs() < 256 {
            FRAME.store(distance, Ordering::Relaxed);
        }
    }
}

/// The lowest address that the frames of a task use while it is in libomp; 0 if it has no frames, `None` if that is not known.
pub fn lowest_frame(task: *const Data) -> Option<usize> {
    let distance = FRAME.load(Ordering::Relaxed);
    if distance == 0 || task.is_null() {
        return None;
    }
    // SAFETY: the distance is that between members of the structure in which libomp keeps every task's word.
    let frame = unsafe { &*task.byte_offset(distance).cast::<Frame>() };
    // SAFETY: an address.
    Some(unsafe { frame.enter.value as usize })
}

unsafe extern "C" fn initialize(lookup: Lookup, _device: c_int, _data: *mut Data) -> c_int {
    // SAFETY: names of the specification; what is found has the type that goes with the name.
    unsafe {
        GET_TASK_MEMORY.store(lookup(c"ompt_get_task_memory".as_ptr()), Ordering::Relaxed);
        let set = lookup(c"ompt_set_callback".as_ptr());
        if set.is_null() {
            return 0;
        }
        let set: SetCallback = core::mem::transmute(set);
        for (which, function) in [
            (
                callback::PARALLEL_BEGIN,
                region::parallel_begin as *mut c_void,
            ),
            (callback::PARALLEL_END, region::parallel_end as *mut c_void),
            (
                callback::IMPLICIT_TASK,
                region::implicit_task as *mut c_void,
            ),
            (callback::SYNC_REGION, region::sync_region as *mut c_void),
            (
                callback::SYNC_REGION_WAIT,
                region::sync_region_wait as *mut c_void,
            ),
            (callback::REDUCTION, region::reduction as *mut c_void),
            (callback::TASK_CREATE, task::create as *mut c_void),
            (callback::TASK_SCHEDULE, task::schedule as *mut c_void),
            (callback::DEPENDENCES, dependences::announced as *mut c_void),
        ] {
            set(which, function);
        }
    }
    1
}

unsafe extern "C" fn finalize(_data: *mut Data) {}
