//! What all atomics whose addresses fall on one stripe share: the lock by which an operation and its event are one step, and what whoever comes next
//! can tell by it.

use super::{held, silent};
use core::sync::atomic::{AtomicU64, Ordering, fence};
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
    /// What two atomics of the unit hold: [`Holds`], and in its free bits which of those that share a place it is. What others do, and these as well, may be [`held`].
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
    /// The last release, and what is kept in place, is about the unit of this address from now on.
    #[inline(always)]
    pub(super) fn turn_to(&self, addr: u64) {
        if !self.is_about(addr) {
            self.lose_places();
            self.unit.store(unit_of(addr), Ordering::Relaxed);
        }
    }
    #[inline(always)]
    fn is_about(&self, addr: u64) -> bool {
        self.unit.load(Ordering::Relaxed) == unit_of(addr)
    }
    /// Where what an atomic at this address holds is kept in place. Neighbours have others, be they words or halves of one.
    #[inline(always)]
    fn place(&self, addr: u64) -> &AtomicU64 {
        &self.holds[((addr >> 3 ^ addr >> 2) & 1) as usize]
    }
    /// Keeps what the object at `addr` holds. With the lock of its record held, so that [`disturb`] comes before or after.
    #[inline(always)]
    pub(super) fn keep(&self, addr: u64, holds: Holds) {
        self.turn_to(addr);
        let kept = holds.bits() | name(addr);
        self.place(addr).store(kept, Ordering::Relaxed);
        held::keep(addr, kept);
    }
    /// What the object at `addr` holds, which was not known to who has loaded it, is known now to be this, as the lock of its record is held; but the stripe is not, only
    /// its count was this.
    #[inline(always)]
    pub(super) fn keep_if_still(&self, addr: u64, count: u64, holds: impl FnOnce() -> Holds) {
        if self.is_about(addr) {
            return;
        }
        if let Some(place) = held::is_wanted(addr) {
            place.store(holds().bits() | name(addr), Ordering::Relaxed);
            // Whoever comes to the stripe later, and loses this, does that after it is here: to take the stripe is a locked instruction, and so a full barrier, as this is.
            fence(Ordering::SeqCst);
            if self.stripe.if_free() != Some(count) {
                place.store(0, Ordering::Relaxed);
            }
        }
    }
    /// What the object at `addr` holds, as far as it is known.
    #[inline(always)]
    pub(super) fn held_at(&self, addr: u64) -> Holds {
        let holds = |place: &AtomicU64| {
            let kept = place.load(Ordering::Relaxed);
            let is_it = kept & Holds::FREE_BITS == name(addr);
            let holds = Holds::from_bits(kept);
            (is_it && holds != Holds::UNKNOWN).then_some(holds)
        };
        let in_place = if self.is_about(addr) {
            holds(self.place(addr))
        } else {
            None
        };
        in_place
            .or_else(|| held::place_of(addr).and_then(holds))
            .unwrap_or(Holds::UNKNOWN)
    }
    /// What the object at `addr` holds is to change, or has.
    #[inline(always)]
    pub(super) fn lose(&self, addr: u64) {
        if self.is_about(addr) {
            self.place(addr).store(0, Ordering::Relaxed);
        }
        if let Some(place) = held::place_of(addr) {
            place.store(0, Ordering::Relaxed);
        }
    }
    /// What all objects of the unit of `addr` hold is to change, or has.
    pub(super) fn lose_unit(&self, addr: u64) {
        self.lose_places();
        for half in 0..4 {
            if let Some(place) = held::place_of(unit_of(addr) + 4 * half) {
                place.store(0, Ordering::Relaxed);
            }
        }
    }
    fn lose_places(&self) {
        for place in &self.holds {
            place.store(0, Ordering::Relaxed);
        }
    }
}

/// What tells an atomic from others of its half of a word, and from none, in the bits of [`Holds`] that are free.
#[inline(always)]
fn name(addr: u64) -> u64 {
    (addr & 7) << Holds::FREE.start
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
    if stripe.is_about(addr) {
        stripe.last.store(0, Ordering::Relaxed);
    }
    stripe.lose(addr);
}

/// What was released by threads of which no access is remembered is not known by knowing who has their slots later. With all other threads outside of the runtime.
pub fn forget_held() {
    for shared in &ATOMICS {
        for place in &shared.holds {
            // Pages that nobody has touched stay so.
            if place.load(Ordering::Relaxed) != 0 {
                place.store(0, Ordering::Relaxed);
            }
        }
    }
    held::forget();
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

    use crate::sync_bits;

    static TESTED: std::sync::Mutex<bool> = std::sync::Mutex::new(false);

    /// One at a time has the tables.
    fn reserved() -> std::sync::MutexGuard<'static, bool> {
        let mut is_reserved = TESTED
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        if !std::mem::replace(&mut is_reserved, true) {
            sync_bits::reserve().expect("room for a table");
            held::reserve().expect("room for tables");
        }
        is_reserved
    }

    /// There are loads of the atomic at this address that find nothing kept, until its region has a block, or does not get one.
    fn want(addr: u64) -> bool {
        (0..100).any(|_| held::is_wanted(addr).is_some())
    }

    /// Of two atomics, with or without a block: what one holds says nothing of the other one: not of its unit, wherever that begins, nor of another.
    fn keeps_apart(unit: u64) {
        let [one, other] = [0x0003_0000_0000_0123, 0x0004_0000_0000_0456].map(Holds::from_bits);
        for first in unit..unit + 16 {
            for second in unit - 16..unit + 32 {
                let shared = Shared::new();
                shared.lose_unit(second);
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
        for (first, second) in [(unit, unit + 8), (unit, unit + 4), (unit + 8, unit + 12)] {
            let shared = Shared::new();
            shared.keep(first, one);
            shared.keep(second, other);
            assert_eq!([first, second].map(|at| shared.held_at(at)), [one, other]);
            shared.lose_unit(first + 3);
            let lost = [first, second].map(|at| shared.held_at(at));
            assert_eq!(lost, [Holds::UNKNOWN; 2]);
        }
    }

    #[test]
    fn what_an_atomic_holds_is_its_own() {
        let _reserved = reserved();
        keeps_apart(0x7000);
        want(0x8000);
        keeps_apart(0x8000);
        // Each end of a block.
        keeps_apart(0x8200 - 16);
    }

    /// All atomics of a page, of every size, which take their stripe from those of another page in turn.
    #[test]
    fn what_crowded_atomics_hold_is_kept_until_it_is_lost() {
        let _reserved = reserved();
        let (page, step) = (0x6000_0000, 4);
        let holds = |addr: u64| Holds::from_bits(addr << 8 | 1);
        let all = || (page..page + 4096).step_by(step);
        for addr in all() {
            sync_bits::mark(Entity::object(addr, Role::Object));
        }
        let shared = Shared::new();
        assert!((page..page + 4096).step_by(512).all(want));
        all().for_each(|addr| shared.keep(addr, holds(addr)));
        for addr in all() {
            assert_eq!(shared.held_at(addr), holds(addr), "{addr:x}");
        }
        for addr in all().step_by(3) {
            shared.lose(addr);
        }
        for (number, addr) in all().enumerate() {
            let expected = if number % 3 == 0 {
                Holds::UNKNOWN
            } else {
                holds(addr)
            };
            assert_eq!(shared.held_at(addr), expected);
        }
        held::forget();
        shared.lose_places();
        all().for_each(|addr| assert_eq!(shared.held_at(addr), Holds::UNKNOWN));
    }

    /// A region gets a block where loads find nothing kept more often than something is released, and what such a load finds is kept if nobody has come meanwhile.
    #[test]
    fn blocks_are_for_what_is_looked_at() {
        let _reserved = reserved();
        let [one, other] = [0x5000_0000, 0x5100_0000];
        let shared = Shared::new();
        let holds = Holds::from_bits(5);
        let known = |addr| [holds, Holds::UNKNOWN][(shared.held_at(addr) != holds) as usize];
        for turn in 0..1000 {
            shared.keep([one, other][turn % 2], holds);
            shared.keep_if_still(one, 0, || unreachable!("there is no block"));
        }
        for _ in 0..100 {
            shared.keep_if_still(one, 0, || holds);
        }
        assert_eq!([one, other].map(known), [holds; 2]);
        held::forget();
        assert_eq!([one, other].map(known), [Holds::UNKNOWN, holds]);
        shared.keep_if_still(one, 2, || holds);
        assert_eq!(known(one), Holds::UNKNOWN);
        shared.stripe.lock();
        shared.keep_if_still(one, 0, || holds);
        assert_eq!(known(one), Holds::UNKNOWN);
        shared.stripe.unlock(false);
        shared.keep_if_still(one, 0, || holds);
        assert_eq!(known(one), holds);
        // Of what the stripe is about, that says it.
        shared.keep_if_still(other, 0, || unreachable!("it is in place"));
    }

    /// Where there are many blocks, another one has to be for many atomics.
    #[test]
    fn not_every_few_atomics_get_a_block_of_many() {
        let _reserved = reserved();
        let region = 0x5200_0000;
        held::tests::there_are_many();
        let get_one = |words: u64| {
            for word in 0..words {
                sync_bits::mark(Entity::object(region + 8 * word, Role::Object));
            }
            want(region)
        };
        assert_eq!([31, 32].map(get_one), [false, true]);
    }

    /// What the stripes keep, and what is kept word by word.
    #[test]
    fn nothing_is_held_once_it_is_forgotten() {
        let _reserved = reserved();
        let (addr, holds) = (0x5300_0000, Holds::from_bits(7));
        for word in 0..64 {
            sync_bits::mark(Entity::object(addr + 8 * word, Role::Object));
        }
        assert!(want(addr));
        let shared = &ATOMICS[stripe_of(addr)];
        for at in [addr, addr + 16] {
            let shared = &ATOMICS[stripe_of(at)];
            shared.keep(at, holds);
            assert_eq!(shared.held_at(at), holds);
        }
        shared.lose_places();
        assert_eq!(shared.held_at(addr), holds, "in its block");
        forget_held();
        for at in [addr, addr + 16] {
            assert_eq!(ATOMICS[stripe_of(at)].held_at(at), Holds::UNKNOWN);
        }
    }
}
