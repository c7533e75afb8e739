//! Libraries that come and go: what was theirs has no past when something else comes to the same addresses.
//!
//! The dynamic linker maps and unmaps by system calls of its own. So the loaded objects are compared before and after a
//! `dlclose`, and what is gone is forgotten.
//!
//! A library's constructors have run when any call of `dlopen` for it returns, and its destructors run when the last user has closed it: one
//! object stands for all libraries. `dlopen` looks at who calls it (for the folders that it searches, and the namespace), so that only
//! calls from the object that the runtime is in come by here, and others are passed on as they are.
//!
//! `RTLD_DEEPBIND` is taken away from all: the library would find libc's functions before ours, so that memory that one malloc has given
//! would come to the other's free.

use core::ffi::{c_char, c_int, c_void};

use goldilocks_core::event::{Effect, Entity, Role};

use super::libc_table::{check, reads, string};
use super::real;
use crate::caller::Caller;
use crate::pipeline::enter;
use crate::state::multi_threaded;
use crate::{caller, intercepted, interceptors, real};

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

/// What was loaded, and may go.
fn libraries() -> Entity {
    Entity::object(2, Role::Request)
}

fn sync(caller: Caller, effect: Effect) {
    if multi_threaded()
        && let Some(mut scope) = enter(caller)
    {
        scope.sync(effect, libraries());
    }
}

/// `dlopen` from the object that the runtime is in.
///
/// # Safety
/// As for `dlopen`.
#[unsafe(no_mangle)]
unsafe extern "C" fn goldilocks_dlopen(file: *const c_char, mode: c_int) -> *mut c_void {
    let caller = caller!();
    // SAFETY: the program's call.
    unsafe {
        if multi_threaded() {
            check(caller, &[reads(file, string(file))]);
        }
        let library = real!(dlopen)(file, mode & !libc::RTLD_DEEPBIND);
        sync(caller, Effect::ACQUIRE);
        sync(caller, Effect::RELEASE);
        library
    }
}

// The caller is told by the address to which the call returns, which is still on top of the stack. Before the slot is filled there is nobody who
// could have a library loaded by two threads.
core::arch::global_asm!(
    ".text",
    ".globl __goldilocks_interceptor_dlopen",
    ".type __goldilocks_interceptor_dlopen, @function",
    ".p2align 4",
    "__goldilocks_interceptor_dlopen:",
    ".cfi_startproc",
    "mov rax, [rsp]",
    "cmp rax, [rip + {own}]",
    "jb 2f",
    "cmp rax, [rip + {own} + 8]",
    "jb {ours}",
    "2:",
    "cmp qword ptr [rip + __goldilocks_slot_dlopen], 0",
    "je {ours}",
    "and esi, {kept}",
    "jmp [rip + __goldilocks_slot_dlopen]",
    ".cfi_endproc",
    ".size __goldilocks_interceptor_dlopen, . - __goldilocks_interceptor_dlopen",
    own = sym real::OWN,
    ours = sym goldilocks_dlopen,
    kept = const !libc::RTLD_DEEPBIND,
);

intercepted!(dlopen(*const c_char, c_int) -> *mut c_void);

interceptors! {
    fn dlclose(library: *mut c_void) -> c_int {
        let caller = caller!();
        if !multi_threaded() {
            // SAFETY: the program's call.
            let result = unsafe { real!(dlclose)(library) };
            real::loaded::closed();
            return result;
        }
        sync(caller, Effect::RELEASE);
        sync(caller, Effect::ACQUIRE);
        let before = Loaded::now();
        // SAFETY: as above.
        let result = unsafe { real!(dlclose)(library) };
        real::loaded::closed();
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
