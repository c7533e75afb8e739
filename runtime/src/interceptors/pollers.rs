//! Waiting for descriptors: poll, select and epoll. Whoever is told that a descriptor is ready comes after what made it so.

use core::ffi::{c_int, c_uint};
use std::collections::{BTreeMap, BTreeSet};

use super::descriptors;
use super::given::is_there;
use super::libc_table::{check, reads, reads_one, writes};
use crate::caller::Caller;
use crate::pipeline::enter;
use crate::state::multi_threaded;
use crate::sys::lock::Lock;
use crate::{caller, interceptors, real};

type Polls = *mut libc::pollfd;
type Set = *mut libc::fd_set;
type Event = libc::epoll_event;

/// `poll` by `call`: reads descriptor and wish of every entry, writes the answer of each.
///
/// # Safety
/// `polls` points to `count` entries.
unsafe fn poll_by(caller: Caller, polls: Polls, count: u64, call: impl FnOnce() -> c_int) -> c_int {
    const ASKED: usize = core::mem::offset_of!(libc::pollfd, revents);
    if !multi_threaded() {
        return call();
    }
    // SAFETY: the caller's contract; a size that no process has is left to the kernel to refuse.
    unsafe {
        let count = if count <= 1 << 20 { count as usize } else { 0 };
        (0..count).for_each(|at| check(caller, &[reads(polls.add(at), ASKED)]));
        let ready = call();
        if ready >= 0 {
            for at in 0..count {
                let poll = polls.add(at);
                check(caller, &[writes(&raw const (*poll).revents, 2)]);
                if (*poll).revents != 0 {
                    descriptors::ready(caller, (*poll).fd);
                }
            }
        }
        ready
    }
}

/// `select` by `call`.
///
/// # Safety
/// The sets are null or as large as `limit` says.
unsafe fn select_by(
    caller: Caller,
    limit: c_int,
    sets: [Set; 3],
    call: impl FnOnce() -> c_int,
) -> c_int {
    if !multi_threaded() {
        return call();
    }
    let words = (limit.max(0) as usize).div_ceil(64);
    let [input, output, exceptions] = sets;
    check(caller, &sets.map(|set| reads(set, words * 8)));
    let ready = call();
    if ready >= 0 {
        check(caller, &sets.map(|set| writes(set, words * 8)));
    }
    if ready > 0 {
        for set in [input, output, exceptions] {
            for word in 0..if set.is_null() { 0 } else { words } {
                // SAFETY: the caller's contract.
                let bits = unsafe { *set.cast::<u64>().add(word) };
                (0..64)
                    .filter(|bit| bits >> bit & 1 != 0)
                    .for_each(|bit| descriptors::ready(caller, (word * 64 + bit) as c_int));
            }
        }
    }
    ready
}

/// What the program has put into its epoll descriptors.
struct Watched {
    /// (epoll, watched descriptor) -> the program's word for it.
    words: BTreeMap<(c_int, c_int), u64>,
    /// (epoll, the program's word, watched descriptor): several may share a word.
    descriptors: BTreeSet<(c_int, u64, c_int)>,
}

static WATCHED: Lock<Watched> = Lock::new(Watched {
    words: BTreeMap::new(),
    descriptors: BTreeSet::new(),
});

impl Watched {
    fn remove(&mut self, epoll: c_int, fd: c_int) {
        if let Some(word) = self.words.remove(&(epoll, fd)) {
            self.descriptors.remove(&(epoll, word, fd));
        }
    }
    fn add(&mut self, epoll: c_int, fd: c_int, word: u64) {
        self.remove(epoll, fd);
        self.words.insert((epoll, fd), word);
        self.descriptors.insert((epoll, word, fd));
    }
    fn with_word(&self, epoll: c_int, word: u64) -> impl Iterator<Item = c_int> + '_ {
        self.descriptors
            .range((epoll, word, c_int::MIN)..=(epoll, word, c_int::MAX))
            .map(|&(.., fd)| fd)
    }
}

/// After a wait of epoll returned `count` events.
///
/// # Safety
/// `events` holds them.
unsafe fn woken(caller: Caller, epoll: c_int, events: *const Event, count: c_int) {
    if count <= 0 || !multi_threaded() {
        return;
    }
    check(
        caller,
        &[writes(events, count as usize * size_of::<Event>())],
    );
    // What was done before the descriptor was added.
    descriptors::acquire(caller, epoll);
    for at in 0..count as usize {
        // SAFETY: the caller's contract; the structure is packed.
        let word = unsafe { (&raw const (*events.add(at)).u64).read_unaligned() };
        let mut last = c_int::MIN;
        // One at a time: nothing is held while the engine is told.
        while let Some(fd) = next_with_word(caller, epoll, word, last) {
            descriptors::ready(caller, fd);
            last = fd;
        }
    }
}

/// The first descriptor above `last` that is watched under this word.
fn next_with_word(caller: Caller, epoll: c_int, word: u64, last: c_int) -> Option<c_int> {
    let _scope = enter(caller)?;
    let watched = WATCHED.lock()?;
    watched.with_word(epoll, word).find(|&fd| fd > last)
}

interceptors! {
    fn poll(polls: Polls, count: u64, timeout: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: the program's call, here and below.
        unsafe { poll_by(caller, polls, count, || real!(poll)(polls, count, timeout)) }
    }
    fn ppoll(polls: Polls, count: u64, timeout: *const libc::timespec, mask: *const libc::sigset_t) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(timeout), reads_one(mask)]);
        // SAFETY: as above.
        unsafe { poll_by(caller, polls, count, || real!(ppoll)(polls, count, timeout, mask)) }
    }
    fn __poll_chk(polls: Polls, count: u64, timeout: c_int, size: usize) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe { poll_by(caller, polls, count, || real!(__poll_chk)(polls, count, timeout, size)) }
    }
    fn __ppoll_chk(
        polls: Polls,
        count: u64,
        timeout: *const libc::timespec,
        mask: *const libc::sigset_t,
        size: usize,
    ) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(timeout), reads_one(mask)]);
        // SAFETY: as above.
        unsafe { poll_by(caller, polls, count, || real!(__ppoll_chk)(polls, count, timeout, mask, size)) }
    }
    fn select(limit: c_int, input: Set, output: Set, exceptions: Set, timeout: *mut libc::timeval) -> c_int {
        let caller = caller!();
        // Linux writes the time that is left.
        check(caller, &[writes(timeout, size_of::<libc::timeval>())]);
        // SAFETY: as above.
        unsafe {
            let call = || real!(select)(limit, input, output, exceptions, timeout);
            select_by(caller, limit, [input, output, exceptions], call)
        }
    }
    fn pselect(
        limit: c_int,
        input: Set,
        output: Set,
        exceptions: Set,
        timeout: *const libc::timespec,
        mask: *const libc::sigset_t,
    ) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(timeout), reads_one(mask)]);
        // SAFETY: as above.
        unsafe {
            let call = || real!(pselect)(limit, input, output, exceptions, timeout, mask);
            select_by(caller, limit, [input, output, exceptions], call)
        }
    }

    fn epoll_create(size: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        created(caller, unsafe { real!(epoll_create)(size) })
    }
    fn epoll_create1(flags: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        created(caller, unsafe { real!(epoll_create1)(flags) })
    }
    fn epoll_ctl(epoll: c_int, operation: c_int, fd: c_int, event: *mut Event) -> c_int {
        let caller = caller!();
        if operation != libc::EPOLL_CTL_DEL {
            check(caller, &[reads(event, size_of::<Event>())]);
            if is_there(event, 1)
                && let Some(_scope) = enter(caller)
                && let Some(mut watched) = WATCHED.lock()
            {
                // SAFETY: it is there; the structure is packed.
                watched.add(epoll, fd, unsafe { (&raw const (*event).u64).read_unaligned() });
            }
        }
        // SAFETY: as above.
        descriptors::output(caller, epoll, || unsafe { real!(epoll_ctl)(epoll, operation, fd, event) })
    }
    fn epoll_wait(epoll: c_int, events: *mut Event, room: c_int, timeout: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        unsafe {
            let count = real!(epoll_wait)(epoll, events, room, timeout);
            woken(caller, epoll, events, count);
            count
        }
    }
    fn epoll_pwait(epoll: c_int, events: *mut Event, room: c_int, timeout: c_int, mask: *const libc::sigset_t) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(mask)]);
        // SAFETY: as above.
        unsafe {
            let count = real!(epoll_pwait)(epoll, events, room, timeout, mask);
            woken(caller, epoll, events, count);
            count
        }
    }
    fn epoll_pwait2(
        epoll: c_int,
        events: *mut Event,
        room: c_int,
        timeout: *const libc::timespec,
        mask: *const libc::sigset_t,
    ) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(timeout), reads_one(mask)]);
        // SAFETY: as above.
        unsafe {
            let count = real!(epoll_pwait2)(epoll, events, room, timeout, mask);
            woken(caller, epoll, events, count);
            count
        }
    }
    fn signalfd(fd: c_int, mask: *const libc::sigset_t, flags: c_int) -> c_int {
        let caller = caller!();
        check(caller, &[reads_one(mask)]);
        // SAFETY: as above.
        let new = unsafe { real!(signalfd)(fd, mask, flags) };
        if new >= 0 {
            // SAFETY: the program's set; the kernel's part of it comes first.
            descriptors::takes_signals(caller, new, unsafe { *mask.cast::<u64>() });
        }
        new
    }
    fn inotify_init() -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        created(caller, unsafe { real!(inotify_init)() })
    }
    fn fanotify_init(flags: c_uint, how: c_uint) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        created(caller, unsafe { real!(fanotify_init)(flags, how) })
    }
    fn inotify_init1(flags: c_int) -> c_int {
        let caller = caller!();
        // SAFETY: as above.
        created(caller, unsafe { real!(inotify_init1)(flags) })
    }
}

/// After a call that made a descriptor; what was watched under its number before is past.
fn created(caller: Caller, fd: c_int) -> c_int {
    if fd >= 0 {
        descriptors::opened(caller, fd);
        if let Some(_scope) = enter(caller)
            && let Some(mut watched) = WATCHED.lock()
        {
            let old: Vec<c_int> = watched
                .words
                .range((fd, c_int::MIN)..=(fd, c_int::MAX))
                .map(|(&(_, of), _)| of)
                .collect();
            old.into_iter().for_each(|of| watched.remove(fd, of));
        }
    }
    fd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_descriptors_may_share_a_word() {
        let mut watched = Watched {
            words: BTreeMap::new(),
            descriptors: BTreeSet::new(),
        };
        watched.add(3, 10, 7);
        watched.add(3, 11, 7);
        watched.add(3, 12, 8);
        watched.add(4, 13, 7);
        assert_eq!(watched.with_word(3, 7).collect::<Vec<_>>(), [10, 11]);
        watched.add(3, 10, 8);
        assert_eq!(watched.with_word(3, 7).collect::<Vec<_>>(), [11]);
        assert_eq!(watched.with_word(3, 8).collect::<Vec<_>>(), [10, 12]);
        watched.remove(3, 12);
        assert_eq!(watched.with_word(3, 8).collect::<Vec<_>>(), [10]);
    }
}
