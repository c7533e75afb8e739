//! Functions of names of files, and of what is known about files.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_long, c_uint, c_void};

use super::given::file_name;
use super::libc_table::{reads, reads_one, string, writes, writes_one};
use crate::libc_table;

type Path = *const c_char;

libc_table! {
    fn stat(path: Path, about: *mut libc::stat) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn stat64(path: Path, about: *mut libc::stat) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn lstat(path: Path, about: *mut libc::stat) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn lstat64(path: Path, about: *mut libc::stat) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn fstat(fd: c_int, about: *mut libc::stat) -> c_int {
        after(result) if (result == 0) { writes_one(about) }
    }
    fn fstat64(fd: c_int, about: *mut libc::stat) -> c_int {
        after(result) if (result == 0) { writes_one(about) }
    }
    fn access(path: Path, mode: c_int) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn unlink(path: Path) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn rename(old: Path, new: Path) -> c_int {
        before { reads(old, file_name(old)), reads(new, file_name(new)) }
    }
    fn mkdir(path: Path, mode: c_uint) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn rmdir(path: Path) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn chdir(path: Path) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn readlink(path: Path, to: *mut c_char, room: usize) -> isize {
        before { reads(path, file_name(path)) }
        after(length) if (length > 0) { writes(to, length as usize) }
    }
    fn realpath(path: Path, to: *mut c_char) -> *mut c_char {
        before { reads(path, file_name(path)) }
        after(result) { writes(result, string(result)) }
    }
    fn getcwd(to: *mut c_char, room: usize) -> *mut c_char {
        after(result) { writes(result, string(result)) }
    }
    fn chmod(path: Path, mode: c_uint) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn lchmod(path: Path, mode: c_uint) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn chown(path: Path, user: c_uint, group: c_uint) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn lchown(path: Path, user: c_uint, group: c_uint) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn fchmodat(folder: c_int, path: Path, mode: c_uint, flags: c_int) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn fchownat(folder: c_int, path: Path, user: c_uint, group: c_uint, flags: c_int) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn unlinkat(folder: c_int, path: Path, flags: c_int) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn mkdirat(folder: c_int, path: Path, mode: c_uint) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn faccessat(folder: c_int, path: Path, mode: c_int, flags: c_int) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn eaccess(path: Path, mode: c_int) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn euidaccess(path: Path, mode: c_int) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn truncate(path: Path, length: i64) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn truncate64(path: Path, length: i64) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn mkfifo(path: Path, mode: c_uint) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn mkfifoat(folder: c_int, path: Path, mode: c_uint) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn mknod(path: Path, mode: c_uint, device: u64) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn mknodat(folder: c_int, path: Path, mode: c_uint, device: u64) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn chroot(path: Path) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn removexattr(path: Path, name: Path) -> c_int {
        before { reads(path, file_name(path)), reads(name, file_name(name)) }
    }
    fn lremovexattr(path: Path, name: Path) -> c_int {
        before { reads(path, file_name(path)), reads(name, file_name(name)) }
    }
    fn fremovexattr(fd: c_int, name: Path) -> c_int {
        before { reads(name, file_name(name)) }
    }
    fn inotify_add_watch(fd: c_int, path: Path, mask: c_uint) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn shm_unlink(path: Path) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn sem_unlink(path: Path) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn mq_unlink(path: Path) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn swapon(path: Path, flags: c_int) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn swapoff(path: Path) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn umount(path: Path) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn umount2(path: Path, flags: c_int) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn acct(path: Path) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn ftok(path: Path, project: c_int) -> c_int {
        before { reads(path, file_name(path)) }
    }
    fn pathconf(path: Path, name: c_int) -> c_long {
        before { reads(path, file_name(path)) }
    }
    fn link(old: Path, new: Path) -> c_int {
        before { reads(old, file_name(old)), reads(new, file_name(new)) }
    }
    fn symlink(old: Path, new: Path) -> c_int {
        before { reads(old, file_name(old)), reads(new, file_name(new)) }
    }
    fn linkat(from: c_int, old: Path, to: c_int, new: Path, flags: c_int) -> c_int {
        before { reads(old, file_name(old)), reads(new, file_name(new)) }
    }
    fn symlinkat(old: Path, folder: c_int, new: Path) -> c_int {
        before { reads(old, file_name(old)), reads(new, file_name(new)) }
    }
    fn renameat(from: c_int, old: Path, to: c_int, new: Path) -> c_int {
        before { reads(old, file_name(old)), reads(new, file_name(new)) }
    }
    fn renameat2(from: c_int, old: Path, to: c_int, new: Path, flags: c_uint) -> c_int {
        before { reads(old, file_name(old)), reads(new, file_name(new)) }
    }
    fn fstatat(folder: c_int, path: Path, about: *mut libc::stat, flags: c_int) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn fstatat64(folder: c_int, path: Path, about: *mut libc::stat, flags: c_int) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn __xstat(version: c_int, path: Path, about: *mut libc::stat) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn __xstat64(version: c_int, path: Path, about: *mut libc::stat) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn __lxstat(version: c_int, path: Path, about: *mut libc::stat) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn __lxstat64(version: c_int, path: Path, about: *mut libc::stat) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn __fxstatat(version: c_int, folder: c_int, path: Path, about: *mut libc::stat, flags: c_int) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn __fxstatat64(version: c_int, folder: c_int, path: Path, about: *mut libc::stat, flags: c_int) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn statfs(path: Path, about: *mut libc::statfs) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn statfs64(path: Path, about: *mut libc::statfs) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn statvfs(path: Path, about: *mut libc::statvfs) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn statvfs64(path: Path, about: *mut libc::statvfs) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn statx(folder: c_int, path: Path, flags: c_int, mask: c_uint, about: *mut libc::statx) -> c_int {
        before { reads(path, file_name(path)) }
        after(result) if (result == 0) { writes_one(about) }
    }
    fn __fxstat(version: c_int, fd: c_int, about: *mut libc::stat) -> c_int {
        after(result) if (result == 0) { writes_one(about) }
    }
    fn __fxstat64(version: c_int, fd: c_int, about: *mut libc::stat) -> c_int {
        after(result) if (result == 0) { writes_one(about) }
    }
    fn fstatfs(fd: c_int, about: *mut libc::statfs) -> c_int {
        after(result) if (result == 0) { writes_one(about) }
    }
    fn fstatfs64(fd: c_int, about: *mut libc::statfs) -> c_int {
        after(result) if (result == 0) { writes_one(about) }
    }
    fn fstatvfs(fd: c_int, about: *mut libc::statvfs) -> c_int {
        after(result) if (result == 0) { writes_one(about) }
    }
    fn fstatvfs64(fd: c_int, about: *mut libc::statvfs) -> c_int {
        after(result) if (result == 0) { writes_one(about) }
    }
    fn readlinkat(folder: c_int, path: Path, to: *mut c_char, room: usize) -> isize {
        before { reads(path, file_name(path)) }
        after(length) if (length > 0) { writes(to, length as usize) }
    }
    fn __readlink_chk(path: Path, to: *mut c_char, room: usize, size: usize) -> isize {
        before { reads(path, file_name(path)) }
        after(length) if (length > 0) { writes(to, length as usize) }
    }
    fn __readlinkat_chk(folder: c_int, path: Path, to: *mut c_char, room: usize, size: usize) -> isize {
        before { reads(path, file_name(path)) }
        after(length) if (length > 0) { writes(to, length as usize) }
    }
    fn getxattr(path: Path, name: Path, to: *mut c_void, room: usize) -> isize {
        before { reads(path, file_name(path)), reads(name, file_name(name)) }
        after(size) if (size > 0 && room != 0) { writes(to, size as usize) }
    }
    fn lgetxattr(path: Path, name: Path, to: *mut c_void, room: usize) -> isize {
        before { reads(path, file_name(path)), reads(name, file_name(name)) }
        after(size) if (size > 0 && room != 0) { writes(to, size as usize) }
    }
    fn fgetxattr(fd: c_int, name: Path, to: *mut c_void, room: usize) -> isize {
        before { reads(name, file_name(name)) }
        after(size) if (size > 0 && room != 0) { writes(to, size as usize) }
    }
    fn listxattr(path: Path, to: *mut c_char, room: usize) -> isize {
        before { reads(path, file_name(path)) }
        after(size) if (size > 0 && room != 0) { writes(to, size as usize) }
    }
    fn llistxattr(path: Path, to: *mut c_char, room: usize) -> isize {
        before { reads(path, file_name(path)) }
        after(size) if (size > 0 && room != 0) { writes(to, size as usize) }
    }
    fn flistxattr(fd: c_int, to: *mut c_char, room: usize) -> isize {
        after(size) if (size > 0 && room != 0) { writes(to, size as usize) }
    }
    fn setxattr(path: Path, name: Path, from: *const c_void, bytes: usize, flags: c_int) -> c_int {
        before { reads(path, file_name(path)), reads(name, file_name(name)), reads(from, bytes) }
    }
    fn lsetxattr(path: Path, name: Path, from: *const c_void, bytes: usize, flags: c_int) -> c_int {
        before { reads(path, file_name(path)), reads(name, file_name(name)), reads(from, bytes) }
    }
    fn fsetxattr(fd: c_int, name: Path, from: *const c_void, bytes: usize, flags: c_int) -> c_int {
        before { reads(name, file_name(name)), reads(from, bytes) }
    }
    fn utime(path: Path, times: *const [i64; 2]) -> c_int {
        before { reads(path, file_name(path)), reads_one(times) }
    }
    fn utimes(path: Path, times: *const [libc::timeval; 2]) -> c_int {
        before { reads(path, file_name(path)), reads_one(times) }
    }
    fn lutimes(path: Path, times: *const [libc::timeval; 2]) -> c_int {
        before { reads(path, file_name(path)), reads_one(times) }
    }
    fn futimesat(folder: c_int, path: Path, times: *const [libc::timeval; 2]) -> c_int {
        before { reads(path, file_name(path)), reads_one(times) }
    }
    fn utimensat(folder: c_int, path: Path, times: *const [libc::timespec; 2], flags: c_int) -> c_int {
        before { reads(path, file_name(path)), reads_one(times) }
    }
    fn futimes(fd: c_int, times: *const [libc::timeval; 2]) -> c_int {
        before { reads_one(times) }
    }
    fn futimens(fd: c_int, times: *const [libc::timespec; 2]) -> c_int {
        before { reads_one(times) }
    }
    fn canonicalize_file_name(path: Path) -> *mut c_char {
        before { reads(path, file_name(path)) }
        after(result) { writes(result, string(result)) }
    }
    fn __realpath_chk(path: Path, to: *mut c_char, size: usize) -> *mut c_char {
        before { reads(path, file_name(path)) }
        after(result) { writes(result, string(result)) }
    }
    fn __getcwd_chk(to: *mut c_char, room: usize, size: usize) -> *mut c_char {
        after(result) { writes(result, string(result)) }
    }
    fn getwd(to: *mut c_char) -> *mut c_char {
        after(result) { writes(result, string(result)) }
    }
    fn __getwd_chk(to: *mut c_char, size: usize) -> *mut c_char {
        after(result) { writes(result, string(result)) }
    }
    fn get_current_dir_name() -> *mut c_char {
        after(result) { writes(result, string(result)) }
    }
    fn mkdtemp(template: *mut c_char) -> *mut c_char {
        before { writes(template, string(template)) }
    }
    fn mktemp(template: *mut c_char) -> *mut c_char {
        before { writes(template, string(template)) }
    }
    fn getdents64(fd: c_int, to: *mut c_void, room: usize) -> isize {
        after(length) if (length > 0) { writes(to, length as usize) }
    }
}
