//! For programs of this folder: memory that threads share without the compiler's leave.

use std::cell::UnsafeCell;
use std::hint::black_box;

/// A cell that claims to be `Sync`; whether its accesses are ordered is up to the program, and to be found out.
pub struct Shared<T>(UnsafeCell<T>);

// SAFETY: none; that is what the programs are about.
unsafe impl<T> Sync for Shared<T> {}

#[allow(dead_code)]
impl<T: Copy> Shared<T> {
    pub const fn new(value: T) -> Shared<T> {
        Shared(UnsafeCell::new(value))
    }

    pub fn pointer(&self) -> *mut T {
        self.0.get()
    }

    // The compiler must not conclude anything from what it knows of the memory.
    #[inline(never)]
    pub fn get(&self) -> T {
        // SAFETY: an access as any other, for the detector to judge.
        unsafe { *black_box(self.0.get()) }
    }

    #[inline(never)]
    pub fn set(&self, value: T) {
        // SAFETY: as above.
        unsafe { *black_box(self.0.get()) = value }
    }
}
