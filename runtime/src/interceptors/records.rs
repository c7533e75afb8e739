//! Records of users, groups, hosts, services, protocols and networks: structures that refer to strings and lists.
//!
//! The functions without `_r` fill one record for the whole process, so two threads that use them unordered race; those with it
//! fill what they are given.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_uint, c_void};

use super::format::Batch;
use super::libc_table::{check, quietly, reads, reads_one, string, writes, writes_one};
use crate::caller::Caller;
use crate::state::multi_threaded;
use crate::{caller, interceptors, libc_table, real};

type Text = *const c_char;

/// A structure with what it refers to.
pub trait Record {
    /// Adds what was written of it.
    ///
    /// # Safety
    /// The record is as libc has filled it.
    unsafe fn written(&self, batch: &mut Batch);
}

/// # Safety
/// Null or a string.
unsafe fn text(batch: &mut Batch, text: *const c_char) {
    // SAFETY: the caller's contract.
    batch.add(writes(text, unsafe { string(text) }));
}

/// A list that a null ends, of strings, or of things of `bytes` bytes.
///
/// # Safety
/// Null or such a list.
unsafe fn list(batch: &mut Batch, list: *const *mut c_char, bytes: Option<usize>) {
    if list.is_null() {
        return;
    }
    // SAFETY: the caller's contract.
    unsafe {
        let count = (0..).find(|&at| (*list.add(at)).is_null()).unwrap_or(0);
        batch.add(writes(list, (count + 1) * size_of::<Text>()));
        for at in 0..count {
            let item = *list.add(at);
            batch.add(writes(item, bytes.unwrap_or_else(|| string(item))));
        }
    }
}

macro_rules! records {
    ($($type:ty: $($string:ident),* $(=> $list:ident)?;)*) => {
        $(impl Record for $type {
            unsafe fn written(&self, batch: &mut Batch) {
                batch.add(writes_one(self));
                // SAFETY: the caller's contract.
                unsafe {
                    $(text(batch, self.$string);)*
                    $(list(batch, self.$list, None);)?
                }
            }
        })*
    };
}

/// `struct netent`.
#[repr(C)]
#[derive(Debug)]
pub struct Network {
    n_name: *mut c_char,
    n_aliases: *mut *mut c_char,
    family: c_int,
    number: c_uint,
}

records! {
    libc::passwd: pw_name, pw_passwd, pw_gecos, pw_dir, pw_shell;
    libc::group: gr_name, gr_passwd => gr_mem;
    libc::spwd: sp_namp, sp_pwdp;
    libc::servent: s_name, s_proto => s_aliases;
    libc::protoent: p_name => p_aliases;
    Network: n_name => n_aliases;
    libc::mntent: mnt_fsname, mnt_dir, mnt_type, mnt_opts;
}

impl Record for libc::hostent {
    unsafe fn written(&self, batch: &mut Batch) {
        batch.add(writes_one(self));
        // SAFETY: the caller's contract.
        unsafe {
            text(batch, self.h_name);
            list(batch, self.h_aliases, None);
            list(batch, self.h_addr_list, Some(self.h_length as usize));
        }
    }
}

/// Reports the record at `record`, if there is one.
///
/// # Safety
/// Null, or as libc has filled it.
unsafe fn filled<R: Record>(caller: Caller, record: *mut R) -> *mut R {
    if !record.is_null() && multi_threaded() {
        let mut batch = Batch::new(caller);
        // SAFETY: the caller's contract.
        unsafe { (*record).written(&mut batch) };
        batch.check();
    }
    record
}

/// After a function that tells whether there is a record at a place that it is given.
///
/// # Safety
/// As [`filled`]; the place is the program's.
unsafe fn found<R: Record>(caller: Caller, result: *mut *mut R, failure: c_int) -> c_int {
    if multi_threaded() && !result.is_null() {
        check(caller, &[writes_one(result)]);
        if failure == 0 {
            // SAFETY: the caller's contract.
            unsafe { filled(caller, *result) };
        }
    }
    failure
}

/// The arguments that are read, as ranges.
fn asked(caller: Caller, ranges: &[super::libc_table::Range]) {
    if multi_threaded() {
        check(caller, ranges);
    }
}

/// Functions that fill the process's record.
macro_rules! of_the_process {
    ($(fn $name:ident($($argument:ident : $type:ty),*) -> $record:ty { $($read:expr),* })*) => {
        interceptors! {
            $(fn $name($($argument: $type),*) -> *mut $record {
                let caller = caller!();
                // SAFETY: the program's call, with its arguments.
                #[allow(unused_unsafe)]
                unsafe {
                    asked(caller, &[$($read),*]);
                    filled(caller, quietly(caller, || real!($name)($($argument),*)))
                }
            })*
        }
    };
}

of_the_process! {
    fn getpwnam(name: Text) -> libc::passwd { reads(name, string(name)) }
    fn getpwuid(id: c_uint) -> libc::passwd {}
    fn getpwent() -> libc::passwd {}
    fn fgetpwent(stream: *mut c_void) -> libc::passwd { reads(stream, 1) }
    fn getgrnam(name: Text) -> libc::group { reads(name, string(name)) }
    fn getgrgid(id: c_uint) -> libc::group {}
    fn getgrent() -> libc::group {}
    fn fgetgrent(stream: *mut c_void) -> libc::group { reads(stream, 1) }
    fn getspnam(name: Text) -> libc::spwd { reads(name, string(name)) }
    fn getspent() -> libc::spwd {}
    fn gethostbyname(name: Text) -> libc::hostent { reads(name, string(name)) }
    fn gethostbyname2(name: Text, family: c_int) -> libc::hostent { reads(name, string(name)) }
    fn gethostbyaddr(address: *const c_void, bytes: c_uint, family: c_int) -> libc::hostent {
        reads(address, bytes as usize)
    }
    fn gethostent() -> libc::hostent {}
    fn getservbyname(name: Text, protocol: Text) -> libc::servent {
        reads(name, string(name)), reads(protocol, string(protocol))
    }
    fn getservbyport(port: c_int, protocol: Text) -> libc::servent { reads(protocol, string(protocol)) }
    fn getservent() -> libc::servent {}
    fn getprotobyname(name: Text) -> libc::protoent { reads(name, string(name)) }
    fn getprotobynumber(number: c_int) -> libc::protoent {}
    fn getprotoent() -> libc::protoent {}
    fn getnetbyname(name: Text) -> Network { reads(name, string(name)) }
    fn getnetbyaddr(number: c_uint, family: c_int) -> Network {}
    fn getnetent() -> Network {}
    fn getmntent(stream: *mut c_void) -> libc::mntent { reads(stream, 1) }
    fn getmntent_r(stream: *mut c_void, to: *mut libc::mntent, buffer: *mut c_char, room: c_int) -> libc::mntent {
        reads(stream, 1)
    }
}

/// Functions that fill the program's record. Those of hosts have one more argument, where their own error goes.
macro_rules! of_the_program {
    ($(fn $name:ident($($argument:ident : $type:ty),*) -> $record:ty { $($read:expr),* } $($more:ident)?;)*) => {
        interceptors! {
            $(fn $name(
                $($argument: $type,)*
                to: *mut $record,
                buffer: *mut c_char,
                room: usize,
                result: *mut *mut $record
                $(, $more: *mut c_int)?
            ) -> c_int {
                let caller = caller!();
                // SAFETY: the program's call, with its arguments.
                #[allow(unused_unsafe)]
                unsafe {
                    asked(caller, &[$($read),*]);
                    let failure = quietly(caller, || real!($name)($($argument,)* to, buffer, room, result $(, $more)?));
                    $(if failure != 0 || (*result).is_null() {
                        asked(caller, &[writes_one($more)]);
                    })?
                    found(caller, result, failure)
                }
            })*
        }
    };
}

of_the_program! {
    fn getpwnam_r(name: Text) -> libc::passwd { reads(name, string(name)) };
    fn getpwuid_r(id: c_uint) -> libc::passwd {};
    fn getpwent_r() -> libc::passwd {};
    fn fgetpwent_r(stream: *mut c_void) -> libc::passwd { reads(stream, 1) };
    fn getgrnam_r(name: Text) -> libc::group { reads(name, string(name)) };
    fn getgrgid_r(id: c_uint) -> libc::group {};
    fn getgrent_r() -> libc::group {};
    fn fgetgrent_r(stream: *mut c_void) -> libc::group { reads(stream, 1) };
    fn getspnam_r(name: Text) -> libc::spwd { reads(name, string(name)) };
    fn getspent_r() -> libc::spwd {};
    fn gethostbyname_r(name: Text) -> libc::hostent { reads(name, string(name)) } error;
    fn gethostbyname2_r(name: Text, family: c_int) -> libc::hostent { reads(name, string(name)) } error;
    fn gethostbyaddr_r(address: *const c_void, bytes: c_uint, family: c_int) -> libc::hostent {
        reads(address, bytes as usize)
    } error;
    fn gethostent_r() -> libc::hostent {} error;
    fn getservbyname_r(name: Text, protocol: Text) -> libc::servent {
        reads(name, string(name)), reads(protocol, string(protocol))
    };
    fn getservbyport_r(port: c_int, protocol: Text) -> libc::servent { reads(protocol, string(protocol)) };
    fn getservent_r() -> libc::servent {};
    fn getprotobyname_r(name: Text) -> libc::protoent { reads(name, string(name)) };
    fn getprotobynumber_r(number: c_int) -> libc::protoent {};
    fn getprotoent_r() -> libc::protoent {};
    fn getnetbyname_r(name: Text) -> Network { reads(name, string(name)) } error;
    fn getnetbyaddr_r(number: c_uint, family: c_int) -> Network {} error;
    fn getnetent_r() -> Network {} error;
}

interceptors! {
    fn getaddrinfo(host: Text, service: Text, hints: *const libc::addrinfo, result: *mut *mut libc::addrinfo) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call; on success there is a list.
        unsafe {
            asked(caller, &[reads(host, string(host)), reads(service, string(service)), reads_one(hints)]);
            let failure = quietly(caller, || real!(getaddrinfo)(host, service, hints, result));
            if failure == 0 && multi_threaded() {
                let mut batch = Batch::new(caller);
                batch.add(writes_one(result));
                let mut at = *result;
                while !at.is_null() {
                    batch.add(writes_one(at));
                    batch.add(writes((*at).ai_addr, (*at).ai_addrlen as usize));
                    text(&mut batch, (*at).ai_canonname);
                    at = (*at).ai_next;
                }
                batch.check();
            }
            failure
        }
    }
    fn getifaddrs(result: *mut *mut libc::ifaddrs) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            let failure = quietly(caller, || real!(getifaddrs)(result));
            if failure == 0 && multi_threaded() {
                let mut batch = Batch::new(caller);
                batch.add(writes_one(result));
                let mut at = *result;
                while !at.is_null() {
                    batch.add(writes_one(at));
                    text(&mut batch, (*at).ifa_name);
                    at = (*at).ifa_next;
                }
                batch.check();
            }
            failure
        }
    }
    fn getgrouplist(name: Text, group: c_uint, to: *mut c_uint, count: *mut c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            if !multi_threaded() {
                return real!(getgrouplist)(name, group, to, count);
            }
            check(caller, &[reads(name, string(name)), reads_one(count)]);
            let room = *count;
            let result = quietly(caller, || real!(getgrouplist)(name, group, to, count));
            let written = room.min(*count).max(0) as usize;
            check(caller, &[writes(to, written * size_of::<c_uint>()), writes_one(count)]);
            result
        }
    }
}

libc_table! {
    fn getnameinfo(
        address: *const c_void,
        bytes: c_uint,
        host: *mut c_char,
        host_room: c_uint,
        service: *mut c_char,
        service_room: c_uint,
        flags: c_int,
    ) -> c_int {
        before { reads(address, bytes as usize) }
        after(failure) if (failure == 0) {
            writes(host, if host_room == 0 { 0 } else { string(host) }),
            writes(service, if service_room == 0 { 0 } else { string(service) })
        }
    }
    fn initgroups(name: Text, group: c_uint) -> c_int {
        before { reads(name, string(name)) }
    }
    fn innetgr(group: Text, host: Text, user: Text, domain: Text) -> c_int {
        before { reads(group, string(group)), reads(host, string(host)), reads(user, string(user)), reads(domain, string(domain)) }
    }
    fn if_nametoindex(name: Text) -> c_uint {
        before { reads(name, string(name)) }
    }
    fn if_indextoname(index: c_uint, to: *mut c_char) -> *mut c_char {
        after(name) { writes(name, string(name)) }
    }
    fn inet_addr(text: Text) -> c_uint {
        before { reads(text, string(text)) }
    }
    fn inet_network(text: Text) -> c_uint {
        before { reads(text, string(text)) }
    }
    // Its text is the thread's own.
    fn ether_aton_r(text: Text, to: *mut [u8; 6]) -> *mut [u8; 6] {
        before { reads(text, string(text)) }
        after(result) { writes_one(result) }
    }
    fn ether_aton(text: Text) -> *mut [u8; 6] {
        before { reads(text, string(text)) }
        after(result) { writes_one(result) }
    }
    fn ether_ntoa_r(from: *const [u8; 6], to: *mut c_char) -> *mut c_char {
        before { reads_one(from) }
        after(text) { writes(text, string(text)) }
    }
    fn ether_ntoa(from: *const [u8; 6]) -> *mut c_char {
        before { reads_one(from) }
        after(text) { writes(text, string(text)) }
    }
    fn setmntent(path: Text, mode: Text) -> *mut c_void {
        before { reads(path, string(path)), reads(mode, string(mode)) }
    }
    fn hasmntopt(entry: *const libc::mntent, option: Text) -> *mut c_char {
        before { reads_one(entry), reads((*entry).mnt_opts, string((*entry).mnt_opts)), reads(option, string(option)) }
    }
}
