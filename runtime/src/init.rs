//! The beginning and the end of a process.
//!
//! In an executable `start` is in `.preinit_array`: before every constructor. In the shared runtime it is the first
//! constructor; what instrumented code does before that is let through by `start_late`.

use crate::atomic_parts;
use crate::atomic_words;
use crate::inspection;
use crate::interceptors::{exits, process, real};
use crate::options;
use crate::pipeline;
use crate::report;
use crate::shadow::ShadowMemory;
use crate::shadow_use;
use crate::state::{self, is_up};
use crate::symbolizer;
use crate::sync_bits;
use crate::sys;
use crate::thread;
use crate::thread_leaks;
use crate::tls;
use core::ffi::c_void;
#[cfg(not(test))]
use core::ffi::{c_char, c_int};
use core::sync::atomic::{AtomicU32, Ordering};

// Not in unit tests: they are no program under detection.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".preinit_array")]
static PREINIT: unsafe extern "C" fn(c_int, *const *const c_char, *const *const c_char) =
    start_first;

static STARTED: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" {
    fn __cxa_atexit(
        function: extern "C" fn(*mut c_void),
        argument: *mut c_void,
        dso: *mut c_void,
    ) -> i32;
}

/// The dynamic linker passes to constructors what `main` gets.
#[cfg(not(test))]
unsafe extern "C" fn start_first(
    _count: c_int,
    _arguments: *const *const c_char,
    environment: *const *const c_char,
) {
    options::environment_is(environment);
    start();
}

extern "C" fn start() {
    // Relaxed: the process has one thread.
    if STARTED.swap(1, Ordering::Relaxed) != 0 {
        return;
    }
    let cells = ShadowMemory::reserve_cells();
    real::resolve_all();
    process::watch_forks();
    symbolizer::server::run_if_requested();
    let options = options::init();
    report::init(options);
    if let Err(error) = cells
        .and_then(state::start)
        .and_then(|()| sync_bits::reserve())
        .and_then(|()| atomic_words::reserve())
        .and_then(|()| atomic_parts::reserve())
    {
        pipeline::fatal(&error.0);
    }
    let block = tls::block();
    block.depth.store(1, Ordering::Relaxed);
    thread::attach(true);
    block.depth.store(0, Ordering::Relaxed);
    // For `pipeline::freeze`; it manages without.
    let _ = sys::membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    report::set_on_halt(halting);
    exits::watch_quick_exit();
    // Registered before everything else, so it runs when all other exit handlers have run.
    // SAFETY: a handler that lives as long as the process.
    unsafe {
        __cxa_atexit(
            last_exit_handler,
            core::ptr::null_mut(),
            core::ptr::null_mut(),
        )
    };
    inspection::initialized();
}

/// An instrumented access came before the runtime (a constructor of a library that runs before ours).
pub fn start_late() {
    start();
}

/// Exit handlers and the destructors of the modules have run: this was registered before all of them. Ending with another status
/// from here is done by calling `exit` again: what has run does not run twice, and the flush of stdio still comes.
extern "C" fn last_exit_handler(_: *mut c_void) {
    if !is_up() {
        return;
    }
    let block = tls::block();
    block.depth.fetch_add(1, Ordering::Relaxed);
    thread_leaks::report();
    block.depth.fetch_sub(1, Ordering::Relaxed);
    finish(0);
    end_with(report::wanted_status());
}

/// Ends with `status` instead of the program's own, if it is not what is being done already.
fn end_with(status: Option<i32>) {
    let Some(status) = status else { return };
    // Relaxed: only the thread that exits comes here.
    if ENDING.swap(1, Ordering::Relaxed) == 0 {
        // SAFETY: see `last_exit_handler`; libc allows its handlers to call it.
        unsafe { libc::exit(status) };
    }
}

static ENDING: AtomicU32 = AtomicU32::new(0);

/// `halt_on_error` is about to end the process.
fn halting() {
    if options::get().stats {
        // Others may wait for what this thread holds.
        print_counts(None);
    }
}

static FINISHED: AtomicU32 = AtomicU32::new(0);

/// Prints the summary, once, and gives the status to end with instead of `status`.
pub fn finish(status: i32) -> i32 {
    if FINISHED.swap(1, Ordering::Relaxed) == 0 {
        let block = tls::block();
        block.depth.fetch_add(1, Ordering::Relaxed);
        report::at_exit();
        if options::get().stats {
            print_counts(Some(&pipeline::freeze()));
        }
        block.depth.fetch_sub(1, Ordering::Relaxed);
        inspection::finalized(report::wanted_status().is_some());
        if report::wanted_status().is_some() {
            inspection::before_death();
        }
    }
    report::wanted_status().unwrap_or(status)
}

fn print_counts(frozen: Option<&pipeline::Frozen>) {
    let (cells, entities, objects) = state::runtime().engine.sizes();
    let resident = shadow_use::resident(state::runtime().shadow.cell_ranges());
    let text = format!(
        "Goldilocks: counts: {:?}\nGoldilocks: {cells} cells pending, {entities} entities in the checkpoint, {objects} sync objects, \
         {} side units, {} bytes of sites, {} threads, {} bytes of cells resident, {} bytes of tables resident\n",
        pipeline::counts(frozen),
        state::runtime().slab.in_use(),
        state::runtime().sites.bytes(),
        state::runtime().threads.count(),
        resident.cells,
        resident.tables,
    );
    report::output::note(&text);
}
