//! Pseudoterminals: the number that both ends have in common.

use core::ffi::c_int;

use crate::sys::{call, syscall};

/// Majors of the ends that programs use as a terminal; each has 256 of them.
const OTHER_ENDS: core::ops::RangeInclusive<u32> = 136..=143;

/// One end of a pseudoterminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    pub number: u64,
    /// The end that plays the screen and the keyboard.
    pub main: bool,
}

/// Which end is behind a character device, if it is one.
pub fn end(fd: c_int, about: &libc::stat) -> Option<End> {
    let (major, minor) = (libc::major(about.st_rdev), libc::minor(about.st_rdev));
    if OTHER_ENDS.contains(&major) {
        let number = u64::from(major - OTHER_ENDS.start()) << 8 | u64::from(minor);
        return Some(End {
            number,
            main: false,
        });
    }
    // /dev/ptmx, or its like of a container.
    if (major, minor) != (5, 2) {
        return None;
    }
    let mut number: u32 = 0;
    // SAFETY: the request writes one int.
    unsafe { syscall!(SYS_ioctl, fd, libc::TIOCGPTN, &raw mut number) }.ok()?;
    Some(End {
        number: number.into(),
        main: true,
    })
}
