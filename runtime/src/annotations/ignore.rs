//! Scopes in which a thread's reads, writes or synchronization are not looked at. Scopes nest, and belong to one thread.
//!
//! What is ignored has not happened: an ignored access is not checked and is not remembered, an ignored sync event orders
//! nothing. Ignoring accesses leaves synchronization alone, so that no order is lost.

use crate::caller;
use crate::caller::Caller;
use crate::pipeline::enter;
use core::ffi::{c_char, c_int};
use goldilocks_core::event::Access;

/// What a scope is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    Reads,
    Writes,
    Sync,
    /// All three, while the program runs a lock of its own that it annotates.
    InsideLock,
}

/// How many scopes of each kind a thread is in.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ignored {
    scopes: [u16; 4],
    /// Of what is ignored, a bit each: a single byte to look at on the way of every event.
    flags: u8,
}

const READS: u8 = 1;
const WRITES: u8 = 2;
const SYNC: u8 = 4;

impl Ignored {
    pub fn begin(&mut self, what: What) {
        let scopes = &mut self.scopes[what as usize];
        *scopes = scopes.saturating_add(1);
        self.update();
    }
    /// An end without a beginning is nothing.
    pub fn end(&mut self, what: What) {
        let scopes = &mut self.scopes[what as usize];
        *scopes = scopes.saturating_sub(1);
        self.update();
    }
    /// Leaves all locks that the thread is inside; how many these were.
    pub fn leave_locks(&mut self) -> u16 {
        let scopes = core::mem::take(&mut self.scopes[What::InsideLock as usize]);
        self.update();
        scopes
    }
    /// The thread is inside so many locks.
    pub fn come_back_inside(&mut self, locks: u16) {
        self.scopes[What::InsideLock as usize] = locks;
        self.update();
    }
    fn update(&mut self) {
        let [reads, writes, sync, lock] = self.scopes.map(|scopes| scopes != 0);
        let flag = |on: bool, flag: u8| if on || lock { flag } else { 0 };
        self.flags = flag(reads, READS) | flag(writes, WRITES) | flag(sync, SYNC);
    }
    #[inline(always)]
    pub fn skips(&self, access: Access) -> bool {
        self.flags != 0 && self.flags & if access.is_write() { WRITES } else { READS } != 0
    }
    /// Whether any scope is open.
    #[inline(always)]
    pub fn anything(&self) -> bool {
        self.flags != 0
    }
    /// Whether nothing that the thread does is looked at.
    #[inline(always)]
    pub fn everything(&self) -> bool {
        self.flags == READS | WRITES | SYNC
    }
    #[inline(always)]
    pub fn skips_sync(&self) -> bool {
        self.flags & SYNC != 0
    }
}

/// A scope of the running thread's begins, or ends.
pub fn change(caller: Caller, what: What, begins: bool) {
    if let Some(mut scope) = enter(caller) {
        let ignored = &mut scope.thread().ignored;
        if begins {
            ignored.begin(what)
        } else {
            ignored.end(what)
        }
    }
}

macro_rules! scopes {
    ($($name:ident = $what:ident $begins:literal;)*) => {
        $(#[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(_file: *const c_char, _line: c_int) {
            let caller = caller!();
            change(caller, What::$what, $begins);
        })*
    };
}

scopes! {
    AnnotateIgnoreReadsBegin = Reads true;
    AnnotateIgnoreReadsEnd = Reads false;
    AnnotateIgnoreWritesBegin = Writes true;
    AnnotateIgnoreWritesEnd = Writes false;
    AnnotateIgnoreSyncBegin = Sync true;
    AnnotateIgnoreSyncEnd = Sync false;
}

/// Reads and writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_ignore_thread_begin() {
    let caller = caller!();
    change(caller, What::Reads, true);
    change(caller, What::Writes, true);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_ignore_thread_end() {
    let caller = caller!();
    change(caller, What::Reads, false);
    change(caller, What::Writes, false);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_nest_by_kind_and_ends_without_a_beginning_are_nothing() {
        let mut ignored = Ignored::default();
        ignored.end(What::Reads);
        ignored.begin(What::Reads);
        ignored.begin(What::Reads);
        ignored.end(What::Reads);
        assert!(ignored.skips(Access::Read) && ignored.skips(Access::AtomicRead));
        assert!(!ignored.skips(Access::Write) && !ignored.skips_sync());
        ignored.begin(What::InsideLock);
        assert!(ignored.skips(Access::AtomicWrite) && ignored.skips_sync());
        ignored.end(What::InsideLock);
        ignored.end(What::Reads);
        assert!(!ignored.skips(Access::Read) && !ignored.skips_sync());
    }
}
