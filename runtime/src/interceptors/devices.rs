//! Terminals, and what devices are asked by ioctl.

#![allow(non_snake_case)] // names of libc

use core::ffi::{c_char, c_int, c_uint, c_ulong, c_void};

use super::descriptors;
use super::libc_table::{Range, check, nothing, reads, reads_one, string, writes, writes_one};
use super::opening::opened;
use crate::state::multi_threaded;
use crate::{caller, interceptors, libc_table, real};

/// What a request does to the memory that its argument points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Nothing,
    Reads(usize),
    /// On success.
    Writes(usize),
    /// Reads it, and writes it on success.
    Both(usize),
}

/// Bytes of the kernel's `struct termios`, which is shorter than libc's.
const KERNEL_TERMIOS: usize = 36;
/// Bytes of `struct ifreq`.
const INTERFACE: usize = 40;

/// The old requests, whose numbers do not say what they do.
fn old(request: c_ulong) -> Option<Deed> {
    Some(match request {
        libc::TCGETS => Deed::Writes(KERNEL_TERMIOS),
        libc::TCSETS | libc::TCSETSW | libc::TCSETSF => Deed::Reads(KERNEL_TERMIOS),
        libc::TIOCGWINSZ => Deed::Writes(size_of::<libc::winsize>()),
        libc::TIOCSWINSZ => Deed::Reads(size_of::<libc::winsize>()),
        libc::FIONREAD | libc::TIOCOUTQ | libc::TIOCGPGRP | libc::TIOCMGET | libc::TIOCGSID => {
            Deed::Writes(size_of::<c_int>())
        }
        libc::FIONBIO
        | libc::FIOASYNC
        | libc::TIOCSPGRP
        | libc::TIOCMSET
        | libc::TIOCMBIS
        | libc::TIOCMBIC
        | libc::TIOCPKT => Deed::Reads(size_of::<c_int>()),
        libc::TIOCSTI => Deed::Reads(1),
        0x8900..=0x89ff => match request {
            // SIOCSPGRP, FIOSETOWN
            0x8901 | 0x8902 => Deed::Reads(size_of::<c_int>()),
            // FIOGETOWN, SIOCGPGRP, SIOCATMARK
            0x8903..=0x8905 => Deed::Writes(size_of::<c_int>()),
            // SIOCGSTAMP
            0x8906 => Deed::Writes(size_of::<libc::timeval>()),
            // SIOCGIFCONF: its list is looked at by `addresses`.
            0x8912 => Deed::Both(16),
            // SIOCSIF...: flags, addresses, metric, mtu, hardware address, name
            0x8914 | 0x8916 | 0x8918 | 0x891a | 0x891c | 0x891e | 0x8922 | 0x8923 | 0x8924 => {
                Deed::Reads(INTERFACE)
            }
            // SIOCGIF...: the request has the name, the answer stands behind it.
            0x8910 | 0x8913 | 0x8915 | 0x8917 | 0x8919 | 0x891b | 0x891d | 0x8921 | 0x8927
            | 0x8933 | 0x8942 => Deed::Both(INTERFACE),
            _ => Deed::Nothing,
        },
        _ if request >> 16 == 0 => Deed::Nothing,
        _ => return None,
    })
}

/// What a request does: by its number, or by the direction and size that newer numbers have in them.
fn deed(request: c_ulong) -> Deed {
    old(request).unwrap_or_else(|| {
        let bytes = (request >> 16 & 0x3fff) as usize;
        match request >> 30 & 3 {
            0 => Deed::Nothing,
            1 => Deed::Reads(bytes),
            2 => Deed::Writes(bytes),
            _ => Deed::Both(bytes),
        }
    })
}

/// TIOCGPTPEER: opens the other end of a pseudoterminal.
const OTHER_END: c_ulong = 0x5441;

interceptors! {
    fn isatty(fd: c_int) -> c_int {
        descriptors::touch(caller!(), fd);
        // SAFETY: the program's call, here and below.
        unsafe { real!(isatty)(fd) }
    }
    fn ioctl(fd: c_int, request: c_ulong, argument: *mut c_void) -> c_int {
        let caller = caller!();
        descriptors::touch(caller, fd);
        // The argument may be missing; it is in a register then as well, and nobody looks at it.
        let request_number = request & 0xffff_ffff;
        let deed = if multi_threaded() { deed(request_number) } else { Deed::Nothing };
        if let Deed::Reads(bytes) | Deed::Both(bytes) = deed {
            check(caller, &[reads(argument, bytes)]);
        }
        // SAFETY: as above.
        let result = unsafe { real!(ioctl)(fd, request, argument) };
        if request_number == OTHER_END {
            opened(caller, result);
        }
        if result >= 0 && let Deed::Writes(bytes) | Deed::Both(bytes) = deed {
            check(caller, &[writes(argument, bytes), list_of_interfaces(request_number, argument)]);
        }
        result
    }
    fn posix_openpt(flags: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        opened(caller, unsafe { real!(posix_openpt)(flags) })
    }
    fn getpt() -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        opened(caller, unsafe { real!(getpt)() })
    }
    fn openpty(main: *mut c_int, other: *mut c_int, name: *mut c_char, settings: *const libc::termios, size: *const libc::winsize) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(settings), reads_one(size)]);
        // SAFETY: as above; on success there are two descriptors, and a name if one is wanted.
        unsafe {
            let result = real!(openpty)(main, other, name, settings, size);
            if result == 0 {
                if multi_threaded() {
                    check(caller, &[writes_one(main), writes_one(other), writes(name, string(name))]);
                }
                descriptors::opened(caller, *main);
                descriptors::opened(caller, *other);
            }
            result
        }
    }
}

/// SIOCGIFCONF: a length and the list of that length.
fn list_of_interfaces(request: c_ulong, argument: *mut c_void) -> Range {
    if request != 0x8912 {
        return nothing();
    }
    let about = argument.cast::<libc::ifconf>();
    // SAFETY: the call has succeeded with it.
    unsafe { writes((*about).ifc_ifcu.ifcu_buf, (*about).ifc_len as usize) }
}

libc_table! {
    fn tcgetattr(fd: c_int, to: *mut libc::termios) -> c_int {
        after(result) if (result == 0) { writes_one(to) }
    }
    fn tcsetattr(fd: c_int, when: c_int, from: *const libc::termios) -> c_int {
        before { reads_one(from) }
    }
    // Flags, special characters and speeds, but not the line discipline.
    fn cfmakeraw(settings: *mut libc::termios) {
        before { writes(settings, 16), writes(settings.wrapping_byte_add(17 + libc::VMIN), 1), writes(settings.wrapping_byte_add(17 + libc::VTIME), 1) }
    }
    fn cfgetispeed(settings: *const libc::termios) -> c_uint {
        before { reads_one(settings) }
    }
    fn cfgetospeed(settings: *const libc::termios) -> c_uint {
        before { reads_one(settings) }
    }
    fn cfsetispeed(settings: *mut libc::termios, speed: c_uint) -> c_int {
        before { writes_one(settings) }
    }
    fn cfsetospeed(settings: *mut libc::termios, speed: c_uint) -> c_int {
        before { writes_one(settings) }
    }
    fn cfsetspeed(settings: *mut libc::termios, speed: c_uint) -> c_int {
        before { writes_one(settings) }
    }
    fn ttyname(fd: c_int) -> *mut c_char {
        after(name) { writes(name, string(name)) }
    }
    fn ttyname_r(fd: c_int, to: *mut c_char, room: usize) -> c_int {
        after(failure) if (failure == 0) { writes(to, string(to)) }
    }
    fn __ttyname_r_chk(fd: c_int, to: *mut c_char, room: usize, size: usize) -> c_int {
        after(failure) if (failure == 0) { writes(to, string(to)) }
    }
    fn ptsname(fd: c_int) -> *mut c_char {
        after(name) { writes(name, string(name)) }
    }
    fn ptsname_r(fd: c_int, to: *mut c_char, room: usize) -> c_int {
        after(failure) if (failure == 0) { writes(to, string(to)) }
    }
    fn __ptsname_r_chk(fd: c_int, to: *mut c_char, room: usize, size: usize) -> c_int {
        after(failure) if (failure == 0) { writes(to, string(to)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_old_and_new() {
        assert_eq!(deed(libc::FIONREAD), Deed::Writes(4));
        assert_eq!(deed(libc::TIOCGWINSZ), Deed::Writes(8));
        assert_eq!(deed(libc::TCGETS), Deed::Writes(36));
        assert_eq!(deed(0x8927), Deed::Both(40));
        // TIOCGPTN, _IOR('T', 0x30, unsigned)
        assert_eq!(deed(0x8004_5430), Deed::Writes(4));
        // TIOCSPTLCK, _IOW('T', 0x31, int)
        assert_eq!(deed(0x4004_5431), Deed::Reads(4));
        assert_eq!(deed(libc::TIOCEXCL), Deed::Nothing);
    }
}
