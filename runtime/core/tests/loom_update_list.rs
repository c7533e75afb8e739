//! The update list under every interleaving (up to a bound on preemptions), with the memory model that loom has.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p goldilocks-core --test loom_update_list --release`
#![cfg(loom)]

use goldilocks_core::event::{Effect, Entity, Role, SyncEvent};
use goldilocks_core::update_list::{Cell, Passed, Stock, UpdateList};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering, fence};
use loom::thread;
use std::sync::Mutex;

fn explore(preemptions: usize, test: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(test);
}

/// The `number`th event of `thread`.
fn event(thread: u16, number: u64) -> SyncEvent {
    SyncEvent {
        thread,
        effect: Effect::RELEASE,
        incarnation: 0,
        object: Entity::object(1, Role::Object),
        clock: number,
        pc: 0,
    }
}

type Name = (u16, u64);

fn name(event: &SyncEvent) -> Name {
    (event.thread, event.clock)
}

/// A list whose retired cells are kept until the end, so that a use after free is a failed assertion.
struct List {
    list: UpdateList,
    /// Cells retired when no reader was pinned: crossbeam-epoch could free them at once.
    freed: Mutex<Vec<Name>>,
    /// Every retired cell, to be freed at the end.
    retired: Mutex<Vec<usize>>,
    pinned: AtomicBool,
}

impl List {
    fn new() -> List {
        List {
            list: UpdateList::new(),
            freed: Mutex::new(Vec::new()),
            retired: Mutex::new(Vec::new()),
            pinned: AtomicBool::new(false),
        }
    }

    fn stock(&self) -> Stock {
        Stock::new(&self.list.pool)
    }

    fn append(&self, event: SyncEvent, stock: &mut Stock) {
        self.list.append(event, stock, 1);
    }

    fn retire(&self, cell: *mut Cell) {
        // What a collector does: whoever is pinned after this fence cannot have loaded the head before the fence.
        fence(Ordering::SeqCst);
        if !self.pinned.load(Ordering::Relaxed) {
            // SAFETY: not freed before `List` is dropped.
            self.freed
                .lock()
                .unwrap()
                .push(name(unsafe { &(*cell).event }));
        }
        self.retired.lock().unwrap().push(cell as usize);
    }

    fn evaluate(&self, limit: usize) -> Vec<Name> {
        let mut seen = Vec::new();
        // SAFETY: each test has one evaluator; cells are freed when all threads have ended.
        let count = unsafe {
            self.list.evaluate(
                limit,
                |event, _| seen.push(name(event)),
                |cell| self.retire(cell),
            )
        };
        assert_eq!(count, seen.len());
        seen
    }

    /// What one pinned reader sees.
    fn read(&self) -> Vec<Name> {
        self.read_and(|_, _| {})
    }

    /// The same; before it is unpinned, `check` is given what it has seen and what is freed by then.
    fn read_and(&self, check: impl Fn(&[Name], &[Name])) -> Vec<Name> {
        self.pinned.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let mut seen = Vec::new();
        // SAFETY: cells are freed when all threads have ended.
        for event in unsafe { self.list.walk() } {
            assert!(
                !self.freed.lock().unwrap().contains(&name(&event)),
                "{event:?} was freed"
            );
            seen.push(name(&event));
        }
        check(&seen, &self.freed.lock().unwrap());
        self.pinned.store(false, Ordering::Release);
        seen
    }
}

impl Drop for List {
    fn drop(&mut self) {
        let mut passed = Passed::default();
        for &cell in self.retired.lock().unwrap().iter() {
            // SAFETY: retired once.
            unsafe { passed.push(cell as *mut Cell) };
        }
        // SAFETY: all threads have ended.
        unsafe { passed.free() }
    }
}

/// Events of each thread are in the order in which it appended them.
fn in_program_order(seen: &[Name]) -> bool {
    seen.iter()
        .enumerate()
        .all(|(i, a)| seen[..i].iter().all(|b| a.0 != b.0 || b.1 < a.1))
}

#[test]
fn appends_by_three_threads_lose_nothing() {
    explore(4, || {
        let list = Arc::new(List::new());
        let others: Vec<_> = [1, 2]
            .map(|thread| {
                let list = list.clone();
                thread::spawn(move || list.append(event(thread, 1), &mut list.stock()))
            })
            .into();
        let mut stock = list.stock();
        list.append(event(0, 1), &mut stock);
        list.append(event(0, 2), &mut stock);
        let early = list.read();
        assert!(
            in_program_order(&early) && early.contains(&(0, 2)),
            "{early:?}"
        );
        others.into_iter().for_each(|other| other.join().unwrap());
        let late = list.read();
        assert!(in_program_order(&late) && late.len() == 4, "{late:?}");
        assert!(late.starts_with(&early), "{early:?} {late:?}");
        assert_eq!(list.list.pending(), 4);
    });
}

// No more than one thread may have to wait for a link at a time: loom cannot tell two that wait from a deadlock.

#[test]
fn a_walk_beside_an_evaluator_sees_a_run_without_gaps() {
    explore(4, || {
        let list = Arc::new(List::new());
        let mut stock = list.stock();
        list.append(event(0, 1), &mut stock);
        let evaluator = {
            let list = list.clone();
            thread::spawn(move || {
                let mut seen = list.evaluate(1);
                list.append(event(1, 1), &mut list.stock());
                seen.extend(list.evaluate(usize::MAX));
                seen
            })
        };
        list.append(event(0, 2), &mut stock);
        let seen = list.read();
        let mut order = evaluator.join().unwrap();
        let evaluated = order.len();
        order.extend(list.read());
        assert!(in_program_order(&order) && order.len() == 3, "{order:?}");
        assert!(
            seen.is_empty() || order.windows(seen.len()).any(|run| run == seen),
            "{seen:?}"
        );
        // What the reader appended itself, it sees, unless it has been evaluated before the reader looked.
        assert!(
            seen.contains(&(0, 2)) || order[..evaluated].contains(&(0, 2)),
            "{seen:?} {order:?}"
        );
        assert_eq!(list.list.pending(), 3 - evaluated);
    });
}

// The reader is the new thread and the evaluator the old one: loom goes back to the last access of an atomic alone, so it
// finds where a load could have been among the stores of a thread that ran before, not the reverse.

#[test]
fn a_late_reader_meets_no_freed_cell() {
    explore(5, || {
        let list = Arc::new(List::new());
        let mut stock = list.stock();
        (1..=3).for_each(|number| list.append(event(0, number), &mut stock));
        let reader = {
            let list = list.clone();
            thread::spawn(move || {
                list.read_and(|seen, freed| {
                    // The first event was reached from the cell before it (which is (0, 0) in a new list).
                    assert!(!freed.contains(&(0, seen[0].1 - 1)), "{seen:?} {freed:?}")
                })
            })
        };
        list.evaluate(2);
        let seen = reader.join().unwrap();
        assert!(
            [&[(0, 1), (0, 2), (0, 3)][..], &[(0, 2), (0, 3)], &[(0, 3)]].contains(&&seen[..]),
            "{seen:?}"
        );
    });
}

#[test]
fn two_appenders_beside_an_evaluator() {
    explore(3, || {
        let list = Arc::new(List::new());
        let appenders: Vec<_> = [1, 2]
            .map(|thread| {
                let list = list.clone();
                thread::spawn(move || {
                    let mut stock = list.stock();
                    list.append(event(thread, 1), &mut stock);
                    list.append(event(thread, 2), &mut stock);
                })
            })
            .into();
        let mut order = list.evaluate(2);
        order.extend(list.evaluate(usize::MAX));
        appenders
            .into_iter()
            .for_each(|appender| appender.join().unwrap());
        order.extend(list.evaluate(usize::MAX));
        assert!(in_program_order(&order) && order.len() == 4, "{order:?}");
        assert_eq!(list.list.pending(), 0);
        assert!(list.read().is_empty());
    });
}

/// Nobody walks, so that cells can be used again as soon as the head has passed them: for an append that is under way meanwhile.
#[test]
fn cells_that_are_used_again_lose_nothing() {
    explore(4, || {
        let list = Arc::new(UpdateList::new());
        let mut stock = Stock::new(&list.pool);
        (1..=2).for_each(|number| list.append(event(0, number), &mut stock, 1));
        let evaluator = {
            let list = list.clone();
            thread::spawn(move || {
                let (mut seen, mut passed) = (Vec::new(), Passed::default());
                // SAFETY: the only evaluator, and nobody walks.
                unsafe {
                    list.evaluate(
                        2,
                        |event, _| seen.push(name(event)),
                        |cell| passed.push(cell),
                    );
                    list.pool.give(passed);
                }
                seen
            })
        };
        // From the pool, if the evaluator has given some.
        stock.fill();
        (3..=4).for_each(|number| list.append(event(0, number), &mut stock, 1));
        let mut seen = evaluator.join().unwrap();
        stock.fill();
        (5..=7).for_each(|number| list.append(event(0, number), &mut stock, 1));
        let mut passed = Passed::default();
        // SAFETY: as above.
        unsafe {
            list.evaluate(
                usize::MAX,
                |event, _| seen.push(name(event)),
                |cell| passed.push(cell),
            );
            passed.free();
        }
        assert_eq!(seen, (1..=7).map(|number| (0, number)).collect::<Vec<_>>());
    });
}
