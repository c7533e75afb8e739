//! The short way into the runtime, for an access whose same-epoch check has failed: most of them are the first in their epoch to a
//! word that the thread, or one that it knows to be done, has used before from the same place.
//!
//! The check stubs try this before they save the vector registers and take the long way (`pipeline`). So nothing in here may
//! use these: the build looks at the machine code of [`goldilocks_quick_access`] and leaves it out if it finds one
//! (`xtask`, `runtime_link`).

use crate::pipeline::detection_is_off;
use crate::sites::Shape;
use crate::state::{FREEZE, runtime};
use crate::tls::{self, SIGNAL_PENDING};
use core::sync::atomic::{Ordering, compiler_fence};
use goldilocks_core::tag::Tag;

/// As `goldilocks_slow_access`; false if that has to be called.
#[unsafe(no_mangle)]
unsafe extern "C" fn goldilocks_quick_access(addr: u64, info: u32, pc: usize, fp: usize) -> bool {
    let bytes = (info & 255) as u64;
    let offset = addr & 7;
    let block = tls::block();
    // Relaxed throughout: the block is this thread's own, see `pipeline::enter`.
    let tag = Tag(block.tag.load(Ordering::Relaxed));
    let state = block.thread.load(Ordering::Relaxed);
    // Before threads, or inside the runtime there is something else to do.
    if tag == Tag::NONE || state.is_null() || block.depth.load(Ordering::Relaxed) != 0 {
        return false;
    }
    // SAFETY: the thread's own state, which only it uses, and not elsewhere while it is inside.
    let state = unsafe { &mut *state };
    if offset + bytes > 8 {
        state.engine.counts.quick_straddling += 1;
        return false;
    }
    if tag == Tag::NEVER {
        state.engine.counts.quick_first += 1;
        return false;
    }
    block.depth.store(1, Ordering::Relaxed);
    compiler_fence(Ordering::SeqCst);
    let done = FREEZE.load(Ordering::Relaxed) == 0 && {
        let runtime = runtime();
        match state.known_site(Shape::of(addr, bytes), pc, fp) {
            Some(site)
                if runtime.quick
                    && !state.ignored.anything()
                    && !state.openmp.is_news(addr as usize, state.bounds.low)
                    && !detection_is_off()
                    && !crate::aliases::any()
                    && runtime.shadow.is_application(addr, bytes) =>
            {
                let epoch = (tag.epoch(), info & 256 != 0);
                let (thread, buffers) = (&mut state.engine, &state.buffers);
                let range = (addr, bytes);
                runtime
                    .detector()
                    .access_quick(thread, buffers, range, epoch, site)
            }
            Some(_) => false,
            None => {
                state.engine.counts.quick_site += 1;
                false
            }
        }
    };
    block.depth.store(0, Ordering::Release);
    // A signal that came meanwhile is delivered by whoever leaves the runtime next: the long way, which finds nothing to do.
    done && block.flags.load(Ordering::Relaxed) & SIGNAL_PENDING == 0
}
