//! Where synchronization objects were destroyed, for the report of a later use.
//!
//! Whether an object is a destroyed one, it says itself: glibc leaves a mark in a mutex, and in the others we leave one, as POSIX
//! allows a destruction to do. Whatever is made at the same place overwrites it, known to us or not, so that a new object
//! is never taken for a destroyed one. This table only adds where it happened, and forgets the oldest.

use std::sync::Mutex;

use goldilocks_core::line::Site;

use crate::findings;
use crate::pipeline::Scope;
use crate::report::model::ReportKind;

/// A destruction.
#[derive(Clone, Copy)]
struct Grave {
    address: u64,
    thread: u32,
    site: Site,
}

const PLACES: usize = 1024;

static GRAVES: [Mutex<Grave>; PLACES] = [const {
    Mutex::new(Grave {
        address: 0,
        thread: 0,
        site: 0,
    })
}; PLACES];

fn place(address: u64) -> &'static Mutex<Grave> {
    &GRAVES[(address >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize >> 54]
}

/// The running thread has destroyed the object at `address`.
pub fn dig(scope: &mut Scope, address: u64) {
    let grave = Grave {
        address,
        thread: scope.thread_number(),
        site: scope.stack(),
    };
    // Only ever locked inside the runtime, and nothing in here panics.
    if let Ok(mut place) = place(address).lock() {
        *place = grave;
    }
}

/// The running thread is about to use (`verb`, as in "Lock") the object of `bytes` bytes at `address`, a `noun`, which has been
/// destroyed.
#[cold]
pub fn used(scope: &mut Scope, noun: &str, verb: &str, address: u64, bytes: usize) {
    let grave = place(address)
        .lock()
        .map(|grave| *grave)
        .ok()
        .filter(|grave| grave.address == address);
    let others: Vec<Site> = grave.iter().map(|grave| grave.site).collect();
    findings::report(scope, ReportKind::UseOfDestroyed, &others, |draft| {
        draft.headline(format!("use of a destroyed {noun}"));
        draft.about(address, bytes);
        draft.here(&format!("{verb} of {{}}"), &[address]);
        if let Some(grave) = grave {
            draft.there("Destroyed", &[], Some(grave.thread), grave.site);
        }
        draft.help(
            &format!(
                "destroy the {noun} when its last user is done with it, or initialize it again"
            ),
            &[],
        );
    });
}
