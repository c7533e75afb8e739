//! A shared library for programs in Rust.

use std::sync::Mutex;

static COUNT: Mutex<u32> = Mutex::new(0);

/// One more.
pub fn count() -> u32 {
    let mut count = COUNT.lock().unwrap();
    *count += 1;
    *count
}
