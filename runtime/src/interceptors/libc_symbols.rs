//! libc's functions by its own table of symbols: where asking the dynamic linker would allocate, or take locks, or find somebody else's.

use core::ffi::{CStr, c_char, c_int, c_void};

unsafe extern "C" {
    /// A name that no other library has.
    fn gnu_get_libc_version() -> *const c_char;
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
const DT_VERSYM: i64 = 0x6fff_fff0;
/// Of a symbol's version: not the one that a program is linked with today.
const HIDDEN: u16 = 1 << 15;
/// The symbol is a function that returns the function's address.
const STT_GNU_IFUNC: u8 = 10;

/// The symbols that libc shows, by their hashes.
pub struct Symbols {
    base: usize,
    names: *const c_char,
    symbols: *const libc::Elf64_Sym,
    /// Numbers of buckets, of the first symbol, of words of the filter, and its shift; the filter, the buckets, and by symbol the hashes.
    hashes: *const u32,
    /// By symbol.
    versions: *const u16,
}

impl Symbols {
    /// Those of libc; `None` where it is not an object of its own.
    pub fn of_libc() -> Option<Symbols> {
        let (base, section) = dynamic_section()?;
        // SAFETY: the dynamic section of a loaded object, which stays.
        unsafe { Symbols::of(base, section) }
    }

    /// # Safety
    /// The dynamic section of an object that is loaded at `base`.
    unsafe fn of(base: usize, mut section: *const Dynamic) -> Option<Symbols> {
        let (mut names, mut symbols, mut hashes, mut versions) = (0, 0, 0, 0);
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
                DT_VERSYM => versions = address,
                _ => {}
            }
            // SAFETY: as above.
            section = unsafe { section.add(1) };
        }
        let all = [names, symbols, hashes, versions];
        (!all.contains(&0)).then_some(Symbols {
            base,
            names: names as *const c_char,
            symbols: symbols as *const libc::Elf64_Sym,
            hashes: hashes as *const u32,
            versions: versions as *const u16,
        })
    }

    /// The default version of a function.
    pub fn find(&self, name: &CStr) -> Option<*const c_void> {
        let step = |hash: u32, &byte: &u8| hash.wrapping_mul(33).wrapping_add(byte.into());
        let hash = name.to_bytes().iter().fold(5381, step);
        // SAFETY: the layout of the tables, as the dynamic linker reads them; a resolver takes no arguments on x86-64.
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
                    && *self.versions.add(symbol as usize) & HIDDEN == 0
                {
                    let address = (self.base + about.st_value as usize) as *const c_void;
                    if about.st_info & 0xf != STT_GNU_IFUNC {
                        return Some(address);
                    }
                    let resolver: unsafe extern "C" fn() -> *const c_void =
                        core::mem::transmute(address);
                    return Some(resolver());
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
    fn the_default_version_is_found_and_what_is_not_there_is_not() {
        unsafe extern "C" {
            fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
        }
        let libc = Symbols::of_libc().unwrap();
        assert_eq!(libc.find(c"goldilocks_has_no_such_function"), None);
        // One version, several versions, an address that is chosen by the processor.
        for name in [c"gnu_get_libc_version", c"pthread_cond_wait", c"strchr"] {
            // SAFETY: a name that libc has.
            let expected = unsafe { dlsym(core::ptr::null_mut(), name.as_ptr()) };
            assert_eq!(libc.find(name), Some(expected.cast_const()), "{name:?}");
        }
    }
}
