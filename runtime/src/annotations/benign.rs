//! Races that the program declares to be meant, each with its reason, or to be expected (in tests of detectors).
//!
//! The range is looked up when a race is found, so that undeclared accesses cost nothing. A declaration ends with its memory.

use crate::caller;
use crate::caller::Caller;
use crate::pipeline::enter;
use crate::report::output;
use crate::sys::lock::Lock;
use core::ffi::{CStr, c_char, c_int, c_long, c_void};
use core::sync::atomic::{AtomicU32, Ordering};

/// A declared range.
struct Declared {
    start: usize,
    end: usize,
    reason: String,
    file: String,
    line: c_int,
    times: u64,
    /// It must race before `AnnotateFlushExpectedRaces`.
    expected: bool,
    /// Its memory was given back: it matches nothing any more, and is kept for the summary.
    over: bool,
}

static DECLARED: Lock<Vec<Declared>> = Lock::new(Vec::new());

/// How many of them can match. Relaxed: a program that declares a race before it happens is ordered by itself.
static VALID: AtomicU32 = AtomicU32::new(0);

/// # Safety
/// Null or a C string.
unsafe fn text(string: *const c_char) -> String {
    if string.is_null() {
        return String::new();
    }
    // SAFETY: passed on to the caller.
    unsafe { CStr::from_ptr(string) }
        .to_string_lossy()
        .into_owned()
}

/// # Safety
/// The strings are null or C strings.
unsafe fn declare(
    caller: Caller,
    (file, line): (*const c_char, c_int),
    (start, bytes): (*const c_void, usize),
    reason: *const c_char,
    expected: bool,
) {
    let Some(_scope) = enter(caller) else { return };
    // SAFETY: passed on to the caller.
    let (file, reason) = unsafe { (text(file), text(reason)) };
    let (start, end) = (start.addr(), start.addr().saturating_add(bytes));
    let Some(mut declared) = DECLARED.lock() else {
        return;
    };
    // The same line of the program for the same range, again: every object of a class says it in its constructor.
    let same = |one: &&mut Declared| {
        one.start == start && one.end == end && one.line == line && one.reason == reason
    };
    if let Some(known) = declared.iter_mut().find(same) {
        if !core::mem::replace(&mut known.over, false) {
            return;
        }
    } else {
        declared.push(Declared {
            start,
            end,
            reason,
            file,
            line,
            times: 0,
            expected,
            over: false,
        });
    }
    VALID.fetch_add(1, Ordering::Relaxed);
}

/// Whether a race on these bytes is declared; counts it.
pub fn is_declared(addr: u64, bytes: u64) -> bool {
    if VALID.load(Ordering::Relaxed) == 0 {
        return false;
    }
    let (start, end) = (addr as usize, addr.saturating_add(bytes) as usize);
    let Some(mut declared) = DECLARED.lock() else {
        return false;
    };
    let found = declared
        .iter_mut()
        .find(|one| !one.over && one.start < end && start < one.end);
    found.map(|one| one.times += 1).is_some()
}

/// The memory was given back.
#[inline]
pub fn gone(start: usize, bytes: usize) {
    if VALID.load(Ordering::Relaxed) != 0 {
        end(start, bytes);
    }
}

#[cold]
fn end(start: usize, bytes: usize) {
    let Some(mut declared) = DECLARED.lock() else {
        return;
    };
    let end = start.saturating_add(bytes);
    for one in declared
        .iter_mut()
        .filter(|one| !one.over && one.start < end && start < one.end)
    {
        one.over = true;
        VALID.fetch_sub(1, Ordering::Relaxed);
    }
    // Those that never matched have nothing to tell.
    declared.retain(|one| !one.over || one.times != 0);
}

/// For the end of the run: what was declared and has happened, by place. Empty if nothing has.
pub fn summary() -> String {
    let mut text = String::new();
    let Some(declared) = DECLARED.lock() else {
        return text;
    };
    let mut places: Vec<(&str, c_int, &str, u64)> = Vec::new();
    for one in declared
        .iter()
        .filter(|one| one.times != 0 && !one.expected)
    {
        let place = (one.file.as_str(), one.line, one.reason.as_str());
        match places
            .iter_mut()
            .find(|(file, line, reason, _)| (*file, *line, *reason) == place)
        {
            Some((.., times)) => *times += one.times,
            None => places.push((place.0, place.1, place.2, one.times)),
        }
    }
    if !places.is_empty() {
        text += "Goldilocks: races that the program declares benign:\n";
    }
    for (file, line, reason, times) in places {
        let noun = if times == 1 { "time" } else { "times" };
        text += &format!("  {times} {noun}  \"{reason}\"  ({file}:{line})\n");
    }
    text
}

/// Before a fork: nobody is in the middle of a change.
pub fn before_fork() {
    core::mem::forget(DECLARED.lock());
}

/// # Safety
/// After [`before_fork`], on the same thread.
pub unsafe fn after_fork() {
    // SAFETY: `before_fork` holds it.
    unsafe { DECLARED.release_forgotten() };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateBenignRace(
    file: *const c_char,
    line: c_int,
    address: *const c_void,
    reason: *const c_char,
) {
    let caller = caller!();
    // SAFETY: strings of the program's.
    unsafe { declare(caller, (file, line), (address, 1), reason, false) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateBenignRaceSized(
    file: *const c_char,
    line: c_int,
    address: *const c_void,
    bytes: c_long,
    reason: *const c_char,
) {
    let caller = caller!();
    // SAFETY: strings of the program's.
    unsafe {
        declare(
            caller,
            (file, line),
            (address, bytes as usize),
            reason,
            false,
        )
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn WTFAnnotateBenignRaceSized(
    file: *const c_char,
    line: c_int,
    address: *const c_void,
    bytes: c_long,
    reason: *const c_char,
) {
    let caller = caller!();
    // SAFETY: strings of the program's.
    unsafe {
        declare(
            caller,
            (file, line),
            (address, bytes as usize),
            reason,
            false,
        )
    }
}

/// A race that a test of a detector makes on purpose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateExpectRace(
    file: *const c_char,
    line: c_int,
    address: *const c_void,
    reason: *const c_char,
) {
    let caller = caller!();
    // SAFETY: strings of the program's.
    unsafe { declare(caller, (file, line), (address, 1), reason, true) }
}

/// Says which of the expected races have not happened, and expects them no longer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn AnnotateFlushExpectedRaces(_file: *const c_char, _line: c_int) {
    let caller = caller!();
    let Some(_scope) = enter(caller) else { return };
    let Some(mut declared) = DECLARED.lock() else {
        return;
    };
    let mut missing = String::new();
    for one in declared.iter().filter(|one| one.expected) {
        if !one.over {
            VALID.fetch_sub(1, Ordering::Relaxed);
        }
        if one.times == 0 {
            missing += &format!(
                "WARNING: Goldilocks: an expected race has not happened: \"{}\"  ({}:{})\n",
                one.reason, one.file, one.line
            );
        }
    }
    declared.retain(|one| !one.expected);
    drop(declared);
    if !missing.is_empty() {
        output::note(&missing);
    }
}
