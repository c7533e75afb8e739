//! Sorting, searching, trees, tables, patterns and paths by pattern. Functions of the program that are called back are its own code,
//! checked as such; here is what libc itself does to the program's memory.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_uint, c_void};

use super::libc_table::{check, nothing, reads, reads_one, string, writes, writes_one};
use crate::caller::Caller;
use crate::state::multi_threaded;
use crate::{caller, interceptors, libc_table, real};

type Text = *const c_char;
/// A function of the program.
type Callback = *const c_void;

libc_table! {
    // Elements move. Fewer than two are looked at by nobody.
    fn qsort(base: *mut c_void, count: usize, size: usize, compare: Callback) {
        before { writes(base, if count > 1 { count.saturating_mul(size) } else { 0 }) }
    }
    fn qsort_r(base: *mut c_void, count: usize, size: usize, compare: Callback, context: *mut c_void) {
        before { writes(base, if count > 1 { count.saturating_mul(size) } else { 0 }) }
    }
    fn lfind(key: *const c_void, base: *const c_void, count: *mut usize, size: usize, compare: Callback) -> *mut c_void {
        before { reads_one(count) }
    }
    fn insque(element: *mut [*mut c_void; 2], before: *mut [*mut c_void; 2]) {
        before {
            writes_one(element),
            // A null neighbour begins a list of its own.
            if before.is_null() { nothing() } else { writes(before, 8) },
            if before.is_null() || (*before)[0].is_null() { nothing() } else { writes((*before)[0].byte_add(8), 8) }
        }
    }
    fn remque(element: *mut [*mut c_void; 2]) {
        before {
            reads_one(element),
            if (*element)[0].is_null() { nothing() } else { writes((*element)[0].byte_add(8), 8) },
            if (*element)[1].is_null() { nothing() } else { writes((*element)[1], 8) }
        }
    }
    // Trees: the root is the program's variable, the nodes are libc's and stand for the tree with it.
    fn tfind(key: *const c_void, root: *const *mut c_void, compare: Callback) -> *mut c_void {
        before { reads_one(root) }
    }

    fn hcreate_r(count: usize, table: *mut [u64; 2]) -> c_int {
        before { writes_one(table) }
    }
    fn hdestroy_r(table: *mut [u64; 2]) {
        before { writes_one(table) }
    }

    fn regcomp(to: *mut [u64; 8], pattern: Text, flags: c_int) -> c_int {
        before { reads(pattern, string(pattern)) }
        after(_failure) { writes_one(to) }
    }
    fn regfree(expression: *mut [u64; 8]) {
        before { writes_one(expression) }
    }
    fn regerror(error: c_int, expression: *const [u64; 8], to: *mut c_char, room: usize) -> usize {
        after(size) { writes(to, size.min(room)) }
    }
    fn fnmatch(pattern: Text, text: Text, flags: c_int) -> c_int {
        before { reads(pattern, string(pattern)), reads(text, string(text)) }
    }

    // Walks over folders.
    fn ftw(path: Text, callback: Callback, room: c_int) -> c_int {
        before { reads(path, string(path)) }
    }
    fn ftw64(path: Text, callback: Callback, room: c_int) -> c_int {
        before { reads(path, string(path)) }
    }
    fn nftw(path: Text, callback: Callback, room: c_int, flags: c_int) -> c_int {
        before { reads(path, string(path)) }
    }
    fn nftw64(path: Text, callback: Callback, room: c_int, flags: c_int) -> c_int {
        before { reads(path, string(path)) }
    }
}

/// The structure that `glob` fills, and its list.
#[repr(C)]
#[derive(Debug)]
pub struct Glob {
    count: usize,
    paths: *mut *mut c_char,
    reserved: usize,
    rest: [u64; 6],
}

/// What a glob has put into its structure, the list of paths, and the paths.
///
/// # Safety
/// The program's structure, after success.
unsafe fn globbed(caller: Caller, glob: *mut Glob, flags: c_int) {
    // SAFETY: the caller's contract.
    unsafe {
        let reserved = if flags & libc::GLOB_DOOFFS != 0 {
            (*glob).reserved
        } else {
            0
        };
        let (paths, count) = ((*glob).paths, reserved + (*glob).count);
        // Number, list, and the flags behind the number that is reserved.
        check(
            caller,
            &[
                writes(glob, 16),
                writes(paths, (count + 1) * size_of::<Text>()),
            ],
        );
        if paths.is_null() {
            return;
        }
        for at in reserved..count {
            let path = *paths.add(at);
            check(caller, &[writes(path, string(path))]);
        }
    }
}

/// The entries that `scandir` returns, in its list.
///
/// # Safety
/// The program's pointer, after success.
unsafe fn scanned(caller: Caller, list: *mut *mut *mut libc::dirent, count: c_int) -> c_int {
    if count >= 0 && multi_threaded() {
        // SAFETY: the caller's contract.
        unsafe {
            check(
                caller,
                &[
                    writes_one(list),
                    writes(*list, count as usize * size_of::<usize>()),
                ],
            );
            for at in 0..count as usize {
                let entry = *(*list).add(at);
                check(caller, &[writes(entry, (*entry).d_reclen as usize)]);
            }
        }
    }
    count
}

/// `regmatch_t`.
type Match = [c_int; 2];
/// The bit of the compiled expression that says that nothing is told of where it matched.
const REG_NOSUB: u64 = 1 << 4;

interceptors! {
    // Appends if it finds nothing.
    fn lsearch(key: *const c_void, base: *mut c_void, count: *mut usize, size: usize, compare: Callback) -> *mut c_void {
        let caller = caller!();
        // SAFETY: the program's call, here and below.
        unsafe {
            if !multi_threaded() {
                return real!(lsearch)(key, base, count, size, compare);
            }
            check(caller, &[reads_one(count)]);
            let before = *count;
            let found = real!(lsearch)(key, base, count, size, compare);
            if *count != before {
                check(caller, &[reads(key, size), writes(found, size), writes_one(count)]);
            }
            found
        }
    }
    fn tsearch(key: *const c_void, root: *mut *mut c_void, compare: Callback) -> *mut c_void {
        let caller = caller!();
        // SAFETY: as above. Whether a node is added is known afterwards; that the tree must not change meanwhile is told before.
        unsafe {
            check(caller, &[writes_one(root)]);
            real!(tsearch)(key, root, compare)
        }
    }
    fn tdelete(key: *const c_void, root: *mut *mut c_void, compare: Callback) -> *mut c_void {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            check(caller, &[writes_one(root)]);
            real!(tdelete)(key, root, compare)
        }
    }
    fn hsearch_r(key: Text, data: *mut c_void, action: c_uint, result: *mut *mut c_void, table: *mut [u64; 2]) -> c_int {
        let caller = caller!();
        // SAFETY: as above; 1 is ENTER.
        unsafe {
            if multi_threaded() {
                let table = if action == 1 { writes_one(table) } else { reads_one(table) };
                check(caller, &[reads(key, string(key)), table, writes_one(result)]);
            }
            real!(hsearch_r)(key, data, action, result, table)
        }
    }
    fn regexec(expression: *const [u64; 8], text: Text, count: usize, to: *mut Match, flags: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above; with REG_STARTEND the text is what the first match says.
        unsafe {
            if !multi_threaded() {
                return real!(regexec)(expression, text, count, to, flags);
            }
            const REG_STARTEND: c_int = 1 << 2;
            let range = if flags & REG_STARTEND != 0 {
                let [from, end] = *to;
                reads(text.byte_add(from as usize), (end - from).max(0) as usize)
            } else {
                reads(text, string(text))
            };
            check(caller, &[reads_one(expression), range, if flags & REG_STARTEND != 0 { reads_one(to) } else { nothing() }]);
            let failure = real!(regexec)(expression, text, count, to, flags);
            let no_matches = (*expression)[7] & REG_NOSUB != 0;
            if failure == 0 && !no_matches {
                check(caller, &[writes(to, count.saturating_mul(size_of::<Match>()))]);
            }
            failure
        }
    }
    fn glob(pattern: Text, flags: c_int, failed: Callback, to: *mut Glob) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            if multi_threaded() {
                check(caller, &[reads(pattern, string(pattern))]);
            }
            let failure = real!(glob)(pattern, flags, failed, to);
            if failure == 0 && multi_threaded() {
                globbed(caller, to, flags);
            }
            failure
        }
    }
    fn glob64(pattern: Text, flags: c_int, failed: Callback, to: *mut Glob) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            if multi_threaded() {
                check(caller, &[reads(pattern, string(pattern))]);
            }
            let failure = real!(glob64)(pattern, flags, failed, to);
            if failure == 0 && multi_threaded() {
                globbed(caller, to, flags);
            }
            failure
        }
    }
    fn wordexp(words: Text, to: *mut [usize; 3], flags: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above; on success there is a list of strings.
        unsafe {
            if multi_threaded() {
                check(caller, &[reads(words, string(words))]);
            }
            let failure = real!(wordexp)(words, to, flags);
            if failure == 0 && multi_threaded() {
                let [count, list, _] = *to;
                check(caller, &[writes(to, 16)]);
                for at in 0..count {
                    let place = (list as *const Text).add(at);
                    check(caller, &[writes_one(place), writes(*place, string(*place))]);
                }
            }
            failure
        }
    }
    fn scandir(path: Text, list: *mut *mut *mut libc::dirent, filter: Callback, compare: Callback) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            if multi_threaded() {
                check(caller, &[reads(path, string(path))]);
            }
            scanned(caller, list, real!(scandir)(path, list, filter, compare))
        }
    }
    fn scandir64(path: Text, list: *mut *mut *mut libc::dirent, filter: Callback, compare: Callback) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            if multi_threaded() {
                check(caller, &[reads(path, string(path))]);
            }
            scanned(caller, list, real!(scandir64)(path, list, filter, compare))
        }
    }
    fn scandirat(folder: c_int, path: Text, list: *mut *mut *mut libc::dirent, filter: Callback, compare: Callback) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            if multi_threaded() {
                check(caller, &[reads(path, string(path))]);
            }
            scanned(caller, list, real!(scandirat)(folder, path, list, filter, compare))
        }
    }
    // It permutes the list of arguments, and keeps its place in variables of the program.
    fn getopt(count: c_int, arguments: *const *mut c_char, options: Text) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            options_by(caller, count, arguments, options, || real!(getopt)(count, arguments, options))
        }
    }
    fn __posix_getopt(count: c_int, arguments: *const *mut c_char, options: Text) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            options_by(caller, count, arguments, options, || real!(__posix_getopt)(count, arguments, options))
        }
    }
    fn getopt_long(count: c_int, arguments: *const *mut c_char, options: Text, long: *const LongOption, index: *mut c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            check_long(caller, long);
            options_by(caller, count, arguments, options, || real!(getopt_long)(count, arguments, options, long, index))
        }
    }
    fn getopt_long_only(count: c_int, arguments: *const *mut c_char, options: Text, long: *const LongOption, index: *mut c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            check_long(caller, long);
            options_by(caller, count, arguments, options, || real!(getopt_long_only)(count, arguments, options, long, index))
        }
    }
}

/// `struct option`.
#[repr(C)]
#[derive(Debug)]
pub struct LongOption {
    name: Text,
    rest: [u64; 3],
}

/// # Safety
/// Null or a list that a nameless option ends.
unsafe fn check_long(caller: Caller, long: *const LongOption) {
    if long.is_null() || !multi_threaded() {
        return;
    }
    // SAFETY: the caller's contract.
    unsafe {
        for at in 0.. {
            let option = long.add(at);
            let name = (*option).name;
            check(caller, &[reads_one(option), reads(name, string(name))]);
            if name.is_null() {
                break;
            }
        }
    }
}

// The variables of getopt, which libc has under names that programs share.
unsafe extern "C" {
    static mut optind: c_int;
    static mut optarg: *mut c_char;
}

/// A step of getopt: the pointers of the arguments are read, and its variables written.
///
/// # Safety
/// The program's arguments.
unsafe fn options_by(
    caller: Caller,
    count: c_int,
    arguments: *const *mut c_char,
    options: Text,
    call: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: the caller's contract.
    unsafe {
        if multi_threaded() {
            check(
                caller,
                &[
                    reads(arguments, count.max(0) as usize * size_of::<usize>()),
                    reads(options, string(options)),
                    writes_one(&raw const optind),
                    writes_one(&raw const optarg),
                ],
            );
        }
        call()
    }
}
