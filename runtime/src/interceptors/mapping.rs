//! Mappings: memory that comes from and goes back to the kernel without malloc.
//!
//! A new mapping is fresh. Unmapping is a write to every byte, told before it happens: afterwards the addresses may be
//! another thread's. Ranges are whole pages, as the kernel sees them.

use core::ffi::{c_int, c_uint, c_void};

use crate::aliases::{self, Source, Unmapping};
use crate::caller::Caller;
use crate::pipeline::enter;
use crate::shadow::program_ranges;
use crate::state::{is_up, runtime};
use crate::sys::lock::Lock;
use crate::{caller, interceptors, real, sys};

const PAGE: usize = 4096;

/// In place of a device: shared segments, by their ids.
const SEGMENTS: u64 = u64::MAX;

fn whole_pages(bytes: usize) -> usize {
    bytes.checked_next_multiple_of(PAGE).unwrap_or(0)
}

fn failed(address: *const c_void) -> bool {
    address == libc::MAP_FAILED
}

/// A fixed mapping over the runtime's own memory would end the run in a way that nobody understands.
fn refuse_reserved(address: *const c_void, bytes: usize) -> bool {
    let refused = is_up()
        && runtime()
            .shadow
            .is_reserved(address as u64, whole_pages(bytes) as u64);
    if refused {
        let message = format!(
            "Goldilocks: the program asks for a mapping of {bytes} bytes at the fixed address {address:p}, where the \
             detector keeps its shadow memory; refused with ENOMEM\n"
        );
        let _ = crate::sys::write(2, message.as_bytes());
        // SAFETY: the location of this thread's errno.
        unsafe { *libc::__errno_location() = libc::ENOMEM };
    }
    refused
}

fn now_fresh(caller: Caller, address: *const c_void, bytes: usize) {
    if let Some(mut scope) = enter(caller) {
        scope.mapped(address, whole_pages(bytes));
    }
}

/// After a shared mapping of a file: it may be the second one of the same pages.
fn now_shared(caller: Caller, address: *const c_void, bytes: usize, source: Source, offset: u64) {
    if let Some(mut scope) = enter(caller) {
        aliases::mapped(
            &mut scope,
            address as u64,
            whole_pages(bytes) as u64,
            source,
            offset,
        );
    }
}

/// Unmaps by `real`. Memory that is also mapped elsewhere is not freed by that, and if its history is here, the addresses stay
/// reserved.
fn unmap(
    caller: Caller,
    address: *const c_void,
    bytes: usize,
    real: impl FnOnce() -> c_int,
) -> c_int {
    let (start, length) = (address as u64, whole_pages(bytes) as u64);
    let how = enter(caller).map_or(Unmapping::Plain, |mut scope| {
        aliases::unmapping(&mut scope, start, length)
    });
    if how == Unmapping::Plain {
        about_to_go(caller, address, bytes);
    }
    let reserves = how == Unmapping::OfHome && (address as usize).is_multiple_of(PAGE);
    let result = if reserves && aliases::reserve(start, length) {
        0
    } else {
        real()
    };
    if result == 0
        && let Some(mut scope) = enter(caller)
    {
        aliases::unmapped(&mut scope, start, length, reserves);
    }
    result
}

fn about_to_go(caller: Caller, address: *const c_void, bytes: usize) {
    // The kernel refuses other addresses, and then nothing is unmapped.
    if (address as usize).is_multiple_of(PAGE)
        && let Some(mut scope) = enter(caller)
    {
        scope.unmapped(address, whole_pages(bytes));
    }
}

/// Whether it is `/dev/zero`, of which each mapping is memory of its own.
fn is_zeroes(about: &libc::stat) -> bool {
    about.st_mode & libc::S_IFMT == libc::S_IFCHR && about.st_rdev == libc::makedev(1, 5)
}

/// A mapping by `real`, the real mmap or mmap64.
fn map(
    caller: Caller,
    address: *mut c_void,
    bytes: usize,
    flags: c_int,
    (fd, offset): (c_int, i64),
    real: impl FnOnce() -> *mut c_void,
) -> *mut c_void {
    if flags & libc::MAP_FIXED != 0 && refuse_reserved(address, bytes) {
        return libc::MAP_FAILED;
    }
    let mapped = real();
    if failed(mapped) {
        return mapped;
    }
    if flags & libc::MAP_FIXED != 0
        && let Some(mut scope) = enter(caller)
    {
        aliases::unmapped(&mut scope, mapped as u64, whole_pages(bytes) as u64, false);
    }
    now_fresh(caller, mapped, bytes);
    if flags & libc::MAP_SHARED != 0
        && flags & libc::MAP_ANONYMOUS == 0
        && let Ok(about) = sys::fstat(fd)
        && !is_zeroes(&about)
    {
        now_shared(
            caller,
            mapped,
            bytes,
            (about.st_dev, about.st_ino),
            offset as u64,
        );
    }
    mapped
}

/// Resizes or moves a mapping by `real`, the real mremap with these flags.
///
/// What it leaves is unmapped, told before it happens. So a mapping that may move is first tried where it is. The contents' history does not
/// move along, which can only hide a race, never invent one.
fn remap(
    caller: Caller,
    old: *mut c_void,
    (old_bytes, new_bytes): (usize, usize),
    flags: c_int,
    wanted: *mut c_void,
    real: impl Fn(c_int) -> *mut c_void,
) -> *mut c_void {
    let (given_up, wished) = (whole_pages(old_bytes), whole_pages(new_bytes));
    let kept = wished.min(given_up);
    let moves = flags & (libc::MREMAP_FIXED | libc::MREMAP_DONTUNMAP) != 0;
    if !moves {
        if kept < given_up {
            about_to_go(caller, old.wrapping_byte_add(kept), given_up - kept);
        }
        // SAFETY: the location of this thread's errno, here and below.
        let before = unsafe { *libc::__errno_location() };
        let new = real(flags & !libc::MREMAP_MAYMOVE);
        if !failed(new) {
            now_fresh(caller, old.wrapping_byte_add(kept), wished - kept);
            return new;
        }
        if flags & libc::MREMAP_MAYMOVE == 0 {
            return new;
        }
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = before };
    }
    // Memory that is also mapped elsewhere stays.
    let is_plain = |address: *mut c_void, bytes: usize| {
        enter(caller)
            .is_some_and(|mut scope| !aliases::is_shared(&mut scope, address as u64, bytes as u64))
    };
    let leaves = is_plain(old, given_up);
    if leaves {
        about_to_go(caller, old, given_up);
    }
    let replaces = flags & libc::MREMAP_FIXED != 0 && is_plain(wanted, wished);
    if replaces {
        about_to_go(caller, wanted, wished);
    }
    let new = real(flags);
    if failed(new) {
        if leaves {
            now_fresh(caller, old, given_up);
        }
        if replaces {
            now_fresh(caller, wanted, wished);
        }
        return new;
    }
    now_fresh(caller, new, new_bytes);
    // It may have found room where it is after all. With MREMAP_DONTUNMAP the old range stays, but empty.
    if new == old || flags & libc::MREMAP_DONTUNMAP != 0 || !leaves {
        now_fresh(caller, old, kept);
    }
    new
}

/// Locks what the program has mapped.
fn lock_present(on_fault: bool) -> sys::Result<()> {
    let shadow = &runtime().shadow;
    let mut ranges = program_ranges();
    ranges.retain(|&(start, end)| !shadow.is_reserved(start, end - start));
    let lock = |start: u64, end: u64, flags: c_uint| {
        // SAFETY: changes nothing but where the pages are.
        unsafe {
            sys::call(
                libc::SYS_mlock2,
                [
                    start as usize,
                    (end - start) as usize,
                    flags as usize,
                    0,
                    0,
                    0,
                ],
            )
        }
    };
    for &(start, end) in &ranges {
        lock(start, end, libc::MLOCK_ONFAULT)?;
    }
    if !on_fault {
        // What cannot be brought in, because there is no access to it, mlockall leaves out as well.
        for &(start, end) in &ranges {
            let _ = lock(start, end, 0);
        }
    }
    Ok(())
}

/// Attached shared memory segments: `shmdt` is not told the size. (address, bytes)
static ATTACHED: Lock<Vec<(usize, usize)>> = Lock::new(Vec::new());

interceptors! {
    fn mmap(address: *mut c_void, bytes: usize, protection: c_int, flags: c_int, fd: c_int, offset: i64) -> *mut c_void {
        // SAFETY: the program's call.
        map(caller!(), address, bytes, flags, (fd, offset), || unsafe { real!(mmap)(address, bytes, protection, flags, fd, offset) })
    }

    fn mmap64(address: *mut c_void, bytes: usize, protection: c_int, flags: c_int, fd: c_int, offset: i64) -> *mut c_void {
        // SAFETY: the program's call.
        map(caller!(), address, bytes, flags, (fd, offset), || unsafe { real!(mmap64)(address, bytes, protection, flags, fd, offset) })
    }

    fn munmap(address: *mut c_void, bytes: usize) -> c_int {
        // SAFETY: the program's call.
        unmap(caller!(), address, bytes, || unsafe { real!(munmap)(address, bytes) })
    }

    fn mremap(old: *mut c_void, old_bytes: usize, new_bytes: usize, flags: c_int, wanted: *mut c_void) -> *mut c_void {
        let caller = caller!();
        if flags & libc::MREMAP_FIXED != 0 && refuse_reserved(wanted, new_bytes) {
            return libc::MAP_FAILED;
        }
        // SAFETY: the program's call, but for the flags; it may have passed four arguments, then the fifth is not looked at.
        remap(caller, old, (old_bytes, new_bytes), flags, wanted, |flags| unsafe {
            real!(mremap)(old, old_bytes, new_bytes, flags, wanted)
        })
    }

    // Dropped pages are zero when they are next touched. Allocators hand memory back and on in this way, ordered by means of their own, which are not seen where
    // they are not instrumented: so who has used the pages before is not asked.
    fn madvise(address: *mut c_void, bytes: usize, advice: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call.
        let result = unsafe { real!(madvise)(address, bytes, advice) };
        if result == 0 && matches!(advice, libc::MADV_DONTNEED | libc::MADV_FREE | libc::MADV_REMOVE)
            && let Some(mut scope) = enter(caller) {
                scope.dropped(address, whole_pages(bytes));
            }
        result
    }

    // All that is mapped would be the shadow, too, of which the most is never there.
    fn mlockall(flags: c_int) -> c_int {
        let caller = caller!();
        const KNOWN: c_int = libc::MCL_CURRENT | libc::MCL_FUTURE | libc::MCL_ONFAULT;
        let mut rest = flags;
        if flags & libc::MCL_CURRENT != 0
            && flags & !KNOWN == 0
            && let Some(scope) = enter(caller)
        {
            let locked = lock_present(flags & libc::MCL_ONFAULT != 0);
            drop(scope);
            if let Err(sys::Errno(error)) = locked {
                // SAFETY: the location of this thread's errno.
                unsafe { *libc::__errno_location() = error };
                return -1;
            }
            if flags & libc::MCL_FUTURE == 0 {
                return 0;
            }
            rest &= !libc::MCL_CURRENT;
        }
        // SAFETY: the program's call, or what is left of it.
        unsafe { real!(mlockall)(rest) }
    }

    fn brk(end: *mut c_void) -> c_int {
        let caller = caller!();
        // SAFETY: asks for the present end.
        let before = unsafe { real!(sbrk)(0) } as usize;
        if (end as usize) < before && let Some(mut scope) = enter(caller) {
            scope.freed(end, before - end as usize);
        }
        // SAFETY: the program's call.
        let result = unsafe { real!(brk)(end) };
        if result == 0 && end as usize > before && let Some(mut scope) = enter(caller) {
            scope.fresh(before as *const c_void, end as usize - before);
        }
        result
    }

    fn sbrk(increment: isize) -> *mut c_void {
        let caller = caller!();
        if increment < 0 && let Some(mut scope) = enter(caller) {
            // SAFETY: asks for the present end.
            let end = unsafe { real!(sbrk)(0) };
            scope.freed(end.wrapping_byte_offset(increment), increment.unsigned_abs());
        }
        // SAFETY: the program's call.
        let before = unsafe { real!(sbrk)(increment) };
        if increment > 0 && !failed(before) && let Some(mut scope) = enter(caller) {
            scope.fresh(before, increment as usize);
        }
        before
    }

    fn shmat(segment: c_int, address: *const c_void, flags: c_int) -> *mut c_void {
        let caller = caller!();
        // SAFETY: the program's call.
        let attached = unsafe { real!(shmat)(segment, address, flags) };
        if !failed(attached) && let Some(mut scope) = enter(caller) {
            // SAFETY: shmctl fills the structure; it fails only if the segment went away meanwhile.
            let bytes = unsafe {
                let mut about: libc::shmid_ds = core::mem::zeroed();
                if libc::shmctl(segment, libc::IPC_STAT, &mut about) == 0 { about.shm_segsz } else { 0 }
            };
            scope.fresh(attached, whole_pages(bytes));
            if let Some(mut all) = ATTACHED.lock() {
                all.push((attached as usize, whole_pages(bytes)));
            }
            drop(scope);
            now_shared(caller, attached, bytes, (SEGMENTS, segment as u64), 0);
        }
        attached
    }

    fn shmdt(address: *const c_void) -> c_int {
        let caller = caller!();
        let bytes = enter(caller).and_then(|_scope| {
            let mut all = ATTACHED.lock()?;
            let at = all.iter().position(|&(start, _)| start == address as usize)?;
            Some(all.swap_remove(at).1)
        });
        if let Some(bytes) = bytes {
            // SAFETY: the program's call. Where the addresses have to stay, this detaches the segment as well.
            return unmap(caller, address, bytes, || unsafe { real!(shmdt)(address) });
        }
        // SAFETY: the program's call.
        unsafe { real!(shmdt)(address) }
    }
}
