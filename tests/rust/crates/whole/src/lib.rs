//! A race in each kind of code that cargo compiles.
//!
//! ```
//! assert_eq!(whole::counted(), 4);
//! ```
//!
//! ```standalone_crate
//! static SILENT: std::sync::Mutex<u32> = std::sync::Mutex::new(0);
//! static mut IN_DOCTEST: u32 = 0;
//! whole::both(|| unsafe { IN_DOCTEST = 1 });
//! whole::both(|| *SILENT.lock().unwrap() += 1);
//! ```

use std::sync::Barrier;
use std::thread;

unsafe extern "C" {
    fn bump_in_c();
}

/// Two threads that do the same at the same time.
///
/// ```
/// # #![allow(static_mut_refs)]
/// # use whole::both;
/// static mut IN_MERGED_DOCTEST: u32 = 0;
///
/// both(|| {
///     unsafe { IN_MERGED_DOCTEST = 1 }
/// });
/// ```
pub fn both(action: impl Fn() + Sync) {
    let both = Barrier::new(2);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                both.wait();
                action();
            });
        }
    });
}

/// A race in C.
pub fn in_c() {
    // SAFETY: none.
    both(|| unsafe { bump_in_c() });
}

/// What the procedural macro has counted.
pub fn counted() -> u32 {
    macros::counted!()
}

/// Whether a build script was led to believe that this compiler is an unstable one.
pub fn is_unstable() -> bool {
    cfg!(unstable)
}

#[cfg(test)]
mod tests {
    static mut IN_UNIT_TEST: u32 = 0;

    #[test]
    fn a_race() {
        // SAFETY: none.
        super::both(|| unsafe { IN_UNIT_TEST = 1 });
    }

    #[test]
    fn a_race_in_c() {
        super::in_c();
    }

    #[test]
    fn quiet() {
        assert_eq!(super::counted(), 4);
        assert_eq!(shared::count(5), 5);
        assert!(!super::is_unstable());
        assert!(cfg!(goldilocks));
    }
}
