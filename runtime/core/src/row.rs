//! A row of the checkpoint: by slot, the last sync epoch whose Goldilockset holds one entity.
//!
//! Most programs have few threads: their rows are in place. Those of many are made of pieces, which rows share until they are
//! changed: what one thread releases is mostly all that it knows, and of hundreds only those have news that have run lately. So
//! to merge two rows is to compare pointers, but for the few pieces that differ.

use crate::event::Clock;
use std::sync::Arc;

/// Slots of a row in place: with its entity it is a cache line.
const FEW: usize = 6;

/// Slots of a piece.
const PIECE: usize = 16;

/// Pieces of a row that are copied rather than shared: they will be changed soon, and to copy them then takes memory of its own.
const SHORT: usize = 2;

/// For [`Row::merge`]: everything that the other row says.
pub(crate) const UP_TO_ALL: (usize, Clock) = (0, Clock::MAX);

/// The clocks of [`PIECE`] slots; all 0 if there is none.
type Piece = Option<Arc<[Clock; PIECE]>>;

#[derive(Clone)]
enum Clocks {
    Few(u8, [Clock; FEW]),
    Many(Vec<Piece>),
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
    /// The epochs of a slot are up to this one; 0 if there are none.
    #[inline]
    pub(crate) fn clock(&self, slot: usize) -> Clock {
        match &self.0 {
            // Beyond the count they are 0.
            Clocks::Few(_, clocks) => clocks.get(slot).copied().unwrap_or(0),
            Clocks::Many(pieces) => match pieces.get(slot / PIECE) {
                Some(Some(piece)) => piece[slot % PIECE],
                _ => 0,
            },
        }
    }

    /// The clocks from some slots on, of all that have any.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (usize, &[Clock])> {
        let (few, many): (&[Clock], &[Piece]) = match &self.0 {
            Clocks::Few(count, clocks) => (&clocks[..*count as usize], &[]),
            Clocks::Many(pieces) => (&[], pieces),
        };
        let many = many.iter().enumerate().filter_map(|(index, piece)| {
            let piece = piece.as_ref()?;
            Some((index * PIECE, &piece[..]))
        });
        std::iter::once((0, few)).chain(many)
    }

    /// No epoch of any slot.
    pub(crate) fn is_empty(&self) -> bool {
        match &self.0 {
            Clocks::Few(count, _) => *count == 0,
            Clocks::Many(pieces) => pieces.iter().all(Option::is_none),
        }
    }

    /// No epoch any more.
    pub(crate) fn clear(&mut self) {
        *self = Row::default();
    }

    /// The epochs of a slot up to this one.
    #[inline]
    pub(crate) fn raise(&mut self, slot: usize, clock: Clock) {
        match &mut self.0 {
            Clocks::Few(count, clocks) if slot < FEW => {
                *count = (*count).max(slot as u8 + 1);
                clocks[slot] = clocks[slot].max(clock);
            }
            _ => self.raise_far(slot, clock),
        }
    }

    fn raise_far(&mut self, slot: usize, clock: Clock) {
        let piece = &mut self.with_room(slot / PIECE + 1)[slot / PIECE];
        if piece.as_ref().map_or(0, |piece| piece[slot % PIECE]) < clock {
            own(piece)[slot % PIECE] = clock;
        }
    }

    /// What another row says, too; of the slot `most.0`, epochs up to `most.1`.
    #[inline]
    pub(crate) fn merge(&mut self, other: &Row, most: (usize, Clock)) {
        match (&mut self.0, &other.0) {
            (Clocks::Few(count, mine), Clocks::Few(others, theirs)) => {
                *count = (*count).max(*others);
                for (slot, (known, &clock)) in mine.iter_mut().zip(theirs).enumerate() {
                    *known = (*known).max(at_most(clock, slot, most));
                }
            }
            _ => self.merge_far(other, most),
        }
    }

    #[cold]
    fn merge_far(&mut self, other: &Row, most: (usize, Clock)) {
        let theirs = match &other.0 {
            Clocks::Many(theirs) => theirs,
            Clocks::Few(count, clocks) => {
                for (slot, &clock) in clocks[..*count as usize].iter().enumerate() {
                    self.raise(slot, at_most(clock, slot, most));
                }
                return;
            }
        };
        let shares = theirs.len() > SHORT;
        let mine = self.with_room(theirs.len());
        for (index, (mine, theirs)) in mine.iter_mut().zip(theirs).enumerate() {
            let Some(theirs) = theirs else { continue };
            let (is_same, is_less, is_more) = match mine {
                Some(mine) if Arc::ptr_eq(mine, theirs) => (true, true, true),
                Some(mine) => (false, within(mine, theirs), within(theirs, mine)),
                None => (false, true, false),
            };
            if is_same || is_more {
                continue;
            }
            let (slot, clock) = most;
            let is_whole = slot / PIECE != index || theirs[slot % PIECE] <= clock;
            if is_less && is_whole && shares {
                *mine = Some(theirs.clone());
                continue;
            }
            let first = index * PIECE;
            for (offset, (known, &clock)) in own(mine).iter_mut().zip(&theirs[..]).enumerate() {
                *known = (*known).max(at_most(clock, first + offset, most));
            }
        }
    }

    /// What another row says, and nothing else; as in [`Row::merge`] but for that.
    pub(crate) fn assign(&mut self, other: &Row, most: (usize, Clock)) {
        let (Clocks::Many(mine), Clocks::Many(theirs)) = (&mut self.0, &other.0) else {
            self.clear();
            return self.merge(other, most);
        };
        mine.resize(theirs.len(), None);
        for (mine, theirs) in mine.iter_mut().zip(theirs) {
            match (&mut *mine, theirs) {
                (None, None) => {}
                (Some(mine), Some(theirs)) if Arc::ptr_eq(mine, theirs) => {}
                _ => mine.clone_from(theirs),
            }
        }
        let (slot, clock) = most;
        if self.clock(slot) > clock {
            own(&mut self.with_room(0)[slot / PIECE])[slot % PIECE] = clock;
        }
    }

    /// Its pieces, at least so many.
    fn with_room(&mut self, len: usize) -> &mut [Piece] {
        if let Clocks::Few(count, clocks) = &self.0 {
            let mut first = None;
            if *count > 0 {
                own(&mut first)[..FEW].copy_from_slice(clocks);
            }
            let mut pieces = Vec::with_capacity(len.max(1));
            pieces.push(first);
            self.0 = Clocks::Many(pieces);
        }
        let Clocks::Many(pieces) = &mut self.0 else {
            unreachable!("it has just become one of many");
        };
        if pieces.len() < len {
            pieces.resize(len, None);
        }
        pieces
    }
}

#[inline]
fn at_most(clock: Clock, slot: usize, most: (usize, Clock)) -> Clock {
    if slot == most.0 {
        clock.min(most.1)
    } else {
        clock
    }
}

/// Whether each of `less` is at most that of `more`.
#[inline]
fn within(less: &[Clock; PIECE], more: &[Clock; PIECE]) -> bool {
    less.iter().zip(more).all(|(less, more)| less <= more)
}

/// The piece as one that nobody else has.
#[inline]
fn own(piece: &mut Piece) -> &mut [Clock; PIECE] {
    Arc::make_mut(piece.get_or_insert_with(|| Arc::new([0; PIECE])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(clocks: &[Clock]) -> Row {
        let mut row = Row::default();
        for (slot, &clock) in clocks.iter().enumerate() {
            row.raise(slot, clock);
        }
        row
    }

    fn clocks(row: &Row, len: usize) -> Vec<Clock> {
        (0..len).map(|slot| row.clock(slot)).collect()
    }

    #[test]
    fn a_merge_is_the_larger_of_each_at_every_length() {
        let some = |len: usize, seed: u64| -> Vec<Clock> {
            let mix = |slot: u64| (slot + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
            (0..len as u64).map(mix).collect()
        };
        let lengths = (0..9).chain(14..19).chain(30..36).chain(46..53);
        for (mine, other) in lengths
            .clone()
            .flat_map(|mine| lengths.clone().map(move |other| (mine, other)))
        {
            for (most, seed) in [(UP_TO_ALL, 99), ((other / 2, 7), 99), ((other / 2, 7), 1)] {
                let (a, b) = (some(mine, 1), some(other, seed));
                let (mut merged, theirs) = (row(&a), row(&b));
                merged.merge(&theirs, most);
                let wanted: Vec<Clock> = (0..80)
                    .map(|slot| {
                        let theirs = at_most(b.get(slot).copied().unwrap_or(0), slot, most);
                        theirs.max(a.get(slot).copied().unwrap_or(0))
                    })
                    .collect();
                assert_eq!(
                    clocks(&merged, 80),
                    wanted,
                    "{mine} and {other} slots, {most:?}"
                );
                assert_eq!(clocks(&theirs, other), b, "what is merged stays as it is");
                let mut listed = vec![0; 80];
                for (first, piece) in merged.pieces() {
                    listed[first..first + piece.len()].copy_from_slice(piece);
                }
                assert_eq!(listed, wanted);
                // Once more, now that they share what they can.
                merged.merge(&theirs, most);
                assert_eq!(clocks(&merged, 80), wanted);
                for _ in 0..2 {
                    merged.assign(&theirs, most);
                    let wanted: Vec<Clock> = (0..80)
                        .map(|slot| at_most(theirs.clock(slot), slot, most))
                        .collect();
                    assert_eq!(clocks(&merged, 80), wanted);
                }
            }
        }
    }

    #[test]
    fn what_is_shared_is_copied_when_it_is_changed() {
        let long = row(&[3; 40]);
        let mut other = row(&[2; 40]);
        other.merge(&long, UP_TO_ALL);
        assert_eq!(clocks(&other, 40), clocks(&long, 40));
        other.raise(39, 9);
        assert_eq!((long.clock(39), other.clock(39)), (3, 9));
        other.clear();
        assert!(other.is_empty() && long.clock(39) == 3);
    }

    #[test]
    fn of_many_only_the_pieces_that_differ_are_copied() {
        let mut releaser = row(&[5; 160]);
        let mut acquirer = Row::default();
        acquirer.merge(&releaser, UP_TO_ALL);
        releaser.raise(100, 6);
        acquirer.merge(&releaser, UP_TO_ALL);
        let (Clocks::Many(ours), Clocks::Many(theirs)) = (&acquirer.0, &releaser.0) else {
            panic!("they are long");
        };
        let same = |(a, b): (&Piece, &Piece)| {
            Arc::ptr_eq(a.as_ref().expect("full"), b.as_ref().expect("full"))
        };
        assert!(ours.iter().zip(theirs).all(same));
        // Each of its own epochs is in the releaser's row at once, but told only up to `most`.
        releaser.raise(3, 9);
        acquirer.merge(&releaser, (3, 7));
        assert_eq!((acquirer.clock(3), releaser.clock(3)), (7, 9));
    }
}
