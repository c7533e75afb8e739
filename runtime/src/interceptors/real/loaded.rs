//! Functions of libraries that the program has loaded itself.
//!
//! The program has all interceptors, and so they are what every library binds to that is loaded later: also those of functions that only such a library
//! brings (a plugin in C++ of a program in C). Whoever loads a library for itself (`RTLD_LOCAL`) does not show it to the search for the next definition of a name; each
//! library that is loaded is asked for itself then.

use super::{Intercepted, OWN, all, dlsym};
use crate::pipeline::fatal;
use core::ffi::{CStr, c_int, c_void};
use core::sync::atomic::{AtomicU64, Ordering};

/// Which of [`all`] were filled from a library that the program may close, a bit for each. No list, as no memory may be taken outside of the runtime.
static FILLED: [AtomicU64; ENTRIES / BITS] = [const { AtomicU64::new(0) }; ENTRIES / BITS];
/// Intercepted names at most.
const ENTRIES: usize = 8192;
const BITS: usize = u64::BITS as usize;

/// Fills the slot of a function that nobody has but a library that was loaded for itself. Ends the program if none has it, as it would have nowhere to go.
pub(super) fn resolve(wanted: &'static Intercepted) {
    let mut library = Name::EMPTY;
    let found = (0..)
        .map_while(|index| {
            library
                .becomes(index)
                .then(|| in_library(&library, wanted.name))
        })
        .flatten()
        .next();
    let Some(found) = found else {
        let name = wanted.name.to_string_lossy();
        fatal(&format!(
            "{name} is called, and no library that is loaded has it. Link the program with the one that does, as without Goldilocks."
        ));
    };
    let index = all().iter().position(|entry| core::ptr::eq(entry, wanted));
    if let Some(index) = index
        && let Some(bits) = FILLED.get(index / BITS)
    {
        // Relaxed, here and below: every thread that misses the function resolves it.
        bits.fetch_or(1 << (index % BITS), Ordering::Relaxed);
    }
    wanted.slot.store(found, Ordering::Relaxed);
}

/// The program has closed a library: what was found in one is looked for again when it is called.
pub fn closed() {
    for (word, entries) in FILLED.iter().zip(all().chunks(BITS)) {
        let bits = word.load(Ordering::Relaxed);
        if bits == 0 {
            continue;
        }
        word.fetch_and(!bits, Ordering::Relaxed);
        for (bit, entry) in entries.iter().enumerate() {
            if bits >> bit & 1 != 0 {
                entry.slot.store(core::ptr::null_mut(), Ordering::Relaxed);
            }
        }
    }
}

/// The name of a library that is loaded, ending in a NUL.
struct Name {
    text: [u8; libc::PATH_MAX as usize],
    /// Libraries to pass over.
    before: usize,
}

impl Name {
    const EMPTY: Name = Name {
        text: [0; libc::PATH_MAX as usize],
        before: 0,
    };

    /// Becomes that of the library with this index; false if there are not so many. One that is too long to be a path is empty.
    fn becomes(&mut self, index: usize) -> bool {
        unsafe extern "C" fn note(
            object: *mut libc::dl_phdr_info,
            _size: usize,
            name: *mut c_void,
        ) -> c_int {
            // SAFETY: the dynamic linker's description of an object, whose name is null or ends in a NUL, and what is below.
            unsafe {
                let name = &mut *name.cast::<Name>();
                if name.before > 0 {
                    name.before -= 1;
                    return 0;
                }
                name.text[0] = 0;
                let path = (*object).dlpi_name;
                if !path.is_null() {
                    let path = CStr::from_ptr(path).to_bytes_with_nul();
                    if let Some(text) = name.text.get_mut(..path.len()) {
                        text.copy_from_slice(path);
                    }
                }
                1
            }
        }
        self.before = index;
        // SAFETY: the callback writes to this, and nothing else.
        unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut *self).cast()) != 0 }
    }
}

/// Where a library, or one that it needs, has a function; not this runtime. The program itself has no name.
fn in_library(library: &Name, function: &CStr) -> Option<*mut c_void> {
    let library = CStr::from_bytes_until_nul(&library.text).ok()?;
    if library.is_empty() {
        return None;
    }
    // SAFETY: asks for what is loaded already, and gives it back.
    let found = unsafe {
        let library = libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if library.is_null() {
            return None;
        }
        let found = dlsym(library, function.as_ptr());
        libc::dlclose(library);
        found
    };
    let [from, to] = [0, 1].map(|at| OWN[at].load(Ordering::Relaxed));
    (!found.is_null() && !(from..to).contains(&(found as usize))).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_interceptor_has_a_bit() {
        assert!(all().len() <= ENTRIES);
    }

    #[test]
    fn libraries_have_names_until_there_are_no_more() {
        let mut name = Name::EMPTY;
        let mut names = Vec::new();
        while name.becomes(names.len()) {
            names.push(CStr::from_bytes_until_nul(&name.text).unwrap().to_owned());
        }
        assert!(
            names
                .iter()
                .any(|name| name.to_bytes().ends_with(b"/libc.so.6"))
        );
        let mut libraries = (0..names.len()).map_while(|at| name.becomes(at).then_some(at));
        assert_eq!(libraries.by_ref().count(), names.len());
        assert!(in_library(&Name::EMPTY, c"strlen").is_none());
    }
}
