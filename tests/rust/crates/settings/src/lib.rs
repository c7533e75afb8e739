//! Races that `Cargo.toml` does not want to hear of, and one that it does.

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    /// Two threads that do the same at the same time.
    fn both(action: impl Fn() + Sync) {
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

    static mut DATA: [u32; 4] = [0; 4];

    fn place(index: usize) -> *mut u32 {
        // SAFETY: in bounds.
        std::hint::black_box(unsafe { (&raw mut DATA).cast::<u32>().add(index) })
    }

    #[test]
    fn in_the_excluded_crate() {
        both(left_alone::access);
        both(left_alone::in_c);
        both(|| left_alone::generic(place(0), 1));
    }

    #[test]
    fn ordered_by_the_excluded_crate() {
        static FLAG: left_alone::Flag = left_alone::Flag::new();
        thread::scope(|scope| {
            // SAFETY: ordered by the flag.
            scope.spawn(|| unsafe {
                *place(1) = 1;
                FLAG.raise();
            });
            FLAG.wait();
            // SAFETY: as above.
            unsafe { *place(1) = 2 };
        });
    }

    #[test]
    fn suppressed() {
        both(crate::tolerated);
    }

    #[test]
    fn reported() {
        // SAFETY: none.
        both(|| unsafe { *place(2) = 1 });
    }
}

/// A race that `Cargo.toml` suppresses.
#[cfg(test)]
#[inline(never)]
fn tolerated() {
    static mut TOLERATED: u32 = 0;
    // SAFETY: none.
    unsafe { *std::hint::black_box(&raw mut TOLERATED) = 1 };
}
