//! Threads: creation, identity, end.

use crate::pipeline::Scope;

/// A thread about to be created: made by the parent, adopted by the child.
pub struct Newborn {
    _private: (),
}

/// In the parent, before the real creation: registers the thread, makes the fork event. From here on the process counts as
/// multi-threaded.
pub fn create(_scope: &mut Scope) -> Box<Newborn> {
    loop {}
}
/// In the parent, when the real creation failed.
pub fn abandon(_scope: &mut Scope, _newborn: Box<Newborn>) {}
/// First action of the child on its own stack: becomes the thread, its stack and thread-locals are fresh.
pub fn adopt(_newborn: Box<Newborn>, _pthread: libc::pthread_t) {}
/// Last action of a thread, after its thread-local destructors and cleanup handlers.
pub fn end() {}
/// After a successful join of the thread with this id: the join event.
pub fn joined(_scope: &mut Scope, _pthread: libc::pthread_t) {}
/// The thread will not be joined.
pub fn detached(_scope: &mut Scope, _pthread: libc::pthread_t) {}
/// The program named the thread.
pub fn named(_scope: &mut Scope, _pthread: libc::pthread_t, _name: &[u8]) {}
