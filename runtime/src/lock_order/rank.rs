//! Ranks of locks: each that is waited for while another is held has a higher one than that.
//!
//! As long as all locks can be ranked so, a new edge closes no cycle, and nothing has to be searched for to know that. An edge that goes
//! down is looked at where it may matter only, among the locks between its ends, which then get each other's ranks (Pearce and Kelly, "A dynamic
//! topological sort algorithm for directed acyclic graphs", 2006); or it closes a cycle and is left out here. A lock that was in no edge yet takes
//! a rank beside the other end of its first one: in a list that is locked from node to node, that is its place.

use std::collections::BTreeMap;

use goldilocks_core::fast_hash::FastMap;

/// The ranks of all locks that are in an edge.
#[derive(Default)]
pub struct Ranks {
    of: FastMap<u64, u64>,
    /// The locks in ascending order.
    at: BTreeMap<u64, u64>,
    /// Ranks that were given since all were given anew.
    given: usize,
}

/// A rank has this much room at its side, at first.
const ROOM: u64 = 1 << 32;
/// The first one.
const MIDDLE: u64 = 1 << 63;

/// Who follows a lock, or whom it follows, by edges that have been [added](Ranks::add).
pub trait Edges {
    fn after(&self, lock: u64, each: &mut dyn FnMut(u64));
    fn before(&self, lock: u64, each: &mut dyn FnMut(u64));
}

impl Ranks {
    /// Adds an edge; `edges` are those that were added before, or also this one. False if it closes a cycle with them: then it is not added.
    pub fn add(&mut self, from: u64, to: u64, edges: &impl Edges) -> bool {
        if from == to {
            return false;
        }
        match (self.of.get(&from).copied(), self.of.get(&to).copied()) {
            (Some(low), Some(high)) if low < high => true,
            (Some(low), Some(high)) => self.exchange((from, low), (to, high), edges),
            (Some(low), None) => {
                let rank = self.room_above(from, low);
                self.put(to, rank);
                true
            }
            (None, Some(high)) => {
                let rank = self.room_below(to, high);
                self.put(from, rank);
                true
            }
            (None, None) => {
                let rank = self.above_all();
                self.put(from, rank);
                let rank = self.above_all();
                self.put(to, rank);
                true
            }
        }
    }

    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.of.is_empty() && self.at.is_empty()
    }

    /// The lock is in no edge any more.
    pub fn remove(&mut self, lock: u64) {
        if let Some(rank) = self.of.remove(&lock) {
            self.at.remove(&rank);
        }
    }

    fn put(&mut self, lock: u64, rank: u64) {
        self.given += 1;
        self.of.insert(lock, rank);
        self.at.insert(rank, lock);
    }

    fn above_all(&mut self) -> u64 {
        let last = |ranks: &Ranks| ranks.at.last_key_value().map_or(MIDDLE, |(&rank, _)| rank);
        if last(self) > u64::MAX - ROOM {
            self.spread();
        }
        last(self) + ROOM
    }

    fn below_all(&mut self) -> u64 {
        let first = |ranks: &Ranks| ranks.at.first_key_value().map_or(MIDDLE, |(&rank, _)| rank);
        if first(self) <= ROOM {
            self.spread();
        }
        first(self) - ROOM
    }

    /// A rank above that of `lock`, right above it where there is room, or after so many others that room for all is no more work than they were.
    fn room_above(&mut self, lock: u64, rank: u64) -> u64 {
        let Some((&next, _)) = self.at.range(rank + 1..).next() else {
            return self.above_all();
        };
        if next - rank >= 2 {
            return rank + (next - rank) / 2;
        }
        if self.given < self.at.len() {
            return self.above_all();
        }
        self.spread();
        self.room_above(lock, self.of[&lock])
    }

    /// A rank below that of `lock`, in the same way.
    fn room_below(&mut self, lock: u64, rank: u64) -> u64 {
        let Some((&last, _)) = self.at.range(..rank).next_back() else {
            return self.below_all();
        };
        if rank - last >= 2 {
            return last + (rank - last) / 2;
        }
        if self.given < self.at.len() {
            return self.below_all();
        }
        self.spread();
        self.room_below(lock, self.of[&lock])
    }

    /// Gives all the same room again.
    #[cold]
    fn spread(&mut self) {
        let locks: Vec<u64> = self.at.values().copied().collect();
        self.at.clear();
        let first = MIDDLE - locks.len() as u64 / 2 * ROOM;
        for (index, lock) in locks.into_iter().enumerate() {
            self.put(lock, first + index as u64 * ROOM);
        }
        self.given = 0;
    }

    /// For an edge that goes down, from `low` to `high`: the locks between that come after its end, and those that come before its beginning, exchange
    /// their ranks, unless one is both.
    fn exchange(
        &mut self,
        (from, from_rank): (u64, u64),
        (to, to_rank): (u64, u64),
        edges: &impl Edges,
    ) -> bool {
        let after = self.reached(
            to,
            |rank| rank <= from_rank,
            |lock, each| edges.after(lock, each),
        );
        if after.contains_key(&from) {
            return false;
        }
        let before = self.reached(
            from,
            |rank| rank >= to_rank,
            |lock, each| edges.before(lock, each),
        );
        let by_rank = |locks: FastMap<u64, ()>| {
            let mut locks: Vec<(u64, u64)> = locks
                .into_keys()
                .map(|lock| (self.of[&lock], lock))
                .collect();
            locks.sort_unstable();
            locks
        };
        let all: Vec<(u64, u64)> = by_rank(before).into_iter().chain(by_rank(after)).collect();
        let mut ranks: Vec<u64> = all.iter().map(|&(rank, _)| rank).collect();
        ranks.sort_unstable();
        for (rank, (_, lock)) in ranks.into_iter().zip(all) {
            self.put(lock, rank);
        }
        true
    }

    /// What is reached from `start` by way of locks whose ranks are `within`, with it.
    fn reached(
        &self,
        start: u64,
        within: impl Fn(u64) -> bool,
        next: impl Fn(u64, &mut dyn FnMut(u64)),
    ) -> FastMap<u64, ()> {
        let (mut reached, mut todo) = (FastMap::default(), vec![start]);
        reached.insert(start, ());
        while let Some(lock) = todo.pop() {
            next(lock, &mut |other| {
                // Without a rank: the end of an edge that is left out.
                let is_within = self.of.get(&other).is_some_and(|&rank| within(rank));
                if is_within && reached.insert(other, ()).is_none() {
                    todo.push(other);
                }
            });
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default)]
    struct All(Vec<(u64, u64)>);

    impl Edges for All {
        fn after(&self, lock: u64, each: &mut dyn FnMut(u64)) {
            self.0
                .iter()
                .filter(|edge| edge.0 == lock)
                .for_each(|edge| each(edge.1));
        }
        fn before(&self, lock: u64, each: &mut dyn FnMut(u64)) {
            self.0
                .iter()
                .filter(|edge| edge.1 == lock)
                .for_each(|edge| each(edge.0));
        }
    }

    impl All {
        fn reaches(&self, from: u64, to: u64) -> bool {
            let (mut seen, mut todo) = (vec![from], vec![from]);
            while let Some(lock) = todo.pop() {
                self.after(lock, &mut |other| {
                    if !seen.contains(&other) {
                        seen.push(other);
                        todo.push(other);
                    }
                });
            }
            seen.contains(&to)
        }
    }

    /// Random edges, some of which are taken away with their lock, against a search through all.
    #[test]
    fn an_edge_is_left_out_where_it_closes_a_cycle_and_nowhere_else() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            (seed >> 33) % below
        };
        let (mut left_out, mut moved) = (0, 0);
        for round in 0..200 {
            let (mut edges, mut ranks) = (All::default(), Ranks::default());
            let locks = 2 + round % 20;
            for _ in 0..80 {
                if random(8) == 0 {
                    let gone = random(locks);
                    edges.0.retain(|edge| edge.0 != gone && edge.1 != gone);
                    ranks.remove(gone);
                    continue;
                }
                let edge = (random(locks), random(locks));
                let closes = edges.reaches(edge.1, edge.0);
                let rank = |lock| ranks.of.get(&lock).copied();
                moved +=
                    u32::from(!closes && rank(edge.0) > rank(edge.1) && rank(edge.1).is_some());
                assert_eq!(
                    ranks.add(edge.0, edge.1, &edges),
                    !closes,
                    "{edge:?} {edges:?}"
                );
                if closes {
                    left_out += 1;
                } else {
                    edges.0.push(edge);
                }
                let rank = |lock| ranks.of[&lock];
                assert!(
                    edges.0.iter().all(|&(from, to)| rank(from) < rank(to)),
                    "{edges:?}"
                );
                assert_eq!(ranks.of.len(), ranks.at.len());
            }
        }
        assert!(left_out > 100 && moved > 100, "{left_out} {moved}");
    }

    #[test]
    fn there_is_always_room_beside_a_lock() {
        const LOCKS: u64 = 20_000;
        let (edges, mut ranks) = (All::default(), Ranks::default());
        assert!(ranks.add(1, 2, &edges));
        let mut anew = 0;
        for lock in 3..LOCKS {
            let given = ranks.given;
            // Half of them above the first one, half below the second one.
            let (from, to) = if lock % 2 == 0 { (1, lock) } else { (lock, 2) };
            assert!(ranks.add(from, to, &edges));
            assert!(ranks.of[&from] < ranks.of[&to] && ranks.of[&1] < ranks.of[&2]);
            anew += u32::from(ranks.given < given);
        }
        assert!((1..40).contains(&anew), "{anew}");
        assert_eq!(ranks.of.len(), ranks.at.len());
    }
}
