//! A row of the checkpoint: by slot, the last sync epoch whose Goldilockset holds one entity.
//!
//! Most programs have few threads: their rows are in place. Those of many are shared until they are changed, as what one thread releases
//! is mostly all that it knows.

use crate::event::Clock;
use std::sync::Arc;

/// Slots of a row in place: with its entity it is a cache line.
const FEW: usize = 6;

/// Slots of a row that is copied rather than shared: it will be changed soon, and to copy it then takes memory of its own.
const SHORT: usize = 32;

/// For [`Row::merge`]: everything that the other row says.
pub(crate) const UP_TO_ALL: (usize, Clock) = (0, Clock::MAX);

#[derive(Clone)]
enum Clocks {
    Few(u8, [Clock; FEW]),
    Many(Arc<Vec<Clock>>),
}

/// Slots past the end have none.
#[derive(Clone)]
pub(crate) struct Row(Clocks);

const _: () = assert!(size_of::<Row>() == 56);

impl Default for Row {
    fn default() -> Row {
        Row(Clocks::Few(0, [0; FEW]))
    }
}

impl Row {
    #[inline]
    pub(crate) fn clocks(&self) -> &[Clock] {
        match &self.0 {
            Clocks::Few(count, clocks) => &clocks[..*count as usize],
            Clocks::Many(clocks) => clocks,
        }
    }

    /// No epoch any more.
    pub(crate) fn clear(&mut self) {
        match &mut self.0 {
            Clocks::Few(count, clocks) => (*count, *clocks) = (0, [0; FEW]),
            Clocks::Many(clocks) => match Arc::get_mut(clocks) {
                // It is filled again at once.
                Some(clocks) => clocks.clear(),
                None => *self = Row::default(),
            },
        }
    }

    /// The epochs of a slot up to this one.
    #[inline]
    pub(crate) fn raise(&mut self, slot: usize, clock: Clock) {
        let known = &mut self.with_room(slot + 1)[slot];
        *known = (*known).max(clock);
    }

    /// What another row says, too; of the slot `most.0`, epochs up to `most.1`.
    #[inline]
    pub(crate) fn merge(&mut self, other: &Row, most: (usize, Clock)) {
        match &other.0 {
            Clocks::Many(clocks) if clocks.len() > SHORT => self.merge_shared(clocks, most),
            _ => self.merge_clocks(other.clocks(), most),
        }
    }

    #[inline]
    fn merge_clocks(&mut self, other: &[Clock], most: (usize, Clock)) {
        let mine = self.with_room(other.len());
        for (slot, (known, &clock)) in mine.iter_mut().zip(other).enumerate() {
            let clock = if slot == most.0 {
                clock.min(most.1)
            } else {
                clock
            };
            *known = (*known).max(clock);
        }
    }

    #[cold]
    fn merge_shared(&mut self, other: &Arc<Vec<Clock>>, (slot, most): (usize, Clock)) {
        let mut other = other.clone();
        if other[slot] > most {
            Arc::make_mut(&mut other)[slot] = most;
        }
        if let Clocks::Many(mine) = &self.0
            && Arc::ptr_eq(mine, &other)
        {
            return;
        }
        let mine = self.clocks();
        let within = |less: &[Clock], more: &[Clock]| {
            less.len() <= more.len() && less.iter().zip(more).all(|(less, more)| less <= more)
        };
        if within(mine, &other) {
            self.0 = Clocks::Many(other);
        } else if !within(&other, mine) {
            self.merge_clocks(&other, UP_TO_ALL);
        }
    }

    /// Its clocks, at least so many.
    #[inline]
    fn with_room(&mut self, len: usize) -> &mut [Clock] {
        if let Clocks::Few(_, clocks) = &self.0
            && len > FEW
        {
            let clocks = Vec::from(*clocks);
            self.0 = Clocks::Many(Arc::new(clocks));
        }
        match &mut self.0 {
            Clocks::Few(count, clocks) => {
                *count = (*count).max(len as u8);
                &mut clocks[..*count as usize]
            }
            Clocks::Many(clocks) => {
                let clocks = Arc::make_mut(clocks);
                if clocks.len() < len {
                    clocks.resize(len, 0);
                }
                clocks
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(clocks: &[Clock]) -> Row {
        let mut row = Row::default();
        row.merge_clocks(clocks, UP_TO_ALL);
        row
    }

    #[test]
    fn a_merge_is_the_larger_of_each_at_every_length() {
        let clocks = |len: usize, seed: u64| -> Vec<Clock> {
            let mix = |slot: u64| (slot + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
            (0..len as u64).map(mix).collect()
        };
        for (mine, other) in (0..41).flat_map(|mine| (0..41).map(move |other| (mine, other))) {
            for most in [UP_TO_ALL, (other / 2, 7)] {
                let (a, b) = (clocks(mine, 1), clocks(other, 99));
                let mut merged = row(&a);
                merged.merge(&row(&b), most);
                let wanted: Vec<Clock> = (0..mine.max(other))
                    .map(|slot| {
                        let theirs = b.get(slot).copied().unwrap_or(0);
                        let theirs = if slot == most.0 {
                            theirs.min(most.1)
                        } else {
                            theirs
                        };
                        theirs.max(a.get(slot).copied().unwrap_or(0))
                    })
                    .collect();
                assert_eq!(
                    merged.clocks(),
                    wanted,
                    "{mine} and {other} slots, {most:?}"
                );
            }
        }
    }

    #[test]
    fn what_is_shared_is_copied_when_it_is_changed() {
        let long = row(&[3; 40]);
        let mut other = row(&[2; 40]);
        other.merge(&long, UP_TO_ALL);
        assert_eq!(other.clocks(), long.clocks());
        other.raise(39, 9);
        assert_eq!((long.clocks()[39], other.clocks()[39]), (3, 9));
        other.clear();
        assert!(other.clocks().is_empty() && long.clocks().len() == 40);
    }
}
