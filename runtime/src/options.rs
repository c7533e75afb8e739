//! The options of a run: one table, from which parser, `help=1` and documentation come.
//!
//! Later sources override earlier ones: the defaults, the program's own `__goldilocks_default_options()`, with `compat=tsan`
//! ThreadSanitizer's two sources, and the environment variable `GOLDILOCKS_OPTIONS`. Each is a list of `key=value`,
//! separated by colons, commas or white space; a value with such characters in it is quoted. Nothing that a user
//! can write here stops the program: what is not understood is answered by a warning, and the default stays.

mod parse;
mod value;

use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicPtr, Ordering};

pub use parse::Parsed;
pub use value::{Color, Compat, ReportFormat, ShortCircuits};

use crate::sys;
use value::{Percent, Value};

macro_rules! options {
    ($($name:ident: $type:ty = $default:expr, $range:literal, $doc:literal;)*) => {
        /// The options of this run. Strings live as long as the process.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Options {
            $(#[doc = $doc] pub $name: $type,)*
        }

        impl Options {
            pub const DEFAULT: Options = Options { $($name: $default),* };

            /// Sets the option called `name`. Errors say what is wrong with the value.
            fn set(&mut self, name: &str, value: &str) -> Result<(), Refused> {
                match name {
                    $(stringify!($name) => match <$type>::parse(value, $range) {
                        Some(value) => { self.$name = value; Ok(()) }
                        None => Err(Refused::Value(<$type>::expected($range))),
                    },)*
                    _ => Err(Refused::Name),
                }
            }

            /// Name, kind of value, default and meaning of every option.
            pub fn table() -> Vec<Row> {
                vec![$(Row {
                    name: stringify!($name),
                    expected: <$type>::expected($range),
                    default: Options::DEFAULT.$name.show(),
                    doc: $doc,
                }),*]
            }
        }
    };
}

// `atexit_sleep_ms` is 0 where ThreadSanitizer waits a second: every program would pay it, and it finds only races whose second
// access comes after `main`; a first access, however old, is remembered here.
options! {
    halt_on_error: bool = false, "", "End the process with `exitcode` right after the first report.";
    exitcode: u32 = 66, "0..=255", "Exit status of a process that had a report; 0 keeps the program's own.";
    exitcode_incomplete: u32 = 67, "0..=255", "Exit status of a process that had no report and in which detection has ended before the program did (`epoch_groups`); 0, or an `exitcode` of 0, keeps the program's own.";
    log_path: &'static str = "stderr", "", "Where reports go: `stderr`, `stdout`, or the start of a file name, to which `.<pid>` is appended.";
    suppressions: &'static str = "", "", "File with suppressions, one `kind:pattern` per line.";
    print_suppressions: bool = true, "", "List at exit what was suppressed how often, and which entries matched nothing.";
    print_summary: bool = true, "", "Print a summary of all reports at exit.";
    summary_path: &'static str = "", "", "File to which a line is appended for each report when it is made, for those who run many programs: program, name of the report, variable, functions, separated by tabs.";
    report_bugs: bool = true, "", "Report what is found; 0 runs the detection without reporting.";
    report_format: ReportFormat = ReportFormat::Text, "", "`json` writes each report as one line of JSON, and no summaries.";
    report_once: bool = true, "", "Report a race once for each pair of positions in the program and each variable (elements of an array, and the same field of blocks that were allocated in one place, are one); 0 reports it every time, which is for testing the detector.";
    report_atomic_races: bool = true, "", "Report races between an atomic and a plain access.";
    report_mutex_bugs: bool = true, "", "Report misuse of locks, condition variables, barriers and semaphores.";
    report_destroy_locked: bool = true, "", "Report the destruction of a locked lock, and of what somebody waits for.";
    detect_deadlocks: bool = true, "", "Report locks that threads take in orders that can deadlock.";
    report_signal_unsafe: bool = true, "", "Report calls of functions that are not async-signal-safe in signal handlers.";
    report_errno_in_handler: bool = true, "", "Report signal handlers that return with another `errno`.";
    report_thread_leaks: bool = true, "", "Report threads that have ended and were neither joined nor detached when the process exits.";
    report_threads_at_exit: bool = false, "", "Report threads that are neither joined nor detached and still run when the process exits.";
    symbolize: bool = true, "", "Show functions, files and lines; 0 shows modules and offsets only.";
    external_symbolizer_path: &'static str = "", "", "An llvm-symbolizer to use instead of the built-in symbolizer.";
    symbolizer_timeout_ms: u32 = 5000, "1..=600000", "How long one look-up may take, in milliseconds, before the symbolizer is given up.";
    strip_path_prefix: &'static str = "", "", "What to remove from the start of file names in reports.";
    show_source: bool = true, "", "Quote the source lines of the accesses, where the files can be read.";
    fold_frames: bool = true, "", "Show runs of frames of the standard library of Rust or C++, and below the program's own of crates from a registry, as one line.";
    color: Color = Color::Auto, "", "Colours in reports; `auto` means on a terminal. `NO_COLOR` in the environment wins.";
    stack_depth: u32 = 64, "1..=256", "Frames kept of a stack.";
    list_bound: u32 = 1 << 13, "4..=1073741824", "Length of the update list, in cells, beyond which its oldest part is evaluated and dropped.";
    settle_after: u32 = 4096, "0..=1073741824", "Accesses to words of which more is remembered than fits in their shadow after which a thread looks for what nothing can race with any more, to forget it; 0 is never. Results do not depend on it.";
    resume_epochs: bool = true, "", "Let a thread that takes a lock back, which nobody has taken since it released it, go on with the sync epoch that it had left by that. Results do not depend on it.";
    kept_reads: u32 = 1 << 16, "0..=65536", "Accesses that each thread keeps to itself, at most: reads of what several read in each of their sync epochs, and those of atomics that others use as well; a power of two, or the next lower one is used, but not below 32. Where there are more than 16 threads, the later ones keep a quarter, and beyond 64 a sixteenth, but not below 4096. Results do not depend on it.";
    lock_naps: bool = true, "", "Let threads that wait for a lock, or give their processors away again and again, sleep for some 0.1 ms at a time instead, where the program takes less time so.";
    combined_sites: u32 = 1 << 16, "0..=16777216", "Combinations of places of the program, where bytes of one word are accessed from several, that get names; further words get records of 32 bytes or more instead.";
    alone_checks: u32 = 1 << 16, "0..=1000000000", "Checks that may fail, while a thread is alone because all others were joined, before the shadow is given back; if not 0, and 64 for each of its pages. Results do not depend on it.";
    epoch_groups: u32 = 524287, "16..=524287", "Groups of sixteen sync epochs whose accesses can be remembered at once. When there are more, detection ends, with a message, a line of the summary and `exitcode_incomplete`.";
    sweep_after: u32 = 65536, "2..=524287", "Groups of sixteen sync epochs that are used before it is looked which of them can be used again; and where that brings little or takes long, twice as many from then on. Results do not depend on it.";
    short_circuits: ShortCircuits = ShortCircuits::ALL, "", "Which short-circuit checks are used: digits from `01234`, `all` or `none`. Results do not depend on it.";
    atexit_sleep_ms: u32 = 0, "0..=600000", "Milliseconds to wait at exit for races of threads that still run. Not needed for those that have happened.";
    stats: bool = false, "", "Print the runtime's counters at exit.";
    verbosity: u32 = 0, "0..=3", "How much the runtime says about itself.";
    compat: Compat = Compat::None, "", "`tsan` reads ThreadSanitizer's options, too: `TSAN_OPTIONS` and `__tsan_default_options`.";
    help: bool = false, "", "Print this list.";
}

/// A row of the table of options.
pub struct Row {
    pub name: &'static str,
    pub expected: String,
    pub default: String,
    pub doc: &'static str,
}

/// Why an assignment was not made.
#[derive(Debug, PartialEq, Eq)]
enum Refused {
    Name,
    /// What would have been a value.
    Value(String),
}

impl Options {
    /// The table as `help=1` prints it.
    pub fn help() -> String {
        let mut text = String::from(
            "Options of Goldilocks, given as GOLDILOCKS_OPTIONS=name=value:name=value\n",
        );
        for row in Options::table() {
            text += &format!(
                "  {} ({}; default {})\n      {}\n",
                row.name, row.expected, row.default, row.doc
            );
        }
        text + "  include (a file name)\n      Read more options from a file; `include_if_exists` does not mind if there is none.\n"
    }
}

/// What [`init`] has set; null before. Points to an `Options` that is never freed.
static CURRENT: AtomicPtr<Options> = AtomicPtr::new(core::ptr::null_mut());

/// The options of this run; the defaults before [`init`].
pub fn get() -> &'static Options {
    static DEFAULT: Options = Options::DEFAULT;
    // Acquire: pairs with the release in `publish`, so that the fields are seen.
    let current = CURRENT.load(Ordering::Acquire);
    // SAFETY: null or what `publish` has leaked.
    unsafe { current.as_ref() }.unwrap_or(&DEFAULT)
}

/// Changes options of the running process. Whoever reads them meanwhile has the old or the new ones.
pub fn change(change: impl FnOnce(&mut Options)) {
    let mut options = *get();
    change(&mut options);
    publish(options);
}

fn publish(options: Options) -> &'static Options {
    let options: &'static mut Options = Box::leak(Box::new(options));
    // Release: see `get`.
    CURRENT.store(options, Ordering::Release);
    options
}

/// Reads all sources, once, before the first event; warnings and help go to the log. Calls the program's
/// `__goldilocks_default_options`, if it has one.
pub fn init() -> &'static Options {
    let mut parsed = Parsed::default();
    let from_caller =
        |name| environment_variable(name).filter(|_| !has_more_rights_than_its_caller());
    let environment = from_caller("GOLDILOCKS_OPTIONS").unwrap_or_default();
    if let Some(text) = ask_program(default_options_function()) {
        parsed.read("__goldilocks_default_options", &text);
    }
    let mut asked = Parsed::default();
    asked.options = parsed.options;
    asked.read("GOLDILOCKS_OPTIONS", &environment);
    if asked.options.compat == Compat::Tsan {
        let program = ask_program(tsan_default_options_function());
        let sources = [
            ("__tsan_default_options", program),
            ("TSAN_OPTIONS", from_caller("TSAN_OPTIONS")),
        ];
        for (source, text) in sources {
            parsed.read_foreign(source, &text.unwrap_or_default());
        }
    }
    parsed.read("GOLDILOCKS_OPTIONS", &environment);
    if environment_variable("GOLDILOCKS_OPTIONS").is_some() && has_more_rights_than_its_caller() {
        parsed.warnings.push(
            "GOLDILOCKS_OPTIONS is not read: the program has more rights than its caller, who could have files written by it; \
             what __goldilocks_default_options() returns is read"
                .to_owned(),
        );
    }
    let options = publish(parsed.options);
    for warning in &parsed.warnings {
        crate::report::output::note(&format!("WARNING: Goldilocks: {warning}\n"));
    }
    if options.help {
        crate::report::output::note(&Options::help());
    }
    options
}

/// Whether the program was started with rights that its caller does not have (setuid, setgid, capabilities): then the environment is not to be trusted.
pub fn has_more_rights_than_its_caller() -> bool {
    // SAFETY: reads what the kernel has passed to the process.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// The environment that was passed to the process.
static INITIAL: AtomicPtr<*const c_char> = AtomicPtr::new(core::ptr::null_mut());

/// Says where the process' environment is, before the C library's `environ` does.
pub fn environment_is(strings: *const *const c_char) {
    INITIAL.store(strings.cast_mut(), Ordering::Relaxed);
}

/// The value of an environment variable. The C library's `environ` may not be set up yet, or not be there at all: then
/// what the kernel has passed to the process.
pub fn environment_variable(name: &str) -> Option<String> {
    if let Some(mut entries) = environ_entries() {
        return entries.find_map(|entry| value_of(entry, name));
    }
    let initial = sys::read_file(c"/proc/self/environ", 8 << 20).ok()?;
    initial
        .split(|&byte| byte == 0)
        .find_map(|entry| value_of(entry, name))
}

/// The entries (`NAME=value`) of the process' environment as it is now; `None` before it is set up.
pub fn environ_entries() -> Option<impl Iterator<Item = &'static [u8]>> {
    unsafe extern "C" {
        static mut environ: *const *const c_char;
    }
    // SAFETY: libc's variable; only read.
    let mut next = unsafe { (&raw const environ).read() };
    if next.is_null() {
        // Relaxed: written before there are threads.
        next = INITIAL.load(Ordering::Relaxed).cast_const();
    }
    if next.is_null() {
        return None;
    }
    Some(core::iter::from_fn(move || {
        // SAFETY: the array ends with a null pointer, and its strings stay while the program leaves them alone, which
        // it is asked to by every standard while somebody reads them.
        unsafe {
            let entry = next.read();
            if entry.is_null() {
                return None;
            }
            next = next.add(1);
            Some(CStr::from_ptr(entry).to_bytes())
        }
    }))
}

fn value_of(entry: &[u8], name: &str) -> Option<String> {
    let value = entry.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
    Some(String::from_utf8_lossy(value).into_owned())
}

/// A function that a program may define to configure its tools: `const char *f(void)`.
pub(crate) type ProgramText = Option<extern "C" fn() -> *const c_char>;

/// Defines a function that looks for an optional one in the program.
macro_rules! weak_function {
    ($rust:ident, $symbol:literal) => {
        $crate::options::weak_function!($rust, $symbol, extern "C" fn() -> *const core::ffi::c_char);
    };
    ($rust:ident, $symbol:literal, $type:ty) => {
        pub(crate) fn $rust() -> Option<$type> {
            let address: usize;
            // SAFETY: reads the symbol's entry in the global offset table: zero if nobody defines it, which a weak
            // reference permits, or else the address of a function of this type, by the symbol's documentation.
            unsafe {
                core::arch::asm!(
                    concat!(".weak ", $symbol),
                    concat!("mov {}, qword ptr [rip + ", $symbol, "@GOTPCREL]"),
                    out(reg) address,
                    options(nostack, readonly, preserves_flags),
                );
                core::mem::transmute::<usize, Option<$type>>(address)
            }
        }
    };
}
pub(crate) use weak_function;

weak_function!(default_options_function, "__goldilocks_default_options");
weak_function!(tsan_default_options_function, "__tsan_default_options");

/// Calls the function and copies what it returns.
pub(crate) fn ask_program(function: ProgramText) -> Option<String> {
    let text = function?();
    if text.is_null() {
        return None;
    }
    // SAFETY: the function returns a C string, by its documentation.
    Some(
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_in_force_before_init_and_are_accepted_as_values() {
        assert_eq!(get().exitcode, 66);
        for row in Options::table() {
            let mut options = Options::DEFAULT;
            assert_eq!(options.set(row.name, &row.default), Ok(()), "{}", row.name);
            assert_eq!(options, Options::DEFAULT);
            assert!(row.doc.ends_with('.') && !row.expected.is_empty());
        }
    }

    #[test]
    fn help_and_documentation_name_every_option() {
        let (help, markdown) = (Options::help(), markdown());
        assert!(
            help.contains("  exitcode (0..=255; default 66)\n      Exit status of"),
            "{help}"
        );
        assert!(
            markdown.contains("| `color` | auto, always or never | `auto` | Colours"),
            "{markdown}"
        );
        for row in Options::table() {
            assert!(help.contains(row.name) && markdown.contains(row.name));
        }
    }

    /// The table as documentation shows it.
    fn markdown() -> String {
        let mut text = String::from(
            "# Options\n\nGiven in the environment as `GOLDILOCKS_OPTIONS=name=value:name=value`, or returned by the program's own \
             `const char *__goldilocks_default_options(void)`.\nValues that contain colons, commas or spaces are quoted. \
             `include=FILE` reads more of them from a file (one or several per line, `#` starts a comment);\n\
             `include_if_exists=FILE` does not mind if there is none. A bad option never stops a program: \
             it is named in a warning, and the\ndefault stays. A program that has more rights than its caller (setuid) \
             does not read the environment.\n\n| option | value | default | meaning |\n|---|---|---|---|\n",
        );
        for row in Options::table() {
            let default = if row.default.is_empty() {
                "(none)".to_owned()
            } else {
                format!("`{}`", row.default)
            };
            text += &format!(
                "| `{}` | {} | {default} | {} |\n",
                row.name, row.expected, row.doc
            );
        }
        text
    }

    #[test]
    fn documentation_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/options.md");
        if std::env::var_os("GOLDILOCKS_BLESS").is_some() {
            std::fs::write(path, markdown()).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap();
        assert!(
            written == markdown(),
            "docs/options.md is not what the table says; GOLDILOCKS_BLESS=1 writes it"
        );
    }

    #[test]
    fn environment_is_found() {
        assert!(environment_variable("PATH").is_some());
        assert!(environment_variable("PAT").is_none());
    }

    #[test]
    fn a_program_without_the_functions_has_none() {
        assert!(default_options_function().is_none());
        assert!(ask_program(default_options_function()).is_none());
        extern "C" fn text() -> *const c_char {
            c"exitcode=3".as_ptr()
        }
        assert_eq!(ask_program(Some(text)).as_deref(), Some("exitcode=3"));
    }
}
