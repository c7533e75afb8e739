//! The functions behind the interceptors: what the program would have called without us.
//!
//! Every interceptor has a *slot*, a pointer to the next definition of its name in the dynamic linker's search order,
//! filled once by [`resolve_all`] before anything else of the runtime works. For code inside the runtime there is also
//! `__goldilocks_real_NAME`, a jump through the slot: the build renames every undefined reference of the runtime to an
//! intercepted name into that, so that neither std nor any dependency can come back in through an interceptor.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use super::libc_symbols::Symbols;

pub mod loaded;

/// One intercepted name; collected by the linker in the section `goldilocks_intercepted`.
#[repr(C)]
pub struct Intercepted {
    pub name: &'static CStr,
    /// Symbol version to look for first, where the default one would not do.
    pub version: Option<&'static CStr>,
    pub slot: &'static AtomicPtr<c_void>,
}

// The entries are Rust's own; the linker's symbols only mark where they begin and end.
#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "__start_goldilocks_intercepted"]
    static START: Intercepted;
    #[link_name = "__stop_goldilocks_intercepted"]
    static STOP: Intercepted;
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlvsym(handle: *mut c_void, name: *const c_char, version: *const c_char) -> *mut c_void;
}

const RTLD_NEXT: *mut c_void = -1isize as *mut c_void;

/// Where a slot is kept.
pub type Slot = AtomicPtr<c_void>;

/// Bytes of libc in memory, from and to. Relaxed: written once, before there are threads.
static LIBC: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
/// The same of the object that the runtime is in.
pub static OWN: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// Whether the function in a slot is libc's. GNU and BSD have names (`error`, `warn`) that libraries give to functions of their own
/// with other arguments; those are called, but not looked at.
pub fn is_of_libc(slot: &Slot) -> bool {
    in_libc(slot.load(Ordering::Relaxed) as usize)
}

/// Whether the address is libc's.
pub fn in_libc(address: usize) -> bool {
    let [from, to] = [0, 1].map(|at| LIBC[at].load(Ordering::Relaxed));
    (from..to).contains(&address)
}

/// Notes which bytes the loaded object has that has an address.
fn find_object(span: &'static [AtomicUsize; 2], address: *const c_void) {
    let mut wanted = (span, address as usize);
    // SAFETY: the callback only looks, and writes to the span.
    unsafe { libc::dl_iterate_phdr(Some(note_object), (&raw mut wanted).cast()) };
}

unsafe extern "C" fn note_object(
    object: *mut libc::dl_phdr_info,
    _size: usize,
    wanted: *mut c_void,
) -> c_int {
    // SAFETY: the dynamic linker's description of an object, and what `find_object` passes on.
    unsafe {
        let (span, address) = *wanted.cast::<(&'static [AtomicUsize; 2], usize)>();
        let base = (*object).dlpi_addr as usize;
        let headers =
            core::slice::from_raw_parts((*object).dlpi_phdr, usize::from((*object).dlpi_phnum));
        let loaded = headers
            .iter()
            .filter(|header| header.p_type == libc::PT_LOAD);
        let end = loaded
            .map(|header| base + (header.p_vaddr + header.p_memsz) as usize)
            .max();
        let Some(end) = end.filter(|&end| (base..end).contains(&address)) else {
            return 0;
        };
        span[0].store(base, Ordering::Relaxed);
        span[1].store(end, Ordering::Relaxed);
        1
    }
}

/// Every intercepted name.
pub fn all() -> &'static [Intercepted] {
    // SAFETY: the linker puts all entries between the two symbols, and nothing else; they are immutable.
    unsafe {
        let start = &raw const START;
        let stop = &raw const STOP;
        core::slice::from_raw_parts(start, stop.offset_from(start) as usize)
    }
}

/// Fills the slots that are empty with libc's own, as long as nobody else has been asked for: that allocates nothing, and an allocator
/// of the program's, which may be what asks, can lock and map already.
fn resolve_in_libc() {
    let Some(libc) = Symbols::of_libc() else {
        return;
    };
    for entry in all() {
        if entry.slot.load(Ordering::Relaxed).is_null()
            && let Some(found) = libc.find(entry.name)
        {
            // Relaxed: every thread that misses the function resolves it.
            entry.slot.store(found.cast_mut(), Ordering::Relaxed);
        }
    }
}

/// Fills every slot. A name that nothing loaded has keeps a null slot: its interceptor finds it when it is called ([`resolve_late`]).
pub fn resolve_all() {
    resolve_in_libc();
    // SAFETY: a name that no other library has.
    let known = unsafe { dlsym(RTLD_NEXT, c"gnu_get_libc_version".as_ptr()) };
    find_object(&LIBC, known);
    find_object(&OWN, resolve_all as *const () as *const c_void);
    for entry in all() {
        // SAFETY: dlsym with a constant name; it takes no lock that the program could hold before main.
        let found = unsafe {
            let versioned = match entry.version {
                Some(version) => dlvsym(RTLD_NEXT, entry.name.as_ptr(), version.as_ptr()),
                None => core::ptr::null_mut(),
            };
            if versioned.is_null() {
                dlsym(RTLD_NEXT, entry.name.as_ptr())
            } else {
                versioned
            }
        };
        if !found.is_null() {
            // Relaxed: threads are created after this, and that orders them.
            entry.slot.store(found, Ordering::Relaxed);
        }
    }
}

/// Fills a slot whose interceptor was reached before the runtime: by the dynamic linker, which allocates, or a constructor of a library; or by code of a
/// library that the program has loaded itself, and which has brought the function.
#[cold]
#[inline(never)]
pub fn resolve_late(wanted: &'static Intercepted) {
    resolve_in_libc();
    if !wanted.slot.load(Ordering::Relaxed).is_null() {
        return;
    }
    // SAFETY: the thread's own errno.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *errno };
    resolve_all();
    if wanted.slot.load(Ordering::Relaxed).is_null() {
        loaded::resolve(wanted);
    }
    // SAFETY: as above.
    unsafe { *errno = before };
}

/// As [`resolve_late`], of the interceptor with this slot, for those in assembly.
pub extern "C" fn resolve_slot(slot: &'static Slot) {
    let entry = all().iter().find(|entry| core::ptr::eq(entry.slot, slot));
    if let Some(entry) = entry {
        resolve_late(entry);
    }
}
