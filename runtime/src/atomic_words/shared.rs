//! What all atomics whose addresses fall on one stripe share: the lock by which an operation and its event are one step, and what whoever comes next
//! can tell by it.

use super::silent;
use core::sync::atomic::{AtomicU64, Ordering};
use goldilocks_core::event::{Entity, Role};
use goldilocks_core::objects::Holds;
use goldilocks_core::stripe::Stripe;

/// Many, as what the last atomic of a stripe holds is kept with it.
pub(super) const STRIPES: usize = 1 << STRIPE_BITS;
const STRIPE_BITS: u32 = 14;

/// What is kept for all atomics whose address falls on it.
#[repr(align(64))]
pub(super) struct Shared {
    pub(super) stripe: Stripe,
    /// The last operation by an atomic of this stripe, if it was a release ([`Latest`](super::Latest)); 0 if there is nothing to repeat.
    pub(super) last: AtomicU64,
    /// The unit whose atomics this, and what follows, is about.
    unit: AtomicU64,
    /// What two atomics of the unit hold: [`Holds`], and in its free bits which of those that share a place it is.
    holds: [AtomicU64; 2],
    /// Counts operations that may have released something.
    pub(super) news: AtomicU64,
    /// Counts what was done to an atomic's object without the stripe.
    pub(super) disturbed: AtomicU64,
}

pub(super) static ATOMICS: [Shared; STRIPES] = [const { Shared::new() }; STRIPES];

const _: () = assert!(size_of::<Shared>() == 64);

/// Of an address, without what says where in its unit it is.
const fn unit_of(addr: u64) -> u64 {
    addr & !15
}

/// With the stripe held, but for [`Shared::held_at`] and what [`disturb`] does. Relaxed, all of it, as is explained there.
impl Shared {
    /// Of a stripe where nothing was done yet.
    const fn new() -> Shared {
        Shared {
            stripe: Stripe::FREE,
            last: AtomicU64::new(0),
            unit: AtomicU64::new(0),
            holds: [const { AtomicU64::new(0) }; 2],
            news: AtomicU64::new(0),
            disturbed: AtomicU64::new(0),
        }
    }
    /// The last release, and what is kept, is about the unit of this address from now on.
    #[inline(always)]
    pub(super) fn turn_to(&self, addr: u64) {
        if self.unit.load(Ordering::Relaxed) != unit_of(addr) {
            self.lose_all();
            self.unit.store(unit_of(addr), Ordering::Relaxed);
        }
    }
    /// Where what an atomic at this address holds is kept, and what tells it from others that share the place. Neighbours do not, be they words or halves of one.
    #[inline(always)]
    fn place(&self, addr: u64) -> (&AtomicU64, u64) {
        let name = (addr & 7) << Holds::FREE.start;
        (&self.holds[((addr >> 3 ^ addr >> 2) & 1) as usize], name)
    }
    /// Keeps what the object at `addr` holds. With the lock of its record held, so that [`disturb`] comes before or after.
    #[inline(always)]
    pub(super) fn keep(&self, addr: u64, holds: Holds) {
        self.turn_to(addr);
        let (place, name) = self.place(addr);
        place.store(holds.bits() | name, Ordering::Relaxed);
    }
    /// What the object at `addr` holds, as far as it is known.
    #[inline(always)]
    pub(super) fn held_at(&self, addr: u64) -> Holds {
        let (place, name) = self.place(addr);
        let kept = place.load(Ordering::Relaxed);
        let is_it =
            self.unit.load(Ordering::Relaxed) == unit_of(addr) && kept & Holds::FREE_BITS == name;
        if is_it {
            Holds::from_bits(kept)
        } else {
            Holds::UNKNOWN
        }
    }
    /// What the object at `addr` holds is to change, or has.
    #[inline(always)]
    pub(super) fn lose(&self, addr: u64) {
        self.place(addr).0.store(0, Ordering::Relaxed);
    }
    /// What all that is kept here is about is to change, or has.
    pub(super) fn lose_all(&self) {
        for place in &self.holds {
            place.store(0, Ordering::Relaxed);
        }
    }
}

/// Atomics of different sizes at one address overlap in their 16-byte unit. Those of neighbouring units are neighbours, so that few pages are
/// touched, in an order of each page's own.
#[inline(always)]
pub(super) fn stripe_of(home: u64) -> usize {
    let (page, unit) = (home >> 12, home >> 4 & 255);
    let order = page.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - STRIPE_BITS);
    (order ^ unit) as usize % STRIPES
}

/// Waits for the stripe of an address, and takes it, for an operation that `speaks`: it may release something. The caller is inside the runtime, with
/// nothing held, or the process has one thread.
#[inline]
pub fn lock_stripe(addr: u64, speaks: bool) -> usize {
    let home = || stripe_of(crate::aliases::home(addr));
    let mut index = home();
    while (speaks || silent::is_in_doubt(index)) && silent::speaks(index) {
        index = home();
    }
    ATOMICS[index].stripe.lock();
    index
}

/// `object`, which may be an atomic of the program's, is released to by something that is no atomic operation.
#[inline(always)]
pub fn is_released_to(object: Entity) {
    if let Some((addr, role)) = object.as_object()
        && role == Role::Object as u8
    {
        silent::is_disturbed(stripe_of(addr));
    }
}

/// Gives it back; `changed` unless no atomic was written meanwhile.
#[inline]
pub fn unlock_stripe(stripe: usize, changed: bool) {
    ATOMICS[stripe].stripe.unlock(changed);
}

/// A sync event on `object`, which may be an atomic of the program's, but not by an atomic operation: those have nothing to
/// repeat. To be called after the event, so that of an operation that comes meanwhile either the event sees what it has released,
/// or it sees this.
#[inline]
pub fn disturb(object: Entity) {
    if let Some((addr, role)) = object.as_object()
        && role == Role::Object as u8
    {
        disturb_at(addr);
    }
}

/// As [`disturb`], of what is released to the atomic at this address, or taken from it.
#[inline]
pub fn disturb_at(addr: u64) {
    let stripe = &ATOMICS[stripe_of(addr)];
    // Relaxed, all of it: the lock of the object's record, which both have held, orders this.
    stripe.disturbed.fetch_add(1, Ordering::Relaxed);
    if stripe.unit.load(Ordering::Relaxed) == unit_of(addr) {
        stripe.last.store(0, Ordering::Relaxed);
        stripe.lose(addr);
    }
}

/// The caller, which is inside the runtime with nothing held, has read a value of the atomic at this address without its stripe. Waits for the event of the atomic
/// operation that has stored it, if that is still to come.
#[inline(always)]
pub fn wait_for_event(addr: u64) {
    ATOMICS[stripe_of(addr)].stripe.wait_for_holder();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What one atomic holds says nothing of another one: not of its unit, wherever that begins, nor of another.
    #[test]
    fn what_an_atomic_holds_is_its_own() {
        const UNIT: u64 = 0x7000;
        let [one, other] = [0x0003_0000_0000_0123, 0x0004_0000_0000_0456].map(Holds::from_bits);
        let near = UNIT - 16..UNIT + 32;
        for first in UNIT..UNIT + 16 {
            for second in near.clone() {
                let shared = Shared::new();
                shared.keep(first, one);
                if second != first {
                    assert_eq!(
                        shared.held_at(second),
                        Holds::UNKNOWN,
                        "{first:x} {second:x}"
                    );
                }
                shared.keep(second, other);
                let of_first = shared.held_at(first);
                assert!(second == first || [Holds::UNKNOWN, one].contains(&of_first));
                assert_eq!(shared.held_at(second), other);
                shared.lose(second);
                assert_eq!(shared.held_at(second), Holds::UNKNOWN);
            }
        }
        // Neighbours are kept beside each other: words, and halves of one.
        for (first, second) in [(UNIT, UNIT + 8), (UNIT, UNIT + 4), (UNIT + 8, UNIT + 12)] {
            let shared = Shared::new();
            shared.keep(first, one);
            shared.keep(second, other);
            assert_eq!([first, second].map(|at| shared.held_at(at)), [one, other]);
        }
    }
}
