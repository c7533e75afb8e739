//! Threads that end with a lock held: nobody can unlock it any more, and the next one who locks it waits for ever. (A robust
//! mutex is told to its next owner instead.)

use goldilocks_core::event::{Entity, Role};
use libc::{pthread_mutex_t, pthread_rwlock_t};

use crate::findings;
use crate::interceptors::lock_layout;
use crate::report::model::ReportKind;
use crate::sync_objects::{self, Kind};
use crate::sys;
use crate::thread::ThreadState;

/// The thread ends here. It has lived long enough to unlock in its cleanup handlers and destructors.
#[cold]
pub fn with_locks(state: &mut ThreadState) {
    let held: Vec<(Entity, usize)> = state.held_with_places().collect();
    for (lock, pc) in held {
        if let Some((noun, bytes)) = still_held(lock)
            && let Some((address, _)) = lock.as_object()
        {
            let site = state.site_of(&[pc]);
            findings::report_at(ReportKind::EndWithLock, state.serial, site, &[], |draft| {
                draft.headline(format!("thread ended with a {noun} locked"));
                draft.about(address, bytes);
                draft.here("Lock of {}", &[address]);
                draft.help(
                    "unlock it before the thread ends, in a cleanup handler if the thread may be cancelled",
                    &[],
                );
            });
        }
    }
}

/// What it is and its size, if the object says itself that the running thread holds it. The memory may be another's by now.
fn still_held(lock: Entity) -> Option<(&'static str, usize)> {
    let (address, role) = lock.as_object()?;
    let kind = sync_objects::describe(address)?.kind;
    let mut copy = [0u64; 7];
    let bytes = match kind {
        Kind::Mutex | Kind::RecursiveMutex => size_of::<pthread_mutex_t>(),
        Kind::Rwlock if role == Role::Object as u8 => size_of::<pthread_rwlock_t>(),
        // Of these nothing is known but that the thread was seen to lock them.
        Kind::Annotated | Kind::RecursiveAnnotated => return Some((kind.noun(), 1)),
        // Who has locked it, the object does not say.
        _ => return None,
    };
    sys::read_memory(address as usize, &mut copy, bytes)?;
    let held = if kind == Kind::Rwlock {
        // SAFETY: a copy of a readers-writer lock, or of what is there instead, which is only looked at.
        unsafe { lock_layout::is_writer(copy.as_ptr().cast()) }
    } else {
        // SAFETY: as above, of a mutex.
        let state = unsafe { lock_layout::mutex_state(copy.as_ptr().cast()) }?;
        state.locked && !state.robust && state.owner == lock_layout::tid()
    };
    held.then_some((kind.noun(), bytes))
}
