//! The graph of locks: an edge from one to another says that a thread has waited for the second while it held the first.
//!
//! A deadlock is a cycle of edges by as many threads, each of which waits for what the next one holds. It can come about only if
//! * the threads are different ones, and nothing but the locks themselves keeps them from being there at a time (see
//!   `lineage`),
//! * no two of them hold a lock that only one can hold (a *gate*): they would not get there together,
//! * each wait is one that the next one's hold does not let through: not both for reading.
//!
//! An edge is kept once for each way in which it came about (*instance*) that can matter later.

use goldilocks_core::fast_hash::FastMap;
use goldilocks_core::line::Site;

use std::sync::Arc;

use super::lineage::{self, Moment};
use super::rank::{self, Ranks};

/// A lock that is held or waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lock {
    pub address: u64,
    /// For reading.
    pub shared: bool,
}

impl Lock {
    /// Whether two threads cannot have these at a time.
    fn excludes(self, other: Lock) -> bool {
        self.address == other.address && !(self.shared && other.shared)
    }
}

/// A way in which a thread came to wait for a lock while it held another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub at: Moment,
    /// The lock held that the edge begins at, and return address of the call that has locked it.
    pub from: Lock,
    pub from_place: usize,
    pub to: Lock,
    /// All locks held, `from` among them; sorted. Those of one wait share it.
    pub held: Arc<[Lock]>,
    /// Where it waits.
    pub site: Site,
}

/// Instances of one edge that are kept, at most. Those that an edge has at a time are few: one for each thread and each set of
/// locks held.
const INSTANCES: usize = 32;
/// Edges that are kept, at most: some 16 MB. Later ones are not looked at.
const EDGES: usize = 1 << 16;
/// Edges that the search for one cycle looks at, at most.
const PATIENCE: usize = 20_000;

/// Whether two threads cannot hold these at a time. Both are sorted.
fn have_gate(one: &[Lock], other: &[Lock]) -> bool {
    let mut rest = other;
    one.iter().any(|lock| {
        let below = rest.partition_point(|gate| gate.address < lock.address);
        rest = &rest[below..];
        let mut same = rest.iter().take_while(|gate| gate.address == lock.address);
        same.any(|gate| gate.excludes(*lock))
    })
}

/// The edges between locks.
#[derive(Default)]
struct Edges {
    /// By their beginning: their ends, with the instances. Of the lock of a table there may be as many as there are objects in it.
    out: FastMap<u64, FastMap<u64, Vec<Instance>>>,
    /// By their end: their beginnings.
    into: FastMap<u64, FastMap<u64, ()>>,
    count: usize,
    /// Those that close a cycle of the others, whether or not it can be a deadlock.
    down: FastMap<(u64, u64), ()>,
}

/// Without those that close a cycle.
impl rank::Edges for Edges {
    fn after(&self, lock: u64, each: &mut dyn FnMut(u64)) {
        self.ends(lock)
            .filter(|&end| !self.is_down(lock, end))
            .for_each(each);
    }
    fn before(&self, lock: u64, each: &mut dyn FnMut(u64)) {
        let beginnings = self.into.get(&lock).into_iter().flatten();
        let beginnings = beginnings.map(|(&beginning, ())| beginning);
        beginnings
            .filter(|&beginning| !self.is_down(beginning, lock))
            .for_each(each);
    }
}

impl Edges {
    fn ends(&self, lock: u64) -> impl Iterator<Item = u64> {
        let ends = self.out.get(&lock).into_iter().flatten();
        ends.map(|(&end, _)| end)
    }

    fn contains(&self, from: u64, to: u64) -> bool {
        self.out
            .get(&from)
            .is_some_and(|ends| ends.contains_key(&to))
    }

    fn is_down(&self, from: u64, to: u64) -> bool {
        !self.down.is_empty() && self.down.contains_key(&(from, to))
    }

    /// Whether there is a way of edges between two locks; or may be, as it takes too long to look at all.
    fn reaches(&self, from: u64, to: u64) -> bool {
        let (mut seen, mut todo) = (FastMap::default(), vec![from]);
        let mut patience = PATIENCE;
        while let Some(lock) = todo.pop() {
            for end in self.ends(lock) {
                patience -= 1;
                if end == to || patience == 0 {
                    return true;
                }
                if seen.insert(end, ()).is_none() {
                    todo.push(end);
                }
            }
        }
        false
    }

    /// Whether a lock is in an edge.
    fn has(&self, lock: u64) -> bool {
        self.out.contains_key(&lock) || self.into.contains_key(&lock)
    }
}

/// What is known of the order of locks.
#[derive(Default)]
pub struct Graph {
    edges: Edges,
    ranks: Ranks,
}

impl Graph {
    /// Adds an instance. If it closes a cycle that can be a deadlock, gives the instances of it, the new one first.
    pub fn add(&mut self, instance: Instance) -> Option<Vec<Instance>> {
        let (from, to) = (instance.from.address, instance.to.address);
        let is_new = !self.edges.contains(from, to);
        if is_new && self.edges.count >= EDGES {
            return None;
        }
        if is_new && !self.ranks.add(from, to, &self.edges) {
            self.edges.down.insert((from, to), ());
        }
        let cycle = if self.edges.down.is_empty() || !self.edges.reaches(to, from) {
            None
        } else {
            self.edges.cycle(&instance)
        };
        self.edges.keep(instance);
        cycle
    }

    /// The lock does not exist any more.
    pub fn forget(&mut self, address: u64) {
        let others = self.edges.forget(address);
        self.ranks.remove(address);
        for other in others {
            if !self.edges.has(other) {
                self.ranks.remove(other);
            }
        }
    }
}

impl Edges {
    fn keep(&mut self, instance: Instance) {
        let (from, to) = (instance.from.address, instance.to.address);
        if !self.contains(from, to) {
            self.count += 1;
            self.into.entry(to).or_default().insert(from, ());
        }
        let ends = self.out.entry(from).or_default();
        let instances = ends.entry(to).or_default();
        // What comes later and can meet an earlier instance can meet the new one as well, which comes after that.
        instances.retain(|old| {
            let same = old.held == instance.held && old.to == instance.to;
            let earlier =
                old.at.thread == instance.at.thread || lineage::is_before(&old.at, &instance.at);
            !(same && earlier)
        });
        if instances.len() < INSTANCES {
            instances.push(instance);
        }
    }

    fn cycle(&self, new: &Instance) -> Option<Vec<Instance>> {
        let mut path = vec![new];
        let mut patience = PATIENCE;
        self.search(&mut path, &mut patience)
            .then(|| path.into_iter().cloned().collect())
    }

    /// Continues the path until it is a cycle.
    fn search<'a>(&'a self, path: &mut Vec<&'a Instance>, patience: &mut usize) -> bool {
        let (first, last) = (path[0], path[path.len() - 1]);
        let Some(ends) = self.out.get(&last.to.address) else {
            return false;
        };
        // First what closes the cycle, as there may be thousands of others.
        let first_end = first.from.address;
        let closing = ends.get(&first_end).into_iter();
        let others = ends.iter().filter(|&(&end, _)| end != first_end);
        let all = closing.chain(others.map(|(_, instances)| instances));
        for next in all.flatten() {
            if *patience == 0 {
                return false;
            }
            *patience -= 1;
            let fits = last.to.excludes(next.from)
                && path.iter().all(|other| {
                    lineage::is_concurrent(&other.at, &next.at)
                        && !have_gate(&other.held, &next.held)
                });
            if !fits {
                continue;
            }
            path.push(next);
            if next.to.excludes(first.from) || self.search(path, patience) {
                return true;
            }
            path.pop();
        }
        false
    }

    /// The lock does not exist any more; the others that it had edges with.
    fn forget(&mut self, address: u64) -> Vec<u64> {
        let mut others = Vec::new();
        for (end, _) in self.out.remove(&address).unwrap_or_default() {
            self.count -= 1;
            others.push(end);
            if let Some(beginnings) = self.into.get_mut(&end) {
                beginnings.remove(&address);
                if beginnings.is_empty() {
                    self.into.remove(&end);
                }
            }
        }
        for (beginning, ()) in self.into.remove(&address).unwrap_or_default() {
            others.push(beginning);
            if let Some(ends) = self.out.get_mut(&beginning) {
                ends.remove(&address);
                self.count -= 1;
                if ends.is_empty() {
                    self.out.remove(&beginning);
                }
            }
        }
        if !self.down.is_empty() {
            self.down
                .retain(|&(from, to), _| from != address && to != address);
        }
        others
    }
}

#[cfg(test)]
mod tests {
    use super::super::lineage::Lineage;
    use super::*;

    fn lock(address: u64) -> Lock {
        Lock {
            address,
            shared: false,
        }
    }
    fn read(address: u64) -> Lock {
        Lock {
            address,
            shared: true,
        }
    }

    /// `thread` waits for `to` while it holds all of `held`, the last of which is the edge's beginning.
    fn waits(thread: u32, held: &[Lock], to: Lock) -> Instance {
        let from = *held.last().unwrap();
        let mut held = held.to_vec();
        held.sort();
        Instance {
            at: Moment {
                thread,
                ..Moment::default()
            },
            from,
            from_place: 0,
            to,
            held: held.into(),
            site: thread,
        }
    }

    fn threads(cycle: Option<Vec<Instance>>) -> Option<Vec<u32>> {
        cycle.map(|cycle| cycle.iter().map(|instance| instance.at.thread).collect())
    }

    /// What the instances, added in this order, find: threads of each cycle.
    fn found(instances: &[Instance]) -> Vec<Vec<u32>> {
        let mut graph = Graph::default();
        instances
            .iter()
            .filter_map(|instance| threads(graph.add(instance.clone())))
            .collect()
    }

    #[test]
    fn opposite_orders_of_two_threads_are_a_cycle_and_of_one_are_none() {
        let (a, b) = (lock(1), lock(2));
        assert_eq!(found(&[waits(1, &[a], b), waits(2, &[b], a)]), [[2, 1]]);
        assert_eq!(found(&[waits(1, &[a], b), waits(1, &[b], a)]), [[0; 0]; 0]);
        assert_eq!(found(&[waits(1, &[a], b), waits(2, &[a], b)]), [[0; 0]; 0]);
    }

    #[test]
    fn a_gate_prevents_it_and_one_for_reading_does_not() {
        let (a, b, gate) = (lock(1), lock(2), lock(3));
        let none: [Vec<u32>; 0] = [];
        assert_eq!(
            found(&[waits(1, &[gate, a], b), waits(2, &[gate, b], a)]),
            none
        );
        assert_eq!(
            found(&[waits(1, &[read(3), a], b), waits(2, &[gate, b], a)]),
            none
        );
        assert_eq!(
            found(&[waits(1, &[read(3), a], b), waits(2, &[read(3), b], a)]),
            [[2, 1]]
        );
        // The same order without the gate is another instance.
        assert_eq!(
            found(&[
                waits(1, &[gate, a], b),
                waits(1, &[a], b),
                waits(2, &[gate, b], a)
            ]),
            [[2, 1]]
        );
    }

    #[test]
    fn gates_are_found_as_by_comparing_all() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            (seed >> 33) % below
        };
        let mut gates = 0;
        for _ in 0..2000 {
            let mut some = || {
                let count = random(6);
                let mut locks: Vec<Lock> = (0..count)
                    .map(|_| Lock {
                        address: random(12),
                        shared: random(2) == 0,
                    })
                    .collect();
                locks.sort();
                locks.dedup();
                locks
            };
            let (one, other) = (some(), some());
            let by_all = one
                .iter()
                .any(|lock| other.iter().any(|gate| gate.excludes(*lock)));
            assert_eq!(have_gate(&one, &other), by_all, "{one:?} {other:?}");
            gates += u32::from(by_all);
        }
        assert!((200..1800).contains(&gates), "{gates}");
    }

    #[test]
    fn readers_let_readers_through() {
        let (a, b) = (lock(1), lock(2));
        let none: [Vec<u32>; 0] = [];
        assert_eq!(
            found(&[waits(1, &[read(1)], read(2)), waits(2, &[read(2)], read(1))]),
            none
        );
        assert_eq!(
            found(&[waits(1, &[read(1)], b), waits(2, &[b], read(1))]),
            none
        );
        assert_eq!(
            found(&[waits(1, &[read(1)], b), waits(2, &[read(2)], a)]),
            [[2, 1]]
        );
    }

    #[test]
    fn long_cycles_need_as_many_threads() {
        let circle = |count: u32, threads: u32| {
            let edges = (0..count).map(|i| {
                waits(
                    1 + i % threads,
                    &[lock(i.into())],
                    lock(((i + 1) % count).into()),
                )
            });
            found(&edges.collect::<Vec<_>>())
        };
        assert_eq!(circle(9, 9), [[9, 1, 2, 3, 4, 5, 6, 7, 8]]);
        assert_eq!(circle(9, 8), [[0; 0]; 0]);
    }

    #[test]
    fn creation_and_join_prevent_it() {
        let (a, b) = (lock(1), lock(2));
        let (mut graph, mut lineage) = (Graph::default(), Lineage::default());
        let by = |at: Moment, held: Lock, to| Instance {
            at: at.clone(),
            ..waits(at.thread, &[held], to)
        };
        assert_eq!(graph.add(by(lineage.now(0), a, b)), None);
        lineage.created(0, 1);
        let beside = lineage.now(0);
        assert_eq!(graph.add(by(lineage.now(1), b, a)), None);
        lineage.joined(0, 1);
        assert_eq!(graph.add(by(lineage.now(0), a, b)), None);
        assert!(threads(graph.add(by(beside, a, b))).is_some());
    }

    /// Whether or not the locks can be ranked, what is found is what a search finds.
    #[test]
    fn ranks_hide_no_cycle() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            (seed >> 33) % below
        };
        let (mut cycles, mut ranked) = (0, 0);
        for round in 0..300 {
            let locks = 3 + round % 6;
            let mut graph = Graph::default();
            for _ in 0..40 {
                if random(6) == 0 {
                    graph.forget(random(locks));
                    continue;
                }
                let (from, to) = (random(locks), random(locks));
                // Most go up, as programs do.
                let (from, to) = match random(6) {
                    0 => (from, to),
                    _ => (from.min(to), from.max(to)),
                };
                if from == to {
                    continue;
                }
                let instance = waits(random(3) as u32, &[lock(from)], lock(to));
                let by_search = graph.edges.cycle(&instance).is_some();
                assert_eq!(graph.add(instance).is_some(), by_search);
                cycles += u32::from(by_search);
                ranked += u32::from(graph.edges.down.is_empty());
            }
        }
        assert!(cycles > 100 && ranked > 100, "{cycles} {ranked}");
    }

    #[test]
    fn destroyed_locks_are_in_no_cycle() {
        let (a, b) = (lock(1), lock(2));
        let mut graph = Graph::default();
        for gone in [1, 2] {
            assert_eq!(graph.add(waits(1, &[a], b)), None);
            graph.forget(gone);
            let edges = &graph.edges;
            assert!(edges.count == 0 && edges.into.is_empty() && edges.out.is_empty());
            assert!(edges.down.is_empty() && graph.ranks.is_empty());
            assert_eq!(graph.add(waits(2, &[b], a)), None);
            graph.forget(gone);
        }
    }

    #[test]
    fn repetitions_take_no_memory() {
        let (a, b) = (lock(1), lock(2));
        let (mut graph, mut lineage) = (Graph::default(), Lineage::default());
        for thread in 1..1000 {
            lineage.created(0, thread);
            for _ in 0..2 {
                graph.add(Instance {
                    at: lineage.now(thread),
                    ..waits(thread, &[a], b)
                });
            }
            lineage.joined(0, thread);
        }
        assert_eq!(graph.edges.out[&1][&2].len(), 1);
    }
}
