//! Libraries that come and go: what was theirs has no past when something else comes to the same addresses.
//!
//! The dynamic linker maps and unmaps by system calls of its own. So the loaded objects are compared before and after a
//! `dlclose`, and what is gone is forgotten.

use core::ffi::{c_int, c_void};

use crate::pipeline::enter;
use crate::state::multi_threaded;
use crate::{caller, interceptors, real};

/// Address ranges of loaded objects: (start, bytes). On the stack, as no memory may be taken outside of the runtime.
struct Loaded {
    ranges: [(usize, usize); 512],
    count: usize,
}

impl Loaded {
    /// All that are loaded now; beyond the room for them, what is missing is not forgotten when it goes.
    fn now() -> Loaded {
        unsafe extern "C" fn add(
            about: *mut libc::dl_phdr_info,
            _size: usize,
            all: *mut c_void,
        ) -> c_int {
            // SAFETY: `all` is the list below; the linker's description is valid during the call.
            unsafe {
                let (all, about) = (&mut *all.cast::<Loaded>(), &*about);
                let headers =
                    core::slice::from_raw_parts(about.dlpi_phdr, about.dlpi_phnum as usize);
                let loads = headers
                    .iter()
                    .filter(|header| header.p_type == libc::PT_LOAD);
                let start = loads
                    .clone()
                    .map(|header| header.p_vaddr)
                    .min()
                    .unwrap_or(0) as usize
                    & !4095;
                let end = loads
                    .map(|header| header.p_vaddr + header.p_memsz)
                    .max()
                    .unwrap_or(0) as usize;
                let range = (
                    about.dlpi_addr as usize + start,
                    (end - start).next_multiple_of(4096),
                );
                if let Some(free) = all.ranges.get_mut(all.count) {
                    *free = range;
                    all.count += 1;
                }
            }
            0
        }
        let mut all = Loaded {
            ranges: [(0, 0); 512],
            count: 0,
        };
        // SAFETY: the callback fills the list and nothing else.
        unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut all).cast()) };
        all
    }
    fn ranges(&self) -> &[(usize, usize)] {
        &self.ranges[..self.count]
    }
}

interceptors! {
    fn dlclose(library: *mut c_void) -> c_int {
        let caller = caller!();
        if !multi_threaded() {
            // SAFETY: the program's call.
            return unsafe { real!(dlclose)(library) };
        }
        let before = Loaded::now();
        // SAFETY: as above.
        let result = unsafe { real!(dlclose)(library) };
        let after = Loaded::now();
        if let Some(mut scope) = enter(caller) {
            for (start, bytes) in before.ranges().iter().filter(|range| !after.ranges().contains(range)) {
                scope.fresh(*start as *const c_void, *bytes);
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::Loaded;

    #[test]
    fn the_program_and_libc_are_loaded() {
        let all = Loaded::now();
        let contains = |addr: usize| {
            all.ranges()
                .iter()
                .any(|&(start, bytes)| (start..start + bytes).contains(&addr))
        };
        assert!(contains(Loaded::now as *const () as usize));
        assert!(contains(libc::getpid as *const () as usize));
        assert!(!contains(&raw const all as usize));
    }
}
