//! Whether what a system call is given by address is there. The kernel answers a bad pointer with `EFAULT`; who looks at what it points to
//! before the call must not fault in the kernel's place.

use core::ffi::c_char;

use crate::sys;

/// What the kernel checks at once: no page is smaller.
const PAGE: usize = 4096;

/// Whether `count` objects at `at` can be read. Another thread may change that at any time.
#[inline]
pub fn is_there<T>(at: *const T, count: usize) -> bool {
    let Some(bytes) = size_of::<T>().checked_mul(count).filter(|&bytes| bytes > 0) else {
        return count == 0;
    };
    let here = 0u8;
    let frame = &raw const here as usize;
    let (first, Some(last)) = (at as usize, (at as usize).checked_add(bytes - 1)) else {
        return false;
    };
    // Mostly it is in a function that called us, on the page where the stack is now.
    if first >= frame && last / PAGE == frame / PAGE {
        return true;
    }
    (first / PAGE..=last / PAGE).all(|page| sys::is_readable((page * PAGE).max(first)))
}

/// Bytes of a name of a file with its zero; 0 for null, and if it is not there to its end.
pub fn file_name(text: *const c_char) -> usize {
    let mut bytes = 0;
    loop {
        let part = text.wrapping_add(bytes);
        if part.is_null() || !is_there(part, 1) {
            return 0;
        }
        let room = PAGE - part as usize % PAGE;
        // SAFETY: the page can be read. Another thread may change it, so each byte is looked at once.
        let byte = |index: usize| unsafe { part.add(index).read_volatile() };
        match (0..room).find(|&index| byte(index) == 0) {
            Some(zero) => return bytes + zero + 1,
            None => bytes += room,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_page_the_kernel_says_whether_it_is_there() {
        // SAFETY: new pages, of which the second is taken away and nobody else uses either.
        let start = unsafe {
            let start = libc::mmap(
                core::ptr::null_mut(),
                2 * PAGE,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            assert_ne!(start, libc::MAP_FAILED);
            let second = start.wrapping_byte_add(PAGE);
            assert_eq!(libc::mprotect(second, PAGE, libc::PROT_NONE), 0);
            start
        };
        let at = |offset: usize| start.wrapping_byte_add(offset).cast::<u64>();
        // SAFETY: nobody else uses the pages.
        unsafe { at(PAGE - 8).write(u64::from_le_bytes(*b"/a/name\0")) };
        assert_eq!(file_name(at(PAGE - 8).cast()), 8);
        // SAFETY: as above.
        unsafe { at(PAGE - 8).write(u64::from_le_bytes(*b"/endless")) };
        assert_eq!(file_name(at(PAGE - 8).cast()), 0);
        assert_eq!(file_name(at(PAGE).cast()), 0);
        assert_eq!(file_name(core::ptr::null()), 0);
        let mut long = [b'x' as c_char; 2 * PAGE];
        long[2 * PAGE - 1] = 0;
        assert_eq!(file_name(long.as_ptr()), 2 * PAGE);
        assert!(is_there(at(0), PAGE / 8));
        assert!(is_there(at(PAGE - 8), 1));
        assert!(is_there(at(PAGE), 0));
        assert!(!is_there(at(PAGE - 4), 1));
        assert!(!is_there(at(0), PAGE / 8 + 1));
        assert!(!is_there(at(PAGE), 1));
        for bad in [
            0usize,
            1,
            7,
            8,
            4095,
            1 << 47,
            1 << 63,
            usize::MAX - 7,
            usize::MAX,
        ] {
            assert!(!is_there(bad as *const u64, 1), "{bad:#x}");
        }
        assert!(!is_there(at(0), usize::MAX / 8));
        assert!(!is_there(at(0), usize::MAX));
        let on_the_stack = [0u64; 4];
        assert!(is_there(on_the_stack.as_ptr(), 4));
        static ELSEWHERE: [u64; 4] = [0; 4];
        assert!(is_there(ELSEWHERE.as_ptr(), 4));
        // SAFETY: as above.
        assert_eq!(unsafe { libc::munmap(start, 2 * PAGE) }, 0);
    }
}
