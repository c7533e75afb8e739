//! The sync objects of one part beside the one in place ([`crate::objects`]): found by one miss of the processor's caches, where a map of the library's takes
//! three, one after the other: the map itself, its control bytes, the bucket. Programs with an atomic or a lock in each of thousands of structures do little else.
//!
//! A place for each, the first free one from where a hash says (linear probing); what is removed leaves no gap.

use crate::objects::Object;
use std::ptr;

/// An object with the name that it has in a part: 0 is none.
#[derive(Default)]
#[repr(C)]
struct Place {
    name: u64,
    object: Object,
}

/// The table. Without objects it takes no memory, and is zeroes.
#[repr(C)]
pub(crate) struct ObjectTable {
    /// As many as [`ObjectTable::capacity`] says; null if there are none.
    places: *mut Place,
    len: u32,
    /// The logarithm of the number of places.
    bits: u8,
    /// For who has the table.
    pub misses: u8,
}

// SAFETY: it owns its places.
unsafe impl Send for ObjectTable {}

impl Default for ObjectTable {
    fn default() -> ObjectTable {
        ObjectTable {
            places: ptr::null_mut(),
            len: 0,
            bits: 0,
            misses: 0,
        }
    }
}

impl ObjectTable {
    /// Places of the first table, as a logarithm.
    const FEWEST: u8 = 2;

    #[inline(always)]
    fn capacity(&self) -> usize {
        if self.places.is_null() {
            0
        } else {
            1 << self.bits
        }
    }

    #[inline(always)]
    fn places(&self) -> &[Place] {
        match self.capacity() {
            0 => &[],
            // SAFETY: its own, made with this length by `grow`.
            capacity => unsafe { std::slice::from_raw_parts(self.places, capacity) },
        }
    }

    #[inline(always)]
    fn places_mut(&mut self) -> &mut [Place] {
        match self.capacity() {
            0 => &mut [],
            // SAFETY: as above.
            capacity => unsafe { std::slice::from_raw_parts_mut(self.places, capacity) },
        }
    }

    /// Where a name's object is if nothing else is there.
    #[inline(always)]
    fn home(&self, name: u64) -> usize {
        // Names of one part have the upper bits of another product in common.
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
            // Below the length, which is a power of two.
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

    #[inline(always)]
    pub(crate) fn get(&self, name: u64) -> Option<&Object> {
        if self.len == 0 {
            return None;
        }
        self.find(name).ok().map(|at| &self.places()[at].object)
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, name: u64) -> Option<&mut Object> {
        if self.len == 0 {
            return None;
        }
        let at = self.find(name).ok()?;
        Some(&mut self.places_mut()[at].object)
    }

    /// The object of a name that is not 0, made by `new` if there is none.
    pub(crate) fn get_or_insert_with(
        &mut self,
        name: u64,
        new: impl FnOnce() -> Object,
    ) -> &mut Object {
        // Three quarters of it may be in use.
        if self.len as usize * 4 >= self.capacity() * 3 {
            self.grow();
        }
        let at = match self.find(name) {
            Ok(at) => at,
            Err(at) => {
                self.len += 1;
                let object = new();
                self.places_mut()[at] = Place { name, object };
                at
            }
        };
        &mut self.places_mut()[at].object
    }

    #[cold]
    fn grow(&mut self) {
        let bits = match self.capacity() {
            0 => Self::FEWEST,
            _ => self.bits + 1,
        };
        let places: Box<[Place]> = (0..1usize << bits).map(|_| Place::default()).collect();
        let larger = ObjectTable {
            places: Box::into_raw(places).cast(),
            len: self.len,
            bits,
            misses: self.misses,
        };
        let mut smaller = std::mem::replace(self, larger);
        for place in smaller.places_mut() {
            if place.name != 0
                && let Err(at) = self.find(place.name)
            {
                self.places_mut()[at] = std::mem::take(place);
            }
        }
    }

    pub(crate) fn remove(&mut self, name: u64) -> Option<Object> {
        if self.len == 0 {
            return None;
        }
        let mut gap = self.find(name).ok()?;
        self.len -= 1;
        let last = self.capacity() - 1;
        let removed = std::mem::take(&mut self.places_mut()[gap]);
        // What follows without a gap may be there because of it.
        let mut at = gap;
        loop {
            at = (at + 1) & last;
            let name = self.places()[at].name;
            if name == 0 {
                return Some(removed.object);
            }
            // Whether the gap is between its home and where it is.
            let home = self.home(name);
            if at.wrapping_sub(home) & last >= at.wrapping_sub(gap) & last {
                let moved = std::mem::take(&mut self.places_mut()[at]);
                self.places_mut()[gap] = moved;
                gap = at;
            }
        }
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Object> {
        let places = self.places_mut().iter_mut();
        places
            .filter(|place| place.name != 0)
            .map(|place| &mut place.object)
    }
}

impl Drop for ObjectTable {
    fn drop(&mut self) {
        let places: *mut [Place] = self.places_mut();
        if !self.places.is_null() {
            // SAFETY: made of a box by `grow`.
            drop(unsafe { Box::from_raw(places) });
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Objects come, are found and go in any order, against a map; many of them have the same home.
    #[test]
    fn it_is_a_map() {
        for spread in [1u64, 64, 1 << 40] {
            let mut table = ObjectTable::default();
            let mut map: BTreeMap<u64, u64> = BTreeMap::new();
            let mut state = spread;
            for round in 0..60_000u64 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                // More and more of them, then fewer.
                let some = 1 + (round / 50).min((60_000 - round) / 50);
                let name = (1 + (state >> 33) % some).wrapping_mul(spread);
                match state >> 60 {
                    0..5 => {
                        let removed = table.remove(name).map(|object| object.stamp);
                        assert_eq!(removed, map.remove(&name));
                    }
                    5..10 => {
                        let object = table.get_or_insert_with(name, || {
                            let mut object = Object::default();
                            object.stamp = state;
                            object
                        });
                        assert_eq!(object.stamp, *map.entry(name).or_insert(state));
                    }
                    _ => {
                        let stamp = table.get(name).map(|object| object.stamp);
                        assert_eq!(stamp, map.get(&name).copied());
                        if let Some(object) = table.get_mut(name) {
                            object.stamp = round;
                            map.insert(name, round);
                        }
                    }
                }
                assert_eq!(table.len(), map.len());
            }
            let mut stamps: Vec<u64> = table.values_mut().map(|object| object.stamp).collect();
            let mut expected: Vec<u64> = map.values().copied().collect();
            stamps.sort();
            expected.sort();
            assert_eq!(stamps, expected);
        }
    }
}
