//! A map from entities to what is kept of them, which is found by one miss of the processor's caches, and can be fetched before it is needed. A map of the library's
//! takes three, one after the other, where it is large: the map itself, its control bytes, the bucket. Programs with an atomic or a lock in each of thousands of
//! structures do little else.
//!
//! A place for each, the first free one from where a hash says (linear probing); what is removed leaves no gap.

use crate::event::Entity;
use crate::primitive::prefetch_to_write;
use std::alloc::{self, Layout};
use std::{mem, ptr};

/// A value with the name of its entity.
#[derive(Default)]
#[repr(C)]
struct Place<V> {
    /// Inverted, so that 0 is none.
    name: u64,
    value: V,
}

/// The table. Without entities it takes no memory, and is zeroes.
#[repr(C)]
pub(crate) struct OpenTable<V> {
    /// As many as [`OpenTable::capacity`] says; null if there are none.
    places: *mut Place<V>,
    len: u32,
    /// The logarithm of the number of places.
    bits: u8,
    /// For who has the table.
    pub misses: u8,
}

// SAFETY: it owns its places.
unsafe impl<V: Send> Send for OpenTable<V> {}
// SAFETY: as above; nothing changes by way of a shared reference.
unsafe impl<V: Sync> Sync for OpenTable<V> {}

impl<V> Default for OpenTable<V> {
    fn default() -> OpenTable<V> {
        OpenTable {
            places: ptr::null_mut(),
            len: 0,
            bits: 0,
            misses: 0,
        }
    }
}

/// Places of the first table, as a logarithm.
const FEWEST: u8 = 2;

#[inline(always)]
fn name_of(entity: Entity) -> u64 {
    debug_assert!(entity != Entity::NONE);
    !entity.0
}

impl<V> OpenTable<V> {
    #[inline(always)]
    fn capacity(&self) -> usize {
        if self.places.is_null() {
            0
        } else {
            1 << self.bits
        }
    }

    #[inline(always)]
    fn places(&self) -> &[Place<V>] {
        match self.capacity() {
            0 => &[],
            // SAFETY: its own, made with this length by `with_bits`.
            capacity => unsafe { std::slice::from_raw_parts(self.places, capacity) },
        }
    }

    #[inline(always)]
    fn places_mut(&mut self) -> &mut [Place<V>] {
        match self.capacity() {
            0 => &mut [],
            // SAFETY: as above.
            capacity => unsafe { std::slice::from_raw_parts_mut(self.places, capacity) },
        }
    }

    /// In whole lines of the processor's caches.
    fn layout(bits: u8) -> Layout {
        let places = Layout::array::<Place<V>>(1 << bits).and_then(|all| all.align_to(64));
        places.expect("no more than the address space has")
    }

    /// Where a name's value is if nothing else is there.
    #[inline(always)]
    fn home(&self, name: u64) -> usize {
        // Names of one part of the objects have the upper bits of another product in common.
        ((name ^ name >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> (u64::BITS - self.bits as u32))
            as usize
    }

    /// The index of a name's place, in a table that has some; of the free one where it would be, otherwise.
    #[inline(always)]
    fn find(&self, name: u64) -> Result<usize, usize> {
        let places = self.places();
        let last = places.len() - 1;
        let mut at = self.home(name);
        loop {
            match places[at & last].name {
                0 => return Err(at & last),
                found if found == name => return Ok(at & last),
                _ => at += 1,
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// What is kept of the entity will be needed soon.
    #[inline(always)]
    pub(crate) fn expect(&self, entity: Entity) {
        if self.len > 0 {
            prefetch_to_write(self.places.wrapping_add(self.home(!entity.0)));
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, entity: Entity) -> Option<&V> {
        if self.len == 0 {
            return None;
        }
        let at = self.find(name_of(entity)).ok()?;
        Some(&self.places()[at].value)
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, entity: Entity) -> Option<&mut V> {
        if self.len == 0 {
            return None;
        }
        let at = self.find(name_of(entity)).ok()?;
        Some(&mut self.places_mut()[at].value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Entity, &V)> {
        let used = self.places().iter().filter(|place| place.name != 0);
        used.map(|place| (Entity(!place.name), &place.value))
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        let places = self.places_mut().iter_mut();
        let used = places.filter(|place| place.name != 0);
        used.map(|place| &mut place.value)
    }
}

impl<V: Default> OpenTable<V> {
    fn with_bits(bits: u8) -> OpenTable<V> {
        let layout = Self::layout(bits);
        // SAFETY: not of no size.
        let places = unsafe { alloc::alloc(layout) }.cast::<Place<V>>();
        if places.is_null() {
            alloc::handle_alloc_error(layout);
        }
        for index in 0..1 << bits {
            // SAFETY: within what was just allocated.
            unsafe { places.add(index).write(Place::default()) };
        }
        OpenTable {
            places,
            len: 0,
            bits,
            misses: 0,
        }
    }

    /// What is kept of the entity, made by `new` if there is nothing.
    #[inline]
    pub(crate) fn get_or_insert_with(&mut self, entity: Entity, new: impl FnOnce() -> V) -> &mut V {
        // Three quarters of it may be in use.
        if self.len as usize * 4 >= self.capacity() * 3 {
            self.grow();
        }
        let name = name_of(entity);
        let at = match self.find(name) {
            Ok(at) => at,
            Err(at) => {
                self.len += 1;
                let value = new();
                self.places_mut()[at] = Place { name, value };
                at
            }
        };
        &mut self.places_mut()[at].value
    }

    #[cold]
    fn grow(&mut self) {
        let bits = match self.capacity() {
            0 => FEWEST,
            _ => self.bits + 1,
        };
        let mut larger = Self::with_bits(bits);
        (larger.len, larger.misses) = (self.len, self.misses);
        let mut smaller = mem::replace(self, larger);
        for place in smaller.places_mut() {
            if place.name != 0
                && let Err(at) = self.find(place.name)
            {
                self.places_mut()[at] = mem::take(place);
            }
        }
    }

    pub(crate) fn remove(&mut self, entity: Entity) -> Option<V> {
        if self.len == 0 {
            return None;
        }
        let mut gap = self.find(name_of(entity)).ok()?;
        self.len -= 1;
        let last = self.capacity() - 1;
        let removed = mem::take(&mut self.places_mut()[gap]);
        // What follows without a gap may be there because of it.
        let mut at = gap;
        loop {
            at = (at + 1) & last;
            let name = self.places()[at].name;
            if name == 0 {
                return Some(removed.value);
            }
            // Whether the gap is between its home and where it is.
            let home = self.home(name);
            if at.wrapping_sub(home) & last >= at.wrapping_sub(gap) & last {
                let moved = mem::take(&mut self.places_mut()[at]);
                self.places_mut()[gap] = moved;
                gap = at;
            }
        }
    }
}

impl<V: Default> OpenTable<V> {
    /// Takes what it has out of it; the room stays.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = V> {
        self.len = 0;
        let used = self.places_mut().iter_mut().filter(|place| place.name != 0);
        used.map(|place| mem::take(place).value)
    }
}

impl<V> Drop for OpenTable<V> {
    fn drop(&mut self) {
        if !self.places.is_null() {
            // SAFETY: made by `with_bits`, and nobody else's.
            unsafe {
                ptr::drop_in_place::<[Place<V>]>(self.places_mut());
                alloc::dealloc(self.places.cast(), Self::layout(self.bits));
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Entities come, are found and go in any order, against a map; many of them have the same home.
    #[test]
    fn it_is_a_map() {
        for spread in [1u64, 64, 1 << 40] {
            let mut table: OpenTable<Box<u64>> = OpenTable::default();
            let mut map: BTreeMap<u64, u64> = BTreeMap::new();
            let mut state = spread;
            for round in 0..60_000u64 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                // More and more of them, then fewer.
                let some = 1 + (round / 50).min((60_000 - round) / 50);
                let number = ((state >> 33) % some).wrapping_mul(spread);
                let entity = Entity(number);
                table.expect(entity);
                match state >> 60 {
                    0..5 => {
                        let removed = table.remove(entity).map(|value| *value);
                        assert_eq!(removed, map.remove(&number));
                    }
                    5..10 => {
                        let value = table.get_or_insert_with(entity, || Box::new(state));
                        assert_eq!(**value, *map.entry(number).or_insert(state));
                    }
                    _ => {
                        let value = table.get(entity).map(|value| **value);
                        assert_eq!(value, map.get(&number).copied());
                        if let Some(value) = table.get_mut(entity) {
                            **value = round;
                            map.insert(number, round);
                        }
                    }
                }
                assert_eq!(table.len(), map.len());
            }
            let mut all: Vec<(u64, u64)> = table
                .iter()
                .map(|(name, value)| (name.0, **value))
                .collect();
            all.sort();
            assert!(
                all.iter()
                    .copied()
                    .eq(map.iter().map(|(&name, &value)| (name, value)))
            );
            assert_eq!(table.values_mut().count(), map.len());
            let mut all: Vec<u64> = table.drain().map(|value| *value).collect();
            all.sort();
            let mut expected: Vec<u64> = map.values().copied().collect();
            expected.sort();
            assert_eq!(all, expected);
            assert_eq!((table.len(), table.values_mut().count()), (0, 0));
            let found = map
                .keys()
                .find(|&&number| table.get(Entity(number)).is_some());
            assert_eq!(found, None);
        }
    }
}
