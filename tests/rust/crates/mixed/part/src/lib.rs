//! A part of a program in C++.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Mutex, OnceLock};
use std::thread;

static WORDS: OnceLock<Mutex<HashMap<u64, u64>>> = OnceLock::new();
static mut LAST: u64 = 0;

/// Counts how often a word was seen, in any thread.
#[unsafe(no_mangle)]
pub extern "C" fn part_see(word: u64) -> u64 {
    let words = WORDS.get_or_init(Mutex::default);
    let mut words = words.lock().unwrap();
    let times = words.entry(word).or_default();
    *times += 1;
    *times
}

/// Remembers a word, for one thread at a time.
#[unsafe(no_mangle)]
pub extern "C" fn part_remember(word: u64) {
    // SAFETY: the caller's matter.
    unsafe { *std::hint::black_box(&raw mut LAST) = word }
}

/// Where it remembers it, for C++ to look at.
#[unsafe(no_mangle)]
pub extern "C" fn part_memory() -> *mut u64 {
    &raw mut LAST
}

/// Calls back from two threads of Rust's; what it panics with does not come back.
#[unsafe(no_mangle)]
pub extern "C" fn part_call_in_threads(callback: extern "C" fn(*mut c_void), data: *mut c_void) {
    let data = data as usize;
    let threads = [(); 2].map(|()| thread::spawn(move || callback(data as *mut c_void)));
    for thread in threads {
        thread.join().unwrap();
    }
}
