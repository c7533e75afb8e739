//! From a race, as the engine has found it, or another finding, to what the user reads.
//!
//! ```text
//! Race or Finding (addresses) -> resolve (names) -> suppressed? told already? -> render (text) -> one write
//! ```
//!
//! One report is made at a time, on the thread that has found it. Nothing is buffered: when [`report`] returns
//! the text is out, and a crash right after loses nothing.

mod advice;
mod case;
mod dedup;
mod doctests;
pub mod excerpt;
mod exit;
mod expression;
mod fingerprint;
mod frames;
mod intended;
mod json;
mod libtest;
pub mod model;
mod openmp_frames;
pub mod output;
mod render;
mod resolved;
mod rust_expression;
mod source;

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use core::time::Duration;
use std::collections::BTreeMap;

use case::Case;
pub use dedup::Between;
use dedup::{Pair, Pairs};
use exit::Told;
use model::{AccessDesc, AccessKind, Family, Stack};
pub use model::{Finding, Race, ReportKind};
use render::Style;
use source::Files;

use crate::detection;
use crate::inspection::{self, View};
use crate::modules::Modules;
use crate::options::{self, Options, ReportFormat};
use crate::suppressions::{Kind, Suppressions};
use crate::symbolizer::{Settings, Symbolizer};
use crate::sys::{self, lock::Lock};

/// How long the end of the process waits for a report that another thread is making.
const LAST_WAIT: Duration = Duration::from_secs(10);

static PAIRS: Pairs = Pairs::new();

/// Number of this process's reports. Relaxed: a count that nothing else depends on.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Called before the process is ended by `halt_on_error`; an `fn()` or 0. Set before there are threads.
static ON_HALT: AtomicUsize = AtomicUsize::new(0);

static STATE: Lock<State> = Lock::new(State {
    suppressions: Suppressions::none(),
    symbolizer: None,
    lines: BTreeMap::new(),
    told: Vec::new(),
    inherited: 0,
    left_out_said: false,
    finished: false,
});

struct State {
    suppressions: Suppressions,
    /// Made by the first report.
    symbolizer: Option<Symbolizer>,
    /// Reports by what [`fingerprint::same_lines`] says of them, so that code that was compiled into several places, or has several
    /// callers, is told once for each variable.
    lines: BTreeMap<u64, usize>,
    told: Vec<Told>,
    /// The first ones, which another process told before it forked this one: they are not told again, and are none of its own.
    inherited: usize,
    /// That calls are left out of stacks.
    left_out_said: bool,
    /// The summary was printed.
    finished: bool,
}

/// Reads the suppressions and checks the log. Once, after [`options::init`].
pub fn init(options: &Options) {
    output::check(options);
    let (suppressions, warnings) = Suppressions::load(options.suppressions);
    for warning in warnings {
        output::note(&format!("WARNING: Goldilocks: {warning}\n"));
    }
    if let Some(mut state) = STATE.lock() {
        state.suppressions = suppressions;
    }
}

/// What to do before `halt_on_error` ends the process: flush what must not be lost.
pub fn set_on_halt(hook: fn()) {
    ON_HALT.store(hook as usize, Ordering::Relaxed);
}

/// Whether it is known without their stacks that races between these sites were told; counts it. The first thing to ask about a race, as a program may
/// have nothing else.
pub fn is_known(between: Between) -> bool {
    PAIRS.is_known(between)
}

/// Whether a race between these two stacks was seen before; counts it. The next thing to ask.
/// The arguments are their return addresses, none of one that is not known.
pub fn is_duplicate(a: &[usize], b: &[usize], between: Between) -> bool {
    let pair = Pair::of_race(a, b);
    let is_duplicate = PAIRS.is_repetition(pair) && options::get().report_once;
    if is_duplicate {
        PAIRS.is_between(pair, between);
    }
    is_duplicate
}

/// Some stacks have each call of a recursion once only, from now on: a report says so.
pub fn calls_are_left_out() {
    CALLS_LEFT_OUT.store(true, Ordering::Relaxed);
}

/// Said with the first report that may be concerned.
static CALLS_LEFT_OUT: AtomicBool = AtomicBool::new(false);
const LEFT_OUT: &str = "Goldilocks: this run has so many stacks that from now on each call of a recursion is shown once, and of those only the innermost if need be\n";

/// Whether findings of this kind are reported at all: the first thing to ask.
pub fn is_wanted(kind: ReportKind) -> bool {
    let options = options::get();
    options.report_bugs
        && match kind.family() {
            Family::Race => true,
            Family::Mutex => options.report_mutex_bugs,
            Family::DestroyLocked => options.report_destroy_locked,
            Family::Deadlock => options.detect_deadlocks,
            Family::Signal => options.report_signal_unsafe,
            Family::Errno => options.report_errno_in_handler,
            Family::ThreadLeak => options.report_thread_leaks,
            Family::ThreadAtExit => options.report_threads_at_exit,
        }
}

/// As [`is_duplicate`], of a finding whose parts have these first return addresses, in any order.
pub fn is_repeated_finding(kind: ReportKind, pcs: impl Iterator<Item = usize>) -> bool {
    PAIRS.is_repetition(Pair::of_finding(kind, pcs)) && options::get().report_once
}

/// Number of reports so far.
pub fn count() -> u32 {
    COUNT.load(Ordering::Relaxed)
}

/// Reports a race, unless it is suppressed or was told before. To be called once per pair of sites, see
/// [`is_duplicate`], without any lock of the runtime held. May take as long as the symbolizer does.
pub fn report(kind: ReportKind, race: Race) {
    let options = options::get();
    if !options.report_bugs || (!options.report_atomic_races && is_mixed(&race)) {
        return;
    }
    report_case(Case::Race(kind, &race), options);
}

/// Reports a finding that is no race, as [`report`] does. To be called once per [`is_repeated_finding`], and only if it
/// [`is_wanted`].
pub fn report_finding(finding: Finding) {
    report_case(Case::Finding(&finding), options::get());
}

fn report_case(case: Case<'_>, options: &Options) {
    // `None`: a signal handler of the host has interrupted this thread while it was reporting, and races itself.
    let Some(mut state) = STATE.lock() else {
        return;
    };
    let Some(view) = state.tell(&case, options) else {
        return;
    };
    drop(state);
    if let Some(view) = view {
        inspection::tell(&view);
    }
    if options.halt_on_error {
        halt(options);
    }
}

/// Lets `deed` look for names; `None` if this thread is making a report.
pub fn with_symbolizer<R>(deed: impl FnOnce(&mut Symbolizer) -> R) -> Option<R> {
    let mut state = STATE.lock()?;
    let symbolizer = state.symbolizer();
    symbolizer.refresh();
    Some(deed(symbolizer))
}

fn is_mixed(race: &Race) -> bool {
    let atomic =
        |side: &AccessDesc| matches!(side.kind, AccessKind::Access(access) if access.is_atomic());
    atomic(&race.current) != atomic(&race.previous)
}

fn halt(options: &Options) -> ! {
    let hook = ON_HALT.load(Ordering::Relaxed);
    if hook != 0 {
        // SAFETY: the value was made of an `fn()` by `set_on_halt`.
        unsafe { core::mem::transmute::<usize, fn()>(hook)() };
    }
    inspection::before_death();
    sys::exit_group(options.exitcode as i32)
}

/// The file that this process runs.
fn program() -> String {
    sys::read_link(c"/proc/thread-self/exe").map_or_else(
        |_| "?".to_owned(),
        |path| String::from_utf8_lossy(&path).into_owned(),
    )
}

/// Suppressions that apply to a family.
fn kinds(family: Family, top_only: bool) -> &'static [Kind] {
    match (family, top_only) {
        (Family::Race, true) => &[Kind::RaceTop],
        (Family::Race, false) => &[Kind::Race],
        (Family::Mutex | Family::DestroyLocked, false) => &[Kind::Mutex],
        (Family::Deadlock, false) => &[Kind::Deadlock],
        (Family::Signal | Family::Errno, false) => &[Kind::Signal],
        (Family::ThreadLeak | Family::ThreadAtExit, false) => &[Kind::Thread],
        (_, true) => &[],
    }
}

impl State {
    fn symbolizer(&mut self) -> &mut Symbolizer {
        self.symbolizer
            .get_or_insert_with(|| Symbolizer::new(Settings::new(options::get())))
    }

    /// `None` if nothing was printed; otherwise, if the program wants to look at it, the report.
    fn tell(&mut self, case: &Case<'_>, options: &Options) -> Option<Option<View>> {
        let pair = case.pair();
        let family = case.kind().family();
        if self.is_suppressed_by_module(family, &case.stacks()) {
            PAIRS.in_vain(pair, None);
            return None;
        }
        let symbolizer = self.symbolizer();
        symbolizer.refresh();
        let report = case.resolve(sys::getpid(), symbolizer);
        for top_only in [false, true] {
            let names = report.suppressible(top_only);
            if self
                .suppressions
                .matches(kinds(family, top_only), names.iter().copied())
            {
                PAIRS.in_vain(pair, None);
                return None;
            }
        }
        let lines = report.same_lines();
        if options.report_once
            && let Some(&told) = self.lines.get(&lines)
        {
            PAIRS.in_vain(pair, Some(told));
            return None;
        }
        let style = Style {
            color: output::use_color(options),
            strip_prefix: options.strip_path_prefix,
            quote: options.show_source,
            fold: options.fold_frames,
        };
        let text = match options.report_format {
            ReportFormat::Text => report.render(&Files, style),
            ReportFormat::Json => report.json(),
        };
        // Relaxed: a hint to the reader.
        if CALLS_LEFT_OUT.swap(false, Ordering::Relaxed) && !self.left_out_said {
            self.left_out_said = true;
            output::write_to(options.log_path, LEFT_OUT);
        }
        output::write_to(options.log_path, &text);
        COUNT.fetch_add(1, Ordering::Relaxed);
        PAIRS.assign(pair, self.told.len());
        self.lines.insert(lines, self.told.len());
        let told = report.told(report.subject(&Files));
        output::append("summary_path", options.summary_path, || {
            exit::line(&program(), &told)
        });
        self.told.push(told);
        Some(inspection::is_asked_for().then(|| case.view(self.symbolizer())))
    }

    /// Whether the modules alone, which need no symbolizer, are enough to suppress it.
    fn is_suppressed_by_module(&mut self, family: Family, stacks: &[&Stack]) -> bool {
        let kinds = kinds(family, false);
        if !self.suppressions.has(kinds) && !self.suppressions.has(&[Kind::CalledFromLib]) {
            return false;
        }
        let modules = Modules::load();
        // What libc does to memory is accessed where it is called from.
        let callers = stacks
            .iter()
            .filter_map(|stack| stack.pcs.first())
            .filter_map(|&pc| modules.find(pc.wrapping_sub(1)))
            .map(|module| module.path.as_str());
        if self.suppressions.matches(&[Kind::CalledFromLib], callers) {
            return true;
        }
        let mut paths: Vec<&str> = Vec::new();
        for module in stacks
            .iter()
            .flat_map(|stack| &stack.pcs)
            .filter_map(|&pc| modules.find(pc.wrapping_sub(1)))
        {
            if !paths.contains(&module.path.as_str()) {
                paths.push(&module.path);
            }
        }
        self.suppressions.matches(kinds, paths.into_iter())
    }
}

/// The exit status that the findings so far ask for, or that there may be more than could be found; `None` for the program's own.
pub fn wanted_status() -> Option<i32> {
    let options = options::get();
    let found = count() > 0 && options.exitcode != 0;
    let incomplete =
        detection::has_ended() && options.exitcode != 0 && options.exitcode_incomplete != 0;
    let failed = inspection::verdict().unwrap_or(found || incomplete);
    let status = if incomplete && !found {
        options.exitcode_incomplete
    } else {
        options.exitcode
    };
    failed.then_some(status as i32)
}

/// The end of the process: prints the summary, once. For the exit status see [`wanted_status`].
pub fn at_exit() {
    let options = options::get();
    if options.atexit_sleep_ms > 0 {
        sys::sleep(Duration::from_millis(options.atexit_sleep_ms.into()));
    }
    if let Some(mut state) = STATE.lock_within(LAST_WAIT)
        && !state.finished
    {
        state.finished = true;
        state.symbolizer = None;
        let mut text = String::new();
        let in_text = options.report_format == ReportFormat::Text;
        if in_text && options.print_summary {
            let (all, own) = (state.told.len(), state.inherited..);
            text += &exit::summary(&state.told[own.clone()], &PAIRS.occurrences(all)[own]);
            if detection::has_ended() {
                text += exit::INCOMPLETE;
            }
        }
        if in_text && options.print_suppressions {
            text += &state.suppressions.summary();
            text += &crate::annotations::benign::summary();
        }
        if !text.is_empty() {
            output::write_to(options.log_path, &text);
        }
    }
}

/// Before the process forks: waits for a report being made, so that the child does not inherit half of one. Must be
/// followed by [`after_fork`] in both processes, on the same thread.
pub fn before_fork() {
    core::mem::forget(STATE.lock());
    PAIRS.before_fork();
}

/// # Safety
/// After [`before_fork`], on the thread that called it; `child` says in which process.
pub unsafe fn after_fork(child: bool) {
    // SAFETY: `before_fork` holds both locks.
    unsafe {
        PAIRS.after_fork();
        STATE.release_forgotten();
    }
    if child && let Some(mut state) = STATE.lock() {
        // The symbolizer is the parent's; the child starts its own if it has something to report.
        state.symbolizer = None;
        state.inherited = state.told.len();
        COUNT.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
