//! libc's allocator by its internal names, which need no interceptor's slot: the dynamic linker allocates before anything else of the runtime works.
//!
//! Allocators that are loaded to take libc's place (jemalloc, tcmalloc, mimalloc) have these names as well, so that the dynamic linker would bind some of
//! them to one heap and the rest to another, before either is ready. So they are looked up in libc itself, by its hash table.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::sync::atomic::{AtomicPtr, Ordering};

unsafe extern "C" {
    /// Whatever the dynamic linker finds first: where libc is not an object of its own.
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_memalign(alignment: usize, size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
    /// A name that no allocator has.
    fn gnu_get_libc_version() -> *const c_char;
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident: $symbol:literal or $default:expr, fn($($argument:ident: $type:ty),*) $(-> $ret:ty)?;)*) => {
        /// Where they are; null until they have been looked for. Relaxed: each thread that does not see the address finds the same.
        struct Found {
            $($name: AtomicPtr<c_void>,)*
        }
        static FOUND: Found = Found {
            $($name: AtomicPtr::new(core::ptr::null_mut()),)*
        };

        #[cold]
        fn look() {
            let libc = dynamic_section();
            $(
                let default: *const c_void = $default;
                // SAFETY: the dynamic section of a loaded object, which stays.
                let found = libc.and_then(|(base, section)| unsafe { Symbols::of(base, section)?.find($symbol) });
                FOUND.$name.store(found.unwrap_or(default).cast_mut(), Ordering::Relaxed);
            )*
        }

        $($(#[$doc])*
        ///
        /// # Safety
        /// As for the function of that name without `libc`.
        #[inline(always)]
        pub unsafe fn $name($($argument: $type),*) $(-> $ret)? {
            if FOUND.$name.load(Ordering::Relaxed).is_null() {
                look();
            }
            let found = FOUND.$name.load(Ordering::Relaxed);
            // SAFETY: the function of that name; the rest is the caller's contract.
            unsafe {
                let function: unsafe extern "C" fn($($type),*) $(-> $ret)? = core::mem::transmute(found);
                function($($argument),*)
            }
        })*
    };
}

functions! {
    malloc: c"__libc_malloc" or __libc_malloc as *const c_void, fn(size: usize) -> *mut c_void;
    calloc: c"__libc_calloc" or __libc_calloc as *const c_void, fn(count: usize, size: usize) -> *mut c_void;
    realloc: c"__libc_realloc" or __libc_realloc as *const c_void, fn(block: *mut c_void, size: usize) -> *mut c_void;
    memalign: c"__libc_memalign" or __libc_memalign as *const c_void, fn(alignment: usize, size: usize) -> *mut c_void;
    free: c"__libc_free" or __libc_free as *const c_void, fn(block: *mut c_void);
    /// Bytes that libc's block can hold; 0 where libc is not an object of its own.
    usable_size: c"malloc_usable_size" or no_size as *const c_void, fn(block: *mut c_void) -> usize;
}

extern "C" fn no_size(_block: *mut c_void) -> usize {
    0
}

/// Where libc is loaded, and its dynamic section.
fn dynamic_section() -> Option<(usize, *const Dynamic)> {
    unsafe extern "C" fn compare(
        about: *mut libc::dl_phdr_info,
        _size: usize,
        found: *mut c_void,
    ) -> c_int {
        // SAFETY: the linker's description is valid during the call; `found` is the pair below.
        unsafe {
            let about = &*about;
            let base = about.dlpi_addr as usize;
            let headers = core::slice::from_raw_parts(about.dlpi_phdr, about.dlpi_phnum.into());
            let of = |kind| headers.iter().filter(move |header| header.p_type == kind);
            let inside = gnu_get_libc_version as *const () as usize;
            let holds = |header: &libc::Elf64_Phdr| {
                let start = base + header.p_vaddr as usize;
                (start..start + header.p_memsz as usize).contains(&inside)
            };
            let Some(section) = of(libc::PT_DYNAMIC).next() else {
                return 0;
            };
            if !of(libc::PT_LOAD).any(holds) {
                return 0;
            }
            *found.cast() = (base, (base + section.p_vaddr as usize) as *const Dynamic);
            1
        }
    }
    let mut found: (usize, *const Dynamic) = (0, core::ptr::null());
    // SAFETY: the callback writes the pair and nothing else.
    unsafe { libc::dl_iterate_phdr(Some(compare), (&raw mut found).cast()) };
    (!found.1.is_null()).then_some(found)
}

/// An entry of a dynamic section (ELF-64, "Dynamic Section").
#[repr(C)]
struct Dynamic {
    tag: i64,
    value: usize,
}

const DT_NULL: i64 = 0;
const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_GNU_HASH: i64 = 0x6fff_fef5;

/// The symbols that an object shows, by their hashes.
struct Symbols {
    base: usize,
    names: *const c_char,
    symbols: *const libc::Elf64_Sym,
    /// Numbers of buckets, of the first symbol, of words of the filter, and its shift; the filter, the buckets, and by symbol the hashes.
    hashes: *const u32,
}

impl Symbols {
    /// # Safety
    /// The dynamic section of an object that is loaded at `base`.
    unsafe fn of(base: usize, mut section: *const Dynamic) -> Option<Symbols> {
        let (mut names, mut symbols, mut hashes) = (0, 0, 0);
        // SAFETY: the caller's contract; the section ends with DT_NULL.
        while let Dynamic { tag, value } = unsafe { &*section }
            && *tag != DT_NULL
        {
            // Relocated, unless the section is read-only.
            let address = if *value < base { base + value } else { *value };
            match *tag {
                DT_STRTAB => names = address,
                DT_SYMTAB => symbols = address,
                DT_GNU_HASH => hashes = address,
                _ => {}
            }
            // SAFETY: as above.
            section = unsafe { section.add(1) };
        }
        (names != 0 && symbols != 0 && hashes != 0).then_some(Symbols {
            base,
            names: names as *const c_char,
            symbols: symbols as *const libc::Elf64_Sym,
            hashes: hashes as *const u32,
        })
    }

    /// # Safety
    /// As for [`Symbols::of`].
    unsafe fn find(&self, name: &CStr) -> Option<*const c_void> {
        let step = |hash: u32, &byte: &u8| hash.wrapping_mul(33).wrapping_add(byte.into());
        let hash = name.to_bytes().iter().fold(5381, step);
        // SAFETY: the layout of the table, as the dynamic linker reads it.
        unsafe {
            let [buckets, first, filter] = [0, 1, 2].map(|at| *self.hashes.add(at));
            let bucket = self.hashes.add(4 + 2 * filter as usize);
            let of_symbol = bucket.add(buckets as usize);
            let mut symbol = *bucket.add((hash % buckets) as usize);
            while symbol >= first {
                let found = *of_symbol.add((symbol - first) as usize);
                let about = &*self.symbols.add(symbol as usize);
                if found | 1 == hash | 1
                    && CStr::from_ptr(self.names.add(about.st_name as usize)) == name
                {
                    return Some((self.base + about.st_value as usize) as *const c_void);
                }
                // The last one of the bucket.
                if found & 1 != 0 {
                    break;
                }
                symbol += 1;
            }
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_libcs() {
        // SAFETY: a block of libc's, used as such.
        unsafe {
            let block = malloc(100);
            assert!(usable_size(block) >= 100);
            assert_eq!(
                FOUND.malloc.load(Ordering::Relaxed).cast_const(),
                __libc_malloc as *const c_void
            );
            let block = realloc(block, 1000);
            free(block);
            let aligned = memalign(256, 10);
            assert_eq!(aligned as usize % 256, 0);
            free(aligned);
            let zeroed = calloc(3, 5).cast::<u8>();
            assert!((0..15).all(|at| *zeroed.add(at) == 0));
            free(zeroed.cast());
        }
    }

    #[test]
    fn a_name_that_it_does_not_show_is_not_found() {
        let (base, section) = dynamic_section().unwrap();
        // SAFETY: libc's.
        unsafe {
            let symbols = Symbols::of(base, section).unwrap();
            assert!(symbols.find(c"goldilocks_has_no_such_function").is_none());
            let version = gnu_get_libc_version as *const c_void;
            assert_eq!(symbols.find(c"gnu_get_libc_version"), Some(version));
        }
    }
}
