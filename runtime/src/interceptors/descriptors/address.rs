//! Sockets by their addresses. Within one process both ends of a connection see the same two, so ports suffice.

use super::name;
use crate::interceptors::given::is_there;
use crate::sys;
use core::ffi::{c_int, c_void};

const ROOM: usize = size_of::<libc::sockaddr_un>();

/// The object of a connected, listening or bound socket; `None` if its address does not tell.
pub fn object(fd: c_int) -> Option<u64> {
    let own = ask(libc::SYS_getsockname, fd);
    let own = own.as_ref().and_then(Address::parse);
    let peer = ask(libc::SYS_getpeername, fd);
    let end = |second: bool| super::TWO_WAY | if second { super::SECOND } else { 0 };
    match (own, peer.as_ref().and_then(Address::parse)) {
        // Connected to itself.
        (Some(Address::Port(own)), Some(Address::Port(peer))) if own == peer => {
            Some(name(&[u64::from(own), u64::from(peer)]))
        }
        (Some(Address::Port(own)), Some(Address::Port(peer))) => {
            let ports = name(&[u64::from(own.min(peer)), u64::from(own.max(peer))]);
            Some(ports | end(own > peer))
        }
        // The end that was accepted has the name of the listening socket, which nobody reads.
        (Some(Address::Path(path)), _) => Some(path | end(true)),
        (_, Some(Address::Path(path))) => Some(path | end(false)),
        (Some(one), None) | (None, Some(one)) => Some(one.object()),
        (None, None) => None,
    }
}

/// Where a datagram socket sends to, if it is connected.
pub fn peer(fd: c_int) -> Option<u64> {
    let peer = ask(libc::SYS_getpeername, fd)?;
    Address::parse(&peer).map(Address::object)
}

/// If it is a datagram socket: the object that its own address names, if it has one.
pub fn of_datagrams(fd: c_int) -> Option<Option<u64>> {
    is_datagram(fd).then(|| {
        let own = ask(libc::SYS_getsockname, fd)?;
        Address::parse(&own).map(Address::object)
    })
}

fn is_datagram(fd: c_int) -> bool {
    let mut kind: c_int = 0;
    let mut length = size_of::<c_int>() as u32;
    let (level, option) = (libc::SOL_SOCKET as usize, libc::SO_TYPE as usize);
    let arguments = [
        fd as usize,
        level,
        option,
        &raw mut kind as usize,
        &raw mut length as usize,
        0,
    ];
    // SAFETY: the kernel writes an integer and its length.
    let asked = unsafe { sys::call(libc::SYS_getsockopt, arguments) };
    asked.is_ok() && kind == libc::SOCK_DGRAM
}

/// The object that an address names.
///
/// # Safety
/// `from` is the program's; if it is null, or cannot be read, there is none.
pub unsafe fn named(from: *const c_void, bytes: u32) -> Option<u64> {
    if from.is_null() || !is_there(from.cast::<u8>(), (bytes as usize).min(ROOM)) {
        return None;
    }
    let mut raw = Raw {
        bytes: [0; ROOM],
        length: (bytes as usize).min(ROOM),
    };
    // SAFETY: passed on to the caller; not longer than the room.
    unsafe {
        raw.bytes
            .as_mut_ptr()
            .copy_from_nonoverlapping(from.cast(), raw.length)
    };
    Address::parse(&raw).map(Address::object)
}

struct Raw {
    bytes: [u8; ROOM],
    length: usize,
}

enum Address {
    Port(u16),
    /// Name of the object behind a path or an abstract name.
    Path(u64),
}

impl Address {
    fn parse(raw: &Raw) -> Option<Address> {
        let bytes = &raw.bytes[..raw.length];
        let family = u16::from_ne_bytes([*bytes.first()?, *bytes.get(1)?]);
        match c_int::from(family) {
            libc::AF_INET | libc::AF_INET6 => {
                let port = u16::from_be_bytes([*bytes.get(2)?, *bytes.get(3)?]);
                (port != 0).then_some(Address::Port(port))
            }
            libc::AF_UNIX => {
                let path = &bytes[2..];
                // A path may or may not end in a zero; an abstract name begins with one.
                let end = path.iter().skip(1).rposition(|&byte| byte != 0)? + 2;
                let words = path[..end].iter().fold(u64::from(family), |hash, &byte| {
                    name(&[hash, u64::from(byte)])
                });
                Some(Address::Path(words))
            }
            _ => None,
        }
    }
    fn object(self) -> u64 {
        match self {
            Address::Port(port) => name(&[u64::from(port)]),
            Address::Path(path) => path,
        }
    }
}

fn ask(call: libc::c_long, fd: c_int) -> Option<Raw> {
    let mut raw = Raw {
        bytes: [0; ROOM],
        length: 0,
    };
    let mut length = ROOM as u32;
    // SAFETY: the kernel writes at most `length` bytes.
    let asked = unsafe {
        sys::call(
            call,
            [
                fd as usize,
                raw.bytes.as_mut_ptr() as usize,
                &raw mut length as usize,
                0,
                0,
                0,
            ],
        )
    };
    raw.length = (length as usize).min(ROOM);
    asked.is_ok().then_some(raw)
}
