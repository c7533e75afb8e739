//! The program is told of a report, and looks at it: `__tsan_on_report`, and what it can ask about the report then.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::null_mut;

use super::view::View;
use super::{put, put_trace};
use crate::options::weak_function;
use crate::sys::{self, lock::Lock};

weak_function!(on_report, "__tsan_on_report", extern "C" fn(*mut c_void));

/// Reports that a program looks at now, by thread. A thread makes one at a time.
static CURRENT: Lock<Vec<(i32, usize)>> = Lock::new(Vec::new());

/// Whether the program wants to look at reports.
pub fn is_asked_for() -> bool {
    on_report().is_some()
}

/// Lets the program look at a report that was just written. The running thread is inside the runtime, so what the program does
/// meanwhile is not checked, and holds no lock of it.
pub fn tell(view: &View) {
    let Some(function) = on_report() else { return };
    let report = (&raw const *view).cast_mut().cast::<c_void>();
    let me = sys::gettid();
    if let Some(mut current) = CURRENT.lock() {
        current.push((me, report as usize));
    }
    function(report);
    if let Some(mut current) = CURRENT.lock() {
        current.retain(|(thread, _)| *thread != me);
    }
}

/// The report that the running thread looks at; null if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_get_current_report() -> *mut c_void {
    let me = sys::gettid();
    let current = CURRENT.lock();
    let found = current
        .iter()
        .flat_map(|current| current.iter())
        .find(|(thread, _)| *thread == me);
    found.map_or(null_mut(), |(_, report)| *report as *mut c_void)
}

/// # Safety
/// `report` is what `__tsan_on_report` was called with, which has not returned.
unsafe fn view<'a>(report: *mut c_void) -> Option<&'a View> {
    // SAFETY: the caller's promise.
    unsafe { report.cast::<View>().as_ref() }
}

/// Defines a function that answers 1, or 0 if there is no such report or part of one.
macro_rules! answers {
    ($($name:ident($report:ident $(, $argument:ident: $type:ty)*) $body:block)*) => {
        $(
            #[allow(clippy::too_many_arguments)]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($report: *mut c_void $(, $argument: $type)*) -> c_int {
                // SAFETY: what the interface asks of its callers: the report is being made, and every place that is given may
                // be written.
                let answer = (|| unsafe {
                    let $report = view($report)?;
                    $body
                    Some(())
                })();
                answer.is_some().into()
            }
        )*
    };
}

answers! {
    __tsan_get_report_data(
        report, description: *mut *const c_char, count: *mut c_int, stacks: *mut c_int, accesses: *mut c_int,
        locations: *mut c_int, locks: *mut c_int, threads: *mut c_int, unique_threads: *mut c_int,
        sleep: *mut usize, room: usize
    ) {
        put(description, report.kind.as_ptr());
        // Repetitions are not told.
        put(count, 0);
        put(stacks, report.stacks.len() as c_int);
        put(accesses, report.accesses.len() as c_int);
        put(locations, report.locations.len() as c_int);
        put(locks, report.locks.len() as c_int);
        put(threads, report.threads.len() as c_int);
        put(unique_threads, report.accesses.len() as c_int);
        put_trace(&[], sleep, room);
    }

    // Accesses by `__tsan_external_*` are as any other.
    __tsan_get_report_tag(report, tag: *mut usize) {
        let _ = report;
        put(tag, 0);
    }

    __tsan_get_report_stack(report, index: usize, trace: *mut usize, room: usize) {
        put_trace(report.stacks.get(index)?, trace, room);
    }

    __tsan_get_report_mop(
        report, index: usize, thread: *mut c_int, addr: *mut *mut c_void, size: *mut c_int, write: *mut c_int,
        atomic: *mut c_int, trace: *mut usize, room: usize
    ) {
        let access = report.accesses.get(index)?;
        put(thread, access.thread as c_int);
        put(addr, access.addr as *mut c_void);
        put(size, access.size as c_int);
        put(write, access.is_write.into());
        put(atomic, access.is_atomic.into());
        put_trace(&access.trace, trace, room);
    }

    __tsan_get_report_loc(
        report, index: usize, kind: *mut *const c_char, addr: *mut *mut c_void, start: *mut usize, size: *mut usize,
        thread: *mut c_int, descriptor: *mut c_int, suppressable: *mut c_int, trace: *mut usize, room: usize
    ) {
        let location = report.locations.get(index)?;
        put(kind, location.kind.as_ptr());
        put(addr, location.addr as *mut c_void);
        put(start, location.start);
        put(size, location.size);
        put(thread, location.thread as c_int);
        put(descriptor, location.descriptor);
        put(suppressable, 0);
        put_trace(&location.trace, trace, room);
    }

    // Kinds of objects that `__tsan_external_register_tag` has named are not kept.
    __tsan_get_report_loc_object_type(report, index: usize, object: *mut *const c_char) {
        report.locations.get(index)?;
        put(object, CStr::as_ptr(c""));
    }

    __tsan_get_report_mutex(
        report, index: usize, number: *mut usize, addr: *mut *mut c_void, destroyed: *mut c_int, trace: *mut usize,
        room: usize
    ) {
        let lock = report.locks.get(index)?;
        put(number, lock.addr);
        put(addr, lock.addr as *mut c_void);
        put(destroyed, lock.is_destroyed.into());
        put_trace(&lock.trace, trace, room);
    }

    __tsan_get_report_thread(
        report, index: usize, thread: *mut c_int, os_thread: *mut u64, running: *mut c_int, name: *mut *const c_char,
        parent: *mut c_int, trace: *mut usize, room: usize
    ) {
        let described = report.threads.get(index)?;
        put(thread, described.number as c_int);
        put(os_thread, described.os_tid as u64);
        put(running, described.is_running.into());
        put(name, described.name.as_ptr());
        put(parent, described.created_by.map_or(-1, |by| by as c_int));
        put_trace(&described.trace, trace, room);
    }

    __tsan_get_report_unique_tid(report, index: usize, thread: *mut c_int) {
        put(thread, report.accesses.get(index)?.thread as c_int);
    }
}
