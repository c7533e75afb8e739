//! Sockets: connecting, accepting, sending and receiving.
//!
//! Asking for a connection happens before its acceptance: the listening address is their object. See `descriptors` for
//! the rest.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_uint, c_void};

use super::descriptors::{self, input};
use super::files::check_buffers;
use super::given::is_there;
use super::libc_table::{check, reads, reads_one, string, writes, writes_one};
use crate::caller::Caller;
use crate::state::multi_threaded;
use crate::{caller, interceptors, libc_table, real};

type Address = *mut c_void;
type Message = *mut libc::msghdr;

/// Accepts a connection by `call`, with the peer's address if it is asked for.
///
/// # Safety
/// As for `accept`.
unsafe fn accepted(
    caller: Caller,
    listening: c_int,
    peer: Address,
    length: *mut c_uint,
    call: impl FnOnce() -> c_int,
) -> c_int {
    let asked = multi_threaded() && !peer.is_null() && is_there(length, 1);
    // SAFETY: the caller's contract.
    let room = if asked { unsafe { *length } } else { 0 };
    let new = call();
    if new >= 0 {
        descriptors::acquire(caller, listening);
        descriptors::opened(caller, new);
        if asked {
            // SAFETY: the kernel has filled both.
            check(
                caller,
                &[
                    writes_one(length),
                    writes(peer, unsafe { *length }.min(room) as usize),
                ],
            );
        }
    }
    new
}

/// Checks a message's own structure and its buffers.
///
/// # Safety
/// `message` is the program's, and can be read; `received` is how much was put into it, or `None` if it is sent.
unsafe fn check_message(caller: Caller, message: *const libc::msghdr, received: Option<usize>) {
    if !multi_threaded() {
        return;
    }
    // SAFETY: the caller's contract.
    unsafe {
        let about = &*message;
        let range = |start: *const c_void, bytes: usize| {
            if received.is_some() {
                writes(start, bytes)
            } else {
                reads(start, bytes)
            }
        };
        check(
            caller,
            &[
                reads_one(message),
                range(about.msg_name, about.msg_namelen as usize),
                range(about.msg_control, about.msg_controllen),
            ],
        );
        check_buffers(caller, about.msg_iov, about.msg_iovlen, received);
    }
}

/// Before a message is sent. Whether there is one, and somebody whom it could concern.
///
/// # Safety
/// `message` is the program's.
unsafe fn sending(caller: Caller, message: *const libc::msghdr) -> bool {
    if !multi_threaded() || !is_there(message, 1) {
        return false;
    }
    // SAFETY: the caller's contract; it is there.
    unsafe {
        check_message(caller, message, None);
        descriptors::release_address(caller, (*message).msg_name, (*message).msg_namelen);
    }
    true
}

/// After a message was received: descriptors that came along are new.
///
/// # Safety
/// As [`check_message`].
unsafe fn received(caller: Caller, message: *const libc::msghdr, bytes: usize) {
    // SAFETY: the caller's contract; the control messages are as the kernel wrote them.
    unsafe {
        check_message(caller, message, Some(bytes));
        let mut header = libc::CMSG_FIRSTHDR(message);
        while !header.is_null() {
            if (*header).cmsg_level == libc::SOL_SOCKET && (*header).cmsg_type == libc::SCM_RIGHTS {
                let data = libc::CMSG_DATA(header).cast::<c_int>();
                let count = ((*header).cmsg_len - libc::CMSG_LEN(0) as usize) / size_of::<c_int>();
                (0..count)
                    .for_each(|at| descriptors::received(caller, data.add(at).read_unaligned()));
            }
            header = libc::CMSG_NXTHDR(message, header);
        }
    }
}

/// A question for an address, by `call`.
///
/// # Safety
/// The program's arguments.
unsafe fn named(
    caller: Caller,
    to: Address,
    length: *mut c_uint,
    call: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: the caller's contract.
    unsafe {
        if !multi_threaded() || !is_there(length, 1) {
            return call();
        }
        check(caller, &[reads_one(length)]);
        let room = *length;
        let result = call();
        if result == 0 {
            check(
                caller,
                &[writes(to, room.min(*length) as usize), writes_one(length)],
            );
        }
        result
    }
}

interceptors! {
    fn socket(family: c_int, kind: c_int, protocol: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, here and below.
        let fd = unsafe { real!(socket)(family, kind, protocol) };
        if fd >= 0 {
            descriptors::opened(caller, fd);
        }
        fd
    }
    fn socketpair(family: c_int, kind: c_int, protocol: c_int, ends: *mut [c_int; 2]) -> c_int {
        let caller = caller!();
        // SAFETY: as above; on success there are two descriptors.
        unsafe {
            let result = real!(socketpair)(family, kind, protocol, ends);
            if result == 0 {
                check(caller, &[writes_one(ends)]);
                descriptors::opened_pair(caller, *ends);
            }
            result
        }
    }
    fn bind(fd: c_int, address: Address, length: c_uint) -> c_int {
        let caller = caller!();
        check(caller, &[reads(address, length as usize)]);
        // SAFETY: as above.
        let result = unsafe { real!(bind)(fd, address, length) };
        descriptors::readdressed(caller, fd);
        result
    }
    fn listen(fd: c_int, backlog: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        let result = unsafe { real!(listen)(fd, backlog) };
        descriptors::readdressed(caller, fd);
        result
    }
    fn connect(fd: c_int, address: Address, length: c_uint) -> c_int {
        let caller = caller!();
        check(caller, &[reads(address, length as usize)]);
        // SAFETY: as above.
        unsafe {
            descriptors::release_address(caller, address, length);
            let result = real!(connect)(fd, address, length);
            // Also when it is under way (EINPROGRESS): the addresses are known by then.
            descriptors::readdressed(caller, fd);
            result
        }
    }
    fn accept(fd: c_int, peer: Address, length: *mut c_uint) -> c_int {
        let caller = caller!();
        descriptors::touch(caller, fd);
        // SAFETY: as above.
        unsafe { accepted(caller, fd, peer, length, || real!(accept)(fd, peer, length)) }
    }
    fn accept4(fd: c_int, peer: Address, length: *mut c_uint, flags: c_int) -> c_int {
        let caller = caller!();
        descriptors::touch(caller, fd);
        // SAFETY: as above.
        unsafe { accepted(caller, fd, peer, length, || real!(accept4)(fd, peer, length, flags)) }
    }
    // The other end is told that no more will come.
    fn shutdown(fd: c_int, how: c_int) -> c_int {
        let caller = caller!();
        descriptors::shutting_down(caller, fd);
        // SAFETY: as above.
        unsafe { real!(shutdown)(fd, how) }
    }

    // The address is cut to the room that there is, and its length is told in full.
    fn getsockname(fd: c_int, to: Address, length: *mut c_uint) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { named(caller, to, length, || real!(getsockname)(fd, to, length)) }
    }
    fn getpeername(fd: c_int, to: Address, length: *mut c_uint) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { named(caller, to, length, || real!(getpeername)(fd, to, length)) }
    }

    fn send(fd: c_int, from: *const c_void, bytes: usize, flags: c_int) -> isize {
        let caller = caller!();
        check(caller, &[reads(from, bytes)]);
        // SAFETY: as above.
        descriptors::output(caller, fd, || unsafe { real!(send)(fd, from, bytes, flags) })
    }
    fn sendto(fd: c_int, from: *const c_void, bytes: usize, flags: c_int, to: Address, length: c_uint) -> isize {
        let caller = caller!();
        check(caller, &[reads(from, bytes), reads(to, length as usize)]);
        // SAFETY: as above.
        unsafe {
            descriptors::release_address(caller, to, length);
            descriptors::output(caller, fd, || real!(sendto)(fd, from, bytes, flags, to, length))
        }
    }
    fn sendmsg(fd: c_int, message: Message, flags: c_int) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            sending(caller, message);
            descriptors::output(caller, fd, || real!(sendmsg)(fd, message, flags))
        }
    }
    fn sendmmsg(fd: c_int, messages: *mut libc::mmsghdr, count: c_uint, flags: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            // The kernel sends those before the first that it cannot read, and no more than it takes at once.
            let mut at = (0..count.min(libc::UIO_MAXIOV as c_uint) as usize)
                .map(|at| messages.wrapping_add(at).cast::<libc::msghdr>());
            let _ = at.all(|message| sending(caller, message));
            let sent = descriptors::output(caller, fd, || real!(sendmmsg)(fd, messages, count, flags));
            for at in 0..sent.max(0) as usize {
                check(caller, &[writes_one(&raw const (*messages.add(at)).msg_len)]);
            }
            sent
        }
    }
    fn recv(fd: c_int, to: *mut c_void, bytes: usize, flags: c_int) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        let got = input(caller, fd, || unsafe { real!(recv)(fd, to, bytes, flags) });
        // With MSG_TRUNC the result is the length of the message, whatever room there was.
        check(caller, &[writes(to, (got.max(0) as usize).min(bytes))]);
        got
    }
    fn __recv_chk(fd: c_int, to: *mut c_void, bytes: usize, room: usize, flags: c_int) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        let got = input(caller, fd, || unsafe { real!(__recv_chk)(fd, to, bytes, room, flags) });
        check(caller, &[writes(to, (got.max(0) as usize).min(bytes))]);
        got
    }
    fn recvfrom(fd: c_int, to: *mut c_void, bytes: usize, flags: c_int, peer: Address, length: *mut c_uint) -> isize {
        let caller = caller!();
        // SAFETY: as above; the kernel has filled the address.
        unsafe {
            let room = if !multi_threaded() || peer.is_null() || !is_there(length, 1) { 0 } else { *length };
            let got = input(caller, fd, || real!(recvfrom)(fd, to, bytes, flags, peer, length));
            check(caller, &[writes(to, (got.max(0) as usize).min(bytes))]);
            if got >= 0 && room != 0 {
                check(caller, &[writes_one(length), writes(peer, room.min(*length) as usize)]);
            }
            got
        }
    }
    fn __recvfrom_chk(
        fd: c_int,
        to: *mut c_void,
        bytes: usize,
        size: usize,
        flags: c_int,
        peer: Address,
        length: *mut c_uint,
    ) -> isize {
        let caller = caller!();
        // SAFETY: as in `recvfrom`.
        unsafe {
            let room = if !multi_threaded() || peer.is_null() || !is_there(length, 1) { 0 } else { *length };
            let got = input(caller, fd, || real!(__recvfrom_chk)(fd, to, bytes, size, flags, peer, length));
            check(caller, &[writes(to, (got.max(0) as usize).min(bytes))]);
            if got >= 0 && room != 0 {
                check(caller, &[writes_one(length), writes(peer, room.min(*length) as usize)]);
            }
            got
        }
    }
    fn recvmsg(fd: c_int, message: Message, flags: c_int) -> isize {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            let got = input(caller, fd, || real!(recvmsg)(fd, message, flags));
            if got >= 0 {
                received(caller, message, got as usize);
            }
            got
        }
    }
    fn recvmmsg(fd: c_int, messages: *mut libc::mmsghdr, count: c_uint, flags: c_int, patience: *mut libc::timespec) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            let got = input(caller, fd, || real!(recvmmsg)(fd, messages, count, flags, patience) as isize) as c_int;
            for at in 0..got.max(0) as usize {
                let message = messages.add(at);
                received(caller, &raw const (*message).msg_hdr, (*message).msg_len as usize);
                check(caller, &[writes_one(&raw const (*message).msg_len)]);
            }
            got
        }
    }
}

libc_table! {
    fn getsockopt(fd: c_int, level: c_int, option: c_int, to: *mut c_void, length: *mut c_uint) -> c_int {
        before { reads_one(length) }
        after(result) if (result == 0) { writes(to, *length as usize), writes_one(length) }
    }
    fn setsockopt(fd: c_int, level: c_int, option: c_int, from: *const c_void, length: c_uint) -> c_int {
        before { reads(from, length as usize) }
    }
    fn inet_pton(family: c_int, text: *const c_char, to: *mut c_void) -> c_int {
        before { reads(text, string(text)) }
        after(result) if (result == 1) { writes(to, if family == libc::AF_INET { 4 } else { 16 }) }
    }
    fn inet_ntop(family: c_int, from: *const c_void, to: *mut c_char, room: c_uint) -> *const c_char {
        before { reads(from, if family == libc::AF_INET { 4 } else { 16 }) }
        after(text) { writes(text, string(text)) }
    }
    fn inet_aton(text: *const c_char, to: *mut u32) -> c_int {
        before { reads(text, string(text)) }
        after(result) if (result != 0) { writes_one(to) }
    }
}
