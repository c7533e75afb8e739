//! Atomic operations of different sizes on the same bytes.
//!
//! As a rule, all operations on a byte are of the same bytes: then one sync object, at the address of the first of them, is all that
//! is needed. Which operations those are is [`known`] of every 16 bytes of memory. Where they differ
//! and overlap, an operation takes from every byte what the one that wrote it last has released: bytes that were written
//! together have one sync object, their *carrier*, and a store gives those that it writes a carrier of their own. What a
//! read-modify-write adds to bytes that share their carriers with bytes beside them goes to an object of each byte.
//!
//! The standard has no such atomics; this is what the processor does, and what programs that look at a part of an atomic rely on.
//! Whatever is in here of one unit is used with its stripe held (`atomic_words`).

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use goldilocks_core::event::{Effect, Entity, Role};

use crate::aliases;
use crate::pipeline::Scope;
use crate::sync_bits;

mod known;

use known::{Bytes, Operation, Operations, each};
pub use known::{are_alike, reserve};

/// Units in which operations overlap, by some bits of their addresses: those of different atomics do not wait for each other.
static PARTS: [Mutex<BTreeMap<u64, Unit>>; 64] = [const { Mutex::new(BTreeMap::new()) }; 64];

/// Those with which a unit is. Taken inside the runtime only, so that a fork finds it free.
fn parts(unit: u64) -> MutexGuard<'static, BTreeMap<u64, Unit>> {
    PARTS[(unit >> 4) as usize % PARTS.len()]
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A sync object that a byte has its order from: [`NOBODY`], `k` for part k of the unit, `WHOLE + k` for the object at byte k, or
/// `OWN + k` for that of byte k alone.
type Carrier = u8;
const WHOLE: Carrier = 16;
const OWN: Carrier = 32;
const NOBODY: Carrier = 48;

/// Some carriers, a bit for each; [`NOBODY`] is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Carriers(u64);

impl Carriers {
    fn one(carrier: Carrier) -> Carriers {
        Carriers(1 << carrier & !(1 << NOBODY))
    }
    fn and(self, more: Carriers) -> Carriers {
        Carriers(self.0 | more.0)
    }
    fn without(self, others: Carriers) -> Carriers {
        Carriers(self.0 & !others.0)
    }
    fn contains(self, carrier: Carrier) -> bool {
        self.0 >> carrier & 1 != 0
    }
    fn each(self) -> impl Iterator<Item = Carrier> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let carrier = left.trailing_zeros() as Carrier;
            left &= left.wrapping_sub(1);
            (carrier < NOBODY).then_some(carrier)
        })
    }
}

impl FromIterator<Carrier> for Carriers {
    fn from_iter<I: IntoIterator<Item = Carrier>>(carriers: I) -> Carriers {
        let all = carriers.into_iter().map(Carriers::one);
        all.fold(Carriers::default(), Carriers::and)
    }
}

/// 16 bytes with operations that overlap.
struct Unit {
    /// The operations that there have been.
    known: Vec<Bytes>,
    /// Bytes of operations that overlap others.
    split: Bytes,
    /// Where what was written with the byte is.
    carriers: [Carrier; 16],
    /// Bytes that have something of their own besides.
    own: Bytes,
}

/// What an operation gives order to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Given {
    carriers: Carriers,
    /// What they gave before has ended.
    afresh: bool,
}

impl Unit {
    fn new() -> Unit {
        Unit {
            known: Vec::new(),
            split: 0,
            carriers: [NOBODY; 16],
            own: 0,
        }
    }

    /// There are operations on these bytes.
    fn add(&mut self, bytes: Bytes) {
        if self.known.contains(&bytes) {
            return;
        }
        let split_before = self.split;
        for other in self.known.iter().filter(|&&other| other & bytes != 0) {
            for byte in each(other & !split_before) {
                self.carriers[byte] = WHOLE + other.trailing_zeros() as Carrier;
            }
            self.split |= other | bytes;
        }
        self.known.push(bytes);
    }

    fn is_split(&self, bytes: Bytes) -> bool {
        self.split & bytes != 0
    }

    /// What an operation on split bytes may take order from.
    fn carriers(&self, bytes: Bytes) -> Carriers {
        let own = each(bytes & self.own).map(|byte| OWN + byte as Carrier);
        each(bytes)
            .map(|byte| self.carriers[byte])
            .chain(own)
            .collect()
    }

    /// An operation has written split bytes, and nothing that was released in them before goes on, or the thread has taken all of it.
    fn replaced(&mut self, bytes: Bytes) -> Given {
        let outside = self.carriers(self.split & !bytes);
        let free = (0..WHOLE).find(|&part| !outside.contains(part));
        let part = free.expect("no more carriers than bytes");
        for byte in each(bytes) {
            self.carriers[byte] = part;
        }
        self.own &= !bytes;
        Given {
            carriers: Carriers::one(part),
            afresh: true,
        }
    }

    /// An operation has written split bytes, and goes on with what was released in each of them: what it adds is for these alone.
    fn continued(&mut self, bytes: Bytes) -> [Given; 2] {
        let carrier = self.carriers[bytes.trailing_zeros() as usize];
        let is_theirs = each(bytes).all(|byte| self.carriers[byte] == carrier);
        let nothing = carrier == NOBODY && self.own & bytes == 0;
        if is_theirs && nothing {
            return [self.replaced(bytes), Given::default()];
        }
        if is_theirs && carrier != NOBODY && !self.carriers(self.split & !bytes).contains(carrier) {
            let theirs = Given {
                carriers: Carriers::one(carrier),
                afresh: false,
            };
            return [theirs, Given::default()];
        }
        let own = |bytes: Bytes| each(bytes).map(|byte| OWN + byte as Carrier).collect();
        let (old, new) = (bytes & self.own, bytes & !self.own);
        self.own |= bytes;
        [
            Given {
                carriers: own(old),
                afresh: false,
            },
            Given {
                carriers: own(new),
                afresh: true,
            },
        ]
    }

    /// These bytes are nobody's any more.
    fn forget(&mut self, bytes: Bytes) {
        for operation in &mut self.known {
            *operation &= !bytes;
        }
        self.known.retain(|&operation| operation != 0);
        self.split &= !bytes;
        self.own &= !bytes;
        for byte in each(bytes) {
            self.carriers[byte] = NOBODY;
        }
    }

    /// Those that there have been and that overlap no others.
    fn operations(&self) -> Operations {
        let overlapping = if self.split == 0 {
            Operations::NONE
        } else {
            Operations::OVERLAPPING
        };
        let whole = self.known.iter().filter(|&&bytes| !self.is_split(bytes));
        whole
            .filter_map(|&bytes| Operation::of(bytes))
            .fold(overlapping, Operations::with)
    }
}

fn entity(unit: u64, carrier: Carrier) -> Entity {
    let (first, role) = match carrier {
        OWN.. => (OWN, Role::AtomicByte),
        WHOLE.. => (WHOLE, Role::Object),
        _ => (0, Role::AtomicPart),
    };
    Entity::object(unit + u64::from(carrier - first), role)
}

/// Whether there have been operations on some of these bytes that were not on all of them, or on others too.
#[inline(always)]
pub fn are_mixed((addr, bytes): (u64, u64)) -> bool {
    let range = (aliases::home(addr), bytes);
    bytes.is_power_of_two() && bytes <= 16 && !are_alike(range) && is_new(range)
}

/// As [`are_alike`], or this is the first operation on these bytes, and overlaps no others. With the stripe held.
#[inline(always)]
pub fn are_alike_from_now(range: (u64, u64)) -> bool {
    are_alike(range) || begin_alike(range)
}

#[cold]
fn begin_alike(range: (u64, u64)) -> bool {
    let (addr, bytes) = range;
    addr % bytes == 0 && aliases::home(addr) == addr && !is_new(range)
}

/// The first operation on these bytes, or one that overlaps others.
#[cold]
fn is_new((addr, bytes): (u64, u64)) -> bool {
    let Some(operation) = Operation::new((addr, bytes)) else {
        // Not what compiled code does; such a one may reach into another unit.
        return false;
    };
    let unit = addr & !15;
    // Their memory is looked through for sync objects when it is freed.
    for half in [unit, unit + 8] {
        if addr < half + 8 && half < addr + bytes {
            sync_bits::mark(Entity::object(half, Role::Object));
        }
    }
    // Whoever uses bytes of which some are also used otherwise comes here each time.
    if let Some(of_unit) = parts(unit).get(&unit)
        && of_unit.known.contains(&operation.bytes())
    {
        return of_unit.is_split(operation.bytes());
    }
    let has_joined = known::change(unit, |before| {
        let now = before.with(operation);
        (!before.overlap() && !now.overlap()).then_some(now)
    });
    if has_joined {
        return false;
    }
    let mut parts = parts(unit);
    let of_unit = parts.entry(unit).or_insert_with(Unit::new);
    let is_known = known::set(unit, |before| {
        before.each().for_each(|one| of_unit.add(one.bytes()));
        of_unit.add(operation.bytes());
        of_unit.operations()
    });
    let is_split = of_unit.is_split(operation.bytes());
    if is_known && of_unit.split == 0 {
        parts.remove(&unit);
    }
    is_split
}

/// The acquiring part of an atomic operation on such bytes.
pub fn acquire(scope: &mut Scope, range: (u64, u64), effect: Effect) {
    let taken = |unit: &mut Unit, bytes| {
        let all = Given {
            carriers: unit.carriers(bytes),
            afresh: false,
        };
        [all, Given::default()]
    };
    objects(range, taken).for_each(|(object, _)| scope.sync_private(effect, object));
}

/// Its releasing part; `acquired`: the acquiring one was an acquire.
pub fn release(scope: &mut Scope, range: (u64, u64), effect: Effect, acquired: bool) {
    if effect.0 == 0 {
        return;
    }
    let replaces = effect.has(Effect::CLEAR) || acquired && effect.has(Effect::RELEASE);
    let given = |unit: &mut Unit, bytes| {
        if replaces {
            [unit.replaced(bytes), Given::default()]
        } else {
            unit.continued(bytes)
        }
    };
    for (object, afresh) in objects(range, given) {
        let effect = if afresh {
            Effect::CLEAR.with(effect)
        } else {
            effect
        };
        scope.sync_private(effect, object);
    }
}

/// The objects of an operation, each with whether what it gave before has ended: those that `given` says, or that of all its bytes if it
/// does not overlap others.
fn objects(
    (addr, bytes): (u64, u64),
    given: impl FnOnce(&mut Unit, Bytes) -> [Given; 2],
) -> impl Iterator<Item = (Entity, bool)> {
    let home = aliases::home(addr);
    let (unit, bytes) = (home & !15, (((1_u32 << bytes) - 1) << (home & 15)) as Bytes);
    let of_parts = match parts(unit).get_mut(&unit) {
        Some(parts) if parts.is_split(bytes) => Some(given(parts, bytes)),
        _ => None,
    };
    let whole = of_parts
        .is_none()
        .then(|| (Entity::object(addr, Role::Object), false));
    let parts = of_parts.into_iter().flatten().flat_map(move |given| {
        let each = given.carriers.each();
        each.map(move |carrier| (entity(unit, carrier), given.afresh))
    });
    whole.into_iter().chain(parts)
}

/// The 8 bytes at `word` are nobody's any more; `gone` is told of the objects that go with them.
pub fn forget(word: u64, mut gone: impl FnMut(Entity)) {
    let unit = word & !15;
    let half: Bytes = 0xff << (word & 8);
    let is_simple = known::change(unit, |before| {
        (!before.overlap()).then(|| before.outside(half))
    });
    if is_simple {
        return;
    }
    let mut parts = parts(unit);
    let Some(of_unit) = parts.get_mut(&unit) else {
        // There was no number for what is left. What there was is more than that, and costs whoever comes next a longer way at most.
        return;
    };
    let before = of_unit.carriers(Bytes::MAX);
    of_unit.forget(half);
    let after = of_unit.carriers(Bytes::MAX);
    let is_known = known::set(unit, |_| of_unit.operations());
    if is_known && of_unit.split == 0 {
        parts.remove(&unit);
    }
    // What the other half has stays.
    for carrier in before.without(after).each() {
        gone(entity(unit, carrier));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOW: Bytes = 0x000f;
    const HIGH: Bytes = 0x00f0;
    const ALL: Bytes = 0x00ff;

    fn of(carriers: &[Carrier]) -> Carriers {
        carriers.iter().copied().collect()
    }

    fn goes_on(carriers: Carriers) -> [Given; 2] {
        let afresh = false;
        [Given { carriers, afresh }, Given::default()]
    }

    #[test]
    fn nobody_is_no_carrier() {
        let some = of(&[0, NOBODY, WHOLE, OWN + 15, 0]);
        assert_eq!(some.each().collect::<Vec<_>>(), [0, WHOLE, OWN + 15]);
        assert!(some.contains(OWN + 15) && !some.contains(NOBODY) && !some.contains(1));
        assert_eq!(some.without(of(&[WHOLE, 5])), of(&[0, OWN + 15]));
    }

    #[test]
    fn what_does_not_overlap_stays_whole() {
        let mut unit = Unit::new();
        unit.add(LOW);
        unit.add(0x0010);
        assert!(!unit.is_split(LOW) && !unit.is_split(0x0010));
    }

    #[test]
    fn bytes_have_their_order_from_who_wrote_them_last() {
        let mut unit = Unit::new();
        unit.add(ALL);
        unit.add(HIGH);
        // What the whole has released before is in both halves.
        assert_eq!(unit.carriers(HIGH), of(&[WHOLE]));
        assert_eq!(unit.carriers(ALL), of(&[WHOLE]));
        let high = unit.replaced(HIGH);
        assert!(high.afresh && high.carriers.each().all(|carrier| carrier < WHOLE));
        let high = high.carriers;
        assert_eq!(unit.carriers(HIGH), high);
        assert_eq!(unit.carriers(ALL), high.and(of(&[WHOLE])));
        unit.add(LOW);
        assert_eq!(unit.carriers(LOW), of(&[WHOLE]));
        let low = unit.replaced(LOW).carriers;
        assert_ne!(low, high);
        let all = unit.replaced(ALL).carriers;
        assert_eq!(unit.carriers(HIGH), all);
        assert_eq!(unit.carriers(LOW), all);
    }

    #[test]
    fn a_whole_has_all_that_its_parts_have_released() {
        let mut unit = Unit::new();
        unit.add(LOW);
        unit.add(HIGH);
        unit.add(ALL);
        assert_eq!(unit.carriers(ALL), of(&[WHOLE, WHOLE + 4]));
        assert_eq!(unit.carriers(HIGH), of(&[WHOLE + 4]));
    }

    #[test]
    fn a_read_modify_write_goes_on_with_what_was_there() {
        let mut unit = Unit::new();
        unit.add(ALL);
        unit.add(HIGH);
        let all = unit.replaced(ALL).carriers;
        assert_eq!(unit.continued(ALL), goes_on(all));
        // The bytes beside get nothing of it.
        let own: Carriers = (OWN + 4..OWN + 8).collect();
        let first = unit.continued(HIGH);
        assert_eq!(
            first[1],
            Given {
                carriers: own,
                afresh: true
            }
        );
        assert_eq!(first[0].carriers, of(&[]));
        assert_eq!(unit.continued(HIGH)[0], goes_on(own)[0]);
        assert_eq!(unit.carriers(LOW), all);
        assert_eq!(unit.carriers(HIGH), all.and(own));
        // Until they are written anew.
        let high = unit.replaced(HIGH).carriers;
        assert_eq!(unit.carriers(HIGH), high);
        assert_eq!(unit.continued(HIGH), goes_on(high));
    }

    #[test]
    fn what_nobody_has_written_is_new_to_a_read_modify_write() {
        let mut unit = Unit::new();
        unit.add(LOW);
        unit.add(0x0003);
        unit.forget(0x00ff);
        unit.add(0xff00);
        unit.add(0xffff);
        assert_eq!(unit.carriers(ALL), of(&[]));
        let [given, more] = unit.continued(ALL);
        assert!(given.afresh && more == Given::default());
    }

    #[test]
    fn one_half_forgets_and_the_other_does_not() {
        let mut unit = Unit::new();
        for operation in [ALL, HIGH, 0xff00, 0xf000, 0xffff] {
            unit.add(operation);
        }
        let both = unit.replaced(0xffff).carriers;
        unit.continued(HIGH);
        unit.continued(0xf000);
        unit.forget(ALL);
        assert_eq!(unit.carriers(ALL), of(&[]));
        assert_eq!(both.without(unit.carriers(0xffff)), of(&[]));
        assert!(!unit.is_split(ALL) && unit.is_split(0xf000));
        unit.forget(0xff00);
        assert_eq!((unit.split, unit.operations()), (0, Operations::NONE));
    }
}
