//! Opening files, by name or by a template of one.

use core::ffi::{c_char, c_int, c_uint};

use super::descriptors;
use super::given::file_name;
use super::libc_table::{check, reads, string, writes};
use crate::caller::Caller;
use crate::state::multi_threaded;
use crate::{caller, interceptors, real};

type Path = *const c_char;

/// After a call that made a descriptor.
pub fn opened(caller: Caller, fd: c_int) -> c_int {
    if fd >= 0 {
        descriptors::opened(caller, fd);
    }
    fd
}

fn check_path(caller: Caller, path: Path) {
    if multi_threaded() {
        check(caller, &[reads(path, file_name(path))]);
    }
}

/// A template of a name: its last letters are chosen.
fn check_template(caller: Caller, template: *mut c_char) {
    if multi_threaded() {
        // SAFETY: the program passes a string.
        check(caller, &[writes(template, unsafe { string(template) })]);
    }
}

// The third argument of open may be missing; it is in a register then as well, where nobody looks at it.
interceptors! {
    fn open(path: Path, flags: c_int, mode: c_uint) -> c_int {
        let caller = caller!();
        check_path(caller, path);
        // SAFETY: the program's call, here and below.
        opened(caller, unsafe { real!(open)(path, flags, mode) })
    }
    fn open64(path: Path, flags: c_int, mode: c_uint) -> c_int {
        let caller = caller!();
        check_path(caller, path);
        // SAFETY: as above.
        opened(caller, unsafe { real!(open64)(path, flags, mode) })
    }
    fn openat(folder: c_int, path: Path, flags: c_int, mode: c_uint) -> c_int {
        let caller = caller!();
        check_path(caller, path);
        // SAFETY: as above.
        opened(caller, unsafe { real!(openat)(folder, path, flags, mode) })
    }
    fn openat64(folder: c_int, path: Path, flags: c_int, mode: c_uint) -> c_int {
        let caller = caller!();
        check_path(caller, path);
        // SAFETY: as above.
        opened(caller, unsafe { real!(openat64)(folder, path, flags, mode) })
    }
    fn __open_2(path: Path, flags: c_int) -> c_int {
        let caller = caller!();
        check_path(caller, path);
        // SAFETY: as above.
        opened(caller, unsafe { real!(__open_2)(path, flags) })
    }
    fn __open64_2(path: Path, flags: c_int) -> c_int {
        let caller = caller!();
        check_path(caller, path);
        // SAFETY: as above.
        opened(caller, unsafe { real!(__open64_2)(path, flags) })
    }
    fn creat(path: Path, mode: c_uint) -> c_int {
        let caller = caller!();
        check_path(caller, path);
        // SAFETY: as above.
        opened(caller, unsafe { real!(creat)(path, mode) })
    }
    fn memfd_create(name: Path, flags: c_uint) -> c_int {
        let caller = caller!();
        check_path(caller, name);
        // SAFETY: as above.
        opened(caller, unsafe { real!(memfd_create)(name, flags) })
    }
    fn mkstemp(template: *mut c_char) -> c_int {
        let caller = caller!();
        check_template(caller, template);
        // SAFETY: as above.
        opened(caller, unsafe { real!(mkstemp)(template) })
    }
    fn creat64(path: Path, mode: c_uint) -> c_int {
        let caller = caller!();
        check_path(caller, path);
        // SAFETY: as above.
        opened(caller, unsafe { real!(creat64)(path, mode) })
    }
    fn __openat_2(folder: c_int, path: Path, flags: c_int) -> c_int {
        let caller = caller!();
        check_path(caller, path);
        // SAFETY: as above.
        opened(caller, unsafe { real!(__openat_2)(folder, path, flags) })
    }
    fn __openat64_2(folder: c_int, path: Path, flags: c_int) -> c_int {
        let caller = caller!();
        check_path(caller, path);
        // SAFETY: as above.
        opened(caller, unsafe { real!(__openat64_2)(folder, path, flags) })
    }
    fn shm_open(path: Path, flags: c_int, mode: c_uint) -> c_int {
        let caller = caller!();
        check_path(caller, path);
        // SAFETY: as above.
        opened(caller, unsafe { real!(shm_open)(path, flags, mode) })
    }
    fn mkstemp64(template: *mut c_char) -> c_int {
        let caller = caller!();
        check_template(caller, template);
        // SAFETY: as above.
        opened(caller, unsafe { real!(mkstemp64)(template) })
    }
    fn mkostemp(template: *mut c_char, flags: c_int) -> c_int {
        let caller = caller!();
        check_template(caller, template);
        // SAFETY: as above.
        opened(caller, unsafe { real!(mkostemp)(template, flags) })
    }
    fn mkostemp64(template: *mut c_char, flags: c_int) -> c_int {
        let caller = caller!();
        check_template(caller, template);
        // SAFETY: as above.
        opened(caller, unsafe { real!(mkostemp64)(template, flags) })
    }
    fn mkstemps(template: *mut c_char, suffix: c_int) -> c_int {
        let caller = caller!();
        check_template(caller, template);
        // SAFETY: as above.
        opened(caller, unsafe { real!(mkstemps)(template, suffix) })
    }
    fn mkstemps64(template: *mut c_char, suffix: c_int) -> c_int {
        let caller = caller!();
        check_template(caller, template);
        // SAFETY: as above.
        opened(caller, unsafe { real!(mkstemps64)(template, suffix) })
    }
    fn mkostemps(template: *mut c_char, suffix: c_int, flags: c_int) -> c_int {
        let caller = caller!();
        check_template(caller, template);
        // SAFETY: as above.
        opened(caller, unsafe { real!(mkostemps)(template, suffix, flags) })
    }
    fn mkostemps64(template: *mut c_char, suffix: c_int, flags: c_int) -> c_int {
        let caller = caller!();
        check_template(caller, template);
        // SAFETY: as above.
        opened(caller, unsafe { real!(mkostemps64)(template, suffix, flags) })
    }
}
