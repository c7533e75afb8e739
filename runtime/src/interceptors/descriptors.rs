//! File descriptors: which sync object stands behind each, and the order that they make.
//!
//! What is written to a pipe, socket, eventfd or file happens before what the one who reads it does next. The object is the
//! thing that carries the data, whatever descriptors lead to it:
//!
//! | behind the descriptor | object |
//! |---|---|
//! | pipe, FIFO, file | device and inode |
//! | pair of sockets | one for both, made by `socketpair`; one way and the other |
//! | connected internet socket | both ports; one way and the other |
//! | listening internet socket | its own port |
//! | datagram internet socket | where it goes: the port that receives |
//! | named Unix socket, either end | the name; one way and the other |
//! | eventfd, timerfd, epoll | one per descriptor and its duplicates |
//! | signalfd | the signals that are read |
//! | pseudoterminal | its number; one way and the other, and what is typed comes back as an echo |
//! | other terminal, device, directory | none: nobody reads what was written |
//!
//! The end of the data is an object beside the data: who closes a descriptor, or shuts a socket down, happens before whoever
//! finds that nothing more comes, and not before who reads what was written earlier.
//!
//! Coarser than the kernel's truth (all readers of a pipe are ordered after all writers so far), so an order may be seen
//! where a finer look has none.
//!
//! The number itself is also a variable of the program: use reads it and close writes it, because a descriptor that is closed
//! while another thread uses it may mean another file by then. Every number has an [`ENTRY`](ENTRIES) whose address
//! stands for it; the entry holds the object.

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::BTreeMap;

use goldilocks_core::event::{Effect, Entity, Role};

use super::signal_targets::{Origin, taken};
use crate::caller::Caller;
use crate::pipeline::{Scope, enter};
use crate::state::multi_threaded;
use crate::sys;
use crate::sys::lock::Lock;

mod address;
mod passing;
mod terminal;

pub use passing::pass;

/// Numbers from 0 up to here are looked after.
const LIMIT: usize = 1 << 16;

/// What is known of each number: 0 nothing, [`OPENED`], [`CARRIES_NOTHING`], or the object's name (with
/// [`ENDS_WITH_LAST`]).
static ENTRIES: [AtomicU64; LIMIT] = [const { AtomicU64::new(0) }; LIMIT];

/// The largest number that is looked after.
pub const LAST: u32 = LIMIT as u32 - 1;

const CARRIES_NOTHING: u64 = 1;
/// The number came from a call that we saw; what is behind it was not looked at yet.
const OPENED: u64 = 2;
/// The object ceases to exist with the last descriptor that leads to it. Only where we see every descriptor come: a file
/// can be opened again, and data can wait in a connection before its other end is known.
const ENDS_WITH_LAST: u64 = 1 << 55;
/// Data goes both ways, and each way is an object of its own.
const TWO_WAY: u64 = 1 << 54;
/// With [`TWO_WAY`]: the second end. What goes out of one end comes in at the other.
const SECOND: u64 = 1 << 53;
/// A datagram socket: the object is where its input comes from, output goes to the peer's.
const DATAGRAM: u64 = 1 << 52;
/// A signalfd; which signals it takes is in [`SIGNALS`].
const OF_SIGNALS: u64 = 1 << 51;
/// A pseudoterminal: what goes out of its second end also comes in there.
const ECHOES: u64 = 1 << 50;
const NAME: u64 = ECHOES - 1;
/// Identifies pseudoterminals, in place of a device.
const TERMINALS: u64 = u64::MAX - 1;
/// In an entity: the end of what goes this way, not the data.
const END_OF_DATA: u64 = 1 << 52;

/// The signals that each signalfd takes (bit 0: signal 1), by object.
static SIGNALS: Lock<BTreeMap<u64, u64>> = Lock::new(BTreeMap::new());

/// Descriptors that lead to each object that ends with the last of them.
static LEADING: Lock<BTreeMap<u64, u32>> = Lock::new(BTreeMap::new());

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A name that no other object has.
fn new_name() -> u64 {
    // Relaxed: only has to be unique.
    name(&[u64::MAX, NEXT.fetch_add(1, Ordering::Relaxed)]) | ENDS_WITH_LAST
}

/// A name from what identifies an object. Two objects with one name would only be taken for one.
fn name(parts: &[u64]) -> u64 {
    let mix = |hash: u64, part: &u64| {
        (hash ^ part)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    };
    let hash = parts.iter().fold(0x2545_f491_4f6c_dd1d, mix);
    (hash ^ hash >> 32) & NAME | 4
}

fn entity(entry: u64) -> Entity {
    Entity::object(entry & NAME, Role::File)
}

/// What comes in, or goes out.
fn way(entry: u64, out: bool) -> Entity {
    Entity::object(one_way(entry, out), Role::File)
}

/// That nothing more comes in, or goes out.
fn end(entry: u64, out: bool) -> Entity {
    Entity::object(one_way(entry, out) | END_OF_DATA, Role::File)
}

fn one_way(entry: u64, out: bool) -> u64 {
    let second = entry & TWO_WAY != 0 && (entry & SECOND != 0) == out;
    entry & NAME | if second { SECOND } else { 0 }
}

/// The lowest number that leads to an object now; `None` if all are closed.
pub fn leading_to(object: u64) -> Option<usize> {
    // Relaxed: for a report, which comes some time after what it tells of.
    ENTRIES.iter().position(|entry| {
        let entry = entry.load(Ordering::Relaxed);
        entry & NAME != 0 && entry & NAME == object & NAME
    })
}

fn entry(fd: c_int) -> Option<&'static AtomicU64> {
    usize::try_from(fd).ok().and_then(|fd| ENTRIES.get(fd))
}

/// The number whose entry is at `addr`, for reports.
pub fn number_at(addr: usize) -> Option<c_int> {
    let offset = addr.checked_sub(ENTRIES.as_ptr() as usize)?;
    (offset < size_of_val(&ENTRIES)).then_some((offset / 8) as c_int)
}

/// Looks at what is behind a number that nothing is known of.
fn look(fd: c_int) -> u64 {
    let Ok(about) = sys::fstat(fd) else { return 0 };
    match about.st_mode & libc::S_IFMT {
        libc::S_IFIFO | libc::S_IFREG => name(&[about.st_dev, about.st_ino]),
        libc::S_IFSOCK => {
            let itself = name(&[about.st_dev, about.st_ino]);
            match address::of_datagrams(fd) {
                Some(Some(own)) => own | DATAGRAM,
                Some(None) if address::peer(fd).is_some() => itself | DATAGRAM,
                // A port may come with the first output: until then, it is looked at every time.
                Some(None) => OPENED,
                None => address::object(fd).unwrap_or(itself),
            }
        }
        libc::S_IFCHR => terminal::end(fd, &about).map_or(CARRIES_NOTHING, |end| {
            let which = if end.main { SECOND } else { 0 };
            name(&[TERMINALS, end.number]) | TWO_WAY | ECHOES | which
        }),
        libc::S_IFBLK | libc::S_IFDIR => CARRIES_NOTHING,
        // eventfd and its like share one inode.
        _ => new_name(),
    }
}

/// What the number stands for; looks if that is not known. 0 if it is not open.
fn known(scope: &mut Scope, fd: c_int) -> u64 {
    let Some(entry) = entry(fd) else { return 0 };
    // Relaxed: whoever uses a number before it was told of it has a race, which the entry's own shadow finds.
    let present = entry.load(Ordering::Relaxed);
    if present != 0 && present != OPENED {
        return present;
    }
    let found = look(fd);
    if found == 0 || found == present {
        return found;
    }
    if present == 0 {
        // It was opened unseen (by libc itself), so what its number was before does not count.
        scope.fresh(entry.as_ptr().cast(), 8);
    }
    match entry.compare_exchange(present, found, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => {
            lead(found);
            found
        }
        Err(other) => other,
    }
}

fn lead(object: u64) {
    if object & ENDS_WITH_LAST != 0
        && let Some(mut leading) = LEADING.lock()
    {
        *leading.entry(object & !SECOND).or_insert(0) += 1;
    }
}

/// One descriptor fewer leads to the object: the last one ends it.
fn lead_no_more(scope: &mut Scope, object: u64) {
    if object & ENDS_WITH_LAST == 0 {
        return;
    }
    let Some(mut leading) = LEADING.lock() else {
        return;
    };
    let object = object & !SECOND;
    if let Some(count) = leading.get_mut(&object) {
        *count -= 1;
        if *count == 0 {
            leading.remove(&object);
            drop(leading);
            let ways: &[bool] = if object & TWO_WAY != 0 {
                &[false, true]
            } else {
                &[false]
            };
            for &out in ways {
                scope.forget(way(object, out));
                scope.forget(end(object, out));
            }
            if object & OF_SIGNALS != 0
                && let Some(mut signals) = SIGNALS.lock()
            {
                signals.remove(&object);
            }
        }
    }
}

/// Where what goes out comes in.
fn way_out(fd: c_int, object: u64) -> Option<Entity> {
    if object <= OPENED {
        None
    } else if object & DATAGRAM == 0 {
        Some(way(object, true))
    } else {
        address::peer(fd).map(entity)
    }
}

/// What came before happens before whoever takes it out at the other end.
fn goes_out(scope: &mut Scope, fd: c_int, object: u64) {
    if let Some(out) = way_out(fd, object) {
        scope.sync(Effect::RELEASE, out);
        if object & (ECHOES | SECOND) == ECHOES | SECOND {
            scope.sync(Effect::RELEASE, way(object, false));
        }
    }
}

/// Something came in.
fn comes_in(scope: &mut Scope, object: u64) {
    if object > OPENED {
        let way = way(object, false);
        // Before the way itself: what is not passed on any more has been released to it.
        passing::acquire(scope, way);
        scope.sync(Effect::ACQUIRE, way);
    }
}

/// What came before happens before whoever finds the end of the data at the other end.
fn ends_output(scope: &mut Scope, object: u64) {
    if object > OPENED && object & DATAGRAM == 0 {
        scope.sync(Effect::RELEASE, end(object, true));
    }
}

/// The end of the data was found.
fn finds_end(scope: &mut Scope, object: u64) {
    if object > OPENED && object & DATAGRAM == 0 {
        scope.sync(Effect::ACQUIRE, end(object, false));
    }
}

/// The number is used: a read of it.
fn used(scope: &mut Scope, fd: c_int) {
    if let Some(entry) = entry(fd) {
        scope.read(entry.as_ptr().cast(), 8);
    }
}

/// A new descriptor, of which nothing is known yet: its number has no past.
pub fn opened(caller: Caller, fd: c_int) {
    opened_as(caller, fd, OPENED);
}

/// A new descriptor that leads to `object`.
fn opened_as(caller: Caller, fd: c_int, object: u64) {
    let Some(entry) = entry(fd) else { return };
    let Some(mut scope) = enter(caller) else {
        return;
    };
    // Relaxed: as in `known`.
    let before = entry.swap(object, Ordering::Relaxed);
    lead_no_more(&mut scope, before);
    lead(object);
    scope.fresh(entry.as_ptr().cast(), 8);
    // Making it is a write, so that who guesses the number is found out.
    scope.write(entry.as_ptr().cast(), 8);
}

/// A new descriptor that libc keeps inside of a stream or a folder: what is behind it is looked at when the program uses its number,
/// which most never do.
pub fn opened_inside(caller: Caller, fd: c_int) {
    opened_as(caller, fd, 0);
}

/// After a call that made a stream, or gave it another file, which libc puts in the old one's place: no number is free in between.
///
/// # Safety
/// A stream of libc's, or null.
pub unsafe fn new_stream(caller: Caller, stream: *mut c_void) {
    if !stream.is_null() {
        // SAFETY: the caller's contract.
        opened_inside(caller, unsafe { number_of(stream) });
    }
}

/// After a call that opened a folder.
///
/// # Safety
/// A folder of libc's, or null.
pub unsafe fn new_folder(caller: Caller, folder: *mut c_void) {
    if !folder.is_null() {
        // SAFETY: the caller's contract.
        opened_inside(caller, unsafe { libc::dirfd(folder.cast()) });
    }
}

/// Before a folder is closed.
///
/// # Safety
/// An open folder of libc's, or null.
pub unsafe fn closing_folder(caller: Caller, folder: *mut c_void) {
    if !folder.is_null() {
        // SAFETY: the caller's contract.
        closing(caller, unsafe { libc::dirfd(folder.cast()) });
    }
}

/// Two new descriptors whose data goes from one to the other.
pub fn opened_pair(caller: Caller, fds: [c_int; 2]) {
    let object = match sys::fstat(fds[0]) {
        Ok(about) if about.st_mode & libc::S_IFMT == libc::S_IFIFO => look(fds[0]) | ENDS_WITH_LAST,
        _ => new_name() | TWO_WAY,
    };
    let second = if object & TWO_WAY != 0 { SECOND } else { 0 };
    opened_as(caller, fds[0], object);
    opened_as(caller, fds[1], object | second);
}

/// `new` now leads where `old` does.
pub fn duplicated(caller: Caller, old: c_int, new: c_int) {
    if old != new {
        let object = enter(caller).map_or(OPENED, |mut scope| known(&mut scope, old));
        opened_as(caller, new, object);
    }
}

/// A descriptor that came in a message, or from another process: it leads to what was sent, which may be ours.
pub fn received(caller: Caller, fd: c_int) {
    let twin = enter(caller).and_then(|mut scope| {
        let twin = twin(fd)?;
        Some(known(&mut scope, twin))
    });
    let object = twin.filter(|&object| object > OPENED).unwrap_or(OPENED);
    opened_as(caller, fd, object);
}

/// A known descriptor of the same open file. If the kernel does not say (it may be forbidden to), none.
fn twin(fd: c_int) -> Option<c_int> {
    let known = (0..LIMIT as c_int).filter(|&other| {
        // Relaxed: as in `known`.
        let object = ENTRIES[other as usize].load(Ordering::Relaxed);
        other != fd && (object == OPENED || object & ENDS_WITH_LAST != 0)
    });
    known
        .take(TWINS_TRIED)
        .find(|&other| sys::same_file(fd, other))
}

/// Descriptors that a received one is compared with, at most.
const TWINS_TRIED: usize = 1024;

/// Before a descriptor is closed: who reads the end of the data comes after it.
pub fn closing(caller: Caller, fd: c_int) {
    let Some(entry) = entry(fd) else { return };
    let Some(mut scope) = enter(caller) else {
        return;
    };
    let object = if multi_threaded() {
        known(&mut scope, fd)
    } else {
        0
    };
    scope.write(entry.as_ptr().cast(), 8);
    ends_output(&mut scope, object);
    // Relaxed: as in `known`.
    let object = entry.swap(0, Ordering::Relaxed);
    lead_no_more(&mut scope, object);
}

/// Before all numbers of a range are closed, whichever are open. Of one that nothing is known of there is nothing to tell.
pub fn closing_range(caller: Caller, first: u32, last: u32) {
    for fd in first..=last.min(LAST) {
        // Relaxed: as in `known`.
        let known = ENTRIES[fd as usize].load(Ordering::Relaxed) != 0;
        if known && sys::fstat(fd as c_int).is_ok() {
            closing(caller, fd as c_int);
        }
    }
}

/// Before `close_range` with these flags.
pub fn closing_range_with(caller: Caller, first: u32, last: u32, flags: u32) {
    // One only marks the numbers, the other first makes the table of descriptors one of this thread alone.
    let of_all = flags & libc::CLOSE_RANGE_UNSHARE == 0 || !multi_threaded();
    if flags & libc::CLOSE_RANGE_CLOEXEC == 0 && of_all {
        closing_range(caller, first, last);
    }
}

/// A call that puts something into a descriptor: what came before is ordered before whoever takes it out.
pub fn output<T>(caller: Caller, fd: c_int, call: impl FnOnce() -> T) -> T {
    release(caller, fd);
    call()
}

/// Before something goes into `fd`.
pub fn release(caller: Caller, fd: c_int) {
    if fd >= 0
        && multi_threaded()
        && let Some(mut scope) = enter(caller)
    {
        let object = known(&mut scope, fd);
        used(&mut scope, fd);
        goes_out(&mut scope, fd, object);
    }
}

/// Before a socket is shut down: the other end is told, and who waits for input at this one.
pub fn shutting_down(caller: Caller, fd: c_int) {
    if fd >= 0
        && multi_threaded()
        && let Some(mut scope) = enter(caller)
    {
        let object = known(&mut scope, fd);
        used(&mut scope, fd);
        ends_output(&mut scope, object);
        if object > OPENED {
            scope.sync(Effect::RELEASE, end(object, false));
        }
    }
}

/// A new signalfd, or new signals for one.
pub fn takes_signals(caller: Caller, fd: c_int, signals: u64) {
    let Some(entry) = entry(fd) else { return };
    // Relaxed: as in `known`.
    if entry.load(Ordering::Relaxed) & OF_SIGNALS == 0 {
        opened_as(caller, fd, new_name() | OF_SIGNALS);
    }
    if let Some(_scope) = enter(caller)
        && let Some(mut all) = SIGNALS.lock()
    {
        all.insert(entry.load(Ordering::Relaxed), signals);
    }
}

/// Whether the descriptor is a signalfd.
pub fn is_of_signals(fd: c_int) -> bool {
    // Relaxed: as in `known`.
    entry(fd).is_some_and(|entry| {
        let object = entry.load(Ordering::Relaxed);
        object > OPENED && object & OF_SIGNALS != 0
    })
}

/// After a descriptor was found ready for input, or for whatever else it was asked about.
pub fn ready(caller: Caller, fd: c_int) {
    acquire(caller, fd);
    if fd >= 0 && is_of_signals(fd) {
        let mask = enter(caller).and_then(|_scope| {
            let object = entry(fd)?.load(Ordering::Relaxed);
            SIGNALS.lock()?.get(&object).copied()
        });
        let mask = mask.unwrap_or(0);
        (1..=64)
            .filter(|signal| mask >> (signal - 1) & 1 != 0)
            .for_each(|signal| taken(caller, signal, Origin::UNKNOWN));
    }
}

/// After something came out of `fd`, be it the end of the data.
pub fn acquire(caller: Caller, fd: c_int) {
    if fd >= 0
        && multi_threaded()
        && let Some(mut scope) = enter(caller)
    {
        let object = known(&mut scope, fd);
        comes_in(&mut scope, object);
        finds_end(&mut scope, object);
    }
}

/// After data came out of `fd`.
fn acquire_data(caller: Caller, fd: c_int) {
    if fd >= 0
        && multi_threaded()
        && let Some(mut scope) = enter(caller)
    {
        let object = known(&mut scope, fd);
        comes_in(&mut scope, object);
    }
}

/// A call that takes something out of a descriptor; a negative result is failure, 0 the end of the data (or nothing that
/// could be told from it).
pub fn input(caller: Caller, fd: c_int, call: impl FnOnce() -> isize) -> isize {
    if fd >= 0
        && multi_threaded()
        && let Some(mut scope) = enter(caller)
    {
        known(&mut scope, fd);
        used(&mut scope, fd);
    }
    let got = call();
    if got > 0 {
        acquire_data(caller, fd);
    } else if got == 0 {
        acquire(caller, fd);
    }
    got
}

/// The descriptor of a stream; -1 if it has none, which is an error that the program has not made.
///
/// # Safety
/// An open stream of libc's.
unsafe fn number_of(stream: *mut c_void) -> c_int {
    unsafe extern "C" {
        fn fileno(stream: *mut c_void) -> c_int;
    }
    // SAFETY: the caller's contract, and the location of this thread's errno.
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        let fd = fileno(stream);
        *errno = before;
        fd
    }
}

/// Before a stream is closed.
///
/// # Safety
/// An open stream of libc's.
pub unsafe fn closing_stream(caller: Caller, stream: *mut c_void) {
    // SAFETY: the caller's contract.
    closing(caller, unsafe { number_of(stream) });
}

/// The descriptor of a stream, if what goes through it may go to another thread: one that came from a call that we saw, or was used by
/// one. What only libc knows of, such as a file that was opened as a stream, is not looked at.
///
/// # Safety
/// An open stream of libc's, or null.
unsafe fn of_stream(stream: *mut c_void) -> Option<c_int> {
    // Without a stream, a flush is about all.
    if stream.is_null() || !multi_threaded() {
        return None;
    }
    // SAFETY: the caller's contract.
    let fd = unsafe { number_of(stream) };
    // Relaxed: as in `known`.
    let present = entry(fd)?.load(Ordering::Relaxed);
    (present >= OPENED).then_some(fd)
}

/// Before something goes to a stream. It may leave it later; but by then this has been released.
///
/// # Safety
/// As for [`of_stream`].
pub unsafe fn goes_to_stream(caller: Caller, stream: *mut c_void) {
    // SAFETY: the caller's contract.
    if let Some(fd) = unsafe { of_stream(stream) } {
        release(caller, fd);
    }
}

/// After something came from a stream, be it the end of the data.
///
/// # Safety
/// As for [`of_stream`].
pub unsafe fn comes_from_stream(caller: Caller, stream: *mut c_void) {
    // SAFETY: the caller's contract.
    if let Some(fd) = unsafe { of_stream(stream) } {
        acquire(caller, fd);
    }
}

/// A descriptor is asked or told something that carries no data. Asking about one that is not open is allowed.
pub fn touch(caller: Caller, fd: c_int) {
    if fd >= 0
        && multi_threaded()
        && let Some(mut scope) = enter(caller)
        && known(&mut scope, fd) != 0
    {
        used(&mut scope, fd);
    }
}

/// The lock of the file behind a descriptor (flock and locks of open file descriptions).
fn file_lock(fd: c_int) -> Option<Entity> {
    let about = sys::fstat(fd).ok()?;
    Some(entity(name(&[
        about.st_dev,
        about.st_ino,
        u64::from(u32::MAX),
    ])))
}

/// Before a lock of the file is given up.
pub fn unlocking(caller: Caller, fd: c_int) {
    if multi_threaded()
        && let Some(mut scope) = enter(caller)
        && let Some(lock) = file_lock(fd)
    {
        scope.sync(Effect::RELEASE, lock);
    }
}

/// After a lock of the file was got.
pub fn locked(caller: Caller, fd: c_int) {
    if multi_threaded()
        && let Some(mut scope) = enter(caller)
        && let Some(lock) = file_lock(fd)
    {
        scope.sync(Effect::ACQUIRE, lock);
    }
}

/// Before a connection is asked for at an address, or a datagram is sent to one.
///
/// # Safety
/// `to` is the program's.
pub unsafe fn release_address(caller: Caller, to: *const c_void, bytes: u32) {
    if to.is_null() || !multi_threaded() {
        return;
    }
    // SAFETY: passed on to the caller.
    let Some(object) = (unsafe { address::named(to, bytes) }) else {
        return;
    };
    if let Some(mut scope) = enter(caller) {
        scope.sync(Effect::RELEASE, entity(object));
    }
}

/// A socket got another address: what was known of it is out of date.
pub fn readdressed(caller: Caller, fd: c_int) {
    if let Some(entry) = entry(fd)
        && let Some(mut scope) = enter(caller)
    {
        // Relaxed: as in `known`.
        let before = entry.swap(0, Ordering::Relaxed);
        lead_no_more(&mut scope, before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::os::fd::AsRawFd;
    use std::os::unix::net::{UnixListener, UnixStream};

    #[test]
    fn both_ends_of_a_pipe_are_one_object() {
        let (a, b) = (sys::pipe(0).unwrap(), sys::pipe(0).unwrap());
        assert_eq!(look(a.0), look(a.1));
        assert_ne!(look(a.0), look(b.0));
        for fd in [a.0, a.1, b.0, b.1] {
            sys::close(fd).unwrap();
        }
        assert_eq!(look(a.0), 0);
    }

    #[test]
    fn both_ends_of_a_connection_are_one_object() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (other, _) = listener.accept().unwrap();
        let another = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let [one_end, other_end] = [&one, &other].map(|socket| look(socket.as_raw_fd()));
        assert_eq!(way(one_end, true), way(other_end, false));
        assert_eq!(way(one_end, false), way(other_end, true));
        assert_ne!(way(one_end, false), way(one_end, true));
        assert_ne!(look(one.as_raw_fd()), look(another.as_raw_fd()));
        assert_ne!(look(one.as_raw_fd()), look(listener.as_raw_fd()));
    }

    #[test]
    fn a_named_unix_socket_is_its_name() {
        let path = std::env::temp_dir().join(format!("goldilocks-{}", std::process::id()));
        let listener = UnixListener::bind(&path).unwrap();
        let one = UnixStream::connect(&path).unwrap();
        let (other, _) = listener.accept().unwrap();
        std::fs::remove_file(&path).unwrap();
        let [one_end, other_end] = [&one, &other].map(|socket| look(socket.as_raw_fd()));
        assert_eq!(way(one_end, true), way(other_end, false));
        assert_eq!(way(one_end, false), way(other_end, true));
        let (a, b) = UnixStream::pair().unwrap();
        assert_ne!(look(a.as_raw_fd()), look(one.as_raw_fd()));
        // Only `socketpair` can tell that these two belong together.
        assert_ne!(look(a.as_raw_fd()), look(b.as_raw_fd()));
    }

    #[test]
    fn a_datagram_socket_is_the_address_that_is_sent_to() {
        let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
        let port = socket.local_addr().unwrap().port();
        let mut to = [0u8; 16];
        to[..2].copy_from_slice(&(libc::AF_INET as u16).to_ne_bytes());
        to[2..4].copy_from_slice(&port.to_be_bytes());
        // SAFETY: the array is as long as said.
        let named = unsafe { address::named(to.as_ptr().cast(), 16) };
        assert_eq!(named, Some(look(socket.as_raw_fd()) & NAME));
    }

    #[test]
    fn files_are_inodes_and_devices_carry_nothing() {
        let one = std::fs::File::open("/proc/self/exe").unwrap();
        let other = std::fs::File::open(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(look(one.as_raw_fd()), look(other.as_raw_fd()));
        let null = std::fs::File::open("/dev/null").unwrap();
        assert_eq!(look(null.as_raw_fd()), CARRIES_NOTHING);
    }

    #[test]
    fn an_entry_is_found_by_its_address() {
        assert_eq!(number_at(&raw const ENTRIES[7] as usize), Some(7));
        assert_eq!(number_at(&raw const ENTRIES[7] as usize + 5), Some(7));
        assert_eq!(number_at(ENTRIES.as_ptr_range().end as usize), None);
        assert_eq!(number_at(8), None);
    }
}
