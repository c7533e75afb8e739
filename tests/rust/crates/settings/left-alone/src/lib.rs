//! A crate whose own races nobody wants to hear of, and by which others synchronize.

use std::sync::atomic::{AtomicBool, Ordering};

static mut RACY: u32 = 0;

/// A plain access.
#[inline]
pub fn access() {
    // SAFETY: none.
    unsafe { *std::hint::black_box(&raw mut RACY) = 1 };
}

/// A plain access that is compiled where it is used.
pub fn generic<T: Copy>(place: *mut T, value: T) {
    // SAFETY: none.
    unsafe { *std::hint::black_box(place) = value };
}

unsafe extern "C" {
    fn bump_in_c();
}

/// A plain access in C that the build script compiles.
pub fn in_c() {
    // SAFETY: none.
    unsafe { bump_in_c() };
}

/// A flag, once raised.
pub struct Flag(AtomicBool);

impl Flag {
    pub const fn new() -> Flag {
        Flag(AtomicBool::new(false))
    }

    pub fn raise(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub fn wait(&self) {
        while !self.0.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
    }
}
