//! Whether accesses are checked and remembered at all.

use core::sync::atomic::{AtomicBool, Ordering};

use crate::state::Obstacle;
use crate::sys;

/// Set while the program has switched the detection off. Relaxed, here and below: it says nothing about order.
static IS_OFF: AtomicBool = AtomicBool::new(false);

/// Set when there is no room to remember more accesses.
static HAS_ENDED: AtomicBool = AtomicBool::new(false);

#[inline(always)]
pub fn is_off() -> bool {
    IS_OFF.load(Ordering::Relaxed)
}

/// From now on accesses are checked and remembered, or not, whoever makes them.
pub fn enable(enable: bool) {
    let enable = enable && !has_ended();
    IS_OFF.store(!enable, Ordering::Relaxed);
    Obstacle::DetectionOff.put(!enable);
}

/// From now on no access is checked or remembered. Says so, once; the summary and the exit status will say it, too.
pub fn end() {
    if HAS_ENDED.swap(true, Ordering::Relaxed) {
        return;
    }
    enable(false);
    let _ = sys::write(
        2,
        b"Goldilocks: DETECTION HAS ENDED: too many sync epochs are remembered at once; the program goes on, and races from here on are \
not found (GOLDILOCKS_OPTIONS=help=1: epoch_groups)\n",
    );
}

pub fn has_ended() -> bool {
    HAS_ENDED.load(Ordering::Relaxed)
}
